// One slot's condition: does what is shown qualify? Combinational.
//
// A signed 64-bit comparison as two halves side by side, since one carry chain over all bits would
// take half a cycle. Bound and price have their top bit inverted (signed as unsigned) and, for "at or
// below", all bits inverted: that reverses the order. The bound comes so; `flip` says it for the price.
module slot_compare (
    // Of the slot.
    input logic        offer,      // looks at the offer, otherwise at the bid or the trade
    input logic        flip,
    input logic [63:0] limit,
    // What is shown.
    input logic [63:0] bid_price,
    input logic [63:0] ask_price,

    output logic high_above,
    output logic high_reached,
    output logic low_reached
);

  logic [63:0] price;
  always_comb begin
    price = (offer ? ask_price : bid_price) ^ {64{flip}};
    price[63] = !price[63];
    high_above = limit[63:32] < price[63:32];  // `<` and `>=` are the carry alone
    high_reached = price[63:32] >= limit[63:32];
    low_reached = price[31:0] >= limit[31:0];
  end

endmodule
