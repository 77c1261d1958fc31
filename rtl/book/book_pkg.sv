// Types of the order book.
package book_pkg;

  // Bits of what a command carries. Quantities and prices are the feed's integers.
  localparam int unsigned ID_BITS = 64;
  localparam int unsigned PRICE_BITS = 64;
  localparam int unsigned QUANTITY_BITS = 64;

  // Bits of one resting order's quantity. A larger one is refused and counted.
  localparam int unsigned ORDER_BITS = 32;

  typedef enum logic [1:0] {
    OP_NEW    = 2'd0,
    OP_CHANGE = 2'd1,
    OP_DELETE = 2'd2,
    OP_NONE   = 2'd3   // changes nothing; its top is answered like any other's
  } op_t;

  localparam logic BUY = 1'b0;
  localparam logic SELL = 1'b1;

  typedef struct packed {
    op_t                          op;
    logic                         side;
    logic [ID_BITS-1:0]           id;
    logic signed [PRICE_BITS-1:0] price;
    logic [QUANTITY_BITS-1:0]     quantity;
  } command_t;

  // What became of a command. A refused command leaves the book as it was.
  typedef enum logic [2:0] {
    DONE         = 3'd0,
    ZERO         = 3'd1,  // an order would have no quantity
    DUPLICATE    = 3'd2,  // New of an order that rests
    UNKNOWN      = 3'd3,  // Change or Delete of an order that does not rest
    FULL         = 3'd4,  // no place for another order
    OUT_OF_RANGE = 3'd5   // the price is outside the window, or the quantity exceeds ORDER_BITS
  } outcome_t;

endpackage
