// The constants of the lanes: number in cycle c, value in c+2.
module fast_constants (
    input logic clk,

    input logic             [                     3:0] write,          // by lane
    input logic             [fast_pkg::ENTRY_BITS-1:0] write_number,
    input fast_pkg::datum_t                            write_constant,

    input  logic             [3:0][fast_pkg::ENTRY_BITS-1:0] numbers,
    output fast_pkg::datum_t [3:0]                           constants
);
  import fast_pkg::*;

  for (genvar lane = 0; lane < 4; lane++) begin : gen_lane
    fast_memory #(
        .DEPTH(1 << ENTRY_BITS),
        .BITS ($bits(datum_t))
    ) memory (
        .clk          (clk),
        .write        (write[lane]),
        .write_address(write_number),
        .write_data   (write_constant),
        .address      (numbers[lane]),
        .data         (constants[lane])
    );
  end

endmodule
