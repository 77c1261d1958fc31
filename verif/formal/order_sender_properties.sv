// proof: depth 4
// cover: depth 24
// cut: dut.slots.ram_word
// An arm is good for one frame: between two arms of a slot, no second frame of it ends well. A frame
// once begun goes on without a gap to its last word, words wait unchanged until they are taken, and
// the frames of both kinds of answers never mix. A frame that ends poisoned leaves its slot the arm, and
// none does unless frames may start before their packet's verdict.
//
// The proof is by induction. What it needs to know of states that cannot be reached stands behind what
// is to be shown, and is asserted like it.
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
    input logic trailer,
    input logic [31:0] tcp_ack,
    input logic [15:0] tcp_window,
    input logic tcp_seq_write_valid,
    input logic [31:0] tcp_seq_write_data,
    input logic tcp_limit_write_valid,
    input logic [31:0] tcp_limit_write_data,
    input logic next_msg_seq_write_valid,
    input logic [29:0] next_msg_seq_write_data,
    input logic udp_seq_write_valid,
    input logic [31:0] udp_seq_write_data,
    input logic fire_valid,
    input logic [SLOT_BITS-1:0] fire_slot,
    input logic [TID_BITS-1:0] fire_tid,
    input logic fire_trusted,
    input logic verdict_valid,
    input logic [TID_BITS-1:0] verdict_tid,
    input logic verdict_good,
    input logic m_axis_tready,
    input logic [SLOT_BITS-1:0] pick
);

  // Reset lasts three cycles: what follows from registers that it sets has settled then.
  logic [1:0] age = 2'd0;
  logic started, rst;
  assign started = age == 2'd3;
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
  localparam logic [1:0] IDLE = 2'd0;
  localparam logic [1:0] SEND = 2'd2;
  localparam logic [1:0] BACK = 2'd3;

  logic credit = 1'b0;  // armed, and no frame has ended well since
  logic was_waiting = 1'b0, was_inside = 1'b0;
  logic [63:0] was_tdata;
  logic [7:0] was_tkeep;
  logic was_tlast, was_tuser, was_udp;
  logic speculated = 1'b0;  // frames may have started before their packet's verdict
  logic taken, ends_well;
  logic [SLOTS-1:0] under_way;  // the slot whose frame is
  logic [SLOTS-1:0] in_place;  // armed, to be armed, or what has become of that
  logic changes;  // a slot is written or armed

  assign taken = m_axis_tvalid && m_axis_tready;
  assign ends_well = taken && m_axis_tlast && !m_axis_tuser && dut.fire_q.slot == watched;

  assign under_way = dut.state_q == SEND || dut.state_q == BACK ? SLOTS'(1) << dut.fire_q.slot : '0;
  assign in_place = armed | dut.pending_q | dut.accepted_q | under_way;
  assign changes = (dut.arm_q || dut.table_write_q) && dut.table_address_q[11:8] == SLOT_BASE[11:8];

  always_ff @(posedge clk) begin
    if (!started) begin
      age <= age + 2'd1;
      watched <= pick;
      credit <= 1'b0;
      was_waiting <= 1'b0;
      was_inside <= 1'b0;
      speculated <= speculate;
      // What reset does not set begins with nothing wrong.
      assume (!fire_valid && !slot_write_valid && !verdict_valid);
    end
    if (started) begin
      if (speculate) speculated <= 1'b1;
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

      // A poisoned frame leaves the arm to its slot; without speculation there is none.
      if (sent_valid && sent.poisoned) begin
        assert (credit || sent.slot != watched);
        assert (speculated);
      end

      assert (dut.idle_q == (dut.state_q == IDLE));
      assert (dut.taken_q == !dut.idle_q);
      // What starts at once is what `fire_q` takes: the queue is empty then.
      if (dut.calm_q) assert (!dut.queue_valid && dut.queue_level == '0);
      assert (dut.queue.some_q == (dut.queue_level != '0));
      assert (dut.queue.room_q == !dut.queue_level[3] && dut.queue_level <= 4'd8);
      // One frame at a time, from the unit of its kind, and it does not end with its first word.
      assert (dut.slots.sending_q == dut.tcp_tvalid);
      assert (dut.encoder.sending_q == dut.udp_tvalid);
      if (dut.state_q == SEND) assert (dut.select_q == dut.udp_tvalid);
      if (dut.started_q) assert (dut.state_q == SEND && !m_axis_tlast);
      if (sent_valid && sent.poisoned) begin
        assert (dut.state_q == BACK && dut.fire_q.slot == sent.slot);
      end

      // What is known to be good, and may start, is the same without speculation.
      if (!speculated) begin
        assert (dut.verdicts.may_q == dut.verdicts.good_q);
        if (dut.state_q == SEND) assert (dut.good && !m_axis_tuser);
      end

      // Of a write, what is decoded belongs to its address.
      assert (dut.write_slot ==
              (dut.address_q[11] ? dut.address_q[7:4] : dut.address_q[10:7]));
      assert (dut.write_is_header == (dut.address_q[11:8] == HEADER_BASE[11:8]));
      assert (dut.write_is_arm ==
              (dut.address_q[11:8] == SLOT_BASE[11:8] && dut.address_q[3:0] == SLOT_ARM));

      // A slot is in one of these places only, and has credit in each of them.
      assert ((armed & dut.pending_q) == '0);
      assert (dut.accepted_q == (dut.accepted_tcp_q | dut.accepted_udp_q));
      assert ((dut.accepted_udp_q & ~dut.udp_q) == '0);
      assert ((dut.accepted_tcp_q & dut.udp_q) == '0);
      assert (((armed | dut.pending_q | dut.accepted_q) & ~dut.kept_q) == '0);
      assert (((dut.accepted_q | under_way) & dut.pending_q) == '0);
      if (!dut.started_q) assert ((under_way & armed) == '0);
      if (in_place[watched]) assert (credit);
      // What may still start is armed, but for one cycle behind the start.
      if (dut.state_q != SEND) assert ((dut.accepted_q & ~armed) == '0);
      assert ((dut.accepted_q & ~armed & ~under_way) == '0);
      // What is being encoded waits to be armed by it, or its slot was disarmed since.
      if (dut.encode_busy || dut.encode_busy_q) begin
        assert (dut.pending_q[dut.encode_slot_q] || dut.stale_q);
      end
      // Nothing is written to a slot, and it is not armed, but where it is free.
      if (changes) begin
        assert (!in_place[dut.table_slot]);
      end

      cover (sent_valid && sent.poisoned && sent.slot == watched);
      cover (sent_valid && !sent.poisoned && sent.slot == watched);
      cover (order_event.refused_bad_packet);
      cover (order_event.refused_not_leased);
    end
  end

endmodule
