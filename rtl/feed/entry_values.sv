// What an entry says but for whose it is. The answers are combinational, include this cycle's
// records, and count only within an entry. What a message says counts only if it is one: else it is
// cleared where its sequence of entries begins.
module entry_values
  import feed_pkg::*;
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    localparam int unsigned LANES = 4
) (
    input logic clk,

    // This cycle's records, at most one of each role; what they say together, and each by itself.
    input said_values_t                                   now,
    // The opposite of `now.has`, for what is wide.
    input logic                                           keeps_price,
    input logic                                           keeps_quantity,
    input logic                                           keeps_id,
    input logic         [LANES-1:0][           63:0]      value,
    input logic         [LANES-1:0][           31:0]      low,
    input logic         [LANES-1:0][            7:0]      info,
    input logic         [LANES-1:0]                       is_counter,
    input logic         [LANES-1:0]                       is_id,
    input logic         [LANES-1:0]                       is_number_id,
    input logic         [LANES-1:0]                       is_price,
    input logic         [LANES-1:0]                       is_decimal_price,
    input logic         [LANES-1:0]                       is_some_price,     // not 0
    input logic         [LANES-1:0]                       is_quantity,
    // From each price's exponent to each instrument's, and from each quantity's to 0 (record_match):
    // of any record, and of a quantity that is not 0.
    input logic         [LANES-1:0][INSTRUMENTS-1:0]      price_scales,
    input logic         [LANES-1:0][INSTRUMENTS-1:0]      price_beyond,
    input logic         [LANES-1:0][INSTRUMENTS-1:0][3:0] price_digits,
    input logic         [LANES-1:0]                       quantity_scales,
    input logic         [LANES-1:0]                       quantity_beyond,

    input logic outside,     // in a sequence inside it: nothing is kept
    input logic ends_entry,
    input logic clear,       // the message ends, or its entries begin

    output entry_values_t                        values,
    output logic                                 wrong,   // any of what is wrong
    output logic          [INSTRUMENTS-1:0]      scales,
    output logic          [INSTRUMENTS-1:0]      beyond,
    output logic          [INSTRUMENTS-1:0][3:0] digits   // that it scales by
);

  localparam entry_values_t EMPTY = '{action_ok: 1'b1, default: '0};

  entry_values_t values_q;
  logic [INSTRUMENTS-1:0] scales_q, beyond_q;
  logic [INSTRUMENTS-1:0][3:0] digits_q;
  logic id_pending, wrong_q;
  // For what is wrong, and for what is wide.
  (* keep *) logic id_pending_q, id_goes_on_q;

  // A value that a record of this cycle has takes the place of the one before; of the lanes at most one
  // has it.
  always_comb begin
    logic rest;
    values = values_q;
    rest = now.id_is_text && id_goes_on_q;
    values.wrong_counter = values_q.wrong_counter || now.wrong_counter;
    values.wrong_price = values_q.wrong_price || now.wrong_price;
    values.wrong_quantity = values_q.wrong_quantity || now.wrong_quantity;
    values.wrong_id = values_q.wrong_id || now.wrong_name || now.id_not_digits != '0
        || (now.id_no_rest && id_pending_q);
    wrong = wrong_q || now.wrong_counter || now.wrong_price || now.wrong_quantity || now.wrong_name
        || now.id_not_digits != '0 || (now.id_no_rest && id_pending_q);
    id_pending = now.has[ROLE_ENTRY_ID] ? now.id_more : id_pending_q;

    values.action = now.action | (values_q.action & {2{!now.has[ROLE_ACTION]}});
    values.is_delete = now.is_delete || (values_q.is_delete && !now.has[ROLE_ACTION]);
    values.action_ok = now.action_ok != '0 || (values_q.action_ok && !now.has[ROLE_ACTION]);
    values.is_told = now.is_told != '0 || (values_q.is_told && !now.has[ROLE_ENTRY_TYPE]);
    values.trade = now.trade || (values_q.trade && !now.has[ROLE_ENTRY_TYPE]);
    values.side = now.side || (values_q.side && !now.has[ROLE_ENTRY_TYPE]);
    values.has_price = now.has[ROLE_PRICE] || values_q.has_price;
    values.has_quantity = now.has[ROLE_QUANTITY] || values_q.has_quantity;

    if (now.has[ROLE_RPT_SEQ]) values.rpt_seq = '0;
    if (!keeps_id) begin
      values.id = '0;
      if (rest) values.id[63:32] = values_q.id[31:0];
    end
    scales = scales_q;
    beyond = beyond_q;
    digits = digits_q;
    if (!keeps_price) values.price = '0;
    if (!keeps_quantity) values.quantity = '0;
    if (now.has[ROLE_PRICE]) begin
      values.price_exponent = '0;
      values.price_some = 1'b0;
      scales = '0;
      beyond = '0;
      digits = '0;
    end
    if (now.has[ROLE_QUANTITY]) begin
      values.quantity_digits = '0;
      values.quantity_scales = 1'b0;
      values.quantity_beyond = 1'b0;
    end
    for (int l = 0; l < LANES; l++) begin
      if (is_counter[l]) values.rpt_seq |= value[l][31:0];
      if (is_id[l]) values.id[31:0] |= low[l];
      if (is_number_id[l]) values.id[63:32] |= value[l][63:32];
      if (is_price[l]) values.price |= value[l];
      if (is_decimal_price[l]) values.price_exponent |= info[l];
      if (is_some_price[l]) begin
        values.price_some = 1'b1;
        scales |= price_scales[l];
        beyond |= price_beyond[l];
        digits |= price_digits[l];
      end
      if (is_quantity[l]) begin
        values.quantity |= value[l];
        values.quantity_digits |= info[l][3:0];
      end
      values.quantity_scales |= quantity_scales[l];
      values.quantity_beyond |= quantity_beyond[l];
    end
  end

  always_ff @(posedge clk) begin
    if (!outside) begin
      values_q <= values;
      wrong_q <= wrong;
      scales_q <= scales;
      beyond_q <= beyond;
      digits_q <= digits;
    end
    if (ends_entry || clear) begin
      values_q <= EMPTY;
      wrong_q <= 1'b0;
      scales_q <= '0;
      beyond_q <= '0;
    end
  end

  (* keep *)
  always_ff @(posedge clk) begin
    if (!outside) begin
      id_pending_q <= id_pending;
      id_goes_on_q <= id_pending;
    end
    if (ends_entry || clear) begin
      id_pending_q <= 1'b0;
      id_goes_on_q <= 1'b0;
    end
  end

endmodule
