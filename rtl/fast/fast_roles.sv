// What the host wants to know a tag as: tag in cycle c, role in c+2.
module fast_roles #(
    parameter int unsigned TAGS = 1024  // at most 16384
) (
    input logic clk,

    input logic                          write,
    input logic [fast_pkg::TAG_BITS-1:0] write_tag,
    input logic [                   4:0] write_role,

    input  logic [3:0][fast_pkg::TAG_BITS-1:0] tags,
    output logic [3:0][                   4:0] roles
);
  import fast_pkg::*;

  localparam int unsigned BITS = $clog2(TAGS);

  // The loader refuses a program with tags beyond the memory.
  logic unused;
  assign unused = &{1'b0, write_tag, tags};

  if (TAGS < 2 || TAGS > 1 << TAG_BITS || TAGS != 1 << BITS) begin : gen_bad_tags
    $fatal(1, "%m: TAGS %0d is not a power of two from 2 to 16384", TAGS);
  end

  for (genvar lane = 0; lane < 4; lane++) begin : gen_lane
    fast_memory #(
        .DEPTH(TAGS),
        .BITS (5)
    ) memory (
        .clk          (clk),
        .write        (write),
        .write_address(write_tag[BITS-1:0]),
        .write_data   (write_role),
        .address      (tags[lane][BITS-1:0]),
        .data         (roles[lane])
    );
  end

endmodule
