// What follows a row: its control (MICROCODE.md §3.1). Combinational.
//
// Worked out in the cycle of the row's last dispatch, from registers; it executes in the cycle behind, or
// later, for the end of an element of a sequence whose length is not known yet. What is known only then
// is left open: whether a bit of the presence map is left (`checks`), whether a sequence's first row is
// in the ring (`rounds`).
module fast_follow
  import fast_pkg::*;
(
    input row_t row,
    input logic strict,
    input logic test_bit,

    input logic                maps_none,
    input logic                frames_none,
    input logic                frames_full,
    input logic                top_loop,
    input logic                top_call,
    input logic [ROW_BITS-1:0] top_row,
    input logic                top_known,
    input logic                top_last,
    input logic                top_done,     // that is known, a cycle ago or longer
    input logic                below_none,
    input logic                below_call,
    input logic [ROW_BITS-1:0] below_row,

    output follow_t follow
);
  // The length of the innermost sequence is known last: each of what it may mean is worked out beside the
  // others.
  function automatic follow_t behind(input logic is_known, input logic is_last);
    logic finish, goes_round, last_round;
    behind = '0;
    behind.target = row.target;
    finish = 1'b0;
    goes_round = 1'b0;
    last_round = 1'b0;

    if (row.pop) begin
      if (maps_none) behind.status = TRAP_PROGRAM;
      behind.checks  = strict && !maps_none;
      behind.restore = 1'b1;
    end
    if (behind.status == COMPLETE) begin
      case (row.control)
        NEXT:   behind.take = 1'b1;
        JUMP:   behind.branch = 1'b1;
        SEQUENCE: begin
          if (row.length_operated) behind.state = TO_AWAIT;
          // A length of 0 is seen when this executes.
          else if (frames_full) behind.status = TRAP_DEPTH;
          else begin
            behind.push = 1'b1;
            behind.take = 1'b1;
          end
        end
        TEST: begin
          behind.take   = test_bit;
          behind.branch = !test_bit;
        end
        CALL: begin
          if (frames_full) behind.status = TRAP_DEPTH;
          else begin
            behind.push = 1'b1;
            behind.push_call = 1'b1;
            behind.state = TO_CALLING;
          end
        end
        FINISH: finish = 1'b1;
        default: begin  // LOOP, LOOP_END
          behind.element_ends = 1'b1;
          if (!top_loop) behind.status = TRAP_PROGRAM;
          else if (!is_known) behind.waits = 1'b1;
          else if (is_last) last_round = 1'b1;
          else goes_round = 1'b1;
        end
      endcase
    end

    if (goes_round) begin
      behind.element = 1'b1;
      behind.target = top_row;
      behind.take = 1'b1;
      behind.rounds = 1'b1;
    end
    if (last_round) begin
      if (row.control != LOOP) finish = 1'b1;
      else if (top_done) begin
        behind.pop  = 1'b1;
        behind.take = 1'b1;
      end else behind.waits = 1'b1;  // for the row behind the loop
    end

    // The end of a message or of a called part. Behind a loop its frame goes, too.
    if (finish) begin
      behind.checks = strict && !maps_none;
      if (maps_none) behind.status = TRAP_PROGRAM;
      else if (last_round ? below_none : frames_none) begin
        behind.ends  = 1'b1;
        behind.state = TO_ENDED;
      end else if (last_round ? below_call : top_call) begin
        behind.call_ends = 1'b1;
        behind.restore = 1'b1;
        behind.pop = !last_round;
        behind.pop_two = last_round;
        behind.branch = 1'b1;
        behind.target = last_round ? below_row : top_row;
      end else behind.status = TRAP_PROGRAM;
    end

    if (behind.status != COMPLETE) begin
      behind.waits  = 1'b0;
      behind.take   = 1'b0;
      behind.branch = 1'b0;
      behind.state  = TO_FAIL;
    end
  endfunction

  always_comb begin
    if (!top_known) follow = behind(1'b0, 1'b0);
    else if (top_last) follow = behind(1'b1, 1'b1);
    else follow = behind(1'b1, 1'b0);
  end
endmodule
