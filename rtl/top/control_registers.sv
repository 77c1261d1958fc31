// The register block in plain ports: levels and strobes out, states in, tables and readings behind windows.
//
// trader_regs is generated from trader.rdl; this gives its structs the names of the blocks they speak of.
// Everything out is a register. A command to market or strategies is held until it is taken; one that is
// written while another waits is refused, and a pulse says so.
module control_registers
  import top_pkg::*;
#(
    parameter int unsigned SLOTS = 16,
    parameter int unsigned INSTRUMENTS = 4,
    parameter int unsigned COUNTERS = 64
) (
    input logic clk,
    input logic rst,

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

    output controls_t controls,
    output writes_t   writes,
    input  status_t   status,

    // An entry of the host's for the market.
    output logic             inject_valid,
    input  logic             inject_ready,
    output feed_pkg::entry_t inject,
    output logic             inject_refused,

    // A command to the strategies.
    output logic                             command_valid,
    input  logic                             command_ready,
    output strategy_pkg::command_op_t        command_op,
    output logic                      [ 7:0] command_slot,
    output logic                      [63:0] command_quantity,
    output logic                             command_refused,

    // Readings: a request, and its answer some cycles later; word addresses.
    output logic        counter_read,
    output logic [ 7:0] counter_address,
    input  logic        counter_data_valid,
    input  logic [31:0] counter_data,
    output logic        latency_read,
    output logic [ 6:0] latency_address,
    input  logic        latency_data_valid,
    input  logic [31:0] latency_data,
    output logic        top_read,
    output logic [ 7:0] top_address,
    input  logic        top_data_valid,
    input  logic [31:0] top_data,
    output logic        book_read,
    output logic [ 8:0] book_address,
    input  logic        book_data_valid,
    input  logic [31:0] book_data
);

  trader_regs_pkg::trader__in_t  hwif_in;
  trader_regs_pkg::trader__out_t hwif_out;

  trader_regs registers (
      .clk,
      .rst,
      .s_axil_awready,
      .s_axil_awvalid,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_wready,
      .s_axil_wvalid,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bready,
      .s_axil_bvalid,
      .s_axil_bresp,
      .s_axil_arready,
      .s_axil_arvalid,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_rready,
      .s_axil_rvalid,
      .s_axil_rdata,
      .s_axil_rresp,
      .hwif_in,
      .hwif_out
  );

  // ---------------------------------------------------------------- levels

  always_comb begin
    controls = '{
        engine: hwif_out.control.switches.engine.value,
        orders: hwif_out.control.switches.orders.value,
        speculate: hwif_out.control.switches.speculate.value,
        trailer: hwif_out.control.switches.trailer.value,
        mirror: hwif_out.control.switches.mirror.value,
        counted: hwif_out.control.switches.counted.value,
        kill_all: hwif_out.control.switches.kill_all.value,
        kill: hwif_out.control.kill.slots.value,
        resync: hwif_out.control.pulses.resync.value,
        clear_latency: hwif_out.control.pulses.clear_latency.value,
        channels: '0,
        leased: hwif_out.orders.lease.leased.value,
        tcp_ack: hwif_out.orders.tcp_ack.value.value,
        tcp_window: hwif_out.orders.tcp_window.value.value,
        histogram_base: hwif_out.histogram.base.ns.value,
        histogram_shift: hwif_out.histogram.shift.value.value,
        exposure_instrument: hwif_out.strategy.exposure_select.instrument.value
    };
    for (int c = 0; c < 2; c++) begin
      controls.channels[c] = '{
          enable: hwif_out.control.channel[c].enable.value,
          address: hwif_out.control.channel[c].address.value,
          port: hwif_out.control.channel[c].port.value
      };
    end
  end

  // ---------------------------------------------------------------- strobes

  // A register has its new value in the cycle after its strobe.
  logic load_q, set_q, adjust_q, tcp_seq_q, tcp_limit_q, next_msg_seq_q, udp_seq_q;
  logic inject_q, command_q;
  field_write_t slot_write, watch_write;
  assign watch_write.address[6] = 1'b0;
  template_write_t template_write_q;
  frame_write_t frame_write_q;

  always_ff @(posedge clk) begin
    set_q <= hwif_out.clock.set.ns.swmod;
    adjust_q <= hwif_out.clock.adjust.ns.swmod;
    load_q <= hwif_out.engine.load_data.value.swmod;
    tcp_seq_q <= hwif_out.orders.set_tcp_seq.value.swmod;
    tcp_limit_q <= hwif_out.orders.set_tcp_limit.value.swmod;
    next_msg_seq_q <= hwif_out.orders.set_next_msg_seq.value.swmod;
    udp_seq_q <= hwif_out.orders.set_udp_seq.value.swmod;
    inject_q <= hwif_out.inject.command.op.swmod;
    command_q <= hwif_out.strategy.command.op.swmod;
    if (rst) begin
      {set_q, adjust_q, load_q, tcp_seq_q, tcp_limit_q, next_msg_seq_q, udp_seq_q} <= '0;
      {inject_q, command_q} <= '0;
    end
  end

  always_comb begin
    writes = '{
        clock_set: '{valid: set_q, data: hwif_out.clock.set.ns.value},
        clock_adjust: '{valid: adjust_q, data: hwif_out.clock.adjust.ns.value},
        load: '{
            valid: load_q,
            address: hwif_out.engine.load_address.value.value,
            data: hwif_out.engine.load_data.value.value
        },
        slot: slot_write,
        watch: watch_write,
        template_class: template_write_q,
        frame: frame_write_q,
        tcp_seq: '{valid: tcp_seq_q, data: hwif_out.orders.set_tcp_seq.value.value},
        tcp_limit: '{valid: tcp_limit_q, data: hwif_out.orders.set_tcp_limit.value.value},
        next_msg_seq: '{
            valid: next_msg_seq_q,
            data: 32'(hwif_out.orders.set_next_msg_seq.value.value)
        },
        udp_seq: '{valid: udp_seq_q, data: hwif_out.orders.set_udp_seq.value.value}
    };
  end

  // ---------------------------------------------------------------- commands that wait

  // Their registers are copied, so that writing the next one cannot change one that waits.
  always_ff @(posedge clk) begin
    if (inject_ready) inject_valid <= 1'b0;
    inject_refused <= inject_q && inject_valid;
    if (inject_q && !inject_valid) begin
      inject_valid <= 1'b1;
      inject <= '{
          op: feed_pkg::entry_op_t'(hwif_out.inject.command.op.value),
          instrument: hwif_out.inject.command.instrument.value,
          side: hwif_out.inject.command.side.value,
          id: {hwif_out.inject.id.high.value, hwif_out.inject.id.low.value},
          price: {hwif_out.inject.price.high.value, hwif_out.inject.price.low.value},
          quantity: {hwif_out.inject.quantity.high.value, hwif_out.inject.quantity.low.value},
          rpt_seq: hwif_out.inject.rpt_seq.value.value,
          last: 1'b0,
          bad: 1'b0,
          from_host: 1'b1,
          tid: TID_HOST,
          tstamp: status.now_ns
      };
    end

    if (command_ready) command_valid <= 1'b0;
    command_refused <= command_q && command_valid;
    if (command_q && !command_valid) begin
      command_valid <= 1'b1;
      command_op <= strategy_pkg::command_op_t'(hwif_out.strategy.command.op.value);
      command_slot <= hwif_out.strategy.command.slot.value;
      command_quantity <= {
        hwif_out.strategy.quantity.high.value, hwif_out.strategy.quantity.low.value
      };
    end
    if (rst) begin
      inject_valid <= 1'b0;
      inject_refused <= 1'b0;
      command_valid <= 1'b0;
      command_refused <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- windows for writing

  logic slot_read_ack, slot_write_ack, watch_read_ack, watch_write_ack;

  write_window #(
      .ADDRESS_BITS(7)
  ) slot_window (
      .clk,
      .rst,
      .req          (hwif_out.strategies.req),
      .req_is_write (hwif_out.strategies.req_is_wr),
      .req_address  (hwif_out.strategies.addr[9:2]),
      .req_data     (hwif_out.strategies.wr_data),
      .req_mask     (hwif_out.strategies.wr_biten),
      .read_ack     (slot_read_ack),
      .write_ack    (slot_write_ack),
      .write_valid  (slot_write.valid),
      .write_address(slot_write.address),
      .write_data   (slot_write.data)
  );

  write_window #(
      .ADDRESS_BITS(6)
  ) watch_window (
      .clk,
      .rst,
      .req          (hwif_out.watch.req),
      .req_is_write (hwif_out.watch.req_is_wr),
      .req_address  (hwif_out.watch.addr[8:2]),
      .req_data     (hwif_out.watch.wr_data),
      .req_mask     (hwif_out.watch.wr_biten),
      .read_ack     (watch_read_ack),
      .write_ack    (watch_write_ack),
      .write_valid  (watch_write.valid),
      .write_address(watch_write.address[5:0]),
      .write_data   (watch_write.data)
  );

  logic template_read_ack_q, template_write_ack_q, frame_read_ack_q, frame_write_ack_q;

  always_ff @(posedge clk) begin
    template_read_ack_q <= hwif_out.templates.req && !hwif_out.templates.req_is_wr;
    template_write_ack_q <= hwif_out.templates.req && hwif_out.templates.req_is_wr;
    template_write_q <= '{
        valid: hwif_out.templates.req && hwif_out.templates.req_is_wr &&
            hwif_out.templates.wr_biten == '1,
        address: hwif_out.templates.addr[13:2],
        data: hwif_out.templates.wr_data[1:0]
    };
    frame_read_ack_q <= hwif_out.frames.req && !hwif_out.frames.req_is_wr;
    frame_write_ack_q <= hwif_out.frames.req && hwif_out.frames.req_is_wr;
    frame_write_q <= '{
        valid: hwif_out.frames.req && hwif_out.frames.req_is_wr && hwif_out.frames.wr_biten == '1,
        address: hwif_out.frames.addr[13:2],
        data: hwif_out.frames.wr_data
    };
    if (rst) begin
      template_read_ack_q <= 1'b0;
      template_write_ack_q <= 1'b0;
      template_write_q.valid <= 1'b0;
      frame_read_ack_q <= 1'b0;
      frame_write_ack_q <= 1'b0;
      frame_write_q.valid <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- windows for reading

  // A write there is answered and does nothing.
  logic counter_write_ack_q, latency_write_ack_q, top_write_ack_q, book_write_ack_q;

  always_ff @(posedge clk) begin
    counter_read <= hwif_out.counters.req && !hwif_out.counters.req_is_wr;
    counter_address <= hwif_out.counters.addr[9:2];
    counter_write_ack_q <= hwif_out.counters.req && hwif_out.counters.req_is_wr;
    latency_read <= hwif_out.latency.req && !hwif_out.latency.req_is_wr;
    latency_address <= hwif_out.latency.addr[8:2];
    latency_write_ack_q <= hwif_out.latency.req && hwif_out.latency.req_is_wr;
    top_read <= hwif_out.tops.req && !hwif_out.tops.req_is_wr;
    top_address <= hwif_out.tops.addr[9:2];
    top_write_ack_q <= hwif_out.tops.req && hwif_out.tops.req_is_wr;
    book_read <= hwif_out.books.req && !hwif_out.books.req_is_wr;
    book_address <= hwif_out.books.addr[10:2];
    book_write_ack_q <= hwif_out.books.req && hwif_out.books.req_is_wr;
    if (rst) begin
      counter_read <= 1'b0;
      counter_write_ack_q <= 1'b0;
      latency_read <= 1'b0;
      latency_write_ack_q <= 1'b0;
      top_read <= 1'b0;
      top_write_ack_q <= 1'b0;
      book_read <= 1'b0;
      book_write_ack_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- states

  always_comb begin
    hwif_in.identity.shape.slots.next = 8'(SLOTS);
    hwif_in.identity.shape.instruments.next = 8'(INSTRUMENTS);
    hwif_in.identity.shape.counters.next = 8'(COUNTERS);
    hwif_in.identity.shape.stages.next = 8'(STAGES);
    hwif_in.clock.now.ns.next = status.now_ns;
    hwif_in.market.live.instruments.next = status.live;
    hwif_in.market.inexact.instruments.next = status.inexact;
    for (int i = 0; i < 16; i++) hwif_in.market.rpt_seq[i].value.next = status.rpt_seq[i];
    hwif_in.inject.status.busy.next = inject_valid;
    hwif_in.strategy.status.busy.next = command_valid;
    hwif_in.strategy.armed.slots.next = status.strategy_armed;
    for (int i = 0; i < 2; i++) hwif_in.strategy.state[i].slots.next = status.strategy_state[i];
    hwif_in.strategy.exposure_open_orders.value.next = status.exposure_open_orders;
    hwif_in.strategy.exposure_position.value.next = status.exposure_position;
    hwif_in.strategy.exposure_open_buy.value.next = status.exposure_open_buy;
    hwif_in.strategy.exposure_open_sell.value.next = status.exposure_open_sell;
    for (int i = 0; i < 8; i++) hwif_in.strategy.count[i].value.next = status.strategy_count[i];
    hwif_in.orders.tcp_seq.value.next = status.tcp_seq;
    hwif_in.orders.tcp_limit.value.next = status.tcp_limit;
    hwif_in.orders.next_msg_seq.value.next = status.next_msg_seq;
    hwif_in.orders.udp_seq.value.next = status.udp_seq;
    hwif_in.orders.status.busy.next = status.order_busy;
    hwif_in.orders.armed.slots.next = status.order_armed;
    hwif_in.levels.host.value.next = status.host_level;
    hwif_in.levels.packets.value.next = status.packet_level;
    // The address of the next word counts up behind each word.
    hwif_in.engine.load_address.value.next = hwif_out.engine.load_address.value.value + 20'd1;
    hwif_in.engine.load_address.value.we = load_q;

    hwif_in.strategies = '{rd_ack: slot_read_ack, rd_data: '0, wr_ack: slot_write_ack};
    hwif_in.watch = '{rd_ack: watch_read_ack, rd_data: '0, wr_ack: watch_write_ack};
    hwif_in.templates = '{rd_ack: template_read_ack_q, rd_data: '0, wr_ack: template_write_ack_q};
    hwif_in.frames = '{rd_ack: frame_read_ack_q, rd_data: '0, wr_ack: frame_write_ack_q};
    hwif_in.counters = '{
        rd_ack: counter_data_valid,
        rd_data: counter_data,
        wr_ack: counter_write_ack_q
    };
    hwif_in.latency = '{
        rd_ack: latency_data_valid,
        rd_data: latency_data,
        wr_ack: latency_write_ack_q
    };
    hwif_in.tops = '{rd_ack: top_data_valid, rd_data: top_data, wr_ack: top_write_ack_q};
    hwif_in.books = '{rd_ack: book_data_valid, rd_data: book_data, wr_ack: book_write_ack_q};
  end

endmodule
