// What one record of the FAST engine can mean. Combinational.
module record_decode
  import watch_pkg::*;
(
    input  logic         valid,
    input  logic  [ 4:0] role,
    input  logic  [ 3:0] kind,
    input  logic  [ 7:0] info,
    input  logic  [63:0] value,
    output logic  [ 9:1] is_role,  // one bit for each role
    output cell_t        found
);
  import fast_pkg::*;

  for (genvar r = 1; r <= 9; r++) begin : g_role
    assign is_role[r] = valid && role == 5'(r) && kind inside {[RECORD_UNSIGNED : RECORD_BYTES]};
  end

  logic [ 7:0] wrong_byte;
  logic [15:0] has_byte;
  logic is_integer, negative, one_byte, is_low;
  // What much is made of: bits of 63:48, 47:32, 31:16, 15:8 and 7:0.
  logic [4:0] some;

  always_comb begin
    found = '0;
    found.value = value;
    found.info = info;
    is_integer = kind inside {RECORD_UNSIGNED, RECORD_SIGNED};
    negative = value[63] && kind != RECORD_UNSIGNED;
    found.is_number = is_integer && !negative;
    found.is_text = kind inside {RECORD_ASCII, RECORD_UNICODE, RECORD_BYTES};
    found.is_decimal = kind == RECORD_DECIMAL;
    found.is_price = found.is_decimal || kind == RECORD_SIGNED
        || (kind == RECORD_UNSIGNED && !value[63]);
    found.is_amount = (is_integer || found.is_decimal) && !negative;
    found.more = info[7];
    found.bytes = info[3:0];
    some = {
      value[63:48] != '0,
      value[47:32] != '0,
      value[31:16] != '0,
      value[15:8] != '0,
      value[7:0] != '0
    };
    found.some = some != '0;
    found.over_byte = some[4:1] != '0;
    found.fits32 = some[4:3] == '0;
    // A byte that a text does not have is 0, and so are its digits.
    found.low = value[31:0];
    for (int b = 0; b < 8; b++) begin
      if (found.is_text) found.low[4*b+:4] = value[8*b+:4];
      // Of the lengths, those of a text that has the byte; no digit is above 9.
      has_byte = 16'hfffe << b;
      wrong_byte[b] = has_byte[info[3:0]]
          && (value[8*b+4+:4] != 4'h3 || (value[8*b+3] && value[8*b+1+:2] != '0));
    end
    found.not_digits = {info[3:0] == '0, wrong_byte[7:4] != '0, wrong_byte[3:0] != '0};
    // '0', '1', '2' and 'z' end with the bits of what they mean, and so do numbers.
    one_byte = found.is_text && info == 8'd1;
    is_low = value[1:0] != 2'd3;
    found.is_z = one_byte && value[7:0] == "z";
    found.text_choice = one_byte && value[7:2] == 6'h0c && is_low;
    found.low_choice = is_integer && value[7:2] == '0 && is_low;
  end

endmodule
