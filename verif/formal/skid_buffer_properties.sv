// proof: depth 6
// cover: depth 10
// The skid buffer is a queue of two words: nothing is lost, doubled, reordered or changed.
module skid_buffer_properties (
    input logic clk,
    input logic [7:0] s_data,
    input logic s_valid,
    input logic m_ready
);

  logic started = 1'b0;
  logic rst;
  logic s_ready, m_valid;
  logic [7:0] m_data;
  assign rst = !started;

  skid_buffer #(.WIDTH(8)) dut (.*);

  logic [1:0] count = '0;
  logic [7:0] first, second;
  logic in, out;
  assign in = s_valid && s_ready;
  assign out = m_valid && m_ready;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (started) begin
      count <= count + 2'(in) - 2'(out);
      if (out || count == '0) first <= count == 2'd2 ? second : s_data;
      if (in) second <= s_data;

      assert (count == 2'(m_valid) + 2'(!s_ready));
      assert (m_valid || s_ready);
      if (m_valid) assert (m_data == first);
      if (!s_ready) assert (dut.skid_q == second);

      cover (count == 2'd2 && out);
      cover (count == 2'd1 && in && out);
    end
  end

endmodule
