// Stage X of a lane: operators on operand, dictionary entry and initial value. Combinational.
//
// One addition does all: what comes from the stream is added to 0, a delta to the previous value, an
// increment is 1. Text passes by. Ranges are checked a cycle later (fast_verdict): an entry that is
// out of its range ends the message, so that it may be stored meanwhile. Of a number of 32 bits the
// entry's upper half does not count, since an increment may have carried into it.
module fast_lane
  import fast_pkg::*;
  import fast_range_pkg::*;
(
    input slot_t    slot,
    input plan_t    plan,
    input logic     bit_set,
    input operand_t operand,       // number and exponent are 0 without entity
    input logic     known,         // the entry is not undefined
    input entry_t   entry,
    input logic     assigned,      // it has a value,
    input logic     from_entry,    // which counts
    input logic     from_initial,  // the initial value does
    input datum_t   initial_value,

    output result_t result,
    output logic    has_value,
    output logic    store,
    output entry_t  stored      // without its bits
);
  logic decimal_kind, text_kind, raw_kind, has_initial, delta;
  logic empty, wrong_type, stream, upper, upper_half;
  logic [63:0] chosen;
  logic signed [71:0] base, addend;
  logic signed [15:0] chosen_exponent;
  logic exponent_beyond, wide_beyond, ranged;
  logic [7:0] entity_status;

  always_comb begin
    decimal_kind = plan.decimal_kind;
    text_kind = slot.kind == ASCII || slot.kind == TEXT;
    raw_kind = slot.kind == UNICODE || slot.kind == BYTES;
    has_initial = plan.has_initial;
    delta = plan.delta;
    stream = plan.stream;
    empty = known && entry.empty;
    wrong_type = assigned && entry.type_code != type_of(slot.kind);

    // Where the value, or the base of a delta, comes from.
    chosen = (entry.datum.bits[63:0] & {64{from_entry}})
             | (initial_value.bits[63:0] & {64{from_initial}});
    chosen_exponent = 16'(signed'((entry.datum.size & {8{from_entry}})
                                  | (initial_value.size & {8{from_initial}})));
    upper_half = plan.signed_kind && chosen[31];
    upper = plan.signed_kind && (plan.narrow ? chosen[31] : chosen[63]);
    base = {{8{upper}}, plan.narrow ? {32{upper_half}} : chosen[63:32], chosen[31:0]};
    addend = operand.number;
    addend[0] = operand.number[0] || plan.increments && assigned;
    result.total = base + addend;
    result.exponent = chosen_exponent + operand.exponent;
    result.signed_kind = plan.signed_kind;
    result.narrow = plan.narrow;
    // With an addend this large no sum has 32 bits.
    wide_beyond = !(&operand.number[71:33] || !(|operand.number[71:33]));

    case (slot.operation)
      OP_NONE:     has_value = !operand.is_null;
      OP_CONSTANT: has_value = bit_set;
      OP_DEFAULT:  has_value = stream ? !operand.is_null : has_initial;
      OP_DELTA:    has_value = !operand.is_null;
      default:     has_value = stream ? !operand.is_null : assigned || !empty && has_initial;
    endcase

    if (stream && plan.string_kind) begin
      result.text   = operand.text;
      result.length = operand.length;
    end else begin
      result.text   = from_entry ? entry.datum.bits : initial_value.bits;
      result.length = from_entry ? entry.datum.size[4:0] : initial_value.size[4:0];
    end

    // What is wrong. The range of a decimal's exponent comes before its mantissa.
    exponent_beyond = beyond_exponents(32'(operand.exponent));
    entity_status = operand.status;
    if (decimal_kind) begin
      if (operand.lead_status != COMPLETE) entity_status = operand.lead_status;
      else if (operand.is_null) entity_status = COMPLETE;
      else if (!delta && exponent_beyond) entity_status = R1;
    end
    result.status = COMPLETE;
    if (stream) begin
      result.status = entity_status;
      if (entity_status == COMPLETE && !operand.is_null && delta) begin
        if (wrong_type) result.status = D4;
        else if (empty) result.status = D6;
      end
    end else if (slot.operation == OP_COPY || slot.operation == OP_INCREMENT) begin
      if (wrong_type) result.status = D4;
      else if (empty && !slot.optional) result.status = D6;
      else if (!known && !has_initial && !slot.optional) result.status = D5;
    end
    if (slot.kind == TRAP) result.status = TRAP_OPERATOR;
    if (slot.kind == GROUP || slot.kind == END_GROUP || !plan.active) result.status = COMPLETE;
    result.late_status = decimal_kind ? R1 : delta ? R4 : D2;
    ranged = plan.active && stream && !operand.is_null && !text_kind;
    result.bad = result.status != COMPLETE || ranged && plan.narrow && wide_beyond;
    if (result.status == COMPLETE) result.status = result.late_status;
    result.range_signed32 = ranged && plan.narrow && plan.signed_kind;
    result.range_unsigned32 = ranged && plan.narrow && !plan.signed_kind;
    result.range_signed64 = ranged && !plan.narrow && plan.signed_kind;
    result.range_unsigned64 = ranged && !plan.narrow && !plan.signed_kind;
    result.scaled = plan.active && stream && !operand.is_null && decimal_kind && delta;
    result.is_exponent = plan.active && slot.kind == EXPONENT && has_value;
    result.vector = plan.active && stream && !operand.is_null && raw_kind;

    result.emits = plan.active && has_value && slot.kind != EXPONENT && slot.kind != TRAP
                   && !(stream && raw_kind);
    if (slot.kind == GROUP || slot.kind == END_GROUP) result.emits = plan.active;

    store = operand.is_null ? plan.stores_null : plan.stores_value;
    stored.type_code = type_of(slot.kind);
    stored.empty = !has_value;
    stored.datum.size = plan.string_kind ? {3'd0, result.length} : result.exponent[7:0];
    stored.datum.bits = '0;
  end
endmodule
