// What one record says of the watched instruments: whether it names them, and how far its price is from
// their exponents. Combinational. Whether it has the role, whether its text is whole, whether a value has
// more than the 32 bits compared, and whether a price or quantity is not zero, is asked elsewhere: much
// would wait for it here.
module record_match
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4
) (
    input logic [63:0] value,
    input logic [ 7:0] info,
    input logic [ 3:0] bytes,  // of a text

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
    // The record's exponent, 0 of a number that has none, against those of the instruments.
    output logic [INSTRUMENTS-1:0] price_scales,  // one to ten digits above
    output logic [INSTRUMENTS-1:0] price_beyond,  // below, or more than ten above
    output logic quantity_scales,  // the same against 0
    output logic quantity_beyond
);

  always_comb begin
    for (int i = 0; i < INSTRUMENTS; i++) begin
      id_hit[i] = reach[i].by_id && value == security_id[i];
      symbol_hit[i] = reach[i].by_symbol && value == symbol[i];
      first_hit[i] = value[31:0] == symbol_high[i]
          && {1'b1, bytes[2:0]} == control[i].symbol_length && !bytes[3];
      length_hit[i] = bytes == control[i].symbol_length;
      // An empty session is none.
      session_hit[i] = reach[i].has_session && value[31:0] == session[i]
          && bytes == {1'b0, control[i].session_length};
    end
  end

  // By halves of four bits: with the high half that of the instrument, or one more, the low halves say
  // by how many digits.
  always_comb begin
    for (int i = 0; i < INSTRUMENTS; i++) begin
      step_t step;
      logic  near;
      step = step_of(control[i].exponent[3:0], info[3:0]);
      near = step.upwards ? info[7:4] == control[i].exponent[7:4]
          : reach[i].can_up && info[7:4] == reach[i].sixteen_up;
      price_beyond[i] = !near || over_ten(step.digits);
      price_scales[i] = !price_beyond[i] && info[3:0] != control[i].exponent[3:0];
    end
    quantity_beyond = info[7:4] != '0 || over_ten(info[3:0]);
    quantity_scales = !quantity_beyond && info != 8'd0;
  end

endmodule
