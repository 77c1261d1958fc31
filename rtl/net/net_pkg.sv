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

endpackage
