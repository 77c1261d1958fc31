// Books, staleness, and what the strategies are shown: crates/trader's market in logic.
//
// Entries of the feed come from entry_builder and are never held back; those of the host are taken
// when the feed has none. An entry goes through admission (market_admit) and its instrument's book, and
// is answered on `m_top`; what the strategies are to see leaves on `m_show` beside it (market_show).
// One goes every other cycle: what it changes is in registers when the next one is compared with it.
//
// Latency: an entry offered in cycle n is admitted in n + 1 and answered, and shown, in n + 6. While the
// one before is admitted, while a book is busy (rtl/book/README.md), behind a message that touched
// several instruments (for as many cycles), and while the strategies ask for a pause, entries wait in a
// queue of QUEUE_DEPTH. If it is full the entry is lost, counted, and every instrument stale.
module market
  import feed_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    parameter int unsigned DEPTH = 4096,
    parameter int unsigned INDEX_BITS = 12,
    parameter int unsigned STASH = 8,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned LEVELS = 12,
    parameter int unsigned QUEUE_DEPTH = 512
) (
    input logic clk,
    input logic rst,

    // Holes in RptSeq are only counted: for captures of trades alone.
    input  logic                counted,
    // A packet's first beat on its way to here; with `gap`, packets before it are missing.
    input  logic                begin_valid,
    input  logic [TID_BITS-1:0] begin_tid,
    input  logic                gap,
    // What became of a packet.
    input  logic                verdict_valid,
    input  logic [TID_BITS-1:0] verdict_tid,
    input  logic                verdict_good,
    // The packet of the first entry that waits to be admitted.
    output logic                pending_valid,
    output logic [TID_BITS-1:0] pending_tid,

    // Of entry_builder.
    input  logic   s_entry_valid,
    input  entry_t s_entry,
    // Of the host.
    input  logic   s_host_valid,
    output logic   s_host_ready,
    input  entry_t s_host,

    // To the strategies.
    output show_t m_show,
    input  logic  show_pause,
    // The answer to every entry.
    output top_t  m_top,

    output logic          [INSTRUMENTS-1:0]       live,         // and not suspect
    output logic          [INSTRUMENTS-1:0][31:0] rpt_seq,
    output logic          [INSTRUMENTS-1:0]       inexact,      // a book lost an order, until CLEAR
    output market_event_t                         market_event,

    // Registers of the books (rtl/book/README.md), two cycles later.
    input  logic                       reg_read,
    input  logic [INSTRUMENT_BITS-1:0] reg_instrument,
    input  logic [                3:0] reg_address,
    output logic [               63:0] reg_data
);

  localparam int unsigned SUM_BITS = book_pkg::ORDER_BITS + $clog2(DEPTH);
  localparam int unsigned COUNT_BITS = $clog2(DEPTH) + 1;
  localparam int unsigned MANY_BITS = $clog2(INSTRUMENTS + 1);

  if (INSTRUMENTS < 1 || INSTRUMENTS > 1 << INSTRUMENT_BITS) begin : gen_bad_instruments
    $fatal(1, "%m: INSTRUMENTS %0d is not from 1 to %0d", INSTRUMENTS, 1 << INSTRUMENT_BITS);
  end

  // ---------------------------------------------------------------- entries that wait

  logic queue_ready, queued_valid, queued_ready, waiting_valid, pop, push, overflow_q;
  logic queue_empty_q;  // for a cycle or more
  entry_t queued, waiting;
  logic [$clog2(QUEUE_DEPTH):0] level;

  fifo #(
      .WIDTH($bits(entry_t)),
      .DEPTH(QUEUE_DEPTH)
  ) u_queue (
      .clk,
      .rst,
      .s_data (s_entry),
      .s_valid(push),
      .s_ready(queue_ready),
      .m_data (queued),
      .m_valid(queued_valid),
      .m_ready(queued_ready),
      .level
  );
  // What comes out of a memory is late, and whether it is taken, too.
  skid_buffer #(
      .WIDTH($bits(entry_t))
  ) u_waiting (
      .clk,
      .rst,
      .s_data (queued),
      .s_valid(queued_valid),
      .s_ready(queued_ready),
      .m_data (waiting),
      .m_valid(waiting_valid),
      .m_ready(pop)
  );
  always_ff @(posedge clk) begin
    queue_empty_q <= rst || level == '0 && !queued_valid && !waiting_valid && !push;
  end

  // ---------------------------------------------------------------- the entry at hand

  entry_t entry_q, next_entry;
  logic entry_valid_q, next_valid, advance, take, load, apply, ends;
  logic [INSTRUMENTS-1:0] mine, touched, tready, tvalid, clear, clear_q, wiping_q, others;
  logic [INSTRUMENTS-1:0] book_ready;
  logic [MANY_BITS-1:0] hold_q, many;
  logic held_q;  // hold_q is not 0
  logic [INSTRUMENT_BITS-1:0] touched_last_q;
  answer_t answer;
  logic is_command, is_trade, host_waits;

  assign load = !entry_valid_q && !held_q && !show_pause;
  assign pop  = load;
  assign push = s_entry_valid && (!load || !queue_empty_q);
  assign s_host_ready = load && queue_empty_q && !s_entry_valid && !host_waits;

  assign pending_valid = (entry_valid_q && !entry_q.from_host) || waiting_valid;
  assign pending_tid = entry_valid_q && !entry_q.from_host ? entry_q.tid : waiting.tid;

  for (genvar i = 0; i < INSTRUMENTS; i++) begin : g_mine
    assign mine[i] = entry_q.instrument == INSTRUMENT_BITS'(i);
  end
  assign is_command = entry_q.op inside {ENTRY_NEW, ENTRY_CHANGE, ENTRY_DELETE};
  assign is_trade = entry_q.op == ENTRY_TRADE;
  assign tvalid = entry_valid_q && apply && is_command ? mine : '0;
  // A book is cleared a cycle behind the entry that asks for it: hundreds of registers hang on it.
  assign tready = book_ready & ~clear_q;
  assign advance = (tvalid & ~tready) == '0;
  assign take = entry_valid_q && advance;
  always_comb begin
    next_entry = s_host;
    next_entry.from_host = 1'b1;
    if (s_entry_valid) next_entry = s_entry;
    if (!queue_empty_q) next_entry = waiting;
    next_valid = queue_empty_q ? s_entry_valid || s_host_valid && s_host_ready : waiting_valid;

    host_waits = 1'b0;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      if (s_host.instrument == INSTRUMENT_BITS'(i)) host_waits |= wiping_q[i];
    end
    clear = entry_valid_q && entry_q.from_host && entry_q.op == ENTRY_CLEAR ? mine : '0;

    // Behind the end of a message: room for the tops that cannot be shown with its last entry.
    others = touched & ~mine;
    many = '0;
    for (int i = 0; i < INSTRUMENTS; i++) many += MANY_BITS'(touched[i] | mine[i]);
    ends = take && entry_q.last && !entry_q.from_host && (others != '0 || is_trade);
  end

  always_ff @(posedge clk) begin
    entry_valid_q <= load ? next_valid : entry_valid_q && !advance;
    if (load) entry_q <= next_entry;
    if (ends) hold_q <= many;
    else if (held_q) hold_q <= hold_q - 1'b1;
    held_q <= ends || held_q && hold_q != MANY_BITS'(1);
    if (take && apply && !entry_q.from_host) touched_last_q <= entry_q.instrument;
    clear_q  <= clear;
    wiping_q <= clear | (wiping_q & ~tready);
    overflow_q <= push && !queue_ready;
    if (rst) begin
      entry_valid_q <= 1'b0;
      hold_q <= '0;
      held_q <= 1'b0;
      clear_q <= '0;
      wiping_q <= '1;
      overflow_q <= 1'b0;
      touched_last_q <= '0;
    end
  end

  // ---------------------------------------------------------------- admission

  logic [INSTRUMENTS-1:0] refused, trusted_then;
  logic jump, bad_packet;

  market_admit #(
      .INSTRUMENTS(INSTRUMENTS)
  ) u_admit (
      .clk,
      .rst,
      .counted,
      .begin_valid,
      .begin_tid,
      .gap,
      .overflow       (overflow_q),
      .verdict_valid,
      .verdict_tid,
      .verdict_good,
      .load,
      .load_instrument(next_entry.instrument),
      .load_rpt_seq   (next_entry.rpt_seq),
      .load_tid       (next_entry.tid),
      .entry_valid    (entry_valid_q),
      .entry_op       (entry_q.op),
      .entry_rpt_seq  (entry_q.rpt_seq),
      .entry_last     (entry_q.last),
      .entry_bad      (entry_q.bad),
      .entry_from_host(entry_q.from_host),
      .entry_tid      (entry_q.tid),
      .advance,
      .apply,
      .answer,
      .refused,
      .live,
      .trusted_then,
      .rpt_seq,
      .touched,
      .jump,
      .bad_packet
  );

  // ---------------------------------------------------------------- books

  typedef struct packed {
    logic                  valid;
    logic [63:0]           price;
    logic [SUM_BITS-1:0]   quantity;
    logic [COUNT_BITS-1:0] orders;
  } quote_t;

  // A top without the number of orders.
  typedef logic [64+SUM_BITS-1:0] level_t;
  function automatic logic differ(input logic is_there, input level_t is, input logic was_there,
                                  input level_t was);
    return is_there != was_there || (is_there && is != was);
  endfunction

  book_pkg::op_t book_op;
  assign book_op = is_command && entry_valid_q
      ? book_pkg::op_t'(entry_q.op[1:0]) : book_pkg::OP_NONE;

  // The last answer of each book, and the one before it.
  logic [INSTRUMENTS-1:0] answered_q, moved;
  book_pkg::outcome_t [INSTRUMENTS-1:0] outcome_q;
  quote_t [INSTRUMENTS-1:0] bid_q, ask_q;
  logic [INSTRUMENTS-1:0][63:0] book_data;

  for (genvar i = 0; i < INSTRUMENTS; i++) begin : g_book
    logic done;
    book_pkg::outcome_t outcome;
    quote_t bid, ask;
    logic bid_there_q, ask_there_q;
    level_t bid_before_q, ask_before_q;

    order_book #(
        .DEPTH(DEPTH),
        .INDEX_BITS(INDEX_BITS),
        .STASH(STASH),
        .RANK_BITS(RANK_BITS),
        .LEVELS(LEVELS)
    ) u_book (
        .clk,
        .rst,
        .clear              (clear_q[i]),
        .s_axis_tvalid      (tvalid[i] && !clear_q[i]),
        .s_axis_tready      (book_ready[i]),
        .s_axis_op          (book_op),
        .s_axis_side        (entry_q.side),
        .s_axis_next_id     (load ? next_entry.id : entry_q.id),
        .s_axis_price       (entry_q.price),
        .s_axis_quantity    (entry_q.quantity),
        .m_axis_tvalid      (done),
        .m_axis_outcome     (outcome),
        .m_axis_bid_valid   (bid.valid),
        .m_axis_bid_price   (bid.price),
        .m_axis_bid_quantity(bid.quantity),
        .m_axis_bid_orders  (bid.orders),
        .m_axis_ask_valid   (ask.valid),
        .m_axis_ask_price   (ask.price),
        .m_axis_ask_quantity(ask.quantity),
        .m_axis_ask_orders  (ask.orders),
        .inexact            (inexact[i]),
        .reg_read           (reg_read && reg_instrument == INSTRUMENT_BITS'(i)),
        .reg_address        (reg_address),
        .reg_data           (book_data[i])
    );

    always_ff @(posedge clk) begin
      answered_q[i] <= done;
      outcome_q[i]  <= outcome;
      if (done) begin
        bid_q[i] <= bid;
        ask_q[i] <= ask;
        bid_there_q  <= bid_q[i].valid;
        ask_there_q  <= ask_q[i].valid;
        bid_before_q <= {bid_q[i].price, bid_q[i].quantity};
        ask_before_q <= {ask_q[i].price, ask_q[i].quantity};
      end
      if (rst || clear_q[i]) begin
        answered_q[i] <= 1'b0;
        bid_q[i] <= '0;
        ask_q[i] <= '0;
      end
    end
    assign moved[i] = differ(
        bid_q[i].valid, {bid_q[i].price, bid_q[i].quantity}, bid_there_q, bid_before_q
    ) || differ(
        ask_q[i].valid, {ask_q[i].price, ask_q[i].quantity}, ask_there_q, ask_before_q
    );
    assign refused[i] = answered_q[i] && outcome_q[i] != book_pkg::DONE;
  end

  logic [INSTRUMENT_BITS-1:0] reg_instrument_q;
  always_ff @(posedge clk) begin
    reg_instrument_q <= reg_instrument;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      if (reg_instrument_q == INSTRUMENT_BITS'(i)) reg_data <= book_data[i];
    end
  end

  // ---------------------------------------------------------------- beside the books

  typedef struct packed {
    logic                       valid;
    entry_op_t                  op;
    logic                       apply;
    answer_t                    answer;
    logic [INSTRUMENT_BITS-1:0] instrument;
    logic [63:0]                price;       // in stage 5: of the trade, or the bid's
    logic                       some;
    logic [31:0]                rpt_seq;
    logic                       last;
    logic                       from_host;
    logic [TID_BITS-1:0]        tid;
    logic [63:0]                tstamp;
  } beside_t;

  beside_t [4:1] beside_q;  // 1 to 3: in the book; 4: its answer is in registers
  beside_t shown_q;  // 5
  logic changed_q, was_refused_q;
  quote_t shown_bid_q, shown_ask_q;
  logic recall, here;
  logic [INSTRUMENT_BITS-1:0] recall_instrument, select;

  always_comb begin
    select = recall ? recall_instrument : beside_q[4].instrument;
    here = beside_q[4].valid && beside_q[4].apply
        && beside_q[4].op inside {ENTRY_NEW, ENTRY_CHANGE, ENTRY_DELETE};
  end

  always_ff @(posedge clk) begin
    beside_q[1] <= '{
        valid: take,
        op: entry_q.op,
        apply: apply,
        answer: answer,
        instrument: entry_q.op == ENTRY_END ? touched_last_q : entry_q.instrument,
        price: entry_q.price,
        some: entry_q.quantity != '0,
        rpt_seq: entry_q.rpt_seq,
        last: entry_q.last,
        from_host: entry_q.from_host,
        tid: entry_q.tid,
        tstamp: entry_q.tstamp
    };
    beside_q[4:2] <= beside_q[3:1];

    shown_q.valid <= beside_q[4].valid;
    if (beside_q[4].valid) shown_q <= beside_q[4];
    for (int i = 0; i < INSTRUMENTS; i++) begin
      if (select == INSTRUMENT_BITS'(i) && (recall || beside_q[4].op != ENTRY_TRADE)) begin
        shown_q.price <= bid_q[i].price;
      end
    end
    changed_q <= 1'b0;
    was_refused_q <= 1'b0;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      if (select == INSTRUMENT_BITS'(i)) begin
        shown_bid_q <= bid_q[i];
        shown_ask_q <= ask_q[i];
        changed_q   <= here && answered_q[i] && moved[i];
        if (here && answered_q[i]) begin
          was_refused_q  <= outcome_q[i] != book_pkg::DONE;
          shown_q.answer <= answer_t'({1'b0, outcome_q[i]});
        end
      end
    end
    if (rst) begin
      for (int stage = 1; stage <= 4; stage++) beside_q[stage].valid <= 1'b0;
      shown_q.valid <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- answers and shows

  logic show, show_trade, held;
  logic [INSTRUMENT_BITS-1:0] show_instrument;

  market_show #(
      .INSTRUMENTS(INSTRUMENTS)
  ) u_show (
      .clk,
      .rst,
      .valid     (shown_q.valid),
      .from_host (shown_q.from_host),
      .op        (shown_q.op),
      .applied   (shown_q.apply),
      .changed   (changed_q),
      .last      (shown_q.last),
      .instrument(shown_q.instrument),
      .trusted   (trusted_then),
      .recall,
      .recall_instrument,
      .show,
      .show_trade,
      .show_instrument,
      .held
  );

  always_comb begin
    m_show = '{
        valid: show,
        trade: show_trade,
        instrument: show_instrument,
        bid_valid: shown_bid_q.valid,
        bid_price: shown_q.price,
        ask_valid: shown_ask_q.valid,
        ask_price: shown_ask_q.price,
        some: shown_q.some,
        tid: shown_q.tid,
        tstamp: shown_q.tstamp
    };
    m_top = '{
        valid: shown_q.valid,
        op: shown_q.op,
        instrument: shown_q.instrument,
        answer: shown_q.answer,
        from_host: shown_q.from_host,
        last: shown_q.last,
        live: 1'b0,
        rpt_seq: shown_q.rpt_seq,
        bid_valid: shown_bid_q.valid,
        bid_price: shown_bid_q.price,
        bid_quantity: 64'(shown_bid_q.quantity),
        bid_orders: 16'(shown_bid_q.orders),
        ask_valid: shown_ask_q.valid,
        ask_price: shown_ask_q.price,
        ask_quantity: 64'(shown_ask_q.quantity),
        ask_orders: 16'(shown_ask_q.orders),
        tid: shown_q.tid,
        tstamp: shown_q.tstamp
    };
    for (int i = 0; i < INSTRUMENTS; i++) begin
      if (shown_q.instrument == INSTRUMENT_BITS'(i)) m_top.live = trusted_then[i];
    end
  end

  market_event_t event_q;
  assign market_event = event_q;
  always_ff @(posedge clk) begin
    event_q <= '{
        applied: take && apply && !entry_q.from_host,
        old: take && answer == ANSWER_OLD,
        withheld: take && answer == ANSWER_STALE && !entry_q.from_host,
        jump: jump,
        broken: take && answer == ANSWER_BROKEN,
        poisoned: take && answer == ANSWER_POISONED,
        refused: was_refused_q,
        bad_packet: bad_packet,
        overflow: push && !queue_ready,
        show_trade: show && show_trade,
        show_top: show && !show_trade,
        show_held: held,
        live: take && entry_q.op == ENTRY_LIVE && apply,
        behind: take && answer == ANSWER_BEHIND
    };
    if (rst) event_q <= '0;
  end

endmodule
