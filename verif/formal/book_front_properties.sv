// bounded: depth 9
// cover: depth 12
// The front of a small book tells the truth: a live top is a level with its exact quantity and
// count, and it is the best of all levels whenever the edge covers that one. No level within the
// edge is lost, whatever is added, moved, removed, refused, pushed out or refilled.
module book_front_properties (
    input logic       clk,
    input logic       s2_try,
    input logic [1:0] s2_rank,
    input logic       s2_verdict,
    input logic       s2_removes,
    input logic [1:0] s2_removed_rank,
    input logic [1:0] s2_add_quantity,
    input logic [1:0] s2_remove_quantity,
    input logic       refill,
    input logic [1:0] refill_rank
);
  localparam int unsigned RANKS = 4;

  logic started = 1'b0;
  logic rst;
  assign rst = !started;

  // What there is, by rank, with all that is through s3; and with what is in s3 now.
  logic [RANKS-1:0][3:0] quantity = '0, quantity_now;
  logic [RANKS-1:0][2:0] count = '0, count_now;

  logic s3_add = 1'b0, s3_remove = 1'b0, s3_any = 1'b0;
  logic [1:0] s3_add_rank, s3_removed_rank, s3_add_quantity, s3_remove_quantity;

  always_comb begin
    quantity_now = quantity;
    count_now = count;
    if (s3_remove) begin
      quantity_now[s3_removed_rank] -= 4'(s3_remove_quantity);
      count_now[s3_removed_rank] -= 1'b1;
    end
    if (s3_add) begin
      quantity_now[s3_add_rank] += 4'(s3_add_quantity);
      count_now[s3_add_rank] += 1'b1;
    end
  end

  // Refills come from a memory that knows the truth, between commands, for the best level below
  // the edge; and only while a slot is free.
  logic install, top_valid, edge_open;
  logic [1:0] top_rank, edge_rank;
  logic [3:0] top_quantity;
  logic [2:0] top_count;
  logic [1:0] levels;
  logic room;
  assign install = refill && started && room && !s2_try && !s2_removes && !s3_any
      && count[refill_rank] != 0;
  assign room = !(&dut.live_q);

  logic s2_add;
  assign s2_add = s2_try && s2_verdict;

  book_front #(
      .LEVELS(2),
      .CANDIDATES(1),
      .RANK_BITS(2),
      .PRICE_BITS(2),
      .ORDER_BITS(2),
      .SUM_BITS(4),
      .COUNT_BITS(3)
  ) dut (
      .clk,
      .rst,
      .s2_try(s2_try && started),
      .s2_rank,
      .s2_price(s2_rank),
      .s2_add(s2_add && started),
      .s2_candidate_rank(s2_removed_rank),
      .s2_candidate_removed(s2_removes && started),
      .s3_add_quantity,
      .s3_remove_quantity,
      .install,
      .install_rank(refill_rank),
      .install_price(refill_rank),
      .install_quantity(quantity[refill_rank]),
      .install_count(count[refill_rank]),
      .lower(1'b0),
      .lower_to('0),
      .top_valid,
      .top_price(top_rank),
      .top_quantity,
      .top_count,
      .levels,
      .edge_rank,
      .edge_open
  );

  function automatic logic covers(input logic [1:0] rank);
    return (edge_open ? rank > edge_rank : rank >= edge_rank)
        && !(dut.lost_q && rank <= dut.lost_rank_q);
  endfunction

  logic any;
  logic [1:0] best;
  always_comb begin
    any  = 1'b0;
    best = '0;
    for (int r = 0; r < RANKS; r++) begin
      if (count_now[r] != 0) begin
        any  = 1'b1;
        best = 2'(r);
      end
    end
  end

  logic pushed_once = 1'b0, installed_once = 1'b0;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (started) begin
      quantity <= quantity_now;
      count <= count_now;
      s3_any <= s2_try || s2_removes;
      s3_add <= s2_add;
      s3_remove <= s2_removes;
      s3_add_rank <= s2_rank;
      s3_removed_rank <= s2_removed_rank;
      s3_add_quantity <= s2_add_quantity;
      s3_remove_quantity <= s2_remove_quantity;
      pushed_once <= pushed_once || dut.pushed;
      installed_once <= installed_once || install;

      // An order that is removed exists, and what stays has at least one unit each.
      if (s2_removes) begin
        assume (count_now[s2_removed_rank] != 0);
        assume (s2_remove_quantity != 0);
        assume (quantity_now[s2_removed_rank] >=
                4'(s2_remove_quantity) + 4'(count_now[s2_removed_rank]) - 4'd1);
        if (count_now[s2_removed_rank] == 1) begin
          assume (quantity_now[s2_removed_rank] == 4'(s2_remove_quantity));
        end
      end
      // An order moves as a whole or not at all.
      if (s2_try && s2_removes) assume (s2_verdict);
      if (s2_add) begin
        assume (s2_add_quantity != 0);
        assume (count_now[s2_rank] < 4 && quantity_now[s2_rank] < 12);
      end
      // The refill goes to the best level below the edge.
      if (install) begin
        assume (!covers(refill_rank));
        for (int r = 0; r < RANKS; r++) begin
          if (2'(r) > refill_rank && count[r] != 0) assume (covers(2'(r)));
        end
      end

      if (top_valid) begin
        assert (count_now[top_rank] != 0);
        assert (top_quantity == quantity_now[top_rank]);
        assert (top_count == count_now[top_rank]);
      end
      if (any && covers(best)) begin
        assert (top_valid);
        assert (top_rank == best);
      end
      if (!any) assert (!top_valid);
      assert (!install || dut.added != '0);

      cover (pushed_once && installed_once && top_valid);
      cover (s3_add && s3_remove && s3_add_rank == s3_removed_rank && top_valid);
      cover (dut.shut);
      cover (dut.lost_q && dut.lost_rank_q < edge_rank);
    end
  end
endmodule
