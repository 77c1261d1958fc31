// The best levels of one side in registers: what makes the top known at once.
//
// A level has a slot and stays in it, so that what a command does can be marked slot by slot before
// its verdict is known. Which slot's rank is greater is kept as a matrix; the best one is the
// live slot that no other live slot beats.
//   s2  the slots of the level to take from and of the level to add to are found; a new level takes
//       a free slot, or that of the worst level, whether or not the command will be refused: a slot
//       without orders is free again
//   s3  quantities and counts change; `top` is combinational, with the command in s3 applied
// A live slot always tells its level's whole truth. The promise of the front is its edge: every
// level of rank `edge` or better (only better, if `open`) is live here. It rises when a level is
// pushed out, and the refill lowers it. At edge 0, not open, the front holds the whole side.
module book_front #(
    parameter int unsigned LEVELS = 12,
    parameter int unsigned CANDIDATES = 10,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned PRICE_BITS = 64,
    parameter int unsigned ORDER_BITS = 32,
    parameter int unsigned SUM_BITS = 44,
    parameter int unsigned COUNT_BITS = 13
) (
    input  logic                                       clk,
    input  logic                                       rst,
    // s2: an order may be added at this rank; whether it is, by the end of the cycle.
    input  logic                                       s2_try,
    input  logic [       RANK_BITS-1:0]                s2_rank,
    input  logic [      PRICE_BITS-1:0]                s2_price,
    input  logic                                       s2_add,
    // s2: ranks of the orders that the command may mean; by the end of the cycle, which it removes.
    input  logic [      CANDIDATES-1:0][RANK_BITS-1:0] s2_candidate_rank,
    input  logic [      CANDIDATES-1:0]                s2_candidate_removed,
    // s3
    input  logic [      ORDER_BITS-1:0]                s3_add_quantity,
    input  logic [      ORDER_BITS-1:0]                s3_remove_quantity,
    // A level from memory; or only a lower edge. Only while there is no command in s2 and s3.
    input  logic                                       install,
    input  logic [       RANK_BITS-1:0]                install_rank,
    input  logic [      PRICE_BITS-1:0]                install_price,
    input  logic [        SUM_BITS-1:0]                install_quantity,
    input  logic [      COUNT_BITS-1:0]                install_count,
    input  logic                                       lower,
    input  logic [       RANK_BITS-1:0]                lower_to,
    output logic                                       top_valid,
    output logic [      PRICE_BITS-1:0]                top_price,
    output logic [        SUM_BITS-1:0]                top_quantity,
    output logic [      COUNT_BITS-1:0]                top_count,
    // How many slots were live one cycle ago.
    output logic [$clog2(LEVELS+1)-1:0]                levels,
    output logic [       RANK_BITS-1:0]                edge_rank,
    output logic                                       edge_open
);
  initial if (LEVELS < 2) $fatal(1, "%m: LEVELS must be at least 2");

  typedef logic [LEVELS-1:0] slots_t;

  slots_t used_q, live_q, last_q;  // rank is set; has orders; has one order
  logic [LEVELS-1:0][ RANK_BITS-1:0] rank_q;
  logic [LEVELS-1:0][PRICE_BITS-1:0] price_q;
  logic [LEVELS-1:0][SUM_BITS-1:0] quantity_q, quantity_d;
  logic [LEVELS-1:0][COUNT_BITS-1:0] count_q, count_d;
  slots_t [LEVELS-1:0] beats_q;  // [i][j]: rank i is greater than rank j
  slots_t s3_added_q, s3_add, s3_remove_q;
  logic s3_add_q;
  assign s3_add = s3_add_q ? s3_added_q : '0;
  logic [RANK_BITS-1:0] edge_q, lost_rank_q;
  logic open_q, lost_q;

  // ---------------------------------------------------------------- s2

  logic [RANK_BITS-1:0] rank, worst_rank;
  slots_t same, above, removed, free, first_free, worst, fresh, added;
  logic covered, above_worst, pushed, shut;

  always_comb begin
    rank   = install ? install_rank : s2_rank;
    covered = install || ((open_q ? s2_rank > edge_q : s2_rank >= edge_q)
        && !(lost_q && s2_rank <= lost_rank_q));
    for (int k = 0; k < LEVELS; k++) begin
      same[k] = used_q[k] && rank_q[k] == rank;
      above[k] = rank > rank_q[k];
      removed[k] = 1'b0;
      for (int c = 0; c < CANDIDATES; c++) begin
        if (s2_candidate_removed[c] && s2_candidate_rank[c] == rank_q[k]) removed[k] = 1'b1;
      end
    end
    removed &= live_q | s3_added_q;

    free = ~live_q & ~s3_added_q;
    first_free = free & (~free + 1'b1);
    for (int k = 0; k < LEVELS; k++) worst[k] = live_q[k] && (live_q & beats_q[k]) == '0;
    above_worst = |(worst & above);
    worst_rank = '0;
    for (int k = 0; k < LEVELS; k++) worst_rank |= worst[k] ? rank_q[k] : '0;

    // A new level, and the slot for it.
    fresh = '0;
    pushed = 1'b0;  // the slot is that of the worst
    shut = 1'b0;  // there is none
    if ((s2_try || install) && covered && same == '0) begin
      if (free != '0) fresh = first_free;
      else if (above_worst) begin
        fresh  = worst;
        pushed = 1'b1;
      end else shut = 1'b1;
    end
    added = (same & (live_q | s3_added_q | {LEVELS{covered}})) | fresh;
  end

  // ---------------------------------------------------------------- s3

  slots_t survives, best;
  logic [SUM_BITS-1:0] plus, minus, sums;
  logic [SUM_BITS-2:0] carries;

  always_comb begin
    survives = s3_add | (live_q & ~(s3_remove_q & last_q));
    for (int k = 0; k < LEVELS; k++) begin
      // Three operands in one carry chain: + added - removed, as sum and carry of each bit.
      plus = s3_add[k] ? SUM_BITS'(s3_add_quantity) : '0;
      minus = ~(s3_remove_q[k] ? SUM_BITS'(s3_remove_quantity) : '0);
      sums = quantity_q[k] ^ plus ^ minus;
      carries = (SUM_BITS-1)'((quantity_q[k] & plus) | (quantity_q[k] & minus) | (plus & minus));
      quantity_d[k] = sums + {carries, 1'b1};
      count_d[k] = count_q[k] + {{(COUNT_BITS - 1) {s3_remove_q[k] && !s3_add[k]}},
                                 s3_remove_q[k] ^ s3_add[k]};

      best[k] = survives[k];
      for (int j = 0; j < LEVELS; j++) begin
        if (j != k && survives[j] && beats_q[j][k]) best[k] = 1'b0;
      end
    end
    top_price = '0;
    top_quantity = '0;
    top_count = '0;
    for (int k = 0; k < LEVELS; k++) begin
      top_price |= best[k] ? price_q[k] : '0;
      top_quantity |= best[k] ? quantity_d[k] : '0;
      top_count |= best[k] ? count_d[k] : '0;
    end
  end
  assign top_valid = |survives;

  // ---------------------------------------------------------------- state

  always_ff @(posedge clk) begin
    s3_add_q <= s2_add;
    s3_added_q <= s2_try ? added : '0;
    s3_remove_q <= removed & ~(pushed ? fresh : '0);
    live_q <= survives;
    for (int k = 0; k < LEVELS; k++) begin
      if (fresh[k]) begin
        used_q[k] <= 1'b1;
        rank_q[k] <= rank;
        for (int j = 0; j < LEVELS; j++) begin
          beats_q[k][j] <= j != k && above[j];
          if (j != k) beats_q[j][k] <= !above[j];
        end
        if (pushed) live_q[k] <= 1'b0;
      end
      // A slot without orders may have this rank from another window.
      if ((s2_try || install) && added[k]) price_q[k] <= install ? install_price : s2_price;
      if (install && added[k]) live_q[k] <= 1'b1;
      // `install` pushes nothing out.
      if (rst || (pushed && fresh[k])) begin
        quantity_q[k] <= '0;
        count_q[k] <= '0;
        last_q[k] <= 1'b0;
      end else begin
        quantity_q[k] <= install && added[k] ? install_quantity : quantity_d[k];
        count_q[k] <= install && added[k] ? install_count : count_d[k];
        last_q[k] <= (install && added[k] ? install_count : count_d[k]) == 1;
      end
    end

    // What is no longer here raises the edge, one cycle later: a level pushed out may be one that
    // was below the edge, and then the edge stays.
    lost_q <= pushed || shut;
    lost_rank_q <= pushed ? worst_rank : rank;
    if (lost_q && lost_rank_q >= edge_q) begin
      edge_q <= lost_rank_q;
      open_q <= 1'b1;
    end
    if (install || lower) begin
      edge_q <= install ? install_rank : lower_to;
      open_q <= 1'b0;
    end

    if (rst) begin
      used_q <= '0;
      live_q <= '0;
      s3_add_q <= 1'b0;
      s3_added_q <= '0;
      s3_remove_q <= '0;
      edge_q <= '0;
      open_q <= 1'b0;
      lost_q <= 1'b0;
    end
  end

  logic [$clog2(LEVELS+1)-1:0] levels_q, live_count;
  always_comb begin
    live_count = '0;
    for (int k = 0; k < LEVELS; k++) live_count += ($clog2(LEVELS + 1))'(live_q[k]);
  end
  always_ff @(posedge clk) levels_q <= rst ? '0 : live_count;

  assign levels = levels_q;
  assign edge_rank = edge_q;
  assign edge_open = open_q;
endmodule
