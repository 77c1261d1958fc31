// What an entry says but for whose it is. The answers are combinational, and include this cycle's
// records.
module entry_values
  import feed_pkg::*;
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    localparam int unsigned LANES = 4
) (
    input logic clk,
    input logic rst,

    // This cycle's records, at most one of each role.
    input cell_t  [LANES-1:0]                  lane,
    input logic   [LANES-1:0][            9:1] role,
    // From each record's exponent to each instrument's, and to 0.
    input shift_t [LANES-1:0][INSTRUMENTS-1:0] price_shift,
    input shift_t [LANES-1:0]                  quantity_shift,

    input logic in_entry,
    input logic ends_entry,
    input logic ends_message,

    output entry_values_t                   values,
    output shift_t        [INSTRUMENTS-1:0] shift
);

  localparam entry_values_t EMPTY = '{action_ok: 1'b1, default: '0};

  entry_values_t values_q;
  shift_t [INSTRUMENTS-1:0] shift_q;
  logic id_pending_q, id_pending;
  logic [9:1] has;

  // Of the record with this role.
  logic [1:0] action, kind;
  logic [63:0] number, price, quantity;
  logic [31:0] rpt_seq, digits;
  logic id_is_text, id_more, id_digits_ok, id_is_number, id_eight;
  logic kind_ok, kind_z;

  always_comb begin
    has = '0;
    {action, kind, number, price, quantity, rpt_seq, digits} = '0;
    {id_is_text, id_more, id_digits_ok, id_is_number, id_eight, kind_ok, kind_z} = '0;
    values = values_q;
    shift = shift_q;
    id_pending = id_pending_q;
    for (int l = 0; l < LANES; l++) begin
      has |= role[l];
      if (role[l][ROLE_RPT_SEQ]) rpt_seq |= lane[l].value[31:0];
      if (role[l][ROLE_ACTION]) action |= lane[l].choice;
      if (role[l][ROLE_ENTRY_TYPE]) begin
        kind |= lane[l].choice;
        kind_ok |= lane[l].choice_ok;
        kind_z |= lane[l].is_z;
      end
      if (role[l][ROLE_ENTRY_ID]) begin
        number |= lane[l].value;
        digits |= lane[l].digits;
        id_is_text |= lane[l].is_text;
        id_is_number |= lane[l].is_number;
        id_more |= lane[l].is_text && lane[l].more;
        id_digits_ok |= lane[l].digits_ok;
        id_eight |= lane[l].bytes == 4'd8;
      end
      if (role[l][ROLE_PRICE]) price |= lane[l].value;
      if (role[l][ROLE_QUANTITY]) quantity |= lane[l].value;
    end

    if (in_entry) begin
      if (has[ROLE_RPT_SEQ]) values.rpt_seq = rpt_seq;
      if (has[ROLE_ACTION]) values.action = action;
      if (has[ROLE_ENTRY_TYPE]) begin
        values.is_order = kind_ok && !kind[1];
        values.is_trade = kind_ok && kind[1];
        values.side = kind[0];
      end
      if (has[ROLE_ENTRY_ID]) begin
        values.id = !id_is_text ? number : {id_pending_q ? values_q.id[31:0] : 32'b0, digits};
        id_pending = id_more;
        values.wrong_id = values_q.wrong_id || (id_is_text
            ? !id_digits_ok || (id_pending_q && (id_more || !id_eight)) : !id_is_number);
      end
      if (has[ROLE_PRICE]) begin
        values.has_price = 1'b1;
        values.price = price;
      end
      if (has[ROLE_QUANTITY]) begin
        values.has_quantity = 1'b1;
        values.quantity = quantity;
        values.quantity_shift = '0;
      end
      for (int i = 0; i < INSTRUMENTS; i++) if (has[ROLE_PRICE]) shift[i] = '0;
      for (int l = 0; l < LANES; l++) begin
        if (role[l][ROLE_RPT_SEQ] && !(lane[l].is_number && lane[l].fits32)) begin
          values.wrong_counter = 1'b1;
        end
        if (role[l][ROLE_ACTION]) values.action_ok = lane[l].choice_ok && !lane[l].is_z;
        if (role[l][ROLE_PRICE]) begin
          if (!lane[l].is_price) values.wrong_price = 1'b1;
          for (int i = 0; i < INSTRUMENTS; i++) shift[i] |= price_shift[l][i];
        end
        if (role[l][ROLE_QUANTITY]) begin
          if (!lane[l].is_amount) values.wrong_quantity = 1'b1;
          values.quantity_shift |= quantity_shift[l];
        end
      end
    end
  end

  always_ff @(posedge clk) begin
    values_q <= values;
    shift_q <= shift;
    id_pending_q <= id_pending;
    if (rst || ends_entry || ends_message) begin
      values_q <= EMPTY;
      shift_q <= '0;
      id_pending_q <= 1'b0;
    end
  end

endmodule
