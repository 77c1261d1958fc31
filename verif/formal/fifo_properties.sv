// proof: depth 12
// cover: depth 16
// The FIFO loses, doubles and reorders nothing, and keeps its output while it is not taken.
//
// Two marked words: if one goes in before the other, it comes out before the other.
module fifo_properties (
    input logic clk,
    input logic [7:0] s_data,
    input logic s_valid,
    input logic m_ready,
    input logic [7:0] mark
);

  localparam int unsigned DEPTH = 4;

  logic started = 1'b0;
  logic rst;
  logic s_ready, m_valid;
  logic [7:0] m_data;
  logic [2:0] level;
  assign rst = !started;

  fifo #(
      .WIDTH(8),
      .DEPTH(DEPTH)
  ) dut (
      .*
  );

  // How many words are inside, and where among them the marked one is (1 is next to leave).
  logic [3:0] held = '0;
  logic marked = 1'b0;
  logic [3:0] ahead = '0;
  logic [7:0] marked_data;
  logic in, out, mark_now;

  assign in = s_valid && s_ready;
  assign out = m_valid && m_ready;
  assign mark_now = in && !marked && s_data == mark;

  logic [1:0] place;
  assign place = dut.tail_q[1:0] + ahead[1:0] - 2'd1 - 2'(m_valid);

  logic last_stalled = 1'b0;
  logic [7:0] last_data;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (started) begin
      held <= held + 4'(in) - 4'(out);
      if (mark_now) begin
        marked <= 1'b1;
        marked_data <= s_data;
        ahead <= held + 4'd1 - 4'(out);
      end else if (marked && out) begin
        ahead <= ahead - 4'd1;
        if (ahead == 4'd1) marked <= 1'b0;
      end
      last_stalled <= m_valid && !m_ready;
      last_data <= m_data;

      assert (held == {1'b0, level} + 4'(m_valid));
      assert (held <= 4'(DEPTH + 1));
      if (marked) assert (ahead >= 4'd1 && ahead <= held);
      assert (dut.level_q == dut.head_q - dut.tail_q && dut.level_q <= 3'(DEPTH));
      assert (dut.room_q == (dut.level_q != 3'(DEPTH)) && dut.some_q == (dut.level_q != '0));
      if (marked && ahead == 4'd1 && m_valid) assert (m_data == marked_data);
      if (last_stalled) assert (m_valid && m_data == last_data);
      // Where the marked word is while it has not reached the output (for the induction).
      if (marked && ahead > 4'(m_valid)) assert (dut.words[place] == marked_data);
      // Something inside comes out without help.
      if (held != '0 && !m_valid) assert (level != '0);

      cover (held == 4'(DEPTH + 1) && out);
      cover (marked && ahead == 4'd1 && out && held == 4'd3);
      cover (!s_ready);
    end
  end

endmodule
