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

    // A word's elements. `push_flags` without `valid`.
    input logic push,
    input logic [3:0] push_count,  // 0 to 8, those skipped included
    input logic [7:0] push_there,  // push_there[k]: more than k
    input logic push_single,  // one element only, whatever there is; nothing is skipped
    // The first is, or the first two are, there but not for the queue; each bit says the same.
    input logic [fast_scan_pkg::SKIPS-1:0] skip_first,
    input logic [fast_scan_pkg::SKIPS-1:0] skip_second,
    input logic push_packet,  // the packet they belong to
    input fast_pkg::flags_t [7:0] push_flags,
    input logic [7:0][7:0] push_ends,  // push_ends[k][b]: element k ends in lane b of the word
    input fast_pkg::element_t push_first,  // element 0
    input fast_pkg::lane_element_t [7:0] push_lanes,  // the others, by the lane in which they end
    input logic [12:0] push_word,  // the word's number in the packet
    // The last word of packet `push_packet`: what is pushed from the next cycle on is of the other.
    input logic push_end,

    output logic room,  // a word can be pushed

    input logic packet,  // the packet in hand
    input logic packet_next,  // that of the next cycle; another behind a cycle without a pop
    input logic blank,  // nothing is valid in the next cycle
    output fast_pkg::flags_t [7:0] window,
    output fast_pkg::element_t [7:0] banks,  // element i of the window is in bank `base` + i
    output logic [2:0] base,
    input logic [3:0] taken,  // 0 to 8, if
    input logic pops,  // they are popped: late
    // Forget this packet's elements; nothing is popped. If it has not ended, nothing is pushed.
    input logic drop,
    input logic drop_packet,
    input logic drop_ended,  // it has ended: `push_end` came for it

    output logic [15:0] popped_offset  // a cycle behind a pop: the offset of the last byte popped
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
  logic room_q;

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
  // What follows if there is a push, beside what does: whether there is one is known last.
  pointer_t tail_then, tail_d;
  // The same for each number of those skipped, so that they are not chosen before they are added.
  (* keep *)
  pointer_t tail_none, tail_first, tail_second, tail_single;
  logic [7:0] tail_at_then, tail_at_d, tail_at_all;

  always_comb begin
    // Four ways side by side: which it is comes late.
    tail_none = tail_q + pointer_t'(push_count);
    tail_first = tail_q + pointer_t'(push_count) + '1;
    tail_second = tail_q + pointer_t'(push_count) + pointer_t'(-2);
    tail_single = tail_q + pointer_t'(1);
    if (push_single) tail_then = tail_single;
    else if (skip_second[0]) tail_then = tail_second;
    else if (skip_first[0]) tail_then = tail_first;
    else tail_then = tail_none;
    tail_d = push ? tail_then : tail_q;
    // Turned by the count, with no carries: all that is kept beside the banks hangs on it.
    tail_at_all = '0;
    for (int j = 0; j < 8; j++) begin
      for (int n = 0; n < 8; n++) begin
        tail_at_all[j] |= push_count[2:0] == 3'(n) && tail_at_q[(8+j-n)%8];
      end
    end
    for (int j = 0; j < 8; j++) begin
      tail_at_then[j] = push_single ? tail_at_q[(j+7)%8]
          : skip_second[0] ? tail_at_all[(j+2)%8]
          : skip_first[0] ? tail_at_all[(j+1)%8] : tail_at_all[j];
    end
    tail_at_d = push ? tail_at_then : tail_at_q;
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
  // there[m]: more than m.
  typedef logic [PLACES-1:0] there_t;

  function automatic there_t behind(input there_t there, input logic [7:0] more);
    for (int m = 0; m < PLACES; m++) begin
      behind[m] = there[m];
      for (int k = 0; k < 8; k++) begin
        behind[m] |= more[k] && (m <= k || there[(PLACES+m-k-1)%PLACES]);
      end
    end
  endfunction

  there_t [1:0] there_q, there_stay;  // of each packet; without a pop
  there_t there_less, there_popped;  // of the packet in hand without `taken`
  logic [7:0] pushed, valid_q, valid_stay;

  always_comb begin
    for (int k = 0; k < 8; k++) begin
      if (push_single) pushed[k] = k == 0;
      else if (skip_second[0]) pushed[k] = k < 6 && push_there[(k+2)%8];
      else if (skip_first[0]) pushed[k] = k < 7 && push_there[(k+1)%8];
      else pushed[k] = push_there[k];
      if (!push) pushed[k] = 1'b0;
    end
    there_less = '0;
    for (int n = 0; n <= 8; n++) begin
      if (taken == 4'(n)) there_less |= there_q[packet] >> n;
    end
    there_popped = behind(there_less, pushed & {8{push_packet == packet}});
    for (int p = 0; p < 2; p++) begin
      // If it has ended, what is pushed with its number is of the packet after the next.
      there_stay[p] = behind(drop && drop_packet == 1'(p) ? '0 : there_q[p],
                             pushed & {8{push_packet == 1'(p)}});
    end
    valid_stay = blank ? 8'd0 : there_stay[packet_next][7:0];
  end

  always_ff @(posedge clk) begin
    for (int p = 0; p < 2; p++) begin
      there_q[p] <= pops && packet == 1'(p) ? there_popped : there_stay[p];
    end
    valid_q <= pops ? there_popped[7:0] : valid_stay;
    if (rst) begin
      there_q <= '0;
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

  pointer_t head_taken, head_stay;
  logic [PLACES-1:0] head_at_taken, head_at_stay;

  always_comb begin
    head_taken = head_q + pointer_t'(taken);
    head_stay = !drop ? head_q : drop_ended ? end_q[drop_packet] : tail_q;
    for (int p = 0; p < PLACES; p++) begin
      head_at_taken[p] = head_taken[4:0] == 5'(p);
      head_at_stay[p]  = head_stay[4:0] == 5'(p);
    end
  end

  // Room for a word behind n elements more, n one less than those pushed: what is pushed is known
  // one by one.
  pointer_t held;
  logic [PLACES-1:0] lacks;  // lacks[n]: n + 1 elements more are too many to leave a word's room
  logic room_d;
  logic [2:0] lacks_skipped;

  always_comb begin
    held = tail_q - head_q;
    lacks = '0;
    for (int n = 0; n <= 8; n++) lacks[n] = held > pointer_t'(PLACES - WINDOW - n);
    lacks_skipped = '0;
    for (int k = 0; k < 8; k++) begin
      for (int s = 0; s <= 2; s++) begin
        if (k >= s) lacks_skipped[s] |= push_there[k] && lacks[k+1-s];
      end
    end
    // With a push, there was room.
    room_d = !lacks[0];
    if (push) begin
      if (push_single) room_d = !lacks[1];
      else if (skip_second[0]) room_d = !lacks_skipped[2];
      else if (skip_first[0]) room_d = !lacks_skipped[1];
      else room_d = !lacks_skipped[0];
    end
  end
  assign room = room_q;
  assign base = head_q[2:0];

  always_ff @(posedge clk) begin
    tail_q <= tail_d;
    tail_at_q <= tail_at_d;
    room_q <= room_d;
    if (push_end) end_q[push_packet] <= tail_d;
    head_q <= pops ? head_taken : head_stay;
    head_at_q <= pops ? head_at_taken : head_at_stay;
    if (rst) begin
      tail_q <= '0;
      tail_at_q <= 8'd1;
      room_q <= 1'b1;
      head_q <= '0;
      head_at_q <= PLACES'(1);
    end
  end

  // ------------------------------------------------------------------------------- contents
  element_t first_q;
  lane_element_t [7:0] lanes_q;
  logic [12:0] word_q;
  logic [2:0] first_stop, first_stop_q;  // the lane in which the first ends
  logic [7:0][15:0] bank_offsets;
  logic [2:0] popped_bank_q;
  logic [1:0] popped_row_q;
  logic [7:0][1:0] row_taken, row_stay;  // each bank's of the head's window, in the next cycle

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
      row_taken[j] = head_taken[4:3] + 2'(3'(j) < head_taken[2:0]);
      row_stay[j]  = head_stay[4:3] + 2'(3'(j) < head_stay[2:0]);
    end
  end

  localparam int unsigned PARTS = 2;  // of the bytes, for the registers that choose among lanes

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
    (* ram_style = "distributed" *) element_t places[4];
    (* ram_style = "distributed" *) logic [15:0] offsets[4];
    logic [7:0] lane_d;  // the lane whose element the bank gets, unless it is the first
    logic [2:0] stop;  // the lane in which what it gets ends
    logic [PARTS-1:0][7:0] lane_q;
    logic [PARTS-1:0] first_here_q;
    logic write_q, forward;
    logic [1:0] row_q, read_row_q;
    element_t content;

    for (genvar i = 0; i < PARTS; i++) begin : gen_part
      (* keep *)
      always_ff @(posedge clk) lane_q[i] <= lane_d;
      (* keep *)
      always_ff @(posedge clk) first_here_q[i] <= from[C][j];
    end

    always_comb begin
      // All but the places before the tail, which those skipped would be in. What is not pushed is
      // written too: with room these places are free.
      bank_write[j] = room_q && !(at_q[F][(j+1)%8] && skip_first[F]) &&
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
      row_q   <= bank_row[j];
      read_row_q <= pops ? row_taken[j] : row_stay[j];
      if (rst) read_row_q <= 2'd0;
    end

    always_comb begin
      stop = first_here_q[0] ? first_stop_q : '0;
      for (int b = 1; b < 8; b++) if (lane_q[0][b]) stop |= 3'(b);
      content = first_q & {$bits(element_t) {first_here_q[PARTS-1]}};
      for (int p = 0; p < 8; p++) begin
        content.bytes[8*p+:8] = first_q.bytes[8*p+:8] & {8{first_here_q[p*PARTS/8]}};
      end
      for (int b = 1; b < 8; b++) begin
        if (lane_q[PARTS-1][b]) content.length |= 5'(lanes_q[b].length);
        for (int p = 0; p < 8; p++) begin
          content.bytes[8*p+:8] |= lanes_q[b].bytes[8*p+:8] & {8{lane_q[p*PARTS/8][b]}};
        end
      end
      forward = write_q && row_q == read_row_q;
    end

    always_ff @(posedge clk) begin
      if (write_q) begin
        places[row_q]  <= content;
        offsets[row_q] <= {word_q, stop};
      end
    end
    assign banks[j] = forward ? content : places[read_row_q];
    assign bank_offsets[j] = offsets[popped_row_q];
  end

  assign popped_offset = bank_offsets[popped_bank_q];

endmodule
