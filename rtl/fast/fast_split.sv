// Finds the entities of one word: what the scanner wants to know of it, combinational.
//
// `used` are the lanes to be scanned, without a gap between them. What is said of the entity that
// ends in a lane is said of its bytes in this word.
module fast_split (
    input logic [63:0] word,
    input logic [ 7:0] used,

    output fast_scan_pkg::split_t split
);
  import fast_scan_pkg::*;

  logic [7:0] stop, zero, one;
  logic [3:0] count;

  always_comb begin
    for (int b = 0; b < 8; b++) begin
      stop[b] = used[b] && word[8*b+7];
      zero[b] = word[8*b+:7] == 7'd0;
      one[b]  = word[8*b+:7] == 7'd1;
    end

    split = '0;
    split.word = word;
    count = '0;
    for (int b = 0; b < 8; b++) begin
      for (int k = 0; k <= b; k++) split.ends[k][b] = stop[b] && count == 4'(k);
      count = count + 4'(stop[b]);
    end
    split.count = count;

    for (int b = 0; b < 8; b++) begin
      split.tail[b]  = used[b];
      split.reach[b] = used[b];
      for (int c = 0; c < 8; c++) begin
        if (c >= b && stop[c]) split.tail[b] = 1'b0;
        if (c < b && stop[c]) split.reach[b] = 1'b0;
      end
      split.tail_count = split.tail_count + 4'(split.tail[b]);
    end

    for (int b = 0; b < 8; b++) begin
      logic rest;
      split.joined[b][0] = 1'b1;
      split.length[b] = 4'd1;
      for (int p = 1; p <= b; p++) begin
        split.joined[b][p] = split.joined[b][p-1] && used[b-p] && !stop[b-p];
        split.length[b] = split.length[b] + 4'(split.joined[b][p]);
      end
      rest = 1'b1;
      for (int p = 0; p <= b; p++) begin
        if (p > 0 && split.joined[b][p] && !zero[b-p]) rest = 1'b0;
        if (split.joined[b][p] && (p == b || !split.joined[b][(p+1)%8])) begin
          split.bit6[b] = split.bit6[b] | word[8*(b-p)+6];
        end
      end
      split.null_at[b] = rest && zero[b];
      split.one_at[b]  = rest && one[b];
    end
    split.tail_zero = 1'b1;
    for (int b = 0; b < 8; b++) begin
      if (split.tail[b] && !zero[b]) split.tail_zero = 1'b0;
      if (split.tail[b] && (b == 0 || !split.tail[(b+7)%8])) begin
        split.tail_bit6 = split.tail_bit6 | word[8*b+6];
      end
    end
  end

endmodule
