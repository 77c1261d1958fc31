// When the strategies see what: a trade at once, a top when its message has ended, once for each
// instrument whose top the message changed, in the order in which they first changed.
//
// Works on what leaves the books, one entry a cycle. If only the top of the instrument of a message's
// last entry has changed, and that entry is no trade, it is shown in the cycle of that entry.
// Otherwise the tops follow from the next cycle but one on, one a cycle: `recall` and `recall_instrument` ask,
// from registers, since all that is shown hangs on them, for an instrument's top to be in place of an entry in
// the next cycle. Whoever feeds entries leaves as many cycles free, and one more.
//
// What is due while its instrument is not trusted is not shown: the host shows it later.
module market_show
  import feed_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4
) (
    input logic clk,
    input logic rst,

    input logic                            valid,
    input logic                            from_host,
    input entry_op_t                       op,
    input logic                            applied,
    input logic                            changed,     // the top, by this entry
    input logic                            last,
    input logic      [INSTRUMENT_BITS-1:0] instrument,
    input logic      [    INSTRUMENTS-1:0] trusted,

    output logic                       recall,
    output logic [INSTRUMENT_BITS-1:0] recall_instrument,

    output logic                       show,
    output logic                       show_trade,
    output logic [INSTRUMENT_BITS-1:0] show_instrument,
    output logic                       held              // was due
);

  localparam int unsigned INDEX_BITS = INSTRUMENTS > 1 ? $clog2(INSTRUMENTS) : 1;

  typedef logic [INSTRUMENT_BITS-1:0] instrument_t;
  logic [INDEX_BITS-1:0] index, show_index;
  assign index = instrument[INDEX_BITS-1:0];
  assign show_index = show_instrument[INDEX_BITS-1:0];

  // Instruments whose top has changed, in order; `due_q` of them.
  instrument_t [INSTRUMENTS-1:0] list_q, list;
  logic [INSTRUMENTS-1:0] listed_q, listed;
  logic [INSTRUMENT_BITS:0] due_q, due;
  logic recalling_q;  // the list is being shown
  logic recalls, recall_q, recalled_q;  // the first of it is asked for; a cycle later; it is here
  instrument_t recall_instrument_q, recalled_instrument_q;
  logic moves, ends, alone, is_trusted, direct;

  always_comb begin
    moves = valid && !from_host && changed;
    ends = valid && !from_host && last;
    listed = listed_q;
    list = list_q;
    due = due_q;
    if (moves && !listed_q[index]) begin
      listed[index] = 1'b1;
      list[due_q[INDEX_BITS-1:0]] = instrument;
      due = due_q + 1'b1;
    end
    // Nothing but this entry's instrument is due.
    alone = due == (INSTRUMENT_BITS + 1)'(1) && listed[index];
    show_trade = valid && applied && op == ENTRY_TRADE;
    // A trade's price is where the bid's would be, whether it was applied or not.
    direct = ends && alone && op != ENTRY_TRADE;

    show_instrument = recalled_q ? recalled_instrument_q : instrument;
    is_trusted = trusted[show_index];
    show = (show_trade || recalled_q || direct || (valid && applied && op == ENTRY_SHOW))
        && is_trusted;
    held = (recalled_q || direct || show_trade) && !is_trusted;

    recalls = recalling_q || (ends && !direct && due != '0);
  end
  assign recall = recall_q;
  assign recall_instrument = recall_instrument_q;

  always_ff @(posedge clk) begin
    recall_q <= recalls;
    recall_instrument_q <= list[0];
    recalled_q <= recall_q;
    recalled_instrument_q <= recall_instrument_q;
    if (recalls) begin
      for (int i = 0; i + 1 < INSTRUMENTS; i++) list_q[i] <= list[i+1];
      due_q <= due - 1'b1;
      listed_q <= listed;
      recalling_q <= due != (INSTRUMENT_BITS + 1)'(1);
      if (due == (INSTRUMENT_BITS + 1)'(1)) listed_q <= '0;
    end else begin
      list_q <= list;
      due_q <= direct ? '0 : due;
      listed_q <= direct ? '0 : listed;
    end
    if (rst) begin
      due_q <= '0;
      listed_q <= '0;
      recalling_q <= 1'b0;
      recall_q <= 1'b0;
      recalled_q <= 1'b0;
    end
`ifdef VERILATOR
    if (!rst) assert (!(valid && recalled_q));
`endif
  end

endmodule
