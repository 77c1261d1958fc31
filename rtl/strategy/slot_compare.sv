// One slot's condition: is what is shown looked at, and does it qualify? Combinational.
//
// A signed 64-bit comparison as one carry chain whose highest bit says that it is looked at: so what
// that hangs on joins where the chain ends, and no gate follows. Bound and price have their top bit
// inverted (signed as unsigned) and, for "at or below", all bits inverted: that reverses the order.
// The bound comes so; `flip` says it for the price.
module slot_compare (
    input logic seen,  // the slot looks at what is shown

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
  always_comb begin
    price = (offer ? ask_price : bid_price) ^ {64{flip}};
    price[63] = !price[63];
    match = {seen, price} >= {1'b1, limit};  // the carry alone
  end

endmodule
