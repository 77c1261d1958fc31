// Receive and transmit side of a line, host port to host port: the model that tests of the line alone
// run on. The feed's packets are only counted.
module net_loop
  import net_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic        channel_a_enable,
    input logic [31:0] channel_a_address,
    input logic [15:0] channel_a_port,

    input logic        time_set,
    input logic [63:0] time_set_ns,

    input  logic [63:0] xgmii_rxd,
    input  logic [ 7:0] xgmii_rxc,
    output logic [63:0] xgmii_txd,
    output logic [ 7:0] xgmii_txc,

    output logic [63:0] m_axis_host_tdata,
    output logic [ 7:0] m_axis_host_tkeep,
    output logic        m_axis_host_tvalid,
    input  logic        m_axis_host_tready,
    output logic        m_axis_host_tlast,
    output logic [63:0] m_axis_host_tstamp,

    input  logic [63:0] s_axis_host_tdata,
    input  logic [ 7:0] s_axis_host_tkeep,
    input  logic        s_axis_host_tvalid,
    output logic        s_axis_host_tready,
    input  logic        s_axis_host_tlast,

    output logic [31:0] feed_packets,
    output logic [31:0] bad_frames,
    output logic [63:0] feed_tstamp
);

  logic [63:0] now_ns, now_lane4_ns;
  timestamper clock (
      .clk,
      .rst,
      .set      (time_set),
      .set_ns   (time_set_ns),
      .adjust   (1'b0),
      .adjust_ns('0),
      .now_ns,
      .now_lane4_ns
  );

  feed_channel_t [1:0] channels;
  assign channels[0] = '{
      enable: channel_a_enable,
      address: channel_a_address,
      port: channel_a_port
  };
  assign channels[1] = '0;

  logic [63:0] unused_tdata;
  logic [7:0] unused_tkeep;
  logic feed_valid, feed_last, feed_abort, unused_channel, unused_gap, unused_overflow;
  logic [31:0] unused_first, unused_count;
  rx_event_t rx_event;
  feed_event_t unused_feed_event;
  arbiter_event_t unused_arbiter_event;
  logic [11:0] unused_level;

  net_rx rx (
      .clk,
      .rst,
      .channels,
      .sync              (1'b0),
      .now_ns,
      .now_lane4_ns,
      .xgmii_rxd,
      .xgmii_rxc,
      .m_axis_feed_tdata (unused_tdata),
      .m_axis_feed_tkeep (unused_tkeep),
      .m_axis_feed_tvalid(feed_valid),
      .m_axis_feed_tlast (feed_last),
      .m_axis_feed_tuser (feed_abort),
      .m_axis_feed_tdest (unused_channel),
      .m_axis_feed_tstamp(feed_tstamp),
      .m_axis_host_tdata,
      .m_axis_host_tkeep,
      .m_axis_host_tvalid,
      .m_axis_host_tready,
      .m_axis_host_tlast,
      .m_axis_host_tside (m_axis_host_tstamp),
      .gap               (unused_gap),
      .gap_first         (unused_first),
      .gap_count         (unused_count),
      .rx_event,
      .feed_event        (unused_feed_event),
      .arbiter_event     (unused_arbiter_event),
      .host_overflow     (unused_overflow),
      .host_level        (unused_level)
  );

  logic unused_granted, unused_tx_first, unused_lane4, unused_fast_ready;
  tx_event_t unused_tx_event;

  net_tx tx (
      .clk,
      .rst,
      .s_axis_fast_tdata ('0),
      .s_axis_fast_tkeep ('0),
      .s_axis_fast_tvalid(1'b0),
      .s_axis_fast_tready(unused_fast_ready),
      .s_axis_fast_tlast (1'b0),
      .s_axis_fast_tuser (1'b0),
      .s_axis_host_tdata,
      .s_axis_host_tkeep,
      .s_axis_host_tvalid,
      .s_axis_host_tready,
      .s_axis_host_tlast,
      .s_axis_host_tuser (1'b0),
      .xgmii_txd,
      .xgmii_txc,
      .host_granted      (unused_granted),
      .tx_first          (unused_tx_first),
      .tx_first_lane4    (unused_lane4),
      .tx_event          (unused_tx_event)
  );

  always_ff @(posedge clk) begin
    if (feed_valid && feed_last && !feed_abort) feed_packets <= feed_packets + 1'b1;
    if (rx_event != '0 && !rx_event.good) bad_frames <= bad_frames + 1'b1;
    if (rst) begin
      feed_packets <= '0;
      bad_frames   <= '0;
    end
  end

endmodule
