// The market, small, with what says when an entry is taken in hand and when one is lost.
module market_probe
  import feed_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    parameter int unsigned DEPTH = 64,
    parameter int unsigned INDEX_BITS = 8,
    parameter int unsigned RANK_BITS = 8,
    parameter int unsigned QUEUE_DEPTH = 16
) (
    input logic clk,
    input logic rst,
    input logic counted,

    input logic       begin_valid,
    input logic [3:0] begin_tid,
    input logic       gap,
    input logic       verdict_valid,
    input logic [3:0] verdict_tid,
    input logic       verdict_good,

    input logic        s_entry_valid,
    input logic [ 3:0] s_entry_op,
    input logic [ 3:0] s_entry_instrument,
    input logic        s_entry_side,
    input logic [63:0] s_entry_id,
    input logic [63:0] s_entry_price,
    input logic [63:0] s_entry_quantity,
    input logic [31:0] s_entry_rpt_seq,
    input logic        s_entry_last,
    input logic        s_entry_bad,
    input logic [ 3:0] s_entry_tid,
    input logic [63:0] s_entry_tstamp,

    input  logic        s_host_valid,
    output logic        s_host_ready,
    input  logic [ 3:0] s_host_op,
    input  logic [ 3:0] s_host_instrument,
    input  logic        s_host_side,
    input  logic [63:0] s_host_id,
    input  logic [63:0] s_host_price,
    input  logic [63:0] s_host_quantity,
    input  logic [31:0] s_host_rpt_seq,
    input  logic [63:0] s_host_tstamp,

    input logic show_pause,

    output logic        m_top_valid,
    output logic [ 3:0] m_top_op,
    output logic [ 3:0] m_top_instrument,
    output logic [ 3:0] m_top_answer,
    output logic        m_top_from_host,
    output logic        m_top_last,
    output logic        m_top_live,
    output logic [31:0] m_top_rpt_seq,
    output logic        m_top_bid_valid,
    output logic [63:0] m_top_bid_price,
    output logic [63:0] m_top_bid_quantity,
    output logic [15:0] m_top_bid_orders,
    output logic        m_top_ask_valid,
    output logic [63:0] m_top_ask_price,
    output logic [63:0] m_top_ask_quantity,
    output logic [15:0] m_top_ask_orders,
    output logic [ 3:0] m_top_tid,
    output logic [63:0] m_top_tstamp,

    output logic        m_show_valid,
    output logic        m_show_trade,
    output logic [ 3:0] m_show_instrument,
    output logic        m_show_bid_valid,
    output logic [63:0] m_show_bid_price,
    output logic        m_show_ask_valid,
    output logic [63:0] m_show_ask_price,
    output logic        m_show_some,
    output logic [ 3:0] m_show_tid,
    output logic [63:0] m_show_tstamp,

    output logic [   INSTRUMENTS-1:0] live,
    output logic [INSTRUMENTS*32-1:0] rpt_seq,
    output logic [              13:0] market_event,

    output logic obs_take,   // the entry in hand is admitted, or refused
    output logic obs_lost,   // the feed's entry finds no room
    output logic obs_wiping  // a book is emptied
);
  entry_t entry, host_entry;
  show_t show;
  top_t top;
  market_event_t events;
  logic pending_valid;
  logic [3:0] pending_tid;
  logic [INSTRUMENTS-1:0] inexact;
  logic [63:0] reg_data;

  assign entry = '{
      op: entry_op_t'(s_entry_op),
      instrument: s_entry_instrument,
      side: s_entry_side,
      id: s_entry_id,
      price: s_entry_price,
      quantity: s_entry_quantity,
      rpt_seq: s_entry_rpt_seq,
      last: s_entry_last,
      bad: s_entry_bad,
      from_host: 1'b0,
      tid: s_entry_tid,
      tstamp: s_entry_tstamp
  };
  assign host_entry = '{
      op: entry_op_t'(s_host_op),
      instrument: s_host_instrument,
      side: s_host_side,
      id: s_host_id,
      price: s_host_price,
      quantity: s_host_quantity,
      rpt_seq: s_host_rpt_seq,
      last: 1'b0,
      bad: 1'b0,
      from_host: 1'b1,
      tid: '0,
      tstamp: s_host_tstamp
  };

  market #(
      .INSTRUMENTS(INSTRUMENTS),
      .DEPTH      (DEPTH),
      .INDEX_BITS (INDEX_BITS),
      .RANK_BITS  (RANK_BITS),
      .QUEUE_DEPTH(QUEUE_DEPTH)
  ) u_market (
      .s_entry       (entry),
      .s_host        (host_entry),
      .m_show        (show),
      .m_top         (top),
      .market_event  (events),
      .reg_read      (1'b0),
      .reg_instrument('0),
      .reg_address   ('0),
      .*
  );

  assign m_top_valid = top.valid;
  assign m_top_op = top.op;
  assign m_top_instrument = top.instrument;
  assign m_top_answer = top.answer;
  assign m_top_from_host = top.from_host;
  assign m_top_last = top.last;
  assign m_top_live = top.live;
  assign m_top_rpt_seq = top.rpt_seq;
  assign m_top_bid_valid = top.bid_valid;
  assign m_top_bid_price = top.bid_price;
  assign m_top_bid_quantity = top.bid_quantity;
  assign m_top_bid_orders = top.bid_orders;
  assign m_top_ask_valid = top.ask_valid;
  assign m_top_ask_price = top.ask_price;
  assign m_top_ask_quantity = top.ask_quantity;
  assign m_top_ask_orders = top.ask_orders;
  assign m_top_tid = top.tid;
  assign m_top_tstamp = top.tstamp;

  assign m_show_valid = show.valid;
  assign m_show_trade = show.trade;
  assign m_show_instrument = show.instrument;
  assign m_show_bid_valid = show.bid_valid;
  assign m_show_bid_price = show.bid_price;
  assign m_show_ask_valid = show.ask_valid;
  assign m_show_ask_price = show.ask_price;
  assign m_show_some = show.some;
  assign m_show_tid = show.tid;
  assign m_show_tstamp = show.tstamp;

  assign market_event = events;
  assign obs_take = u_market.take;
  assign obs_lost = u_market.push && !u_market.queue_ready;
  assign obs_wiping = u_market.wiping_q != '0;
endmodule
