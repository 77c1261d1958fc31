// The strategy slots with what says when a task of theirs ends, and whether nothing waits.
module slots_probe
  import feed_pkg::*;
  import strategy_pkg::*;
#(
    parameter int unsigned SLOTS = 16
) (
    input logic clk,
    input logic rst,

    input  logic        s_show_valid,
    input  logic        s_show_trade,
    input  logic [ 3:0] s_show_instrument,
    input  logic        s_show_bid_valid,
    input  logic [63:0] s_show_bid_price,
    input  logic        s_show_ask_valid,
    input  logic [63:0] s_show_ask_price,
    input  logic        s_show_some,
    input  logic [ 3:0] s_show_tid,
    input  logic [63:0] s_show_tstamp,
    output logic        show_pause,

    input logic        config_write_valid,
    input logic [ 6:0] config_write_address,
    input logic [63:0] config_write_data,

    input  logic        command_valid,
    output logic        command_ready,
    input  logic [ 3:0] command_op,
    input  logic [ 3:0] command_slot,
    input  logic [63:0] command_quantity,
    input  logic        kill_all,
    input  logic [15:0] kill,
    input  logic        rearm_valid,
    input  logic [ 3:0] rearm_slot,

    output logic        fire_valid,
    output logic [ 3:0] fire_slot,
    output logic [ 3:0] fire_instrument,
    output logic [63:0] fire_price,
    output logic [ 3:0] fire_tid,
    output logic [63:0] fire_tstamp,

    output logic [47:0] slot_state,

    input  logic [ 3:0] exposure_instrument,
    output logic [63:0] exposure_position,
    output logic [63:0] exposure_open_buy,
    output logic [63:0] exposure_open_sell,
    output logic [31:0] exposure_open_orders,

    output logic [255:0] strategy_counters,

    output logic       obs_task_ends,  // in this cycle: what it changes counts from the next on
    output logic [1:0] obs_task,       // 0 a fire's account, 1 a rearm, 2 a command, 3 a verdict
    output logic [3:0] obs_task_slot,
    output logic       obs_idle        // no event waits, and no task
);
  show_t show;
  strategy_counters_t counters;
  slot_state_t [SLOTS-1:0] state;
  logic pending_valid;
  logic [3:0] pending_tid;
  logic [SLOTS-1:0] armed;

  assign show = '{
      valid: s_show_valid,
      trade: s_show_trade,
      instrument: s_show_instrument,
      bid_valid: s_show_bid_valid,
      bid_price: s_show_bid_price,
      ask_valid: s_show_ask_valid,
      ask_price: s_show_ask_price,
      some: s_show_some,
      tid: s_show_tid,
      tstamp: s_show_tstamp
  };

  strategy_slots #(
      .SLOTS(SLOTS)
  ) u_slots (
      .s_show           (show),
      .command_op       (command_op_t'(command_op)),
      .slot_state       (state),
      .strategy_counters(counters),
      .*
  );

  assign slot_state = state;
  assign strategy_counters = counters;
  assign obs_task_ends = u_slots.u_limits.commit;
  assign obs_task = u_slots.u_limits.task_q;
  assign obs_task_slot = u_slots.u_limits.slot_q;
  // PHASE_READY is the second one.
  assign obs_idle = u_slots.direct_q && !fire_valid && 32'(u_slots.u_limits.phase_q) == 1
      && !u_slots.u_limits.fired_any_q && !u_slots.u_limits.rearm_any_q
      && u_slots.u_limits.fired_q == '0 && u_slots.u_limits.rearm_q == '0;
endmodule
