// Stage S: splits words into elements (MICROCODE.md §1.2, §6.2).
//
// A word is taken at the port into a register, with what fast_split finds in it. In the cycle that
// follows, or when there is room, it is scanned: cycle a of the specification. While it cannot be, one
// more waits in a second register, so that the port hangs on registers alone; words of the history come
// by way of that register, too. Its elements are in
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
    input  logic                    [fast_scan_pkg::ROOMS-1:0]      room,
    output logic                                                    push,
    output logic                    [                     2:0][3:0] push_counts,
    output logic                                                    push_single,
    output logic                    [fast_scan_pkg::SKIPS-1:0]      skip_first,
    output logic                    [fast_scan_pkg::SKIPS-1:0]      skip_second,
    output fast_pkg::flags_t        [                     7:0]      push_flags,
    output logic                    [                     7:0][7:0] push_ends,
    output fast_pkg::queued_t                                       push_first,
    output fast_pkg::element_t                                      push_second,
    output fast_pkg::lane_element_t [                     7:0]      push_lanes,
    output logic                    [                    12:0]      push_word,
    output logic                                                    push_end,

    // The header registers.
    output logic        slot,            // the packet that is scanned
    output logic        scans,           // it has begun
    output logic        begins,
    output logic [ 3:0] begins_tid,
    output logic [63:0] begins_tstamp,
    output logic        take_map,
    output logic        take_id_first,
    output logic        take_id_second,
    output logic        id_second,       // an identifier would be the second
    output logic        ends,
    output logic        ends_left,
    output logic        ends_aborted,
    input  logic [ 1:0] taken_slots,

    // Dispatch, a cycle ago.
    input logic packet,  // the packet in hand then
    input logic drop,    // its rest passes

    input logic halt,  // nothing is scanned: `stop`, or a drop of what is

    // Raw bytes: from `stop` on nothing is scanned, words come as far as needed, until `resume`.
    input logic stop_first,  // the first cycle of `stop`
    input logic stop,
    input logic halted,  // `stop` without `resume`
    input logic fetch,  // `words_needed` is known
    input logic [13:0] words_needed,
    input logic resume_next,  // a cycle ahead
    input logic resume,
    input logic resume_failed,  // the packet ends in the raw bytes
    input logic [12:0] resume_word,  // one cycle ahead, steady
    input logic [2:0] resume_lane,
    input logic drained,  // with `resume`: no byte is left of the words that came
    output logic [15:0] available,  // bytes of the packet, when stopped
    output logic more_valid,  // what comes more
    output logic [3:0] more_bytes,
    output logic complete,
    output logic history_write,
    output logic [5:0] history_index,
    output fast_scan_pkg::word_t history_word,
    // To scan again: the word that `replay_index` names.

    output logic                 [5:0] replay_index,
    input  fast_scan_pkg::word_t       replay_data,

    // Pulses.
    output logic event_packet,    // a packet was scanned or passed to its end
    output logic event_aborted,   // it ended with the mark
    output logic event_swallowed  // a packet was swallowed
);
  import fast_pkg::*;
  import fast_scan_pkg::*;

  localparam int unsigned BESIDE = 3;

  // ------------------------------------------------------------------------------- input
  logic middle_q, swallow_q;
  logic [12:0] index_q, index;  // of the word in the packet
  logic edge_q, edge_now;  // the preamble does not end before this word
  logic [4:0] passed_q, passed;  // words of the preamble to come, less one
  logic [7:0] lanes_q, first_lanes, later_lanes;  // of the next word: those behind the preamble
  logic swallow, take_port, load_fetched, load_replay, wait_first;
  logic offered;  // there is a word for the register, from the port or the history
  logic fetch_more;  // words are wanted for the raw bytes
  // The register is free, or what is in it leaves; the same for what comes behind it.
  logic advance, moves;
  logic replay_q, from_second;
  logic [BESIDE-1:0] from_beside_q;  // beside it: for hand_q, for each half of the word
  logic waits_q, waits_d;  // the second register has a word of the port
  logic ported;  // the port has one to be scanned
  word_t second_q;
  logic second_first_q;
  logic [3:0] second_tid_q;
  logic [63:0] second_tstamp_q;
  logic [7:0] second_lanes_q;  // of these, what is to be scanned

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

    for (int b = 0; b < 8; b++) begin
      word[8*b+:8] = from_beside_q[1+b/4] ? second_q.data[8*b+:8] : s_axis_tdata[8*b+:8];
      used[b] = from_beside_q[1+b/4] ? second_lanes_q[b] : s_axis_tkeep[b] && lanes_q[b];
    end
  end

  fast_split split_word (
      .word (word),
      .used (used),
      .split(split_d)
  );

  // Each by itself, not by way of `s_axis_tready`: much hangs on them.
  assign take_port = s_axis_tvalid && s_axis_tready;
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
    end
    if (rst) begin
      middle_q <= 1'b0;
      lanes_q <= first_lanes;
      event_swallowed <= 1'b0;
    end
    // What is in the middle when the engine is disabled is swallowed to its end.
    if (!enable) begin
      swallow_q <= 1'b1;
      lanes_q   <= first_lanes;
    end
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
  logic hand_valid_d, hand_valid_q;
  logic [ROOMS-1:0] hand_ready_q;  // beside it
  hand_t hand_q;
  split_t split_q;
  logic any_q;  // a lane of it is to be scanned: else nothing that `split_q` says counts

  logic open_q;  // the packet has begun
  logic slot_q, pass_q;
  logic slot_beside_q, slot_d;  // beside it, for `free`
  logic mine, free, passes, step, take, live, flush, none_carried, starts;
  (* keep *)
  logic [ROOMS-1:0] ready;  // it can be scanned, but for the room
  logic step_bytes;
  logic [12:0] taken_q;
  logic [15:0] available_q;
  logic complete_q, aborted_q;

  always_comb begin
    mine = open_q && slot_q == packet;
    free = !(hand_q.first && taken_slots[slot_beside_q]);
    for (int i = 0; i < ROOMS; i++) ready[i] = hand_ready_q[i] && !halt && free;
    passes = pass_q || !any_q;
    step = ready[0] && (passes || room[0]);
    step_bytes = ready[3] && (passes || room[3]);
    take = ready[0] && (passes || (room[0] && !flush));
    live = hand_valid_q && !hand_q.replayed && (take || stop);
    starts = any_q && !open_q;
  end

  // While raw bytes are read, words go from the port into the history, as far as they are needed.
  assign fetch_more = fetch && !drop && {1'b0, taken_q} < words_needed && !complete_q;
  assign advance = !hand_ready_q[0] || take || stop;
  assign moves = !hand_ready_q[3] || ready[3] && (passes || (room[3] && !flush)) || stop;
  assign wait_first = vectors && !middle_q && (hand_valid_q || taken_slots != '0);
  always_comb begin
    if (swallow) s_axis_tready = 1'b1;
    else if (halted) s_axis_tready = fetch_more;
    else s_axis_tready = !from_second && !wait_first;
  end

  // The word where scanning goes on is of the history. Only while stopped, as `replay_q` is only while
  // not: one of the two says where the next word comes from.
  logic behind_d, replay_d, from_second_q;
  logic
      not_taken,
      not_next;  // scanning goes on before the word to be taken next, or the one behind that
  logic remains;  // stopped in the next cycle too
  logic [12:0] second_index_q, replay_next_q;  // of `second_q`, of what is read
  logic [7:0] resume_lanes_q;

  logic finished, close, all_taken;

  assign finished = resume && drained && complete_q;
  assign from_second = from_second_q;
  assign load_replay = from_second && !waits_q && !(drop && mine) && !finished && (!stop || resume);
  assign ported = s_axis_tvalid && !swallow && !halted && !from_second && !wait_first;
  assign offered = load_replay || waits_q || ported;
  assign waits_d = (waits_q || ported) && !moves;
  assign remains = stop && !drop && !resume && !resume_failed;
  assign not_taken = resume_word != taken_q;
  assign not_next = resume_word != taken_q + 13'd1;
  assign replay_index = replay_next_q[5:0];
  // Before it is taken too: what it displaces is out of reach with the word in hand.
  // A cycle later than it is known: what is fetched is not asked for earlier.
  always_ff @(posedge clk) begin
    history_write <= (hand_valid_q && !hand_q.replayed) || load_fetched;
    history_index <= hand_valid_q ? hand_q.index[5:0] : index[5:0];
    history_word  <= hand_valid_q ? {hand_q.last, hand_q.aborted, hand_q.keep, split_q.word}
        : {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
    if (hand_valid_q ? hand_q.last && hand_q.aborted : s_axis_tlast && s_axis_tuser) begin
      history_word.keep <= '0;  // it is not scanned
    end
  end

  // The packet ends other than with a word that is scanned: with its raw bytes, or its words have
  // all been taken before and are dropped.
  assign close = finished || resume_failed || (drop && mine && all_taken);
  assign all_taken = hand_valid_q && !hand_q.replayed ? stop && hand_q.last : complete_q;

  logic [3:0] kept;  // of the word at the port
  always_comb begin
    kept = '0;
    for (int b = 0; b < 8; b++) begin
      kept = kept + 4'(s_axis_tkeep[b] && !(s_axis_tlast && s_axis_tuser));
    end
  end

  always_comb begin
    behind_d = remains && (load_fetched ? not_next : not_taken);
    replay_d = replay_q && !stop;
    if (drop && mine) replay_d = 1'b0;
    else if (load_replay && moves) replay_d = replay_next_q != taken_q;
  end

  logic from_second_d;
  assign hand_valid_d  = (advance ? offered : !close) && !rst && enable;
  assign from_second_d = (behind_d || replay_d || waits_d) && !rst && enable;
  // Both by themselves, which synthesis would take for one otherwise.
  (* keep *)
  always_ff @(posedge clk) hand_valid_q <= hand_valid_d;
  for (genvar i = 0; i < ROOMS; i++) begin : gen_ready
    (* keep *)
    always_ff @(posedge clk) hand_ready_q[i] <= hand_valid_d;
  end
  for (genvar i = 0; i < BESIDE; i++) begin : gen_beside
    (* keep *)
    always_ff @(posedge clk) from_beside_q[i] <= from_second_d;
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
    if (advance) begin
      split_q <= split_d;
      any_q <= |used && !(from_beside_q[0] ? second_q.last && second_q.aborted
          : s_axis_tlast && s_axis_tuser);
      hand_q.first <= from_beside_q[0] ? second_first_q : !middle_q;
      hand_q.last <= from_beside_q[0] ? second_q.last : s_axis_tlast;
      hand_q.aborted <= from_beside_q[0] ? second_q.aborted : s_axis_tuser;
      hand_q.replayed <= from_beside_q[0] && !waits_q;
      hand_q.index <= from_beside_q[0] ? second_index_q : index;
      hand_q.keep <= from_beside_q[0] ? second_q.keep : s_axis_tkeep;
      hand_q.tid <= from_beside_q[0] ? second_tid_q : s_axis_tid;
      hand_q.tstamp <= from_beside_q[0] ? second_tstamp_q : s_axis_tstamp;
    end

    // History.
    if (take_port) {bytes_q, bytes_index_q} <= {kept, index};
    fetched_q <= load_fetched;
    available_q <= {bytes_index_q, 3'd0} + 16'(bytes_q);
    // The word in hand counts already: it is taken, or stopped with.
    if (hand_valid_q && !hand_q.replayed) begin
      taken_q <= hand_q.index + 13'd1;
      complete_q <= hand_q.last;
      aborted_q <= hand_q.last && hand_q.aborted;
    end else if (load_fetched) begin
      taken_q <= taken_q + 13'd1;
      complete_q <= s_axis_tlast;
      aborted_q <= s_axis_tlast && s_axis_tuser;
    end
    // The second register: it follows the port or, while stopped, what is read of the history.
    if (halted || !from_second || moves) begin
      second_index_q <= halted || from_second ? replay_next_q : index;
      second_q <= halted || from_second ? replay_data
          : {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
      second_lanes_q <= halted ? replay_data.keep & resume_lanes_q
          : from_second ? replay_data.keep : s_axis_tkeep & lanes_q;
      second_first_q <= !halted && !from_second && !middle_q;
    end
    if (!from_second) begin
      second_tid_q <= s_axis_tid;
      second_tstamp_q <= s_axis_tstamp;
    end
    waits_q <= waits_d;
    if (halted) replay_next_q <= resume_next ? resume_word + 13'd1 : resume_word;
    else if (moves) replay_next_q <= replay_next_q + 13'd1;
    resume_lanes_q <= 8'hff << resume_lane;
    replay_q <= replay_d;
    from_second_q <= from_second_d;

    // The packet.
    if (take && starts) open_q <= 1'b1;
    if (drop && mine) pass_q <= 1'b1;
    if (take && hand_q.last || close) begin
      open_q <= 1'b0;
      pass_q <= 1'b0;
    end
    if (stop_first) begin
      open_q <= 1'b1;
    end
    if (rst || !enable) begin
      open_q <= 1'b0;
      pass_q <= 1'b0;
      replay_q <= 1'b0;
      waits_q <= 1'b0;
      complete_q <= 1'b0;
      taken_q <= '0;
    end
  end

  always_comb begin
    slot_d = slot_q ^ ((take && hand_q.last || close) && (open_q || starts));
    if (stop_first) slot_d = packet;
    if (rst || !enable) slot_d = 1'b0;
  end
  (* keep *)
  always_ff @(posedge clk) slot_q <= slot_d;
  (* keep *)
  always_ff @(posedge clk) slot_beside_q <= slot_d;

  // ------------------------------------------------------------------------------- elements
  // What of the packet's first header is to come.
  logic map_due_q, id_due_q, map_d, id_d, anew, anew_last;
  // For each of those that the queue's places hang on: either is to come; both are, of what comes first.
  logic [SKIPS-1:0] head_q, both_q;

  logic scanned, scanned_header;
  // Bit 6 of the first byte of what comes first; in the next cycle, behind a step and without one.
  logic first_bit6, bit6_step, bit6_stay;
  logic carries, carries_bit6;

  fast_carry carry (
      .clk         (clk),
      .rst         (rst || !enable),
      .split       (split_q),
      // A packet that is dropped may have no further word.
      .clear       (halt || (step && (pass_q || flush || hand_q.last))),
      .update      (step),
      .update_bytes(step_bytes),
      .flush       (flush),
      .empty       (none_carried),
      .first_bit6  (first_bit6),
      .carries     (carries),
      .carries_bit6(carries_bit6),
      .flags       (push_flags),
      .first       (push_first),
      .second      (push_second),
      .lanes       (push_lanes)
  );

  assign scanned = ready[1] && !passes && room[1];
  assign scanned_header = ready[2] && !passes && room[2];
  // Flushed carried bytes are a single element.
  assign push = scanned && !flush;
  assign push_single = scanned && flush && !map_due_q && !id_due_q;
  assign push_counts = split_q.counts;
  assign push_end = (take && hand_q.last && !pass_q) || finished || resume_failed;

  assign push_ends = split_q.ends;
  assign push_word = hand_q.index;
  assign id_second = map_due_q;

  // ------------------------------------------------------------------------------- header

  // Early: what a flush would change is not pushed then.
  always_comb begin
    for (int i = 0; i < SKIPS; i++) begin
      skip_first[i]  = head_q[i];
      skip_second[i] = both_q[i];
    end
    take_map = scanned_header && map_due_q && (flush || split_q.there[0]);
    take_id_first = scanned_header && id_due_q && (flush || split_q.there[0]);
    take_id_second = scanned_header && !flush && skip_second[0] && split_q.there[1];
  end

  // Behind the end of a packet there is another's header; where scanning goes on behind raw bytes is none.
  always_comb begin
    anew = rst || !enable || !stop_first && close;
    anew_last = hand_q.last && !stop_first;  // with `take`
    map_d = anew || take && anew_last || map_due_q && !stop_first && !take_map;
    id_d = !anew && !stop_first && !(take && hand_q.last)
        && (take_map ? first_bit6 && !take_id_second : id_due_q && !take_id_first);
    // Which word is in hand then, and what is carried in front of it.
    bit6_step = carries && !pass_q && !hand_q.last ? carries_bit6 : split_d.first_bit6;
    if (flush && !passes) bit6_step = split_q.first_bit6;
    bit6_stay = !hand_ready_q[0] || stop ? split_d.first_bit6 : split_q.first_bit6;
    if (!none_carried && !halt) bit6_stay = first_bit6;
  end
  // Both by themselves, for what hangs on them but the queue.
  (* keep *)
  always_ff @(posedge clk) begin
    map_due_q <= map_d;
    id_due_q  <= id_d;
  end
  for (genvar i = 0; i < SKIPS; i++) begin : gen_skip
    (* keep *)
    always_ff @(posedge clk) head_q[i] <= map_d || id_d;
    (* keep *)
    always_ff @(posedge clk) both_q[i] <= map_d && (step ? bit6_step : bit6_stay);
  end

  assign slot = slot_q;
  assign scans = open_q;
  assign begins = take && starts;
  assign begins_tid = hand_q.tid;
  assign begins_tstamp = hand_q.tstamp;
  assign ends = finished || resume_failed ||
      (take && hand_q.last && (open_q || starts) && !pass_q);
  always_comb begin
    ends_left = any_q && |split_q.tail || (!any_q || !split_q.there[0]) && !none_carried;
    ends_aborted = hand_q.aborted;
    if (resume_failed) {ends_left, ends_aborted} = {1'b1, aborted_q};
    if (finished) {ends_left, ends_aborted} = {1'b0, aborted_q};
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
