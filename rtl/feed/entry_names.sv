// Whose an entry is: which of the watched instruments its SecurityID, or else its symbol and session,
// name; those of the message where the entry has none. The answers are combinational, and include this
// cycle's records.
//
// What the answer would be without this cycle's records is in registers (`known_q`), so that these only
// choose.
module entry_names
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    localparam int unsigned LANES = 4
) (
    input logic clk,
    input logic rst,

    input watch_control_t [INSTRUMENTS-1:0] control,

    // This cycle's records: what they are, and whom they name (record_match).
    input names_t                                    now,
    input logic   [      LANES-1:0][INSTRUMENTS-1:0] id_hit,
    input logic   [      LANES-1:0][INSTRUMENTS-1:0] symbol_hit,
    input logic   [      LANES-1:0][INSTRUMENTS-1:0] first_hit,
    input logic   [      LANES-1:0][INSTRUMENTS-1:0] session_hit,
    input logic   [INSTRUMENTS-1:0]                  length_hit,

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

  // What an entry, or a message, has said so far.
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
  } said_t;

  said_t entry_q, message_q, entry, message, entry_d, message_d;
  set_t id, symbol, first, session;

  function automatic set_t any(input logic [LANES-1:0][INSTRUMENTS-1:0] lanes);
    any = '0;
    for (int l = 0; l < LANES; l++) any |= lanes[l];
  endfunction

  function automatic said_t with_records(input said_t was);
    with_records = was;
    if (now.id) begin
      with_records.id_wrong = was.id_wrong || now.id_wrong;
      with_records.has_id = 1'b1;
      with_records.id = id;
    end
    if (now.symbol) begin
      with_records.pending = now.symbol_more;
      with_records.first = was.pending ? '0 : first;
      with_records.symbol = symbol & (was.pending ? was.first & {INSTRUMENTS{now.symbol_eight}}
          : length_hit);
      with_records.has_symbol = was.pending || !now.symbol_empty;
    end
    if (now.session) begin
      with_records.has_session = !now.session_empty;
      with_records.session = session;
    end
    with_records.text_wrong = was.text_wrong || now.text_wrong;
  endfunction

  always_comb begin
    id = any(id_hit);
    symbol = any(symbol_hit);
    first = any(first_hit);
    session = any(session_hit);
    entry = in_entry ? with_records(entry_q) : entry_q;
    message = in_message ? with_records(message_q) : message_q;
    entry_d = ends_entry || ends_message ? '0 : entry;
    message_d = ends_message ? '0 : message;
  end

  typedef struct packed {
    logic has_id;
    set_t by_id;
    set_t symbol;
    set_t message_symbol;
    set_t session;
    set_t message_session;
  } known_t;
  known_t known_q;

  logic takes_id, takes_symbol, empties_symbol, takes_session, empties_session;
  always_comb begin
    has_id = entry.has_id || message_q.has_id;
    has_symbol = entry.has_symbol || message_q.has_symbol;
    id_wrong = entry_q.id_wrong || message_q.id_wrong || (in_entry && now.id_wrong);
    text_wrong = entry_q.text_wrong || (in_entry && now.text_wrong);

    takes_id = in_entry && now.id;
    takes_symbol = in_entry && now.symbol && (entry_q.pending || !now.symbol_empty);
    empties_symbol = in_entry && now.symbol;
    takes_session = in_entry && now.session && !now.session_empty;
    empties_session = in_entry && now.session;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      logic fits, kept_symbol, kept_session, text;
      fits = entry_q.pending ? entry_q.first[i] && now.symbol_eight : length_hit[i];
      kept_symbol = empties_symbol ? known_q.message_symbol[i] : known_q.symbol[i];
      kept_session = empties_session ? known_q.message_session[i] : known_q.session[i];
      text = (takes_symbol ? symbol[i] && fits : kept_symbol)
          && (takes_session ? session[i] : kept_session);
      mine[i] = takes_id ? id[i] : known_q.has_id ? known_q.by_id[i] : text;
    end
  end

  always_ff @(posedge clk) begin
    entry_q <= entry_d;
    message_q <= message_d;
    known_q.has_id <= entry_d.has_id || message_d.has_id;
    known_q.by_id <= entry_d.has_id ? entry_d.id : message_d.id;
    known_q.symbol <= entry_d.has_symbol ? entry_d.symbol : message_d.symbol;
    known_q.message_symbol <= message_d.symbol;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      known_q.session[i] <= entry_d.has_session ? entry_d.session[i]
          : message_d.has_session ? message_d.session[i] : control[i].session_length == '0;
      known_q.message_session[i] <= message_d.has_session ? message_d.session[i]
          : control[i].session_length == '0;
    end
    if (rst) begin
      entry_q <= '0;
      message_q <= '0;
      known_q <= '0;
    end
  end

endmodule
