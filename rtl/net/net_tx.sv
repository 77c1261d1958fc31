// Transmit side of a line: fast path and host behind one MAC.
//
// Latency from a fast-path frame's first word, on an idle line: one cycle to Start, two to its bytes.
module net_tx
  import net_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic [63:0] s_axis_fast_tdata,   // lanes without a byte are zero
    input  logic [ 7:0] s_axis_fast_tkeep,
    input  logic        s_axis_fast_tvalid,
    output logic        s_axis_fast_tready,
    input  logic        s_axis_fast_tlast,
    input  logic        s_axis_fast_tuser,

    input  logic [63:0] s_axis_host_tdata,
    input  logic [ 7:0] s_axis_host_tkeep,
    input  logic        s_axis_host_tvalid,
    output logic        s_axis_host_tready,
    input  logic        s_axis_host_tlast,
    input  logic        s_axis_host_tuser,

    output logic [63:0] xgmii_txd,
    output logic [ 7:0] xgmii_txc,

    output logic      host_granted,
    output logic      tx_first,
    output logic      tx_first_lane4,
    output tx_event_t tx_event
);

  logic [63:0] tdata;
  logic [ 7:0] tkeep;
  logic tvalid, tready, tlast, tuser, pad_next, drains, abandon;

  tx_arbiter arbiter (
      .clk,
      .rst,
      .s_axis_fast_tdata,
      .s_axis_fast_tkeep,
      .s_axis_fast_tvalid,
      .s_axis_fast_tready,
      .s_axis_fast_tlast,
      .s_axis_fast_tuser,
      .s_axis_host_tdata,
      .s_axis_host_tkeep,
      .s_axis_host_tvalid,
      .s_axis_host_tready,
      .s_axis_host_tlast,
      .s_axis_host_tuser,
      .m_axis_tdata (tdata),
      .m_axis_tkeep (tkeep),
      .m_axis_tvalid(tvalid),
      .m_axis_tready(tready),
      .m_axis_tlast (tlast),
      .m_axis_tuser (tuser),
      .pad_next,
      .drains,
      .abandon,
      .host_granted
  );

  xgmii_tx #(
      .CLEAN(1'b1)
  ) mac (
      .clk,
      .rst,
      .s_axis_tdata (tdata),
      .s_axis_tkeep (tkeep),
      .s_axis_tvalid(tvalid),
      .s_axis_tready(tready),
      .s_axis_tlast (tlast),
      .s_axis_tuser (tuser),
      .pad_next,
      .drains,
      .abandon,
      .xgmii_txd,
      .xgmii_txc,
      .tx_first,
      .tx_first_lane4,
      .tx_event
  );

endmodule
