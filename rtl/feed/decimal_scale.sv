// Multiplies a signed 64-bit mantissa by 10^shift, shift 0 to 10, if it `scales`; else by 1. Three cycles.
//
// The power, seven 17-bit products, then their sum: a multiplier takes half a cycle, and nothing but
// registers is before and behind it. `overflow` says that the result does not fit 64 bits signed.
module decimal_scale (
    input  logic               clk,
    input  logic signed [63:0] mantissa,
    input  logic        [ 3:0] shift,
    input  logic               scales,
    output logic signed [63:0] result,
    output logic               overflow
);

  // The largest mantissa that fits: the same below 0, since no power of two is one of ten. With shift 0
  // nothing overflows: there it is more than there is.
  localparam logic [10:0][63:0] LIMIT = {
    64'd922337203,
    64'd9223372036,
    64'd92233720368,
    64'd922337203685,
    64'd9223372036854,
    64'd92233720368547,
    64'd922337203685477,
    64'd9223372036854775,
    64'd92233720368547758,
    64'd922337203685477580,
    64'd9223372036854775808
  };

  // A bit of the limit for each shift.
  function automatic logic [63:0][15:0] limits();
    limits = '0;
    for (int k = 0; k <= 10; k++) for (int b = 0; b < 64; b++) limits[b][k] = LIMIT[k][b];
  endfunction
  localparam logic [63:0][15:0] LIMITS = limits();

  // Twice: the multipliers are in a long row, and of two halves of it none share a register.
  logic [33:0] power, far_power;
  power_of_ten u_power (
      .clk,
      .shift,
      .scales,
      .power
  );
  power_of_ten u_far_power (
      .clk,
      .shift,
      .scales,
      .power(far_power)
  );

  logic signed [63:0] mantissa_q;
  logic [16:0] far_a1_q;
  logic [3:0] shift_q;
  logic [63:0] limit_q;
  logic [62:0] size_q;
  logic negative_q;
  logic [16:0] a0, a1, a2, b0, b1, far_b0, far_b1;
  logic [12:0] a3;
  assign {a3, a2, a1, a0} = mantissa_q;
  assign {b1, b0} = power;
  assign {far_b1, far_b0} = far_power;

  logic [33:0] p00_q, p10_q, p01_q;
  logic [29:0] p20_q, p11_q;
  logic [12:0] p30_q, p21_q;
  (* keep *)
  always_ff @(posedge clk) begin
    mantissa_q <= mantissa;
    far_a1_q   <= mantissa[33:17];
  end

  always_ff @(posedge clk) begin
    shift_q <= scales ? shift : '0;
    p00_q <= a0 * b0;
    p10_q <= a1 * b0;
    p01_q <= a0 * b1;
    // Of these, what is below bit 64.
    p20_q <= 30'(34'(a2) * 34'(far_b0));
    p11_q <= 30'(34'(far_a1_q) * 34'(far_b1));
    p30_q <= 13'(34'(a3) * 34'(far_b0));
    p21_q <= 13'(34'(a2) * 34'(far_b1));
    for (int b = 0; b < 64; b++) limit_q[b] <= LIMITS[b][shift_q];
    // Below 0: the size less one.
    size_q <= mantissa_q[62:0] ^ {63{mantissa_q[63]}};
    negative_q <= mantissa_q[63];
  end

  always_ff @(posedge clk) begin
    result <= ({p20_q, p00_q} + {p30_q, p10_q, 17'b0}) + ({p21_q, p01_q, 17'b0} + {p11_q, 34'b0});
    // Below 0 the size itself, one more, must not be above.
    overflow <= {limit_q, 1'b0} < {1'b0, size_q, negative_q};
  end

endmodule
