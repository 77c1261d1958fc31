// A lane's dictionary: 256 entries in block memory, their states in flip-flops.
//
//   A address    G memory    B choice    X entry    Z sum    Y written    in memory a cycle later
// A row finds what was written in the three cycles before its choice in registers. What the rows in X and Z
// make it does not find: two rows with the same entry are three cycles apart.
// The states are read in two steps, 64 to one and four to one. `fresh` makes all entries undefined before
// its row writes, in no time.
module fast_dictionary
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic   [ENTRY_BITS-1:0] d_entry,         // of the row in A
    input  logic   [ENTRY_BITS-1:0] a_entry,         // of the row in G
    input  logic                    a_forgets,       // the row in G is `fresh`, or that in B or X
    input  plan_t                   b_plan,
    output logic                    x_known,         // of the row in X
    output logic                    x_empty,         // it is NULL
    output entry_t                  x_value,
    output logic                    x_assigned,      // it has a value,
    output logic   [           1:0] x_from_entry,    // which counts; each bit says the same
    output logic   [           1:0] x_from_initial,  // the initial value does
    output logic                    x_valued,        // there is a value, if not the entity says so
    // The row in Z.
    input  logic                    z_fresh,
    input  logic                    z_store,
    input  entry_t                  z_stored,        // without its bits:
    input  logic                    z_string,
    input  logic   [         127:0] z_text,          // those of a string,
    input  logic   [          63:0] z_number         // or a number
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
  logic [3:0] column_here_q;  // which of them counts for the row in B, if any
  logic [ENTRY_BITS-1:0] b_entry_q, x_entry_q, z_entry_q;
  write_t w1_q, w2_q, w3_q;  // in Y, and behind
  logic same_q;  // the row in B has the entry of that in Y; it was written,
  logic [3:2] hit_q;  // or that of a row behind was
  logic [3:1] states_hit_q;  // the same, for the states: the entry is wide
  logic [3:1] hit, states_hit;
  entry_t read, chosen, stored;
  logic chosen_empty, chosen_known, chosen_assigned;

  assign hit = {hit_q, same_q && w1_q.valid};
  assign read = entry_t'(read2_q);
  assign states_hit = {states_hit_q[3:2], states_hit_q[1] && w1_q.valid};

  always_comb begin
    chosen = hit[1] ? w1_q.value : hit[2] ? w2_q.value : hit[3] ? w3_q.value : read;
    chosen_empty = states_hit[1] ? w1_q.value.empty : states_hit[2] ? w2_q.value.empty
        : states_hit[3] ? w3_q.value.empty : read.empty;
    // The states are those of two cycles ago.
    chosen_known = states_hit[1] || states_hit[2] || (column_q & column_here_q) != '0;
    chosen_assigned = chosen_known && !chosen_empty;
    stored = z_stored;
    stored.datum.bits = z_string ? z_text : {64'd0, z_number};
  end

  always_ff @(posedge clk) begin
    if (w1_q.valid) memory[w1_q.entry] <= w1_q.value;
    read1_q <= memory[d_entry];
    read2_q <= read1_q;
    b_entry_q <= a_entry;
    x_entry_q <= b_entry_q;
    z_entry_q <= x_entry_q;

    for (int i = 0; i < 4; i++) column_q[i] <= known_q[{2'(i), a_entry[5:0]}];
    x_value <= chosen;
    x_known <= chosen_known;
    x_empty <= chosen_known && chosen_empty;
    x_assigned <= chosen_assigned;
    x_valued <= b_plan.by_itself || b_plan.by_entry
        && (chosen_assigned || b_plan.has_initial && !(chosen_known && chosen_empty));

    w1_q <= '{fresh: z_fresh, valid: z_store, entry: z_entry_q, value: stored};
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
    end
  end

  // Told twice, for what is wide and for what is late: synthesis would take the two for one.
  logic same;
  logic [3:2] behind;
  assign same = z_entry_q == a_entry;
  assign behind = {
    w2_q.entry == a_entry && w2_q.valid, w1_q.entry == a_entry && w1_q.valid
  };
  (* keep *)
  always_ff @(posedge clk) {hit_q, same_q} <= {behind, same};
  // What is forgotten is told with them: the row in B, or one before, makes all undefined.
  (* keep *)
  always_ff @(posedge clk) begin
    states_hit_q <= {behind[3], behind[2] && !z_fresh && !a_forgets, same && !a_forgets};
  end
  always_ff @(posedge clk) begin
    for (int i = 0; i < 4; i++) begin
      column_here_q[i] <= a_entry[7:6] == 2'(i) && !w1_q.fresh && !z_fresh && !a_forgets;
    end
  end
  for (genvar i = 0; i < 2; i++) begin : gen_from
    (* keep *)
    always_ff @(posedge clk) begin
      x_from_entry[i]   <= b_plan.based && chosen_assigned;
      x_from_initial[i] <= b_plan.based_initial && !(b_plan.uses_entry && chosen_assigned);
    end
  end
endmodule
