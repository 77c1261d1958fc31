// Where the lanes of a row find their entities, as far as row and presence map tell. Combinational.
//
// Done when a row comes in hand, a cycle before it can be dispatched. What depends on NULLs
// (fast_look) counts as not NULL here. A row that pushes a presence map and needs its bits is
// decoded twice: first for the map alone, as if it were a row of its own.
module fast_decode
  import fast_pkg::*;
(
    input row_t       row,
    input row_t       prior,   // the row before it
    input logic       pushed,  // its map was pushed
    input logic [4:0] bits,    // the next presence map bits, the first in bit 0

    output decoded_t decoded
);
  logic pushes, map_alone;
  logic [3:0][1:0] entities;
  logic [3:0] first;
  logic [3:0] taken;

  always_comb begin
    pushes = row.push && !pushed;
    map_alone = pushes && (row.conditional || row.pop);

    decoded = '0;
    for (int k = 0; k < 4; k++) begin
      decoded.sets[k] = row.shapes[k].tested ? bits[{1'b0, row.shapes[k].bit_at}]
                                             : row.slots[k].presence != CLEAR;
      decoded.streams[k] = row.shapes[k].takes != 2'd0
                           && (decoded.sets[k] || !row.shapes[k].tested);
      decoded.two[k] = decoded.streams[k] && row.shapes[k].takes[1];
      entities[k] = {decoded.two[k], decoded.streams[k] && !decoded.two[k]};
      decoded.checks[k] = !map_alone && (decoded.streams[k] && row.shapes[k].takes == 2'd3
                                         || k > 0 && row.shapes[k].skip);
    end
    first = {3'd0, pushes};
    decoded.place[0] = first;
    decoded.place[1] = first + 4'(entities[0]);
    decoded.place[2] = first + 4'(entities[0]) + 4'(entities[1]);
    decoded.place[3] = (first + 4'(entities[0]) + 4'(entities[1])) + 4'(entities[2]);
    taken = (first + 4'(entities[0]) + 4'(entities[1])) + (4'(entities[2]) + 4'(entities[3]));
    if (map_alone) taken = 4'd1;
    decoded.taken = taken;
    for (int i = 0; i < 8; i++) decoded.last[i] = taken == 4'(i + 1);

    for (int k = 0; k < 4; k++) if (row.slots[k].kind != NOP) decoded.lane = 2'(k);
    decoded.lane_streams = decoded.streams[decoded.lane];
    decoded.lane_optional = row.slots[decoded.lane].optional;
    decoded.pushes = pushes;
    decoded.map_alone = map_alone;
    for (int k = 0; k < 4; k++) begin
      for (int i = 0; i < 8; i++) decoded.at[k][i] = decoded.place[k] == 4'(i);
    end
    decoded.uses = map_alone ? 3'd0 : row.bits_used - 3'(row.bits_depend);
    decoded.late = row.bits_depend && !map_alone;
    decoded.test_bit = row.bits_used != 3'd0 && bits[row.bits_used-3'd1];
    decoded.opens = row.control == SEQUENCE && !row.length_operated;
    decoded.plain = (row.control == NEXT || decoded.opens) && !row.pop && !pushes && !row.bits_depend
                    && !row.is_text && !row.is_raw;
    decoded.counts = decoded.opens && !decoded.plain;
    for (int k = 0; k < 4; k++) begin
      if (row.slots[k].operation >= OP_COPY && prior.slots[k].operation >= OP_COPY
          && row.slots[k].entry == prior.slots[k].entry)
        decoded.again = 1'b1;
    end
    decoded.look = decoded.checks != '0;
  end
endmodule
