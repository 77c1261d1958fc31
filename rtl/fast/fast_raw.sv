// Byte vectors: reads bytes without stop bits back from the last input words, eight in a cycle, and
// says where scanning goes on.
//
// A request in cycle c: the first eight bytes pass in c+1, if their words have come; the beat is on
// the output two cycles after it passed. `resume` is high in the cycle in which the last bytes pass;
// in the cycle behind it the scanner scans from byte `resume_lane` of word `resume_word` on. If the
// packet ends before, `truncated` is high in `resume`'s place.
module fast_raw (
    input logic clk,
    input logic rst,

    input logic        cancel,
    input logic        start,
    input logic [15:0] start_at,  // offset of the first byte; steady for two cycles
    input logic [15:0] length,
    input logic [16:0] behind,    // offset of the first byte behind them, steady from `start` on
    input logic        endless,   // it is further behind than any packet's end

    // How many bytes of the packet have come, before a request; afterwards what comes more, and
    // that there is nothing more.
    input logic [15:0] available,
    input logic        more_valid,
    input logic [ 3:0] more_bytes,
    input logic        complete,

    output logic        active,
    output logic        resume,
    output logic        truncated,
    output logic [12:0] resume_word,  // from the cycle of `start` on
    output logic [ 2:0] resume_lane,
    output logic [13:0] words,        // how many words the packet has up to the vector's end

    // The word for the beat in hand.
    output logic [3:0][5:0] read_index,  // each says the same
    input  logic [63:0] read_data,

    output logic        m_valid,
    output logic [63:0] m_data,   // right-aligned, the first byte most significant
    output logic [ 3:0] m_count,  // 0 to 8
    output logic        m_last
);

  logic active_q;
  logic [8:0] at_q, at_d;  // the first byte of the beat
  logic [16:0] left_q, rest_q;  // bytes that are to pass; bytes that have come and did not pass
  logic signed [17:0] spare_q;  // bytes that have come of those behind them; negative if some lack
  logic [13:0] words_q;
  logic last_q;  // left_q <= 8
  logic last, pass, lacking;
  logic [3:0] count;
  logic [16:0] rest_here, rest_passed;  // with what comes, and less what passes

  always_comb begin
    last = last_q;
    rest_here = rest_q + (more_valid ? 17'(more_bytes) : 17'd0);
    rest_passed = rest_q + (more_valid ? {{14{!more_bytes[3]}}, more_bytes[2:0]} : -17'd8);
    count = last ? left_q[3:0] : 4'd8;
    lacking = last ? spare_q < 0 : rest_q[16:3] == '0;
    pass = active_q && !lacking;
    resume = pass && last;
    truncated = active_q && lacking && complete;
  end

  assign at_d = !active_q ? start_at[8:0] : pass ? at_q + 9'd8 : at_q;
  always_ff @(posedge clk) at_q <= at_d;
  assign active = active_q;
  assign resume_word = behind[15:3];
  assign resume_lane = behind[2:0];
  assign words = words_q;
  for (genvar i = 0; i < 4; i++) begin : gen_index
    (* keep *)
    always_ff @(posedge clk) read_index[i] <= at_d[8:3];
  end

  // A pass, the cycle behind it (the second word is read), the beat.
  logic pass_q, last_pass_q;
  logic [2:0] lane_q;
  logic [3:0] count_q, count_2q;
  logic [63:0] word_q, bytes_q;
  logic [127:0] both;

  assign both = {read_data, word_q};

  always_comb begin
    m_data = '0;
    for (int i = 0; i < 8; i++) begin
      // Lane i of the beat goes to place count - 1 - i.
      for (int n = i + 1; n <= 8; n++) begin
        if (count_2q == 4'(n)) m_data[8*(n-1-i)+:8] = bytes_q[8*i+:8];
      end
    end
  end
  assign m_count = count_2q;

  always_ff @(posedge clk) begin
    words_q <= endless ? '1 : behind[16:3] + 14'(behind[2:0] != 3'd0);
    if (!active_q) begin
      left_q <= {1'b0, length};
      last_q <= length <= 16'd8;
      rest_q <= {1'b0, available} - {1'b0, start_at};
      spare_q <= endless ? {1'b1, 17'd0} : {2'b00, available} - {1'b0, behind};
    end else begin
      if (pass) begin
        left_q <= left_q - 17'd8;
        last_q <= left_q <= 17'd16;
      end
      rest_q <= pass ? rest_passed : rest_here;
      if (more_valid) spare_q <= spare_q + 18'(more_bytes);
    end
    active_q <= start || (active_q && !resume && !truncated);

    pass_q   <= pass;
    last_pass_q <= last;
    lane_q   <= at_q[2:0];
    count_q  <= count;
    word_q   <= read_data;

    m_valid  <= pass_q;
    m_last   <= last_pass_q;
    count_2q <= count_q;
    for (int lane = 0; lane < 8; lane++) begin
      if (lane_q == 3'(lane)) bytes_q <= both[8*lane+:64];
    end
    if (rst || cancel) begin
      active_q <= 1'b0;
      pass_q   <= 1'b0;
      m_valid  <= 1'b0;
    end
  end

endmodule
