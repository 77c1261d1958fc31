//! Market data over FIX: the layout of seed 001's table 3, subscriptions, refusals, conflation.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use support::{Order, Received, Request, World, config};

fn body(message: &Received) -> String {
    let fields: Vec<String> = message.body().iter().map(|(t, v)| format!("{t}={v}")).collect();
    fields.join(" ")
}

/// The book of seed 001's table 3: 1170 × 296 bid, 1200 × 497 offered, last trade 1170 × 1.
fn table_3() -> World {
    let mut world = World::with_clients(config(2), 2);
    world.limit(0, "B1", '1', 297, "1170");
    world.limit(0, "S1", '2', 497, "1200");
    world.limit(1, "S2", '2', 1, "1170");
    world.take(0);
    world.take(1);
    world
}

#[test]
fn a_snapshot_has_the_fields_of_table_3_in_their_order() {
    let mut world = table_3();
    world.request(1, &Request::new("1", '0', &["MSFT"]));
    let message = world.one(1);
    assert_eq!(message.kind(), "W");
    assert_eq!(
        body(&message),
        "55=MSFT 262=1 268=3 \
         269=0 270=1170 271=296 290=1 269=1 270=1200 271=497 290=1 269=2 270=1170 271=1 290=1"
    );
    let text = String::from_utf8(message.0.clone()).unwrap().replace('\x01', " ");
    let header: Vec<&str> = text.split(' ').map(|f| f.split('=').next().unwrap()).collect();
    assert_eq!(header[..7], ["8", "9", "35", "34", "49", "52", "56"]);
    assert!(message.0.len() <= 202, "{} bytes leave no room for the headers", message.0.len());
}

#[test]
fn what_does_not_exist_is_left_out() {
    let mut world = World::with_clients(config(2), 2);
    world.request(1, &Request::new("1", '0', &["MSFT"]));
    assert_eq!(body(&world.one(1)), "55=MSFT 262=1 268=0");
    world.limit(0, "S1", '2', 5, "1200");
    world.request(1, &Request::new("2", '0', &["MSFT"]));
    assert_eq!(body(&world.one(1)), "55=MSFT 262=2 268=1 269=1 270=1200 271=5 290=1");
}

#[test]
fn a_request_chooses_entries_and_depth() {
    let mut world = table_3();
    world.limit(0, "B2", '1', 10, "1169");
    world.limit(0, "B3", '1', 20, "1169");
    world.limit(0, "B4", '1', 30, "1168");
    let request =
        Request { depth: 2, types: &["0"], update_type: None, ..Request::new("1", '0', &["MSFT"]) };
    world.request(1, &request);
    assert_eq!(
        body(&world.one(1)),
        "55=MSFT 262=1 268=2 269=0 270=1170 271=296 290=1 269=0 270=1169 271=30 290=2"
    );
    let request = Request { depth: 0, types: &["0"], ..Request::new("all", '0', &["MSFT"]) };
    world.request(1, &request);
    assert_eq!(world.one(1).text(268), "3", "0 is every level");
    let request = Request { types: &["2", "1"], ..Request::new("2", '0', &["SAKR", "MSFT"]) };
    world.request(1, &request);
    let answers = world.take(1);
    assert_eq!(answers.len(), 2);
    assert_eq!(body(&answers[0]), "55=SAKR 262=2 268=0");
    assert!(body(&answers[1]).starts_with("55=MSFT 262=2 268=2 269=1 270=1200"));
}

#[test]
fn subscribers_hear_of_every_change_until_they_end_it() {
    let mut world = table_3();
    world.request(1, &Request::new("sub", '1', &["MSFT"]));
    assert_eq!(world.take(1).len(), 1, "the state at once");
    world.limit(0, "B2", '1', 10, "1171");
    assert_eq!(world.one(1).show(&[35, 262, 270, 271]), "35=W 262=sub 270=1171 271=10");
    world.cancel(0, "C1", "B2", '1');
    assert_eq!(world.one(1).show(&[35, 270, 271]), "35=W 270=1170 271=296");
    // A trade is one update, after the report of it.
    world.limit(1, "S3", '2', 6, "1170");
    let kinds: Vec<String> = world.take(1).iter().map(Received::kind).collect();
    assert_eq!(kinds, ["8", "8", "W"]);
    // What changes nothing is no update; another instrument's change is none of theirs.
    let order = Order::limit("I1", '1', 1, "1").with(|o| o.time_in_force = Some('3'));
    world.order(0, &order);
    let order = Order::limit("B5", '1', 10, "1").with(|o| o.symbol = "SAKR".into());
    world.order(0, &order);
    assert!(world.take(1).is_empty());

    world.request(1, &Request::new("sub", '2', &["MSFT"]));
    world.limit(0, "B6", '1', 10, "1171");
    assert!(world.take(1).is_empty());
    assert_eq!(world.exchange.sessions().nth(1).unwrap().subscriptions, 0);
}

#[test]
fn the_first_to_be_told_changes() {
    let mut world = World::with_clients(config(3), 3);
    for n in 0..3 {
        world.request(n, &Request::new("1", '1', &["MSFT"]));
        world.take(n);
    }
    let mut orders = Vec::new();
    for id in ["A", "B", "C", "D"] {
        world.sends.clear();
        world.limit(0, id, '1', 1, "1");
        // The first send is the report to client 0.
        orders.push(world.sends[1..].iter().map(|c| c.0).collect::<Vec<_>>());
    }
    assert_eq!(orders, [[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 2, 3]]);
}

#[test]
fn every_refusal_of_a_request_names_its_reason() {
    let mut config = config(1);
    config.limits.max_subscriptions = 1;
    config.limits.max_request_symbols = 2;
    let mut world = World::with_clients(config, 1);
    world.request(0, &Request::new("S", '1', &["MSFT"]));
    world.take(0);
    let base = || Request::new("R", '0', &["MSFT"]);
    let cases = [
        (Request { symbols: &["MSFT", "NONE"], ..base() }, Some("0"), "Symbol (55) is not listed"),
        (
            Request { symbols: &["MSFT", "SAKR", "X"], ..base() },
            Some("2"),
            "too many symbols in one request",
        ),
        (
            Request { symbols: &["MSFT", "MSFT"], ..base() },
            None,
            "a Symbol (55) is asked for twice",
        ),
        (Request { id: "S", ..base() }, Some("1"), "a subscription with this MDReqID (262) stands"),
        (Request { kind: '1', ..base() }, Some("2"), "too many subscriptions of this session"),
        (Request { kind: '2', ..base() }, None, "no subscription has this MDReqID (262)"),
        (
            Request { depth: -1, ..base() },
            Some("5"),
            "MarketDepth (264) must be 0 (full) or 1 (top of book) up to the venue's limit",
        ),
        (
            Request { depth: 11, ..base() },
            Some("5"),
            "MarketDepth (264) must be 0 (full) or 1 (top of book) up to the venue's limit",
        ),
        (
            Request { update_type: Some(1), ..base() },
            Some("6"),
            "MDUpdateType (265) must be 0 (full refresh)",
        ),
        (
            Request { types: &["0", "4"], ..base() },
            Some("8"),
            "MDEntryType (269) must be 0 (bid), 1 (offer) or 2 (trade)",
        ),
    ];
    for (request, reason, text) in &cases {
        world.request(0, request);
        let answer = world.one(0);
        let reason = reason.map(|r| format!("281={r} ")).unwrap_or_default();
        let expected = format!("35=Y 262={} {reason}58={text}", request.id);
        assert_eq!(answer.show(&[35, 262, 281, 58]), expected);
    }
    assert_eq!(world.exchange.counters().market_data_rejected, cases.len() as u64);
    // The subscription has survived all of it.
    world.limit(0, "A", '1', 1, "1");
    assert_eq!(world.take(0).iter().filter(|m| m.kind() == "W").count(), 1);
}

#[test]
fn a_slow_reader_gets_the_latest_state_and_no_more() {
    let mut config = config(2);
    config.limits.conflate_bytes = 1000;
    config.limits.disconnect_bytes = 50_000;
    let mut world = World::with_clients(config, 2);
    world.request(1, &Request::new("1", '1', &["MSFT"]));
    world.take(1);
    world.clients[1].reading = false;
    for n in 0..100u64 {
        world.limit(0, &format!("A{n}"), '1', 1, &(n + 1).to_string());
    }
    let backlog = world.exchange.sessions().nth(1).unwrap().backlog;
    assert!((1000..1400).contains(&backlog), "{backlog}");
    let counters = *world.exchange.counters();
    let sent = counters.market_data_sent - 1;
    assert_eq!(sent + 1 + counters.market_data_conflated, 100, "sent, owed, or merged");

    // The connection drains: what is owed comes at once, and only once.
    world.clients[1].reading = true;
    let connection = world.clients[1].connection;
    world.input(support::Input::Written(world.now, connection, backlog));
    world.settle();
    assert_eq!(world.exchange.counters().market_data_sent, counters.market_data_sent + 1);
    assert_eq!(world.exchange.sessions().nth(1).unwrap().backlog, 0);
}

#[test]
fn who_does_not_read_at_all_is_disconnected() {
    let mut config = config(3);
    config.limits.conflate_bytes = 1000;
    config.limits.disconnect_bytes = 5_000;
    let mut world = World::with_clients(config, 3);
    world.limit(1, "OWN", '1', 1, "1");
    world.clients[1].reading = false;
    for n in 0..40u64 {
        world.limit(1, &format!("A{n}"), '1', 0, "1");
        if !world.clients[1].connected {
            break;
        }
    }
    assert!(!world.clients[1].connected);
    assert_eq!(world.exchange.counters().slow_sessions_closed, 1);
    assert_eq!(world.exchange.counters().cancelled_on_disconnect, 1);
    assert_eq!(world.exchange.live_orders(), 0);
    // Nobody else noticed.
    world.limit(2, "B1", '1', 1, "1");
    assert_eq!(world.one(2).show(&[150]), "150=0");
}
