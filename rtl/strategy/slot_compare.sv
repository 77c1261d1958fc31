// One slot's condition: does what is shown qualify? Combinational.
//
// A signed 64-bit comparison as two unsigned halves side by side, since one carry chain over all bits
// would take half a cycle. The bound is kept with its top bit inverted (signed as unsigned) and, for
// "at or below", all bits inverted, as is the price: inverting reverses the order.
module slot_compare
  import strategy_pkg::*;
(
    input source_t        source,
    input logic           at_most,
    input logic    [63:0] bound,      // as it is
    // What is shown.
    input logic           trade,
    input logic           some,
    input logic           bid_valid,
    input logic    [63:0] bid_price,
    input logic           ask_valid,
    input logic    [63:0] ask_price,

    output logic hit
);

  logic [63:0] price, flip, limit;
  logic high_above, high_equal, low_reached, seen;

  always_comb begin
    flip = {64{at_most}} ^ {1'b1, 63'b0};
    price = (source == SOURCE_OFFER ? ask_price : bid_price) ^ flip;
    limit = bound ^ flip;
    high_above = price[63:32] > limit[63:32];
    high_equal = price[63:32] == limit[63:32];
    low_reached = price[31:0] >= limit[31:0];
    unique case (source)
      SOURCE_TRADE: seen = trade && some;
      SOURCE_BID:   seen = !trade && bid_valid;
      SOURCE_OFFER: seen = !trade && ask_valid;
      default:      seen = 1'b0;
    endcase
    hit = seen && (high_above || (high_equal && low_reached));
  end

endmodule
