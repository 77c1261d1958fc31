// Receive side of a line: MAC, header parser, A/B arbitration, host port.
//
// Latency: three cycles from the XGMII word that completes a payload word to that word.
//
// Back-pressure: the line cannot be held back, nor can the feed stream. The host port is read at the
// host's pace from a FIFO of whole frames; a frame without room in it is lost and counted
// (`host_overflow`), and is the only loss of a good frame there is.
module net_rx
  import net_pkg::*;
#(
    parameter int unsigned MAX_FRAME_BYTES = 9022,
    parameter int unsigned HOST_DEPTH = 2048,
    parameter int unsigned HOST_FRAMES = 32
) (
    input logic clk,
    input logic rst,

    input feed_channel_t [1:0] channels,
    input logic                mirror,
    input logic                sync,

    input logic [63:0] now_ns,
    input logic [63:0] now_lane4_ns,

    input logic [63:0] xgmii_rxd,
    input logic [ 7:0] xgmii_rxc,

    // Packets of the feed, each once; see ab_arbiter and feed_parser.
    output logic [63:0] m_axis_feed_tdata,
    output logic [ 7:0] m_axis_feed_tkeep,
    output logic        m_axis_feed_tvalid,
    output logic        m_axis_feed_tlast,
    output logic        m_axis_feed_tuser,
    output logic        m_axis_feed_tdest,
    output logic [63:0] m_axis_feed_tstamp,

    // Whole frames for the host; the stamp is in `tside`.
    output logic [63:0] m_axis_host_tdata,
    output logic [ 7:0] m_axis_host_tkeep,
    output logic        m_axis_host_tvalid,
    input  logic        m_axis_host_tready,
    output logic        m_axis_host_tlast,
    output logic [63:0] m_axis_host_tside,

    output logic        gap,
    output logic [31:0] gap_first,
    output logic [31:0] gap_count,

    output rx_event_t                             rx_event,
    output feed_event_t                           feed_event,
    output arbiter_event_t                        arbiter_event,
    output logic                                  host_overflow,
    output logic           [$clog2(HOST_DEPTH):0] host_level
);

  logic [63:0] rx_tdata, rx_tstamp;
  logic [7:0] rx_tkeep;
  logic rx_tvalid, rx_tlast, rx_tuser;
  rx_error_t unused_error;

  xgmii_rx #(
      .MAX_FRAME_BYTES(MAX_FRAME_BYTES)
  ) mac (
      .clk,
      .rst,
      .xgmii_rxd,
      .xgmii_rxc,
      .now_ns,
      .now_lane4_ns,
      .m_axis_tdata (rx_tdata),
      .m_axis_tkeep (rx_tkeep),
      .m_axis_tvalid(rx_tvalid),
      .m_axis_tlast (rx_tlast),
      .m_axis_tuser (rx_tuser),
      .m_axis_terror(unused_error),
      .m_axis_tstamp(rx_tstamp),
      .rx_event
  );

  logic [31:0] feed_number;
  logic [63:0] feed_tdata, feed_tstamp, other_tdata, other_tstamp;
  logic [7:0] feed_tkeep, other_tkeep;
  logic feed_tvalid, feed_tlast, feed_tuser, feed_tdest;
  logic other_tvalid, other_tlast, other_tuser;

  feed_parser parser (
      .clk,
      .rst,
      .channels,
      .mirror,
      .s_axis_tdata      (rx_tdata),
      .s_axis_tkeep      (rx_tkeep),
      .s_axis_tvalid     (rx_tvalid),
      .s_axis_tlast      (rx_tlast),
      .s_axis_tuser      (rx_tuser),
      .s_axis_tstamp     (rx_tstamp),
      .m_feed_number     (feed_number),
      .m_axis_feed_tdata (feed_tdata),
      .m_axis_feed_tkeep (feed_tkeep),
      .m_axis_feed_tvalid(feed_tvalid),
      .m_axis_feed_tlast (feed_tlast),
      .m_axis_feed_tuser (feed_tuser),
      .m_axis_feed_tdest (feed_tdest),
      .m_axis_feed_tstamp(feed_tstamp),
      .m_axis_host_tdata (other_tdata),
      .m_axis_host_tkeep (other_tkeep),
      .m_axis_host_tvalid(other_tvalid),
      .m_axis_host_tlast (other_tlast),
      .m_axis_host_tuser (other_tuser),
      .m_axis_host_tstamp(other_tstamp),
      .feed_event
  );

  ab_arbiter arbiter (
      .clk,
      .rst,
      .sync,
      .s_number     (feed_number),
      .s_axis_tdata (feed_tdata),
      .s_axis_tkeep (feed_tkeep),
      .s_axis_tvalid(feed_tvalid),
      .s_axis_tlast (feed_tlast),
      .s_axis_tuser (feed_tuser),
      .s_axis_tdest (feed_tdest),
      .s_axis_tstamp(feed_tstamp),
      .m_axis_tdata (m_axis_feed_tdata),
      .m_axis_tkeep (m_axis_feed_tkeep),
      .m_axis_tvalid(m_axis_feed_tvalid),
      .m_axis_tlast (m_axis_feed_tlast),
      .m_axis_tuser (m_axis_feed_tuser),
      .m_axis_tdest (m_axis_feed_tdest),
      .m_axis_tstamp(m_axis_feed_tstamp),
      .gap,
      .gap_first,
      .gap_count,
      .arbiter_event
  );

  logic [63:0] host_tdata, host_tstamp;
  logic [7:0] host_tkeep;
  logic host_tvalid, host_tlast, host_tuser;

  lane_align align (
      .clk,
      .rst,
      .s_axis_tdata (other_tdata),
      .s_axis_tkeep (other_tkeep),
      .s_axis_tvalid(other_tvalid),
      .s_axis_tlast (other_tlast),
      .s_axis_tuser (other_tuser),
      .s_axis_tstamp(other_tstamp),
      .m_axis_tdata (host_tdata),
      .m_axis_tkeep (host_tkeep),
      .m_axis_tvalid(host_tvalid),
      .m_axis_tlast (host_tlast),
      .m_axis_tuser (host_tuser),
      .m_axis_tstamp(host_tstamp)
  );

  frame_fifo #(
      .DEPTH(HOST_DEPTH),
      .FRAMES(HOST_FRAMES),
      .SIDE_BITS(64)
  ) host (
      .clk,
      .rst,
      .s_axis_tdata (host_tdata),
      .s_axis_tkeep (host_tkeep),
      .s_axis_tvalid(host_tvalid),
      .s_axis_tlast (host_tlast),
      .s_axis_tuser (host_tuser),
      .s_axis_tside (host_tstamp),
      .m_axis_tdata (m_axis_host_tdata),
      .m_axis_tkeep (m_axis_host_tkeep),
      .m_axis_tvalid(m_axis_host_tvalid),
      .m_axis_tready(m_axis_host_tready),
      .m_axis_tlast (m_axis_host_tlast),
      .m_axis_tside (m_axis_host_tside),
      .overflow     (host_overflow),
      .level        (host_level)
  );

endmodule
