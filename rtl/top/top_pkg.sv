// Types between the registers and the blocks they speak of.
package top_pkg;

  // `tid` of what no packet caused: entries of the host and what follows from them.
  localparam logic [3:0] TID_HOST = 4'd15;

  // Stages of the latency meter.
  localparam int unsigned STAGES = 5;
  localparam int unsigned STAGE_PACKET = 0;  // a packet's first word in the FAST engine
  localparam int unsigned STAGE_MESSAGE = 1;  // a message's end behind the engine
  localparam int unsigned STAGE_ANSWER = 2;  // a book's answer
  localparam int unsigned STAGE_FIRE = 3;  // a fire
  localparam int unsigned STAGE_ORDER = 4;  // the order's first byte on XGMII

  // What the host has set, level by level; `resync` and `clear_latency` are pulses.
  typedef struct packed {
    logic                         engine;
    logic                         orders;
    logic                         speculate;
    logic                         trailer;
    logic                         mirror;
    logic                         counted;
    logic                         kill_all;
    logic [31:0]                  kill;
    logic                         resync;
    logic                         clear_latency;
    net_pkg::feed_channel_t [1:0] channels;
    logic                         leased;
    logic [31:0]                  tcp_ack;
    logic [15:0]                  tcp_window;
    logic [31:0]                  histogram_base;
    logic [3:0]                   histogram_shift;
    logic [3:0]                   exposure_instrument;
  } controls_t;

  // A write of the host to a table or to a register that both sides write.
  typedef struct packed {
    logic        valid;
    logic [31:0] data;
  } write32_t;

  typedef struct packed {
    logic        valid;
    logic [63:0] data;
  } write64_t;

  typedef struct packed {
    logic        valid;
    logic [19:0] address;
    logic [31:0] data;
  } load_write_t;

  typedef struct packed {
    logic        valid;
    logic [11:0] address;
    logic [31:0] data;
  } frame_write_t;

  typedef struct packed {
    logic        valid;
    logic [11:0] address;
    logic [1:0]  data;     // watch_pkg::refresh_t
  } template_write_t;

  typedef struct packed {
    logic        valid;
    logic [6:0]  address;
    logic [63:0] data;
  } field_write_t;

  typedef struct packed {
    write64_t        clock_set;
    write32_t        clock_adjust;
    load_write_t     load;
    field_write_t    slot;
    field_write_t    watch;
    template_write_t template_class;
    frame_write_t    frame;
    write32_t        tcp_seq;
    write32_t        tcp_limit;
    write32_t        next_msg_seq;
    write32_t        udp_seq;
  } writes_t;

  // What the host reads as it is now.
  typedef struct packed {
    logic [63:0]       now_ns;
    logic [15:0]       live;
    logic [15:0]       inexact;
    logic [15:0][31:0] rpt_seq;
    logic [31:0]       strategy_armed;
    logic [1:0][31:0]  strategy_state;
    logic [63:0]       exposure_position;
    logic [63:0]       exposure_open_buy;
    logic [63:0]       exposure_open_sell;
    logic [31:0]       exposure_open_orders;
    logic [7:0][31:0]  strategy_count;
    logic [31:0]       tcp_seq;
    logic [31:0]       tcp_limit;
    logic [29:0]       next_msg_seq;
    logic [31:0]       udp_seq;
    logic              order_busy;
    logic [31:0]       order_armed;
    logic [15:0]       host_level;
    logic [15:0]       packet_level;
  } status_t;

endpackage
