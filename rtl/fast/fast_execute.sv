// Stages A, B, X and Y of all lanes: records, marks, the end of a message.
//
//   d issue     d+1 A entities     d+2 B operands     d+3 X operators     d+4 Y outcome     d+5 records
// A string beyond eight bytes takes two beats, what is behind it in the row comes with the second:
// `stall` holds dispatch for the further beats, the stages work in the first only. The first slot in
// lane order that fails ends the message; `failed` tells dispatch a cycle later, and what is behind of
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

    // The first two elements of the window in the cycle before: of a header, or a presence map.
    output element_t        head_map,
    output element_t        head_id,
    output logic      [4:0] head_bits,  // its first bits, the first in bit 0
    output part_map_t       head_part,  // all of them

    // Constants of the row in B; role numbers for what leaves two cycles later.
    input  datum_t [3:0]               initial_values,
    output logic   [3:0][TAG_BITS-1:0] role_tags,

    // The state of the entries of a row that was in hand three cycles ago, issued or not.
    output logic [3:0] d_known,
    output logic [3:0] d_empty,

    // A sequence's length, in Y; absent is 0. `valid` where a frame waits to be told it.
    output logic        length_counts,
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
  // ------------------------------------------------------------------------------------ stage A
  issue_t a_q, b_q, x_q, y_q;
  slot_t [3:0] a_slots_q, b_slots_q, x_slots_q, y_slots_q;
  intake_t [3:0] a_intakes_q, b_intakes_q;
  element_t [7:0] banks_q;
  logic [63:0] a_raw_q, b_raw_q, x_raw_q, y_raw_q;
  logic [3:0] a_raw_count_q, b_raw_count_q, x_raw_count_q, y_raw_count_q;
  logic [3:0] a_wide_q, b_wide_q, x_wide_q, y_wide_q, y_more_text_q;

  digest_t [7:0] digests, digests_q;
  logic [7:0][1:0] beyond, beyond_q;
  for (genvar j = 0; j < 8; j++) begin : gen_digest
    fast_digest u_digest (
        .first  (banks[j].first),
        .element(banks[j].element),
        .digest (digests[j]),
        .beyond (beyond[j])
    );
  end

  // How far its bits move if it is a presence map, for each before the choice.
  map_moves_t [7:0] moves;
  always_comb for (int j = 0; j < 8; j++) moves[j] = map_moves(banks[j].element.length);

  // A row did a cycle ago: by a lane, a length, or else.
  logic failed_lane_q, failed_limit_q, failed_row_q;
  logic never_q, killed_issue;
  logic [2:0] failed_packet_q;
  assign killed_issue = failed && (issue.packet == failed_packet_q || never_q);

  logic [3:0] wide;  // if the row is issued
  always_comb begin
    for (int k = 0; k < 4; k++) begin
      wide[k] = (issue.execute || issue.more_text) && intakes[k].active && intakes[k].wide;
    end
  end

  always_ff @(posedge clk) begin
    a_q <= issue;
    a_q.valid <= issue.valid && !killed_issue;
    a_slots_q <= slots;
    a_intakes_q <= intakes;
    for (int j = 0; j < 8; j++) banks_q[j] <= banks[j].element;
    digests_q <= digests;
    beyond_q <= beyond;
    a_wide_q <= wide;
    head_map <= banks[base].element;
    head_id <= banks[base+3'd1].element;
    for (int i = 0; i < 5; i++) head_bits[i] <= banks[base].first[6-i];
    head_part <= part_map(banks[base].element, moves[base]);
    a_raw_q <= raw_bytes;
    a_raw_count_q <= raw_count;
    if (rst) begin
      a_q.valid <= 1'b0;
    end
  end

  // Beats that the row in A takes beyond the first.
  logic [2:0] a_further, hold_q;
  logic holds_q;
  always_comb begin
    a_further = 3'd0;
    for (int k = 0; k < 4; k++) a_further = a_further + 3'(a_wide_q[k]);
  end
  // Dispatch hangs on it from the first: told in a register. What executes is valid.
  logic holds, stall_q;
  (* keep *)
  logic wide_here, held;  // a lane is, if the row is executed, which is late; it is anyway
  always_comb begin
    wide_here = 1'b0;
    for (int k = 0; k < 4; k++) wide_here |= intakes[k].active && intakes[k].wide;
    wide_here &= !killed_issue && !rst;
    held = holds && !rst || issue.more_text && wide_here;
  end
  assign holds = holds_q ? hold_q != 3'd1 : a_q.valid && a_further > 3'd1;
  assign stall = stall_q;
  always_ff @(posedge clk) begin
    stall_q <= issue.execute && wide_here || held;
  end

  // ------------------------------------------------------------------------------------ stage B
  localparam int unsigned MAIN_PARTS = 4;
  localparam int unsigned LEAD_PARTS = 2;
  element_t [3:0] mains_q, leads_q;
  traits_t [3:0] main_traits_q, lead_traits_q;
  logic [3:0] lead_beyond_q;
  operand_t [3:0] operands, x_operands_q;
  plan_t [3:0] plans, x_plans_q;
  logic [3:0] x_raw_lane_q, x_ends_vector_q;
  logic   [3:0] x_last_q;  // which lane is the row's last
  datum_t [3:0] x_initial_q;
  logic [7:0] b_map_status_q, x_map_status_q, y_before_status_q;
  logic killed_a, killed_b, killed_x, killed_y, y_valid, y_present_q;

  // Compared a cycle before, with the row that may be the one that fails.
  logic with_a_q, with_b_q, with_x_q, with_y_q;
  always_ff @(posedge clk) begin
    with_a_q <= issue.packet == y_q.packet || settings.reset == 2'd0;
    with_b_q <= a_q.packet == y_q.packet || settings.reset == 2'd0;
    with_x_q <= b_q.packet == y_q.packet || settings.reset == 2'd0;
    with_y_q <= x_q.packet == y_q.packet || settings.reset == 2'd0;
  end
  assign killed_a = failed && with_a_q;
  assign killed_b = failed && with_b_q;
  assign killed_x = failed && with_x_q;
  assign killed_y = failed && with_y_q;
  assign y_valid = y_q.valid && !killed_y;

  // Worked out for each element beside the choice among them.
  traits_t [7:0] all_traits;
  always_comb for (int j = 0; j < 8; j++) all_traits[j] = traits(digests_q[j]);

  for (genvar k = 0; k < 4; k++) begin : gen_operand
    // Where the lane finds its elements, told once for each part of what is chosen there.
    logic [MAIN_PARTS-1:0][2:0] main_at_q;
    logic [LEAD_PARTS-1:0][2:0] lead_at_q;
    for (genvar i = 0; i < MAIN_PARTS; i++) begin : gen_main
      (* keep *)
      always_ff @(posedge clk) begin
        main_at_q[i] <= slots[k].kind == DECIMAL ? intakes[k].second : intakes[k].first;
      end
    end
    for (genvar i = 0; i < LEAD_PARTS; i++) begin : gen_lead
      (* keep *)
      always_ff @(posedge clk) lead_at_q[i] <= intakes[k].first;
    end
    // What the number's sign makes of it, told for each half.
    logic negative;
    logic [1:0] negative_q, lessened_q;
    assign negative = signed_entity(a_slots_q[k]) && all_traits[main_at_q[0]].sign;
    for (genvar i = 0; i < 2; i++) begin : gen_sign
      (* keep *)
      always_ff @(posedge clk) negative_q[i] <= negative;
      (* keep *)
      always_ff @(posedge clk) begin
        lessened_q[i] <= a_slots_q[k].optional && a_slots_q[k].kind != DECIMAL && !negative;
      end
    end
    always_ff @(posedge clk) begin
      main_traits_q[k] <= all_traits[main_at_q[0]];
      lead_traits_q[k] <= all_traits[lead_at_q[0]];
      lead_beyond_q[k] <= beyond_q[lead_at_q[0]][digests_q[lead_at_q[0]].first[6]];
      mains_q[k] <= banks_q[main_at_q[1]];
      mains_q[k].bytes[63:0] <= banks_q[main_at_q[2]].bytes[63:0];
      mains_q[k].bytes[127:64] <= banks_q[main_at_q[3]].bytes[127:64];
      leads_q[k] <= banks_q[lead_at_q[1]];
    end
    fast_operand u_operand (
        .slot(b_slots_q[k]),
        .strict(settings.strict),
        .missing_lead(b_intakes_q[k].missing_first),
        .missing_main(b_slots_q[k].kind == DECIMAL ? b_intakes_q[k].missing_second
                                                   : b_intakes_q[k].missing_first),
        .lead(leads_q[k]),
        .lead_traits(lead_traits_q[k]),
        .lead_beyond(lead_beyond_q[k]),
        .main(mains_q[k]),
        .main_traits(main_traits_q[k]),
        .negative(negative_q),
        .lessened(lessened_q),
        .more_text(b_q.more_text),
        .operand(operands[k])
    );
    fast_plan u_plan (
        .slot    (b_slots_q[k]),
        .intake  (b_intakes_q[k]),
        .executes(b_q.execute && !b_q.void_row),
        .plan    (plans[k])
    );
    assign role_tags[k] = x_q.valid ? x_slots_q[k].tag : y_slots_q[k].tag;
  end

  always_ff @(posedge clk) begin
    b_q <= a_q;
    b_q.valid <= a_q.valid && !killed_a;
    if (marks.element) b_q.element <= 1'b1;
    if (marks.call_ends) b_q.call_ends <= 1'b1;
    if (marks.ends) b_q.ends <= 1'b1;
    // A row that is marked went: it has none of its own.
    b_q.status <= a_q.status | marks.status;
    b_slots_q <= a_slots_q;
    b_intakes_q <= a_intakes_q;
    b_wide_q <= a_wide_q & {4{a_q.valid}};
    b_map_status_q <= a_q.push ? map_status(head_map, settings.strict) : COMPLETE;
    b_raw_q <= a_raw_q;
    b_raw_count_q <= a_raw_count_q;
    hold_q <= holds_q ? hold_q - 3'd1 : a_further - 3'd1;
    holds_q <= holds;

    x_q <= b_q;
    x_q.valid <= b_q.valid && !killed_b;
    x_slots_q <= b_slots_q;
    x_plans_q <= plans;
    for (int k = 0; k < 4; k++) begin
      x_raw_lane_q[k] <= b_q.raw && b_q.lane == 2'(k);
      x_last_q[k] <= b_q.lane == 2'(k);
      x_ends_vector_q[k] <= b_q.raw && b_q.lane == 2'(k) && !b_q.again
                            && b_slots_q[k].operation == OP_COPY;
    end
    x_operands_q <= operands;
    for (int k = 0; k < 4; k++) begin
      if (!b_intakes_q[k].stream) begin
        x_operands_q[k].number   <= '0;
        x_operands_q[k].exponent <= '0;
      end
    end
    x_initial_q <= initial_values;
    x_wide_q <= b_wide_q;
    x_map_status_q <= b_map_status_q;
    x_raw_q <= b_raw_q;
    x_raw_count_q <= b_raw_count_q;
    if (rst) begin
      b_q.valid <= 1'b0;
      x_q.valid <= 1'b0;
      hold_q <= 3'd0;
      holds_q <= 1'b0;
    end
  end

  // ------------------------------------------------------------------------------------ stage X
  result_t [3:0] results, y_results_q;
  logic [3:0] has_value, store, judged;
  chunks_t [3:0] chunks;
  entry_t  [3:0] stored;
  logic [127:0] vector, vector_q;
  logic [4:0] vector_length, vector_length_q;

  logic a_forgets, x_fresh_q;
  // Whether the row in B is killed, which is late, does not matter: then that in A is, too, or is `fresh`.
  assign a_forgets = a_q.fresh || b_q.fresh && b_q.valid;
  always_ff @(posedge clk) x_fresh_q <= b_q.fresh && b_q.valid && !killed_b && !rst;

  always_comb begin
    for (int k = 0; k < 4; k++) judged[k] = x_q.execute || x_q.more_text && x_q.lane == 2'(k);
  end
  for (genvar k = 0; k < 4; k++) begin : gen_lane
    logic known, empty, assigned, valued, ends_vector;
    logic [1:0] from_entry, from_initial;
    entry_t entry, stored_final;
    assign ends_vector = x_raw_lane_q[k];
    assign d_known[k]  = known;
    assign d_empty[k]  = empty;
    always_comb begin
      stored_final = stored[k];
      if (ends_vector) begin
        stored_final.empty = 1'b0;
        stored_final.datum.size = {3'd0, vector_length};
      end
    end
    fast_dictionary u_dictionary (
        .clk,
        .rst,
        .d_entry       (slots[k].entry),
        .a_entry       (a_slots_q[k].entry),
        .a_forgets,
        .b_plan        (plans[k]),
        .x_known       (known),
        .x_empty       (empty),
        .x_value       (entry),
        .x_assigned    (assigned),
        .x_from_entry  (from_entry),
        .x_from_initial(from_initial),
        .x_valued      (valued),
        .x_fresh       (x_fresh_q),
        .x_store       (x_q.valid && (x_ends_vector_q[k] || store[k])),
        .x_stored      (stored_final),
        .x_string      (x_plans_q[k].string_kind),
        .x_text        (ends_vector ? vector : results[k].text),
        .x_number      (results[k].total[63:0])
    );
    fast_lane u_lane (
        .slot         (x_slots_q[k]),
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
        .result       (results[k]),
        .chunks       (chunks[k]),
        .has_value    (has_value[k]),
        .store        (store[k]),
        .stored       (stored[k])
    );
  end

  logic [3:0][3:0] x_move_q;  // x_raw_count_q
  for (genvar i = 0; i < 4; i++) begin : gen_move
    (* keep *)
    always_ff @(posedge clk) x_move_q[i] <= b_raw_count_q;
  end

  // The bytes of a vector so far.
  always_comb begin
    // How far they move is told once for each quarter of them.
    for (int i = 0; i < 4; i++) begin
      logic [127:0] moved;
      moved = (vector_q << {x_move_q[i], 3'd0}) & {128{x_move_q[i] != 4'd0}};
      vector[32*i+:32] = moved[32*i+:32] | (i < 2 ? x_raw_q[32*(i%2)+:32] : 32'd0);
    end
    vector_length = {1'b0, x_raw_count_q};
    if (x_raw_count_q != 4'd0) vector_length = vector_length_q + {1'b0, x_raw_count_q};
  end

  // Lengths of sequences and vectors, and the bytes of a text so far.
  logic y_before_q, y_vector_q, y_kept_q, y_length_one_q;
  chunks_t [3:0] y_chunks_q;
  logic y_ends_q;  // the message, if nothing fails
  logic [3:0] y_shown_q, y_raw_lane_q, y_string_q, y_number_q, y_two_q, y_lower_q;
  logic [3:0][1:0] y_upper_q;
  logic [3:0] two, in_first;  // of its lanes' records, the first goes in the first beat
  logic [3:0] is_one;
  logic y_told_q;  // it has a length
  logic [31:0] length, y_length_q, y_limited_q, text_bytes_q, text_bytes;
  always_comb begin
    text_bytes = (x_q.more_text ? text_bytes_q : 32'd0) + 32'(x_operands_q[x_q.lane].length);
    length = has_value[x_q.lane] ? results[x_q.lane].total[31:0] : 32'd0;
    for (int k = 0; k < 4; k++) is_one[k] = x_operands_q[k].number[31:0] == 32'd1;
  end

  always_ff @(posedge clk) begin
    y_chunks_q <= chunks;
    y_ends_q <= x_q.ends || x_q.status != COMPLETE;
    if (x_q.valid) begin
      y_slots_q <= x_slots_q;
      text_bytes_q <= text_bytes;
      vector_q <= vector & {128{x_q.raw}};
      vector_length_q <= vector_length & {5{x_q.raw}};
    end
    y_results_q <= results;
    y_wide_q <= x_wide_q;
    y_before_q <= x_map_status_q != COMPLETE || x_q.void_row;
    y_before_status_q <= x_map_status_q != COMPLETE ? x_map_status_q : x_q.status;
    for (int k = 0; k < 4; k++) begin
      // It has a record, if nothing before it fails.
      y_shown_q[k] <= (judged[k] && results[k].emits || x_raw_lane_q[k])
                      && x_map_status_q == COMPLETE && !x_q.void_row;
    end
    y_vector_q <= x_q.execute && results[x_q.lane].vector;
    y_kept_q <= x_slots_q[x_q.lane].operation == OP_COPY;
    y_raw_q <= x_raw_q;
    y_raw_count_q <= x_raw_count_q;
    y_told_q <= has_value[x_q.lane];
    y_length_one_q <= (has_value & is_one & x_last_q) != '0;
    for (int k = 0; k < 4; k++) begin
      // Of a string in the stream; another's lane looks at an element that is not its own.
      y_more_text_q[k] <= x_plans_q[k].takes_string && x_operands_q[k].more
          && (x_slots_q[k].kind == ASCII || x_slots_q[k].kind == TEXT);
      y_raw_lane_q[k] <= x_raw_lane_q[k];
      y_string_q[k] <= x_plans_q[k].string_kind && !x_raw_lane_q[k];
      y_number_q[k] <= !x_plans_q[k].string_kind && !x_raw_lane_q[k]
          && x_slots_q[k].kind != GROUP && x_slots_q[k].kind != END_GROUP;
      y_two_q[k] <= two[k];
      y_lower_q[k] <= !x_wide_q[k] && in_first[k];
    end
  end

  // Of a string beyond eight bytes both records are shown, of raw bytes one.
  always_comb begin
    in_first = '1;
    for (int k = 0; k < 4; k++) begin
      two[k] = x_wide_q[k] && chunks[k].two && !x_raw_lane_q[k];
      for (int j = 0; j < k; j++) if (x_wide_q[j]) in_first[k] = 1'b0;
    end
  end
  for (genvar k = 0; k < 4; k++) begin : gen_upper
    (* keep *)
    always_ff @(posedge clk) y_upper_q[k][0] <= two[k] && in_first[k];
    (* keep *)
    always_ff @(posedge clk) y_upper_q[k][1] <= two[k] && in_first[k];
  end

  // For dispatch, which is far, and once more for what is left of the limit.
  (* keep *)
  always_ff @(posedge clk) y_length_q <= length;
  (* keep *)
  always_ff @(posedge clk) y_limited_q <= length;

  // By itself and once more for the output, which is wide: synthesis would take the two for one.
  (* keep *)
  always_ff @(posedge clk) begin
    y_q <= x_q;
    y_q.valid <= x_q.valid && !killed_x && !rst;
  end
  (* keep *)
  always_ff @(posedge clk) y_present_q <= x_q.valid && !killed_x && !rst;

  // ------------------------------------------------------------------------------------ stage Y
  logic [3:0] lane_good;
  logic [3:0][7:0] lane_status;
  logic [3:0][63:0] number;
  logic [3:0][7:0] exponent;
  logic [3:0] bad, first_bad, hidden;
  logic over, over_limit, beyond_limit, spoilt, text_over, vector_over;
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

  // A length is compared with its limit in each lane, before it is known whose it is.
  logic [3:0] lane_over, lane_long;
  always_comb begin
    for (int k = 0; k < 4; k++) begin
      lane_over[k] = y_results_q[k].total[31:0] > limit_q;
      lane_long[k] = y_results_q[k].total[31:0] > 32'd16;
    end
  end

  // In this order: what is wrong before the slots, in lane order with the slots, with the row.
  always_comb begin
    over = y_told_q && lane_over[y_q.lane];
    over_limit = y_q.counts && over;
    text_over = y_q.more_text && text_bytes_q > max_text_q;
    vector_over = y_vector_q && (over || y_kept_q && y_told_q && lane_long[y_q.lane]);

    beats = 3'd0;
    for (int k = 0; k < 4; k++) begin
      place[k] = beats;
      beats = beats + 3'(y_wide_q[k]);
    end
    bad = ~lane_good;
    for (int k = 0; k < 4; k++) begin
      first_bad[k] = bad[k];
      for (int j = 0; j < k; j++) first_bad[k] = first_bad[k] && !bad[j];
      // The length itself is not delivered, nor are the bytes.
      hidden[k] = text_over || over_limit && y_q.lane == 2'(k);
    end
    spoilt = y_before_q || text_over;
    beyond_limit = vector_over || over_limit;
  end

  // Behind a failure there are none.
  always_comb begin
    elements_d = elements_q;
    if (x_q.valid && x_q.begins) elements_d = settings.max_elements;
    // Of a void message it does not matter.
    else if (y_q.valid && y_q.counts) elements_d = elements_q - y_limited_q;
  end

  // The status is chosen behind the output registers.
  logic [3:0][7:0] lane_status_q;
  logic [3:0] first_bad_q;
  logic before_q, bad_q, trap_long_q, trap_limit_q, over_limit_q;
  logic [7:0] before_status_q, row_status_q, slot_status;
  always_ff @(posedge clk) begin
    // A row that is void ends no message.
    if (y_present_q) begin
      lane_status_q <= lane_status;
      first_bad_q <= first_bad;
      before_q <= y_before_q;
      before_status_q <= y_before_status_q;
      bad_q <= bad != '0;
      trap_limit_q <= text_over || over && y_vector_q;
      trap_long_q <= vector_over;
      over_limit_q <= over_limit;
      row_status_q <= y_q.status;
    end
  end

  always_comb begin
    slot_status = '0;
    for (int k = 0; k < 4; k++) slot_status |= lane_status_q[k] & {8{first_bad_q[k]}};
    if (before_q) m_status = before_status_q;
    // Truncated or aborted.
    else if (bad_q) m_status = slot_status == TRUNCATED ? row_status_q : slot_status;
    else if (trap_limit_q) m_status = TRAP_LIMIT;
    else if (trap_long_q) m_status = TRAP_LONG;
    else if (over_limit_q) m_status = LIMIT;
    else m_status = row_status_q;
  end

  always_ff @(posedge clk) begin
    never_q <= settings.reset == 2'd0;
    max_text_q <= settings.max_text;
    elements_q <= elements_d;
    limit_q <= x_q.counts ? elements_d : settings.max_text;
    // What dispatch found out itself it has acted on.
    failed_lane_q <= y_present_q && bad != '0 && y_q.status == COMPLETE;
    failed_row_q <= y_present_q && spoilt && y_q.status == COMPLETE;
    failed_limit_q <= y_present_q && beyond_limit && y_q.status == COMPLETE;
    failed_packet_q <= y_q.packet;
    if (rst) {failed_lane_q, failed_row_q, failed_limit_q} <= 3'b000;
  end
  // Not of a row that is void itself, which is late.
  (* keep *)
  logic void_q;
  (* keep *)
  always_ff @(posedge clk) void_q <= y_present_q && killed_y && !rst;
  assign failed = (failed_lane_q || failed_row_q || failed_limit_q) && !void_q;
  assign failed_packet = failed_packet_q;
  // A void one too: the message is void then, and it comes before a frame of another.
  assign length_counts = y_q.valid && y_q.counts;
  assign length_valid = y_q.valid && y_q.tells;
  assign length_frame = y_q.frame;
  assign length_value = y_length_q;
  assign length_one = y_length_one_q;
  // The vector's slot is the last of its row.
  assign raw_length_valid = y_valid && y_q.execute && y_q.again;
  assign raw_length = y_length_q;

  // ------------------------------------------------------------------------------------ output
  logic [3:0][127:0] text;
  always_comb begin
    for (int k = 0; k < 4; k++) begin
      text[k] = y_results_q[k].text;
    end
  end

  fast_output u_output (
      .clk,
      .rst,
      .present  (y_present_q),
      .valid    (y_valid),
      .issue    (y_q),
      .slots    (y_slots_q),
      .shown    (y_shown_q),
      .bad,
      .hidden,
      .spoilt,
      .beyond   (beyond_limit),
      .of_number(y_number_q),
      .of_string(y_string_q),
      .of_raw   (y_raw_lane_q),
      .two      (y_two_q),
      .upper    (y_upper_q),
      .lower    (y_lower_q),
      .number,
      // A mantissa's exponent is the lane's before it.
      .exponent,
      .text,
      .chunks   (y_chunks_q),
      .more_text(y_more_text_q),
      .wide     (y_wide_q),
      .place,
      .beats,
      .raw_bytes(y_raw_q),
      .raw_count(y_raw_count_q),
      .ends     (y_ends_q),
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
