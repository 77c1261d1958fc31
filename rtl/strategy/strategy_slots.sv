// Decides which prepared order to send when a price is shown.
module strategy_slots
  import feed_pkg::*;
  import strategy_pkg::*;
#(
    parameter int unsigned SLOTS = 16,
    parameter int unsigned INSTRUMENTS = 4,
    localparam int unsigned SLOT_BITS = $clog2(SLOTS)
) (
    input logic clk,
    input logic rst,

    input  show_t s_show,
    output logic  show_pause,

    // Parameters of a slot, written while it is idle or done: {slot, field_t}.
    input logic                 config_write_valid,
    input logic [SLOT_BITS+2:0] config_write_address,
    input logic [         63:0] config_write_data,

    // Commands of the host: a slot, or an instrument (COMMAND_SET_*).
    input  logic                        command_valid,
    output logic                        command_ready,
    input  command_op_t                 command_op,
    input  logic        [SLOT_BITS-1:0] command_slot,
    input  logic        [         63:0] command_quantity,
    // The kill switches, by level: nothing is armed while they are on.
    input  logic                        kill_all,
    input  logic        [    SLOTS-1:0] kill,

    // The order sender did not send what was fired: armed again, exposure taken back. A pulse.
    input logic                 rearm_valid,
    input logic [SLOT_BITS-1:0] rearm_slot,

    output logic                              fire_valid,
    output logic        [      SLOT_BITS-1:0] fire_slot,
    output logic        [INSTRUMENT_BITS-1:0] fire_instrument,
    output logic signed [               63:0] fire_price,
    output logic        [       TID_BITS-1:0] fire_tid,
    output logic        [               63:0] fire_tstamp,

    output logic        [SLOTS-1:0] armed,
    output logic  [SLOTS-1:0][ 2:0] slot_state,
    // Exposure of an instrument, two cycles later.
    input  logic [INSTRUMENT_BITS-1:0] exposure_instrument,
    output logic [63:0] exposure_position,
    output logic [63:0] exposure_open_buy,
    output logic [63:0] exposure_open_sell,
    output logic [31:0] exposure_open_orders,
    output strategy_counters_t strategy_counters
);
endmodule
