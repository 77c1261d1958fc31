// Fetches rows: a ring of the last sixteen, filled in order ahead of dispatch, and branches.
//
// The instruction memory has two ports of two cycles (address captured, output register). Port A
// reads the rows behind the one in hand, up to five ahead, into the ring; port B reads where a
// branch goes. Out of the ring comes, in every cycle, the row that is expected to follow the one in hand:
// since a row takes two cycles it is there when that one's control executes. So the ring has the rows from
// ten behind the one in hand on, as far as there was no branch among them: a loop's first row comes without
// delay.
//   branch in d    d+1 B captures    d+2 memory    d+3 b_row -> following    d+4 -> row    d+5 dispatch
module fast_fetch
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic copy,  // `row` becomes `following`, whatever that is
    // It becomes the row in hand, and is not valid in the cycle behind.
    input logic [3:0] load,  // each bit says the same
    input logic [3:0] top_done,  // the sequence's last element is in hand; each bit says the same
    input logic settles,  // what follows the row in hand happens, by `top_done` as it is now
    input logic [ROW_BITS-1:0] top_row,  // the loop's first row
    input logic [ROW_BITS-1:0] begun_row,  // that in which the last message began
    // The row in hand, if any, is left for a row out of the ring.
    input logic branch,
    input logic [ROW_BITS-1:0] target,

    output logic following_valid,
    output row_t following,
    output logic following_begun,  // it is `begun_row`, behind a row that ends

    output row_t                row,
    output logic [ROW_BITS-1:0] number,
    output logic [ROW_BITS-1:0] successor,
    // Where the run without a branch began.
    output logic [ROW_BITS-1:0] run,

    output logic [ROW_BITS-1:0] a_address,
    input  row_t                a_row,
    output logic [ROW_BITS-1:0] b_address,
    input  row_t                b_row
);
  localparam int unsigned AHEAD = 5;
  localparam int unsigned PARTS = 3;  // of a row: what chooses it is told once for each
  localparam int unsigned PART = ROW_WIDTH / PARTS;

  row_t row_q, following_q;
  logic following_valid_q, following_begun_q;
  logic [ROW_BITS-1:0] number_q, successor_q, following_number_q, run_q, fetch_q, edge_q, target_q;
  logic branch_q, branch1_q, branch2_q, a1_q, a2_q, room_q;

  // With what is worked out of it on its way.
  function automatic row_t told(row_t one);
    told = one;
    told.touches = one.push || one.conditional;
  endfunction

  logic write;
  logic [3:0] write_at;
  row_t arriving, branched, write_row;
  assign arriving = told(a_row);
  assign branched = told(b_row);
  assign write = branch2_q || a2_q;
  assign write_at = branch2_q ? successor_q[3:0] : edge_q[3:0];
  assign write_row = branch2_q ? branched : arriving;

  logic [ROW_BITS-1:0] successor_d;

  // The control of the row in hand, for each part and once more for the number. None: its successor follows.
  // What was decided stays where the row that follows has to wait: the frame is another one then.
  logic [PARTS:0] loop_q, loop_end_q, finish_q, wants_round, wants_begun;
  logic [PARTS:0] decided_q, round_q, begun_q;
  for (genvar i = 0; i <= PARTS; i++) begin : gen_control
    (* keep *)
    always_ff @(posedge clk) begin
      if (load[i]) begin
        loop_q[i] <= following_q.control == LOOP;
        loop_end_q[i] <= following_q.control == LOOP_END;
        finish_q[i] <= following_q.control == FINISH;
      end
      if (branch_q) {loop_q[i], loop_end_q[i], finish_q[i]} <= 3'b000;
      decided_q[i] <= (settles || decided_q[i]) && !load[i] && !branch_q && !rst;
      {round_q[i], begun_q[i]} <= {wants_round[i], wants_begun[i]};
    end
    assign wants_round[i] = decided_q[i] ? round_q[i]
        : (loop_q[i] || loop_end_q[i]) && !top_done[i];
    assign wants_begun[i] = decided_q[i] ? begun_q[i]
        : finish_q[i] || loop_end_q[i] && top_done[i];
  end

  for (genvar i = 0; i < PARTS; i++) begin : gen_part
    (* ram_style = "distributed" *) logic [PART-1:0] ring[16];
    logic [3:0] wanted;
    (* keep *)
    logic [3:0] successor_at_q;
    (* keep *)
    always_ff @(posedge clk) successor_at_q <= successor_d[3:0];
    assign wanted = wants_round[i] ? top_row[3:0] : wants_begun[i] ? begun_row[3:0] : successor_at_q;
    always_ff @(posedge clk) begin
      if (write) ring[write_at] <= write_row[PART*i+:PART];
      following_q[PART*i+:PART] <= branch2_q ? branched[PART*i+:PART] : ring[wanted];
      if (copy) row_q[PART*i+:PART] <= following_q[PART*i+:PART];
    end
  end

  assign a_address = fetch_q;
  assign b_address = target_q;

  logic issue;
  assign issue = room_q && !branch_q;

  always_comb begin
    successor_d = load[PARTS] ? following_number_q + 1'b1 : successor_q;
    if (branch_q) successor_d = target_q;
    if (rst) successor_d = '0;
  end

  always_ff @(posedge clk) begin
    // Port A in order.
    a1_q <= issue;
    a2_q <= a1_q;
    if (issue) fetch_q <= fetch_q + 1'b1;
    if (a2_q) edge_q <= edge_q + 1'b1;
    // The row that is being asked for does not count yet.
    room_q <= fetch_q - number_q <= ROW_BITS'(AHEAD - 1);

    // Rows before that in hand are there; the next to arrive is at most sixteen behind: lower bits tell.
    following_valid_q <= (branch2_q || !branch1_q && (wants_round[PARTS] || wants_begun[PARTS]
                                                      || successor_q[4:0] != edge_q[4:0]))
        && !load[PARTS] && !branch && !branch_q && !rst;
    following_begun_q <= wants_begun[PARTS] && !load[PARTS];
    following_number_q <= wants_round[PARTS] ? top_row
        : wants_begun[PARTS] ? begun_row : successor_q;
    successor_q <= successor_d;
    if (load[PARTS]) number_q <= following_number_q;

    branch_q  <= branch && !rst;
    target_q  <= target;
    branch1_q <= branch_q && !rst;
    branch2_q <= branch1_q && !branch_q && !rst;
    if (branch_q) begin
      number_q <= target_q;
      run_q <= target_q;
      fetch_q <= target_q + 1'b1;
      edge_q <= target_q + 1'b1;
      a1_q <= 1'b0;
      a2_q <= 1'b0;
      room_q <= 1'b1;
    end
    if (rst) begin
      a1_q <= 1'b0;
      a2_q <= 1'b0;
      room_q <= 1'b0;
      number_q <= '0;
      run_q <= '0;
      fetch_q <= '0;
      edge_q <= '0;
    end
  end

  assign following_valid = following_valid_q;
  assign following = following_q;
  assign following_begun = following_begun_q;
  assign row = row_q;
  assign number = number_q;
  assign successor = successor_q;
  assign run = run_q;
endmodule
