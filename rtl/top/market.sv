// Books, staleness, and what the strategies are shown.
module market
  import feed_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    parameter int unsigned DEPTH = 4096,
    parameter int unsigned INDEX_BITS = 12,
    parameter int unsigned STASH = 8,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned LEVELS = 12,
    parameter int unsigned QUEUE_DEPTH = 512  // entries that wait while a book is busy
) (
    input logic clk,
    input logic rst,

    // Holes in RptSeq are only counted: for captures of trades alone.
    input logic counted,
    // Packets are missing.
    input logic gap,
    // What became of a packet.
    input logic       verdict_valid,
    input logic [3:0] verdict_tid,
    input logic       verdict_good,

    // Of entry_builder.
    input  logic   s_entry_valid,
    input  entry_t s_entry,
    // Of the host: taken when the feed has none.
    input  logic   s_host_valid,
    output logic   s_host_ready,
    input  entry_t s_host,

    // To the strategies, which may ask for a pause.
    output show_t m_show,
    input  logic  show_pause,
    // The answer to every entry.
    output top_t  m_top,

    output logic          [INSTRUMENTS-1:0]       live,
    output logic          [INSTRUMENTS-1:0][31:0] rpt_seq,
    output market_event_t                         market_event,

    // Registers of the books (rtl/book/README.md), one cycle later.
    input  logic                       reg_read,
    input  logic [INSTRUMENT_BITS-1:0] reg_instrument,
    input  logic [                3:0] reg_address,
    output logic [               63:0] reg_data
);
endmodule
