// Headers of messages: comparison with the last one, look-up, what a message begins with.
//
// A packet's first header is compared and looked up as soon as it is in the header registers, while
// the message before is decoded; one in the queue is there a cycle behind its dispatch, in `find`.
//   ask or find h    h+1 on its way    h+2, h+3 look-up    h+4 `answered_late` or `found_now`    row h+9
// What the last message began with is kept: a header that agrees needs no look-up.
module fast_message
  import fast_pkg::*;
(
    input logic      clk,
    input logic      rst,
    input settings_t settings,

    // Packets' first headers: that which comes next is `header` between packets, otherwise `next`.
    input  logic                         between,
    input  logic                         between_beside,    // the same, for what is wide
    input  logic                         between_late,      // a message may begin
    input  header_t                      header,
    input  header_t                      next,
    input  logic                         done,              // the packet is left
    input  logic                         consumed,          // it does not begin a message
    output logic                         first_same,        // `header` agreed with the last message
    output logic                         next_same,         // `next` did, a cycle ago
    output logic                         answered_late,     // looked up, a cycle ago or longer
    output logic                         answer_good,
    output logic     [     ROW_BITS-1:0] answer_row,        // a cycle ago or longer
    output logic     [              7:0] first_status,      // what is wrong with it
    // Headers in the queue.
    input  logic                         head_taken,        // dispatched
    input  logic                         head_call,
    input  logic                         head_explicit,
    input  logic                         find,              // the cycle behind
    input  element_t                     head_map,
    input  element_t                     head_id,
    input  logic     [             62:0] head_bits,         // those of `head_map`
    input  logic     [             11:0] head_scope,        // of a call
    input  logic                         maps_full,
    output logic                         calling,
    output logic                         later_same,
    output logic                         found_now,
    output logic                         found_good,        // with `find_status_late` COMPLETE
    output logic     [     ROW_BITS-1:0] found_row,
    output logic     [              7:0] find_status_late,
    output logic     [TEMPLATE_BITS-1:0] found_template,

    // The look-up.
    output logic            find_valid,
    output logic            find_call,
    output logic            find_explicit,
    output element_t        find_map,
    output element_t        find_id,
    output logic     [11:0] find_scope,
    output logic            find_last_valid,
    output logic     [31:0] find_last_id,
    input  found_t          found,

    // A message begins: as the last one, with the answer, or with what was found; or a call.
    input logic begin_first,  // so, or with the answer, and a packet's first header
    input logic begin_found,
    input logic begin_call,
    input logic begin_looked,  // with what was found, or there is an answer that it may agree with
    input logic begin_message,  // any but a call
    input logic begin_any,
    input logic issued,  // its first row, or what tells that there is none: a cycle ago
    input logic failing,
    output logic begins,
    output logic fresh,
    output logic [TEMPLATE_BITS-1:0] template_index,
    output logic [ROW_BITS-1:0] begun_row,
    output logic [62:0] map  // with any of the begin_*
);
  typedef struct packed {
    logic                     valid;
    logic [4:0]               id_length;       // in as few bytes as there can be
    logic [31:0]              id;
    element_t                 map;
    logic                     segment;
    logic                     segmented;
    logic                     resets;
    logic [TEMPLATE_BITS-1:0] template_index;
    logic [ROW_BITS-1:0]      row;
  } begun_t;

  begun_t  begun_q;
  header_t pending;
  logic previous_valid_q, previous_begun_q;  // the last template; it is the begun one
  logic [31:0] previous_id_q;
  logic calling_q, explicit_q;
  logic ask1_q, ask2_q, ask3_q, answer_q;
  logic find1_q, find2_q, find3_q, find4_q, find4_wide_q;
  logic begins_q, fresh_q;
  logic find_good_q, done_q, good_q;
  // In halves, for they are wide: whether it is complete and the map agrees, whether the identifier does.
  logic [1:0] first_map_same_q, first_id_same_q, next_map_same_q, next_id_same_q;
  logic [1:0] later_map_same_q, later_id_same_q;
  logic [TEMPLATE_BITS-1:0] template_q;
  found_t answer_found_q, found_q;
  element_t head_map_q;
  logic [7:0] head_status_q, find_status, find_status_q;
  logic [7:0] asked_status_q;  // what is wrong with the map of a packet's first header
  logic previous_usable, ask, leaves;

  // An identifier that is longer than it need be is refused if `strict`, as is one beyond ten bytes.
  function automatic logic [1:0] same_id(begun_t begun, element_t id, logic strict);
    logic [69:0] groups;
    for (int i = 0; i < 10; i++) groups[7*i+:7] = id.bytes[8*i+:7];
    same_id[0] = groups[34:0] == {3'd0, begun.id};
    same_id[1] = groups[69:35] == '0 && !id.more
        && (strict ? id.length == begun.id_length : id.length <= 5'd10);
  endfunction

  function automatic logic [4:0] shortest(logic [31:0] id);
    return id[31:28] != '0 ? 5'd5 : id[27:21] != '0 ? 5'd4 : id[20:14] != '0 ? 5'd3
        : id[13:7] != '0 ? 5'd2 : 5'd1;
  endfunction

  function automatic logic [1:0] same_map(begun_t begun, element_t map_here);
    same_map[0] = !begun.segmented || map_here.bytes[39:0] == begun.map.bytes[39:0];
    same_map[1] = !map_here.more && (!begun.segmented || map_here.length == begun.map.length
                                     && map_here.bytes[71:40] == begun.map.bytes[71:40]);
  endfunction

  // ------------------------------------------------------------------------------ comparison
  assign pending = between_beside ? header : next;
  assign first_status = asked_status_q != COMPLETE ? asked_status_q : answer_found_q.status;
  // The identifier's previous value outlives a packet under the policy `never` only.
  assign previous_usable = settings.reset == 2'd0 && previous_valid_q;
  function automatic logic [1:0] map_agrees(begun_t begun, header_t one, logic strict);
    return same_map(begun, one.map) &
        {one.complete && map_status(one.map, strict) == COMPLETE, begun.valid};
  endfunction
  function automatic logic [1:0] id_agrees(begun_t begun, header_t one, logic strict, logic usable);
    return one.explicit_id ? same_id(begun, one.id, strict) : {2{usable}};
  endfunction
  logic usable;
  assign usable = previous_usable && previous_begun_q;
  // What was the next packet's header is the current one's behind `done`.
  assign first_same = &{first_map_same_q, first_id_same_q};
  assign later_same = &{later_map_same_q, later_id_same_q};

  // ------------------------------------------------------------------------------ look-up
  // A first header's as soon as it tells the template, and in each cycle again: it is answered the same.
  assign ask = pending.complete && !find && (pending.explicit_id || between);
  // On its way to the memories it takes a cycle.
  always_ff @(posedge clk) begin
    find_valid <= ask || find;
    find_call <= find && calling_q;
    find_explicit <= find ? explicit_q : pending.explicit_id;
    find_map <= find ? head_map : pending.map;
    find_id <= find ? head_id : pending.id;
    find_scope <= head_scope;
    find_last_valid <= find ? (settings.reset != 2'd2 || calling_q) && previous_valid_q
                            : previous_usable;
    find_last_id <= previous_id_q;
  end
  assign leaves = begin_first || consumed;
  assign answered_late = answer_q;
  assign answer_good = answer_q && good_q;
  assign next_same = &{next_map_same_q, next_id_same_q};
  assign answer_row = answer_found_q.row;
  assign found_now = find4_q;
  assign found_good = find_good_q;
  assign find_status = head_status_q != COMPLETE ? head_status_q
                     : found.status != COMPLETE && found.status != TRAP_PROGRAM ? found.status
                     : calling_q && maps_full ? TRAP_DEPTH : found.status;
  assign find_status_late = find_status_q;
  assign found_template = found_q.template_index;
  assign found_row = found_q.row;
  assign calling = calling_q;

  // ------------------------------------------------------------------------------ beginning
  // By itself and once more for what is wide: synthesis would take the two for one.
  (* keep *)
  always_ff @(posedge clk) find4_q <= find3_q && !failing && !rst;
  (* keep *)
  always_ff @(posedge clk) find4_wide_q <= find3_q && !failing && !rst;

  // Their maps' bits are moved into place a cycle before.
  logic [62:0] header_bits_q, next_bits_q, head_bits_q, first_bits;
  always_ff @(posedge clk) begin
    header_bits_q <= whole_map(part_map(header.map, map_moves(header.map.length)));
    next_bits_q <= whole_map(part_map(next.map, map_moves(next.map.length)));
    if (find) head_bits_q <= head_bits;
  end
  assign first_bits = between_beside && !done_q ? header_bits_q : next_bits_q;

  // Which it would be is known before it does.
  logic   as_before;
  found_t looked_up;
  assign as_before = find1_q || !find4_q && (between ? first_same : next_same);
  assign looked_up = find4_wide_q ? found_q : answer_found_q;
  (* keep *)
  logic begins_fresh;
  logic call_resets;
  assign call_resets = begin_call && found_q.resets;
  assign begins_fresh = settings.reset == 2'd2
      || settings.reset == 2'd1 && !begin_found && !find1_q
      || (as_before ? begun_q.resets : looked_up.resets);

  // A segment's rows know their bits.
  always_comb begin
    map = (find1_q || find4_q ? head_bits_q : first_bits) << 1;
    if (as_before ? begun_q.segment : looked_up.segment) map = '0;
  end

  always_ff @(posedge clk) begin
    if (head_taken) begin
      calling_q  <= head_call;
      explicit_q <= head_explicit;
    end
    if (find) begin
      head_map_q <= head_map;
      head_status_q <= map_status(head_map, settings.strict);
    end
    find1_q <= find;
    // What begins as the last message did is not looked up to its end: the next one may begin meanwhile.
    find2_q <= find1_q && !later_same && !failing;
    find3_q <= find2_q && !failing;
    if (find3_q) begin
      found_q <= found;
      find_status_q <= find_status;
      find_good_q <= find_status == COMPLETE;
    end

    // A message takes more than a cycle: neither `next` nor what it is compared with changed since.
    done_q <= done;
    first_map_same_q <= done ? map_agrees(begun_q, next, settings.strict)
        : map_agrees(begun_q, header, settings.strict);
    first_id_same_q <= done ? id_agrees(begun_q, next, settings.strict, usable)
        : id_agrees(begun_q, header, settings.strict, usable);
    later_map_same_q <= same_map(begun_q, head_map)
        & {map_status(head_map, settings.strict) == COMPLETE, begun_q.valid};
    later_id_same_q <= {2{find && !calling_q}}
        & (explicit_q ? same_id(begun_q, head_id, settings.strict)
        : {2{settings.reset != 2'd2 && previous_valid_q && previous_begun_q}});
    next_map_same_q <= map_agrees(begun_q, next, settings.strict);
    next_id_same_q <= id_agrees(begun_q, next, settings.strict, usable);
    // No enables and no resets: the header is left late.
    ask1_q <= ask && !leaves && !rst;
    ask2_q <= ask1_q && !leaves && !rst;
    ask3_q <= ask2_q && !leaves && !rst;
    answer_q <= (answer_q || ask3_q) && !leaves && !rst;
    if (ask) asked_status_q <= map_status(pending.map, settings.strict);
    if (ask3_q) begin
      answer_found_q <= found;
      good_q <= found.status == COMPLETE && asked_status_q == COMPLETE;
    end

    // An answer to a header that agrees with the last message is what that began with.
    if (begin_looked) begin
      begun_q.valid <= 1'b1;
      begun_q.id_length <= shortest(looked_up.id);
      begun_q.id <= looked_up.id;
      begun_q.map <= find4_wide_q ? head_map_q : pending.map;
      begun_q.segment <= looked_up.segment;
      begun_q.segmented <= looked_up.segmented;
      begun_q.resets <= looked_up.resets;
      begun_q.template_index <= looked_up.template_index;
      begun_q.row <= looked_up.row;
    end
    // Ahead of the beginning, which comes late: between messages nobody asks.
    if (between_late) template_q <= as_before ? begun_q.template_index : looked_up.template_index;
    if (begin_any) begin
      previous_valid_q <= 1'b1;
      previous_begun_q <= !begin_call || begun_q.template_index == found_q.template_index;
      previous_id_q <= as_before ? begun_q.id : looked_up.id;
    end

    // As masks: what happens is late.
    begins_q <= begins && !failing || begin_message;
    fresh_q <= begin_message ? begins_fresh : fresh && !failing || call_resets;
    if (rst) begin
      begun_q <= '0;
      previous_valid_q <= 1'b0;
      previous_begun_q <= 1'b0;
      find1_q <= 1'b0;
      done_q <= 1'b0;
      first_map_same_q <= '0;
      next_map_same_q <= '0;
      later_id_same_q <= '0;
      find2_q <= 1'b0;
      find3_q <= 1'b0;
      begins_q <= 1'b0;
      fresh_q <= 1'b0;
    end
  end

  // That a row is issued is late. None is in the cycle in which a message or a call begins.
  assign begins = begins_q && !issued;
  assign fresh = fresh_q && !issued;
  assign template_index = template_q;
  assign begun_row = begun_q.row;
endmodule
