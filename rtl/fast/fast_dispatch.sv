// Stage D: the lanes' entities, and whether all that the row takes is there. Combinational.
//
// This is the engine's loop: window -> is the last one there? -> head of the queue -> window.
module fast_dispatch
  import fast_pkg::*;
(
    input row_t           row,
    input decoded_t       decoded,
    input flags_t   [7:0] window,
    input logic     [2:0] base,

    output intake_t [3:0] lanes,
    output logic          missing,    // an entity is not there
    output logic          last_null,  // the entity taken last: NULL, one, more
    output logic          last_one,
    output logic          last_more
);
  always_comb begin
    missing   = 1'b0;
    last_null = 1'b0;
    last_one  = 1'b0;
    last_more = 1'b0;
    for (int i = 0; i < 8; i++) begin
      missing |= decoded.last[i] && !window[i].valid;
      last_null |= decoded.last[i] && window[i].is_null;
      last_one |= decoded.last[i] && window[i].is_one;
      last_more |= decoded.last[i] && window[i].more;
    end

    lanes = '0;
    for (int k = 0; k < 4; k++) begin
      logic is_text, is_long, there, both;
      is_text = row.slots[k].kind == ASCII || row.slots[k].kind == TEXT;
      is_long = 1'b0;
      there = 1'b0;
      both = 1'b0;
      lanes[k].active = row.slots[k].kind != NOP && !decoded.absent[k];
      lanes[k].stream = decoded.streams[k];
      lanes[k].bit_set = decoded.sets[k];
      for (int i = 0; i < 8; i++) begin
        is_long |= decoded.at[k][i] && window[i].is_wide;
        there |= decoded.at[k][i] && window[i].valid;
        if (i < 7) both |= decoded.at[k][i] && window[(i+1)%8].valid;
      end
      lanes[k].missing_first = decoded.streams[k] && !there;
      lanes[k].missing_second = decoded.two[k] && !both;
      lanes[k].first = base + decoded.place[k][2:0];
      lanes[k].second = base + decoded.place[k][2:0] + 3'd1;
      lanes[k].wide = decoded.streams[k] ? is_text && is_long
          : row.initial_wide[k] && (row.slots[k].operation != OP_CONSTANT || decoded.sets[k])
            || row.slots[k].operation == OP_COPY && (row.slots[k].kind == ASCII
                || row.slots[k].kind == UNICODE || row.slots[k].kind == BYTES);
    end
  end
endmodule
