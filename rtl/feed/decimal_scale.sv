// Multiplies a signed 64-bit mantissa by 10^shift, shift 0 to 10. Three cycles.
//
// The power, seven 17-bit products, then their sum: a multiplier takes half a cycle, and nothing but
// registers is before and behind it. `overflow` says that the result does not fit 64 bits signed.
module decimal_scale (
    input  logic               clk,
    input  logic signed [63:0] mantissa,
    input  logic        [ 3:0] shift,
    output logic signed [63:0] result,
    output logic               overflow
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

  logic [33:0] power, power_q;
  logic signed [63:0] mantissa_q;
  logic [63:0] limit_q;
  logic [63:0] limit;
  logic [62:0] size;
  logic [16:0] a0, a1, a2, b0, b1;
  logic [12:0] a3;
  always_comb begin
    power = '0;
    limit = '0;
    for (int k = 0; k <= 10; k++) begin
      if (shift == 4'(k)) begin
        power = POWER[k];
        limit = LIMIT[k];
      end
    end
    {a3, a2, a1, a0} = mantissa_q;
    {b1, b0} = power_q;
    // Below 0: the size less one.
    size = mantissa_q[62:0] ^ {63{mantissa_q[63]}};
  end

  logic [33:0] p00_q, p10_q, p01_q;
  logic [29:0] p20_q, p11_q;
  logic [12:0] p30_q, p21_q;
  logic above_q;
  always_ff @(posedge clk) begin
    mantissa_q <= mantissa;
    power_q <= power;
    limit_q <= limit;
    p00_q <= a0 * b0;
    p10_q <= a1 * b0;
    p01_q <= a0 * b1;
    // Of these, what is below bit 64.
    p20_q <= 30'(34'(a2) * 34'(b0));
    p11_q <= 30'(34'(a1) * 34'(b1));
    p30_q <= 13'(34'(a3) * 34'(b0));
    p21_q <= 13'(34'(a2) * 34'(b1));
    // Below 0 the size itself, one more, must not be above.
    above_q <= {limit_q, 1'b0} < {1'b0, size, mantissa_q[63]};
  end

  always_ff @(posedge clk) begin
    result <= ({p20_q, p00_q} + {p30_q, p10_q, 17'b0}) + ({p21_q, p01_q, 17'b0} + {p11_q, 34'b0});
    overflow <= above_q;
  end

endmodule
