// Packet tagger: names the packets of a stream and tells how each ended.
//
// Watches a stream as its reader takes it. `tid` is the number of the packet under way, counted from
// zero and wrapping; it changes with the beat after the last. `begin_valid` pulses with a packet's first
// beat, before anything can be derived from it; `ended_good` or `ended_bad`, and the verdict, with its
// last: as soon as the beat is offered, whether it is taken at once or not. No latency.
//
// The highest number is given to no packet: it stands for what was caused by none, and is always good. Its
// verdict is told in the cycle behind that of the number before it, so that verdicts come in the order of
// the numbers, and a reader can forget the number behind with each. A packet's verdict that would come in
// that same cycle comes one later, and so do those that follow it without a pause.
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

    output logic begin_valid,
    output logic ended_good,
    output logic ended_bad,

    output logic                verdict_valid,
    output logic                verdict_good,
    output logic [TID_BITS-1:0] verdict_tid
);

  // The last packet's number before the count begins again.
  localparam logic [TID_BITS-1:0] LAST = {{TID_BITS - 1{1'b1}}, 1'b0};

  if (TID_BITS < 2) begin : gen_bad_tid
    $fatal(1, "%m: TID_BITS is less than 2");
  end

  logic [TID_BITS-1:0] tid_q;
  logic inside_q;
  logic told_q;  // the beat on offer has been reported
  logic ended;

  assign tid = tid_q;
  assign begin_valid = tvalid && !inside_q && !told_q;
  assign ended = tvalid && tlast && !told_q;
  assign ended_good = ended && !tuser;
  assign ended_bad = ended && tuser;

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

  // A verdict that waits: that of the highest number, or of a packet behind it. Should the number before
  // the highest have waited itself, with a packet behind it in the same cycle, the highest is left out.
  logic wait_q, wait_good_q;
  logic [TID_BITS-1:0] wait_tid_q;
  logic behind;

  assign verdict_valid = wait_q || ended;
  assign verdict_good = wait_q ? wait_good_q : !tuser;
  assign verdict_tid = wait_q ? wait_tid_q : tid_q;
  assign behind = wait_q && ended;

  always_ff @(posedge clk) begin
    wait_q <= behind || (verdict_valid && verdict_tid == LAST);
    wait_good_q <= !behind || !tuser;
    wait_tid_q <= behind ? tid_q : '1;
    if (rst) wait_q <= 1'b0;
  end

endmodule
