// A decision, for one of those that hang on it.
//
// What would follow is known early, that it does later, and much hangs on it: from one signal to 800 loads
// takes longer than to decide. So it is decided once for each group of loads, from the same inputs.
// Synthesis would find the decisions equal and make them one: hence the boundary.
(* keep_hierarchy *)
module fast_late (
    input  logic own,       // it does
    input  logic may,       // it does, if
    input  logic complete,  // what is before is complete
    output logic does
);
  assign does = own || may && complete;
endmodule
