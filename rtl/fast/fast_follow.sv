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
    input logic lengthy,  // the length is there and not 0
    input logic test_bit,

    input logic                maps_none,
    input logic                frames_none,
    input logic                frames_full,
    input logic                top_loop,
    input logic                top_call,
    input logic [ROW_BITS-1:0] top_row,
    input logic                top_known,
    input logic                top_last,
    input logic                below_none,
    input logic                below_call,
    input logic [ROW_BITS-1:0] below_row,

    output follow_t follow
);
  logic finish, goes_round, last_round, fails;

  always_comb begin
    follow = '0;
    follow.target = row.target;
    finish = 1'b0;
    goes_round = 1'b0;
    last_round = 1'b0;

    if (row.pop) begin
      if (maps_none) follow.status = TRAP_PROGRAM;
      follow.checks  = strict && !maps_none;
      follow.restore = 1'b1;
    end
    if (follow.status == COMPLETE) begin
      case (row.control)
        NEXT:   follow.take = 1'b1;
        JUMP:   follow.branch = 1'b1;
        SEQUENCE: begin
          if (row.length_operated) follow.state = TO_AWAIT;
          else if (!lengthy) follow.branch = 1'b1;
          else if (frames_full) follow.status = TRAP_DEPTH;
          else begin
            follow.push = 1'b1;
            follow.take = 1'b1;
          end
        end
        TEST: begin
          follow.take   = test_bit;
          follow.branch = !test_bit;
        end
        CALL: begin
          if (frames_full) follow.status = TRAP_DEPTH;
          else begin
            follow.push = 1'b1;
            follow.push_call = 1'b1;
            follow.state = TO_CALLING;
          end
        end
        FINISH: finish = 1'b1;
        default: begin  // LOOP, LOOP_END
          follow.element_ends = 1'b1;
          if (!top_loop) follow.status = TRAP_PROGRAM;
          else if (!top_known) follow.waits = 1'b1;
          else if (top_last) last_round = 1'b1;
          else goes_round = 1'b1;
        end
      endcase
    end

    if (goes_round) begin
      follow.element = 1'b1;
      follow.source = ROUND;
      follow.target = top_row;
      follow.take = 1'b1;
      follow.rounds = 1'b1;
    end
    if (last_round) begin
      if (row.control == LOOP) begin
        follow.pop  = 1'b1;
        follow.take = 1'b1;
      end else finish = 1'b1;
    end

    // The end of a message or of a called part. Behind a loop its frame goes, too.
    if (finish) begin
      follow.checks = strict && !maps_none;
      if (maps_none) follow.status = TRAP_PROGRAM;
      else if (last_round ? below_none : frames_none) begin
        follow.ends  = 1'b1;
        follow.state = TO_ENDED;
      end else if (last_round ? below_call : top_call) begin
        follow.call_ends = 1'b1;
        follow.restore = 1'b1;
        follow.pop = !last_round;
        follow.pop_two = last_round;
        follow.branch = 1'b1;
        follow.target = last_round ? below_row : top_row;
      end else follow.status = TRAP_PROGRAM;
    end

    fails = follow.status != COMPLETE;
    if (fails) begin
      follow.waits  = 1'b0;
      follow.take   = 1'b0;
      follow.branch = 1'b0;
      follow.state  = TO_FAIL;
    end
  end
endmodule
