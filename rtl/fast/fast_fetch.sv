// Fetches rows: a ring of the last sixteen, filled in order ahead of dispatch, and branches.
//
// The instruction memory has two ports of two cycles (address captured, output register). Port A
// reads the rows behind the one in hand, up to five ahead, into the ring; port B reads where a
// branch goes. Out of the ring comes the row that is expected to follow the one in hand; it waits in
// `following` until it is loaded. So the ring has the rows from ten behind the one in hand on, as far
// as there was no branch among them: a loop's first row comes without delay.
// A branch is known late in its cycle: all but that `following` is void acts on it a cycle behind.
//   branch in d    d+1 B captures    d+2 memory    d+3 b_row -> following    d+4 -> row    d+5 dispatch
module fast_fetch
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    // `following` becomes the row in hand; behind it comes its successor.
    input logic    [         3:0] load,           // each bit says the same
    // What follows the row in hand is the row of this source, which is in the ring or its successor.
    input logic                   expect_other,
    input source_t                wanted_source,
    input logic    [ROW_BITS-1:0] top_row,        // the loop's first row
    input logic    [ROW_BITS-1:0] begun_row,      // that in which the last message began
    // The row in hand, if any, is left for a row out of the ring.
    input logic                   branch,
    input logic    [ROW_BITS-1:0] target,

    output logic    following_valid,
    output row_t    following,
    output source_t following_source,

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

  row_t row_q, following_q;
  logic following_valid_q;
  source_t source_q;
  logic [ROW_BITS-1:0] number_q, following_number_q, behind_q, run_q, fetch_q, edge_q;
  logic [ROW_BITS-1:0] before_edge_q;  // one less
  logic branch_q, branch1_q, branch2_q, a1_q, a2_q, room_q;
  logic [ROW_BITS-1:0] target_q;

  logic write;
  logic [3:0] write_at;
  row_t write_row;
  logic [ROW_BITS-1:0] kept;
  logic kept_arrives, behind_arrives;
  row_t kept_row, behind_row;

  // Which is expected is known late: what is said of it is worked out for each.
  logic [ROW_BITS-1:0] successor, wanted, wanted_next;
  logic wanted_arrives;
  assign successor = number_q + 1'b1;
  always_comb begin
    wanted = successor;
    wanted_next = number_q + ROW_BITS'(2);
    wanted_arrives = number_q == before_edge_q;
    if (wanted_source == ROUND) begin
      wanted = top_row;
      wanted_next = top_row + 1'b1;
      wanted_arrives = top_row == edge_q;
    end
    if (wanted_source == BEGUN) begin
      wanted = begun_row;
      wanted_next = begun_row + 1'b1;
      wanted_arrives = begun_row == edge_q;
    end
  end

  // What stays expected, and what comes behind `following` (`behind_q`): both are read, since `load` is
  // late. A row arrives now, or is in the ring.
  assign kept = expect_other ? wanted : following_number_q;
  assign kept_arrives = expect_other ? wanted_arrives : following_number_q == edge_q;
  assign kept_row = kept_arrives ? a_row : row_t'(ring[kept[3:0]]);
  assign behind_arrives = behind_q == edge_q;
  assign behind_row = behind_arrives ? a_row : row_t'(ring[behind_q[3:0]]);

  assign write = branch2_q || a2_q;
  assign write_at = branch2_q ? following_number_q[3:0] : edge_q[3:0];
  assign write_row = branch2_q ? b_row : a_row;

  assign a_address = fetch_q;
  assign b_address = target_q;

  logic issue;
  assign issue = room_q && !branch_q;

  always_ff @(posedge clk) begin
    if (write) ring[write_at] <= write_row;

    // Port A in order.
    a1_q <= issue;
    a2_q <= a1_q;
    if (issue) fetch_q <= fetch_q + 1'b1;
    if (a2_q) {edge_q, before_edge_q} <= {ROW_BITS'(edge_q + 1'b1), edge_q};
    // The row that is being asked for does not count yet.
    room_q <= fetch_q - number_q <= ROW_BITS'(AHEAD - 1);

    if (load[0]) row_q <= following_q;

    branch1_q <= 1'b0;
    branch2_q <= branch1_q;
    if (branch2_q) begin
      following_valid_q <= 1'b1;
      following_q <= b_row;
    end else if (!branch1_q) begin
      following_valid_q <= !(load[0] ? behind_arrives : kept_arrives) || a2_q;
      following_number_q <= load[0] ? behind_q : kept;
      // Each third of it by a copy of `load`.
      for (int i = 0; i < $bits(row_t); i++) begin
        following_q[i] <= load[1+i%3] ? behind_row[i] : kept_row[i];
      end
      if (load[0]) source_q <= SUCCESSOR;
      else if (expect_other) source_q <= wanted_source;
    end
    branch_q <= branch;
    target_q <= target;
    if (branch) following_valid_q <= 1'b0;
    if (branch_q) begin
      following_valid_q <= 1'b0;
      following_number_q <= target_q;
      source_q <= SUCCESSOR;
      run_q <= target_q;
      fetch_q <= target_q + 1'b1;
      {edge_q, before_edge_q} <= {ROW_BITS'(target_q + 1'b1), target_q};
      branch1_q <= 1'b1;
      branch2_q <= 1'b0;
      a1_q <= 1'b0;
      a2_q <= 1'b0;
      room_q <= 1'b1;
    end
    if (rst) begin
      following_valid_q <= 1'b0;
      source_q <= SUCCESSOR;
      branch_q <= 1'b0;
      branch1_q <= 1'b0;
      branch2_q <= 1'b0;
      a1_q <= 1'b0;
      a2_q <= 1'b0;
      room_q <= 1'b0;
      following_number_q <= '0;
      run_q <= '0;
      fetch_q <= '0;
      {edge_q, before_edge_q} <= {ROW_BITS'(0), ~ROW_BITS'(0)};
    end
  end

  // Addresses of the ring: by themselves, or else synthesis gives each reading a register of its own behind
  // them.
  logic loads, stays;
  logic [ROW_BITS-1:0] number_d, behind_d;
  (* keep *)
  logic [ROW_BITS-1:0] behind_next, kept_next, target_next;
  always_comb begin
    // `load` is late; as masks, since of choices of itself synthesis makes an enable.
    loads  = load[0] && !branch_q;
    stays  = !load[0] && !branch_q;
    number_d = following_number_q & {ROW_BITS{loads}} | number_q & {ROW_BITS{stays}}
        | target_q & {ROW_BITS{branch_q}};
    behind_next = behind_q + 1'b1;
    kept_next = expect_other ? wanted_next : ROW_BITS'(following_number_q + 1'b1);
    if (branch1_q || branch2_q) {behind_next, kept_next} = {behind_q, behind_q};
    target_next = target_q + 1'b1;
    behind_d = behind_next & {ROW_BITS{loads}} | kept_next & {ROW_BITS{stays}}
        | target_next & {ROW_BITS{branch_q}};
  end
  (* keep *)
  always_ff @(posedge clk) begin
    number_q <= rst ? '0 : number_d;
    behind_q <= rst ? ROW_BITS'(1) : behind_d;
  end

  assign following_valid = following_valid_q;
  assign following = following_q;
  assign following_source = source_q;
  // Tags and initial values are not needed before dispatch: they come out of the ring then.
  row_t held;
  assign held = row_t'(ring[number_q[3:0]]);
  always_comb begin
    row = row_q;
    for (int k = 0; k < 4; k++) begin
      row.slots[k].tag = held.slots[k].tag;
      row.slots[k].initial_value = held.slots[k].initial_value;
    end
  end
  assign number = number_q;
  assign run = run_q;
endmodule
