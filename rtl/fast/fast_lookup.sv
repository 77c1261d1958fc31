// Template look-up: identifier and presence map in cycle h, first row and template in h+2
// (MICROCODE.md §2, §6.5).
//
// The template table has 256 sets of four, indexed by the identifier's low eight bits; entries with a
// scope, which a call prefers, are in a table of the same shape, indexed by those bits xor the
// scope's. {identifier, presence map} segments are compared all at once. A request a cycle.
module fast_lookup (
    input logic clk,
    input logic rst,
    input logic strict,

    input logic                           write_templates,
    input logic                           write_scopes,
    input logic                           write_segment,
    input logic                     [7:0] write_index,
    input fast_load_pkg::template_t [3:0] write_template_set,
    input fast_load_pkg::scope_t    [3:0] write_scope_set,
    input fast_load_pkg::segment_t        write_segment_data,

    input logic valid,
    input logic is_call,  // entries with `scope` go first, segments do not count
    input logic explicit_id,  // otherwise the last one
    input fast_pkg::element_t map,
    input fast_pkg::element_t id,
    input logic [11:0] scope,
    input logic last_valid,
    input logic [31:0] last_id,
    output fast_pkg::found_t found
);
  import fast_pkg::*;
  import fast_load_pkg::*;

  localparam int unsigned SEGMENTS_HELD = 16;

  // ------------------------------------------------------------------------------- h
  logic [69:0] groups;
  logic [31:0] key;
  logic [ 7:0] refused;  // by the identifier alone

  always_comb begin
    for (int i = 0; i < 10; i++) groups[7*i+:7] = id.bytes[8*i+:7];
    key = explicit_id ? groups[31:0] : last_id;

    refused = COMPLETE;
    if (!explicit_id) refused = last_valid ? COMPLETE : D5;
    else if (id.more) refused = TRAP_LONG;
    else if (strict && id.length > 5'd1 && leading_zero(id.length, id.bytes)) refused = R6;
    else if (id.length > 5'd10) refused = strict ? D9 : TRAP_WIDE;
    else if (groups[69:32] != '0) refused = D9;
  end

  function automatic logic leading_zero(logic [4:0] length, logic [127:0] bytes);
    leading_zero = 1'b0;
    for (int n = 2; n <= 16; n++) begin
      if (length == 5'(n)) leading_zero = bytes[8*(n-1)+:8] == 8'd0;
    end
  endfunction

  // The index stands for eight bits of the identifier.
  typedef struct packed {
    logic [23:0] id;
    logic [11:0] row;
    logic [11:0] template_index;
    logic        entered;
    logic        segmented;
    logic        resets;
    logic        valid;
  } template_way_t;
  typedef struct packed {
    logic [23:0] id;
    logic [11:0] scope;
    logic [11:0] row;
    logic        valid;
  } scope_way_t;
  // Of the set that is asked for: `_word` in h+1, from the RAM itself with time for one gate; `set` and
  // `scoped` in h+2.
  template_way_t [3:0] set, set_word, write_set;
  scope_way_t [3:0] scoped, scoped_word, write_scoped;

  always_comb begin
    for (int way = 0; way < 4; way++) begin
      write_set[way].id = write_template_set[way].id[31:8];
      write_set[way].row = write_template_set[way].row;
      write_set[way].template_index = write_template_set[way].template_index;
      write_set[way].entered = write_template_set[way].entered;
      write_set[way].segmented = write_template_set[way].segmented;
      write_set[way].resets = write_template_set[way].resets;
      write_set[way].valid = write_template_set[way].valid;
      write_scoped[way].id = write_scope_set[way].id[31:8];
      write_scoped[way].scope = write_scope_set[way].scope;
      write_scoped[way].row = write_scope_set[way].row;
      write_scoped[way].valid = write_scope_set[way].valid;
    end
  end

  (* ram_style = "block", no_rw_check *) template_way_t [3:0] templates[256];
  (* ram_style = "block", no_rw_check *) scope_way_t [3:0] scopes[256];
  logic [7:0] scope_index;
  assign scope_index = key[7:0] ^ scope[7:0];

  always_ff @(posedge clk) begin
    if (write_templates) templates[write_index] <= write_set;
    set_word <= templates[key[7:0]];
    set <= set_word;
  end
  always_ff @(posedge clk) begin
    if (write_scopes) scopes[write_index] <= write_scoped;
    scoped_word <= scopes[scope_index];
    scoped <= scoped_word;
  end

  // ------------------------------------------------------------------------------- h+1, h+2
  typedef struct packed {
    logic        is_call;
    logic [31:0] key;
    logic [11:0] scope;
    logic [7:0]  refused;
  } request_t;
  request_t first_q, second_q;

  segment_t [SEGMENTS_HELD-1:0] segments_q;
  logic [SEGMENTS_HELD-1:0] match, match_q;
  // In h of a segment's map, byte by byte and its length; in h+1 all of it and the identifier.
  logic [SEGMENTS_HELD-1:0][9:0] map_same, map_same_q;

  always_comb begin
    for (int s = 0; s < SEGMENTS_HELD; s++) begin
      for (int n = 0; n < 9; n++) map_same[s][n] = segments_q[s].map[8*n+:8] == map.bytes[8*n+:8];
      map_same[s][9] = segments_q[s].valid && {1'b0, segments_q[s].length} == map.length &&
          !map.more && valid && !is_call;
      match[s] = map_same_q[s] == '1 && segments_q[s].id == first_q.key;
    end
  end

  always_ff @(posedge clk) begin
    first_q <= {is_call, key, scope, refused};
    map_same_q <= map_same;
    second_q <= first_q;
    match_q  <= match;
    if (write_segment) segments_q[write_index[3:0]] <= write_segment_data;
    if (rst) begin
      for (int s = 0; s < SEGMENTS_HELD; s++) segments_q[s].valid <= 1'b0;
    end
  end

  // Two bits of identifier or scope at a time, a cycle before all of them together.
  logic [3:0][12:0] same_q;
  logic [3:0][18:0] scope_same_q;

  always_ff @(posedge clk) begin
    for (int way = 0; way < 4; way++) begin
      for (int pair = 0; pair < 12; pair++) begin
        same_q[way][pair] <= set_word[way].id[2*pair+:2] == first_q.key[8+2*pair+:2];
        scope_same_q[way][pair] <= scoped_word[way].id[2*pair+:2] == first_q.key[8+2*pair+:2];
      end
      for (int pair = 0; pair < 6; pair++) begin
        scope_same_q[way][12+pair] <= scoped_word[way].scope[2*pair+:2] == first_q.scope[2*pair+:2];
      end
      same_q[way][12] <= set_word[way].valid;
      scope_same_q[way][18] <= scoped_word[way].valid && first_q.is_call;
    end
  end

  logic known, entered, scope_known;
  logic [3:0] is_way, is_scope_way;
  logic [11:0] row, segment_row;

  always_comb begin
    found = '0;
    entered = 1'b0;
    row = '0;
    for (int way = 0; way < 4; way++) begin
      is_way[way] = &same_q[way];
      is_scope_way[way] = &scope_same_q[way];
      if (is_way[way]) begin
        entered |= set[way].entered;
        found.template_index |= set[way].template_index;
        found.segmented |= set[way].segmented;
        found.resets |= set[way].resets;
        row |= set[way].row;
      end
      if (is_scope_way[way]) found.row |= scoped[way].row;
    end
    known = is_way != '0;
    scope_known = is_scope_way != '0;
    // A call has no segment.
    found.segment = match_q != '0;
    segment_row = '0;
    for (int s = 0; s < SEGMENTS_HELD; s++) if (match_q[s]) segment_row |= segments_q[s].row;
    found.row |= segment_row | (row & {12{!scope_known && !found.segment}});
    found.id = second_q.key;
    if (second_q.refused != COMPLETE) found.status = second_q.refused;
    else if (!known) found.status = D9;
    else if (!entered && !scope_known && !found.segment) found.status = TRAP_PROGRAM;
  end

  // Fields that only fill up words.
  logic unused;
  assign unused = &{1'b0, write_template_set, write_scope_set, segments_q, map, id, set, scoped};

endmodule
