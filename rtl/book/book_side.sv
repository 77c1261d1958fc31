// One side of the book by price: the front, the sums behind it, and the refill between them.
//
// Every command goes to the front, which answers in the same cycle, and to the sums, which know all
// levels of the window. When the front has room and does not hold the whole side, the refill reads
// the next level from the sums while no command is on its way; a command that arrives meanwhile
// only makes it start again. `steady` falls early enough that the front never runs dry before
// the commands on their way are through.
module book_side
  import book_pkg::ORDER_BITS;
  import book_pkg::PRICE_BITS;
#(
    parameter int unsigned LEVELS = 12,
    parameter int unsigned CANDIDATES = 10,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned SUM_BITS = 44,
    parameter int unsigned COUNT_BITS = 13
) (
    input  logic                                 clk,
    input  logic                                 rst,
    input  logic                                 wipe,
    input  logic [ RANK_BITS-1:0]                wipe_rank,
    // s2, see book_front
    input  logic                                 s2_valid,
    input  logic                                 s2_try,
    input  logic [ RANK_BITS-1:0]                s2_rank,
    input  logic [PRICE_BITS-1:0]                s2_price,
    input  logic                                 s2_add,
    input  logic [CANDIDATES-1:0][RANK_BITS-1:0] s2_candidate_rank,
    input  logic [CANDIDATES-1:0]                s2_candidate_removed,
    // s3
    input  logic                                 remove,
    input  logic [ RANK_BITS-1:0]                remove_rank,
    input  logic [ORDER_BITS-1:0]                remove_quantity,
    input  logic                                 add,
    input  logic [ RANK_BITS-1:0]                add_rank,
    input  logic [ORDER_BITS-1:0]                add_quantity,
    output logic                                 top_valid,
    output logic [PRICE_BITS-1:0]                top_price,
    output logic [  SUM_BITS-1:0]                top_quantity,
    output logic [COUNT_BITS-1:0]                top_count,
    // The price of the rank that the refill is at.
    output logic [ RANK_BITS-1:0]                refill_rank,
    input  logic [PRICE_BITS-1:0]                refill_price,
    // Commands may come.
    output logic                                 steady,
    // One pulse for each level that the refill brought to the front.
    output logic                                 refilled
);
  // When `levels` says so, six commands may be on their way that it does not know of, each ending a
  // level: those in s0 to s3 when it was counted, and two until `steady` has fallen.
  localparam int unsigned LOW = 6;

  initial if (LEVELS < LOW + 4) $fatal(1, "%m: LEVELS must be at least %0d", LOW + 4);

  logic install, lower, clear, search, found, none;
  logic [RANK_BITS-1:0] lower_to, found_rank, edge_rank;
  logic edge_open, whole;
  logic [SUM_BITS-1:0] came_quantity, went_quantity;
  logic [COUNT_BITS-1:0] came_count, went_count;
  logic came_busy, went_busy;
  logic [$clog2(LEVELS+1)-1:0] levels;

  logic [RANK_BITS-1:0] rank_q;
  logic [SUM_BITS-1:0] quantity_q;
  logic [COUNT_BITS-1:0] count_q;

  book_front #(
      .LEVELS(LEVELS),
      .CANDIDATES(CANDIDATES),
      .RANK_BITS(RANK_BITS),
      .ORDER_BITS(ORDER_BITS),
      .SUM_BITS(SUM_BITS),
      .COUNT_BITS(COUNT_BITS)
  ) u_front (
      .clk,
      .rst               (rst || wipe),
      .s2_try,
      .s2_rank,
      .s2_price,
      .s2_add,
      .s2_candidate_rank,
      .s2_candidate_removed,
      .s3_add_quantity   (add_quantity),
      .s3_remove_quantity(remove_quantity),
      .install,
      .install_rank      (rank_q),
      .install_price     (refill_price),
      .install_quantity  (quantity_q),
      .install_count     (count_q),
      .lower,
      .lower_to,
      .top_valid,
      .top_price,
      .top_quantity,
      .top_count,
      .levels,
      .edge_rank,
      .edge_open
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
      .search_below(edge_rank),
      .search_from (edge_open),
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
  logic quiet, wanted, full, s3_valid_q;

  always_comb begin
    quiet = !came_busy && !went_busy && !s2_valid && !s3_valid_q;
    // One slot stays free, so that an order that may come to nothing pushes no level out.
    full = levels >= ($clog2(LEVELS + 1))'(LEVELS - 1);
    whole = edge_rank == '0 && !edge_open;
    wanted = quiet && !full && !whole;

    search = 1'b0;
    install = 1'b0;
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
        install = quiet && count_q != '0;
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
    s3_valid_q <= s2_valid;
    if (state_q == SEARCH) rank_q <= found_rank;
    quantity_q <= came_quantity - went_quantity;
    count_q <= came_count - went_count;
    if (rst || wipe) state_q <= REST;
  end

  assign refilled = install;
  assign refill_rank = rank_q;

  // Falls at LOW, rises when the front is nearly full again or holds the whole side.
  logic steady_q;
  always_ff @(posedge clk) begin
    if (whole || levels >= ($clog2(LEVELS + 1))'(LEVELS - 2)) steady_q <= 1'b1;
    else if (levels < ($clog2(LEVELS + 1))'(LOW + 1)) steady_q <= 1'b0;
    if (rst || wipe) steady_q <= 1'b0;
  end
  assign steady = steady_q;
endmodule
