// Stage B of a lane: entities to operands. Combinational.
//
// `main` is the entity of the value (a decimal's mantissa), `lead` the first one (its exponent).
// Groups of seven bits are packed, the sign is extended, NULL and overlong encodings are recognised,
// and what a nullable encoding adds is taken off: beside the search for the sign, which decides
// whether that counts.
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
    logic        zero;           // all groups are 0
    logic        first_zero;     // the first group is
    logic        sign;
    logic        over_unsigned;
    logic        over_signed;
    logic        long_number;    // more than ten bytes
    logic [9:0]  has;         // which groups are the entity's
    logic [69:0] groups;
  } number_t;

  function automatic number_t pack(element_t element);
    number_t n;
    logic second6;
    logic [6:0] first;
    first   = '0;
    second6 = 1'b0;
    for (int i = 0; i < 10; i++) begin
      n.groups[7*i+:7] = element.bytes[8*i+:7];
      n.has[i] = element.length > 5'(i);
    end
    for (int i = 0; i < 16; i++) begin
      if (element.length == 5'(i + 1)) begin
        first |= element.bytes[8*i+:7];
        if (i > 0) second6 |= element.bytes[8*((i+15)%16)+6];
      end
    end
    n.sign = first[6];
    n.zero = n.groups == '0;
    n.first_zero = first == 7'd0;
    n.over_unsigned = element.length > 5'd1 && first == 7'd0;
    n.over_signed = element.length > 5'd1
                    && (first == 7'd0 && !second6 || first == 7'h7f && second6);
    n.long_number = element.length > 5'd10;
    return n;
  endfunction

  number_t m, l;
  logic signed_kind, decimal_kind, text_kind, raw_kind, delta;
  // Text.
  logic zero0, zero1, zero2;
  logic [4:0] strip;
  logic text_null, text_over;

  // Numbers. One less than the groups, in two halves; the bits beyond the entity do not matter, since
  // what is taken off was there.
  logic [35:0] main_low;
  logic [33:0] main_high;
  logic [69:0] main_less;
  logic [15:0] lead_less;
  logic main_negative, main_lessened, lead_lessened, lead_ones, lead_any;

  always_comb begin
    m = pack(main);
    l = pack(lead);
    decimal_kind = slot.kind == DECIMAL;
    text_kind = slot.kind == ASCII || slot.kind == TEXT;
    raw_kind = slot.kind == UNICODE || slot.kind == BYTES;
    delta = slot.operation == OP_DELTA;
    signed_kind = delta
        || !(slot.kind == U32 || slot.kind == U64 || slot.kind == LENGTH || raw_kind);

    main_low = m.groups[35:0] - 36'd1;
    main_high = m.groups[69:36] - 34'd1;
    main_less = {m.groups[35:0] == '0 ? main_high : m.groups[69:36], main_low};
    main_negative = signed_kind && m.sign;
    main_lessened = slot.optional && !decimal_kind && !main_negative;
    operand.number[71:70] = {2{main_negative}};
    for (int i = 0; i < 70; i++) begin
      if (m.has[i/7]) operand.number[i] = main_lessened ? main_less[i] : m.groups[i];
      else operand.number[i] = main_negative;
    end

    lead_less = l.groups[15:0] - 16'd1;
    lead_lessened = slot.optional && !l.sign;
    lead_ones = 1'b1;
    lead_any = 1'b0;
    for (int i = 15; i < 70; i++) begin
      if (l.has[i/7]) begin
        lead_ones &= l.groups[i];
        lead_any |= l.groups[i];
      end
    end
    for (int i = 0; i < 16; i++) begin
      if (l.has[i/7]) operand.exponent[i] = lead_lessened ? lead_less[i] : l.groups[i];
      else operand.exponent[i] = l.sign;
    end
    if (l.sign ? !lead_ones : lead_any) operand.exponent = 16'sh7fff;
    operand.is_null = slot.optional && (decimal_kind ? l.zero : m.zero);

    // Preambles of text.
    zero0 = m.first_zero;
    zero1 = 1'b0;
    zero2 = 1'b0;
    for (int i = 0; i < 14; i++) begin
      if (main.length == 5'(i + 2)) zero1 |= main.bytes[8*i+:7] == 7'd0;
      if (main.length == 5'(i + 3)) zero2 |= main.bytes[8*i+:7] == 7'd0;
    end
    if (main.length == 5'd16) zero1 |= main.bytes[8*14+:7] == 7'd0;
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
    operand.status = COMPLETE;
    if (missing_main) operand.status = TRUNCATED;
    else if (main.more && slot.kind != TEXT) operand.status = TRAP_LONG;
    else if (text_kind) begin
      if (strict && text_over) operand.status = R9;
    end else if (strict && (signed_kind ? m.over_signed : m.over_unsigned)) operand.status = R6;
    else if (m.long_number) begin
      operand.status = !strict || delta ? TRAP_WIDE : decimal_kind ? R1 : D2;
    end

    operand.lead_status = COMPLETE;
    if (decimal_kind) begin
      if (missing_lead) operand.lead_status = TRUNCATED;
      else if (lead.more) operand.lead_status = TRAP_LONG;
      else if (strict && l.over_signed) operand.lead_status = R6;
      else if (l.long_number) operand.lead_status = !strict || delta ? TRAP_WIDE : R1;
    end

    operand.text = main.bytes;
    operand.text[7] = 1'b0;
    if (main.more) operand.text[7] = main.bytes[7];
    operand.length = main.length - strip;
    operand.more = main.more;
    if (text_kind) operand.is_null = text_null;
  end
endmodule
