// The order book of one instrument: commands by order id in, top of book out.
//
// One command a cycle while `s_axis_tready` is high; its answer is on `m_axis` in the third cycle
// after the one that took it, always: outcome, and the top of the book with the command applied. The
// answer is combinational from registers of the book; it is for the user to register. It waits for
// nobody: there is no m_axis_tready.
//
// `s_axis_tready` is low after reset and `clear` while memory is wiped; for two cycles when an empty
// book takes its price window from the New that waits; and while a front refills that has run
// low (see book_side). README.md has the drawing, the limits and the registers.
module order_book
  import book_pkg::*;
#(
    parameter int unsigned DEPTH = 4096,  // orders on each side
    parameter int unsigned INDEX_BITS = 12,  // places in each of the six tables by id, log2
    parameter int unsigned STASH = 8,
    parameter int unsigned RANK_BITS = 12,  // prices in the window, log2
    parameter int unsigned LEVELS = 12,  // best levels of each side in registers
    localparam int unsigned SUM_BITS = ORDER_BITS + $clog2(DEPTH),
    localparam int unsigned COUNT_BITS = $clog2(DEPTH) + 1
) (
    input  logic                         clk,
    input  logic                         rst,
    // Empties the book; what is on its way is lost.
    input  logic                         clear,
    input  logic                         s_axis_tvalid,
    output logic                         s_axis_tready,
    input  op_t                          s_axis_op,
    input  logic                         s_axis_side,
    // The id of what is offered in the next cycle: what waits in this one, or else what comes. Its order
    // is looked up meanwhile.
    input  logic     [      ID_BITS-1:0] s_axis_next_id,
    input  logic     [   PRICE_BITS-1:0] s_axis_price,
    input  logic     [QUANTITY_BITS-1:0] s_axis_quantity,
    output logic                         m_axis_tvalid,
    output outcome_t                     m_axis_outcome,
    output logic                         m_axis_bid_valid,
    output logic     [   PRICE_BITS-1:0] m_axis_bid_price,
    output logic     [     SUM_BITS-1:0] m_axis_bid_quantity,
    output logic     [   COUNT_BITS-1:0] m_axis_bid_orders,
    output logic                         m_axis_ask_valid,
    output logic     [   PRICE_BITS-1:0] m_axis_ask_price,
    output logic     [     SUM_BITS-1:0] m_axis_ask_quantity,
    output logic     [   COUNT_BITS-1:0] m_axis_ask_orders,
    // An order was refused for want of room or range: the book no longer equals its feed. Until
    // `clear`.
    output logic                         inexact,
    // Registers: the value of `reg_address` one cycle later. Reading 0 freezes 1 to 6.
    input  logic                         reg_read,
    input  logic     [              3:0] reg_address,
    output logic     [             63:0] reg_data
);
  localparam int unsigned QUARTER_BITS = RANK_BITS - 2;
  localparam int unsigned HIGH_BITS = PRICE_BITS - QUARTER_BITS;
  localparam int unsigned WIPE_BITS = INDEX_BITS > RANK_BITS ? INDEX_BITS : RANK_BITS;

  initial begin
    if (DEPTH < 2) $fatal(1, "%m: DEPTH must be at least 2");
    if (RANK_BITS < 4 || RANK_BITS > 16) $fatal(1, "%m: RANK_BITS must be 4 to 16");
  end

  // ---------------------------------------------------------------- wiping and admission

  logic wiping_q;
  logic [WIPE_BITS-1:0] wipe_at_q;
  always_ff @(posedge clk) begin
    if (wiping_q) begin
      wipe_at_q <= wipe_at_q + 1'b1;
      if (&wipe_at_q) wiping_q <= 1'b0;
    end
    if (rst || clear) begin
      wiping_q  <= 1'b1;
      wipe_at_q <= '0;
    end
  end

  logic [1:0] steady;
  logic floating_q, armed_q, take, waits;
  logic adding, s3_valid;
  logic [1:0][COUNT_BITS-1:0] count;

  assign s_axis_tready = !wiping_q && (&steady)
      && (!floating_q || armed_q || s_axis_op != OP_NEW);
  assign waits = s_axis_tvalid && s_axis_op == OP_NEW;
  assign take = s_axis_tvalid && s_axis_tready;

  // The window starts at a multiple of a quarter of it. An empty book lays it around the price of
  // the next New, which takes two cycles; at the ends of the number line it lies within them. Until
  // then it follows the price at the port, whether or not something waits there, which is told late.
  logic [HIGH_BITS-1:0] base_q;
  logic [1:0] below_q;  // quarters of the window below that of the price
  logic price_in_q;
  always_ff @(posedge clk) begin
    floating_q <= count == '0 && !adding && !(take && s_axis_op == OP_NEW);
    price_in_q <= floating_q && waits && !armed_q && !price_in_q;
    if (floating_q && !armed_q) begin
      if (!price_in_q) begin
        base_q  <= s_axis_price[PRICE_BITS-1:QUARTER_BITS];
        below_q <= 2'd2;
        if (s_axis_price[PRICE_BITS-1:QUARTER_BITS+1] == {1'b1, {(HIGH_BITS - 2) {1'b0}}}) begin
          below_q <= {1'b0, s_axis_price[QUARTER_BITS]};
        end
        if (s_axis_price[PRICE_BITS-1:QUARTER_BITS] == {1'b0, {(HIGH_BITS - 1) {1'b1}}}) begin
          below_q <= 2'd3;
        end
      end else begin
        base_q  <= base_q - HIGH_BITS'(below_q);
        armed_q <= waits;
      end
    end
    if (take && s_axis_op == OP_NEW) armed_q <= 1'b0;
    if (rst || clear || wiping_q) begin
      floating_q <= 1'b1;
      armed_q <= 1'b0;
      price_in_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- s0 to s2: the price

  logic [HIGH_BITS-1:0] s1_high_q;
  logic [RANK_BITS-1:0] s1_offset, s2_offset_q;
  logic [PRICE_BITS-1:0] s1_price_q;
  logic [ HIGH_BITS-1:0] s2_price_high_q;
  logic s1_zero_q, s1_large_q, s1_out_of_range;
  assign s1_offset = {s1_high_q[1:0], s1_price_q[QUARTER_BITS-1:0]};
  // Each side has one of its own.
  (* keep *) always_ff @(posedge clk) s2_offset_q <= s1_offset;
  assign s1_out_of_range = s1_large_q || |s1_high_q[HIGH_BITS-1:2];
  always_ff @(posedge clk) begin
    s1_high_q <= s_axis_price[PRICE_BITS-1:QUARTER_BITS] - base_q;
    s1_price_q <= s_axis_price;
    s2_price_high_q <= s1_price_q[PRICE_BITS-1:QUARTER_BITS];
    s1_zero_q <= s_axis_quantity == '0;
    s1_large_q <= |s_axis_quantity[QUANTITY_BITS-1:ORDER_BITS];
  end

  // ---------------------------------------------------------------- orders

  outcome_t s3_outcome;
  logic [1:0] s3_remove, s3_add;
  logic [1:0] s2_new, s2_remove;
  logic s1_valid, s2_valid;
  logic [1:0] s2_try;
  localparam int unsigned CANDIDATES = 7;
  logic [CANDIDATES-1:0][RANK_BITS-1:0] s2_candidate_offset;
  logic [CANDIDATES-1:0] s2_meant;
  logic s2_change;
  logic [1:0][CANDIDATES-1:0] s2_candidate_here;
  logic [1:0] s2_meant_s3_here;
  logic [RANK_BITS-1:0] s2_found_offset, s3_remove_offset, s3_add_offset;
  logic [ORDER_BITS-1:0] s2_found_quantity, s2_quantity, s3_remove_quantity, s3_add_quantity;
  logic [$clog2(STASH+1)-1:0] stashed;

  book_orders #(
      .INDEX_BITS(INDEX_BITS),
      .STASH(STASH),
      .OFFSET_BITS(RANK_BITS),
      .DEPTH(DEPTH)
  ) u_orders (
      .clk,
      .rst            (rst || clear),
      .wipe           (wiping_q),
      .wipe_index     (wipe_at_q[INDEX_BITS-1:0]),
      .next_id        (s_axis_next_id),
      .s0_valid       (take),
      .s0_op          (s_axis_op),
      .s0_side        (s_axis_side),
      .s0_quantity    (s_axis_quantity[ORDER_BITS-1:0]),
      .s2_offset      (s2_offset_q),
      .s1_zero        (s1_zero_q),
      .s1_out_of_range(s1_out_of_range),
      .s1_valid,
      .s2_valid,
      .s2_try,
      .s2_change,
      .s2_candidate_offset,
      .s2_meant,
      .s2_candidate_here,
      .s2_meant_s3_here,
      .s2_found_offset,
      .s2_found_quantity,
      .s2_quantity,
      .s3_valid,
      .s3_outcome,
      .s3_remove,
      .s3_add,
      .s2_new,
      .s2_remove,
      .s3_remove_offset,
      .s3_remove_quantity,
      .s3_add_offset,
      .s3_add_quantity,
      .count,
      .stashed,
      .adding
  );

  // ---------------------------------------------------------------- levels

  logic [1:0] top_valid, refilled;
  logic [1:0][RANK_BITS-1:0] refill_rank, top_rank;
  logic [1:0][1:0] second_quarter;
  logic [1:0][HIGH_BITS-1:0] top_high;
  logic [1:0][PRICE_BITS-1:0] top_price;
  logic [1:0][SUM_BITS-1:0] top_quantity;
  logic [1:0][COUNT_BITS-1:0] top_count;

  // The window's four quarters: the high bits of a price are one of four.
  logic [3:0][HIGH_BITS-1:0] quarter_q;
  always_ff @(posedge clk) begin
    for (int q = 0; q < 4; q++) quarter_q[q] <= base_q + HIGH_BITS'(q);
  end

  function automatic logic [HIGH_BITS-1:0] high_of(input logic [1:0] quarter,
                                                   input logic [3:0][HIGH_BITS-1:0] quarters);
    return quarters[quarter];
  endfunction

  // A rank grows with how good a price is: the offset for bids, its complement for asks.
  for (genvar side = 0; side < 2; side++) begin : g_side
    localparam logic [RANK_BITS-1:0] FLIP = side == 0 ? '0 : '1;
    logic [RANK_BITS-1:0] s2_rank_q;
    (* keep *) always_ff @(posedge clk) s2_rank_q <= s1_offset ^ FLIP;

    book_side #(
        .LEVELS(LEVELS),
        .CANDIDATES(CANDIDATES),
        .RANK_BITS(RANK_BITS),
        .HIGH_BITS(HIGH_BITS),
        .SUM_BITS(SUM_BITS),
        .COUNT_BITS(COUNT_BITS)
    ) u_side (
        .clk,
        .rst              (rst || clear),
        .wipe             (wiping_q),
        .wipe_rank        (wipe_at_q[RANK_BITS-1:0]),
        .s1_valid,
        .s2_valid,
        .s2_try           (s2_try[side]),
        .s2_rank          (s2_rank_q),
        .s2_high          (s2_price_high_q),
        .s2_candidate_rank(s2_candidate_offset ^ {CANDIDATES{FLIP}}),
        .s2_meant,
        .s2_candidate_here(s2_candidate_here[side]),
        .s2_meant_s3      (s2_meant_s3_here[side]),
        .s2_change,
        .s2_found_rank    (s2_found_offset ^ FLIP),
        .s2_found_quantity,
        .s2_quantity,
        .s2_new           (s2_new[side]),
        .s2_remove        (s2_remove[side]),
        .remove           (s3_remove[side]),
        .remove_rank      (s3_remove_offset ^ FLIP),
        .remove_quantity  (s3_remove_quantity),
        .add              (s3_add[side]),
        .add_rank         (s3_add_offset ^ FLIP),
        .add_quantity     (s3_add_quantity),
        .top_valid        (top_valid[side]),
        .top_rank         (top_rank[side]),
        .top_high         (top_high[side]),
        .top_quantity     (top_quantity[side]),
        .top_count        (top_count[side]),
        .refill_rank      (refill_rank[side]),
        .refill_high      (high_of(refill_rank[side][RANK_BITS-1-:2] ^ FLIP[1:0], quarter_q)),
        .second_quarter   (second_quarter[side]),
        .second_high      (high_of(second_quarter[side] ^ FLIP[1:0], quarter_q)),
        .steady           (steady[side]),
        .refilled         (refilled[side])
    );
    assign top_price[side] = {
      top_high[side], top_rank[side][QUARTER_BITS-1:0] ^ FLIP[QUARTER_BITS-1:0]
    };
  end

  assign m_axis_tvalid = s3_valid;
  assign m_axis_outcome = s3_outcome;
  assign m_axis_bid_valid = top_valid[BUY];
  assign m_axis_bid_price = top_price[BUY];
  assign m_axis_bid_quantity = top_quantity[BUY];
  assign m_axis_bid_orders = top_count[BUY];
  assign m_axis_ask_valid = top_valid[SELL];
  assign m_axis_ask_price = top_price[SELL];
  assign m_axis_ask_quantity = top_quantity[SELL];
  assign m_axis_ask_orders = top_count[SELL];

  // ---------------------------------------------------------------- counters and registers

  typedef struct packed {
    logic                  valid;
    logic [PRICE_BITS-1:0] price;
    logic [SUM_BITS-1:0]   quantity;
    logic [COUNT_BITS-1:0] orders;
  } quote_t;

  quote_t [1:0] top_q, frozen_q;
  logic s4_valid_q;
  logic [7:0] s4_is_q;  // by outcome
  logic [1:0] refilled_q;
  logic [31:0] commands_q, stalls_q, refills_q;
  logic [7:0][31:0] outcomes_q;
  logic stall_q, inexact_q;

  always_ff @(posedge clk) begin
    s4_valid_q <= s3_valid;
    for (int o = 0; o < 8; o++) s4_is_q[o] <= s3_valid && s3_outcome == outcome_t'(o);
    refilled_q <= refilled;
    stall_q <= s_axis_tvalid && !s_axis_tready && !wiping_q;
    top_q[BUY] <= '{
        valid: m_axis_bid_valid,
        price: m_axis_bid_price,
        quantity: m_axis_bid_quantity,
        orders: m_axis_bid_orders
    };
    top_q[SELL] <= '{
        valid: m_axis_ask_valid,
        price: m_axis_ask_price,
        quantity: m_axis_ask_quantity,
        orders: m_axis_ask_orders
    };
    if (reg_read && reg_address == '0) frozen_q <= top_q;

    if (s4_valid_q) commands_q <= commands_q + 1'b1;
    if (s4_is_q[FULL] || s4_is_q[OUT_OF_RANGE]) inexact_q <= 1'b1;
    for (int o = 0; o < 8; o++) if (s4_is_q[o]) outcomes_q[o] <= outcomes_q[o] + 1'b1;
    if (stall_q) stalls_q <= stalls_q + 1'b1;
    refills_q <= refills_q + 32'(refilled_q[0]) + 32'(refilled_q[1]);
    if (rst) begin
      commands_q <= '0;
      stalls_q   <= '0;
      refills_q  <= '0;
      outcomes_q <= '0;
    end
    if (rst || clear) begin
      s4_valid_q <= 1'b0;
      s4_is_q <= '0;
      inexact_q <= 1'b0;
      refilled_q <= '0;
      stall_q <= 1'b0;
    end
  end
  assign inexact = inexact_q;

  logic [63:0] reg_data_q;
  always_ff @(posedge clk) begin
    unique case (reg_address)
      4'd0:
      reg_data_q <= 64'({
        8'(stashed), 4'b0, top_q[SELL].valid, top_q[BUY].valid, inexact_q, wiping_q
      });
      4'd1: reg_data_q <= frozen_q[BUY].price;
      4'd2: reg_data_q <= 64'(frozen_q[BUY].quantity);
      4'd3: reg_data_q <= 64'(frozen_q[BUY].orders);
      4'd4: reg_data_q <= frozen_q[SELL].price;
      4'd5: reg_data_q <= 64'(frozen_q[SELL].quantity);
      4'd6: reg_data_q <= 64'(frozen_q[SELL].orders);
      4'd7: reg_data_q <= {32'(count[SELL]), 32'(count[BUY])};
      4'd8: reg_data_q <= 64'(commands_q);
      4'd14: reg_data_q <= 64'(stalls_q);
      4'd15: reg_data_q <= 64'(refills_q);
      // 9 to 13: the outcomes ZERO to OUT_OF_RANGE.
      default: reg_data_q <= 64'(outcomes_q[3'(reg_address-4'd8)]);
    endcase
  end
  assign reg_data = reg_data_q;
endmodule
