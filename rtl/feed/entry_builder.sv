// Entries of watched instruments, from the records of the FAST engine.
module entry_builder
  import feed_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4
) (
    input logic clk,
    input logic rst,

    // The engine's output; no back-pressure.
    input fast_pkg::record_t [ 3:0] s_records,
    input logic                     s_begin,
    input logic              [15:0] s_template,
    input logic                     s_element,
    input logic                     s_end,
    input logic              [ 7:0] s_status,
    input logic              [ 3:0] s_tid,
    input logic              [63:0] s_tstamp,

    // Which templates (by number) are incremental refreshes: 32 of them a write.
    input logic        class_write_valid,
    input logic [ 2:0] class_write_address,
    input logic [31:0] class_write_data,
    // Watched instruments: {instrument, field}, 64 bits a write (README.md).
    input logic        watch_write_valid,
    input logic [ 6:0] watch_write_address,
    input logic [63:0] watch_write_data,

    // Combinational: for the user to register. No back-pressure.
    output logic           m_valid,
    output entry_t         m_entry,
    output builder_event_t builder_event
);
endmodule
