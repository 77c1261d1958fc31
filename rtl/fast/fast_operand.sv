// Stage A of a lane: entities to operands. Combinational.
//
// `main` is the entity of the value (a decimal's mantissa), `lead` the first one (its exponent).
// Groups of seven bits are packed, the sign is extended, NULL and overlong encodings are recognised,
// and what a nullable encoding adds is taken off.
module fast_operand
  import fast_pkg::*;
(
    input slot_t    slot,
    input logic     strict,
    input logic     missing_lead,
    input logic     missing_main,
    input element_t lead,
    input element_t main,
    input logic     more_text,     // a further element of a text

    output operand_t operand
);
  typedef struct packed {
    logic               zero;           // all groups are 0
    logic               first_zero;     // the first group is
    logic               over_unsigned;
    logic               over_signed;
    logic               long_number;    // more than ten bytes
    logic signed [71:0] as_signed;
    logic [71:0]        as_unsigned;
  } number_t;

  function automatic number_t pack(element_t element);
    number_t n;
    logic [69:0] groups;
    logic sign, second6;
    logic [6:0] first;
    groups = '0;
    sign = 1'b0;
    first = '0;
    second6 = 1'b0;
    for (int i = 0; i < 10; i++) groups[7*i+:7] = element.bytes[8*i+:7];
    for (int i = 0; i < 16; i++) begin
      if (element.length == 5'(i + 1)) begin
        first = element.bytes[8*i+:7];
        if (i > 0) second6 = element.bytes[8*((i+15)%16)+6];
      end
    end
    sign = first[6];
    n.as_unsigned = {2'b00, groups};
    n.as_signed = {2'b00, groups};
    for (int i = 0; i < 72; i++) begin
      if (7 * int'(element.length) <= i) n.as_signed[i] = sign;
    end
    n.zero = groups == '0;
    n.first_zero = first == 7'd0;
    n.over_unsigned = element.length > 5'd1 && first == 7'd0;
    n.over_signed = element.length > 5'd1
                    && (first == 7'd0 && !second6 || first == 7'h7f && second6);
    n.long_number = element.length > 5'd10;
    return n;
  endfunction

  number_t m, l;
  logic signed_kind, decimal_kind, text_kind, raw_kind, delta;
  logic signed [71:0] value, exponent;
  logic [7:0] main_status, lead_status;
  // Text.
  logic zero0, zero1, zero2;
  logic [4:0] strip;
  logic text_null, text_over;

  always_comb begin
    m = pack(main);
    l = pack(lead);
    decimal_kind = slot.kind == DECIMAL;
    text_kind = slot.kind == ASCII || slot.kind == TEXT;
    raw_kind = slot.kind == UNICODE || slot.kind == BYTES;
    delta = slot.operation == OP_DELTA;
    signed_kind = delta
        || !(slot.kind == U32 || slot.kind == U64 || slot.kind == LENGTH || raw_kind);

    value = signed_kind ? m.as_signed : $signed(m.as_unsigned);
    if (slot.optional && !decimal_kind && !value[71] && !m.zero) value = value - 72'sd1;
    exponent = l.as_signed;
    if (slot.optional && !exponent[71] && !l.zero) exponent = exponent - 72'sd1;
    operand.number = value;
    operand.exponent = (&exponent[71:15] || !(|exponent[71:15])) ? exponent[15:0] : 16'sh7fff;
    operand.is_null = slot.optional && (decimal_kind ? l.zero : m.zero);

    // Preambles of text.
    zero0 = m.first_zero;
    zero1 = 1'b0;
    zero2 = 1'b0;
    for (int i = 0; i < 16; i++) begin
      if (main.length == 5'(i + 2)) zero1 = main.bytes[8*(i%16)+:7] == 7'd0;
      if (main.length == 5'(i + 3)) zero2 = main.bytes[8*(i%16)+:7] == 7'd0;
    end
    strip = 5'd0;
    text_null = 1'b0;
    text_over = 1'b0;
    if (zero0 && !more_text) begin
      if (!slot.optional) begin
        strip = 5'd1;
        text_over = main.length > 5'd1 && !zero1;
      end else if (main.length == 5'd1) begin
        text_null = 1'b1;
        strip = 5'd1;
      end else if (zero1) begin
        strip = 5'd2;
        text_over = main.length > 5'd2 && !zero2;
      end else begin
        strip = 5'd1;
        text_over = 1'b1;
      end
    end

    // What is wrong, in the order in which a decoder finds out.
    main_status = COMPLETE;
    if (missing_main) main_status = TRUNCATED;
    else if (main.more && slot.kind != TEXT) main_status = TRAP_LONG;
    else if (text_kind) begin
      if (strict && text_over) main_status = R9;
    end else if (strict && (signed_kind ? m.over_signed : m.over_unsigned)) main_status = R6;
    else if (m.long_number) begin
      main_status = !strict || delta ? TRAP_WIDE : decimal_kind ? R1 : D2;
    end

    lead_status = COMPLETE;
    if (missing_lead) lead_status = TRUNCATED;
    else if (lead.more) lead_status = TRAP_LONG;
    else if (strict && l.over_signed) lead_status = R6;
    else if (l.long_number) lead_status = !strict || delta ? TRAP_WIDE : R1;
    // The range of a decimal's exponent comes before its mantissa.
    else if (!delta && !operand.is_null
             && (operand.exponent > 16'sd63 || operand.exponent < -16'sd63)) begin
      lead_status = R1;
    end

    operand.status = main_status;
    if (decimal_kind) begin
      operand.status = lead_status;
      if (lead_status == COMPLETE && !operand.is_null) operand.status = main_status;
    end

    operand.text = main.bytes;
    operand.text[7] = 1'b0;
    if (main.more) operand.text[7] = main.bytes[7];
    operand.length = main.length - strip;
    operand.wide = main.length > 5'd8;
    operand.more = main.more;
    if (text_kind) operand.is_null = text_null;
  end
endmodule
