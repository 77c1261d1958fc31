// Ready buffer: cuts a stream's `ready` by a register, and leaves its data their way.
//
// No latency. The word that the reader does not take in the cycle in which it comes waits here, and while
// it does none is taken: a reader that stops for a cycle costs that cycle alone.
module ready_buffer #(
    parameter int unsigned WIDTH = 64
) (
    input logic clk,
    input logic rst,

    input  logic [WIDTH-1:0] s_data,
    input  logic             s_valid,
    output logic             s_ready,

    output logic [WIDTH-1:0] m_data,
    output logic             m_valid,
    input  logic             m_ready
);

  if (WIDTH == 0) begin : gen_bad_width
    $fatal(1, "%m: WIDTH is zero");
  end

  logic [WIDTH-1:0] kept_q;
  logic keeps_q;
  assign s_ready = !keeps_q;
  assign m_valid = keeps_q || s_valid;
  assign m_data  = keeps_q ? kept_q : s_data;

  always_ff @(posedge clk) begin
    if (!keeps_q) kept_q <= s_data;
    keeps_q <= m_valid && !m_ready && !rst;
  end

endmodule
