// The best levels of one side in registers, best first: what makes the top known at once.
//
// A command moves each level by at most one place: the ones behind a level that ends rise, the ones
// behind a new level sink. Hence the next top is one of three, the new level, the first or the
// second, and what is found out about the places in s2 follows their move into s3.
//   s2  the places where the command adds are found, and, once the order's id has been compared, the
//       place from which it removes
//   s3  does a level end, does a new one begin: each place then takes its level, its neighbours' or the
//       new one. `top` is combinational, with the command in s3 applied
//   s4  behind the first two places the sums follow the move; what the command added is in them already,
//       what it removed is subtracted now
// Who moves is known late in s3. So what moves at once is what the next command compares (the ranks, and
// what was found out about the places) and the sums that its top may need. All others are changed where
// they stood, and move in the next cycle by registers. What a command removes is subtracted at once in
// the first place, and one command later behind it.
//
// The promise of the front is its edge: it holds every level of rank `edge` or better (only better, if
// `open`), and no other. The edge rises when a level is pushed out, and the refill lowers it. At edge
// 0, not open, the front holds the whole side.
module book_front #(
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
    input  logic [ HIGH_BITS-1:0]                s2_high,             // of the price
    // s2: ranks of the orders that the command may mean, and whether it would remove them here; by the
    // end of the cycle, which one it means; or that the command in s3 meant or leaves, to remove here.
    input  logic [CANDIDATES-1:0][RANK_BITS-1:0] s2_candidate_rank,
    input  logic [CANDIDATES-1:0]                s2_candidate_here,
    input  logic [CANDIDATES-1:0]                s2_meant,
    input  logic                                 s2_meant_s3,
    input  logic                                 s2_change,           // both adds and removes
    input  logic [ RANK_BITS-1:0]                s2_found_rank,       // of the one meant
    // s2, by the end of the cycle: the command will add here.
    input  logic                                 s2_add,
    // s3: what it does to this side.
    input  logic [ORDER_BITS-1:0]                s3_add_quantity,
    input  logic [ORDER_BITS-1:0]                s3_remove_quantity,
    // The next level from memory; or only a lower edge. Only while no command is in s2 and s3, and a
    // place is free.
    input  logic                                 install,
    input  logic [    LEVELS-1:0]                here,                // the place behind the last
    input  logic [ RANK_BITS-1:0]                install_rank,
    input  logic [ HIGH_BITS-1:0]                install_high,
    input  logic [  SUM_BITS-1:0]                install_quantity,
    input  logic [COUNT_BITS-1:0]                install_count,
    input  logic                                 lower,
    input  logic [ RANK_BITS-1:0]                lower_to,
    // High bits of the price of this rank, at once.
    output logic [ RANK_BITS-1:0]                second_rank,
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
  initial if (LEVELS < 3) $fatal(1, "%m: LEVELS must be at least 3");

  typedef logic [LEVELS-1:0] places_t;
  localparam int unsigned GROUPS = 3;

  places_t live_q;
  logic [LEVELS-1:0][RANK_BITS-1:0] rank_q;
  logic [HIGH_BITS-1:0] high_q;  // of the first
  logic sole_q;  // the first has one order
  // Of the first two; of the second, without what it owes.
  logic [1:0][SUM_BITS-1:0] quantity_q;
  logic [1:0][COUNT_BITS-1:0] count_q;
  // The levels where they stood before the last command, with what it added, but not yet without what it
  // removed; and the level that it began, or that was installed.
  logic [LEVELS-1:0][SUM_BITS-1:0] stood_quantity_q;
  logic [LEVELS-1:0][COUNT_BITS-1:0] stood_count_q;
  places_t stood_sole_q;  // has one order, without what the last one removed, too
  logic [SUM_BITS-1:0] new_quantity_q;
  logic [COUNT_BITS-1:0] new_count_q;
  logic new_sole_q;
  // `move` of the cycle before; and copies, each for a half of the quantities.
  logic [LEVELS-1:0][1:0] moved_q;
  logic [1:0][LEVELS-1:0][1:0] moved_sum_q;
  // By the places of now, the last command removed from the level; `owed_q` is how much.
  logic [LEVELS-1:1] owes_q;  // the first never does
  places_t owes;
  logic [ORDER_BITS-1:0] owed_q;
  logic [RANK_BITS-1:0] edge_q;
  logic open_q;

  // Of the command in s3, by the places of now.
  places_t better_q, equal_q;  // than the level there, or none is there; to the level there
  logic [RANK_BITS-1:0] s3_rank_q, s3_found_rank_q;
  logic [HIGH_BITS-1:0] s3_high_q;
  // Of the command in s3, by the places when it was in s2; the last is the level that was new then.
  logic [LEVELS:0] struck_q;  // it may remove there
  logic struck_first_q;  // it may remove from the first level, by the places of now
  logic [1:0] equal_sum_q;  // a copy of the first two, for the top's sums
  // What says whether the command in s3 begins a level and whether it ends one.
  typedef struct packed {
    logic              adds;
    logic              covered;
    // The level it adds to is there: in a group of places when it was in s2, if it is not lost since;
    // or it was new then.
    logic [GROUPS-1:0] known;
    logic              lost;
    logic              known_new;
    // By the places when it was in s2: it may remove there, and thereby ends the level, if it does not
    // stay, that is, add where it removes.
    logic [LEVELS:0]   ends;
    logic              stays;
  } change_t;
  change_t change;
  change_t [1:0] change_q;  // two copies: for the first two places, for those behind
  logic s3_add;
  assign s3_add = change_q[1].adds;
  logic [1:0] adds_q;  // further ones of `adds`: for the sums

  // ---------------------------------------------------------------- s2: where

  places_t better, equal;
  logic [LEVELS:0] struck;
  logic better_than_new, equal_to_new, covered, stays;

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      better[k] = !live_q[k] || s2_rank > rank_q[k];
      equal[k] = s2_try && live_q[k] && s2_rank == rank_q[k];
      struck[k] = s2_meant_s3
          && (s3_add ? equal_q[k] : live_q[k] && s3_found_rank_q == rank_q[k]);
      for (int c = 0; c < CANDIDATES; c++) begin
        if (s2_meant[c] && s2_candidate_here[c] && live_q[k]
            && s2_candidate_rank[c] == rank_q[k]) begin
          struck[k] = 1'b1;
        end
      end
    end
    better_than_new = s2_rank > s3_rank_q;
    equal_to_new = s2_try && s2_rank == s3_rank_q;
    covered = open_q ? s2_rank > edge_q : s2_rank >= edge_q;

    // What the command in s3 leaves is at the rank that it adds at, if it adds.
    struck[LEVELS] = s2_meant_s3 && s3_add;
    stays = s2_meant_s3 && s2_change && (s3_add ? s3_rank_q : s3_found_rank_q) == s2_rank;
    for (int c = 0; c < CANDIDATES; c++) begin
      if (s2_meant[c] && s2_candidate_here[c] && s2_candidate_rank[c] == s3_rank_q) begin
        struck[LEVELS] = 1'b1;
      end
      if (s2_meant[c] && s2_candidate_rank[c] == s2_rank && s2_change) stays = 1'b1;
    end
  end

  // ---------------------------------------------------------------- s3: who moves

  places_t removed_at;
  logic pushed, shut;
  logic [1:0] ending, fresh;  // from each copy
  places_t behind;  // the level that ends, or itself
  places_t rise, sink, settle;  // takes from behind it; from before it; the new level

  always_comb begin
    for (int c = 0; c < 2; c++) begin
      ending[c] = change_q[c].ends != '0 && !change_q[c].stays;
      fresh[c] = change_q[c].adds && change_q[c].covered
          && !((change_q[c].known != '0 && !change_q[c].lost) || change_q[c].known_new);
    end
    for (int k = 0; k < LEVELS; k++) begin
      behind[k] = s3_found_rank_q >= rank_q[k];
      // Where the command found it in s2, and how that place moved since.
      unique case (moved_q[k])
        2'd0:    removed_at[k] = struck_q[k];
        2'd1:    removed_at[k] = k + 1 < LEVELS && struck_q[(k+1)%LEVELS];
        2'd2:    removed_at[k] = k > 0 && struck_q[(k+LEVELS-1)%LEVELS];
        default: removed_at[k] = struck_q[LEVELS];
      endcase
      if (k == 0) removed_at[k] = struck_first_q;
    end
  end

  for (genvar k = 0; k < LEVELS; k++) begin : g_move
    localparam int unsigned C = k < 2 ? 0 : 1;
    // The new level is before this place, at it or before, at the next or before; and the level that
    // ends.
    logic begins_before, begins_here, begins_next, gone_before, gone_here;
    assign begins_before = k > 0 && fresh[C] && better_q[k==0?0:k-1];
    assign begins_here   = fresh[C] && better_q[k];
    assign begins_next   = fresh[C] && (k == LEVELS - 1 || better_q[k==LEVELS-1?k:k+1]);
    assign gone_before   = k > 0 && ending[C] && behind[k==0?0:k-1];
    assign gone_here     = ending[C] && behind[k];
    assign rise[k]       = gone_here && !begins_next;
    assign sink[k]       = begins_before && !gone_before;
    assign settle[k]     = (begins_here && !begins_before && !gone_before)
        || (begins_next && !begins_here && gone_here);
  end
  assign pushed = fresh[1] && better_q[LEVELS-1] && live_q[LEVELS-1]
      && !(ending[1] && behind[LEVELS-1]);
  assign shut   = fresh[1] && !better_q[LEVELS-1] && !(ending[1] && behind[LEVELS-1]);

  // Each place takes: 0 what it has, 1 the level behind it, 2 the one before it, 3 the new one.
  logic [LEVELS-1:0][1:0] move;

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      move[k] = {sink[k] || settle[k] || here[k], rise[k] || settle[k] || here[k]};
    end
  end

  // ---------------------------------------------------------------- s3: quantities, top

  logic take_new, take_second, place_new;
  // The first level will be: 0 the first, with the order if it is equal, 1 the same with an order
  // removed, 2 the second, 3 the new one, or as it was.
  logic [1:0] first;
  places_t adds;
  places_t sole_here;  // the level in its place has one order
  // The levels in their places; and with the order added, and without what the command before removed.
  logic [LEVELS-1:0][SUM_BITS-1:0] quantity_here, quantity;
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

  assign owes = {owes_q, 1'b0};

  localparam logic [1:0][SUM_BITS-1:0] HALF = {
    {{(SUM_BITS - SUM_BITS / 2) {1'b1}}, {(SUM_BITS / 2) {1'b0}}},
    {{(SUM_BITS - SUM_BITS / 2) {1'b0}}, {(SUM_BITS / 2) {1'b1}}}
  };

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      adds[k] = adds_q[k<2] && equal_q[k];
      quantity_here[k] = '0;
      for (int h = 0; h < 2; h++) begin
        unique case (moved_sum_q[h][k])
          2'd0:    quantity_here[k] |= stood_quantity_q[k] & HALF[h];
          2'd1:    quantity_here[k] |= stood_quantity_q[(k+1)%LEVELS] & HALF[h];
          2'd2:    quantity_here[k] |= stood_quantity_q[(k+LEVELS-1)%LEVELS] & HALF[h];
          default: quantity_here[k] |= new_quantity_q & HALF[h];
        endcase
      end
      unique case (moved_q[k])
        2'd0:    {sole_here[k], count_here[k]} = {stood_sole_q[k], stood_count_q[k]};
        2'd1: begin
          {sole_here[k], count_here[k]} = {stood_sole_q[(k+1)%LEVELS], stood_count_q[(k+1)%LEVELS]};
        end
        2'd2: begin
          sole_here[k]  = stood_sole_q[(k+LEVELS-1)%LEVELS];
          count_here[k] = stood_count_q[(k+LEVELS-1)%LEVELS];
        end
        default: {sole_here[k], count_here[k]} = {new_sole_q, new_count_q};
      endcase
      if (k < 2) begin
        quantity_here[k] = quantity_q[k];
        count_here[k] = count_q[k];
      end
      if (k == 0) sole_here[k] = sole_q;
      quantity[k] = plus_minus(quantity_here[k], adds[k] ? SUM_BITS'(s3_add_quantity) : '0,
                               owes[k] ? SUM_BITS'(owed_q) : '0);
      count[k] = count_here[k] + {{(COUNT_BITS - 1) {owes[k] && !adds[k]}}, owes[k] ^ adds[k]};
    end
    // For the top: what chooses among these knows whether the order is added at all.
    more_quantity = plus(quantity_q[0], equal_sum_q[0] ? SUM_BITS'(s3_add_quantity) : '0);
    more_count = count_q[0] + COUNT_BITS'(equal_sum_q[0]);
    less_quantity = plus_minus(quantity_q[0], equal_sum_q[0] ? SUM_BITS'(s3_add_quantity) : '0,
                               SUM_BITS'(s3_remove_quantity));
    less_count = count_q[0] - COUNT_BITS'(!equal_sum_q[0]);
    second_quantity = plus_minus(quantity_q[1], equal_sum_q[1] ? SUM_BITS'(s3_add_quantity) : '0,
                                 owes[1] ? SUM_BITS'(owed_q) : '0);
    second_count = count_q[1] + {{(COUNT_BITS - 1) {owes[1] && !equal_sum_q[1]}},
                                 owes[1] ^ equal_sum_q[1]};

    new_rank = install ? install_rank : s3_rank_q;
    new_high = install ? install_high : s3_high_q;
    new_quantity = install ? install_quantity : SUM_BITS'(s3_add_quantity);
    new_count = install ? install_count : COUNT_BITS'(1);

    // What is known last chooses last.
    take_second = struck_first_q && sole_q && !change_q[0].stays;
    // What is better than the first level, or than the second when the first ends, is no level yet.
    take_new = change_q[0].adds && change_q[0].covered
        && (better_q[0] || (better_q[1] && take_second));
    place_new = take_new || here[0];
    top_valid = take_new || (take_second ? live_q[1] : live_q[0]);
    top_rank = take_second ? rank_q[1] : rank_q[0];
    top_high = take_second ? second_high : high_q;
    if (place_new) begin
      top_rank = s3_rank_q;
      top_high = new_high;
    end
    first = {place_new || take_second || (!adds_q[1] && !struck_first_q),
             place_new || (!take_second && (struck_first_q || !adds_q[1]))};
    else_quantity = adds_q[1] || here[0] ? new_quantity : quantity_q[0];
    else_count = adds_q[1] || here[0] ? new_count : count_q[0];
    top_quantity = first[1] ? (first[0] ? else_quantity : second_quantity)
        : (first[0] ? less_quantity : more_quantity);
    top_count = first[1] ? (first[0] ? else_count : second_count)
        : (first[0] ? less_count : more_count);
  end

  // ---------------------------------------------------------------- state

  // Has one order after this command, by the places before it.
  places_t sole, next_equal;
  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      sole[k] = sole_here[k] && !adds[k];
      if (removed_at[k]) begin
        sole[k] = adds[k] ? sole_here[k]
            : count_here[k] == (owes[k] ? COUNT_BITS'(3) : COUNT_BITS'(2));
      end
    end
  end

  for (genvar k = 0; k < LEVELS; k++) begin : g_place
    localparam int unsigned B = k == 0 ? 0 : k - 1;  // the place before
    localparam int unsigned A = k == LEVELS - 1 ? k : k + 1;  // the place behind, if there is one
    localparam logic LAST = k == LEVELS - 1;

    always_comb begin
      unique case (move[k])
        2'd0:    next_equal[k] = equal[k];
        2'd1:    next_equal[k] = !LAST && equal[A];
        2'd2:    next_equal[k] = equal[B];
        default: next_equal[k] = equal_to_new;
      endcase
    end

    always_ff @(posedge clk) begin
      unique case (move[k])
        2'd0: better_q[k] <= better[k];
        2'd1: begin
          live_q[k] <= !LAST && live_q[A];
          rank_q[k] <= rank_q[A];
          better_q[k] <= LAST || better[A];
        end
        2'd2: begin
          live_q[k] <= live_q[B];
          rank_q[k] <= rank_q[B];
          better_q[k] <= better[B];
        end
        default: begin
          live_q[k] <= 1'b1;
          rank_q[k] <= new_rank;
          better_q[k] <= better_than_new;
        end
      endcase
      stood_sole_q[k] <= sole[k];
      stood_quantity_q[k] <= quantity[k];
      stood_count_q[k] <= count[k];
      if (rst) live_q[k] <= 1'b0;
    end

    if (k > 0) begin : g_owes
      always_ff @(posedge clk) begin
        unique case (move[k])
          2'd0:    owes_q[k] <= removed_at[k];
          2'd2:    owes_q[k] <= removed_at[B];
          default: owes_q[k] <= 1'b0;
        endcase
      end
    end
  end

  always_ff @(posedge clk) begin
    quantity_q[0] <= top_quantity;
    count_q[0] <= top_count;
    high_q <= top_high;
    unique case (move[1])
      2'd0: begin
        quantity_q[1] <= quantity[1];
        count_q[1] <= count[1];
      end
      2'd1: begin
        quantity_q[1] <= quantity[2];
        count_q[1] <= count[2];
      end
      2'd2: begin
        // The first level sinks only with nothing added to it.
        quantity_q[1] <= quantity_q[0];
        count_q[1] <= count_q[0];
      end
      default: begin
        quantity_q[1] <= new_quantity;
        count_q[1] <= new_count;
      end
    endcase
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
    owed_q <= s3_remove_quantity;

    s3_rank_q <= s2_rank;
    s3_found_rank_q <= s2_found_rank;
    s3_high_q <= s2_high;
    struck_q <= struck;
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

  always_comb begin
    change.adds = s2_add;
    change.covered = pushed ? better[LEVELS-1] : shut ? better_than_new : covered;
    change.known = '0;
    for (int k = 0; k < LEVELS; k++) change.known[k%GROUPS] |= equal[k];
    change.lost = ending[1] && s2_rank == s3_found_rank_q;
    change.known_new = fresh[1] && equal_to_new;
    // Beyond the edge a new level is nowhere, and nothing is behind it.
    change.ends = {struck[LEVELS] && fresh[1], struck[LEVELS-1:0] & sole};
    change.stays = stays;
  end

  // Copies, for each has many loads.
  (* keep *) always_ff @(posedge clk) equal_q <= next_equal;
  (* keep *) always_ff @(posedge clk) equal_sum_q <= next_equal[1:0];
  (* keep *) always_ff @(posedge clk) change_q[0] <= change;
  (* keep *) always_ff @(posedge clk) change_q[1] <= change;
  (* keep *) always_ff @(posedge clk) adds_q[0] <= s2_add;
  (* keep *) always_ff @(posedge clk) adds_q[1] <= s2_add;
  (* keep *) always_ff @(posedge clk) moved_q <= move;
  (* keep *) always_ff @(posedge clk) moved_sum_q[0] <= move;
  (* keep *) always_ff @(posedge clk) moved_sum_q[1] <= move;

  assign second_rank = rank_q[1];
  assign live = live_q;
  assign edge_rank = edge_q;
  assign edge_open = open_q;
endmodule
