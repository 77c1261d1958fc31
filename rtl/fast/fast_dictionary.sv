// A lane's dictionary: 256 entries in block memory, their states in flip-flops.
//
//   d  address     A d+1  memory, state     X d+2  entry, written     d+4  in memory
// A row finds what the three before it wrote in registers. `fresh` makes all entries undefined before
// the row in X writes, in no time.
module fast_dictionary
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic   [ENTRY_BITS-1:0] d_entry,  // of the row in D
    output logic                    d_known,  // its state, settled when no row is on its way
    output logic                    d_empty,
    input  logic   [ENTRY_BITS-1:0] a_entry,  // of the row in A
    output logic                    x_known,  // of the row in X
    output entry_t                  x_value,
    // The row in X.
    input  logic                    x_valid,
    input  logic                    x_fresh,
    input  logic                    x_store,
    input  logic   [ENTRY_BITS-1:0] x_entry,
    input  entry_t                  x_stored
);
  localparam int unsigned ENTRIES = 1 << ENTRY_BITS;

  typedef struct packed {
    logic                  valid;
    logic [ENTRY_BITS-1:0] entry;
    entry_t                value;
  } write_t;

  (* ram_style = "block" *) logic [$bits(entry_t)-1:0] memory[ENTRIES];
  logic [$bits(entry_t)-1:0] read1_q, read2_q;
  logic [ENTRIES-1:0] known_q, empty_q;
  write_t w1_q, w2_q, w3_q;
  logic [2:0] hit_q;
  logic known_x_q;
  logic writes;

  assign writes = x_valid && x_store;

  always_ff @(posedge clk) begin
    if (w1_q.valid) memory[w1_q.entry] <= w1_q.value;
    read1_q <= memory[d_entry];
    read2_q <= read1_q;

    w1_q <= '{valid: writes, entry: x_entry, value: x_stored};
    w2_q <= w1_q;
    w3_q <= w2_q;
    hit_q[0] <= writes && x_entry == a_entry;
    hit_q[1] <= w1_q.valid && w1_q.entry == a_entry;
    hit_q[2] <= w2_q.valid && w2_q.entry == a_entry;
    known_x_q <= writes && x_entry == a_entry || known_q[a_entry] && !(x_valid && x_fresh);

    if (x_valid && x_fresh) known_q <= '0;
    if (writes) begin
      known_q[x_entry] <= 1'b1;
      empty_q[x_entry] <= x_stored.empty;
    end
    if (rst) begin
      known_q <= '0;
      w1_q.valid <= 1'b0;
      w2_q.valid <= 1'b0;
      w3_q.valid <= 1'b0;
    end
  end

  assign x_known = known_x_q && !x_fresh;
  assign x_value = hit_q[0] ? w1_q.value : hit_q[1] ? w2_q.value
                 : hit_q[2] ? w3_q.value : entry_t'(read2_q);
  assign d_known = known_q[d_entry];
  assign d_empty = empty_q[d_entry];
endmodule
