//! Opening, closing, resets and patience, rule by rule.

#![allow(clippy::unwrap_used)] // a test may fail

mod endpoint_support;

use endpoint_support::script::*;
use saker_wire::endpoint::{
    Config, Event, KeepAlive, ResetReason, State, TimeoutReason, TransmitKind,
};
use saker_wire::tcp::TcpOption;
use saker_wire::time::{MILLISECOND, SECOND};

#[test]
fn active_open_sends_mss_and_completes() {
    // RFC 9293 section 3.5, figure 6, and section 3.7.1.
    let mut script = Script::connecting(config());
    let syn = script.sent_one();
    assert_eq!((syn.kind, syn.flags, syn.seq), (TransmitKind::Syn, SYN, 0));
    assert_eq!(syn.options, [2, 4, 0x03, 0xE8]);
    script.give_syn(SYN | ACK, 1, &[TcpOption::Mss(500)]);
    let ack = script.sent_one();
    assert_eq!((ack.kind, ack.flags, ack.seq, ack.ack), (TransmitKind::Ack, ACK, 1, 1));
    assert_eq!(script.events(), [Event::Connected]);
    script.endpoint.send(&bytes(0, 700));
    let lengths: Vec<usize> = script.sent().iter().map(|sent| sent.payload.len()).collect();
    assert_eq!(lengths, [500, 200]);
}

#[test]
fn a_peer_without_mss_option_gets_536_bytes() {
    // RFC 9293 section 3.7.1.
    let mut script = Script::connecting(config());
    script.sent();
    script.give_syn(SYN | ACK, 1, &[]);
    script.sent();
    script.endpoint.send(&bytes(0, 600));
    assert_eq!(script.sent()[0].payload.len(), 536);
}

#[test]
fn passive_open_completes_and_learns_the_port() {
    let mut script = Script::listening(Config { remote_port: 0, ..config() });
    script.give_syn(SYN, 0, &[TcpOption::Mss(1000)]);
    let answer = script.sent_one();
    assert_eq!((answer.flags, answer.seq, answer.ack), (SYN | ACK, 0, 1));
    assert_eq!(script.state(), State::SynReceived);
    script.give_ack(1);
    assert_eq!(script.events(), [Event::Connected]);
    assert_eq!(script.endpoint.remote_port(), PEER_PORT);
}

#[test]
fn simultaneous_open() {
    // RFC 9293 section 3.5, figure 7.
    let mut script = Script::connecting(config());
    script.sent();
    script.give_syn(SYN, 0, &[]);
    assert_eq!(script.state(), State::SynReceived);
    let answer = script.sent_one();
    assert_eq!((answer.flags, answer.seq, answer.ack), (SYN | ACK, 0, 1));
    script.give_syn(SYN | ACK, 1, &[]);
    assert_eq!(script.state(), State::Established);
    assert_eq!(script.events(), [Event::Connected]);
}

#[test]
fn window_scale_is_in_force_only_if_both_offer_it() {
    // RFC 7323 section 2.2.
    for (ours, theirs, window) in
        [(None, Some(7), 1000), (Some(3), None, 1000), (Some(3), Some(7), 128_000)]
    {
        let config = Config {
            window_scale: ours,
            receive_capacity: 400_000,
            initial_window_segments: 200,
            send_capacity: 200_000,
            retransmit_capacity: 200_000,
            ..config()
        };
        let mut script = Script::connecting(config);
        let syn = script.sent_one();
        assert_eq!(syn.options.get(7).copied(), ours);
        assert_eq!(syn.window, 65_535, "the SYN's window is not scaled");
        let mut options = vec![TcpOption::Mss(1000)];
        options.extend(theirs.map(TcpOption::WindowScale));
        script.window = 500;
        script.give_syn(SYN | ACK, 1, &options);
        let ack = script.sent_one();
        let expected: u32 = if window == 1000 { 65_535 } else { 400_000 / 8 };
        assert_eq!(u32::from(ack.window), expected);
        script.window = 1000;
        script.give_ack(1);
        script.endpoint.send(&bytes(0, 200_000));
        let flying: usize = script.sent().iter().map(|sent| sent.payload.len()).sum();
        assert_eq!(flying, window);
    }
}

#[test]
fn a_listener_answers_a_scale_offer_only_if_configured() {
    for ours in [None, Some(2)] {
        let mut script = Script::listening(Config { window_scale: ours, ..config() });
        script.give_syn(SYN, 0, &[TcpOption::WindowScale(20)]);
        assert_eq!(script.sent_one().options.get(7).copied(), ours);
    }
    let mut script = Script::listening(Config { window_scale: Some(2), ..config() });
    script.give_syn(SYN, 0, &[]);
    assert_eq!(script.sent_one().options.len(), 4);
}

#[test]
fn a_lost_syn_is_repeated_with_backoff_until_the_connect_timeout() {
    // RFC 6298 (5.5), RFC 9293 section 3.8.3.
    let mut script = Script::connecting(Config { connect_timeout_ns: 10 * SECOND, ..config() });
    script.sent();
    for expected in [SECOND, 2 * SECOND, 4 * SECOND] {
        assert_eq!(script.wait(), expected);
        assert_eq!(script.sent_one().flags, SYN);
    }
    assert_eq!(script.wait(), 3 * SECOND);
    assert_eq!(script.events(), [Event::TimedOut(TimeoutReason::Connect)]);
    assert_eq!(script.endpoint.next_deadline(), None);
    assert_eq!(script.sent(), []);
}

#[test]
fn a_repeated_syn_gets_the_syn_ack_again() {
    let mut script = Script::listening(config());
    script.give_syn(SYN, 0, &[]);
    script.sent();
    script.give_syn(SYN, 0, &[]);
    assert_eq!(script.sent_one().flags, SYN | ACK);
    script.wait();
    assert_eq!(script.sent_one().flags, SYN | ACK);
}

#[test]
fn syn_sent_rejects_what_does_not_acknowledge_its_syn() {
    // RFC 9293 section 3.10.7.3, first.
    let mut script = Script::connecting(config());
    script.sent();
    script.give(ACK, 50, 7, &[]);
    let reset = script.sent_one();
    assert_eq!((reset.flags, reset.seq), (RST, 7));
    assert_eq!(script.state(), State::SynSent);
    script.give(RST, 0, 0, &[]);
    script.give(RST | ACK, 0, 9, &[]);
    assert_eq!(script.state(), State::SynSent, "blind resets are not believed");
    script.give(RST | ACK, 0, 1, &[]);
    assert_eq!(script.events(), [Event::Reset(ResetReason::Refused)]);
    assert_eq!(script.state(), State::Closed);
}

#[test]
fn listen_resets_a_stray_ack_and_ignores_the_rest() {
    // RFC 9293 section 3.10.7.2.
    let mut script = Script::listening(config());
    script.give(RST, 5, 0, &[]);
    script.give(FIN, 5, 0, &[]);
    assert_eq!(script.sent(), []);
    script.give(ACK, 5, 77, b"x");
    let reset = script.sent_one();
    assert_eq!((reset.flags, reset.seq), (RST, 77));
    assert_eq!(script.state(), State::Listen);
}

#[test]
fn a_half_open_listener_returns_to_listen() {
    // RFC 9293 section 3.10.7.4, second: passive SYN-RECEIVED and RST.
    let mut script = Script::listening(Config { connect_timeout_ns: 5 * SECOND, ..config() });
    script.give_syn(SYN, 0, &[]);
    script.sent();
    script.give(RST, 1, 0, &[]);
    assert_eq!(script.state(), State::Listen);
    script.give_syn(SYN, 0, &[]);
    let again = script.sent_one();
    assert_eq!(again.seq, 1 << 16, "another initial sequence number");
    while script.state() == State::SynReceived {
        script.wait();
        script.sent();
    }
    assert_eq!(script.state(), State::Listen, "nor does a peer that vanishes keep it");
    assert_eq!(script.events(), []);
}

#[test]
fn closed_answers_with_a_reset() {
    // RFC 9293 section 3.10.7.1.
    let mut script = Script::connecting(config());
    script.endpoint.close();
    assert_eq!(script.events(), [Event::Closed]);
    script.give(ACK, 5, 9, b"abc");
    let reset = script.sent_one();
    assert_eq!((reset.flags, reset.seq), (RST, 9));
    script.give(SYN | FIN, 5, 0, b"abc");
    let reset = script.sent_one();
    assert_eq!((reset.flags, reset.ack), (RST | ACK, 5 + 3 + 2));
    script.give(RST, 5, 0, &[]);
    assert_eq!(script.sent(), []);
}

#[test]
fn we_close_first() {
    // RFC 9293 section 3.6, figure 12, left side; 3.6.1: the peer may go on sending.
    let mut script = Script::established(config());
    script.endpoint.send(b"bye");
    script.endpoint.close();
    assert_eq!(script.endpoint.send(b"more"), 0);
    let last = script.sent_one();
    assert_eq!((last.flags, last.payload.as_slice()), (ACK | PSH | FIN, &b"bye"[..]));
    assert_eq!(script.state(), State::FinWait1);
    script.give_ack(5);
    assert_eq!(script.state(), State::FinWait2);
    script.give(ACK, 1, 5, b"still here");
    assert_eq!(script.sent_one().ack, 11);
    script.give(ACK | FIN, 11, 5, b"done");
    assert_eq!(script.sent_one().ack, 16);
    assert_eq!(script.state(), State::TimeWait);
    let mut received = Vec::new();
    script.endpoint.recv(&mut received);
    assert_eq!(received, b"still heredone");
    assert_eq!(script.events(), [Event::DataReady, Event::PeerClosed, Event::Closed]);
    assert_eq!(script.wait(), 60 * SECOND);
    assert_eq!(script.state(), State::Closed);
    assert_eq!(script.events(), []);
}

#[test]
fn the_peer_closes_first() {
    // RFC 9293 section 3.6, figure 12, right side.
    let mut script = Script::established(config());
    script.give(ACK | FIN, 1, 1, &[]);
    assert_eq!(script.sent_one().ack, 2);
    assert_eq!(script.state(), State::CloseWait);
    assert_eq!(script.events(), [Event::PeerClosed]);
    script.endpoint.send(b"last words");
    assert_eq!(script.sent_one().payload, b"last words");
    script.endpoint.close();
    assert_eq!(script.sent_one().flags, ACK | FIN);
    assert_eq!(script.state(), State::LastAck);
    script.give(ACK, 2, 11, &[]);
    assert_eq!(script.state(), State::LastAck, "the FIN is not acknowledged");
    script.give(ACK, 2, 12, &[]);
    assert_eq!(script.state(), State::Closed);
    assert_eq!(script.events(), [Event::Closed]);
    assert_eq!(script.endpoint.next_deadline(), None);
}

#[test]
fn both_close_at_the_same_time() {
    // RFC 9293 section 3.6, figure 13.
    let mut script = Script::established(config());
    script.endpoint.close();
    assert_eq!(script.sent_one().flags, ACK | FIN);
    script.give(ACK | FIN, 1, 1, &[]);
    assert_eq!(script.state(), State::Closing);
    assert_eq!(script.sent_one().ack, 2);
    script.give(ACK, 2, 2, &[]);
    assert_eq!(script.state(), State::TimeWait);
    assert_eq!(script.events(), [Event::PeerClosed, Event::Closed]);
}

#[test]
fn a_lost_fin_is_repeated() {
    let mut script = Script::established(config());
    script.endpoint.close();
    script.sent();
    script.wait();
    let again = script.sent_one();
    assert_eq!((again.kind, again.flags), (TransmitKind::Retransmission, ACK | FIN));
}

#[test]
fn time_wait_acknowledges_a_repeated_fin_and_starts_again() {
    // RFC 9293 section 3.10.7.4, eighth.
    let mut script = Script::established(config());
    script.endpoint.close();
    script.sent();
    script.give(ACK | FIN, 1, 2, &[]);
    script.sent();
    script.now += 50 * SECOND;
    script.give(ACK | FIN, 1, 2, &[]);
    assert_eq!(script.sent_one().ack, 2);
    assert_eq!(script.wait(), 60 * SECOND);
}

#[test]
fn resets_must_hit_the_next_sequence_number() {
    // RFC 5961 section 3.2.
    let mut script = Script::established(config());
    script.give(RST, 1 + 65_535, 0, &[]);
    script.give(RST, 0, 0, &[]);
    assert_eq!(script.sent(), [], "outside the window: dropped silently");
    script.give(RST, 2, 0, &[]);
    let challenge = script.sent_one();
    assert_eq!((challenge.kind, challenge.seq, challenge.ack), (TransmitKind::Ack, 1, 1));
    assert_eq!(script.state(), State::Established);
    assert_eq!(script.endpoint.counters().challenges, 1);
    script.give(RST, 1, 0, &[]);
    assert_eq!(script.events(), [Event::Reset(ResetReason::ByPeer)]);
}

#[test]
fn an_exact_reset_ends_every_state() {
    type Reach = fn(&mut Script);
    let ends: [(State, Reach); 7] = [
        (State::Established, |_| {}),
        (State::FinWait1, |s| s.endpoint.close()),
        (State::FinWait2, |s| {
            s.endpoint.close();
            s.sent();
            s.give_ack(2);
        }),
        (State::CloseWait, |s| s.give(ACK | FIN, 1, 1, &[])),
        (State::LastAck, |s| {
            s.give(ACK | FIN, 1, 1, &[]);
            s.endpoint.close();
        }),
        (State::Closing, |s| {
            s.endpoint.close();
            s.sent();
            s.give(ACK | FIN, 1, 1, &[]);
        }),
        (State::TimeWait, |s| {
            s.endpoint.close();
            s.sent();
            s.give(ACK | FIN, 1, 2, &[]);
        }),
    ];
    for (state, reach) in ends {
        let mut script = Script::established(config());
        reach(&mut script);
        script.sent();
        assert_eq!(script.state(), state);
        let next = if script.events().contains(&Event::PeerClosed) { 2 } else { 1 };
        script.give(RST, next, 0, &[]);
        assert_eq!(script.state(), State::Closed);
        let told = script.events().contains(&Event::Reset(ResetReason::ByPeer));
        assert_eq!(told, state != State::TimeWait, "{state:?}");
        assert_eq!(script.endpoint.next_deadline(), None);
    }
}

#[test]
fn a_syn_in_an_open_connection_is_challenged() {
    // RFC 5961 section 4.2.
    let mut script = Script::established(config());
    for (seq, ack) in [(0, 1), (1, 1), (500, 9)] {
        script.give(SYN | ACK, seq, ack, &[]);
        let answer = script.sent_one();
        assert_eq!((answer.flags, answer.seq, answer.ack), (ACK, 1, 1));
    }
    assert_eq!(script.state(), State::Established);
}

#[test]
fn challenges_are_limited() {
    // RFC 5961 section 7.
    let mut script = Script::established(Config { challenge_acks_per_second: 3, ..config() });
    let mut answers = 0;
    for _ in 0..10 {
        script.give(RST, 2, 0, &[]);
        answers += script.sent().len();
    }
    assert_eq!(answers, 3);
    script.now += SECOND;
    script.give(RST, 2, 0, &[]);
    assert_eq!(script.sent().len(), 1);
}

#[test]
fn acks_of_unsent_data_and_from_long_ago_are_refused() {
    // RFC 9293 section 3.10.7.4, fifth; RFC 5961 section 5.2.
    let mut script = Script::established(config());
    script.give(ACK, 1, 2, b"forged");
    assert_eq!(script.sent_one().kind, TransmitKind::Ack);
    script.give(ACK, 1, 1u32.wrapping_sub(60_001), b"forged");
    assert_eq!(script.sent_one().kind, TransmitKind::Ack);
    assert_eq!(script.endpoint.readable(), 0);
    assert_eq!(script.endpoint.counters().bad, 2);
    script.give(ACK, 1, 1u32.wrapping_sub(60_000), b"real");
    assert_eq!(script.endpoint.readable(), 4);
}

#[test]
fn segments_for_other_ports_do_not_count() {
    let mut script = Script::established(config());
    let mut header = script.header(RST, 1, 0);
    header.src_port += 1;
    script.endpoint.on_segment(script.now, &header, &Default::default(), &[]);
    header.src_port -= 1;
    header.dst_port += 1;
    script.endpoint.on_segment(script.now, &header, &Default::default(), &[]);
    assert_eq!(script.state(), State::Established);
    assert_eq!(script.endpoint.counters().bad, 2);
}

#[test]
fn abort_resets_the_peer() {
    // RFC 9293 section 3.10.5.
    let mut script = Script::established(config());
    script.endpoint.send(b"lost");
    script.sent();
    script.endpoint.abort();
    let reset = script.sent_one();
    assert_eq!((reset.kind, reset.flags, reset.seq), (TransmitKind::Reset, RST | ACK, 5));
    assert_eq!(script.events(), [Event::Reset(ResetReason::Aborted)]);
    assert_eq!(script.endpoint.next_deadline(), None);
    script.endpoint.abort();
    assert_eq!(script.sent(), []);
    assert_eq!(script.events(), []);
}

#[test]
fn the_user_timeout_ends_an_unanswered_connection() {
    // RFC 9293 section 3.8.3, R2.
    let mut script = Script::established(Config { user_timeout_ns: 20 * SECOND, ..config() });
    script.endpoint.send(b"anyone?");
    let sent_at = script.now;
    script.sent();
    while script.state() != State::Closed {
        script.wait();
        if script.state() != State::Closed {
            script.sent_one();
        }
    }
    assert_eq!(script.now - sent_at, 20 * SECOND);
    assert_eq!(script.sent_one().kind, TransmitKind::Reset);
    assert_eq!(script.events(), [Event::TimedOut(TimeoutReason::User)]);
}

#[test]
fn keep_alive_probes_an_idle_peer() {
    // RFC 9293 section 3.8.4.
    let keep_alive = KeepAlive { idle_ns: 10 * SECOND, interval_ns: 2 * SECOND, probes: 3 };
    let mut script = Script::established(Config { keep_alive: Some(keep_alive), ..config() });
    assert_eq!(script.wait(), 10 * SECOND);
    let probe = script.sent_one();
    assert_eq!((probe.kind, probe.seq, probe.payload.len()), (TransmitKind::KeepAlive, 0, 0));
    script.now += MILLISECOND;
    script.give_ack(1);
    assert_eq!(script.wait(), 10 * SECOND, "an answer starts the idle time again");
    script.sent_one();
    for _ in 0..2 {
        assert_eq!(script.wait(), 2 * SECOND);
        script.sent_one();
    }
    assert_eq!(script.wait(), 2 * SECOND);
    assert_eq!(script.events(), [Event::TimedOut(TimeoutReason::KeepAlive)]);
    assert_eq!(script.sent_one().kind, TransmitKind::Reset);
}

#[test]
fn the_peers_keep_alive_is_answered() {
    let mut script = Script::established(config());
    script.give(ACK, 0, 1, &[]);
    let answer = script.sent_one();
    assert_eq!((answer.kind, answer.seq, answer.ack), (TransmitKind::Ack, 1, 1));
    script.give(ACK, 0, 1, &[0]); // old stacks send one octet of garbage
    assert_eq!(script.sent_one().ack, 1);
    assert_eq!(script.endpoint.readable(), 0);
}
