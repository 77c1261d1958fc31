// What is known of the last packets: good, bad, or not known yet.
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

    input logic                verdict_valid,
    input logic [TID_BITS-1:0] verdict_tid,
    input logic                verdict_good,

    input  logic [TID_BITS-1:0] tid,
    output logic                good,
    output logic                bad
);

  localparam int unsigned COUNT = 1 << TID_BITS;

  logic [COUNT-1:0] good_q, bad_q;
  logic now;

  always_comb begin
    now  = verdict_valid && verdict_tid == tid;
    good = good_q[tid] || (now && verdict_good);
    bad  = bad_q[tid] || (now && !verdict_good);
  end

  always_ff @(posedge clk) begin
    if (verdict_valid) begin
      good_q[verdict_tid] <= verdict_good;
      bad_q[verdict_tid] <= !verdict_good;
      good_q[verdict_tid+TID_BITS'(1)] <= 1'b0;
      bad_q[verdict_tid+TID_BITS'(1)] <= 1'b0;
    end
    if (rst) begin
      good_q <= '0;
      bad_q  <= '0;
    end
  end

endmodule
