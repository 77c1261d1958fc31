// What one record says of the watched instruments: whether it names them, and how far its price is from
// their exponents. Combinational. Each `hit` is zero unless the record has the role; a shift counts only
// with its `scalable`: that a value is not zero is known late, and much hangs on a shift.
module record_match
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4
) (
    input logic [63:0] value,
    input logic [ 3:0] kind,
    input logic [ 7:0] info,
    input logic        more,        // of a text: it goes on
    input logic [ 3:0] bytes,       // of a text
    input logic        zero,
    input logic        is_id,
    input logic        is_symbol,
    input logic        is_session,
    input logic        is_price,
    input logic        is_quantity,

    // Watched instruments; `reach` follows from them (watch_pkg).
    input watch_control_t [INSTRUMENTS-1:0]       control,
    input watch_reach_t   [INSTRUMENTS-1:0]       reach,
    input logic           [INSTRUMENTS-1:0][63:0] security_id,
    input logic           [INSTRUMENTS-1:0][63:0] symbol,
    input logic           [INSTRUMENTS-1:0][31:0] symbol_high,
    input logic           [INSTRUMENTS-1:0][31:0] session,

    output logic [INSTRUMENTS-1:0] id_hit,
    output logic [INSTRUMENTS-1:0] symbol_hit,  // the symbol's last eight bytes, or all of them
    output logic [INSTRUMENTS-1:0] first_hit,  // those before them
    output logic [INSTRUMENTS-1:0] length_hit,  // it is as long as the whole symbol
    output logic [INSTRUMENTS-1:0] session_hit,
    output logic price_scalable,  // a price that is not zero
    output shift_t [INSTRUMENTS-1:0] price_shift,
    output logic quantity_scalable,  // a quantity that is not zero, and a decimal
    output shift_t quantity_shift
);

  logic whole, decimal;
  always_comb begin
    whole   = !more;
    decimal = kind == fast_pkg::RECORD_DECIMAL;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      id_hit[i] = is_id && reach[i].by_id && value == security_id[i];
      symbol_hit[i] = is_symbol && reach[i].by_symbol && whole && value == symbol[i];
      first_hit[i] = is_symbol && value == {32'b0, symbol_high[i]}
          && {1'b1, bytes[2:0]} == control[i].symbol_length && !bytes[3];
      length_hit[i] = is_symbol && bytes == control[i].symbol_length;
      session_hit[i] = is_session && whole && value == {32'b0, session[i]}
          && bytes == {1'b0, control[i].session_length};
    end
  end

  // Both limits compared with what the record says, whatever its kind: no exponent is chosen first.
  always_comb begin
    for (int i = 0; i < INSTRUMENTS; i++) begin
      logic below, above;
      logic [3:0] digits;
      below = $signed(info) < control[i].exponent;
      above = reach[i].highest < 9'($signed(info));
      digits = info[3:0] - control[i].exponent[3:0];
      price_shift[i] = reach[i].whole_shift;
      if (decimal) begin
        price_shift[i] = '{
            wrong: below || above,
            inexact: below,
            over: above,
            digits: below || above ? '0 : digits
        };
      end
    end
    price_scalable = is_price && !zero;
    quantity_scalable = is_quantity && decimal && !zero;
    quantity_shift = shift_of(info, '0);
  end

endmodule
