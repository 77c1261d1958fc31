// Market and strategies as the trader joins them, small.
module market_bench
  import feed_pkg::*;
  import strategy_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    parameter int unsigned SLOTS = 16,
    parameter int unsigned QUEUE_DEPTH = 16
) (
    input logic clk,
    input logic rst,
    input logic counted,
    input logic begin_valid,
    input logic [3:0] begin_tid,
    input logic gap,
    input logic verdict_valid,
    input logic [3:0] verdict_tid,
    input logic verdict_good,
    input logic s_entry_valid,
    input entry_t s_entry,
    input logic s_host_valid,
    output logic s_host_ready,
    input entry_t s_host,
    input logic hold,
    output show_t m_show,
    output top_t m_top,
    output logic [INSTRUMENTS-1:0] live,
    output logic [INSTRUMENTS-1:0][31:0] rpt_seq,
    output logic [INSTRUMENTS-1:0] inexact,
    output market_event_t market_event,
    input logic reg_read,
    input logic [INSTRUMENT_BITS-1:0] reg_instrument,
    input logic [3:0] reg_address,
    output logic [63:0] reg_data,
    input logic config_write_valid,
    input logic [$clog2(SLOTS)+2:0] config_write_address,
    input logic [63:0] config_write_data,
    input logic command_valid,
    output logic command_ready,
    input command_op_t command_op,
    input logic [$clog2(SLOTS)-1:0] command_slot,
    input logic [63:0] command_quantity,
    input logic kill_all,
    input logic [SLOTS-1:0] kill,
    input logic rearm_valid,
    input logic [$clog2(SLOTS)-1:0] rearm_slot,
    output logic fire_valid,
    output logic [$clog2(SLOTS)-1:0] fire_slot,
    output logic [INSTRUMENT_BITS-1:0] fire_instrument,
    output logic [63:0] fire_price,
    output logic [3:0] fire_tid,
    output logic [63:0] fire_tstamp,
    output logic [SLOTS-1:0] armed,
    output slot_state_t [SLOTS-1:0] slot_state,
    input logic [INSTRUMENT_BITS-1:0] exposure_instrument,
    output logic [63:0] exposure_position,
    output logic [63:0] exposure_open_buy,
    output logic [63:0] exposure_open_sell,
    output logic [31:0] exposure_open_orders,
    output strategy_counters_t strategy_counters,
    // Whose entry, whose event waits first.
    output logic entries_pending,
    output logic [3:0] entries_tid,
    output logic events_pending,
    output logic [3:0] events_tid,
    output logic busy  // something is on its way
);

  logic show_pause;
  market #(
      .INSTRUMENTS(INSTRUMENTS),
      .DEPTH(64),
      .INDEX_BITS(8),
      .RANK_BITS(8),
      .QUEUE_DEPTH(QUEUE_DEPTH)
  ) u_market (
      .*,
      .show_pause(show_pause || hold),
      .pending_valid(entries_pending),
      .pending_tid(entries_tid)
  );
  strategy_slots #(.SLOTS(SLOTS)) u_slots (
      .*,
      .s_show(m_show),
      .pending_valid(events_pending),
      .pending_tid(events_tid)
  );
  assign busy = !u_market.queue_empty_q || u_market.entry_valid_q || !u_slots.direct_q
      || m_top.valid;
endmodule
