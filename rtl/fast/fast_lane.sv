// Stage X of a lane: operators on operand, dictionary entry and initial value. Combinational.
//
// One addition does all: what comes from the stream is added to 0, a delta to the previous value, an
// increment is 1. Range checks look at the sum's upper bits. Text passes by.
module fast_lane
  import fast_pkg::*;
(
    input slot_t     slot,
    input intake_t   intake,
    input operand_t  operand,
    input logic      known,          // the entry is not undefined
    input entry_t    entry,
    input datum_t    initial_value,
    input settings_t settings,

    output logic   [  7:0] status,     // 0: fine
    output logic           has_value,
    output logic           emits,      // a record (or two chunks) comes of it
    output logic   [ 63:0] number,
    output logic   [  7:0] exponent,   // of a decimal, or of an exponent's lane
    output logic   [127:0] text,
    output logic   [  4:0] length,
    output logic           store,
    output entry_t         stored
);
  logic signed_kind, narrow, decimal_kind, text_kind, raw_kind, has_initial;
  logic assigned, empty, wrong_type, from_entry, from_initial, stream;
  logic signed [71:0] base, addend, sum;
  logic signed [63:0] chosen;
  logic signed [15:0] exponent_sum;
  logic fits;
  logic uses_entry;
  logic [7:0] chosen_exponent;

  always_comb begin
    decimal_kind = slot.kind == DECIMAL;
    text_kind = slot.kind == ASCII || slot.kind == TEXT;
    raw_kind = slot.kind == UNICODE || slot.kind == BYTES;
    signed_kind = !(slot.kind == U32 || slot.kind == U64 || slot.kind == LENGTH || raw_kind);
    narrow = slot.kind == U32 || slot.kind == I32 || slot.kind == LENGTH
             || slot.kind == EXPONENT || raw_kind;
    has_initial = slot.initial_value != 8'd0;
    stream = intake.stream;
    assigned = known && !entry.empty;
    empty = known && entry.empty;
    wrong_type = assigned && entry.type_code != type_of(slot.kind);

    // Where the value, or the base of a delta, comes from.
    uses_entry = slot.operation == OP_COPY || slot.operation == OP_INCREMENT
                 || slot.operation == OP_DELTA;
    from_entry = uses_entry && assigned;
    from_initial = has_initial && !from_entry && (!stream || slot.operation == OP_DELTA);
    chosen = from_entry ? entry.datum.bits[63:0] : initial_value.bits[63:0];
    chosen_exponent = from_entry ? entry.datum.size : initial_value.size;
    base = '0;
    exponent_sum = '0;
    if ((!stream || slot.operation == OP_DELTA) && (from_entry || from_initial)) begin
      base = {{8{signed_kind && chosen[63]}}, chosen};
      exponent_sum = {{8{chosen_exponent[7]}}, chosen_exponent};
    end
    addend = '0;
    if (stream) begin
      addend = operand.number;
      exponent_sum = exponent_sum + operand.exponent;
    end else if (slot.operation == OP_INCREMENT && from_entry) addend = 72'sd1;
    sum = base + addend;

    // Increments wrap.
    number = sum[63:0];
    if (narrow) number[63:32] = {32{signed_kind && sum[31]}};
    if (signed_kind)
      fits = narrow ? sum[71:31] == '0 || &sum[71:31] : sum[71:63] == '0 || &sum[71:63];
    else fits = narrow ? sum[71:32] == '0 : sum[71:64] == '0;
    exponent = slot.kind == EXPONENT ? number[7:0] : exponent_sum[7:0];

    case (slot.operation)
      OP_NONE:     has_value = !operand.is_null;
      OP_CONSTANT: has_value = intake.bit_set;
      OP_DEFAULT:  has_value = stream ? !operand.is_null : has_initial;
      OP_DELTA:    has_value = !operand.is_null;
      default:     has_value = stream ? !operand.is_null : assigned || !empty && has_initial;
    endcase

    if (stream && text_kind || stream && raw_kind) begin
      text   = operand.text;
      length = operand.length;
    end else begin
      text   = from_entry ? entry.datum.bits : initial_value.bits;
      length = from_entry ? entry.datum.size[4:0] : initial_value.size[4:0];
    end

    status = COMPLETE;
    if (stream) begin
      status = operand.status;
      if (operand.status == COMPLETE && !operand.is_null) begin
        if (slot.operation == OP_DELTA) begin
          if (wrong_type) status = D4;
          else if (empty) status = D6;
          else if (decimal_kind) begin
            if (!fits || exponent_sum > 16'sd63 || exponent_sum < -16'sd63) status = R1;
          end else if (!fits) status = R4;
        end else if (raw_kind) begin
          if (!fits) status = D2;
          else if (sum[31:0] > settings.max_text) status = TRAP_LIMIT;
          else if (slot.operation == OP_COPY && sum[31:0] > 32'd16) status = TRAP_LONG;
        end else if (!text_kind && !fits) status = decimal_kind ? R1 : D2;
      end
    end else if (slot.operation == OP_COPY || slot.operation == OP_INCREMENT) begin
      if (wrong_type) status = D4;
      else if (empty && !slot.optional) status = D6;
      else if (!known && !has_initial && !slot.optional) status = D5;
    end
    if (slot.kind == EXPONENT && status == COMPLETE && has_value && ($signed(
            number
        ) > 64'sd63 || $signed(
            number
        ) < -64'sd63)) begin
      status = R1;
    end
    if (slot.kind == TRAP) status = TRAP_OPERATOR;
    if (slot.kind == GROUP || slot.kind == END_GROUP || !intake.active) status = COMPLETE;

    emits = intake.active && has_value && slot.kind != EXPONENT && slot.kind != TRAP
            && !(stream && raw_kind);
    if (slot.kind == GROUP || slot.kind == END_GROUP) emits = intake.active;

    store = intake.active && uses_entry && !(slot.operation == OP_DELTA && operand.is_null);
    // A vector is stored with its last bytes.
    if (stream && raw_kind && !operand.is_null) store = 1'b0;
    stored.type_code = type_of(slot.kind);
    stored.empty = !has_value;
    stored.datum.size = text_kind || raw_kind ? {3'd0, length} : exponent;
    stored.datum.bits = text_kind || raw_kind ? text : {64'd0, number};
  end
endmodule
