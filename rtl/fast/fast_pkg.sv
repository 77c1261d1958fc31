// Types of the FAST engine, and how its front (scanner, queue, memories) and its core (dispatch,
// operands, operators) meet. The specification is crates/fast/MICROCODE.md.
//
// Window. The queue of 32 elements is eight banks of four: the element with number n (counted over
// all packets) is in bank n mod 8. In every cycle the front shows the eight elements from the head
// on, of the current packet only: flags in order of the queue, contents by bank. The core answers in
// the same cycle with `pops` (`taken` elements, 0–8) or `drop`.
// Packets. The front keeps the headers of two packets: the current one and the next. `packet_done`
// ends the current one in the cycle in which the core leaves it; the next one's is current in the
// cycle after, with the window.
package fast_pkg;

  localparam int unsigned LANES = 4;
  localparam int unsigned WINDOW = 8;
  localparam int unsigned ROW_BITS = 12;  // rows of the instruction memory
  localparam int unsigned ENTRY_BITS = 8;  // dictionary entries and constants of a lane
  localparam int unsigned TAG_BITS = 14;
  localparam int unsigned TEMPLATE_BITS = 12;

  // An element of the queue. Bytes are right-aligned: the last one, with the stop bit if the entity
  // ends here, in bits 7:0; bytes beyond `length` are 0. Stop bits are still there.
  typedef struct packed {
    logic         more;    // the entity goes on in the next element
    logic [4:0]   length;  // 1–16
    logic [127:0] bytes;
  } element_t;

  // As the queue keeps it: with its first group, of which most is asked, and at once.
  typedef struct packed {
    logic [6:0] first;
    element_t   element;
  } queued_t;

  // What dispatch needs of it.
  typedef struct packed {
    logic valid;    // the element is there
    logic is_null;  // all 7-bit groups are 0, of any length (0x80)
    logic is_one;   // the value is 1: all groups are 0 but the last, which is 1 (0x81)
    logic is_wide;  // longer than eight bytes
    logic more;
    logic bit6;     // bit 6 of the first byte: a presence map's first bit
  } flags_t;

  // What ends in a lane of a word, without what was carried over: at most eight bytes.
  typedef struct packed {
    logic [6:0]  first;   // its first group
    logic [3:0]  length;
    logic [63:0] bytes;
  } lane_element_t;

  // The header of a packet: presence map and, if its first bit is 1, template identifier.
  typedef struct packed {
    logic        valid;        // a packet is there: its first word was taken
    logic        complete;     // the elements that the first message needs are there
    logic        failed;       // they never will be: the packet ended before (truncated or aborted)
    logic        explicit_id;
    element_t    map;
    element_t    id;
    logic [3:0]  tid;
    logic [63:0] tstamp;
  } header_t;

  // Settings of the program (MICROCODE.md §5).
  typedef struct packed {
    logic        strict;
    logic [1:0]  reset;         // 0 never, 1 packet, 2 message
    logic [7:0]  preamble;
    logic [31:0] max_text;
    logic [31:0] max_elements;
    logic [31:0] max_rows;
  } settings_t;

  // A slot (§4.2), bits as in the program.
  typedef struct packed {
    logic [13:0] tag;
    logic [7:0]  initial_value;
    logic [7:0]  entry;
    logic [1:0]  presence;
    logic        optional;
    logic [2:0]  operation;
    logic [3:0]  kind;
  } slot_t;

  // What the loader works out of a slot for dispatch.
  typedef struct packed {
    logic       skip;    // man behind an optional exp: nothing happens where that is absent
    logic       tested;  // presence `bit`
    logic [1:0] bit_at;  // number of slots before it in the row with presence `bit`
    logic [1:0] takes;   // entities if it is in the stream: 0, 1, 2; 3: two, or one if it is NULL
  } shape_t;

  // A row in memory, 216 bits: the control word with reserved bits (18–31), then slots 0–3 as in the
  // program (bits 32–191), then shapes 0–3 of six bits (bits 192–215). The loader fills the bits
  // 18–31 of the control word with: 18–20 number of presence map bits that the row tests, `test`
  // included; 21 a slot or the control tests; 22 a row with an optional exp whose man has a bit;
  // 23 a row that waits (optional exp with copy or increment); 24 the last used slot is `text`;
  // 25 the last used slot is `unicode` or `bytes`; 26 the length of `seq` has an operator; 27–30 the
  // initial value of slots 0–3 is a string beyond eight bytes. Bit 31 fast_fetch works out on its way: if
  // it pushes a presence map, that goes alone.
  typedef struct packed {
    shape_t [3:0] shapes;
    slot_t [3:0]  slots;
    logic         alone;
    logic [3:0]   initial_wide;
    logic         length_operated;
    logic         is_raw;
    logic         is_text;
    logic         waits;
    logic         bits_depend;
    logic         conditional;
    logic [2:0]   bits_used;
    logic [11:0]  target;
    logic         pop;
    logic         push;
    logic [3:0]   control;
  } row_t;
  localparam int unsigned ROW_WIDTH = $bits(row_t);

  // A constant, or the value part of a dictionary entry. Bytes are right-aligned, zeros before them.
  // Number: bits 63:0. Decimal: mantissa in 63:0, `size` the exponent. Bytes: `size` their number.
  typedef struct packed {
    logic [7:0]   size;
    logic [127:0] bits;
  } datum_t;

  // What a look-up found, two cycles behind the request. `status` 0: found.
  typedef struct packed {
    logic [7:0]               status;          // §8: R6, D5, D9, trap 2, 3 or 7
    logic [TEMPLATE_BITS-1:0] template_index;
    logic [31:0]              id;              // of the template
    logic [ROW_BITS-1:0]      row;             // the segment's, or that of the entry
    logic                     segment;         // it is a segment's: its map counts as all zeros
    logic                     segmented;       // the template has segments
    logic                     resets;          // the template has `reset`
  } found_t;

  // What a lane does with its slot in a row.
  typedef struct packed {
    logic       active;          // executes; without it there is nothing, not even a record
    logic       stream;          // takes entities
    logic       bit_set;         // its presence map bit, or what stands for it
    logic       missing_first;   // the packet has ended before its entities
    logic       missing_second;
    logic [2:0] first;           // bank of its first entity
    logic [2:0] second;          // of a decimal's mantissa
    logic       wide;            // its value takes two beats
  } intake_t;

  // What dispatch gives to the stages behind, beside the contents of the window.
  typedef struct packed {
    logic                     valid;
    logic [2:0]               packet;          // of which packet it is, counted
    logic                     execute;         // the slots execute
    logic                     push;            // the first entity is a presence map, to be checked
    logic                     more_text;       // a further element of the text in lane `lane`
    logic                     raw;             // raw bytes for lane `lane`
    logic                     again;           // more text or raw bytes follow
    logic [1:0]               lane;
    logic                     counts;          // the last slot is a length that counts
    logic                     tells;           // and is not known yet
    logic [2:0]               frame;           // and belongs to this frame
    logic                     fresh;           // makes the dictionary undefined first
    logic                     begins;          // marks
    logic                     element;
    logic                     call_begins;
    logic                     call_ends;
    logic                     ends;
    logic [7:0]               status;          // what is wrong behind its slots
    logic                     void_row;        // `status` holds before its slots
    logic [TEMPLATE_BITS-1:0] template_index;
    logic [3:0]               tid;
    logic [63:0]              tstamp;
  } issue_t;

  // What is known of an element before the lanes choose theirs (fast_digest).
  typedef struct packed {
    logic       zero;         // all groups are 0
    logic       low_zero;     // the lower 36 bits of them are
    logic [6:0] first;        // the first group
    logic       longer;       // there are more
    logic       second6;      // the second group's bit 6
    logic       second_zero;  // it is 0
    logic       third_zero;   // the third is
    logic       long_number;  // more than ten bytes
    logic [9:0] has;          // which groups are the entity's
  } digest_t;

  // What of it the operand wants to know of the element chosen.
  typedef struct packed {
    logic       zero;
    logic       low_zero;
    logic       first_zero;
    logic       second_zero;
    logic       third_zero;
    logic       sign;
    logic       over_unsigned;  // overlong
    logic       over_signed;
    logic       long_number;
    logic [9:0] has;
  } traits_t;

  function automatic traits_t traits(digest_t of);
    traits.zero = of.zero;
    traits.low_zero = of.low_zero;
    traits.first_zero = of.first == 7'd0;
    traits.second_zero = of.second_zero;
    traits.third_zero = of.third_zero;
    traits.sign = of.first[6];
    traits.over_unsigned = of.longer && of.first == 7'd0;
    traits.over_signed = of.longer
                         && (of.first == 7'd0 && !of.second6 || of.first == 7'h7f && of.second6);
    traits.long_number = of.long_number;
    traits.has = of.has;
  endfunction

  // A lane's operand: what stage B makes of its entities.
  typedef struct packed {
    logic is_null;  // the first entity is NULL
    logic lead_bad;  // something is wrong with a decimal's exponent, but its range:
    logic [7:0] lead_status;
    logic bad;  // with the entity of the value:
    logic [7:0] status;
    logic signed [71:0] number;  // integer, delta or mantissa, one less where that is meant
    logic signed [15:0] exponent;  // of a decimal, clipped
    logic [127:0] text;  // without stop bit
    logic [4:0] length;  // of text, without preamble
    logic more;
  } operand_t;

  // What stage X wants to know of a lane's slot, a cycle before (fast_plan).
  typedef struct packed {
    logic stream;
    logic active;
    logic decimal_kind;
    logic string_kind;    // text or vector
    logic takes_string;   // it comes out of the stream
    logic signed_kind;
    logic narrow;         // 32 bits
    logic delta;
    logic increments;     // the entry by one
    logic uses_entry;
    logic by_entity;      // there is a value if the entity is not NULL; else (fast_dictionary)
    logic by_itself;      // there is one,
    logic by_entry;       // or as the entry says
    logic based;          // the value is, or begins with, that of the entry,
    logic based_initial;  // or else the initial value
    logic has_initial;
    logic stores_null;    // what comes of it goes into the entry, if it is NULL,
    logic stores_value;   // if it is not
  } plan_t;

  // What stage X makes of a lane's slot, for stage Y to judge.
  typedef struct packed {
    logic bad;  // it fails with `status`
    logic [7:0] status;
    logic range_narrow;  // otherwise with `late_status` if the total is beyond 32 bits,
    logic range_wide;  // or beyond 64
    logic [7:0] late_status;
    logic signed_kind;
    logic narrow;  // 32 bits
    logic scaled;  // the range of a decimal's exponent counts,
    logic scaled_first;  // before what is bad, too
    logic is_exponent;  // of its own slot, with a value
    logic vector;  // it is the length of a vector, which is limited
    logic emits;  // a record (or two chunks) comes of it
    logic signed [71:0] total;
    logic signed [15:0] exponent;
    logic [127:0] text;
    logic [4:0] length;
  } result_t;

  // How a string goes into records, by its length.
  typedef struct packed {
    logic       two;         // beyond eight bytes: an upper chunk and a lower one
    logic [2:0] shift;       // the lower one's bytes, less one
    logic [3:0] high_count;
    logic [3:0] low_count;
  } chunks_t;

  // A dictionary entry in memory.
  typedef struct packed {
    logic [2:0] type_code;
    logic       empty;
    datum_t     datum;
  } entry_t;

  // What a row takes from the window (fast_decode, fast_look).
  typedef struct packed {
    logic [3:0]      sets;           // a lane's presence map bit, or what stands for it
    logic [3:0]      streams;        // it takes an entity,
    logic [3:0]      two;            // or two,
    logic [3:0][3:0] place;          // from this element of the window on,
    logic [3:0][7:0] at;             // one bit for each
    logic [3:0]      checks;         // that, or what is behind, depends on a NULL
    logic [3:0]      absent;         // nothing happens: a mantissa without exponent
    logic            again;          // a lane has the entry that it had in the row before
    logic            look;           // a lane checks, and nothing was looked at yet
    logic [3:0]      taken;          // by all lanes and the presence map that is pushed
    logic [7:0]      last;           // the last of these elements, one bit for each
    logic [1:0]      lane;           // of the last slot in use
    logic            lane_streams;
    logic            lane_optional;
    logic            pushes;         // the first entity is a presence map
    logic            map_alone;      // and nothing else is taken yet
    logic [2:0]      uses;           // presence map bits, but for
    logic            late;           // one of a mantissa that may not exist
    logic            test_bit;       // of the control
    logic            opens;          // the control is `seq`, its length without operator
    logic            counts;         // and more than that
    logic            plain;          // the row behind may follow in the next cycle
    logic            turns;          // another may follow than that, nor comes the row itself again
  } decoded_t;

  // Which row was expected behind the one in hand.
  typedef enum logic [1:0] {
    SUCCESSOR,
    ROUND,      // the first of the sequence's element
    BEGUN       // that with which the last message began
  } source_t;

  // What a row's control adds to it a cycle behind its dispatch.
  typedef struct packed {
    logic       element;
    logic       call_ends;
    logic       ends;
    logic [7:0] status;
  } marks_t;

  // What follows a row (fast_follow).
  typedef enum logic [2:0] {
    TO_ROW,      // the next row, at hand or on its way
    TO_AWAIT,    // the value of a length with an operator
    TO_CALLING,  // the header of a call
    TO_ENDED,    // another message
    TO_FAIL
  } follow_state_t;
  typedef struct packed {
    follow_state_t state;
    logic waits;  // for the length of the sequence; nothing else holds but `element_ends`
    logic [7:0] status;
    logic take;  // the row from `source`
    source_t source;
    logic rounds;  // which is in the ring if `top_near` says so: otherwise it is a branch
    logic branch;  // the row `target`
    logic checks;  // R8, if a bit of the presence map is left
    logic [ROW_BITS-1:0] target;
    logic push;  // frames
    logic push_call;
    logic pop;
    logic pop_two;
    logic element;  // one less
    logic restore;  // the presence map ends
    logic element_ends;  // marks
    logic call_ends;
    logic ends;
  } follow_t;

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

  // A text's last chunk has eight bytes, a vector's first.
  function automatic chunks_t chunks_of(logic vector, logic [4:0] length);
    logic [3:0] behind;
    behind = {length[4], length[2:0] & {3{!length[4]}}};
    chunks_of.two = length[4] || length[3] && length[2:0] != 3'd0;
    chunks_of.shift = vector && chunks_of.two ? length[2:0] - 3'd1 : 3'd7;
    chunks_of.high_count = vector ? 4'd8 : behind;
    chunks_of.low_count = !chunks_of.two ? length[3:0] : vector ? behind : 4'd8;
  endfunction

  // Whether values of a kind are signed; the entity of one is with `delta`, whatever its kind.
  function automatic logic is_signed(logic [3:0] kind);
    return !(kind == U32 || kind == U64 || kind == LENGTH || kind == UNICODE || kind == BYTES);
  endfunction
  function automatic logic signed_entity(slot_t slot);
    return slot.operation == OP_DELTA || is_signed(slot.kind);
  endfunction

  // Types of dictionary entries (D4).
  function automatic logic [2:0] type_of(logic [3:0] kind);
    case (kind)
      U32, LENGTH:   return 3'd0;
      U64:           return 3'd1;
      I32, EXPONENT: return 3'd2;
      I64, MANTISSA: return 3'd3;
      DECIMAL:       return 3'd4;
      UNICODE:       return 3'd6;
      BYTES:         return 3'd7;
      default:       return 3'd5;
    endcase
  endfunction

  // Presence map bits of an element of at most nine bytes, the next one first (bit 62). In two steps, with a
  // register between them where they come late: its groups are moved by none, one or two, then by threes.
  typedef struct packed {
    logic [2:0]  threes;  // by none, one or two of them; of no such element none is set
    logic [62:0] groups;
  } part_map_t;

  // By how many, as its length tells: groups by one, and by threes, one bit for each number.
  typedef struct packed {
    logic [2:0] threes;
    logic [2:0] ones;
  } map_moves_t;

  function automatic map_moves_t map_moves(logic [4:0] length);
    map_moves = '0;
    for (int n = 0; n < 9; n++) begin
      map_moves.ones[n%3] |= length == 5'(9 - n);
      map_moves.threes[n/3] |= length == 5'(9 - n);
    end
  endfunction

  function automatic part_map_t part_map(element_t map, map_moves_t moves);
    logic [62:0] groups;
    for (int i = 0; i < 9; i++) groups[7*i+:7] = map.bytes[8*i+:7];
    part_map.threes = moves.threes;
    part_map.groups = '0;
    for (int n = 0; n < 3; n++) part_map.groups |= (groups << 7 * n) & {63{moves.ones[n]}};
  endfunction

  function automatic logic [62:0] whole_map(part_map_t part);
    whole_map = '0;
    for (int n = 0; n < 3; n++) whole_map |= (part.groups << 21 * n) & {63{part.threes[n]}};
  endfunction

  // What is wrong with a presence map: 0, TRAP_MAP or R7.
  function automatic logic [7:0] map_status(element_t map, logic strict);
    if (map.more || map.length[4] || map.length[3] && map.length[2:1] != 2'd0) return TRAP_MAP;
    if (strict && map.length[4:1] != 4'd0 && map.bytes[7:0] == 8'h80) return R7;
    return COMPLETE;
  endfunction

endpackage
