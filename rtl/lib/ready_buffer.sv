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

  // Of a wide word each part has a register of its own beside it: else it would choose late.
  localparam int unsigned PART = 16;
  localparam int unsigned PARTS = (WIDTH + PART - 1) / PART;

  logic [WIDTH-1:0] kept_q;
  logic [PARTS-1:0] keeps_q;  // each bit says the same
  assign s_ready = !keeps_q[0];
  assign m_valid = keeps_q[0] || s_valid;

  for (genvar p = 0; p < PARTS; p++) begin : gen_part
    localparam int unsigned FROM = p * PART;
    localparam int unsigned BITS = p == PARTS - 1 ? WIDTH - FROM : PART;

    (* keep *)
    always_ff @(posedge clk) keeps_q[p] <= m_valid && !m_ready && !rst;
    always_ff @(posedge clk) if (!keeps_q[p]) kept_q[FROM+:BITS] <= s_data[FROM+:BITS];
    assign m_data[FROM+:BITS] = keeps_q[p] ? kept_q[FROM+:BITS] : s_data[FROM+:BITS];
  end

endmodule
