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
    input logic [5:0] load,  // each bit says the same
    input logic expect_other,  // behind the row in hand comes another than that
    input logic [3:0] top_done,  // the sequence's last element is in hand; each bit says the same
    input logic [ROW_BITS-1:0] top_row,  // the loop's first row
    input logic [ROW_BITS-1:0] begun_row,  // that in which the last message began
    // The row in hand, if any, is left for a row out of the ring.
    input logic branch,
    input logic [ROW_BITS-1:0] target,

    output logic    following_valid,
    output row_t    following,
    output source_t following_source,

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
  logic following_valid_q;
  source_t source_q;
  // The control of the row in hand: LOOP or LOOP_END; LOOP_END or FINISH; FINISH.
  logic round_wanted_q, begun_wanted_q, finish_q;
  logic [ROW_BITS-1:0] number_q, successor_q, following_number_q, behind_q, run_q, fetch_q, edge_q;
  logic branch_q, branch1_q, branch2_q, a1_q, a2_q, room_q;
  logic [ROW_BITS-1:0] target_q;

  logic write;
  logic [3:0] write_at;
  row_t write_row, arriving, branched;

  // With what is worked out of it on its way.
  function automatic row_t told(row_t one);
    told = one;
    told.alone = one.push && (one.conditional || one.pop);
  endfunction
  assign arriving = told(a_row);
  assign branched = told(b_row);

  // Which row is expected is known late: what is said of it is worked out for each.
  logic wants_round, wants_begun, wanted_arrives, kept_arrives;
  // A row of the ring at or before that in hand is there: only what is behind may arrive.
  logic successor_arrives, following_arrives, behind_arrives;
  logic [ROW_BITS-1:0] wanted, wanted_next;
  source_t wanted_source;
  assign wants_round = round_wanted_q && !top_done[PARTS];
  assign wants_begun = begun_wanted_q && (finish_q || top_done[PARTS]);
  // The next row to arrive is at most sixteen behind any that may be loaded: their lower bits tell.
  assign successor_arrives = successor_q[4:0] == edge_q[4:0];
  assign following_arrives = following_number_q[4:0] == edge_q[4:0];
  assign behind_arrives = behind_q[4:0] == edge_q[4:0];
  assign kept_arrives = expect_other ? wanted_arrives : following_arrives;
  always_comb begin
    wanted = successor_q;
    wanted_next = successor_q + ROW_BITS'(1);
    wanted_source = SUCCESSOR;
    wanted_arrives = successor_arrives;
    if (wants_round) begin
      wanted = top_row;
      wanted_next = top_row + 1'b1;
      wanted_source = ROUND;
      wanted_arrives = 1'b0;
    end
    if (wants_begun) begin
      wanted = begun_row;
      wanted_next = begun_row + 1'b1;
      wanted_source = BEGUN;
      wanted_arrives = 1'b0;
    end
  end

  // What stays expected (`kept_row`), and what comes behind `following`: both are read, since `load` is
  // late. A row arrives now, is in the ring, or waits already.
  row_t kept_row, behind_row, held;
  for (genvar i = 0; i < PARTS; i++) begin : gen_part
    (* ram_style = "distributed" *) logic [PART-1:0] ring[16];
    logic [3:0] wanted_at;
    logic from_a, from_ring, waits;

    fast_kept u_kept (
        .expect_other,
        .round_wanted(round_wanted_q),
        .begun_wanted(begun_wanted_q),
        .finish      (finish_q),
        .done        (top_done[i]),
        .round       (top_row[3:0]),
        .begun       (begun_row[3:0]),
        .successor   (successor_q[3:0]),
        .successor_arrives,
        .following_arrives,
        .wanted      (wanted_at),
        .from_a,
        .from_ring,
        .waits
    );

    always_ff @(posedge clk) if (write) ring[write_at] <= write_row[PART*i+:PART];
    assign behind_row[PART*i+:PART] = behind_arrives ? arriving[PART*i+:PART] : ring[behind_q[3:0]];
    // As masks: of choices of itself synthesis makes an enable.
    assign kept_row[PART*i+:PART] = arriving[PART*i+:PART] & {PART{from_a}}
        | ring[wanted_at] & {PART{from_ring}} | following_q[PART*i+:PART] & {PART{waits}};
    // Tags and initial values are not needed before dispatch: they come out of the ring then.
    assign held[PART*i+:PART] = ring[number_q[3:0]];
  end

  assign write = branch2_q || a2_q;
  assign write_at = branch2_q ? following_number_q[3:0] : edge_q[3:0];
  assign write_row = branch2_q ? branched : arriving;

  assign a_address = fetch_q;
  assign b_address = target_q;

  logic issue;
  assign issue = room_q && !branch_q;

  always_ff @(posedge clk) begin
    // Port A in order.
    a1_q <= issue;
    a2_q <= a1_q;
    if (issue) fetch_q <= fetch_q + 1'b1;
    if (a2_q) edge_q <= edge_q + 1'b1;
    // With the row that is being asked for: else it comes to rest with a row less than a row a cycle takes.
    room_q <= fetch_q - number_q <= (issue ? ROW_BITS'(AHEAD - 1) : ROW_BITS'(AHEAD));

    if (load[4]) begin
      row_q <= following_q;
      round_wanted_q <= following_q.control == LOOP || following_q.control == LOOP_END;
      begun_wanted_q <= following_q.control == LOOP_END || following_q.control == FINISH;
      finish_q <= following_q.control == FINISH;
    end

    branch1_q <= 1'b0;
    branch2_q <= branch1_q;
    following_valid_q <= (branch2_q
                          || !branch1_q && (!(load[0] ? behind_arrives : kept_arrives) || a2_q))
        && !branch && !branch_q && !rst;
    for (int i = 0; i < PARTS; i++) begin
      following_q[PART*i+:PART] <= branch2_q ? branched[PART*i+:PART]
          : load[1+i] ? behind_row[PART*i+:PART] : kept_row[PART*i+:PART];
    end
    if (!branch1_q && !branch2_q) begin
      following_number_q <= load[0] ? behind_q : expect_other ? wanted : following_number_q;
      if (load[0]) source_q <= SUCCESSOR;
      else if (expect_other) source_q <= wanted_source;
    end
    branch_q <= branch;
    target_q <= target;
    if (branch_q) begin
      following_number_q <= target_q;
      source_q <= SUCCESSOR;
      run_q <= target_q;
      fetch_q <= target_q + 1'b1;
      edge_q <= target_q + 1'b1;
      branch1_q <= 1'b1;
      branch2_q <= 1'b0;
      a1_q <= 1'b0;
      a2_q <= 1'b0;
      room_q <= 1'b1;
    end
    if (rst) begin
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
      edge_q <= '0;
    end
  end

  // Addresses of the ring: by themselves, or else synthesis gives each reading a register of its own behind
  // them.
  logic loads, stays;
  logic [ROW_BITS-1:0] number_d, successor_d, behind_d;
  (* keep *)
  logic [ROW_BITS-1:0] behind_next, kept_next, target_next;
  always_comb begin
    // `load` is late; as masks, since of choices of itself synthesis makes an enable.
    target_next = target_q + 1'b1;
    loads  = load[5] && !branch_q;
    stays  = !load[5] && !branch_q;
    number_d = following_number_q & {ROW_BITS{loads}} | number_q & {ROW_BITS{stays}}
        | target_q & {ROW_BITS{branch_q}};
    successor_d = behind_q & {ROW_BITS{loads}} | successor_q & {ROW_BITS{stays}}
        | target_next & {ROW_BITS{branch_q}};
    behind_next = behind_q + 1'b1;
    kept_next = expect_other ? wanted_next : behind_q;
    if (branch1_q || branch2_q) {behind_next, kept_next} = {behind_q, behind_q};
    behind_d = behind_next & {ROW_BITS{loads}} | kept_next & {ROW_BITS{stays}}
        | target_next & {ROW_BITS{branch_q}};
  end
  // For control: the ring hangs on the other.
  (* keep *)
  logic [ROW_BITS-1:0] number_beside_q;
  (* keep *)
  always_ff @(posedge clk) number_beside_q <= rst ? '0 : number_d;
  (* keep *)
  always_ff @(posedge clk) begin
    number_q <= rst ? '0 : number_d;
    successor_q <= rst ? ROW_BITS'(1) : successor_d;
    behind_q <= rst ? ROW_BITS'(1) : behind_d;
  end

  assign following_valid = following_valid_q;
  assign following = following_q;
  assign following_source = source_q;
  always_comb begin
    row = row_q;
    for (int k = 0; k < 4; k++) begin
      row.slots[k].tag = held.slots[k].tag;
      row.slots[k].initial_value = held.slots[k].initial_value;
    end
  end
  assign number = number_beside_q;
  assign successor = successor_q;
  assign run = run_q;
endmodule
