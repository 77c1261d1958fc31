// What an entry says but for whose it is. The answers are combinational, include this cycle's
// records, and count only within an entry.
module entry_values
  import feed_pkg::*;
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    localparam int unsigned LANES = 4
) (
    input logic clk,
    input logic rst,

    // This cycle's records, at most one of each role; what they say together, and each by itself.
    input said_values_t                              now,
    input cell_t        [LANES-1:0]                  lane,
    input logic         [LANES-1:0][            9:1] role,
    // From each price's exponent to each instrument's, and from each quantity's to 0 (record_match).
    input logic         [LANES-1:0]                  price_scalable,
    input logic         [LANES-1:0]                  quantity_scalable,
    input shift_t       [LANES-1:0][INSTRUMENTS-1:0] price_shift,
    input shift_t       [LANES-1:0]                  quantity_shift,

    input logic outside,      // not in an entry: nothing is kept
    input logic ends_entry,
    input logic ends_message,

    output entry_values_t                   values,
    output shift_t        [INSTRUMENTS-1:0] shift
);

  localparam entry_values_t EMPTY = '{action_ok: 1'b1, default: '0};

  entry_values_t values_q;
  shift_t [INSTRUMENTS-1:0] shift_q;
  logic id_pending_q, id_pending;

  // Of the record with this role.
  logic [63:0] number, price, quantity;
  logic [31:0] rpt_seq, digits;
  logic id_not_digits;
  shift_t [INSTRUMENTS-1:0] new_shift;
  shift_t new_quantity_shift;

  always_comb begin
    {number, price, quantity, rpt_seq, digits, id_not_digits} = '0;
    new_shift = '0;
    new_quantity_shift = '0;
    for (int l = 0; l < LANES; l++) begin
      if (role[l][ROLE_RPT_SEQ]) rpt_seq |= lane[l].value[31:0];
      if (role[l][ROLE_ENTRY_ID]) begin
        number |= lane[l].value;
        digits |= lane[l].digits;
        id_not_digits |= lane[l].not_digits;
      end
      if (role[l][ROLE_PRICE]) price |= lane[l].value;
      if (role[l][ROLE_QUANTITY]) quantity |= lane[l].value;
      if (price_scalable[l]) new_shift |= price_shift[l];
      if (quantity_scalable[l]) new_quantity_shift |= quantity_shift[l];
    end
  end

  always_comb begin
    values = values_q;
    shift = shift_q;
    id_pending = id_pending_q;
    values.wrong_counter = values_q.wrong_counter || now.wrong_counter;
    values.wrong_price = values_q.wrong_price || now.wrong_price;
    values.wrong_quantity = values_q.wrong_quantity || now.wrong_quantity;
    values.wrong_id = values_q.wrong_id || now.id_wrong_kind || id_not_digits
        || (now.id_is_text && now.id_no_rest && id_pending_q);
    if (now.has[ROLE_RPT_SEQ]) values.rpt_seq = rpt_seq;
    if (now.has[ROLE_ACTION]) begin
      values.action = now.action;
      values.action_ok = now.action_ok;
    end
    if (now.has[ROLE_ENTRY_TYPE]) begin
      values.is_order = now.is_order;
      values.is_trade = now.is_trade;
      values.side = now.side;
    end
    if (now.has[ROLE_ENTRY_ID]) begin
      values.id = !now.id_is_text ? number : {id_pending_q ? values_q.id[31:0] : 32'b0, digits};
      id_pending = now.id_more;
    end
    if (now.has[ROLE_PRICE]) begin
      values.has_price = 1'b1;
      values.price = price;
      shift = new_shift;
    end
    if (now.has[ROLE_QUANTITY]) begin
      values.has_quantity = 1'b1;
      values.quantity = quantity;
      values.quantity_shift = new_quantity_shift;
    end
  end

  always_ff @(posedge clk) begin
    if (!outside) begin
      values_q <= values;
      shift_q <= shift;
      id_pending_q <= id_pending;
    end
    if (rst || ends_entry || ends_message) begin
      values_q <= EMPTY;
      shift_q <= '0;
      id_pending_q <= 1'b0;
    end
  end

endmodule
