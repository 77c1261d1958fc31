// A/B arbitration: of each packet of a feed that comes twice, the first good copy goes on.
//
// A packet's first four bytes are its sequence number, little-endian. A packet goes on if its number
// is the one awaited or a later one, in serial-number arithmetic (half the number space is "later");
// what was left out in between is reported as a gap. A copy of what went on already is dropped, and so
// is a packet of fewer than four bytes. The number counts as seen when the packet has ended well: after
// an abort, the other channel's copy of the same packet goes on.
//
// Packets come on one stream, channel by channel, so they never overlap, and a cycle at least is between
// two of them. `sync` forgets the awaited number; the next packet sets it.
//
// Latency: none. A packet's number comes by itself a cycle before its first beat (`s_number`), so that what
// becomes of it is known by then. Beats are passed on as they are, the sequence number included.
module ab_arbiter
  import net_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic sync,

    // If a packet's first beat comes in the next cycle: the first four bytes of that.
    input logic [31:0] s_number,

    input logic [63:0] s_axis_tdata,
    input logic [ 7:0] s_axis_tkeep,
    input logic        s_axis_tvalid,
    input logic        s_axis_tlast,
    input logic        s_axis_tuser,
    input logic        s_axis_tdest,
    input logic [63:0] s_axis_tstamp,

    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,
    output logic        m_axis_tdest,
    output logic [63:0] m_axis_tstamp,

    // With the first beat of a packet that goes on over a gap: the numbers from `gap_first` on, this
    // many. The gap is real only once that packet has ended well: it may come again.
    output logic        gap,
    output logic [31:0] gap_first,
    output logic [31:0] gap_count,

    output arbiter_event_t arbiter_event
);

  logic open_q, open;  // between a packet's first beat and its last; behind this cycle
  logic may_q, pass, first, whole;
  logic synced_q;
  logic [31:0] expected_q;  // the awaited number
  logic [31:0] next_q;  // the number after that of the packet now passing
  logic [31:0] ahead, ahead_q;
  logic other_q;  // the number is not the awaited one

  always_comb begin
    first = s_axis_tvalid && !open_q;
    open = s_axis_tvalid ? !s_axis_tlast : open_q;
    ahead = s_number - expected_q;
    whole = open_q || s_axis_tkeep[3];  // there is a number
    pass = may_q && whole;
  end

  always_ff @(posedge clk) begin
    open_q <= open;
    if (open) begin
      if (s_axis_tvalid) may_q <= pass;
    end else begin
      may_q <= !synced_q || sync || !ahead[31];
      // Beside the subtraction, not behind it.
      other_q <= synced_q && !sync && s_number != expected_q;
      ahead_q <= ahead;
      next_q <= s_number + 32'd1;
    end
    if (s_axis_tvalid && s_axis_tlast && pass && !s_axis_tuser) begin
      expected_q <= next_q;
      synced_q   <= 1'b1;
    end
    if (sync) synced_q <= 1'b0;
    if (rst) begin
      open_q <= 1'b0;
      synced_q <= 1'b0;
    end
  end

  assign m_axis_tdata = s_axis_tdata;
  assign m_axis_tkeep = s_axis_tkeep;
  assign m_axis_tvalid = s_axis_tvalid && pass;
  assign m_axis_tlast = s_axis_tlast;
  assign m_axis_tuser = s_axis_tuser;
  assign m_axis_tdest = s_axis_tdest;
  assign m_axis_tstamp = s_axis_tstamp;

  assign gap = first && pass && other_q;
  assign gap_first = expected_q;
  assign gap_count = ahead_q;

  logic short_q, too_short;  // this packet's first beat had no number
  assign too_short = open_q ? short_q : !s_axis_tkeep[3];

  always_ff @(posedge clk) begin
    if (first) short_q <= too_short;
    arbiter_event <= '0;
    if (s_axis_tvalid && s_axis_tlast) begin
      arbiter_event <= '{
          passed_a: pass && !s_axis_tuser && !s_axis_tdest,
          passed_b: pass && !s_axis_tuser && s_axis_tdest,
          aborted: pass && s_axis_tuser,
          too_short: !pass && too_short,
          duplicate: !pass && !too_short
      };
    end
    if (rst) arbiter_event <= '0;
  end

endmodule
