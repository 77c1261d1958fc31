// 10^shift, shift 0 to 10, if it `scales`; else 1. A cycle.
//
// Mapped by itself: what it goes to is far from what it comes from, and it is as short as it can be.
(* keep_hierarchy *)
module power_of_ten (
    input  logic        clk,
    input  logic [ 3:0] shift,
    input  logic        scales,
    output logic [33:0] power
);

  localparam logic [10:0][33:0] POWER = {
    34'd10000000000,
    34'd1000000000,
    34'd100000000,
    34'd10000000,
    34'd1000000,
    34'd100000,
    34'd10000,
    34'd1000,
    34'd100,
    34'd10,
    34'd1
  };

  // A bit of the power for each shift.
  function automatic logic [33:0][15:0] powers();
    powers = '0;
    for (int k = 0; k <= 10; k++) for (int b = 0; b < 34; b++) powers[b][k] = POWER[k][b];
  endfunction
  localparam logic [33:0][15:0] POWERS = powers();

  always_ff @(posedge clk) begin
    for (int b = 0; b < 34; b++) power[b] <= scales ? POWERS[b][shift] : POWER[0][b];
  end

endmodule
