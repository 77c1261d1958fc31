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
      is_digit[b] = value[8*b+:8] inside {[8'h30 : 8'h39]};
      used[b] = 4'(b) < info[3:0];
      found.digits[4*b+:4] = value[8*b+:4] & {4{used[b]}};
    end
    found.not_digits = found.is_text && ((used & ~is_digit) != '0 || info[3:0] == '0);
    found.is_z = found.is_text && value[7:0] == "z" && info == 8'd1;
    if (found.is_text) begin
      found.choice = found.is_z ? 2'd2 : value[1:0];
      found.choice_ok = info == 8'd1 && (found.is_z
          || (value[7:2] == 6'h0c && value[1:0] != 2'd3));
    end else begin
      found.choice = value[1:0];
      found.choice_ok = is_integer && value[63:2] == '0 && value[1:0] != 2'd3;
    end
  end

endmodule
