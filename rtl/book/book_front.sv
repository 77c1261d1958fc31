// The best levels of one side in registers, best first: what makes the top known at once.
//
// A command moves each level by at most one place: the ones behind a level that ends rise, the ones
// behind a new level sink. Hence the next top is one of three, the new level, the first or the
// second, and what is found out about the places in s2 follows their move into s3.
//   s2  the places where the command adds are found, and, once the order's id has been compared, the
//       place from which it removes
//   s3  does a level end, does a new one begin: each place then takes its level, its neighbours' or the
//       new one. `top` is combinational, with the command in s3 applied
//   s4  behind the first place the sums follow the move that s3 found: what they gained was added where
//       they stood, and what was removed is subtracted now
// Who moves is known late in s3. So only what the next command compares moves at once: the ranks, and
// what was found out about the places. The sums of the first place are those of the top.
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
    // s3: what the command does to this side; whether it adds in copies: for what begins, for the sums
    // behind the first two levels, for theirs.
    input  logic                                 s3_begin,
    input  logic [           1:0]                s3_add,
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
  // Of the first two.
  logic [1:0][SUM_BITS-1:0] quantity_q;
  logic [1:0][COUNT_BITS-1:0] count_q;
  // The levels where they were before the last command, with what it added and without what the one
  // before it removed; and the level that it began, or that was installed.
  logic [LEVELS-1:0][SUM_BITS-1:0] stood_quantity_q;
  logic [LEVELS-1:0][COUNT_BITS-1:0] stood_count_q;
  places_t stood_sole_q;  // without what the last one removed, too
  logic [SUM_BITS-1:0] new_quantity_q;
  logic [COUNT_BITS-1:0] new_count_q;
  logic new_sole_q;
  // `move` of the cycle before; for sums and for all else.
  logic [LEVELS-1:0][1:0] moved_q, moved_sum_q;
  // By the places of now, the last command removed from the level; `owed_q` is how much.
  logic [LEVELS-1:1] owes_q;  // the first never does
  places_t owes;
  logic [ORDER_BITS-1:0] owed_q;
  logic [RANK_BITS-1:0] edge_q;
  logic open_q;

  // Of the command in s3, by the places of now.
  places_t better_q, equal_q;  // than the level there, or none is there; to the level there
  logic covered_q;
  // One of `equal_q` is up: of groups of places when it was in s2, unless that level is gone since; or
  // the new one.
  logic [GROUPS-1:0] known_q;
  logic lost_q, known_new_q;
  logic [RANK_BITS-1:0] s3_rank_q, s3_found_rank_q;
  logic [HIGH_BITS-1:0] s3_high_q;
  // Of the command in s3, by the places when it was in s2; the last is the level that was new then.
  logic [LEVELS:0] struck_q;  // it may remove there
  logic [LEVELS:0] ends_q;  // and thereby ends the level, if it does not stay
  logic struck_first_q;  // it may remove from the first level, by the places of now
  logic stays_q;  // it adds where it removes

  // ---------------------------------------------------------------- s2: where

  places_t better, equal;
  logic [LEVELS:0] struck;
  logic better_than_new, equal_to_new, covered, stays;

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      better[k] = !live_q[k] || s2_rank > rank_q[k];
      equal[k] = s2_try && live_q[k] && s2_rank == rank_q[k];
      struck[k] = s2_meant_s3
          && (s3_begin ? equal_q[k] : live_q[k] && s3_found_rank_q == rank_q[k]);
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
    struck[LEVELS] = s2_meant_s3 && s3_begin;
    stays = s2_meant_s3 && s2_change && (s3_begin ? s3_rank_q : s3_found_rank_q) == s2_rank;
    for (int c = 0; c < CANDIDATES; c++) begin
      if (s2_meant[c] && s2_candidate_here[c] && s2_candidate_rank[c] == s3_rank_q) begin
        struck[LEVELS] = 1'b1;
      end
      if (s2_meant[c] && s2_candidate_rank[c] == s2_rank && s2_change) stays = 1'b1;
    end
  end

  // ---------------------------------------------------------------- s3: who moves

  places_t removed_at;
  logic ending, fresh, pushed, shut;
  places_t behind;  // the level that ends, or itself
  logic [LEVELS+1:0] begins;  // [k + 1]: the new level is at place k or before it
  logic [LEVELS:0] gone;  // [k + 1]: the level that ends is at place k or before it
  places_t rise, sink, settle;  // takes from behind it; from before it; the new level

  always_comb begin
    ending = |ends_q && !stays_q;
    fresh  = s3_begin && covered_q && !((known_q != '0 && !lost_q) || known_new_q);
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
      gone[k+1] = ending && behind[k];
      begins[k+1] = fresh && better_q[k];
    end
    gone[0] = 1'b0;
    begins[0] = 1'b0;
    begins[LEVELS+1] = fresh;
    for (int k = 0; k < LEVELS; k++) begin
      rise[k] = gone[k+1] && !begins[k+2];
      sink[k] = begins[k] && !gone[k];
      settle[k] = (begins[k+1] && !begins[k] && !gone[k])
          || (begins[k+2] && !begins[k+1] && gone[k+1]);
    end
    pushed = begins[LEVELS] && !gone[LEVELS] && live_q[LEVELS-1];
    shut   = begins[LEVELS+1] && !begins[LEVELS] && !gone[LEVELS];
  end

  // Each place takes: 0 what it has, 1 the level behind it, 2 the one before it, 3 the new one.
  logic [LEVELS-1:0][1:0] move;

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      move[k] = {sink[k] || settle[k] || here[k], rise[k] || settle[k] || here[k]};
    end
  end

  // ---------------------------------------------------------------- s3: quantities, top

  logic take_new, take_second, place_new;
  places_t adds;
  // What was removed not yet subtracted; and with the order added, and without what the command before
  // removed.
  logic [LEVELS-1:0][SUM_BITS-1:0] quantity_here, quantity;
  logic [LEVELS-1:0][COUNT_BITS-1:0] count_here, count;
  logic [SUM_BITS-1:0] less_quantity, new_quantity;
  logic [COUNT_BITS-1:0] less_count, new_count;
  logic [RANK_BITS-1:0] new_rank;
  logic [HIGH_BITS-1:0] new_high;

  // a + b - c: one carry chain over sum and carry of each bit.
  function automatic logic [SUM_BITS-1:0] plus_minus(
      input logic [SUM_BITS-1:0] a, input logic [SUM_BITS-1:0] b, input logic [SUM_BITS-1:0] c);
    automatic logic [SUM_BITS-1:0] sums = a ^ b ^ ~c;
    automatic logic [SUM_BITS-2:0] carries = (SUM_BITS - 1)'((a & b) | (a & ~c) | (b & ~c));
    return sums + {carries, 1'b1};
  endfunction

  assign owes = {owes_q, 1'b0};

  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      adds[k] = s3_add[k<2] && equal_q[k];
      unique case (moved_sum_q[k])
        2'd0: begin
          quantity_here[k] = stood_quantity_q[k];
          count_here[k] = stood_count_q[k];
        end
        2'd1: begin
          quantity_here[k] = stood_quantity_q[(k+1)%LEVELS];
          count_here[k] = stood_count_q[(k+1)%LEVELS];
        end
        2'd2: begin
          quantity_here[k] = stood_quantity_q[(k+LEVELS-1)%LEVELS];
          count_here[k] = stood_count_q[(k+LEVELS-1)%LEVELS];
        end
        default: begin
          quantity_here[k] = new_quantity_q;
          count_here[k] = new_count_q;
        end
      endcase
      if (k < 2) begin
        quantity_here[k] = quantity_q[k];
        count_here[k] = count_q[k];
      end
      quantity[k] = plus_minus(quantity_here[k], adds[k] ? SUM_BITS'(s3_add_quantity) : '0,
                               owes[k] ? SUM_BITS'(owed_q) : '0);
      count[k] = count_here[k] + {{(COUNT_BITS - 1) {owes[k] && !adds[k]}}, owes[k] ^ adds[k]};
    end
    less_quantity = plus_minus(quantity_q[0], adds[0] ? SUM_BITS'(s3_add_quantity) : '0,
                               SUM_BITS'(s3_remove_quantity));
    less_count = count_q[0] - COUNT_BITS'(!adds[0]);

    new_rank = install ? install_rank : s3_rank_q;
    new_high = install ? install_high : s3_high_q;
    new_quantity = install ? install_quantity : SUM_BITS'(s3_add_quantity);
    new_count = install ? install_count : COUNT_BITS'(1);

    // What is known last chooses last.
    take_second = struck_first_q && sole_q && !stays_q;
    take_new = begins[1] || (begins[2] && take_second);
    place_new = take_new || here[0];
    top_valid = take_new || (take_second ? live_q[1] : live_q[0]);
    top_rank = take_second ? rank_q[1] : rank_q[0];
    top_high = take_second ? second_high : high_q;
    top_quantity = take_second ? quantity[1] : struck_first_q ? less_quantity : quantity[0];
    top_count = take_second ? count[1] : struck_first_q ? less_count : count[0];
    if (place_new) begin
      top_rank = s3_rank_q;
      top_high = new_high;
      top_quantity = new_quantity;
      top_count = new_count;
    end
  end

  // ---------------------------------------------------------------- state

  // Has one order: before this command, and after it, by the places before it.
  places_t sole_here, sole;
  always_comb begin
    for (int k = 0; k < LEVELS; k++) begin
      unique case (moved_q[k])
        2'd0:    sole_here[k] = stood_sole_q[k];
        2'd1:    sole_here[k] = stood_sole_q[(k+1)%LEVELS];
        2'd2:    sole_here[k] = stood_sole_q[(k+LEVELS-1)%LEVELS];
        default: sole_here[k] = new_sole_q;
      endcase
      if (k == 0) sole_here[k] = sole_q;
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

    always_ff @(posedge clk) begin
      unique case (move[k])
        2'd0: begin
          better_q[k] <= better[k];
          equal_q[k] <= equal[k];
        end
        2'd1: begin
          live_q[k] <= !LAST && live_q[A];
          rank_q[k] <= rank_q[A];
          better_q[k] <= LAST || better[A];
          equal_q[k] <= !LAST && equal[A];
        end
        2'd2: begin
          live_q[k] <= live_q[B];
          rank_q[k] <= rank_q[B];
          better_q[k] <= better[B];
          equal_q[k] <= equal[B];
        end
        default: begin
          live_q[k] <= 1'b1;
          rank_q[k] <= new_rank;
          better_q[k] <= better_than_new;
          equal_q[k] <= equal_to_new;
        end
      endcase
      ends_q[k] <= struck[k] && sole[k];
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
    // Beyond the edge a new level is nowhere, and nothing is behind it.
    ends_q[LEVELS] <= struck[LEVELS] && fresh;
    stays_q <= stays;
    for (int g = 0; g < GROUPS; g++) begin
      known_q[g] <= 1'b0;
      for (int k = g; k < LEVELS; k += GROUPS) if (equal[k]) known_q[g] <= 1'b1;
    end
    lost_q <= ending && s2_rank == s3_found_rank_q;
    known_new_q <= fresh && equal_to_new;
    covered_q <= covered;
    if (pushed) begin
      edge_q <= rank_q[LEVELS-1];
      open_q <= 1'b1;
      covered_q <= better[LEVELS-1];
    end
    if (shut) begin
      edge_q <= s3_rank_q;
      open_q <= 1'b1;
      covered_q <= better_than_new;
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

  // Two copies, for each has many loads.
  (* keep *) always_ff @(posedge clk) moved_q <= move;
  (* keep *) always_ff @(posedge clk) moved_sum_q <= move;

  assign second_rank = rank_q[1];
  assign live = live_q;
  assign edge_rank = edge_q;
  assign edge_open = open_q;
endmodule
