// Stage B of a lane: entities to operands. Combinational.
//
// `main` is the entity of the value (a decimal's mantissa), `lead` the first one (its exponent).
// Groups of seven bits are packed, the sign is extended, NULL and overlong encodings are recognised,
// and what a nullable encoding adds is taken off: beside the search for the sign, which decides
// whether that counts.
module fast_operand
  import fast_pkg::*;
(
    input slot_t          slot,
    input logic           strict,
    input logic           missing_lead,
    input logic           missing_main,
    input element_t       lead,
    input traits_t        lead_traits,
    input logic           lead_beyond,   // it does not fit an exponent's 16 bits
    input element_t       main,
    input traits_t        main_traits,
    // The value's number is negative; one is taken off it: for its lower half and its upper one.
    input logic     [1:0] negative,
    input logic     [1:0] lessened,
    input logic           more_text,     // a further element of a text

    output operand_t operand
);
  traits_t m, l;
  logic [69:0] main_groups;
  logic [15:0] lead_groups;
  logic signed_kind, decimal_kind, text_kind, delta;
  // Text.
  logic [4:0] strip;
  logic text_null, text_over;

  // Numbers. One less than the groups, in two halves; the bits beyond the entity do not matter, since
  // what is taken off was there.
  logic [35:0] main_low;
  logic [33:0] main_high;
  logic [69:0] main_less;
  logic [15:0] lead_less;
  logic lead_lessened;

  always_comb begin
    m = main_traits;
    l = lead_traits;
    for (int i = 0; i < 10; i++) main_groups[7*i+:7] = main.bytes[8*i+:7];
    lead_groups = {lead.bytes[17:16], lead.bytes[14:8], lead.bytes[6:0]};
    decimal_kind = slot.kind == DECIMAL;
    text_kind = slot.kind == ASCII || slot.kind == TEXT;
    delta = slot.operation == OP_DELTA;
    signed_kind = signed_entity(slot);

    main_low = main_groups[35:0] - 36'd1;
    main_high = main_groups[69:36] - 34'd1;
    main_less = {m.low_zero ? main_high : main_groups[69:36], main_low};
    operand.number[71:70] = {2{negative[1]}};
    for (int i = 0; i < 70; i++) begin
      if (m.has[i/7]) operand.number[i] = lessened[i/36] ? main_less[i] : main_groups[i];
      else operand.number[i] = negative[i/36];
    end

    lead_less = lead_groups - 16'd1;
    lead_lessened = slot.optional && !l.sign;
    for (int i = 0; i < 16; i++) begin
      if (l.has[i/7]) operand.exponent[i] = lead_lessened ? lead_less[i] : lead_groups[i];
      else operand.exponent[i] = l.sign;
    end
    if (lead_beyond) operand.exponent = 16'sh7fff;
    operand.is_null = slot.optional && (decimal_kind ? l.zero : m.zero);

    // Preambles of text.
    strip = 5'd0;
    text_null = 1'b0;
    text_over = 1'b0;
    if (m.first_zero && !more_text) begin
      if (!slot.optional) begin
        strip = 5'd1;
        text_over = main.length > 5'd1 && !m.second_zero;
      end else if (main.length == 5'd1) begin
        text_null = 1'b1;
        strip = 5'd1;
      end else if (m.second_zero) begin
        strip = 5'd2;
        text_over = main.length > 5'd2 && !m.third_zero;
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

    operand.bad = operand.status != COMPLETE;

    operand.lead_status = COMPLETE;
    if (decimal_kind) begin
      if (missing_lead) operand.lead_status = TRUNCATED;
      else if (lead.more) operand.lead_status = TRAP_LONG;
      else if (strict && l.over_signed) operand.lead_status = R6;
      else if (l.long_number) operand.lead_status = !strict || delta ? TRAP_WIDE : R1;
    end

    operand.lead_bad = operand.lead_status != COMPLETE;

    operand.text = main.bytes;
    operand.text[7] = 1'b0;
    if (main.more) operand.text[7] = main.bytes[7];
    operand.length = main.length - strip;
    operand.more = main.more;
    if (text_kind) operand.is_null = text_null;
  end
endmodule
