// Transmit arbiter: orders of the fast path and frames of the host share one line.
//
// The fast path goes first: while no frame is under way the line is its own, and its first word passes
// in the cycle in which it comes. The host is let in for one frame at a time, when the line is idle and
// the fast path has nothing to send; that costs it two cycles. A frame under way is never interrupted, so
// an order waits for at most one host frame. A host that has no word in time holds up nobody: its frame is cut
// by the MAC (`drains`), the line is left at once, and the rest of the frame is taken from the host whenever it
// comes, and goes nowhere.
//
// Latency: none for the fast path on an idle line; two cycles for the host, whose words stand in a
// register first.
//
// Between the fast path's registers and the MAC's checksum there is time for one gate. So the host's
// register holds zeros while the host has no word to send, the fast path's lanes are closed by one
// register, and the two are joined by OR. Lanes without a byte are zero: the host's are made so, the
// fast path's come so. In the cycle behind `pad_next`, in which the MAC takes no word, all lanes are
// zero, whatever a stream offers.
module tx_arbiter (
    input logic clk,
    input logic rst,

    input  logic [63:0] s_axis_fast_tdata,   // lanes without a byte are zero
    input  logic [ 7:0] s_axis_fast_tkeep,
    input  logic        s_axis_fast_tvalid,
    output logic        s_axis_fast_tready,
    input  logic        s_axis_fast_tlast,
    input  logic        s_axis_fast_tuser,

    input  logic [63:0] s_axis_host_tdata,
    input  logic [ 7:0] s_axis_host_tkeep,
    input  logic        s_axis_host_tvalid,
    output logic        s_axis_host_tready,
    input  logic        s_axis_host_tlast,
    input  logic        s_axis_host_tuser,

    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,
    input  logic        pad_next,
    input  logic        drains,
    output logic        abandon,

    // The frame that passes is the host's.
    output logic host_granted
);

  logic host_q, host_d;  // the line is the host's
  logic inside_q;  // a frame of the fast path is under way
  logic open_q;  // the fast path's lanes are shown
  logic shut_q;  // they are not: the same for lanes 4 to 7, which would be far from one register
  logic shown_q;  // the host's word is offered
  logic pad_q;  // the MAC takes nothing; as the line is the host's, it will not begin to
  logic [63:0] data_q;
  logic [7:0] keep_q;
  logic last_q, user_q;
  logic discard_q;  // the rest of a frame of the host that was cut
  logic take, load, fill;

  always_comb begin
    for (int i = 0; i < 8; i++) begin
      m_axis_tdata[8*i+:8] = s_axis_fast_tdata[8*i+:8] & {8{i < 4 ? open_q : !shut_q}};
    end
    m_axis_tdata |= data_q;
    m_axis_tkeep = (s_axis_fast_tkeep & {8{open_q}}) | keep_q;
    m_axis_tvalid = host_q ? shown_q : s_axis_fast_tvalid;
    m_axis_tlast = host_q ? last_q : s_axis_fast_tlast;
    m_axis_tuser = host_q ? user_q : s_axis_fast_tuser;
    take = m_axis_tvalid && m_axis_tready;
    load = host_q && !pad_q && (!shown_q || (m_axis_tready && !last_q));
    abandon = host_q && drains;
    fill = load && s_axis_host_tvalid && !abandon;
    s_axis_fast_tready = m_axis_tready && !host_q;
    s_axis_host_tready = load || discard_q;
    host_granted = host_q;
    if (host_q) host_d = !(take && last_q) && !abandon;
    else host_d = s_axis_host_tvalid && !discard_q && !s_axis_fast_tvalid && !inside_q;
  end

  always_ff @(posedge clk) begin
    if (take && !host_q) inside_q <= !m_axis_tlast;
    host_q <= host_d;
    if (abandon) discard_q <= !(shown_q && last_q);
    if (s_axis_host_tvalid && s_axis_host_tready && s_axis_host_tlast) discard_q <= 1'b0;
    open_q <= !host_d && !pad_next;
    shut_q <= host_d || pad_next;
    pad_q  <= pad_next;
    if (!host_q || !shown_q || m_axis_tready) begin
      shown_q <= fill;
      for (int i = 0; i < 8; i++) begin
        data_q[8*i+:8] <= s_axis_host_tdata[8*i+:8] & {8{s_axis_host_tkeep[i] && fill}};
      end
      keep_q <= s_axis_host_tkeep & {8{fill}};
      last_q <= s_axis_host_tlast && fill;
      user_q <= s_axis_host_tuser && fill;
    end
    if (rst) begin
      host_q <= 1'b0;
      inside_q <= 1'b0;
      discard_q <= 1'b0;
      open_q <= 1'b1;
      shut_q <= 1'b0;
      pad_q <= 1'b0;
      shown_q <= 1'b0;
      data_q <= '0;
      keep_q <= '0;
      last_q <= 1'b0;
      user_q <= 1'b0;
    end
  end

endmodule
