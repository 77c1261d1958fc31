// What follows dispatch, in all lanes: records, marks, the end of a message.
//
//   d issue   A entities   G digest   B operands   X entry, initial value   Z sum   Y range   W outcome   d+8 records
// A string beyond eight bytes takes two beats, what is behind it in the row comes with the second:
// `stall` holds dispatch for the further beats, the stages work in the first only. The first slot in
// lane order that fails ends the message; `failed` tells dispatch two cycles behind Y, and what is behind of
// the same packet is void.
module fast_execute
  import fast_pkg::*;
(
    input logic      clk,
    input logic      rst,
    input settings_t settings,

    input  issue_t         issue,
    input  slot_t   [ 3:0] slots,
    input  intake_t [ 3:0] intakes,
    input  marks_t         marks,      // of the row in A
    input  queued_t [ 7:0] banks,
    input  logic    [ 2:0] base,
    input  logic    [63:0] raw_bytes,
    input  logic    [ 3:0] raw_count,
    output logic           stall,

    // Elements of the window in the cycle before: that in bank `peek`, which may be a presence map, and the
    // second.
    input  logic     [2:0] peek,
    output element_t       head_map,
    output element_t       head_id,
    output logic     [6:0] head_first, // the map's first group

    // Constants of the row in B, by what is in A; role numbers for what leaves two cycles later.
    output logic   [3:0][ENTRY_BITS-1:0] constant_numbers,
    input  datum_t [3:0]                 initial_values,
    output logic   [3:0][  TAG_BITS-1:0] role_tags,

    // The state of the entries of a row that was in hand four cycles ago, issued or not.
    output logic [3:0] d_known,
    output logic [3:0] d_empty,

    // A sequence's length, behind X if it has no operator, otherwise in Y; absent is 0.
    output logic        length_valid,
    output logic [ 2:0] length_frame,
    output logic [31:0] length_value,
    output logic        length_one,        // if it has no operator: it is 1
    // A vector's length, in Y.
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
  localparam int unsigned A = 0;
  localparam int unsigned G = 1;
  localparam int unsigned B = 2;
  localparam int unsigned X = 3;
  localparam int unsigned Z = 4;
  localparam int unsigned Y = 5;
  localparam int unsigned W = 6;
  localparam int unsigned STAGES = 7;

  // ------------------------------------------------------------------------------------ rows
  issue_t [STAGES-1:0] rows;
  slot_t [STAGES-1:0][3:0] slots_of;
  intake_t [B:A][3:0] intakes_of;
  logic [STAGES-1:0][3:0] wide_of;
  logic [STAGES-1:0][63:0] raw_of;
  logic [STAGES-1:0][3:0] raw_count_of;
  logic [Z:B][7:0] map_status_of;
  // rows[W].valid by itself for the output, which is wide: synthesis would take the two for one.
  logic w_present_q;

  // A row did, two cycles ago: by a lane, a length, or else.
  logic failed_lane_q, failed_limit_q, failed_row_q;
  logic never_q, killed_issue;
  logic [2:0] failed_packet_q;
  assign killed_issue = failed && (issue.packet == failed_packet_q || never_q);

  // Compared a cycle before, with the row that may be the one that fails.
  logic [STAGES-1:0] with_q, killed;
  always_ff @(posedge clk) begin
    with_q[A] <= issue.packet == rows[W].packet || settings.reset == 2'd0;
    for (int i = G; i < STAGES; i++) begin
      with_q[i] <= rows[i-1].packet == rows[W].packet || settings.reset == 2'd0;
    end
  end
  assign killed = with_q & {STAGES{failed}};

  logic [3:0] wide;  // if the row is issued
  always_comb begin
    for (int k = 0; k < 4; k++) begin
      wide[k] = (issue.execute || issue.more_text) && intakes[k].active && intakes[k].wide;
    end
  end

  always_ff @(posedge clk) begin
    rows[A] <= issue;
    rows[A].valid <= issue.valid && !killed_issue && !rst;
    slots_of[A] <= slots;
    intakes_of[A] <= intakes;
    wide_of[A] <= wide;
    raw_of[A] <= raw_bytes;
    raw_count_of[A] <= raw_count;
    for (int i = G; i < STAGES; i++) begin
      rows[i] <= rows[i-1];
      rows[i].valid <= rows[i-1].valid && !killed[i-1] && !rst;
      slots_of[i] <= slots_of[i-1];
      wide_of[i] <= wide_of[i-1];
      raw_of[i] <= raw_of[i-1];
      raw_count_of[i] <= raw_count_of[i-1];
    end
    wide_of[G] <= wide_of[A] & {4{rows[A].valid}};
    for (int i = G; i <= B; i++) intakes_of[i] <= intakes_of[i-1];
    if (marks.element) rows[G].element <= 1'b1;
    if (marks.call_ends) rows[G].call_ends <= 1'b1;
    if (marks.ends) rows[G].ends <= 1'b1;
    // A row that is marked went: it has none of its own.
    rows[G].status <= rows[A].status | marks.status;
    map_status_of[B] <= rows[G].push ? rows[G].map_status : COMPLETE;
    for (int i = X; i <= Z; i++) map_status_of[i] <= map_status_of[i-1];
  end
  (* keep *)
  always_ff @(posedge clk) w_present_q <= rows[Y].valid && !killed[Y] && !rst;

  // Beats that the row in A takes beyond the first. Another one passes before the next row in any case.
  logic [2:0] a_further, hold_q;
  logic holds_q, holds, stall_q;
  always_comb begin
    a_further = 3'd0;
    for (int k = 0; k < 4; k++) a_further = a_further + 3'(wide_of[A][k]);
  end
  assign holds = holds_q ? hold_q != 3'd1 : rows[A].valid && a_further > 3'd1;
  assign stall = stall_q;
  always_ff @(posedge clk) begin
    hold_q  <= holds_q ? hold_q - 3'd1 : a_further - 3'd1;
    holds_q <= holds && !rst;
    stall_q <= holds && !rst;
  end

  // ------------------------------------------------------------------------------------ A: entities
  localparam int unsigned PARTS = 4;  // of an element
  element_t [7:0] banks_q;
  logic [7:0][6:0] firsts_q;
  element_t [3:0] g_mains_q, g_leads_q, b_mains_q, b_leads_q;
  logic [3:0][6:0] g_main_first_q, g_lead_first_q;

  always_ff @(posedge clk) begin
    for (int j = 0; j < 8; j++) begin
      banks_q[j]  <= banks[j].element;
      firsts_q[j] <= banks[j].first;
    end
    head_map <= banks[peek].element;
    head_id <= banks[base+3'd1].element;
    head_first <= banks[peek].first;
  end
  for (genvar k = 0; k < 4; k++) begin : gen_choice
    // Where the lane finds its elements, told once for each part of what is chosen there.
    logic [PARTS-1:0][2:0] main_at_q;
    logic [2:0] lead_at_q;
    for (genvar i = 0; i < PARTS; i++) begin : gen_main
      (* keep *)
      always_ff @(posedge clk) begin
        main_at_q[i] <= slots[k].kind == DECIMAL ? intakes[k].second : intakes[k].first;
      end
    end
    always_ff @(posedge clk) begin
      lead_at_q <= intakes[k].first;
      g_mains_q[k] <= banks_q[main_at_q[0]];
      g_main_first_q[k] <= firsts_q[main_at_q[0]];
      g_mains_q[k].bytes[39:0] <= banks_q[main_at_q[1]].bytes[39:0];
      g_mains_q[k].bytes[79:40] <= banks_q[main_at_q[2]].bytes[79:40];
      g_mains_q[k].bytes[127:80] <= banks_q[main_at_q[3]].bytes[127:80];
      g_leads_q[k] <= banks_q[lead_at_q];
      g_lead_first_q[k] <= firsts_q[lead_at_q];
    end
    assign constant_numbers[k] = slots_of[A][k].initial_value;
  end

  // ------------------------------------------------------------------------------------ G: digest
  traits_t [3:0] main_traits_q, lead_traits_q;
  logic [3:0] lead_beyond_q;
  logic [3:0][1:0] negative_q, lessened_q;
  for (genvar k = 0; k < 4; k++) begin : gen_digest
    digest_t main, lead;
    logic [1:0] main_beyond, lead_beyond;
    logic negative;
    fast_digest u_main (
        .first  (g_main_first_q[k]),
        .element(g_mains_q[k]),
        .digest (main),
        .beyond (main_beyond)
    );
    fast_digest u_lead (
        .first  (g_lead_first_q[k]),
        .element(g_leads_q[k]),
        .digest (lead),
        .beyond (lead_beyond)
    );
    logic unused;
    assign unused = &{1'b0, main_beyond};
    assign negative = signed_entity(slots_of[G][k]) && main.first[6];
    // What the number's sign makes of it, told for each half.
    for (genvar i = 0; i < 2; i++) begin : gen_sign
      (* keep *)
      always_ff @(posedge clk) negative_q[k][i] <= negative;
      (* keep *)
      always_ff @(posedge clk) begin
        lessened_q[k][i] <= slots_of[G][k].optional && slots_of[G][k].kind != DECIMAL && !negative;
      end
    end
    always_ff @(posedge clk) begin
      main_traits_q[k] <= traits(main);
      lead_traits_q[k] <= traits(lead);
      lead_beyond_q[k] <= lead_beyond[lead.first[6]];
      b_mains_q[k] <= g_mains_q[k];
      b_leads_q[k] <= g_leads_q[k];
    end
  end

  // ------------------------------------------------------------------------------------ B: operands
  operand_t [3:0] operands, x_operands_q;
  plan_t [3:0] plans, x_plans_q;
  datum_t [3:0] x_initial_q;
  logic [3:0] x_raw_lane_q, x_ends_vector_q;
  for (genvar k = 0; k < 4; k++) begin : gen_operand
    fast_operand u_operand (
        .slot(slots_of[B][k]),
        .strict(settings.strict),
        .missing_lead(intakes_of[B][k].missing_first),
        .missing_main(slots_of[B][k].kind == DECIMAL ? intakes_of[B][k].missing_second
                                                     : intakes_of[B][k].missing_first),
        .lead(b_leads_q[k]),
        .lead_traits(lead_traits_q[k]),
        .lead_beyond(lead_beyond_q[k]),
        .main(b_mains_q[k]),
        .main_traits(main_traits_q[k]),
        .negative(negative_q[k]),
        .lessened(lessened_q[k]),
        .more_text(rows[B].more_text),
        .operand(operands[k])
    );
    fast_plan u_plan (
        .slot    (slots_of[B][k]),
        .intake  (intakes_of[B][k]),
        .executes(rows[B].execute && !rows[B].void_row),
        .plan    (plans[k])
    );
    // Roles are there two cycles later.
    assign role_tags[k] = rows[Y].valid ? slots_of[Y][k].tag : w_tags_q[k];
  end
  logic [3:0][TAG_BITS-1:0] w_tags_q;

  always_ff @(posedge clk) begin
    for (int k = 0; k < 4; k++) if (rows[Y].valid) w_tags_q[k] <= slots_of[Y][k].tag;
    x_plans_q <= plans;
    for (int k = 0; k < 4; k++) begin
      x_raw_lane_q[k] <= rows[B].raw && rows[B].lane == 2'(k);
      x_ends_vector_q[k] <= rows[B].raw && rows[B].lane == 2'(k) && !rows[B].again
                            && slots_of[B][k].operation == OP_COPY;
    end
    x_operands_q <= operands;
    for (int k = 0; k < 4; k++) begin
      if (!intakes_of[B][k].stream) begin
        x_operands_q[k].number   <= '0;
        x_operands_q[k].exponent <= '0;
      end
    end
    x_initial_q <= initial_values;
  end

  // ------------------------------------------------------------------------------------ X, Z: entry, sum
  result_t [3:0] choices, z_choices_q, results, y_results_q;
  logic [3:0] has_value, z_has_value_q, stores, z_stores_q, judged;
  logic signed [3:0][71:0] starts, addends, z_starts_q, z_addends_q;
  chunks_t [3:0] chunks, z_chunks_q;
  entry_t [3:0] kept, z_kept_q;
  plan_t [3:0] z_plans_q;
  logic [3:0] z_raw_lane_q, z_ends_vector_q, z_more_q;
  logic [31:0] x_length_q;  // of text, with what came before
  logic [127:0] vector, vector_q;
  logic [4:0] vector_length, vector_length_q;
  logic a_forgets, z_fresh_q;
  assign a_forgets = rows[G].fresh || rows[B].fresh && rows[B].valid && !killed[B]
                     || rows[X].fresh && rows[X].valid && !killed[X];
  always_ff @(posedge clk) z_fresh_q <= rows[X].fresh && rows[X].valid && !killed[X] && !rst;

  always_comb begin
    for (int k = 0; k < 4; k++) begin
      judged[k] = rows[X].execute || rows[X].more_text && rows[X].lane == 2'(k);
    end
  end
  for (genvar k = 0; k < 4; k++) begin : gen_lane
    logic known, empty, assigned, valued;
    logic [1:0] from_entry, from_initial;
    entry_t entry, stored;
    assign d_known[k] = known;
    assign d_empty[k] = empty;
    always_comb begin
      stored = z_kept_q[k];
      if (z_ends_vector_q[k]) begin
        stored.empty = 1'b0;
        stored.datum.size = {3'd0, vector_length};
      end
      results[k] = z_choices_q[k];
      results[k].total = z_starts_q[k] + z_addends_q[k];
    end
    fast_dictionary u_dictionary (
        .clk,
        .rst,
        .d_entry       (slots_of[A][k].entry),
        .a_entry       (slots_of[G][k].entry),
        .a_forgets,
        .b_plan        (plans[k]),
        .x_known       (known),
        .x_empty       (empty),
        .x_value       (entry),
        .x_assigned    (assigned),
        .x_from_entry  (from_entry),
        .x_from_initial(from_initial),
        .x_valued      (valued),
        .z_fresh       (z_fresh_q),
        .z_store       (rows[Z].valid && (z_ends_vector_q[k] || z_stores_q[k])),
        .z_stored      (stored),
        .z_string      (z_plans_q[k].string_kind),
        .z_text        (z_ends_vector_q[k] ? vector : results[k].text),
        .z_number      (results[k].total[63:0])
    );
    fast_lane u_lane (
        .slot         (slots_of[X][k]),
        .plan         (x_plans_q[k]),
        .judged       (judged[k]),
        .operand      (x_operands_q[k]),
        .known,
        .empty,
        .entry,
        .assigned,
        .from_entry,
        .from_initial,
        .valued,
        .initial_value(x_initial_q[k]),
        .result       (choices[k]),
        .base         (starts[k]),
        .addend       (addends[k]),
        .chunks       (chunks[k]),
        .has_value    (has_value[k]),
        .store        (stores[k]),
        .stored       (kept[k])
    );
  end

  // A length without operator is what came: told before the sum.
  logic told_valid_q, told_one_q;
  logic [31:0] told_value_q, told_value;
  assign told_value = x_operands_q[rows[X].lane].number[31:0] & {32{has_value[rows[X].lane]}};
  always_ff @(posedge clk) begin
    z_choices_q <= choices;
    z_starts_q <= starts;
    z_addends_q <= addends;
    z_chunks_q <= chunks;
    z_has_value_q <= has_value;
    z_stores_q <= stores;
    z_kept_q <= kept;
    z_plans_q <= x_plans_q;
    z_raw_lane_q <= x_raw_lane_q;
    z_ends_vector_q <= x_ends_vector_q;
    for (int k = 0; k < 4; k++) begin
      // Of a string in the stream; another's lane looks at an element that is not its own.
      z_more_q[k] <= x_plans_q[k].takes_string && x_operands_q[k].more
          && (slots_of[X][k].kind == ASCII || slots_of[X][k].kind == TEXT);
    end
    x_length_q <= 32'(x_operands_q[rows[X].lane].length);
    told_valid_q <= rows[X].valid && rows[X].counts && !rows[X].operated && !rst;
    told_value_q <= told_value;
    told_one_q <= told_value == 32'd1;
  end

  logic [3:0][3:0] move_q;  // raw_count_of[Z]
  for (genvar i = 0; i < 4; i++) begin : gen_move
    (* keep *)
    always_ff @(posedge clk) move_q[i] <= raw_count_of[X];
  end

  // The bytes of a vector so far.
  always_comb begin
    // How far they move is told once for each quarter of them.
    for (int i = 0; i < 4; i++) begin
      logic [127:0] moved;
      moved = (vector_q << {move_q[i], 3'd0}) & {128{move_q[i] != 4'd0}};
      vector[32*i+:32] = moved[32*i+:32] | (i < 2 ? raw_of[Z][32*(i%2)+:32] : 32'd0);
    end
    vector_length = {1'b0, raw_count_of[Z]};
    if (raw_count_of[Z] != 4'd0) vector_length = vector_length_q + {1'b0, raw_count_of[Z]};
  end

  // Lengths of sequences and vectors, and the bytes of a text so far.
  logic y_before_q, y_vector_q, y_kept_q, y_ends_q;
  logic [7:0] y_before_status_q;
  chunks_t [3:0] y_chunks_q;
  logic [3:0] y_shown_q, y_raw_lane_q, y_string_q, y_number_q, y_two_q, y_lower_q, y_more_text_q;
  logic [3:0] two, in_first;  // of its lanes' records, the first goes in the first beat
  logic y_raw_length_valid_q;
  logic [31:0] length_sum, y_length_q, y_limited_q, text_bytes_q;
  assign length_sum = results[rows[Z].lane].total[31:0];

  always_ff @(posedge clk) begin
    y_chunks_q <= z_chunks_q;
    y_ends_q <= rows[Z].ends || rows[Z].status != COMPLETE;
    if (rows[Z].valid) begin
      text_bytes_q <= (rows[Z].more_text ? text_bytes_q : 32'd0) + x_length_q;
      vector_q <= vector & {128{rows[Z].raw}};
      vector_length_q <= vector_length & {5{rows[Z].raw}};
    end
    y_results_q <= results;
    y_before_q <= map_status_of[Z] != COMPLETE || rows[Z].void_row;
    y_before_status_q <= map_status_of[Z] != COMPLETE ? map_status_of[Z] : rows[Z].status;
    for (int k = 0; k < 4; k++) begin
      // It has a record, if nothing before it fails.
      y_shown_q[k] <= ((rows[Z].execute || rows[Z].more_text && rows[Z].lane == 2'(k))
                       && z_choices_q[k].emits || z_raw_lane_q[k])
                      && map_status_of[Z] == COMPLETE && !rows[Z].void_row;
    end
    y_vector_q <= rows[Z].execute && z_choices_q[rows[Z].lane].vector;
    y_kept_q <= slots_of[Z][rows[Z].lane].operation == OP_COPY;
    y_length_q <= z_has_value_q[rows[Z].lane] ? length_sum : 32'd0;
    y_limited_q <= z_has_value_q[rows[Z].lane] ? length_sum : 32'd0;
    for (int k = 0; k < 4; k++) begin
      y_more_text_q[k] <= z_more_q[k];
      y_raw_lane_q[k] <= z_raw_lane_q[k];
      y_string_q[k] <= z_plans_q[k].string_kind && !z_raw_lane_q[k];
      y_number_q[k] <= !z_plans_q[k].string_kind && !z_raw_lane_q[k]
          && slots_of[Z][k].kind != GROUP && slots_of[Z][k].kind != END_GROUP;
      y_two_q[k] <= two[k];
      y_lower_q[k] <= !wide_of[Z][k] && in_first[k];
    end
  end

  // Of a string beyond eight bytes both records are shown, of raw bytes one.
  always_comb begin
    in_first = '1;
    for (int k = 0; k < 4; k++) begin
      two[k] = wide_of[Z][k] && z_chunks_q[k].two && !z_raw_lane_q[k];
      for (int j = 0; j < k; j++) if (wide_of[Z][j]) in_first[k] = 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------ Y: range
  logic [3:0] lane_good;
  logic [3:0][7:0] lane_status;
  logic [3:0][63:0] number;
  logic [3:0][7:0] exponent;
  logic over, over_limit, text_over, vector_over;
  // Elements that the message may still have; how many the length may be, or a vector's bytes.
  logic [31:0] elements_q, elements_d, limit_q;
  logic [2:0] beats;  // beyond the first
  logic [3:0][2:0] place;  // of a lane's first beat
  logic [31:0] max_text_q;

  for (genvar k = 0; k < 4; k++) begin : gen_verdict
    fast_verdict u_verdict (
        .result  (y_results_q[k]),
        .good    (lane_good[k]),
        .status  (lane_status[k]),
        .number  (number[k]),
        .exponent(exponent[k])
    );
  end

  always_comb begin
    over = y_limited_q > limit_q;
    over_limit = rows[Y].counts && over;
    text_over = rows[Y].more_text && text_bytes_q > max_text_q;
    vector_over = y_vector_q && (over || y_kept_q && y_limited_q > 32'd16);
    beats = 3'd0;
    for (int k = 0; k < 4; k++) begin
      place[k] = beats;
      beats = beats + 3'(wide_of[Y][k]);
    end
  end

  // Behind a failure there are none.
  always_comb begin
    elements_d = elements_q;
    if (rows[Z].valid && rows[Z].begins) elements_d = settings.max_elements;
    // Of a void message it does not matter.
    else if (rows[Y].valid && rows[Y].counts) elements_d = elements_q - y_limited_q;
  end
  always_ff @(posedge clk) begin
    // Two bytes may be preambles.
    max_text_q <= settings.max_text + 32'd2;
    elements_q <= elements_d;
    limit_q <= rows[Z].counts ? elements_d : settings.max_text;
  end

  // ------------------------------------------------------------------------------------ W: outcome
  logic [3:0] bad_q, first_bad, hidden, w_shown_q, w_raw_lane_q, w_string_q, w_number_q, w_two_q;
  logic [3:0] w_lower_q, w_more_text_q;
  logic [3:0][1:0] w_upper_q;
  logic [3:0][7:0] w_status_q, w_exponent_q;
  logic [3:0][63:0] w_values_q;
  logic [3:0][127:0] w_text_q;
  chunks_t [3:0] w_chunks_q;
  logic w_before_q, w_text_over_q, w_over_limit_q, w_vector_over_q, w_vector_limit_q, w_ends_q;
  logic spoilt, beyond_limit, w_valid;
  logic [7:0] w_before_status_q;
  logic [2:0] w_beats_q;
  logic [3:0][2:0] w_place_q;

  always_ff @(posedge clk) begin
    bad_q <= ~lane_good;
    w_status_q <= lane_status;
    w_values_q <= number;
    w_exponent_q <= exponent;
    w_before_q <= y_before_q;
    w_before_status_q <= y_before_status_q;
    w_text_over_q <= text_over;
    w_over_limit_q <= over_limit;
    w_vector_over_q <= vector_over;
    w_vector_limit_q <= over && y_vector_q;
    w_ends_q <= y_ends_q;
    w_shown_q <= y_shown_q;
    w_raw_lane_q <= y_raw_lane_q;
    w_string_q <= y_string_q;
    w_number_q <= y_number_q;
    w_two_q <= y_two_q;
    w_lower_q <= y_lower_q;
    w_more_text_q <= y_more_text_q;
    w_chunks_q <= y_chunks_q;
    w_beats_q <= beats;
    w_place_q <= place;
    for (int k = 0; k < 4; k++) w_text_q[k] <= y_results_q[k].text;
  end
  for (genvar k = 0; k < 4; k++) begin : gen_upper
    for (genvar i = 0; i < 2; i++) begin : gen_half
      (* keep *)
      always_ff @(posedge clk) w_upper_q[k][i] <= y_two_q[k] && place[k] == 3'd0;
    end
  end

  // In this order: what is wrong before the slots, in lane order with the slots, with the row.
  assign w_valid = rows[W].valid && !killed[W];
  always_comb begin
    for (int k = 0; k < 4; k++) begin
      first_bad[k] = bad_q[k];
      for (int j = 0; j < k; j++) first_bad[k] = first_bad[k] && !bad_q[j];
      // The length itself is not delivered, nor are the bytes.
      hidden[k] = w_text_over_q || w_over_limit_q && rows[W].lane == 2'(k);
    end
    spoilt = w_before_q || w_text_over_q;
    beyond_limit = w_vector_over_q || w_over_limit_q;
  end

  // The status is chosen behind the output registers.
  logic [3:0][7:0] lane_status_q;
  logic [3:0] first_bad_q;
  logic before_q, any_bad_q, trap_long_q, trap_limit_q, over_limit_q;
  logic [7:0] before_status_q, row_status_q, slot_status;
  always_ff @(posedge clk) begin
    // A row that is void ends no message.
    if (w_present_q) begin
      lane_status_q <= w_status_q;
      first_bad_q <= first_bad;
      before_q <= w_before_q;
      before_status_q <= w_before_status_q;
      any_bad_q <= bad_q != '0;
      trap_limit_q <= w_text_over_q || w_vector_limit_q;
      trap_long_q <= w_vector_over_q;
      over_limit_q <= w_over_limit_q;
      row_status_q <= rows[W].status;
    end
  end

  always_comb begin
    slot_status = '0;
    for (int k = 0; k < 4; k++) slot_status |= lane_status_q[k] & {8{first_bad_q[k]}};
    if (before_q) m_status = before_status_q;
    // Truncated or aborted.
    else if (any_bad_q) m_status = slot_status == TRUNCATED ? row_status_q : slot_status;
    else if (trap_limit_q) m_status = TRAP_LIMIT;
    else if (trap_long_q) m_status = TRAP_LONG;
    else if (over_limit_q) m_status = LIMIT;
    else m_status = row_status_q;
  end

  always_ff @(posedge clk) begin
    never_q <= settings.reset == 2'd0;
    // What dispatch found out itself it has acted on.
    failed_lane_q <= w_present_q && bad_q != '0 && rows[W].status == COMPLETE;
    failed_row_q <= w_present_q && spoilt && rows[W].status == COMPLETE;
    failed_limit_q <= w_present_q && beyond_limit && rows[W].status == COMPLETE;
    failed_packet_q <= rows[W].packet;
    if (rst) {failed_lane_q, failed_row_q, failed_limit_q} <= 3'b000;
  end
  // Not of a row that is void itself, which is late.
  (* keep *)
  logic void_q;
  (* keep *)
  always_ff @(posedge clk) void_q <= w_present_q && killed[W] && !rst;
  assign failed = (failed_lane_q || failed_row_q || failed_limit_q) && !void_q;
  assign failed_packet = failed_packet_q;
  // A void one too: the message is void then, and it comes before a frame of another.
  logic y_counts_q;
  always_ff @(posedge clk)
    y_counts_q <= rows[Z].valid && rows[Z].counts && rows[Z].operated && !rst;
  logic told_q;
  logic [2:0] z_frame;
  assign z_frame = rows[Z].frame;
  assign told_q = told_valid_q;
  assign length_valid = told_q || y_counts_q;
  assign length_frame = told_q ? z_frame : rows[Y].frame;
  assign length_value = told_q ? told_value_q : y_length_q;
  // Of one with an operator it is not asked.
  assign length_one = told_one_q;
  // The vector's slot is the last of its row.
  assign raw_length_valid = y_raw_length_valid_q;
  always_ff @(posedge clk) begin
    y_raw_length_valid_q <= rows[Z].valid && !killed[Z] && rows[Z].execute && rows[Z].again && !rst;
  end
  assign raw_length = y_length_q;

  // ------------------------------------------------------------------------------------ output
  fast_output u_output (
      .clk,
      .rst,
      .present  (w_present_q),
      .valid    (w_valid),
      .issue    (rows[W]),
      .slots    (slots_of[W]),
      .shown    (w_shown_q),
      .bad      (bad_q),
      .hidden,
      .spoilt,
      .beyond   (beyond_limit),
      .of_number(w_number_q),
      .of_string(w_string_q),
      .of_raw   (w_raw_lane_q),
      .two      (w_two_q),
      .upper    (w_upper_q),
      .lower    (w_lower_q),
      .number   (w_values_q),
      // A mantissa's exponent is the lane's before it.
      .exponent (w_exponent_q),
      .text     (w_text_q),
      .chunks   (w_chunks_q),
      .more_text(w_more_text_q),
      .wide     (wide_of[W]),
      .place    (w_place_q),
      .beats    (w_beats_q),
      .raw_bytes(raw_of[W]),
      .raw_count(raw_count_of[W]),
      .ends     (w_ends_q),
      .m_records,
      .m_begin,
      .m_template,
      .m_element,
      .m_call_begin,
      .m_call_end,
      .m_end,
      .m_tid,
      .m_tstamp
  );
endmodule
