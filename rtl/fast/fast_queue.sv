// Queue between scanner and dispatch: 32 elements, up to eight in and up to eight out in a cycle.
//
// What dispatch decides on (flags) and what stage A reads (content) are apart. Flags are flip-flops,
// one set for each of the 32 places; what is pushed in cycle a is in the window in a+1. The window
// is places head to head+7, chosen by the registered head alone, so that a cycle of dispatch is:
// multiplexer, decision, one of four heads computed beforehand. Contents are pushed a cycle behind
// their flags, into eight banks (place modulo eight) of four; the banks show those of the window of
// the cycle before, as stage A needs them: element i of that window is in bank `bank_first` + i.
//
// Elements of two packets can be in the queue; the window shows those of packet `packet`, which are
// in front. `room` says that a word's elements fit, by what is there at the start of the cycle.
// There is no overflow: the scanner pushes with `room` only. Neither may more be popped than is valid.
module fast_queue (
    input logic clk,
    input logic rst,

    // Flags of a word's elements; the first `push_skip` are not for the queue.
    input logic               push,
    input logic [  3:0]       push_count,     // 0 to 8, those skipped included
    input logic [  1:0]       push_skip,
    input logic               push_packet,    // the packet they belong to
    input logic [  7:0]       push_is_null,
    input logic [  7:0]       push_is_zero,
    input logic               push_more,      // of the first
    input logic               push_wide,      // of the first
    // Their content, a cycle later. Only the first is longer than seven bytes.
    input logic [127:0]       data_first,
    input logic [  6:0][55:0] data_others,
    input logic [  4:0]       length_first,
    input logic [  6:0][ 2:0] length_others,
    input logic [ 12:0]       data_word,      // the number of the word in the packet
    input logic [  7:0][ 2:0] data_end,       // the lane of each element's last byte

    // A word can be pushed.
    output logic room,

    // Dispatch: takes `pop_most` less `pop_less` elements. `pop_most` comes early in the cycle, the
    // other two as late as they like.
    input  logic                         packet,
    output fast_front_pkg::flags_t [7:0] window,
    input  logic                         pop,
    input  logic                   [3:0] pop_most,
    input  logic                   [1:0] pop_less,
    // Forget the elements of packet `packet`. Not together with `pop`.
    input  logic                         drop,
    // The last word of packet `push_packet` comes with this push or came: what is pushed from the
    // next cycle on is of another.
    input  logic                         push_end,
    input  logic                         ended,     // packet `packet` has ended
    output logic                   [2:0] first,     // the bank of window element 0

    // Stage A, the cycle behind.
    output logic                     [2:0] bank_first,
    output fast_front_pkg::element_t [7:0] bank
);
  import fast_front_pkg::*;

  // A place and the lap of the ring.
  typedef logic [5:0] pointer_t;

  pointer_t tail_q, head_q;
  // Copies of the head, for the loads that it has.
  (* keep *) logic [4:0] head_null_q, head_valid_q, head_rest_q;
  pointer_t [1:0] end_q;  // where each packet ended

  // ------------------------------------------------------------------------------- push, flags
  logic [2:0] turn;  // the bank of the word's first element, were it pushed
  logic [7:0] given, bank_given, bank_null, bank_zero, bank_wide;
  logic [1:0] row, row_next;
  pointer_t tail_d, pushed;

  always_comb begin
    turn = tail_q[2:0] - {1'b0, push_skip};
    for (int k = 0; k < 8; k++) given[k] = push_count > 4'(k) && 4'(push_skip) <= 4'(k);
    for (int j = 0; j < 8; j++) begin
      bank_given[j] = given[3'(j) - turn];
      bank_null[j]  = push_is_null[3'(j) - turn];
      bank_zero[j]  = push_is_zero[3'(j) - turn];
      bank_wide[j]  = turn == 3'(j);
    end
    pushed = pointer_t'(push_count) - pointer_t'(push_skip);
    tail_d = push ? tail_q + pushed : tail_q;
    row = tail_q[4:3];
    row_next = row + 2'd1;
  end

  logic [31:0] lap_q, packet_of_q, null_q, zero_q, more_q, wide_q;

  always_ff @(posedge clk) begin
    for (int j = 0; j < 8; j++) begin
      for (int r = 0; r < 4; r++) begin
        // Banks below the tail's are of its next row.
        if (push && bank_given[j] && 2'(r) == (3'(j) < tail_q[2:0] ? row_next : row)) begin
          lap_q[8*r+j] <= tail_q[5] ^ (3'(j) < tail_q[2:0] && row == 2'd3);
          packet_of_q[8*r+j] <= push_packet;
          null_q[8*r+j] <= bank_null[j];
          zero_q[8*r+j] <= bank_zero[j];
          more_q[8*r+j] <= push_more && bank_wide[j];
          wide_q[8*r+j] <= push_wide && bank_wide[j];
        end
      end
    end
    // No place is of this lap.
    if (rst) lap_q <= '1;
  end

  // ------------------------------------------------------------------------------- push, content
  logic [7:0] write_q;
  logic [7:0][1:0] write_row_q;
  logic [2:0] turn_q;
  logic first_more_q;
  logic [7:0] elements_null_q, elements_zero_q;

  always_ff @(posedge clk) begin
    write_q <= push ? bank_given : '0;
    for (int j = 0; j < 8; j++) write_row_q[j] <= 3'(j) < tail_q[2:0] ? row_next : row;
    turn_q <= turn;
    elements_null_q <= push_is_null;
    elements_zero_q <= push_is_zero;
    first_more_q <= push_more;
    if (rst) write_q <= '0;
  end

  element_t [7:0] elements;  // in the order of the word
  always_comb begin
    for (int k = 0; k < 8; k++) begin
      elements[k] = '0;
      elements[k].is_null = elements_null_q[k];
      elements[k].is_zero = elements_zero_q[k];
      elements[k].last = {data_word, data_end[k]};
    end
    elements[0].more = first_more_q;
    elements[0].length = length_first;
    elements[0].data = data_first;
    for (int k = 1; k < 8; k++) begin
      elements[k].length = {2'b00, length_others[k-1]};
      elements[k].data   = {72'd0, data_others[k-1]};
    end
  end

  // ------------------------------------------------------------------------------- window, pop
  always_comb begin
    for (int i = 0; i < 8; i++) begin
      logic lap, mine;
      lap  = 1'b0;
      mine = 1'b0;
      window[i] = '0;
      // Places rotated by i, so that the head alone selects; a place that is reached by wrapping
      // belongs to the next lap.
      for (int s = 0; s < 32; s++) begin
        if (head_valid_q == 5'(s)) begin
          lap  = lap_q[(s+i)%32] ^ (s + i >= 32 ? 1'b1 : 1'b0);
          mine = packet_of_q[(s+i)%32];
        end
        if (head_null_q == 5'(s)) window[i].is_null = null_q[(s+i)%32];
        if (head_rest_q == 5'(s)) begin
          window[i].is_zero = zero_q[(s+i)%32];
          window[i].more = more_q[(s+i)%32];
          window[i].wide = wide_q[(s+i)%32];
        end
      end
      window[i].valid = lap == head_q[5] && mine == packet;
    end
  end

  pointer_t head_d, rest;
  pointer_t [3:0] heads;

  always_comb begin
    for (int less = 0; less < 4; less++) begin
      heads[less] = head_q + pointer_t'(pop_most) - pointer_t'(less);
    end
    rest = !drop ? head_q : ended ? end_q[packet] : tail_d;
    head_d = pop ? heads[pop_less] : rest;
  end

  pointer_t count;
  assign count = tail_q - head_q;
  assign room = count <= pointer_t'(QUEUE - WINDOW);
  assign first = head_q[2:0];

  always_ff @(posedge clk) begin
    tail_q <= tail_d;
    if (push_end) end_q[push_packet] <= tail_d;
    head_q <= head_d;
    head_null_q <= head_d[4:0];
    head_valid_q <= head_d[4:0];
    head_rest_q <= head_d[4:0];
    if (rst) begin
      tail_q <= '0;
      head_q <= '0;
      head_null_q <= '0;
      head_valid_q <= '0;
      head_rest_q <= '0;
    end
  end

  // ------------------------------------------------------------------------------- stage A
  logic [7:0][1:0] read_row_q;

  always_ff @(posedge clk) begin
    bank_first <= head_q[2:0];
    for (int j = 0; j < 8; j++) begin
      read_row_q[j] <= head_q[4:3] + 2'(3'(j) < head_q[2:0]);
    end
  end

  for (genvar j = 0; j < 8; j++) begin : gen_bank
    (* ram_style = "distributed" *) element_t places[4];
    always_ff @(posedge clk) begin
      if (write_q[j]) places[write_row_q[j]] <= elements[3'(j)-turn_q];
    end
    assign bank[j] = places[read_row_q[j]];
  end

endmodule
