// proof: depth 4
// cover: depth 40
// A slot fires at most once for each arming, in slot order for each event, and only rested and
// within limits that are up to date.
module strategy_slots_properties
  import feed_pkg::*;
  import strategy_pkg::*;
(
    input logic clk,
    input show_t s_show,
    input logic config_write_valid,
    input logic [4:0] config_write_address,
    input logic [63:0] config_write_data,
    input logic command_valid,
    input command_op_t command_op,
    input logic [1:0] command_slot,
    input logic [63:0] command_quantity,
    input logic kill_all,
    input logic [3:0] kill,
    input logic rearm_valid,
    input logic [1:0] rearm_slot,
    input logic [INSTRUMENT_BITS-1:0] exposure_instrument
);

  logic started = 1'b0;
  logic rst;
  assign rst = !started;

  logic show_pause, command_ready, fire_valid;
  logic [1:0] fire_slot;
  logic [INSTRUMENT_BITS-1:0] fire_instrument;
  logic signed [63:0] fire_price;
  logic [TID_BITS-1:0] fire_tid;
  logic [63:0] fire_tstamp;
  logic [3:0] armed;
  slot_state_t [3:0] slot_state;
  logic [63:0] exposure_position, exposure_open_buy, exposure_open_sell;
  logic [31:0] exposure_open_orders;
  strategy_counters_t strategy_counters;

  strategy_slots #(
      .SLOTS(4),
      .QUEUE_DEPTH(16)
  ) dut (
      .pending_valid(),
      .pending_tid(),
      .*
  );

  // Which slots the decision is about.
  logic [3:0] candidates;
  assign candidates = armed & (dut.direct_q ? dut.hits : dut.left_q);

  // May fire: armed since it last fired.
  logic [3:0] may = '0, was_armed = '0;
  // The event in hand has fired this slot.
  logic fired = 1'b0;
  logic [1:0] fired_slot;
  logic was_fire = 1'b0;
  // No event is queued, or about to be.
  logic idle = 1'b1;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (!started) begin
      may <= '0;
      was_armed <= '0;
      fired <= 1'b0;
      was_fire <= 1'b0;
      idle <= 1'b1;
    end else begin
      idle <= !dut.push && !dut.push_q && (dut.waiting_q == '0
          || (dut.waiting_q == 5'd1 && dut.pop && dut.waiting_valid));
      was_armed <= armed;
      was_fire  <= fire_valid;
      for (int s = 0; s < 4; s++) begin
        if (armed[s] && !was_armed[s]) may[s] <= 1'b1;
        if (fire_valid && fire_slot == 2'(s)) may[s] <= 1'b0;
        // What is armed may fire.
        if (armed[s]) assert (may[s] || !was_armed[s]);
      end
      // Once for each arming.
      if (fire_valid) begin
        assert (may[fire_slot] || !was_armed[fire_slot]);
        assert (was_armed[fire_slot]);
        assert (!was_fire);
      end

      // What is kept beside what it follows from.
      assert (dut.direct_q == (!dut.active_q && idle));
      assert (dut.hand_q == !dut.direct_q);
      assert (dut.calm_q == !fire_valid);
      if (fire_valid) assert (dut.fire_slot_n_q == ~fire_slot);
      assert (dut.hits_at_once == dut.hits);
      if (dut.direct_q) assert (!dut.push_q && dut.waiting_q == '0);
      assert (dut.waiting_q == dut.level + 5'(dut.waiting_valid));
      assert (dut.level <= 5'd16);
      assert (dut.u_queue.some_q == (dut.level != '0));
      assert (dut.u_queue.room_q == (dut.level != 5'd16));
      // One at a time is chosen from.
      if (dut.direct_q) assert (dut.left_q == '0);
      if (!dut.active_q) assert (dut.left_q == '0);
      // After a fire nothing is decided, nor behind what was decided upon as it arrived.
      assert (dut.go_q == !(fire_valid || (dut.active_q && dut.behind_q)));
      if (!dut.go_q) assert (dut.active_q && !dut.fires);
      if (dut.active_q && dut.behind_q) assert (dut.left_q == '0);
      if (dut.wanted_valid_q) assert (dut.active_q && !fire_valid);
      assert (dut.ready == (armed & ~dut.barred));
      for (int s = 0; s < 4; s++) begin
        assert (armed[s] == (slot_state[s] == SLOT_ARMED));
        assert (dut.barred[s] == (dut.fresh[s] && dut.reason[s] != REASON_NONE));
      end

      // In slot order.
      if (!dut.active_q) fired <= 1'b0;
      if (dut.fires) begin
        fired <= 1'b1;
        fired_slot <= dut.first_slot;
        if (dut.active_q && fired) assert (dut.first_slot > fired_slot);
        // Every slot before it has been found wanting, and it itself has not.
        for (int s = 0; s < 4; s++) begin
          if (2'(s) < dut.first_slot && candidates[s]) assert (dut.barred[s]);
        end
        assert (dut.fresh[dut.first_slot] && !dut.barred[dut.first_slot]);
        assert (armed[dut.first_slot]);
      end
      for (int s = 0; s < 4; s++) begin
        if (fired && dut.active_q && 2'(s) <= fired_slot) assert (!dut.left_q[s]);
      end

      cover (fire_valid && fire_slot == 2'd2);
    end
  end

endmodule
