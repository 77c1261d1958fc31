// Presence maps: the one in hand as a shift register, those beneath it on a stack.
//
// `load` puts the map of a header or of a pushed element in place; a push saves the one in hand a
// cycle before. A row's bits are passed by when it comes in hand, so that those of the row behind it
// come from registers. Bits beyond a map's end are 0, and so are all where there is none. What may happen
// chooses the next map early; whether it does only enables the register.
module fast_maps (
    input logic clk,
    input logic rst,

    input logic        clear,     // a message begins
    input logic        save,      // the map in hand goes onto the stack
    input logic        load,      // a header's map,
    input logic [62:0] map,       // of which the next bit is bit 62,
    input logic        pushed,    // or a pushed element's,
    input logic        again,     // of which the row that pushed it comes in hand now
    input logic [62:0] element,
    input logic [ 2:0] use_bits,  // of the row that comes in hand
    input logic [ 2:0] moves,     // it does now, or any of the others: for some bits each
    input logic        lates,     // it may be: one bit more
    input logic        late,      // it is
    input logic        restores,  // it may be: the map in hand ends
    input logic        restore,   // it does

    output logic [4:0] bits,  // behind those of the row in hand, the first in bit 0
    output logic       rest,  // a bit is 1 behind those used a cycle ago
    output logic       none,  // no map is in hand
    output logic       full
);
  logic [62:0] map_q, map_d;
  logic [62:0] stack[8];
  logic [3:0] depth_q;
  logic none_q, full_q;

  // Where the next one comes from: kept, since so much hangs on each.
  (* keep *)
  logic passes, loads, follows, ends, shifts;
  logic [62:0] passed, beneath;
  always_comb begin
    loads = load && !again;
    follows = pushed && !load && !again;
    ends = restores && !pushed && !load && !again;
    shifts = lates && !restores && !pushed && !load && !again;
    passes = again || !(load || pushed || restores || lates);
    passed = (again ? element : map_q) << use_bits;
    beneath = stack[depth_q[2:0]-3'd1] & {63{depth_q > 4'd1}};
    map_d = passed & {63{passes}} | map & {63{loads}} | element & {63{follows}}
        | beneath & {63{ends}} | (map_q << 1) & {63{shifts}};
  end
  always_comb for (int i = 0; i < 5; i++) bits[i] = map_q[62-i];

  // Depth, none, full: behind a save, which is by itself and late, and without it.
  (* keep *)
  logic [5:0] deeper, settled;
  always_comb begin
    deeper = {depth_q + 4'd1, 1'b0, depth_q == 4'd7};
    settled = {depth_q, none_q, full_q};
    if (restore) settled = {depth_q - 4'd1, depth_q == 4'd1, 1'b0};
    if (clear) settled = {4'd1, 2'b00};
  end

  always_ff @(posedge clk) begin
    if (save) begin
      stack[depth_q[2:0]] <= map_q;
    end
    if (moves[0]) map_q[62:58] <= map_d[62:58];
    if (moves[1]) map_q[57:29] <= map_d[57:29];
    if (moves[2]) map_q[28:0] <= map_d[28:0];
    rest <= map_q[61:0] != '0 || map_q[62] && !late;
    {depth_q, none_q, full_q} <= deeper & {6{save}} | settled & {6{!save}};
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
