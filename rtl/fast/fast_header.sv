// The header registers: for each of two packets its first header and how far the packet is.
//
// The scanner begins a packet with its first word, adds the elements of its header and ends it; all
// is on the output in the cycle behind; the map's length is 0 until it is there. Dispatch releases a
// packet's slot for the packet after next.
module fast_header (
    input logic clk,
    input logic rst,

    input logic        slot,    // the scanner's packet
    input logic        begins,
    input logic [ 3:0] tid,
    input logic [63:0] tstamp,

    // Elements of the header: the first of a word or of the carried bytes, and the second.
    input logic               take_map,        // the first is the presence map
    input logic               take_id_first,   // the first is the identifier
    input logic               take_id_second,  // the second is
    input logic               id_second,       // an identifier would be the second, not the first
    input logic               has_id,          // bit 6 of the map's first byte
    input fast_pkg::element_t first,
    input fast_pkg::element_t second,

    input logic ends,
    input logic left,
    input logic aborted,
    input logic reopen,      // scanning of packet `reopen_slot` goes back
    input logic reopen_slot,

    input logic release_valid,
    input logic release_slot,

    output fast_pkg::header_t [1:0] headers,
    output logic              [1:0] ended,      // nothing follows what is in the queue
    output logic              [1:0] leftover,   // with `ended`: bytes without stop bit were left
    output logic              [1:0] abort_mark  // with `ended`: the last word had the mark
);
  import fast_pkg::*;

  typedef struct packed {
    logic        valid;
    logic        mapped;       // the map is there
    logic        complete;
    logic        explicit_id;
    element_t    map;
    element_t    id;
    logic [3:0]  tid;
    logic [63:0] tstamp;
    logic        ended;
    logic        leftover;
    logic        abort_mark;
  } slot_state_t;

  slot_state_t [1:0] slots_q;
  logic [1:0] opens;  // released in this cycle

  assign opens = {release_valid && release_slot, release_valid && !release_slot};

  always_comb begin
    for (int s = 0; s < 2; s++) begin
      headers[s].valid = slots_q[s].valid;
      headers[s].complete = slots_q[s].complete;
      headers[s].failed = slots_q[s].ended && !slots_q[s].complete;
      headers[s].explicit_id = slots_q[s].explicit_id;
      headers[s].map = slots_q[s].map;
      headers[s].id = slots_q[s].id;
      headers[s].tid = slots_q[s].tid;
      headers[s].tstamp = slots_q[s].tstamp;
      ended[s] = slots_q[s].ended;
      leftover[s] = slots_q[s].leftover;
      abort_mark[s] = slots_q[s].abort_mark;
    end
  end

  always_ff @(posedge clk) begin
    for (int s = 0; s < 2; s++) begin
      // What is wide follows the scanner until it is taken: whether it is hangs on much.
      if (slot == 1'(s)) begin
        if (opens[s] || !slots_q[s].valid) begin
          slots_q[s].tid <= tid;
          slots_q[s].tstamp <= tstamp;
        end
        if (opens[s] || !slots_q[s].mapped) begin
          slots_q[s].map.more <= first.more;
          slots_q[s].map.bytes <= first.bytes;
          slots_q[s].explicit_id <= has_id;
        end
        if (opens[s] || !slots_q[s].complete) slots_q[s].id <= id_second ? second : first;
        if (begins) begin
          slots_q[s].valid <= 1'b1;
          slots_q[s].leftover <= 1'b0;
          slots_q[s].abort_mark <= 1'b0;
        end
        if (take_map) begin
          slots_q[s].mapped <= 1'b1;
          slots_q[s].map.length <= first.length;
          slots_q[s].complete <= !has_id || take_id_second;
        end
        if (take_id_first || take_id_second) slots_q[s].complete <= 1'b1;
        if (ends) begin
          slots_q[s].ended <= 1'b1;
          slots_q[s].leftover <= left;
          slots_q[s].abort_mark <= aborted;
        end
      end
      if (reopen && reopen_slot == 1'(s)) slots_q[s].ended <= 1'b0;
      // What was scanned in the cycle of its drop is void.
      if (rst || opens[s]) begin
        slots_q[s].valid <= 1'b0;
        slots_q[s].mapped <= 1'b0;
        slots_q[s].complete <= 1'b0;
        slots_q[s].ended <= 1'b0;
        slots_q[s].map.length <= '0;
      end
    end
  end

endmodule
