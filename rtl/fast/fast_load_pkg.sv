// What the load port writes (crates/fast/MICROCODE.md §9).
package fast_load_pkg;

  // Regions: bits 16 to 19 of an address.
  localparam logic [3:0] SETTINGS = 4'd0;
  localparam logic [3:0] ROWS = 4'd1;
  localparam logic [3:0] CONSTANTS = 4'd2;
  localparam logic [3:0] ROLES = 4'd3;
  localparam logic [3:0] TEMPLATES = 4'd4;
  localparam logic [3:0] SCOPES = 4'd5;
  localparam logic [3:0] SEGMENTS = 4'd6;

  // A write that reaches a memory, decoded: the element and all of its words.
  typedef struct packed {
    logic         row;
    logic [3:0]   constant;   // by lane
    logic         role;
    logic         templates;
    logic         scopes;
    logic         segment;
    logic [13:0]  index;
    logic [255:0] words;
  } load_t;

  // A template in its set: two words.
  typedef struct packed {
    logic [3:0]  unused_high;
    logic [11:0] row;
    logic [11:0] template_index;
    logic        entered;         // `row` is its entry with scope 0
    logic        segmented;       // it has segments
    logic        resets;
    logic        valid;
    logic [31:0] id;
  } template_t;

  // An entry with a scope in its set: two words.
  typedef struct packed {
    logic [6:0]  unused_high;
    logic [11:0] scope;
    logic [11:0] row;
    logic        valid;
    logic [31:0] id;
  } scope_t;

  // A segment: five words.
  typedef struct packed {
    logic [3:0]  unused_high;
    logic [11:0] row;
    logic [10:0] unused_middle;
    logic [3:0]  length;
    logic        valid;
    logic [23:0] unused_low;
    logic [71:0] map;
    logic [31:0] id;
  } segment_t;

endpackage
