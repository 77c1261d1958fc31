// 17 bits of a number by half of 10^shift, shift 0 to 10, if it `scales`; else by half of 1. Two cycles.
//
// Mapped by itself, with registers of its own: the multipliers are in a long row, and each has what it
// takes beside it.
(* keep_hierarchy *)
module decimal_product #(
    parameter bit          HIGH = 1'b0,  // the high half of the power
    parameter int unsigned BITS = 34     // of the product, the lowest
) (
    input  logic            clk,
    input  logic [    16:0] part,
    input  logic [     3:0] shift,
    input  logic            scales,
    output logic [BITS-1:0] product
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

  localparam int unsigned FIRST = HIGH ? 17 : 0;
  logic [16:0] part_q, power_q;
  always_ff @(posedge clk) begin
    part_q <= part;
    for (int b = 0; b < 17; b++) begin
      power_q[b] <= scales ? POWERS[FIRST+b][shift] : POWER[0][FIRST+b];
    end
    product <= BITS'(34'(part_q) * 34'(power_q));
  end

endmodule
