// Whose an entry is: which of the watched instruments its SecurityID, or else its symbol and session,
// name; those of the message where the entry has none, or where the message is the entry. The answers are
// combinational, and include this cycle's records; they count only at the end of an entry.
//
// What the answer would be without this cycle's records is in registers (`known_*`), so that these only
// choose. Entries and their message are never open at once: nothing is known of an entry where the
// message goes on. A text that goes on does so before anything else comes.
module entry_names
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    localparam int unsigned LANES = 4
) (
    input logic clk,

    input logic [INSTRUMENTS-1:0] has_session,  // watched instruments that do

    // This cycle's records: what they are, and whom they name (record_match).
    input names_t                              now,
    input logic   [LANES-1:0][INSTRUMENTS-1:0] id_hit,
    input logic   [LANES-1:0][INSTRUMENTS-1:0] whole_hit,
    input logic   [LANES-1:0][INSTRUMENTS-1:0] rest_hit,
    input logic   [LANES-1:0][INSTRUMENTS-1:0] first_hit,
    input logic   [LANES-1:0][INSTRUMENTS-1:0] session_hit,

    input logic in_entry,
    input logic in_message,
    input logic ends_entry,
    input logic clear,       // the message ends

    output logic                   named,     // it has a SecurityID or a symbol
    output logic                   id_wrong,  // a SecurityID that is no number
    output logic [INSTRUMENTS-1:0] mine
);

  typedef logic [INSTRUMENTS-1:0] set_t;

  // Of the message; and of the entry or else the message. The last bytes of a symbol that goes on have
  // yet to come.
  logic message_id_q, message_symbol_q, message_session_q, message_wrong_q;
  logic known_id_q, entry_symbol_q, known_session_q, known_wrong_q;
  set_t message_by_id_q, message_by_symbol_q, message_by_session_q;
  set_t known_by_id_q, known_by_symbol_q, known_by_session_q;
  logic pending_q;
  set_t begun_q;  // by its first bytes, if it is pending
  set_t unbegun_q;  // the message's symbol, if none is

  set_t id, session, symbol, other_symbol, other_session, text;
  logic takes, has_text;

  function automatic set_t any(input set_t [LANES-1:0] lanes);
    any = '0;
    for (int l = 0; l < LANES; l++) any |= lanes[l];
  endfunction

  always_comb begin
    id = any(id_hit);
    session = any(session_hit) & {INSTRUMENTS{now.session_fits}};

    // No text of no bytes is a watched symbol, or session: in their place are the message's.
    symbol = (any(rest_hit) & begun_q) | (any(whole_hit) & {INSTRUMENTS{!pending_q}});
    other_symbol = now.symbol ? (now.symbol_empty ? unbegun_q : '0) : known_by_symbol_q;
    other_session = now.session ? (now.session_empty ? message_by_session_q : '0)
        : known_by_session_q;
    text = (symbol | other_symbol) & {INSTRUMENTS{!known_id_q && !now.id}};
    mine = (id | (known_by_id_q & {INSTRUMENTS{!now.id}})) | (text & (session | other_session));

    has_text = pending_q || !now.symbol_empty;
    named = known_id_q || now.id || message_symbol_q || (now.symbol ? has_text : entry_symbol_q);
    id_wrong = known_wrong_q || now.id_wrong;
    takes = in_entry || in_message;
  end

  logic pending_d;
  set_t message_by_symbol_d;
  always_comb begin
    pending_d = takes && now.symbol ? now.symbol_more : pending_q;
    message_by_symbol_d = in_message && now.symbol ? symbol : message_by_symbol_q;
  end

  always_ff @(posedge clk) begin
    if (in_message && now.id) begin
      message_id_q <= 1'b1;
      message_by_id_q <= id;
    end
    message_by_symbol_q <= message_by_symbol_d;
    if (in_message && now.symbol) message_symbol_q <= has_text;
    message_wrong_q <= message_wrong_q || (in_message && now.id_wrong);
    if (in_message && now.session) begin
      message_session_q <= !now.session_empty;
      message_by_session_q <= now.session_empty ? ~has_session : session;
    end else if (!message_session_q) begin
      message_by_session_q <= ~has_session;
    end

    if (takes && now.id) begin
      known_id_q <= 1'b1;
      known_by_id_q <= id;
    end
    known_wrong_q <= known_wrong_q || (takes && now.id_wrong);
    if (in_entry) known_by_symbol_q <= symbol | other_symbol;
    else if (in_message && now.symbol) known_by_symbol_q <= symbol;
    if (in_entry && now.symbol) entry_symbol_q <= has_text;
    if (takes && now.session) begin
      known_session_q <= !now.session_empty || (in_entry && message_session_q);
      known_by_session_q <= !now.session_empty ? session
          : in_entry ? message_by_session_q : ~has_session;
    end else if (!known_session_q) begin
      known_by_session_q <= ~has_session;
    end

    pending_q <= pending_d;
    unbegun_q <= message_by_symbol_d & {INSTRUMENTS{!pending_d}};
    if (takes && now.symbol) begin
      begun_q <= any(first_hit) & {INSTRUMENTS{now.symbol_first && !pending_q}};
    end

    // The next entry begins with what the message said.
    if (ends_entry) begin
      known_id_q <= message_id_q;
      known_by_id_q <= message_by_id_q;
      known_wrong_q <= message_wrong_q;
      known_by_symbol_q <= message_by_symbol_q;
      entry_symbol_q <= 1'b0;
      known_session_q <= message_session_q;
      known_by_session_q <= message_by_session_q;
      pending_q <= 1'b0;
      unbegun_q <= message_by_symbol_q;
      begun_q <= '0;
    end
    if (clear) begin
      {message_id_q, message_symbol_q, message_session_q, message_wrong_q} <= '0;
      {known_id_q, entry_symbol_q, known_session_q, known_wrong_q} <= '0;
      {message_by_id_q, message_by_symbol_q} <= '0;
      {known_by_id_q, known_by_symbol_q} <= '0;
      // Where none is told, those that have none: at once, for a message that is an entry may end now.
      {message_by_session_q, known_by_session_q} <= {2{~has_session}};
      pending_q <= 1'b0;
      {begun_q, unbegun_q} <= '0;
    end
  end

endmodule
