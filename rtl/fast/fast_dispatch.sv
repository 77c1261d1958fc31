// Stage D: which entities the lanes get, and how many the row takes. Combinational.
//
// The slots of a row take entities one after another; how many depends on presence map bits, on NULL
// exponents and, for `man`, on the absence of its exponent. This is the engine's loop: window ->
// number taken -> head of the queue -> window. So what each lane takes is worked out for every place
// at which it may start, in parallel, and the way through the four lanes is one selection each, of
// one-hot places.
module fast_dispatch
  import fast_pkg::*;
(
    input row_t         row,
    input logic         pushes,      // the first entity is a presence map
    input logic   [3:0] bits,        // the next presence map bits, the first in bit 0
    input logic   [3:0] exp_absent,  // lanes whose exponent has no value if it is not in the stream
    input flags_t [7:0] window,
    input logic   [2:0] base,

    output intake_t [3:0] lanes,
    output logic    [3:0] taken,      // 0–8
    output logic          missing,    // an entity is not there
    output logic          skipped,    // a `man` with a bit behind an absent exponent
    output logic          last_null,  // the entity taken last: NULL, one, more
    output logic          last_one,
    output logic          last_more
);
  // The window from the first slot's entity on.
  logic [9:0] null_at, valid_at, one_at, more_at, wide_at;
  always_comb begin
    null_at = '0;
    valid_at = '0;
    one_at = '0;
    more_at = '0;
    wide_at = '0;
    for (int i = 0; i < 8; i++) begin
      if (pushes) begin
        if (i > 0) begin
          null_at[i-1]  = window[i].is_null;
          valid_at[i-1] = window[i].valid;
          one_at[i-1]   = window[i].is_one;
          more_at[i-1]  = window[i].more;
          wide_at[i-1]  = window[i].is_wide;
        end
      end else begin
        null_at[i]  = window[i].is_null;
        valid_at[i] = window[i].valid;
        one_at[i]   = window[i].is_one;
        more_at[i]  = window[i].more;
        wide_at[i]  = window[i].is_wide;
      end
    end
  end

  // What does not depend on entities.
  logic [3:0] sets, streams, skips;
  always_comb begin
    for (int k = 0; k < 4; k++) begin
      sets[k] = row.shapes[k].tested ? bits[row.shapes[k].bit_at]
              : row.slots[k].presence != CLEAR;
      streams[k] = row.shapes[k].takes != 2'd0 && (sets[k] || !row.shapes[k].tested);
      skips[k] = k > 0 && row.shapes[k].skip;
    end
  end

  // What a lane takes if it starts at place i: `goes` if its slot is not left out, `one` entity or
  // more, `two`; `good` if they are there.
  logic [3:0][8:0] goes, one, two, good;
  always_comb begin
    for (int k = 0; k < 4; k++) begin
      for (int i = 0; i <= 8; i++) begin
        goes[k][i] = 1'b1;
        if (skips[k]) begin
          goes[k][i] = streams[(k+3)%4] ? i == 0 || !null_at[(i+9)%10] : !exp_absent[(k+3)%4];
        end
        one[k][i] = streams[k] && goes[k][i];
        two[k][i] = one[k][i] && row.shapes[k].takes[1]
                    && !(row.shapes[k].takes[0] && null_at[i]);
        good[k][i] = (!one[k][i] || valid_at[i]) && (!two[k][i] || valid_at[i+1]);
      end
    end
  end

  // Where each lane starts; the last is behind them all.
  logic [4:0][8:0] start;
  logic [3:0] lacks;
  always_comb begin
    start = '0;
    start[0][0] = 1'b1;
    for (int k = 0; k < 4; k++) begin
      for (int j = 0; j <= 8; j++) begin
        start[k+1][j] = start[k][j] && !one[k][j];
        if (j > 0) start[k+1][j] |= start[k][j-1] && one[k][j-1] && !two[k][j-1];
        if (j > 1) start[k+1][j] |= start[k][j-2] && two[k][j-2];
      end
      lacks[k] = |(start[k] & ~good[k]);
    end
    missing = pushes && !window[0].valid || |lacks;
  end

  // For the stages behind.
  function automatic logic [3:0] number(logic [8:0] place);
    number = '0;
    for (int i = 0; i <= 8; i++) if (place[i]) number |= 4'(i);
  endfunction

  always_comb begin
    lanes   = '0;
    skipped = 1'b0;
    for (int k = 0; k < 4; k++) begin
      lanes[k].active = row.slots[k].kind != NOP && |(start[k] & goes[k]);
      lanes[k].stream = |(start[k] & one[k]);
      lanes[k].bit_set = sets[k];
      lanes[k].missing_first = |(start[k] & one[k] & ~valid_at[8:0]);
      lanes[k].missing_second = |(start[k] & two[k] & ~valid_at[9:1]);
      lanes[k].first = base + 3'(pushes) + number(start[k])[2:0];
      lanes[k].second = base + 3'(pushes) + 3'd1 + number(start[k])[2:0];
      lanes[k].wide = streams[k]
          ? (row.slots[k].kind == ASCII || row.slots[k].kind == TEXT)
            && |(start[k] & one[k] & wide_at[8:0])
          : row.initial_wide[k] && (row.slots[k].operation != OP_CONSTANT || sets[k])
            || row.slots[k].operation == OP_COPY && (row.slots[k].kind == ASCII
                || row.slots[k].kind == UNICODE || row.slots[k].kind == BYTES);
      if (row.shapes[k].tested && |(start[k] & ~goes[k])) skipped = 1'b1;
    end
    taken = number(start[4]) + 4'(pushes);
    last_null = |(start[4][8:1] & null_at[7:0]);
    last_one = |(start[4][8:1] & one_at[7:0]);
    last_more = |(start[4][8:1] & more_at[7:0]);
  end
endmodule
