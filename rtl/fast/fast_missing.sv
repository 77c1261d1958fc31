// Whether an entity that a row takes is not there yet.
//
// Much hangs on it, in all parts of the core: each is told by logic of its own, which synthesis would make
// one. Hence the boundary.
(* keep_hierarchy *)
module fast_missing (
    input  logic [7:0] last,    // the last one, one bit for each of the window
    input  logic [7:0] valid,
    output logic       missing
);
  assign missing = (last & ~valid) != '0;
endmodule
