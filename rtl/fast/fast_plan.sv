// What stage X wants to know of a lane's slot beforehand. Combinational, in stage B.
module fast_plan
  import fast_pkg::*;
(
    input slot_t   slot,
    input intake_t intake,
    input logic    executes,

    output plan_t plan
);
  logic raw_kind;

  always_comb begin
    raw_kind = slot.kind == UNICODE || slot.kind == BYTES;
    plan.stream = intake.stream;
    plan.active = intake.active;
    plan.decimal_kind = slot.kind == DECIMAL;
    plan.string_kind = slot.kind == ASCII || slot.kind == TEXT || raw_kind;
    plan.takes_string = intake.stream && plan.string_kind;
    plan.signed_kind = is_signed(slot.kind);
    plan.narrow = slot.kind == U32 || slot.kind == I32 || slot.kind == LENGTH
                  || slot.kind == EXPONENT || raw_kind;
    plan.delta = slot.operation == OP_DELTA;
    plan.increments = slot.operation == OP_INCREMENT && !intake.stream;
    plan.uses_entry = slot.operation == OP_COPY || slot.operation == OP_INCREMENT || plan.delta;
    plan.has_initial = slot.initial_value != 8'd0;
    plan.by_entity = slot.operation == OP_NONE || plan.delta
                     || intake.stream && slot.operation != OP_CONSTANT;
    plan.by_itself = slot.operation == OP_CONSTANT ? intake.bit_set
        : slot.operation == OP_DEFAULT && plan.has_initial;
    plan.by_entry = slot.operation != OP_CONSTANT && slot.operation != OP_DEFAULT;
    plan.based = plan.uses_entry && (!intake.stream || plan.delta);
    plan.based_initial = plan.has_initial && (!intake.stream || plan.delta);
    plan.stores_null = executes && intake.active && plan.uses_entry && !plan.delta;
    // A vector is stored with its last bytes.
    plan.stores_value = executes && intake.active && plan.uses_entry
                        && !(intake.stream && raw_kind);
  end
endmodule
