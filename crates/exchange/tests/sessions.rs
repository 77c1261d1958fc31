//! Logon, strangers, hostile bytes, lost connections, and many sessions at once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use saker_exchange::{Exchange, Outputs};
use saker_fix::encode::{Header, Writer};
use saker_fix::value::TimestampCache;
use support::{MS, Order, Request, START, World, apply, config, hash_outputs};

/// A message as a client without a session layer would write it.
fn message(kind: &str, sender: &str, target: &str, now: u64, fields: &[(u32, &str)]) -> Vec<u8> {
    let header = Header {
        msg_type: kind,
        msg_seq_num: 1,
        seq_width: 0,
        sender,
        target,
        sending_time: now,
        poss_dup: None,
    };
    let mut buffer = [0; 1024];
    let mut dates = TimestampCache::default();
    let mut writer = Writer::begin(&mut buffer, &header, &mut dates);
    for (tag, value) in fields {
        writer.field_str(*tag, value);
    }
    writer.finish().unwrap().bytes.to_vec()
}

fn logon(sender: &str, target: &str, username: &str, password: &str) -> Vec<u8> {
    let fields = [(98, "0"), (108, "30"), (553, username), (554, password)];
    message("A", sender, target, START, &fields)
}

/// What the exchange answers to the first bytes of a connection.
fn answer(world: &mut World, bytes: &[u8]) -> (bool, Option<String>) {
    let connection = world.connect();
    let mut out = Outputs::new();
    world.exchange.on_bytes(world.now, connection, bytes, &mut out);
    let mut text = None;
    let mut closed = false;
    for item in out.items() {
        match item {
            saker_exchange::Output::Send { range, .. } => {
                let reply = support::Received(out.bytes(range).to_vec());
                assert_eq!(reply.kind(), "5");
                text = Some(reply.text(58));
            }
            saker_exchange::Output::Close { .. } => closed = true,
            other => panic!("{other:?}"),
        }
    }
    (closed, text)
}

#[test]
fn nobody_gets_in_without_the_right_credentials() {
    let mut world = World::with_clients(config(3), 1);
    const WRONG: &str = "unknown SenderCompID (49), Username (553) or Password (554)";
    let cases = [
        (logon("CLIENT2", "SAKER", "user2", "secret1"), WRONG),
        (logon("CLIENT2", "SAKER", "user2", "secret"), WRONG),
        (logon("CLIENT2", "SAKER", "user1", "secret2"), WRONG),
        (logon("NOBODY", "SAKER", "user2", "secret2"), WRONG),
        (message("A", "CLIENT2", "SAKER", START, &[(98, "0"), (108, "30")]), WRONG),
        (logon("CLIENT2", "OTHER", "user2", "secret2"), "TargetCompID (56) is not this exchange"),
        (
            logon("CLIENT1", "SAKER", "user1", "secret1"),
            "this SenderCompID (49) is already logged on",
        ),
    ];
    for (bytes, text) in &cases {
        assert_eq!(answer(&mut world, bytes), (true, Some((*text).to_owned())));
    }
    // What does not begin as a session is closed without a word.
    let order = message("D", "CLIENT2", "SAKER", START, &[(11, "A1")]);
    for bytes in [&order[..], b"GET / HTTP/1.1\r\n\r\n", &[0xff; 300]] {
        assert_eq!(answer(&mut world, bytes), (true, None));
    }
    assert_eq!(world.exchange.counters().logons_refused, cases.len() as u64 + 3);
    assert!(world.clients[0].session.is_logged_on());
    world.log_on(1);
    assert!(world.clients[1].session.is_logged_on(), "failures cost the participant nothing");
}

#[test]
fn a_logon_may_come_in_pieces_but_not_for_ever() {
    let mut world = World::new(config(1));
    let bytes = logon("CLIENT1", "SAKER", "user1", "secret1");
    let connection = world.connect();
    for byte in &bytes[..bytes.len() - 1] {
        assert!(!world.raw(connection, &[*byte]));
    }
    world.raw(connection, &bytes[bytes.len() - 1..]);
    assert!(world.exchange.sessions().next().unwrap().logged_on);

    // One that never ends is closed when it is too long, or when its time is up.
    let endless = world.connect();
    let mut closed = false;
    for _ in 0..100 {
        closed |= world.raw(endless, b"8=FIX.4.4\x019=2000\x0135=A\x0158=xxxxxxxxxxxxxxxxxx");
    }
    assert!(closed);
    let silent = world.connect();
    world.advance(11_000 * MS);
    let stray = world.exchange.counters().stray_bytes;
    world.raw(silent, b"8");
    assert_eq!(world.exchange.counters().stray_bytes, stray + 1, "the connection is forgotten");
    assert_eq!(world.exchange.counters().logons_refused, 2);
}

#[test]
fn too_many_connections_are_refused() {
    let mut config = config(2);
    config.limits.max_connections = 2;
    let mut world = World::with_clients(config, 2);
    world.connect();
    assert_eq!(world.exchange.counters().connections_refused, 1);
}

#[test]
fn hostile_bytes_hurt_nobody_else() {
    let mut world = World::with_clients(config(3), 2);
    world.limit(1, "B1", '1', 10, "1170");
    world.take(1);
    let book = world.exchange.book(0).unwrap().digest();
    let mut rng = fastrand::Rng::with_seed(7);
    let valid = logon("CLIENT3", "SAKER", "user3", "secret3");
    for round in 0..300 {
        // Strangers, and the attacker's own session: noise, and messages with flipped bytes.
        let mut bytes = match round % 3 {
            0 => (0..rng.usize(1..400)).map(|_| rng.u8(..)).collect::<Vec<u8>>(),
            1 => valid.clone(),
            _ => message("D", "CLIENT1", "SAKER", world.now, &[(11, "X"), (55, "MSFT")]),
        };
        for _ in 0..rng.usize(0..4) {
            let at = rng.usize(..bytes.len());
            bytes[at] = rng.u8(..);
        }
        let connection = world.connect();
        if round % 7 == 0 && world.clients[0].connected {
            let connection = world.clients[0].connection;
            world.raw(connection, &bytes);
        } else {
            world.raw(connection, &bytes);
        }
        world.input(support::Input::Disconnect(world.now, connection));
        world.settle();
    }
    assert_eq!(world.exchange.book(0).unwrap().digest(), book);
    assert!(world.clients[1].session.is_logged_on());
    world.limit(1, "B2", '2', 10, "1171");
    assert_eq!(world.one(1).show(&[11, 150]), "11=B2 150=0");
}

#[test]
fn a_lost_connection_cancels_its_orders() {
    let mut world = World::with_clients(config(2), 2);
    world.request(1, &Request::new("1", '1', &["MSFT"]));
    for id in ["A1", "A2"] {
        world.limit(0, id, '1', 10, "1170");
    }
    let order = Order::limit("A3", '1', 10, "5").with(|o| o.symbol = "SAKR".into());
    world.order(0, &order);
    world.take(0);
    world.take(1);
    world.disconnect(0);
    assert_eq!(world.exchange.live_orders(), 0);
    assert_eq!(world.exchange.counters().cancelled_on_disconnect, 3);
    let updates = world.take(1);
    assert_eq!(updates.last().unwrap().show(&[35, 268]), "35=W 268=0");

    // The participant hears of it when it is back, with the session's numbers going on.
    world.log_on(0);
    let reports = world.take(0);
    let shown: Vec<_> = reports.iter().map(|r| r.show(&[11, 150, 39, 58])).collect();
    let text = "150=4 39=4 58=cancelled because the session ended";
    assert_eq!(shown, [format!("11=A1 {text}"), format!("11=A2 {text}"), format!("11=A3 {text}")]);
    world.limit(0, "A1", '1', 10, "1170");
    assert_eq!(world.one(0).show(&[103]), "103=6", "its names are still used");
}

#[test]
fn orders_may_outlive_their_session() {
    let mut config = config(2);
    config.participants[0].cancel_on_disconnect = false;
    config.limits.max_offline_reports = 2;
    let mut world = World::with_clients(config, 2);
    world.limit(0, "A1", '1', 100, "1170");
    world.take(0);
    world.disconnect(0);
    for id in ["B1", "B2", "B3"] {
        world.limit(1, id, '2', 10, "1170");
    }
    assert_eq!(world.exchange.live_orders(), 1);
    assert_eq!(world.exchange.counters().messages_dropped, 1, "only two are kept");
    world.log_on(0);
    let reports = world.take(0);
    let shown: Vec<_> = reports.iter().map(|r| r.show(&[11, 150, 14])).collect();
    assert_eq!(shown, ["11=A1 150=F 14=10", "11=A1 150=F 14=20"]);
    world.cancel(0, "C1", "A1", '1');
    assert_eq!(world.one(0).show(&[150, 14]), "150=4 14=30");
}

#[test]
fn a_logout_is_answered_and_ends_the_session() {
    let mut world = World::with_clients(config(1), 1);
    world.limit(0, "A1", '1', 10, "1170");
    world.clients[0].session.logout(world.now, Some("done for today"));
    world.settle();
    assert!(!world.clients[0].connected);
    assert_eq!(world.exchange.live_orders(), 0);
    assert_eq!(world.exchange.counters().session_errors, 0);
    world.log_on(0);
    assert!(world.clients[0].session.is_logged_on());
}

#[test]
fn a_silent_peer_is_logged_out_and_a_quiet_one_is_kept() {
    let mut world = World::with_clients(config(2), 2);
    world.clients[1].reading = false;
    // Client 1 answers nothing: it does not even see the test requests.
    world.clients[1].connected = false;
    world.advance(120_000 * MS);
    let mut sessions = world.exchange.sessions();
    assert!(sessions.next().unwrap().logged_on);
    assert!(!sessions.next().unwrap().logged_on);
    drop(sessions);
    assert_eq!(world.exchange.counters().session_errors, 1);
}

#[test]
fn two_hundred_sessions_trade() {
    let mut config = config(200);
    config.limits.conflate_bytes = 1 << 20;
    config.limits.disconnect_bytes = 1 << 22;
    let mut world = World::with_clients(config, 200);
    for n in 0..200 {
        if n % 4 == 0 {
            world.request(n, &Request::new("1", '1', &["MSFT", "SAKR"]));
        }
    }
    for n in 0..200 {
        let side = if n % 2 == 0 { '1' } else { '2' };
        world.limit(n, "A1", side, 10, "1170");
    }
    for n in 0..200 {
        let inbox = world.take(n);
        let reports: Vec<_> =
            inbox.iter().filter(|m| m.kind() == "8").map(|m| m.show(&[150, 39])).collect();
        assert_eq!(reports, ["150=0 39=0", "150=F 39=2"], "client {n}");
        let updates = inbox.iter().filter(|m| m.kind() == "W").count();
        assert_eq!(updates, if n % 4 == 0 { 202 } else { 0 }, "client {n}");
    }
    assert_eq!(world.exchange.counters().trades, 100);
    assert_eq!(world.exchange.live_orders(), 0);

    // The same input gives the same state and the same output, byte for byte.
    let mut again = Exchange::new(world.config.clone(), START).unwrap();
    let mut out = Outputs::new();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for input in &world.inputs {
        out.clear();
        apply(&mut again, input, &mut out);
        hash = hash_outputs(hash, &out);
    }
    assert_eq!(again.digest(), world.exchange.digest());
    assert_eq!(hash, world.output_hash);
}
