// The best levels of one side, sorted in registers: what makes the top known at once.
//
// Entries are sorted by rank, best first and without gaps. A command may take from one level, add to
// one, or both (an order that moves). `complete_to` is the promise of the front: every level with
// that rank or a better one is in it. A level that falls off the end raises it; the refill appends
// levels at the end and lowers it. At 0 the front holds the whole side.
//
// `top` is combinational: the best level with the command applied that is in s3 now.
module book_front #(
    parameter int unsigned LEVELS = 16,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned ORDER_BITS = 32,
    parameter int unsigned SUM_BITS = 44,
    parameter int unsigned COUNT_BITS = 13
) (
    input  logic                        clk,
    input  logic                        rst,
    input  logic                        remove,
    input  logic [       RANK_BITS-1:0] remove_rank,
    input  logic [      ORDER_BITS-1:0] remove_quantity,
    input  logic                        add,
    input  logic [       RANK_BITS-1:0] add_rank,
    input  logic [      ORDER_BITS-1:0] add_quantity,
    // A level from memory behind the last one here; or only a lower bound. Not with a command.
    input  logic                        append,
    input  logic [       RANK_BITS-1:0] append_rank,
    input  logic [        SUM_BITS-1:0] append_quantity,
    input  logic [      COUNT_BITS-1:0] append_count,
    input  logic                        lower,
    input  logic [       RANK_BITS-1:0] lower_to,
    output logic                        top_valid,
    output logic [       RANK_BITS-1:0] top_rank,
    output logic [        SUM_BITS-1:0] top_quantity,
    output logic [      COUNT_BITS-1:0] top_count,
    output logic [$clog2(LEVELS+1)-1:0] levels,
    output logic [       RANK_BITS-1:0] complete_to
);
  initial if (LEVELS < 8) $fatal(1, "%m: LEVELS must be at least 8");

  typedef struct packed {
    logic                  valid;
    logic [RANK_BITS-1:0]  rank;
    logic [SUM_BITS-1:0]   quantity;
    logic [COUNT_BITS-1:0] count;
  } level_t;

  level_t level_q[LEVELS];
  level_t level_d[LEVELS];
  logic [$clog2(LEVELS+1)-1:0] levels_q, levels_d;
  logic [RANK_BITS-1:0] complete_to_q, complete_to_d;

  logic [LEVELS-1:0] takes, gives, ends, ahead, valids;
  logic [LEVELS:0] ended;  // by then a level has ended at this entry or before
  logic [LEVELS-1:0] ahead_left;
  level_t updated[LEVELS];
  level_t closed[LEVELS];  // without the level that ended
  level_t fresh;
  logic inserts, full, drops;

  always_comb begin
    fresh = '{valid: 1'b1, rank: add_rank, quantity: SUM_BITS'(add_quantity), count: 1};
    for (int k = 0; k < LEVELS; k++) begin
      valids[k] = level_q[k].valid;
      takes[k] = remove && level_q[k].valid && level_q[k].rank == remove_rank;
      gives[k] = add && level_q[k].valid && level_q[k].rank == add_rank;
      ahead[k] = level_q[k].valid && level_q[k].rank > add_rank;
      ends[k] = takes[k] && !gives[k] && level_q[k].count == 1;
      updated[k] = level_q[k];
      updated[k].quantity = level_q[k].quantity
          + (gives[k] ? SUM_BITS'(add_quantity) : '0) - (takes[k] ? SUM_BITS'(remove_quantity) : '0);
      if (gives[k] && !takes[k]) updated[k].count = level_q[k].count + 1'b1;
      if (takes[k] && !gives[k]) updated[k].count = level_q[k].count - 1'b1;
    end
    inserts = add && gives == '0 && add_rank >= complete_to_q;

    ended = '0;
    for (int k = 0; k < LEVELS; k++) ended[k+1] = ended[k] || ends[k];
    for (int k = 0; k < LEVELS; k++) begin
      closed[k] = updated[k];
      ahead_left[k] = ahead[k];
      if (ended[k+1]) begin
        closed[k] = k + 1 < LEVELS ? updated[(k+1)%LEVELS] : '0;
        ahead_left[k] = k + 1 < LEVELS ? ahead[(k+1)%LEVELS] : 1'b0;
      end
    end

    for (int k = 0; k < LEVELS; k++) begin
      level_d[k] = closed[k];
      if (inserts && !ahead_left[k]) begin
        level_d[k] = k == 0 || ahead_left[(k+LEVELS-1)%LEVELS] ? fresh : closed[(k+LEVELS-1)%LEVELS];
      end
    end

    full = &valids;
    drops = inserts && full && !ended[LEVELS];
    levels_d = levels_q;
    if (inserts && !drops && !ended[LEVELS]) levels_d = levels_q + 1'b1;
    if (ended[LEVELS] && !inserts) levels_d = levels_q - 1'b1;
    complete_to_d = drops ? level_d[LEVELS-1].rank : complete_to_q;
  end

  always_ff @(posedge clk) begin
    for (int k = 0; k < LEVELS; k++) level_q[k] <= level_d[k];
    levels_q <= levels_d;
    complete_to_q <= complete_to_d;
    if (append) begin
      for (int k = 0; k < LEVELS; k++) begin
        if (levels_q == ($clog2(LEVELS + 1))'(k)) begin
          level_q[k] <= '{
              valid: 1'b1,
              rank: append_rank,
              quantity: append_quantity,
              count: append_count
          };
        end
      end
      levels_q <= levels_q + 1'b1;
    end
    if (append || lower) complete_to_q <= append ? append_rank : lower_to;
    if (rst) begin
      for (int k = 0; k < LEVELS; k++) level_q[k].valid <= 1'b0;
      levels_q <= '0;
      complete_to_q <= '0;
    end
  end

  assign top_valid = level_d[0].valid;
  assign top_rank = level_d[0].rank;
  assign top_quantity = level_d[0].quantity;
  assign top_count = level_d[0].count;
  assign levels = levels_q;
  assign complete_to = complete_to_q;
endmodule
