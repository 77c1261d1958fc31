// A lane's dictionary: 256 entries in block memory, their states in flip-flops.
//
//   d address    A d+1 memory    B d+2 choice    X d+3 entry -> sum    Y d+4 written    in memory d+5
// A row finds what was written in the three cycles before its choice in registers. What the row in X makes
// it does not find: two rows with the same entry are two cycles apart.
// The states are read in two steps, 64 to one and four to one. `fresh` makes all entries undefined before
// its row writes, in no time.
module fast_dictionary
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic   [ENTRY_BITS-1:0] d_entry,         // of the row in D
    input  logic   [ENTRY_BITS-1:0] a_entry,         // of the row in A
    input  logic                    b_fresh,         // of the row in B
    input  plan_t                   b_plan,
    output logic                    x_known,         // of the row in X
    output entry_t                  x_value,
    output logic                    x_assigned,      // it has a value,
    output logic                    x_from_entry,    // which counts
    output logic                    x_from_initial,  // the initial value does
    // The row in X.
    input  logic                    x_fresh,
    input  logic                    x_store,
    input  entry_t                  x_stored,        // without its bits:
    input  logic                    x_string,
    input  logic   [         127:0] x_text,          // those of a string,
    input  logic   [          63:0] x_number         // or a number
);
  localparam int unsigned ENTRIES = 1 << ENTRY_BITS;

  typedef struct packed {
    logic                  fresh;
    logic                  valid;
    logic [ENTRY_BITS-1:0] entry;
    entry_t                value;
  } write_t;

  (* ram_style = "block" *) logic [$bits(entry_t)-1:0] memory[ENTRIES];
  logic [$bits(entry_t)-1:0] read1_q, read2_q;
  logic [ENTRIES-1:0] known_q;
  logic [3:0] column_q;
  logic [ENTRY_BITS-1:0] b_entry_q, x_entry_q;
  write_t w1_q, w2_q, w3_q;  // in Y, and behind
  logic [3:1] same_q, hit;
  entry_t chosen, stored;
  logic older_known, chosen_known, chosen_assigned;

  assign hit = same_q & {w3_q.valid, w2_q.valid, w1_q.valid};

  always_comb begin
    chosen = hit[1] ? w1_q.value : hit[2] ? w2_q.value : hit[3] ? w3_q.value : entry_t'(read2_q);
    // The states are those of two cycles ago.
    older_known = hit[1] || !w1_q.fresh && (hit[2] || !w2_q.fresh && column_q[b_entry_q[7:6]]);

    chosen_known = !b_fresh && !x_fresh && older_known;
    chosen_assigned = chosen_known && !chosen.empty;
    stored = x_stored;
    stored.datum.bits = x_string ? x_text : {64'd0, x_number};
  end

  always_ff @(posedge clk) begin
    if (w1_q.valid) memory[w1_q.entry] <= w1_q.value;
    read1_q <= memory[d_entry];
    read2_q <= read1_q;
    b_entry_q <= a_entry;
    x_entry_q <= b_entry_q;

    same_q <= {
      w2_q.entry == a_entry, w1_q.entry == a_entry, x_entry_q == a_entry
    };
    for (int i = 0; i < 4; i++) column_q[i] <= known_q[{2'(i), a_entry[5:0]}];
    x_value <= chosen;
    x_known <= chosen_known;
    x_assigned <= chosen_assigned;
    x_from_entry <= b_plan.based && chosen_assigned;
    x_from_initial <= b_plan.based_initial && !(b_plan.uses_entry && chosen_assigned);

    w1_q <= '{fresh: x_fresh, valid: x_store, entry: x_entry_q, value: stored};
    w2_q <= w1_q;
    w3_q <= w2_q;

    if (w1_q.fresh) known_q <= '0;
    if (w1_q.valid) begin
      known_q[w1_q.entry] <= 1'b1;
    end
    if (rst) begin
      known_q <= '0;
      w1_q.fresh <= 1'b0;
      w1_q.valid <= 1'b0;
      w2_q.fresh <= 1'b0;
      w2_q.valid <= 1'b0;
      w3_q.valid <= 1'b0;
    end
  end
endmodule
