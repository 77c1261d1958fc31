// The resting orders by id: what a command means for the levels.
//
// Six tables of 2^INDEX_BITS orders, each with its own hash of the id, and a stash of registers for
// ids that find all six places taken. An order stays where it was put. A lookup reads all six
// places at once, so each command takes its slot in the pipeline and no more:
//   before  its id: hash, address of the tables
//   s0  the command; the tables' words arrive
//   s1  comparison of the id
//   s2  choice of the order that is meant
//   s3  verdict and effect (the outputs); tables and stash are written at the end of it
// A lookup cannot see what the four commands before it write. For the same id it takes their result
// instead; for the same place it takes the place for occupied.
module book_orders
  import book_pkg::*;
#(
    parameter int unsigned INDEX_BITS = 12,
    parameter int unsigned STASH = 8,
    parameter int unsigned OFFSET_BITS = 12,
    parameter int unsigned DEPTH = 4096,  // orders on each side
    localparam int unsigned WAYS = 6,
    localparam int unsigned CANDIDATES = WAYS + 1
) (
    input  logic                                            clk,
    input  logic                                            rst,
    // Clears the tables, one address a cycle.
    input  logic                                            wipe,
    input  logic     [     INDEX_BITS-1:0]                  wipe_index,
    // a cycle before s0
    input  logic     [        ID_BITS-1:0]                  next_id,
    // s0
    input  logic                                            s0_valid,
    input  op_t                                             s0_op,
    input  logic                                            s0_side,
    input  logic     [     ORDER_BITS-1:0]                  s0_quantity,
    output logic                                            s1_valid,
    // of the command in s1, in s2
    input  logic                                            s1_zero,
    input  logic                                            s1_out_of_range,
    input  logic     [    OFFSET_BITS-1:0]                  s2_offset,
    // s2: what may be added, by side; the orders that may be meant, whether they would be removed from a
    // side, and by the end of the cycle which one is meant: one of the candidates, or the one that the
    // command in s3 meant or leaves (if it would be removed)
    output logic                                            s2_valid,
    output logic     [                1:0]                  s2_try,
    output logic                                            s2_change,
    output logic     [     CANDIDATES-1:0][OFFSET_BITS-1:0] s2_candidate_offset,
    output logic     [     CANDIDATES-1:0]                  s2_meant,
    output logic     [                1:0][ CANDIDATES-1:0] s2_candidate_here,
    output logic     [                1:0]                  s2_meant_s3_here,
    output logic     [    OFFSET_BITS-1:0]                  s2_found_offset,
    output logic     [     ORDER_BITS-1:0]                  s2_found_quantity,
    output logic     [     ORDER_BITS-1:0]                  s2_quantity,
    output logic     [                1:0]                  s2_new,               // by side
    output logic     [                1:0]                  s2_remove,
    // s3
    output logic                                            s3_valid,
    output outcome_t                                        s3_outcome,
    output logic     [                1:0]                  s3_remove,            // by side
    output logic     [                1:0]                  s3_add,
    output logic     [    OFFSET_BITS-1:0]                  s3_remove_offset,
    output logic     [     ORDER_BITS-1:0]                  s3_remove_quantity,
    output logic     [    OFFSET_BITS-1:0]                  s3_add_offset,
    output logic     [     ORDER_BITS-1:0]                  s3_add_quantity,
    // Resting orders by side, and whether a New is in s1 or s2.
    output logic     [                1:0][$clog2(DEPTH):0] count,
    output logic     [$clog2(STASH+1)-1:0]                  stashed,
    output logic                                            adding
);
  localparam int unsigned TAG_BITS = ID_BITS - INDEX_BITS;
  localparam int unsigned AGES = 4;  // commands ahead whose writes a lookup does not see

  initial begin
    if (INDEX_BITS < 2 || INDEX_BITS > 16) $fatal(1, "%m: INDEX_BITS must be 2 to 16");
    if (STASH < 1) $fatal(1, "%m: STASH must be at least 1");
    if (2 * DEPTH > WAYS * (1 << INDEX_BITS)) $fatal(1, "%m: DEPTH exceeds the tables");
  end

  typedef logic [INDEX_BITS-1:0] index_t;

  typedef struct packed {
    logic                   side;
    logic [OFFSET_BITS-1:0] offset;
    logic [ORDER_BITS-1:0]  quantity;
  } order_t;

  typedef struct packed {
    logic                live;
    logic [TAG_BITS-1:0] tag;
    order_t              order;
  } word_t;

  // Where an order is: one bit of one of the two.
  typedef struct packed {
    logic [WAYS-1:0]  way;
    logic [STASH-1:0] stash;
  } place_t;

  // Low bits of the id, mixed with the rest: given the rest, the low bits follow from the index.
  // The rest is rotated by another amount for each table, so that ids that meet in one table
  // part in the next.
  function automatic index_t hash(input logic [ID_BITS-1:0] id, input int unsigned way);
    index_t mixed;
    mixed = id[INDEX_BITS-1:0];
    for (int unsigned bit_at = INDEX_BITS; bit_at < ID_BITS; bit_at++) begin
      automatic int unsigned chunk = bit_at / INDEX_BITS;
      mixed[(bit_at+chunk*way)%INDEX_BITS] ^= id[bit_at];
    end
    return mixed;
  endfunction

  // ---------------------------------------------------------------- before, s0

  logic [WAYS-1:0][INDEX_BITS-1:0] next_index, s0_index_q;
  logic [ID_BITS-1:0] s0_id_q;
  always_comb for (int w = 0; w < WAYS; w++) next_index[w] = hash(next_id, w);
  always_ff @(posedge clk) begin
    s0_id_q <= next_id;
    s0_index_q <= next_index;
  end

  typedef struct packed {
    logic                            valid;
    op_t                             op;
    logic                            side;
    logic [ID_BITS-1:0]              id;
    logic [ORDER_BITS-1:0]           quantity;
    logic [WAYS-1:0][INDEX_BITS-1:0] index;
  } request_t;

  request_t s1_q, s2_q, s3_q, s4_q;
  request_t s0;
  // What a command left behind, as far as later ones need it.
  typedef struct packed {
    logic   live;
    order_t order;
    place_t place;
    logic   took;   // the place, for a new order
    logic   wrote;
  } result_t;
  // [0] is in s3, and made from the registers of s3; the others have passed.
  result_t [2:0] past;
  place_t s2_new_place, s3_new_place_q;  // where a new order goes
  logic s3_live_q;  // the order that the command in s3 means, after it
  result_t [1:0] past_q;

  always_comb begin
    s0 = '{
        valid: s0_valid,
        op: s0_op,
        side: s0_side,
        id: s0_id_q,
        quantity: s0_quantity,
        index: s0_index_q
    };
  end

  // Same id, or same place, as the command one to four ahead. While this command is in s1 the last three
  // are past; while it is in s2 the first is past[0].
  logic [AGES-1:0] s1_same_id_q;
  logic [AGES-1:0][WAYS-1:0] s1_same_place_q;
  logic s2_same_id_q;
  logic [WAYS-1:0] s2_same_place_q;
  request_t [AGES-1:0] ahead;
  assign ahead = {s4_q, s3_q, s2_q, s1_q};
  always_ff @(posedge clk) begin
    for (int a = 0; a < AGES; a++) begin
      s1_same_id_q[a] <= ahead[a].valid && ahead[a].id == s0_id_q;
      for (int w = 0; w < WAYS; w++) begin
        s1_same_place_q[a][w] <= ahead[a].valid && ahead[a].index[w] == s0_index_q[w];
      end
    end
    s2_same_id_q <= s1_q.valid && s1_same_id_q[0];
    s2_same_place_q <= s1_same_place_q[0];
  end

  word_t [WAYS-1:0] s0_word, s1_word_q;
  logic [WAYS-1:0] s3_write;
  word_t s3_word;
  for (genvar w = 0; w < WAYS; w++) begin : g_table
    book_table #(
        .INDEX_BITS(INDEX_BITS),
        .BITS($bits(word_t))
    ) u_table (
        .clk,
        .write      (wipe || s3_write[w]),
        .write_index(wipe ? wipe_index : s3_q.index[w]),
        .write_data (wipe ? '0 : s3_word),
        .read_index (next_index[w]),
        .read_data  (s0_word[w])
    );
  end

  always_ff @(posedge clk) s1_word_q <= s0_word;

  // ---------------------------------------------------------------- s1

  logic [STASH-1:0] stash_live_q;
  logic [STASH-1:0][ID_BITS-1:0] stash_id_q;
  order_t [STASH-1:0] stash_order_q;

  // The stash is searched in s0 and read in s1; what the three commands ahead change is known from
  // their results, as for the tables.
  logic [STASH-1:0] s1_stash_hit_q;
  order_t s1_stash_order;
  always_comb begin
    s1_stash_order = '0;
    for (int s = 0; s < STASH; s++) s1_stash_order |= s1_stash_hit_q[s] ? stash_order_q[s] : '0;
  end

  logic s1_recent, s1_may_add;
  logic [WAYS-1:0] s1_overwritten;  // the word was written while it was read: not to be trusted
  logic [WAYS-1:0] s1_taken;  // by a command ahead
  assign s1_recent = |s1_same_id_q;
  always_comb begin
    for (int w = 0; w < WAYS; w++) begin
      s1_overwritten[w] = s1_same_place_q[3][w] && past[2].wrote && past[2].place.way[w];
      s1_taken[w] = s1_overwritten[w]
          || (s1_same_place_q[2][w] && past[1].took && past[1].place.way[w])
          || (s1_same_place_q[1][w] && past[0].took && s3_new_place_q.way[w]);
    end
  end

  logic [WAYS-1:0] s2_equal_q;  // it is the order that is meant
  logic [WAYS-1:0] s2_taken_q;  // its place
  order_t [WAYS-1:0] s2_order_q;
  // The order in the stash, or that of the second, third or fourth command ahead.
  logic s2_other_q;
  order_t s2_other_order_q;
  place_t s2_other_place_q;
  logic s2_zero_q, s2_out_of_range_q, s2_may_add_q, s2_may_remove_q;
  logic [1:0] s2_try_q;  // by side
  assign s1_may_add = s1_q.valid && !s1_zero && !s1_out_of_range;
  always_ff @(posedge clk) begin
    for (int s = 0; s < STASH; s++) begin
      s1_stash_hit_q[s] <= stash_live_q[s] && stash_id_q[s] == s0_id_q;
    end
    for (int w = 0; w < WAYS; w++) begin
      s2_equal_q[w] <= s1_q.valid && !s1_recent && !s1_overwritten[w] && s1_word_q[w].live
          && s1_word_q[w].tag == s1_q.id[ID_BITS-1:INDEX_BITS];
      s2_taken_q[w] <= s1_word_q[w].live || s1_taken[w];
      s2_order_q[w] <= s1_word_q[w].order;
    end
    s2_other_q <= s1_q.valid && |s1_stash_hit_q;
    s2_other_order_q <= s1_stash_order;
    s2_other_place_q <= '{way: '0, stash: s1_stash_hit_q};
    // The nearest counts.
    for (int a = AGES - 1; a > 0; a--) begin
      if (s1_same_id_q[a]) begin
        s2_other_q <= s1_q.valid && past[a-1].live;
        s2_other_order_q <= past[a-1].order;
        s2_other_place_q <= past[a-1].place;
      end
    end
    if (s1_same_id_q[0]) s2_other_q <= 1'b0;

    s2_zero_q <= s1_zero;
    s2_out_of_range_q <= s1_out_of_range;
    s2_may_add_q <= s1_may_add;
    s2_may_remove_q <= s1_q.valid
        && (s1_q.op == OP_DELETE || (s1_q.op == OP_CHANGE && s1_may_add));
    for (int side = 0; side < 2; side++) begin
      s2_try_q[side] <= s1_may_add
          && (s1_q.op == OP_CHANGE || (s1_q.op == OP_NEW && s1_q.side == side[0]));
    end
    if (rst || wipe) begin
      s2_may_add_q <= 1'b0;
      s2_may_remove_q <= 1'b0;
      s2_try_q <= '0;
    end
  end

  // ---------------------------------------------------------------- s2

  logic [STASH-1:0] s2_stash_taken;
  logic stash_last;  // one place is free
  logic s3_ways_full_q;
  logic [1:0] full;  // DEPTH orders, with the command in s3
  logic [WAYS-1:0] s2_taken;
  logic s2_meant_s3, s2_known, s2_no_place;
  order_t [CANDIDATES-1:0] candidate;
  order_t s2_found;
  place_t s2_place;
  logic [1:0] s2_found_on;  // by side

  always_comb begin
    for (int w = 0; w < WAYS; w++) begin
      s2_meant[w] = s2_equal_q[w];
      candidate[w] = s2_order_q[w];
      s2_taken[w] = s2_taken_q[w]
          || (s2_same_place_q[w] && past[0].took && s3_new_place_q.way[w]);
    end
    s2_meant[WAYS]  = s2_other_q;
    candidate[WAYS] = s2_other_order_q;
    s2_meant_s3     = s2_same_id_q && s3_live_q;
    s2_stash_taken  = stash_live_q | (past[0].took ? s3_new_place_q.stash : '0);

    s2_found = s2_meant_s3 ? past[0].order : '0;
    s2_found_on[SELL] = s2_meant_s3 && past[0].order.side == SELL;
    s2_found_on[BUY] = s2_meant_s3 && past[0].order.side == BUY;
    for (int c = 0; c < CANDIDATES; c++) begin
      s2_found |= s2_meant[c] ? candidate[c] : '0;
      s2_found_on[SELL] |= s2_meant[c] && candidate[c].side == SELL;
      s2_found_on[BUY] |= s2_meant[c] && candidate[c].side == BUY;
    end
    s2_place = '{way: s2_meant[WAYS-1:0], stash: '0};
    s2_place |= s2_other_q ? s2_other_place_q : '0;
    s2_place |= s2_meant_s3 ? past[0].place : '0;

    s2_new_place.way = ~s2_taken & (s2_taken + 1'b1);
    s2_new_place.stash = &s2_taken ? ~s2_stash_taken & (s2_stash_taken + 1'b1) : '0;

    // A place that the command ahead gives up counts from the next command on.
    s2_no_place = &s2_taken && (&stash_live_q || (stash_last && past[0].took && s3_ways_full_q));
    s2_change = s2_q.op == OP_CHANGE;

    s2_known = |{s2_meant, s2_meant_s3};
    for (int side = 0; side < 2; side++) begin
      s2_new[side] = s2_try_q[side] && s2_q.op == OP_NEW
          && !s2_known && !full[side] && !s2_no_place;
      s2_remove[side] = s2_may_remove_q && s2_found_on[side];
      for (int c = 0; c < CANDIDATES; c++) begin
        s2_candidate_here[side][c] = s2_may_remove_q && candidate[c].side == side[0];
      end
      s2_meant_s3_here[side] = s2_may_remove_q && s2_meant_s3 && past[0].order.side == side[0];
    end
  end

  // ---------------------------------------------------------------- s3

  logic s3_known_q, s3_zero_q, s3_out_of_range_q;
  logic s3_leaves_own_q;  // with what it says; of what does not live this does not matter
  logic [1:0] s3_remove_q, s3_new_q, s3_touch_q;
  logic s3_full_q, s3_change_q;
  logic s3_took_q;  // a new one, on one of the sides
  order_t s3_found_q;
  place_t s3_found_place_q;
  logic [OFFSET_BITS-1:0] s3_offset_q;
  logic s3_fresh_q;  // it is a new one
  logic s3_commit;
  logic [1:0][$clog2(DEPTH):0] count_q;
  logic [1:0] full_q, last_q;  // DEPTH orders; one fewer

  always_ff @(posedge clk) begin
    s1_q <= s0;
    s2_q <= s1_q;
    s3_known_q <= s2_known;
    s3_zero_q <= s2_zero_q;
    s3_out_of_range_q <= s2_out_of_range_q;
    s3_live_q <= s2_q.op == OP_NEW ? s2_known || |s2_new : s2_q.op != OP_DELETE && s2_known;
    s3_leaves_own_q <= s2_q.op == OP_NEW ? !s2_known : s2_may_add_q && s2_q.op == OP_CHANGE;
    s3_new_q <= s2_new;
    s3_took_q <= s2_may_add_q && s2_q.op == OP_NEW
        && !s2_known && !full[s2_q.side] && !s2_no_place;
    s3_touch_q <= s2_new | s2_remove;
    s3_full_q <= full[s2_q.side] || s2_no_place;
    s3_remove_q <= s2_remove;
    s3_change_q <= s2_change;
    s3_found_place_q <= s2_place;
    s3_ways_full_q <= &s2_taken;
    s3_fresh_q <= s2_q.op == OP_NEW && !s2_known;
    s3_new_place_q <= s2_new_place;
    s3_offset_q <= s2_offset;
    past_q <= past[1:0];
    s4_q <= s3_q;

    for (int s = 0; s < STASH; s++) begin
      if (past[0].wrote && past[0].place.stash[s]) begin
        stash_live_q[s] <= past[0].live;
        stash_id_q[s] <= s3_q.id;
        stash_order_q[s] <= past[0].order;
      end
    end
    for (int side = 0; side < 2; side++) begin
      full_q[side] <= full[side];
      if (s3_new_q[side]) begin
        count_q[side] <= count_q[side] + 1'b1;
        last_q[side]  <= count_q[side] == ($clog2(DEPTH) + 1)'(DEPTH - 2);
      end
      if (s3_remove_q[side] && !s3_change_q) begin
        count_q[side] <= count_q[side] - 1'b1;
        last_q[side]  <= full_q[side];
      end
    end

    if (rst || wipe) begin
      s1_q.valid <= 1'b0;
      s2_q.valid <= 1'b0;
      s3_remove_q <= '0;
      s3_new_q <= '0;
      s3_took_q <= 1'b0;
      s3_touch_q <= '0;
      stash_live_q <= '0;
      count_q <= '0;
      full_q <= '0;
      last_q <= '0;
    end
  end

  // The fronts have copies of these of their own.
  request_t s3_d;
  always_comb begin
    s3_d = s2_q;
    s3_d.valid = s2_q.valid && !rst && !wipe;
    s3_d.side = s2_known ? s2_found.side : s2_q.side;  // of the order that it leaves
  end
  (* keep *) always_ff @(posedge clk) s3_q <= s3_d;
  (* keep *) always_ff @(posedge clk) s3_found_q <= s2_found;

  always_comb begin
    s3_add = s3_new_q | (s3_change_q ? s3_remove_q : '0);
    for (int side = 0; side < 2; side++) begin
      full[side] = full_q[side];
      if (s3_new_q[side]) full[side] = last_q[side];
      if (s3_remove_q[side] && !s3_change_q) full[side] = 1'b0;
    end
    stash_last = $onehot(~stash_live_q);
    s3_commit  = |s3_touch_q;

    s3_outcome = DONE;
    unique case (s3_q.op)
      OP_NEW: begin
        if (s3_zero_q) s3_outcome = ZERO;
        else if (s3_known_q) s3_outcome = DUPLICATE;
        else if (s3_out_of_range_q) s3_outcome = OUT_OF_RANGE;
        else if (s3_full_q) s3_outcome = FULL;
      end
      OP_CHANGE: begin
        if (!s3_known_q) s3_outcome = UNKNOWN;
        else if (s3_zero_q) s3_outcome = ZERO;
        else if (s3_out_of_range_q) s3_outcome = OUT_OF_RANGE;
      end
      OP_DELETE: if (!s3_known_q) s3_outcome = UNKNOWN;
      default:   ;
    endcase

    past[0].live = s3_live_q;
    past[0].order = s3_found_q;
    if (s3_leaves_own_q) begin
      past[0].order = '{side: s3_q.side, offset: s3_offset_q, quantity: s3_q.quantity};
    end
    past[0].place = s3_fresh_q ? s3_new_place_q : s3_found_place_q;
    past[0].took  = s3_took_q;
    past[0].wrote = s3_commit;
    past[2:1] = past_q;

    s3_write = s3_commit ? past[0].place.way : '0;
    // Of a Delete only that the order no longer lives.
    s3_word = '{
        live: s3_q.op != OP_DELETE,
        tag: s3_q.id[ID_BITS-1:INDEX_BITS],
        order: '{side: s3_q.side, offset: s3_offset_q, quantity: s3_q.quantity}
    };
  end

  assign s3_valid = s3_q.valid;
  assign s3_remove = s3_remove_q;
  assign s2_found_offset = s2_found.offset;
  assign s2_found_quantity = s2_found.quantity;
  assign s2_quantity = s2_q.quantity;
  assign s3_remove_offset = s3_found_q.offset;
  assign s3_remove_quantity = s3_found_q.quantity;
  assign s3_add_offset = s3_offset_q;
  assign s3_add_quantity = s3_q.quantity;
  assign count = count_q;

  assign s1_valid = s1_q.valid;
  assign s2_try = s2_try_q;
  assign s2_valid = s2_q.valid;
  for (genvar c = 0; c < CANDIDATES; c++) begin : g_candidate
    assign s2_candidate_offset[c] = candidate[c].offset;
  end
  assign adding = (s1_q.valid && s1_q.op == OP_NEW) || (s2_q.valid && s2_q.op == OP_NEW)
      || (s3_q.valid && s3_q.op == OP_NEW);

  always_comb begin
    stashed = '0;
    for (int s = 0; s < STASH; s++) stashed += ($clog2(STASH + 1))'(stash_live_q[s]);
  end
endmodule
