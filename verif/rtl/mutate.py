"""Seeds faults into modules and checks that their tests notice each one.

    mutate.py [MODULE…]     those of some modules, of all without
    mutate.py --check       only whether every fault's text is in its module, once

A fault is a piece of a module's text and what stands in its place. For each, the module's cocotb tests
(or those behind an @, where another block's tests have it in them) run, the quick subset, on a copy of
rtl/; a fault that all tests survive is a hole in them. Without a fault they must pass: tests that fail anyway
notice nothing.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from sources import BUILD, ROOT, path_of

# Seconds that the tests of a fault may take: many times what they take without one.
LONGEST = 400

FAULTS = {
    "xgmii_rx": [
        ("xgmii_rxd[63:32] == XGMII_START_WORD[31:0]", "xgmii_rxd[39:32] == XGMII_START"),
        ("else if (start_0) crc_q <= CRC32_INIT;", ""),
        ("for (int n = 5; n <= 7; n++) begin", "for (int n = 5; n <= 6; n++) begin"),
        ("MIN_WORDS = 8", "MIN_WORDS = 7"),
        ("end_lanes > 3'(MAX_REST[shift_q])", "end_lanes >= 3'(MAX_REST[shift_q])"),
        ("3'(MAX_REST[shift_q])", "3'(MAX_REST[0])"),
        ("shift_q && !more_q && !end_lanes[2]", "1'b0"),
        ("shift_q ? now_lane4_ns : now_ns", "now_ns"),
        ("hold_end_q ? coding_q : coding", "coding"),
        ("|| preamble_q) || cut", ") || cut"),
        ("if (hold_upper_q) keep[3:0] = '0;", ""),
        ("hold_upper_q && first_control[0]", "1'b0"),
    ],
    "xgmii_tx": [
        ("(!long_q && i < 4)", "1'b0"),
        ("invert_q <= !poison;", "invert_q <= 1'b1;"),
        ("deficit_q <= deficit_q + short_by;", ""),
        ("+ 3'(extend)", ""),
        ("poison_q <= feed && poison;", "poison_q <= 1'b0;"),
        ("tx_first_lane4 <= started_q && shift_q;", "tx_first_lane4 <= 1'b0;"),
    ],
    "feed_parser": [
        ("field[2][13:0] == '0", "field[2][12:0] == '0"),
        ("sum[3:0] == ~sum[19:16]", "1'b1"),
        ("length_q > 16'd28", "length_q >= 16'd28"),
        ("missing = !short_q || left_q[3:0] > 4'(tail_q);", "missing = 1'b0;"),
        ("short_q <= left_q <= 16'd16;", "short_q <= left_q < 16'd16;"),
        ("short_q <= udp_length_q <= 16'd16;", "short_q <= 1'b0;"),
        ("host_abort_q || (kept && !mirror)", "kept && !mirror"),
        ("kept && !mirror", "kept"),
        ("late_q ? 4'b0111 : 4'b0001", "4'b0001"),
        ("late_q ? '0 : swap16(before_q[63:48])", "swap16(before_q[63:48])"),
        ("at_q[2] && lane4_q && late_q && field", "at_q[2] && late_q && field"),
        ("if (late_tag) late_q <= 1'b0;", ""),
        ("late_tag ? field[3][15:8] == 8'h45 : field[1][15:8] == 8'h45", "field[1][15:8] == 8'h45"),
        ("else if (!late_tag) at_q <=", "else at_q <="),
    ],
    "lane_align": [
        ("&& shift && s_axis_tkeep[4]", "&& shift"),
        ("first_q ? !s_axis_tkeep[0] : shift_q", "!s_axis_tkeep[0]"),
        ("m_axis_tuser <= user_q;", "m_axis_tuser <= s_axis_tuser;"),
        ("first_q <= s_axis_tlast;", "first_q <= 1'b0;"),
    ],
    "ab_arbiter": [
        ("s_axis_tlast && pass && !s_axis_tuser", "s_axis_tlast && pass"),
        ("!ahead[31]", "ahead == '0"),
        ("open_q || s_axis_tkeep[3]", "1'b1"),
        ("!synced_q || sync", "!synced_q"),
        ("synced_q && !sync && s_number", "synced_q && s_number"),
        ("next_q <= s_number + 32'd1", "next_q <= expected_q + 32'd1"),
    ],
    "tx_arbiter@net_tx": [
        ("!s_axis_fast_tvalid && !inside_q", "!inside_q"),
        ("host_d = !(take && last_q)", "host_d = !take"),
        ("&& !abandon;\n    else", ";\n    else"),
        ("!(shown_q && last_q)", "1'b0"),
        ("s_axis_host_tvalid && !discard_q &&", "s_axis_host_tvalid &&"),
        ("load || discard_q", "load"),
    ],
    "fifo": [
        ("level_q != pointer_t'(DEPTH - 1)", "1'b1"),
        ("else if (m_ready) m_valid <= 1'b0;", ""),
    ],
    "skid_buffer": [
        ("if (ready_q) skid_q <= s_data;", "skid_q <= s_data;"),
        ("m_valid <= s_valid || !ready_q;", "m_valid <= s_valid;"),
    ],
    "ready_buffer": [
        ("if (!keeps_q[p]) kept_q", "kept_q"),
        ("m_valid && !m_ready && !rst", "s_valid && !m_ready && !rst"),
        ("keeps_q[0] || s_valid", "s_valid"),
    ],
    "timestamper": [
        ("step_lane4_q <= correction + 68'(PERIOD) + 68'(HALF);",
         "step_lane4_q <= correction + 68'(PERIOD);"),
        ("{{4{adjust_ns[31]}}, adjust_ns, 32'd0}", "{4'd0, adjust_ns, 32'd0}"),
    ],
    "frame_fifo": [
        ("head_q <= commit_q;", ""),
        ("&& (lost || s_axis_tuser)", "&& lost"),
        ("lost = lost_q || !room_q || !side_room_q", "lost = !room_q || !side_room_q"),
        ("tail_q != commit_q", "tail_q != head_q"),
    ],
    "packet_fifo": [
        ("state_q == BETWEEN && !tight_q)", "state_q == BETWEEN)"),
        ("pointer_t'(DEPTH - 2)", "pointer_t'(DEPTH - 1)"),
        ("admitted.user = 1'b1;", ""),
        ("!waiting && !read_valid_q && move_fetched", "!waiting && move_fetched"),
        ("through && !(m_axis_tready && !out_valid_q)", "through"),
        ("cut <= state_q == CUT;", "cut <= state_q == DROP;"),
    ],
    "packet_tagger": [
        ("tid_q == LAST ? '0", "tid_q == '1 ? '0"),
        ("wait_good_q <= !behind || !tuser;", "wait_good_q <= 1'b1;"),
        ("told_q <= tvalid && !tready;", "told_q <= 1'b0;"),
    ],
    "packet_intake": [
        ("s_axis_gap || missing_q", "s_axis_gap"),
        ("if (s_axis_tvalid) missing_q <= 1'b0;", ""),
        ("if (dropped || cut) missing_q", "if (dropped) missing_q"),
        ("within_q ? goes_on_q : enable", "enable"),
        ("far_q && !within_q", "far_q"),
        ("newest - oldest - TID_BITS'(newest < oldest)", "newest - oldest"),
        ("oldest != NO_PACKET &&", "oldest != NO_PACKET - 1'b1 &&"),
        ("p < PLACES", "p < PLACES - 1"),
        ("tvalid && beat.tlast && !goes_on", "waiting && beat.tlast && !goes_on"),
        ("begin_tid <= beat.tid;", "begin_tid <= judged_tid;"),
    ],
    "event_counters": [
        ("take && turn_q[i] ? '0", "turn_q[i] ? '0"),
        ("fresh_2_q ? '0 : word_q", "word_q"),
        ("sum_q <= word + ", "sum_q <= word_q + "),
    ],
    "word_halves@event_counters": [
        ("if (asked && !high) high_q", "high_q"),
        ("asked && !rst", "asked && !high && !rst"),
    ],
    "fast_scan@fast_front": [
        ("&& !stop_first && !take_map", "&& !take_map"),
        ("(drop && mine && all_taken)", "(mine && all_taken)"),
        ("|| !stop_first && close;", "|| 1'b0;"),
        ("if (flush && !passes) bit6_step", "if (flush) bit6_step"),
        ("carries && !pass_q && !hand_q.last ?", "carries && !pass_q ?"),
    ],
    "fast_front": [
        ("raw_failed <= closed_q && !reset;", "raw_failed <= failed_q && !reset;"),
    ],
    "fast_queue": [
        ("8'((9'd1 << n) - 9'd1)", "8'((9'd2 << n) - 9'd1)"),
        ("hand_q & {6{!(drop && drop_packet == packet)}}", "hand_q"),
        ("& {8{!blank}}", ""),
        ("held_kept = !drop ? held_q :", "held_kept = 1'b1 ? held_q :"),
        ("drop_ended ? end_q[drop_packet] : tail_q", "tail_q"),
        ("forward_q <= bank_write[j] && !rst", "forward_q <= 1'b0 && !rst"),
    ],
    "fast_sequencer@fast_engine": [
        ("frames_depth + 3'(sequence_q)", "frames_depth"),
        ("!one && !frames_over;", "!one;"),
        ("!(left_over && row.pop)", "!left_over"),
        ("own_packet_done = !killed;", "own_packet_done = 1'b1;"),
        ("known || !never || settled", "1'b1"),
    ],
    "fast_hand@fast_engine": [
        ("looks ? !(seen || ended)", "looks ? !seen"),
    ],
    "fast_failures@fast_engine": [
        ("gone_q[3] && gone_q[0]", "1'b0"),
    ],
    "fast_decide@fast_engine": [
        ("&& !killed && !again", "&& !killed"),
        ("!(opens && conditional && !push)", "1'b1"),
    ],
    "fast_decode@fast_engine": [
        ("map_alone ? 6'd2 : first_two", "first_two"),
        ("bit_at[0] ? entities[1][n/2]", "bit_at[0] ? entities[1][n%2]"),
    ],
    "fast_message@fast_engine": [
        ("find1_q && !later_same && !failing", "find1_q && !failing"),
    ],
    "fast_output@fast_engine": [
        ("if (dark_q[k] || void_q)", "if (dark_q[k])"),
        ("shown_in_q[k].two && shown_in_q[k].first == next_q", "1'b0"),
    ],
    "fast_execute@fast_engine": [
        ("max_text_q <= settings.max_text;", "max_text_q <= settings.max_text + 32'd2;"),
        ("x_q.more_text ? text_bytes_q : 32'd0", "32'd0"),
    ],
    "fast_frames@fast_engine": [
        ("if (!spill_told_q) begin", "if (1'b1) begin"),
        ("spill_q ? spilled_q.call : below.call", "below.call"),
        ("spill_q ? spilled_q.row : below.row", "below.row"),
    ],
    "fast_fetch@fast_engine": [
        ("(issue ? ROW_BITS'(AHEAD - 1) : ROW_BITS'(AHEAD))", "ROW_BITS'(AHEAD - 1)"),
        ("(issue ? ROW_BITS'(AHEAD - 1) : ROW_BITS'(AHEAD))", "ROW_BITS'(AHEAD)"),
    ],
    "fast_operand@fast_engine": [
        ("if (lead_beyond) operand.exponent = 16'sh7fff;", ""),
    ],
    "entry_builder": [
        ("early_ends_q <= s_begin && s_end && s_status == '0 && !rst;", "early_ends_q <= 1'b0;"),
        ("later_q[3].early && !is_entry", "1'b0"),
        ("scope_d == SCOPE_ENTRY && !deep_d", "scope_d == SCOPE_ENTRY"),
        ("price_over || quantity_over) && later_q[6].scales", "price_over || quantity_over)"),
        ("entries_last_q <= entries_left_q == 64'd2;", "entries_last_q <= entries_left_q == 64'd3;"),
        ("(clear_q || enters)", "(clear_q)"),
        ("in_range_q <= s_template[15:12] == '0;", "in_range_q <= 1'b1;"),
        (".outside         (scope_q[2]),", ".outside         (1'b0),"),
    ],
    "entry_names@entry_builder": [
        ("{2{~has_session}}", "'0"),
        ("now.session_empty ? ~has_session : session", "session"),
        ("known_id_q <= message_id_q;", "known_id_q <= 1'b0;"),
        ("id_wrong = known_wrong_q || now.id_wrong;", "id_wrong = now.id_wrong;"),
    ],
    "entry_values@entry_builder": [
        ("if (rest) values.id[63:32] = values_q.id[31:0];", ""),
        ("values.has_price = now.has[ROLE_PRICE] || values_q.has_price;", "values.has_price = now.has[ROLE_PRICE];"),
    ],
    "order_sender": [
        ("reasons_q[i]  <= reasons[i];", "reasons_q[i] <= armed_q[i] && reasons[i] == NOT_ARMED ? ACCEPTED : reasons[i];"),
        ("(state_q == SEND || state_q == BACK) && udp_q", "(state_q == SEND) && udp_q"),
        ("(told && verdict_good && !bad_q)", "(told && verdict_good)"),
        ("certain_q && !idle_q,", "certain_q,"),
        (".m_ready(idle_q && queue_valid && !queued.trusted)", ".m_ready(idle_q && queue_valid)"),
    ],
    "order_sequence@order_sender": [
        ("digits_q <= digits_was_q;", ""),
        ("if (any_set) settle_q <= '1;", ""),
        ("tcp_limit_q <= tcp_limit_q - 32'(advance_length);", ""),
    ],
    "order_slots@order_sender": [
        ("check_q >= 8'd200 ? 2'd2", "check_q > 8'd200 ? 2'd2"),
        ("5'(sum_all_q[18:16])", "5'(sum_all_q[17:16])"),
        ("keep_q <= source_q.last ? last_keep_q : '1;", "keep_q <= '1;"),
        ("m_axis_tuser <= last_q && poison;", "m_axis_tuser <= 1'b0;"),
    ],
    "order_verdicts@order_sender": [
        ("may_q[verdict_tid+TID_BITS'(1)] <= speculate;", ""),
        ("bad_q[verdict_tid+TID_BITS'(1)] <= 1'b0;", ""),
    ],
    "slot_compare@strategy_slots": [
        ("price[63] = !price[63];", ""),
        ("{4'b0000, ~limit, 1'b1}", "{4'b0000, ~limit, 1'b0}"),
    ],
    "strategy_slots": [
        ("waiting.hits & ~older;", "waiting.hits;"),
        ("older_q[s] <= older_q[s] - 1'b1;", "older_q[s] <= older_q[s];"),
        ("if (ended_q[s]) older_q[s] <= waiting_d;", "if (ended_q[s]) older_q[s] <= '0;"),
    ],
    "slot_limits@strategy_slots": [
        ("exceeded_q <= leaves_q < amount_in_q;", "exceeded_q <= 1'b0;"),
        ("max_order_q < quantity_q", "max_order_q <= quantity_q"),
        ("room_q < sum_q", "room_q <= sum_q"),
        ("(fire_valid && fire_beside[s])", "1'b0"),
        ("if (op_q == COMMAND_REJECTED) after = SLOT_DONE;", ""),
    ],
    "book_choice@order_book": [
        ("(better_first || (better_second && take_second))", "better_first"),
        ("removes && sole && !stays;", "removes && sole;"),
    ],
    "book_front@order_book": [
        ("stood_sole_q}) != '0 && !stays_q[1];", "stood_sole_q}) != '0;"),
        ("equal != '0 && !(ending && s2_rank == s3_found_rank_q[2])", "equal != '0"),
        ("sole_here[k] = stood_sole_q[(k+LEVELS-1)%LEVELS];", "sole_here[k] = stood_sole_q[k];"),
        ("assign at_before = place[k==0?0 : k-1];",
         "always_comb begin at_before = place[k==0?0 : k-1]; at_before.owes = 1'b0; end"),
        ("edge_q <= rank_q[LEVELS-1];", ""),
        ("at_behind.owes = 1'b0;", "{at_behind.owes, at_behind.gains} = '0;"),
        ("gains[k] ? twice_q : owes[k]", "owes[k]"),
        ("COUNT_BITS'(3) : COUNT_BITS'(1)", "COUNT_BITS'(3) : COUNT_BITS'(2)"),
    ],
    "book_orders@order_book": [
        ("s1_word_q[w].tag == s1_q.id[ID_BITS-1:INDEX_BITS]",
         "s1_word_q[w].tag[20:0] == s1_q.id[INDEX_BITS+:21]"),
        ("&& s1_word_q[w].live\n", "\n"),
        ("!s1_recent && !s1_overwritten[w]", "!s1_recent"),
        ("for (int a = AGES - 1; a > 0; a--)", "for (int a = AGES - 2; a > 0; a--)"),
    ],
    "book_shift@order_book": [
        ("gone_before ? if_before :", ""),
    ],
    "book_side@order_book": [
        ("if (!quiet) state_d = REST;", ""),
        ("{count_q == '0, count_q}", "{1'b0, count_q}"),
    ],
    "market_admit@market": [
        ("trusted_then = then_q[ANSWER_CYCLES]", "trusted_then = trusted"),
        ("then_q[2] <= trusted & ~at_once;", "then_q[2] <= trusted;"),
        ("(entry_from_host || !older_q[entry_tid])", "1'b1"),
        ("older_q[begin_tid] <= 1'b0;", ""),
        ("~{INSTRUMENTS{gap_q}}", "'1"),
        ("bad_q[verdict_tid+1'b1] <= 1'b0;", ""),
        ("expected_q[i] <= clears ? 32'd1 : follows_q;", "expected_q[i] <= clears ? 32'd1 : '0;"),
        ("if (verdict_valid && verdict_tid == tid) return !verdict_good;", ""),
        ("none_q <= load_rpt_seq == '0;", "none_q <= 1'b0;"),
        ("if (entry_op == ENTRY_CLEAR) at_once |= mine_q;", ""),
    ],
    "market_show@market": [
        ("ends && alone && op != ENTRY_TRADE", "ends && alone && !show_trade"),
    ],
    "market": [
        ("if (take && apply && !entry_q.from_host) touched_last_q",
         "if (entry_valid_q && apply && !entry_q.from_host) touched_last_q"),
        ("tready = book_ready & ~clear_q;", "tready = book_ready;"),
        ("hold_q <= many;", "hold_q <= many - 1'b1;"),
    ],
    "latency_meter": [
        ("old_valid_q && old_bin_q == bin_q ? more", "1'b0 ? more"),
        ("shifted_q[31:5] != '0 ? '1", "shifted_q[31:5] != '0 ? '0"),
        ("read_address[2:0] == '0) kept_q", "1'b1) kept_q"),
        ("sample_valid[s] && !clearing_q", "sample_valid[s]"),
    ],
}


def misplaced() -> list[str]:
    """Faults whose text is not in their module, or not only once: they would show nothing."""
    found = []
    for key, faults in FAULTS.items():
        module = key.partition("@")[0]
        text = path_of(module).read_text()
        counts = [(old, text.count(old)) for old, _ in faults]
        found += [f"{module}: {old!r} is there {count} times" for old, count in counts if count != 1]
    return found


def simulate(tests: str, sources: Path) -> int | None:
    """What the quick tests end with on this copy of rtl/: 0 if they pass; None where a simulation does not come
    to an end."""
    command = [sys.executable, "-m", "pytest", "-q", "-c", "verif/rtl/pytest.ini"]
    process = subprocess.Popen(
        [*command, f"verif/cocotb/{tests}"],
        cwd=ROOT,
        env=dict(os.environ, SAKER_RTL=str(sources), SAKER_RTL_QUICK="1"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def logs_of(tests: str) -> list[Path]:
    return list((BUILD / "cocotb").glob(f"mutant-{tests}*/test.log"))


def main() -> int:
    wrong = misplaced()
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    if wrong or "--check" in sys.argv:
        return 1 if wrong else 0
    asked = set(sys.argv[1:])
    modules = {key: key.partition("@")[0] for key in FAULTS}
    if unknown := asked - set(modules.values()):
        print(f"no faults for {', '.join(sorted(unknown))}; there are some for "
              f"{', '.join(sorted(set(modules.values())))}", file=sys.stderr)
        return 2
    wanted = [key for key, module in modules.items() if not asked or module in asked]
    copy = BUILD / "mutants"
    survived, killed, sound = [], 0, set()
    for key in wanted:
        module, _, tests = key.partition("@")
        tests = tests or module
        if tests not in sound and simulate(tests, ROOT / "rtl") != 0:
            print(f"{tests}: the tests fail without a fault", file=sys.stderr)
            return 1
        sound.add(tests)
        for old, new in FAULTS[key]:
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(ROOT / "rtl", copy)
            text = path_of(module).read_text()
            next(copy.rglob(f"{module}.sv")).write_text(text.replace(old, new))
            # Those of the fault before would say that this one was simulated.
            for log in logs_of(tests):
                log.unlink()
            ended = simulate(tests, copy)
            passed = ended == 0
            texts = [log.read_text() for log in logs_of(tests)]
            simulated = ended is None or any("cocotb.regression" in text for text in texts)
            if passed:
                survived.append((module, old, new))
            elif not simulated:
                print(f"{module}: {old!r} -> {new!r} does not build", file=sys.stderr)
                return 1
            else:
                killed += 1
            print(f"{module}: {old!r} -> {new!r}: {'SURVIVED' if passed else 'noticed'}",
                  flush=True)
    print(f"rtl-mutants: {killed} noticed, {len(survived)} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
