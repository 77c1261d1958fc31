// Running sums by price: quantity and number of everything that was ever added at an offset.
//
// A level's quantity is the difference of two of these, one for what came and one for what went, so
// that each has one update a cycle even when a command moves an order from one price to another.
// Sums wrap around; the differences are exact since a level's quantity and count fit their widths.
//   s3  address     s4  the sum arrives     s5  addition     s6  written
// An update finds the sums of the two before it in s5 and s6.
module book_sums #(
    parameter int unsigned OFFSET_BITS = 12,
    parameter int unsigned ORDER_BITS = 32,
    parameter int unsigned SUM_BITS = 44,
    parameter int unsigned COUNT_BITS = 13
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   wipe,
    input  logic [OFFSET_BITS-1:0] wipe_offset,
    input  logic                   s3_valid,
    input  logic [OFFSET_BITS-1:0] s3_offset,
    input  logic [ ORDER_BITS-1:0] s3_quantity,
    // Reads when no update is on its way (`busy` low); the sum is there two cycles later.
    input  logic [OFFSET_BITS-1:0] read_offset,
    output logic [   SUM_BITS-1:0] read_quantity,
    output logic [ COUNT_BITS-1:0] read_count,
    output logic                   busy
);
  typedef struct packed {
    logic [SUM_BITS-1:0]   quantity;
    logic [COUNT_BITS-1:0] count;
  } sum_t;

  logic s4_valid_q, s5_valid_q, s6_valid_q;
  logic [OFFSET_BITS-1:0] s4_offset_q, s5_offset_q, s6_offset_q;
  logic [ORDER_BITS-1:0] s4_quantity_q, s5_quantity_q;
  sum_t s4_read, s5_sum_q, s5_next, s6_sum_q, s7_sum_q;
  logic s4_from_s6_q, s4_from_s7_q;

  book_table #(
      .INDEX_BITS(OFFSET_BITS),
      .BITS($bits(sum_t))
  ) u_table (
      .clk,
      .write      (wipe || s6_valid_q),
      .write_index(wipe ? wipe_offset : s6_offset_q),
      .write_data (wipe ? '0 : s6_sum_q),
      .read_index (s3_valid ? s3_offset : read_offset),
      .read_data  (s4_read)
  );

  assign s5_next.quantity = s5_sum_q.quantity + SUM_BITS'(s5_quantity_q);
  assign s5_next.count = s5_sum_q.count + 1'b1;

  always_ff @(posedge clk) begin
    s4_valid_q <= s3_valid;
    s4_offset_q <= s3_offset;
    s4_quantity_q <= s3_quantity;
    // Written in the cycle of the read, or one later: the update is in s6, or s5, now.
    s4_from_s6_q <= s5_valid_q && s5_offset_q == s3_offset;
    s4_from_s7_q <= s6_valid_q && s6_offset_q == s3_offset;

    s5_valid_q <= s4_valid_q;
    s5_offset_q <= s4_offset_q;
    s5_quantity_q <= s4_quantity_q;
    s5_sum_q <= s4_read;
    if (s4_from_s7_q) s5_sum_q <= s7_sum_q;
    if (s4_from_s6_q) s5_sum_q <= s6_sum_q;
    if (s5_valid_q && s5_offset_q == s4_offset_q) s5_sum_q <= s5_next;

    s6_valid_q <= s5_valid_q;
    s6_offset_q <= s5_offset_q;
    s6_sum_q <= s5_next;
    s7_sum_q <= s6_sum_q;

    if (rst || wipe) begin
      s4_valid_q <= 1'b0;
      s5_valid_q <= 1'b0;
      s6_valid_q <= 1'b0;
    end
  end

  assign read_quantity = s5_sum_q.quantity;
  assign read_count = s5_sum_q.count;
  assign busy = s3_valid || s4_valid_q || s5_valid_q || s6_valid_q;
endmodule
