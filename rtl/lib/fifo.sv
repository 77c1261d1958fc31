// FIFO with a registered output.
//
// Latency two cycles from empty, one word per cycle. Holds DEPTH words and one more at the output.
//
// Full and empty are registers. The memory is written in every cycle that there is room in: what is at
// the head counts only when the head moves on.
module fifo #(
    parameter int unsigned WIDTH = 64,
    parameter int unsigned DEPTH = 16   // a power of two
) (
    input logic clk,
    input logic rst,

    input  logic [WIDTH-1:0] s_data,
    input  logic             s_valid,
    output logic             s_ready,

    output logic [WIDTH-1:0] m_data,
    output logic             m_valid,
    input  logic             m_ready,

    // Words in the memory, without the one at the output.
    output logic [$clog2(DEPTH):0] level
);

  localparam int unsigned ADDRESS_BITS = $clog2(DEPTH);

  if (WIDTH == 0) begin : gen_bad_width
    $fatal(1, "%m: WIDTH is zero");
  end
  if (DEPTH < 2 || DEPTH != 1 << ADDRESS_BITS) begin : gen_bad_depth
    $fatal(1, "%m: DEPTH %0d is not a power of two from 2 on", DEPTH);
  end

  typedef logic [ADDRESS_BITS:0] pointer_t;

  logic [WIDTH-1:0] words[DEPTH];
  pointer_t head_q, tail_q, level_q;
  logic room_q, some_q;  // level_q is less than DEPTH; more than none
  logic write, read;

  assign level = level_q;
  assign s_ready = room_q;
  assign write = s_valid && room_q;
  assign read = some_q && (!m_valid || m_ready);

  always_ff @(posedge clk) begin
    if (room_q) words[head_q[ADDRESS_BITS-1:0]] <= s_data;
  end

  always_ff @(posedge clk) if (read) m_data <= words[tail_q[ADDRESS_BITS-1:0]];

  always_ff @(posedge clk) begin
    if (write) head_q <= head_q + pointer_t'(1);
    if (read) tail_q <= tail_q + pointer_t'(1);
    if (write && !read) begin
      level_q <= level_q + pointer_t'(1);
      room_q  <= level_q != pointer_t'(DEPTH - 1);
      some_q  <= 1'b1;
    end
    if (read && !write) begin
      level_q <= level_q - pointer_t'(1);
      room_q  <= 1'b1;
      some_q  <= level_q != pointer_t'(1);
    end
    if (read) m_valid <= 1'b1;
    else if (m_ready) m_valid <= 1'b0;
    if (rst) begin
      head_q  <= '0;
      tail_q  <= '0;
      level_q <= '0;
      room_q  <= 1'b1;
      some_q  <= 1'b0;
      m_valid <= 1'b0;
    end
  end

endmodule
