// The trader in logic: from XGMII to XGMII.
//
//   XGMII -> net_rx -> packet_intake -> fast_engine -> entry_builder -> market -> strategy_slots ->
//   order_sender -> net_tx -> XGMII
//
// and a register block behind AXI4-Lite that configures and reads all of it. What is not of the feed goes
// to the host port and comes from it. docs/RTL-DATAPATH.md has the picture and the cycles of each stage.
//
// Nothing on the way holds the line: between arbitration and the FAST engine packets wait, and what has no
// room there is lost whole and counted. The `obs_*` ports show what happens inside, one cycle
// each, for a ring in the host's memory and for tests in lockstep; they hold nothing back.
module trader_top
  import net_pkg::*;
  import feed_pkg::*;
  import strategy_pkg::*;
  import order_pkg::*;
  import top_pkg::*;
  import trader_counters_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,  // 1 to 16
    // Of the FAST engine, see rtl/fast/README.md.
    parameter int unsigned ROWS = 512,
    parameter int unsigned TAGS = 1024,
    // Of each order book, see rtl/book/README.md.
    parameter int unsigned DEPTH = 4096,
    parameter int unsigned INDEX_BITS = 12,
    parameter int unsigned STASH = 32,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned LEVELS = 12,
    parameter int unsigned MAX_FRAME_BYTES = 9022,
    parameter int unsigned HOST_DEPTH = 2048,
    parameter int unsigned HOST_FRAMES = 32,
    parameter int unsigned PACKET_DEPTH = 1024
) (
    input logic clk,
    input logic rst,

    // The line.
    input  logic [63:0] xgmii_rxd,
    input  logic [ 7:0] xgmii_rxc,
    output logic [63:0] xgmii_txd,
    output logic [ 7:0] xgmii_txc,

    // Whole frames for the host, without FCS; `tstamp` is the arrival of the first byte.
    output logic [63:0] m_axis_host_tdata,
    output logic [ 7:0] m_axis_host_tkeep,
    output logic        m_axis_host_tvalid,
    input  logic        m_axis_host_tready,
    output logic        m_axis_host_tlast,
    output logic [63:0] m_axis_host_tstamp,

    // Frames of the host, without FCS; one that has a word too late is cut (tx_underflow).
    input  logic [63:0] s_axis_host_tdata,
    input  logic [ 7:0] s_axis_host_tkeep,
    input  logic        s_axis_host_tvalid,
    output logic        s_axis_host_tready,
    input  logic        s_axis_host_tlast,

    // Registers: docs/REGISTERS.md.
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [15:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [15:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,

    // Time of this cycle's lane 0.
    output logic [63:0] now_ns,

    // The FAST engine's output: records in order of their lanes, and marks (MICROCODE.md section 8).
    output logic [ 3:0]       obs_record_valid,
    output logic [ 3:0][63:0] obs_record_value,
    output logic [ 3:0][13:0] obs_record_tag,
    output logic [ 3:0][ 4:0] obs_record_role,
    output logic [ 3:0][ 3:0] obs_record_kind,
    output logic [ 3:0][ 7:0] obs_record_info,
    output logic              obs_begin,
    output logic [15:0]       obs_template,
    output logic              obs_call_begin,
    output logic              obs_element,
    output logic              obs_call_end,
    output logic              obs_end,
    output logic [ 7:0]       obs_status,
    output logic [ 3:0]       obs_tid,
    output logic [63:0]       obs_tstamp,

    // What became of a packet.
    output logic       obs_verdict_valid,
    output logic [3:0] obs_verdict_tid,
    output logic       obs_verdict_good,

    // The market's answer to an entry (feed_pkg::top_t).
    output logic        obs_top_valid,
    output logic [ 3:0] obs_top_op,
    output logic [ 3:0] obs_top_instrument,
    output logic [ 3:0] obs_top_answer,
    output logic        obs_top_from_host,
    output logic        obs_top_last,
    output logic        obs_top_live,
    output logic [31:0] obs_top_rpt_seq,
    output logic        obs_top_bid_valid,
    output logic [63:0] obs_top_bid_price,
    output logic [63:0] obs_top_bid_quantity,
    output logic [15:0] obs_top_bid_orders,
    output logic        obs_top_ask_valid,
    output logic [63:0] obs_top_ask_price,
    output logic [63:0] obs_top_ask_quantity,
    output logic [15:0] obs_top_ask_orders,
    output logic [ 3:0] obs_top_tid,
    output logic [63:0] obs_top_tstamp,

    // A strategy fires.
    output logic        obs_fire_valid,
    output logic [ 7:0] obs_fire_slot,
    output logic [ 3:0] obs_fire_instrument,
    output logic [63:0] obs_fire_price,
    output logic [ 3:0] obs_fire_tid,
    output logic [63:0] obs_fire_tstamp,

    // A frame has left, or was cut off with a poisoned end (order_pkg::order_sent_t).
    output logic        obs_sent_valid,
    output logic [ 7:0] obs_sent_slot,
    output logic        obs_sent_udp,
    output logic        obs_sent_poisoned,
    output logic [31:0] obs_sent_msg_seq,
    output logic [31:0] obs_sent_seq_start,
    output logic [31:0] obs_sent_seq_end,
    output logic [63:0] obs_sent_tstamp_in,
    output logic [63:0] obs_sent_tstamp_out,

    // A fire sent nothing (order_pkg::refusal_t).
    output logic       obs_refused_valid,
    output logic [7:0] obs_refused_slot,
    output logic [2:0] obs_refused_reason
);

  if (INSTRUMENTS < 1 || INSTRUMENTS > 16) begin : gen_bad_instruments
    $fatal(1, "%m: INSTRUMENTS %0d is outside 1..16", INSTRUMENTS);
  end

  controls_t controls;
  writes_t writes;
  status_t status;

  // ---------------------------------------------------------------- time

  logic [63:0] now_lane4_ns;

  timestamper clock (
      .clk,
      .rst,
      .set      (writes.clock_set.valid),
      .set_ns   (writes.clock_set.data),
      .adjust   (writes.clock_adjust.valid),
      .adjust_ns(writes.clock_adjust.data),
      .now_ns,
      .now_lane4_ns
  );

  // ---------------------------------------------------------------- receiving

  logic [63:0] feed_tdata, feed_tstamp;
  logic [7:0] feed_tkeep;
  logic feed_tvalid, feed_tlast, feed_tuser, unused_feed_tdest;
  logic gap, host_overflow;
  logic [31:0] unused_gap_first, unused_gap_count;
  rx_event_t rx_event;
  feed_event_t feed_event;
  arbiter_event_t arbiter_event;
  logic [$clog2(HOST_DEPTH):0] host_level;

  net_rx #(
      .MAX_FRAME_BYTES(MAX_FRAME_BYTES),
      .HOST_DEPTH(HOST_DEPTH),
      .HOST_FRAMES(HOST_FRAMES)
  ) receiver (
      .clk,
      .rst,
      .channels          (controls.channels),
      .mirror            (controls.mirror),
      .sync              (controls.resync),
      .now_ns,
      .now_lane4_ns,
      .xgmii_rxd,
      .xgmii_rxc,
      .m_axis_feed_tdata (feed_tdata),
      .m_axis_feed_tkeep (feed_tkeep),
      .m_axis_feed_tvalid(feed_tvalid),
      .m_axis_feed_tlast (feed_tlast),
      .m_axis_feed_tuser (feed_tuser),
      .m_axis_feed_tdest (unused_feed_tdest),
      .m_axis_feed_tstamp(feed_tstamp),
      .m_axis_host_tdata,
      .m_axis_host_tkeep,
      .m_axis_host_tvalid,
      .m_axis_host_tready,
      .m_axis_host_tlast,
      .m_axis_host_tside (m_axis_host_tstamp),
      .gap,
      .gap_first         (unused_gap_first),
      .gap_count         (unused_gap_count),
      .rx_event,
      .feed_event,
      .arbiter_event,
      .host_overflow,
      .host_level
  );

  // ---------------------------------------------------------------- packets

  logic [63:0] packet_tdata, packet_tstamp, begin_tstamp;
  logic [7:0] packet_tkeep;
  logic packet_tvalid, packet_tready, packet_tlast, packet_tuser;
  logic [feed_pkg::TID_BITS-1:0] packet_tid, begin_tid, verdict_tid;
  logic packet_begin, packet_behind_gap, packet_good, packet_bad, verdict_valid, verdict_good;
  logic packet_dropped, packet_cut, packet_swallowed;
  logic [$clog2(PACKET_DEPTH):0] packet_level;
  // Where entries, events and fires wait, the oldest packet that one is of.
  logic books_pending, events_pending, fires_pending;
  logic [feed_pkg::TID_BITS-1:0] books_tid, events_tid, fires_tid;

  packet_intake #(
      .DEPTH(PACKET_DEPTH),
      .TID_BITS(feed_pkg::TID_BITS),
      .PLACES(3)
  ) packets (
      .clk,
      .rst,
      .enable          (controls.engine),
      .s_axis_tdata    (feed_tdata),
      .s_axis_tkeep    (feed_tkeep),
      .s_axis_tvalid   (feed_tvalid),
      .s_axis_tlast    (feed_tlast),
      .s_axis_tuser    (feed_tuser),
      .s_axis_tstamp   (feed_tstamp),
      .s_axis_gap      (gap),
      .m_axis_tdata    (packet_tdata),
      .m_axis_tkeep    (packet_tkeep),
      .m_axis_tvalid   (packet_tvalid),
      .m_axis_tready   (packet_tready),
      .m_axis_tlast    (packet_tlast),
      .m_axis_tuser    (packet_tuser),
      .m_axis_tid      (packet_tid),
      .m_axis_tstamp   (packet_tstamp),
      .pending_valid   ({books_pending, events_pending, fires_pending}),
      .pending_tid     ({books_tid, events_tid, fires_tid}),
      .begin_valid     (packet_begin),
      .begin_tid,
      .begin_tstamp,
      .begin_behind_gap(packet_behind_gap),
      .ended_good      (packet_good),
      .ended_bad       (packet_bad),
      .verdict_valid,
      .verdict_good,
      .verdict_tid,
      .dropped         (packet_dropped),
      .cut             (packet_cut),
      .swallowed       (packet_swallowed),
      .level           (packet_level)
  );

  // ---------------------------------------------------------------- from bytes to entries

  fast_pkg::record_t [3:0] records;
  logic message_begin, message_element, message_end;
  logic [15:0] message_template;
  logic [7:0] message_status;
  logic [feed_pkg::TID_BITS-1:0] message_tid;
  logic [63:0] message_tstamp;

  logic call_begin, call_end, unused_event_packet, event_aborted, event_swallowed;
  logic event_complete, event_error, event_poisoned;
  logic [7:0] event_trap;

  fast_engine #(
      .ROWS(ROWS),
      .TAGS(TAGS)
  ) engine (
      .clk,
      .rst,
      .load_valid   (writes.load.valid),
      .load_address (writes.load.address),
      .load_data    (writes.load.data),
      .s_axis_tdata (packet_tdata),
      .s_axis_tkeep (packet_tkeep),
      .s_axis_tvalid(packet_tvalid),
      .s_axis_tready(packet_tready),
      .s_axis_tlast (packet_tlast),
      .s_axis_tuser (packet_tuser),
      .s_axis_tid   (packet_tid),
      .s_axis_tstamp(packet_tstamp),
      .m_records    (records),
      .m_begin      (message_begin),
      .m_template   (message_template),
      .m_call_begin (call_begin),
      .m_element    (message_element),
      .m_call_end   (call_end),
      .m_end        (message_end),
      .m_status     (message_status),
      .m_tid        (message_tid),
      .m_tstamp     (message_tstamp),
      .event_packet (unused_event_packet),
      .event_aborted,
      .event_swallowed,
      .event_complete,
      .event_error,
      .event_poisoned,
      .event_trap
  );

  // The market registers what comes.
  logic entry_valid;
  entry_t entry;
  builder_event_t builder_event;

  entry_builder #(
      .INSTRUMENTS(INSTRUMENTS)
  ) builder (
      .clk,
      .rst,
      .s_records          (records),
      .s_begin            (message_begin),
      .s_template         (message_template),
      .s_element          (message_element),
      .s_end              (message_end),
      .s_status           (message_status),
      .s_tid              (message_tid),
      .s_tstamp           (message_tstamp),
      .class_write_valid  (writes.template_class.valid),
      .class_write_address(writes.template_class.address),
      .class_write_data   (writes.template_class.data),
      .watch_write_valid  (writes.watch.valid),
      .watch_write_address(writes.watch.address[5:0]),
      .watch_write_data   (writes.watch.data),
      .m_valid            (entry_valid),
      .m_entry            (entry),
      .builder_event
  );

  // ---------------------------------------------------------------- books

  logic inject_valid, inject_ready, inject_refused;
  entry_t inject;
  show_t  show;
  logic   show_pause;
  top_t   top;
  logic [INSTRUMENTS-1:0] live, inexact;
  logic [INSTRUMENTS-1:0][31:0] rpt_seq;
  market_event_t market_event;
  logic book_reg_read;
  logic [3:0] book_reg_instrument, book_reg_address;
  logic [63:0] book_reg_data;

  market #(
      .INSTRUMENTS(INSTRUMENTS),
      .DEPTH(DEPTH),
      .INDEX_BITS(INDEX_BITS),
      .STASH(STASH),
      .RANK_BITS(RANK_BITS),
      .LEVELS(LEVELS)
  ) books (
      .clk,
      .rst,
      .counted       (controls.counted),
      .begin_valid   (packet_begin),
      .begin_tid,
      .gap           (packet_behind_gap),
      .verdict_valid,
      .verdict_tid,
      .verdict_good,
      .pending_valid (books_pending),
      .pending_tid   (books_tid),
      .s_entry_valid (entry_valid),
      .s_entry       (entry),
      .s_host_valid  (inject_valid),
      .s_host_ready  (inject_ready),
      .s_host        (inject),
      .m_show        (show),
      .show_pause,
      .m_top         (top),
      .live,
      .rpt_seq,
      .inexact,
      .market_event,
      .reg_read      (book_reg_read),
      .reg_instrument(book_reg_instrument),
      .reg_address   (book_reg_address),
      .reg_data      (book_reg_data)
  );

  // ---------------------------------------------------------------- strategies

  logic command_valid, command_ready, command_refused;
  command_op_t command_op;
  logic [7:0] command_slot;
  logic unused_command_slot;
  assign unused_command_slot = ^command_slot[7:SLOT_BITS];
  logic [63:0] command_quantity;
  logic rearm_valid, rearm_armed;
  logic [SLOT_BITS-1:0] rearm_slot;
  logic fire_valid;
  logic [SLOT_BITS-1:0] fire_slot;
  logic [INSTRUMENT_BITS-1:0] fire_instrument;
  logic signed [63:0] fire_price;
  logic [feed_pkg::TID_BITS-1:0] fire_tid;
  logic [63:0] fire_tstamp;
  logic [SLOTS-1:0] strategy_armed;
  slot_state_t [SLOTS-1:0] strategy_state;
  strategy_counters_t strategy_counters;

  strategy_slots #(
      .SLOTS(SLOTS)
  ) strategies (
      .clk,
      .rst,
      .s_show              (show),
      .show_pause,
      .config_write_valid  (writes.slot.valid),
      .config_write_address(writes.slot.address),
      .config_write_data   (writes.slot.data),
      .command_valid,
      .command_ready,
      .command_op,
      .command_slot        (command_slot[SLOT_BITS-1:0]),
      .command_quantity,
      .kill_all            (controls.kill_all),
      .kill                (controls.kill[SLOTS-1:0]),
      .rearm_valid         (rearm_valid && rearm_armed),
      .rearm_slot,
      .fire_valid,
      .fire_slot,
      .fire_instrument,
      .fire_price,
      .fire_tid,
      .fire_tstamp,
      .pending_valid       (events_pending),
      .pending_tid         (events_tid),
      .armed               (strategy_armed),
      .slot_state          (strategy_state),
      .exposure_instrument (controls.exposure_instrument),
      .exposure_position   (status.exposure_position),
      .exposure_open_buy   (status.exposure_open_buy),
      .exposure_open_sell  (status.exposure_open_sell),
      .exposure_open_orders(status.exposure_open_orders),
      .strategy_counters
  );

  // ---------------------------------------------------------------- orders

  logic [63:0] order_tdata;
  logic [ 7:0] order_tkeep;
  logic order_tvalid, order_tready, order_tlast, order_tuser;
  logic tx_first, tx_first_lane4, unused_host_granted;
  tx_event_t tx_event;
  logic [SLOTS-1:0] order_armed;
  logic sent_valid, refused_valid;
  order_sent_t sent;
  order_refused_t refused;
  order_event_t order_event;

  order_sender orders (
      .clk,
      .rst,
      .speculate               (controls.speculate),
      .trailer                 (controls.trailer),
      .enabled                 (controls.orders),
      .leased                  (controls.leased),
      .tcp_ack                 (controls.tcp_ack),
      .tcp_window              (controls.tcp_window),
      .tcp_seq_write_valid     (writes.tcp_seq.valid),
      .tcp_seq_write_data      (writes.tcp_seq.data),
      .tcp_limit_write_valid   (writes.tcp_limit.valid),
      .tcp_limit_write_data    (writes.tcp_limit.data),
      .next_msg_seq_write_valid(writes.next_msg_seq.valid),
      .next_msg_seq_write_data (writes.next_msg_seq.data[29:0]),
      .udp_seq_write_valid     (writes.udp_seq.valid),
      .udp_seq_write_data      (writes.udp_seq.data),
      .tcp_seq                 (status.tcp_seq),
      .tcp_limit               (status.tcp_limit),
      .next_msg_seq            (status.next_msg_seq),
      .udp_seq                 (status.udp_seq),
      .armed                   (order_armed),
      .busy                    (status.order_busy),
      .slot_write_valid        (writes.frame.valid),
      .slot_write_address      (writes.frame.address),
      .slot_write_data         (writes.frame.data),
      .fire_valid,
      .fire_slot,
      .fire_tid,
      .fire_trusted            (fire_tid == TID_HOST),
      .fire_tstamp,
      .fire_price              (unsigned'(fire_price)),
      .verdict_valid,
      .verdict_tid,
      .verdict_good,
      .pending_valid           (fires_pending),
      .pending_tid             (fires_tid),
      .m_axis_tdata            (order_tdata),
      .m_axis_tkeep            (order_tkeep),
      .m_axis_tvalid           (order_tvalid),
      .m_axis_tready           (order_tready),
      .m_axis_tlast            (order_tlast),
      .m_axis_tuser            (order_tuser),
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

  net_tx transmitter (
      .clk,
      .rst,
      .s_axis_fast_tdata (order_tdata),
      .s_axis_fast_tkeep (order_tkeep),
      .s_axis_fast_tvalid(order_tvalid),
      .s_axis_fast_tready(order_tready),
      .s_axis_fast_tlast (order_tlast),
      .s_axis_fast_tuser (order_tuser),
      .s_axis_host_tdata,
      .s_axis_host_tkeep,
      .s_axis_host_tvalid,
      .s_axis_host_tready,
      .s_axis_host_tlast,
      .s_axis_host_tuser (1'b0),
      .xgmii_txd,
      .xgmii_txc,
      .host_granted      (unused_host_granted),
      .tx_first,
      .tx_first_lane4,
      .tx_event
  );

  // ---------------------------------------------------------------- registers

  logic counter_read, counter_data_valid, latency_read, latency_data_valid;
  logic top_read, top_data_valid, book_read, book_data_valid;
  logic [7:0] counter_address, top_address;
  logic [6:0] latency_address;
  logic [8:0] book_address;
  logic [31:0] counter_data, latency_data, top_data, book_data;

  control_registers #(
      .SLOTS(SLOTS),
      .INSTRUMENTS(INSTRUMENTS),
      .COUNTERS(COUNTERS)
  ) registers (
      .*
  );

  always_comb begin
    status.now_ns = now_ns;
    status.live = 16'(live);
    status.inexact = 16'(inexact);
    status.rpt_seq = '0;
    for (int i = 0; i < INSTRUMENTS; i++) status.rpt_seq[i] = rpt_seq[i];
    status.strategy_armed = 32'(strategy_armed);
    status.strategy_state = '0;
    for (int s = 0; s < SLOTS; s++) status.strategy_state[s/8][4*(s%8)+:4] = 4'(strategy_state[s]);
    status.strategy_count = {<<32{strategy_counters}};
    status.order_armed = 32'(order_armed);
    status.host_level = 16'(host_level);
    status.packet_level = 16'(packet_level);
  end

  book_halves book_registers (
      .clk,
      .rst,
      .read_valid    (book_read),
      .read_address  (book_address),
      .data_valid    (book_data_valid),
      .data          (book_data),
      .reg_read      (book_reg_read),
      .reg_instrument(book_reg_instrument),
      .reg_address   (book_reg_address),
      .reg_data      (book_reg_data)
  );

  // ---------------------------------------------------------------- counters and times

  logic [COUNTERS-1:0] pulses;

  trader_events events (.*);

  event_counters #(
      .COUNTERS(COUNTERS)
  ) counters (
      .clk,
      .rst,
      .pulses,
      .read_valid  (counter_read),
      .read_address(counter_address),
      .data_valid  (counter_data_valid),
      .data        (counter_data)
  );

  top_table tops (
      .clk,
      .rst,
      .s_top       (top),
      .read_valid  (top_read),
      .read_address(top_address),
      .data_valid  (top_data_valid),
      .data        (top_data)
  );

  logic [STAGES-1:0] sample_valid;
  logic [STAGES-1:0][31:0] sample_time, sample_stamp;

  trader_stages stages (.*);

  latency_meter #(
      .STAGES(STAGES)
  ) meter (
      .clk,
      .rst,
      .clear       (controls.clear_latency),
      .base        (controls.histogram_base),
      .shift       (controls.histogram_shift),
      .sample_valid,
      .sample_time,
      .sample_stamp,
      .read_valid  (latency_read),
      .read_address(latency_address),
      .data_valid  (latency_data_valid),
      .data        (latency_data)
  );

  // ---------------------------------------------------------------- what is shown outside

  always_comb begin
    for (int lane = 0; lane < 4; lane++) begin
      obs_record_valid[lane] = records[lane].valid;
      obs_record_value[lane] = records[lane].value;
      obs_record_tag[lane]   = records[lane].tag;
      obs_record_role[lane]  = records[lane].role;
      obs_record_kind[lane]  = records[lane].kind;
      obs_record_info[lane]  = records[lane].info;
    end
    obs_begin = message_begin;
    obs_template = message_template;
    obs_call_begin = call_begin;
    obs_element = message_element;
    obs_call_end = call_end;
    obs_end = message_end;
    obs_status = message_status;
    obs_tid = message_tid;
    obs_tstamp = message_tstamp;

    obs_verdict_valid = verdict_valid && verdict_tid != TID_HOST;
    obs_verdict_tid = verdict_tid;
    obs_verdict_good = verdict_good;

    obs_top_valid = top.valid;
    obs_top_op = top.op;
    obs_top_instrument = top.instrument;
    obs_top_answer = top.answer;
    obs_top_from_host = top.from_host;
    obs_top_last = top.last;
    obs_top_live = top.live;
    obs_top_rpt_seq = top.rpt_seq;
    obs_top_bid_valid = top.bid_valid;
    obs_top_bid_price = top.bid_price;
    obs_top_bid_quantity = top.bid_quantity;
    obs_top_bid_orders = top.bid_orders;
    obs_top_ask_valid = top.ask_valid;
    obs_top_ask_price = top.ask_price;
    obs_top_ask_quantity = top.ask_quantity;
    obs_top_ask_orders = top.ask_orders;
    obs_top_tid = top.tid;
    obs_top_tstamp = top.tstamp;

    obs_fire_valid = fire_valid;
    obs_fire_slot = 8'(fire_slot);
    obs_fire_instrument = fire_instrument;
    obs_fire_price = fire_price;
    obs_fire_tid = fire_tid;
    obs_fire_tstamp = fire_tstamp;

    obs_sent_valid = sent_valid;
    obs_sent_slot = 8'(sent.slot);
    obs_sent_udp = sent.udp;
    obs_sent_poisoned = sent.poisoned;
    obs_sent_msg_seq = sent.msg_seq;
    obs_sent_seq_start = sent.seq_start;
    obs_sent_seq_end = sent.seq_end;
    obs_sent_tstamp_in = sent.tstamp_in;
    obs_sent_tstamp_out = sent.tstamp_out;

    obs_refused_valid = refused_valid;
    obs_refused_slot = 8'(refused.slot);
    obs_refused_reason = refused.reason;
  end

endmodule
