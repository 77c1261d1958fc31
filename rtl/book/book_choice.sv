// Which level is the first after the command in s3: 0 the first, 1 the same with an order removed, 2 the
// second, 3 the new one, or the first as it was. For prices 0 is the first in any case, 3 the new one.
//
// The choice is known late and hundreds of bits hang on it. So it is made once for each group of them, from
// the same registers. Synthesis would make the choices one: hence the boundary.
(* keep_hierarchy *)
module book_choice
  import book_pkg::kind_t;
#(
    parameter logic PRICE = 1'b0
) (
    input  kind_t       kind,           // of the command
    input  logic        begins,         // a level, if it adds
    input  logic        better_first,   // than the first level
    input  logic        better_second,
    input  logic        removes,        // from the first level
    input  logic        sole,           // the first level has one order
    input  logic        stays,          // adds where it removes
    input  logic        installs,       // the first level
    output logic  [1:0] first
);
  logic adds, take_second, place_new;
  assign adds = book_pkg::adds(kind);
  // What is better than the first level, or than the second when the first ends, is no level yet.
  assign take_second = removes && sole && !stays;
  assign place_new = installs
      || (adds && begins && (better_first || (better_second && take_second)));

  always_comb begin
    first = {place_new || take_second, place_new};
    if (!PRICE) begin
      first[1] |= !adds && !removes;
      first[0] |= !take_second && (removes || !adds);
    end
  end
endmodule
