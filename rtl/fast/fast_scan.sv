// Stage S: splits words into elements (MICROCODE.md §1.2, §6.2).
//
// A word is taken at the port into a register, with what fast_split finds in it. In the cycle that
// follows, or when there is room, it is scanned: cycle a of the specification. Its elements are in
// the queue, or the header registers, in a+1. Carried bytes that do not fit into an element with the
// word's first take a cycle before.
//
// The first word of a packet waits until a slot of the header registers is free, and with `vectors`
// until both are: to read raw bytes the scanner goes back, within one packet. Then words come from
// the history until it has caught up. A packet without a byte behind the preamble leaves no trace.
//
// With `enable` low packets are swallowed as a whole, at full rate.
module fast_scan (
    input logic clk,
    input logic rst,

    input logic       enable,
    input logic       vectors,
    input logic [7:0] preamble,

    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,   // with the last word: the packet is bad
    input  logic [ 3:0] s_axis_tid,
    input  logic [63:0] s_axis_tstamp,

    // The queue.
    input  logic                           room,
    output logic                           push,
    output logic               [3:0]       push_count,
    output logic               [1:0]       push_skip,
    output logic               [7:0]       push_given,
    output fast_pkg::flags_t   [7:0]       push_flags,
    output fast_pkg::element_t [7:0]       push_elements,
    output logic               [7:0][15:0] push_offsets,
    output logic                           push_end,

    // The header registers.
    output logic        slot,            // the packet that is scanned
    output logic        begins,
    output logic [ 3:0] begins_tid,
    output logic [63:0] begins_tstamp,
    output logic        take_map,
    output logic        take_id_first,
    output logic        take_id_second,
    output logic        ends,
    output logic        ends_left,
    output logic        ends_aborted,
    input  logic [ 1:0] taken_slots,
    input  logic        release_valid,

    // Dispatch.
    input logic packet,  // the packet in hand
    input logic drop,    // its rest passes

    // Raw bytes: from `stop` on nothing is scanned, words come as far as needed, until `resume`.
    input  logic                        stop_first,     // the first cycle of `stop`
    input  logic                        stop,
    input  logic                        fetch,          // `words_needed` is known
    input  logic                 [13:0] words_needed,
    input  logic                        resume,
    input  logic                        resume_failed,  // the packet ends in the raw bytes
    input  logic                 [12:0] resume_word,    // one cycle ahead, steady
    input  logic                 [ 2:0] resume_lane,
    output logic                 [15:0] available,      // bytes of the packet, when stopped
    output logic                        more_valid,     // what comes more
    output logic                 [ 3:0] more_bytes,
    output logic                        complete,
    output logic                        history_write,
    output logic                 [ 5:0] history_index,
    output fast_scan_pkg::word_t        history_word,
    // To scan again: the word where scanning goes on, and the one that `replay_index` names.
    input  fast_scan_pkg::word_t        resume_data,
    output logic                 [ 5:0] replay_index,
    input  fast_scan_pkg::word_t        replay_data,

    // Pulses.
    output logic event_packet,    // a packet was scanned or passed to its end
    output logic event_aborted,   // it ended with the mark
    output logic event_swallowed  // a packet was swallowed
);
  import fast_pkg::*;
  import fast_scan_pkg::*;

  // ------------------------------------------------------------------------------- input
  logic middle_q, swallow_q;
  logic [12:0] index_q, index;  // of the word in the packet
  logic edge_q, edge_now;  // the preamble does not end before this word
  logic [4:0] passed_q, passed;  // words of the preamble to come, less one
  logic [7:0] lanes_q, first_lanes, later_lanes;  // of the next word: those behind the preamble
  logic swallow, take_port, load_live, load_fetched, load_replay, wait_first;
  logic halted, fetch_more;  // raw bytes are read; more words are wanted for them
  logic advance;  // the register is free, or what is in it leaves
  logic replay_q, from_history;
  word_t replay_word_q;
  logic [7:0] replay_lanes_q;  // of these, what is to be scanned

  logic [63:0] word;
  logic [7:0] used;
  split_t split_d;

  always_comb begin
    index = middle_q ? index_q : '0;
    edge_now = !middle_q || edge_q;
    passed = middle_q ? passed_q : preamble[7:3];
    swallow = !enable || (middle_q && swallow_q);
    first_lanes = preamble[7:3] != '0 ? '0 : 8'hff << preamble[2:0];
    // Behind the word at the port.
    later_lanes = 8'hff;
    if (edge_now && passed > 5'd1) later_lanes = '0;
    if (edge_now && passed == 5'd1) later_lanes = 8'hff << preamble[2:0];

    word = from_history ? replay_word_q.data : s_axis_tdata;
    used = s_axis_tkeep & lanes_q & {8{!(s_axis_tlast && s_axis_tuser)}};
    if (from_history) used = replay_lanes_q;
  end

  fast_split split_word (
      .word (word),
      .used (used),
      .split(split_d)
  );

  // Each by itself, not by way of `s_axis_tready`: much hangs on them.
  assign take_port = s_axis_tvalid && s_axis_tready;
  assign load_live = s_axis_tvalid && !swallow && !halted && !from_history && !wait_first &&
      advance;
  assign load_fetched = s_axis_tvalid && !swallow && halted && fetch_more;

  always_ff @(posedge clk) begin
    event_swallowed <= take_port && swallow && s_axis_tlast;
    if (take_port) begin
      middle_q  <= !s_axis_tlast;
      swallow_q <= swallow;
      index_q   <= index + 13'd1;
      edge_q    <= edge_now && passed != '0;
      passed_q  <= passed - 5'(passed != '0);
      lanes_q   <= s_axis_tlast ? first_lanes : later_lanes;
    end else if (!middle_q) begin
      lanes_q <= first_lanes;
    end
    if (rst) begin
      middle_q <= 1'b0;
      lanes_q <= first_lanes;
      event_swallowed <= 1'b0;
    end
    // What is in the middle when the engine is disabled is swallowed to its end.
    if (!enable) swallow_q <= 1'b1;
  end

  // ------------------------------------------------------------------------------- the word in hand
  typedef struct packed {
    logic        first;
    logic        last;
    logic        aborted;
    logic        replayed;  // comes from the history
    logic [12:0] index;
    logic [7:0]  keep;
    logic [3:0]  tid;
    logic [63:0] tstamp;
  } hand_t;
  logic   hand_valid_q;
  hand_t  hand_q;
  split_t split_q;
  logic   any_q;  // a lane of it is to be scanned

  logic   open_q;  // the packet has begun
  logic slot_q, pass_q;
  logic mine, passing, free, step, take, live, flush, none_carried, starts;
  logic [12:0] taken_q;
  logic [15:0] available_q;
  logic complete_q, aborted_q;

  always_comb begin
    mine = open_q && slot_q == packet;
    passing = pass_q || (drop && mine);
    free = !taken_slots[slot_q] || (release_valid && packet == slot_q);
    step = hand_valid_q && !stop && (!hand_q.first || free) && (passing || !any_q || room);
    take = step && (passing || !flush);
    live = hand_valid_q && !hand_q.replayed && (take || stop_first);
    starts = any_q && !open_q;
  end

  // While raw bytes are read, words go from the port into the history, as far as they are needed.
  assign halted = stop && !resume;
  assign fetch_more = fetch && {1'b0, taken_q} < words_needed && !complete_q;
  assign advance = !hand_valid_q || take;
  assign wait_first = vectors && !middle_q && (hand_valid_q || taken_slots != '0);
  always_comb begin
    if (swallow) s_axis_tready = 1'b1;
    else if (halted) s_axis_tready = fetch_more;
    else s_axis_tready = !from_history && !wait_first && advance;
  end

  // The word where scanning goes on is of the history. Only while stopped, as `replay_q` is only while
  // not: one of the two says where the next word comes from.
  logic behind_q;
  logic remains;  // stopped in the next cycle too
  logic [12:0] replay_index_q, replay_next_q;

  assign from_history = behind_q || replay_q;
  assign load_replay = from_history && !(drop && mine) &&
      (stop ? resume : advance);
  assign remains = stop && !drop && !resume && !resume_failed;
  assign replay_index = replay_next_q[5:0];
  // Before it is taken too: what it displaces is out of reach with the word in hand.
  assign history_write = (hand_valid_q && !hand_q.replayed) || load_fetched;
  assign history_index = stop && !stop_first ? index[5:0] : hand_q.index[5:0];
  assign history_word  = stop && !stop_first
      ? {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata}
      : {hand_q.last, hand_q.aborted, hand_q.keep, split_q.word};

  // The packet ends other than with a word that is scanned: with its raw bytes, or its words have
  // all been taken before and are dropped.
  logic finished, close;
  assign finished = resume && !behind_q && complete_q;
  assign close = finished || resume_failed ||
      (drop && mine && (complete_q || (live && hand_q.last) || (load_fetched && s_axis_tlast)));

  logic [3:0] kept;  // of the word at the port
  always_comb begin
    kept = '0;
    for (int b = 0; b < 8; b++) kept = kept + 4'(s_axis_tkeep[b]);
    if (s_axis_tlast && s_axis_tuser) kept = '0;
  end

  logic fetched_q;
  logic [3:0] bytes_q;  // of the word that was taken last
  logic [12:0] bytes_index_q;
  assign more_valid = fetched_q;
  assign more_bytes = bytes_q;
  assign available = available_q;
  assign complete = complete_q && !fetched_q;

  always_ff @(posedge clk) begin
    // The register. It follows while nothing is in it: only whether something is hangs on the rest.
    if (load_live || load_replay) hand_valid_q <= 1'b1;
    else if (take || live || stop_first || close) hand_valid_q <= 1'b0;
    if (advance) begin
      split_q <= split_d;
      any_q <= |used;
      hand_q.first <= !from_history && !middle_q;
      hand_q.last <= from_history ? replay_word_q.last : s_axis_tlast;
      hand_q.aborted <= from_history ? replay_word_q.aborted : s_axis_tuser;
      hand_q.replayed <= from_history;
      hand_q.index <= from_history ? replay_index_q : index;
      hand_q.keep <= s_axis_tkeep;
      hand_q.tid <= s_axis_tid;
      hand_q.tstamp <= s_axis_tstamp;
    end

    // History.
    if (take_port) {bytes_q, bytes_index_q} <= {kept, index};
    fetched_q <= load_fetched;
    if (live || fetched_q) available_q <= {bytes_index_q, 3'd0} + 16'(bytes_q);
    if (live) begin
      taken_q <= hand_q.index + 13'd1;
      complete_q <= hand_q.last;
      aborted_q <= hand_q.last && hand_q.aborted;
    end else if (load_fetched) begin
      taken_q <= taken_q + 13'd1;
      complete_q <= s_axis_tlast;
      aborted_q <= s_axis_tlast && s_axis_tuser;
    end
    behind_q <= remains && (load_fetched ? resume_word != taken_q + 13'd1 : resume_word != taken_q);
    // They follow while nothing is replayed.
    if (!halted && advance) begin
      replay_index_q <= replay_next_q;
      replay_next_q  <= replay_next_q + 13'd1;
      replay_word_q  <= replay_data;
      replay_lanes_q <= replay_data.keep & {8{!(replay_data.last && replay_data.aborted)}};
    end
    if (halted) begin
      replay_index_q <= resume_word;
      replay_next_q  <= resume_word + 13'd1;
      replay_word_q  <= resume_data;
      replay_lanes_q <= resume_data.keep & {8{!(resume_data.last && resume_data.aborted)}} &
          (8'hff << resume_lane);
    end
    if (drop && mine) replay_q <= 1'b0;
    else if (load_replay) replay_q <= replay_next_q != taken_q;
    else if (stop) replay_q <= 1'b0;

    // The packet.
    if (take && starts) open_q <= 1'b1;
    if (drop && mine) pass_q <= 1'b1;
    if (take && hand_q.last || close) begin
      open_q <= 1'b0;
      pass_q <= 1'b0;
      if (open_q || starts) slot_q <= !slot_q;
    end
    if (stop_first && !drop) begin
      open_q <= 1'b1;
      slot_q <= packet;
    end
    if (rst || !enable) begin
      hand_valid_q <= 1'b0;
      open_q <= 1'b0;
      pass_q <= 1'b0;
      slot_q <= 1'b0;
      replay_q <= 1'b0;
      complete_q <= 1'b0;
      taken_q <= '0;
      behind_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------- elements
  // What of the packet's first header is to come.
  typedef enum logic [1:0] {
    MAP,  // the presence map is to come
    ID,   // the identifier is
    DONE
  } state_t;
  state_t state_q;

  logic scanned, first_bit6;

  fast_carry carry (
      .clk       (clk),
      .rst       (rst || !enable),
      .split     (split_q),
      .clear     (stop || (step && (passing || flush || hand_q.last))),
      .update    (take),
      .flush     (flush),
      .empty     (none_carried),
      .first_bit6(first_bit6),
      .flags     (push_flags),
      .elements  (push_elements)
  );

  assign scanned = step && any_q && !passing;
  // Flushed carried bytes are a single element.
  assign push = scanned && (!flush || state_q == DONE);
  assign push_count = flush ? 4'd1 : split_q.count;
  assign push_end = (take && hand_q.last && !passing) || finished || resume_failed;

  always_comb begin
    for (int k = 0; k < 8; k++) begin
      push_offsets[k] = {hand_q.index, 3'd0};
      for (int b = k; b < 8; b++) begin
        if (split_q.ends[k][b]) push_offsets[k] |= 16'(b);
      end
    end
  end

  // ------------------------------------------------------------------------------- header

  // Early: what a flush would change is not pushed then.
  logic skip_first, skip_second;
  always_comb begin
    skip_first = state_q != DONE && split_q.there[0];
    skip_second = state_q == MAP && first_bit6 && split_q.there[1];
    push_skip = {1'b0, skip_first} + {1'b0, skip_second};
    push_given = flush ? 8'd1 : split_q.there;
    push_given[0] = push_given[0] && state_q == DONE;
    push_given[1] = push_given[1] && !skip_second;
    take_map = scanned && state_q == MAP && (flush || split_q.there[0]);
    take_id_first = scanned && state_q == ID && (flush || split_q.there[0]);
    take_id_second = scanned && skip_second && !flush;
  end

  always_ff @(posedge clk) begin
    if (take_map) state_q <= first_bit6 && !take_id_second ? ID : DONE;
    else if (take_id_first) state_q <= DONE;
    if (take && hand_q.last || close) state_q <= MAP;
    if (stop_first && !drop) state_q <= DONE;
    if (rst || !enable) state_q <= MAP;
  end

  assign slot = slot_q;
  assign begins = take && starts;
  assign begins_tid = hand_q.tid;
  assign begins_tstamp = hand_q.tstamp;
  assign ends = finished || resume_failed ||
      (take && hand_q.last && (open_q || starts) && !passing);
  always_comb begin
    ends_left = |split_q.tail || (split_q.count == '0 && !none_carried);
    ends_aborted = hand_q.aborted;
    if (resume_failed) {ends_left, ends_aborted} = {1'b1, aborted_q};
    if (finished) {ends_left, ends_aborted} = 2'b00;
  end

  always_ff @(posedge clk) begin
    event_packet  <= live && hand_q.last;
    event_aborted <= live && hand_q.last && hand_q.aborted;
    if (rst) begin
      event_packet  <= 1'b0;
      event_aborted <= 1'b0;
    end
  end

endmodule
