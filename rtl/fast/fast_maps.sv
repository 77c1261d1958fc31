// Presence maps: the one in hand as a shift register, those beneath it on a stack.
//
// `load` puts the map of a header in place. A row that pushes a map of its own brings it along: the one in
// hand goes onto the stack when it comes in hand (`takes`), the row's is put in place a cycle later. A row's
// bits are passed by when it comes in hand, so that those of the row behind it come from registers. Bits
// beyond a map's end are 0, and so are all where there is none. What may happen chooses the next map early;
// whether it does only enables the register.
module fast_maps
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic             clear,     // a message begins
    input logic             load,      // a header's map,
    input logic      [62:0] map,       // of which the next bit is bit 62;
    input logic             saves,     // the map in hand goes onto the stack before
    input logic             pushes,    // the row that may come in hand has a map of its own,
    input part_map_t        element,   // that; as it stands when the row has come in hand
    input logic      [ 6:0] first,     // its first group
    input logic             longer,    // it has a bit that is 1 behind that
    input logic      [ 2:0] use_bits,  // and uses so many bits
    input logic             takes,     // it comes in hand
    input logic      [ 2:0] moves,     // it does, or any of the others: for some bits each
    input logic             shifts,    // or: one bit is passed by
    input logic             restores,  // or: the map in hand may end
    input logic             restore,   // it does

    output logic [4:0] bits,  // behind those of the row in hand, the first in bit 0
    output logic       rest,  // a bit is 1 behind the next one, a cycle ago
    output logic       top,   // the next one was
    output logic       none,  // no map is in hand
    output logic       full
);
  logic [62:0] map_q, map_d, stacked;
  logic [62:0] stack[8];
  logic [3:0] depth_q;
  logic none_q, full_q;
  logic brings_q;  // the row that came in hand a cycle ago has a map of its own
  logic [2:0] uses_q;

  // Where the next one comes from: kept, since so much hangs on each.
  (* keep *)
  logic loads, ends, slips, passes;
  (* keep *)
  logic [2:0] brings;  // for each part
  logic save;
  logic [62:0] beneath;
  assign save = saves || takes && pushes;
  always_comb begin
    loads = load;
    ends = restores && !load;
    slips = shifts && !restores && !load;
    passes = !(restores || shifts || load);
    beneath = stacked & {63{depth_q > 4'd1}};
    map_d = map & {63{loads}} | beneath & {63{ends}} | (map_q << 1) & {63{slips}}
        | (map_q << use_bits) & {63{passes}};
  end
  always_comb for (int i = 0; i < 5; i++) bits[i] = map_q[62-i];

  logic [62:0] brought;
  assign brought = whole_map(element) << uses_q;
  assign stacked = stack[depth_q[2:0]-3'd1];

  for (genvar i = 0; i < 3; i++) begin : gen_brings
    (* keep *)
    always_ff @(posedge clk) brings[i] <= takes && pushes && !rst;
  end
  assign brings_q = brings[0];

  always_ff @(posedge clk) begin
    uses_q <= use_bits;
    if (save) stack[depth_q[2:0]] <= map_q;
    // No other moves it in that cycle.
    if (moves[0] || brings[0]) map_q[62:58] <= brings[0] ? brought[62:58] : map_d[62:58];
    if (moves[1] || brings[1]) map_q[57:29] <= brings[1] ? brought[57:29] : map_d[57:29];
    if (moves[2] || brings[2]) map_q[28:0] <= brings[2] ? brought[28:0] : map_d[28:0];
    rest <= map_q[61:0] != '0;
    top  <= map_q[62];
    if (brings_q) begin
      {top, rest} <= 2'b00;
      for (int n = 0; n < 6; n++) begin
        if (uses_q == 3'(n)) begin
          top  <= first[6-n];
          rest <= longer || (first & 7'((8'd1 << (6 - n)) - 8'd1)) != '0;
        end
      end
    end
    if (clear) {depth_q, none_q, full_q} <= {4'd1, 2'b00};
    else if (restore) {depth_q, none_q, full_q} <= {depth_q - 4'd1, depth_q == 4'd1, 1'b0};
    else if (save) {depth_q, none_q, full_q} <= {depth_q + 4'd1, 1'b0, depth_q == 4'd7};
    if (rst) begin
      depth_q <= 4'd0;
      none_q <= 1'b1;
      full_q <= 1'b0;
      map_q   <= '0;
    end
  end

  assign none = none_q;
  assign full = full_q;
endmodule
