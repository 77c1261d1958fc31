// Puts the first byte of each frame into lane 0.
//
// A frame whose first beat has no byte in lane 0 started in lane 4 (`xgmii_rx`): its words are the upper
// half of one beat and the lower half of the next. What the last beat has in its upper half leaves as a
// beat of its own. There is time for it: behind a frame that ends there the line has a word at least
// without bytes of a frame.
//
// Latency: one cycle from the beat that completes a word to that word.
module lane_align (
    input logic clk,
    input logic rst,

    input logic [63:0] s_axis_tdata,
    input logic [ 7:0] s_axis_tkeep,
    input logic        s_axis_tvalid,
    input logic        s_axis_tlast,
    input logic        s_axis_tuser,
    input logic [63:0] s_axis_tstamp,

    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,
    output logic [63:0] m_axis_tstamp
);

  logic first_q;  // the next beat is a frame's first
  logic shift, shift_q;  // the frame started in lane 4
  logic rest, rest_q;  // its last bytes are still here
  logic [63:32] upper_q;
  logic [7:4] upper_keep_q;
  logic user_q;

  assign shift = first_q ? !s_axis_tkeep[0] : shift_q;
  assign rest  = s_axis_tvalid && s_axis_tlast && shift && s_axis_tkeep[4];

  always_ff @(posedge clk) begin
    rest_q <= rest;
    if (s_axis_tvalid) begin
      first_q <= s_axis_tlast;
      shift_q <= shift;
      upper_q <= s_axis_tdata[63:32];
      upper_keep_q <= s_axis_tkeep[7:4];
      user_q <= s_axis_tuser;
      m_axis_tstamp <= s_axis_tstamp;
    end

    m_axis_tvalid <= rest_q || (s_axis_tvalid && !(first_q && shift));
    m_axis_tlast  <= rest_q || (s_axis_tlast && !rest);
    m_axis_tdata  <= rest_q || shift ? {s_axis_tdata[31:0], upper_q} : s_axis_tdata;
    if (rest_q) begin
      m_axis_tkeep <= {4'h0, upper_keep_q};
      m_axis_tuser <= user_q;
    end else begin
      m_axis_tkeep <= shift ? {s_axis_tkeep[3:0], upper_keep_q} : s_axis_tkeep;
      m_axis_tuser <= s_axis_tuser;
    end
    if (rst) begin
      first_q <= 1'b1;
      rest_q <= 1'b0;
      m_axis_tvalid <= 1'b0;
    end
  end

endmodule
