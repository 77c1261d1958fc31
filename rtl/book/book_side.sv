// One side of the book by price: the front, the sums behind it, and the refill between them.
//
// Every command goes to the front, which answers in the same cycle, and to the sums, which know all
// levels of the window. When the front has room and does not hold the whole side, the refill reads
// the next level from the sums while no command is on its way; a command that arrives meanwhile
// only makes it start again. `steady` falls early enough that the front never runs dry before
// the commands on their way are through.
module book_side
  import book_pkg::ORDER_BITS;
#(
    parameter int unsigned LEVELS = 16,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned SUM_BITS = 44,
    parameter int unsigned COUNT_BITS = 13
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  wipe,
    input  logic [ RANK_BITS-1:0] wipe_rank,
    // s3
    input  logic                  remove,
    input  logic [ RANK_BITS-1:0] remove_rank,
    input  logic [ORDER_BITS-1:0] remove_quantity,
    input  logic                  add,
    input  logic [ RANK_BITS-1:0] add_rank,
    input  logic [ORDER_BITS-1:0] add_quantity,
    output logic                  top_valid,
    output logic [ RANK_BITS-1:0] top_rank,
    output logic [  SUM_BITS-1:0] top_quantity,
    output logic [COUNT_BITS-1:0] top_count,
    // Commands may come.
    output logic                  steady,
    // One pulse for each level that the refill brought to the front.
    output logic                  refilled
);
  // Five commands are on their way when `steady` has fallen: one may be taken in that cycle and
  // one before, one each is in s1, s2, s3. One level must be left.
  localparam int unsigned LOW = 6;

  logic append, lower, clear, search, found, none;
  logic [RANK_BITS-1:0] lower_to, found_rank, complete_to;
  logic [SUM_BITS-1:0] came_quantity, went_quantity;
  logic [COUNT_BITS-1:0] came_count, went_count;
  logic came_busy, went_busy;
  logic [$clog2(LEVELS+1)-1:0] levels;

  logic [RANK_BITS-1:0] rank_q;
  logic [SUM_BITS-1:0] quantity_q;
  logic [COUNT_BITS-1:0] count_q;

  book_front #(
      .LEVELS(LEVELS),
      .RANK_BITS(RANK_BITS),
      .ORDER_BITS(ORDER_BITS),
      .SUM_BITS(SUM_BITS),
      .COUNT_BITS(COUNT_BITS)
  ) u_front (
      .clk,
      .rst            (rst || wipe),
      .remove,
      .remove_rank,
      .remove_quantity,
      .add,
      .add_rank,
      .add_quantity,
      .append,
      .append_rank    (rank_q),
      .append_quantity(quantity_q),
      .append_count   (count_q),
      .lower,
      .lower_to,
      .top_valid,
      .top_rank,
      .top_quantity,
      .top_count,
      .levels,
      .complete_to
  );

  book_sums #(
      .OFFSET_BITS(RANK_BITS),
      .ORDER_BITS(ORDER_BITS),
      .SUM_BITS(SUM_BITS),
      .COUNT_BITS(COUNT_BITS)
  ) u_came (
      .clk,
      .rst,
      .wipe,
      .wipe_offset  (wipe_rank),
      .s3_valid     (add),
      .s3_offset    (add_rank),
      .s3_quantity  (add_quantity),
      .read_offset  (rank_q),
      .read_quantity(came_quantity),
      .read_count   (came_count),
      .busy         (came_busy)
  );

  book_sums #(
      .OFFSET_BITS(RANK_BITS),
      .ORDER_BITS(ORDER_BITS),
      .SUM_BITS(SUM_BITS),
      .COUNT_BITS(COUNT_BITS)
  ) u_went (
      .clk,
      .rst,
      .wipe,
      .wipe_offset  (wipe_rank),
      .s3_valid     (remove),
      .s3_offset    (remove_rank),
      .s3_quantity  (remove_quantity),
      .read_offset  (rank_q),
      .read_quantity(went_quantity),
      .read_count   (went_count),
      .busy         (went_busy)
  );

  book_map #(
      .RANK_BITS(RANK_BITS)
  ) u_map (
      .clk,
      .rst,
      .wipe,
      .wipe_word   (wipe_rank[RANK_BITS-RANK_BITS/2-1:0]),
      .set         (add),
      .set_rank    (add_rank),
      .clear,
      .clear_rank  (rank_q),
      .search,
      .search_below(complete_to),
      .found,
      .none,
      .found_rank
  );

  // ---------------------------------------------------------------- refill

  typedef enum logic [2:0] {
    REST,
    SEARCH,
    ADDRESS,
    ARRIVE,
    SUBTRACT,
    INSTALL
  } state_t;
  state_t state_q, state_d;
  logic quiet, wanted, full;

  always_comb begin
    quiet = !came_busy && !went_busy;
    full = levels == ($clog2(LEVELS + 1))'(LEVELS);
    wanted = quiet && !full && complete_to != '0;

    search = 1'b0;
    append = 1'b0;
    lower = 1'b0;
    lower_to = '0;
    clear = 1'b0;
    state_d = state_q;
    unique case (state_q)
      REST: begin
        search = wanted;
        if (wanted) state_d = SEARCH;
      end
      SEARCH: begin
        if (found) state_d = ADDRESS;
        if (none) begin
          lower   = quiet;
          state_d = REST;
        end
      end
      ADDRESS:  state_d = ARRIVE;
      ARRIVE:   state_d = SUBTRACT;
      SUBTRACT: state_d = INSTALL;
      default: begin
        append = quiet && count_q != '0;
        clear = quiet && count_q == '0;
        lower = clear;
        lower_to = rank_q;
        state_d = REST;
      end
    endcase
    if (!quiet) state_d = REST;
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    if (state_q == SEARCH) rank_q <= found_rank;
    quantity_q <= came_quantity - went_quantity;
    count_q <= came_count - went_count;
    if (rst || wipe) state_q <= REST;
  end

  assign refilled = append;

  // Falls at LOW, rises when the front is nearly full again or holds the whole side.
  logic steady_q;
  always_ff @(posedge clk) begin
    if (complete_to == '0 || levels >= ($clog2(LEVELS + 1))'(LEVELS - 2)) steady_q <= 1'b1;
    else if (levels < ($clog2(LEVELS + 1))'(LOW + 1)) steady_q <= 1'b0;
    if (rst || wipe) steady_q <= 1'b0;
  end
  assign steady = steady_q;
endmodule
