// proof: depth 6
// cover: depth 14
// A/B arbitration: packets stay whole, and between two calls of `sync` no number passes twice unless
// its first copy was aborted.
module ab_arbiter_properties
  import net_pkg::*;
(
    input logic clk,
    input logic [31:0] s_number,
    input logic [63:0] s_axis_tdata,
    input logic [7:0] s_axis_tkeep,
    input logic s_axis_tvalid,
    input logic s_axis_tlast,
    input logic s_axis_tuser,
    input logic s_axis_tdest,
    input logic [63:0] s_axis_tstamp
);

  logic started = 1'b0;
  logic rst, sync;
  logic [63:0] m_axis_tdata, m_axis_tstamp;
  logic [7:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser, m_axis_tdest;
  logic gap;
  logic [31:0] gap_first, gap_count;
  arbiter_event_t arbiter_event;
  assign rst  = !started;
  assign sync = 1'b0;

  ab_arbiter dut (.*);

  logic open = 1'b0;  // a packet is leaving
  logic [31:0] number;  // its number
  logic known = 1'b0;  // a packet has passed
  logic [31:0] passed;  // the number of the last that has
  logic first_out;
  logic [31:0] number_out;
  assign first_out = m_axis_tvalid && !open;
  assign number_out = m_axis_tdata[31:0];

  // With what leaves in this cycle.
  logic ends_well, known_now;
  logic [31:0] passed_now;
  assign ends_well  = m_axis_tvalid && m_axis_tlast && !m_axis_tuser;
  assign known_now  = known || ends_well;
  assign passed_now = !ends_well ? passed : open ? number : number_out;

  // The number comes a cycle before its packet, and a cycle is between two packets.
  logic [31:0] number_before;
  logic ended_before = 1'b1;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    number_before <= s_number;
    ended_before <= !started || (s_axis_tvalid && s_axis_tlast);
    if (!started) assume (!s_axis_tvalid);
    if (started && s_axis_tvalid && !dut.open_q) begin
      assume (!ended_before && s_axis_tdata[31:0] == number_before);
    end
    if (started) begin
      if (m_axis_tvalid) begin
        open <= !m_axis_tlast;
        if (!open) number <= number_out;
      end
      known  <= known_now;
      passed <= passed_now;
      // Serial-number order: what passes is ahead of what has passed.
      if (first_out && known) assert ((number_out - passed - 32'd1) < 32'h8000_0000);
      if (gap) begin
        assert (first_out && known);
        assert (gap_first == passed + 32'd1 && gap_count == number_out - passed - 32'd1);
        assert (gap_count != '0);
      end
      if (first_out && known && !gap) assert (number_out == passed + 32'd1);
      // The registers behind it (for the induction).
      assert (open == (dut.open_q && dut.may_q));
      if (open) assert (dut.next_q == number + 32'd1);
      assert (dut.synced_q == known);
      if (known) assert (dut.expected_q == passed + 32'd1);
      if (!dut.open_q && !ended_before) begin
        assert (dut.next_q == number_before + 32'd1);
        assert (dut.may_q == (!known || (number_before - passed - 32'd1) < 32'h8000_0000));
        assert (dut.other_q == (known && number_before != passed + 32'd1));
        if (known) assert (dut.ahead_q == number_before - passed - 32'd1);
      end

      cover (gap && gap_count == 32'd5);
      cover (arbiter_event.duplicate);
      cover (arbiter_event.passed_a && known && number == 32'hffff_ffff);
      cover (first_out && known && m_axis_tdest && number == number_out);
    end
  end

endmodule
