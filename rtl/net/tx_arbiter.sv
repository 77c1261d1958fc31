// Transmit arbiter: orders of the fast path and frames of the host share one line.
//
// The fast path goes first: while no frame is under way the line is its own, and its first word passes
// in the cycle in which it comes. The host is let in for one frame at a time, when the line is idle and
// the fast path has nothing to send; that costs it a cycle. A frame under way is never interrupted, so
// an order waits for at most one host frame.
//
// Latency: none for the fast path on an idle line. The outputs are the inputs behind one multiplexer
// that a register steers.
module tx_arbiter (
    input logic clk,
    input logic rst,

    input  logic [63:0] s_axis_fast_tdata,
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

    // The frame that passes is the host's.
    output logic host_granted
);

  logic host_q;  // the line is the host's
  logic inside_q;  // a frame is under way

  always_comb begin
    m_axis_tdata = host_q ? s_axis_host_tdata : s_axis_fast_tdata;
    m_axis_tkeep = host_q ? s_axis_host_tkeep : s_axis_fast_tkeep;
    m_axis_tvalid = host_q ? s_axis_host_tvalid : s_axis_fast_tvalid;
    m_axis_tlast = host_q ? s_axis_host_tlast : s_axis_fast_tlast;
    m_axis_tuser = host_q ? s_axis_host_tuser : s_axis_fast_tuser;
    s_axis_fast_tready = m_axis_tready && !host_q;
    s_axis_host_tready = m_axis_tready && host_q;
    host_granted = host_q;
  end

  always_ff @(posedge clk) begin
    if (m_axis_tvalid && m_axis_tready) inside_q <= !m_axis_tlast;
    if (host_q) begin
      if (m_axis_tvalid && m_axis_tready && m_axis_tlast) host_q <= 1'b0;
    end else begin
      host_q <= s_axis_host_tvalid && !s_axis_fast_tvalid && !inside_q;
    end
    if (rst) begin
      host_q   <= 1'b0;
      inside_q <= 1'b0;
    end
  end

endmodule
