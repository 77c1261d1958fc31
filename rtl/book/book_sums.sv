// Running sums by price: quantity and number of everything that was ever added at an offset.
//
// A level's quantity is the difference of two of these, one for what came and one for what went, so
// that each has one update a cycle even when a command moves an order from one price to another.
// Sums wrap around; the differences are exact since a level's quantity and count fit their widths.
//   s4  address     s5  the sum arrives     s6  addition     s7  written
// An update finds the sums of the two before it in s6 and s7.
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
    input  logic                   s4_valid,
    input  logic [OFFSET_BITS-1:0] s4_offset,
    input  logic [ ORDER_BITS-1:0] s4_quantity,
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

  logic s5_valid_q, s6_valid_q, s7_valid_q;
  logic [OFFSET_BITS-1:0] s5_offset_q, s6_offset_q, s7_offset_q;
  logic [ORDER_BITS-1:0] s5_quantity_q, s6_quantity_q;
  sum_t s5_read, s6_sum_q, s6_next, s7_sum_q, s8_sum_q;
  logic s5_from_s7_q, s5_from_s8_q;

  book_table #(
      .INDEX_BITS(OFFSET_BITS),
      .BITS($bits(sum_t))
  ) u_table (
      .clk,
      .write      (wipe || s7_valid_q),
      .write_index(wipe ? wipe_offset : s7_offset_q),
      .write_data (wipe ? '0 : s7_sum_q),
      .read_index (s4_valid ? s4_offset : read_offset),
      .read_data  (s5_read)
  );

  assign s6_next.quantity = s6_sum_q.quantity + SUM_BITS'(s6_quantity_q);
  assign s6_next.count = s6_sum_q.count + 1'b1;

  always_ff @(posedge clk) begin
    s5_valid_q <= s4_valid;
    s5_offset_q <= s4_offset;
    s5_quantity_q <= s4_quantity;
    // Written in the cycle of the read, or one later: the update is in s7, or s6, now.
    s5_from_s7_q <= s6_valid_q && s6_offset_q == s4_offset;
    s5_from_s8_q <= s7_valid_q && s7_offset_q == s4_offset;

    s6_valid_q <= s5_valid_q;
    s6_offset_q <= s5_offset_q;
    s6_quantity_q <= s5_quantity_q;
    s6_sum_q <= s5_read;
    if (s5_from_s8_q) s6_sum_q <= s8_sum_q;
    if (s5_from_s7_q) s6_sum_q <= s7_sum_q;
    if (s6_valid_q && s6_offset_q == s5_offset_q) s6_sum_q <= s6_next;

    s7_valid_q <= s6_valid_q;
    s7_offset_q <= s6_offset_q;
    s7_sum_q <= s6_next;
    s8_sum_q <= s7_sum_q;

    if (rst || wipe) begin
      s5_valid_q <= 1'b0;
      s6_valid_q <= 1'b0;
      s7_valid_q <= 1'b0;
    end
  end

  assign read_quantity = s6_sum_q.quantity;
  assign read_count = s6_sum_q.count;
  assign busy = s4_valid || s5_valid_q || s6_valid_q || s7_valid_q;
endmodule
