// The packet in hand, and what a failure behind dispatch is to it.
//
// That a row failed is known when the core may be at another packet. With a reset per packet or message
// that one is not concerned. Under the policy `never` dictionaries go on from packet to packet, so that all
// behind what fails is poisoned: the packet in hand, and one that came and went meanwhile.
module fast_failures (
    input logic       clk,
    input logic       rst,
    input logic [1:0] reset,          // the policy; 0: never
    input logic       failed,         // a row behind dispatch did
    input logic [2:0] failed_packet,  // its packet
    input logic       failing,        // the packet in hand did
    input logic       packet_done,
    input logic       gone,           // with it: all of its messages went to the stages behind
    input logic       stall,          // nothing goes out that tells of one that is lost

    output logic [2:0] packet,     // that in hand: enough for those in the stages behind
    output logic       killed,     // a cycle later: one failed that concerns the packet in hand;
    output logic       kills_own,  // it is that itself
    output logic       known,      // another cycle later
    output logic       never,      // the policy
    output logic       lost,       // one came and went, and is to be told of
    output logic       poisoned    // under `never`, something has failed
);
  logic [2:0] packet_q, killed_packet_q;
  logic [3:0] gone_q;  // one did, the last cycle's first
  logic killed_q, known_q, never_q, lost_q, poisoned_q;

  assign packet = packet_q;
  assign killed = killed_q;
  assign kills_own = killed_packet_q == packet_q;
  assign known = known_q;
  assign never = never_q;
  assign lost = lost_q;
  assign poisoned = poisoned_q;

  always_ff @(posedge clk) begin
    never_q <= reset == 2'd0;
    killed_q <= failed && (failed_packet == packet_q && !packet_done || never_q);
    killed_packet_q <= failed_packet;
    known_q <= killed_q;
    gone_q <= {gone_q[2:0], gone};
    // With the first of the two it is known to have failed, or behind it.
    lost_q <= killed_q && never_q && gone_q[3] && gone_q[0] || lost_q && stall;
    if (packet_done) packet_q <= packet_q + 3'd1;
    if ((failed || failing) && reset == 2'd0) poisoned_q <= 1'b1;
    if (rst) begin
      packet_q <= 3'd0;
      killed_q <= 1'b0;
      lost_q <= 1'b0;
      poisoned_q <= 1'b0;
    end
  end
endmodule
