// One side of the book by price: the front, the sums behind it, and the refill between them.
//
// Every command goes to the front, which keeps the top, and to the sums,
// which know all levels of the window. When the front has room and does not hold the whole side, the
// refill reads the next level from the sums while no command is on its way; a command that arrives
// meanwhile only makes it start again. `steady` falls early enough that the front never runs dry before
// the commands on their way are through.
module book_side
  import book_pkg::ORDER_BITS;
#(
    parameter int unsigned LEVELS = 11,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned HIGH_BITS = 54,
    parameter int unsigned SUM_BITS = 44,
    parameter int unsigned COUNT_BITS = 13
) (
    input  logic                  clk,
    input  logic                  hide,               // the top, at once: wiping follows
    input  logic                  wipe,
    input  logic [ RANK_BITS-1:0] wipe_rank,
    input  logic                  s1_valid,
    input  logic                  s2_valid,
    // s3, see book_front
    input  logic                  s3_valid,
    input  logic [ RANK_BITS-1:0] s3_rank,
    input  logic [ORDER_BITS-1:0] s3_quantity,
    input  logic                  s3_new,
    input  logic                  s3_remove,
    input  logic                  s3_change,
    input  logic [ RANK_BITS-1:0] s3_found_rank,
    input  logic [ORDER_BITS-1:0] s3_found_quantity,
    // s4
    input  logic                  s4_valid,
    input  logic                  remove,
    input  logic [ RANK_BITS-1:0] remove_rank,
    input  logic [ORDER_BITS-1:0] remove_quantity,
    input  logic                  add,
    input  logic [ RANK_BITS-1:0] add_rank,
    input  logic [ORDER_BITS-1:0] add_quantity,
    input  logic [ HIGH_BITS-1:0] s5_high,
    output logic                  top_valid,
    output logic [ RANK_BITS-1:0] top_rank,
    output logic [ HIGH_BITS-1:0] top_high,
    output logic [  SUM_BITS-1:0] top_quantity,
    output logic [COUNT_BITS-1:0] top_count,
    // High bits of the price of a rank that begins with these, at once.
    output logic [           1:0] second_quarter,
    input  logic [ HIGH_BITS-1:0] second_high,
    // Commands may come.
    output logic                  steady,
    // One pulse for each level that the refill brought to the front.
    output logic                  refilled
);
  // When the front is found to be so low, six more commands may be on their way, each ending a level:
  // those in s0 to s5 at that time. One level must be left, or the top is not known.
  localparam int unsigned LOW = 7;

  initial if (LEVELS < LOW + 4) $fatal(1, "%m: LEVELS must be at least %0d", LOW + 4);

  logic search, found, none;
  logic [RANK_BITS-1:0] found_rank, edge_rank;
  logic edge_open, whole_q;
  logic [SUM_BITS-1:0] came_quantity, went_quantity;
  logic [COUNT_BITS-2:0] came_count, went_count;
  logic came_busy, went_busy;
  logic [LEVELS-1:0] live;
  logic install, lower, clear, install_q, lower_q, clear_q;
  logic installs_q;  // a copy of `install_q`, for the front
  logic [RANK_BITS-1:0] lower_to, lower_to_q;

  logic [ RANK_BITS-1:0] rank_q;
  logic [  SUM_BITS-1:0] quantity_q;
  logic [COUNT_BITS-2:0] count_q;
  logic [COUNT_BITS-1:0] number_q;  // of orders
  logic some_q, lowered_q;
  logic soon_q;  // a level is installed in the next cycle

  // The sums' command: what was in s4.
  logic s5_add_q, s5_remove_q;
  logic [RANK_BITS-1:0] s5_add_rank_q, s5_remove_rank_q;
  logic [ORDER_BITS-1:0] s5_add_quantity_q, s5_remove_quantity_q;
  always_ff @(posedge clk) begin
    s5_add_q <= add && !wipe;
    s5_add_rank_q <= add_rank;
    s5_add_quantity_q <= add_quantity;
    s5_remove_q <= remove && !wipe;
    s5_remove_rank_q <= remove_rank;
    s5_remove_quantity_q <= remove_quantity;
  end

  book_front #(
      .LEVELS(LEVELS),
      .RANK_BITS(RANK_BITS),
      .HIGH_BITS(HIGH_BITS),
      .ORDER_BITS(ORDER_BITS),
      .SUM_BITS(SUM_BITS),
      .COUNT_BITS(COUNT_BITS)
  ) u_front (
      .clk,
      .wipe,
      .hide,
      .s3_rank,
      .s3_quantity,
      .s3_new,
      .s3_remove,
      .s3_change,
      .s3_found_rank,
      .s3_found_quantity,
      .s5_high,
      .install_next    (soon_q),
      .install         (installs_q),
      .install_rank    (rank_q),
      .install_quantity(quantity_q),
      .install_count   (number_q),
      .lower           (lower_q),
      .lower_to        (lower_to_q),
      .second_quarter,
      .second_high,
      .top_valid,
      .top_rank,
      .top_high,
      .top_quantity,
      .top_count,
      .live,
      .edge_rank,
      .edge_open
  );

  book_sums #(
      .OFFSET_BITS(RANK_BITS),
      .ORDER_BITS(ORDER_BITS),
      .SUM_BITS(SUM_BITS),
      .COUNT_BITS(COUNT_BITS - 1)
  ) u_came (
      .clk,
      .wipe,
      .wipe_offset  (wipe_rank),
      .valid        (s5_add_q),
      .offset       (s5_add_rank_q),
      .quantity     (s5_add_quantity_q),
      .read_offset  (rank_q),
      .read_quantity(came_quantity),
      .read_count   (came_count),
      .busy         (came_busy)
  );

  book_sums #(
      .OFFSET_BITS(RANK_BITS),
      .ORDER_BITS(ORDER_BITS),
      .SUM_BITS(SUM_BITS),
      .COUNT_BITS(COUNT_BITS - 1)
  ) u_went (
      .clk,
      .wipe,
      .wipe_offset  (wipe_rank),
      .valid        (s5_remove_q),
      .offset       (s5_remove_rank_q),
      .quantity     (s5_remove_quantity_q),
      .read_offset  (rank_q),
      .read_quantity(went_quantity),
      .read_count   (went_count),
      .busy         (went_busy)
  );

  book_map #(
      .RANK_BITS(RANK_BITS)
  ) u_map (
      .clk,
      .wipe,
      .wipe_word   (wipe_rank[RANK_BITS-RANK_BITS/2-1:0]),
      .set         (s5_add_q),
      .set_rank    (s5_add_rank_q),
      .clear       (clear_q),
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
    CHOOSE,
    SUBTRACT,
    CHECK,
    INSTALL
  } state_t;
  state_t state_q, state_d;
  logic quiet_q, free, wanted, wanted_q;

  always_comb begin
    // In the next two cycles nothing is in s3 to s5.
    free = quiet_q && !s1_valid && !s2_valid;
    wanted = quiet_q && wanted_q;

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
          lower   = free;
          state_d = REST;
        end
      end
      ADDRESS:  state_d = ARRIVE;
      ARRIVE:   state_d = CHOOSE;
      CHOOSE:   state_d = SUBTRACT;
      SUBTRACT: state_d = CHECK;
      CHECK:    state_d = INSTALL;
      default: begin
        install = free && some_q;
        clear = free && !some_q;
        lower = clear;
        lower_to = rank_q;
        state_d = REST;
      end
    endcase
    if (!quiet_q) state_d = REST;
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    // Nothing is in s3 and s4, or on its way to the sums.
    quiet_q <= !s2_valid && !s3_valid && !s4_valid && !came_busy && !went_busy;
    if (state_q == SEARCH) rank_q <= found_rank;
    whole_q <= edge_rank == '0 && !edge_open;
    // One place stays free. What was brought last is in the front, and whole_q is of now.
    wanted_q <= quiet_q && !live[LEVELS-2] && !whole_q
        && !install && !soon_q && !install_q && !lower && !lower_q && !lowered_q;
    lowered_q <= install_q || lower_q;
    soon_q <= install && !wipe;
    quantity_q <= came_quantity - went_quantity;
    count_q <= came_count - went_count;
    // Every order has some quantity.
    some_q <= quantity_q != '0;
    // As many as there can be are 0 in the sums, as are none.
    number_q <= {count_q == '0, count_q};
    lower_q <= lower;
    clear_q <= clear;
    lower_to_q <= lower_to;
    if (wipe) begin
      lower_q <= 1'b0;
      clear_q <= 1'b0;
    end
    if (wipe) state_q <= REST;
  end

  // Two copies, for the front has many loads.
  (* keep *) always_ff @(posedge clk) install_q <= soon_q && !wipe;
  (* keep *) always_ff @(posedge clk) installs_q <= soon_q && !wipe;

  assign refilled = install_q;

  // Falls at LOW, rises when the front is nearly full again or holds the whole side.
  logic steady_q;
  always_ff @(posedge clk) begin
    if (whole_q || live[LEVELS-3]) steady_q <= 1'b1;
    else if (!live[LOW]) steady_q <= 1'b0;
    if (wipe) steady_q <= 1'b0;
  end
  assign steady = steady_q;
endmodule
