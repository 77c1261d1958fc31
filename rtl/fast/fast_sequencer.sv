// The core's control: messages and their headers, when a row goes, and what follows it.
//
// States. IDLE waits for a packet's first header, LATER for a later one in the queue, CALL for that of
// a call; FIND compares it and looks it up, FOUND acts on it a cycle later. ROW dispatches. TEXT and
// RAW pass the rest of a string by, LENGTH waits for the value of a length with an operator, ROUND for
// the length of a sequence at the end of its first element. FAIL skips the rest of the packet.
module fast_sequencer
  import fast_pkg::*;
(
    input logic      clk,
    input logic      rst,
    input settings_t settings,

    // Front.
    input  flags_t   [         7:0] window,
    input  logic     [         2:0] base,
    input  logic                    ended,
    input  logic                    leftover,
    input  logic                    aborted,
    input  header_t                 header,
    input  header_t                 next,
    output logic     [         3:0] pop,
    output logic                    drop,
    output logic                    packet_done,
    output logic                    raw_begin,
    input  logic                    raw_valid,
    input  logic                    raw_more,
    input  logic                    raw_failed,
    // Look-up.
    output logic                    find_valid,
    output logic                    find_call,
    output logic                    find_explicit,
    output element_t                find_map,
    output element_t                find_id,
    output logic     [        11:0] find_scope,
    output logic                    find_last_valid,
    output logic     [        31:0] find_last_id,
    input  found_t                  found,
    // Rows.
    output logic                    take,
    output logic     [ROW_BITS-1:0] take_row,
    output logic                    branch,
    output logic     [ROW_BITS-1:0] target,
    input  logic                    row_valid,
    input  row_t                    row,
    input  logic     [ROW_BITS-1:0] number,
    input  logic     [ROW_BITS-1:0] run,
    // Dispatch.
    output logic                    dispatch_push,
    output logic     [         3:0] dispatch_bits,
    output logic     [         3:0] dispatch_exp_absent,
    input  intake_t  [         3:0] dispatch_lanes,
    input  logic     [         3:0] dispatch_taken,
    input  logic                    dispatch_missing,
    input  logic                    dispatch_skipped,
    input  logic                    dispatch_null,
    input  logic                    dispatch_one,
    input  logic                    dispatch_more,
    // Stages behind.
    output issue_t                  issue,
    output intake_t  [         3:0] intakes,
    input  logic                    stall,
    input  element_t                head_map,
    input  element_t                head_id,
    input  logic     [         3:0] d_known,
    input  logic     [         3:0] d_empty,
    input  logic                    length_valid,
    input  logic     [         2:0] length_frame,
    input  logic     [        31:0] length_value,
    input  logic                    failed,
    input  logic     [         2:0] failed_packet
);
  typedef enum logic [3:0] {
    IDLE,
    LATER,
    CALLING,
    FIND,
    FINDING,
    FOUND,
    ROW,
    TEXT_REST,
    RAW,
    AWAIT,
    ROUND,
    POISON,
    FAIL
  } state_t;

  state_t state_q, state_d;
  logic poisoned_q;
  logic [2:0] packet_q;  // enough for those in the stages behind
  logic pushed_q, map_load_q, test_q;
  logic [2:0] settle_q;
  logic [3:0] dictionary_none_q;
  logic [31:0] rows_q;
  logic [1:0] last_lane;
  logic [7:0] truncated;

  logic go;  // the slots of the row in hand are issued

  // ------------------------------------------------------------------------------ presence maps
  logic maps_clear, maps_save, maps_load, maps_restore, maps_rest;
  logic [62:0] maps_map;
  logic [ 2:0] maps_use;
  logic [ 4:0] bits;
  logic [ 3:0] maps_depth;

  fast_maps u_maps (
      .clk,
      .rst,
      .clear   (maps_clear),
      .save    (maps_save),
      .load    (maps_load),
      .map     (maps_map),
      .use_bits(maps_use),
      .advance (go),
      .restore (maps_restore),
      .bits,
      .rest    (maps_rest),
      .depth   (maps_depth)
  );

  // ------------------------------------------------------------------------------ frames
  logic frames_clear, frames_push, frames_push_call, frames_push_known, frames_pop, frames_pop_two;
  logic frames_element, top_loop, top_call, top_known, top_last, below_none, below_call;
  logic [ROW_BITS-1:0] frames_push_row, top_row, below_row;
  logic [31:0] frames_push_left;
  logic [ 3:0] frames_depth;

  fast_frames u_frames (
      .clk,
      .rst,
      .clear     (frames_clear),
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
      .depth     (frames_depth),
      .top_loop,
      .top_call,
      .top_row,
      .top_known,
      .top_last,
      .below_none,
      .below_call,
      .below_row
  );

  // ------------------------------------------------------------------------------ headers
  logic first_same, answered_late, answer_good, calling, later_same, found_now;
  logic begins, fresh, consumed;
  found_t answer;
  logic [7:0] first_status, find_status, find_status_late;
  logic [TEMPLATE_BITS-1:0] found_template, template_index;
  logic [ROW_BITS-1:0] begun_row;
  logic [62:0] begun_map;
  logic begin_same, begin_answer, begin_found, call_found;

  fast_message u_message (
      .clk,
      .rst,
      .settings,
      .between      (state_q == IDLE),
      .header,
      .next,
      .consumed,
      .first_same,
      .answered_late,
      .answer_good,
      .answer,
      .first_status,
      .head_taken   (state_q == LATER || state_q == CALLING),
      .head_call    (state_q == CALLING),
      .head_explicit(window[0].bit6),
      .find         (state_q == FIND),
      .head_map,
      .head_id,
      .maps_full    (maps_depth >= 4'd8),
      .calling,
      .later_same,
      .found_now,
      .find_status,
      .find_status_late,
      .found_template,
      .find_valid,
      .find_call,
      .find_explicit,
      .find_map,
      .find_id,
      .find_last_valid,
      .find_last_id,
      .found,
      .begin_same,
      .begin_answer,
      .begin_found,
      .begin_call   (call_found),
      .issued       (issue.valid),
      .failing      (state_q == FAIL),
      .begins,
      .fresh,
      .template_index,
      .begun_row,
      .map          (begun_map)
  );
  assign find_scope = row.target;
  assign consumed = state_q == IDLE && (state_d == FAIL || packet_done);

  // ------------------------------------------------------------------------------ what follows
  logic complete, resume, over;
  follow_t follow;
  logic test_bit, window_header, header_truncated, window_over;
  logic [ROW_BITS-1:0] successor;

  assign truncated = aborted ? ABORTED : TRUNCATED;
  assign successor = number + 1'b1;
  assign over = ended && !leftover && !(pop[3] || window[pop[2:0]].valid);
  assign window_header = window[0].valid && (!window[0].bit6 || window[1].valid);
  assign window_over = ended && !window[0].valid && !leftover;
  assign header_truncated = ended && !window_header;

  // The lane of the last slot in use.
  always_comb begin
    last_lane = 2'd0;
    for (int k = 0; k < 4; k++) if (row.slots[k].kind != NOP) last_lane = 2'(k);
  end

  always_comb begin
    for (int k = 0; k < 4; k++) begin
      logic none;
      none = row.slots[k].initial_value == 8'd0;
      dispatch_bits[k] = bits[k];
      case (row.slots[k].operation)
        OP_CONSTANT:
        dispatch_exp_absent[k] = row.shapes[k].tested
                                              ? !bits[{1'b0, row.shapes[k].bit_at}]
                                              : row.slots[k].presence == CLEAR;
        OP_DEFAULT: dispatch_exp_absent[k] = none;
        default: dispatch_exp_absent[k] = fresh ? none : dictionary_none_q[k];
      endcase
    end
  end
  assign dispatch_push = row.push && !pushed_q;
  // Elsewhere the row's bits are behind.
  assign maps_use = state_q != ROW ? 3'd0 : row.bits_used - 3'(dispatch_skipped);
  assign test_bit = bits[row.bits_used-3'd1];

  // ------------------------------------------------------------------------------ the cycle
  logic two_steps, may_go, watchdog, killed, text_rest, raw_rest;
  logic lengthy;  // the length has a value other than 0
  assign two_steps = row.push && (row.conditional || row.pop) && !pushed_q;
  assign watchdog = rows_q <= 32'd1;
  assign killed = failed && (failed_packet == packet_q || settings.reset == 2'd0);
  assign may_go = state_q == ROW && row_valid && !stall && !killed;
  assign text_rest = row.is_text && dispatch_lanes[last_lane].stream && dispatch_more;
  assign raw_rest = row.is_raw && dispatch_lanes[last_lane].stream
                    && !(row.slots[last_lane].optional && dispatch_null);
  assign lengthy = !(dispatch_null || row.slots[last_lane].optional && dispatch_one);

  state_t own_state;
  issue_t own_issue;
  logic own_take, own_branch, own_packet_done, own_begin_same, own_begin_answer;
  logic own_frames_push, own_frames_push_call;
  logic [ROW_BITS-1:0] own_take_row, own_target;

  always_comb begin
    own_state = state_q;
    go = 1'b0;
    complete = 1'b0;
    pop = 4'd0;
    drop = 1'b0;
    own_packet_done = 1'b0;
    raw_begin = 1'b0;
    own_take = 1'b0;
    own_take_row = successor;
    own_branch = 1'b0;
    own_target = row.target;
    own_begin_same = 1'b0;
    own_begin_answer = 1'b0;
    begin_found = 1'b0;
    call_found = 1'b0;
    own_frames_push = 1'b0;
    own_frames_push_call = 1'b0;
    frames_push_row = successor;
    frames_push_known = 1'b0;
    frames_push_left = length_value;
    maps_save = 1'b0;
    resume = 1'b0;

    own_issue = '0;
    own_issue.packet = packet_q;
    own_issue.lane = last_lane;
    own_issue.frame = frames_depth[2:0];
    own_issue.template_index = template_index;
    own_issue.tid = header.tid;
    own_issue.tstamp = header.tstamp;
    own_issue.begins = begins;
    own_issue.fresh = fresh;
    intakes = dispatch_lanes;

    case (state_q)
      IDLE: begin
        if (header.valid && header.failed && header.map.length == 5'd0 && window_over) begin
          own_packet_done = 1'b1;
        end else if (poisoned_q || header.failed) begin
          if (!stall && header.valid && (header.failed || header.complete)) begin
            own_issue.valid = 1'b1;
            own_issue.status = poisoned_q ? POISONED : truncated;
            own_state = FAIL;
          end
        end else if (first_same) begin
          own_begin_same = 1'b1;
          own_state = ROW;
        end else if (answer_good) begin
          own_begin_answer = 1'b1;
          own_branch = 1'b1;
          own_target = answer.row;
          own_state = ROW;
        end else if (answered_late && !stall) begin
          own_issue.valid = 1'b1;
          own_issue.status = first_status;
          own_state = FAIL;
        end
      end

      LATER, CALLING:
      if (!stall && !killed) begin
        if (window_header) begin
          pop = window[0].bit6 ? 4'd2 : 4'd1;
          own_state = FIND;
        end else if (state_q == LATER && window_over) begin
          own_packet_done = 1'b1;
          own_state = IDLE;
        end else if (header_truncated) begin
          own_issue.valid = 1'b1;
          own_issue.status = truncated;
          own_state = FAIL;
        end
      end

      FIND: begin
        own_state = FINDING;
        if (!calling && later_same) begin
          own_begin_same = 1'b1;
          own_state = ROW;
        end
      end

      FINDING:
      if (found_now) begin
        own_target  = found.row;
        own_state = FOUND;
        if (find_status == COMPLETE) begin
          own_branch = 1'b1;
          begin_found = !calling;
          call_found = calling;
          maps_save = calling;
          if (!calling) own_state = ROW;
        end
      end

      FOUND:
      if (!stall) begin
        own_issue.valid = 1'b1;
        own_issue.call_begins = find_status_late == COMPLETE;
        own_issue.template_index = found_template;
        own_issue.status = find_status_late;
        own_state = find_status_late == COMPLETE ? ROW : FAIL;
      end

      ROW:
      if (may_go) begin
        if (watchdog) begin
          own_issue.valid = 1'b1;
          own_issue.void_row = 1'b1;
          own_issue.status = TRAP_WATCHDOG;
          own_state = FAIL;
        end else if (map_load_q && (row.conditional || row.pop || row.push)) begin
          // The bits are not there yet.
        end else if (row.waits && settle_q != 3'd0) begin
          // Nor is the dictionary's state.
        end else if (two_steps || dispatch_push && !window[0].valid) begin
          if (window[0].valid || ended) begin
            own_issue.valid = 1'b1;
            own_issue.push = window[0].valid;
            pop = {3'd0, window[0].valid};
            maps_save = 1'b1;
            if (!window[0].valid) begin
              own_issue.status = truncated;
              own_issue.void_row = 1'b1;
              own_state = FAIL;
            end else if (maps_depth >= 4'd8) begin
              own_issue.status = TRAP_DEPTH;
              own_issue.void_row = 1'b1;
              own_state = FAIL;
            end
          end
        end else if (!dispatch_missing || ended) begin
          go = 1'b1;
          own_issue.valid = 1'b1;
          own_issue.execute = 1'b1;
          own_issue.push = dispatch_push;
          maps_save = dispatch_push;
          pop = dispatch_taken;
          if (dispatch_missing) begin
            pop = 4'd0;
            own_issue.status = truncated;
            own_state = FAIL;
          end else if (dispatch_push && maps_depth >= 4'd8) begin
            own_issue.status = TRAP_DEPTH;
            own_issue.void_row = 1'b1;
            own_state = FAIL;
          end else if (raw_rest) begin
            raw_begin = 1'b1;
            own_issue.again = 1'b1;
            own_state = RAW;
          end else if (text_rest) own_state = TEXT_REST;
          else complete = 1'b1;
        end
      end

      TEXT_REST:
      if (!stall && !killed) begin
        if (window[0].valid || ended) begin
          own_issue.valid = 1'b1;
          own_issue.more_text = 1'b1;
          intakes = '0;
          intakes[last_lane].active = 1'b1;
          intakes[last_lane].stream = 1'b1;
          intakes[last_lane].bit_set = 1'b1;
          intakes[last_lane].first = base;
          intakes[last_lane].wide = window[0].is_wide;
          intakes[last_lane].missing_first = !window[0].valid;
          pop = {3'd0, window[0].valid};
          if (!window[0].valid) begin
            own_issue.status = truncated;
            own_state = FAIL;
          end else if (!window[0].more) complete = 1'b1;
        end
      end

      RAW:
      if (!killed) begin
        if (raw_failed) begin
          own_issue.valid = 1'b1;
          own_issue.status = truncated;
          own_state = FAIL;
        end else if (raw_valid) begin
          own_issue.valid = 1'b1;
          own_issue.raw = 1'b1;
          own_issue.again = raw_more;
          complete = !raw_more;
        end
      end

      AWAIT:
      if (length_valid && length_frame == frames_depth[2:0] && !killed) begin
        if (length_value == 32'd0) begin
          own_branch  = 1'b1;
          own_state = ROW;
        end else if (frames_depth >= 4'd8) begin
          own_issue.valid = 1'b1;
          own_issue.status = TRAP_DEPTH;
          own_state = FAIL;
        end else begin
          own_frames_push = 1'b1;
          frames_push_known = 1'b1;
          own_take = 1'b1;
          own_state = ROW;
        end
      end

      ROUND: resume = top_known && !killed && !stall;

      POISON:
      if (!stall) begin
        own_issue.valid = 1'b1;
        own_issue.begins = 1'b0;
        own_issue.status = POISONED;
        own_state = FAIL;
      end

      default: begin  // FAIL
        own_branch = 1'b1;
        own_target = begun_row;
        drop = 1'b1;
        own_packet_done = 1'b1;
        own_state = IDLE;
      end
    endcase
  end

  fast_follow u_follow (
      .complete,
      .resume,
      .row,
      .number,
      .run,
      .strict    (settings.strict),
      .lengthy,
      .test_bit  (state_q == ROW ? test_bit : test_q),
      .maps_depth,
      .maps_rest,
      .frames_depth,
      .top_loop,
      .top_call,
      .top_row,
      .top_known,
      .top_last,
      .below_none,
      .below_call,
      .below_row,
      .over,
      .first_same,
      .answer_good,
      .answer_row(answer.row),
      .begun_row,
      .follow
  );
  assign frames_pop = follow.pop;
  assign frames_pop_two = follow.pop_two;
  assign frames_element = follow.element;
  assign maps_restore = follow.restore;

  always_comb begin
    state_d = own_state;
    issue = own_issue;
    take = own_take;
    take_row = own_take_row;
    branch = own_branch;
    target = own_target;
    packet_done = own_packet_done;
    begin_same = own_begin_same;
    begin_answer = own_begin_answer;
    frames_push = own_frames_push;
    frames_push_call = own_frames_push_call;

    // What follows the row.
    if (complete || resume) begin
      case (follow.state)
        TO_AWAIT:   state_d = AWAIT;
        TO_ROUND:   state_d = ROUND;
        TO_CALLING: state_d = CALLING;
        TO_LATER:   state_d = LATER;
        TO_IDLE:    state_d = IDLE;
        TO_FAIL:    state_d = FAIL;
        default:    state_d = ROW;
      endcase
      take = follow.take;
      take_row = follow.row;
      branch = follow.branch;
      target = follow.target;
      frames_push = follow.push;
      frames_push_call = follow.push_call;
      packet_done = follow.packet_done;
      begin_same = follow.begin_same;
      begin_answer = follow.begin_answer;
      issue.counts = follow.counts;
      issue.element = follow.element_ends;
      issue.call_ends = follow.call_ends;
      issue.ends = follow.ends;
      issue.status = follow.status;
      if (follow.ends || follow.call_ends || follow.status != COMPLETE) issue.valid = 1'b1;
    end
    // A row before failed. Under the policy `never` the packet in hand may be another by now.
    if (killed) begin
      issue.valid = 1'b0;
      if (state_q == FAIL) state_d = IDLE;
      else if (failed_packet == packet_q) state_d = FAIL;
      else if (state_q != IDLE) state_d = POISON;
      else state_d = IDLE;
    end
  end

  // ------------------------------------------------------------------------------ registers
  assign maps_clear = begin_same || begin_answer || begin_found;
  assign frames_clear = maps_clear;
  assign maps_load = maps_clear || call_found || map_load_q;
  assign maps_map = map_load_q ? map_bits(head_map) : begun_map;

  always_ff @(posedge clk) begin
    state_q <= state_d;
    if (packet_done) packet_q <= packet_q + 3'd1;
    if (maps_clear) rows_q <= settings.max_rows;
    if (go) rows_q <= rows_q - 32'd1;
    if ((failed || state_q == FAIL) && settings.reset == 2'd0) poisoned_q <= 1'b1;

    // Presence maps that a row pushes come out of A.
    map_load_q <= issue.valid && issue.push;
    pushed_q <= state_q == ROW && (pushed_q && !go || issue.valid && issue.push && !go);
    if (go) test_q <= test_bit;

    // The state of exponents' entries: settled six cycles behind the row before.
    if (issue.valid) settle_q <= 3'd5;
    else if (settle_q > 3'd1 || settle_q == 3'd1 && row_valid) settle_q <= settle_q - 3'd1;
    if (!row_valid && settle_q == 3'd0) settle_q <= 3'd1;
    for (int k = 0; k < 4; k++) begin
      dictionary_none_q[k] <= d_known[k] ? d_empty[k] : row.slots[k].initial_value == 8'd0;
    end

    if (rst) begin
      state_q <= IDLE;
      packet_q <= 3'd0;
      poisoned_q <= 1'b0;
      map_load_q <= 1'b0;
      pushed_q <= 1'b0;
      settle_q <= 3'd0;
    end
  end
endmodule
