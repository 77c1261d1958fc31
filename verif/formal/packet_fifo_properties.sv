// bounded: depth 16
// cover: depth 24
// The packet FIFO gives packets in order, each from its beginning and without a hole: whole, or ended
// with abort; a beat waits unchanged until taken; what is dropped never began; the memory never overflows.
module packet_fifo_properties (
    input logic clk,
    input logic [63:0] s_axis_tdata,
    input logic [7:0] s_axis_tkeep,
    input logic s_axis_tvalid,
    input logic s_axis_tlast,
    input logic s_axis_tuser,
    input logic [3:0] s_axis_tside,
    input logic m_axis_tready
);

  logic started = 1'b0;
  logic rst;
  logic [63:0] m_axis_tdata;
  logic [7:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser, dropped, cut;
  logic [3:0] m_axis_tside;
  logic [3:0] level;
  assign rst = !started;

  packet_fifo #(
      .DEPTH(8),
      .SIDE_BITS(4)
  ) dut (
      .*
  );

  // Each beat carries the number of its packet and its place in it.
  logic [7:0] in_packet = '0, in_beat = '0;
  logic [7:0] out_packet = '0, out_beat = '0;
  logic open = 1'b0, any = 1'b0;
  logic waiting = 1'b0;
  logic [77:0] shown, waited;
  logic taken, made;  // an end that the FIFO made
  assign taken = m_axis_tvalid && m_axis_tready;
  assign shown = {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser, m_axis_tside};
  assign made = m_axis_tlast && m_axis_tkeep == '0;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    assume (s_axis_tdata == {48'd0, in_packet, in_beat});
    assume (s_axis_tside == in_packet[3:0]);
    assume (s_axis_tkeep == (s_axis_tlast ? 8'h03 : 8'hff));
    if (!started) assume (!s_axis_tvalid);
    if (started) begin
      if (s_axis_tvalid) begin
        in_beat <= s_axis_tlast ? '0 : in_beat + 8'd1;
        if (s_axis_tlast) in_packet <= in_packet + 8'd1;
      end
      waiting <= m_axis_tvalid && !m_axis_tready;
      waited  <= shown;
      if (waiting) begin
        assert (m_axis_tvalid);
        assert (shown == waited);
      end
      if (taken) begin
        open <= !m_axis_tlast;
        any <= 1'b1;
        out_packet <= m_axis_tdata[15:8];
        out_beat <= m_axis_tdata[7:0];
        assert (m_axis_tside == m_axis_tdata[11:8]);
        if (open) begin
          assert (m_axis_tdata[15:8] == out_packet);
          assert (m_axis_tdata[7:0] == out_beat + 8'd1);
        end else begin
          assert (m_axis_tdata[7:0] == '0);
          assert (!any || m_axis_tdata[15:8] > out_packet);
          assert (!made);
        end
        if (made) assert (m_axis_tuser);
        else assert (m_axis_tkeep == (m_axis_tlast ? 8'h03 : 8'hff));
      end
      assert (dut.head_q - dut.tail_q <= 4'd8);
      assert (!(dropped && cut));
      assert (!(dut.empty_q && dut.tight_q));

      cover (taken && made);
      cover (dropped);
      cover (taken && m_axis_tlast && !made && m_axis_tdata[15:8] == 8'd3 && any);
      cover (dut.head_q - dut.tail_q == 4'd8);
      cover (cut && !m_axis_tvalid);
    end
  end

endmodule
