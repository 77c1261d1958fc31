// From a fire to a frame: prepared orders, patched or encoded, and sent.
//
// Latency: a fire in cycle n has its first word at the MAC in cycle n+1, then one word a cycle, if the
// unit is idle and the packet that caused it is known to be good. A fire that waits for its packet's
// verdict has its first word in the cycle behind the verdict. Refusals are told from two cycles after
// the fire on.
//
// A slot answers with FIX over TCP (order_slots) or with FAST over UDP (fast_order_encoder). Fires are
// judged one by one in their order, each when the frame before it has left: a fire is refused, or its
// slot is disarmed, the numbers count on (order_sequence), and the frame is sent.
//
// Speculation: without it, a fire waits until its packet's verdict is known. With it, the frame starts
// while the verdict is out; if the verdict is bad, or still out when the last word is made ready, the
// frame ends poisoned, the numbers are taken back and the slot is armed again. The fire then waits for
// the verdict: it is sent once more if that is good, and refused if it is bad.
//
// Overload: eight fires wait in a queue; one more is refused. Only a fire whose verdict is out, or a
// busy line, can make them wait.
//
// Host writes: a slot that is armed or under way is left as it is, and so is the UDP answer's header
// while any UDP answer is; arming waits for nothing but, for a UDP answer, its prefix (40 cycles at most). A
// slot that is disarmed while under way is not armed again should its frame end poisoned.
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

    // Registers that both sides write: the host by strobe, while not leased and no frame is under way.
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
    output logic             busy,   // a frame is under way, a fire waits, or registers settle

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

    input  logic                verdict_valid,
    input  logic [TID_BITS-1:0] verdict_tid,
    input  logic                verdict_good,
    // The packet of the first fire in the queue that one has caused: its verdict is not to be forgotten.
    output logic                pending_valid,
    output logic [TID_BITS-1:0] pending_tid,

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

    output logic                           sent_valid,
    output order_sent_t                    sent,
    output logic                           refused_valid,
    output order_refused_t                 refused,
    // To the strategy: the fire of this slot sent nothing and never will. Its exposure is taken back;
    // with `rearm_armed` the slot may fire again at once, else when the host has armed it.
    output logic                           rearm_valid,
    output logic           [SLOT_BITS-1:0] rearm_slot,
    output logic                           rearm_armed,
    output order_event_t                   order_event
);

  // IDLE: the next fire is judged when it comes. WAIT: the fire in `fire_q` is judged in each cycle
  // until its verdict is known. SEND: its frame is under way. BACK: it ended poisoned.
  typedef enum logic [1:0] {
    IDLE,
    WAIT,
    SEND,
    BACK
  } state_t;

  state_t state_q, state_d;
  logic idle_d;
  logic idle_q;  // state_q is IDLE
  logic taken_q;  // it is not: for the FAST answers' memories, so that each net has half of them
  order_fire_t arriving, queued, fire_q;
  logic certain_q;  // this fire was sent poisoned: it waits for its verdict
  logic queue_valid, queue_room;
  logic [3:0] queue_level;
  logic direct, calm_q;  // an arriving fire is judged at once
  logic direct_good, direct_bad, direct_told, direct_may, queued_good, queued_bad;
  logic told;  // the verdict of this cycle is of the fire in `fire_q`
  logic good, bad;  // what is known of that fire
  logic good_q, bad_q;  // what was, a cycle ago
  logic start, was_bad, judged, refuse, overflow;
  refusal_t reason;
  logic settled, done;
  logic started_q;  // the first cycle of SEND
  logic [SLOT_BITS-1:0] slot, slot_fast;  // that may start in this cycle

  assign arriving = '{
      slot: fire_slot,
      tid: fire_tid,
      trusted: fire_trusted,
      tstamp: fire_tstamp,
      price: fire_price
  };

  // Fires that find another before them. They are judged in WAIT, a cycle after they leave the queue;
  // the line's gap between frames is longer.
  // `calm_q`: there is none, nor was there a cycle ago.
  assign direct = idle_q && calm_q;

  always_ff @(posedge clk) begin
    calm_q <= !queue_valid && queue_level == '0 && !(fire_valid && !direct);
    if (rst) calm_q <= 1'b1;
  end

  fifo #(
      .WIDTH($bits(order_fire_t)),
      .DEPTH(8)
  ) queue (
      .clk,
      .rst,
      .s_data (arriving),
      .s_valid(fire_valid && !direct),
      .s_ready(queue_room),
      .m_data (queued),
      .m_valid(queue_valid),
      .m_ready(idle_q),
      .level  (queue_level)
  );

  // The packets that have caused these. Fires that no packet caused may wait in front, as long as the line is busy.
  logic pending_room;
  logic [3:0] pending_level;
  fifo #(
      .WIDTH(TID_BITS),
      .DEPTH(8)
  ) pending (
      .clk,
      .rst,
      .s_data (fire_tid),
      .s_valid(fire_valid && !direct && queue_room && !fire_trusted),
      .s_ready(pending_room),
      .m_data (pending_tid),
      .m_valid(pending_valid),
      .m_ready(idle_q && queue_valid && !queued.trusted),
      .level  (pending_level)
  );
  logic unused;  // it has room where the queue has
  assign unused = &{1'b0, pending_room, pending_level};

  order_verdicts verdicts (
      .clk,
      .rst,
      .speculate,
      .verdict_valid,
      .verdict_tid,
      .verdict_good,
      .tid_a (fire_tid),
      .good_a(direct_good),
      .bad_a (direct_bad),
      .told_a(direct_told),
      .may_a (direct_may),
      .tid_b (queued.tid),
      .good_b(queued_good),
      .bad_b (queued_bad)
  );

  // The judgement of every slot, by what held one cycle ago (TCP's limit: two).
  refusal_t reasons_q[SLOTS];
  // Step by step: selections by index would be merged into one of a selected slot, which is longer.
  function automatic logic lookup(input logic [15:0] bits, input logic [3:0] at);
    logic [7:0] eight;
    logic [3:0] four;
    logic [1:0] two;
    eight = at[3] ? bits[15:8] : bits[7:0];
    four = at[2] ? eight[7:4] : eight[3:0];
    two = at[1] ? four[3:2] : four[1:0];
    return at[0] ? two[1] : two[0];
  endfunction

  // Of those accepted, what they answer with; looked up for the fire that arrives and the one that
  // waits side by side.
  logic [SLOTS-1:0] accepted_q, accepted_tcp_q, accepted_udp_q;
  logic start_tcp, start_udp;

  // A fire starts if what is known of its packet suffices. Whether this cycle's verdict is of that packet
  // is known last, and chooses between what would follow.
  logic arrives, waits, sure;
  logic arrives_if_told, arrives_else, waits_if_told, waits_else;
  function automatic logic starts(input logic [SLOTS-1:0] accepted);
    logic arriving_slot, waiting_slot;
    arriving_slot = lookup(accepted, fire_slot);
    waiting_slot  = lookup(accepted, fire_q.slot);
    return (direct_told ? arrives_if_told && arriving_slot : arrives_else && arriving_slot) ||
        (told ? waits_if_told && waiting_slot : waits_else && waiting_slot);
  endfunction

  always_comb begin
    slot = idle_q ? fire_slot : fire_q.slot;
    slot_fast = taken_q ? fire_q.slot : fire_slot;
    // The table is asked once, when the fire comes: later it would be on the way to the start. What is known
    // stays: a frame may last until its packet's number is used again.
    told = verdict_valid && verdict_tid == fire_q.tid;
    good = fire_q.trusted || good_q || (told && verdict_good && !bad_q);
    bad = !fire_q.trusted && (bad_q || (told && !verdict_good && !good_q));
    arrives = direct && fire_valid && settled;
    arrives_if_told = arrives && (fire_trusted || verdict_good);
    arrives_else = arrives && (fire_trusted || direct_may);
    waits = state_q == WAIT && settled;
    sure = fire_q.trusted || good_q;
    waits_if_told = waits && (sure || (verdict_good && !bad_q));
    waits_else = waits && (sure || (speculate && !bad_q && !certain_q));
    start = starts(accepted_q);
    start_tcp = starts(accepted_tcp_q);
    start_udp = starts(accepted_udp_q);

    // Refusals are for WAIT; a fire that arrives and may not start goes there. While an overflow is
    // reported a refusal has to wait. It looks at the verdicts of the cycles before.
    overflow = fire_valid && !direct && !queue_room;
    was_bad = !fire_q.trusted && bad_q;
    judged = fire_q.trusted || good_q || (speculate && !certain_q);
    refuse = state_q == WAIT && settled && !overflow &&
        (was_bad || (judged && !lookup(accepted_q, fire_q.slot)));
    reason = was_bad ? BAD_PACKET : reasons_q[fire_q.slot];

    state_d = state_q;
    unique case (state_q)
      IDLE: begin
        if (start) state_d = SEND;
        else if (queue_valid || (direct && fire_valid)) state_d = WAIT;
      end
      WAIT: begin
        if (start) state_d = SEND;
        else if (refuse) state_d = IDLE;
      end
      SEND:    if (done) state_d = m_axis_tuser ? BACK : IDLE;
      default: state_d = WAIT;
    endcase
    // The same, but for what does not matter: whether a fire that arrives starts is known late.
    unique case (state_q)
      IDLE:    idle_d = !queue_valid && !(direct && fire_valid);
      WAIT:    idle_d = refuse && !start;
      SEND:    idle_d = done && !m_axis_tuser;
      default: idle_d = 1'b0;
    endcase
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    idle_q  <= idle_d;
    taken_q <= !idle_d;
    if (idle_q) begin
      fire_q <= queue_valid ? queued : arriving;
      good_q <= queue_valid ? queued_good : direct_good;
      bad_q <= queue_valid ? queued_bad : direct_bad;
      certain_q <= 1'b0;
    end else begin
      good_q <= good;
      bad_q  <= bad;
      if (state_q == BACK) certain_q <= 1'b1;
    end
    if (rst) begin
      state_q   <= IDLE;
      idle_q    <= 1'b1;
      taken_q   <= 1'b0;
      certain_q <= 1'b0;
    end
  end

  // Slots: what the host writes, and which are armed.

  logic write_q, table_write_q;
  logic [11:0] address_q, table_address_q;
  logic [31:0] data_q, table_data_q;
  logic [SLOT_BITS-1:0] write_slot;
  logic [SLOT_BITS-1:0] table_slot;
  logic write_is_header, write_is_arm, table_is_shape, write_good, write_allowed;
  logic write_refused_q, arm_q;
  logic [SLOTS-1:0] armed_q, udp_q, shaped_q, pending_q, fits_q;
  logic [SLOTS-1:0][9:0] payload_q;
  logic [9:0] payload;
  logic free;  // neither armed nor under way nor being encoded
  logic [SLOTS-1:0] kept_q;  // armed or being encoded
  logic arm, disarm, cancelled_q;
  logic disarm_q;  // in the cycle before
  logic [SLOT_BITS-1:0] disarm_slot_q;
  logic encode, encode_busy, encode_busy_q;
  logic stale_q;  // the slot was disarmed while being encoded, and may bear something else now
  logic [SLOT_BITS-1:0] encode_slot_q;  // looks for slots to encode, and stays while one is
  logic exhausted;
  logic [9:0] limit_q;

  always_comb begin
    free = !kept_q[write_slot] && !(arm_q && table_slot == write_slot) &&
        !((state_q == SEND || state_q == BACK) && fire_q.slot == write_slot);
    if (write_is_header) begin
      write_good = (udp_q & (armed_q | pending_q)) == '0 &&
          !((state_q == SEND || state_q == BACK) && udp_q[fire_q.slot]) && !arm_q;
    end else if (write_is_arm) begin
      write_good = !data_q[0] || free;
    end else begin
      write_good = free;
    end
    write_allowed = write_q && write_good && !write_is_arm;
    table_is_shape = table_write_q && table_address_q[11:8] == SLOT_BASE[11:8] &&
        table_address_q[3:0] == SLOT_SHAPE;
    arm = arm_q && shaped_q[table_slot];
    disarm = write_q && write_is_arm && !data_q[0];
    payload = table_data_q[9:0] - (table_data_q[16] ? 10'd58 : 10'd54);
  end

  assign table_slot = table_address_q[7:4];
  assign encode = pending_q[encode_slot_q] && !encode_busy && !encode_busy_q;

  refusal_t reasons[SLOTS];

  // Disarming counts at once, so that what is written behind it is never part of a frame.
  always_comb begin
    for (int i = 0; i < SLOTS; i++) begin
      if (!enabled) reasons[i] = DISABLED;
      else if (!armed_q[i] || (disarm && write_slot == SLOT_BITS'(i))) reasons[i] = NOT_ARMED;
      else if (!leased && !udp_q[i]) reasons[i] = NOT_LEASED;
      else if (!fits_q[i] && !udp_q[i]) reasons[i] = LIMIT;
      else if (exhausted && !udp_q[i]) reasons[i] = MSG_SEQ;
      else reasons[i] = ACCEPTED;
    end
  end

  always_ff @(posedge clk) begin
    write_q <= slot_write_valid;
    address_q <= slot_write_address;
    write_slot <= slot_write_address[11] ? slot_write_address[7:4] : slot_write_address[10:7];
    write_is_header <= slot_write_address[11:8] == HEADER_BASE[11:8];
    write_is_arm <= slot_write_address[11:8] == SLOT_BASE[11:8] &&
        slot_write_address[3:0] == SLOT_ARM;
    data_q <= slot_write_data;
    // What is allowed happens a cycle later, but for disarming.
    table_write_q <= write_allowed;
    arm_q <= write_q && write_is_arm && data_q[0] && write_good;
    write_refused_q <= write_q && !write_good;
    table_address_q <= address_q;
    table_data_q <= data_q;

    // What a frame needs to be sent: a length that fits the slot and holds headers and some FIX.
    if (table_is_shape) begin
      shaped_q[table_slot] <= table_data_q[17] ||
          (table_data_q[9:0] >= 10'd88 && table_data_q[9:0] <= 10'd512);
      udp_q[table_slot] <= table_data_q[17];
      payload_q[table_slot] <= payload;
    end

    if (started_q) armed_q[fire_q.slot] <= 1'b0;
    if (state_q == BACK && !cancelled_q) armed_q[fire_q.slot] <= 1'b1;
    disarm_q <= disarm;
    disarm_slot_q <= write_slot;
    if (state_q != SEND) cancelled_q <= 1'b0;
    else if (disarm && write_slot == fire_q.slot) cancelled_q <= 1'b1;
    else if (started_q && disarm_q && disarm_slot_q == fire_q.slot) cancelled_q <= 1'b1;
    if (arm && !udp_q[table_slot]) armed_q[table_slot] <= 1'b1;
    if (arm && udp_q[table_slot]) pending_q[table_slot] <= 1'b1;
    encode_busy_q <= encode_busy;
    if (!encode && !encode_busy && !encode_busy_q) encode_slot_q <= encode_slot_q + SLOT_BITS'(1);
    if (encode || (disarm && write_slot == encode_slot_q)) begin
      stale_q <= disarm && write_slot == encode_slot_q;
    end
    if (encode_busy_q && !encode_busy && !stale_q) begin
      pending_q[encode_slot_q] <= 1'b0;
      armed_q[encode_slot_q]   <= pending_q[encode_slot_q];
    end
    if (disarm) begin
      armed_q[write_slot]   <= 1'b0;
      pending_q[write_slot] <= 1'b0;
    end

    for (int i = 0; i < SLOTS; i++) begin
      kept_q[i] <= ((armed_q[i] || pending_q[i] || (arm_q && table_slot == SLOT_BITS'(i))) &&
                    !(disarm && write_slot == SLOT_BITS'(i))) ||
          (state_q == BACK && fire_q.slot == SLOT_BITS'(i));
    end
    limit_q <= tcp_limit[31:10] != '0 ? '1 : tcp_limit[9:0];
    for (int i = 0; i < SLOTS; i++) begin
      fits_q[i] <= limit_q >= payload_q[i];
      reasons_q[i]  <= reasons[i];
      accepted_q[i] <= reasons[i] == ACCEPTED;
      accepted_tcp_q[i] <= reasons[i] == ACCEPTED && !udp_q[i];
      accepted_udp_q[i] <= reasons[i] == ACCEPTED && udp_q[i];
    end
    if (rst) begin
      write_q <= 1'b0;
      armed_q <= '0;
      kept_q <= '0;
      pending_q <= '0;
      shaped_q <= '0;
      udp_q <= '0;
      encode_busy_q <= 1'b0;
      encode_slot_q <= '0;
      table_write_q <= 1'b0;
      arm_q <= 1'b0;
      write_refused_q <= 1'b0;
    end
  end

  // Numbers.

  logic rollback;
  logic [8:0][3:0] digits;
  logic [5:0] even_sum, odd_sum;
  logic [31:0] begun_tcp_seq, begun_msg_seq;
  logic udp_sending, register_refused;
  logic advance_q;  // the second cycle of SEND: the numbers count on, long before the frame ends
  logic udp_sending_q;
  logic [9:0] advance_length_q;

  assign udp_sending = udp_q[fire_q.slot];
  assign rollback = state_q == BACK;
  assign busy = state_q != IDLE || queue_valid || queue_level != '0 || !settled;
  assign armed = armed_q;

  always_ff @(posedge clk) begin
    started_q <= start;
    advance_q <= started_q;
    udp_sending_q <= udp_sending;
    advance_length_q <= payload_q[fire_q.slot];
    if (rst) begin
      started_q <= 1'b0;
      advance_q <= 1'b0;
    end
  end

  order_sequence sequence_numbers (
      .clk,
      .rst,
      .leased,
      .sending       (state_q == SEND),
      .tcp_seq_write_valid,
      .tcp_seq_write_data,
      .tcp_limit_write_valid,
      .tcp_limit_write_data,
      .next_msg_seq_write_valid,
      .next_msg_seq_write_data,
      .udp_seq_write_valid,
      .udp_seq_write_data,
      .write_refused (register_refused),
      .advance       (advance_q),
      .advance_udp   (udp_sending_q),
      .advance_length(advance_length_q),
      .rollback,
      .tcp_seq,
      .tcp_limit,
      .next_msg_seq,
      .udp_seq,
      .digits,
      .even_sum,
      .odd_sum,
      .exhausted,
      .settled,
      .begun_tcp_seq,
      .begun_msg_seq
  );

  // Frames. Both units follow the candidate; one of them starts.

  logic slot_udp, poison;
  logic [31:0] latency_q;
  logic [63:0] tcp_tdata, udp_tdata;
  logic [7:0] tcp_tkeep, udp_tkeep;
  logic tcp_tvalid, tcp_tlast, tcp_tuser, udp_tvalid, udp_tlast, udp_tuser;
  logic select_q;  // the UDP answer's

  assign slot_udp = udp_q[slot];
  assign poison   = !good;

  order_slots slots (
      .clk,
      .rst,
      .write_valid  (table_write_q),
      .write_address(table_address_q),
      .write_data   (table_data_q),
      .slot,
      .start        (start_tcp),
      .tcp_seq,
      .tcp_ack,
      .tcp_window,
      .digits,
      .even_sum,
      .odd_sum,
      .trailer,
      .latency      (latency_q),
      .poison,
      .m_axis_tdata (tcp_tdata),
      .m_axis_tkeep (tcp_tkeep),
      .m_axis_tvalid(tcp_tvalid),
      .m_axis_tready,
      .m_axis_tlast (tcp_tlast),
      .m_axis_tuser (tcp_tuser)
  );

  fast_order_encoder encoder (
      .clk,
      .rst,
      .write_valid    (table_write_q),
      .write_address  (table_address_q),
      .write_data     (table_data_q),
      .encode,
      .encode_slot    (encode_slot_q),
      .encode_busy,
      .slot           (slot_fast),
      .start          (start_udp),
      .price          (taken_q ? fire_q.price : fire_price),
      .tstamp         (taken_q ? fire_q.tstamp : fire_tstamp),
      .sequence_number(udp_seq),
      .trailer,
      .latency        (latency_q),
      .poison,
      .m_axis_tdata   (udp_tdata),
      .m_axis_tkeep   (udp_tkeep),
      .m_axis_tvalid  (udp_tvalid),
      .m_axis_tready,
      .m_axis_tlast   (udp_tlast),
      .m_axis_tuser   (udp_tuser)
  );

  always_ff @(posedge clk) if (state_q != SEND) select_q <= slot_udp;

  always_comb begin
    m_axis_tdata = select_q ? udp_tdata : tcp_tdata;
    m_axis_tkeep = select_q ? udp_tkeep : tcp_tkeep;
    m_axis_tvalid = tcp_tvalid || udp_tvalid;
    m_axis_tlast = select_q ? udp_tlast : tcp_tlast;
    m_axis_tuser = select_q ? udp_tuser : tcp_tuser;
    done = m_axis_tvalid && m_axis_tready && m_axis_tlast;
  end

  // When the first byte is out. A host frame's may be out while our first word waits for its end.
  logic first_q;  // the first word is offered
  logic expect_q;  // the first word is with the MAC
  logic [63:0] out_q;

  always_ff @(posedge clk) begin
    if (start) first_q <= 1'b1;
    else if (m_axis_tready) first_q <= 1'b0;
    if (first_q && m_axis_tready) expect_q <= 1'b1;
    else if (tx_first) expect_q <= 1'b0;
    if (expect_q && tx_first) begin
      out_q <= tx_first_lane4 ? now_lane4_ns : now_ns;
      latency_q <= (tx_first_lane4 ? now_lane4_ns[31:0] : now_ns[31:0]) - fire_q.tstamp[31:0];
    end
    if (rst) begin
      first_q  <= 1'b0;
      expect_q <= 1'b0;
    end
  end

  // Reports.

  always_ff @(posedge clk) begin
    sent_valid <= done;
    sent <= '{
        slot: fire_q.slot,
        udp: udp_sending_q,
        poisoned: m_axis_tuser,
        msg_seq: begun_msg_seq,
        seq_start: udp_sending_q ? '0 : begun_tcp_seq,
        seq_end: udp_sending_q ? '0 : tcp_seq,
        tstamp_in: fire_q.tstamp,
        tstamp_out: out_q
    };
    refused_valid <= refuse || overflow;
    refused <= '{
        slot: overflow ? fire_slot : fire_q.slot,
        reason: overflow ? QUEUE_FULL : reason
    };
    order_event <= '{
        fired: done && !m_axis_tuser,
        poisoned: done && m_axis_tuser,
        retried: start && certain_q && !idle_q,
        refused_disabled: refuse && reason == DISABLED,
        refused_not_armed: refuse && reason == NOT_ARMED,
        refused_not_leased: refuse && reason == NOT_LEASED,
        refused_limit: refuse && reason == LIMIT,
        refused_msg_seq: refuse && reason == MSG_SEQ,
        refused_bad_packet: refuse && reason == BAD_PACKET,
        refused_queue_full: overflow,
        armed: arm,
        disarmed: disarm && (armed_q[write_slot] || pending_q[write_slot]),
        write_refused: write_refused_q || (arm_q && !arm),
        register_refused: register_refused
    };
    if (rst) begin
      sent_valid <= 1'b0;
      refused_valid <= 1'b0;
      order_event <= '0;
    end
  end

  assign rearm_valid = refused_valid;
  assign rearm_slot  = refused.slot;
  assign rearm_armed = refused.reason == BAD_PACKET;

endmodule
