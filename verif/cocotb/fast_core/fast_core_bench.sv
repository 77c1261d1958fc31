// The core with its front and behavioural memories, which a test fills through `load_*`.
module fast_core_bench
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,
    input settings_t settings,

    input logic         load,
    input logic [3:0]   load_what,  // 0 row, 1 entry, 2 segment, 4–7 constant of a lane
    input logic [11:0]  load_index,
    input logic [255:0] load_data,

    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,
    input  logic [ 3:0] s_axis_tid,
    input  logic [63:0] s_axis_tstamp,

    output record_t [3:0]            m_records,
    output logic                     m_begin,
    output logic [TEMPLATE_BITS-1:0] m_template,
    output logic                     m_element,
    output logic                     m_call_begin,
    output logic                     m_call_end,
    output logic                     m_end,
    output logic [7:0]               m_status,
    output logic [3:0]               m_tid,
    output logic [63:0]              m_tstamp
);
  flags_t [7:0] window;
  element_t [7:0] banks;
  logic [2:0] base;
  logic ended, leftover, aborted, drop, packet_done;
  header_t header, next;
  logic [3:0] pop;
  logic raw_begin, raw_length_valid, raw_valid, raw_more, raw_failed;
  logic [31:0] raw_length;
  logic [63:0] raw_bytes;
  logic [3:0] raw_count;
  logic raw_active, event_packet, event_aborted, event_swallowed;

  fast_front u_front (
      .enable(1'b1),
      .vectors(1'b1),
      .preamble(settings.preamble),
      .raw_active,
      .event_packet,
      .event_aborted,
      .event_swallowed,
      .*
  );

  logic [ROW_BITS-1:0] a_address, b_address;
  row_t a_row, b_row;
  logic find_valid, find_call, find_explicit, find_last_valid;
  element_t find_map, find_id;
  logic [11:0] find_scope;
  logic [31:0] find_last_id;
  found_t found;
  logic [3:0][ENTRY_BITS-1:0] constant_numbers;
  datum_t [3:0] constants;
  logic [3:0][TAG_BITS-1:0] role_tags;

  fast_core u_core (.*);

  // Instruction memory and constants.
  logic [ROW_WIDTH-1:0] rows[4096];
  logic [$bits(datum_t)-1:0] values[4][256];
  row_t a1_q, b1_q;
  datum_t [3:0] c1_q;

  // Templates: id, template, scope, row, resets, segmented; segments: id, length, map, row.
  typedef struct packed {
    logic valid;
    logic [31:0] id;
    logic [11:0] template_index;
    logic [11:0] scope;
    logic [11:0] row;
    logic resets;
    logic segmented;
  } entry_of_t;
  typedef struct packed {
    logic valid;
    logic [31:0] id;
    logic [4:0] length;
    logic [71:0] map;
    logic [11:0] row;
  } segment_t;
  entry_of_t entries[64];
  segment_t segments[16];

  always_ff @(posedge clk) begin
    if (load && load_what == 4'd0) rows[load_index] <= load_data[ROW_WIDTH-1:0];
    if (load && load_what == 4'd1) entries[load_index[5:0]] <= load_data[$bits(entry_of_t)-1:0];
    if (load && load_what == 4'd2) segments[load_index[3:0]] <= load_data[$bits(segment_t)-1:0];
    for (int k = 0; k < 4; k++) begin
      if (load && load_what == 4'(4 + k)) values[k][load_index[7:0]] <= load_data[$bits(datum_t)-1:0];
      c1_q[k] <= values[k][constant_numbers[k]];
    end
    constants <= c1_q;
    a1_q <= rows[a_address];
    b1_q <= rows[b_address];
    a_row <= a1_q;
    b_row <= b1_q;
    if (rst) begin
      for (int i = 0; i < 64; i++) entries[i] <= '0;
      for (int i = 0; i < 16; i++) segments[i] <= '0;
    end
  end

  // Look-up.
  found_t looked, found1_q;
  always_comb begin
    logic [34:0] groups;
    logic [31:0] id;
    looked = '0;
    for (int i = 0; i < 5; i++) groups[7*i+:7] = find_id.bytes[8*i+:7];
    id = find_explicit ? groups[31:0] : find_last_id;
    looked.id = id;
    looked.status = D9;
    for (int i = 0; i < 64; i++) begin
      if (entries[i].valid && entries[i].id == id) begin
        looked.template_index = entries[i].template_index;
        looked.resets = entries[i].resets;
        looked.segmented = entries[i].segmented;
        if (entries[i].scope == 12'd0 && looked.status != COMPLETE) begin
          looked.row = entries[i].row;
          looked.status = COMPLETE;
        end
        if (entries[i].scope != 12'd0 && looked.status == D9) looked.status = TRAP_PROGRAM;
      end
    end
    if (find_call) begin
      for (int i = 0; i < 64; i++) begin
        if (entries[i].valid && entries[i].id == id && entries[i].scope == find_scope) begin
          looked.row = entries[i].row;
          looked.status = COMPLETE;
        end
      end
    end else begin
      for (int i = 0; i < 16; i++) begin
        if (segments[i].valid && segments[i].id == id && segments[i].length == find_map.length
            && segments[i].map == find_map.bytes[71:0]) begin
          looked.row = segments[i].row;
          looked.segment = 1'b1;
        end
      end
    end
    if (find_explicit) begin
      if (looked.status != TRAP_PROGRAM && find_id.length > 5'd5 || |groups[34:32]) looked.status = D9;
      if (find_id.length > 5'd10) looked.status = settings.strict ? D9 : TRAP_WIDE;
      if (settings.strict && find_id.length > 5'd1) begin
        for (int n = 2; n <= 16; n++) begin
          if (find_id.length == 5'(n) && find_id.bytes[8*(n-1)+:7] == 7'd0) looked.status = R6;
        end
      end
      if (find_id.more) looked.status = TRAP_LONG;
    end else if (!find_last_valid) looked.status = D5;
  end
  always_ff @(posedge clk) begin
    found1_q <= looked;
    found <= found1_q;
  end

  // The roles' memory is not here.
  logic unused;
  assign unused = ^{role_tags, find_valid, raw_active, event_packet, event_aborted, event_swallowed};
endmodule
