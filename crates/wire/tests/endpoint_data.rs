//! Data transfer rule by rule: retransmission, windows, reassembly, acknowledgements.

#![allow(clippy::unwrap_used)] // a test may fail

mod endpoint_support;

use TransmitKind::{Ack, Data, Retransmission, WindowProbe};
use endpoint_support::script::*;
use saker_wire::endpoint::{Config, Event, State, TransmitKind};
use saker_wire::tcp::TcpOption;
use saker_wire::time::{MILLISECOND, SECOND};

fn received(script: &mut Script) -> Vec<u8> {
    let mut bytes = Vec::new();
    script.endpoint.recv(&mut bytes);
    bytes
}

#[test]
fn bytes_leave_at_once_and_the_last_segment_pushes() {
    // RFC 9293 section 3.7.4: Nagle's algorithm is off.
    let mut script = Script::established(config());
    for (at, text) in [(1, b"a"), (2, b"b")] {
        assert_eq!(script.endpoint.send(text), 1);
        let sent = script.sent_one();
        assert_eq!((sent.kind, sent.seq, sent.flags), (Data, at, ACK | PSH));
    }
    script.endpoint.send(&bytes(0, 1500));
    let sent = script.sent();
    assert_eq!(sent[0].flags, ACK);
    assert_eq!(sent[1].flags, ACK | PSH);
}

#[test]
fn the_queue_takes_what_it_has_room_for() {
    let config = Config { send_capacity: 1000, retransmit_capacity: 1500, ..config() };
    let mut script = Script::established(config);
    assert_eq!(script.endpoint.send(&bytes(0, 3000)), 1000);
    assert_eq!(script.endpoint.send_room(), 0);
    assert_eq!(script.sent_briefly(), [(Data, 1, 1000)]);
    assert_eq!(script.endpoint.send(&bytes(1000, 3000)), 1000);
    // The retransmission queue has room for 500 more; that would be silly while an
    // acknowledgement is on its way (RFC 9293 section 3.8.6.2.1).
    assert_eq!(script.sent_briefly(), []);
    script.give_ack(1001);
    assert_eq!(script.sent_briefly(), [(Data, 1001, 1000)]);
    assert_eq!(script.endpoint.unacknowledged(), 1000);
}

#[test]
fn a_lost_segment_is_repeated_with_backoff() {
    // RFC 6298 section 5.
    let mut script = Script::established(config());
    script.endpoint.send(b"order");
    let first = script.sent_one();
    for expected in [SECOND, 2 * SECOND, 4 * SECOND] {
        assert_eq!(script.wait(), expected);
        let again = script.sent_one();
        assert_eq!((again.kind, again.seq), (Retransmission, first.seq));
        assert_eq!(again.payload, first.payload);
    }
    assert_eq!(script.endpoint.counters().timeouts, 3);
    script.give_ack(6);
    assert_eq!(script.endpoint.next_deadline(), None, "(5.2) everything is acknowledged");
    // Karn: the acknowledgement measured nothing, so the backoff stays (5.7) ...
    script.endpoint.send(b"x");
    script.sent();
    script.now += 100 * MILLISECOND;
    assert_eq!(script.wait(), 8 * SECOND - 100 * MILLISECOND);
    script.sent();
    script.give_ack(7);
    // ... until a segment that was sent once is acknowledged.
    script.endpoint.send(b"y");
    script.sent();
    script.now += 100 * MILLISECOND;
    script.give_ack(8);
    script.endpoint.send(b"z");
    script.sent();
    assert_eq!(script.wait(), SECOND);
}

#[test]
fn the_timer_starts_again_with_every_acknowledgement_of_new_data() {
    // RFC 6298 (5.3).
    let mut script = Script::established(config());
    script.endpoint.send(&bytes(0, 2000));
    script.sent();
    script.now += 900 * MILLISECOND;
    script.give_ack(1001);
    assert!(script.wait() >= SECOND);
    assert_eq!(script.sent_briefly(), [(Retransmission, 1001, 1000)]);
}

#[test]
fn after_a_timeout_everything_goes_out_again_in_slow_start() {
    // RFC 5681 section 3.1.
    let mut script = Script::established(config());
    script.endpoint.send(&bytes(0, 4000));
    assert_eq!(script.sent().len(), 4);
    script.wait();
    assert_eq!(script.sent_briefly(), [(Retransmission, 1, 1000)]);
    script.give_ack(1001);
    assert_eq!(script.sent_briefly(), [(Retransmission, 1001, 1000), (Retransmission, 2001, 1000)]);
    script.give_ack(4001); // the last had arrived before
    assert_eq!(script.sent_briefly(), []);
    assert_eq!(script.endpoint.next_deadline(), None);
}

#[test]
fn three_duplicate_acknowledgements_repeat_one_segment() {
    // RFC 5681 section 3.2, RFC 6582 section 3.2.
    let mut script = Script::established(config());
    script.endpoint.send(&bytes(0, 6000));
    assert_eq!(script.sent().len(), 6);
    script.give_ack(1001);
    script.sent();
    for _ in 0..2 {
        script.give_ack(1001);
        assert_eq!(script.sent_briefly(), []);
    }
    script.give_ack(1001);
    assert_eq!(script.sent_briefly(), [(Retransmission, 1001, 1000)]);
    script.give_ack(1001);
    assert_eq!(script.sent_briefly(), []);
    script.give_ack(3001); // partial: the next hole
    assert_eq!(script.sent_briefly(), [(Retransmission, 3001, 1000)]);
    script.give_ack(6001);
    assert_eq!(script.sent_briefly(), []);
    assert_eq!(script.endpoint.counters().fast_retransmits, 1);
}

#[test]
fn window_updates_data_and_old_acknowledgements_are_not_duplicates() {
    // RFC 5681 section 2.
    let mut script = Script::established(config());
    script.endpoint.send(&bytes(0, 6000));
    script.sent();
    for window in [50_000, 51_000, 52_000] {
        script.window = window;
        script.give_ack(1);
    }
    for at in 0..3 {
        script.give(ACK, 1 + at, 1, b"d");
    }
    script.peer_next = 4;
    assert!(script.sent().iter().all(|sent| sent.kind == Ack));
    assert_eq!(script.endpoint.counters().fast_retransmits, 0);
}

#[test]
fn the_initial_window_is_ten_segments() {
    // RFC 6928.
    let mut script = Script::established(config());
    script.endpoint.send(&bytes(0, 40_000));
    assert_eq!(script.sent().len(), 10);
    script.give_ack(1001);
    assert_eq!(script.sent().len(), 2, "slow start: one freed, one more");
}

#[test]
fn the_peers_window_is_respected() {
    // RFC 9293 section 3.8.6.
    let mut script = Script::established(config());
    script.window = 2500;
    script.give_ack(1);
    script.endpoint.send(&bytes(0, 5000));
    assert_eq!(script.sent_briefly(), [(Data, 1, 1000), (Data, 1001, 1000)]);
    script.window = 1500;
    script.give_ack(1001); // the window's end has not moved
    assert_eq!(script.sent_briefly(), []);
    script.window = 2500;
    script.give_ack(2001);
    assert_eq!(script.sent_briefly(), [(Data, 2001, 1000), (Data, 3001, 1000)]);
}

#[test]
fn half_of_a_small_window_is_not_silly() {
    // RFC 9293 section 3.8.6.2.1, (3).
    let mut script = Script::connecting(config());
    script.sent();
    script.window = 900;
    script.give_syn(SYN | ACK, 1, &[TcpOption::Mss(1000)]);
    script.sent();
    script.endpoint.send(&bytes(0, 400));
    assert_eq!(script.sent_briefly(), [(Data, 1, 400)]);
    script.endpoint.send(&bytes(400, 2000));
    assert_eq!(script.sent_briefly(), [(Data, 401, 500)]);
    script.give_ack(401); // opens 400: less than half
    assert_eq!(script.sent_briefly(), []);
}

#[test]
fn an_older_segment_does_not_change_the_window() {
    // RFC 9293 section 3.10.7.4: SND.WL1 and SND.WL2.
    let mut script = Script::established(config());
    script.give(ACK, 1, 1, b"newer");
    script.sent();
    script.window = 0;
    script.give(ACK, 1, 1, b"newer and"); // begins before SND.WL1's segment ended, after IRS
    script.peer_next = 10;
    script.window = 700;
    script.give_ack(1);
    script.endpoint.send(&bytes(0, 2000));
    script.sent();
    script.window = 60_000;
    script.give(ACK, 9, 1, b"d!"); // older sequence number than the last update
    let brief = script.sent_briefly();
    assert!(brief.iter().all(|(kind, ..)| *kind == Ack), "{brief:?}");
}

#[test]
fn a_closed_window_is_probed_with_one_octet() {
    // RFC 9293 section 3.8.6.1.
    let mut script = Script::established(config());
    script.window = 0;
    script.give_ack(1);
    script.endpoint.send(&bytes(0, 1500));
    assert_eq!(script.sent(), []);
    for expected in [SECOND, 2 * SECOND, 4 * SECOND] {
        assert_eq!(script.wait(), expected);
        let probe = script.sent_one();
        assert_eq!((probe.kind, probe.seq, probe.payload.len()), (WindowProbe, 1, 1));
        script.give_ack(1);
        assert_eq!(script.sent(), []);
    }
    assert_eq!(script.endpoint.counters().timeouts, 0, "no loss was found");
    script.window = 3000;
    script.give_ack(1);
    // The octet that the closed window refused, and what follows it.
    let flights = script.sent_briefly();
    assert_eq!(flights, [(Retransmission, 1, 1), (Data, 2, 1000), (Data, 1002, 499)]);
}

#[test]
fn an_opened_window_ends_the_backoff_of_its_probes() {
    let mut script = Script::established(config());
    script.window = 0;
    script.give_ack(1);
    script.endpoint.send(b"x");
    script.sent();
    for _ in 0..5 {
        script.wait();
        script.sent();
    }
    script.window = 1000;
    script.give_ack(1);
    assert_eq!(script.sent_briefly(), [(Retransmission, 1, 1)]);
    assert_eq!(script.wait(), SECOND, "and not 64 times that");
}

#[test]
fn a_probe_that_is_taken_moves_on() {
    let mut script = Script::established(config());
    script.window = 0;
    script.give_ack(1);
    script.endpoint.send(&bytes(0, 1500));
    script.sent();
    script.wait();
    script.sent_one();
    script.window = 2000;
    script.give_ack(2);
    assert_eq!(script.sent_briefly(), [(Data, 2, 1000), (Data, 1002, 499)]);
}

#[test]
fn a_closed_window_stays_open_for_ever_while_probes_are_answered() {
    // RFC 9293 section 3.8.6.1: MUST-37; and it ends with the user timeout if they are not.
    let mut script = Script::established(Config { user_timeout_ns: 100 * SECOND, ..config() });
    script.window = 0;
    script.give_ack(1);
    script.endpoint.send(b"x");
    script.sent();
    let opened = script.now;
    while script.now < opened + 1000 * SECOND {
        script.wait();
        script.sent_one();
        script.give_ack(1);
    }
    assert_eq!(script.state(), State::Established);
    while script.state() == State::Established {
        script.wait();
        script.sent();
    }
    assert!(script.now - opened < 1200 * SECOND);
}

#[test]
fn a_fin_waits_for_the_window_as_well() {
    let mut script = Script::established(config());
    script.window = 0;
    script.give_ack(1);
    script.endpoint.close();
    assert_eq!(script.sent(), []);
    script.wait();
    let probe = script.sent_one();
    assert_eq!((probe.kind, probe.flags), (WindowProbe, ACK | FIN));
    assert_eq!(script.state(), State::FinWait1);
    script.give_ack(2);
    assert_eq!(script.state(), State::FinWait2);
}

#[test]
fn out_of_order_bytes_wait_for_the_gap() {
    // RFC 9293 section 3.10.7.4, seventh; RFC 5681 section 4.2.
    let mut script = Script::established(config());
    let text = bytes(0, 50);
    for (from, to) in [(40, 50), (10, 20), (30, 42), (15, 32)] {
        script.give(ACK, 1 + from as u32, 1, &text[from..to]);
        let duplicate_ack = script.sent_one();
        assert_eq!(duplicate_ack.ack, 1);
        assert_eq!(script.endpoint.readable(), 0);
    }
    assert_eq!(script.events(), []);
    script.give(ACK, 1, 1, &text[..11]);
    assert_eq!(script.sent_one().ack, 51);
    assert_eq!(script.events(), [Event::DataReady]);
    assert_eq!(received(&mut script), text);
    assert_eq!(script.endpoint.counters().out_of_order, 4);
}

#[test]
fn a_fin_waits_for_the_gap_as_well() {
    let mut script = Script::established(config());
    script.give(ACK | FIN, 4, 1, b"def");
    assert_eq!(script.sent_one().ack, 1);
    assert_eq!(script.state(), State::Established);
    script.give(ACK, 1, 1, b"abc");
    assert_eq!(script.sent_one().ack, 8);
    assert_eq!(script.events(), [Event::DataReady, Event::PeerClosed]);
    assert_eq!(received(&mut script), b"abcdef");
}

#[test]
fn ranges_are_bounded() {
    let mut script = Script::established(Config { reassembly_ranges: 2, ..config() });
    for seq in [10, 20, 30] {
        script.give(ACK, seq, 1, b"x");
    }
    assert_eq!(script.endpoint.counters().reassembly_full, 1);
    script.give(ACK, 11, 1, b"y"); // joins the first: needs no range
    assert_eq!(script.endpoint.counters().reassembly_full, 1);
    script.give(ACK, 5, 1, b"z"); // nearer than the second, which is forgotten
    assert_eq!(script.endpoint.counters().reassembly_full, 2);
    script.give(ACK, 1, 1, b"....");
    assert_eq!(script.endpoint.readable(), 5);
    script.give(ACK, 6, 1, b"....");
    assert_eq!(script.endpoint.readable(), 11);
    script.give(ACK, 12, 1, b"........");
    assert_eq!(script.endpoint.readable(), 19, "what was forgotten must be sent again");
}

#[test]
fn repeated_bytes_are_acknowledged_and_not_delivered_twice() {
    let mut script = Script::established(config());
    script.give(ACK, 1, 1, b"hello");
    script.sent();
    script.give(ACK, 1, 1, b"hello");
    assert_eq!(script.sent_one().ack, 6);
    script.give(ACK, 4, 1, b"lo world");
    assert_eq!(received(&mut script), b"hello world");
    assert_eq!(script.endpoint.counters().duplicates, 1);
}

#[test]
fn bytes_beyond_the_window_are_cut_off() {
    let mut script = Script::established(Config { receive_capacity: 10, ..config() });
    script.give(ACK | FIN, 1, 1, b"0123456789abc");
    let ack = script.sent_one();
    assert_eq!((ack.ack, ack.window), (11, 0));
    assert_eq!(script.state(), State::Established, "the FIN lay beyond it");
    script.give(ACK, 11, 1, b"a");
    assert_eq!(script.sent_one().ack, 11, "a probe is answered");
    assert_eq!(received(&mut script), b"0123456789");
    assert_eq!(script.sent_one().window, 10, "the window opens again");
    script.give(ACK, 11, 1, b"abc");
    assert_eq!(script.sent_one().ack, 14);
    assert_eq!(script.state(), State::Established, "a FIN that was cut off is forgotten");
}

#[test]
fn a_closed_receive_window_still_hears_acknowledgements_and_resets() {
    // RFC 9293 section 3.10.7.4, first.
    let mut script = Script::established(Config { receive_capacity: 10, ..config() });
    script.endpoint.send(b"abc");
    script.sent();
    script.give(ACK, 1, 1, b"0123456789");
    script.sent();
    script.give(ACK, 11, 4, b"more");
    assert_eq!(script.endpoint.unacknowledged(), 0);
    script.give(RST, 11, 0, &[]);
    assert_eq!(script.state(), State::Closed);
}

#[test]
fn small_openings_of_the_window_are_not_told() {
    // RFC 9293 section 3.8.6.2.2.
    let mut script = Script::established(Config { receive_capacity: 4000, ..config() });
    for at in 0..4u32 {
        script.give(ACK, 1 + at * 1000, 1, &bytes(0, 1000));
        script.sent();
    }
    let mut out = Vec::new();
    script.endpoint.recv_up_to(999, &mut out);
    assert_eq!(script.sent(), []);
    script.give(ACK, 4000, 1, &[]);
    assert_eq!(script.sent_one().window, 0, "nor with another acknowledgement");
    script.endpoint.recv_up_to(1, &mut out);
    let update = script.sent_one();
    assert_eq!((update.ack, update.window), (4001, 1000));
    script.endpoint.recv_up_to(1500, &mut out);
    assert_eq!(script.sent(), [], "open already; not yet twice a segment more");
    script.endpoint.recv_up_to(500, &mut out);
    assert_eq!(script.sent_one().window, 3000);
}

#[test]
fn acknowledgements_can_be_delayed() {
    // RFC 9293 section 3.8.6.3.
    let config = Config { delayed_ack_ns: 40 * MILLISECOND, ..config() };
    let mut script = Script::established(config);
    script.give(ACK, 1, 1, b"one");
    assert_eq!(script.sent(), []);
    assert_eq!(script.wait(), 40 * MILLISECOND);
    assert_eq!(script.sent_one().ack, 4);
    script.give(ACK, 4, 1, b"two");
    script.give(ACK, 7, 1, b"three");
    assert_eq!(script.sent_one().ack, 12, "every second segment at once");
    script.give(ACK, 12, 1, b"four");
    script.endpoint.send(b"answer");
    let answer = script.sent_one();
    assert_eq!((answer.kind, answer.ack), (Data, 16), "data carry the acknowledgement");
    script.give(ACK, 20, 7, b"gap");
    assert_eq!(script.sent_one().ack, 16, "a gap at once");
}

#[test]
fn data_with_the_syn_ack_are_taken_and_a_syns_are_not() {
    // RFC 9293 section 3.10.7.3; the bytes of a bare SYN are left for the peer to repeat.
    let mut script = Script::connecting(config());
    script.sent();
    let header = script.header(SYN | ACK, 0, 1);
    script.endpoint.on_segment(script.now, &header, &Default::default(), b"hi");
    assert_eq!(script.sent_one().ack, 3);
    let mut script = Script::listening(config());
    let header = script.header(SYN, 0, 0);
    script.endpoint.on_segment(script.now, &header, &Default::default(), b"hi");
    assert_eq!(script.sent_one().ack, 1);
}

#[test]
fn bytes_queued_before_the_connection_opens_follow_it() {
    let mut script = Script::connecting(config());
    assert_eq!(script.endpoint.send(b"logon"), 5);
    assert_eq!(script.sent().len(), 1);
    script.give_syn(SYN | ACK, 1, &[TcpOption::Mss(1000)]);
    let first = script.sent_one();
    assert_eq!((first.kind, first.seq, first.ack), (Data, 1, 1));
}

#[test]
fn a_lost_syn_leaves_a_longer_timeout() {
    // RFC 6298 (5.7).
    let mut script = Script::connecting(config());
    script.sent();
    script.wait();
    script.sent();
    script.give_syn(SYN | ACK, 1, &[]);
    script.endpoint.send(b"x");
    script.sent();
    assert_eq!(script.wait(), 3 * SECOND);
}

#[test]
fn an_idle_connection_starts_from_the_initial_window() {
    // RFC 5681 section 4.1.
    let mut script = Script::established(config());
    let mut acked = 1;
    let mut largest_flight = 0;
    script.endpoint.send(&bytes(0, 60_000));
    while let flight = script.sent()
        && !flight.is_empty()
    {
        largest_flight = largest_flight.max(flight.len());
        for sent in flight {
            acked += sent.payload.len() as u32;
            script.give_ack(acked);
        }
    }
    assert!(largest_flight > 15, "the window has grown");
    script.now += 10 * SECOND;
    script.endpoint.send(&bytes(0, 60_000));
    assert_eq!(script.sent().len(), 10);
}

#[test]
fn a_shrunken_window_is_survived() {
    // RFC 9293 section 3.8.6: be robust against it (MUST-34).
    let mut script = Script::established(config());
    script.endpoint.send(&bytes(0, 5000));
    assert_eq!(script.sent().len(), 5);
    script.window = 500;
    script.give_ack(1001);
    assert_eq!(script.sent(), []);
    script.wait();
    assert_eq!(script.sent_briefly(), [(Retransmission, 1001, 500)], "as much as it admits");
    script.window = 60_000;
    script.give_ack(1501);
    script.give_ack(5001);
    assert_eq!(script.endpoint.unacknowledged(), 0);
}
