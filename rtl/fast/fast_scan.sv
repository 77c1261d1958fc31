// Stage S: splits words into elements (MICROCODE.md §1.2, §6.2).
//
// A word is taken at the port into a register. In the cycle that follows, or when there is room, it is
// scanned: cycle a of the specification, in which it is decided that it is taken, and fast_split finds
// its entities. In a+1 they become elements and go to the queue or the header registers, where they are
// in a+2: nothing holds them there. While a word cannot be scanned, one more waits in a second register,
// so that the port hangs on registers alone; words of the history come by way of that register, too.
// Carried bytes that do not fit into an element with the word's first take a cycle before.
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
    output logic                                                    push_packet,
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

    output logic slot,    // the packet that is scanned
    output logic scans,   // it has begun
    output logic starts,  // it begins

    // The header registers, of packet `push_packet`.
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

    input logic halt_next,  // nothing is scanned in the next cycle: `stop`, or a drop of what is
    input logic halt,       // in this one
    input logic voids,      // what is scanned in this cycle is dropped

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

  // What decides whether carried bytes go first is worked out before the word is in hand.
  logic [63:0] used_bits;
  logic [7:0] reach;  // reach[n]: there are n + 1 bytes, and no stop bit in the first n
  logic [3:0] tail;  // bytes behind the last stop bit, if the packet goes on
  logic none;  // no stop bit
  always_comb begin
    logic [7:0] stop_bits;
    for (int b = 0; b < 8; b++) begin
      used_bits[8*b+:8] = {8{used[b]}};
      stop_bits[b] = used[b] && word[8*b+7];
    end
    none = stop_bits == '0;
    tail = '0;
    for (int b = 0; b < 8; b++) begin
      reach[b] = used[b] && (stop_bits & 8'((9'd1 << b) - 9'd1)) == '0;
      // It begins here, and goes to the end.
      if (used[b] && (stop_bits >> b) == '0 && (b == 0 || !used[(b+7)%8] || stop_bits[(b+7)%8])) begin
        tail |= 4'(8 - b);
      end
    end
  end

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
  logic hand_valid_d, hand_valid_q, hand_beside_q;
  logic [ROOMS-1:0] ready_q;  // it can be scanned, but for the room
  logic ready_d;
  hand_t hand_q;
  logic [63:0] word_q;
  logic [7:0] used_q;
  logic any_q;  // a lane of it is to be scanned
  logic [7:0] reach_q;
  logic [3:0] tail_q;
  logic none_q;

  logic open_q;  // the packet has begun
  logic slot_q, pass_q;
  logic slot_d;
  logic mine, passes, step, take, live, flush, anew;
  (* keep *)
  logic take_hand, take_word, take_second;  // `take`, beside it
  logic next_first, next_blocked;
  logic [12:0] taken_q;
  logic [15:0] available_q;
  logic complete_q, aborted_q;

  always_comb begin
    mine = open_q && slot_q == packet;
    passes = pass_q || !any_q;
    step = ready_q[0] && (passes || room[0]);
    take = ready_q[0] && (passes || (room[0] && !flush));
    take_hand = ready_q[1] && (passes || (room[1] && !flush));
    take_word = ready_q[2] && (passes || (room[2] && !flush));
    take_second = ready_q[3] && (passes || (room[3] && !flush));
    live = hand_valid_q && !hand_q.replayed && (take || stop);
    anew = any_q && !open_q;
  end

  // While raw bytes are read, words go from the port into the history, as far as they are needed.
  assign fetch_more = fetch && !drop && {1'b0, taken_q} < words_needed && !complete_q;
  assign advance = !hand_valid_q || take || stop;
  assign moves = !hand_beside_q || take_second || stop;
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
    history_word  <= hand_valid_q ? {hand_q.last, hand_q.aborted, hand_q.keep, word_q}
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
  // The first word of a packet waits for a slot, by what was taken a cycle before. If another packet ends in
  // this cycle it is the other slot.
  always_comb begin
    next_first = from_beside_q[0] ? second_first_q : !middle_q;
    next_blocked = next_first
        && ((take && hand_q.last || close) && (open_q || anew) ? taken_slots[!slot_q] : taken_slots[slot_q]);
    ready_d = hand_valid_d && !halt_next
        && !(advance ? next_blocked : hand_q.first && taken_slots[slot_q]);
  end
  // All by themselves, which synthesis would take for one otherwise.
  (* keep *)
  always_ff @(posedge clk) hand_valid_q <= hand_valid_d;
  (* keep *)
  always_ff @(posedge clk) hand_beside_q <= hand_valid_d;
  for (genvar i = 0; i < ROOMS; i++) begin : gen_ready
    (* keep *)
    always_ff @(posedge clk) ready_q[i] <= ready_d;
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
    if (!hand_beside_q || take_word || stop) begin
      word_q  <= word & used_bits;
      used_q  <= used;
      reach_q <= reach;
      tail_q  <= tail;
      none_q  <= none;
    end
    if (!hand_valid_q || take_hand || stop) begin
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
    if (take && anew) open_q <= 1'b1;
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
    slot_d = slot_q ^ ((take && hand_q.last || close) && (open_q || anew));
    if (stop_first) slot_d = packet;
    if (rst || !enable) slot_d = 1'b0;
  end
  always_ff @(posedge clk) slot_q <= slot_d;

  // ------------------------------------------------------------------------------- carried bytes
  // How many: what it hangs on whether they go first. The bytes themselves are kept a cycle behind.
  logic [4:0] carried_q, carried_d;
  logic [7:0] full_q;  // full_q[n]: n + 1 bytes more are too many
  logic clear;  // nothing is carried from here on

  assign flush = |(reach_q & full_q);
  assign carried_d = 5'(tail_q) + (none_q ? carried_q : 5'd0);
  // A packet that is dropped may have no further word.
  assign clear = halt || (step && (pass_q || flush || hand_q.last));
  always_ff @(posedge clk) begin
    if (step) begin
      carried_q <= carried_d;
      for (int n = 0; n < 8; n++) full_q[n] <= carried_d == 5'(16 - n);
    end
    if (clear || rst || !enable) begin
      carried_q <= '0;
      full_q <= '0;
    end
  end

  // ------------------------------------------------------------------------------- elements
  // A cycle behind: what was scanned, if anything was.
  typedef struct packed {
    logic step;      // it was looked at: its tail is carried,
    logic clear;     // or nothing is
    logic take;
    logic begins;
    logic last;      // with `take`: it was the packet's last
    logic ends;      // the packet ends in any way, and
    logic push_end;  // so do its elements
    logic finished;  // that with its raw bytes,
    logic failed;    // or in the middle of them
    logic close;
    logic stop_first;
  } done_t;
  done_t done, done_q;
  split_t split_d, split_q;
  logic scanned, push_q, flush_q, header_q, any_done_q, packet_q;
  logic [1:0] aborted_done_q;  // the word has the mark; the packet had
  logic [12:0] index_done_q;

  assign scanned = ready_q[1] && !passes && room[1] && !voids;
  always_comb begin
    done.step = step;
    done.clear = clear;
    done.take = take;
    done.begins = take && anew;
    done.last = hand_q.last;
    done.ends = finished || resume_failed || (take && hand_q.last && (open_q || anew) && !pass_q);
    done.push_end = (take && hand_q.last && !pass_q) || finished || resume_failed;
    done.finished = finished;
    done.failed = resume_failed;
    done.close = close;
    done.stop_first = stop_first;
  end

  fast_split split_word (
      .word (word_q),
      .used (used_q),
      .split(split_d)
  );

  always_ff @(posedge clk) begin
    split_q <= split_d;
    done_q <= done;
    push_q <= scanned && !flush;
    flush_q <= scanned && flush;
    header_q <= scanned;
    packet_q <= slot_q;
    any_done_q <= any_q;
    aborted_done_q <= {aborted_q, hand_q.aborted};
    index_done_q <= hand_q.index;
    begins_tid <= hand_q.tid;
    begins_tstamp <= hand_q.tstamp;
    if (rst || !enable) begin
      done_q <= '0;
      push_q <= 1'b0;
      flush_q <= 1'b0;
      header_q <= 1'b0;
    end
  end

  // What of the packet's first header is to come.
  logic map_due_q, id_due_q, map_d, id_d, restarts;
  // Beside it, for each of those that the queue's places hang on: the map is to come, or either.
  logic [SKIPS-1:0] map_q, head_q;
  logic first_bit6, none_carried;

  fast_carry carry (
      .clk       (clk),
      .rst       (rst || !enable),
      .split     (split_q),
      .clear     (done_q.clear),
      .update    (done_q.step),
      .flush     (flush_q),
      .empty     (none_carried),
      .first_bit6(first_bit6),
      .flags     (push_flags),
      .first     (push_first),
      .second    (push_second),
      .lanes     (push_lanes)
  );

  // Flushed carried bytes are a single element.
  assign push = push_q;
  assign push_single = flush_q && !map_due_q && !id_due_q;
  assign push_counts = split_q.counts;
  assign push_end = done_q.push_end;
  assign push_packet = packet_q;
  assign push_ends = split_q.ends;
  assign push_word = index_done_q;
  assign id_second = map_due_q;

  // ------------------------------------------------------------------------------- header

  // Early: what a flush would change is not pushed then.
  always_comb begin
    for (int i = 0; i < SKIPS; i++) begin
      skip_first[i]  = head_q[i];
      skip_second[i] = map_q[i] && first_bit6;
    end
    take_map = header_q && map_due_q && (flush_q || split_q.there[0]);
    take_id_first = header_q && id_due_q && (flush_q || split_q.there[0]);
    take_id_second = header_q && !flush_q && skip_second[0] && split_q.there[1];
  end

  // Behind the end of a packet there is another's header; where scanning goes on behind raw bytes is none.
  always_comb begin
    logic behind;
    behind = done_q.take && done_q.last;
    restarts = rst || !enable || !done_q.stop_first && done_q.close;
    map_d = restarts || behind && !done_q.stop_first || map_due_q && !done_q.stop_first && !take_map;
    id_d = !restarts && !done_q.stop_first && !behind
        && (take_map ? first_bit6 && !take_id_second : id_due_q && !take_id_first);
  end
  // Both by themselves, for what hangs on them but the queue.
  (* keep *)
  always_ff @(posedge clk) begin
    map_due_q <= map_d;
    id_due_q  <= id_d;
  end
  for (genvar i = 0; i < SKIPS; i++) begin : gen_skip
    (* keep *)
    always_ff @(posedge clk) map_q[i] <= map_d;
    (* keep *)
    always_ff @(posedge clk) head_q[i] <= map_d || id_d;
  end

  assign slot = slot_q;
  assign scans = open_q;
  assign starts = take && anew;
  assign begins = done_q.begins;
  assign ends = done_q.ends;
  always_comb begin
    ends_left = any_done_q && |split_q.tail
        || (!any_done_q || !split_q.there[0]) && !none_carried;
    ends_aborted = aborted_done_q[0];
    if (done_q.failed) {ends_left, ends_aborted} = {1'b1, aborted_done_q[1]};
    if (done_q.finished) {ends_left, ends_aborted} = {1'b0, aborted_done_q[1]};
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
