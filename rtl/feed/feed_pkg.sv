// What the market data says, as logic passes it on: entries of watched instruments.
package feed_pkg;

  // Bits of the index of a watched instrument; modules take how many there are as a parameter.
  localparam int unsigned INSTRUMENT_BITS = 4;
  localparam int unsigned TID_BITS = 4;

  // What a field means. The host gives every tag of the program one of these.
  typedef enum logic [4:0] {
    ROLE_NONE        = 5'd0,
    ROLE_SECURITY_ID = 5'd1,  // 48, a number
    ROLE_SYMBOL      = 5'd2,  // 55, or 48 where it is a text
    ROLE_SESSION     = 5'd3,  // 336
    ROLE_RPT_SEQ     = 5'd4,  // 83
    ROLE_ACTION      = 5'd5,  // 279
    ROLE_ENTRY_TYPE  = 5'd6,  // 269
    ROLE_ENTRY_ID    = 5'd7,  // 278
    ROLE_PRICE       = 5'd8,  // 270
    ROLE_QUANTITY    = 5'd9,  // 271
    ROLE_ENTRIES     = 5'd10  // 268, the length of the sequence of entries
  } role_t;

  typedef enum logic [3:0] {
    // Of the feed, or replayed by the host.
    ENTRY_NEW    = 4'd0,
    ENTRY_CHANGE = 4'd1,
    ENTRY_DELETE = 4'd2,
    ENTRY_TRADE  = 4'd3,
    ENTRY_OTHER  = 4'd4,   // only counts in RptSeq
    // Of the feed.
    ENTRY_BROKEN = 4'd5,   // unreadable: its instrument is stale
    ENTRY_LOST   = 4'd6,   // unreadable, and nobody knows whose: all are stale
    ENTRY_END    = 4'd7,   // no entry: only the end of a message
    // Of the host.
    ENTRY_CLEAR  = 4'd8,   // empties the book; the instrument is stale
    ENTRY_LIVE   = 4'd9,   // the book holds everything up to RptSeq `rpt_seq`
    ENTRY_SHOW   = 4'd10,  // shows the top of a live instrument
    ENTRY_STALE  = 4'd11   // the instrument is stale
  } entry_op_t;

  typedef struct packed {
    entry_op_t op;
    logic [INSTRUMENT_BITS-1:0] instrument;
    logic side;  // book_pkg::BUY (bid) or SELL (offer)
    logic [63:0] id;  // of a text of digits: packed decimal, 4 bits a digit
    logic signed [63:0] price;  // at the instrument's exponent
    logic [63:0] quantity;
    logic [31:0] rpt_seq;  // 0: the feed has none
    logic last;  // the message ends with it
    logic bad;  // with `last`: the message ended with an error
    logic from_host;
    logic [TID_BITS-1:0] tid;
    logic [63:0] tstamp;
  } entry_t;

  // One-cycle pulses of the entry builder.
  typedef struct packed {
    logic message;         // an incremental message ended
    logic entry;           // an entry of a watched instrument
    logic unwatched;       // an entry of another instrument, dropped
    logic no_instrument;   // an entry that names none, dropped
    logic bad_action;      // MDUpdateAction is not 0, 1 or 2
    logic bad_entry_id;    // not a number of at most 16 digits
    logic bad_counter;     // RptSeq or SecurityID is no number in range
    logic bad_quantity;    // absent, negative, fractional or out of reach
    logic no_price;        // absent where it is needed
    logic price_overflow;
    logic price_inexact;   // digits below the instrument's exponent
    logic too_deep;        // more sequences inside each other than are followed
    logic message_failed;  // a message ended with an error
  } builder_event_t;

  // What became of an entry in the market.
  typedef enum logic [3:0] {
    ANSWER_DONE         = 4'd0,
    ANSWER_ZERO         = 4'd1,   // 1 to 5 as the book's outcomes: refused, the instrument is stale
    ANSWER_DUPLICATE    = 4'd2,
    ANSWER_UNKNOWN      = 4'd3,
    ANSWER_FULL         = 4'd4,
    ANSWER_OUT_OF_RANGE = 4'd5,
    ANSWER_OLD          = 4'd8,   // RptSeq seen before
    ANSWER_GAP          = 4'd9,   // RptSeq jumped: now stale
    ANSWER_STALE        = 4'd10,  // not applied: the instrument is stale
    ANSWER_BROKEN       = 4'd11,  // could not be read: now stale
    ANSWER_POISONED     = 4'd12,  // of a bad packet, or of a message with an error: now stale
    ANSWER_BEHIND       = 4'd13   // LIVE refused: the feed is ahead, or the book is not sound
  } answer_t;

  // The market's answer to every entry, for the host and for tests in lockstep.
  typedef struct packed {
    logic                       valid;
    entry_op_t                  op;
    logic [INSTRUMENT_BITS-1:0] instrument;
    answer_t                    answer;
    logic                       from_host;
    logic                       last;
    logic                       live;          // the instrument, now
    logic [31:0]                rpt_seq;       // the entry's
    logic                       bid_valid;
    logic signed [63:0]         bid_price;
    logic [63:0]                bid_quantity;
    logic [15:0]                bid_orders;
    logic                       ask_valid;
    logic signed [63:0]         ask_price;
    logic [63:0]                ask_quantity;
    logic [15:0]                ask_orders;
    logic [TID_BITS-1:0]        tid;
    logic [63:0]                tstamp;
  } top_t;

  // What the strategies see: a trade, or the top of a book when a message has ended.
  typedef struct packed {
    logic                       valid;
    logic                       trade;       // else top
    logic [INSTRUMENT_BITS-1:0] instrument;
    logic                       bid_valid;
    logic signed [63:0]         bid_price;   // of a trade: its price
    logic                       ask_valid;
    logic signed [63:0]         ask_price;
    logic                       some;        // of a trade: its quantity is not 0
    logic [TID_BITS-1:0]        tid;
    logic [63:0]                tstamp;
  } show_t;

  // One-cycle pulses of the market.
  typedef struct packed {
    logic applied;     // an entry in its turn
    logic old;         // an entry the book had
    logic withheld;    // an entry of a stale instrument
    logic jump;        // a hole in RptSeq
    logic broken;      // an unreadable entry
    logic poisoned;    // an entry of a bad packet or message
    logic refused;     // an entry the book refused
    logic bad_packet;  // a bad verdict for a packet that had touched a book
    logic overflow;    // an entry was lost for want of room: all are stale
    logic show_trade;
    logic show_top;
    logic show_held;   // a top not shown because the instrument is stale
    logic live;        // the host made an instrument live
    logic behind;      // the host could not
  } market_event_t;

endpackage
