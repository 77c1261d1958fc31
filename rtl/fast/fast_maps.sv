// Presence maps: the one in hand as a shift register, those beneath it on a stack.
//
// `load` puts the map of a header in place. What a row does to the map it does in the cycle behind that in
// which it comes in hand (`came`): its bits are passed by, so that those of the row behind it come from
// registers; if it pushes a map of its own, the one in hand goes onto the stack. Bits
// beyond a map's end are 0, and so are all where there is none. What may happen chooses the next map early;
// whether it does comes last.
module fast_maps
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic             clear,     // a message begins
    input logic             load,      // a header's map,
    input logic      [62:0] map,       // of which the next bit is bit 62;
    input logic             saves,     // the map in hand goes onto the stack before
    input logic             came,      // a row has come in hand
    input logic             pushes,    // that has a map of its own,
    input part_map_t        element,   // this,
    input logic      [ 6:0] first,     // its first group,
    input logic             longer,    // and whether a bit behind that is 1;
    input logic      [ 2:0] use_bits,  // and uses so many bits
    input logic             shifts,    // one bit is passed by, or
    input logic             restores,  // the map in hand ends,
    input logic             ends,      // if this says so

    output logic [4:0] bits,  // behind those of the row in hand, the first in bit 0
    output logic       rest,  // a bit is 1 behind the next one, a cycle ago
    output logic       top,   // the next one was
    output logic       none,  // no map is in hand
    output logic       full
);
  localparam int unsigned PARTS = 3;

  logic [62:0] map_q, map_d, stacked, brought, beneath;
  logic [62:0] stack[8];
  logic [3:0] depth_q;
  logic none_q, full_q;
  logic save, restore;

  assign save = saves || came && pushes;
  assign restore = restores && ends;
  assign stacked = stack[depth_q[2:0]-3'd1];
  assign brought = whole_map(element);
  assign beneath = stacked & {63{depth_q > 4'd1}};
  always_comb for (int i = 0; i < 5; i++) bits[i] = map_q[62-i];

  // What happens to the map, told for each part of it.
  for (genvar i = 0; i < PARTS; i++) begin : gen_part
    (* keep *)
    logic loads, takes, brings, slips, pops;
    logic [62:0] passed, slipped;
    always_comb begin
      loads = load;
      brings = came && pushes && !load;
      takes = came && !pushes && !load;
      pops = restore && !load;
      slips = shifts && !restores && ends && !load;
      passed = (brings ? brought : map_q) << use_bits;
      slipped = map_q << 1;
      map_d[21*i+:21] = map[21*i+:21] & {21{loads}} | passed[21*i+:21] & {21{brings || takes}}
          | beneath[21*i+:21] & {21{pops}} | slipped[21*i+:21] & {21{slips}}
          | map_q[21*i+:21] & {21{!(loads || brings || takes || pops || slips)}};
    end
  end

  // Of the map as it will be behind the row's bits.
  logic [2:0] uses;
  logic [6:0] leading;
  logic behind;
  always_comb begin
    uses = use_bits & {3{came}};
    leading = came && pushes ? first : map_q[62:56];
    behind = came && pushes ? longer : map_q[55:0] != '0;
  end

  always_ff @(posedge clk) begin
    if (save) stack[depth_q[2:0]] <= map_q;
    map_q <= map_d;
    {top, rest} <= 2'b00;
    for (int n = 0; n < 6; n++) begin
      if (uses == 3'(n)) begin
        top  <= leading[6-n];
        rest <= behind || (leading & 7'((8'd1 << (6 - n)) - 8'd1)) != '0;
      end
    end
    if (clear) {depth_q, none_q, full_q} <= {4'd1, 2'b00};
    else if (restore) {depth_q, none_q, full_q} <= {depth_q - 4'd1, depth_q == 4'd1, 1'b0};
    else if (save) {depth_q, none_q, full_q} <= {depth_q + 4'd1, 1'b0, depth_q == 4'd7};
    if (rst) begin
      depth_q <= 4'd0;
      none_q <= 1'b1;
      full_q <= 1'b0;
      map_q <= '0;
    end
  end

  assign none = none_q;
  assign full = full_q;
endmodule
