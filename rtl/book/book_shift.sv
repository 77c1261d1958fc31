// What a place takes when levels move: its own, that of the place behind it or before it, or the new one.
//
// Whether a level ends, and where, is known last, and hundreds of bits hang on it: what the place takes in each
// case is known before. Synthesis would save the cases by deciding first which of the four it is: hence the
// boundary.
(* keep_hierarchy *)
module book_shift #(
    parameter int unsigned WIDTH = 8
) (
    input  logic             gone,         // this level ends, or one before it
    input  logic             gone_before,  // one before it
    input  logic [WIDTH-1:0] if_none,      // what the place takes if neither;
    input  logic [WIDTH-1:0] if_here,      // if this one ends;
    input  logic [WIDTH-1:0] if_before,    // if one before it
    output logic [WIDTH-1:0] next
);
  assign next = gone_before ? if_before : gone ? if_here : if_none;
endmodule
