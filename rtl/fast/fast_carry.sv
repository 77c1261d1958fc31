// Bytes of an entity whose stop bit has not come: up to 16, and the elements that they make with the
// next word.
module fast_carry (
    input logic clk,
    input logic rst,

    input fast_scan_pkg::split_t split,  // the word in hand

    input logic clear,        // nothing is carried from here on
    input logic update,       // the word is scanned: what is behind its last stop bit is carried
    input logic update_bytes, // the same

    output logic flush,  // the carried bytes must become an element of their own, before the word
    output logic empty,
    output logic first_bit6,  // bit 6 of the first byte of what comes first
    output logic carries,  // with `update` and without `clear` there are carried bytes behind it,
    output logic carries_bit6,  // and bit 6 of the first of them
    output fast_pkg::flags_t [7:0] flags,  // without `valid`
    output fast_pkg::queued_t first,  // the first element, the carried bytes in it
    output fast_pkg::element_t second,
    output fast_pkg::lane_element_t [7:0] lanes  // what ends in each lane
);
  import fast_pkg::*;
  import fast_scan_pkg::*;

  typedef struct packed {
    logic [4:0] length;
    logic       some;    // there are any
    logic       zero;    // their groups are zeros
    logic [6:0] first;   // the group of the first
    logic [7:0] full;    // full[n]: n + 1 bytes more are too many
    logic [7:0] wide;    // wide[n]: with n + 1 bytes more they are more than eight
    logic       over;    // they are more than eight
  } carry_t;
  carry_t carry_q, carry_d;
  logic [3:0] tail_count;  // lanes of the tail, if the packet goes on
  // Right-aligned, zeros before them; with `some` only. Nothing clears them.
  logic [127:0] bytes_q, bytes_d, bytes;

  logic none;  // no stop bit in the word
  assign none  = !split.there[0];
  assign empty = !carry_q.some;
  assign bytes = bytes_q & {128{carry_q.some}};
  assign flush = |(split.reach & carry_q.full);
  // Beside them, for what the queue's places hang on and what is wide.
  logic some_beside_q, bit6_beside_q;
  logic [7:0] full_beside_q;
  logic flush_beside;  // for the first element, which is wide
  assign flush_beside = |(split.reach & full_beside_q);
  assign first_bit6 = some_beside_q ? bit6_beside_q : split.first_bit6;
  assign carries = carry_d.some;
  assign carries_bit6 = carry_d.first[6];
  (* keep *)
  always_ff @(posedge clk) begin
    if (update) {some_beside_q, bit6_beside_q} <= {carry_d.some, carry_d.first[6]};
    if (update) full_beside_q <= carry_d.full;
    if (clear || rst) {some_beside_q, full_beside_q} <= '0;
  end

  always_comb begin
    tail_count = '0;
    for (int b = 0; b < 8; b++) begin
      if (split.tail[b] && (b == 0 || !split.tail[(b+7)%8])) tail_count |= 4'(8 - b);
    end
    bytes_d = {bytes_q[63:0] & {64{none && carry_q.some}}, 64'd0};
    for (int p = 0; p < 8; p++) begin
      if (split.tail[7-p]) bytes_d[8*p+:8] = split.word[8*(7-p)+:8];
    end
    carry_d.length = 5'(tail_count) + (none ? carry_q.length : '0);
    carry_d.some = split.tail[7] || (none && carry_q.some);
    carry_d.zero = split.tail_zero && (!none || carry_q.zero);
    carry_d.first = none && !empty ? carry_q.first : split.tail_first;
    for (int n = 0; n < 8; n++) begin
      carry_d.full[n] = carry_d.length == 5'(16 - n);
      carry_d.wide[n] = carry_d.length == 5'(8 - n);
    end
    carry_d.over = carry_d.length > 5'd8;
  end

  always_ff @(posedge clk) if (update_bytes) bytes_q <= bytes_d;
  (* keep *)
  always_ff @(posedge clk) begin
    if (update) carry_q <= carry_d;
    if (clear || rst) begin
      carry_q <= '0;
      carry_q.zero <= 1'b1;
    end
  end

  always_comb begin
    lanes = '0;
    for (int b = 0; b < 8; b++) begin
      lanes[b].first  = split.first[b];
      lanes[b].length = split.length[b];
      for (int p = 0; p <= b; p++) begin
        if (split.joined[b][p]) lanes[b].bytes[8*p+:8] = split.word[8*(b-p)+:8];
      end
    end
  end

  always_comb begin
    first  = '0;
    second = '0;
    flags  = '0;
    for (int k = 0; k < 8; k++) begin
      for (int b = k; b < 8; b++) begin
        if (split.ends[k][b]) begin
          flags[k].is_null |= split.null_at[b];
          flags[k].is_one |= split.one_at[b];
          flags[k].bit6 |= split.first[b][6];
        end
      end
    end
    // The carried bytes come before those of the first entity, which then starts in lane 0.
    for (int b = 0; b < 8; b++) begin
      if (split.ends[0][b]) first.element.length |= 5'(split.length[b]);
      if (split.ends[0][b]) first.first |= split.first[b];
      if (split.ends[1][b]) begin
        second.length |= 5'(lanes[b].length);
        second.bytes[63:0] |= lanes[b].bytes;
      end
    end
    first.element.length += carry_q.length;
    if (!empty) first.first = carry_q.first;
    for (int b = 0; b < 8; b++) begin
      for (int p = 0; p < 16; p++) begin
        if (split.ends[0][b]) begin
          first.element.bytes[8*p+:8] |= p <= b ? split.word[8*((b-p)%8)+:8]
                                                : bytes[8*((p-b-1)%16)+:8];
        end
      end
    end
    flags[0].is_null &= carry_q.zero;
    flags[0].is_one &= carry_q.zero;
    if (!empty) flags[0].bit6 = carry_q.first[6];
    flags[0].is_wide = carry_q.over || |(split.reach & carry_q.wide);
    if (flush_beside) first.element = {1'b1, carry_q.length, bytes_q};
    if (flush) flags[0].more = 1'b1;
  end

endmodule
