// Whose an entry is: which of the watched instruments its SecurityID, or else its symbol and session,
// name; those of the message where the entry has none. The answers are combinational, and include this
// cycle's records.
module entry_names
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    localparam int unsigned LANES = 4
) (
    input logic clk,
    input logic rst,

    input watch_control_t [INSTRUMENTS-1:0] control,

    // This cycle's records, at most one of each role.
    input logic [LANES-1:0]                  is_id,
    input logic [LANES-1:0]                  is_symbol,
    input logic [LANES-1:0]                  is_session,
    input logic [LANES-1:0]                  is_number,
    input logic [LANES-1:0]                  is_text,
    input logic [LANES-1:0]                  is_empty,
    input logic [LANES-1:0]                  more,
    // Its value is the id; the whole symbol; the symbol's last eight bytes; those before them; the
    // session.
    input logic [LANES-1:0][INSTRUMENTS-1:0] id_equal,
    input logic [LANES-1:0][INSTRUMENTS-1:0] whole_equal,
    input logic [LANES-1:0][INSTRUMENTS-1:0] last_equal,
    input logic [LANES-1:0][INSTRUMENTS-1:0] first_equal,
    input logic [LANES-1:0][INSTRUMENTS-1:0] session_equal,

    input logic in_entry,
    input logic in_message,
    input logic ends_entry,
    input logic ends_message,

    output logic                   has_id,
    output logic                   has_symbol,
    output logic                   id_wrong,    // a SecurityID that is no number
    output logic                   text_wrong,  // a symbol or session in the entry that is no text
    output logic [INSTRUMENTS-1:0] mine
);

  typedef logic [INSTRUMENTS-1:0] set_t;

  typedef struct packed {
    logic has_id;
    logic id_wrong;
    set_t id;
    logic has_symbol;
    logic pending;      // the symbol goes on
    set_t first;
    set_t symbol;
    logic has_session;
    set_t session;
    logic text_wrong;
  } names_t;

  names_t entry_q, message_q, entry, message;

  function automatic set_t of_lanes(input logic [LANES-1:0] lanes, input set_t [LANES-1:0] sets);
    of_lanes = '0;
    for (int l = 0; l < LANES; l++) of_lanes |= sets[l] & {INSTRUMENTS{lanes[l]}};
  endfunction

  function automatic names_t with_records(input names_t was);
    with_records = was;
    if (is_id != '0) begin
      with_records.id_wrong = was.id_wrong || (is_id & ~is_number) != '0;
      with_records.has_id = 1'b1;
      with_records.id = of_lanes(is_id, id_equal);
    end
    if ((is_symbol & is_text) != '0) begin
      with_records.pending = (is_symbol & more) != '0;
      with_records.first = was.pending ? '0 : of_lanes(is_symbol, first_equal);
      with_records.symbol = was.pending ? was.first & of_lanes(is_symbol, last_equal)
          : of_lanes(is_symbol, whole_equal);
      with_records.has_symbol = was.pending || (is_symbol & is_empty) == '0;
    end
    if ((is_session & is_text) != '0) begin
      with_records.has_session = (is_session & is_empty) == '0;
      with_records.session = of_lanes(is_session, session_equal);
    end
    with_records.text_wrong = was.text_wrong || ((is_symbol | is_session) & ~is_text) != '0;
  endfunction

  set_t session_of;
  always_comb begin
    entry = in_entry ? with_records(entry_q) : entry_q;
    message = in_message ? with_records(message_q) : message_q;

    has_id = entry.has_id || message_q.has_id;
    has_symbol = entry.has_symbol || message_q.has_symbol;
    id_wrong = entry.id_wrong || message_q.id_wrong;
    text_wrong = entry.text_wrong;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      session_of[i] = entry.has_session ? entry.session[i]
          : message_q.has_session ? message_q.session[i] : control[i].session_length == '0;
      if (has_id) mine[i] = control[i].by_id && (entry.has_id ? entry.id[i] : message_q.id[i]);
      else begin
        mine[i] = control[i].symbol_length != '0 && session_of[i]
            && (entry.has_symbol ? entry.symbol[i] : message_q.symbol[i]);
      end
      mine[i] = mine[i] && control[i].enabled;
    end
  end

  always_ff @(posedge clk) begin
    entry_q   <= ends_entry ? '0 : entry;
    message_q <= message;
    if (rst || ends_message) begin
      entry_q   <= '0;
      message_q <= '0;
    end
  end

endmodule
