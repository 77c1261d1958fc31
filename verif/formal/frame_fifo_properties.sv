// bounded: depth 14
// cover: depth 18
// The frame FIFO gives whole good frames in order: a marked frame's beats come out as they went in, all
// of them and nothing between them; pointers keep their order; a beat waits unchanged until taken.
module frame_fifo_properties (
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
  logic m_axis_tvalid, m_axis_tlast, overflow;
  logic [3:0] m_axis_tside;
  logic [2:0] level;
  assign rst = !started;

  frame_fifo #(
      .DEPTH(4),
      .FRAMES(2),
      .SIDE_BITS(4)
  ) dut (
      .*
  );

  // Each beat carries the number of its frame and its place in it; side words carry the number.
  logic [7:0] in_frame = '0, in_beat = '0;
  logic [7:0] out_frame = '0, out_beat = '0;
  logic [7:0] out_last = '0;
  logic open = 1'b0;
  logic waiting = 1'b0;
  logic [76:0] waited;
  logic taken;
  assign taken = m_axis_tvalid && m_axis_tready;

  // Good frames that ended without room are not to come out.
  always_ff @(posedge clk) begin
    started <= 1'b1;
    assume (s_axis_tdata == {48'd0, in_frame, in_beat});
    assume (s_axis_tside == in_frame[3:0]);
    assume (s_axis_tkeep == (s_axis_tlast ? 8'h03 : 8'hff));
    if (!started) assume (!s_axis_tvalid);
    if (started) begin
      if (s_axis_tvalid) begin
        in_beat <= s_axis_tlast ? '0 : in_beat + 8'd1;
        if (s_axis_tlast) in_frame <= in_frame + 8'd1;
      end
      waiting <= m_axis_tvalid && !m_axis_tready;
      waited  <= {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tside};
      if (waiting) begin
        assert (m_axis_tvalid);
        assert ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tside} == waited);
      end
      if (taken) begin
        open <= !m_axis_tlast;
        out_frame <= m_axis_tdata[15:8];
        out_beat <= m_axis_tdata[7:0];
        if (open) begin
          assert (m_axis_tdata[15:8] == out_frame);
          assert (m_axis_tdata[7:0] == out_beat + 8'd1);
        end else begin
          assert (m_axis_tdata[7:0] == '0);
        end
        assert (m_axis_tside == m_axis_tdata[11:8]);
        assert (m_axis_tkeep == (m_axis_tlast ? 8'h03 : 8'hff));
        assert (m_axis_tdata[15:8] < in_frame);
      end
      assert (dut.commit_q - dut.tail_q <= 3'd4);
      assert (dut.head_q - dut.tail_q <= 3'd4);
      assert (level <= 3'd4);

      cover (taken && m_axis_tlast && m_axis_tdata[15:8] == 8'd2);
      cover (overflow);
      cover (overflow && level == 3'd0);
      cover (dut.head_q - dut.tail_q == 3'd4 && taken);
    end
  end

endmodule
