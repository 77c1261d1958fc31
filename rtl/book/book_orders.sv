// The resting orders by id: what a command means for the levels.
//
// Eight tables of 2^INDEX_BITS orders, each with its own hash of the id, and a stash of registers for
// ids that find all eight places taken. An order stays where it was put. A lookup reads all eight
// places at once, so each command takes its slot in the pipeline and no more:
//   s0  hash, address of the tables
//   s1  the tables are read, into registers: a block RAM leaves no time for more; is the id in the stash,
//       or that of a command ahead
//   s2  the ids of all eight words are compared, each as a whole
//   s3  choice of the order that is meant, verdict
//   s4  effect (the outputs); tables and stash are written at the end of it
// A lookup cannot see what the four commands before it write. For the same id it takes their result
// instead; for the same place it takes the place for occupied.
module book_orders
  import book_pkg::*;
#(
    parameter int unsigned INDEX_BITS = 11,
    parameter int unsigned STASH = 8,
    parameter int unsigned OFFSET_BITS = 12,
    parameter int unsigned DEPTH = 4096  // orders on each side
) (
    input  logic                                            clk,
    // Clears the tables, one address a cycle.
    input  logic                                            wipe,
    input  logic     [     INDEX_BITS-1:0]                  wipe_index,
    // s0
    input  logic                                            s0_valid,
    input  op_t                                             s0_op,
    input  logic                                            s0_side,
    input  logic     [        ID_BITS-1:0]                  s0_id,
    input  logic     [     ORDER_BITS-1:0]                  s0_quantity,
    // of the command in s2, in s3
    input  logic                                            s2_zero,
    input  logic                                            s2_out_of_range,
    input  logic     [    OFFSET_BITS-1:0]                  s3_offset,
    output logic                                            s1_valid,
    output logic                                            s2_valid,
    output logic                                            s3_valid,
    // by the end of s3, by side: a New that adds; whether an order is removed, and is added again if it
    // is a Change; and which
    output logic     [                1:0]                  s3_new,
    output logic     [                1:0]                  s3_remove,
    output logic                                            s3_change,
    output logic     [    OFFSET_BITS-1:0]                  s3_found_offset,
    output logic     [     ORDER_BITS-1:0]                  s3_found_quantity,
    output logic     [     ORDER_BITS-1:0]                  s3_quantity,
    // s4
    output logic                                            s4_valid,
    output outcome_t                                        s4_outcome,
    output logic     [                1:0]                  s4_remove,           // by side
    output logic     [                1:0]                  s4_add,
    output logic     [    OFFSET_BITS-1:0]                  s4_remove_offset,
    output logic     [     ORDER_BITS-1:0]                  s4_remove_quantity,
    output logic     [    OFFSET_BITS-1:0]                  s4_add_offset,
    output logic     [     ORDER_BITS-1:0]                  s4_add_quantity,
    // Resting orders by side, and whether a New is in s1 to s4.
    output logic     [                1:0][$clog2(DEPTH):0] count,
    output logic     [$clog2(STASH+1)-1:0]                  stashed,
    output logic                                            adding
);
  localparam int unsigned WAYS = 8;
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

  // ---------------------------------------------------------------- s0

  logic [WAYS-1:0][INDEX_BITS-1:0] s0_index;
  always_comb for (int w = 0; w < WAYS; w++) s0_index[w] = hash(s0_id, w);

  typedef struct packed {
    logic                            valid;
    op_t                             op;
    logic                            side;
    logic [ID_BITS-1:0]              id;
    logic [ORDER_BITS-1:0]           quantity;
    logic [WAYS-1:0][INDEX_BITS-1:0] index;
  } request_t;

  request_t s1_q, s2_q, s3_q, s4_q;
  // What later commands are compared with, of the one in s5.
  logic s5_valid_q;
  logic [ID_BITS-1:0] s5_id_q;
  logic [WAYS-1:0][INDEX_BITS-1:0] s5_index_q;
  // What a command left behind, as far as later ones need it.
  typedef struct packed {
    logic   live;
    order_t order;
    place_t place;
    logic   took;   // the place, for a new order
    logic   wrote;
  } result_t;
  // [0] is in s4, and made from the registers of s4; [1] and [2] have passed.
  result_t [2:0] past;
  result_t [2:1] past_q;
  place_t s3_new_place, s4_new_place_q;  // where a new order goes
  // The order that the command in s4 means, after it. Copies: for orders, for verdicts.
  logic [1:0] s4_live_q;

  // ---------------------------------------------------------------- s1

  word_t [WAYS-1:0] s1_word, s2_word_q;
  logic [WAYS-1:0] s4_write;
  word_t s4_word;
  for (genvar w = 0; w < WAYS; w++) begin : g_table
    book_table #(
        .INDEX_BITS(INDEX_BITS),
        .BITS($bits(word_t))
    ) u_table (
        .clk,
        .write      (wipe || s4_write[w]),
        .write_index(wipe ? wipe_index : s4_q.index[w]),
        .write_data (s4_word),
        .read_index (s0_index[w]),
        .read_data  (s1_word[w])
    );
  end

  logic [STASH-1:0] stash_live_q;
  logic [STASH-1:0][ID_BITS-1:0] stash_id_q;
  order_t [STASH-1:0] stash_order_q;

  // Same id, or same place, as the command one to four ahead. While this command is in s2 the last three
  // are past[0] to past[2]; while it is in s3 the first is past[0].
  logic [AGES-1:0] s2_same_id_q;
  logic [AGES-1:0][WAYS-1:0] s2_same_place_q;
  // The stash is searched in s1 and read in s2; what the three commands ahead change is known from
  // their results, as for the tables.
  logic [STASH-1:0] s2_stash_hit_q;
  logic [ID_BITS-1:0] s1_stash_id_q;  // a copy
  always_ff @(posedge clk) begin
    s2_word_q <= s1_word;
    s2_same_id_q[0] <= s2_q.valid && s2_q.id == s1_q.id;
    s2_same_id_q[1] <= s3_q.valid && s3_q.id == s1_q.id;
    s2_same_id_q[2] <= s4_q.valid && s4_q.id == s1_q.id;
    s2_same_id_q[3] <= s5_valid_q && s5_id_q == s1_q.id;
    for (int w = 0; w < WAYS; w++) begin
      s2_same_place_q[0][w] <= s2_q.valid && s2_q.index[w] == s1_q.index[w];
      s2_same_place_q[1][w] <= s3_q.valid && s3_q.index[w] == s1_q.index[w];
      s2_same_place_q[2][w] <= s4_q.valid && s4_q.index[w] == s1_q.index[w];
      s2_same_place_q[3][w] <= s5_valid_q && s5_index_q[w] == s1_q.index[w];
    end
    for (int s = 0; s < STASH; s++) begin
      s2_stash_hit_q[s] <= stash_live_q[s] && stash_id_q[s] == s1_stash_id_q;
    end
  end

  (* keep *) always_ff @(posedge clk) s1_stash_id_q <= wipe ? '0 : s0_id;

  // ---------------------------------------------------------------- s2

  order_t s2_stash_order;
  always_comb begin
    s2_stash_order = '0;
    for (int s = 0; s < STASH; s++) s2_stash_order |= s2_stash_hit_q[s] ? stash_order_q[s] : '0;
  end

  logic s2_may_add, s2_trusts;
  logic [WAYS-1:0] s2_overwritten;  // the word was written while it was read: not to be trusted
  logic [WAYS-1:0] s2_taken;  // by a command ahead
  assign s2_trusts = s2_q.valid && s2_same_id_q == '0;
  always_comb begin
    for (int w = 0; w < WAYS; w++) begin
      s2_overwritten[w] = s2_same_place_q[3][w] && past[2].wrote && past[2].place.way[w];
      s2_taken[w] = s2_overwritten[w]
          || (s2_same_place_q[2][w] && past[1].took && past[1].place.way[w])
          || (s2_same_place_q[1][w] && past[0].took && s4_new_place_q.way[w]);
    end
  end

  logic [1:0] s3_same_id_q;  // as that of the command ahead; copies, as above
  logic [WAYS-1:0] s3_same_place_q;
  logic [1:0][WAYS-1:0] s3_match_q;  // copies, as above
  logic [WAYS-1:0] s3_taken_q, s2_match;
  order_t [WAYS-1:0] s3_order_q;
  // The order in the stash, or that of the second to fourth command ahead.
  logic s3_other_q;
  order_t s3_other_order_q;
  place_t s3_other_place_q;
  logic s3_zero_q, s3_out_of_range_q, s3_may_add_q, s3_may_remove_q;
  logic [1:0] s3_try_q;  // a New, by side
  assign s2_may_add = s2_q.valid && !s2_zero && !s2_out_of_range;
  always_ff @(posedge clk) begin
    s3_same_place_q <= s2_same_place_q[0];
    for (int w = 0; w < WAYS; w++) begin
      s3_taken_q[w] <= s2_word_q[w].live || s2_taken[w];
      s3_order_q[w] <= s2_word_q[w].order;
    end
    s3_other_q <= s2_q.valid && |s2_stash_hit_q;
    s3_other_order_q <= s2_stash_order;
    s3_other_place_q <= '{way: '0, stash: s2_stash_hit_q};
    for (int age = 3; age > 0; age--) begin
      if (s2_same_id_q[age]) begin
        s3_other_q <= s2_q.valid && past[age-1].live;
        s3_other_order_q <= past[age-1].order;
        s3_other_place_q <= past[age-1].place;
      end
    end
    if (s2_same_id_q[0]) s3_other_q <= 1'b0;

    s3_zero_q <= s2_zero;
    s3_out_of_range_q <= s2_out_of_range;
    s3_may_add_q <= s2_may_add;
    s3_may_remove_q <= s2_q.valid
        && (s2_q.op == OP_DELETE || (s2_q.op == OP_CHANGE && s2_may_add));
    for (int side = 0; side < 2; side++) begin
      s3_try_q[side] <= s2_may_add && s2_q.op == OP_NEW && s2_q.side == side[0];
    end
    if (wipe) begin
      s3_may_add_q <= 1'b0;
      s3_may_remove_q <= 1'b0;
      s3_try_q <= '0;
    end
  end

  always_comb begin
    for (int w = 0; w < WAYS; w++) begin
      s2_match[w] = s2_word_q[w].tag == s2_q.id[ID_BITS-1:INDEX_BITS]
          && s2_word_q[w].live && s2_trusts && !s2_overwritten[w];
    end
  end
  (* keep *) always_ff @(posedge clk) s3_match_q[0] <= s2_match;
  (* keep *) always_ff @(posedge clk) s3_match_q[1] <= s2_match;
  (* keep *) always_ff @(posedge clk) s3_same_id_q[0] <= s2_q.valid && s2_same_id_q[0];
  (* keep *) always_ff @(posedge clk) s3_same_id_q[1] <= s2_q.valid && s2_same_id_q[0];

  // ---------------------------------------------------------------- s3

  logic [STASH-1:0] s3_stash_taken;
  logic [1:0] full;  // DEPTH orders, with the command in s4
  logic [WAYS-1:0] s3_taken;
  logic [1:0] s3_meant_s4;
  logic s3_known, s3_no_place;
  order_t s3_found;
  place_t s3_place;
  logic [1:0] s3_found_on;  // by side

  always_comb begin
    for (int w = 0; w < WAYS; w++) begin
      s3_taken[w] = s3_taken_q[w] || (s3_same_place_q[w] && past[0].took && s4_new_place_q.way[w]);
    end
    s3_meant_s4 = s3_same_id_q & s4_live_q;
    s3_stash_taken = stash_live_q | (past[0].took ? s4_new_place_q.stash : '0);

    s3_found = (s3_meant_s4[0] ? past[0].order : '0) | (s3_other_q ? s3_other_order_q : '0);
    s3_found_on[SELL] = (s3_meant_s4[1] && s4_q.side == SELL)
        || (s3_other_q && s3_other_order_q.side == SELL);
    s3_found_on[BUY] = (s3_meant_s4[1] && s4_q.side == BUY)
        || (s3_other_q && s3_other_order_q.side == BUY);
    for (int w = 0; w < WAYS; w++) begin
      s3_found |= s3_match_q[0][w] ? s3_order_q[w] : '0;
      s3_found_on[SELL] |= s3_match_q[1][w] && s3_order_q[w].side == SELL;
      s3_found_on[BUY] |= s3_match_q[1][w] && s3_order_q[w].side == BUY;
    end
    s3_place = '{way: s3_match_q[0], stash: '0};
    s3_place |= s3_other_q ? s3_other_place_q : '0;
    s3_place |= s3_meant_s4[0] ? past[0].place : '0;

    s3_new_place.way = ~s3_taken & (s3_taken + 1'b1);
    s3_new_place.stash = &s3_taken ? ~s3_stash_taken & (s3_stash_taken + 1'b1) : '0;

    // A place that the command ahead gives up counts from the next command on.
    s3_no_place = &s3_taken && &s3_stash_taken;
    s3_change = s3_q.op == OP_CHANGE;

    s3_known = |{s3_match_q[1], s3_other_q, s3_meant_s4[1]};
    for (int side = 0; side < 2; side++) begin
      s3_new[side] = s3_try_q[side] && !s3_known && !full[side] && !s3_no_place;
      s3_remove[side] = s3_may_remove_q && s3_found_on[side];
    end
  end

  // ---------------------------------------------------------------- s4

  logic s4_known_q, s4_zero_q, s4_out_of_range_q;
  logic s4_leaves_own_q;  // with what it says; of what does not live this does not matter
  logic [1:0] s4_remove_q, s4_new_q, s4_touch_q;
  logic s4_full_q, s4_change_q;
  logic s4_took_q;  // a new one, on one of the sides
  order_t s4_found_q;
  place_t s4_found_place_q;
  logic [OFFSET_BITS-1:0] s4_offset_q;
  logic s4_fresh_q;  // it is a new one
  logic s4_commit;
  logic [1:0][$clog2(DEPTH):0] count_q;
  logic [1:0] full_q, last_q;  // DEPTH orders; one fewer

  always_ff @(posedge clk) begin
    s1_q <= '{
        valid: s0_valid,
        op: s0_op,
        side: s0_side,
        id: s0_id,
        quantity: s0_quantity,
        index: s0_index
    };
    s2_q <= s1_q;
    s3_q <= s2_q;
    s5_valid_q <= s4_q.valid;
    s5_id_q <= s4_q.id;
    s5_index_q <= s4_q.index;
    s4_known_q <= s3_known;
    s4_zero_q <= s3_zero_q;
    s4_out_of_range_q <= s3_out_of_range_q;
    s4_leaves_own_q <= s3_q.op == OP_NEW ? !s3_known : s3_may_add_q && s3_q.op == OP_CHANGE;
    s4_new_q <= s3_new;
    s4_took_q <= |s3_new;
    s4_touch_q <= s3_new | s3_remove;
    s4_full_q <= full[s3_q.side] || s3_no_place;
    s4_remove_q <= s3_remove;
    s4_change_q <= s3_change;
    s4_found_place_q <= s3_place;
    s4_fresh_q <= s3_q.op == OP_NEW && !s3_known;
    s4_new_place_q <= s3_new_place;
    s4_offset_q <= s3_offset;
    past_q <= past[1:0];

    for (int s = 0; s < STASH; s++) begin
      if (past[0].wrote && past[0].place.stash[s]) begin
        stash_live_q[s] <= past[0].live;
        stash_id_q[s] <= s4_q.id;
        stash_order_q[s] <= past[0].order;
      end
    end
    for (int side = 0; side < 2; side++) begin
      full_q[side] <= full[side];
      if (s4_new_q[side]) begin
        count_q[side] <= count_q[side] + 1'b1;
        last_q[side]  <= count_q[side] == ($clog2(DEPTH) + 1)'(DEPTH - 2);
      end
      if (s4_remove_q[side] && !s4_change_q) begin
        count_q[side] <= count_q[side] - 1'b1;
        last_q[side]  <= full_q[side];
      end
    end

    if (wipe) begin
      // All of it: no register of what is around then has the same value, and becomes one with it.
      s1_q <= '0;
      s2_q.valid <= 1'b0;
      s3_q.valid <= 1'b0;
      s5_valid_q <= 1'b0;
      s4_remove_q <= '0;
      s4_new_q <= '0;
      s4_took_q <= 1'b0;
      s4_touch_q <= '0;
      stash_live_q <= '0;
      count_q <= '0;
      full_q <= '0;
      last_q <= '0;
    end
  end

  // The fronts have copies of these of their own.
  request_t s4_d;
  logic s3_live;
  always_comb begin
    s3_live = s3_q.op == OP_NEW ? s3_known || |s3_new : s3_q.op != OP_DELETE && s3_known;
    s4_d = s3_q;
    s4_d.valid = s3_q.valid && !wipe;
    s4_d.side = s3_known ? s3_found.side : s3_q.side;  // of the order that it leaves
  end
  (* keep *) always_ff @(posedge clk) s4_q <= s4_d;
  (* keep *) always_ff @(posedge clk) s4_live_q[0] <= s3_live;
  (* keep *) always_ff @(posedge clk) s4_live_q[1] <= s3_live;
  (* keep *) always_ff @(posedge clk) s4_found_q <= s3_found;

  always_comb begin
    s4_add = s4_new_q | (s4_change_q ? s4_remove_q : '0);
    for (int side = 0; side < 2; side++) begin
      full[side] = full_q[side];
      if (s4_new_q[side]) full[side] = last_q[side];
      if (s4_remove_q[side] && !s4_change_q) full[side] = 1'b0;
    end
    s4_commit  = |s4_touch_q;

    s4_outcome = DONE;
    unique case (s4_q.op)
      OP_NEW: begin
        if (s4_zero_q) s4_outcome = ZERO;
        else if (s4_known_q) s4_outcome = DUPLICATE;
        else if (s4_out_of_range_q) s4_outcome = OUT_OF_RANGE;
        else if (s4_full_q) s4_outcome = FULL;
      end
      OP_CHANGE: begin
        if (!s4_known_q) s4_outcome = UNKNOWN;
        else if (s4_zero_q) s4_outcome = ZERO;
        else if (s4_out_of_range_q) s4_outcome = OUT_OF_RANGE;
      end
      OP_DELETE: if (!s4_known_q) s4_outcome = UNKNOWN;
      default:   ;
    endcase

    past[0].live = s4_live_q[0];
    past[0].order = s4_found_q;
    if (s4_leaves_own_q) begin
      past[0].order = '{side: s4_q.side, offset: s4_offset_q, quantity: s4_q.quantity};
    end
    past[0].order.side = s4_q.side;
    past[0].place = s4_fresh_q ? s4_new_place_q : s4_found_place_q;
    past[0].took = s4_took_q;
    past[0].wrote = s4_commit;
    past[2:1] = past_q;

    s4_write = s4_commit ? past[0].place.way : '0;
    // Of a Delete only that the order no longer lives; so it is of what is wiped.
    s4_word = '{
        live: s4_q.op != OP_DELETE && !wipe,
        tag: s4_q.id[ID_BITS-1:INDEX_BITS],
        order: '{side: s4_q.side, offset: s4_offset_q, quantity: s4_q.quantity}
    };
  end

  assign s1_valid = s1_q.valid;
  assign s2_valid = s2_q.valid;
  assign s3_valid = s3_q.valid;
  assign s3_found_offset = s3_found.offset;
  assign s3_found_quantity = s3_found.quantity;
  assign s3_quantity = s3_q.quantity;
  assign s4_valid = s4_q.valid;
  assign s4_remove = s4_remove_q;
  assign s4_remove_offset = s4_found_q.offset;
  assign s4_remove_quantity = s4_found_q.quantity;
  assign s4_add_offset = s4_offset_q;
  assign s4_add_quantity = s4_q.quantity;
  assign count = count_q;
  assign adding = (s1_q.valid && s1_q.op == OP_NEW) || (s2_q.valid && s2_q.op == OP_NEW)
      || (s3_q.valid && s3_q.op == OP_NEW) || (s4_q.valid && s4_q.op == OP_NEW);

  always_comb begin
    stashed = '0;
    for (int s = 0; s < STASH; s++) stashed += ($clog2(STASH + 1))'(stash_live_q[s]);
  end
endmodule
