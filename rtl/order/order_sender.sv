// From a fire to a frame: prepared orders, patched and sent.
//
// Latency: a fire in cycle n has its first word at the MAC in cycle n+1, then one word a cycle.
module order_sender
  import order_pkg::*;
(
    input logic clk,
    input logic rst,

    // Options. Change them only while nothing is under way.
    input logic speculate,  // frames start before their packet's verdict
    input logic trailer,    // eight bytes behind the IP packet tell the latency

    // Registers of the host.
    input logic        enabled,
    input logic        leased,
    input logic [31:0] tcp_ack,
    input logic [15:0] tcp_window,

    // Registers that both sides write: the host by strobe, while not leased and not busy.
    input  logic        tcp_seq_write_valid,
    input  logic [31:0] tcp_seq_write_data,
    input  logic        tcp_limit_write_valid,
    input  logic [31:0] tcp_limit_write_data,
    input  logic        next_msg_seq_write_valid,
    input  logic [29:0] next_msg_seq_write_data,
    input  logic        udp_seq_write_valid,
    input  logic [31:0] udp_seq_write_data,
    output logic [31:0] tcp_seq,
    output logic [31:0] tcp_limit,
    output logic [29:0] next_msg_seq,
    output logic [31:0] udp_seq,

    output logic [SLOTS-1:0] armed,
    output logic             busy,  // a frame is under way, or a fire waits

    // Slots and the UDP answer's header; addresses in order_pkg.
    input logic        slot_write_valid,
    input logic [11:0] slot_write_address,
    input logic [31:0] slot_write_data,

    input logic                 fire_valid,
    input logic [SLOT_BITS-1:0] fire_slot,
    input logic [ TID_BITS-1:0] fire_tid,
    input logic                 fire_trusted,
    input logic [         63:0] fire_tstamp,
    input logic [         63:0] fire_price,

    input logic                verdict_valid,
    input logic [TID_BITS-1:0] verdict_tid,
    input logic                verdict_good,

    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,

    // From net_tx and timestamper: when the frame's first byte is on XGMII.
    input logic        tx_first,
    input logic        tx_first_lane4,
    input logic [63:0] now_ns,
    input logic [63:0] now_lane4_ns,

    output logic                 sent_valid,
    output order_sent_t          sent,
    output logic                 refused_valid,
    output order_refused_t       refused,
    // To the strategy: the fire of this slot sent nothing and never will. Its exposure is taken back;
    // with `rearm_armed` the slot may fire again at once, else when the host has armed it.
    output logic                 rearm_valid,
    output logic [SLOT_BITS-1:0] rearm_slot,
    output logic                 rearm_armed,
    output order_event_t         order_event
);
endmodule
