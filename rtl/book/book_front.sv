// The best levels of one side in registers, best first: what makes the top known at once.
//
// A command moves each level by at most one place: the ones behind a level that ends rise, the ones
// behind a new level sink. Hence the next top is one of three, the new level, the first or the
// second, and what is found out about the places in s3 and s4 follows their move into s5.
//   s3  the places where the command would add are found
//   s4  the place from which it removes is found; does that level end, does a new one begin
//   s5  each place takes its level, its neighbours' or the new one
//   s6  the top is in registers, with the command applied; behind the first place the quantities follow
//       the move: what the command added is in them already, what it removed is subtracted now
// Who moves is known late in s5. So what moves at once is what the next commands are compared with (the
// ranks, the numbers of orders, and what was found out about the places) and the first level's quantity. All
// others are changed where they stood, and move in the next cycle by registers. What a command removes is
// subtracted at once in the first place, and one command later behind it.
//
// Whether a level ends is known by the end of s4: its number of orders is held with the flags by which one
// sees at once that it is one or two (see `few`).
//
// The promise of the front is its edge: it holds every level of rank `edge` or better (only better, if
// `open`), and no other. The edge rises when a level is pushed out, and the refill lowers it. At edge
// 0, not open, the front holds the whole side. The refill comes while there still are levels: so it
// never brings the first.
module book_front #(
    parameter int unsigned LEVELS = 11,
    parameter int unsigned RANK_BITS = 12,
    parameter int unsigned HIGH_BITS = 54,
    parameter int unsigned ORDER_BITS = 32,
    parameter int unsigned SUM_BITS = 44,
    parameter int unsigned COUNT_BITS = 13
) (
    input  logic                  clk,
    input  logic                  wipe,
    input  logic                  hide,               // the top, at once; wiping follows
    // s3: the rank at which an order may be added; by the end of the cycle, whether it is a New that adds
    // here; whether an order is removed here, and added again if it is a Change; which one.
    input  logic [ RANK_BITS-1:0] s3_rank,
    input  logic [ORDER_BITS-1:0] s3_quantity,
    input  logic                  s3_new,
    input  logic                  s3_remove,
    input  logic                  s3_change,
    input  logic [ RANK_BITS-1:0] s3_found_rank,
    input  logic [ORDER_BITS-1:0] s3_found_quantity,
    input  logic [ HIGH_BITS-1:0] s5_high,            // of the price
    // The next level from memory, of which it is known a cycle before; or only a lower edge. Only while no
    // command is in s3 to s5, and a place is free.
    input  logic                  install_next,
    input  logic                  install,
    input  logic [ RANK_BITS-1:0] install_rank,
    input  logic [  SUM_BITS-1:0] install_quantity,
    input  logic [COUNT_BITS-1:0] install_count,
    input  logic                  lower,
    input  logic [ RANK_BITS-1:0] lower_to,
    // High bits of the price of a rank that begins with these, at once.
    output logic [           1:0] second_quarter,
    input  logic [ HIGH_BITS-1:0] second_high,
    // s6, registers; they keep it.
    output logic                  top_valid,
    output logic [ RANK_BITS-1:0] top_rank,
    output logic [ HIGH_BITS-1:0] top_high,
    output logic [  SUM_BITS-1:0] top_quantity,
    output logic [COUNT_BITS-1:0] top_count,
    // Which places are taken: the first so many.
    output logic [    LEVELS-1:0] live,
    output logic [ RANK_BITS-1:0] edge_rank,
    output logic                  edge_open
);
  localparam int unsigned MANY_BITS = COUNT_BITS - 2;
  localparam int unsigned GROUP = 4;  // places: whether one of them ends is known together
  localparam int unsigned COPIES = 3;
  localparam int unsigned GROUPS = (LEVELS + GROUP - 1) / GROUP;

  initial begin
    if (LEVELS < 3) $fatal(1, "%m: LEVELS must be at least 3");
    if (COUNT_BITS < 3) $fatal(1, "%m: COUNT_BITS must be at least 3");
  end

  typedef logic [LEVELS-1:0] places_t;

  // A level's number of orders is 4 * many + low. `few` says that many is zero, `some` that it is one,
  // unless many has just been counted down: then it says so a cycle later, before it can be asked for.
  typedef struct packed {
    logic [MANY_BITS-1:0] many;
    logic [1:0]           low;
    logic                 few;
    logic                 some;
  } count_t;

  places_t live_q;
  logic [LEVELS-1:0][RANK_BITS-1:0] rank_q;
  count_t [LEVELS-1:0] count_q;
  logic [HIGH_BITS-1:0] high_q;  // of the first
  logic [SUM_BITS-1:0] quantity_q;  // of the first
  // The quantities where they stood before the last command, with what it added, but not yet without what
  // it removed; and of the level that it began, or that was installed.
  logic [LEVELS-1:0][SUM_BITS-1:0] stood_quantity_q;
  logic [SUM_BITS-1:0] new_quantity_q;
  // What the second place takes if neither its own nor the one behind: the first if that sinks, or the new.
  logic [SUM_BITS-1:0] second_new_q;
  // `move` of the cycle before; copies, each for a half of the bits.
  logic [1:0][LEVELS-1:0][1:0] moved_q;
  logic [1:0][1:0] second_moved_q;  // copies of the second's, for the top
  // By the places of now, the last command removed from the level.
  logic [LEVELS-1:1] owes_q;  // the first never does
  logic [1:0] second_owes_q;  // copies, for the top's halves
  places_t owes;
  // What the last command removed, negative; this with what the command in s5 adds; what that removes,
  // negative, and with what it adds.
  logic [SUM_BITS-1:0] owed_q, both_q, less_q, own_q;
  logic [RANK_BITS-1:0] edge_q;
  logic open_q;

  // Of the command in s4. By the places of now: its rank is equal to the level's, or better or there is none.
  logic s4_adds_q, s4_removes_q;
  logic [RANK_BITS-1:0] s4_rank_q, s4_found_rank_q;
  logic [ORDER_BITS-1:0] s4_quantity_q, s4_found_quantity_q;
  places_t s4_equal_q, s4_better_q;
  // Than the rank of the command in s5; to it; to the rank that that removes from; the edge covers it.
  logic s4_better_new_q, s4_equal_new_q, s4_equal_found_q, s4_covered_q;

  // Of the command in s5, by the places of now: it adds to the level; it begins one, here or before; it
  // removes from the level; it removes from this level, one before it or none.
  places_t equal_q, begin_q, struck_q, after_q;
  // Copies: for the numbers of orders; for the top, of the first's with more, with less, and of the second's
  // halves; of the first two.
  places_t equal_count_q, struck_count_q, equal_count;
  logic [1:0] equal_other;
  logic [1:0] equal_first_q, equal_second_q;
  logic struck_top_q;
  // A level of this group ends; the last is the level that was new then. Copies: one for as many places
  // each, and one for the top.
  logic [COPIES:0][GROUPS:0] ends_q;
  logic fresh_q;  // it begins a level, maybe beyond the last place
  logic [RANK_BITS-1:0] s5_rank_q;
  logic [ORDER_BITS-1:0] s5_quantity_q, s5_found_quantity_q;

  // ---------------------------------------------------------------- s5: who moves

  logic [COPIES:0] ends;  // a level, from each copy
  logic pushed, shut;
  always_comb for (int c = 0; c <= COPIES; c++) ends[c] = ends_q[c] != '0;

  // Each place takes: 0 what it has, 1 the level behind it, 2 the one before it, 3 the new one.
  logic [LEVELS-1:0][1:0] move;

  for (genvar k = 0; k < LEVELS; k++) begin : g_move
    localparam int unsigned C = k * COPIES / LEVELS;
    // The new level is before this place, at the next or before; the level that ends is before it.
    logic begins_before, begins_next, gone_before;
    assign begins_before = k > 0 && begin_q[k==0?0:k-1];
    assign begins_next = k == LEVELS - 1 ? fresh_q : begin_q[k==LEVELS-1?k:k+1];
    assign gone_before = k > 0 && after_q[k==0?0:k-1];
    // From before it, or the new level; from behind it, or the new level.
    assign move[k][1] = ends[C]
        ? (begin_q[k] ? !gone_before : begins_next && after_q[k]) : begin_q[k];
    assign move[k][0] = ends[C]
        ? (begin_q[k] ? !begins_before && !gone_before : after_q[k])
        : begin_q[k] && !begins_before;
  end
  // Whether no place becomes free is known as late.
  assign pushed = begin_q[LEVELS-1] && live_q[LEVELS-1] && !(ends[COPIES-1] && after_q[LEVELS-1]);
  assign shut = fresh_q && !begin_q[LEVELS-1] && !(ends[COPIES-1] && after_q[LEVELS-1]);

  // ---------------------------------------------------------------- s5: orders of a level

  count_t [LEVELS-1:0] counted;  // where they are
  count_t new_count;
  places_t sole_next;  // has one order then

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      automatic count_t is = count_q[k];
      automatic logic   more = equal_count_q[k] && !struck_count_q[k];
      automatic logic   less = struck_count_q[k] && !equal_count_q[k];
      automatic logic   carry = more && is.low == 2'd3;
      automatic logic   borrow = less && is.low == 2'd0;
      counted[k].low = is.low + {less, more || less};
      counted[k].many = is.many + ({MANY_BITS{borrow}} | MANY_BITS'(carry));
      counted[k].few = carry ? 1'b0 : borrow ? is.some : is.few;
      counted[k].some = carry ? is.few : !borrow && is.many == MANY_BITS'(1);
      sole_next[k] = is.few && (equal_count_q[k] == struck_count_q[k] ? is.low == 2'd1
                                                          : struck_count_q[k] && is.low == 2'd2);
    end
    new_count.many = install ? install_count[COUNT_BITS-1:2] : '0;
    new_count.low = install ? install_count[1:0] : 2'd1;
    new_count.few = !install || install_count[COUNT_BITS-1:2] == '0;
    new_count.some = 1'b0;  // for a cycle
  end

  // ---------------------------------------------------------------- s5: quantities, top

  // The level that will be the first, for each half of the bits.
  logic [1:0][1:0] first_sum, first_price;
  for (genvar h = 0; h < 2; h++) begin : g_choice
    book_choice #(
        .GROUPS(GROUPS)
    ) u_sum (
        .begins (begin_q[1:0]),
        .removes(struck_top_q),
        .ends   (ends_q[COPIES]),
        .first  (first_sum[h])
    );
    book_choice #(
        .GROUPS(GROUPS)
    ) u_price (
        .begins (begin_q[1:0]),
        .removes(struck_top_q),
        .ends   (ends_q[COPIES]),
        .first  (first_price[h])
    );
  end

  // The levels in their places; and with the order added, and without what the command before removed.
  logic [LEVELS-1:0][SUM_BITS-1:0] quantity_here, quantity;
  logic [SUM_BITS-1:0]
      more_quantity,
      less_quantity,
      second_here,
      second_delta,
      second_quantity,
      new_quantity,
      top_next;
  logic [HIGH_BITS-1:0] high_next;
  logic [RANK_BITS-1:0] new_rank;

  // What a level's quantity changes by.
  function automatic logic [SUM_BITS-1:0] delta(
      input logic adds_it, input logic owes_it, input logic [ORDER_BITS-1:0] added,
      input logic [SUM_BITS-1:0] owed, input logic [SUM_BITS-1:0] both);
    if (adds_it) return owes_it ? both : SUM_BITS'(added);
    return owes_it ? owed : '0;
  endfunction

  assign owes = {owes_q, 1'b0};

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
      quantity_here[k] = '0;
      for (int h = 0; h < 2; h++) begin
        unique case (moved_q[h][k])
          2'd0:    quantity_here[k] |= stood_quantity_q[k] & HALF[h];
          2'd1:    quantity_here[k] |= stood_quantity_q[(k+1)%LEVELS] & HALF[h];
          2'd2:    quantity_here[k] |= stood_quantity_q[(k+LEVELS-1)%LEVELS] & HALF[h];
          default: quantity_here[k] |= new_quantity_q & HALF[h];
        endcase
      end
      quantity[k] = quantity_here[k] + delta(equal_q[k], owes[k], s5_quantity_q, owed_q, both_q);
    end
    // The first level sinks only with nothing added to it.
    quantity[0] = quantity_q;
    more_quantity = quantity_q + (equal_first_q[0] ? SUM_BITS'(s5_quantity_q) : '0);
    less_quantity = quantity_q + (equal_first_q[1] ? own_q : less_q);
    second_here = '0;
    for (int h = 0; h < 2; h++) begin
      unique case (second_moved_q[h])
        2'd0:    second_here |= stood_quantity_q[1] & HALF[h];
        2'd1:    second_here |= stood_quantity_q[2] & HALF[h];
        default: second_here |= second_new_q & HALF[h];
      endcase
    end
    second_delta = '0;
    for (int h = 0; h < 2; h++) begin
      second_delta |= HALF[h] &
          delta(equal_second_q[h], second_owes_q[h], s5_quantity_q, owed_q, both_q);
    end
    second_quantity = second_here + second_delta;

    new_rank = install ? install_rank : s5_rank_q;
    new_quantity = install ? install_quantity : SUM_BITS'(s5_quantity_q);

    // What is known last chooses last.
    top_next = '0;
    high_next = '0;
    for (int h = 0; h < 2; h++) begin
      unique case (first_sum[h])
        2'd0:    top_next |= more_quantity & HALF[h];
        2'd1:    top_next |= less_quantity & HALF[h];
        2'd2:    top_next |= second_quantity & HALF[h];
        default: top_next |= SUM_BITS'(s5_quantity_q) & HALF[h];
      endcase
      unique case (first_price[h])
        2'd2:    high_next |= second_high & HALF_HIGH[h];
        2'd3:    high_next |= s5_high & HALF_HIGH[h];
        default: high_next |= high_q & HALF_HIGH[h];
      endcase
    end
  end

  // ---------------------------------------------------------------- s3 and s4: where

  // Equality beside an order of the same two would be made of their difference, behind its carries.
  function automatic logic same(input logic [RANK_BITS-1:0] a, input logic [RANK_BITS-1:0] b);
    return ~|(a ^ b);
  endfunction

  places_t s3_equal, s3_better, s4_struck, s4_after;
  logic s3_equal_new, s3_better_new, s4_struck_new, s4_after_new;
  logic s3_covered, s4_known, s4_begins, s4_stays;
  logic [GROUPS:0] s4_ends;

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      s3_equal[k] = live_q[k] && same(s3_rank, rank_q[k]);
      s3_better[k] = !live_q[k] || s3_rank > rank_q[k];
      s4_struck[k] = s4_removes_q && live_q[k] && same(s4_found_rank_q, rank_q[k]);
      s4_after[k] = !live_q[k] || s4_found_rank_q >= rank_q[k];
    end
    s3_equal_new = same(s3_rank, s5_rank_q);
    s3_better_new = s3_rank > s5_rank_q;
    s4_struck_new = s4_removes_q && same(s4_found_rank_q, s5_rank_q);
    s4_after_new = s4_found_rank_q >= s5_rank_q;

    // The edge only rises while a command is on its way.
    s3_covered = (open_q ? s3_rank > edge_q : s3_rank >= edge_q)
        && !(pushed && !s3_better[LEVELS-1]) && !(shut && !s3_better_new);

    // A level that it adds to is there, if it does not end, or begins.
    s4_known = (s4_equal_q != '0 && !(ends[COPIES-1] && s4_equal_found_q))
        || (fresh_q && s4_equal_new_q);
    s4_begins = s4_adds_q && s4_covered_q && !s4_known
        && !(pushed && !s4_better_q[LEVELS-1]) && !(shut && !s4_better_new_q);
    s4_stays = s4_adds_q && s4_removes_q && same(s4_rank_q, s4_found_rank_q);

    // A level that is pushed out, or beyond the edge, is none that moves: to say that it ends is harmless.
    s4_ends = '0;
    for (int k = 0; k < LEVELS; k++) s4_ends[k/GROUP] |= s4_struck[k] && sole_next[k];
    s4_ends[GROUPS] = s4_struck_new && fresh_q;
    if (s4_stays) s4_ends = '0;
  end

  // ---------------------------------------------------------------- state

  // What holds for each place, moved with the levels.
  places_t next_live, next_equal, next_begin, next_struck, next_after;
  places_t next_s4_equal, next_s4_better;
  logic [LEVELS-1:1] next_owes;
  logic [LEVELS-1:0][RANK_BITS-1:0] next_rank;
  count_t [LEVELS-1:0] next_count;

  for (genvar k = 0; k < LEVELS; k++) begin : g_place
    localparam int unsigned B = k == 0 ? 0 : k - 1;  // the place before
    localparam int unsigned A = k == LEVELS - 1 ? k : k + 1;  // the place behind, if there is one
    localparam logic LAST = k == LEVELS - 1;

    always_comb begin
      unique case (move[k])
        2'd0: begin
          next_live[k] = live_q[k];
          next_rank[k] = rank_q[k];
          next_count[k] = counted[k];
          next_s4_equal[k] = s3_equal[k];
          next_s4_better[k] = s3_better[k];
          next_equal[k] = s4_equal_q[k];
          next_begin[k] = s4_better_q[k];
          next_struck[k] = s4_struck[k];
          next_after[k] = s4_after[k];
        end
        2'd1: begin
          next_live[k] = !LAST && live_q[A];
          next_rank[k] = rank_q[A];
          next_count[k] = counted[A];
          next_s4_equal[k] = !LAST && s3_equal[A];
          next_s4_better[k] = LAST || s3_better[A];
          next_equal[k] = !LAST && s4_equal_q[A];
          next_begin[k] = LAST || s4_better_q[A];
          next_struck[k] = !LAST && s4_struck[A];
          next_after[k] = LAST || s4_after[A];
        end
        2'd2: begin
          next_live[k] = live_q[B];
          next_rank[k] = rank_q[B];
          next_count[k] = counted[B];
          next_s4_equal[k] = s3_equal[B];
          next_s4_better[k] = s3_better[B];
          next_equal[k] = s4_equal_q[B];
          next_begin[k] = s4_better_q[B];
          next_struck[k] = s4_struck[B];
          next_after[k] = s4_after[B];
        end
        default: begin
          next_live[k] = 1'b1;
          next_rank[k] = new_rank;
          next_count[k] = new_count;
          next_s4_equal[k] = s3_equal_new;
          next_s4_better[k] = s3_better_new;
          next_equal[k] = s4_equal_new_q;
          next_begin[k] = s4_better_new_q;
          next_struck[k] = s4_struck_new;
          next_after[k] = s4_after_new;
        end
      endcase
      next_equal[k] &= s4_adds_q;
      // What is installed goes the way of a new level, behind the others.
      next_begin[k] = (next_begin[k] && s4_begins) || (install_next && !live_q[k]);
      if (wipe || (hide && k == 0)) next_live[k] = 1'b0;
    end

    book_pick u_equal_count (
        .move  (move[k]),
        .own   (s4_equal_q[k]),
        .behind(!LAST && s4_equal_q[A]),
        .ahead (s4_equal_q[B]),
        .fresh (s4_equal_new_q),
        .counts(s4_adds_q),
        .picked(equal_count[k])
    );
    if (k < 2) begin : g_other
      book_pick u_equal_other (
          .move  (move[k]),
          .own   (s4_equal_q[k]),
          .behind(s4_equal_q[A]),
          .ahead (s4_equal_q[B]),
          .fresh (s4_equal_new_q),
          .counts(s4_adds_q),
          .picked(equal_other[k])
      );
    end

    if (k > 0) begin : g_owes
      always_comb begin
        unique case (move[k])
          2'd0:    next_owes[k] = struck_q[k];
          2'd2:    next_owes[k] = struck_q[B];
          default: next_owes[k] = 1'b0;
        endcase
      end
    end
  end

  always_ff @(posedge clk) begin
    live_q <= next_live;
    count_q <= next_count;
    s4_equal_q <= next_s4_equal;
    s4_better_q <= next_s4_better;
    fresh_q <= !wipe && s4_begins;
    struck_q <= next_struck;
    after_q <= next_after;

    stood_quantity_q <= quantity;
    quantity_q <= top_next;
    high_q <= high_next;
    new_quantity_q <= new_quantity;
    owed_q <= less_q;
    both_q <= SUM_BITS'(s4_quantity_q) - SUM_BITS'(s5_found_quantity_q);
    less_q <= -SUM_BITS'(s4_found_quantity_q);
    own_q <= SUM_BITS'(s4_quantity_q) - SUM_BITS'(s4_found_quantity_q);

    s4_adds_q <= !wipe && (s3_new || (s3_remove && s3_change));
    s4_removes_q <= !wipe && s3_remove;
    s4_rank_q <= s3_rank;
    s4_equal_new_q <= same(s3_rank, s4_rank_q);
    s4_better_new_q <= s3_rank > s4_rank_q;
    s4_equal_found_q <= same(s3_rank, s4_found_rank_q);
    s4_covered_q <= s3_covered;
    s5_rank_q <= s4_rank_q;
    s5_found_quantity_q <= s4_found_quantity_q;

    if (pushed) begin
      edge_q <= rank_q[LEVELS-1];
      open_q <= 1'b1;
    end
    if (shut) begin
      edge_q <= s5_rank_q;
      open_q <= 1'b1;
    end
    if (install || lower) begin
      edge_q <= install ? install_rank : lower_to;
      open_q <= 1'b0;
    end
    if (wipe) begin
      edge_q <= '0;
      open_q <= 1'b0;
    end
  end

  // Copies, for each has many loads.
  (* keep *) always_ff @(posedge clk) rank_q <= next_rank;
  (* keep *) always_ff @(posedge clk) owes_q <= next_owes;
  (* keep *) always_ff @(posedge clk) second_owes_q[0] <= next_owes[1];
  (* keep *) always_ff @(posedge clk) second_owes_q[1] <= next_owes[1];
  (* keep *) always_ff @(posedge clk) equal_q <= next_equal;
  (* keep *) always_ff @(posedge clk) equal_count_q <= equal_count;
  (* keep *) always_ff @(posedge clk) struck_count_q <= next_struck;
  (* keep *) always_ff @(posedge clk) equal_first_q[0] <= equal_other[0];
  (* keep *) always_ff @(posedge clk) equal_first_q[1] <= equal_other[0];
  (* keep *) always_ff @(posedge clk) equal_second_q[0] <= equal_other[1];
  (* keep *) always_ff @(posedge clk) equal_second_q[1] <= equal_other[1];
  (* keep *) always_ff @(posedge clk) struck_top_q <= next_struck[0];
  (* keep *) always_ff @(posedge clk) begin_q <= next_begin;
  for (genvar c = 0; c <= COPIES; c++) begin : g_copy
    (* keep *) always_ff @(posedge clk) ends_q[c] <= s4_ends;
  end
  (* keep *) always_ff @(posedge clk) second_moved_q[0] <= move[1];
  (* keep *) always_ff @(posedge clk) second_moved_q[1] <= move[1];
  (* keep *) always_ff @(posedge clk) second_new_q <= begin_q[0] ? quantity_q : new_quantity;
  (* keep *) always_ff @(posedge clk) moved_q[0] <= move;
  (* keep *) always_ff @(posedge clk) moved_q[1] <= move;
  // Each side has one of its own.
  (* keep *) always_ff @(posedge clk) s4_found_rank_q <= s3_found_rank;
  (* keep *) always_ff @(posedge clk) s4_found_quantity_q <= s3_found_quantity;
  (* keep *) always_ff @(posedge clk) s4_quantity_q <= s3_quantity;
  (* keep *) always_ff @(posedge clk) s5_quantity_q <= s4_quantity_q;

  assign top_valid = live_q[0];
  assign top_rank = rank_q[0];
  assign top_high = high_q;
  assign top_quantity = quantity_q;
  assign top_count = {count_q[0].many, count_q[0].low};
  assign second_quarter = rank_q[1][RANK_BITS-1-:2];
  assign live = live_q;
  assign edge_rank = edge_q;
  assign edge_open = open_q;
endmodule
