// Decides which prepared order to send when a price is shown: the strategy engine of
// crates/strategy in logic, with its kinds `cross` (source bid or offer) and `stop` (source trade).
//
// What is shown in cycle n fires in cycle n + 2: all conditions side by side in n, the first slot that
// is armed, rested and within its limits in n + 1. Limits are worked out ahead of time (slot_limits).
// Slots fire in slot order, each with the limits as the fires before left them: a further one on
// the same instrument follows when its limits are known again (14 to 26 cycles; an order takes longer
// on the line), on another instrument in the cycle after the next. What is shown meanwhile waits in a
// queue of QUEUE_DEPTH events that some armed slot's condition holds for; when it is half full
// `show_pause` rises, and if it is full nevertheless the event is lost and counted as missed.
//
// Rules: a condition is looked at only while the slot is armed. A slot fires once for each arming.
// A qualifying event that cooldown or a limit holds back is counted, and leaves the slot armed.
// The time of an event is its packet's arrival (tstamp). `rearm` makes a slot that fired armed again,
// and takes back what it had open; events that were queued when it fired, or was disarmed, do not fire it
// again, and its
// cooldown runs from the fire.
module strategy_slots
  import feed_pkg::*;
  import strategy_pkg::*;
#(
    parameter int unsigned SLOTS = 16,
    parameter int unsigned QUEUE_DEPTH = 32,
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

    // Commands of the host: about a slot, or an instrument (COMMAND_SET_*).
    input  logic                        command_valid,
    output logic                        command_ready,
    input  command_op_t                 command_op,
    input  logic        [SLOT_BITS-1:0] command_slot,
    input  logic        [         63:0] command_quantity,
    // The kill switches, by level: nothing is armed while they are on.
    input  logic                        kill_all,
    input  logic        [    SLOTS-1:0] kill,

    // The order sender did not send what was fired. A pulse.
    input logic                 rearm_valid,
    input logic [SLOT_BITS-1:0] rearm_slot,

    // `fire_price` is combinational: the price that was looked at.
    output logic                              fire_valid,
    output logic        [      SLOT_BITS-1:0] fire_slot,
    output logic        [INSTRUMENT_BITS-1:0] fire_instrument,
    output logic signed [               63:0] fire_price,
    output logic        [       TID_BITS-1:0] fire_tid,
    output logic        [               63:0] fire_tstamp,

    // The packet of the first event that waits.
    output logic                pending_valid,
    output logic [TID_BITS-1:0] pending_tid,

    output logic        [SLOTS-1:0] armed,
    output slot_state_t [SLOTS-1:0] slot_state,

    // Exposure of an instrument, one cycle later.
    input  logic [INSTRUMENT_BITS-1:0] exposure_instrument,
    output logic [               63:0] exposure_position,
    output logic [               63:0] exposure_open_buy,
    output logic [               63:0] exposure_open_sell,
    output logic [               31:0] exposure_open_orders,

    output strategy_counters_t strategy_counters
);

  if (SLOTS < 4 || SLOTS > 64 || SLOTS != 1 << SLOT_BITS) begin : gen_bad_slots
    $fatal(1, "%m: SLOTS %0d is not a power of two from 4 to 64", SLOTS);
  end
  if (QUEUE_DEPTH < 16 || QUEUE_DEPTH != 1 << $clog2(QUEUE_DEPTH)) begin : gen_bad_queue
    $fatal(1, "%m: QUEUE_DEPTH %0d is not a power of two from 16 on", QUEUE_DEPTH);
  end

  // ---------------------------------------------------------------- parameters

  slot_control_t [SLOTS-1:0] control_q;
  logic [63:0] bound_words[SLOTS];
  logic [63:0] cooldown_words[SLOTS];
  logic [SLOT_BITS-1:0] config_slot;
  field_t config_field;
  assign config_slot  = config_write_address[SLOT_BITS+2:3];
  assign config_field = field_t'(config_write_address[2:0]);

  always_ff @(posedge clk) begin
    if (config_write_valid) begin
      if (config_field == FIELD_CONTROL) control_q[config_slot] <= config_write_data[11:0];
    end
    if (rst) begin
      for (int s = 0; s < SLOTS; s++) control_q[s] <= '0;
    end
  end
  always_ff @(posedge clk) begin
    if (config_write_valid && config_field == FIELD_BOUND) begin
      bound_words[config_slot] <= config_write_data;
    end
    if (config_write_valid && config_field == FIELD_COOLDOWN) begin
      cooldown_words[config_slot] <= config_write_data;
    end
  end

  // The bound as slot_compare wants it: set in the second cycle behind a write to its slot.
  logic read_q, set_q;
  logic [SLOT_BITS-1:0] read_slot_q, set_slot_q;
  logic set_flip_q;
  logic [63:0] set_bound_q;
  logic [SLOTS-1:0][63:0] limit_q;
  always_ff @(posedge clk) begin
    read_q <= config_write_valid;
    read_slot_q <= config_slot;
    set_q <= read_q;
    set_slot_q <= read_slot_q;
    set_bound_q <= bound_words[read_slot_q];
    set_flip_q <= control_q[read_slot_q].at_most;
    if (set_q) limit_q[set_slot_q] <= set_bound_q ^ {!set_flip_q, {63{set_flip_q}}};
  end

  // ---------------------------------------------------------------- conditions

  typedef struct packed {
    logic [INSTRUMENT_BITS-1:0] instrument;
    logic [63:0]                bid_price;
    logic [63:0]                ask_price;
    logic [TID_BITS-1:0]        tid;
    logic [63:0]                tstamp;
  } place_t;

  typedef struct packed {
    logic [SLOTS-1:0] hits;   // armed and rested, and the condition holds
    place_t           place;
  } event_t;

  logic [SLOTS-1:0] match, rested, killed;
  logic [SLOTS-1:0][63:0] not_before_q;
  assign killed = kill | {SLOTS{kill_all}};

  // What a slot looks at: a cycle behind its parameters.
  logic [SLOTS-1:0] takes_trade_q, takes_bid_q, takes_offer_q;  // none unless it is enabled
  logic [SLOTS-1:0] offer_q, flip_q;
  logic [SLOTS-1:0][2:0] seen;
  logic shows_trade, shows_bid, shows_offer;
  assign shows_trade = s_show.valid && s_show.trade && s_show.some;
  assign shows_bid   = s_show.valid && !s_show.trade && s_show.bid_valid;
  assign shows_offer = s_show.valid && !s_show.trade && s_show.ask_valid;

  for (genvar s = 0; s < SLOTS; s++) begin : g_slot
    always_ff @(posedge clk) begin
      offer_q[s] <= control_q[s].source == SOURCE_OFFER;
      flip_q[s] <= control_q[s].at_most;
      takes_trade_q[s] <= control_q[s].enabled && control_q[s].source == SOURCE_TRADE;
      takes_bid_q[s] <= control_q[s].enabled && control_q[s].source == SOURCE_BID;
      takes_offer_q[s] <= control_q[s].enabled && control_q[s].source == SOURCE_OFFER;
    end
    slot_compare u_compare (
        .seen     (seen[s]),
        .offer    (offer_q[s]),
        .flip     (flip_q[s]),
        .limit    (limit_q[s]),
        .bid_price(s_show.bid_price),
        .ask_price(s_show.ask_price),
        .match    (match[s])
    );
    always_comb begin
      seen[s] = {
        control_q[s].instrument == s_show.instrument,
        (takes_trade_q[s] && shows_trade) || (takes_bid_q[s] && shows_bid)
            || (takes_offer_q[s] && shows_offer),
        armed[s]
      };
      rested[s] = s_show.tstamp >= not_before_q[s];
    end
  end

  logic [SLOTS-1:0] match_q, rested_q, hits, hits_at_once;
  logic [SLOTS-1:0] rested_too_q;  // the same, and reset: what is decided at once has its own
  place_t place_q;
  always_ff @(posedge clk) begin
    match_q <= match;
    rested_q <= rested;
    place_q <= '{
        instrument: s_show.instrument,
        bid_price: s_show.bid_price,
        ask_price: s_show.ask_price,
        tid: s_show.tid,
        tstamp: s_show.tstamp
    };
    rested_too_q <= rested;
    if (rst) begin
      match_q <= '0;
      rested_too_q <= '0;
    end
  end
  assign hits = match_q & rested_too_q;
  assign hits_at_once = match_q & rested_q;

  // ---------------------------------------------------------------- events that wait

  localparam int unsigned QUEUE_BITS = $clog2(QUEUE_DEPTH);
  // It is queued in the cycle behind: whether it must wait is known late, and much hangs on it.
  event_t pushed_q, waiting;
  logic waiting_valid, pop, push, push_q, queue_ready, missed_q;
  logic [QUEUE_BITS:0] level, waiting_q, waiting_d;  // waiting_q: with the one at the output
  assign waiting_d = waiting_q + (QUEUE_BITS + 1)'(push_q && queue_ready)
      - (QUEUE_BITS + 1)'(pop && waiting_valid);

  fifo #(
      .WIDTH($bits(event_t)),
      .DEPTH(QUEUE_DEPTH)
  ) u_queue (
      .clk,
      .rst,
      .s_data (pushed_q),
      .s_valid(push_q),
      .s_ready(queue_ready),
      .m_data (waiting),
      .m_valid(waiting_valid),
      .m_ready(pop),
      .level
  );

  always_ff @(posedge clk) begin
    push_q <= push;
    pushed_q <= '{hits: hits, place: place_q};
    waiting_q <= waiting_d;
    show_pause <= level >= (QUEUE_BITS + 1)'(QUEUE_DEPTH / 2);
    missed_q <= push_q && !queue_ready;
    if (rst) begin
      push_q <= 1'b0;
      waiting_q <= '0;
      show_pause <= 1'b0;
      missed_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- the decision

  // An event that finds nothing before it is decided upon at once. `left_q` are the slots of the
  // event in hand that are not decided yet, none while there is no event in hand. Nothing is decided in
  // the cycle after a fire, since limits that the fire changes are marked out of date there
  // (slot_limits), nor in the cycle after an event that was decided upon at once and found a slot open:
  // what is left of it is worked out there.
  place_t current_q, current;
  logic direct_q, hand_q;  // hand_q: not direct_q, for what is wide
  logic active_q, active_d, go_q, behind_q;  // behind_q: what arrived was decided upon
  logic stays;  // the event in hand does, or one comes from the queue
  logic [SLOTS-1:0] left_q, armed_was_q, after_first, busy;
  logic [SLOTS-1:0] fresh, barred, ready, beside_q;
  reason_t [SLOTS-1:0] reason;

  // The same as `fire_valid` and `fire_slot`, inverted: for the slots' states, which are many loads.
  logic calm_q;
  logic [SLOT_BITS-1:0] fire_slot_n_q;
  logic [SLOTS-1:0] fired;  // one bit for each slot
  always_comb begin
    for (int s = 0; s < SLOTS; s++) fired[s] = !calm_q && fire_slot_n_q == ~SLOT_BITS'(s);
  end

  assign pending_valid = active_q || waiting_valid;
  assign pending_tid = active_q ? current_q.tid : waiting.place.tid;

  assign push = hits != '0 && !direct_q;
  assign pop = !active_q;
  assign current = hand_q ? current_q : place_q;

  // What arrives and what is in hand are chosen from side by side: gates that the one would wait in for
  // the other are on the longest path.
  logic any_arrived, fires_arrived, waits_arrived, any_left, fires_left, waits_left;
  logic [SLOT_BITS-1:0] first_arrived, first_left, first_slot;
  logic [SLOTS-1:0] left, unused_left;

  slot_choice #(
      .SLOTS(SLOTS)
  ) u_arrived (
      .candidates(hits_at_once & armed),
      .open      (hits_at_once & ready),
      .sure      (hits_at_once & ready & fresh),
      .fresh,
      .any       (any_arrived),
      .fires     (fires_arrived),
      .waits     (waits_arrived),
      .first     (first_arrived),
      .left      (unused_left)
  );

  slot_choice #(
      .SLOTS(SLOTS)
  ) u_left (
      .candidates(left_q & armed),
      .open      (left_q & ready),
      .sure      (left_q & ready & fresh),
      .fresh,
      .any       (any_left),
      .fires     (fires_left),
      .waits     (waits_left),
      .first     (first_left),
      .left
  );

  // What was shown before a slot was disarmed, or fired, is not for the arming behind that: of the events
  // that wait, how many are older.
  logic [SLOTS-1:0] ended, ended_q, older;
  logic [SLOTS-1:0][QUEUE_BITS:0] older_q;
  assign ended = armed_was_q & ~armed;
  always_comb begin
    for (int s = 0; s < SLOTS; s++) older[s] = ended[s] || ended_q[s] || older_q[s] != '0;
  end
  always_ff @(posedge clk) begin
    ended_q <= ended;
    for (int s = 0; s < SLOTS; s++) begin
      // What was shown in its last cycle is being queued.
      if (ended_q[s]) older_q[s] <= waiting_d;
      else if (pop && waiting_valid && older_q[s] != '0) older_q[s] <= older_q[s] - 1'b1;
    end
    if (rst) begin
      ended_q <= '0;
      older_q <= '0;
    end
  end

  logic fires, direct_d;
  always_comb begin
    fires = direct_q ? fires_arrived : go_q && fires_left;
    first_slot = direct_q ? first_arrived : first_left;
    stays = active_q ? !go_q || any_left : waiting_valid;
    active_d = direct_q ? any_arrived : stays;
    // What arrives keeps the next event from being decided upon at once: decided upon, if it has a slot
    // that is open; queued, if it has any.
    busy = hits & (ready | {SLOTS{!direct_q}});
    direct_d = busy == '0 && (direct_q || (!stays && !push_q && waiting_q == '0));
    for (int s = 0; s < SLOTS; s++) begin
      after_first[s] = SLOT_BITS'(s) > fire_slot || (SLOT_BITS'(s) == fire_slot && !fire_valid);
    end
  end

  logic wanted_valid_q;
  logic [SLOT_BITS-1:0] wanted_slot_q;
  logic [63:0] fire_bid_q, fire_ask_q;

  always_ff @(posedge clk) begin
    if (!active_q) current_q <= hand_q ? waiting.place : place_q;
    if (active_q && go_q) left_q <= left;
    else if (active_q && behind_q) left_q <= pushed_q.hits & armed_was_q & after_first;
    else if (!active_q && waiting_valid) left_q <= waiting.hits & ~older;
    armed_was_q <= armed;
    behind_q <= direct_q;
    active_q <= active_d;
    direct_q <= direct_d;
    hand_q <= !direct_d;
    if (go_q) begin
      wanted_valid_q <= direct_q ? waits_arrived : waits_left;
      wanted_slot_q <= first_slot;
      fire_slot <= first_slot;
      fire_slot_n_q <= ~first_slot;
    end
    fire_valid <= fires;
    calm_q <= !fires;
    go_q <= direct_q ? !any_arrived : !(go_q && fires_left);
    fire_instrument <= current.instrument;
    fire_tid <= current.tid;
    fire_tstamp <= current.tstamp;
    fire_bid_q <= current.bid_price;
    fire_ask_q <= current.ask_price;
    for (int s = 0; s < SLOTS; s++) beside_q[s] <= control_q[s].instrument == current.instrument;
    if (rst) begin
      active_q <= 1'b0;
      direct_q <= 1'b1;
      hand_q <= 1'b0;
      behind_q <= 1'b0;
      left_q <= '0;
      wanted_valid_q <= 1'b0;
      fire_valid <= 1'b0;
      calm_q <= 1'b1;
      go_q <= 1'b1;
    end
  end
  assign fire_price = offer_q[fire_slot] ? fire_ask_q : fire_bid_q;

  // Least time between two fires: worked out behind the fire, long before the slot is armed again.
  logic rests_q, cooled_q;
  logic [SLOT_BITS-1:0] rests_slot_q, cooled_slot_q;
  logic [63:0] rests_from_q, cooldown_q;
  logic [64:0] cooled_at_q;
  always_ff @(posedge clk) begin
    rests_q <= fire_valid;
    cooldown_q <= cooldown_words[fire_slot];
    rests_slot_q <= fire_slot;
    rests_from_q <= fire_tstamp;
    cooled_q <= rests_q;
    cooled_slot_q <= rests_slot_q;
    cooled_at_q <= {1'b0, rests_from_q} + {1'b0, cooldown_q};
    if (cooled_q) not_before_q[cooled_slot_q] <= cooled_at_q[63:0] | {64{cooled_at_q[64]}};
    if (rst) begin
      rests_q <= 1'b0;
      cooled_q <= 1'b0;
      for (int s = 0; s < SLOTS; s++) not_before_q[s] <= '0;
    end
  end

  // ---------------------------------------------------------------- limits

  logic unexpected, rearmed;
  slot_limits #(
      .SLOTS(SLOTS)
  ) u_limits (
      .clk,
      .rst,
      .control     (control_q),
      .config_write_valid,
      .config_write_address,
      .config_write_data,
      .command_valid,
      .command_ready,
      .command_op,
      .command_slot,
      .command_quantity,
      .killed,
      .rearm_valid,
      .rearm_slot,
      .fire_valid,
      .fire_slot,
      .fired,
      .fire_beside (beside_q),
      .wanted_valid(wanted_valid_q),
      .wanted_slot (wanted_slot_q),
      .state       (slot_state),
      .armed,
      .fresh,
      .barred,
      .ready,
      .reason,
      .unexpected,
      .rearmed,
      .exposure_instrument,
      .exposure_position,
      .exposure_open_buy,
      .exposure_open_sell,
      .exposure_open_orders
  );

  // ---------------------------------------------------------------- counters

  // Of the slots resolved in one cycle, so many for each reason.
  logic go_was_q;
  logic [SLOTS-1:0] left_was_q, barred_was_q, ready_was_q;
  logic [SLOTS-1:0] decided, barred_at_q, open_at_q, resolved;
  reason_t [SLOTS-1:0] reason_was_q, reason_q;
  logic [3:0][  SLOTS-1:0] why_q;
  logic [3:0][SLOT_BITS:0] many_q;
  function automatic logic [SLOT_BITS:0] ones(input logic [SLOTS-1:0] bits);
    ones = '0;
    for (int s = 0; s < SLOTS; s++) ones += (SLOT_BITS + 1)'(bits[s]);
  endfunction

  // A cycle behind the decision: which slots it was about. Two cycles: those that are not open, with no
  // slot open before them.
  always_comb begin
    logic passed;
    decided = behind_q ? pushed_q.hits : left_was_q & {SLOTS{go_was_q}};
    passed = 1'b0;
    for (int s = 0; s < SLOTS; s++) begin
      resolved[s] = barred_at_q[s] && !passed;
      passed |= open_at_q[s];
    end
  end

  strategy_counters_t count_q;
  assign strategy_counters = count_q;
  always_ff @(posedge clk) begin
    why_q[0]   <= match_q & ~rested_too_q & armed;
    go_was_q <= go_q;
    left_was_q <= left_q;
    barred_was_q <= armed & barred;
    ready_was_q <= ready;
    reason_was_q <= reason;
    barred_at_q <= decided & barred_was_q;
    open_at_q <= decided & ready_was_q;
    reason_q <= reason_was_q;
    for (int s = 0; s < SLOTS; s++) begin
      for (int why = 1; why < 4; why++) begin
        why_q[why][s] <= resolved[s] && reason_q[s] == reason_t'(why);
      end
    end
    for (int why = 0; why < 4; why++) many_q[why] <= ones(why_q[why]);
    count_q.held_cooldown <= count_q.held_cooldown + 32'(many_q[0]);
    count_q.blocked_order_quantity <= count_q.blocked_order_quantity
        + 32'(many_q[REASON_ORDER_QUANTITY]);
    count_q.blocked_open_orders <= count_q.blocked_open_orders + 32'(many_q[REASON_OPEN_ORDERS]);
    count_q.blocked_position <= count_q.blocked_position + 32'(many_q[REASON_POSITION]);
    if (fire_valid) count_q.fires <= count_q.fires + 1'b1;
    if (unexpected) count_q.unexpected_updates <= count_q.unexpected_updates + 1'b1;
    if (rearmed) count_q.rearmed <= count_q.rearmed + 1'b1;
    if (missed_q) count_q.missed <= count_q.missed + 1'b1;
    if (rst) begin
      barred_at_q <= '0;
      why_q <= '0;
      many_q <= '0;
      count_q <= '0;
    end
  end

endmodule
