// What one record of the FAST engine can mean. Combinational.
module record_decode
  import watch_pkg::*;
(
    input  logic  [63:0] value,
    input  logic  [ 3:0] kind,
    input  logic  [ 7:0] info,
    output cell_t        found
);
  import fast_pkg::*;

  logic [7:0] is_digit, used;
  logic is_integer, negative;
  always_comb begin
    found = '0;
    found.value = value;
    is_integer = kind inside {RECORD_UNSIGNED, RECORD_SIGNED};
    negative = value[63] && kind != RECORD_UNSIGNED;
    found.is_number = is_integer && !negative;
    found.is_text = kind inside {RECORD_ASCII, RECORD_UNICODE, RECORD_BYTES};
    found.is_price = kind == RECORD_DECIMAL || found.is_number || kind == RECORD_SIGNED;
    if (kind == RECORD_UNSIGNED && value[63]) found.is_price = 1'b0;
    found.is_amount = (is_integer || kind == RECORD_DECIMAL) && !negative;
    found.more = info[7];
    found.bytes = info[3:0];
    found.zero = value == '0;
    found.fits32 = value[63:32] == '0;
    for (int b = 0; b < 8; b++) begin
      // Comparisons of size would become carry chains.
      is_digit[b] = value[8*b+4+:4] == 4'h3 && !(value[8*b+3] && (value[8*b+2] || value[8*b+1]));
      used[b] = info[3];
      for (int n = b + 1; n < 8; n++) if (info[2:0] == 3'(n)) used[b] = 1'b1;
      found.digits[4*b+:4] = value[8*b+:4] & {4{used[b]}};
    end
    found.not_digits = found.is_text && ((used & ~is_digit) != '0 || info[3:0] == '0);
    found.says_z = found.is_text && value[7:0] == "z" && info == 8'd1;
    found.says = found.says_z
        || (found.is_text && info == 8'd1 && value[7:2] == 6'h0c && value[1:0] != 2'd3);
    found.counts = is_integer && value[7:2] == '0 && value[1:0] != 2'd3;
    found.no_more = value[63:8] == '0;
    found.choice = value[1:0];
  end

endmodule
