// One of four, as a place takes it: of itself, of the place behind it, of the one before it, the new one.
//
// For copies of a register that are to stand apart: each has its own choice beside it. Synthesis would make
// the choices one: hence the boundary.
(* keep_hierarchy *)
module book_pick (
    input  logic [1:0] move,
    input  logic       own,
    input  logic       behind,
    input  logic       ahead,
    input  logic       fresh,
    input  logic       counts,  // at all
    output logic       picked
);
  always_comb begin
    unique case (move)
      2'd0:    picked = own && counts;
      2'd1:    picked = behind && counts;
      2'd2:    picked = ahead && counts;
      default: picked = fresh && counts;
    endcase
  end
endmodule
