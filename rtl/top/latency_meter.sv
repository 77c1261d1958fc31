// Latency meter: how long after a frame's first byte each stage of the fast path had something to say.
//
// For each stage, a sample is its time less the stamp that travelled along: count, minimum, maximum and
// sum, in nanoseconds. The last stage's samples also go into a histogram of 32 bins: bin k counts those
// from `base` + k * 2^shift on, the first those below and the last those above, too. Samples are taken
// modulo 2^32 ns (4.3 s). The count wraps at 2^32, the sum at 2^64, a bin at 2^32.
//
// `clear` begins anew, and for 36 cycles no sample is taken; `rst` does the same.
//
// Reading is by words over a request port, the answer two cycles after the request. Stage s has words
// 8s to 8s+5: count, minimum, maximum, zero, sum low, sum high; words 64 to 95 are the histogram. Reading
// a stage's count keeps its minimum, maximum and sum of that moment for the reads that follow. Without
// samples the minimum is 2^32 - 1.
module latency_meter #(
    parameter int unsigned STAGES = 5  // 1 to 8
) (
    input logic clk,
    input logic rst,

    input logic        clear,
    input logic [31:0] base,
    input logic [ 3:0] shift,

    input logic [STAGES-1:0]       sample_valid,
    input logic [STAGES-1:0][31:0] sample_time,
    input logic [STAGES-1:0][31:0] sample_stamp,

    input  logic        read_valid,
    input  logic [ 6:0] read_address,
    output logic        data_valid,
    output logic [31:0] data
);

  if (STAGES < 1 || STAGES > 8) begin : gen_bad_stages
    $fatal(1, "%m: STAGES %0d is outside 1..8", STAGES);
  end

  typedef struct packed {
    logic [31:0] samples;
    logic [31:0] least;
    logic [31:0] most;
    logic [63:0] total;
  } statistics_t;

  localparam statistics_t NOTHING = '{least: '1, default: '0};

  // Clearing takes as long as there are bins, and some cycles for samples on their way.
  logic clearing_q;
  logic [5:0] clear_at_q;

  always_ff @(posedge clk) begin
    if (clearing_q) clear_at_q <= clear_at_q + 6'd1;
    if (clear_at_q == 6'd35) clearing_q <= 1'b0;
    if (rst || clear) begin
      clearing_q <= 1'b1;
      clear_at_q <= '0;
    end
  end

  logic [STAGES-1:0] valid_q;
  logic [STAGES-1:0][31:0] latency_q;
  statistics_t [STAGES-1:0] statistics_q;

  always_ff @(posedge clk) begin
    for (int s = 0; s < STAGES; s++) begin
      valid_q[s]   <= sample_valid[s] && !clearing_q;
      latency_q[s] <= sample_time[s] - sample_stamp[s];
      if (valid_q[s]) begin
        statistics_q[s].samples <= statistics_q[s].samples + 32'd1;
        statistics_q[s].total   <= statistics_q[s].total + 64'(latency_q[s]);
        if (latency_q[s] < statistics_q[s].least) statistics_q[s].least <= latency_q[s];
        if (latency_q[s] > statistics_q[s].most) statistics_q[s].most <= latency_q[s];
      end
      if (clearing_q) statistics_q[s] <= NOTHING;
    end
    if (rst) valid_q <= '0;
  end

  // Histogram: distance from the base, shifted, clamped, counted.
  logic above_valid_q, shifted_valid_q, bin_valid_q;
  logic [31:0] above_q, shifted_q;
  logic [ 4:0] bin_q;
  logic [31:0] tally [32];

  always_ff @(posedge clk) begin
    above_valid_q <= valid_q[STAGES-1] && !clearing_q;
    above_q <= latency_q[STAGES-1] < base ? '0 : latency_q[STAGES-1] - base;
    shifted_valid_q <= above_valid_q && !clearing_q;
    shifted_q <= above_q >> shift;
    bin_valid_q <= shifted_valid_q && !clearing_q;
    bin_q <= shifted_q[31:5] != '0 ? '1 : shifted_q[4:0];
    if (rst) begin
      above_valid_q <= 1'b0;
      shifted_valid_q <= 1'b0;
      bin_valid_q <= 1'b0;
    end
  end

  // A bin is read in one cycle and written in the next; of the same bin twice, the second takes what the
  // first is writing.
  logic old_valid_q;
  logic [4:0] old_bin_q;
  logic [31:0] old_q, more;
  logic tally_write;
  logic [4:0] tally_at;
  assign more = old_q + 32'd1;
  assign tally_write = clearing_q || old_valid_q;
  assign tally_at = clearing_q ? clear_at_q[4:0] : old_bin_q;

  always_ff @(posedge clk) if (tally_write) tally[tally_at] <= clearing_q ? '0 : more;

  always_ff @(posedge clk) begin
    old_valid_q <= bin_valid_q && !clearing_q && !rst;
    old_bin_q <= bin_q;
    old_q <= old_valid_q && old_bin_q == bin_q ? more : tally[bin_q];
  end

  // Reading: a stage's statistics are kept when its count is read.
  statistics_t stage, kept_q;
  logic ask_q;
  logic tally_q;  // of the histogram
  logic [2:0] word_q;
  logic [31:0] tally_read_q;

  always_comb begin
    stage = '0;
    for (int s = 0; s < STAGES; s++) begin
      if (read_address[5:3] == 3'(s)) stage |= statistics_q[s];
    end
  end

  always_ff @(posedge clk) begin
    ask_q <= read_valid;
    tally_q <= read_address[6:5] == 2'b10;
    word_q <= read_address[6] ? 3'd7 : read_address[2:0];
    tally_read_q <= tally[read_address[4:0]];
    if (read_valid && !read_address[6] && read_address[2:0] == '0) kept_q <= stage;

    data_valid <= ask_q;
    data <= '0;
    if (tally_q) data <= tally_read_q;
    unique case (word_q)
      3'd0:    data <= kept_q.samples;
      3'd1:    data <= kept_q.least;
      3'd2:    data <= kept_q.most;
      3'd4:    data <= kept_q.total[31:0];
      3'd5:    data <= kept_q.total[63:32];
      default: ;
    endcase
    if (rst) begin
      ask_q <= 1'b0;
      data_valid <= 1'b0;
    end
  end

endmodule
