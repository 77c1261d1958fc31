// The order book with what says why it refuses: its price window, its stash, and whether it is wiped.
module order_book_probe
  import book_pkg::*;
#(
    parameter int unsigned DEPTH = 16,
    parameter int unsigned INDEX_BITS = 3,
    parameter int unsigned STASH = 2,
    parameter int unsigned RANK_BITS = 6,
    parameter int unsigned LEVELS = 10
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        clear,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [ 1:0] s_axis_op,
    input  logic        s_axis_side,
    input  logic [63:0] s_axis_next_id,
    input  logic [63:0] s_axis_price,
    input  logic [63:0] s_axis_quantity,
    output logic        m_axis_tvalid,
    output logic [ 2:0] m_axis_outcome,
    output logic        m_axis_bid_valid,
    output logic [63:0] m_axis_bid_price,
    output logic [63:0] m_axis_bid_quantity,
    output logic [15:0] m_axis_bid_orders,
    output logic        m_axis_ask_valid,
    output logic [63:0] m_axis_ask_price,
    output logic [63:0] m_axis_ask_quantity,
    output logic [15:0] m_axis_ask_orders,
    output logic        inexact,
    input  logic        reg_read,
    input  logic [ 3:0] reg_address,
    output logic [63:0] reg_data,

    output logic        obs_wiping,
    output logic        obs_stash_full,
    output logic [63:0] obs_base         // the lowest price of the window
);
  localparam int unsigned QUARTER_BITS = RANK_BITS - 2;

  outcome_t outcome;
  logic [ORDER_BITS+$clog2(DEPTH)-1:0] bid_quantity, ask_quantity;
  logic [$clog2(DEPTH):0] bid_orders, ask_orders;

  order_book #(
      .DEPTH     (DEPTH),
      .INDEX_BITS(INDEX_BITS),
      .STASH     (STASH),
      .RANK_BITS (RANK_BITS),
      .LEVELS    (LEVELS)
  ) u_book (
      .s_axis_op          (op_t'(s_axis_op)),
      .m_axis_outcome     (outcome),
      .m_axis_bid_quantity(bid_quantity),
      .m_axis_bid_orders  (bid_orders),
      .m_axis_ask_quantity(ask_quantity),
      .m_axis_ask_orders  (ask_orders),
      .*
  );

  assign m_axis_outcome = outcome;
  assign m_axis_bid_quantity = 64'(bid_quantity);
  assign m_axis_bid_orders = 16'(bid_orders);
  assign m_axis_ask_quantity = 64'(ask_quantity);
  assign m_axis_ask_orders = 16'(ask_orders);

  assign obs_wiping = u_book.wiping_q;
  assign obs_stash_full = 32'(u_book.stashed) == STASH;
  assign obs_base = {u_book.base_q, {QUARTER_BITS{1'b0}}};
endmodule
