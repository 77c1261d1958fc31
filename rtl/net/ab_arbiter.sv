// A/B arbitration: of each packet of a feed that comes twice, the first good copy goes on.
//
// A packet's first four bytes are its sequence number, little-endian. A packet goes on if its number
// is the one awaited or a later one, in serial-number arithmetic (half the number space is "later");
// what was left out in between is reported as a gap. A copy of what went on already is dropped, and so
// is a packet of fewer than four bytes. The number counts as seen when the packet has ended well: after
// an abort, the other channel's copy of the same packet goes on.
//
// Packets come on one stream, channel by channel, so they never overlap. `sync` forgets the awaited
// number; the next packet sets it.
//
// Latency: one cycle. Beats are passed on as they are, the sequence number included.
module ab_arbiter
  import net_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic sync,

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

  logic inside_q;  // between a packet's first beat and its last
  logic pass_q, pass, first, take;
  logic synced_q;
  logic [31:0] expected_q;  // the awaited number
  logic [31:0] next_q;  // the number after that of the packet now passing
  logic [31:0] number, ahead;
  logic short_packet, gap_now;

  always_comb begin
    first = s_axis_tvalid && !inside_q;
    number = s_axis_tdata[31:0];
    ahead = number - expected_q;
    short_packet = !s_axis_tkeep[3];
    take = !short_packet && (!synced_q || !ahead[31]);
    // Beside the subtraction, not behind it.
    gap_now = first && take && synced_q && number != expected_q;
    pass = inside_q ? pass_q : take;
  end

  always_ff @(posedge clk) begin
    if (s_axis_tvalid) begin
      inside_q <= !s_axis_tlast;
      pass_q   <= pass;
      if (s_axis_tlast && pass && !s_axis_tuser) begin
        expected_q <= inside_q ? next_q : number + 32'd1;
        synced_q   <= 1'b1;
      end
    end
    if (first) next_q <= number + 32'd1;
    if (sync) synced_q <= 1'b0;
    if (rst) begin
      inside_q <= 1'b0;
      synced_q <= 1'b0;
    end
  end

  logic first_short_q;  // this packet's first beat had no sequence number

  always_ff @(posedge clk) begin
    m_axis_tdata <= s_axis_tdata;
    m_axis_tkeep <= s_axis_tkeep;
    m_axis_tvalid <= s_axis_tvalid && pass;
    m_axis_tlast <= s_axis_tlast;
    m_axis_tuser <= s_axis_tuser;
    m_axis_tdest <= s_axis_tdest;
    m_axis_tstamp <= s_axis_tstamp;

    gap <= gap_now;
    gap_first <= expected_q;
    gap_count <= ahead;

    if (first) first_short_q <= short_packet;
    arbiter_event <= '0;
    if (s_axis_tvalid && s_axis_tlast) begin
      arbiter_event <= '{
          passed_a: pass && !s_axis_tuser && !s_axis_tdest,
          passed_b: pass && !s_axis_tuser && s_axis_tdest,
          aborted: pass && s_axis_tuser,
          too_short: !pass && (inside_q ? first_short_q : short_packet),
          duplicate: !pass && !(inside_q ? first_short_q : short_packet)
      };
    end
    if (rst) begin
      m_axis_tvalid <= 1'b0;
      gap <= 1'b0;
      arbiter_event <= '0;
    end
  end

endmodule
