// What a cycle does, decided from registers alone: most of what happens hangs on it.
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
    input logic idle_ahead, // a row may come in hand ahead: between messages

    input logic killed,
    input logic stall,   // beats of the row before

    // The row in hand.
    input logic valid,
    input logic able,          // and it is known what of it is NULL
    input logic watchdog,
    // Its length, where that has an operator: it is there; it is 0.
    input logic awaited,
    input logic awaited_none,
    input logic full,          // there is no frame for another sequence

    // The row behind.
    input logic following_valid,
    input logic following_begun,
    input logic touches,          // tests or pushes a presence map
    input logic map_there,        // the map that it pushes was looked at, or it pushes none
    // Between messages it comes in hand ahead.
    input logic begun_near,
    input logic is_ahead,

    // What follows the row's control, of which this is or is not the first cycle.
    input logic first,
    input logic ends,
    input logic checks,
    input logic map_rest,
    input logic waits,
    input logic takes,       // the row behind
    input logic map_settled, // it does not have to wait for the presence map

    // Headers.
    input logic poisoned,
    input logic over,
    input logic sure,         // it is known whether the packet is over
    input logic first_same,
    input logic next_same,
    input logic later_same,
    input logic answer_good,
    input logic found_now,
    input logic found_good,
    input logic calling,

    output logic runs_out,  // the row in hand would go, but for the watchdog
    output logic ready,     // it goes, if what it takes is there
    output logic copies,    // the row behind is copied, whether or not it comes in hand,
    output logic loads,     // which it does anyway,
    output logic may_load,  // or if nothing holds up what follows the row
    output logic ahead,
    output logic opens,     // a frame is pushed for the sequence whose length has come

    output logic controls,
    output logic left_over,
    output logic settles,    // nothing does
    output logic complete,   // what follows it happens

    output logic begin_same,
    output logic begin_first,   // with a packet's first header, that or
    output logic begin_answer,
    output logic begin_found,
    output logic begin_call,
    output logic begin_other,   // with the answer, or with what was found
    output logic begin_message
);
  logic may_go, leaves;

  always_comb begin
    may_go = in_row && able && !stall && !killed;
    runs_out = may_go && watchdog;
    ready = may_go && !watchdog;

    opens = await && awaited && !awaited_none && !full && !killed;
    // The row in which the last message began, if it does without a presence map.
    ahead = (idle_ahead || ended && begun_near && following_begun)
        && following_valid && !is_ahead && !touches;
    loads = ahead || following_valid && map_there && (in_row && !valid || opens);

    // What goes out by itself waits for the beats before.
    controls = control && !killed && (first || !stall || !ends);
    left_over = checks && map_rest;
    complete = controls && (left_over || !waits);
    // Whatever becomes of a message that has failed.
    settles = control && (first || !stall || !ends) && !waits;
    may_load = takes && following_valid && map_there && map_settled;
    // Where the row in hand is still asked for it stays.
    copies = settles || in_row && !valid || await && awaited || (idle_ahead || ended) && !is_ahead;

    leaves = ended && over && sure;
    begin_same = idle && first_same && !poisoned || leaves && next_same || finding && later_same;
    // Early: which of the two it is does not matter then.
    begin_first = idle && !poisoned && (first_same || answer_good)
        || leaves && (next_same || answer_good);
    begin_answer = idle && !first_same && answer_good && !poisoned
        || leaves && !next_same && answer_good;
    // One that agrees is none of a call, and two cycles before anything is found.
    begin_found = finding && found_now && found_good && !calling;
    begin_call = finding && found_now && found_good && calling;
    begin_other = begin_answer || begin_found;
    begin_message = begin_same || begin_other;

  end
endmodule
