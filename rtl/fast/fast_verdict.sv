// Stage Y of a lane: is what stage X made of its slot in range? Combinational.
module fast_verdict
  import fast_pkg::*;
  import fast_range_pkg::*;
(
    input result_t result,

    output logic        good,
    output logic [ 7:0] status,
    output logic [63:0] number,
    output logic [ 7:0] exponent  // of a decimal, or of an exponent's lane
);
  logic out_of_range, scale_out, far;
  logic narrow_sign, wide_sign;  // what the bits beyond are within the range

  always_comb begin
    number = result.total[63:0];
    // Increments wrap.
    if (result.narrow) number[63:32] = {32{result.signed_kind && result.total[31]}};
    exponent = result.is_exponent ? result.total[7:0] : result.exponent[7:0];

    // What is ranged is so by its kind.
    narrow_sign = result.signed_kind && result.total[31];
    wide_sign = result.signed_kind && result.total[63];
    out_of_range = result.range_narrow && result.total[35:32] != {4{narrow_sign}}
        || result.range_wide && result.total[71:64] != {8{wide_sign}};
    scale_out = result.scaled && beyond_exponents(32'(result.exponent));
    far = result.is_exponent && beyond_exponents(result.total[31:0]);
    good = !(result.bad || out_of_range || scale_out || far);
    if (scale_out && result.scaled_first) status = R1;
    else if (result.bad) status = result.status;
    else if (out_of_range || scale_out) status = result.late_status;
    else status = R1;
  end
endmodule
