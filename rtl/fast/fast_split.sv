// Finds the entities of one word: what the scanner wants to know of it, combinational.
//
// `used` are the lanes to be scanned, without a gap between them.
module fast_split (
    input logic [63:0] word,
    input logic [ 7:0] used,

    output logic      [3:0] count,      // stop bits
    output logic [7:0][7:0] ends,       // ends[k][b]: entity k ends in lane b
    output logic [7:0][7:0] joined,     // joined[b][p]: lane b-p belongs to the entity that ends in b
    output logic      [7:0] tail,       // lanes behind the last stop bit
    output logic      [3:0] tail_count,
    output logic      [7:0] reach,      // reach[n]: n + 1 bytes without stop bit among the first n
    output logic      [7:0] is_null,    // by entity, for what lies in this word
    output logic      [7:0] is_zero,
    output logic            has_id      // bit 6 of the first byte: of a presence map, its first bit
);

  logic [7:0] stop, null_byte, zero_byte;
  logic [7:0][3:0] rank;  // stop bits in front of a lane

  always_comb begin
    for (int b = 0; b < 8; b++) begin
      stop[b] = used[b] && word[8*b+7];
      null_byte[b] = word[8*b+:8] == 8'h80;
      zero_byte[b] = word[8*b+:8] == 8'h81;
    end

    count = '0;
    for (int b = 0; b < 8; b++) begin
      rank[b] = count;
      count   = count + 4'(stop[b]);
    end

    tail_count = '0;
    has_id = 1'b0;
    for (int b = 0; b < 8; b++) begin
      tail[b] = used[b];
      reach[b] = used[b];
      for (int c = 0; c < 8; c++) begin
        if (c >= b && stop[c]) tail[b] = 1'b0;
        if (c < b && stop[c]) reach[b] = 1'b0;
      end
      tail_count = tail_count + 4'(tail[b]);
      if (used[b] && (b == 0 || !used[(b+7)%8])) has_id = has_id | word[8*b+6];
    end

    joined = '0;
    for (int b = 0; b < 8; b++) begin
      joined[b][0] = 1'b1;
      for (int p = 1; p <= b; p++) begin
        joined[b][p] = joined[b][p-1] && used[b-p] && !stop[b-p];
      end
    end

    is_null = '0;
    is_zero = '0;
    ends = '0;
    for (int k = 0; k < 8; k++) begin
      for (int b = k; b < 8; b++) begin
        ends[k][b] = stop[b] && rank[b] == 4'(k);
        if (ends[k][b] && (b == 0 || !joined[b][(b==0)?0 : 1])) begin
          is_null[k] = is_null[k] | null_byte[b];
          is_zero[k] = is_zero[k] | zero_byte[b];
        end
      end
    end
  end

endmodule
