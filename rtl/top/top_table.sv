// Table of tops: the last answer about each instrument, for the host to read.
//
// Reading is by words over a request port, the answer two cycles after the request: sixteen words an
// instrument, as trader.rdl lays them out. Reading word 0 keeps the others as they were in that moment.
module top_table
  import feed_pkg::*;
(
    input logic clk,
    input logic rst,

    input top_t s_top,

    input  logic        read_valid,
    input  logic [ 7:0] read_address,
    output logic        data_valid,
    output logic [31:0] data
);

  typedef struct packed {
    logic [63:0] tstamp;
    logic [63:0] ask_quantity;
    logic [63:0] ask_price;
    logic [63:0] bid_quantity;
    logic [63:0] bid_price;
    logic [31:0] unused;
    logic [15:0] ask_orders;
    logic [15:0] bid_orders;
    logic [31:0] rpt_seq;
    logic [23:0] unused_status;
    answer_t     answer;
    logic        unused_bit;
    logic        live;
    logic        ask_valid;
    logic        bid_valid;
  } row_t;

  localparam int unsigned WORDS = $bits(row_t) / 32;

  // What is kept of an answer; nothing before the first.
  row_t row_q;
  logic [INSTRUMENT_BITS-1:0] row_at_q;
  logic row_valid_q;
  row_t rows[1<<INSTRUMENT_BITS];
  logic [(1<<INSTRUMENT_BITS)-1:0] told_q;
  logic unused_top;
  assign unused_top = ^{s_top.from_host, s_top.last, s_top.tid};

  always_ff @(posedge clk) begin
    row_valid_q <= s_top.valid && s_top.op != ENTRY_END && s_top.op != ENTRY_LOST;
    row_at_q <= s_top.instrument;
    row_q <= '{
        tstamp: s_top.tstamp,
        ask_quantity: s_top.ask_quantity,
        ask_price: s_top.ask_price,
        bid_quantity: s_top.bid_quantity,
        bid_price: s_top.bid_price,
        ask_orders: s_top.ask_orders,
        bid_orders: s_top.bid_orders,
        rpt_seq: s_top.rpt_seq,
        answer: s_top.answer,
        live: s_top.live,
        ask_valid: s_top.ask_valid,
        bid_valid: s_top.bid_valid,
        default: '0
    };
    if (row_valid_q) told_q[row_at_q] <= 1'b1;
    if (rst) begin
      row_valid_q <= 1'b0;
      told_q <= '0;
    end
  end

  always_ff @(posedge clk) if (row_valid_q) rows[row_at_q] <= row_q;

  logic [INSTRUMENT_BITS-1:0] asked;
  logic ask_q;
  logic [3:0] word_q;
  row_t kept_q;
  logic [15:0][31:0] words;

  assign asked = read_address[7:4];
  assign words = {{(16 - WORDS) * 32{1'b0}}, kept_q};

  always_ff @(posedge clk) begin
    ask_q  <= read_valid;
    word_q <= read_address[3:0];
    if (read_valid && read_address[3:0] == '0) kept_q <= told_q[asked] ? rows[asked] : '0;
    data_valid <= ask_q;
    data <= words[word_q];
    if (rst) begin
      ask_q <= 1'b0;
      data_valid <= 1'b0;
    end
  end

endmodule
