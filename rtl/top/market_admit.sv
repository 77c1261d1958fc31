// Which entries a book may take, and which instruments can be trusted: the rules of
// crates/trader (recovery.rs) as far as they need no buffer. Combinational, with its state behind.
//
// An instrument is live or stale. It starts stale, and only the host makes it live. While it is live
// an entry is applied if its RptSeq is the next one, and dropped if it was seen before; if it jumps
// the instrument is stale. Entries of a stale instrument are dropped: the host has them from its own
// copy of the feed. LIVE is refused while the feed is ahead of the host, and while the book is not
// sound: since a refused entry, a bad packet or a message with an error has been in it, until CLEAR.
// A feed without RptSeq (0) has nothing to be checked by; a lost packet (`gap`) makes its instruments
// suspect, which are not shown until the host says LIVE. With `counted`, only a bad packet and an
// overflow make an instrument stale.
//
// Entries of packets before the missing ones may still be on their way when `gap` comes: a gap holds from
// the first entry behind it on. `live` is low for all instruments until then.
//
// A packet's verdict may come before, between or after its entries. At most 15 packets are on
// their way between arbitration and here (their number has four bits): trader_top holds others back.
module market_admit
  import feed_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4
) (
    input logic clk,
    input logic rst,

    input logic                counted,
    input logic                begin_valid,    // a packet's first beat
    input logic [TID_BITS-1:0] begin_tid,
    input logic                gap,            // with it: packets before it are missing
    input logic                overflow,
    input logic                verdict_valid,
    input logic [TID_BITS-1:0] verdict_tid,
    input logic                verdict_good,

    // The entry that comes in hand with `load`, if it is one: not while one is in hand.
    input logic                       load,
    input logic [INSTRUMENT_BITS-1:0] load_instrument,
    input logic [               31:0] load_rpt_seq,
    input logic [       TID_BITS-1:0] load_tid,

    // The entry in hand; `advance` takes it.
    input  logic                     entry_valid,
    input  entry_op_t                entry_op,
    input  logic      [        31:0] entry_rpt_seq,
    input  logic                     entry_last,
    input  logic                     entry_bad,
    input  logic                     entry_from_host,
    input  logic      [TID_BITS-1:0] entry_tid,
    input  logic                     advance,
    output logic                     apply,            // to the book, if it is for the book
    output answer_t                  answer,

    // The book refused an entry of these.
    input logic [INSTRUMENTS-1:0] refused,

    output logic [INSTRUMENTS-1:0]       live,          // and not suspect
    // The same as the entry left it that is answered in this cycle, ANSWER_CYCLES behind its own: what
    // a later entry says of an instrument does not touch what was shown before it. That an order was
    // refused, a packet or message bad, entries lost or a book emptied does, at once.
    output logic [INSTRUMENTS-1:0]       trusted_then,
    output logic [INSTRUMENTS-1:0][31:0] rpt_seq,
    // Instruments that the message at hand has touched, without the entry at hand.
    output logic [INSTRUMENTS-1:0]       touched,
    output logic                         jump,
    output logic                         bad_packet
);

  localparam int unsigned PACKETS = 1 << TID_BITS;
  localparam int unsigned ANSWER_CYCLES = 5;

  logic [INSTRUMENTS-1:0] live_q, suspect_q, unsound_q, message_q;
  logic [INSTRUMENTS-1:0][31:0] rpt_seq_q, expected_q;  // expected: one more
  logic [PACKETS-1:0] bad_q;
  logic [PACKETS-1:0][INSTRUMENTS-1:0] packet_q;

  logic [INSTRUMENTS-1:0] trusted;
  logic gap_q;  // a gap that no entry has come behind yet
  logic [PACKETS-1:0] older_q;  // numbers of packets before it
  logic gap_holds;
  assign trusted = live_q & ~suspect_q;
  assign live = trusted & ~{INSTRUMENTS{gap_q}};
  assign rpt_seq = rpt_seq_q;
  assign touched = message_q;

  // ---------------------------------------------------------------- the entry at hand

  // How an entry's RptSeq lies to its instrument's.
  typedef struct packed {
    logic is_next;
    logic is_after;
    logic is_before;
    logic counting;   // the instrument's is not 0
  } relation_t;

  logic [INSTRUMENTS-1:0] mine_q, load_mine;
  logic [31:0] follows_q;  // one more than the entry's RptSeq
  logic none_q;  // it has none
  logic bad_here_q;  // its packet is known to be bad
  relation_t relation_q, relation;
  logic is_data, is_live, unchecked, poisoned, failed;
  logic sets, clears;  // the entry in hand sets its instrument's RptSeq to its own, or to 0

  // Compared before the entry comes in hand: none is in hand then.
  always_comb begin
    relation = '0;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      load_mine[i] = load_instrument == INSTRUMENT_BITS'(i);
      if (load_mine[i]) begin
        relation.is_next |= load_rpt_seq == expected_q[i];
        relation.is_after |= load_rpt_seq > rpt_seq_q[i];
        relation.is_before |= load_rpt_seq < rpt_seq_q[i];
        relation.counting |= rpt_seq_q[i] != '0;
      end
    end
  end

  // What is known of a packet behind this cycle; the next one begins behind a verdict.
  function automatic logic bad_behind(input logic bad, input logic [TID_BITS-1:0] tid);
    if (verdict_valid && verdict_tid == tid) return !verdict_good;
    return bad && !(verdict_valid && verdict_tid + 1'b1 == tid);
  endfunction

  always_ff @(posedge clk) begin
    bad_here_q <= load ? bad_behind(bad_q[load_tid], load_tid) : bad_behind(bad_here_q, entry_tid);
    if (load) begin
      mine_q <= load_mine;
      follows_q <= load_rpt_seq + 32'd1;
      none_q <= load_rpt_seq == '0;
      relation_q <= relation;
    end
  end

  always_comb begin
    is_live = |(mine_q & live_q);
    is_data = entry_op inside {ENTRY_NEW, ENTRY_CHANGE, ENTRY_DELETE, ENTRY_TRADE, ENTRY_OTHER};
    unchecked = counted || none_q;
    failed = entry_last && entry_bad && !entry_from_host;
    poisoned = !entry_from_host && (failed || bad_here_q
        || (verdict_valid && !verdict_good && verdict_tid == entry_tid));

    apply = 1'b0;
    answer = ANSWER_DONE;
    if (entry_from_host) begin
      apply = 1'b1;
      if (entry_op == ENTRY_LIVE
          && ((mine_q & unsound_q) != '0 || (relation_q.is_before && !counted))) begin
        apply  = 1'b0;
        answer = ANSWER_BEHIND;
      end
      if (entry_op inside {ENTRY_TRADE, ENTRY_SHOW} && !is_live) begin
        apply  = 1'b0;
        answer = ANSWER_STALE;
      end
    end else if (poisoned) begin
      answer = ANSWER_POISONED;
    end else if (entry_op inside {ENTRY_BROKEN, ENTRY_LOST}) begin
      answer = ANSWER_BROKEN;
    end else if (is_data) begin
      if (!is_live) answer = ANSWER_STALE;
      else if (unchecked || relation_q.is_next) apply = 1'b1;
      else if (relation_q.is_after) answer = ANSWER_GAP;
      else answer = ANSWER_OLD;
    end
  end

  // ---------------------------------------------------------------- what it changes

  logic [INSTRUMENTS-1:0] stale, rises, mark, verdict_stale, unsound, at_once;
  logic take, take_data;
  assign take = entry_valid && advance;
  assign take_data = take && is_data && !entry_from_host && !poisoned;
  assign clears = take && entry_op == ENTRY_CLEAR;
  assign sets = take_data && (unchecked || relation_q.is_after) || take && rises != '0;
  assign gap_holds = gap_q && take && (entry_from_host || !older_q[entry_tid]);
  assign jump = take_data && !relation_q.is_next
      && (unchecked ? relation_q.counting : is_live && relation_q.is_after);
  assign verdict_stale = verdict_valid && !verdict_good ? packet_q[verdict_tid] : '0;
  assign bad_packet = verdict_stale != '0;
  assign mark = take && apply && !entry_from_host ? mine_q : '0;

  always_comb begin
    stale   = verdict_stale | (counted ? '0 : refused);
    unsound = verdict_stale | refused;
    at_once = stale;
    rises   = '0;
    if (take && !entry_from_host) begin
      if (poisoned && entry_op != ENTRY_END) stale |= mine_q;
      if (failed && !counted) begin
        stale |= message_q;
        unsound |= message_q;
      end
      at_once |= stale;
      if (answer == ANSWER_GAP) stale |= mine_q;
      if (answer == ANSWER_BROKEN && !counted) stale |= entry_op == ENTRY_LOST ? '1 : mine_q;
    end
    if (take && entry_from_host) begin
      if (entry_op inside {ENTRY_CLEAR, ENTRY_STALE}) stale |= mine_q;
      // Its top is none from now on, also for those that wait to be shown.
      if (entry_op == ENTRY_CLEAR) at_once |= mine_q;
      if (entry_op == ENTRY_LIVE && apply) rises = mine_q;
    end
    if (overflow) stale = '1;
    // A second gap cannot wait for the first one's entries.
    if (overflow || (!counted && ((gap && gap_q) || (take && failed)))) at_once = '1;
  end

  // Beside the books, from the cycle behind the entry's own to that of its answer.
  logic [ANSWER_CYCLES:2][INSTRUMENTS-1:0] then_q;
  assign trusted_then = then_q[ANSWER_CYCLES];
  always_ff @(posedge clk) begin
    then_q[2] <= trusted & ~at_once;
    for (int n = 3; n <= ANSWER_CYCLES; n++) then_q[n] <= then_q[n-1] & ~at_once;
    if (rst) then_q <= '0;
  end

  always_ff @(posedge clk) begin
    live_q <= (live_q | rises) & ~stale;
    unsound_q <= (unsound_q & ~(take && entry_op == ENTRY_CLEAR ? mine_q : '0)) | unsound;
    suspect_q <= (suspect_q | {INSTRUMENTS{gap_holds}}) & ~rises
        & ~(take_data && apply && !unchecked ? mine_q : '0);
    if (!counted && ((gap && gap_q) || (take && failed))) suspect_q <= '1;
    if (gap_holds) gap_q <= 1'b0;
    if (begin_valid) older_q[begin_tid] <= 1'b0;
    if (gap && !counted) begin
      gap_q <= 1'b1;
      older_q <= ~(PACKETS'(1) << begin_tid);
    end
    for (int i = 0; i < INSTRUMENTS; i++) begin
      if (mine_q[i] && (sets || clears)) begin
        rpt_seq_q[i]  <= clears ? '0 : entry_rpt_seq;
        expected_q[i] <= clears ? 32'd1 : follows_q;
      end
    end
    if (take && !entry_from_host) message_q <= entry_last ? '0 : message_q | mark;
    packet_q[entry_tid] <= packet_q[entry_tid] | mark;
    if (verdict_valid) begin
      bad_q[verdict_tid] <= !verdict_good;
      // The next packet begins behind this verdict.
      bad_q[verdict_tid+1'b1] <= 1'b0;
      packet_q[verdict_tid+1'b1] <= '0;
    end
    if (rst) begin
      live_q <= '0;
      suspect_q <= '0;
      gap_q <= 1'b0;
      older_q <= '0;
      unsound_q <= '0;
      message_q <= '0;
      rpt_seq_q <= '0;
      expected_q <= {INSTRUMENTS{32'd1}};
      bad_q <= '0;
      packet_q <= '0;
    end
  end

endmodule
