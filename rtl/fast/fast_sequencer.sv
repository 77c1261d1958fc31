// The core's control: messages and their headers, when a row goes, and what follows it.
//
// States. IDLE waits for a packet's first header, LATER for a later one in the queue, CALL for that of
// a call; FIND compares it and looks it up, FOUND acts on it a cycle later. ROW dispatches. TEXT and
// RAW pass the rest of a string by, LENGTH waits for the value of a length with an operator, ROUND for
// the length of a sequence at the end of its first element. FAIL skips the rest of the packet.
module fast_sequencer
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,
    input settings_t settings,

    // Front.
    input  flags_t  [7:0] window,
    input  logic    [2:0] base,
    input  logic          ended,
    input  logic          leftover,
    input  logic          aborted,
    input  header_t       header,
    input  header_t       next,
    output logic    [3:0] pop,
    output logic          drop,
    output logic          packet_done,
    output logic          raw_begin,
    input  logic          raw_valid,
    input  logic          raw_more,
    input  logic          raw_failed,
    // Look-up.
    output logic                     find_valid,
    output logic                     find_call,
    output logic                     find_explicit,
    output element_t                 find_map,
    output element_t                 find_id,
    output logic              [11:0] find_scope,
    output logic                     find_last_valid,
    output logic              [31:0] find_last_id,
    input  found_t                   found,
    // Rows.
    output logic                take,
    output logic [ROW_BITS-1:0] take_row,
    output logic                branch,
    output logic [ROW_BITS-1:0] target,
    input  logic                row_valid,
    input  row_t                row,
    input  logic [ROW_BITS-1:0] number,
    input  logic [ROW_BITS-1:0] run,
    // Dispatch.
    output logic          dispatch_push,
    output logic    [3:0] dispatch_bits,
    output logic    [3:0] dispatch_exp_absent,
    input  intake_t [3:0] dispatch_lanes,
    input  logic    [3:0] dispatch_taken,
    input  logic          dispatch_missing,
    input  logic          dispatch_skipped,
    input  logic          dispatch_null,
    input  logic          dispatch_one,
    input  logic          dispatch_more,
    // Stages behind.
    output issue_t           issue,
    output intake_t    [3:0] intakes,
    input  logic             stall,
    input  element_t         head_map,
    input  element_t         head_id,
    input  element_t         pushed_map,
    input  logic       [3:0] d_known,
    input  logic       [3:0] d_empty,
    input  logic             length_valid,
    input  logic       [2:0] length_frame,
    input  logic      [31:0] length_value,
    input  logic             failed,
    input  logic       [2:0] failed_packet
);
  typedef enum logic [3:0] {
    IDLE, LATER, CALLING, FIND, FINDING, FOUND, ROW, TEXT_REST, RAW, AWAIT, ROUND, POISON, FAIL
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
  logic [2:0] maps_use;
  logic [4:0] bits;
  logic [3:0] maps_depth;

  fast_maps u_maps (
      .clk, .rst,
      .clear(maps_clear),
      .save(maps_save),
      .load(maps_load),
      .map(maps_map),
      .use_bits(maps_use),
      .advance(go),
      .restore(maps_restore),
      .bits,
      .rest(maps_rest),
      .depth(maps_depth)
  );

  // ------------------------------------------------------------------------------ frames
  logic frames_clear, frames_push, frames_push_call, frames_push_known, frames_pop, frames_pop_two;
  logic frames_element, top_loop, top_call, top_known, top_last, below_none, below_call;
  logic [ROW_BITS-1:0] frames_push_row, top_row, below_row;
  logic [31:0] frames_push_left;
  logic [3:0] frames_depth;

  fast_frames u_frames (
      .clk, .rst,
      .clear(frames_clear),
      .push(frames_push),
      .push_call(frames_push_call),
      .push_row(frames_push_row),
      .push_known(frames_push_known),
      .push_left(frames_push_left),
      .pop(frames_pop),
      .pop_two(frames_pop_two),
      .element(frames_element),
      .length_valid,
      .length_frame,
      .length_value,
      .depth(frames_depth),
      .top_loop, .top_call, .top_row, .top_known, .top_last,
      .below_none, .below_call, .below_row
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
      .clk, .rst, .settings,
      .between(state_q == IDLE),
      .header, .next, .consumed,
      .first_same, .answered_late, .answer_good, .answer, .first_status,
      .head_taken(state_q == LATER || state_q == CALLING),
      .head_call(state_q == CALLING),
      .head_explicit(window[0].bit6),
      .find(state_q == FIND),
      .head_map, .head_id,
      .maps_full(maps_depth >= 4'd8),
      .calling, .later_same, .found_now, .find_status, .find_status_late, .found_template,
      .find_valid, .find_call, .find_explicit, .find_map, .find_id,
      .find_last_valid, .find_last_id, .found,
      .begin_same, .begin_answer, .begin_found,
      .begin_call(call_found),
      .issued(issue.valid),
      .failing(state_q == FAIL),
      .begins, .fresh, .template_index, .begun_row,
      .map(begun_map)
  );
  assign find_scope = row.target;
  assign consumed = state_q == IDLE && (state_d == FAIL || packet_done);

  // ------------------------------------------------------------------------------ what follows
  logic complete, over, finish, goes_round, last_round, ring_top, ring_begun;
  logic [7:0] control_status;
  logic test_bit, window_header, header_truncated, window_over;
  logic [ROW_BITS-1:0] successor;

  function automatic logic in_ring(logic [ROW_BITS-1:0] wanted, logic [ROW_BITS-1:0] first,
                                   logic [ROW_BITS-1:0] here);
    return wanted >= first && wanted <= here && here - wanted <= ROW_BITS'(10);
  endfunction

  assign truncated = aborted ? ABORTED : TRUNCATED;
  assign ring_top = in_ring(top_row, run, number);
  assign ring_begun = in_ring(begun_row, run, number);
  assign successor = number + 1'b1;
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
        OP_CONSTANT: dispatch_exp_absent[k] = row.shapes[k].tested
                                              ? !bits[{1'b0, row.shapes[k].bit_at}]
                                              : row.slots[k].presence == CLEAR;
        OP_DEFAULT:  dispatch_exp_absent[k] = none;
        default:     dispatch_exp_absent[k] = fresh ? none : dictionary_none_q[k];
      endcase
    end
  end
  assign dispatch_push = row.push && !pushed_q;
  // Elsewhere the row's bits are behind.
  assign maps_use = state_q != ROW ? 3'd0 : row.bits_used - 3'(dispatch_skipped);
  assign test_bit = bits[row.bits_used-3'd1];

  // ------------------------------------------------------------------------------ the cycle
  logic two_steps, may_go, watchdog, killed, text_rest, raw_rest;
  logic lengthy;      // the length has a value other than 0
  assign two_steps = row.push && (row.conditional || row.pop) && !pushed_q;
  assign watchdog = rows_q <= 32'd1;
  assign killed = failed && (failed_packet == packet_q || settings.reset == 2'd0);
  assign may_go = state_q == ROW && row_valid && !stall && !killed;
  assign text_rest = row.is_text && dispatch_lanes[last_lane].stream && dispatch_more;
  assign raw_rest = row.is_raw && dispatch_lanes[last_lane].stream
                    && !(row.slots[last_lane].optional && dispatch_null);
  assign lengthy = !(dispatch_null || row.slots[last_lane].optional && dispatch_one);

  always_comb begin
    state_d = state_q;
    go = 1'b0;
    complete = 1'b0;
    control_status = COMPLETE;
    pop = 4'd0;
    drop = 1'b0;
    packet_done = 1'b0;
    raw_begin = 1'b0;
    take = 1'b0;
    take_row = successor;
    branch = 1'b0;
    target = row.target;
    begin_same = 1'b0;
    begin_answer = 1'b0;
    begin_found = 1'b0;
    call_found = 1'b0;
    finish = 1'b0;
    over = 1'b0;
    frames_push = 1'b0;
    frames_push_call = 1'b0;
    frames_push_row = successor;
    frames_push_known = 1'b0;
    frames_push_left = length_value;
    frames_pop = 1'b0;
    frames_pop_two = 1'b0;
    frames_element = 1'b0;
    maps_save = 1'b0;
    maps_restore = 1'b0;
    goes_round = 1'b0;
    last_round = 1'b0;

    issue = '0;
    issue.packet = packet_q;
    issue.map = base;
    issue.lane = last_lane;
    issue.frame = frames_depth[2:0];
    issue.template_index = template_index;
    issue.tid = header.tid;
    issue.tstamp = header.tstamp;
    issue.begins = begins;
    issue.fresh = fresh;
    intakes = dispatch_lanes;

    case (state_q)
      IDLE: begin
        if (header.valid && header.failed && header.map.length == 5'd0 && window_over) begin
          packet_done = 1'b1;
        end else if (poisoned_q || header.failed) begin
          if (!stall && header.valid && (header.failed || header.complete)) begin
            issue.valid = 1'b1;
            issue.status = poisoned_q ? POISONED : truncated;
            state_d = FAIL;
          end
        end else if (first_same) begin
          begin_same = 1'b1;
          state_d = ROW;
        end else if (answer_good) begin
          begin_answer = 1'b1;
          branch = 1'b1;
          target = answer.row;
          state_d = ROW;
        end else if (answered_late && !stall) begin
          issue.valid = 1'b1;
          issue.status = first_status;
          state_d = FAIL;
        end
      end

      LATER, CALLING: if (!stall && !killed) begin
        if (window_header) begin
          pop = window[0].bit6 ? 4'd2 : 4'd1;
          state_d = FIND;
        end else if (state_q == LATER && window_over) begin
          packet_done = 1'b1;
          state_d = IDLE;
        end else if (header_truncated) begin
          issue.valid = 1'b1;
          issue.status = truncated;
          state_d = FAIL;
        end
      end

      FIND: begin
        state_d = FINDING;
        if (!calling && later_same) begin
          begin_same = 1'b1;
          state_d = ROW;
        end
      end

      FINDING: if (found_now) begin
        target  = found.row;
        state_d = FOUND;
        if (find_status == COMPLETE) begin
          branch = 1'b1;
          begin_found = !calling;
          call_found = calling;
          maps_save = calling;
          if (!calling) state_d = ROW;
        end
      end

      FOUND: if (!stall) begin
        issue.valid = 1'b1;
        issue.call_begins = find_status_late == COMPLETE;
        issue.template_index = found_template;
        issue.status = find_status_late;
        state_d = find_status_late == COMPLETE ? ROW : FAIL;
      end

      ROW: if (may_go) begin
        if (watchdog) begin
          issue.valid = 1'b1;
          issue.void_row = 1'b1;
          issue.status = TRAP_WATCHDOG;
          state_d = FAIL;
        end else if (map_load_q && (row.conditional || row.pop || row.push)) begin
          // The bits are not there yet.
        end else if (row.waits && settle_q != 3'd0) begin
          // Nor is the dictionary's state.
        end else if (two_steps || dispatch_push && !window[0].valid) begin
          if (window[0].valid || ended) begin
            issue.valid = 1'b1;
            issue.push = window[0].valid;
            pop = {3'd0, window[0].valid};
            maps_save = 1'b1;
            if (!window[0].valid) begin
              issue.status = truncated;
              issue.void_row = 1'b1;
              state_d = FAIL;
            end else if (maps_depth >= 4'd8) begin
              issue.status = TRAP_DEPTH;
              issue.void_row = 1'b1;
              state_d = FAIL;
            end
          end
        end else if (!dispatch_missing || ended) begin
          go = 1'b1;
          issue.valid = 1'b1;
          issue.execute = 1'b1;
          issue.push = dispatch_push;
          maps_save = dispatch_push;
          pop = dispatch_taken;
          if (dispatch_missing) begin
            pop = 4'd0;
            issue.status = truncated;
            state_d = FAIL;
          end else if (dispatch_push && maps_depth >= 4'd8) begin
            issue.status = TRAP_DEPTH;
            issue.void_row = 1'b1;
            state_d = FAIL;
          end else if (raw_rest) begin
            raw_begin = 1'b1;
            issue.again = 1'b1;
            state_d = RAW;
          end else if (text_rest) state_d = TEXT_REST;
          else complete = 1'b1;
        end
      end

      TEXT_REST: if (!stall && !killed) begin
        if (window[0].valid || ended) begin
          issue.valid = 1'b1;
          issue.more_text = 1'b1;
          intakes = '0;
          intakes[last_lane].active = 1'b1;
          intakes[last_lane].stream = 1'b1;
          intakes[last_lane].bit_set = 1'b1;
          intakes[last_lane].first = base;
          intakes[last_lane].missing_first = !window[0].valid;
          pop = {3'd0, window[0].valid};
          if (!window[0].valid) begin
            issue.status = truncated;
            state_d = FAIL;
          end else if (!window[0].more) complete = 1'b1;
        end
      end

      RAW: if (!killed) begin
        if (raw_failed) begin
          issue.valid = 1'b1;
          issue.status = truncated;
          state_d = FAIL;
        end else if (raw_valid) begin
          issue.valid = 1'b1;
          issue.raw = 1'b1;
          issue.again = raw_more;
          complete = !raw_more;
        end
      end

      AWAIT: if (length_valid && length_frame == frames_depth[2:0] && !killed) begin
        if (length_value == 32'd0) begin
          branch  = 1'b1;
          state_d = ROW;
        end else if (frames_depth >= 4'd8) begin
          issue.valid = 1'b1;
          issue.status = TRAP_DEPTH;
          state_d = FAIL;
        end else begin
          frames_push = 1'b1;
          frames_push_known = 1'b1;
          take = 1'b1;
          state_d = ROW;
        end
      end

      ROUND: if (top_known && !killed && !stall) begin
        if (top_last) last_round = 1'b1;
        else goes_round = 1'b1;
      end

      POISON: if (!stall) begin
        issue.valid = 1'b1;
        issue.begins = 1'b0;
        issue.status = POISONED;
        state_d = FAIL;
      end

      default: begin  // FAIL
        branch = 1'b1;
        target = begun_row;
        drop = 1'b1;
        packet_done = 1'b1;
        state_d = IDLE;
      end
    endcase

    // -------------------------------------------------------------------------- the row's control
    if (complete) begin
      state_d = ROW;
      if (row.pop) begin
        if (maps_depth == 4'd0) control_status = TRAP_PROGRAM;
        else if (settings.strict && maps_rest) control_status = R8;
        maps_restore = 1'b1;
      end
      if (control_status == COMPLETE) begin
        case (row.control)
          NEXT: take = 1'b1;
          JUMP: branch = 1'b1;
          SEQUENCE: begin
            issue.counts = 1'b1;
            if (row.length_operated) state_d = AWAIT;
            else if (!lengthy) branch = 1'b1;
            else if (frames_depth >= 4'd8) control_status = TRAP_DEPTH;
            else begin
              frames_push = 1'b1;
              take = 1'b1;
            end
          end
          TEST: begin
            take   = state_q == ROW ? test_bit : test_q;
            branch = !take;
          end
          CALL: begin
            if (frames_depth >= 4'd8) control_status = TRAP_DEPTH;
            else begin
              frames_push = 1'b1;
              frames_push_call = 1'b1;
              state_d = CALLING;
            end
          end
          FINISH: finish = 1'b1;
          default: begin  // LOOP, LOOP_END
            issue.element = 1'b1;
            if (!top_loop) control_status = TRAP_PROGRAM;
            else if (!top_known) state_d = ROUND;
            else if (top_last) last_round = 1'b1;
            else goes_round = 1'b1;
          end
        endcase
      end
    end

    if (goes_round) begin
      frames_element = 1'b1;
      state_d = ROW;
      take_row = top_row;
      target = top_row;
      take = ring_top;
      branch = !ring_top;
    end
    if (last_round) begin
      state_d = ROW;
      if (row.control == LOOP) begin
        frames_pop = 1'b1;
        take = 1'b1;
      end else finish = 1'b1;
    end

    // The end of a message or of a called part. Behind a loop its frame goes, too.
    if (finish) begin
      if (maps_depth == 4'd0) control_status = TRAP_PROGRAM;
      else if (settings.strict && maps_rest) control_status = R8;
      else if (last_round ? below_none : frames_depth == 4'd0) begin
        issue.ends = 1'b1;
        issue.valid = 1'b1;
        over = ended && !leftover && !(pop[3] || window[pop[2:0]].valid);
        packet_done = over;
        take_row = begun_row;
        target = begun_row;
        if (over && first_same) begin
          begin_same = 1'b1;
          state_d = ROW;
        end else if (over && answer_good) begin
          begin_answer = 1'b1;
          target = answer.row;
          state_d = ROW;
        end else state_d = over ? IDLE : LATER;
        branch = begin_answer || !ring_begun;
        take = !branch;
      end else if (last_round ? below_call : top_call) begin
        issue.call_ends = 1'b1;
        issue.valid = 1'b1;
        maps_restore = 1'b1;
        frames_pop = !last_round;
        frames_pop_two = last_round;
        branch = 1'b1;
        target = last_round ? below_row : top_row;
        state_d = ROW;
      end else control_status = TRAP_PROGRAM;
    end
    if (control_status != COMPLETE) begin
      issue.valid = 1'b1;
      issue.status = control_status;
      take = 1'b0;
      branch = 1'b0;
      state_d = FAIL;
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
  assign maps_map = map_load_q ? map_bits(pushed_map) : begun_map;

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

    // The state of exponents' entries: settled four cycles behind the row before.
    if (issue.valid) settle_q <= 3'd3;
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
