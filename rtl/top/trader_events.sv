// Which event is counted where: the blocks' pulses in the order of the counters (trader.rdl).
module trader_events
  import trader_counters_pkg::*;
(
    input net_pkg::rx_event_t             rx_event,
    input net_pkg::feed_event_t           feed_event,
    input net_pkg::arbiter_event_t        arbiter_event,
    input net_pkg::tx_event_t             tx_event,
    input logic                           gap,
    input logic                           host_overflow,
    input logic                           packet_dropped,
    input logic                           packet_cut,
    input logic                           packet_good,
    input logic                           packet_bad,
    input logic                           packet_swallowed,
    input logic                           event_swallowed,
    input logic                           event_complete,
    input logic                           event_error,
    input logic                           event_poisoned,
    input logic                           event_aborted,
    input logic                     [7:0] event_trap,
    input feed_pkg::builder_event_t       builder_event,
    input feed_pkg::market_event_t        market_event,
    input logic                           inject_refused,
    input logic                           command_refused,
    input order_pkg::order_event_t        order_event,

    output logic [COUNTERS-1:0] pulses
);

  always_comb begin
    pulses = '0;
    pulses[RX_GOOD] = rx_event.good;
    pulses[RX_BAD_FCS] = rx_event.bad_fcs;
    pulses[RX_CODING] = rx_event.coding;
    pulses[RX_RUNT] = rx_event.runt;
    pulses[RX_GIANT] = rx_event.giant;
    pulses[RX_BAD_PREAMBLE] = rx_event.bad_preamble;
    pulses[FEED_A] = feed_event.feed_a;
    pulses[FEED_B] = feed_event.feed_b;
    pulses[FEED_ABORTED] = feed_event.aborted;
    pulses[FEED_TRUNCATED] = feed_event.truncated;
    pulses[FEED_SHORT_FRAME] = feed_event.short_frame;
    pulses[FEED_NOT_IPV4] = feed_event.not_ipv4;
    pulses[FEED_OPTIONS] = feed_event.options;
    pulses[FEED_CHECKSUM] = feed_event.checksum;
    pulses[FEED_FRAGMENT] = feed_event.fragment;
    pulses[FEED_NOT_UDP] = feed_event.not_udp;
    pulses[FEED_NO_CHANNEL] = feed_event.no_channel;
    pulses[FEED_BAD_LENGTH] = feed_event.bad_length;
    pulses[AB_PASSED_A] = arbiter_event.passed_a;
    pulses[AB_PASSED_B] = arbiter_event.passed_b;
    pulses[AB_ABORTED] = arbiter_event.aborted;
    pulses[AB_TOO_SHORT] = arbiter_event.too_short;
    pulses[AB_DUPLICATE] = arbiter_event.duplicate;
    pulses[AB_GAP] = gap;
    pulses[HOST_OVERFLOW] = host_overflow;
    pulses[PACKET_DROPPED] = packet_dropped;
    pulses[PACKET_CUT] = packet_cut;
    pulses[VERDICT_GOOD] = packet_good;
    pulses[VERDICT_BAD] = packet_bad;
    pulses[TX_SENT] = tx_event.sent;
    pulses[TX_POISONED] = tx_event.poisoned;
    pulses[TX_UNDERFLOW] = tx_event.underflow;
    pulses[ENGINE_SWALLOWED] = packet_swallowed || event_swallowed;
    pulses[ENGINE_MESSAGE] = event_complete;
    pulses[ENGINE_FAILED] = event_error;
    pulses[ENGINE_POISONED] = event_poisoned;
    pulses[ENGINE_ABORTED] = event_aborted;
    pulses[ENGINE_TRAP_OPERATOR+:8] = event_trap;
    pulses[BUILDER_MESSAGE] = builder_event.message;
    pulses[BUILDER_ENTRY] = builder_event.entry;
    pulses[BUILDER_UNWATCHED] = builder_event.unwatched;
    pulses[BUILDER_NO_INSTRUMENT] = builder_event.no_instrument;
    pulses[BUILDER_BAD_ACTION] = builder_event.bad_action;
    pulses[BUILDER_BAD_ENTRY_ID] = builder_event.bad_entry_id;
    pulses[BUILDER_BAD_COUNTER] = builder_event.bad_counter;
    pulses[BUILDER_BAD_QUANTITY] = builder_event.bad_quantity;
    pulses[BUILDER_NO_PRICE] = builder_event.no_price;
    pulses[BUILDER_PRICE_OVERFLOW] = builder_event.price_overflow;
    pulses[BUILDER_PRICE_INEXACT] = builder_event.price_inexact;
    pulses[BUILDER_TOO_DEEP] = builder_event.too_deep;
    pulses[BUILDER_MESSAGE_FAILED] = builder_event.message_failed;
    pulses[MARKET_APPLIED] = market_event.applied;
    pulses[MARKET_OLD] = market_event.old;
    pulses[MARKET_WITHHELD] = market_event.withheld;
    pulses[MARKET_JUMP] = market_event.jump;
    pulses[MARKET_BROKEN] = market_event.broken;
    pulses[MARKET_POISONED] = market_event.poisoned;
    pulses[MARKET_REFUSED] = market_event.refused;
    pulses[MARKET_BAD_PACKET] = market_event.bad_packet;
    pulses[MARKET_OVERFLOW] = market_event.overflow;
    pulses[MARKET_SHOW_TRADE] = market_event.show_trade;
    pulses[MARKET_SHOW_TOP] = market_event.show_top;
    pulses[MARKET_SHOW_HELD] = market_event.show_held;
    pulses[MARKET_LIVE] = market_event.live;
    pulses[MARKET_BEHIND] = market_event.behind;
    pulses[INJECT_REFUSED] = inject_refused;
    pulses[COMMAND_REFUSED] = command_refused;
    pulses[ORDER_FIRED] = order_event.fired;
    pulses[ORDER_POISONED] = order_event.poisoned;
    pulses[ORDER_RETRIED] = order_event.retried;
    pulses[ORDER_REFUSED_DISABLED] = order_event.refused_disabled;
    pulses[ORDER_REFUSED_NOT_ARMED] = order_event.refused_not_armed;
    pulses[ORDER_REFUSED_NOT_LEASED] = order_event.refused_not_leased;
    pulses[ORDER_REFUSED_LIMIT] = order_event.refused_limit;
    pulses[ORDER_REFUSED_MSG_SEQ] = order_event.refused_msg_seq;
    pulses[ORDER_REFUSED_BAD_PACKET] = order_event.refused_bad_packet;
    pulses[ORDER_REFUSED_QUEUE_FULL] = order_event.refused_queue_full;
    pulses[ORDER_ARMED] = order_event.armed;
    pulses[ORDER_DISARMED] = order_event.disarmed;
    pulses[ORDER_WRITE_REFUSED] = order_event.write_refused;
    pulses[ORDER_REGISTER_REFUSED] = order_event.register_refused;
  end

endmodule
