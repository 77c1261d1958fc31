// bounded: depth 14
// cover: depth 18
// No order is lost and none invented: for an id that the solver chooses, among any commands to any
// ids, every verdict and every removal tells what the last good command to that id left; and the
// number of resting orders is that of the good New minus that of the good Delete.
// Ids of seven bits: as many as it takes for seven of them to have all places in common.
module book_orders_properties
  import book_pkg::*;
(
    input logic       clk,
    input logic       s0_valid,
    input logic [1:0] s0_op,
    input logic       s0_side,
    input logic [6:0] next_id,
    input logic [1:0] s0_quantity,
    input logic [1:0] s2_offset,
    input logic       s1_zero,
    input logic       s1_out_of_range,
    input logic [6:0] chosen_any
);
  // Reset and wiping take the first four cycles.
  logic [2:0] age = '0;
  logic wiping;
  assign wiping = age < 4;
  // A word that is read while it is wiped is undefined: order_book takes no command in the cycle behind.
  logic takes = 1'b0;
  logic [6:0] s0_id;
  always_ff @(posedge clk) begin
    takes <= !wiping;
    s0_id <= next_id;
  end

  logic [6:0] chosen;
  logic chosen_set = 1'b0;

  logic s2_valid, s3_valid;
  logic [1:0] s2_try, s3_remove, s3_add;
  logic [6:0][1:0] s2_candidate_offset;
  logic [6:0] s2_meant;
  logic s1_valid, s2_change;
  logic [1:0][6:0] s2_candidate_here;
  logic [1:0] s2_meant_s3_here;
  logic [1:0] s2_found_offset;
  logic [1:0] s2_new, s2_remove, s2_added, s2_removed;
  logic [ORDER_BITS-1:0] s2_quantity, s2_found_quantity, s2_quantity_was, s2_found_quantity_was;
  outcome_t s3_outcome;
  logic [1:0] s3_remove_offset, s3_add_offset;
  logic [ORDER_BITS-1:0] s3_remove_quantity, s3_add_quantity;
  logic [1:0][2:0] count;
  logic stashed, adding;

  book_orders #(
      .INDEX_BITS(2),
      .STASH(1),
      .OFFSET_BITS(2),
      .DEPTH(4)
  ) dut (
      .clk,
      .rst(age == 0),
      .wipe(wiping),
      .wipe_index(age[1:0]),
      .next_id(ID_BITS'(next_id)),
      .s0_valid(s0_valid && takes),
      .s0_op(op_t'(s0_op)),
      .s0_side,
      .s0_quantity(ORDER_BITS'(s0_quantity)),
      .*
  );

  // The command, as it goes down the pipeline.
  typedef struct packed {
    logic       valid;
    logic [1:0] op;
    logic       side;
    logic [6:0] id;
    logic [1:0] quantity;
  } request_t;
  request_t s1 = '0, s2 = '0, s3 = '0;
  logic [1:0] s3_offset;
  logic s2_zero, s2_out, s3_zero, s3_out;

  // The chosen order.
  logic live = 1'b0;
  logic side;
  logic [1:0] offset, quantity;
  logic [3:0] number = '0, number_now;  // resting orders of both sides

  logic [1:0] was_meant = '0;
  logic meant_in_s3;
  logic [1:0] last_left, meant_offset;

  logic good;
  assign good = s3.valid && s3_outcome == DONE;
  assign number_now = number + 4'(good && s3.op == 2'(OP_NEW)) - 4'(good && s3.op == 2'(OP_DELETE));

  logic moved_back_to_back = 1'b0;

  always_ff @(posedge clk) begin
    if (wiping) age <= age + 1'b1;
    if (!chosen_set) chosen <= chosen_any;
    chosen_set <= 1'b1;
    if (!wiping) begin
      s1 <= '{valid: s0_valid && takes, op: s0_op, side: s0_side, id: s0_id, quantity: s0_quantity};
      s2 <= s1;
      s3 <= s2;
      s3_offset <= s2_offset;
      s2_zero <= s1_zero;
      s2_out <= s1_out_of_range;
      s3_zero <= s2_zero;
      s3_out <= s2_out;

      assert (s3_valid == s3.valid);
      // The fronts register on their own what they hear in s2.
      s2_added <= s2_new | (s2_change ? s2_remove : '0);
      s2_removed <= s2_remove;
      s2_quantity_was <= s2_quantity;
      s2_found_quantity_was <= s2_found_quantity;
      if (s3_valid) begin
        assert (s3_add == s2_added && s3_remove == s2_removed);
        assert (s3_add_quantity == s2_quantity_was);
        assert (s3_remove_quantity == s2_found_quantity_was);
      end
      assert (dut.s3_commit == |(s3_add | s3_remove));
      // What the levels hear of in s2 is what the verdict then tells.
      assert ($onehot0({s2_meant, s2_meant_s3_here}));
      was_meant <= {|(s2_meant & s2_candidate_here[1]), |(s2_meant & s2_candidate_here[0])}
          | s2_meant_s3_here;
      meant_in_s3 <= |s2_meant_s3_here;
      last_left <= |s3_add ? s3_add_offset : s3_remove_offset;
      meant_offset <= '0;
      for (int c = 0; c < 7; c++) if (s2_meant[c]) meant_offset <= s2_candidate_offset[c];
      assert (s3_remove == was_meant);
      if (s3_remove != '0) begin
        assert (s3_remove_offset == (meant_in_s3 ? last_left : meant_offset));
      end
      number <= number_now;
      assert (4'(count[0]) + 4'(count[1]) == number);

      if (s3.valid && s3.id == chosen) begin
        // The verdict fits what is known of the order.
        if (s3.op == 2'(OP_NEW)) begin
          if (s3_zero) assert (s3_outcome == ZERO);
          else if (live) assert (s3_outcome == DUPLICATE);
          else if (s3_out) assert (s3_outcome == OUT_OF_RANGE);
          else assert (s3_outcome == DONE || s3_outcome == FULL);
        end
        if (s3.op == 2'(OP_CHANGE)) begin
          if (!live) assert (s3_outcome == UNKNOWN);
          else if (s3_zero) assert (s3_outcome == ZERO);
          else if (s3_out) assert (s3_outcome == OUT_OF_RANGE);
          else assert (s3_outcome == DONE);
        end
        if (s3.op == 2'(OP_DELETE)) assert (s3_outcome == (live ? DONE : UNKNOWN));

        // What is taken away is what was there.
        if (good && (s3.op == 2'(OP_CHANGE) || s3.op == 2'(OP_DELETE))) begin
          assert (s3_remove == (side ? 2'b10 : 2'b01));
          assert (s3_remove_offset == offset);
          assert (s3_remove_quantity == ORDER_BITS'(quantity));
        end else assert (s3_remove == '0);
        if (good && (s3.op == 2'(OP_NEW) || s3.op == 2'(OP_CHANGE))) begin
          live <= 1'b1;
          if (s3.op == 2'(OP_NEW)) side <= s3.side;
          offset <= s3_offset;
          quantity <= s3.quantity;
          assert (s3_add == ((s3.op == 2'(OP_NEW) ? s3.side : side) ? 2'b10 : 2'b01));
          assert (s3_add_offset == s3_offset);
          assert (s3_add_quantity == ORDER_BITS'(s3.quantity));
        end else assert (s3_add == '0);
        if (good && s3.op == 2'(OP_DELETE)) live <= 1'b0;
      end
      if (!s3.valid) assert (s3_remove == '0 && s3_add == '0);

      moved_back_to_back <= good && s3.op == 2'(OP_CHANGE) && s3.id == chosen;
      cover (moved_back_to_back && good && s3.op == 2'(OP_DELETE) && s3.id == chosen);
      cover (stashed);
      cover (s3.valid && s3_outcome == FULL);
    end
  end
endmodule
