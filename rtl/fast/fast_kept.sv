// Which row stays expected behind the one in hand, for one part of its bits.
//
// Each part is told by logic of its own, from the same inputs: from one place it takes longer to a whole
// row than to decide. Synthesis would find the parts equal and make them one: hence the boundary.
(* keep_hierarchy *)
module fast_kept (
    input  logic       expect_other,       // another row is expected: the loop's first,
    input  logic       round_wanted,       // if not `done`, which is late,
    input  logic       begun_wanted,       // that in which the last message began, if `done`,
    input  logic       finish,             // or anyway;
    input  logic       done,
    input  logic [3:0] round,              // or the successor, in these places of the ring;
    input  logic [3:0] begun,
    input  logic [3:0] successor,
    input  logic       successor_arrives,  // which arrives now, as the others do not
    input  logic       following_arrives,  // that which is expected already does
    output logic [3:0] wanted,
    output logic       from_a,             // it arrives
    output logic       from_ring,          // it is in the ring
    output logic       waits               // it waits already
);
  logic arrives;

  always_comb begin
    if (done) begin
      wanted  = begun_wanted ? begun : successor;
      arrives = successor_arrives && !begun_wanted;
    end else begin
      wanted  = round_wanted ? round : finish ? begun : successor;
      arrives = successor_arrives && !round_wanted && !finish;
    end
    from_a = expect_other ? arrives : following_arrives;
    from_ring = expect_other && !arrives;
    waits = !expect_other && !following_arrives;
  end
endmodule
