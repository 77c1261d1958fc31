// Which prices of one side may have orders: a bit for each rank, and the search for the next one.
//
// A bit is set with every order that is added, and cleared when the refill finds the level empty. So
// a bit may outlive its level, but a level never lacks its bit.
//
// `search` looks for ranks worse (smaller) than one, or from that one on: `found` or `none`
// comes some cycles later and holds until the next search. Bits set meanwhile may be missed; the
// user starts again then.
module book_map #(
    parameter  int unsigned RANK_BITS = 12,
    localparam int unsigned LOW_BITS  = RANK_BITS / 2,
    localparam int unsigned HIGH_BITS = RANK_BITS - LOW_BITS
) (
    input  logic                 clk,
    input  logic                 wipe,
    input  logic [HIGH_BITS-1:0] wipe_word,
    input  logic                 set,
    input  logic [RANK_BITS-1:0] set_rank,
    // Not together with `set`.
    input  logic                 clear,
    input  logic [RANK_BITS-1:0] clear_rank,
    input  logic                 search,
    input  logic [RANK_BITS-1:0] search_below,
    input  logic                 search_from,
    output logic                 found,
    output logic                 none,
    output logic [RANK_BITS-1:0] found_rank
);
  localparam int unsigned WORD = 1 << LOW_BITS;
  localparam int unsigned WORDS = 1 << HIGH_BITS;

  initial if (RANK_BITS < 4) $fatal(1, "%m: RANK_BITS must be at least 4");

  (* ram_style = "distributed" *) logic [WORD-1:0] words[WORDS];
  logic [WORDS-1:0] any_q;  // the word may have bits

  typedef enum logic [2:0] {
    REST,
    READ,
    PICK,
    TELL,
    NEXT,
    HOP
  } state_t;
  state_t state_q;
  logic [HIGH_BITS-1:0] high_q;
  logic [LOW_BITS-1:0] low_q;
  logic from_q;  // the bit of low_q counts too
  logic whole_q;  // all of the word counts, not only what is below low_q
  logic [WORD-1:0] word_q;
  logic [WORDS-1:0] later_q;
  logic found_q, none_q;
  // What the word and the words behind it say.
  logic some_q, more_q;
  logic [HIGH_BITS-1:0] next_q;
  logic [RANK_BITS-1:0] found_rank_q;

  // One write: set, or clear.
  logic write_q, write_set_q;
  logic [RANK_BITS-1:0] write_rank_q;
  logic [WORD-1:0] write_mask, write_word, read_word;
  logic [HIGH_BITS-1:0] read_at;

  assign write_mask = WORD'(1) << write_rank_q[LOW_BITS-1:0];
  // The search reads only while nothing is written.
  assign read_at = write_q ? write_rank_q[RANK_BITS-1:LOW_BITS] : high_q;
  assign read_word = words[read_at];
  assign write_word = write_set_q ? read_word | write_mask : read_word & ~write_mask;

  always_ff @(posedge clk) begin
    if (wipe) words[wipe_word] <= '0;
    else if (write_q) words[read_at] <= write_word;
  end

  function automatic logic [LOW_BITS-1:0] highest_low(input logic [WORD-1:0] bits);
    highest_low = '0;
    for (int b = 0; b < WORD; b++) if (bits[b]) highest_low = LOW_BITS'(b);
  endfunction

  function automatic logic [HIGH_BITS-1:0] highest_high(input logic [WORDS-1:0] bits);
    highest_high = '0;
    for (int b = 0; b < WORDS; b++) if (bits[b]) highest_high = HIGH_BITS'(b);
  endfunction

  always_ff @(posedge clk) begin
    write_q <= set || clear;
    write_set_q <= set;
    write_rank_q <= set ? set_rank : clear_rank;
    if (write_q && write_set_q) any_q[read_at] <= 1'b1;

    unique case (state_q)
      READ: begin
        word_q <= whole_q ? read_word
            : read_word & (~({WORD{1'b1}} << low_q) | (WORD'(from_q) << low_q));
        later_q <= any_q & ~({WORDS{1'b1}} << high_q);
        // A write took the port.
        state_q <= write_q ? READ : PICK;
      end
      PICK: begin
        found_rank_q <= {high_q, highest_low(word_q)};
        some_q <= word_q != '0;
        next_q <= highest_high(later_q);
        more_q <= later_q != '0;
        state_q <= TELL;
      end
      TELL: begin
        found_q <= some_q;
        if (whole_q && !some_q) any_q[high_q] <= 1'b0;
        state_q <= some_q ? REST : NEXT;
      end
      NEXT: begin
        high_q <= next_q;
        whole_q <= 1'b1;
        none_q <= !more_q;
        state_q <= more_q ? READ : REST;
      end
      default: ;
    endcase
    if (search) begin
      {high_q, low_q} <= search_below;
      from_q <= search_from;
      whole_q <= 1'b0;
      found_q <= 1'b0;
      none_q <= 1'b0;
      state_q <= READ;
    end
    // What is set while the search is on may be missed.
    if (set || wipe) begin
      state_q <= REST;
      found_q <= 1'b0;
      none_q <= 1'b0;
    end
    if (wipe) begin
      any_q   <= '0;
      write_q <= 1'b0;
    end
  end

  assign found = found_q;
  assign none = none_q;
  assign found_rank = found_rank_q;
endmodule
