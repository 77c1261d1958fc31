// What the slots of the strategies are doing, what they may do, and what they have open.
//
// Keeps each slot's state and parameters and each instrument's exposure, and works out ahead of time
// whether a slot's order would be within its limits: `fresh` says that `reason` is up to date, 0 that
// the order may go. One task at a time, six cycles each: first what was fired, then what the order
// sender takes back, then the host's commands, then the verdicts of armed slots that are out of
// date, the one that is waited for (`wanted`) before the others. Everything that changes an
// exposure makes the verdicts of its instrument out of date in the same cycle.
//
// Accounting is that of crates/strategy (updates.rs): fills always move the position, positions
// saturate, a rejected order ends its slot, one that was not sent leaves it idle.
module slot_limits
  import strategy_pkg::*;
  import feed_pkg::INSTRUMENT_BITS;
#(
    parameter int unsigned SLOTS = 16,
    localparam int unsigned SLOT_BITS = $clog2(SLOTS)
) (
    input logic clk,
    input logic rst,

    input slot_control_t [    SLOTS-1:0] control,
    input logic                          config_write_valid,
    input logic          [SLOT_BITS+2:0] config_write_address,
    input logic          [         63:0] config_write_data,

    input  logic                        command_valid,
    output logic                        command_ready,
    input  command_op_t                 command_op,
    input  logic        [SLOT_BITS-1:0] command_slot,
    input  logic        [         63:0] command_quantity,
    input  logic        [    SLOTS-1:0] killed,
    input  logic                        rearm_valid,
    input  logic        [SLOT_BITS-1:0] rearm_slot,

    // What was decided in the cycle before.
    input logic                 fire_valid,
    input logic [SLOT_BITS-1:0] fire_slot,
    input logic [    SLOTS-1:0] fired,         // the slot, one bit for each; 0 without a fire
    input logic [    SLOTS-1:0] fire_beside,   // slots of the same instrument
    // The slot whose verdict is waited for.
    input logic                 wanted_valid,
    input logic [SLOT_BITS-1:0] wanted_slot,

    output slot_state_t [SLOTS-1:0] state,
    output logic        [SLOTS-1:0] armed,
    output logic        [SLOTS-1:0] fresh,
    output logic        [SLOTS-1:0] barred,      // fresh, and the reason is not none
    output logic        [SLOTS-1:0] ready,       // armed and not barred
    output reason_t     [SLOTS-1:0] reason,
    output logic                    unexpected,
    output logic                    rearmed,

    input  logic [INSTRUMENT_BITS-1:0] exposure_instrument,
    output logic [               63:0] exposure_position,
    output logic [               63:0] exposure_open_buy,
    output logic [               63:0] exposure_open_sell,
    output logic [               31:0] exposure_open_orders
);

  localparam int unsigned PLACES = 1 << INSTRUMENT_BITS;
  localparam int unsigned INIT_BITS = SLOT_BITS > INSTRUMENT_BITS ? SLOT_BITS : INSTRUMENT_BITS;

  typedef struct packed {
    logic signed [63:0] position;
    logic [63:0]        open_buy;
    logic [63:0]        open_sell;
    logic [31:0]        open_orders;
  } exposure_t;

  typedef enum logic [2:0] {
    PHASE_INIT,
    PHASE_READY,
    PHASE_READ,
    PHASE_LOAD,
    PHASE_SUM,
    PHASE_ADD,
    PHASE_COMMIT
  } phase_t;

  typedef enum logic [1:0] {
    TASK_FIRE,
    TASK_REARM,
    TASK_COMMAND,
    TASK_VERDICT
  } task_t;

  // ---------------------------------------------------------------- memories

  logic [63:0] quantity_words[SLOTS];
  logic [63:0] max_order_words[SLOTS];
  logic [31:0] max_open_words[SLOTS];
  logic [63:0] max_position_words[SLOTS];
  logic [63:0] leaves_words[SLOTS];
  exposure_t exposure_words[PLACES];

  logic [SLOT_BITS-1:0] config_slot;
  field_t config_field;
  assign config_slot = config_write_address[SLOT_BITS+2:3];
  assign config_field = field_t'(config_write_address[2:0]);
  always_ff @(posedge clk) begin
    if (config_write_valid) begin
      if (config_field == FIELD_QUANTITY) quantity_words[config_slot] <= config_write_data;
      if (config_field == FIELD_MAX_ORDER_QUANTITY)
        max_order_words[config_slot] <= config_write_data;
      if (config_field == FIELD_MAX_OPEN_ORDERS)
        max_open_words[config_slot] <= config_write_data[31:0];
      if (config_field == FIELD_MAX_POSITION) max_position_words[config_slot] <= config_write_data;
    end
  end

  // ---------------------------------------------------------------- which task

  phase_t phase_q;
  task_t task_q, task_next;
  logic [SLOT_BITS-1:0] slot_q, slot_next, stale_slot_q;
  logic [INIT_BITS-1:0] init_q;
  logic [SLOTS-1:0] fired_q, rearm_q, fresh_q;  // fired_q: fired, not yet accounted for
  // Of these, one that is chosen ahead of time.
  logic fired_any_q, rearm_any_q;
  logic [SLOT_BITS-1:0] fired_slot_q, rearm_slot_q;
  logic [SLOTS-1:0] armed_q, barred_q, ready_q;
  logic begins, stale_q;  // stale_q: a slot that is armed has no verdict
  command_op_t op_q;
  logic [63:0] amount_in_q;

  function automatic logic [SLOT_BITS-1:0] lowest(input logic [SLOTS-1:0] bits);
    lowest = '0;
    for (int s = SLOTS - 1; s >= 0; s--) if (bits[s]) lowest = SLOT_BITS'(s);
  endfunction

  always_comb begin
    begins = 1'b1;
    command_ready = 1'b0;
    if (fired_any_q) begin
      task_next = TASK_FIRE;
      slot_next = fired_slot_q;
    end else if (rearm_any_q) begin
      task_next = TASK_REARM;
      slot_next = rearm_slot_q;
    end else if (command_valid) begin
      task_next = TASK_COMMAND;
      slot_next = command_slot;
      command_ready = phase_q == PHASE_READY;
    end else begin
      task_next = TASK_VERDICT;
      slot_next = wanted_valid ? wanted_slot : stale_slot_q;
      begins = wanted_valid ? !fresh_q[wanted_slot] : stale_q && !fresh_q[stale_slot_q];
    end
  end

  // ---------------------------------------------------------------- the task at hand

  logic sell_q, rearms_q;
  slot_state_t state_at_q;
  slot_state_t [SLOTS-1:0] state_q;
  logic [63:0] quantity_q, max_order_q, max_position_q, leaves_q;
  logic [31:0] max_open_q;
  logic [INSTRUMENT_BITS-1:0] instrument_q;
  logic about_instrument;
  exposure_t exposure_q;
  // Of the exposure, what the task's side adds to, and the position as seen from that side (less one if
  // it sells: the other is added with what it is added to).
  logic [63:0] mine_q, toward_q;
  logic about_q;  // about_instrument
  logic [63:0] left_over_q;
  logic covered_q, exceeded_q;  // what is filled against what the order leaves
  logic signed [65:0] room_q;  // what the slot's order leaves of the largest position
  assign about_instrument = task_q == TASK_COMMAND && op_q >= COMMAND_SET_POSITION;

  // Phase SUM decides what is done.
  logic is_open, finish, partly, fill, wrong, opens;
  slot_state_t over_state, after;
  logic finish_q, partly_q, fill_q, wrong_q, accept_q;
  slot_state_t after_q;
  logic signed [65:0] sum_q;
  logic quantity_over_q, orders_over_q, position_over_q;
  logic [63:0] amount_q;
  logic opens_q;
  logic signed [65:0] position_q;
  logic [63:0] open_q;
  logic [31:0] orders_q;
  logic void_q;

  always_comb begin
    is_open = state_at_q inside {SLOT_FIRED, SLOT_LIVE};
    over_state = rearms_q ? SLOT_IDLE : SLOT_DONE;
    after = over_state;
    {finish, partly, fill, wrong, opens} = '0;
    unique case (task_q)
      TASK_FIRE: opens = 1'b1;
      TASK_REARM: begin
        finish = state_at_q == SLOT_FIRED;
        after  = SLOT_ARMED;
        wrong  = !finish;
      end
      TASK_COMMAND:
      unique case (op_q)
        COMMAND_ACCEPTED: wrong = !is_open;
        COMMAND_FILLED: begin
          fill   = 1'b1;
          finish = is_open && covered_q;
          partly = is_open && !finish;
          wrong  = !is_open || exceeded_q;
        end
        COMMAND_CANCELED, COMMAND_REJECTED: begin
          finish = is_open;
          wrong  = !is_open;
          if (op_q == COMMAND_REJECTED) after = SLOT_DONE;
        end
        COMMAND_NOT_SENT: begin
          finish = state_at_q == SLOT_FIRED;
          wrong  = !finish;
          after  = SLOT_IDLE;
        end
        default:          ;
      endcase
      default:   ;
    endcase
  end

  logic signed [63:0] position_kept;
  assign position_kept = position_q[65:63] == '0 || position_q[65:63] == '1
      ? position_q[63:0] : {position_q[65], {63{!position_q[65]}}};

  exposure_t exposure_next;
  always_comb begin
    exposure_next = exposure_q;
    if (fill_q) exposure_next.position = position_kept;
    if (finish_q || partly_q || task_q == TASK_FIRE) begin
      if (sell_q) exposure_next.open_sell = open_q;
      else exposure_next.open_buy = open_q;
      exposure_next.open_orders = orders_q;
    end
    if (about_q) begin
      unique case (op_q)
        COMMAND_SET_POSITION:  exposure_next.position = amount_in_q;
        COMMAND_SET_OPEN_BUY:  exposure_next.open_buy = amount_in_q;
        COMMAND_SET_OPEN_SELL: exposure_next.open_sell = amount_in_q;
        default:               exposure_next.open_orders = amount_in_q[31:0];
      endcase
    end
  end

  // What a task writes is in the memories two cycles behind its last, before the next one reads.
  logic commit, account_d, account_q;
  logic exposure_write_q, leaves_write_q;
  logic [INSTRUMENT_BITS-1:0] exposure_at_q;
  logic [SLOT_BITS-1:0] leaves_at_q;
  exposure_t exposure_write_word_q;
  logic [63:0] leaves_word_q;
  assign commit = phase_q == PHASE_COMMIT;
  assign account_d = phase_q == PHASE_ADD && task_q != TASK_VERDICT
      && (finish_q || partly_q || fill_q || about_instrument || task_q == TASK_FIRE);

  always_ff @(posedge clk) begin
    account_q <= account_d && !rst;
    exposure_write_q <= account_q || phase_q == PHASE_INIT;
    exposure_at_q <= phase_q == PHASE_INIT ? INSTRUMENT_BITS'(init_q) : instrument_q;
    exposure_write_word_q <= phase_q == PHASE_INIT ? '0 : exposure_next;
    leaves_write_q <= (account_q && !about_q && (finish_q || partly_q || task_q == TASK_FIRE))
        || phase_q == PHASE_INIT;
    leaves_at_q <= phase_q == PHASE_INIT ? SLOT_BITS'(init_q) : slot_q;
    leaves_word_q <= left_over_q;
    if (task_q == TASK_FIRE) leaves_word_q <= quantity_q;
    if (phase_q == PHASE_INIT || finish_q) leaves_word_q <= '0;
    left_over_q <= leaves_q - amount_in_q;
    about_q <= about_instrument;
    if (exposure_write_q) exposure_words[exposure_at_q] <= exposure_write_word_q;
    if (leaves_write_q) leaves_words[leaves_at_q] <= leaves_word_q;
  end

  // One chain for sum and difference.
  function automatic logic signed [65:0] add_signed(input logic [65:0] a, input logic [65:0] b,
                                                    input logic carry);
    logic [65:0] sum;
    logic unused;
    {sum, unused} = {a, 1'b1} + {b, carry};
    return sum;
  endfunction

  exposure_t exposure_now;
  assign exposure_now = exposure_words[instrument_q];

  always_ff @(posedge clk) begin
    unique case (phase_q)
      PHASE_INIT: begin
        init_q <= init_q + 1'b1;
        if (&init_q) phase_q <= PHASE_READY;
      end
      PHASE_READY: begin
        task_q <= task_next;
        slot_q <= slot_next;
        op_q <= command_op;
        amount_in_q <= command_quantity;
        if (begins) phase_q <= PHASE_READ;
      end
      PHASE_READ: begin
        phase_q <= PHASE_LOAD;
        sell_q <= control[slot_q].sell;
        rearms_q <= control[slot_q].rearm;
        quantity_q <= quantity_words[slot_q];
        max_order_q <= max_order_words[slot_q];
        max_open_q <= max_open_words[slot_q];
        max_position_q <= max_position_words[slot_q];
        leaves_q <= leaves_words[slot_q];
        instrument_q <= about_instrument ? INSTRUMENT_BITS'(slot_q) : control[slot_q].instrument;
      end
      PHASE_LOAD: begin
        phase_q <= PHASE_SUM;
        exposure_q <= exposure_now;
        mine_q <= sell_q ? exposure_now.open_sell : exposure_now.open_buy;
        toward_q <= exposure_now.position ^ {64{sell_q}};
        covered_q <= amount_in_q >= leaves_q;
        exceeded_q <= leaves_q < amount_in_q;
        quantity_over_q <= max_order_q < quantity_q;
        room_q <= $signed({2'b0, max_position_q}) - $signed({2'b0, quantity_q});
        state_at_q <= state_q[slot_q];
      end
      PHASE_SUM: begin
        phase_q <= PHASE_ADD;
        sum_q <= add_signed({2'b0, mine_q}, 66'($signed(toward_q)), sell_q);
        orders_over_q <= exposure_q.open_orders >= max_open_q;
        finish_q <= finish;
        partly_q <= partly;
        fill_q <= fill;
        wrong_q <= wrong;
        accept_q <= task_q == TASK_COMMAND && op_q == COMMAND_ACCEPTED && is_open;
        after_q <= after;
        opens_q <= opens;
        amount_q <= opens ? quantity_q : ~(finish ? leaves_q : amount_in_q);
      end
      PHASE_ADD: begin
        phase_q <= PHASE_COMMIT;
        position_over_q <= room_q < sum_q;
        position_q <= add_signed(
            66'(exposure_q.position), {2'b0, amount_in_q} ^ {66{sell_q}}, sell_q
        );
        open_q <= 64'(add_signed({2'b0, mine_q}, {2'b0, amount_q}, !opens_q));
        orders_q <= exposure_q.open_orders + {{31{finish_q}}, finish_q || opens_q};
      end
      PHASE_COMMIT: phase_q <= PHASE_READY;
      default:      phase_q <= PHASE_INIT;
    endcase
    if (rst) begin
      phase_q <= PHASE_INIT;
      init_q <= '0;
    end
  end

  // ---------------------------------------------------------------- states and verdicts

  reason_t [SLOTS-1:0] reason_q;
  assign state = state_q;
  assign armed = armed_q;  // state_q is SLOT_ARMED
  assign fresh = fresh_q;
  assign barred = barred_q;
  assign ready = ready_q;
  assign reason = reason_q;

  // What a task does at its end, to each slot by itself: everything is known a cycle before, but for the
  // slot's state, which kill switch and fires change. Without choices, which mapping would make clock
  // enables and resets of, each far from its register.
  logic verdict_q, arm_q, disarm_q, restart_q;
  logic arms_at_q, lives_at_q, ends_at_q, idles_at_q;  // whatever its state, the slot is then that
  logic [SLOTS-1:0] at_q;  // the slot whose task ends
  logic [SLOTS-1:0] beside_q;  // slots of the task's instrument
  slot_state_t [SLOTS-1:0] state_d;
  logic [SLOTS-1:0] armed_d, fresh_d, barred_d, judged;
  reason_t verdict;

  always_ff @(posedge clk) begin
    verdict_q <= task_q == TASK_VERDICT;
    arm_q <= task_q == TASK_COMMAND && op_q == COMMAND_ARM;
    disarm_q <= task_q == TASK_COMMAND && op_q == COMMAND_DISARM;
    restart_q <= task_q == TASK_COMMAND && op_q == COMMAND_RESTART;
    arms_at_q <= finish_q && after_q == SLOT_ARMED;
    lives_at_q <= partly_q || accept_q;
    ends_at_q <= finish_q && after_q == SLOT_DONE;
    idles_at_q <= finish_q && after_q == SLOT_IDLE;
    for (int s = 0; s < SLOTS; s++) begin
      at_q[s] <= phase_q == PHASE_ADD && slot_q == SLOT_BITS'(s) && !rst;
      beside_q[s] <= control[s].instrument == instrument_q;
    end
  end

  always_comb begin
    if (quantity_over_q) verdict = REASON_ORDER_QUANTITY;
    else if (orders_over_q) verdict = REASON_OPEN_ORDERS;
    else if (position_over_q) verdict = REASON_POSITION;
    else verdict = REASON_NONE;
    for (int s = 0; s < SLOTS; s++) begin
      logic ends, spoilt, arms, lives, done, idles;
      ends = at_q[s];
      arms = ends && !killed[s] && (arms_at_q || (arm_q && state_q[s] == SLOT_IDLE));
      lives = ends && lives_at_q;
      done = ends && ends_at_q;
      idles = (ends && (idles_at_q || (arms_at_q && killed[s])
          || (restart_q && state_q[s] == SLOT_DONE)))
          || (armed_q[s] && (killed[s] || (ends && disarm_q)));
      state_d[s] = slot_state_t'(
          ({3{fired[s]}} & SLOT_FIRED)
          | ({3{!fired[s] && arms}} & SLOT_ARMED)
          | ({3{!fired[s] && lives}} & SLOT_LIVE)
          | ({3{!fired[s] && done}} & SLOT_DONE)
          | ({3{!fired[s] && !arms && !lives && !done && !idles}} & state_q[s]));
      armed_d[s] = !fired[s] && (arms || (armed_q[s] && !lives && !done && !idles));

      judged[s] = ends && verdict_q && !void_q;
      spoilt = (account_q && beside_q[s])
          || (fire_valid && fire_beside[s])
          || (config_write_valid && config_slot == SLOT_BITS'(s));
      fresh_d[s] = (fresh_q[s] || judged[s]) && !spoilt;
      barred_d[s] = (judged[s] ? verdict != REASON_NONE : barred_q[s]) && !spoilt;
    end
  end

  always_ff @(posedge clk) begin
    unexpected <= commit && wrong_q && task_q inside {TASK_COMMAND, TASK_REARM};
    rearmed <= commit && finish_q && task_q == TASK_REARM;
    if (phase_q == PHASE_READY) void_q <= 1'b0;
    // What comes is chosen at once where nothing is; the others in the cycles of the task before them.
    if (!fired_any_q) begin
      fired_any_q  <= fire_valid || fired_q != '0;
      fired_slot_q <= fire_valid ? fire_slot : lowest(fired_q);
    end
    if (!rearm_any_q) begin
      rearm_any_q  <= rearm_valid || rearm_q != '0;
      rearm_slot_q <= rearm_valid ? rearm_slot : lowest(rearm_q);
    end
    if (phase_q == PHASE_READY && fired_any_q) begin
      fired_any_q <= 1'b0;
      fired_q[fired_slot_q] <= 1'b0;
    end
    if (phase_q == PHASE_READY && !fired_any_q && rearm_any_q) begin
      rearm_any_q <= 1'b0;
      rearm_q[rearm_slot_q] <= 1'b0;
    end
    if (rearm_valid) rearm_q[rearm_slot] <= 1'b1;
    if (fire_valid) fired_q[fire_slot] <= 1'b1;
    state_q <= state_d;
    armed_q <= armed_d;
    fresh_q <= fresh_d;
    barred_q <= barred_d;
    ready_q <= armed_d & ~barred_d;
    for (int s = 0; s < SLOTS; s++) if (judged[s]) reason_q[s] <= verdict;
    if (fire_valid || config_write_valid) void_q <= 1'b1;
    if (rst) begin
      fresh_q <= '0;
      barred_q <= '0;
      armed_q <= '0;
      ready_q <= '0;
      fired_q <= '0;
      fired_any_q <= 1'b0;
      rearm_q <= '0;
      rearm_any_q <= 1'b0;
      void_q <= 1'b0;
      unexpected <= 1'b0;
      rearmed <= 1'b0;
      for (int s = 0; s < SLOTS; s++) state_q[s] <= SLOT_IDLE;
    end
  end

  always_ff @(posedge clk) begin
    stale_q <= (armed & ~fresh_q) != '0;
    stale_slot_q <= lowest(armed & ~fresh_q);
  end

  // ---------------------------------------------------------------- for the host

  always_ff @(posedge clk) begin
    {exposure_position, exposure_open_buy, exposure_open_sell, exposure_open_orders} <=
        exposure_words[exposure_instrument];
  end

endmodule
