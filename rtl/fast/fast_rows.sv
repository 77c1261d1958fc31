// The instruction memory: two ports to read, each of two cycles (address, output register).
module fast_rows #(
    parameter int unsigned ROWS = 512  // at most 4096
) (
    input logic clk,

    input logic                                    write,
    input logic           [fast_pkg::ROW_BITS-1:0] write_index,
    input fast_pkg::row_t                          write_row,

    input  logic           [fast_pkg::ROW_BITS-1:0] a_address,
    output fast_pkg::row_t                          a_row,
    input  logic           [fast_pkg::ROW_BITS-1:0] b_address,
    output fast_pkg::row_t                          b_row
);
  import fast_pkg::*;

  localparam int unsigned BITS = $clog2(ROWS);

  if (ROWS < 2 || ROWS > 1 << ROW_BITS || ROWS != 1 << BITS) begin : gen_bad_rows
    $fatal(1, "%m: ROWS %0d is not a power of two from 2 to 4096", ROWS);
  end

  // Rows beyond the memory do not exist: the loader refuses them.
  logic unused;
  assign unused = &{1'b0, write_index, a_address, b_address};

  fast_memory #(
      .DEPTH(ROWS),
      .BITS (ROW_WIDTH)
  ) port_a (
      .clk          (clk),
      .write        (write),
      .write_address(write_index[BITS-1:0]),
      .write_data   (write_row),
      .address      (a_address[BITS-1:0]),
      .data         (a_row)
  );

  fast_memory #(
      .DEPTH(ROWS),
      .BITS (ROW_WIDTH)
  ) port_b (
      .clk          (clk),
      .write        (write),
      .write_address(write_index[BITS-1:0]),
      .write_data   (write_row),
      .address      (b_address[BITS-1:0]),
      .data         (b_row)
  );

endmodule
