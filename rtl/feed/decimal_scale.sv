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

  logic [33:0] p00, p10, p01;
  logic [29:0] p20, p11;
  logic [12:0] p30, p21;
  // Of some, what is below bit 64.
  decimal_product u_p00 (
      .clk,
      .part   (mantissa[16:0]),
      .shift,
      .scales,
      .product(p00)
  );
  decimal_product u_p10 (
      .clk,
      .part   (mantissa[33:17]),
      .shift,
      .scales,
      .product(p10)
  );
  decimal_product #(
      .BITS(30)
  ) u_p20 (
      .clk,
      .part   (mantissa[50:34]),
      .shift,
      .scales,
      .product(p20)
  );
  decimal_product #(
      .BITS(13)
  ) u_p30 (
      .clk,
      .part   ({4'd0, mantissa[63:51]}),
      .shift,
      .scales,
      .product(p30)
  );
  decimal_product #(
      .HIGH(1'b1)
  ) u_p01 (
      .clk,
      .part   (mantissa[16:0]),
      .shift,
      .scales,
      .product(p01)
  );
  decimal_product #(
      .HIGH(1'b1),
      .BITS(30)
  ) u_p11 (
      .clk,
      .part   (mantissa[33:17]),
      .shift,
      .scales,
      .product(p11)
  );
  decimal_product #(
      .HIGH(1'b1),
      .BITS(13)
  ) u_p21 (
      .clk,
      .part   (mantissa[50:34]),
      .shift,
      .scales,
      .product(p21)
  );

  logic signed [63:0] mantissa_q;
  logic [3:0] shift_q;
  logic [63:0] limit_q;
  logic [62:0] size_q;
  logic negative_q;
  always_ff @(posedge clk) begin
    mantissa_q <= mantissa;
    shift_q <= scales ? shift : '0;
    for (int b = 0; b < 64; b++) limit_q[b] <= LIMITS[b][shift_q];
    // Below 0: the size less one.
    size_q <= mantissa_q[62:0] ^ {63{mantissa_q[63]}};
    negative_q <= mantissa_q[63];
  end

  always_ff @(posedge clk) begin
    result <= ({p20, p00} + {p30, p10, 17'b0}) + ({p21, p01, 17'b0} + {p11, 34'b0});
    // Below 0 the size itself, one more, must not be above.
    overflow <= {limit_q, 1'b0} < {1'b0, size_q, negative_q};
  end

endmodule
