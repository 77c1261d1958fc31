// Which moments the latency meter measures: each stage's, and the arrival that led to it (top_pkg, STAGE_*).
module trader_stages
  import top_pkg::*;
(
    input logic                   [63:0] now_ns,
    input logic                          packet_begin,
    input logic                   [63:0] begin_tstamp,
    input logic                          message_end,
    input logic                   [63:0] message_tstamp,
    input feed_pkg::top_t                top,
    input logic                          fire_valid,
    input logic                   [ 3:0] fire_tid,
    input logic                   [63:0] fire_tstamp,
    input logic                          sent_valid,
    input order_pkg::order_sent_t        sent,

    output logic [STAGES-1:0]       sample_valid,
    output logic [STAGES-1:0][31:0] sample_time,
    output logic [STAGES-1:0][31:0] sample_stamp
);

  always_comb begin
    sample_valid = '0;
    sample_stamp = '0;
    for (int s = 0; s < STAGES; s++) sample_time[s] = now_ns[31:0];
    sample_valid[STAGE_PACKET] = packet_begin;
    sample_stamp[STAGE_PACKET] = begin_tstamp[31:0];
    sample_valid[STAGE_MESSAGE] = message_end;
    sample_stamp[STAGE_MESSAGE] = message_tstamp[31:0];
    sample_valid[STAGE_ANSWER] = top.valid && !top.from_host;
    sample_stamp[STAGE_ANSWER] = top.tstamp[31:0];
    sample_valid[STAGE_FIRE] = fire_valid && fire_tid != TID_HOST;
    sample_stamp[STAGE_FIRE] = fire_tstamp[31:0];
    sample_valid[STAGE_ORDER] = sent_valid && !sent.poisoned;
    sample_stamp[STAGE_ORDER] = sent.tstamp_in[31:0];
    sample_time[STAGE_ORDER] = sent.tstamp_out[31:0];
  end

endmodule
