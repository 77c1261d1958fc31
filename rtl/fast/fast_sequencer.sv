// The core's control: messages and their headers, when a row goes, and what follows it.
//
// States. IDLE waits for a packet's first header, LATER for a later one in the queue, CALLING for that
// of a call; FIND compares it and looks it up, FOUND acts on it a cycle later. ROW dispatches; where
// more than the next row can follow, or the presence map ends, CONTROL executes a cycle later what was
// worked out meanwhile, and waits for the length of a sequence at the end of its first element. ENDED
// goes on to the next message. TEXT_REST and RAW pass the rest
// of a string by, AWAIT waits for the value of a length with an operator. FAIL skips the rest of the
// packet.
//
// A row comes in hand decoded (`row_q`); the one that is expected behind it waits in `following`. A
// sequence's first row is dispatched in the cycle in which its length is seen to be 0, 1, or more.
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
    output logic [3:0] taken,  // elements that go if
    output logic [7:0] last,  // the last of them, one bit for each
    output logic pops,  // they do
    output logic pops_two,  // or two do
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
    output logic [5:0] load_row,  // `following` comes in hand, not its map alone; all say the same
    output logic expect_other,
    output logic [3:0] top_done,  // each bit says the same: the sequence's last element is in hand
    output logic [ROW_BITS-1:0] top_row,  // the loop's first row
    output logic [ROW_BITS-1:0] begun_row,  // that in which the last message began
    output logic branch,
    output logic [ROW_BITS-1:0] target,
    input logic following_valid,
    input row_t following,
    input source_t following_source,
    input row_t row,
    input logic [ROW_BITS-1:0] number,
    input logic [ROW_BITS-1:0] successor,
    input logic [ROW_BITS-1:0] run,
    // Stages behind.
    output issue_t issue,
    output intake_t [3:0] intakes,
    output marks_t marks,  // of the row issued a cycle ago
    input logic stall,
    input element_t head_map,
    input element_t head_id,
    input logic [4:0] head_bits,
    input part_map_t head_part,
    input logic [3:0] d_known,
    input logic [3:0] d_empty,
    input logic length_counts,
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
  // The state is one behind a row's dispatch; one between messages; one in which a row may come in hand
  // ahead.
  logic behind_row_q, between_q, may_ahead_q;
  logic idle_beside_q;
  logic map_load_q, map_busy_q;
  logic [4:0] issued_q;  // in the last five cycles
  logic settled;
  logic [7:0] truncated;

  // The row in hand; once it is dispatched it is there for its control.
  logic valid_q;
  decoded_t row_q;
  logic able_q;  // it is there, and it is known what is NULL
  logic again_q;  // its presence map was pushed, its slots come next
  logic watchdog;  // no row may go any more
  logic first_q;  // of CONTROL's cycles
  logic told_q;  // that an element ends was told
  logic ends_q;  // its control ends an element or a message
  logic lengthy_q;  // the length has a value other than 0
  logic one_q;  // it is 1
  logic awaited_q, awaited_none_q;  // the length with an operator came a cycle ago; it is 0
  logic [31:0] awaited_value_q;
  logic sequence_q, no_sequence;  // a sequence began a cycle ago; it has no element
  logic [ROW_BITS-1:0] sequence_row_q, sequence_target_q;

  decoded_t decoded;  // the row that comes in hand
  logic goes, go;  // the row in hand does; its slots are issued
  logic again_went_q;  // it takes the same entry as that which has just gone

  logic controls, complete, over_q, left_over, branches, branches_d, takes_q;
  follow_t follow_d, follow;  // worked out, and a cycle later

  logic [1:0] loads;  // a row comes in hand; both say the same
  logic stays;  // what comes is the map of `following` alone
  logic element_ends;
  logic [1:0] executes;  // the same as `go`: for the stages behind, and for the watchdog
  logic goes_row, own_goes_row, lates, own_lates, moves, own_moves, saves, own_saves;

  // ------------------------------------------------------------------------------ presence maps
  logic maps_clear, maps_save, maps_load, maps_restore, maps_restores, maps_rest;
  logic [2:0] maps_move;
  logic maps_late;
  logic [62:0] begun_map, pushed_map;
  logic [4:0] bits;
  logic maps_none, maps_full;

  fast_maps u_maps (
      .clk,
      .rst,
      .clear   (maps_clear),
      .save    (maps_save),
      // What it would be: whether it is moves it.
      .load    (maps_clear || state_q[FINDING]),
      .map     (begun_map),
      .pushed  (map_load_q),
      .again   (again_q),
      .element (pushed_map),
      .use_bits(decoded.uses),
      .moves   (maps_move),
      // A row in hand with such a bit is not plain: none comes in hand with it.
      .lates   (valid_q && row_q.late),
      .late    (maps_late),
      .restores(maps_restores),
      .restore (maps_restore),
      .bits,
      .rest    (maps_rest),
      .none    (maps_none),
      .full    (maps_full)
  );

  // ------------------------------------------------------------------------------ frames
  logic
      frames_clear,
      frames_do,
      frames_push,
      frames_push_call,
      frames_push_known,
      frames_pop,
      frames_pop_two;
  logic frames_element, top_loop, top_call, soon_known, soon_last, below_none, below_call;
  logic [ROW_BITS-1:0] frames_push_row, below_row;
  logic [31:0] frames_push_left;
  logic [ 2:0] frames_depth;
  logic frames_none, frames_full, frames_fill;

  fast_frames u_frames (
      .clk,
      .rst,
      .clear     (frames_clear),
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
      .fill      (frames_fill),
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

  // ------------------------------------------------------------------------------ failures
  logic [2:0] own_packet;
  logic killed, kills_own, known, never, lost, poisoned;
  logic own_packet_done;

  fast_failures u_failures (
      .clk,
      .rst,
      .reset  (settings.reset),
      .failed,
      .failed_packet,
      .failing(state_q[FAIL]),
      .packet_done,
      .gone   (own_packet_done && (state_q[ENDED] || state_q[LATER])),
      .stall,
      .packet (own_packet),
      .killed,
      .kills_own,
      .known,
      .never,
      .lost,
      .poisoned
  );

  // ------------------------------------------------------------------------------ headers
  logic
      first_same, next_same, answered_late, answer_good, calling, later_same, found_now, found_good;
  logic [ROW_BITS-1:0] answer_row;
  logic begins, fresh, consumed, first_fails;
  logic [7:0] first_status, find_status_late;
  logic [ROW_BITS-1:0] found_row;
  logic [TEMPLATE_BITS-1:0] found_template, template_index;
  logic begin_same, begin_answer, begin_found, begin_call, begin_looked, begin_message, begin_any;
  logic begin_first;

  fast_message u_message (
      .clk,
      .rst,
      .settings,
      .between       (state_q[IDLE]),
      .between_beside(idle_beside_q),
      .between_late  (between_q),
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
      .head_bits     (pushed_map),
      .head_scope    (row.target),
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
      .find_scope,
      .find_last_valid,
      .find_last_id,
      .found,
      .begin_first,
      .begin_found,
      .begin_call,
      .begin_looked,
      .begin_message,
      .begin_any,
      .issued        (issued_q[0]),
      .failing       (state_q[FAIL]),
      .begins,
      .fresh,
      .template_index,
      .begun_row,
      .map           (begun_map)
  );
  assign consumed = state_q[IDLE] && (packet_done || (killed ? kills_own : first_fails));

  // ------------------------------------------------------------------------------ what follows
  logic window_header, header_truncated, window_over;
  logic begun_near_q;
  // Between messages, of the packet in hand a cycle ago: its header; that there is none, nor anything else.
  logic complete_q, failed_q, none_q;

  assign truncated = aborted ? ABORTED : TRUNCATED;
  assign window_header = window[0].valid && (!window[0].bit6 || window[1].valid);
  assign window_over = ended && !window[0].valid && !leftover;
  assign header_truncated = ended && !window_header;

  // ------------------------------------------------------------------------------ the row in hand
  logic [3:0] missing;  // for states and records, for maps, for rows, for the queue
  logic last_null, last_one, last_more;
  intake_t [3:0] lanes;

  // Between messages the row in which the last one began comes in hand ahead, if it tests no bit.
  logic ahead, ahead_q;

  fast_hand u_hand (
      .clk,
      .rst,
      .following,
      .row,
      .pushed  (again_q),
      .bits    (again_q ? head_bits : bits),
      .decoded,
      .loads,
      .ahead,
      .begin_same,
      .goes,
      .keeps   (state_q[ROW] && !no_sequence),
      .branch,
      .window,
      .ended,
      .settled,
      .d_known,
      .d_empty,
      .valid   (valid_q),
      .able    (able_q),
      .is_ahead(ahead_q),
      .in_hand (row_q)
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

  assign expect_other = state_q[ROW] && valid_q && row_q.turns && !sequence_q || behind_row_q;

  // ------------------------------------------------------------------------------ the cycle
  logic runs_out, text_rest, raw_rest, too_deep, frames_over;
  logic one;  // the sequence's length is seen to be 1
  assign no_sequence = sequence_q && !lengthy_q;
  assign one = row_q.opens && !row_q.lane_optional && last_one;
  assign too_deep = sequence_q && lengthy_q && frames_full;
  // There is no frame for a sequence that this row opens: 0 is none's length, any other fails.
  assign frames_over = frames_full || sequence_q && frames_fill;
  assign text_rest = row.is_text && row_q.lane_streams && last_more;
  assign raw_rest = row.is_raw && row_q.lane_streams && !(row_q.lane_optional && last_null);

  state_t own_state, after;
  // What stands without what is late: kept, or else synthesis mixes the two.
  (* keep *)
  state_t before_control;
  (* keep *)
  logic   own_branch;
  issue_t own_issue;
  logic own_load, rolls;
  logic map_goes;  // the map that a row pushes goes alone
  logic takes_header;  // of a message in the queue, when it is there;
  logic may_take_header;  // so, but for `killed`

  // What goes, and the row behind that comes in hand with it, apart from all else: much hangs on them.
  logic ready;  // the row in hand goes, if what it takes is there
  logic row_pops;  // what it takes is popped then: earlier
  logic issues, speaks;  // anything; what follows a row, by itself
  logic may_load;
  logic may_load_row, rolls_row, own_load_row;  // the same, if it is not its map alone
  assign goes = ready && (!missing[0] || ended);
  assign go = goes && !row_q.map_alone;
  assign map_goes = goes && row_q.map_alone;
  assign stays = decoded.map_alone;
  fast_decide u_decide (
      .idle         (state_q[IDLE]),
      .finding      (state_q[FINDING]),
      .in_row       (state_q[ROW]),
      .control      (state_q[CONTROL]),
      .await        (state_q[AWAIT]),
      .ended        (state_q[ENDED]),
      .killed,
      .stall,
      .valid        (valid_q),
      .able         (able_q),
      .again        (again_went_q),
      .plain        (row_q.plain),
      .opens        (row_q.opens),
      .late         (row_q.late),
      .map_alone    (row_q.map_alone),
      .map_pushes   (row_q.pushes),
      .over_now     (ended),
      .map_loads    (maps_load),
      .watchdog,
      .sequence_open(sequence_q),
      .lengthy      (lengthy_q),
      .full         (frames_full),
      .awaited      (awaited_q),
      .awaited_none (awaited_none_q),
      .following_valid,
      .following_source,
      .conditional  (following.conditional),
      .push         (following.push),
      .stays,
      .may_ahead    (may_ahead_q),
      .begun_near   (begun_near_q),
      .is_ahead     (ahead_q),
      .first        (first_q),
      .counts       (row_q.counts),
      .ends         (ends_q),
      .map_busy     (map_busy_q),
      .checks       (follow.checks),
      .maps_rest,
      .waits        (follow.waits),
      .takes        (takes_q),
      .takes_source (follow.source),
      .poisoned,
      .over         (over_q),
      .first_same,
      .next_same,
      .later_same,
      .answer_good,
      .found_now,
      .found_good,
      .calling,
      .pops         (row_pops),
      .ready,
      .runs_out,
      .rolls,
      .rolls_row,
      .goes_row,
      .own_goes_row,
      .lates,
      .own_lates,
      .moves,
      .own_moves,
      .saves,
      .own_saves,
      .loads        (own_load),
      .loads_row    (own_load_row),
      .ahead,
      .frames_do,
      .controls,
      .left_over,
      .complete,
      .begin_same,
      .begin_first,
      .begin_answer,
      .begin_found,
      .begin_call,
      .begin_looked,
      .begin_message,
      .begin_any
  );

  // Where a branch would go, before it is known whether there is one.
  always_comb begin
    unique case (1'b1)
      state_q[IDLE]:    target = answer_row;
      state_q[FINDING]: target = found_row;
      state_q[ROW]:     target = sequence_target_q;
      state_q[CONTROL]: target = follow.target;
      state_q[AWAIT]:   target = row.target;
      // An answer to a header that agrees with the last message is that one's row.
      state_q[ENDED]:   target = over_q && answer_good ? answer_row : begun_row;
      default:          target = begun_row;
    endcase
  end

  // What would go, before it is known whether.
  always_comb begin
    taken = 4'd1;
    last  = 8'd1;
    if (state_q[ROW]) {taken, last} = {row_q.taken, row_q.last};
  end

  // Apart from the states' other work: the queue hangs on it. What is popped in the cycle in which the packet
  // in hand fails (`killed`) does not matter: the rest of it is dropped.
  assign may_take_header = (state_q[LATER] || state_q[CALLING]) && !stall;
  assign takes_header = may_take_header && !killed;
  assign pops = row_pops && !missing[3]
      || may_take_header && window[0].valid && !window[0].bit6
      || state_q[TEXT_REST] && !stall && window[0].valid;
  assign pops_two = may_take_header && window[0].valid && window[0].bit6 && window[1].valid;

  always_comb begin
    drop = 1'b0;
    own_packet_done = 1'b0;
    first_fails = 1'b0;
    raw_begin = 1'b0;
    own_branch = 1'b0;

    own_issue = '0;
    own_issue.packet = own_packet;
    own_issue.lane = row_q.lane;
    // A sequence's first row may go in the cycle in which its frame is pushed, and have a length itself.
    own_issue.frame = frames_depth + 3'(sequence_q);
    own_issue.template_index = template_index;
    own_issue.tid = header.tid;
    own_issue.tstamp = header.tstamp;
    own_issue.begins = begins;
    own_issue.fresh = fresh;
    own_issue.execute = executes[0];
    own_issue.counts = go && row.control == SEQUENCE;
    own_issue.tells = go && row.control == SEQUENCE && !one && !frames_over;
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
        if (lost) begin
          own_issue.valid  = !stall;
          own_issue.status = POISONED;
        end else if (poisoned || failed_q) begin
          if (none_q) own_packet_done = 1'b1;
          else if (!stall && (failed_q || complete_q)) begin
            own_issue.valid = 1'b1;
            own_issue.status = poisoned ? POISONED : truncated;
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
        // At most one of these four: a row goes if there is nothing else to do.
        if (no_sequence && !killed) own_branch = 1'b1;
        if (too_deep && !killed) begin
          own_issue.valid = 1'b1;
          own_issue.status = TRAP_DEPTH;
          own_state = only(FAIL);
        end
        if (runs_out) begin
          own_issue.valid = 1'b1;
          own_issue.void_row = 1'b1;
          own_issue.status = TRAP_WATCHDOG;
          own_state = only(FAIL);
        end
        if (goes) begin
          own_issue.push = row_q.pushes && window[0].valid;
          if (missing[0]) begin
            own_issue.status = truncated;
            own_issue.void_row = row_q.pushes && !window[0].valid;
            own_state = only(FAIL);
          end else if (row_q.pushes && maps_full) begin
            own_issue.status = TRAP_DEPTH;
            own_issue.void_row = 1'b1;
            own_state = only(FAIL);
          end else if (row_q.map_alone) begin
            // Its slots come when its bits are there.
          end else if (raw_rest) begin
            raw_begin = 1'b1;
            own_issue.again = 1'b1;
            own_state = only(RAW);
          end else if (text_rest) own_state = only(TEXT_REST);
          else if (!row_q.plain) own_state = only(CONTROL);
        end
      end

      state_q[CONTROL]: own_state = only(CONTROL);

      state_q[ENDED]: begin
        if (!begun_near_q) own_branch = 1'b1;
        if (!over_q) own_state = only(LATER);
        else begin
          // Of a message that fails now, FAIL leaves the packet.
          own_packet_done = !killed;
          own_state = only(IDLE);
        end
      end

      state_q[TEXT_REST]: begin
        own_state = only(TEXT_REST);
        if (!stall && !killed && (window[0].valid || ended)) begin
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
          if (!lost) own_state = only(FAIL);
        end
      end

      default: begin  // FAIL
        // Under the policy `never` a failure before takes this one out of the pipeline: until none can come.
        own_state = only(FAIL);
        if (killed ? kills_own : known || !never || settled) begin
          own_branch = 1'b1;
          drop = 1'b1;
          own_packet_done = 1'b1;
          own_state = only(IDLE);
        end
      end
    endcase
  end

  fast_follow u_follow (
      .row,
      .strict     (settings.strict),
      .lengthy    (lengthy_q),
      .test_bit   (row_q.test_bit),
      .maps_none,
      // Behind a length its frame is pushed in this cycle.
      .frames_none(frames_none && !sequence_q),
      .frames_full(frames_over),
      .top_loop   (top_loop || sequence_q),
      .top_call   (top_call && !sequence_q),
      .top_row,
      .top_known  (soon_known && !sequence_q),
      .top_last   (soon_last),
      .below_none,
      .below_call,
      .below_row,
      .follow     (follow_d)
  );
  always_ff @(posedge clk) begin
    follow <= follow_d;
    branches <= branches_d;
    takes_q <= follow_d.take && !branches_d;
  end
  // A loop's first row is fetched anew if it is not in the ring.
  assign branches_d = follow_d.branch || follow_d.rounds && !in_ring(top_row, run, number);
  // With a presence map of its own a row comes in hand twice; then it stays `following`.
  for (genvar i = 0; i < 2; i++) begin : gen_load
    fast_late u_load (
        .own    (own_load),
        .rolls,
        .missing(missing[2]),
        .may    (may_load),
        .complete,
        .does   (loads[i])
    );
  end
  for (genvar i = 0; i < 6; i++) begin : gen_load_row
    fast_late u_load_row (
        .own    (own_load_row),
        .rolls  (rolls_row),
        .missing(missing[2]),
        .may    (may_load_row),
        .complete,
        .does   (load_row[i])
    );
  end
  for (genvar i = 0; i < 2; i++) begin : gen_execute
    fast_late u_execute (
        .own    (own_goes_row),
        .rolls  (goes_row),
        .missing(missing[0]),
        .may    (1'b0),
        .complete,
        .does   (executes[i])
    );
  end
  // A row that goes, what follows it and goes out by itself, or anything else.
  assign speaks = !first_q && (follow.ends || follow.call_ends || element_ends && !told_q
                               || left_over || follow.status != COMPLETE);
  fast_late u_issues (
      .own    (own_issue.valid && !killed || ready && ended),
      .rolls  (ready),
      .missing(missing[0]),
      .may    (speaks),
      .complete,
      .does   (issues)
  );
  fast_late u_late (
      .own    (own_lates),
      .rolls  (lates),
      .missing(missing[1]),
      .may    (1'b0),
      .complete,
      .does   (maps_late)
  );
  // The map in hand moves with a row that comes in hand, not for its own map alone, or with one that goes
  // whose last bit is told late.
  for (genvar i = 0; i < 3; i++) begin : gen_move
    fast_late u_move (
        .own    (own_moves),
        .rolls  (moves),
        .missing(missing[1]),
        .may    (may_load_row || maps_restores),
        .complete,
        .does   (maps_move[i])
    );
  end
  // A bit left of the element's own map is its error; one left of its message's is none of the element's.
  assign element_ends = follow.element_ends && !(left_over && row.pop);
  assign maps_restores = state_q[CONTROL] && follow.restore;
  assign may_load = takes_q && !(follow.restore && following.conditional && !following.push);
  assign may_load_row = may_load && !stays;
  // What it would be, whether it is or not: of what else pushes a frame it is the only thing.
  assign frames_push = !state_q[CONTROL] || follow.push;
  assign frames_push_call = follow.push_call;
  assign frames_push_row = sequence_q ? sequence_row_q : successor;
  assign frames_push_known = state_q[AWAIT] || one_q;
  assign frames_push_left = state_q[AWAIT] ? awaited_value_q : 32'd1;
  assign frames_pop = state_q[CONTROL] && follow.pop;
  assign frames_pop_two = state_q[CONTROL] && follow.pop_two;
  assign frames_element = state_q[CONTROL] && follow.element;
  assign maps_restore = complete && follow.restore;

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
    if (left_over) after = only(FAIL);
    if (complete && first_q) begin
      marks.call_ends = follow.call_ends && !left_over;
      marks.ends = follow.ends && !left_over;
      marks.status = left_over ? R8 : follow.status;
    end
    if (state_q[CONTROL]) begin
      // What ends goes out by itself.
      issue.element = element_ends && !told_q;
      issue.call_ends = follow.call_ends && !left_over;
      issue.ends = follow.ends && !left_over;
      issue.status = left_over ? R8 : follow.status;
    end
    issue.valid = issues;

    // A row before failed. Under the policy `never` the packet in hand may be another by now.
    before_control = own_state;
    if (killed) begin
      if (kills_own) before_control = state_q[FAIL] ? only(IDLE) : only(FAIL);
      else if (!state_q[IDLE]) before_control = only(POISON);
      else before_control = only(IDLE);
    end
    // `complete` and `begin_first` are late: they add to what stands, and take CONTROL away, or IDLE.
    state_d = before_control | (after & {$bits(state_t) {complete}});
    state_d[CONTROL] = before_control[CONTROL] && !complete;
    if (!killed && begin_first && before_control[IDLE]) {state_d[IDLE], state_d[ROW]} = 2'b01;
  end

  // ------------------------------------------------------------------------------ registers
  fast_watchdog u_watchdog (
      .clk,
      .begins  (maps_clear),
      .max_rows(settings.max_rows),
      .executes(executes[1]),
      .over    (watchdog)
  );
  // Between messages all is made ready for the next one, whatever it is.
  assign maps_clear = between_q;
  fast_late u_save (
      .own    (own_saves),
      .rolls  (saves),
      .missing(missing[1]),
      .may    (1'b0),
      .complete,
      .does   (maps_save)
  );
  assign frames_clear = maps_clear;
  assign maps_load = maps_clear || begin_call || map_load_q;
  assign pushed_map = whole_map(head_part);
  // The state of exponents' entries, and whether it failed, are so six cycles behind a row.
  assign settled = issued_q == '0;

  // By itself and once more for what is wide: synthesis would take the two for one.
  (* keep *)
  always_ff @(posedge clk) state_q <= rst ? only(IDLE) : state_d;
  (* keep *)
  always_ff @(posedge clk) idle_beside_q <= rst || state_d[IDLE];

  always_ff @(posedge clk) begin
    behind_row_q <= state_d[CONTROL] || state_d[TEXT_REST] || state_d[RAW]
        || state_d[AWAIT];
    // Whether a header in the queue is a call's is known behind its dispatch.
    between_q <= state_d[IDLE] || state_d[ENDED] || state_d[FINDING] && !calling;
    may_ahead_q <= state_d[IDLE] || state_d[LATER] || state_d[FIND] && state_q[LATER]
                   || state_d[FINDING] && !calling;
    over_q <= window_over;
    complete_q <= state_q[IDLE] && header.complete && !packet_done;
    failed_q <= state_q[IDLE] && header.failed && !packet_done;
    none_q <= state_q[IDLE] && header.failed && header.map.length == 5'd0 && window_over
        && !packet_done;
    again_went_q <= go && decoded.again;
    // Presence maps that a row pushes come out of A.
    map_load_q <= own_issue.push;
    // Of a row that has not gone, it does not matter.
    map_busy_q <= state_q[ROW] && row_q.pushes || map_load_q;
    ends_q <= row.control == LOOP || row.control == LOOP_END || row.control == FINISH;
    again_q <= map_goes;
    first_q <= !state_q[CONTROL];
    told_q <= state_q[CONTROL] && (told_q || marks.element);
    awaited_q <= state_q[AWAIT] && length_counts && length_frame == frames_depth;
    awaited_value_q <= length_value;
    awaited_none_q <= length_value == 32'd0;
    if (state_q[ROW]) begin
      lengthy_q <= !(last_null || row_q.lane_optional && last_one);
      one_q <= one;
    end
    sequence_q <= ready && !missing[0] && row_q.plain && row_q.opens;
    sequence_row_q <= successor;
    sequence_target_q <= row.target;
    begun_near_q <= in_ring(begun_row, run, number);

    issued_q <= {issued_q[3:0], issues};

    if (rst) begin
      behind_row_q <= 1'b0;
      between_q <= 1'b1;
      may_ahead_q <= 1'b1;
      map_load_q <= 1'b0;
      map_busy_q <= 1'b0;
      again_q <= 1'b0;
      sequence_q <= 1'b0;
      issued_q <= '0;
    end
  end
endmodule
