// Types of the FAST engine's front: scanner, queue, look-up, program (MICROCODE.md §1, §2, "Load port").
package fast_front_pkg;

  // Elements of the queue, and how many of them a row sees.
  localparam int unsigned QUEUE = 32;
  localparam int unsigned WINDOW = 8;
  localparam int unsigned LANES = 4;
  localparam int unsigned SEGMENTS = 16;

  // A queue element's content, which stage A reads. Bytes in front of the element are zero.
  typedef struct packed {
    logic         is_null;  // the single byte 0x80
    logic         is_zero;  // the single byte 0x81
    logic         more;     // the entity goes on in the next element
    logic [15:0]  last;     // offset in the packet of the last byte
    logic [4:0]   length;   // 1 to 16
    logic [127:0] data;     // right-aligned: the byte with the stop bit in bits 0 to 7
  } element_t;

  // What dispatch sees of an element, registered in the queue.
  typedef struct packed {
    logic valid;    // is there, and of the packet in hand
    logic is_null;
    logic is_zero;
    logic more;
    logic wide;     // more than eight bytes
  } flags_t;

  // Presence map and identifier, as elements. Bytes beyond those kept do not matter: a map has at
  // most 9, an identifier at most 10 (MICROCODE.md §2, §4.5).
  typedef struct packed {
    logic        pmap_more;
    logic [4:0]  pmap_length;  // 1 to 16
    logic [71:0] pmap;         // right-aligned, as in the stream
    logic        has_id;       // the map's first bit
    logic        id_more;
    logic [4:0]  id_length;
    logic [79:0] id;           // right-aligned
  } head_t;

  // The first header of a packet, and how far the packet is. A slot is free (`busy` low) from the
  // release of its packet to the first word of the next packet but one.
  typedef struct packed {
    logic        busy;
    logic        ready;    // the header is complete: presence map and, if there is one, identifier
    logic        ended;    // nothing follows what is in the queue
    logic        left;     // with `ended`: bytes without stop bit were left
    logic        aborted;  // with `ended`: the packet's last word had the mark
    head_t       head;
    logic [3:0]  tid;
    logic [63:0] tstamp;
  } packet_t;

  // Registers that the load port writes.
  typedef struct packed {
    logic        enable;
    logic        strict;
    logic [1:0]  policy;   // reset: 0 never, 1 packet, 2 message
    logic        vectors;  // the program has Unicode strings or byte vectors
    logic [7:0]  preamble;
    logic [31:0] max_text;
    logic [31:0] max_elements;
    logic [31:0] max_rows;
  } settings_t;

  // An instruction slot (MICROCODE.md §4.2).
  typedef struct packed {
    logic [13:0] tag;
    logic [7:0]  initial_number;
    logic [7:0]  entry;
    logic [1:0]  presence;
    logic        optional;
    logic [2:0]  operation;
    logic [3:0]  kind;
  } slot_t;

  // What the loader found out about a slot.
  typedef struct packed {
    logic [2:0] position;   // its first entity, if every slot before takes as many as it may
    logic       uncertain;  // a NULL means one entity less: optional `dec`, optional `exp`
    logic       tests;      // presence `bit`
    logic [1:0] most;       // most entities that it takes: 0, 1, 2
  } shape_t;

  // A row as the instruction memory holds it: seven words (MICROCODE.md "Load port").
  typedef struct packed {
    // Word 6.
    logic [3:0]              base;         // most entities of the row, `push` included
    shape_t [LANES-1:0]      shape;
    // Words 1 to 5.
    slot_t [LANES-1:0]       slots;
    // Word 0.
    logic [4:0]              reserved;
    logic [2:0]              last_lane;    // one more than the last lane in use
    logic                    depends;      // optional `exp` whose `man` has a bit
    logic                    waits;        // optional `exp` with copy or increment
    logic                    conditional;  // a slot or the control tests the presence map
    logic                    length_op;    // `len` has an operator
    logic                    raw;          // ends with `unicode` or `bytes`
    logic                    text;         // ends with `text`
    logic [11:0]             target;
    logic                    pop;
    logic                    push;
    logic [3:0]              control;
  } row_t;

  // A constant: an initial value (MICROCODE.md §5, section 3).
  typedef struct packed {
    logic [7:0]   info;   // exponent or length
    logic [1:0]   kind;   // 0 integer, 1 decimal, 2 bytes
    logic [127:0] value;  // bytes right-aligned, the first most significant
  } constant_t;

endpackage
