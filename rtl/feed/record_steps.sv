// How far one record's price is from the exponents of the watched instruments, and its quantity from
// 0. Combinational; whether it is a price or quantity, and not zero, is asked elsewhere.
//
// Mapped by itself: it is as short as it can be, whatever is longer elsewhere.
(* keep_hierarchy *)
module record_steps
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4
) (
    input logic           [            7:0] info,     // its exponent, 0 of a number that has none
    input watch_control_t [INSTRUMENTS-1:0] control,
    input watch_reach_t   [INSTRUMENTS-1:0] reach,    // follows from `control`

    output logic [INSTRUMENTS-1:0]      price_scales,     // one to ten digits above
    output logic [INSTRUMENTS-1:0][3:0] price_digits,     // how many
    output logic [INSTRUMENTS-1:0]      price_beyond,     // below, or more than ten above
    output logic                        quantity_scales,  // the same against 0
    output logic                        quantity_beyond
);

  // By halves of four bits: with the high half that of the instrument, or one more, the low halves say
  // by how many digits.
  always_comb begin
    for (int i = 0; i < INSTRUMENTS; i++) begin
      step_t step;
      logic  near;
      step = step_of(control[i].exponent[3:0], info[3:0]);
      near = step.upwards ? info[7:4] == control[i].exponent[7:4]
          : reach[i].can_up && info[7:4] == reach[i].sixteen_up;
      price_digits[i] = step.digits;
      price_beyond[i] = !near || over_ten(step.digits);
      price_scales[i] = !price_beyond[i] && info[3:0] != control[i].exponent[3:0];
    end
    quantity_beyond = info[7:4] != '0 || over_ten(info[3:0]);
    quantity_scales = !quantity_beyond && info != 8'd0;
  end

endmodule
