// proof: depth 8
// cover: depth 16
// Frames never mix, nothing is lost or invented but the rest of a host's frame that was cut, and the host starts only
// when the fast path is silent.
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
    input logic m_axis_tready,
    input logic pad_next,
    input logic drains
);

  logic started = 1'b0;
  logic rst;
  logic s_axis_fast_tready, s_axis_host_tready;
  logic [63:0] m_axis_tdata;
  logic [7:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser, host_granted, abandon;
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
  logic was_pad_next = 1'b0;
  // A frame was cut for want of a word, and its rest is awaited; the last cycle left it.
  logic starved = 1'b0, was_abandoned = 1'b0;
  // The host is inside a frame: what it offers next is not a first word.
  logic host_inside = 1'b0;
  // The host's word that was taken and has not left.
  logic held = 1'b0, held_last, held_user;
  logic [63:0] held_data;
  logic [7:0] held_keep;

  function automatic logic [63:0] clean(logic [63:0] data, logic [7:0] keep);
    for (int i = 0; i < 8; i++) clean[8*i+:8] = data[8*i+:8] & {8{keep[i]}};
  endfunction
  logic seen_host = 1'b0;
  logic seen_cut = 1'b0, seen_between = 1'b0;

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
      was_pad_next <= pad_next;
      assume (s_axis_fast_tdata == clean(s_axis_fast_tdata, s_axis_fast_tkeep));
      // The MAC takes nothing while it pads, and pads only behind a frame's end.
      if (was_pad_next) assume (!m_axis_tready);
      if (pad_next) assume (was_pad_next || (taken && m_axis_tlast));
      // It cuts a frame that has no word in time, and takes what comes then, up to the frame's last.
      if (drains) assume (starved && m_axis_tready);
      starved <= open && !abandon && ((m_axis_tready && !m_axis_tvalid) || (starved && !(taken && m_axis_tlast)));
      was_abandoned <= abandon;
      if (taken) begin
        open <= !m_axis_tlast;
        open_host <= host_granted;
        seen_host <= seen_host || (host_granted && m_axis_tlast);
      end
      if (abandon) open <= 1'b0;
      if (s_axis_host_tvalid && s_axis_host_tready) host_inside <= !s_axis_host_tlast;
      assert (abandon == (host_granted && drains));

      assert (dut.inside_q == (open && !open_host));
      // Never mixed: a frame's words all come from the source of its first.
      if (open) assert (host_granted == open_host);
      // Nothing lost: a word is taken from exactly the source whose word leaves, unchanged; the host's
      // stands in one register between.
      assert (!(s_axis_fast_tready && s_axis_host_tready && host_granted));
      assert ((s_axis_fast_tvalid && s_axis_fast_tready) == (taken && !host_granted));
      if (taken && !host_granted) begin
        assert ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser} ==
                {clean(
            s_axis_fast_tdata, s_axis_fast_tkeep
        ), s_axis_fast_tkeep, s_axis_fast_tlast, s_axis_fast_tuser});
      end
      if (abandon) begin
        held <= 1'b0;
      end else if (s_axis_host_tvalid && s_axis_host_tready && host_granted) begin
        held <= 1'b1;
        held_data <= clean(s_axis_host_tdata, s_axis_host_tkeep);
        held_keep <= s_axis_host_tkeep;
        held_last <= s_axis_host_tlast;
        held_user <= s_axis_host_tuser;
        assert (!held || (taken && !held_last));
      end else if (taken && host_granted) begin
        held <= 1'b0;
      end
      // Of the host's words none goes nowhere but the rest of a frame that was left, up to its last.
      assert (dut.discard_q == (host_inside && !host_granted));
      if (!host_granted) assert (s_axis_host_tready == host_inside);
      if (host_granted) assert (host_inside == (held ? !held_last : open));
      if (was_abandoned) assert (!host_granted);
      assert (held == dut.shown_q);
      if (held) begin
        assert (host_granted && m_axis_tvalid);
        assert ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser} ==
                {held_data, held_keep, held_last, held_user});
      end else begin
        assert (!(taken && host_granted));
        assert ({dut.data_q, dut.keep_q} == '0 && !dut.last_q && !dut.user_q);
      end
      // The fast path's lanes are shown exactly while the line is its own; nothing is, while the MAC pads.
      assert (dut.open_q == (!host_granted && !was_pad_next));
      assert (dut.shut_q == !dut.open_q && dut.pad_q == was_pad_next);
      if (was_pad_next) assert ({m_axis_tdata, m_axis_tkeep} == '0);
      // Fast path first: the grant falls only on a silent fast path, outside frames, for a host frame.
      if (host_granted && !was_granted) begin
        assert (!was_fast_valid && !was_open && s_axis_host_tvalid);
      end
      // On an idle line the fast path's word leaves in its own cycle.
      if (s_axis_fast_tvalid && !host_granted) assert (m_axis_tvalid);
      if (host_granted && !was_granted) assert (!host_inside);
      // One frame per grant.
      if (was_granted && was_end) assert (!host_granted);

      if (abandon) seen_cut <= 1'b1;
      if (seen_cut && dut.discard_q && taken && m_axis_tlast) seen_between <= 1'b1;
      cover (seen_between && host_granted && taken && m_axis_tlast);
      cover (abandon && s_axis_host_tvalid && s_axis_host_tlast);
      cover (seen_host && was_end && !was_granted);
      cover (was_granted && was_end && s_axis_fast_tvalid && s_axis_host_tvalid);
      cover (open && open_host && was_fast_waiting);
    end
  end

endmodule
