// Stage D: which entities the lanes get, and how many the row takes. Combinational.
//
// The slots of a row take entities one after another; how many depends on presence map bits, on NULL
// exponents and, for `man`, on the absence of its exponent. This is the engine's loop: window ->
// number taken -> head of the queue -> window. So each lane's need is worked out for every place
// where it may start, in parallel, and the chain through the four lanes is one of selections.
module fast_dispatch
  import fast_pkg::*;
(
    input row_t              row,
    input logic              pushes,      // the first entity is a presence map
    input logic        [3:0] bits,        // the next presence map bits, the first in bit 0
    input logic        [3:0] exp_absent,  // lanes whose exponent's entry and initial value give none
    input flags_t      [7:0] window,
    input logic        [2:0] base,

    output intake_t [3:0] lanes,
    output logic    [3:0] taken,        // 0–8
    output logic          missing,      // an entity is not there
    output logic          skipped,      // a `man` with a bit behind an absent exponent
    output logic          last_null,    // the last taking lane's first entity: NULL, one, more
    output logic          last_one,
    output logic          last_more
);
  // Window from the first slot's entity on.
  flags_t [8:0] from;
  always_comb begin
    for (int i = 0; i < 8; i++) begin
      from[i] = pushes ? (i < 7 ? window[(i+1)%8] : '0) : window[i];
    end
    from[8] = '0;
  end

  // What does not depend on entities.
  logic [3:0] runs, streams, sets;
  always_comb begin
    for (int k = 0; k < 4; k++) begin
      sets[k] = row.shapes[k].tested ? bits[row.shapes[k].bit_at]
              : row.slots[k].presence != CLEAR;
      runs[k] = row.slots[k].kind != NOP;
      streams[k] = row.shapes[k].takes != 2'd0 && (sets[k] || !row.shapes[k].tested);
    end
  end

  logic [3:0] absent;   // an optional exponent without value
  logic [3:0] active, takes_one, takes_two;
  logic [3:0] place;

  always_comb begin
    place   = 4'd0;
    absent  = '0;
    missing = pushes && !window[0].valid;
    skipped = 1'b0;
    lanes   = '0;
    last_null = 1'b0;
    last_one  = 1'b0;
    last_more = 1'b0;
    for (int k = 0; k < 4; k++) begin
      active[k] = runs[k];
      if (k > 0 && row.shapes[k].skip && absent[(k+3)%4]) begin
        active[k] = 1'b0;
        if (row.shapes[k].tested) skipped = 1'b1;
      end
      takes_one[k] = active[k] && streams[k];
      takes_two[k] = takes_one[k] && row.shapes[k].takes[1]
                     && !(row.shapes[k].takes[0] && from[place].is_null);
      absent[k] = row.slots[k].optional && (streams[k] ? from[place].is_null : exp_absent[k]);
      lanes[k].active = active[k];
      lanes[k].stream = takes_one[k];
      lanes[k].bit_set = sets[k];
      lanes[k].missing_first = takes_one[k] && !from[place].valid;
      lanes[k].missing_second = takes_two[k] && !from[place+4'd1].valid;
      lanes[k].first = base + 3'(place) + 3'(pushes);
      lanes[k].second = base + 3'(place) + 3'(pushes) + 3'd1;
      lanes[k].wide = !streams[k] && (row.initial_wide[k] ||
          (row.slots[k].operation == OP_COPY
           && (row.slots[k].kind == ASCII || row.slots[k].kind == UNICODE
               || row.slots[k].kind == BYTES)));
      missing = missing || lanes[k].missing_first || lanes[k].missing_second;
      if (takes_one[k]) begin
        last_null = from[place].is_null;
        last_one  = from[place].is_one;
        last_more = from[place].more;
      end
      place = place + 4'(takes_one[k]) + 4'(takes_two[k]);
    end
    taken = place + 4'(pushes);
  end
endmodule
