// One slot's condition: is what is shown looked at, and does it qualify? Combinational.
//
// A signed 64-bit comparison as one carry chain. Whether the slot looks at what is shown is known late:
// what that takes are the chain's highest bits, which pass the carry on only if all are set, so that no
// gate joins them and none follows the chain. Bound and price have their top bit inverted (signed as
// unsigned) and, for "at or below", all bits inverted: that reverses the order. The bound comes so;
// `flip` says it for the price.
module slot_compare (
    input logic [2:0] seen,  // all: the slot looks at what is shown

    // Of the slot.
    input logic        offer,      // looks at the offer, otherwise at the bid or the trade
    input logic        flip,
    input logic [63:0] limit,
    // What is shown.
    input logic [63:0] bid_price,
    input logic [63:0] ask_price,

    output logic match
);

  logic [63:0] price;
  logic [67:0] unused;
  always_comb begin
    price = (offer ? ask_price : bid_price) ^ {64{flip}};
    price[63] = !price[63];
    {match, unused} = {1'b0, seen, price, 1'b1} + {4'b0000, ~limit, 1'b1};  // price less limit
  end

endmodule
