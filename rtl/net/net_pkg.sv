// Constants and types of the network blocks.
package net_pkg;

  // XGMII control characters (IEEE 802.3 table 46-3).
  localparam logic [7:0] XGMII_IDLE = 8'h07;
  localparam logic [7:0] XGMII_START = 8'hfb;
  localparam logic [7:0] XGMII_TERMINATE = 8'hfd;
  localparam logic [7:0] XGMII_ERROR = 8'hfe;

  // Start, six octets of preamble, SFD; lane 0 in the low byte.
  localparam logic [63:0] XGMII_START_WORD = {8'hd5, {6{8'h55}}, XGMII_START};
  localparam logic [63:0] XGMII_IDLE_WORD = {8{XGMII_IDLE}};

  // Why a received frame ends with abort. Where several reasons apply, the first of coding, giant,
  // runt, FCS is given.
  typedef enum logic [2:0] {
    RX_OK      = 3'd0,
    RX_BAD_FCS = 3'd1,
    RX_CODING  = 3'd2,  // a control character other than Terminate inside the frame
    RX_RUNT    = 3'd3,  // fewer than 64 bytes with FCS
    RX_GIANT   = 3'd4   // more than the MAC's limit; cut there
  } rx_error_t;

  // One pulse for each frame that a receiving MAC sees, except that `bad_preamble` and a runt too
  // short to have a payload byte have no frame on the stream.
  typedef struct packed {
    logic good;
    logic bad_fcs;
    logic coding;
    logic runt;
    logic giant;
    logic bad_preamble;
  } rx_event_t;

  // One pulse for each frame that a transmitting MAC ends.
  typedef struct packed {
    logic sent;       // with a good FCS
    logic poisoned;   // with a bad FCS, by request
    logic underflow;  // cut with Error, since the source had no word in time
  } tx_event_t;

  // A market-data channel: UDP datagrams to this address and port.
  typedef struct packed {
    logic        enable;
    logic [31:0] address;  // first octet highest
    logic [15:0] port;
  } feed_channel_t;

  // One pulse for each frame that reaches the header parser: what became of it. `feed_a` and `feed_b`
  // went to the feed, `aborted` to nobody, all others to the host port, for the first reason given.
  typedef struct packed {
    logic feed_a;
    logic feed_b;
    logic aborted;      // by the MAC
    logic truncated;    // of a channel, but shorter than its headers say
    logic short_frame;  // ended before all headers
    logic not_ipv4;
    logic options;      // not version 4 with a header of 20 bytes
    logic checksum;     // IPv4 header checksum
    logic fragment;
    logic not_udp;
    logic no_channel;
    logic bad_length;   // of a channel, but IPv4 and UDP lengths disagree or nothing is in it
  } feed_event_t;

  // One pulse for each packet that reaches the A/B arbiter: what became of it.
  typedef struct packed {
    logic passed_a;
    logic passed_b;
    logic aborted;    // passed, but ended with abort
    logic too_short;  // dropped: no sequence number
    logic duplicate;  // dropped
  } arbiter_event_t;

endpackage
