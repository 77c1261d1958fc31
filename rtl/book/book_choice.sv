// Which level is the first after the command in s5: 0 the first with what is added, 1 the same with an order
// removed, 2 the second, 3 the new one.
//
// Hundreds of bits hang on it. So it is made once for each group of them, from the same registers.
// Synthesis would make the choices one: hence the boundary.
(* keep_hierarchy *)
module book_choice (
    input  logic       fresh,          // a level begins
    input  logic       better_first,   // than the first level
    input  logic       better_second,
    input  logic       removes,        // from the first level
    input  logic       few,            // orders has the first level: less than four
    input  logic [1:0] low,            // bits of their number
    input  logic       stays,          // adds where it removes
    output logic [1:0] first
);
  logic take_second, place_new;
  assign take_second = removes && few && low == 2'd1 && !stays;
  // What is better than the first level, or than the second when the first ends.
  assign place_new = fresh && (better_first || (better_second && take_second));
  assign first = {place_new || take_second, place_new || (removes && !take_second)};
endmodule
