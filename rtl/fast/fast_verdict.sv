// Stage Y of a lane: is what stage X made of its slot in range? Combinational.
module fast_verdict
  import fast_pkg::*;
(
    input result_t     result,
    input logic        vector_over,   // of a vector's length: above the limit
    input logic        vector_long,   // above 16

    output logic        good,
    output logic [ 7:0] status,
    output logic [63:0] number,
    output logic [ 7:0] exponent  // of a decimal, or of an exponent's lane
);
  logic fits, in_width, near_zero;
  logic out_of_range, scale_out;

  always_comb begin
    number = result.sum[63:0];
    // Increments wrap.
    if (result.narrow) number[63:32] = {32{result.signed_kind && result.sum[31]}};
    if (result.narrow) begin
      in_width = result.signed_kind ? result.sum[35:31] == '0 || &result.sum[35:31]
                                 : result.sum[35:32] == '0;
    end else begin
      in_width = result.signed_kind ? result.sum[71:63] == '0 || &result.sum[71:63]
                                 : result.sum[71:64] == '0;
    end
    fits = in_width && !result.beyond;
    near_zero = result.sum[31:6] == '0 || &result.sum[31:6] && result.sum[5:0] != '0;
    scale_out = result.exponent > 16'sd63 || result.exponent < -16'sd63;
    exponent = result.is_exponent ? result.sum[7:0] : result.exponent[7:0];

    out_of_range = result.ranged && !fits || result.scaled && scale_out;
    good = !result.bad && !out_of_range && !(result.is_exponent && !near_zero)
           && !(result.vector && (vector_over || vector_long && result.kept));
    if (result.bad) status = result.status;
    else if (out_of_range) status = result.late_status;
    else if (result.is_exponent) status = R1;
    else status = vector_over ? TRAP_LIMIT : TRAP_LONG;
  end
endmodule
