// Stages A and X of all lanes and the output: records, marks, the end of a message.
//
//   d issue     d+1 A     d+2 X     d+3 records
// A string beyond eight bytes takes two beats, what is behind it in the row comes with the second:
// `stall` holds dispatch for the further beats, X works in the first only. The first slot in lane
// order that fails ends the message; `failed` tells dispatch a cycle later, and what is behind in A
// and X of the same packet is void.
module fast_execute
  import fast_pkg::*;
(
    input logic      clk,
    input logic      rst,
    input settings_t settings,

    input  issue_t          issue,
    input  slot_t    [ 3:0] slots,
    input  intake_t  [ 3:0] intakes,
    input  element_t [ 7:0] banks,
    input  logic     [ 2:0] base,
    input  logic     [63:0] raw_bytes,
    input  logic     [ 3:0] raw_count,
    output logic            stall,

    // Contents of the window in the cycle before: presence map and identifier of a header.
    output element_t head_map,
    output element_t head_id,
    output element_t pushed_map,

    // Constants of the row in X; role numbers for what leaves two cycles later.
    input  datum_t [3:0]               initial_values,
    output logic   [3:0][TAG_BITS-1:0] role_tags,

    output logic [3:0] d_known,
    output logic [3:0] d_empty,

    // A sequence's length, a cycle behind X; absent is 0.
    output logic        length_valid,
    output logic [ 2:0] length_frame,
    output logic [31:0] length_value,
    // A vector's length, in X.
    output logic        raw_length_valid,
    output logic [31:0] raw_length,

    output logic       failed,
    output logic [2:0] failed_packet,

    // Output. Roles come from their memory.
    output record_t [              3:0] m_records,
    output logic                        m_begin,
    output logic    [TEMPLATE_BITS-1:0] m_template,
    output logic                        m_element,
    output logic                        m_call_begin,
    output logic                        m_call_end,
    output logic                        m_end,
    output logic    [              7:0] m_status,
    output logic    [              3:0] m_tid,
    output logic    [             63:0] m_tstamp
);
  // ------------------------------------------------------------------------------------ stage A
  issue_t a_q, x_q;
  slot_t [3:0] x_slots_q;
  slot_t [3:0] a_slots_q;
  intake_t [3:0] a_intakes_q;
  element_t [7:0] banks_q;
  logic [2:0] base_q;
  logic [63:0] a_raw_q;
  logic [3:0] a_raw_count_q;

  always_ff @(posedge clk) begin
    a_q <= issue;
    a_slots_q <= slots;
    a_intakes_q <= intakes;
    banks_q <= banks;
    base_q <= base;
    a_raw_q <= raw_bytes;
    a_raw_count_q <= raw_count;
    if (rst) a_q.valid <= 1'b0;
  end

  assign head_map = banks_q[base_q];
  assign head_id = banks_q[base_q+3'd1];
  assign pushed_map = banks_q[a_q.map];

  operand_t [3:0] operands;
  logic [3:0] a_wide;
  for (genvar k = 0; k < 4; k++) begin : gen_operand
    element_t main, lead;
    assign lead = banks_q[a_intakes_q[k].first];
    assign main = a_slots_q[k].kind == DECIMAL ? banks_q[a_intakes_q[k].second] : lead;
    fast_operand u_operand (
        .slot(a_slots_q[k]),
        .strict(settings.strict),
        .missing_lead(a_intakes_q[k].missing_first),
        .missing_main(a_slots_q[k].kind == DECIMAL ? a_intakes_q[k].missing_second
                                                   : a_intakes_q[k].missing_first),
        .lead,
        .main,
        .more_text(a_q.more_text),
        .operand(operands[k])
    );
    assign a_wide[k] = (a_q.execute || a_q.more_text) && a_intakes_q[k].active
        && (a_intakes_q[k].wide || a_intakes_q[k].stream && operands[k].wide
            && (a_slots_q[k].kind == ASCII || a_slots_q[k].kind == TEXT));
    assign role_tags[k] = a_q.valid ? a_slots_q[k].tag : x_slots_q[k].tag;
  end

  // Beats that the row in A takes beyond the first.
  logic [2:0] a_further, hold_q;
  always_comb begin
    a_further = 3'd0;
    for (int k = 0; k < 4; k++) a_further = a_further + 3'(a_wide[k]);
    if (!a_q.valid) a_further = 3'd0;
  end
  assign stall = a_further != 3'd0 || hold_q != 3'd0;

  // ------------------------------------------------------------------------------------ stage X
  intake_t [3:0] x_intakes_q;
  operand_t [3:0] x_operands_q;
  logic [3:0] x_wide_q;
  logic [7:0] x_map_status_q;
  logic [63:0] x_raw_q;
  logic [3:0] x_raw_count_q;
  logic killed_a, killed_x, x_valid;

  logic failed_q;
  logic [2:0] failed_packet_q;
  assign killed_a = failed_q && (a_q.packet == failed_packet_q || settings.reset == 2'd0);
  assign killed_x = failed_q && (x_q.packet == failed_packet_q || settings.reset == 2'd0);
  assign x_valid = x_q.valid && !killed_x;

  always_ff @(posedge clk) begin
    x_q <= a_q;
    x_q.valid <= a_q.valid && !killed_a;
    if (a_q.valid) begin
      x_slots_q <= a_slots_q;
      x_intakes_q <= a_intakes_q;
    end
    x_operands_q <= operands;
    x_wide_q <= a_wide;
    x_map_status_q <= a_q.push ? map_status(pushed_map, settings.strict) : COMPLETE;
    x_raw_q <= a_raw_q;
    x_raw_count_q <= a_raw_count_q;
    hold_q <= hold_q != 3'd0 ? hold_q - 3'd1 : a_further != 3'd0 ? a_further - 3'd1 : 3'd0;
    if (rst) begin
      x_q.valid <= 1'b0;
      hold_q <= 3'd0;
    end
  end

  logic [3:0][7:0] lane_status;
  logic [3:0] has_value, emits, store;
  logic [3:0][ 63:0] number;
  logic [3:0][  7:0] exponent;
  logic [3:0][127:0] text;
  logic [3:0][  4:0] length;
  entry_t [3:0] stored, stored_final;
  logic [3:0] store_final;
  logic [127:0] vector, vector_q;
  logic [4:0] vector_length, vector_length_q;

  for (genvar k = 0; k < 4; k++) begin : gen_lane
    logic   known;
    entry_t entry;
    fast_dictionary u_dictionary (
        .clk,
        .rst,
        .d_entry (slots[k].entry),
        .d_known (d_known[k]),
        .d_empty (d_empty[k]),
        .a_entry (a_slots_q[k].entry),
        .x_known (known),
        .x_value (entry),
        .x_valid,
        .x_fresh (x_q.fresh),
        .x_store (store_final[k]),
        .x_entry (x_slots_q[k].entry),
        .x_stored(stored_final[k])
    );
    fast_lane u_lane (
        .slot         (x_slots_q[k]),
        .intake       (x_intakes_q[k]),
        .operand      (x_operands_q[k]),
        .known,
        .entry,
        .initial_value(initial_values[k]),
        .settings,
        .status       (lane_status[k]),
        .has_value    (has_value[k]),
        .emits        (emits[k]),
        .number       (number[k]),
        .exponent     (exponent[k]),
        .text         (text[k]),
        .length       (length[k]),
        .store        (store[k]),
        .stored       (stored[k])
    );
    always_comb begin
      store_final[k]  = x_q.execute && !x_q.void_row && store[k];
      stored_final[k] = stored[k];
      if (x_q.raw && x_q.lane == 2'(k)) begin
        store_final[k] = x_slots_q[k].operation == OP_COPY && !x_q.again;
        stored_final[k].type_code = type_of(x_slots_q[k].kind);
        stored_final[k].empty = 1'b0;
        stored_final[k].datum.size = {3'd0, vector_length};
        stored_final[k].datum.bits = vector;
      end
    end
  end

  // The bytes of a vector so far.
  always_comb begin
    vector = {64'd0, x_raw_q};
    vector_length = {1'b0, x_raw_count_q};
    for (int n = 1; n <= 8; n++) begin
      if (x_raw_count_q == 4'(n)) vector = vector_q << (8 * n) | {64'd0, x_raw_q};
    end
    if (x_raw_count_q != 4'd0) vector_length = vector_length_q + {1'b0, x_raw_count_q};
  end

  // ------------------------------------------------------------------------------------ outcome
  logic [7:0] x_status;
  logic [3:0] good;  // lanes before the first that fails
  logic over_limit, marks;
  logic [31:0] elements_q, elements, x_length;
  logic [2:0]      beats;  // beyond the first
  logic [3:0][2:0] place;  // of a lane's first beat
  logic [31:0] text_bytes_q, text_bytes;

  always_comb begin
    elements = x_q.begins ? settings.max_elements : elements_q;
    x_length = has_value[x_q.lane] ? number[x_q.lane][31:0] : 32'd0;
    over_limit = x_q.counts && x_length > elements;
    text_bytes = (x_q.more_text ? text_bytes_q : 32'd0) + 32'(x_operands_q[x_q.lane].length);

    x_status = COMPLETE;
    good = '0;
    marks = 1'b0;
    beats = 3'd0;
    for (int k = 0; k < 4; k++) place[k] = 3'd0;
    if (x_map_status_q != COMPLETE) x_status = x_map_status_q;
    else if (x_q.void_row) x_status = x_q.status;
    else begin
      for (int k = 0; k < 4; k++) begin
        place[k] = beats;
        if (x_status == COMPLETE) begin
          if (x_q.execute || x_q.more_text && x_q.lane == 2'(k)) begin
            x_status = x_intakes_q[k].active ? lane_status[k] : COMPLETE;
            good[k]  = x_status == COMPLETE;
          end
          if (x_q.raw && x_q.lane == 2'(k)) good[k] = 1'b1;
          if (good[k]) beats = beats + 3'(x_wide_q[k]);
        end
      end
      // Truncated or aborted.
      if (x_status == TRUNCATED) x_status = x_q.status;
      if (x_status == COMPLETE && x_q.more_text && text_bytes > settings.max_text + 32'd2) begin
        x_status = TRAP_LIMIT;
        good = '0;
        beats = 3'd0;
      end
      if (x_status == COMPLETE && over_limit) begin
        x_status = LIMIT;
        good[x_q.lane] = 1'b0;
      end
      if (x_status == COMPLETE) begin
        marks = 1'b1;
        x_status = x_q.status;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (x_valid) begin
      elements_q <= x_q.counts && x_status == COMPLETE ? elements - x_length : elements;
      text_bytes_q <= text_bytes;
      vector_q <= x_q.raw ? vector : '0;
      vector_length_q <= x_q.raw ? vector_length : '0;
    end
    length_valid <= x_valid && x_q.counts;
    length_frame <= x_q.frame;
    length_value <= x_length;
    // What dispatch found out itself it has acted on.
    failed_q <= x_valid && x_status != COMPLETE && x_q.status == COMPLETE;
    failed_packet_q <= x_q.packet;
    if (rst) begin
      length_valid <= 1'b0;
      failed_q <= 1'b0;
    end
  end
  assign failed = failed_q;
  assign failed_packet = failed_packet_q;
  // The vector's slot is the last of its row.
  assign raw_length_valid = x_valid && x_q.execute && x_q.again;
  assign raw_length = number[x_q.lane][31:0];

  // ------------------------------------------------------------------------------------ output
  // Of a string in the stream; another's lane looks at an element that is not its own.
  logic [3:0] more_text;
  always_comb begin
    for (int k = 0; k < 4; k++) more_text[k] = x_intakes_q[k].stream && x_operands_q[k].more;
  end

  fast_output u_output (
      .clk,
      .rst,
      .valid    (x_valid),
      .issue    (x_q),
      .slots    (x_slots_q),
      .good     (good & (emits | (x_q.raw ? 4'b0001 << x_q.lane : 4'd0))),
      .number,
      // A mantissa's exponent is the lane's before it.
      .exponent ({exponent[3], exponent[2], exponent[1], exponent[0]}),
      .text,
      .length,
      .more_text(more_text),
      .wide     (x_wide_q),
      .place,
      .beats,
      .raw_bytes(x_raw_q),
      .raw_count(x_raw_count_q),
      .marks,
      .status   (x_status),
      .m_records,
      .m_begin,
      .m_template,
      .m_element,
      .m_call_begin,
      .m_call_end,
      .m_end,
      .m_status,
      .m_tid,
      .m_tstamp
  );
endmodule
