// The best levels of one side in registers, best first: what makes the top known at once.
//
// A command moves each level by at most one place: the ones behind a level that ends rise, the ones
// behind a new level sink. Hence the next top is one of three, the new level, the first or the
// second, and what is found out about the places in s2 follows their move into s3.
//   s2  the places where the command adds are found, and, once the order's id has been compared, the
//       place from which it removes
//   s3  does a level end, does a new one begin: each place then takes its level, its neighbours' or the
//       new one. `top` is combinational, with the command in s3 applied
//   s4  behind the first place the sums follow the move; what the command added to one of the first three is
//       in them already; what it added behind them, and what it removed, comes now
// Who moves is known late in s3. So what moves at once is what the next command compares (the ranks, and
// what was found out about the places) and the first level's sums. All others are changed where they
// stood, and move in the next cycle by registers. What a command removes is subtracted at once in the
// first place, and in the next cycle behind it. What it adds at place LATE or behind is added in the next cycle,
// too: a level must be as it is when it may be the next top, and rises by one place a cycle.
//
// The promise of the front is its edge: it holds every level of rank `edge` or better (only better, if
// `open`), and no other. The edge rises when a level is pushed out, and the refill lowers it. At edge
// 0, not open, the front holds the whole side.
module book_front
  import book_pkg::kind_t;
#(
    parameter int unsigned LEVELS = 12,
    parameter int unsigned CANDIDATES = 7,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned HIGH_BITS = 54,
    parameter int unsigned ORDER_BITS = 32,
    parameter int unsigned SUM_BITS = 44,
    parameter int unsigned COUNT_BITS = 13
) (
    input  logic                                 clk,
    input  logic                                 rst,
    // s2: an order may be added at this rank.
    input  logic                                 s2_try,
    input  logic [ RANK_BITS-1:0]                s2_rank,
    input  logic [ HIGH_BITS-1:0]                s2_high,            // of the price
    // s2: ranks of the orders that the command may mean, and whether it would remove them here; by the
    // end of the cycle, which one it means; or that the command in s3 meant or leaves, to remove here.
    input  logic [CANDIDATES-1:0][RANK_BITS-1:0] s2_candidate_rank,
    input  logic [CANDIDATES-1:0]                s2_candidate_here,
    input  logic [CANDIDATES-1:0]                s2_meant,
    input  logic                                 s2_meant_s3,
    input  logic                                 s2_change,          // both adds and removes
    input  logic [ RANK_BITS-1:0]                s2_found_rank,      // of the one meant
    input  logic [ORDER_BITS-1:0]                s2_found_quantity,
    // s2: what it would add, and by the end of the cycle, whether it is a New that adds here; whether it
    // removes here, and thus adds if it is a Change.
    input  logic [ORDER_BITS-1:0]                s2_quantity,
    input  logic                                 s2_new,
    input  logic                                 s2_remove,
    // The next level from memory; or only a lower edge. Only while no command is in s2 and s3, and a
    // place is free.
    input  logic                                 install,
    input  logic [    LEVELS-1:0]                here,               // the place behind the last
    input  logic [ RANK_BITS-1:0]                install_rank,
    input  logic [ HIGH_BITS-1:0]                install_high,
    input  logic [  SUM_BITS-1:0]                install_quantity,
    input  logic [COUNT_BITS-1:0]                install_count,
    input  logic                                 lower,
    input  logic [ RANK_BITS-1:0]                lower_to,
    // High bits of the price of a rank that begins with these, at once.
    output logic [           1:0]                second_quarter,
    input  logic [ HIGH_BITS-1:0]                second_high,
    output logic                                 top_valid,
    output logic [ RANK_BITS-1:0]                top_rank,
    output logic [ HIGH_BITS-1:0]                top_high,
    output logic [  SUM_BITS-1:0]                top_quantity,
    output logic [COUNT_BITS-1:0]                top_count,
    // Which places are taken: the first so many.
    output logic [    LEVELS-1:0]                live,
    output logic [ RANK_BITS-1:0]                edge_rank,
    output logic                                 edge_open
);
  initial if (LEVELS < 4) $fatal(1, "%m: LEVELS must be at least 4");

  typedef logic [LEVELS-1:0] places_t;

  localparam int unsigned LATE = 3;

  places_t live_q;
  logic [LEVELS-1:0][RANK_BITS-1:0] rank_q;
  logic [HIGH_BITS-1:0] high_q;  // of the first
  logic sole_q;  // the first has one order
  logic [1:0] second_quarter_q;  // a copy of the highest bits of the second's rank, for its price
  logic [SUM_BITS-1:0] quantity_q;  // of the first
  logic [COUNT_BITS-1:0] count_q;  // of the first
  // The levels where they stood before the last command, with what it added before LATE, but not yet with what
  // it added behind, nor without what it removed; and the level that it began, or that was installed.
  logic [LEVELS-1:0][SUM_BITS-1:0] stood_quantity_q;
  logic [LEVELS-1:0][COUNT_BITS-1:0] stood_count_q;
  places_t stood_sole_q;  // has one order, without what the last one removed, too
  logic [SUM_BITS-1:0] new_quantity_q;
  logic [COUNT_BITS-1:0] new_count_q;
  logic new_sole_q;
  // `move` of the cycle before; and copies, each for a half of the quantities, and one for the counts.
  logic [LEVELS-1:0][1:0] moved_q;
  logic [2:0][LEVELS-1:0][1:0] moved_sum_q;
  // By the places of now, the last command removed from the level.
  logic [LEVELS-1:1] owes_q;  // the first never does
  logic second_owes_q;  // a copy, for the top's sums
  places_t owes;
  // By the places of now, it added to the level, which stood at LATE or behind.
  logic [LEVELS-1:LATE-1] gains_q;
  places_t gains;
  // What the last command removed, negative; what it added; and both.
  logic [SUM_BITS-1:0] owed_q, net_q;
  logic [ORDER_BITS-1:0] gained_q;
  // What the command in s3 adds, with what the last one removed; and with what that added.
  logic [SUM_BITS-1:0] both_q, twice_q;
  logic [ORDER_BITS-1:0] s3_quantity_q, s3_found_quantity_q;
  logic [RANK_BITS-1:0] edge_q;
  logic open_q;

  // Of the command in s3, by the places of now.
  places_t better_q, equal_q;  // than the level there, or none is there; to the level there
  logic [RANK_BITS-1:0] s3_rank_q;
  logic [2:0][RANK_BITS-1:0] s3_found_rank_q;  // copies: places behind, first places, next command
  logic [HIGH_BITS-1:0] s3_high_q;
  // Of the command in s3, by the places when it was in s2; the last is the level that was new then.
  logic [LEVELS:0] struck_q;  // it removes there
  logic struck_first_q;  // it removes from the first level, by the places of now
  logic [1:0] equal_sum_q;  // a copy of the first two, for the top's sums
  // Copies: for the moves of the first two places and the top's price, for the moves of those behind; for
  // the sums of the first two places and the next command, for those behind and the top's sums.
  kind_t [3:0] kind_q;
  // It begins a level, if it adds: there is none at its rank, and the edge covers it. Copies, as above.
  logic [1:0] begins_q;
  // It adds where it removes: the level does not end. Copies: for the first place, for those behind.
  logic [1:0] stays_q;
  logic [3:0] s3_adds;
  logic s3_add;
  always_comb for (int c = 0; c < 4; c++) s3_adds[c] = book_pkg::adds(kind_q[c]);
  assign s3_add = s3_adds[2];

  // ---------------------------------------------------------------- s2: where

  places_t better, equal;
  logic [LEVELS:0] struck;
  logic better_than_new, equal_to_new, covered, stays;

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      better[k] = !live_q[k] || s2_rank > rank_q[k];
      equal[k] = s2_try && live_q[k] && s2_rank == rank_q[k];
      struck[k] = s2_meant_s3
          && (s3_add ? equal_q[k] : live_q[k] && s3_found_rank_q[2] == rank_q[k]);
      for (int c = 0; c < CANDIDATES; c++) begin
        struck[k] |= s2_meant[c] && s2_candidate_here[c] && live_q[k]
            && s2_candidate_rank[c] == rank_q[k];
      end
    end
    better_than_new = s2_rank > s3_rank_q;
    equal_to_new = s2_try && s2_rank == s3_rank_q;
    covered = open_q ? s2_rank > edge_q : s2_rank >= edge_q;

    // What the command in s3 leaves is at the rank that it adds at, if it adds.
    struck[LEVELS] = s2_meant_s3 && s3_add;
    stays = s2_meant_s3 && s2_change && (s3_add ? s3_rank_q : s3_found_rank_q[2]) == s2_rank;
    for (int c = 0; c < CANDIDATES; c++) begin
      struck[LEVELS] |= s2_meant[c] && s2_candidate_here[c] && s2_candidate_rank[c] == s3_rank_q;
      stays |= s2_meant[c] && s2_candidate_rank[c] == s2_rank && s2_change;
    end
  end

  // ---------------------------------------------------------------- s3: who moves

  places_t removed_at;
  logic misses, pushed, shut;
  logic ending;
  logic [1:0] fresh;  // from each copy
  places_t behind;  // the level from which it removes, or itself
  places_t gone;  // the level that ends, or behind it

  always_comb begin
    ending = (struck_q & {1'b1, stood_sole_q}) != '0 && !stays_q[1];
    for (int c = 0; c < 2; c++) fresh[c] = s3_adds[c] && begins_q[c];
    for (int k = 0; k < LEVELS; k++) begin
      behind[k] = s3_found_rank_q[k<LEVELS/2] >= rank_q[k];
      // Where the command found it in s2, and how that place moved since.
      unique case (moved_q[k])
        2'd0:    removed_at[k] = struck_q[k];
        2'd1:    removed_at[k] = k + 1 < LEVELS && struck_q[(k+1)%LEVELS];
        2'd2:    removed_at[k] = k > 0 && struck_q[(k+LEVELS-1)%LEVELS];
        default: removed_at[k] = struck_q[LEVELS];
      endcase
      if (k == 0) removed_at[k] = struck_first_q;
    end
    // Of the first level it is known sooner.
    for (int k = 0; k < LEVELS; k++) gone[k] = ending && behind[k];
    gone[0] = struck_first_q && sole_q && !stays_q[0];
  end

  // Each place takes: 0 what it has, 1 the level behind it, 2 the one before it, 3 the new one; by whether none
  // ends up to here, this one does, or one before it.
  logic [LEVELS-1:0][1:0] move_none, move_here, move_before, move;

  for (genvar k = 0; k < LEVELS; k++) begin : g_move
    localparam int unsigned C = k < 2 ? 0 : 1;
    // The new level is before this place, at it or before, at the next or before.
    logic begins_before, begins_here, begins_next;
    assign begins_before  = k > 0 && fresh[C] && better_q[k==0?0:k-1];
    assign begins_here    = fresh[C] && better_q[k];
    assign begins_next    = fresh[C] && (k == LEVELS - 1 || better_q[k==LEVELS-1?k:k+1]);
    assign move_none[k]   = {begins_here, begins_here && !begins_before} | {2{here[k]}};
    assign move_here[k]   = {begins_next, !begins_before};
    assign move_before[k] = {begins_next && !begins_here, !begins_here};
  end
  assign misses = fresh[1] && !gone[LEVELS-1];  // no place becomes free
  assign pushed = misses && better_q[LEVELS-1] && live_q[LEVELS-1];
  assign shut   = misses && !better_q[LEVELS-1];

  // ---------------------------------------------------------------- s3: quantities, top

  // The level that will be the first, for each half of the bits.
  logic [1:0][1:0] first_sum, first_price;
  for (genvar h = 0; h < 2; h++) begin : g_choice
    book_choice u_sum (
        .kind         (kind_q[3]),
        .begins       (begins_q[0]),
        .better_first (better_q[0]),
        .better_second(better_q[1]),
        .removes      (struck_first_q),
        .sole         (sole_q),
        .stays        (stays_q[0]),
        .installs     (here[0]),
        .first        (first_sum[h])
    );
    book_choice #(
        .PRICE(1'b1)
    ) u_price (
        .kind         (kind_q[0]),
        .begins       (begins_q[0]),
        .better_first (better_q[0]),
        .better_second(better_q[1]),
        .removes      (struck_first_q),
        .sole         (sole_q),
        .stays        (stays_q[0]),
        .installs     (here[0]),
        .first        (first_price[h])
    );
  end

  places_t adds;
  places_t sole_here;  // the level in its place has one order
  // The levels in their places; and with the order added, and without what the command before removed.
  logic [LEVELS-1:0][SUM_BITS-1:0] quantity_here, change, quantity;
  logic [LEVELS-1:0][1:0] orders;
  logic [LEVELS-1:0][COUNT_BITS-1:0] count_here, count;
  logic [SUM_BITS-1:0] more_quantity, less_quantity, second_quantity, else_quantity, new_quantity;
  logic [COUNT_BITS-1:0] more_count, less_count, second_count, else_count, new_count;
  logic [RANK_BITS-1:0] new_rank;
  logic [HIGH_BITS-1:0] new_high;

  // a + b, the lowest bit beside the carry chain: other sums have it in common with this one.
  function automatic logic [SUM_BITS-1:0] plus(input logic [SUM_BITS-1:0] a,
                                               input logic [SUM_BITS-1:0] b);
    automatic logic [SUM_BITS-1:0] carried = {b[SUM_BITS-1:1], a[0] && b[0]};
    automatic logic [SUM_BITS-1:0] sum = {a[SUM_BITS-1:1], 1'b1} + carried;
    return {(SUM_BITS - 1)'(sum >> 1), a[0] ^ b[0]};
  endfunction

  // a + b - c: one carry chain over sum and carry of each bit.
  function automatic logic [SUM_BITS-1:0] plus_minus(
      input logic [SUM_BITS-1:0] a, input logic [SUM_BITS-1:0] b, input logic [SUM_BITS-1:0] c);
    automatic logic [SUM_BITS-1:0] sums = a ^ b ^ ~c;
    automatic logic [SUM_BITS-2:0] carries = (SUM_BITS - 1)'((a & b) | (a & ~c) | (b & ~c));
    return sums + {carries, 1'b1};
  endfunction

  // What a level's quantity changes by: `added`, `owed`, `both` or nothing.
  function automatic logic [SUM_BITS-1:0] delta(
      input logic adds_it, input logic owes_it, input logic [SUM_BITS-1:0] added,
      input logic [SUM_BITS-1:0] owed, input logic [SUM_BITS-1:0] both);
    if (adds_it) return owes_it ? both : added;
    return owes_it ? owed : '0;
  endfunction

  assign owes  = {owes_q, 1'b0};
  assign gains = {gains_q, (LATE - 1)'(0)};

  localparam logic [1:0][SUM_BITS-1:0] HALF = {
    {{(SUM_BITS - SUM_BITS / 2) {1'b1}}, {(SUM_BITS / 2) {1'b0}}},
    {{(SUM_BITS - SUM_BITS / 2) {1'b0}}, {(SUM_BITS / 2) {1'b1}}}
  };
  localparam logic [1:0][HIGH_BITS-1:0] HALF_HIGH = {
    {{(HIGH_BITS - HIGH_BITS / 2) {1'b1}}, {(HIGH_BITS / 2) {1'b0}}},
    {{(HIGH_BITS - HIGH_BITS / 2) {1'b0}}, {(HIGH_BITS / 2) {1'b1}}}
  };

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      adds[k] = s3_adds[k<2?2:3] && equal_q[k];
      quantity_here[k] = '0;
      for (int h = 0; h < 2; h++) begin
        unique case (moved_sum_q[h][k])
          2'd0:    quantity_here[k] |= stood_quantity_q[k] & HALF[h];
          2'd1:    quantity_here[k] |= stood_quantity_q[(k+1)%LEVELS] & HALF[h];
          2'd2:    quantity_here[k] |= stood_quantity_q[(k+LEVELS-1)%LEVELS] & HALF[h];
          default: quantity_here[k] |= new_quantity_q & HALF[h];
        endcase
      end
      unique case (moved_sum_q[2][k])
        2'd0:    count_here[k] = stood_count_q[k];
        2'd1:    count_here[k] = stood_count_q[(k+1)%LEVELS];
        2'd2:    count_here[k] = stood_count_q[(k+LEVELS-1)%LEVELS];
        default: count_here[k] = new_count_q;
      endcase
      unique case (moved_q[k])
        2'd0:    sole_here[k] = stood_sole_q[k];
        2'd1:    sole_here[k] = stood_sole_q[(k+1)%LEVELS];
        2'd2:    sole_here[k] = stood_sole_q[(k+LEVELS-1)%LEVELS];
        default: sole_here[k] = new_sole_q;
      endcase
      if (k == 0) begin
        quantity_here[k] = quantity_q;
        count_here[k] = count_q;
        sole_here[k] = sole_q;
      end
      // What it was to become, and with what is added now. One that comes to LATE - 1 and gains rose by a command
      // that ended another level: it owes nothing.
      change[k] = delta(gains[k], owes[k], SUM_BITS'(gained_q), owed_q, net_q);
      orders[k] = {owes[k] && !gains[k], owes[k] ^ gains[k]};
      if (k < LATE && adds[k]) begin
        change[k] = gains[k] ? twice_q : owes[k] ? both_q : SUM_BITS'(s3_quantity_q);
        orders[k] = {gains[k], !gains[k] && !owes[k]};
      end
      quantity[k] = quantity_here[k] + change[k];
      // More by -1 to 2.
      count[k] = count_here[k] + {{(COUNT_BITS - 2) {&orders[k]}}, orders[k]};
    end
    // The first level sinks only with nothing added to it.
    quantity[0] = quantity_q;
    count[0] = count_q;
    // For the top: what chooses among these knows whether the order is added at all.
    more_quantity = plus(quantity_q, equal_sum_q[0] ? SUM_BITS'(s3_quantity_q) : '0);
    more_count = count_q + COUNT_BITS'(equal_sum_q[0]);
    less_quantity = plus_minus(quantity_q, equal_sum_q[0] ? SUM_BITS'(s3_quantity_q) : '0,
                               SUM_BITS'(s3_found_quantity_q));
    less_count = count_q - COUNT_BITS'(!equal_sum_q[0]);
    second_quantity = quantity_here[1]
        + delta(equal_sum_q[1], second_owes_q, SUM_BITS'(s3_quantity_q), owed_q, both_q);
    second_count = count_here[1] + {{(COUNT_BITS - 1) {second_owes_q && !equal_sum_q[1]}},
                                    second_owes_q ^ equal_sum_q[1]};

    new_rank = install ? install_rank : s3_rank_q;
    new_high = install ? install_high : s3_high_q;
    new_quantity = install ? install_quantity : SUM_BITS'(s3_quantity_q);
    new_count = install ? install_count : COUNT_BITS'(1);

    else_quantity = s3_adds[3] || here[0] ? new_quantity : quantity_q;
    else_count = s3_adds[3] || here[0] ? new_count : count_q;

    // What is known last chooses last.
    top_quantity = '0;
    top_high = '0;
    for (int h = 0; h < 2; h++) begin
      unique case (first_sum[h])
        2'd0:    top_quantity |= more_quantity & HALF[h];
        2'd1:    top_quantity |= less_quantity & HALF[h];
        2'd2:    top_quantity |= second_quantity & HALF[h];
        default: top_quantity |= else_quantity & HALF[h];
      endcase
      unique case (first_price[h])
        2'd2:    top_high |= second_high & HALF_HIGH[h];
        2'd3:    top_high |= new_high & HALF_HIGH[h];
        default: top_high |= high_q & HALF_HIGH[h];
      endcase
    end
    unique case (first_sum[0])
      2'd0:    top_count = more_count;
      2'd1:    top_count = less_count;
      2'd2:    top_count = second_count;
      default: top_count = else_count;
    endcase
    unique case (first_price[0])
      2'd2:    {top_valid, top_rank} = {live_q[1], rank_q[1]};
      2'd3:    {top_valid, top_rank} = {!here[0], s3_rank_q};
      default: {top_valid, top_rank} = {live_q[0], rank_q[0]};
    endcase
  end

  // ---------------------------------------------------------------- state

  // What moves at once, of each place and of the level that begins.
  typedef struct packed {
    logic                 live;
    logic [RANK_BITS-1:0] rank;
    logic                 better;
    logic                 equal;
    logic                 owes;
    logic                 gains;
  } place_t;

  place_t [LEVELS-1:0] place, next_place;
  place_t new_place;

  function automatic place_t taken(input logic [1:0] move_by, input place_t own,
                                   input place_t at_behind, input place_t at_before,
                                   input place_t begun);
    unique case (move_by)
      2'd0:    return own;
      2'd1:    return at_behind;
      2'd2:    return at_before;
      default: return begun;
    endcase
  endfunction

  // Has one order after this command, by the places before it.
  places_t sole;
  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      sole[k] = sole_here[k] && !adds[k];
      if (removed_at[k]) begin
        sole[k] = adds[k] ? sole_here[k]
            : count_here[k] == (owes[k] == gains[k] ? COUNT_BITS'(2)
                                : owes[k] ? COUNT_BITS'(3) : COUNT_BITS'(1));
      end
    end
  end

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      place[k] = '{
          live: live_q[k],
          rank: rank_q[k],
          better: better[k],
          equal: equal[k],
          owes: removed_at[k],
          gains: k >= LATE && adds[k]
      };
    end
    new_place = '{
        live: 1'b1,
        rank: new_rank,
        better: better_than_new,
        equal: equal_to_new,
        owes: 1'b0,
        gains: 1'b0
    };
  end

  for (genvar k = 0; k < LEVELS; k++) begin : g_place
    // Before the first there is none; behind the last, none that is known here.
    place_t at_before, at_behind;
    assign at_before = place[k==0?0 : k-1];

    always_comb begin
      at_behind = place[k==LEVELS-1?k:k+1];
      // The level that an order was removed from has ended.
      at_behind.owes = 1'b0;
      if (k == LEVELS - 1) begin
        {at_behind.live, at_behind.better, at_behind.equal, at_behind.gains} = 4'b0100;
      end
    end

    book_shift #(
        .WIDTH($bits(place_t) + 2)
    ) u_shift (
        .gone(gone[k]),
        .gone_before(k > 0 && gone[k==0?0 : k-1]),
        .if_none({move_none[k], taken(move_none[k], place[k], at_behind, at_before, new_place)}),
        .if_here({move_here[k], taken(move_here[k], place[k], at_behind, at_before, new_place)}),
        .if_before({
          move_before[k], taken(move_before[k], place[k], at_behind, at_before, new_place)
        }),
        .next({move[k], next_place[k]})
    );

    always_ff @(posedge clk) begin
      live_q[k] <= next_place[k].live && !rst;
      better_q[k] <= next_place[k].better;
      stood_sole_q[k] <= sole[k];
      stood_quantity_q[k] <= quantity[k];
      stood_count_q[k] <= count[k];
    end

    // Copies, for each has many loads.
    (* keep *) always_ff @(posedge clk) rank_q[k] <= next_place[k].rank;
    (* keep *) always_ff @(posedge clk) equal_q[k] <= next_place[k].equal;
    if (k < 2) begin : g_equal
      (* keep *) always_ff @(posedge clk) equal_sum_q[k] <= next_place[k].equal;
    end
    if (k > 0) begin : g_owes
      (* keep *) always_ff @(posedge clk) owes_q[k] <= next_place[k].owes;
    end
    if (k >= LATE - 1) begin : g_gains
      always_ff @(posedge clk) gains_q[k] <= next_place[k].gains;
    end
  end

  always_ff @(posedge clk) begin
    quantity_q <= top_quantity;
    count_q <= top_count;
    high_q <= top_high;
    unique case (move[0])
      2'd0: begin
        sole_q <= sole[0];
        struck_first_q <= struck[0];
      end
      2'd1: begin
        sole_q <= sole[1];
        struck_first_q <= struck[1];
      end
      default: begin
        sole_q <= new_count == COUNT_BITS'(1);
        struck_first_q <= struck[LEVELS];
      end
    endcase
    new_quantity_q <= new_quantity;
    new_count_q <= new_count;
    new_sole_q <= new_count == COUNT_BITS'(1);
    owed_q <= -SUM_BITS'(s3_found_quantity_q);
    gained_q <= s3_quantity_q;
    net_q <= SUM_BITS'(s3_quantity_q) - SUM_BITS'(s3_found_quantity_q);
    both_q <= SUM_BITS'(s2_quantity) - SUM_BITS'(s3_found_quantity_q);
    twice_q <= SUM_BITS'(s2_quantity) + SUM_BITS'(s3_quantity_q);

    s3_rank_q <= s2_rank;
    s3_high_q <= s2_high;
    // Beyond the edge a new level is nowhere. Otherwise it has one order.
    struck_q <= struck & {fresh[1], {LEVELS{1'b1}}};
    if (pushed) begin
      edge_q <= rank_q[LEVELS-1];
      open_q <= 1'b1;
    end
    if (shut) begin
      edge_q <= s3_rank_q;
      open_q <= 1'b1;
    end
    if (install || lower) begin
      edge_q <= install ? install_rank : lower_to;
      open_q <= 1'b0;
    end
    if (rst) begin
      edge_q <= '0;
      open_q <= 1'b0;
    end
  end

  kind_t kind;
  logic known, begins;
  always_comb begin
    // A level that it adds to is there, if it does not end, or begins.
    known = (equal != '0 && !(ending && s2_rank == s3_found_rank_q[2]))
        || (fresh[1] && equal_to_new);
    kind = rst ? '0 : '{enters: s2_new, removes: s2_remove, is_change: s2_change};
    begins = !known && (pushed ? better[LEVELS-1] : shut ? better_than_new : covered);
  end

  // Copies, for each has many loads.
  (* keep *) always_ff @(posedge clk) second_quarter_q <= next_place[1].rank[RANK_BITS-1-:2];
  (* keep *) always_ff @(posedge clk) second_owes_q <= next_place[1].owes;
  (* keep *) always_ff @(posedge clk) kind_q[0] <= kind;
  (* keep *) always_ff @(posedge clk) kind_q[1] <= kind;
  (* keep *) always_ff @(posedge clk) kind_q[2] <= kind;
  (* keep *) always_ff @(posedge clk) kind_q[3] <= kind;
  (* keep *) always_ff @(posedge clk) begins_q[0] <= begins;
  (* keep *) always_ff @(posedge clk) stays_q[0] <= stays;
  (* keep *) always_ff @(posedge clk) begins_q[1] <= begins;
  (* keep *) always_ff @(posedge clk) stays_q[1] <= stays;
  (* keep *) always_ff @(posedge clk) s3_found_rank_q[0] <= s2_found_rank;
  (* keep *) always_ff @(posedge clk) s3_found_rank_q[1] <= s2_found_rank;
  (* keep *) always_ff @(posedge clk) s3_found_rank_q[2] <= s2_found_rank;
  (* keep *) always_ff @(posedge clk) moved_q <= move;
  (* keep *) always_ff @(posedge clk) moved_sum_q[0] <= move;
  (* keep *) always_ff @(posedge clk) moved_sum_q[1] <= move;
  (* keep *) always_ff @(posedge clk) moved_sum_q[2] <= move;
  // Each side has one of its own.
  (* keep *) always_ff @(posedge clk) s3_quantity_q <= s2_quantity;
  (* keep *) always_ff @(posedge clk) s3_found_quantity_q <= s2_found_quantity;

  assign second_quarter = second_quarter_q;
  assign live = live_q;
  assign edge_rank = edge_q;
  assign edge_open = open_q;
endmodule
