// Event counters: 64 bits for each of many one-cycle pulses, kept in a memory.
//
// Each pulse has a small count of its own, which is added to its 64-bit word in turn, one every cycle; so
// no pulse is lost, however many come at once, and a word is at most COUNTERS + 4 cycles behind. Words
// wrap at 2^64. They begin at zero after `rst`, without a pause.
//
// Reading is by 32-bit halves over a request port: the answer comes three cycles after the request. The
// high half is that of the moment in which the low half of the same counter was last read.
module event_counters #(
    parameter int unsigned COUNTERS = 64
) (
    input logic clk,
    input logic rst,

    input logic [COUNTERS-1:0] pulses,

    // A request and its answer, one at a time: word address, low half first.
    input  logic                      read_valid,
    input  logic [$clog2(COUNTERS):0] read_address,
    output logic                      data_valid,
    output logic [              31:0] data
);

  localparam int unsigned INDEX_BITS = $clog2(COUNTERS);
  // A count is taken every COUNTERS cycles, one later for each read in between: reads come at most
  // every other cycle.
  localparam int unsigned COUNT_BITS = $clog2(2 * COUNTERS + 2);

  // A word is written back before its turn comes again.
  if (COUNTERS < 4) begin : gen_bad_counters
    $fatal(1, "%m: COUNTERS is less than 4");
  end

  typedef logic [INDEX_BITS-1:0] index_t;
  typedef logic [COUNT_BITS-1:0] count_t;

  logic [COUNTERS-1:0] pulses_q;
  count_t counts_q[COUNTERS];
  logic [COUNTERS-1:0] turn_q;  // one-hot: whose count is taken in this cycle
  index_t index_q;
  logic fresh_q;  // the first round, in which the memory holds nothing yet
  logic take;

  // A read has the memory's port for a cycle, and the round waits.
  assign take = !read_valid;

  count_t picked;
  always_comb begin
    picked = '0;
    for (int i = 0; i < COUNTERS; i++) picked |= turn_q[i] ? counts_q[i] : '0;
  end

  always_ff @(posedge clk) begin
    pulses_q <= pulses;
    for (int i = 0; i < COUNTERS; i++) begin
      counts_q[i] <= (take && turn_q[i] ? '0 : counts_q[i]) + count_t'(pulses_q[i]);
    end
    if (take) begin
      turn_q  <= {turn_q[COUNTERS-2:0], turn_q[COUNTERS-1]};
      index_q <= turn_q[COUNTERS-1] ? '0 : index_q + index_t'(1);
      if (turn_q[COUNTERS-1]) fresh_q <= 1'b0;
    end
    if (rst) begin
      pulses_q <= '0;
      counts_q <= '{default: '0};
      turn_q   <= COUNTERS'(1);
      index_q  <= '0;
      fresh_q  <= 1'b1;
    end
  end

  // Memory: read, its output again in registers, sum, write.
  logic [63:0] words[1<<INDEX_BITS];
  logic [63:0] read_q, word_q, sum_q;
  index_t address;
  index_t index_1_q, index_2_q, index_3_q;
  count_t picked_1_q, picked_2_q;
  logic take_1_q, take_2_q, take_3_q;
  logic fresh_1_q, fresh_2_q;  // the word has no value yet, or is none of ours
  logic ask_1_q, ask_2_q, high_1_q, high_2_q;

  logic [63:0] word;
  assign word = fresh_2_q ? '0 : word_q;
  assign address = read_valid ? read_address[INDEX_BITS:1] : index_q;

  always_ff @(posedge clk) read_q <= words[address];
  always_ff @(posedge clk) if (take_3_q) words[index_3_q] <= sum_q;

  always_ff @(posedge clk) begin
    take_1_q <= take;
    index_1_q <= index_q;
    picked_1_q <= picked;
    fresh_1_q <= fresh_q || 32'(address) >= COUNTERS;
    ask_1_q <= read_valid;
    high_1_q <= read_address[0];

    take_2_q <= take_1_q;
    index_2_q <= index_1_q;
    picked_2_q <= picked_1_q;
    word_q <= read_q;
    fresh_2_q <= fresh_1_q;
    ask_2_q <= ask_1_q;
    high_2_q <= high_1_q;

    take_3_q <= take_2_q;
    index_3_q <= index_2_q;
    sum_q <= word + 64'(picked_2_q);

    if (rst) begin
      take_1_q <= 1'b0;
      take_2_q <= 1'b0;
      take_3_q <= 1'b0;
      ask_1_q <= 1'b0;
      ask_2_q <= 1'b0;
    end
  end

  word_halves answer (
      .clk,
      .rst,
      .asked(ask_2_q),
      .high (high_2_q),
      .word,
      .data_valid,
      .data
  );

endmodule
