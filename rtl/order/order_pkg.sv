// Types and constants of the order sender.
package order_pkg;

  localparam int unsigned SLOTS = 16;
  localparam int unsigned SLOT_BITS = 4;
  localparam int unsigned TID_BITS = 4;

  // A decision of the strategy: send the order that waits in `slot`.
  typedef struct packed {
    logic [SLOT_BITS-1:0] slot;
    logic [TID_BITS-1:0]  tid;      // the feed packet that caused it
    logic                 trusted;  // caused by no packet: needs no verdict
    logic [63:0]          tstamp;   // nanoseconds: first byte of the frame that caused it
    logic [63:0]          price;    // what triggered, at the instrument's exponent; signed
  } order_fire_t;

  // Why a fire sent nothing. Where several reasons apply, the lowest from DISABLED to MSG_SEQ is given.
  typedef enum logic [2:0] {
    ACCEPTED   = 3'd0,
    DISABLED   = 3'd1,  // the kill switch
    NOT_ARMED  = 3'd2,
    NOT_LEASED = 3'd3,  // TCP's right to send is not here
    LIMIT      = 3'd4,  // peer or retransmission memory do not take the payload
    MSG_SEQ    = 3'd5,  // MsgSeqNum has run out of digits
    BAD_PACKET = 3'd6,  // the packet that caused it turned out bad
    QUEUE_FULL = 3'd7   // more fires than the queue holds
  } refusal_t;

  // A frame has left, or was cut off with a poisoned end.
  typedef struct packed {
    logic [SLOT_BITS-1:0] slot;
    logic                 udp;         // FAST over UDP; else FIX over TCP
    logic                 poisoned;    // ended with a bad FCS: it does not count
    logic [31:0]          msg_seq;     // MsgSeqNum; of a UDP answer the packet's sequence number
    logic [31:0]          seq_start;   // TCP sequence numbers of the payload: [start, end)
    logic [31:0]          seq_end;
    logic [63:0]          tstamp_in;   // the trigger frame's first byte
    logic [63:0]          tstamp_out;  // the order's first byte on XGMII
  } order_sent_t;

  typedef struct packed {
    logic [SLOT_BITS-1:0] slot;
    refusal_t             reason;
  } order_refused_t;

  // One-cycle pulses. Every fire ends in exactly one of `fired` and the refusals.
  typedef struct packed {
    logic fired;  // a frame left whole
    logic poisoned;  // a frame left with a bad FCS
    logic retried;  // a poisoned frame's packet turned out good: it is sent again
    logic refused_disabled;
    logic refused_not_armed;
    logic refused_not_leased;
    logic refused_limit;
    logic refused_msg_seq;
    logic refused_bad_packet;
    logic refused_queue_full;
    logic armed;  // the host armed a slot
    logic disarmed;  // the host disarmed an armed slot
    logic write_refused;  // the host wrote to a slot that is armed or under way, or armed nonsense
    logic register_refused;  // a write of a number while leased or a frame is under way
  } order_event_t;

  // Table addresses, in 32-bit words. A slot's frame has 128 words, its description 16.
  localparam logic [11:0] FRAME_BASE = 12'h000;
  localparam logic [11:0] SLOT_BASE = 12'h800;
  localparam logic [11:0] HEADER_BASE = 12'h900;  // Ethernet, IPv4 and UDP of the FAST answer

  // Words of a slot's description.
  localparam logic [3:0] SLOT_SHAPE = 4'd0;  // [9:0] length, [16] tagged, [17] answers FAST/UDP
  localparam logic [3:0] SLOT_LAYOUT = 4'd1;  // [8:0] MsgSeqNum's offset, [24:16] CheckSum's
  localparam logic [3:0] SLOT_SUMS = 4'd2;  // [15:0] TCP sum, [23:16] FIX sum
  localparam logic [3:0] SLOT_CL_ORD_ID = 4'd4;
  localparam logic [3:0] SLOT_SECURITY_ID = 4'd5;
  localparam logic [3:0] SLOT_QUANTITY = 4'd6;
  localparam logic [3:0] SLOT_TERMS = 4'd7;  // [0] sell, [1] the fire's price, [14:8] exponent
  localparam logic [3:0] SLOT_PRICE_LOW = 4'd8;
  localparam logic [3:0] SLOT_PRICE_HIGH = 4'd9;
  localparam logic [3:0] SLOT_ARM = 4'd15;  // [0] armed

  // Words of the UDP answer's header: 0 to 11 its bytes, then:
  localparam logic [3:0] HEADER_SHAPE = 4'd12;  // [0] tagged
  localparam logic [3:0] HEADER_SUMS = 4'd13;  // [15:0] IPv4 sum, [31:16] UDP sum

  // The latency trailer: nanoseconds, this, slot; 32, 16 and 16 bits, big-endian.
  localparam logic [15:0] TRAILER_MAGIC = 16'h534b;

endpackage
