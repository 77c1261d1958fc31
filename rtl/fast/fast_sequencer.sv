// The core's control: messages and their headers, when a row goes, and what follows it.
//
// States. IDLE waits for a packet's first header, LATER for a later one in the queue, CALLING for that
// of a call; FIND compares it and looks it up, FOUND acts on it a cycle later. ROW dispatches; CONTROL
// executes in the cycle behind what was worked out meanwhile, and waits for the length of a sequence at the
// end of its first element. ENDED goes on to the next message. TEXT_REST and RAW pass the rest
// of a string by, AWAIT waits for the value of a length with an operator. FAIL skips the rest of the
// packet.
//
// So a row takes two cycles, and what one decides the next acts on from registers: a row comes in hand
// decoded (`row_q`) in CONTROL; the one that is expected behind it waits in `following`; what was taken
// leaves the queue (`pops`). The presence map that a row pushes is looked at ahead, at `peek`.
module fast_sequencer
  import fast_pkg::*;
(
    input logic      clk,
    input logic      rst,
    input settings_t settings,

    // Front.
    input flags_t [7:0] window,
    input logic [2:0] base,
    input logic ended,
    input logic leftover,
    input logic aborted,
    input header_t header,
    input header_t next,
    output logic [3:0] taken,  // elements that go, a cycle behind their dispatch, if
    output logic [7:0] last,  // the last of them, one bit for each
    output logic pops,  // they do
    output logic drop,
    output logic packet_done,
    output logic raw_begin,
    input logic raw_valid,
    input logic raw_more,
    input logic raw_failed,
    // Look-up.
    output logic find_valid,
    output logic find_call,
    output logic find_explicit,
    output element_t find_map,
    output element_t find_id,
    output logic [11:0] find_scope,
    output logic find_last_valid,
    output logic [31:0] find_last_id,
    input found_t found,
    // Rows.
    output logic copy_row,  // `row` becomes `following`, whatever that is
    output logic [3:0] load_row,  // it comes in hand; all say the same
    output logic settles,  // what follows the row in hand happens
    output logic [3:0] top_done,  // each bit says the same: the sequence's last element is in hand
    output logic [ROW_BITS-1:0] top_row,  // the loop's first row
    output logic [ROW_BITS-1:0] begun_row,  // that in which the last message began
    output logic branch,
    output logic [ROW_BITS-1:0] target,
    input logic following_valid,
    input row_t following,
    input logic following_begun,
    input row_t row,
    input logic [ROW_BITS-1:0] number,
    input logic [ROW_BITS-1:0] successor,
    input logic [ROW_BITS-1:0] run,
    // Stages behind.
    output issue_t issue,
    output intake_t [3:0] intakes,
    output marks_t marks,  // of the row issued a cycle ago
    input logic stall,
    output logic [2:0] peek,  // the bank of what is looked at
    input element_t head_map,
    input element_t head_id,
    input logic [6:0] head_first,
    input logic [3:0] d_known,
    input logic [3:0] d_empty,
    input logic length_valid,
    input logic [2:0] length_frame,
    input logic [31:0] length_value,
    input logic length_one,
    input logic failed,
    input logic [2:0] failed_packet
);
  // One bit each: much hangs on them.
  localparam int unsigned IDLE = 0;
  localparam int unsigned LATER = 1;
  localparam int unsigned CALLING = 2;
  localparam int unsigned FIND = 3;
  localparam int unsigned FINDING = 4;
  localparam int unsigned FOUND = 5;
  localparam int unsigned ROW = 6;
  localparam int unsigned CONTROL = 7;
  localparam int unsigned TEXT_REST = 8;
  localparam int unsigned RAW = 9;
  localparam int unsigned AWAIT = 10;
  localparam int unsigned ENDED = 11;
  localparam int unsigned POISON = 12;
  localparam int unsigned FAIL = 13;
  typedef logic [13:0] state_t;

  function automatic state_t only(int unsigned state);
    return state_t'(1) << state;
  endfunction

  state_t state_q, state_d;
  logic never_q;  // the reset policy
  // The state is one behind a row's dispatch; one between messages; one in which a row may come in hand
  // ahead.
  logic between_q, may_ahead_q;
  logic idle_beside_q;
  logic poisoned_q;
  logic [2:0] packet_q;  // enough for those in the stages behind
  logic [3:0] settle_q;
  logic [31:0] rows_q;
  logic [7:0] truncated;

  // The row in hand; once it is dispatched it is there for its control.
  logic valid_q;
  logic [4:0] old_q;  // for so many cycles or more
  decoded_t row_q, plain_q;  // plain: as decoded, without what was looked at
  logic [7:0] row_map_status_q;  // what is wrong with the presence map that it pushes,
  logic row_full_q;  // or with its place
  logic [3:0] constants_q, defaults_q;  // the operators of its lanes
  logic went_q;  // it was dispatched a cycle ago
  logic again;  // the row behind has one of its entries: not in the first cycle then
  logic watchdog_q;
  logic first_q;  // of CONTROL's cycles
  logic told_q;  // that an element ends was told
  logic ends_q;  // its control ends an element or a message
  logic skips_q;  // it is a sequence without elements, by a length without operator
  logic awaited_q, awaited_none_q;  // the length with an operator came a cycle ago; it is 0
  logic [31:0] awaited_value_q;
  logic pops_q;
  logic [3:0] taken_q;
  logic [7:0] last_q;

  decoded_t decoded;  // the row that comes in hand
  logic able_q;  // it is there, and it is known what is NULL
  logic ended_q;  // the packet had, a cycle ago: with the elements that were looked at then
  logic valid_d, look_d;
  logic [11:0] target_q;  // of the row whose control executes, or did

  logic controls, complete, over_q, sure_q, left_over, branches, branches_d, takes_q;
  follow_t follow_d, follow;  // worked out, and a cycle later

  logic load, element_ends;  // a row comes in hand; what is told with it
  logic own_load, may_load, opens, copies;
  logic
      first_same, next_same, answered_late, answer_good, calling, later_same, found_now, found_good;
  logic begin_same, begin_answer, begin_found, begin_call, begin_other, begin_message;
  logic begin_first;

  // ------------------------------------------------------------------------------ presence maps
  logic maps_clear, maps_rest, maps_top, map_rest, map_there;
  logic [62:0] begun_map;
  part_map_t head_part_q;
  logic [6:0] first_group_q;
  logic longer, longer_q, came_q;
  logic [4:0] bits;
  logic maps_none, maps_full, peeked_q;

  fast_maps u_maps (
      .clk,
      .rst,
      .clear   (maps_clear),
      .load    (maps_clear || begin_call),
      .map     (begun_map),
      .saves   (begin_call),
      .came    (came_q),
      .pushes  (row_q.pushes),
      .element (head_part_q),
      .first   (first_group_q),
      .longer  (longer_q),
      .use_bits(row_q.uses),
      .shifts  (state_q[CONTROL] && row_q.late),
      .restores(state_q[CONTROL] && follow.restore),
      .ends    (settles),
      .bits,
      .rest    (maps_rest),
      .top     (maps_top),
      .none    (maps_none),
      .full    (maps_full)
  );

  // ------------------------------------------------------------------------------ frames
  logic frames_do, frames_push, frames_push_call, frames_push_known, frames_pop, frames_pop_two;
  logic frames_element, top_loop, top_call, soon_known, soon_last, below_none, below_call;
  logic [ROW_BITS-1:0] frames_push_row, below_row;
  logic [31:0] frames_push_left;
  logic [ 2:0] frames_depth;
  logic frames_none, frames_full;

  fast_frames u_frames (
      .clk,
      .rst,
      .clear     (maps_clear),
      .does      (frames_do),
      .push      (frames_push),
      .push_call (frames_push_call),
      .push_row  (frames_push_row),
      .push_known(frames_push_known),
      .push_left (frames_push_left),
      .pop       (frames_pop),
      .pop_two   (frames_pop_two),
      .element   (frames_element),
      .length_valid,
      .length_frame,
      .length_value,
      .length_one,
      .depth     (frames_depth),
      .none      (frames_none),
      .full      (frames_full),
      .top_loop,
      .top_call,
      .top_row,
      .top_done,
      .soon_known,
      .soon_last,
      .below_none,
      .below_call,
      .below_row
  );

  // ------------------------------------------------------------------------------ headers

  logic [ROW_BITS-1:0] answer_row;
  logic begins, fresh, consumed, first_fails;
  logic killed_q, killed;
  logic [2:0] killed_packet_q;
  assign killed = killed_q;
  logic [7:0] first_status, find_status_late;
  logic [ROW_BITS-1:0] found_row;
  logic [TEMPLATE_BITS-1:0] found_template, template_index;

  fast_message u_message (
      .clk,
      .rst,
      .settings,
      .between       (state_q[IDLE]),
      .between_beside(idle_beside_q),
      .header,
      .next,
      .done          (packet_done),
      .consumed,
      .first_same,
      .next_same,
      .answered_late,
      .answer_good,
      .answer_row,
      .first_status,
      .head_taken    (state_q[LATER] || state_q[CALLING]),
      .head_call     (state_q[CALLING]),
      .head_explicit (window[0].bit6),
      .find          (state_q[FIND]),
      .head_map,
      .head_id,
      .maps_full,
      .calling,
      .later_same,
      .found_now,
      .found_good,
      .find_status_late,
      .found_template,
      .found_row,
      .find_valid,
      .find_call,
      .find_explicit,
      .find_map,
      .find_id,
      .find_last_valid,
      .find_last_id,
      .found,
      .begin_first,
      .begin_found,
      .begin_call,
      .begin_other,
      .begin_message,
      .begin_same,
      .issued        (issue.valid),
      .failing       (state_q[FAIL]),
      .begins,
      .fresh,
      .template_index,
      .begun_row,
      .map           (begun_map)
  );
  assign find_scope = target_q;
  assign consumed = state_q[IDLE]
      && (packet_done || (killed ? killed_packet_q == packet_q : first_fails));

  // ------------------------------------------------------------------------------ what follows
  logic window_header, header_truncated, window_over, behind_valid, raw_begins;
  logic begun_near_q;

  assign truncated = aborted ? ABORTED : TRUNCATED;
  assign window_header = window[0].valid && (!window[0].bit6 || window[1].valid);
  assign window_over = ended && !window[0].valid && !leftover;
  assign header_truncated = ended && !window_header;
  always_comb begin
    behind_valid = last_q == '0 && window[0].valid;
    for (int i = 0; i < 7; i++) behind_valid |= last_q[i] && window[i+1].valid;
  end

  // ------------------------------------------------------------------------------ the row in hand
  decoded_t looked;
  logic missing;
  logic seen, last_null, last_one, last_more;
  logic [3:0] exp_absent_q;
  intake_t [3:0] lanes;

  // Between messages the row in which the last one began comes in hand ahead, if it needs no map.
  logic ahead, ahead_q;

  logic [4:0] first_bits;
  always_comb for (int i = 0; i < 5; i++) first_bits[i] = head_first[6-i];

  fast_decode u_decode (
      .row (following),
      .bits(following.push ? first_bits : bits),
      .decoded
  );

  // Of the row in hand in the cycle before: it is looked at from its second on.
  always_ff @(posedge clk) begin
    for (int k = 0; k < 4; k++) begin
      if (constants_q[k]) exp_absent_q[k] <= !plain_q.sets[k];
      else if (d_known[k] && !defaults_q[k] && !fresh) exp_absent_q[k] <= d_empty[k];
      else exp_absent_q[k] <= row.slots[k].initial_value == 8'd0;
    end
  end

  fast_look u_look (
      .clk,
      .row,
      .decoded   (plain_q),
      .exp_absent(exp_absent_q),
      .window,
      .seen,
      .found     (looked)
  );

  fast_dispatch u_dispatch (
      .row,
      .decoded(row_q),
      .window,
      .base,
      .lanes,
      .missing,
      .last_null,
      .last_one,
      .last_more
  );

  // ------------------------------------------------------------------------------ what is expected
  // Whether a row of this run is still in the ring (fast_fetch): not more than ten before that in hand.
  function automatic logic in_ring(logic [ROW_BITS-1:0] one, logic [ROW_BITS-1:0] first,
                                   logic [ROW_BITS-1:0] here);
    logic [ROW_BITS-1:0] ago;
    ago = here - one;
    // By bits: of a comparison synthesis makes a second carry chain behind the first.
    return one >= first && one <= here && ago[ROW_BITS-1:4] == '0
        && !(ago[3] && (ago[2] || ago[1] && ago[0]));
  endfunction

  // The element behind those that are taken may be the presence map of the next row: behind those that the
  // row in hand takes, or took a cycle ago, and in the window that is without them then.
  logic [3:0] reach_q, ahead_by;
  logic reaches_q;
  assign ahead_by = reach_q & {4{reaches_q}};
  assign peek = base + ahead_by[2:0];

  // ------------------------------------------------------------------------------ the cycle
  logic runs_out, text_rest, raw_rest;
  logic skips_d;
  assign skips_d = state_q[ROW] && row_q.opens && (last_null || row_q.lane_optional && last_one);
  assign text_rest = row.is_text && row_q.lane_streams && last_more;
  assign raw_rest = row.is_raw && row_q.lane_streams && !(row_q.lane_optional && last_null);
  assign map_rest = maps_rest || maps_top && !row_q.late;
  assign map_there = !following.push || peeked_q;

  state_t own_state, after;
  state_t before_control;
  logic   own_branch;
  issue_t own_issue;
  logic   own_packet_done;
  logic   takes_header;  // of a message in the queue, when it is there
  logic   ready;  // the row in hand goes, if what it takes is there
  logic   goes;
  assign goes = ready && (!missing || ended);

  fast_decide u_decide (
      .idle        (state_q[IDLE]),
      .finding     (state_q[FINDING]),
      .in_row      (state_q[ROW]),
      .control     (state_q[CONTROL]),
      .await       (state_q[AWAIT]),
      .ended       (state_q[ENDED]),
      .idle_ahead  (may_ahead_q),
      .killed,
      .stall,
      .valid       (valid_q),
      .able        (able_q),
      .watchdog    (watchdog_q),
      .awaited     (awaited_q),
      .awaited_none(awaited_none_q),
      .full        (frames_full),
      .following_valid,
      .following_begun,
      .touches     (following.touches),
      .map_there,

      .begun_near (begun_near_q),
      .is_ahead   (ahead_q),
      .first      (first_q),
      .ends       (ends_q),
      .checks     (follow.checks),
      .map_rest,
      .waits      (follow.waits),
      .takes      (takes_q),
      .map_settled(!((follow.restore || row.bits_depend) && following.touches)),
      .poisoned   (poisoned_q),
      .over       (over_q),
      .sure       (sure_q),
      .first_same,
      .next_same,
      .later_same,
      .answer_good,
      .found_now,
      .found_good,
      .calling,
      .runs_out,
      .ready,
      .copies,
      .loads      (own_load),
      .may_load,
      .ahead,
      .opens,
      .controls,
      .left_over,
      .settles,
      .complete,
      .begin_same,
      .begin_first,
      .begin_answer,
      .begin_found,
      .begin_call,
      .begin_other,
      .begin_message
  );

  // Where a branch would go, before it is known whether there is one.
  always_comb begin
    unique case (1'b1)
      state_q[IDLE]:    target = answer_row;
      state_q[FINDING]: target = found_row;
      state_q[CONTROL]: target = follow.target;
      state_q[AWAIT]:   target = target_q;
      state_q[ENDED]:   target = begin_answer ? answer_row : begun_row;
      default:          target = begun_row;
    endcase
  end

  // What goes leaves the queue a cycle later.
  logic window_two, pops_d;
  assign takes_header = (state_q[LATER] || state_q[CALLING]) && !stall && !killed && !pops_q;
  assign window_two = window[0].bit6;
  assign pops_d = ready && !missing || takes_header && window_header
      || state_q[TEXT_REST] && !stall && !killed && !pops_q && window[0].valid;
  always_ff @(posedge clk) begin
    pops_q  <= pops_d && !rst;
    taken_q <= 4'd1;
    last_q  <= 8'd1;
    if (state_q[ROW]) {taken_q, last_q} <= {row_q.taken, row_q.last};
    else if (!state_q[TEXT_REST] && window_two) {taken_q, last_q} <= {4'd2, 8'd2};
    raw_begin <= raw_begins && !rst;
    // It is there, or never will be.
    peeked_q <= !ahead_by[3] && (window[ahead_by[2:0]].valid || ended) && !packet_done && !rst;
  end
  assign pops  = pops_q && !state_q[FAIL];
  assign taken = taken_q;
  assign last  = last_q;

  always_comb begin
    drop = 1'b0;
    own_packet_done = 1'b0;
    first_fails = 1'b0;
    raw_begins = 1'b0;
    own_branch = 1'b0;

    own_issue = '0;
    own_issue.packet = packet_q;
    own_issue.lane = row_q.lane;
    own_issue.frame = frames_depth;
    own_issue.map_status = row_map_status_q;
    own_issue.template_index = template_index;
    own_issue.tid = header.tid;
    own_issue.tstamp = header.tstamp;
    own_issue.begins = begins;
    own_issue.fresh = fresh;
    own_issue.execute = ready;
    own_issue.counts = ready && row.control == SEQUENCE;
    own_issue.operated = row.length_operated;
    intakes = lanes;
    // Whether they count or not.
    if (state_q[TEXT_REST]) begin
      intakes = '0;
      intakes[row_q.lane].active = 1'b1;
      intakes[row_q.lane].stream = 1'b1;
      intakes[row_q.lane].bit_set = 1'b1;
      intakes[row_q.lane].first = base;
      intakes[row_q.lane].wide = window[0].is_wide;
      intakes[row_q.lane].missing_first = !window[0].valid;
    end

    unique case (1'b1)
      state_q[IDLE]: begin
        own_state = only(IDLE);
        // A header that agrees, or is answered, is complete: its packet did not fail before. Nor is one
        // that agrees answered badly.
        if (poisoned_q || header.failed) begin
          if (header.valid && header.failed && header.map.length == 5'd0 && window_over) begin
            own_packet_done = 1'b1;
          end else if (!stall && header.valid && (header.failed || header.complete)) begin
            own_issue.valid = 1'b1;
            own_issue.status = poisoned_q ? POISONED : truncated;
            first_fails = 1'b1;
            own_state = only(FAIL);
          end
        end else if (answered_late && !answer_good && !stall) begin
          own_issue.valid = 1'b1;
          own_issue.status = first_status;
          first_fails = 1'b1;
          own_state = only(FAIL);
        end
      end

      state_q[LATER], state_q[CALLING]: begin
        own_state = state_q & (only(LATER) | only(CALLING));
        if (takes_header) begin
          if (window_header) begin
            own_state = only(FIND);
          end else if (state_q[LATER] && window_over) begin
            own_packet_done = 1'b1;
            own_state = only(IDLE);
          end else if (header_truncated) begin
            own_issue.valid = 1'b1;
            own_issue.status = truncated;
            own_state = only(FAIL);
          end
        end
      end

      state_q[FIND]: own_state = only(FINDING);

      state_q[FINDING]: begin
        own_state = only(FINDING);
        // The one is two cycles before the other.
        if (later_same) own_state = only(ROW);
        if (found_now) begin
          own_branch = found_good;
          own_state  = found_good && !calling ? only(ROW) : only(FOUND);
        end
      end

      state_q[FOUND]: begin
        own_state = only(FOUND);
        if (!stall) begin
          own_issue.valid = 1'b1;
          own_issue.call_begins = found_good;
          own_issue.template_index = found_template;
          own_issue.status = find_status_late;
          own_state = found_good ? only(ROW) : only(FAIL);
        end
      end

      state_q[ROW]: begin
        own_state = only(ROW);
        if (runs_out) begin
          own_issue.valid = 1'b1;
          own_issue.void_row = 1'b1;
          own_issue.status = TRAP_WATCHDOG;
          own_state = only(FAIL);
        end
        if (goes) begin
          own_issue.valid = 1'b1;
          own_issue.push = row_q.pushes && window[0].valid;
          own_state = only(CONTROL);
          if (missing) begin
            own_issue.status = truncated;
            own_issue.void_row = row_q.pushes && !window[0].valid;
            own_state = only(FAIL);
          end else if (row_q.pushes && row_full_q) begin
            own_issue.status = TRAP_DEPTH;
            own_issue.void_row = 1'b1;
            own_state = only(FAIL);
          end else if (raw_rest) begin
            raw_begins = 1'b1;
            own_issue.again = 1'b1;
            own_state = only(RAW);
          end else if (text_rest) own_state = only(TEXT_REST);
        end
      end

      state_q[CONTROL]: own_state = only(CONTROL);

      state_q[ENDED]: begin
        own_state = only(ENDED);
        if (sure_q) begin
          own_branch = !begun_near_q;
          own_packet_done = over_q;
          own_state = over_q ? only(IDLE) : only(LATER);
        end
      end

      state_q[TEXT_REST]: begin
        own_state = only(TEXT_REST);
        if (!stall && !killed && !pops_q && (window[0].valid || ended)) begin
          own_issue.valid = 1'b1;
          own_issue.more_text = 1'b1;
          if (!window[0].valid) begin
            own_issue.status = truncated;
            own_state = only(FAIL);
          end else if (!window[0].more) own_state = only(CONTROL);
        end
      end

      state_q[RAW]: begin
        own_state = only(RAW);
        if (raw_failed && !killed) begin
          own_issue.valid = 1'b1;
          own_issue.status = truncated;
          own_state = only(FAIL);
        end else if (raw_valid && !killed) begin
          own_issue.valid = 1'b1;
          own_issue.raw = 1'b1;
          own_issue.again = raw_more;
          if (!raw_more) own_state = only(CONTROL);
        end
      end

      state_q[AWAIT]: begin
        own_state = only(AWAIT);
        if (awaited_q && !killed) begin
          own_state = only(ROW);
          if (awaited_none_q) own_branch = 1'b1;
          else if (frames_full) begin
            own_issue.valid = 1'b1;
            own_issue.status = TRAP_DEPTH;
            own_state = only(FAIL);
          end
        end
      end

      state_q[POISON]: begin
        own_state = only(POISON);
        if (!stall) begin
          own_issue.valid = 1'b1;
          own_issue.begins = 1'b0;
          own_issue.status = POISONED;
          own_state = only(FAIL);
        end
      end

      default: begin  // FAIL
        own_branch = 1'b1;
        drop = 1'b1;
        own_packet_done = 1'b1;
        own_state = only(IDLE);
      end
    endcase
  end

  fast_follow u_follow (
      .row,
      .strict   (settings.strict),
      .test_bit (row_q.test_bit),
      .maps_none,
      .frames_none,
      .frames_full,
      .top_loop,
      .top_call,
      .top_row,
      .top_known(soon_known),
      .top_last (soon_last),
      .top_done (top_done[3]),
      .below_none,
      .below_call,
      .below_row,
      .follow   (follow_d)
  );
  always_ff @(posedge clk) begin
    follow <= follow_d;
    branches <= branches_d || skips_d;
    takes_q <= follow_d.take && !branches_d && !skips_d;
  end
  // A loop's first row is fetched anew if it is not in the ring.
  assign branches_d = follow_d.branch || follow_d.rounds && !in_ring(top_row, run, number);
  fast_late u_load (
      .own     (own_load),
      .may     (may_load),
      .complete(settles),
      .does    (load)
  );
  for (genvar i = 0; i < 4; i++) begin : gen_load_row
    fast_late u_load_row (
        .own     (own_load),
        .may     (may_load),
        .complete(settles),
        .does    (load_row[i])
    );
  end
  assign copy_row = copies;

  // A bit left of the element's own map is its error; one left of its message's is none of the element's.
  assign element_ends = follow.element_ends && !(left_over && row.pop);
  // What it would be, whether it is or not: of what else pushes a frame it is the only thing.
  assign frames_do = opens || settles && !skips_q;
  assign frames_push = !state_q[CONTROL] || follow.push;
  assign frames_push_call = follow.push_call;
  assign frames_push_row = successor;
  assign frames_push_known = state_q[AWAIT];
  assign frames_push_left = awaited_value_q;
  assign frames_pop = state_q[CONTROL] && follow.pop;
  assign frames_pop_two = state_q[CONTROL] && follow.pop_two;
  assign frames_element = state_q[CONTROL] && follow.element;

  logic [7:0] control_status;
  assign control_status = left_over ? R8 : skips_q ? COMPLETE : follow.status;
  always_comb begin
    issue = own_issue;
    // Where the presence map ends, the one beneath is there a cycle later.
    branch = own_branch || begin_answer || complete && branches;
    packet_done = own_packet_done;
    marks = '0;
    marks.element = controls && first_q && element_ends;

    // What follows the row: in CONTROL only, which waits for it.
    case (follow.state)
      TO_AWAIT:   after = only(AWAIT);
      TO_CALLING: after = only(CALLING);
      TO_ENDED:   after = only(ENDED);
      TO_FAIL:    after = only(FAIL);
      default:    after = only(ROW);
    endcase
    if (skips_q) after = only(ROW);
    if (left_over) after = only(FAIL);
    if (complete && first_q) begin
      marks.call_ends = follow.call_ends && !left_over;
      marks.ends = follow.ends && !left_over;
      marks.status = control_status;
    end
    if (state_q[CONTROL]) begin
      // What ends goes out by itself.
      issue.element = element_ends && !told_q;
      issue.call_ends = follow.call_ends && !left_over;
      issue.ends = follow.ends && !left_over;
      issue.status = control_status;
      issue.valid = complete && !first_q && (issue.element || follow.ends || follow.call_ends
                                             || issue.status != COMPLETE);
    end

    // A row before failed. Under the policy `never` the packet in hand may be another by now.
    before_control = own_state;
    if (killed) begin
      issue.valid = 1'b0;
      if (state_q[FAIL]) before_control = only(IDLE);
      else if (killed_packet_q == packet_q) before_control = only(FAIL);
      else if (!state_q[IDLE]) before_control = only(POISON);
      else before_control = only(IDLE);
    end
    // `complete` and `begin_first` are late: they add to what stands, and take CONTROL away, or IDLE.
    state_d = before_control | (after & {$bits(state_t) {complete}});
    state_d[CONTROL] = before_control[CONTROL] && !complete;
    if (!killed && begin_first && before_control[IDLE]) {state_d[IDLE], state_d[ROW]} = 2'b01;
  end

  always_comb begin
    again = 1'b0;
    for (int k = 0; k < 4; k++) begin
      if (row.slots[k].operation >= OP_COPY && following.slots[k].operation >= OP_COPY
          && row.slots[k].entry == following.slots[k].entry)
        again = 1'b1;
    end
  end

  // ------------------------------------------------------------------------------ registers
  // None comes in hand while the row in hand is looked at.
  logic looks;
  assign looks = old_q[0] && valid_q && row_q.look
      && !(row.waits && (settle_q != 4'd0 || !old_q[4]));
  always_comb begin
    valid_d = valid_q && !goes && state_q[ROW] || begin_same && ahead_q;
    if (load) valid_d = !ahead || begin_same;
    look_d = looks ? !(seen || ended_q) : copies ? decoded.look : row_q.look;
  end
  // Rows that the message may still have.
  logic [31:0] rows_less;
  assign rows_less = rows_q - 32'd1;
  // Between messages all is made ready for the next one, whatever it is.
  assign maps_clear = between_q;
  // What the row that comes in hand pushes, a cycle behind.
  always_comb begin
    longer = 1'b0;
    for (int i = 0; i < 9; i++)
    longer |= head_map.length > 5'(i + 1) && head_map.bytes[8*i+:7] != '0;
  end
  always_ff @(posedge clk) begin
    head_part_q <= part_map(head_map, map_moves(head_map.length));
    first_group_q <= head_first;
    longer_q <= longer;
  end

  // By itself and once more for what is wide: synthesis would take the two for one.
  (* keep *)
  always_ff @(posedge clk) state_q <= rst ? only(IDLE) : state_d;
  (* keep *)
  always_ff @(posedge clk) idle_beside_q <= rst || state_d[IDLE];

  always_ff @(posedge clk) begin
    never_q <= settings.reset == 2'd0;
    // Whether a header in the queue is a call's is known behind its dispatch.
    between_q <= state_d[IDLE] || state_d[ENDED] || state_d[FINDING] && !calling;
    may_ahead_q <= state_d[IDLE] || state_d[LATER] || state_d[FIND] && state_q[LATER]
                   || state_d[FINDING] && !calling;
    // Of the window without what leaves it now; of one that is taken whole that is not seen.
    over_q <= ended && !leftover && !(pops_q ? behind_valid : window[0].valid);
    sure_q <= !(pops_q && last_q[7]);
    ended_q <= ended;
    killed_q <= failed && (failed_packet == packet_q && !packet_done || never_q);
    killed_packet_q <= failed_packet;
    if (packet_done) packet_q <= packet_q + 3'd1;
    if (maps_clear) rows_q <= settings.max_rows;
    if (went_q) rows_q <= rows_less;
    // Settled when the next row can go.
    if (maps_clear) watchdog_q <= settings.max_rows <= 32'd1;
    else watchdog_q <= rows_q[31:2] == '0 && (!rows_q[1] || went_q && !rows_q[0]);
    went_q <= goes;
    if ((failed || state_q[FAIL]) && settings.reset == 2'd0) poisoned_q <= 1'b1;

    // The row in hand.
    valid_q <= valid_d;
    able_q <= valid_d && !look_d && !(state_q[CONTROL] && first_q && again);
    if (copies || looks) row_q <= looks ? looked : decoded;
    row_q.look <= look_d;
    came_q <= load && !rst;
    if (copies) reach_q <= decoded.taken;
    else if (looks) reach_q <= looked.taken;
    if (state_d[TEXT_REST]) reach_q <= 4'd1;
    reaches_q <= valid_d || pops_d || state_d[TEXT_REST];
    if (state_q[CONTROL] && first_q) target_q <= row.target;
    if (copies) begin
      plain_q <= decoded;
      row_map_status_q <= map_status(head_map, settings.strict);
      row_full_q <= maps_full;
      for (int k = 0; k < 4; k++) begin
        constants_q[k] <= following.slots[k].operation == OP_CONSTANT;
        defaults_q[k]  <= following.slots[k].operation == OP_DEFAULT;
      end
    end
    old_q <= {old_q[3:0], 1'b1} & {5{valid_q && !copies}};
    ahead_q <= (ahead || ahead_q) && !begin_same && !branch;
    ends_q <= row.control == LOOP || row.control == LOOP_END || row.control == FINISH;
    first_q <= !state_q[CONTROL];
    told_q <= state_q[CONTROL] && (told_q || marks.element);
    awaited_q <= state_q[AWAIT] && length_valid && length_frame == frames_depth;
    awaited_value_q <= length_value;
    awaited_none_q <= length_value == 32'd0;
    if (state_q[ROW]) skips_q <= skips_d;
    begun_near_q <= in_ring(begun_row, run, number);

    // The state of exponents' entries: settled six cycles behind the row before.
    if (issue.valid) settle_q <= 4'd8;
    else if (settle_q != 4'd0) settle_q <= settle_q - 4'd1;

    if (rst) begin
      between_q <= 1'b1;
      may_ahead_q <= 1'b1;
      killed_q <= 1'b0;
      packet_q <= 3'd0;
      poisoned_q <= 1'b0;
      valid_q <= 1'b0;
      able_q <= 1'b0;
      ahead_q <= 1'b0;
      settle_q <= 4'd0;
    end
  end
endmodule
