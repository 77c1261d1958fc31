// bounded: depth 14
// cover: depth 18
// The front of a small book tells the truth: a live top is a level with its exact quantity and
// count, and it is the best of all levels whenever the edge covers that one. No level within the
// edge is lost, whatever is added, moved, removed, pushed out or refilled.
module book_front_properties (
    input logic       clk,
    input logic       s3_adds_any,
    input logic       s3_removes_any,
    input logic [1:0] s3_rank,
    input logic [1:0] s3_found_rank,
    input logic [1:0] s3_add_quantity,
    input logic [1:0] s3_remove_quantity,
    input logic       refill,
    input logic [1:0] refill_rank
);
  localparam int unsigned RANKS = 4;

  // Wiping takes longer than the way through the front.
  logic [1:0] age = '0;
  logic started;
  assign started = age == 2'd3;

  // What there is, by rank: with all that is through s5; with what is in s5 too, in s4, in s3.
  logic [RANKS-1:0][3:0] quantity = '0, quantity_s5 = '0, quantity_s4 = '0, quantity_s3;
  logic [RANKS-1:0][2:0] count = '0, count_s5 = '0, count_s4 = '0, count_s3;

  // Refills come from a memory that knows the truth, between commands, for the best level below
  // the edge; and only while a place is free, and one taken.
  logic install_next, install = 1'b0, top_valid, edge_open;
  logic [1:0] install_rank = '0, top_rank, edge_rank, second_quarter;
  logic [1:0] top_high;
  logic [3:0] top_quantity;
  logic [2:0] top_count;
  logic [2:0] live;

  logic s3_adds, s3_removes, s4_any = 1'b0, s5_any = 1'b0, s5_adds = 1'b0, s4_adds = 1'b0;
  logic s4_removes = 1'b0, s5_removes = 1'b0;
  logic [1:0] s4_rank, s5_rank, s4_found_rank, s5_found_rank;
  assign s3_adds = s3_adds_any && started && !install;
  assign s3_removes = s3_removes_any && started && !install;
  assign install_next = refill && started && !install && !live[2] && live[0] && !s3_adds
      && !s3_removes && !s4_any && !s5_any && count[refill_rank] != 0;

  always_comb begin
    quantity_s3 = quantity_s4;
    count_s3 = count_s4;
    if (s3_removes) begin
      quantity_s3[s3_found_rank] -= 4'(s3_remove_quantity);
      count_s3[s3_found_rank] -= 1'b1;
    end
    if (s3_adds) begin
      quantity_s3[s3_rank] += 4'(s3_add_quantity);
      count_s3[s3_rank] += 1'b1;
    end
  end

  book_front #(
      .LEVELS(3),
      .RANK_BITS(2),
      .HIGH_BITS(2),
      .ORDER_BITS(2),
      .SUM_BITS(4),
      .COUNT_BITS(3)
  ) dut (
      .clk,
      .wipe(!started),
      .hide(1'b0),
      .s3_rank,
      .s3_quantity(s3_add_quantity),
      .s3_new(s3_adds && !s3_removes),
      .s3_remove(s3_removes),
      .s3_change(s3_adds),
      .s3_found_rank,
      .s3_found_quantity(s3_remove_quantity),
      .s5_high(s5_rank),
      .install_next,
      .install,
      .install_rank,
      .install_quantity(quantity[install_rank]),
      .install_count(count[install_rank]),
      .lower(1'b0),
      .lower_to('0),
      .second_quarter,
      .second_high(second_quarter),
      .top_valid,
      .top_rank,
      .top_high,
      .top_quantity,
      .top_count,
      .live,
      .edge_rank,
      .edge_open
  );

  function automatic logic covers(input logic [1:0] rank);
    return edge_open ? rank > edge_rank : rank >= edge_rank;
  endfunction

  // The best level.
  logic any;
  logic [1:0] best;
  always_comb begin
    any  = 1'b0;
    best = '0;
    for (int r = 0; r < RANKS; r++) begin
      if (count[r] != 0) begin
        any  = 1'b1;
        best = 2'(r);
      end
    end
  end

  logic pushed_once = 1'b0, shut_once = 1'b0, installed_once = 1'b0;

  always_ff @(posedge clk) begin
    if (!started) age <= age + 1'b1;
    install <= install_next;
    install_rank <= refill_rank;
    s4_rank <= s3_rank;
    s5_rank <= s4_rank;
    if (started) begin
      quantity_s4 <= quantity_s3;
      quantity_s5 <= quantity_s4;
      quantity <= quantity_s5;
      count_s4 <= count_s3;
      count_s5 <= count_s4;
      count <= count_s5;
      s4_any <= s3_adds || s3_removes;
      s5_any <= s4_any;
      s4_adds <= s3_adds;
      s5_adds <= s4_adds;
      s4_removes <= s3_removes;
      s5_removes <= s4_removes;
      s4_found_rank <= s3_found_rank;
      s5_found_rank <= s4_found_rank;
      pushed_once <= pushed_once || dut.pushed;
      shut_once <= shut_once || dut.shut;
      installed_once <= installed_once || install;

      // An order that is removed exists, and what stays has at least one unit each.
      if (s3_removes) begin
        assume (count_s4[s3_found_rank] != 0);
        assume (s3_remove_quantity != 0);
        assume (quantity_s4[s3_found_rank] >=
                4'(s3_remove_quantity) + 4'(count_s4[s3_found_rank]) - 4'd1);
        if (count_s4[s3_found_rank] == 1) begin
          assume (quantity_s4[s3_found_rank] == 4'(s3_remove_quantity));
        end
      end
      if (s3_adds) begin
        assume (s3_add_quantity != 0);
        assume (count_s4[s3_rank] < 5 && quantity_s4[s3_rank] < 12);
      end
      // The refill goes to the best level below the edge.
      if (install_next) begin
        assume (!covers(refill_rank));
        for (int r = 0; r < RANKS; r++) begin
          if (2'(r) > refill_rank && count[r] != 0) assume (covers(2'(r)));
        end
      end

      if (top_valid) begin
        assert (count[top_rank] != 0);
        assert (top_quantity == quantity[top_rank]);
        assert (top_count == count[top_rank]);
        assert (top_high == top_rank);
      end
      if (any && covers(best)) begin
        assert (top_valid);
        assert (top_rank == best);
      end
      if (!any) assert (!top_valid);
      // What moves the first two levels is what the top is chosen by.
      if (live[0]) begin
        assert ((dut.first_price[0] == 2'd3) == (dut.move[0] == 2'd3));
        assert ((dut.first_price[0] == 2'd2) == (dut.move[0] == 2'd1));
      end
      // The first places, in order.
      for (int k = 1; k < 3; k++) begin
        if (live[k]) assert (live[k-1] && dut.rank_q[k-1] > dut.rank_q[k]);
      end

      cover (pushed_once && installed_once && top_valid);
      cover (shut_once && installed_once && top_valid);
      cover (s5_adds && s5_removes && s5_rank == s5_found_rank && top_valid);
      cover (dut.first_price[0] == 2'd2 && dut.equal_q[1]);
      cover (dut.ends[0] && dut.fresh_q && live == '1);
      cover (dut.owes_q[1] && dut.first_price[0] == 2'd2);
    end
  end
endmodule
