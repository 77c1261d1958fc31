// The receive side of a line and the packet intake behind it, with the ports of both.
module rx_probe
  import net_pkg::*;
#(
    parameter int unsigned MAX_FRAME_BYTES = 600,
    parameter int unsigned HOST_DEPTH = 64,
    parameter int unsigned HOST_FRAMES = 4,
    parameter int unsigned PACKET_DEPTH = 64
) (
    input logic clk,
    input logic rst,

    input logic [97:0] channels,
    input logic        mirror,
    input logic        sync,

    input logic [63:0] now_ns,
    input logic [63:0] now_lane4_ns,

    input logic [63:0] xgmii_rxd,
    input logic [ 7:0] xgmii_rxc,

    output logic [ 5:0] rx_event,
    output logic [11:0] feed_event,

    output logic [63:0] feed_tdata,
    output logic [ 7:0] feed_tkeep,
    output logic        feed_tvalid,
    output logic        feed_tlast,
    output logic        feed_tuser,
    output logic        feed_tdest,
    output logic [63:0] feed_tstamp,
    output logic        gap,
    output logic [31:0] gap_first,
    output logic [31:0] gap_count,
    output logic [ 4:0] arbiter_event,

    output logic [63:0] host_tdata,
    output logic [ 7:0] host_tkeep,
    output logic        host_tvalid,
    input  logic        host_tready,
    output logic        host_tlast,
    output logic [63:0] host_tstamp,
    output logic        host_overflow,

    input logic enable,

    output logic [63:0] packet_tdata,
    output logic [ 7:0] packet_tkeep,
    output logic        packet_tvalid,
    input  logic        packet_tready,
    output logic        packet_tlast,
    output logic        packet_tuser,
    output logic [ 3:0] packet_tid,
    output logic [63:0] packet_tstamp,

    input logic [ 2:0] pending_valid,
    input logic [11:0] pending_tid,

    output logic        begin_valid,
    output logic [ 3:0] begin_tid,
    output logic [63:0] begin_tstamp,
    output logic        begin_behind_gap,
    output logic        ended_good,
    output logic        ended_bad,
    output logic        verdict_valid,
    output logic        verdict_good,
    output logic [ 3:0] verdict_tid,
    output logic        dropped,
    output logic        cut,
    output logic        swallowed
);

  logic [$clog2(HOST_DEPTH):0] unused_host_level;
  logic [$clog2(PACKET_DEPTH):0] unused_level;

  net_rx #(
      .MAX_FRAME_BYTES(MAX_FRAME_BYTES),
      .HOST_DEPTH(HOST_DEPTH),
      .HOST_FRAMES(HOST_FRAMES)
  ) receiver (
      .channels          (channels),
      .m_axis_feed_tdata (feed_tdata),
      .m_axis_feed_tkeep (feed_tkeep),
      .m_axis_feed_tvalid(feed_tvalid),
      .m_axis_feed_tlast (feed_tlast),
      .m_axis_feed_tuser (feed_tuser),
      .m_axis_feed_tdest (feed_tdest),
      .m_axis_feed_tstamp(feed_tstamp),
      .m_axis_host_tdata (host_tdata),
      .m_axis_host_tkeep (host_tkeep),
      .m_axis_host_tvalid(host_tvalid),
      .m_axis_host_tready(host_tready),
      .m_axis_host_tlast (host_tlast),
      .m_axis_host_tside (host_tstamp),
      .host_level        (unused_host_level),
      .*
  );

  packet_intake #(
      .DEPTH(PACKET_DEPTH)
  ) packets (
      .s_axis_tdata (feed_tdata),
      .s_axis_tkeep (feed_tkeep),
      .s_axis_tvalid(feed_tvalid),
      .s_axis_tlast (feed_tlast),
      .s_axis_tuser (feed_tuser),
      .s_axis_tstamp(feed_tstamp),
      .s_axis_gap   (gap),
      .m_axis_tdata (packet_tdata),
      .m_axis_tkeep (packet_tkeep),
      .m_axis_tvalid(packet_tvalid),
      .m_axis_tready(packet_tready),
      .m_axis_tlast (packet_tlast),
      .m_axis_tuser (packet_tuser),
      .m_axis_tid   (packet_tid),
      .m_axis_tstamp(packet_tstamp),
      .level        (unused_level),
      .*
  );

endmodule
