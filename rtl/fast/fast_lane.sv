// Stage X of a lane: operators on operand, dictionary entry and initial value. Combinational.
//
// One addition does all, in the next stage (`base` and `addend`): what comes from the stream is added to 0, a delta to the previous value, an
// increment is 1. Text passes by. Ranges are checked behind it (fast_verdict): an entry that is
// out of its range ends the message, so that it may be stored meanwhile. Of a number of 32 bits the
// entry's upper half does not count, since an increment may have carried into it.
module fast_lane
  import fast_pkg::*;
(
    input slot_t          slot,
    input plan_t          plan,
    input logic           judged,        // what is wrong with it counts
    input operand_t       operand,       // number and exponent are 0 without entity
    input logic           known,         // the entry is not undefined
    input logic           empty,         // it is NULL
    input entry_t         entry,
    input logic           assigned,      // it has a value,
    input logic     [1:0] from_entry,    // which counts: for numbers, for strings
    input logic     [1:0] from_initial,  // the initial value does
    input logic           valued,        // there is a value, if not the entity says so
    input datum_t         initial_value,

    output result_t            result,     // without its total
    output logic signed [71:0] base,
    output logic signed [71:0] addend,
    output chunks_t            chunks,
    output logic               has_value,
    output logic               store,
    output entry_t             stored      // without its bits
);
  logic text_kind, raw_kind, copies, mark;
  logic wrong_type;
  logic [63:0] chosen;

  logic signed [15:0] chosen_exponent;
  logic wide_beyond, ranged;
  // What may be wrong, at most one of them.
  logic counts, bad_lead, bad_entity, bad_type, bad_empty, bad_unknown, trap, any;

  always_comb begin
    text_kind = slot.kind == ASCII || slot.kind == TEXT;
    raw_kind = slot.kind == UNICODE || slot.kind == BYTES;
    mark = slot.kind == GROUP || slot.kind == END_GROUP;
    copies = slot.operation == OP_COPY || slot.operation == OP_INCREMENT;
    wrong_type = assigned && entry.type_code != type_of(slot.kind);

    // Where the value, or the base of a delta, comes from.
    chosen = (entry.datum.bits[63:0] & {64{from_entry[0]}})
             | (initial_value.bits[63:0] & {64{from_initial[0]}});
    chosen_exponent = 16'(signed'((entry.datum.size & {8{from_entry[1]}})
                                  | (initial_value.size & {8{from_initial[1]}})));
    // Of 32 bits those from 36 on say nothing: an addend that reaches there is too large anyway.
    base[71:64] = {8{plan.signed_kind && chosen[63]}};
    base[63:36] = chosen[63:36];
    base[35:32] = plan.narrow ? {4{plan.signed_kind && chosen[31]}} : chosen[35:32];
    base[31:0] = chosen[31:0];
    addend = operand.number;
    addend[0] = operand.number[0] || plan.increments && assigned;
    result.total = '0;
    result.exponent = chosen_exponent + operand.exponent;
    result.signed_kind = plan.signed_kind;
    result.narrow = plan.narrow;
    // With an addend this large no sum has 32 bits.
    wide_beyond = !(&operand.number[71:33] || !(|operand.number[71:33]));

    has_value = plan.by_entity ? !operand.is_null : valued;

    // A string's chunks are worked out for each of those that it may be.
    if (plan.takes_string) begin
      result.text = operand.text;
      result.length = operand.length;
      chunks = chunks_of(raw_kind, operand.length);
    end else if (from_entry[1]) begin
      result.text = entry.datum.bits;
      result.length = entry.datum.size[4:0];
      chunks = chunks_of(raw_kind, entry.datum.size[4:0]);
    end else begin
      result.text = initial_value.bits;
      result.length = initial_value.size[4:0];
      chunks = chunks_of(raw_kind, initial_value.size[4:0]);
    end

    // What is wrong with the entity comes first, with a decimal's exponent before its mantissa; the range
    // of an exponent that is no delta is between them (fast_verdict).
    counts = plan.active && judged && !mark;
    bad_lead = plan.stream && plan.decimal_kind && operand.lead_bad;
    bad_entity = plan.stream && !bad_lead && operand.bad && !(plan.decimal_kind && operand.is_null);
    bad_type = wrong_type
        && (plan.stream ? plan.delta && !bad_lead && !bad_entity && !operand.is_null : copies);
    bad_empty = !wrong_type && empty
        && (plan.stream ? plan.delta && !bad_lead && !bad_entity && !operand.is_null
                        : copies && !slot.optional);
    bad_unknown = !plan.stream && copies && !known && !plan.has_initial && !slot.optional;
    trap = slot.kind == TRAP;
    any = bad_lead || bad_entity || bad_type || bad_empty || bad_unknown;
    ranged = counts && plan.stream && !operand.is_null && !text_kind;
    result.bad = counts && (any || trap) || ranged && plan.narrow && wide_beyond;
    result.late_status = plan.decimal_kind ? R1 : plan.delta ? R4 : D2;
    result.status = TRAP_OPERATOR & {8{trap}}
        | operand.lead_status & {8{bad_lead && !trap}} | operand.status & {8{bad_entity && !trap}}
        | D4 & {8{bad_type && !trap}} | D6 & {8{bad_empty && !trap}}
        | D5 & {8{bad_unknown && !trap}} | result.late_status & {8{!any && !trap}};
    result.range_narrow = ranged && plan.narrow;
    result.range_wide = ranged && !plan.narrow;
    result.scaled = ranged && plan.decimal_kind && !operand.lead_bad;
    result.scaled_first = !plan.delta;
    result.is_exponent = counts && slot.kind == EXPONENT && has_value;
    result.vector = plan.active && plan.stream && !operand.is_null && raw_kind;

    result.emits = plan.active && has_value && slot.kind != EXPONENT && slot.kind != TRAP
                   && !(plan.stream && raw_kind);
    if (mark) result.emits = plan.active;

    store = operand.is_null ? plan.stores_null : plan.stores_value;
    stored.type_code = type_of(slot.kind);
    stored.empty = !has_value;
    stored.datum.size = plan.string_kind ? {3'd0, result.length} : result.exponent[7:0];
    stored.datum.bits = '0;
  end
endmodule
