// bounded: depth 14
// cover: depth 14
// Frames come out from lane 0 on, byte for byte, whole words until the last, with their abort and stamp, if they
// come in as `xgmii_rx` is proved to send them; pauses inside a frame may come as well.
module lane_align_properties (
    input logic clk,
    input logic [63:0] s_axis_tdata,
    input logic [7:0] s_axis_tkeep,
    input logic s_axis_tvalid,
    input logic s_axis_tlast,
    input logic s_axis_tuser,
    input logic [63:0] s_axis_tstamp
);

  logic started = 1'b0;
  logic rst;
  logic [63:0] m_axis_tdata, m_axis_tstamp;
  logic [7:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tlast, m_axis_tuser;
  assign rst = !started;

  lane_align dut (.*);

  function automatic logic [3:0] count(input logic [7:0] keep);
    count = '0;
    for (int i = 0; i < 8; i++) count += 4'(keep[i]);
  endfunction

  // Each byte in says its place in the frame, and the stamp the frame's number.
  logic in_open = 1'b0;
  logic upper = 1'b0;  // a frame has ended in lanes 4 to 7
  logic [7:0] in_place = '0, number = '0;
  logic lane4, ended_lane4, began_lane4 = 1'b0;
  logic [7:0] keep;
  assign lane4 = !in_open && !s_axis_tkeep[0];
  assign keep = lane4 ? s_axis_tkeep >> 4 : s_axis_tkeep;
  assign ended_lane4 = in_open ? began_lane4 : lane4;

  // What the last frame that came in whole must be.
  logic [7:0] total = '0;
  logic total_user = 1'b0;
  logic [7:0] out_place = '0;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (!started) assume (!s_axis_tvalid);
    if (lane4) assume (s_axis_tkeep[3:0] == '0);
    assume (keep[0] && (keep & (keep + 8'd1)) == '0);
    assume (s_axis_tlast || keep == (lane4 ? 8'h0f : 8'hff));
    assume (s_axis_tstamp == {56'd0, number});
    for (int i = 0; i < 8; i++) begin
      assume (s_axis_tdata[8*i+:8] == in_place + 8'(i) - (lane4 ? 8'd4 : 8'd0));
    end
    if (upper) assume (!s_axis_tvalid);
    upper <= started && s_axis_tvalid && s_axis_tlast && s_axis_tkeep[7:4] != '0;

    if (started) begin
      if (s_axis_tvalid) begin
        in_open <= !s_axis_tlast;
        began_lane4 <= ended_lane4;
        in_place <= s_axis_tlast ? '0 : in_place + 8'(count(s_axis_tkeep));
        if (s_axis_tlast) begin
          number <= number + 8'd1;
          total <= in_place + 8'(count(s_axis_tkeep));
          total_user <= s_axis_tuser;
        end
      end

      if (m_axis_tvalid) begin
        out_place <= m_axis_tlast ? '0 : out_place + 8'd8;
        assert (m_axis_tkeep[0] && (m_axis_tkeep & (m_axis_tkeep + 8'd1)) == '0);
        assert (m_axis_tlast || m_axis_tkeep == '1);
        for (int i = 0; i < 8; i++) begin
          if (m_axis_tkeep[i]) assert (m_axis_tdata[8*i+:8] == out_place + 8'(i));
        end
        if (m_axis_tlast) begin
          assert (out_place + 8'(count(m_axis_tkeep)) == total);
          assert (m_axis_tuser == total_user);
          assert (m_axis_tstamp == {56'd0, number - 8'd1});
        end
      end

      cover (m_axis_tvalid && m_axis_tlast && number == 8'd3 && total == 8'd5);
      cover (upper && began_lane4 && m_axis_tvalid);
      cover (m_axis_tvalid && m_axis_tlast && began_lane4 && out_place != '0 && s_axis_tvalid);
    end
  end

endmodule
