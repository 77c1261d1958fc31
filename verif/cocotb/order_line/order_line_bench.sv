// Order sender, transmit side of the line and clock, as a trader joins them.
module order_line_bench
  import net_pkg::*;
  import order_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic speculate,
    input logic trailer,
    input logic leased,
    input logic tcp_limit_write_valid,
    input logic next_msg_seq_write_valid,
    input logic [31:0] write_data,
    input logic slot_write_valid,
    input logic [11:0] slot_write_address,
    input logic [31:0] slot_write_data,

    input logic fire_valid,
    input logic [3:0] fire_slot,
    input logic [3:0] fire_tid,
    input logic [63:0] fire_tstamp,
    input logic verdict_valid,
    input logic [3:0] verdict_tid,
    input logic verdict_good,

    input logic [63:0] s_axis_host_tdata,
    input logic [7:0] s_axis_host_tkeep,
    input logic s_axis_host_tvalid,
    output logic s_axis_host_tready,
    input logic s_axis_host_tlast,
    input logic s_axis_host_tuser,

    output logic [63:0] xgmii_txd,
    output logic [7:0] xgmii_txc,
    output logic [31:0] tcp_seq,
    output logic [31:0] tcp_limit,
    output logic [31:0] udp_seq,
    output logic host_granted,
    output logic [29:0] next_msg_seq,
    output logic [SLOTS-1:0] armed,
    output logic busy,
    output logic [63:0] now_ns,
    output logic [63:0] now_lane4_ns,
    output logic sent_valid,
    output order_sent_t sent,
    output logic refused_valid,
    output order_refused_t refused,
    output logic rearm_valid,
    output logic [3:0] rearm_slot,
    output logic rearm_armed,
    output order_event_t order_event,
    output tx_event_t tx_event
);

  logic [63:0] tdata;
  logic [7:0] tkeep;
  logic tvalid, tready, tlast, tuser, tx_first, tx_first_lane4;

  timestamper clock (
      .clk,
      .rst,
      .set(1'b0),
      .set_ns('0),
      .adjust(1'b0),
      .adjust_ns('0),
      .now_ns,
      .now_lane4_ns
  );

  logic unused_pending_valid;
  logic [3:0] unused_pending_tid;

  order_sender sender (
      .clk,
      .rst,
      .speculate,
      .trailer,
      .enabled(1'b1),
      .leased,
      .tcp_ack(32'h01020304),
      .tcp_window(16'h0506),
      .tcp_seq_write_valid(1'b0),
      .tcp_seq_write_data('0),
      .tcp_limit_write_valid,
      .tcp_limit_write_data(write_data),
      .next_msg_seq_write_valid,
      .next_msg_seq_write_data(write_data[29:0]),
      .udp_seq_write_valid(1'b0),
      .udp_seq_write_data('0),
      .tcp_seq,
      .tcp_limit,
      .next_msg_seq,
      .udp_seq,
      .armed,
      .busy,
      .slot_write_valid,
      .slot_write_address,
      .slot_write_data,
      .fire_valid,
      .fire_slot,
      .fire_tid,
      .fire_trusted(1'b0),
      .fire_tstamp,
      .fire_price('0),
      .verdict_valid,
      .verdict_tid,
      .verdict_good,
      .pending_valid(unused_pending_valid),
      .pending_tid  (unused_pending_tid),
      .m_axis_tdata (tdata),
      .m_axis_tkeep (tkeep),
      .m_axis_tvalid(tvalid),
      .m_axis_tready(tready),
      .m_axis_tlast (tlast),
      .m_axis_tuser (tuser),
      .tx_first,
      .tx_first_lane4,
      .now_ns,
      .now_lane4_ns,
      .sent_valid,
      .sent,
      .refused_valid,
      .refused,
      .rearm_valid,
      .rearm_slot,
      .rearm_armed,
      .order_event
  );

  net_tx line (
      .clk,
      .rst,
      .s_axis_fast_tdata (tdata),
      .s_axis_fast_tkeep (tkeep),
      .s_axis_fast_tvalid(tvalid),
      .s_axis_fast_tready(tready),
      .s_axis_fast_tlast (tlast),
      .s_axis_fast_tuser (tuser),
      .s_axis_host_tdata,
      .s_axis_host_tkeep,
      .s_axis_host_tvalid,
      .s_axis_host_tready,
      .s_axis_host_tlast,
      .s_axis_host_tuser,
      .xgmii_txd,
      .xgmii_txc,
      .host_granted,
      .tx_first,
      .tx_first_lane4,
      .tx_event
  );

endmodule
