// proof: depth 6
// cover: depth 10
// The ready buffer loses no word, doubles, reorders and changes none; one that is offered is shown at once
// and stays until it is taken; `s_ready` says by itself whether a word waits here.
module ready_buffer_properties (
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

  ready_buffer #(.WIDTH(8)) dut (.*);

  logic waits = 1'b0;
  logic [7:0] kept;
  logic in, out;
  assign in = s_valid && s_ready;
  assign out = m_valid && m_ready;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (started) begin
      waits <= waits + in - out;
      if (in) kept <= s_data;

      assert (s_ready == !waits);
      assert (m_valid == (waits || s_valid));
      if (m_valid) assert (m_data == (waits ? kept : s_data));
      assert (!(waits && in));
      assert (!(out && !waits && !in));

      cover (waits && out && s_valid);
      cover (in && out);
    end
  end

endmodule
