// proof: depth 8
// cover: depth 16
// Frames never mix, nothing is lost or invented, and the host starts only when the fast path is silent.
module tx_arbiter_properties (
    input logic clk,
    input logic [63:0] s_axis_fast_tdata,
    input logic [7:0] s_axis_fast_tkeep,
    input logic s_axis_fast_tvalid,
    input logic s_axis_fast_tlast,
    input logic s_axis_fast_tuser,
    input logic [63:0] s_axis_host_tdata,
    input logic [7:0] s_axis_host_tkeep,
    input logic s_axis_host_tvalid,
    input logic s_axis_host_tlast,
    input logic s_axis_host_tuser,
    input logic m_axis_tready
);

  logic started = 1'b0;
  logic rst;
  logic s_axis_fast_tready, s_axis_host_tready;
  logic [63:0] m_axis_tdata;
  logic [7:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser, host_granted;
  assign rst = !started;

  tx_arbiter dut (.*);

  logic taken;
  assign taken = m_axis_tvalid && m_axis_tready;

  // What the output has seen: a frame is open, and whose it is.
  logic open = 1'b0;
  logic open_host;
  // The last cycle.
  logic was_fast_waiting = 1'b0, was_host_waiting = 1'b0, was_granted = 1'b0, was_end = 1'b0;
  logic was_fast_valid = 1'b0;
  logic was_open = 1'b0;
  logic seen_host = 1'b0;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    // A source that offers a word keeps offering it until it is taken.
    if (was_fast_waiting) assume (s_axis_fast_tvalid);
    if (was_host_waiting) assume (s_axis_host_tvalid);
    if (started) begin
      was_fast_waiting <= s_axis_fast_tvalid && !s_axis_fast_tready;
      was_host_waiting <= s_axis_host_tvalid && !s_axis_host_tready;
      was_fast_valid <= s_axis_fast_tvalid;
      was_granted <= host_granted;
      was_end <= taken && m_axis_tlast;
      was_open <= open;
      if (taken) begin
        open <= !m_axis_tlast;
        open_host <= host_granted;
        seen_host <= seen_host || (host_granted && m_axis_tlast);
      end

      assert (open == dut.inside_q);
      // Never mixed: a frame's words all come from the source of its first.
      if (open) assert (host_granted == open_host);
      // Nothing lost: a word is taken from exactly the source whose word leaves, unchanged.
      assert (!(s_axis_fast_tready && s_axis_host_tready));
      assert ((s_axis_fast_tvalid && s_axis_fast_tready) == (taken && !host_granted));
      assert ((s_axis_host_tvalid && s_axis_host_tready) == (taken && host_granted));
      if (taken && !host_granted) begin
        assert ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser} ==
                {s_axis_fast_tdata, s_axis_fast_tkeep, s_axis_fast_tlast, s_axis_fast_tuser});
      end
      if (taken && host_granted) begin
        assert ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser} ==
                {s_axis_host_tdata, s_axis_host_tkeep, s_axis_host_tlast, s_axis_host_tuser});
      end
      // Fast path first: the grant falls only on a silent fast path, outside frames, for a host frame.
      if (host_granted && !was_granted) begin
        assert (!was_fast_valid && !was_open && s_axis_host_tvalid);
      end
      // On an idle line the fast path's word leaves in its own cycle.
      if (s_axis_fast_tvalid && !host_granted) assert (m_axis_tvalid);
      // One frame per grant.
      if (was_granted && was_end) assert (!host_granted);

      cover (seen_host && was_end && !was_granted);
      cover (was_granted && was_end && s_axis_fast_tvalid && s_axis_host_tvalid);
      cover (open && open_host && was_fast_waiting);
    end
  end

endmodule
