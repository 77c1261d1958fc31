// What the stages behind want to know of an element, worked out before the lanes choose theirs.
// Combinational, in stage D.
module fast_digest
  import fast_pkg::*;
(
    input logic     [6:0] first,
    input element_t       element,

    output digest_t       digest,
    output logic    [1:0] beyond   // as an exponent it does not fit 16 bits, with each sign
);
  logic [15:0] ends;  // where the first byte is, one bit for each
  logic any, ones;  // of the bits from the sixteenth: one is set; all of the entity's are

  always_comb begin
    // Of 16 the lower bits are 0.
    for (int i = 0; i < 16; i++) ends[i] = element.length[3:0] == 4'(i + 1);
    ends[15] = element.length[4];
    digest.first = first;
    digest.second6 = 1'b0;
    digest.second_zero = 1'b0;
    digest.third_zero = 1'b0;
    for (int i = 0; i < 16; i++) begin
      if (i > 0) begin
        digest.second6 |= ends[i] && element.bytes[8*((i+15)%16)+6];
        digest.second_zero |= ends[i] && element.bytes[8*((i+15)%16)+:7] == 7'd0;
      end
      if (i > 1) digest.third_zero |= ends[i] && element.bytes[8*((i+14)%16)+:7] == 7'd0;
    end
    digest.zero = 1'b1;
    digest.low_zero = !element.bytes[40];
    for (int i = 0; i < 10; i++) begin
      digest.has[i] = (ends >> i) != '0;
      digest.zero &= element.bytes[8*i+:7] == 7'd0;
      if (i < 5) digest.low_zero &= element.bytes[8*i+:7] == 7'd0;
    end
    any  = 1'b0;
    ones = 1'b1;
    for (int i = 2; i < 10; i++) begin
      // Where there is no byte it is 0.
      any |= element.bytes[8*i+1+:6] != '0 || i > 2 && element.bytes[8*i];
      ones &= !digest.has[i] || (&element.bytes[8*i+1+:6] && (i == 2 || element.bytes[8*i]));
    end
    beyond = {!ones, any};
    digest.longer = !ends[0];
    digest.long_number = ends[15:10] != '0;
  end
endmodule
