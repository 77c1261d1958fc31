// The stack of sequences and calls in progress.
//
// A sequence's frame is pushed before its length is known, which comes from stage Y (`length_*`), unless
// dispatch sees that it is 1 or has waited for it. The top tells whether it is known, and whether this
// element is the last. What would happen chooses the next top early; whether it does only enables the
// registers.
module fast_frames
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic                clear,
    input logic                does,        // what is said here, at most one of the four
    input logic                push,
    input logic                push_call,
    input logic [ROW_BITS-1:0] push_row,    // of the first element, or to return to
    input logic                push_known,
    input logic [        31:0] push_left,
    input logic                pop,         // the top; `pop_two` that and the one beneath
    input logic                pop_two,
    input logic                element,     // one element less

    input logic        length_valid,
    input logic [ 2:0] length_frame,
    input logic [31:0] length_value,
    input logic        length_one,    // if it has no operator: it is 1

    output logic [2:0] depth,
    output logic none,
    output logic full,
    output logic fill,  // with one more it is
    output logic top_loop,
    output logic top_call,
    output logic [ROW_BITS-1:0] top_row,
    output logic [3:0] top_done,  // this element is known to be the last; each bit says the same
    output logic soon_known,  // the same with a length that comes in this cycle
    output logic soon_last,
    // Beneath the top.
    output logic below_none,
    output logic below_call,
    output logic [ROW_BITS-1:0] below_row
);
  typedef struct packed {
    logic                call;
    logic                known;
    logic                last;   // one element is left
    logic [ROW_BITS-1:0] row;
  } frame_t;

  logic [3:0] depth_q, depth_d;
  logic none_q, fill_q, below_none_q, none_d, fill_d, below_none_d;
  // The top by itself; those beneath in arrays, where a push leaves it.
  frame_t top_q, below, third;
  logic [7:0] call_q, known_q, last_q;
  logic [ROW_BITS-1:0] row_q[8];
  logic [31:0] left_q[8];
  logic [2:0] at_q, below_q, third_q, at_d, below_d, third_d;
  logic [31:0] top_left_q, below_left;
  logic [3:0] top_done_q;
  logic top_done_d;
  logic two_q;  // of the top, a cycle ago: two elements are left
  logic arrives_top, arrives_below, changes, acts;
  logic spill_q, spill_told_q;
  logic [2:0] spill_at_q;
  frame_t spilled_q;
  logic [31:0] spilled_left_q;

  // By itself: dispatch hangs on it.
  (* keep *)
  logic full_q;
  (* keep *)
  always_ff @(posedge clk) full_q <= !rst && ((does || clear) ? depth_d[3] : full_q);

  assign depth = depth_q[2:0];
  assign none = none_q;
  assign full = full_q;
  assign fill = fill_q;
  assign top_loop = !none_q && !top_q.call;
  assign top_call = !none_q && top_q.call;
  assign top_row = top_q.row;
  assign top_done = top_done_q;
  assign arrives_top = length_valid && length_frame == at_q && !top_q.known;
  assign changes = push || pop || pop_two || element;
  assign acts = does && changes;
  assign soon_known = top_q.known || arrives_top;
  assign soon_last = top_q.known ? top_q.last : length_one;
  assign below_none = below_none_q;
  // A row that goes behind a length asks for it in the cycle after the push.
  assign below_call = !below_none_q && (spill_q ? spilled_q.call : below.call);
  assign below_row = spill_q ? spilled_q.row : below.row;
  // A sequence of one within the first row of another ends while the other's length comes.
  assign arrives_below = length_valid && length_frame == below_q;
  assign below = {
    call_q[below_q],
    known_q[below_q] || arrives_below,
    arrives_below ? length_one : last_q[below_q],
    row_q[below_q]
  };
  assign below_left = arrives_below ? length_value : left_q[below_q];
  assign third = {call_q[third_q], known_q[third_q], last_q[third_q], row_q[third_q]};

  // What would happen. The places move along with the depth, so that none is a sum of a sum.
  frame_t top_d;
  logic [31:0] top_left_d;
  always_comb begin
    depth_d = depth_q;
    {at_d, below_d, third_d} = {at_q, below_q, third_q};
    {none_d, below_none_d} = {none_q, below_none_q};
    fill_d = fill_q;
    top_d = top_q;
    top_left_d = top_left_q;
    if (push) begin
      depth_d = depth_q + 4'd1;
      {at_d, below_d, third_d} = {depth_q[2:0], at_q, below_q};
      {none_d, below_none_d} = {1'b0, none_q};
      fill_d = depth_q == 4'd6;
      top_d = '{call: push_call, known: push_known, last: push_left == 32'd1, row: push_row};
      top_left_d = push_left;
    end else if (pop_two) begin
      depth_d = depth_q - 4'd2;
      {at_d, below_d, third_d} = {third_q, third_q - 3'd1, third_q - 3'd2};
      {none_d, below_none_d} = {depth_q == 4'd2, depth_q <= 4'd3};
      fill_d = 1'b0;
      top_d = third;
      top_left_d = left_q[third_q];
    end else if (pop) begin
      depth_d = depth_q - 4'd1;
      {at_d, below_d, third_d} = {below_q, third_q, third_q - 3'd1};
      {none_d, below_none_d} = {below_none_q, depth_q <= 4'd2};
      fill_d = depth_q[3];
      top_d = below;
      top_left_d = below_left;
    end else if (element) begin
      top_d.last = two_q;
      top_left_d = top_left_q - 32'd1;
    end
    if (clear) begin
      depth_d = 4'd0;
      {at_d, below_d, third_d} = {3'd7, 3'd6, 3'd5};
      {none_d, below_none_d} = 2'b11;
      fill_d = 1'b0;
    end
  end

  // Whether anything happens is late: it only chooses.
  (* keep *)
  logic done_if, done_else;
  assign done_else = arrives_top ? length_one : top_q.known && top_q.last;
  assign done_if = changes ? top_d.known && top_d.last : done_else;
  assign top_done_d = does ? done_if : done_else;
  for (genvar i = 0; i < 4; i++) begin : gen_done
    (* keep *)
    always_ff @(posedge clk) top_done_q[i] <= top_done_d;
  end

  always_ff @(posedge clk) begin
    if (does || clear) begin
      depth_q <= depth_d;
      {at_q, below_q, third_q} <= {at_d, below_d, third_d};
      {none_q, below_none_q} <= {none_d, below_none_d};
      fill_q <= fill_d;
    end
    // An element ends two cycles or more behind the one before, or behind a push.
    two_q <= top_left_q == 32'd2;
    // What a push leaves goes into the arrays a cycle later: a pop is two cycles behind it or more.
    spill_q <= push && does;
    spill_at_q <= at_q;
    spill_told_q <= arrives_top;
    spilled_q <= top_q;
    spilled_left_q <= top_left_q;
    if (spill_q) begin
      {call_q[spill_at_q], row_q[spill_at_q]} <= {spilled_q.call, spilled_q.row};
      if (!spill_told_q) begin
        {known_q[spill_at_q], last_q[spill_at_q]} <= {spilled_q.known, spilled_q.last};
        left_q[spill_at_q] <= spilled_left_q;
      end
    end
    if (length_valid) begin
      known_q[length_frame] <= 1'b1;
      left_q[length_frame] <= length_value;
      last_q[length_frame] <= length_one;
    end
    if (arrives_top) two_q <= length_value == 32'd2;
    // Elements and pops wait for the length; what else follows a row does not.
    if (acts) begin
      top_q <= top_d;
      top_left_q <= top_left_d;
    end else if (arrives_top) begin
      top_q.last <= length_one;
      top_left_q <= length_value;
    end
    // No enables and no reset: all are late.
    top_q.known <= acts ? top_d.known : top_q.known || arrives_top;
    if (rst) begin
      spill_q <= 1'b0;
      depth_q <= 4'd0;
      {at_q, below_q, third_q} <= {3'd7, 3'd6, 3'd5};
      none_q <= 1'b1;
      fill_q <= 1'b0;
      below_none_q <= 1'b1;
    end
  end
endmodule
