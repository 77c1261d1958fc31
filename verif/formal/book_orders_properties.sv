// bounded: depth 15
// cover: depth 22
// No order is lost and none invented: for an id that the solver chooses, among any commands to any
// ids, every verdict and every removal tells what the last good command to that id left; and the
// number of resting orders is that of the good New minus that of the good Delete.
// Ids of seven bits: as many as it takes for nine of them to have all places in common.
module book_orders_properties
  import book_pkg::*;
(
    input logic       clk,
    input logic       s0_valid,
    input logic [1:0] s0_op,
    input logic       s0_side,
    input logic [6:0] s0_id,
    input logic [1:0] s0_quantity,
    input logic [1:0] s3_offset,
    input logic       s2_zero,
    input logic       s2_out_of_range,
    input logic [6:0] chosen_any
);
  // Reset and wiping take the first four cycles.
  logic [2:0] age = '0;
  logic wiping;
  assign wiping = age < 4;

  logic [6:0] chosen;
  logic chosen_set = 1'b0;

  logic s1_valid, s2_valid, s3_valid, s4_valid, s3_change;
  logic [1:0] s3_new, s3_remove, s4_remove, s4_add, s3_added, s3_removed;
  logic [1:0] s3_found_offset, s3_found_offset_was, s4_remove_offset, s4_add_offset;
  logic [ORDER_BITS-1:0] s3_quantity, s3_found_quantity, s3_quantity_was, s3_found_quantity_was;
  logic [ORDER_BITS-1:0] s4_remove_quantity, s4_add_quantity;
  outcome_t s4_outcome;
  logic [1:0][3:0] count;
  logic stashed, adding;

  book_orders #(
      .INDEX_BITS(2),
      .STASH(1),
      .OFFSET_BITS(2),
      .DEPTH(8)
  ) dut (
      .clk,
      .wipe(wiping),
      .wipe_index(age[1:0]),
      .s0_valid(s0_valid && !wiping),
      .s0_op(op_t'(s0_op)),
      .s0_side,
      .s0_id(ID_BITS'(s0_id)),
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
  request_t s1 = '0, s2 = '0, s3 = '0, s4 = '0;
  logic [1:0] s4_offset;
  logic s3_zero, s3_out, s4_zero, s4_out;

  // The chosen order.
  logic live = 1'b0;
  logic side;
  logic [1:0] offset, quantity;
  logic [4:0] number = '0, number_now;  // resting orders of both sides

  logic good;
  assign good = s4.valid && s4_outcome == DONE;
  assign number_now = number + 5'(good && s4.op == 2'(OP_NEW)) - 5'(good && s4.op == 2'(OP_DELETE));

  logic moved_back_to_back = 1'b0;

  always_ff @(posedge clk) begin
    if (wiping) age <= age + 1'b1;
    if (!chosen_set) chosen <= chosen_any;
    chosen_set <= 1'b1;
    if (!wiping) begin
      s1 <= '{valid: s0_valid, op: s0_op, side: s0_side, id: s0_id, quantity: s0_quantity};
      s2 <= s1;
      s3 <= s2;
      s4 <= s3;
      s4_offset <= s3_offset;
      s3_zero <= s2_zero;
      s3_out <= s2_out_of_range;
      s4_zero <= s3_zero;
      s4_out <= s3_out;

      assert (s4_valid == s4.valid);
      // The fronts register on their own what they hear in s3.
      s3_added <= s3_new | (s3_change ? s3_remove : '0);
      s3_removed <= s3_remove;
      s3_quantity_was <= s3_quantity;
      s3_found_quantity_was <= s3_found_quantity;
      s3_found_offset_was <= s3_found_offset;
      if (s4_valid) begin
        assert (s4_add == s3_added && s4_remove == s3_removed);
        assert (s4_add_quantity == s3_quantity_was);
        assert (s4_remove_quantity == s3_found_quantity_was);
        assert (s4_remove_offset == s3_found_offset_was);
      end
      assert (dut.s4_commit == |(s4_add | s4_remove));
      number <= number_now;
      assert (5'(count[0]) + 5'(count[1]) == number);

      if (s4.valid && s4.id == chosen) begin
        // The verdict fits what is known of the order.
        if (s4.op == 2'(OP_NEW)) begin
          if (s4_zero) assert (s4_outcome == ZERO);
          else if (live) assert (s4_outcome == DUPLICATE);
          else if (s4_out) assert (s4_outcome == OUT_OF_RANGE);
          else assert (s4_outcome == DONE || s4_outcome == FULL);
        end
        if (s4.op == 2'(OP_CHANGE)) begin
          if (!live) assert (s4_outcome == UNKNOWN);
          else if (s4_zero) assert (s4_outcome == ZERO);
          else if (s4_out) assert (s4_outcome == OUT_OF_RANGE);
          else assert (s4_outcome == DONE);
        end
        if (s4.op == 2'(OP_DELETE)) assert (s4_outcome == (live ? DONE : UNKNOWN));

        // What is taken away is what was there.
        if (good && (s4.op == 2'(OP_CHANGE) || s4.op == 2'(OP_DELETE))) begin
          assert (s4_remove == (side ? 2'b10 : 2'b01));
          assert (s4_remove_offset == offset);
          assert (s4_remove_quantity == ORDER_BITS'(quantity));
        end else assert (s4_remove == '0);
        if (good && (s4.op == 2'(OP_NEW) || s4.op == 2'(OP_CHANGE))) begin
          live <= 1'b1;
          if (s4.op == 2'(OP_NEW)) side <= s4.side;
          offset <= s4_offset;
          quantity <= s4.quantity;
          assert (s4_add == ((s4.op == 2'(OP_NEW) ? s4.side : side) ? 2'b10 : 2'b01));
          assert (s4_add_offset == s4_offset);
          assert (s4_add_quantity == ORDER_BITS'(s4.quantity));
        end else assert (s4_add == '0);
        if (good && s4.op == 2'(OP_DELETE)) live <= 1'b0;
      end
      if (!s4.valid) assert (s4_remove == '0 && s4_add == '0);

      moved_back_to_back <= good && s4.op == 2'(OP_CHANGE) && s4.id == chosen;
      cover (moved_back_to_back && good && s4.op == 2'(OP_DELETE) && s4.id == chosen);
      cover (stashed);
      cover (s4.valid && s4_outcome == FULL);
    end
  end
endmodule
