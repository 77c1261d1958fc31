// The stack of sequences and calls in progress.
//
// A sequence's frame is pushed before its length is known; that comes from stage Y (`length_*`). The
// top tells whether it is known, and whether this element is the last.
module fast_frames
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic                clear,
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

    output logic [         2:0] depth,
    output logic                none,
    output logic                full,
    output logic                top_loop,
    output logic                top_call,
    output logic [ROW_BITS-1:0] top_row,
    output logic                top_known,
    output logic                top_last,
    output logic                ends_soon,   // as `top_last`, also while the length comes
    // Beneath the top.
    output logic                below_none,
    output logic                below_call,
    output logic [ROW_BITS-1:0] below_row
);
  logic [3:0] depth_q, depth_d;
  logic none_q, below_none_q;
  logic [7:0] call_q, known_q, last_q;  // last: one element is left
  logic [ROW_BITS-1:0] row_q[8];
  logic [31:0] left_q[8];
  logic [2:0] top, below, top_q, below_q;

  // Of the depth in hand.
  assign top = top_q;
  assign below = below_q;
  assign depth = depth_q[2:0];
  assign none = none_q;
  assign full = depth_q[3];
  assign top_loop = !none_q && !call_q[top];
  assign top_call = !none_q && call_q[top];
  assign top_row = row_q[top];
  assign top_known = known_q[top];
  assign top_last = last_q[top];
  assign ends_soon = known_q[top] ? last_q[top]
                     : length_valid && length_frame == top && length_value == 32'd1;
  assign below_none = below_none_q;
  assign below_call = !below_none_q && call_q[below];
  assign below_row = row_q[below];

  always_comb begin
    depth_d = depth_q;
    if (push) depth_d = depth_q + 4'd1;
    if (pop) depth_d = depth_q - 4'd1;
    if (pop_two) depth_d = depth_q - 4'd2;
    if (clear) depth_d = 4'd0;
  end

  always_ff @(posedge clk) begin
    depth_q <= depth_d;
    top_q <= depth_d[2:0] - 3'd1;
    below_q <= depth_d[2:0] - 3'd2;
    none_q <= depth_d == 4'd0;
    below_none_q <= depth_d[3:1] == 3'd0;
    if (length_valid && !known_q[length_frame]) begin
      known_q[length_frame] <= 1'b1;
      left_q[length_frame] <= length_value;
      last_q[length_frame] <= length_value == 32'd1;
    end
    if (element) begin
      left_q[top] <= left_q[top] - 32'd1;
      last_q[top] <= left_q[top] == 32'd2;
    end
    if (push) begin
      call_q[depth_q[2:0]] <= push_call;
      row_q[depth_q[2:0]] <= push_row;
      known_q[depth_q[2:0]] <= push_known;
      left_q[depth_q[2:0]] <= push_left;
      last_q[depth_q[2:0]] <= push_left == 32'd1;
    end
    if (rst) begin
      depth_q <= 4'd0;
      none_q <= 1'b1;
      below_none_q <= 1'b1;
    end
  end
endmodule
