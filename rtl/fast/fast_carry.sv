// Bytes of an entity whose stop bit has not come: up to 16, and the elements that they make with the
// next word.
module fast_carry (
    input logic clk,
    input logic rst,

    input fast_scan_pkg::split_t split,  // the word in hand

    input logic clear,  // nothing is carried from here on
    input logic update, // the word was scanned: what is behind its last stop bit is carried

    output logic flush,  // the carried bytes must become an element of their own, before the word
    output logic empty,
    output logic first_bit6,  // bit 6 of the first byte of what comes first
    output fast_pkg::flags_t [7:0] flags,  // without `valid`
    output fast_pkg::element_t [7:0] elements
);
  import fast_pkg::*;
  import fast_scan_pkg::*;

  typedef struct packed {
    logic [127:0] bytes;   // right-aligned, zeros before them
    logic [4:0]   length;
    logic         zero;    // their groups are zeros
    logic         bit6;    // bit 6 of the first
    logic [7:0]   full;    // full[n]: n + 1 bytes more are too many
    logic [7:0]   wide;    // wide[n]: with n + 1 bytes more they are more than eight
    logic         over;    // they are more than eight
  } carry_t;
  carry_t carry_q, carry_d;

  logic none;  // no stop bit in the word
  assign none  = split.count == '0;
  assign empty = carry_q.length == '0;
  assign flush = |(split.reach & carry_q.full);
  assign first_bit6 = empty ? split.first_bit6 : carry_q.bit6;

  always_comb begin
    carry_d.bytes = none ? {carry_q.bytes[63:0], 64'd0} : '0;
    for (int p = 0; p < 8; p++) begin
      if (split.tail[7-p]) carry_d.bytes[8*p+:8] = split.word[8*(7-p)+:8];
    end
    carry_d.length = 5'(split.tail_count) + (none ? carry_q.length : '0);
    carry_d.zero = split.tail_zero && (!none || carry_q.zero);
    carry_d.bit6 = none && !empty ? carry_q.bit6 : split.tail_bit6;
    for (int n = 0; n < 8; n++) begin
      carry_d.full[n] = carry_d.length == 5'(16 - n);
      carry_d.wide[n] = carry_d.length == 5'(8 - n);
    end
    carry_d.over = carry_d.length > 5'd8;
  end

  always_ff @(posedge clk) begin
    if (update) carry_q <= carry_d;
    if (clear || rst) begin
      carry_q <= '0;
      carry_q.zero <= 1'b1;
    end
  end

  always_comb begin
    elements = '0;
    flags = '0;
    for (int k = 0; k < 8; k++) begin
      for (int b = k; b < 8; b++) begin
        if (split.ends[k][b]) begin
          if (k > 0) elements[k].bytes[63:0] |= split.own[b];
          elements[k].length |= 5'(split.length[b]);
          flags[k].is_null |= split.null_at[b];
          flags[k].is_one |= split.one_at[b];
          flags[k].bit6 |= split.bit6[b];
        end
      end
    end
    // The carried bytes come before those of the first entity, which then starts in lane 0.
    elements[0].length += carry_q.length;
    for (int b = 0; b < 8; b++) begin
      for (int p = 0; p < 16; p++) begin
        if (split.ends[0][b]) begin
          elements[0].bytes[8*p+:8] |=
              p <= b ? split.word[8*((b-p)%8)+:8] : carry_q.bytes[8*((p-b-1)%16)+:8];
        end
      end
    end
    flags[0].is_null &= carry_q.zero;
    flags[0].is_one &= carry_q.zero;
    if (!empty) flags[0].bit6 = carry_q.bit6;
    flags[0].is_wide = carry_q.over || |(split.reach & carry_q.wide);
    if (flush) begin
      elements[0] = {1'b1, carry_q.length, carry_q.bytes};
      flags[0].more = 1'b1;
    end
  end

endmodule
