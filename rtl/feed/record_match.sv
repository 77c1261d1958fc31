// Which of the watched instruments one record names. Combinational. Whether a value has more than the
// 32 bits compared is asked elsewhere: much would wait for it here.
//
// Mapped by itself: it is as short as it can be, whatever is longer elsewhere.
(* keep_hierarchy *)
module record_match
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4
) (
    input logic        valid,
    input logic [ 4:0] role,
    input logic [ 3:0] kind,
    input logic [ 3:0] bytes,  // of a text
    input logic        more,   // it goes on
    input logic [63:0] value,

    // Watched instruments; `reach` follows from them (watch_pkg).
    input watch_control_t [INSTRUMENTS-1:0]       control,
    input watch_reach_t   [INSTRUMENTS-1:0]       reach,
    input logic           [INSTRUMENTS-1:0][63:0] security_id,
    input logic           [INSTRUMENTS-1:0][63:0] symbol,
    input logic           [INSTRUMENTS-1:0][31:0] symbol_high,
    input logic           [INSTRUMENTS-1:0][31:0] session,

    output logic [INSTRUMENTS-1:0] id_hit,
    output logic [INSTRUMENTS-1:0] whole_hit,   // the symbol, if it has not begun before
    output logic [INSTRUMENTS-1:0] rest_hit,    // its last eight bytes
    output logic [INSTRUMENTS-1:0] first_hit,   // those before them
    output logic [INSTRUMENTS-1:0] session_hit
);
  import feed_pkg::*;

  logic is_text, is_name, is_symbol, is_session;

  always_comb begin
    is_text = valid
        && kind inside {[fast_pkg::RECORD_ASCII : fast_pkg::RECORD_BYTES]};
    is_name = valid && role == ROLE_SECURITY_ID
        && kind inside {[fast_pkg::RECORD_UNSIGNED : fast_pkg::RECORD_BYTES]};
    is_symbol = is_text && role == ROLE_SYMBOL;
    is_session = is_text && role == ROLE_SESSION;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      logic same;
      same = is_symbol && reach[i].by_symbol && value == symbol[i] && !more;
      id_hit[i] = is_name && reach[i].by_id && value == security_id[i];
      rest_hit[i] = same && bytes == 4'd8;
      whole_hit[i] = same && bytes == control[i].symbol_length;
      first_hit[i] = is_symbol && value[31:0] == symbol_high[i]
          && {1'b1, bytes[2:0]} == control[i].symbol_length && !bytes[3];
      // An empty session is none.
      session_hit[i] = is_session && reach[i].has_session && value[31:0] == session[i]
          && bytes == {1'b0, control[i].session_length};
    end
  end

endmodule
