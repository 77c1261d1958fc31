// Packet tagger: names the packets of a stream and tells how each ended.
//
// Watches a stream as its reader takes it. `tid` is the number of the packet under way, counted from
// zero and wrapping; it changes with the beat after the last. The highest number is given to no packet:
// it stands for what was caused by none. `begin_valid` pulses with a packet's first
// beat, before anything can be derived from it, and the verdict with its last, both as soon as the beat
// is offered, whether it is taken at once or not. No latency.
//
// Whoever keeps something by `tid` must be done with it when the number comes again, 2 ** TID_BITS - 1
// packets later.
module packet_tagger #(
    parameter int unsigned TID_BITS = 4
) (
    input logic clk,
    input logic rst,

    input logic tvalid,
    input logic tready,
    input logic tlast,
    input logic tuser,

    output logic [TID_BITS-1:0] tid,

    output logic                begin_valid,
    output logic                verdict_valid,
    output logic                verdict_good,
    output logic [TID_BITS-1:0] verdict_tid
);

  // The last number before the count begins again.
  localparam logic [TID_BITS-1:0] LAST = {{TID_BITS - 1{1'b1}}, 1'b0};

  if (TID_BITS < 2) begin : gen_bad_tid
    $fatal(1, "%m: TID_BITS is less than 2");
  end

  logic [TID_BITS-1:0] tid_q;
  logic inside_q;
  logic told_q;  // the beat on offer has been reported

  assign tid = tid_q;
  assign begin_valid = tvalid && !inside_q && !told_q;
  assign verdict_valid = tvalid && tlast && !told_q;
  assign verdict_good = !tuser;
  assign verdict_tid = tid_q;

  always_ff @(posedge clk) begin
    told_q <= tvalid && !tready;
    if (tvalid && tready) begin
      inside_q <= !tlast;
      if (tlast) tid_q <= tid_q == LAST ? '0 : tid_q + TID_BITS'(1);
    end
    if (rst) begin
      tid_q <= '0;
      inside_q <= 1'b0;
      told_q <= 1'b0;
    end
  end

endmodule
