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
  // One bit for each number of entities, and for what the bits may be that tell it, which come late: of a
  // lane, of the first two lanes and a map that is pushed, of the last two. Sums are shifts, of which
  // synthesis makes fewer levels than of adders.
  logic [3:0][1:0][2:0] entities;
  logic [2:0] second;
  logic [1:0][3:0] before_one;
  logic [3:0][5:0] before_two;
  logic [3:0][4:0] behind_two;
  logic [5:0] first_two, counted;
  logic [4:0] last_two;
  logic [3:0] set;  // a lane's bit of the map
  // The same as numbers: of each case, since they are wanted last.
  logic [1:0][3:0] number_one;
  logic [3:0][3:0] number_two, number_behind;
  logic [3:0] number_first;
  logic [4:0][8:0] prefix;  // a lane, and behind the last one
  logic pushes, map_alone;
  shape_t last_shape;

  function automatic logic [8:0] sum(logic [5:0] some, logic [4:0] more);
    sum = '0;
    for (int n = 0; n < 5; n++) sum |= (9'(some) << n) & {9{more[n]}};
  endfunction

  function automatic logic [3:0] binary(logic [8:0] one);
    binary = '0;
    for (int n = 0; n < 9; n++) if (one[n]) binary |= 4'(n);
  endfunction

  always_comb begin
    pushes = row.push && !pushed;
    map_alone = row.alone && !pushed;

    for (int k = 0; k < 4; k++) begin
      for (int b = 0; b < 2; b++) begin
        logic streams, two;
        streams = row.shapes[k].takes != 2'd0 && (b == 1 || !row.shapes[k].tested);
        two = streams && row.shapes[k].takes[1];
        entities[k][b] = {two, streams && !two, !streams};
      end
    end
    for (int n = 0; n < 2; n++) begin
      before_one[n] = 4'(sum({4'd0, pushes, !pushes}, 5'(entities[0][n])));
    end
    for (int n = 0; n < 4; n++) begin
      // Of the map's next two bits the second lane has the one or the other.
      second = row.shapes[1].bit_at[0] ? entities[1][n/2] : entities[1][n%2];
      before_two[n] = 6'(sum(6'(before_one[n%2]), 5'(second)));
      behind_two[n] = 5'(sum(6'(entities[2][n%2]), 5'(entities[3][n/2])));
    end

    for (int n = 0; n < 2; n++) number_one[n] = binary(9'(before_one[n]));
    for (int n = 0; n < 4; n++) begin
      number_two[n] = binary(9'(before_two[n]));
      number_behind[n] = binary(9'(behind_two[n]));
    end
    number_first = number_two[bits[1:0]];

    for (int k = 0; k < 4; k++) begin
      set[k] = 1'b0;
      // Its bit is at most as far as the lane.
      for (int n = 0; n <= k; n++) set[k] |= bits[n] && row.shapes[k].bit_at == 2'(n);
    end
    first_two = before_two[bits[1:0]];
    last_two = behind_two[set[3:2]];
    counted = map_alone ? 6'd2 : first_two;
    prefix[0] = {7'd0, pushes, !pushes};
    prefix[1] = 9'(before_one[bits[0]]);
    prefix[2] = 9'(first_two);
    prefix[3] = sum(first_two, 5'(entities[2][set[2]]));
    prefix[4] = sum(counted, map_alone ? 5'd1 : last_two);

    decoded = '0;
    for (int k = 0; k < 4; k++) begin
      decoded.sets[k] = row.shapes[k].tested ? set[k] : row.slots[k].presence != CLEAR;
      decoded.streams[k] = row.shapes[k].takes != 2'd0 && (set[k] || !row.shapes[k].tested);
      decoded.two[k] = decoded.streams[k] && row.shapes[k].takes[1];
      decoded.checks[k] = !map_alone && (decoded.streams[k] && row.shapes[k].takes == 2'd3
                                         || k > 0 && row.shapes[k].skip);
      decoded.at[k] = prefix[k][7:0];
    end
    decoded.place[0] = {3'd0, pushes};
    decoded.place[1] = number_one[bits[0]];
    decoded.place[2] = number_first;
    decoded.place[3] = number_first + binary(9'(entities[2][set[2]]));
    decoded.taken = map_alone ? 4'd1 : number_first + number_behind[set[3:2]];
    decoded.last = prefix[4][8:1];

    for (int k = 0; k < 4; k++) if (row.slots[k].kind != NOP) decoded.lane = 2'(k);
    last_shape = row.shapes[decoded.lane];
    decoded.lane_streams = last_shape.takes != 2'd0
        && (bits[{1'b0, last_shape.bit_at}] || !last_shape.tested);
    decoded.lane_optional = row.slots[decoded.lane].optional;
    decoded.pushes = pushes;
    decoded.map_alone = map_alone;
    decoded.uses = row.bits_used - 3'(row.bits_depend);
    decoded.late = row.bits_depend && !map_alone;
    for (int n = 0; n < 5; n++) decoded.test_bit |= bits[n] && row.bits_used == 3'(n + 1);
    decoded.opens = row.control == SEQUENCE && !row.length_operated;
    decoded.plain = (row.control == NEXT || decoded.opens) && !row.pop && !pushes
                    && !row.bits_depend && !row.is_text && !row.is_raw;
    decoded.counts = decoded.opens && !decoded.plain;
    decoded.turns = !decoded.plain && !map_alone;
    for (int k = 0; k < 4; k++) begin
      if (row.slots[k].operation >= OP_COPY && prior.slots[k].operation >= OP_COPY
          && row.slots[k].entry == prior.slots[k].entry)
        decoded.again = 1'b1;
    end
    decoded.look = decoded.checks != '0;
  end
endmodule
