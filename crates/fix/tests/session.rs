//! The session layer's rules that need two sides, time or more than a dialogue's worth of state.

mod support;

use saker_fix::parse::frame;
use saker_fix::session::{
    Authentication, DisconnectReason, Event, PreparedError, SendError, Session,
};
use saker_fix::tag;
use support::{Pair, SECOND, START, body, client, describe, exchange, message, outputs};

#[test]
fn credentials_reach_the_application_and_nothing_is_processed_before_its_answer() {
    let mut config = exchange();
    config.target_comp_id = None;
    config.authentication = Authentication::Application;
    let mut acceptor = Session::acceptor(config);
    acceptor.on_connect(START);
    let logon = message(START, "35=A|34=1|98=0|108=30|553=alice|554=secret|");
    let test = message(START, "35=1|34=2|112=early|");
    acceptor.on_bytes(START, &[logon.clone(), test.clone()].concat());
    let Some(Event::LogonRequested(request)) = acceptor.poll_event() else { panic!() };
    assert_eq!(request.username.as_deref(), Some("alice"));
    assert_eq!(request.password.as_deref(), Some("secret"));
    assert_eq!((request.comp_id.as_str(), request.heartbeat_s), ("CLIENT1", 30));
    assert!(!format!("{request:?}").contains("secret"));
    assert!(acceptor.output().is_empty());
    assert_eq!(acceptor.target_comp_id(), None);

    acceptor.accept_logon(START);
    assert_eq!(outputs(&mut acceptor), ["A 1", "0 2 112=early"]);
    assert_eq!(acceptor.poll_event(), Some(Event::LoggedOn { comp_id: "CLIENT1".into() }));

    // The other answer, and another client afterwards.
    let mut config = exchange();
    config.target_comp_id = None;
    config.authentication = Authentication::Application;
    let mut acceptor = Session::acceptor(config);
    acceptor.on_connect(START);
    acceptor.on_bytes(START, &[logon, test].concat());
    acceptor.refuse_logon(START, "wrong password");
    assert_eq!(outputs(&mut acceptor), ["5 1 58=wrong password"]);
    let reason = DisconnectReason::LogonRefused("wrong password".into());
    assert_eq!(support::events(&mut acceptor).last(), Some(&Event::Disconnect(reason)));
    acceptor.on_connect(START);
    let other = message(START, "35=A|34=1|98=0|108=30|");
    let other = support::replace(&other, "49=CLIENT1", "49=CLIENT2");
    acceptor.on_bytes(START, &other);
    assert!(
        matches!(acceptor.poll_event(), Some(Event::LogonRequested(r)) if r.comp_id == "CLIENT2")
    );
}

#[test]
fn a_check_refuses_and_the_initiator_learns_why() {
    let mut config = exchange();
    config.authentication = Authentication::Check(Box::new(|request| {
        if request.password.as_deref() == Some("right") { Ok(()) } else { Err("no".to_owned()) }
    }));
    let mut initiator_config = client();
    initiator_config.password = Some("wrong".to_owned());
    let mut pair = Pair::new(config, initiator_config);
    pair.connect();
    pair.settle();
    let refused = || DisconnectReason::LogonRefused("no".into());
    assert_eq!(pair.acceptor_events, [Event::Disconnect(refused())]);
    assert_eq!(
        pair.initiator_events,
        [Event::LoggedOut { text: Some("no".into()) }, Event::Disconnect(refused())]
    );
}

#[test]
fn a_bad_logon_is_answered_with_the_reason() {
    for (body, text) in [
        ("35=A|34=1|98=0|", "Required tag missing (tag 108)"),
        ("35=A|34=1|98=1|108=30|", "EncryptMethod must be 0"),
        ("35=A|34=1|98=0|108=-1|", "tag 108 has an incorrect data format"),
        ("35=A|34=2|98=0|108=30|141=Y|", "ResetSeqNumFlag needs MsgSeqNum 1"),
    ] {
        let mut acceptor = Session::acceptor(exchange());
        acceptor.on_connect(START);
        acceptor.on_bytes(START, &message(START, body));
        assert_eq!(outputs(&mut acceptor), [format!("5 1 58={text}")], "{body}");
        assert!(acceptor.is_disconnected());
    }
}

#[test]
fn both_sides_log_out() {
    let mut pair = Pair::established();
    pair.initiator.logout(pair.now, Some("good night"));
    assert_eq!(pair.initiator.send(pair.now, "D", body("late")), Err(SendError::NotLoggedOn));
    pair.settle();
    let logout = Event::Disconnect(DisconnectReason::Logout);
    let text = Some("good night".into());
    assert_eq!(pair.acceptor_events, [Event::LoggedOut { text }, logout.clone()]);
    assert_eq!(pair.initiator_events, [Event::LoggedOut { text: None }, logout]);
}

#[test]
fn silence_leads_to_heartbeats_a_test_request_and_the_end() {
    let mut pair = Pair::established();
    // Both alive: heartbeats only.
    for _ in 0..600 {
        pair.now += SECOND;
        pair.on_deadlines();
        pair.settle();
    }
    assert!(pair.acceptor.is_logged_on() && pair.initiator.is_logged_on());
    // The logon and one heartbeat each 30 s, and no test request.
    assert_eq!(pair.initiator.counters().messages_out, 1 + 20);
    assert_eq!(pair.acceptor.counters().messages_out, 1 + 20);

    // The client falls silent.
    let last = pair.now;
    let mut seen = Vec::new();
    while let Some(deadline) = pair.acceptor.next_deadline() {
        pair.acceptor.on_deadline(deadline);
        for line in outputs(&mut pair.acceptor) {
            seen.push(((deadline - last) / SECOND, line));
        }
        pair.now = deadline;
    }
    assert_eq!(
        seen,
        [(30, "0 22".into()), (36, "1 23 112=23".into()), (66, "0 24".into()),],
        "a heartbeat 30 s after the message before"
    );
    assert_eq!(pair.now - last, 72 * SECOND);
    let reason = DisconnectReason::HeartbeatTimeout;
    assert_eq!(support::events(&mut pair.acceptor), [Event::Disconnect(reason)]);
}

#[test]
fn nobody_waits_forever_for_a_logon_or_a_logout() {
    let mut acceptor = Session::acceptor(exchange());
    acceptor.on_connect(START);
    let deadline = acceptor.next_deadline().unwrap();
    assert_eq!(deadline, START + 10 * SECOND);
    acceptor.on_deadline(deadline - 1);
    assert_eq!(acceptor.poll_event(), None);
    acceptor.on_deadline(deadline);
    assert_eq!(acceptor.poll_event(), Some(Event::Disconnect(DisconnectReason::LogonTimeout)));
    assert_eq!(acceptor.next_deadline(), None);

    let mut pair = Pair::established();
    pair.acceptor.logout(pair.now, None);
    pair.acceptor.on_deadline(pair.now + 5 * SECOND);
    let reason = DisconnectReason::LogoutTimeout;
    assert_eq!(support::events(&mut pair.acceptor), [Event::Disconnect(reason)]);
}

#[test]
fn messages_that_break_a_rule() {
    let cases: &[(&str, &[&str], Option<DisconnectReason>)] = &[
        // SendingTime 121 s old: reject, logout, disconnect.
        (
            "35=0|34=2|52=20260105-09:27:58|",
            &[
                "3 2 45=2 58=SendingTime accuracy problem 371=52 372=0 373=10",
                "5 3 58=SendingTime accuracy problem",
            ],
            Some(DisconnectReason::SendingTime),
        ),
        ("35=0|34=2|52=20260105-09:28:30|", &[], None),
        // CompIDs.
        (
            "35=0|34=2|49=OTHER|",
            &["3 2 45=2 58=CompID problem 371=49 372=0 373=9", "5 3 58=CompID problem"],
            Some(DisconnectReason::CompId),
        ),
        (
            "35=0|34=2|56=OTHER|",
            &["3 2 45=2 58=CompID problem 371=56 372=0 373=9", "5 3 58=CompID problem"],
            Some(DisconnectReason::CompId),
        ),
        ("35=0|", &["5 2 58=MsgSeqNum missing or invalid"], Some(DisconnectReason::MsgSeqNum)),
        (
            "35=0|34=1000000000|",
            &["5 2 58=MsgSeqNum missing or invalid"],
            Some(DisconnectReason::MsgSeqNum),
        ),
        // Possible duplicates of a number that was received: ignored, or rejected if wrong.
        ("35=0|34=1|43=Y|122=20260105-09:29:59|", &[], None),
        ("35=0|34=1|43=Y|", &["3 2 45=1 58=Required tag missing 371=122 372=0 373=1"], None),
        (
            "35=0|34=1|43=Y|122=20260105-09:30:01|",
            &[
                "3 2 45=1 58=SendingTime accuracy problem 371=52 372=0 373=10",
                "5 3 58=SendingTime accuracy problem",
            ],
            Some(DisconnectReason::SendingTime),
        ),
        // Message types.
        ("35=I|34=2|", &["3 2 45=2 58=Invalid MsgType 371=35 372=I 373=11"], None),
        ("35=R|34=2|", &["j 2 45=2 58=Unsupported Message Type 372=R 380=3"], None),
        ("35=A|34=2|98=0|108=30|", &["3 2 45=2 58=Other 372=A 373=99"], None),
        // Sequence resets that do not move forward.
        (
            "35=4|34=0|36=1|",
            &["3 2 45=0 58=Value is incorrect (out of range) for this tag 371=36 372=4 373=5"],
            None,
        ),
        (
            "35=4|34=2|123=Y|36=2|",
            &["3 2 45=2 58=Value is incorrect (out of range) for this tag 371=36 372=4 373=5"],
            None,
        ),
        // Resend requests for nothing.
        ("35=2|34=2|7=9|16=0|", &[], None),
        (
            "35=2|34=2|7=0|16=0|",
            &["3 2 45=2 58=Value is incorrect (out of range) for this tag 371=7 372=2 373=5"],
            None,
        ),
        (
            "35=2|34=2|7=5|16=4|",
            &["3 2 45=2 58=Value is incorrect (out of range) for this tag 371=16 372=2 373=5"],
            None,
        ),
    ];
    for (text, expected, reason) in cases {
        let mut acceptor = Session::acceptor(exchange());
        acceptor.on_connect(START);
        acceptor.on_bytes(START, &message(START, "35=A|34=1|98=0|108=30|"));
        outputs(&mut acceptor);
        support::events(&mut acceptor);
        acceptor.on_bytes(START, &message(START, text));
        assert_eq!(outputs(&mut acceptor), *expected, "{text}");
        let disconnected =
            support::events(&mut acceptor).into_iter().find_map(|event| match event {
                Event::Disconnect(reason) => Some(reason),
                _ => None,
            });
        assert_eq!(disconnected, *reason, "{text}");
    }
}

#[test]
fn what_was_processed_above_a_gap_counts_when_the_gap_is_filled() {
    // A Logon above a gap, and a Resend Request above a gap that is answered at once.
    let cases: [(&[&str], &[&str]); 2] = [
        (&["35=A|34=3|98=0|108=30|", "35=0|34=1|", "35=0|34=2|"], &["A 1", "2 2 7=1 16=0"]),
        (
            &["35=A|34=1|98=0|108=30|", "35=2|34=3|7=1|16=0|", "35=0|34=2|"],
            &["A 1", "4 1 43=Y 122=20260105-09:30:00.000 36=2 123=Y", "2 2 7=2 16=0"],
        ),
    ];
    for (inputs, expected) in cases {
        let mut acceptor = Session::acceptor(exchange());
        acceptor.on_connect(START);
        for input in inputs {
            acceptor.on_bytes(START, &message(START, input));
        }
        assert_eq!(outputs(&mut acceptor), expected);
        assert_eq!(acceptor.next_inbound_seq(), 4);
        acceptor.on_bytes(START, &message(START, "35=0|34=4|"));
        assert_eq!(acceptor.next_inbound_seq(), 5);
        assert_eq!(outputs(&mut acceptor), [""; 0], "no second request");
    }
}

/// A client reads a stream with noise in it, byte by byte.
#[test]
fn garbled_bytes_are_skipped_and_counted() {
    let mut acceptor = Session::acceptor(exchange());
    acceptor.on_connect(START);
    let logon = message(START, "35=A|34=1|98=0|108=30|");
    let wrong_sum = support::message(START, "35=0|34=2|");
    let mut wrong_sum = wrong_sum.clone();
    let last = wrong_sum.len() - 2;
    wrong_sum[last] = if wrong_sum[last] == b'0' { b'1' } else { b'0' };
    let good = message(START, "35=1|34=2|112=x|");
    let stream = [&b"noise"[..], &logon, &wrong_sum, &good].concat();
    for byte in stream.chunks(1) {
        acceptor.on_bytes(START, byte);
    }
    assert_eq!(outputs(&mut acceptor), ["A 1", "0 2 112=x"]);
    assert_eq!(acceptor.counters().garbled_bytes as usize, 5 + wrong_sum.len());
    assert_eq!(acceptor.counters().messages_in, 2);
}

#[test]
fn an_unanswered_resend_request_is_repeated() {
    let mut pair = Pair::established();
    pair.acceptor.on_bytes(pair.now, &message(pair.now, "35=0|34=5|"));
    assert_eq!(outputs(&mut pair.acceptor), ["2 2 7=2 16=0"]);
    pair.acceptor.on_bytes(pair.now, &message(pair.now, "35=0|34=2|"));
    pair.now += 30 * SECOND;
    pair.acceptor.on_deadline(pair.now);
    assert_eq!(outputs(&mut pair.acceptor), ["0 3", "2 4 7=3 16=0"]);
    let fill = "35=4|34=3|43=Y|122=20260105-09:30:00|36=5|123=Y|";
    pair.acceptor.on_bytes(pair.now, &message(pair.now, fill));
    assert_eq!(pair.acceptor.next_inbound_seq(), 6, "the held heartbeat was next");
    assert_eq!(pair.acceptor.counters().gaps, 2);
}

#[test]
fn what_fell_out_of_the_store_is_gap_filled_and_counted() {
    let mut config = exchange();
    config.resend_capacity = 500;
    let mut pair = Pair::new(config, client());
    pair.connect();
    pair.settle();
    for n in 0..6 {
        let text = format!("{n}{}", "x".repeat(60));
        pair.acceptor.send(pair.now, "j", body(&text)).unwrap();
    }
    outputs(&mut pair.acceptor);
    let evicted = pair.acceptor.counters().store_evicted;
    assert!((1..6).contains(&evicted));
    pair.acceptor.on_bytes(pair.now, &message(pair.now, "35=2|34=2|7=1|16=0|"));
    let lines = outputs(&mut pair.acceptor);
    assert_eq!(lines[0], format!("4 1 43=Y 122=20260105-09:30:00.000 36={} 123=Y", 2 + evicted));
    assert_eq!(lines.len() as u64, 1 + 6 - evicted);
    assert!(lines[1].starts_with(&format!("j {} 43=Y 122=", 2 + evicted)), "{}", lines[1]);
}

#[test]
fn a_peer_that_does_not_read_is_cut_off() {
    let mut config = exchange();
    config.output_capacity = 1_000;
    let mut pair = Pair::new(config, client());
    pair.connect();
    pair.settle();
    let sent =
        (0..100).take_while(|_| pair.acceptor.send(pair.now, "j", body("x")).is_ok()).count();
    assert!((5..20).contains(&sent));
    assert_eq!(pair.acceptor.send(pair.now, "j", body("x")), Err(SendError::OutputFull));
    assert!(pair.acceptor.is_logged_on(), "the application may wait");
    pair.acceptor.on_bytes(pair.now, &message(pair.now, "35=1|34=2|112=x|"));
    let reason = DisconnectReason::OutputFull;
    assert_eq!(support::events(&mut pair.acceptor), [Event::Disconnect(reason)]);
}

#[test]
fn prepared_messages_are_sent_by_another_party() {
    let mut pair = Pair::established();
    let now = pair.now;
    let mut slot = pair.initiator.prepare(now, "D", support::order("a")).unwrap();
    assert_eq!(slot.seq, 2);
    assert!(slot.bytes.windows(13).any(|window| window == b"34=000000002\x01"));
    assert_eq!(pair.initiator.next_outbound_seq(), 2, "nothing is sent");
    assert!(pair.initiator.output().is_empty());

    // Software sends something: the slot is stale, and would be noticed.
    pair.initiator.send(now, "D", support::order("b")).unwrap();
    pair.settle();
    assert_eq!(
        pair.initiator.note_prepared_sent(now, &slot.bytes),
        Err(PreparedError::OutOfSequence { expected: 3, found: 2 })
    );
    let later = now + 5 * SECOND;
    pair.initiator.refresh(later, &mut slot);
    let fresh = pair.initiator.prepare(later, "D", support::order("a")).unwrap();
    assert_eq!(slot, fresh);

    // The fast path sends it.
    assert_eq!(pair.initiator.note_prepared_sent(later, &slot.bytes), Ok(3));
    assert!(pair.initiator.output().is_empty());
    pair.now = later;
    pair.acceptor.on_bytes(later, &slot.bytes);
    assert_eq!(pair.acceptor.next_inbound_seq(), 4);

    // It is resent like any other.
    pair.initiator.on_bytes(later, &support::from_exchange(later, "35=2|34=2|7=2|16=0|"));
    let resent = outputs(&mut pair.initiator);
    assert!(resent[0].starts_with("D 2 43=Y 122=20260105-09:30:00.000 11=b"), "{}", resent[0]);
    assert!(resent[1].starts_with("D 3 43=Y 122=20260105-09:30:05.000 11=a"), "{}", resent[1]);

    let garbled = pair.initiator.note_prepared_sent(later, b"8=FIX.4.4\x01junk");
    assert!(matches!(garbled, Err(PreparedError::Garbled(_))));
    let admin = message(later, "35=0|34=4|");
    assert_eq!(pair.initiator.note_prepared_sent(later, &admin), Err(PreparedError::NotOurs));
}

#[test]
fn a_prepared_message_counts_even_if_the_session_ended_meanwhile() {
    let mut pair = Pair::established();
    let slot = pair.initiator.prepare(pair.now, "D", support::order("a")).unwrap();
    // The fast path sends it, the exchange gets it, and the connection breaks.
    pair.acceptor.on_bytes(pair.now, &slot.bytes);
    pair.disconnect();
    assert_eq!(pair.initiator.note_prepared_sent(pair.now, &slot.bytes), Ok(2));
    pair.connect();
    pair.settle();
    assert!(pair.initiator.is_logged_on() && pair.acceptor.is_logged_on());

    // And if the exchange never got it, it is resent.
    let slot = pair.initiator.prepare(pair.now, "D", support::order("b")).unwrap();
    pair.disconnect();
    pair.initiator.note_prepared_sent(pair.now, &slot.bytes).unwrap();
    pair.connect();
    pair.acceptor_events.clear();
    pair.settle();
    let Some(Event::Application(bytes)) = pair.acceptor_events.last() else {
        panic!("{:?}", pair.acceptor_events)
    };
    assert!(describe(bytes).starts_with("D 4 43=Y 122="), "{}", describe(bytes));
}

#[test]
fn sequence_numbers_can_be_given_and_survive_the_transport() {
    let mut config = client();
    (config.inbound_seq, config.outbound_seq) = (40, 70);
    let mut acceptor_config = exchange();
    (acceptor_config.inbound_seq, acceptor_config.outbound_seq) = (70, 40);
    let mut pair = Pair::new(acceptor_config, config);
    pair.connect();
    pair.settle();
    assert!(pair.initiator.is_logged_on());
    pair.disconnect();
    pair.connect();
    pair.settle();
    assert_eq!((pair.initiator.next_outbound_seq(), pair.initiator.next_inbound_seq()), (72, 42));
    assert_eq!((pair.acceptor.next_outbound_seq(), pair.acceptor.next_inbound_seq()), (42, 72));
    assert_eq!(pair.acceptor.counters().gaps, 0);
}

#[test]
fn reset_on_logon_resets_both_sides() {
    let mut config = client();
    (config.inbound_seq, config.outbound_seq) = (40, 70);
    config.reset_on_logon = true;
    let mut pair = Pair::new(exchange(), config);
    pair.connect();
    pair.settle();
    assert!(pair.initiator.is_logged_on() && pair.acceptor.is_logged_on());
    assert_eq!((pair.initiator.next_outbound_seq(), pair.initiator.next_inbound_seq()), (2, 2));
}

#[test]
fn sent_messages_arrive_with_their_fields() {
    let mut pair = Pair::established();
    assert_eq!(pair.initiator.send(pair.now, "D", support::order("42")), Ok(2));
    pair.settle();
    let [Event::Application(bytes)] = &pair.acceptor_events[..] else { panic!() };
    let (message, _) = frame(bytes).unwrap().unwrap();
    assert_eq!(message.str(tag::CL_ORD_ID), Ok("42"));
    assert_eq!(describe(bytes), "D 2 11=42 40=1 54=1 60=20260105-09:30:00.000");
}
