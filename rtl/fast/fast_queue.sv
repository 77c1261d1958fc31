// Queue between scanner and dispatch: 32 elements, up to eight in and up to eight out in a cycle.
//
// What dispatch decides on (flags) and the contents are apart. Flags are flip-flops, one set for each
// of the 32 places; contents are in eight banks (place modulo eight) of four. What is pushed in cycle
// a is in the window in a+1. The window is places head to head+7, chosen by the registered head
// alone, one bit for each place, so that a cycle of dispatch is: AND and OR, decision, next head.
//
// Which places become valid is exact; flags and contents are written to the places behind the tail whether
// there is an element for them or not, since with `room` these are free.
//
// Elements of two packets can be in the queue; the window shows those of packet `packet`, which are
// in front. `room` says that a word's elements fit, by what is there at the start of the cycle.
// There is no overflow: the scanner pushes with `room` only. Not more may be popped than is valid.
//
// What decides where 1,200 bits of contents go has registers of its own beside each bank, which
// synthesis would take for one without `(* keep *)`.
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
    // Forget the packet's elements; `pop` does not matter. If it has not ended, nothing is pushed.
    input  logic                     drop,

    output logic [15:0] popped_offset  // a cycle behind a pop: the offset of the last byte popped
);
  import fast_pkg::*;

  localparam int unsigned PLACES = 32;

  // A place and the lap of the ring.
  typedef logic [5:0] pointer_t;

  pointer_t tail_q, head_q;
  logic [7:0] tail_at_q;  // tail_q[2:0], one bit for each bank
  logic [PLACES-1:0] head_at_q;  // head_q[4:0], one bit for each place
  pointer_t [1:0] end_q;  // where each packet ended
  // The tail, less one more than there may be for a word to fit: below the head, it does.
  localparam pointer_t SHORT = -pointer_t'(PLACES - WINDOW + 1);
  pointer_t short_q;

  // ------------------------------------------------------------------------------- push
  // Element k goes to the bank k behind that of the tail less those skipped.
  function automatic logic [7:0] begin_at(input logic [7:0] tail_at, input logic [1:0] skip);
    for (int j = 0; j < 8; j++) begin
      begin_at[j] = skip[1] ? tail_at[(j+2)%8] : skip[0] ? tail_at[(j+1)%8] : tail_at[j];
    end
  endfunction

  logic [7:0] wrapped;  // banks below the tail's are of its next row
  logic [7:0] first_at;  // the bank that the first element would go to
  logic [7:0] bank_write, bank_gets;
  logic [7:0][1:0] bank_row;
  flags_t [7:0] bank_flags;
  // What follows if there is a push, beside what does: whether there is one is known last.
  pointer_t tail_then, tail_d, short_then, short_d;
  logic [7:0] tail_at_then, tail_at_d;

  always_comb begin
    first_at  = begin_at(tail_at_q, push_skip);
    tail_then = tail_q + pointer_t'(push_count) - pointer_t'(push_skip);
    tail_d = push ? tail_then : tail_q;
    short_then = short_q + pointer_t'(push_count) - pointer_t'(push_skip);
    short_d = push ? short_then : short_q;
    // Turned by the count, with no carries: all that is kept beside the banks hangs on it.
    tail_at_then = '0;
    for (int j = 0; j < 8; j++) begin
      for (int n = 0; n < 8; n++) begin
        tail_at_then[j] |= push_count[2:0] == 3'(n) && first_at[(8+j-n)%8];
      end
    end
    tail_at_d = push ? tail_at_then : tail_at_q;
    for (int j = 0; j < 8; j++) begin
      wrapped[j]  = 3'(j) < tail_q[2:0];
      bank_row[j] = tail_q[4:3] + 2'(wrapped[j]);
    end
  end

  logic [PLACES-1:0] lap_q, of_packet_q;
  flags_t [PLACES-1:0] flags_q;

  always_ff @(posedge clk) begin
    for (int j = 0; j < 8; j++) begin
      for (int r = 0; r < 4; r++) begin
        if (bank_row[j] == 2'(r)) begin
          if (bank_gets[j]) lap_q[8*r+j] <= tail_q[5] ^ (wrapped[j] && tail_q[4:3] == 2'd3);
          if (bank_write[j]) begin
            of_packet_q[8*r+j] <= push_packet;
            flags_q[8*r+j] <= bank_flags[j];
          end
        end
      end
    end
    // No place is of this lap.
    if (rst) lap_q <= '1;
  end

  // ------------------------------------------------------------------------------- window
  // A place that is reached by wrapping belongs to the next lap.
  logic [PLACES-1:0] mine, mine_wrapped;

  always_comb begin
    for (int p = 0; p < PLACES; p++) begin
      mine[p] = lap_q[p] == head_q[5] && of_packet_q[p] == packet;
      mine_wrapped[p] = lap_q[p] != head_q[5] && of_packet_q[p] == packet;
    end
    window = '0;
    for (int i = 0; i < 8; i++) begin
      for (int s = 0; s < PLACES; s++) begin
        if (head_at_q[s]) window[i] |= flags_q[(s+i)%PLACES];
      end
      window[i].valid = 1'b0;
      for (int s = 0; s < PLACES; s++) begin
        window[i].valid |= head_at_q[s] &&
            (s + i >= PLACES ? mine_wrapped[(s+i)%PLACES] : mine[(s+i)%PLACES]);
      end
    end
  end

  // Either head, side by side: `drop` is late.
  pointer_t head_then, head_dropped, head_d, missing;
  logic [PLACES-1:0] head_at_d;

  always_comb begin
    head_then = head_q + pointer_t'(pop);
    head_dropped = ended ? end_q[packet] : tail_q;
    head_d = drop ? head_dropped : head_then;
    for (int p = 0; p < PLACES; p++) begin
      head_at_d[p] = drop ? head_dropped[4:0] == 5'(p) : head_then[4:0] == 5'(p);
    end
  end

  // Below 0: one chain, not a difference and then a comparison.
  assign missing = short_q - head_q;
  assign room = missing[5];
  assign base = head_q[2:0];

  always_ff @(posedge clk) begin
    tail_q <= tail_d;
    tail_at_q <= tail_at_d;
    short_q <= short_d;
    if (push_end) end_q[push_packet] <= tail_d;
    head_q <= head_d;
    head_at_q <= head_at_d;
    if (rst) begin
      tail_q <= '0;
      tail_at_q <= 8'd1;
      short_q <= SHORT;
      head_q <= '0;
      head_at_q <= PLACES'(1);
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

  typedef struct packed {
    logic [15:0] offset;
    element_t    element;
  } content_t;
  localparam int unsigned PARTS = 3;
  localparam int unsigned PART = $bits(content_t) / PARTS;

  for (genvar j = 0; j < 8; j++) begin : gen_bank
    (* ram_style = "distributed" *) element_t places[4];
    (* ram_style = "distributed" *) logic [15:0] offsets[4];
    logic [PARTS-1:0][7:0] at_q;  // tail_at_q, for each part of the content
    pointer_t short_beside_q, head_beside_q, missing_beside;
    logic [PARTS-1:0][7:0] from;
    content_t content, word;

    for (genvar i = 0; i < PARTS; i++) begin : gen_part
      (* keep *)
      always_ff @(posedge clk) at_q[i] <= rst ? 8'd1 : tail_at_d;
    end
    (* keep *)
    always_ff @(posedge clk) short_beside_q <= rst ? SHORT : short_d;
    (* keep *)
    always_ff @(posedge clk) head_beside_q <= rst ? '0 : head_d;

    always_comb begin
      for (int i = 0; i < PARTS; i++) from[i] = begin_at(at_q[i], push_skip);
      // All but the places before the tail, which those skipped would be in. What is not pushed is
      // written too: with room these places are free.
      missing_beside = short_beside_q - head_beside_q;
      bank_write[j]  = missing_beside[5] && !(at_q[0][(j+1)%8] && push_skip != 2'd0) &&
          !(at_q[0][(j+2)%8] && push_skip[1]);
      bank_gets[j] = 1'b0;
      bank_flags[j] = '0;
      content = '0;
      for (int k = 0; k < 8; k++) begin
        bank_gets[j] |= push && push_given[k] && from[0][(8+j-k)%8];
        bank_flags[j] |= push_flags[k] & {$bits(flags_t) {from[0][(8+j-k)%8]}};
        word = {push_offsets[k], push_elements[k]};
        for (int i = 0; i < PARTS; i++) begin
          content[PART*i+:PART] |= word[PART*i+:PART] & {PART{from[i][(8+j-k)%8]}};
        end
      end
    end

    always_ff @(posedge clk) begin
      if (bank_write[j]) begin
        places[bank_row[j]]  <= content.element;
        offsets[bank_row[j]] <= content.offset;
      end
    end
    assign banks[j] = places[read_row[j]];
    assign bank_offsets[j] = offsets[popped_row_q];
  end

  assign popped_offset = bank_offsets[popped_bank_q];

endmodule
