//! Delegated send rule by rule (seed 001 sections 4.3 and 4.5).

#![allow(clippy::unwrap_used)] // a test may fail

mod endpoint_support;

use TransmitKind::{Ack, Data, Retransmission, WindowProbe};
use endpoint_support::script::*;
use saker_wire::endpoint::{Config, DelegateError, Delegation, State, TransmitKind};
use saker_wire::time::{MILLISECOND, SECOND};

/// An absolute sequence number of ours.
fn ours(relative: u32) -> u32 {
    ISS.wrapping_add(relative)
}

fn delegated(config: Config) -> Script {
    let mut script = Script::established(config);
    script.endpoint.delegate().expect("the connection is open");
    script
}

#[test]
fn the_grant_names_what_goes_into_the_header() {
    let mut script = Script::established(config());
    script.give(ACK, 1, 1, b"price");
    script.sent();
    let grant = script.endpoint.delegate().unwrap();
    let expected = Delegation {
        seq: ours(1),
        ack: IRS.wrapping_add(6),
        window: 65_530,
        limit_bytes: 10_000,
        mss: 1000,
    };
    assert_eq!(grant, expected);
    script.give(ACK, 6, 1, b"!");
    let now = script.endpoint.delegated().unwrap();
    assert_eq!(now, Delegation { ack: IRS.wrapping_add(7), window: 65_529, ..expected });
}

#[test]
fn the_limit_is_the_smallest_of_three_windows() {
    // The peer's window.
    let mut script = Script::established(config());
    script.window = 700;
    script.give_ack(1);
    assert_eq!(script.endpoint.delegate().unwrap().limit_bytes, 700);
    // The congestion window, less what is in flight.
    let mut script = Script::established(config());
    script.endpoint.send(&bytes(0, 3000));
    script.sent();
    assert_eq!(script.endpoint.delegate().unwrap().limit_bytes, 7000);
    // The retransmission queue.
    let mut script = Script::established(Config { retransmit_capacity: 1200, ..config() });
    script.endpoint.send(&bytes(0, 300));
    script.sent();
    assert_eq!(script.endpoint.delegate().unwrap().limit_bytes, 900);
}

#[test]
fn only_an_open_connection_delegates_and_only_once() {
    let mut script = Script::connecting(config());
    assert_eq!(script.endpoint.delegate(), None);
    let mut script = delegated(config());
    assert_eq!(script.endpoint.delegate(), None);
    script.endpoint.revoke().unwrap();
    script.endpoint.close();
    assert_eq!(script.endpoint.delegate(), None);
    // The peer's half does not matter.
    let mut script = Script::established(config());
    script.give(ACK | FIN, 1, 1, &[]);
    assert!(script.endpoint.delegate().is_some());
}

#[test]
fn queued_bytes_wait_and_flow_from_the_new_number() {
    let mut script = delegated(config());
    script.endpoint.send(b"heartbeat");
    assert_eq!(script.sent(), []);
    script.endpoint.delegate_sent(script.now, ours(1), b"order one").unwrap();
    script.endpoint.delegate_sent(script.now, ours(10), b"order two").unwrap();
    assert_eq!(script.sent(), []);
    script.endpoint.revoke().unwrap();
    let heartbeat = script.sent_one();
    assert_eq!((heartbeat.kind, heartbeat.seq), (Data, 19));
    assert_eq!(heartbeat.payload, b"heartbeat");
    script.give_ack(28);
    assert_eq!(script.endpoint.unacknowledged(), 0);
    let counters = script.endpoint.counters();
    assert_eq!((counters.delegated_segments, counters.delegated_bytes), (2, 18));
    assert_eq!(counters.bytes_out, 9);
}

#[test]
fn reported_bytes_are_repeated_like_others() {
    let mut script = delegated(config());
    script.endpoint.delegate_sent(script.now, ours(1), b"order").unwrap();
    assert_eq!(script.wait(), SECOND);
    let again = script.sent_one();
    assert_eq!((again.kind, again.seq, &again.payload[..]), (Retransmission, 1, &b"order"[..]));
    // And after three duplicate acknowledgements.
    script.endpoint.revoke().unwrap();
    script.give_ack(6);
    script.endpoint.delegate().unwrap();
    for at in 0..4u32 {
        script.endpoint.delegate_sent(script.now, ours(6 + at * 10), &bytes(0, 10)).unwrap();
    }
    script.give_ack(16);
    for _ in 0..3 {
        script.give_ack(16);
    }
    assert_eq!(script.sent_briefly(), [(Retransmission, 16, 30)]);
}

#[test]
fn an_acknowledgement_may_overtake_the_report() {
    let mut script = delegated(config());
    script.endpoint.delegate_sent(script.now, ours(1), b"first").unwrap();
    script.give(ACK, 1, 16, b"filled"); // "second" and "third" are not reported yet
    assert_eq!(script.endpoint.counters().bad, 0);
    assert_eq!(script.endpoint.counters().early_acks, 1);
    assert_eq!(script.endpoint.unacknowledged(), 0, "what was reported is acknowledged");
    assert_eq!(script.endpoint.readable(), 6, "the segment's data count");
    let ack = script.sent_one();
    assert_eq!((ack.kind, ack.seq, ack.ack), (Ack, 16, 7), "SND.NXT is at least 16");
    assert_eq!(script.endpoint.revoke(), Err(DelegateError::Unreported(10)));
    script.endpoint.delegate_sent(script.now, ours(6), b"second").unwrap();
    assert_eq!(script.endpoint.unacknowledged(), 0);
    assert_eq!(script.endpoint.revoke(), Err(DelegateError::Unreported(4)));
    script.endpoint.delegate_sent(script.now, ours(12), b"third").unwrap();
    assert_eq!(script.endpoint.unacknowledged(), 1, "16 acknowledges four bytes of it");
    script.endpoint.revoke().unwrap();
    script.give(ACK, 7, 17, &[]);
    assert_eq!(script.endpoint.unacknowledged(), 0);
    assert_eq!(script.endpoint.next_deadline(), None);
}

#[test]
fn an_acknowledgement_beyond_the_limit_is_refused() {
    // RFC 9293 section 3.10.7.4, fifth.
    let mut script = delegated(config());
    script.give(ACK, 1, 10_002, b"forged");
    assert_eq!(script.endpoint.counters().bad, 1);
    assert_eq!(script.endpoint.readable(), 0);
    assert_eq!(script.sent_one().kind, Ack);
    script.give(ACK, 1, 10_001, b"possible");
    assert_eq!(script.endpoint.readable(), 8);
}

#[test]
fn wrong_reports_change_nothing() {
    let mut script = Script::established(config());
    let now = script.now;
    assert_eq!(script.endpoint.delegate_sent(now, ours(1), b"x"), Err(DelegateError::NotDelegated));
    assert_eq!(script.endpoint.revoke(), Err(DelegateError::NotDelegated));
    script.window = 10;
    script.give_ack(1);
    let grant = script.endpoint.delegate().unwrap();
    let refused = [
        (ours(2), &b"x"[..], DelegateError::WrongSequence { expected: ours(1), reported: ours(2) }),
        (ours(0), &b"x"[..], DelegateError::WrongSequence { expected: ours(1), reported: ours(0) }),
        (ours(1), &b""[..], DelegateError::Empty),
        (ours(1), &b"elevenbytes"[..], DelegateError::BeyondLimit { limit: 10, reported: 11 }),
    ];
    for (seq, report, error) in refused {
        assert_eq!(script.endpoint.delegate_sent(now, seq, report), Err(error));
        assert_eq!(script.endpoint.delegated(), Some(grant));
    }
    script.endpoint.delegate_sent(now, ours(1), b"tenbytes!!").unwrap();
    assert_eq!(script.endpoint.delegated().unwrap().limit_bytes, 0);
    assert_eq!(script.endpoint.counters().delegated_segments, 1);
}

#[test]
fn the_limit_grows_with_acknowledgements_and_never_shrinks() {
    let mut script = delegated(Config { retransmit_capacity: 2000, ..config() });
    assert_eq!(script.endpoint.delegated().unwrap().limit_bytes, 2000);
    script.endpoint.delegate_sent(script.now, ours(1), &bytes(0, 500)).unwrap();
    assert_eq!(script.endpoint.delegated().unwrap().limit_bytes, 1500);
    script.give_ack(501);
    assert_eq!(script.endpoint.delegated().unwrap().limit_bytes, 2000);
    // The peer takes its window back: what was promised to the fast path may be under way.
    script.window = 100;
    script.give_ack(501);
    assert_eq!(script.endpoint.delegated().unwrap().limit_bytes, 2000);
    script.endpoint.delegate_sent(script.now, ours(501), &bytes(0, 1000)).unwrap();
    script.wait();
    assert_eq!(script.sent_briefly(), [(Retransmission, 501, 100)]);
}

#[test]
fn acknowledgements_go_on_while_delegated() {
    let mut script = delegated(config());
    script.endpoint.send(b"waits");
    script.give(ACK, 1, 1, b"price");
    let ack = script.sent_one();
    assert_eq!((ack.kind, ack.seq, ack.ack), (Ack, 1, 6));
}

#[test]
fn a_closed_window_is_probed_without_new_data() {
    let mut script = Script::established(config());
    script.window = 0;
    script.give_ack(1);
    assert_eq!(script.endpoint.delegate().unwrap().limit_bytes, 0);
    script.endpoint.send(b"waits");
    assert_eq!(script.sent(), []);
    script.wait();
    let probe = script.sent_one();
    assert_eq!((probe.kind, probe.seq, probe.payload.len()), (WindowProbe, 0, 0));
    script.window = 4000;
    script.give_ack(1);
    assert_eq!(script.endpoint.delegated().unwrap().limit_bytes, 4000);
    assert_eq!(script.endpoint.next_deadline(), None);
}

#[test]
fn close_waits_for_the_delegation() {
    let mut script = delegated(config());
    script.endpoint.close();
    assert_eq!(script.sent(), []);
    assert_eq!(script.state(), State::Established);
    script.endpoint.delegate_sent(script.now, ours(1), b"last order").unwrap();
    script.endpoint.revoke().unwrap();
    let fin = script.sent_one();
    assert_eq!((fin.flags, fin.seq), (ACK | FIN, 11));
}

#[test]
fn a_reset_takes_the_delegation_away() {
    let mut script = delegated(config());
    script.give(RST, 1, 0, &[]);
    assert_eq!(script.endpoint.delegated(), None);
    assert_eq!(
        script.endpoint.delegate_sent(script.now, ours(1), b"too late"),
        Err(DelegateError::NotDelegated)
    );
}

#[test]
fn an_abort_reaches_a_peer_that_is_ahead_of_the_reports() {
    let mut script = delegated(config());
    script.give_ack(8);
    script.endpoint.abort();
    let reset = script.sent_one();
    assert_eq!((reset.flags, reset.seq), (RST | ACK, 8));
}

#[test]
fn delegated_bytes_are_not_timed() {
    // When they left is not known: no round trip is taken from them (RFC 6298 section 3).
    let config = Config { min_rto_ns: 10 * MILLISECOND, ..config() };
    let mut script = delegated(config);
    script.now += 10 * SECOND;
    script.endpoint.delegate_sent(script.now, ours(1), b"a").unwrap();
    script.now += 2 * MILLISECOND;
    script.give_ack(2);
    script.endpoint.delegate_sent(script.now, ours(2), b"b").unwrap();
    // The handshake took 1 ms: SRTT 1, RTTVAR 0.5.
    assert_eq!(script.wait(), 10 * MILLISECOND);
}
