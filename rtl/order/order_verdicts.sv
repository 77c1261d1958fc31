// What is known of the last packets: good, bad, or not known yet; asked for two at a time.
//
// Verdicts come in the packets' order. Each one forgets what was known of the packet behind it, whose
// number was used 16 packets before. So a fire must come before the verdict of the 15th packet behind
// its own; a later one waits for a verdict that is not its packet's.
//
// Latency: none; the verdict of this very cycle is seen.
module order_verdicts
  import order_pkg::*;
(
    input logic clk,
    input logic rst,
    input logic speculate,

    input logic                verdict_valid,
    input logic [TID_BITS-1:0] verdict_tid,
    input logic                verdict_good,

    input logic [TID_BITS-1:0] tid_a,
    output logic good_a,
    output logic bad_a,
    output logic told_a,  // this cycle's verdict is of it
    output logic may_a,  // before that: good, or not known to be bad and `speculate`
    input logic [TID_BITS-1:0] tid_b,
    output logic good_b,
    output logic bad_b
);

  localparam int unsigned COUNT = 1 << TID_BITS;

  logic [COUNT-1:0] good_q, bad_q, may_q;
  logic told_b;

  always_comb begin
    told_a = verdict_valid && verdict_tid == tid_a;
    good_a = good_q[tid_a] || (told_a && verdict_good);
    bad_a  = bad_q[tid_a] || (told_a && !verdict_good);
    may_a  = may_q[tid_a];
    told_b = verdict_valid && verdict_tid == tid_b;
    good_b = good_q[tid_b] || (told_b && verdict_good);
    bad_b  = bad_q[tid_b] || (told_b && !verdict_good);
  end

  always_ff @(posedge clk) begin
    // Behind a change of `speculate` by a cycle.
    may_q <= good_q | (~bad_q & {COUNT{speculate}});
    if (verdict_valid) begin
      may_q[verdict_tid] <= verdict_good;
      may_q[verdict_tid+TID_BITS'(1)] <= speculate;
      good_q[verdict_tid] <= verdict_good;
      bad_q[verdict_tid] <= !verdict_good;
      good_q[verdict_tid+TID_BITS'(1)] <= 1'b0;
      bad_q[verdict_tid+TID_BITS'(1)] <= 1'b0;
    end
    if (rst) begin
      good_q <= '0;
      bad_q  <= '0;
      may_q  <= '0;
    end
  end

endmodule
