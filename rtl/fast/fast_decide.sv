// What dispatch decides from registers alone: most of what happens in a cycle hangs on it.
//
// Apart, and so mapped by itself, in as few levels as there can be: how much more hangs on it behind the
// boundaries of fast_late synthesis does not see, and would save LUTs here.
(* keep_hierarchy *)
module fast_decide
  import fast_pkg::*;
(
    // States of the sequencer.
    input logic idle,
    input logic finding,
    input logic in_row,
    input logic control,
    input logic await,
    input logic ended,

    input logic killed,
    input logic stall,   // beats of the row before

    // The row in hand.
    input logic valid,
    input logic able,           // and it is known what of it is NULL
    input logic again,          // takes the same entry as the row that has just gone
    input logic plain,
    input logic opens,
    input logic late,           // has a presence map bit that is told late
    input logic map_alone,      // is here for its presence map alone
    input logic map_pushes,     // pushes one
    input logic over_now,       // no more comes of its packet: it goes whatever is missing
    input logic map_loads,      // a presence map is put in place
    input logic watchdog,
    // A sequence that the row before opened: it has elements, and a frame for them.
    input logic sequence_open,
    input logic lengthy,
    input logic full,
    // Its length, where that has an operator: it is there; it is 0.
    input logic awaited,
    input logic awaited_none,

    // The row behind.
    input logic    following_valid,
    input source_t following_source,
    input logic    conditional,
    input logic    push,
    input logic    stays,             // comes twice, at first for its presence map alone
    // Between messages it comes in hand ahead.
    input logic    may_ahead,
    input logic    begun_near,
    input logic    is_ahead,

    // What follows the row's control, of which this is or is not the first cycle.
    input logic    first,
    input logic    counts,
    input logic    ends,
    input logic    map_busy,
    input logic    checks,
    input logic    maps_rest,
    input logic    waits,
    input logic    takes,
    input source_t takes_source,

    // Headers.
    input logic poisoned,
    input logic over,
    input logic first_same,
    input logic next_same,
    input logic later_same,
    input logic answer_good,
    input logic found_now,
    input logic found_good,
    input logic calling,

    // What the row in hand takes is popped, if it is there; of a packet that fails now also without it.
    output logic pops,
    output logic runs_out,  // the row in hand would go, but for the watchdog
    output logic ready,  // it goes, if what it takes is there;
    output logic rolls,  // the one behind comes in hand with it,
    output logic rolls_row,  // not for its map alone
    // What it does if it goes, if nothing is missing; or, `own`, anyway.
    output logic goes_row,  // not for its map alone
    output logic own_goes_row,
    output logic lates,  // its late bit is told
    output logic own_lates,
    output logic moves,  // the presence map in hand moves
    output logic own_moves,
    output logic saves,  // it goes onto the stack
    output logic own_saves,
    output logic loads,  // the row behind comes in hand anyway
    output logic loads_row,
    output logic ahead,
    output logic frames_do,  // a sequence's frame is pushed, or what follows the row is done to it

    output logic controls,
    output logic left_over,
    output logic complete,

    output logic begin_same,
    output logic begin_first,    // with a packet's first header, that or
    output logic begin_answer,
    output logic begin_found,
    output logic begin_call,
    output logic begin_looked,   // so, or with the answer where the last one agrees with it
    output logic begin_message,
    output logic begin_any
);
  logic may_go, begins_sequence, pushes;

  always_comb begin
    // Early: who fails drops the rest of its packet, whatever is popped before.
    pops = in_row && able && !stall && !again && !(sequence_open && !lengthy);
    may_go = in_row && able && !stall && !killed && !again
        && !(sequence_open && (!lengthy || full));
    runs_out = may_go && watchdog;
    ready = may_go && !watchdog;
    // Bits of a row behind a length are not used up yet: it may be 0.
    rolls = ready && plain && following_valid && !(opens && conditional && !push);
    rolls_row = rolls && !stays;

    begins_sequence = await && awaited && !awaited_none && !full && !killed;
    // The row in which the last message began, if it tests no bit.
    ahead = (may_ahead || ended && begun_near && following_source == BEGUN)
        && following_valid && !is_ahead && !(conditional && !push);
    // A sequence's frame: its length is not 0, or has come.
    pushes = in_row && sequence_open && lengthy && !full || begins_sequence;
    loads = ahead || following_valid
        && (in_row && !valid && !(sequence_open && (!lengthy || full)) || begins_sequence);
    loads_row = loads && !stays;

    goes_row = ready && !map_alone;
    own_goes_row = goes_row && over_now;
    lates = ready && late;
    own_lates = lates && over_now;
    moves = rolls_row || lates;
    own_moves = loads_row || map_loads || own_lates;
    saves = ready && map_pushes;
    own_saves = saves && over_now || finding && found_now && found_good && calling;

    // What goes out by itself waits for the beats before.
    controls = control && !map_busy && !killed && (first ? !counts : !stall || !ends);
    left_over = checks && maps_rest;
    // Not before the row that follows is at hand.
    complete = controls && (left_over || !waits
        && (!takes || following_valid && following_source == takes_source));
    frames_do = pushes || complete;

    begin_same = idle && first_same && !poisoned || ended && over && next_same
        || finding && later_same;
    // Early: which of the two it is does not matter then.
    begin_first = idle && !poisoned && (first_same || answer_good)
        || ended && over && (next_same || answer_good);
    begin_answer = idle && !first_same && answer_good && !poisoned
        || ended && over && !next_same && answer_good;
    // One that agrees is none of a call, and two cycles before anything is found.
    begin_found = finding && found_now && found_good && !calling;
    begin_call = finding && found_now && found_good && calling;
    begin_looked = answer_good && (idle && !poisoned || ended && over) || begin_found;
    begin_message = begin_first || finding && (later_same || found_now && found_good && !calling);
    begin_any = begin_first || finding && (later_same || found_now && found_good);
  end
endmodule
