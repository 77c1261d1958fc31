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
    input  logic             failed_packet
);
  typedef enum logic [3:0] {
    IDLE, LATER, CALLING, FIND, FINDING, FOUND, ROW, TEXT_REST, RAW, AWAIT, ROUND, POISON, FAIL
  } state_t;

  // What the last message began with: its row waits for the next.
  typedef struct packed {
    logic                     valid;
    logic                     id_valid;   // the identifier was in the stream
    logic [4:0]               id_length;
    logic [31:0]              id;
    element_t                 map;
    logic                     segment;
    logic                     segmented;
    logic                     resets;
    logic [TEMPLATE_BITS-1:0] template_index;
    logic [ROW_BITS-1:0]      row;
  } begun_t;

  state_t state_q, state_d;
  begun_t begun_q;
  logic packet_q, poisoned_q;
  logic previous_valid_q, previous_begun_q;   // the last template; it is the begun one
  logic [31:0] previous_id_q;
  logic calling_q, explicit_q;                 // the header in FIND: of a call; it has an identifier
  logic asked_q, ask1_q, ask2_q, answer_q;     // the look-up of the first header
  logic find1_q, find2_q;
  found_t answer;
  found_t answer_found_q, found_q;
  element_t head_map_q, head_id_q;
  logic [7:0] head_status_q, find_status, find_status_q;
  logic pushed_q, map_load_q, test_q;
  logic [2:0] settle_q;
  logic [3:0] dictionary_none_q;
  logic begins_q, fresh_q;
  logic [31:0] rows_q;
  logic [TEMPLATE_BITS-1:0] template_q;
  logic [1:0] last_lane;
  logic [7:0] truncated;

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
  header_t pending;     // the first header that comes next
  logic between;        // no message of the packet in hand was begun
  logic first_same, later_same, first_map_bad, previous_usable;

  function automatic logic same_id(begun_t begun, element_t id);
    logic [34:0] groups;
    for (int i = 0; i < 5; i++) groups[7*i+:7] = id.bytes[8*i+:7];
    return begun.id_valid && !id.more && id.length == begun.id_length
           && groups == {3'd0, begun.id};
  endfunction

  function automatic logic same_map(begun_t begun, element_t map);
    return !map.more && (!begun.segmented
           || map.length == begun.map.length && map.bytes[71:0] == begun.map.bytes[71:0]);
  endfunction

  assign between = state_q == IDLE;
  assign pending = between ? header : next;
  assign first_map_bad = map_status(pending.map, settings.strict) != COMPLETE;
  // The identifier's previous value outlives a packet under the policy `never` only.
  assign previous_usable = settings.reset == 2'd0 && previous_valid_q;
  assign first_same = pending.complete && begun_q.valid && !first_map_bad
      && same_map(begun_q, pending.map)
      && (pending.explicit_id ? same_id(begun_q, pending.id)
                              : previous_usable && previous_begun_q);
  assign later_same = begun_q.valid && map_status(head_map, settings.strict) == COMPLETE
      && same_map(begun_q, head_map)
      && (explicit_q ? same_id(begun_q, head_id)
                     : settings.reset != 2'd2 && previous_valid_q && previous_begun_q);

  // The first header is looked up as soon as it is there, as far as it tells the template.
  logic ask, answered, answer_good;
  assign ask = pending.complete && !asked_q && state_q != FIND
               && (pending.explicit_id || between);
  assign find_valid = ask || state_q == FIND;
  assign find_call = state_q == FIND && calling_q;
  assign find_explicit = state_q == FIND ? explicit_q : pending.explicit_id;
  assign find_map = state_q == FIND ? head_map : pending.map;
  assign find_id = state_q == FIND ? head_id : pending.id;
  assign find_scope = row.target;
  assign find_last_valid = state_q == FIND ? (settings.reset != 2'd2 || calling_q) && previous_valid_q
                                           : previous_usable;
  assign find_last_id = previous_id_q;
  assign answered = ask2_q || answer_q;
  assign answer = ask2_q ? found : answer_found_q;
  assign answer_good = answered && answer.status == COMPLETE && !first_map_bad;

  // ------------------------------------------------------------------------------ what follows
  logic go, complete, over, finish, goes_round, last_round, ring_top, ring_begun;
  logic begin_same, begin_answer, begin_found, call_found;
  logic [7:0] control_status;
  logic test_bit, window_header, header_truncated, window_over;
  logic [ROW_BITS-1:0] successor;

  function automatic logic in_ring(logic [ROW_BITS-1:0] wanted, logic [ROW_BITS-1:0] first,
                                   logic [ROW_BITS-1:0] here);
    return wanted >= first && wanted <= here && here - wanted <= ROW_BITS'(10);
  endfunction

  assign truncated = aborted ? ABORTED : TRUNCATED;
  assign ring_top = in_ring(top_row, run, number);
  assign ring_begun = in_ring(begun_q.row, run, number);
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
        default:     dispatch_exp_absent[k] = fresh_q ? none : dictionary_none_q[k];
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
    issue.template_index = template_q;
    issue.tid = header.tid;
    issue.tstamp = header.tstamp;
    issue.begins = begins_q;
    issue.fresh = fresh_q;
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
        end else if (answer_q && !stall) begin
          issue.valid = 1'b1;
          issue.status = first_map_bad ? map_status(pending.map, settings.strict)
                                       : answer.status;
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
        if (!calling_q && later_same) begin
          begin_same = 1'b1;
          state_d = ROW;
        end
      end

      FINDING: if (find2_q) begin
        target  = found.row;
        state_d = FOUND;
        if (find_status == COMPLETE) begin
          branch = 1'b1;
          begin_found = !calling_q;
          call_found = calling_q;
          if (!calling_q) state_d = ROW;
        end
      end

      FOUND: if (!stall) begin
        issue.valid = 1'b1;
        issue.call_begins = find_status_q == COMPLETE;
        issue.template_index = found_q.template_index;
        issue.status = find_status_q;
        state_d = find_status_q == COMPLETE ? ROW : FAIL;
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
        target = begun_q.row;
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
        take_row = begun_q.row;
        target = begun_q.row;
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
  // What a message begins with.
  always_comb begin
    maps_clear = begin_same || begin_answer || begin_found;
    frames_clear = maps_clear;
    maps_load = maps_clear || call_found || map_load_q;
    maps_map = '0;
    if (map_load_q) maps_map = map_bits(pushed_map);
    else if (begin_same && state_q == FIND) maps_map = map_bits(head_map) << 1;
    else if (begin_same || begin_answer) maps_map = map_bits(pending.map) << 1;
    else maps_map = map_bits(head_map_q) << 1;
    // A segment's rows know the bits.
    if (begin_same && begun_q.segment || begin_answer && answer.segment
        || begin_found && found.segment) begin
      maps_map = '0;
    end
  end

  assign find_status = head_status_q != COMPLETE ? head_status_q
                     : found.status != COMPLETE && found.status != TRAP_PROGRAM ? found.status
                     : calling_q && maps_depth >= 4'd8 ? TRAP_DEPTH : found.status;

  always_ff @(posedge clk) begin
    state_q <= state_d;
    if (packet_done) packet_q <= !packet_q;

    // Headers in the queue.
    if (state_q == LATER || state_q == CALLING) begin
      calling_q  <= state_q == CALLING;
      explicit_q <= window[0].bit6;
    end
    if (state_q == FIND) begin
      head_map_q <= head_map;
      head_id_q <= head_id;
      head_status_q <= map_status(head_map, settings.strict);
    end
    find1_q <= state_q == FIND;
    find2_q <= find1_q;
    if (find2_q) begin
      found_q <= found;
      find_status_q <= find_status;
    end

    // First headers.
    ask1_q <= ask;
    ask2_q <= ask1_q;
    if (ask) asked_q <= 1'b1;
    if (ask2_q) begin
      answer_q <= 1'b1;
      answer_found_q <= found;
    end
    if (begin_same && state_q != FIND || begin_answer
        || state_q == IDLE && (state_d == FAIL || packet_done)) begin
      asked_q  <= 1'b0;
      ask1_q   <= 1'b0;
      ask2_q   <= 1'b0;
      answer_q <= 1'b0;
    end

    // The message that begins.
    if (begin_same) begin
      template_q <= begun_q.template_index;
      previous_valid_q <= 1'b1;
      previous_begun_q <= 1'b1;
      previous_id_q <= begun_q.id;
    end
    if (begin_answer || begin_found) begin
      begun_q.valid <= 1'b1;
      begun_q.id_valid <= begin_answer ? pending.explicit_id : explicit_q;
      begun_q.id_length <= begin_answer ? pending.id.length : head_id_q.length;
      begun_q.id <= begin_answer ? answer.id : found.id;
      begun_q.map <= begin_answer ? pending.map : head_map_q;
      begun_q.segment <= begin_answer ? answer.segment : found.segment;
      begun_q.segmented <= begin_answer ? answer.segmented : found.segmented;
      begun_q.resets <= begin_answer ? answer.resets : found.resets;
      begun_q.template_index <= begin_answer ? answer.template_index : found.template_index;
      begun_q.row <= target;
      template_q <= begin_answer ? answer.template_index : found.template_index;
      previous_valid_q <= 1'b1;
      previous_begun_q <= 1'b1;
      previous_id_q <= begin_answer ? answer.id : found.id;
    end
    if (call_found) begin
      previous_valid_q <= 1'b1;
      previous_begun_q <= begun_q.template_index == found.template_index;
      previous_id_q <= found.id;
      if (found.resets) fresh_q <= 1'b1;
    end
    if (issue.valid) begin
      begins_q <= 1'b0;
      fresh_q  <= 1'b0;
    end
    if (maps_clear) begin
      begins_q <= 1'b1;
      fresh_q <= settings.reset == 2'd2 || settings.reset == 2'd1 && !begin_found && state_q != FIND
                 || (begin_same ? begun_q.resets : begin_answer ? answer.resets : found.resets);
      rows_q <= settings.max_rows;
    end
    if (go) rows_q <= rows_q - 32'd1;
    if (state_q == FAIL) begin
      begins_q <= 1'b0;
      fresh_q  <= 1'b0;
      if (settings.reset == 2'd0) poisoned_q <= 1'b1;
    end
    if (failed && settings.reset == 2'd0) poisoned_q <= 1'b1;

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
      packet_q <= 1'b0;
      poisoned_q <= 1'b0;
      begun_q <= '0;
      previous_valid_q <= 1'b0;
      previous_begun_q <= 1'b0;
      asked_q <= 1'b0;
      ask1_q <= 1'b0;
      ask2_q <= 1'b0;
      answer_q <= 1'b0;
      find1_q <= 1'b0;
      find2_q <= 1'b0;
      begins_q <= 1'b0;
      fresh_q <= 1'b0;
      map_load_q <= 1'b0;
      pushed_q <= 1'b0;
      settle_q <= 3'd0;
    end
  end
endmodule
