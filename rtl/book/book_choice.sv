// Which level is the first after the command in s5: 0 the first with what is added, 1 the same with an
// order removed, 2 the second, 3 the new one.
//
// Hundreds of bits hang on it. So it is made once for each group of them, from the same registers.
// Synthesis would make the choices one: hence the boundary.
(* keep_hierarchy *)
module book_choice #(
    parameter int unsigned GROUPS = 3
) (
    input  logic [     1:0] begins,   // a level, before the first; before the second
    input  logic            removes,  // from the first level
    input  logic [GROUPS:0] ends,     // a level, one of any group
    output logic [     1:0] first
);
  logic take_second, place_new;
  assign take_second = removes && ends != '0;
  assign place_new = begins[0] || (begins[1] && take_second);
  assign first = {place_new || take_second, place_new || (removes && !take_second)};
endmodule
