// Skid buffer: a register stage for a ready/valid stream in which both directions are registered.
//
// Latency one cycle, one word per cycle, two words of room.
module skid_buffer #(
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

  // The word that came in the cycle in which the reader stopped. While it waits, none is taken.
  logic [WIDTH-1:0] skid_q;
  logic ready_q;
  assign s_ready = ready_q;

  always_ff @(posedge clk) begin
    if (ready_q) skid_q <= s_data;
    if (m_ready || !m_valid) begin
      m_data  <= ready_q ? s_data : skid_q;
      m_valid <= s_valid || !ready_q;
      ready_q <= 1'b1;
    end else if (s_valid && ready_q) begin
      ready_q <= 1'b0;
    end
    if (rst) begin
      m_valid <= 1'b0;
      ready_q <= 1'b1;
    end
  end

endmodule
