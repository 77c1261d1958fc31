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
  // One bit for each number: entities of a lane, of the last two, and of all before a lane. Sums are
  // shifts then, of which synthesis makes fewer levels than of adders.
  logic [3:0][2:0] entities;
  logic [3:0][1:0] number;
  logic [4:0] pair;
  logic [4:0][8:0] prefix;

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
      entities[k] = {decoded.two[k], decoded.streams[k] && !decoded.two[k], !decoded.streams[k]};
      decoded.checks[k] = !map_alone && (decoded.streams[k] && row.shapes[k].takes == 2'd3
                                         || k > 0 && row.shapes[k].skip);
    end
    prefix = '0;
    prefix[0] = {7'd0, pushes, !pushes};
    pair = '0;
    for (int k = 0; k < 3; k++) begin
      for (int n = 0; n < 3; n++) prefix[k+1] |= (prefix[k] << n) & {9{entities[k][n]}};
    end
    for (int n = 0; n < 3; n++) pair |= (5'(entities[2]) << n) & {5{entities[3][n]}};
    // Behind the last: the first two lanes' and the last two's.
    for (int n = 0; n < 5; n++) prefix[4] |= (prefix[2] << n) & {9{pair[n]}};
    if (map_alone) prefix[4] = 9'd2;
    for (int k = 0; k < 4; k++) decoded.at[k] = prefix[k][7:0];
    decoded.last = prefix[4][8:1];
    for (int k = 0; k < 4; k++) number[k] = {decoded.two[k], decoded.streams[k] && !decoded.two[k]};
    decoded.place[0] = {3'd0, pushes};
    decoded.place[1] = {3'd0, pushes} + 4'(number[0]);
    decoded.place[2] = {3'd0, pushes} + 4'(number[0]) + 4'(number[1]);
    decoded.place[3] = ({3'd0, pushes} + 4'(number[0]) + 4'(number[1])) + 4'(number[2]);
    decoded.taken = ({3'd0, pushes} + 4'(number[0]) + 4'(number[1]))
                    + (4'(number[2]) + 4'(number[3]));
    if (map_alone) decoded.taken = 4'd1;

    for (int k = 0; k < 4; k++) if (row.slots[k].kind != NOP) decoded.lane = 2'(k);
    decoded.lane_streams = decoded.streams[decoded.lane];
    decoded.lane_optional = row.slots[decoded.lane].optional;
    decoded.pushes = pushes;
    decoded.map_alone = map_alone;
    decoded.uses = row.bits_used - 3'(row.bits_depend);
    decoded.late = row.bits_depend && !map_alone;
    decoded.test_bit = row.bits_used != 3'd0 && bits[row.bits_used-3'd1];
    decoded.opens = row.control == SEQUENCE && !row.length_operated;
    decoded.plain = (row.control == NEXT || decoded.opens) && !row.pop && !pushes
                    && !row.bits_depend && !row.is_text && !row.is_raw;
    decoded.counts = decoded.opens && !decoded.plain;
    for (int k = 0; k < 4; k++) begin
      if (row.slots[k].operation >= OP_COPY && prior.slots[k].operation >= OP_COPY
          && row.slots[k].entry == prior.slots[k].entry)
        decoded.again = 1'b1;
    end
    decoded.look = decoded.checks != '0;
  end
endmodule
