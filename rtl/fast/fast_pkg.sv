// Types and codes of the FAST engine's core. Those of its front, and how they meet, are in
// fast_front_pkg. The specification is crates/fast/MICROCODE.md.
package fast_pkg;

  localparam int unsigned ROW_BITS = 12;     // rows of the instruction memory
  localparam int unsigned ENTRY_BITS = 8;    // dictionary entries and constants of a lane
  localparam int unsigned TAG_BITS = 14;
  localparam int unsigned TEMPLATE_BITS = 12;

  // A dictionary entry's value. Bytes are right-aligned, zeros before them. Number: bits 63:0.
  // Decimal: mantissa in 63:0, `info` the exponent. Bytes: `info` their number.
  typedef struct packed {
    logic [7:0]   info;
    logic [127:0] value;
  } datum_t;

  // What a look-up found, two cycles behind the request. `status` 0: found.
  typedef struct packed {
    logic [7:0]               status;     // §8: R6, D5, D9, trap 2, 3 or 7
    logic [TEMPLATE_BITS-1:0] template_index;
    logic [31:0]              id;         // of the template
    logic [ROW_BITS-1:0]      row;        // the segment's, or that of the entry
    logic                     segment;    // it is a segment's: its map counts as all zeros
    logic                     segmented;  // the template has segments
    logic                     resets;     // the template has `reset`
  } found_t;

  // Output.
  typedef struct packed {
    logic        valid;
    logic [63:0] value;
    logic [13:0] tag;
    logic [4:0]  role;
    logic [3:0]  kind;
    logic [7:0]  info;
  } record_t;

  // Controls (§3.1).
  localparam logic [3:0] NEXT = 4'd0;
  localparam logic [3:0] JUMP = 4'd1;
  localparam logic [3:0] FINISH = 4'd2;
  localparam logic [3:0] SEQUENCE = 4'd3;
  localparam logic [3:0] LOOP = 4'd4;
  localparam logic [3:0] TEST = 4'd5;
  localparam logic [3:0] CALL = 4'd6;
  localparam logic [3:0] LOOP_END = 4'd7;

  // Kinds of slots (§4.2).
  localparam logic [3:0] NOP = 4'd0;
  localparam logic [3:0] U32 = 4'd1;
  localparam logic [3:0] U64 = 4'd2;
  localparam logic [3:0] I32 = 4'd3;
  localparam logic [3:0] I64 = 4'd4;
  localparam logic [3:0] DECIMAL = 4'd5;
  localparam logic [3:0] EXPONENT = 4'd6;
  localparam logic [3:0] MANTISSA = 4'd7;
  localparam logic [3:0] ASCII = 4'd8;
  localparam logic [3:0] TEXT = 4'd9;
  localparam logic [3:0] UNICODE = 4'd10;
  localparam logic [3:0] BYTES = 4'd11;
  localparam logic [3:0] LENGTH = 4'd12;
  localparam logic [3:0] GROUP = 4'd13;
  localparam logic [3:0] END_GROUP = 4'd14;
  localparam logic [3:0] TRAP = 4'd15;

  // Operators.
  localparam logic [2:0] OP_NONE = 3'd0;
  localparam logic [2:0] OP_CONSTANT = 3'd1;
  localparam logic [2:0] OP_DEFAULT = 3'd2;
  localparam logic [2:0] OP_COPY = 3'd3;
  localparam logic [2:0] OP_INCREMENT = 3'd4;
  localparam logic [2:0] OP_DELTA = 3'd5;

  // Presence.
  localparam logic [1:0] ALWAYS = 2'd0;
  localparam logic [1:0] BY_BIT = 2'd1;
  localparam logic [1:0] SET = 2'd2;
  localparam logic [1:0] CLEAR = 2'd3;

  // Kinds of records (§8).
  localparam logic [3:0] RECORD_UNSIGNED = 4'd1;
  localparam logic [3:0] RECORD_SIGNED = 4'd2;
  localparam logic [3:0] RECORD_DECIMAL = 4'd3;
  localparam logic [3:0] RECORD_ASCII = 4'd4;
  localparam logic [3:0] RECORD_UNICODE = 4'd5;
  localparam logic [3:0] RECORD_BYTES = 4'd6;
  localparam logic [3:0] RECORD_LENGTH = 4'd7;
  localparam logic [3:0] RECORD_GROUP = 4'd11;
  localparam logic [3:0] RECORD_END_GROUP = 4'd12;

  // Status (§8).
  localparam logic [7:0] COMPLETE = 8'd0;
  localparam logic [7:0] D2 = 8'd2;
  localparam logic [7:0] D4 = 8'd4;
  localparam logic [7:0] D5 = 8'd5;
  localparam logic [7:0] D6 = 8'd6;
  localparam logic [7:0] D9 = 8'd9;
  localparam logic [7:0] R1 = 8'd17;
  localparam logic [7:0] R4 = 8'd20;
  localparam logic [7:0] R6 = 8'd22;
  localparam logic [7:0] R7 = 8'd23;
  localparam logic [7:0] R8 = 8'd24;
  localparam logic [7:0] R9 = 8'd25;
  localparam logic [7:0] TRUNCATED = 8'd32;
  localparam logic [7:0] LIMIT = 8'd33;
  localparam logic [7:0] POISONED = 8'd34;
  localparam logic [7:0] ABORTED = 8'd35;
  localparam logic [7:0] TRAP_OPERATOR = 8'd65;
  localparam logic [7:0] TRAP_LONG = 8'd66;
  localparam logic [7:0] TRAP_WIDE = 8'd67;
  localparam logic [7:0] TRAP_MAP = 8'd68;
  localparam logic [7:0] TRAP_DEPTH = 8'd69;
  localparam logic [7:0] TRAP_WATCHDOG = 8'd70;
  localparam logic [7:0] TRAP_PROGRAM = 8'd71;
  localparam logic [7:0] TRAP_LIMIT = 8'd72;

endpackage
