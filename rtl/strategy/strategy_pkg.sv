// Types and register layout of the strategy slots.
package strategy_pkg;

  // Which price a slot looks at.
  typedef enum logic [1:0] {
    SOURCE_TRADE = 2'd0,
    SOURCE_BID   = 2'd1,
    SOURCE_OFFER = 2'd2
  } source_t;

  typedef enum logic [2:0] {
    SLOT_IDLE  = 3'd0,
    SLOT_ARMED = 3'd1,
    SLOT_FIRED = 3'd2,
    SLOT_LIVE  = 3'd3,
    SLOT_DONE  = 3'd4
  } slot_state_t;

  // Why an order may not go.
  typedef enum logic [1:0] {
    REASON_NONE           = 2'd0,
    REASON_ORDER_QUANTITY = 2'd1,
    REASON_OPEN_ORDERS    = 2'd2,
    REASON_POSITION       = 2'd3
  } reason_t;

  // Fields of a slot; an address of the configuration is {slot, field}. A slot is configured while
  // it is idle or done.
  typedef enum logic [2:0] {
    FIELD_CONTROL            = 3'd0,  // slot_control_t
    FIELD_BOUND              = 3'd1,  // signed, in the instrument's price units
    FIELD_QUANTITY           = 3'd2,
    FIELD_MAX_ORDER_QUANTITY = 3'd3,
    FIELD_MAX_OPEN_ORDERS    = 3'd4,  // 32 bits
    FIELD_MAX_POSITION       = 3'd5,
    FIELD_COOLDOWN           = 3'd6   // nanoseconds
  } field_t;

  typedef struct packed {
    logic       enabled;     // 11: unless set the slot never qualifies
    logic       rearm;       // 10: idle, not done, when its order is over
    logic       sell;        // 9: the order's side
    logic       at_most;     // 8: qualifies at or below the bound, otherwise at or above
    logic [1:0] unused;      // 7:6
    source_t    source;      // 5:4
    logic [3:0] instrument;  // 3:0
  } slot_control_t;

  // Commands of the host, about a slot or (the last four) about an instrument.
  typedef enum logic [3:0] {
    COMMAND_ARM             = 4'd0,
    COMMAND_DISARM          = 4'd1,
    COMMAND_RESTART         = 4'd2,
    COMMAND_ACCEPTED        = 4'd3,
    COMMAND_FILLED          = 4'd4,   // by `quantity`
    COMMAND_CANCELED        = 4'd5,
    COMMAND_REJECTED        = 4'd6,
    COMMAND_NOT_SENT        = 4'd7,
    COMMAND_SET_POSITION    = 4'd8,
    COMMAND_SET_OPEN_BUY    = 4'd9,
    COMMAND_SET_OPEN_SELL   = 4'd10,
    COMMAND_SET_OPEN_ORDERS = 4'd11
  } command_op_t;

  // Counts since reset, of all slots together.
  typedef struct packed {
    logic [31:0] fires;
    logic [31:0] blocked_order_quantity;
    logic [31:0] blocked_open_orders;
    logic [31:0] blocked_position;
    logic [31:0] held_cooldown;
    logic [31:0] unexpected_updates;
    logic [31:0] rearmed;
    logic [31:0] missed;                  // events lost because the queue of events was full
  } strategy_counters_t;

endpackage
