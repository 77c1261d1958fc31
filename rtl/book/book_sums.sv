// Running sums by price: quantity and number of everything that was ever added at an offset.
//
// A level's quantity is the difference of two of these, one for what came and one for what went, so
// that each has one update a cycle even when a command moves an order from one price to another.
// Sums wrap around; the differences are exact since a level's quantity and count fit their widths.
//   a0  address     a1  the sum is read     a2  choice     a3  addition     a4  written
// An update does not see in memory what the four before it write: it takes the sum of the nearest of them
// that is at its offset.
module book_sums #(
    parameter int unsigned OFFSET_BITS = 12,
    parameter int unsigned ORDER_BITS = 32,
    parameter int unsigned SUM_BITS = 44,
    parameter int unsigned COUNT_BITS = 13
) (
    input  logic                   clk,
    input  logic                   wipe,
    input  logic [OFFSET_BITS-1:0] wipe_offset,
    // a0
    input  logic                   valid,
    input  logic [OFFSET_BITS-1:0] offset,
    input  logic [ ORDER_BITS-1:0] quantity,
    // Reads when no update is on its way (`busy` low); the sum is there three cycles later.
    input  logic [OFFSET_BITS-1:0] read_offset,
    output logic [   SUM_BITS-1:0] read_quantity,
    output logic [ COUNT_BITS-1:0] read_count,
    output logic                   busy
);
  typedef struct packed {
    logic [SUM_BITS-1:0]   quantity;
    logic [COUNT_BITS-1:0] count;
  } sum_t;

  logic a1_valid_q, a2_valid_q, a3_valid_q, a4_valid_q, a5_valid_q;
  logic [OFFSET_BITS-1:0] a1_offset_q, a2_offset_q, a3_offset_q, a4_offset_q, a5_offset_q;
  logic [ORDER_BITS-1:0] a1_quantity_q, a2_quantity_q, a3_quantity_q;
  sum_t a1_read, a2_read_q, a3_sum_q, a3_next, a4_sum_q, a5_sum_q;
  // The sum of the third or fourth update ahead.
  sum_t a2_other_q;
  logic a2_from_a3_q, a2_from_a4_q, a2_from_other_q;

  book_table #(
      .INDEX_BITS(OFFSET_BITS),
      .BITS($bits(sum_t))
  ) u_table (
      .clk,
      .write      (wipe || a4_valid_q),
      .write_index(wipe ? wipe_offset : a4_offset_q),
      .write_data (wipe ? '0 : a4_sum_q),
      .read_index (valid ? offset : read_offset),
      .read_data  (a1_read)
  );

  assign a3_next.quantity = a3_sum_q.quantity + SUM_BITS'(a3_quantity_q);
  assign a3_next.count = a3_sum_q.count + 1'b1;

  always_ff @(posedge clk) begin
    a1_valid_q <= valid;
    a1_offset_q <= offset;
    a1_quantity_q <= quantity;

    a2_valid_q <= a1_valid_q;
    a2_offset_q <= a1_offset_q;
    a2_quantity_q <= a1_quantity_q;
    a2_read_q <= a1_read;
    // The one ahead is in a2 now, those before it in a3 to a5.
    a2_from_a3_q <= a1_valid_q && a2_valid_q && a2_offset_q == a1_offset_q;
    a2_from_a4_q <= a1_valid_q && a3_valid_q && a3_offset_q == a1_offset_q;
    a2_from_other_q <= 1'b0;
    if (a1_valid_q && a5_valid_q && a5_offset_q == a1_offset_q) a2_from_other_q <= 1'b1;
    if (a1_valid_q && a4_valid_q && a4_offset_q == a1_offset_q) a2_from_other_q <= 1'b1;
    a2_other_q <= a4_valid_q && a4_offset_q == a1_offset_q ? a4_sum_q : a5_sum_q;

    a3_valid_q <= a2_valid_q;
    a3_offset_q <= a2_offset_q;
    a3_quantity_q <= a2_quantity_q;
    a3_sum_q <= a2_from_a3_q ? a3_next
        : a2_from_a4_q ? a4_sum_q
        : a2_from_other_q ? a2_other_q : a2_read_q;

    a4_valid_q <= a3_valid_q;
    a4_offset_q <= a3_offset_q;
    a4_sum_q <= a3_next;
    a5_valid_q <= a4_valid_q;
    a5_offset_q <= a4_offset_q;
    a5_sum_q <= a4_sum_q;

    if (wipe) begin
      a1_valid_q <= 1'b0;
      a2_valid_q <= 1'b0;
      a3_valid_q <= 1'b0;
      a4_valid_q <= 1'b0;
      a5_valid_q <= 1'b0;
    end
  end

  assign read_quantity = a3_sum_q.quantity;
  assign read_count = a3_sum_q.count;
  assign busy = valid || a1_valid_q || a2_valid_q || a3_valid_q || a4_valid_q;
endmodule
