// Queue between scanner and dispatch: 32 elements, up to eight in and up to eight out in a cycle.
//
// What dispatch decides on (flags) and the contents are apart. Flags are flip-flops, one set for each
// of the 32 places; contents are in eight banks (place modulo eight) of four. What is pushed in cycle
// a is in the window in a+1. Contents are not dispatched on: they are written in a+1, each bank from the
// lane that it was told in a, and what is written can be read in the same cycle. The window is places
// head to head+7, chosen by the registered head alone, one bit for each place. How many of them are
// valid is a register: both that follow, with and without what dispatch takes, are worked out while it
// decides, so that a cycle of dispatch is: decision, choice.
//
// How many become valid is exact; flags and contents are written to the places behind the tail whether
// there is an element for them or not, since with `room` these are free.
//
// Elements of two packets can be in the queue; the window shows those of the packet in hand, which are
// in front. `room` says that a word's elements fit, by what is there at the start of the cycle if
// nothing had been taken in the cycle before: it is a register.
// There is no overflow: the scanner pushes with `room` only. Not more may be popped than is valid.
//
// What decides where 1,200 bits of contents go has registers of its own beside each bank, which
// synthesis would take for one without `(* keep *)`.
module fast_queue (
    input logic clk,
    input logic rst,

    // A word's elements. `push_flags` without `valid`. Which of the two pushes it is, if any, is late.
    input logic push,  // what there is, but for what is skipped
    input logic push_single,  // instead: one element only, whatever there is; nothing is skipped
    input logic [2:0][3:0] push_counts,  // how many; without the first; without the first two
    // The first, if it is there, or the first two, as far as they are, are not for the queue; each bit
    // says the same.
    input logic [fast_scan_pkg::SKIPS-1:0] skip_first,
    input logic [fast_scan_pkg::SKIPS-1:0] skip_second,
    input logic push_packet,  // the packet they belong to
    input fast_pkg::flags_t [7:0] push_flags,
    input logic [7:0][7:0] push_ends,  // push_ends[k][b]: element k ends in lane b of the word
    input fast_pkg::queued_t push_first,  // element 0
    input fast_pkg::lane_element_t [7:0] push_lanes,  // the others, by the lane in which they end
    input logic [12:0] push_word,  // the word's number in the packet
    // The last word of packet `push_packet`: what is pushed from the next cycle on is of the other.
    input logic push_end,

    output logic [fast_scan_pkg::ROOMS-1:0] room,  // a word can be pushed; each bit says the same

    input logic packet,  // the packet in hand
    input logic packet_next,  // that of the next cycle; another behind a cycle without a pop
    input logic blank,  // nothing is valid in the next cycle
    output fast_pkg::flags_t [7:0] window,
    output fast_pkg::queued_t [7:0] banks,  // element i of the window is in bank `base` + i
    output logic [2:0] base,
    input logic [3:0] taken,  // 0 to 8, if
    input logic [7:0] last,  // the last of these elements, one bit for each
    input logic pops,  // they are popped: late
    input logic pops_two,  // instead: two are, whatever `taken` says: late
    // Forget this packet's elements; nothing is popped. If it has not ended, nothing is pushed.
    input logic drop,
    input logic drop_packet,
    input logic drop_ended,  // it has ended: `push_end` came for it

    output logic [15:0] popped_offset  // a cycle behind `pops`: the offset of the last byte popped
);
  import fast_pkg::*;
  import fast_scan_pkg::*;

  localparam int unsigned PLACES = 32;

  // A place and the lap of the ring.
  typedef logic [5:0] pointer_t;

  pointer_t tail_q, head_q;
  logic [7:0] tail_at_q;  // tail_q[2:0], one bit for each bank
  logic [PLACES-1:0] head_at_q;  // head_q[4:0], one bit for each place
  pointer_t [1:0] end_q;  // where each packet ended
  logic [ROOMS-1:0] room_q;

  // ------------------------------------------------------------------------------- push
  // Element k goes to the bank k behind that of the tail less those skipped.
  function automatic logic [7:0] begin_at(input logic [7:0] tail_at, input logic first,
                                          input logic second);
    for (int j = 0; j < 8; j++) begin
      begin_at[j] = second ? tail_at[(j+2)%8] : first ? tail_at[(j+1)%8] : tail_at[j];
    end
  endfunction

  logic [7:0] wrapped;  // banks below the tail's are of its next row
  logic [7:0] bank_write;
  logic [7:0][1:0] bank_row;
  flags_t [7:0] bank_flags;
  logic [3:0] count;  // of those for the queue
  // What follows a push, beside what does: whether there is one is known last.
  (* keep *)
  pointer_t tail_all, tail_single;
  pointer_t tail_d;
  logic [7:0] tail_at_all, tail_at_d;

  always_comb begin
    count = skip_second[0] ? push_counts[2] : skip_first[0] ? push_counts[1] : push_counts[0];
    tail_all = tail_q + pointer_t'(count);
    tail_single = tail_q + pointer_t'(1);
    tail_d = push ? tail_all : push_single ? tail_single : tail_q;
    // Turned by the number, with no carries: all that is kept beside the banks hangs on it.
    for (int j = 0; j < 8; j++) begin
      tail_at_all[j] = tail_at_q[3'(j)-count[2:0]];
      tail_at_d[j] = push ? tail_at_all[j] : push_single ? tail_at_q[(j+7)%8] : tail_at_q[j];
    end
    for (int j = 0; j < 8; j++) begin
      wrapped[j]  = 3'(j) < tail_q[2:0];
      bank_row[j] = tail_q[4:3] + 2'(wrapped[j]);
    end
  end

  flags_t [PLACES-1:0] flags_q;

  always_ff @(posedge clk) begin
    for (int j = 0; j < 8; j++) begin
      for (int r = 0; r < 4; r++) begin
        if (bank_row[j] == 2'(r) && bank_write[j]) flags_q[8*r+j] <= bank_flags[j];
      end
    end
  end

  // ------------------------------------------------------------------------------- how many
  typedef logic [5:0] count_t;  // 0 to PLACES

  // One more and some less, as one carry chain: bit by bit their sums and carries before it.
  function automatic count_t one_more(input count_t held, input logic [3:0] less);
    automatic count_t b = count_t'(1), c = ~count_t'(less);
    automatic count_t sums = held ^ b ^ c;
    automatic logic [4:0] carries = 5'((held & b) | (held & c) | (b & c));
    return sums + {carries, 1'b1};
  endfunction

  // Whether there is a push is known after how many it would be.
  function automatic count_t pushed(input count_t held, input logic all, input logic single,
                                    input logic [3:0] number);
    return all ? held + count_t'(number) : single ? held + count_t'(1) : held;
  endfunction

  // Of what a pop leaves, and one more than that.
  function automatic count_t popped(input count_t left, input count_t more, input logic all,
                                    input logic single, input logic [3:0] number);
    return all ? left + count_t'(number) : single ? more : left;
  endfunction

  // Elements 0 to 7 of the window are valid, as far as there are as many. No comparisons, of which
  // synthesis makes carry chains.
  function automatic logic [7:0] valid(input count_t held);
    valid = 8'hff;
    for (int n = 0; n < 8; n++) if (held == count_t'(n)) valid = 8'((9'd1 << n) - 9'd1);
  endfunction

  // WINDOW elements fit beside them: not more than 24.
  function automatic logic fits(input count_t held);
    return !(held[5] || held[4:3] == 2'b11 && held[2:0] != 3'd0);
  endfunction

  // Of the packet in hand and of the other: now, less what is dropped, without a pop.
  count_t hand_q, hand_kept, hand_stay, other_q, other_kept, other_stay;
  count_t taken_count, two_count;  // of that in hand, with a pop
  // What a pop leaves is there as soon as how many are pushed: by itself, or else synthesis adds all three at
  // once, behind a level of their sums and carries.
  (* keep *)
  count_t hand_left, hand_left_two, held_left, held_left_two;
  // All that the queue holds, dropped or not yet popped: there is room if it is not too much.
  count_t held_q, held_kept;
  logic [7:0] valid_q;
  logic [8:0] takes;  // `taken`, one bit for each number
  assign takes = {last, taken == 4'd0};
  logic all_hand, single_hand;  // pushed of the packet in hand
  logic leaves;  // it is another in the next cycle
  logic room_d;

  always_comb begin
    leaves = packet_next != packet;
    all_hand = push && push_packet == packet;
    single_hand = push_single && push_packet == packet;
    // If it has ended, what is pushed with its number is of the packet after the next.
    hand_kept = hand_q & {6{!(drop && drop_packet == packet)}};
    other_kept = other_q & {6{!(drop && drop_packet != packet)}};
    hand_stay = pushed(hand_kept, all_hand, single_hand, count);
    other_stay = pushed(other_kept, push && !all_hand, push_single && !single_hand, count);
    hand_left = hand_q - count_t'(taken);
    hand_left_two = hand_q - count_t'(2);
    held_left = held_q - count_t'(taken);
    held_left_two = held_q - count_t'(2);
    taken_count = popped(hand_left, one_more(hand_q, taken), all_hand, single_hand, count);
    two_count = popped(hand_left_two, hand_q - count_t'(1), all_hand, single_hand, count);
    // Behind a packet that is dropped is the other, if it has begun.
    held_kept = !drop ? held_q : drop_packet == packet ? other_q : hand_q;
    room_d = push ? fits(held_q + count_t'(count))
        : push_single ? fits(held_q + count_t'(1)) : fits(held_q);
  end

  always_ff @(posedge clk) begin
    hand_q <= leaves ? other_stay : pops_two ? two_count : pops ? taken_count : hand_stay;
    other_q <= leaves ? hand_stay : other_stay;
    held_q <= pops_two ? popped(held_left_two, held_q - count_t'(1), push, push_single, count)
        : pops ? popped(held_left, one_more(held_q, taken), push, push_single, count)
        : pushed(held_kept, push, push_single, count);
    valid_q <= pops_two ? valid(two_count) : pops ? valid(taken_count)
        : (leaves ? valid(other_stay) : valid(hand_stay)) & {8{!blank}};
    if (rst) begin
      hand_q <= '0;
      other_q <= '0;
      held_q <= '0;
      valid_q <= '0;
    end
  end

  // ------------------------------------------------------------------------------- window
  always_comb begin
    window = '0;
    for (int i = 0; i < 8; i++) begin
      for (int s = 0; s < PLACES; s++) begin
        if (head_at_q[s]) window[i] |= flags_q[(s+i)%PLACES];
      end
      window[i].valid = valid_q[i];
    end
  end

  pointer_t head_taken, head_two, head_stay;
  logic [PLACES-1:0] head_at_taken, head_at_stay;

  always_comb begin
    head_taken = head_q + pointer_t'(taken);
    head_two = head_q + pointer_t'(2);
    head_stay = !drop ? head_q : drop_ended ? end_q[drop_packet] : tail_q;
    for (int p = 0; p < PLACES; p++) begin
      // With no carries: the window hangs on it.
      head_at_taken[p] = 1'b0;
      for (int n = 0; n <= 8; n++) begin
        head_at_taken[p] |= takes[n] && head_at_q[(PLACES+p-n)%PLACES];
      end
      head_at_stay[p] = drop ? head_stay[4:0] == 5'(p) : head_at_q[p];
    end
  end

  assign room = room_q;
  for (genvar i = 0; i < ROOMS; i++) begin : gen_room
    (* keep *)
    always_ff @(posedge clk) room_q[i] <= room_d || rst;
  end
  assign base = head_q[2:0];

  always_ff @(posedge clk) begin
    tail_q <= tail_d;
    tail_at_q <= tail_at_d;
    if (push_end) end_q[push_packet] <= tail_d;
    head_q <= pops_two ? head_two : pops ? head_taken : head_stay;
    head_at_q <= pops_two ? {head_at_q[PLACES-3:0], head_at_q[PLACES-1:PLACES-2]}
        : pops ? head_at_taken : head_at_stay;
    if (rst) begin
      tail_q <= '0;
      tail_at_q <= 8'd1;
      head_q <= '0;
      head_at_q <= PLACES'(1);
    end
  end

  // ------------------------------------------------------------------------------- contents
  queued_t first_q;
  lane_element_t [7:0] lanes_q;
  logic [12:0] word_q;
  logic [2:0] first_stop, first_stop_q;  // the lane in which the first ends
  logic [7:0][15:0] bank_offsets;
  logic [2:0] popped_bank_q;
  logic [1:0] popped_row_q;
  // Each bank's of the head's window, and in the next cycle.
  logic [7:0][1:0] read_row_q, row_taken, row_two, row_stay;
  logic [7:0][2:0] at;  // where in the window the bank is
  logic [7:0] passed;  // its element is taken

  always_ff @(posedge clk) begin
    first_q <= push_first;
    lanes_q <= push_lanes;
    word_q  <= push_word;
    first_stop_q <= first_stop;
    {popped_row_q, popped_bank_q} <= head_taken[4:0] - 5'd1;
  end

  always_comb begin
    first_stop = '0;
    for (int b = 0; b < 8; b++) if (push_ends[0][b]) first_stop |= 3'(b);
    for (int j = 0; j < 8; j++) begin
      passed[j] = 1'b0;
      at[j] = 3'(j) - head_q[2:0];
      for (int n = 1; n <= 8; n++) passed[j] |= takes[n] && {1'b0, at[j]} < 4'(n);
      row_taken[j] = read_row_q[j] + 2'(passed[j]);
      row_two[j] = read_row_q[j] + 2'(at[j] < 3'd2);
      row_stay[j]  = drop ? head_stay[4:3] + 2'(3'(j) < head_stay[2:0]) : read_row_q[j];
    end
  end

  localparam int unsigned PARTS = 4;  // of the bytes, for the registers that choose among lanes

  // tail_at_q, and where the first goes: for the flags of half the banks, for the contents of two.
  logic [SKIPS-1:1][7:0] at_q, from;
  for (genvar i = 1; i < SKIPS; i++) begin : gen_at
    (* keep *)
    always_ff @(posedge clk) at_q[i] <= rst ? 8'd1 : tail_at_d;
    assign from[i] = begin_at(at_q[i], skip_first[i], skip_second[i]);
  end

  for (genvar j = 0; j < 8; j++) begin : gen_bank
    localparam int unsigned F = 1 + j / 4;
    localparam int unsigned C = 3 + j / 2;
    (* ram_style = "distributed" *) queued_t places[4];
    (* ram_style = "distributed" *) logic [15:0] offsets[4];
    logic [7:0] lane_d;  // the lane whose element the bank gets, unless it is the first
    logic [2:0] stop;  // the lane in which what it gets ends
    logic [PARTS-1:0][7:0] lane_q;
    logic [PARTS-1:0] first_here_q;
    logic write_q, forward_q;  // what is written is read
    logic [1:0] row_q;
    queued_t content;

    for (genvar i = 0; i < PARTS; i++) begin : gen_part
      (* keep *)
      always_ff @(posedge clk) lane_q[i] <= lane_d;
      (* keep *)
      always_ff @(posedge clk) first_here_q[i] <= from[C][j];
    end

    always_comb begin
      // All but the places before the tail, which those skipped would be in. What is not pushed is
      // written too: with room these places are free.
      bank_write[j] = room_q[1] && !(at_q[F][(j+1)%8] && skip_first[F]) &&
          !(at_q[F][(j+2)%8] && skip_second[F]);
      bank_flags[j] = '0;
      for (int k = 0; k < 8; k++) begin
        bank_flags[j] |= push_flags[k] & {$bits(flags_t) {from[F][(8+j-k)%8]}};
      end
      lane_d = '0;
      for (int b = 0; b < 8; b++) begin
        for (int k = 0; k <= b; k++) begin
          if (k > 0) lane_d[b] |= push_ends[k][b] && from[C][(8+j-k)%8];
        end
      end
    end

    always_ff @(posedge clk) begin
      write_q <= bank_write[j];
      forward_q <= bank_write[j] && !rst
          && bank_row[j] == (pops_two ? row_two[j] : pops ? row_taken[j] : row_stay[j]);
      row_q   <= bank_row[j];
    end

    // By itself, or else synthesis gives the memories registers of their own behind it.
    (* keep *)
    always_ff @(posedge clk) begin
      read_row_q[j] <= rst ? 2'd0 : pops_two ? row_two[j] : pops ? row_taken[j] : row_stay[j];
    end

    always_comb begin
      stop = first_here_q[0] ? first_stop_q : '0;
      for (int b = 1; b < 8; b++) if (lane_q[0][b]) stop |= 3'(b);
      content = first_q & {$bits(queued_t) {first_here_q[PARTS-1]}};
      for (int p = 0; p < 8; p++) begin
        content.element.bytes[8*p+:8] = first_q.element.bytes[8*p+:8]
            & {8{first_here_q[p*PARTS/8]}};
      end
      for (int b = 1; b < 8; b++) begin
        content.first |= lanes_q[b].first & {7{lane_q[PARTS-1][b]}};
        if (lane_q[PARTS-1][b]) content.element.length |= 5'(lanes_q[b].length);
        for (int p = 0; p < 8; p++) begin
          content.element.bytes[8*p+:8] |= lanes_q[b].bytes[8*p+:8] & {8{lane_q[p*PARTS/8][b]}};
        end
      end
    end

    always_ff @(posedge clk) begin
      if (write_q) begin
        places[row_q]  <= content;
        offsets[row_q] <= {word_q, stop};
      end
    end
    assign banks[j] = forward_q ? content : places[read_row_q[j]];
    assign bank_offsets[j] = offsets[popped_row_q];
  end

  assign popped_offset = bank_offsets[popped_bank_q];

endmodule
