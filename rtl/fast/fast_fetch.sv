// Fetches rows: a ring of the last sixteen, filled in order ahead of dispatch, and branches.
//
// The instruction memory has two ports of two cycles (address captured, output register). Port A
// reads the rows behind the one in hand, up to five ahead, into the ring; port B reads where a
// branch goes. So the ring has the rows from ten behind the one in hand on, as far as there was no
// branch among them: a loop's first row comes without delay, a branch is two cycles late.
//   branch in d: B captures    d+1 memory    d+2 b_row -> row    d+3 dispatch
module fast_fetch
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    // The row in hand is left for `next`, which is in the ring or its successor. `next` is early.
    input logic                take,
    input logic [ROW_BITS-1:0] next,
    // The row in hand, if any, is left for a row out of the ring. `target` is early.
    input logic                branch,
    input logic [ROW_BITS-1:0] target,

    output logic                valid,
    output row_t                row,
    output logic [ROW_BITS-1:0] number,
    // Where the run without a branch began.
    output logic [ROW_BITS-1:0] run,

    output logic [ROW_BITS-1:0] a_address,
    input  row_t                a_row,
    output logic [ROW_BITS-1:0] b_address,
    input  row_t                b_row
);
  localparam int unsigned AHEAD = 5;

  (* ram_style = "distributed" *) logic [$bits(row_t)-1:0] ring[16];

  row_t row_q;
  logic valid_q;
  logic [ROW_BITS-1:0] number_q, run_q, fetch_q, edge_q;
  logic branch1_q, branch2_q, a1_q, a2_q, room_q;

  logic write;
  logic [3:0] write_at;
  row_t write_row;
  logic [ROW_BITS-1:0] want;
  logic at_edge, available;

  assign want = valid_q ? next : number_q;
  // What arrives now, or what is in the ring.
  assign at_edge = want == edge_q;
  assign available = !at_edge || a2_q;

  assign write = branch2_q || a2_q;
  assign write_at = branch2_q ? number_q[3:0] : edge_q[3:0];
  assign write_row = branch2_q ? b_row : a_row;

  assign a_address = fetch_q;
  assign b_address = target;

  logic issue;
  assign issue = room_q && !branch;

  always_ff @(posedge clk) begin
    if (write) ring[write_at] <= write_row;

    // Port A in order.
    a1_q <= issue;
    a2_q <= a1_q;
    if (issue) fetch_q <= fetch_q + 1'b1;
    if (a2_q) edge_q <= edge_q + 1'b1;
    room_q <= (fetch_q + ROW_BITS'(issue)) - number_q <= ROW_BITS'(AHEAD);

    branch1_q <= 1'b0;
    branch2_q <= branch1_q;
    if (branch2_q) begin
      valid_q <= 1'b1;
      row_q   <= b_row;
    end else if ((take || !valid_q) && !branch1_q) begin
      valid_q <= available;
      if (take) number_q <= next;
      row_q <= at_edge ? a_row : row_t'(ring[want[3:0]]);
    end
    if (branch) begin
      valid_q   <= 1'b0;
      number_q  <= target;
      run_q     <= target;
      fetch_q   <= target + 1'b1;
      edge_q    <= target + 1'b1;
      branch1_q <= 1'b1;
      branch2_q <= 1'b0;
      a1_q      <= 1'b0;
      a2_q      <= 1'b0;
      room_q    <= 1'b1;
    end
    if (rst) begin
      valid_q   <= 1'b0;
      branch1_q <= 1'b0;
      branch2_q <= 1'b0;
      a1_q      <= 1'b0;
      a2_q      <= 1'b0;
      room_q    <= 1'b0;
      number_q  <= '0;
      run_q     <= '0;
      fetch_q   <= '0;
      edge_q    <= '0;
    end
  end

  assign valid = valid_q;
  assign row = row_q;
  assign number = number_q;
  assign run = run_q;
endmodule
