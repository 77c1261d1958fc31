// Types inside the scanner.
package fast_scan_pkg;

  // How often what is skipped for the header is told to the queue: pointers, flags of half the banks,
  // contents of two.
  localparam int unsigned SKIPS = 7;

  // How often it is told that there is a word, and room for it: for what takes it, what pushes its
  // elements, what puts them into the header registers, what carries bytes.
  localparam int unsigned ROOMS = 4;

  // What fast_split says of a word. Entities are counted by k, lanes by b.
  typedef struct packed {
    logic [63:0] word;  // lanes that are not scanned are 0
    logic [1:0] there;  // there[k]: there are more than k
    logic [7:0][7:0] ends;  // ends[k][b]: entity k ends in lane b
    logic [7:0][7:0] joined;  // joined[b][p]: lane b-p belongs to the entity that ends in b
    logic [7:0][3:0] length;  // of the entity that ends in b
    logic [3:0] first_length;  // of the first
    logic [7:0] null_at;  // the entity that ends in b has nothing but zeros in its groups
    logic [7:0] one_at;  // it is 1
    logic [7:0][6:0] first;  // the group of its first byte
    logic [7:0] reach;  // reach[n]: there are n + 1 bytes, and no stop bit in the first n
    logic [7:0] tail;  // lanes behind the last stop bit
    logic tail_zero;  // they are zeros
    logic [6:0] tail_first;  // the group of the first of them
  } split_t;

  // A word of the input as the history keeps it.
  typedef struct packed {
    logic        last;
    logic        aborted;
    logic [7:0]  keep;
    logic [63:0] data;
  } word_t;

endpackage
