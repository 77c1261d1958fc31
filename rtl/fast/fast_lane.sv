// Stage X of a lane: operators on operand, dictionary entry and initial value. Combinational.
//
// One addition does all: what comes from the stream is added to 0, a delta to the previous value, an
// increment is 1. Text passes by. Ranges are checked a cycle later (fast_verdict): an entry that is
// out of its range ends the message, so that it may be stored meanwhile. Of a number of 32 bits the
// entry's upper half does not count, since an increment may have carried into it.
module fast_lane
  import fast_pkg::*;
(
    input slot_t    slot,
    input intake_t  intake,
    input operand_t operand,
    input logic     known,          // the entry is not undefined
    input entry_t   entry,
    input datum_t   initial_value,

    output result_t result,
    output logic    has_value,
    output logic    store,
    output entry_t  stored
);
  logic signed_kind, narrow, decimal_kind, text_kind, raw_kind, has_initial, delta;
  logic assigned, empty, wrong_type, from_entry, from_initial, stream, uses_entry, based, upper;
  logic [63:0] chosen;
  logic signed [71:0] base, addend;
  logic signed [15:0] chosen_exponent, added_exponent;
  logic exponent_beyond, wide_beyond;
  logic [7:0] entity_status;

  function automatic logic beyond_exponents(logic signed [15:0] exponent);
    return exponent > 16'sd63 || exponent < -16'sd63;
  endfunction

  always_comb begin
    decimal_kind = slot.kind == DECIMAL;
    text_kind = slot.kind == ASCII || slot.kind == TEXT;
    raw_kind = slot.kind == UNICODE || slot.kind == BYTES;
    signed_kind = !(slot.kind == U32 || slot.kind == U64 || slot.kind == LENGTH || raw_kind);
    narrow = slot.kind == U32 || slot.kind == I32 || slot.kind == LENGTH
             || slot.kind == EXPONENT || raw_kind;
    has_initial = slot.initial_value != 8'd0;
    delta = slot.operation == OP_DELTA;
    stream = intake.stream;
    assigned = known && !entry.empty;
    empty = known && entry.empty;
    wrong_type = assigned && entry.type_code != type_of(slot.kind);

    // Where the value, or the base of a delta, comes from.
    uses_entry = slot.operation == OP_COPY || slot.operation == OP_INCREMENT || delta;
    based = !stream || delta;
    from_entry = uses_entry && assigned;
    from_initial = has_initial && !from_entry;
    chosen = (entry.datum.bits[63:0] & {64{based && from_entry}})
             | (initial_value.bits[63:0] & {64{based && from_initial}});
    chosen_exponent = '0;
    if (based && from_entry) chosen_exponent = 16'(signed'(entry.datum.size));
    else if (based && from_initial) chosen_exponent = 16'(signed'(initial_value.size));
    upper = signed_kind && (narrow ? chosen[31] : chosen[63]);
    base = {{8{upper}}, narrow ? {32{upper}} : chosen[63:32], chosen[31:0]};
    addend = '0;
    added_exponent = '0;
    if (stream) begin
      addend = operand.number;
      added_exponent = operand.exponent;
    end else if (slot.operation == OP_INCREMENT && from_entry) addend = 72'sd1;
    result.sum = base + addend;
    result.exponent = chosen_exponent + added_exponent;
    result.signed_kind = signed_kind;
    result.narrow = narrow;
    // With an addend this large no sum has 32 bits.
    wide_beyond = !(&operand.number[71:33] || !(|operand.number[71:33]));
    result.beyond = narrow && wide_beyond;

    case (slot.operation)
      OP_NONE:     has_value = !operand.is_null;
      OP_CONSTANT: has_value = intake.bit_set;
      OP_DEFAULT:  has_value = stream ? !operand.is_null : has_initial;
      OP_DELTA:    has_value = !operand.is_null;
      default:     has_value = stream ? !operand.is_null : assigned || !empty && has_initial;
    endcase

    if (stream && (text_kind || raw_kind)) begin
      result.text   = operand.text;
      result.length = operand.length;
    end else begin
      result.text   = from_entry ? entry.datum.bits : initial_value.bits;
      result.length = from_entry ? entry.datum.size[4:0] : initial_value.size[4:0];
    end

    // What is wrong. The range of a decimal's exponent comes before its mantissa.
    exponent_beyond = beyond_exponents(operand.exponent);
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
    if (slot.kind == GROUP || slot.kind == END_GROUP || !intake.active) result.status = COMPLETE;
    result.bad = result.status != COMPLETE;

    result.ranged = intake.active && stream && !operand.is_null && !text_kind;
    result.late_status = decimal_kind ? R1 : delta ? R4 : D2;
    result.scaled = intake.active && stream && !operand.is_null && decimal_kind && delta;
    result.is_exponent = intake.active && slot.kind == EXPONENT && has_value;
    result.vector = intake.active && stream && !operand.is_null && raw_kind;
    result.kept = slot.operation == OP_COPY;

    result.emits = intake.active && has_value && slot.kind != EXPONENT && slot.kind != TRAP
                   && !(stream && raw_kind);
    if (slot.kind == GROUP || slot.kind == END_GROUP) result.emits = intake.active;

    store = intake.active && uses_entry && !(delta && operand.is_null);
    // A vector is stored with its last bytes.
    if (stream && raw_kind && !operand.is_null) store = 1'b0;
    stored.type_code = type_of(slot.kind);
    stored.empty = !has_value;
    stored.datum.size = text_kind || raw_kind ? {3'd0, result.length} : result.exponent[7:0];
    stored.datum.bits = text_kind || raw_kind ? result.text : {64'd0, result.sum[63:0]};
  end
endmodule
