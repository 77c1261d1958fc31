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
    output logic                    [                     3:0]      push_count,
    output logic                    [                     3:0]      push_hand_count,
    output logic                    [                     3:0]      push_other_count,
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
    input logic packet_next,  // that of the next cycle

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

  localparam int unsigned BESIDE = 4;

  // ------------------------------------------------------------------------------- input
  logic middle_q, swallow_q;
  logic [12:0] index_q, index;  // of the word in the packet
  logic edge_q, edge_now;  // the preamble does not end before this word
  logic more_q, one_q;  // more than one word of it is to come, the one at the port with it; one is
  logic [4:0] passed_q, passed;  // words of the preamble to come, less one
  logic [7:0] lanes_q, first_lanes, later_lanes;  // of the next word: those behind the preamble
  logic swallow, take_port, load_fetched, load_replay, wait_first;
  logic offered;  // there is a word for the register, from the port or the history
  logic fetch_more;  // words are wanted for the raw bytes
  // The register is free, or what is in it leaves; the same for what comes behind it.
  logic advance, moves;
  logic replay_q, from_second;
  logic [BESIDE-1:0] from_beside_q;  // beside it: for hand_q, for each half of the word, for the second register
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
    if (more_q) later_lanes = '0;
    if (one_q) later_lanes = 8'hff << preamble[2:0];

    for (int b = 0; b < 8; b++) begin
      word[8*b+:8] = from_beside_q[1+b/4] ? second_q.data[8*b+:8] : s_axis_tdata[8*b+:8];
      used[b] = from_beside_q[1+b/4] ? second_lanes_q[b] : s_axis_tkeep[b] && lanes_q[b];
    end
  end

  // How many of four bits are set: a table for each bit instead of an adder.
  function automatic logic [2:0] number_of(logic [3:0] bits);
    case (bits)
      4'b0000:                            return 3'd0;
      4'b0001, 4'b0010, 4'b0100, 4'b1000: return 3'd1;
      4'b0111, 4'b1011, 4'b1101, 4'b1110: return 3'd3;
      4'b1111:                            return 3'd4;
      default:                            return 3'd2;
    endcase
  endfunction

  // A bit of the sum of two such numbers, less none, one or two: a table, too.
  function automatic logic [2:0][3:0][63:0] sums();
    for (int less = 0; less < 3; less++) begin
      for (int n = 0; n < 64; n++) begin
        automatic int sum = n / 8 + n % 8;
        automatic logic [3:0] rest = sum > less ? 4'(sum - less) : 4'd0;
        for (int i = 0; i < 4; i++) sums[less][i][n] = rest[i];
      end
    end
  endfunction
  localparam logic [2:0][3:0][63:0] COUNTS = sums();

  // What decides whether carried bytes go first is worked out before the word is in hand.
  logic [63:0] used_bits;
  logic [7:0] reach;  // reach[n]: there are n + 1 bytes, and no stop bit in the first n
  logic [3:0] tail;  // bytes behind the last stop bit, if the packet goes on
  logic none, two;  // no stop bit; two or more
  logic bit6, tail6;  // bit 6 of the first byte, and of the first of the tail
  logic [7:0] stop_bits;
  logic [2:0] low, high;  // stop bits in lanes 0 to 3, and in the others
  always_comb begin
    for (int b = 0; b < 8; b++) begin
      used_bits[8*b+:8] = {8{used[b]}};
      stop_bits[b] = used[b] && word[8*b+7];
    end
    none = stop_bits == '0;
    low = number_of(stop_bits[3:0]);
    high = number_of(stop_bits[7:4]);
    two = low[2:1] != 2'd0 || high[2:1] != 2'd0 || low[0] && high[0];
    tail = '0;
    {bit6, tail6} = '0;
    for (int b = 0; b < 8; b++) begin
      reach[b] = used[b] && (stop_bits & 8'((9'd1 << b) - 9'd1)) == '0;
      // It begins here, and goes to the end.
      if (used[b] && (stop_bits >> b) == '0 && (b == 0 || !used[(b+7)%8] || stop_bits[(b+7)%8])) begin
        tail |= 4'(8 - b);
        tail6 |= word[8*b+6];
      end
      bit6 |= used[b] && (b == 0 || !used[(b+7)%8]) && word[8*b+6];
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
      more_q    <= s_axis_tlast ? preamble[7:3] > 5'd1 : edge_now && passed > 5'd2;
      one_q     <= s_axis_tlast ? preamble[7:3] == 5'd1 : edge_now && passed == 5'd2;
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
      more_q    <= preamble[7:3] > 5'd1;
      one_q     <= preamble[7:3] == 5'd1;
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
  logic [7:0] stop_q, reach_q;
  logic [3:0] tail_q;
  logic none_q, two_q, bit6_q, tail6_q;
  logic [7:0] full_q;  // full_q[n]: with n + 1 bytes more than are carried they are too many
  logic [2:0] low_q, high_q;

  logic open_q;  // the packet has begun
  logic slot_q, pass_q;
  logic slot_d;
  logic mine, passes, step, take, live, flush, anew;
  // Of `flush`: two of its reaches each. `take` is chosen of them for each that hangs on it.
  (* keep *)
  logic [3:0] full_here;
  logic [ROOMS-1:0] takes;
  logic next_first, next_blocked;
  logic [12:0] taken_q, behind_q;  // words that were taken, and one more
  logic [15:0] available_q;
  logic complete_q, aborted_q;

  always_comb begin
    mine = open_q && slot_q == packet;
    passes = pass_q || !any_q;
    step = ready_q[0] && (passes || room[0]);
    for (int i = 0; i < 4; i++) full_here[i] = |(reach_q[2*i+:2] & full_q[2*i+:2]);
    flush = full_here != '0;
    for (int i = 0; i < ROOMS; i++) begin
      takes[i] = ready_q[i] && passes || ready_q[i] && room[i] && full_here == '0;
    end
    take = takes[0];
    live = hand_valid_q && !hand_q.replayed && (take || stop);
    anew = any_q && !open_q;
  end

  // While raw bytes are read, words go from the port into the history, as far as they are needed.
  assign fetch_more = fetch && !drop && {1'b0, taken_q} < words_needed && !complete_q;
  assign advance = !hand_valid_q || take || stop;
  assign moves = !hand_beside_q || takes[3] || stop;
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
  assign not_next = resume_word != behind_q;
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
  assign hand_valid_d  = (advance ? offered : !close) && enable;
  assign from_second_d = (behind_d || replay_d || waits_d) && enable;
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
  (* keep *)
  always_ff @(posedge clk) from_second_q <= from_second_d;
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
    if (!hand_beside_q || takes[2] || stop) begin
      word_q  <= word & used_bits;
      used_q  <= used;
      stop_q  <= stop_bits;
      reach_q <= reach;
      tail_q  <= tail;
      none_q  <= none;
      two_q   <= two;
      bit6_q  <= bit6;
      tail6_q <= tail6;
      low_q   <= low;
      high_q  <= high;
    end
    if (!hand_valid_q || takes[1] || stop) begin
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
      behind_q <= hand_q.index + 13'd2;
      complete_q <= hand_q.last;
      aborted_q <= hand_q.last && hand_q.aborted;
    end else if (load_fetched) begin
      taken_q <= behind_q;
      behind_q <= behind_q + 13'd1;
      complete_q <= s_axis_tlast;
      aborted_q <= s_axis_tlast && s_axis_tuser;
    end
    // The second register: it follows the port or, while stopped, what is read of the history.
    if (halted || !from_beside_q[3] || moves) begin
      second_index_q <= halted || from_beside_q[3] ? replay_next_q : index;
      second_q <= halted || from_beside_q[3] ? replay_data
          : {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
      second_lanes_q <= halted ? replay_data.keep & resume_lanes_q
          : from_beside_q[3] ? replay_data.keep : s_axis_tkeep & lanes_q;
      second_first_q <= !halted && !from_beside_q[3] && !middle_q;
    end
    if (!from_beside_q[3]) begin
      second_tid_q <= s_axis_tid;
      second_tstamp_q <= s_axis_tstamp;
    end
    waits_q <= waits_d;
    if (halted) replay_next_q <= resume_next ? resume_word + 13'd1 : resume_word;
    else if (moves) replay_next_q <= replay_next_q + 13'd1;
    resume_lanes_q <= 8'hff << resume_lane;
    replay_q <= replay_d;

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
    if (!enable) begin
      open_q <= 1'b0;
      pass_q <= 1'b0;
      replay_q <= 1'b0;
      waits_q <= 1'b0;
      complete_q <= 1'b0;
      taken_q <= '0;
      behind_q <= 13'd1;
    end
  end

  always_comb begin
    slot_d = slot_q ^ ((take && hand_q.last || close) && (open_q || anew));
    if (stop_first) slot_d = packet;
    if (!enable) slot_d = 1'b0;
  end
  always_ff @(posedge clk) slot_q <= slot_d;

  // ------------------------------------------------------------------------------- carried bytes
  // How many: what it hangs on whether they go first. The bytes themselves are kept a cycle behind.
  logic [4:0] carried_q, carried_d;
  logic some_q, carried6_q;  // there are any; bit 6 of the first
  logic clear;  // nothing is carried from here on

  assign carried_d = 5'(tail_q) + (none_q ? carried_q : 5'd0);
  // A packet that is dropped may have no further word.
  assign clear = halt || (step && (pass_q || flush || hand_q.last));
  always_ff @(posedge clk) begin
    if (step) begin
      carried_q <= carried_d;
      for (int n = 0; n < 8; n++) full_q[n] <= carried_d == 5'(16 - n);
      some_q <= carried_d != '0;
      if (!none_q || !some_q) carried6_q <= tail6_q;
    end
    if (clear || !enable) begin
      carried_q <= '0;
      full_q <= '0;
      some_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------- elements
  // What of the packet's first header is to come.
  logic map_due_q, id_due_q, map_d, id_d, restarts, behind, scanned;
  logic first_bit6, skips, skips_two;  // the first element is not for the queue, or the first two are not
  logic take_map_d, take_second_d;
  assign scanned = ready_q[1] && !passes && room[1] && !voids;
  assign first_bit6 = some_q ? carried6_q : bit6_q;
  // Early: what a flush would change is not pushed then.
  assign skips = map_due_q || id_due_q;
  assign skips_two = map_due_q && first_bit6;
  assign take_map_d = scanned && map_due_q && (flush || !none_q);
  assign take_second_d = scanned && !flush && skips_two && two_q;
  // Behind the end of a packet there is another's header; where scanning goes on behind raw bytes is none.
  always_comb begin
    behind = take && hand_q.last;
    restarts = !enable || !stop_first && close;
    map_d = restarts || behind && !stop_first || map_due_q && !stop_first && !take_map_d;
    id_d = !restarts && !stop_first && !behind
        && (take_map_d ? first_bit6 && !take_second_d
            : id_due_q && !(scanned && (flush || !none_q)));
  end
  always_ff @(posedge clk) begin
    map_due_q <= map_d;
    id_due_q  <= id_d;
  end

  // How many are for the queue: a table of the stop bits in either half, less those of the header; of a
  // flush one, if it is for the queue.
  logic [3:0] count_d;
  always_comb begin
    logic [2:0][3:0] counts;
    for (int less = 0; less < 3; less++) begin
      for (int i = 0; i < 4; i++) counts[less][i] = COUNTS[less][i][{high_q, low_q}];
    end
    count_d = skips_two ? counts[2] : skips ? counts[1] : counts[0];
    count_d = count_d & {4{scanned && !flush}} | 4'(scanned && flush && !skips);
  end

  // A cycle behind: what was scanned, if anything was.
  typedef struct packed {
    logic step;      // it was looked at: its tail is carried,
    logic clear;     // or nothing is
    logic begins;
    logic ends;      // the packet ends in any way, and
    logic push_end;  // so do its elements
    logic finished;  // that with its raw bytes,
    logic failed;    // or in the middle of them
    logic take_map;
    logic take_id_first;
    logic take_id_second;
    logic id_second;
  } done_t;
  done_t done, done_q;
  split_t split_d, split_q;
  logic scanned_q, flush_q, any_done_q, packet_q;
  logic [3:0] count_q, hand_count_q, other_count_q;
  logic [SKIPS-1:0] skip_first_q, skip_second_q;
  logic none_carried;
  logic [1:0][7:0] first_at_q;  // beside split_q, for what is wide
  logic [1:0] aborted_done_q;  // the word has the mark; the packet had
  logic [12:0] index_done_q;

  always_comb begin
    done.step = step;
    done.clear = clear;
    done.begins = take && anew;
    done.ends = finished || resume_failed || (take && hand_q.last && (open_q || anew) && !pass_q);
    done.push_end = (take && hand_q.last && !pass_q) || finished || resume_failed;
    done.finished = finished;
    done.failed = resume_failed;
    done.take_map = take_map_d;
    done.take_id_first = scanned && id_due_q && (flush || !none_q);
    done.take_id_second = take_second_d;
    done.id_second = map_due_q;
  end

  fast_split split_word (
      .word (word_q),
      .used (used_q),
      .stop (stop_q),
      .split(split_d)
  );

  always_ff @(posedge clk) begin
    split_q <= split_d;
    done_q <= done;
    scanned_q <= scanned;
    flush_q <= scanned && flush;
    count_q <= count_d;
    hand_count_q <= count_d & {4{slot_q == packet_next}};
    other_count_q <= count_d & {4{slot_q != packet_next}};
    packet_q <= slot_q;
    any_done_q <= any_q;
    aborted_done_q <= {aborted_q, hand_q.aborted};
    index_done_q <= hand_q.index;
    begins_tid <= hand_q.tid;
    begins_tstamp <= hand_q.tstamp;
    if (!enable) begin
      done_q <= '0;
      scanned_q <= 1'b0;
      flush_q <= 1'b0;
      count_q <= '0;
      hand_count_q <= '0;
      other_count_q <= '0;
    end
  end
  for (genvar i = 0; i < 2; i++) begin : gen_first
    (* keep *)
    always_ff @(posedge clk) first_at_q[i] <= split_d.ends[0];
  end
  // Once for each of those that the queue's places hang on.
  for (genvar i = 0; i < SKIPS; i++) begin : gen_skip
    (* keep *)
    always_ff @(posedge clk) skip_first_q[i] <= skips;
    (* keep *)
    always_ff @(posedge clk) skip_second_q[i] <= skips_two;
  end

  fast_carry carry (
      .clk       (clk),
      .rst       (!enable),
      .split     (split_q),
      .first_at  (first_at_q),
      .clear     (done_q.clear),
      .update    (done_q.step),
      .flush     (flush_q),
      .empty     (none_carried),
      .flags     (push_flags),
      .first     (push_first),
      .second    (push_second),
      .lanes     (push_lanes)
  );

  assign push = scanned_q;
  assign push_count = count_q;
  assign push_hand_count = hand_count_q;
  assign push_other_count = other_count_q;
  assign push_end = done_q.push_end;
  assign push_packet = packet_q;
  assign push_ends = split_q.ends;
  assign push_word = index_done_q;
  assign skip_first = skip_first_q;
  assign skip_second = skip_second_q;
  assign {take_map, take_id_first, take_id_second, id_second} = {
    done_q.take_map, done_q.take_id_first, done_q.take_id_second, done_q.id_second
  };
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
