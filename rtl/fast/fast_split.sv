// Finds the entities of one word: what the scanner wants to know of it, combinational.
//
// `used` are the lanes to be scanned, without a gap between them. What is said of the entity that
// ends in a lane is said of its bytes in this word.
module fast_split (
    input logic [63:0] word,
    input logic [ 7:0] used,
    input logic [ 7:0] stop,  // of these, those with a stop bit

    output fast_scan_pkg::split_t split
);
  import fast_scan_pkg::*;

  // How many of four bits are set, one-hot: a table for each bit instead of an adder.
  function automatic logic [4:0] ones(logic [3:0] bits);
    case (bits)
      4'b0000:                            return 5'b00001;
      4'b0001, 4'b0010, 4'b0100, 4'b1000: return 5'b00010;
      4'b0111, 4'b1011, 4'b1101, 4'b1110: return 5'b01000;
      4'b1111:                            return 5'b10000;
      default:                            return 5'b00100;
    endcase
  endfunction

  logic [7:0] zero, one;
  logic begins;  // the entity has its first byte of the word here
  logic [4:0] low, high;  // stop bits in lanes 0 to 3, and in the others

  always_comb begin
    for (int b = 0; b < 8; b++) begin
      zero[b] = word[8*b+:7] == 7'd0;
      one[b]  = word[8*b+:7] == 7'd1;
    end
    low   = ones(stop[3:0]);
    split = '0;
    // Masks, not choices of 0: for those synthesis resets the registers behind, by a signal that comes later
    // than what they follow.
    for (int b = 0; b < 8; b++) split.word[8*b+:8] = word[8*b+:8] & {8{used[b]}};

    for (int b = 0; b < 4; b++) begin
      logic [4:0] below, above;
      below = ones(stop[3:0] & ~(4'hf << b));
      above  = ones(stop[7:4] & ~(4'hf << b));
      for (int k = 0; k <= b; k++) begin
        split.ends[k][b] = stop[b] && below[k];
        for (int n = 0; n <= 4; n++) begin
          split.ends[n+k][(b+4)%8] |= stop[(b+4)%8] && above[k] && low[n];
        end
      end
    end
    high = ones(stop[7:4]);
    split.there = {!(low[0] && (high[0] || high[1]) || low[1] && high[0]), stop != '0};

    for (int b = 0; b < 8; b++) begin
      split.tail[b]  = used[b];
      split.reach[b] = used[b];
      for (int c = 0; c < 8; c++) begin
        if (c >= b) split.tail[b] = split.tail[b] && !stop[c];
        if (c < b) split.reach[b] = split.reach[b] && !stop[c];
      end
    end

    for (int b = 0; b < 8; b++) begin
      logic rest;
      split.joined[b][0] = 1'b1;
      for (int p = 1; p <= b; p++) begin
        split.joined[b][p] = 1'b1;
        for (int q = 1; q <= p; q++) begin
          split.joined[b][p] = split.joined[b][p] && used[b-q] && !stop[b-q];
        end
      end
      rest = 1'b1;
      for (int p = 0; p <= b; p++) begin
        rest = rest && !(p > 0 && split.joined[b][p] && !zero[b-p]);
        begins = split.joined[b][p] && (p == b || !split.joined[b][(p+1)%8]);
        split.first[b] |= word[8*(b-p)+:7] & {7{begins}};
        split.length[b] |= 4'(p + 1) & {4{begins}};
      end
      if (split.ends[0][b]) split.first_length |= split.length[b];
      split.null_at[b] = rest && zero[b];
      split.one_at[b]  = rest && one[b];
    end

    split.tail_zero = 1'b1;
    for (int b = 0; b < 8; b++) begin
      split.tail_zero = split.tail_zero && !(split.tail[b] && !zero[b]);
      split.tail_first |= word[8*b+:7] & {7{split.tail[b] && (b == 0 || !split.tail[(b+7)%8])}};
    end
  end

endmodule
