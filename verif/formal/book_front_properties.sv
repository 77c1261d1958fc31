// bounded: depth 9
// cover: depth 12
// The front of a small book tells the truth: a live top is a level with its exact quantity and
// count, and it is the best of all levels whenever the edge covers that one. No level within the
// edge is lost, whatever is added, moved, removed, refused, pushed out or refilled.
module book_front_properties (
    input logic       clk,
    input logic       s2_try,
    input logic [2:0] s2_rank,
    input logic       s2_verdict,
    input logic       s2_means,
    input logic       s2_means_s3,
    input logic       s2_removes,
    input logic [2:0] s2_candidate_rank,
    input logic [1:0] s2_add_quantity,
    input logic [1:0] s2_remove_quantity,
    input logic       refill,
    input logic [2:0] refill_rank
);
  localparam int unsigned LEVELS = 4;
  localparam int unsigned RANKS = 5;

  logic started = 1'b0;
  logic rst;
  assign rst = !started;

  // What there is, by rank, with all that is through s3; and with what is in s3 now.
  logic [RANKS-1:0][3:0] quantity = '0, quantity_now;
  logic [RANKS-1:0][2:0] count = '0, count_now;

  logic s3_add = 1'b0, s3_remove = 1'b0, s3_any = 1'b0;
  logic [2:0] s3_add_rank, s3_meant_rank;
  logic [1:0] s3_add_quantity, s3_remove_quantity;

  always_comb begin
    quantity_now = quantity;
    count_now = count;
    if (s3_remove) begin
      quantity_now[s3_meant_rank] -= 4'(s3_remove_quantity);
      count_now[s3_meant_rank] -= 1'b1;
    end
    if (s3_add) begin
      quantity_now[s3_add_rank] += 4'(s3_add_quantity);
      count_now[s3_add_rank] += 1'b1;
    end
  end

  // Refills come from a memory that knows the truth, between commands, for the best level below
  // the edge; and only while a place is free.
  logic install, top_valid, edge_open;
  logic [2:0] top_rank, edge_rank, top_high;
  logic [1:0] second_quarter;
  logic [3:0] top_quantity;
  logic [2:0] top_count;
  logic [LEVELS-1:0] live;
  assign install = refill && started && !live[LEVELS-1] && !s2_try && !s2_means && !s3_any
      && count[refill_rank] != 0;

  // The rank of the order that the command means: of any, or of that in s3.
  logic [2:0] meant_rank;
  assign meant_rank = !s2_means_s3 ? s2_candidate_rank : s3_add ? s3_add_rank : s3_meant_rank;

  book_front #(
      .LEVELS(LEVELS),
      .CANDIDATES(1),
      .RANK_BITS(3),
      .HIGH_BITS(3),
      .ORDER_BITS(2),
      .SUM_BITS(4),
      .COUNT_BITS(3)
  ) dut (
      .clk,
      .rst,
      .s2_try(s2_try && started),
      .s2_rank,
      .s2_high(s2_rank),
      .s2_candidate_rank,
      .s2_candidate_here(s2_removes),
      .s2_meant(started && s2_means && !s2_means_s3),
      .s2_meant_s3(started && s2_means && s2_means_s3 && s2_removes),
      .s2_change(s2_try && s2_means),
      .s2_found_rank(meant_rank),
      .s2_found_quantity(s2_remove_quantity),
      .s2_quantity(s2_add_quantity),
      .s2_new(started && s2_try && s2_verdict && !s2_means),
      .s2_remove(started && s2_removes),
      .install,
      .here(install ? ~live & {live[LEVELS-2:0], 1'b1} : '0),
      .install_rank(refill_rank),
      .install_high(refill_rank),
      .install_quantity(quantity[refill_rank]),
      .install_count(count[refill_rank]),
      .lower(1'b0),
      .lower_to('0),
      .second_quarter,
      .second_high(dut.rank_q[1]),
      .top_valid,
      .top_rank,
      .top_high,
      .top_quantity,
      .top_count,
      .live,
      .edge_rank,
      .edge_open
  );

  function automatic logic covers(input logic [2:0] rank);
    return edge_open ? rank > edge_rank : rank >= edge_rank;
  endfunction

  // The best level, and whether the edge promises it: by the edge that the command in s3 leaves.
  logic any, promised;
  logic [2:0] best;
  always_comb begin
    any  = 1'b0;
    best = '0;
    for (int r = 0; r < RANKS; r++) begin
      if (count_now[r] != 0) begin
        any  = 1'b1;
        best = 3'(r);
      end
    end
    promised = covers(best) && !(dut.pushed && best <= dut.rank_q[LEVELS-1])
        && !(dut.shut && best <= s3_add_rank);
  end

  logic pushed_once = 1'b0, shut_once = 1'b0, installed_once = 1'b0;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (started) begin
      quantity <= quantity_now;
      count <= count_now;
      s3_any <= s2_try || s2_means;
      s3_add <= s2_try && s2_verdict;
      s3_remove <= s2_removes;
      s3_add_rank <= s2_rank;
      s3_meant_rank <= meant_rank;
      s3_add_quantity <= s2_add_quantity;
      s3_remove_quantity <= s2_remove_quantity;
      pushed_once <= pushed_once || dut.pushed;
      shut_once <= shut_once || dut.shut;
      installed_once <= installed_once || install;

      assume (s2_rank < RANKS && s2_candidate_rank < RANKS && refill_rank < RANKS);
      // An order that is meant exists, and what stays has at least one unit each.
      if (s2_means) assume (count_now[meant_rank] != 0);
      if (s2_removes) begin
        assume (s2_means);
        assume (s2_remove_quantity != 0);
        assume (quantity_now[meant_rank] >=
                4'(s2_remove_quantity) + 4'(count_now[meant_rank]) - 4'd1);
        if (count_now[meant_rank] == 1) begin
          assume (quantity_now[meant_rank] == 4'(s2_remove_quantity));
        end
      end
      // An order moves as a whole or not at all; a New of one that rests is refused.
      if (s2_try && s2_means) assume (s2_verdict == s2_removes);
      if (s2_try && s2_verdict) begin
        assume (s2_add_quantity != 0);
        assume (count_now[s2_rank] < 4 && quantity_now[s2_rank] < 12);
      end
      // The refill goes to the best level below the edge.
      if (install) begin
        assume (!covers(refill_rank));
        for (int r = 0; r < RANKS; r++) begin
          if (3'(r) > refill_rank && count[r] != 0) assume (covers(3'(r)));
        end
      end

      if (top_valid) begin
        assert (count_now[top_rank] != 0);
        assert (top_quantity == quantity_now[top_rank]);
        assert (top_count == count_now[top_rank]);
        assert (top_high == top_rank);
      end
      if (any && promised) begin
        assert (top_valid);
        assert (top_rank == best);
      end
      if (!any) assert (!top_valid);
      // What moves the first two levels is what the top is chosen by.
      if (live[0]) begin
        assert ((dut.first_price[0] == 2'd3) == (dut.move[0] == 2'd3));
        assert ((dut.first_price[0] == 2'd2) == (dut.move[0] == 2'd1));
      end
      assert (!(dut.gains_q[2] && dut.owes_q[2]));
      // Every level, with what the last command changes at it yet: the truth but for the command in s3.
      for (int k = 0; k < LEVELS; k++) begin
        if (live[k]) begin
          assert (4'(dut.quantity_here[k] + (dut.gains[k] ? 4'(dut.gained_q) : '0)
              + (dut.owes[k] ? dut.owed_q : '0)) == quantity[dut.rank_q[k]]);
          assert (3'(dut.count_here[k] + 3'(dut.gains[k]) - 3'(dut.owes[k])) == count[dut.rank_q[k]]);
        end
      end
      // The first places, in order.
      assert (second_quarter == dut.rank_q[1][2:1]);
      for (int k = 1; k < LEVELS; k++) begin
        if (live[k]) assert (live[k-1] && dut.rank_q[k-1] > dut.rank_q[k]);
      end

      cover (pushed_once && installed_once && top_valid);
      cover (shut_once && installed_once && top_valid);
      cover (s3_add && s3_remove && s3_add_rank == s3_meant_rank && top_valid);
      cover (dut.gone[0] && dut.equal_q[1]);
      cover (dut.ending && dut.fresh[0] && live == '1);
      cover (dut.owes_q[1] && dut.gone[0]);
      cover (live[2] && dut.gains_q[2] && dut.adds[2]);
      cover (live[3] && dut.gains_q[3] && dut.removed_at[3]);
    end
  end
endmodule
