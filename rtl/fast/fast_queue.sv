// Queue between scanner and dispatch: 32 elements, up to eight in and up to eight out in a cycle.
//
// What dispatch decides on (flags) and the contents are apart. Flags are flip-flops, one set for each
// of the 32 places; contents are in eight banks (place modulo eight) of four. What is pushed in cycle
// a is in the window in a+1. The window is places head to head+7, chosen by the registered head
// alone, so that a cycle of dispatch is: multiplexer, decision, next head.
//
// Elements of two packets can be in the queue; the window shows those of packet `packet`, which are
// in front. `room` says that a word's elements fit, by what is there at the start of the cycle.
// There is no overflow: the scanner pushes with `room` only. Not more may be popped than is valid.
module fast_queue (
    input logic clk,
    input logic rst,

    // A word's elements; the first `push_skip` are not for the queue. `push_flags` without `valid`.
    input logic push,
    input logic [3:0] push_count,  // 0 to 8, those skipped included
    input logic [1:0] push_skip,
    input logic [7:0] push_given,  // which are pushed, those skipped excluded
    input logic push_packet,  // the packet they belong to
    input fast_pkg::flags_t [7:0] push_flags,
    input fast_pkg::element_t [7:0] push_elements,
    input logic [7:0][15:0] push_offsets,  // of their last byte in the packet
    // The last word of packet `push_packet`: what is pushed from the next cycle on is of the other.
    input logic push_end,

    output logic room,  // a word can be pushed

    input  logic                     packet,  // the packet in hand
    input  logic                     ended,   // it has ended: `push_end` came for it
    output fast_pkg::flags_t   [7:0] window,
    output fast_pkg::element_t [7:0] banks,   // element i of the window is in bank `base` + i
    output logic               [2:0] base,
    input  logic               [3:0] pop,     // 0 to 8
    input  logic                     drop,    // forget the packet's elements; `pop` does not matter

    output logic [15:0] popped_offset  // a cycle behind a pop: the offset of the last byte popped
);
  import fast_pkg::*;

  localparam int unsigned PLACES = 32;

  // A place and the lap of the ring.
  typedef logic [5:0] pointer_t;

  pointer_t tail_q, head_q;
  // Copies of the head, for the loads that it has.
  (* keep *) logic [4:0] head_null_q, head_valid_q, head_rest_q;
  pointer_t [1:0] end_q;  // where each packet ended

  // ------------------------------------------------------------------------------- push
  logic [2:0] turn;  // the bank of the word's first element, were it pushed

  logic [7:0] wrapped;  // banks below the tail's are of its next row
  logic [7:0] bank_write;
  logic [7:0][1:0] bank_row;
  flags_t [7:0] bank_flags;
  pointer_t tail_d;

  always_comb begin
    turn = tail_q[2:0] - {1'b0, push_skip};

    for (int j = 0; j < 8; j++) begin
      wrapped[j] = 3'(j) < tail_q[2:0];
      bank_row[j] = tail_q[4:3] + 2'(wrapped[j]);
      bank_write[j] = push && push_given[3'(j)-turn];
      bank_flags[j] = push_flags[3'(j)-turn];
    end
    tail_d = push ? tail_q + pointer_t'(push_count) - pointer_t'(push_skip) : tail_q;
  end

  logic [PLACES-1:0] lap_q, of_packet_q;
  flags_t [PLACES-1:0] flags_q;

  always_ff @(posedge clk) begin
    for (int j = 0; j < 8; j++) begin
      for (int r = 0; r < 4; r++) begin
        if (bank_write[j] && bank_row[j] == 2'(r)) begin
          lap_q[8*r+j] <= tail_q[5] ^ (wrapped[j] && tail_q[4:3] == 2'd3);
          of_packet_q[8*r+j] <= push_packet;
          flags_q[8*r+j] <= bank_flags[j];
        end
      end
    end
    // No place is of this lap.
    if (rst) lap_q <= '1;
  end

  // ------------------------------------------------------------------------------- window
  always_comb begin
    for (int i = 0; i < 8; i++) begin
      logic lap, mine;
      lap = 1'b0;
      mine = 1'b0;
      window[i] = '0;
      // Places rotated by i, so that the head alone selects; a place that is reached by wrapping
      // belongs to the next lap.
      for (int s = 0; s < PLACES; s++) begin
        if (head_rest_q == 5'(s)) window[i] = flags_q[(s+i)%PLACES];
      end
      for (int s = 0; s < PLACES; s++) begin
        if (head_null_q == 5'(s)) window[i].is_null = flags_q[(s+i)%PLACES].is_null;
      end
      for (int s = 0; s < PLACES; s++) begin
        if (head_valid_q == 5'(s)) begin
          lap  = lap_q[(s+i)%PLACES] ^ (s + i >= PLACES ? 1'b1 : 1'b0);
          mine = of_packet_q[(s+i)%PLACES];
        end
      end
      window[i].valid = lap == head_q[5] && mine == packet;
    end
  end

  pointer_t head_d, count;

  assign head_d = drop ? (ended ? end_q[packet] : tail_d) : head_q + pointer_t'(pop);
  assign count = tail_q - head_q;
  assign room = count <= pointer_t'(PLACES - WINDOW);
  assign base = head_q[2:0];

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

  // ------------------------------------------------------------------------------- contents
  logic [7:0][15:0] bank_offsets;
  logic [2:0] popped_bank_q;
  logic [1:0] popped_row_q;
  logic [7:0][1:0] read_row;

  always_ff @(posedge clk) begin
    {popped_row_q, popped_bank_q} <= head_q[4:0] + 5'(pop) - 5'd1;
  end

  always_comb begin
    for (int j = 0; j < 8; j++) read_row[j] = head_q[4:3] + 2'(3'(j) < head_q[2:0]);
  end

  for (genvar j = 0; j < 8; j++) begin : gen_bank
    (* ram_style = "distributed" *) element_t places[4];
    (* ram_style = "distributed" *) logic [15:0] offsets[4];
    always_ff @(posedge clk) begin
      if (bank_write[j]) begin
        places[bank_row[j]]  <= push_elements[3'(j)-turn];
        offsets[bank_row[j]] <= push_offsets[3'(j)-turn];
      end
    end
    assign banks[j] = places[read_row[j]];
    assign bank_offsets[j] = offsets[popped_row_q];
  end

  assign popped_offset = bank_offsets[popped_bank_q];

endmodule
