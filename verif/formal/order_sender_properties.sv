// bounded: depth 20
// cover: depth 34
// cut: dut.slots.ram_word
// An arm is good for one frame: between two arms of a slot, no second frame of it ends well. A frame
// once begun goes on without a gap to its last word, words wait unchanged until they are taken, and
// the frames of both kinds of answers never mix.
module order_sender_properties
  import order_pkg::*;
(
    input logic clk,
    input logic speculate,
    input logic enabled,
    input logic leased,
    input logic slot_write_valid,
    input logic [11:0] slot_write_address,
    input logic [31:0] slot_write_data,
    input logic fire_valid,
    input logic [SLOT_BITS-1:0] fire_slot,
    input logic [TID_BITS-1:0] fire_tid,
    input logic verdict_valid,
    input logic [TID_BITS-1:0] verdict_tid,
    input logic verdict_good,
    input logic m_axis_tready,
    input logic [SLOT_BITS-1:0] pick
);

  logic started = 1'b0;
  logic rst;
  assign rst = !started;

  logic [63:0] m_axis_tdata;
  logic [7:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser;
  logic [31:0] tcp_seq, tcp_limit, udp_seq;
  logic [29:0] next_msg_seq;
  logic [SLOTS-1:0] armed;
  logic busy, sent_valid, refused_valid, rearm_valid, rearm_armed;
  order_sent_t sent;
  order_refused_t refused;
  logic [SLOT_BITS-1:0] rearm_slot;
  order_event_t order_event;

  order_sender dut (
      .trailer(1'b0),
      .tcp_ack('0),
      .tcp_window('0),
      .tcp_seq_write_valid(1'b0),
      .tcp_seq_write_data('0),
      .tcp_limit_write_valid(1'b0),
      .tcp_limit_write_data('0),
      .next_msg_seq_write_valid(1'b0),
      .next_msg_seq_write_data('0),
      .udp_seq_write_valid(1'b0),
      .udp_seq_write_data('0),
      .fire_trusted(1'b0),
      .fire_tstamp('0),
      .fire_price('0),
      .tx_first(1'b0),
      .tx_first_lane4(1'b0),
      .now_ns('0),
      .now_lane4_ns('0),
      .pending_valid(),
      .pending_tid(),
      .*
  );

  // One slot, any.
  logic [SLOT_BITS-1:0] watched;
  localparam logic [1:0] SEND = 2'd2;

  logic credit = 1'b0;  // armed, and no frame has ended well since
  logic was_waiting = 1'b0, was_inside = 1'b0;
  logic [63:0] was_tdata;
  logic [7:0] was_tkeep;
  logic was_tlast, was_tuser, was_udp;
  logic taken, ends_well;

  assign taken = m_axis_tvalid && m_axis_tready;
  assign ends_well = taken && m_axis_tlast && !m_axis_tuser && dut.fire_q.slot == watched;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (!started) begin
      watched <= pick;
      // What reset does not set begins with nothing wrong.
      assume (!fire_valid && !slot_write_valid && !verdict_valid);
    end
    if (started) begin
      if (ends_well) credit <= 1'b0;
      if (dut.arm && dut.table_slot == watched) credit <= 1'b1;

      // An arm is good for one frame.
      if (ends_well) assert (credit);
      if (armed[watched]) assert (credit);
      assert (!(dut.arm && dut.table_slot == watched && dut.state_q == SEND &&
                dut.fire_q.slot == watched));

      // A word waits unchanged; a frame goes on; kinds do not mix.
      was_waiting <= m_axis_tvalid && !m_axis_tready;
      was_inside <= m_axis_tvalid && !(taken && m_axis_tlast);
      was_tdata <= m_axis_tdata;
      was_tkeep <= m_axis_tkeep;
      was_tlast <= m_axis_tlast;
      was_tuser <= m_axis_tuser;
      was_udp <= dut.select_q;
      assert (!(dut.tcp_tvalid && dut.udp_tvalid));
      assert (m_axis_tvalid == (dut.state_q == SEND));
      if (was_inside) begin
        assert (m_axis_tvalid);
        assert (dut.select_q == was_udp);
      end
      if (was_waiting) begin
        assert (m_axis_tkeep == was_tkeep);
        assert (m_axis_tlast == was_tlast);
        assert (m_axis_tuser == was_tuser);
        assert (m_axis_tdata == was_tdata);
      end

      // Without speculation nothing leaves poisoned.
      if (sent_valid && sent.poisoned) assert (credit || sent.slot != watched);

      cover (sent_valid && sent.poisoned && sent.slot == watched);
      cover (sent_valid && !sent.poisoned && sent.slot == watched);
      cover (order_event.refused_bad_packet);
      cover (order_event.refused_not_leased);
    end
  end

endmodule
