// The resting orders by id: what a command means for the levels.
//
// Six tables of 2^INDEX_BITS orders, each with its own hash of the id, and a stash of registers for
// ids that find all six places taken. An order stays where it was put. A lookup reads all six
// places at once, so each command takes its slot in the pipeline and no more:
//   s0  hash, address of the tables
//   s1  the tables' words arrive; first level of the id's comparison
//   s2  comparison, choice, verdict
//   s3  the verdict in registers (the outputs); tables and stash are written at the end of it
// A lookup cannot see what the three commands before it write. For the same id it takes their result
// instead; for the same place it takes the place for occupied.
module book_orders
  import book_pkg::*;
#(
    parameter int unsigned INDEX_BITS = 12,
    parameter int unsigned STASH = 8,
    parameter int unsigned OFFSET_BITS = 12,
    parameter int unsigned DEPTH = 4096,  // orders on each side
    localparam int unsigned WAYS = 6,
    localparam int unsigned CANDIDATES = WAYS + 4
) (
    input  logic                                            clk,
    input  logic                                            rst,
    // Clears the tables, one address a cycle.
    input  logic                                            wipe,
    input  logic     [     INDEX_BITS-1:0]                  wipe_index,
    // s0
    input  logic                                            s0_valid,
    input  op_t                                             s0_op,
    input  logic                                            s0_side,
    input  logic     [        ID_BITS-1:0]                  s0_id,
    input  logic     [     ORDER_BITS-1:0]                  s0_quantity,
    // s2: of the command there
    input  logic     [    OFFSET_BITS-1:0]                  s2_offset,
    input  logic                                            s2_zero,
    input  logic                                            s2_out_of_range,
    // s2: what may be added and removed, and by the end of the cycle what is; by side, see book_front
    output logic                                            s2_valid,
    output logic     [                1:0]                  s2_try,
    output logic     [                1:0]                  s2_add,
    output logic     [     CANDIDATES-1:0][OFFSET_BITS-1:0] s2_candidate_offset,
    output logic     [                1:0][ CANDIDATES-1:0] s2_candidate_removed,
    // s3
    output logic                                            s3_valid,
    output outcome_t                                        s3_outcome,
    output logic     [                1:0]                  s3_remove,             // by side
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
  localparam int unsigned AGES = 3;  // commands ahead whose writes a lookup does not see
  localparam int unsigned PAIRS = (TAG_BITS + 1) / 2;

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

  request_t s1_q, s2_q, s3_q;
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
  result_t [AGES-1:0] past;
  result_t [AGES-1:1] past_q;

  always_comb begin
    s0 = '{
        valid: s0_valid,
        op: s0_op,
        side: s0_side,
        id: s0_id,
        quantity: s0_quantity,
        index: s0_index
    };
  end

  // Same id, or same place, as the command one, two or three ahead. When this command is in s2,
  // that one is past[age].
  logic [AGES-1:0] s1_same_id_q, s2_same_id_q;
  logic [AGES-1:0][WAYS-1:0] s1_same_place_q, s2_same_place_q;
  always_ff @(posedge clk) begin
    s1_same_id_q[0] <= s1_q.valid && s1_q.id == s0_id;
    s1_same_id_q[1] <= s2_q.valid && s2_q.id == s0_id;
    s1_same_id_q[2] <= s3_q.valid && s3_q.id == s0_id;
    for (int w = 0; w < WAYS; w++) begin
      s1_same_place_q[0][w] <= s1_q.valid && s1_q.index[w] == s0_index[w];
      s1_same_place_q[1][w] <= s2_q.valid && s2_q.index[w] == s0_index[w];
      s1_same_place_q[2][w] <= s3_q.valid && s3_q.index[w] == s0_index[w];
    end
    s2_same_id_q <= s1_same_id_q;
    s2_same_place_q <= s1_same_place_q;
  end

  // ---------------------------------------------------------------- s1

  word_t [WAYS-1:0] s1_word;
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
        .read_index (s0_index[w]),
        .read_data  (s1_word[w])
    );
  end

  logic [WAYS-1:0][PAIRS-1:0] s2_pair_q;
  logic [WAYS-1:0] s2_live_q;
  order_t [WAYS-1:0] s2_order_q;
  always_ff @(posedge clk) begin
    for (int w = 0; w < WAYS; w++) begin
      for (int p = 0; p < PAIRS; p++) begin
        s2_pair_q[w][p] <=
            2'(s1_word[w].tag >> 2 * p) == 2'(s1_q.id[ID_BITS-1:INDEX_BITS] >> 2 * p);
      end
      // What is written while it is read is not to be trusted, and is not needed either.
      s2_live_q[w]  <= s1_word[w].live;
      s2_order_q[w] <= s1_word[w].order;
    end
  end

  logic [STASH-1:0] stash_live_q;
  logic [STASH-1:0][ID_BITS-1:0] stash_id_q;
  order_t [STASH-1:0] stash_order_q;
  // The stash is searched in s0 and read in s1; what the three commands ahead change is known from
  // their results, as for the tables.
  logic [STASH-1:0] s1_stash_hit_q, s2_stash_hit_q;
  logic s2_stashed_q;
  order_t s1_stash_order, s2_stash_order_q;
  always_comb begin
    s1_stash_order = '0;
    for (int s = 0; s < STASH; s++) s1_stash_order |= s1_stash_hit_q[s] ? stash_order_q[s] : '0;
  end
  always_ff @(posedge clk) begin
    for (int s = 0; s < STASH; s++) begin
      s1_stash_hit_q[s] <= stash_live_q[s] && stash_id_q[s] == s0_id;
    end
    s2_stash_hit_q <= s1_stash_hit_q;
    s2_stashed_q <= |s1_stash_hit_q;
    s2_stash_order_q <= s1_stash_order;
  end

  // ---------------------------------------------------------------- s2

  logic recent;
  logic [WAYS-1:0] s2_hit, s2_taken, s2_free;
  logic [STASH-1:0] s2_stash_taken, s2_stash_free;
  logic s2_known, s2_full, s2_commit, may_remove, may_add, new_fits;
  logic [CANDIDATES-1:0] meant;
  order_t [CANDIDATES-1:0] candidate;
  order_t s2_found;
  place_t s2_place;
  outcome_t s2_outcome;
  logic [1:0] full;

  always_comb begin
    recent = |s2_same_id_q;
    for (int w = 0; w < WAYS; w++) begin
      s2_hit[w] = s2_live_q[w] && (&s2_pair_q[w]) && !recent;
      s2_taken[w] = s2_live_q[w];
      for (int a = 0; a < AGES; a++) begin
        if (s2_same_place_q[a][w] && past[a].took && past[a].place.way[w]) s2_taken[w] = 1'b1;
      end
      // The word was written while it was read.
      if (s2_same_place_q[2][w] && past[2].wrote && past[2].place.way[w]) begin
        s2_hit[w] = 1'b0;
        s2_taken[w] = 1'b1;
      end
    end
    s2_free = ~s2_taken & (s2_taken + 1'b1);
    s2_stash_taken = stash_live_q | (past[0].took ? past[0].place.stash : '0);
    s2_stash_free = &s2_taken ? ~s2_stash_taken & (s2_stash_taken + 1'b1) : '0;

    // Who may be meant: the tables' words, the stash, and what the commands just ahead left.
    for (int w = 0; w < WAYS; w++) candidate[w] = s2_order_q[w];
    candidate[WAYS] = s2_stash_order_q;
    for (int a = 0; a < AGES; a++) candidate[WAYS+1+a] = past[a].order;
    meant = {
      s2_same_id_q[2] && !s2_same_id_q[1] && !s2_same_id_q[0] && past[2].live,
      s2_same_id_q[1] && !s2_same_id_q[0] && past[1].live,
      s2_same_id_q[0] && past[0].live,
      s2_stashed_q && !recent,
      s2_hit
    };
    s2_known = |meant;
    s2_found = '0;
    for (int c = 0; c < CANDIDATES; c++) s2_found |= meant[c] ? candidate[c] : '0;
    s2_place = '{way: s2_hit, stash: recent ? '0 : s2_stash_hit_q};
    for (int a = 0; a < AGES; a++) s2_place |= meant[WAYS+1+a] ? past[a].place : '0;

    // What the command may do to an order that rests, and without one.
    s2_full  = full[s2_q.side];
    may_add  = s2_q.valid && !s2_zero && !s2_out_of_range;
    may_remove = s2_q.valid && (s2_q.op == OP_DELETE || (s2_q.op == OP_CHANGE && may_add));
    new_fits = s2_q.op == OP_NEW && may_add && !s2_full && !(&s2_taken && &s2_stash_taken);
    s2_commit = s2_known ? may_remove : new_fits;

    s2_outcome = DONE;
    unique case (s2_q.op)
      OP_NEW: begin
        if (s2_zero) s2_outcome = ZERO;
        else if (s2_known) s2_outcome = DUPLICATE;
        else if (s2_out_of_range) s2_outcome = OUT_OF_RANGE;
        else if (!new_fits) s2_outcome = FULL;
      end
      OP_CHANGE: begin
        if (!s2_known) s2_outcome = UNKNOWN;
        else if (s2_zero) s2_outcome = ZERO;
        else if (s2_out_of_range) s2_outcome = OUT_OF_RANGE;
      end
      OP_DELETE: if (!s2_known) s2_outcome = UNKNOWN;
      default:   ;
    endcase

    for (int side = 0; side < 2; side++) begin
      s2_try[side] = may_add
          && (s2_q.op == OP_CHANGE || (s2_q.op == OP_NEW && s2_q.side == side[0]));
      for (int c = 0; c < CANDIDATES; c++) begin
        s2_candidate_removed[side][c] = meant[c] && candidate[c].side == side[0] && may_remove;
      end
      s2_add[side] = (s2_q.op == OP_CHANGE && |s2_candidate_removed[side])
          || (new_fits && !s2_known && s2_q.side == side[0]);
    end
  end

  // ---------------------------------------------------------------- s3

  logic s3_commit_q, s3_known_q;
  order_t s3_found_q;
  place_t s3_found_place_q, s3_new_place_q;
  logic [OFFSET_BITS-1:0] s3_offset_q;
  logic s3_new, s3_side;
  logic [1:0][$clog2(DEPTH):0] count_q, count_d;
  logic [1:0] full_q, last_q;  // DEPTH orders, one fewer

  always_ff @(posedge clk) begin
    s1_q <= s0;
    s2_q <= s1_q;
    s3_q <= s2_q;
    s3_commit_q <= s2_commit;
    s3_known_q <= s2_known;
    s3_found_q <= s2_found;
    s3_found_place_q <= s2_place;
    s3_new_place_q <= '{way: s2_free, stash: s2_stash_free};
    s3_offset_q <= s2_offset;
    s3_outcome <= s2_outcome;
    past_q[1] <= past[0];
    past_q[2] <= past[1];

    for (int s = 0; s < STASH; s++) begin
      if (past[0].wrote && past[0].place.stash[s]) begin
        stash_live_q[s] <= past[0].live;
        stash_id_q[s] <= s3_q.id;
        stash_order_q[s] <= past[0].order;
      end
    end
    for (int side = 0; side < 2; side++) begin
      count_q[side] <= count_d[side];
      full_q[side] <= count_d[side] == ($clog2(DEPTH) + 1)'(DEPTH);
      last_q[side] <= count_d[side] == ($clog2(DEPTH) + 1)'(DEPTH - 1);
    end

    if (rst || wipe) begin
      s1_q.valid <= 1'b0;
      s2_q.valid <= 1'b0;
      s3_q.valid <= 1'b0;
      s3_commit_q <= 1'b0;
      stash_live_q <= '0;
      count_q <= '0;
      full_q <= '0;
      last_q <= '0;
    end
  end

  always_comb begin
    s3_new = s3_commit_q && s3_q.op == OP_NEW;
    s3_side = s3_q.op == OP_NEW ? s3_q.side : s3_found_q.side;
    for (int side = 0; side < 2; side++) begin
      s3_remove[side] = s3_commit_q && s3_q.op inside {OP_CHANGE, OP_DELETE} && s3_side == side[0];
      s3_add[side] = s3_commit_q && s3_q.op inside {OP_NEW, OP_CHANGE} && s3_side == side[0];
      count_d[side] = count_q[side];
      full[side] = full_q[side];
      if (s3_add[side] && !s3_remove[side]) begin
        count_d[side] = count_q[side] + 1'b1;
        full[side] = last_q[side];
      end
      if (s3_remove[side] && !s3_add[side]) begin
        count_d[side] = count_q[side] - 1'b1;
        full[side] = 1'b0;
      end
    end

    past[0].live  = s3_commit_q ? s3_q.op != OP_DELETE : s3_known_q;
    past[0].order = s3_found_q;
    if (|s3_add) past[0].order = '{side: s3_side, offset: s3_offset_q, quantity: s3_q.quantity};
    past[0].place = s3_new ? s3_new_place_q : s3_found_place_q;
    past[0].took  = s3_new;
    past[0].wrote = s3_commit_q;
    past[AGES-1:1] = past_q;

    s3_write = s3_commit_q ? past[0].place.way : '0;
    s3_word = '{live: past[0].live, tag: s3_q.id[ID_BITS-1:INDEX_BITS], order: past[0].order};
  end

  assign s3_valid = s3_q.valid;
  assign s3_remove_offset = s3_found_q.offset;
  assign s3_remove_quantity = s3_found_q.quantity;
  assign s3_add_offset = s3_offset_q;
  assign s3_add_quantity = s3_q.quantity;
  assign count = count_q;

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
