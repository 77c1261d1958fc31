//! New Order Single, Cancel and Replace: every answer and every refusal.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use support::{Order, Received, World, config};

/// Tags that tell an execution report's story.
const STORY: [u32; 11] = [11, 41, 150, 39, 32, 31, 151, 14, 6, 103, 58];

fn two() -> World {
    World::with_clients(config(2), 2)
}

#[track_caller]
fn assert_story(report: &Received, story: &str) {
    assert_eq!(report.show(&STORY), story, "{report:?}");
}

#[test]
fn an_accepted_order_is_reported_in_full() {
    let mut world = two();
    let order =
        Order::limit("A1", '1', 296, "1170").with(|o| o.extra = vec![(1, "CLIENT1".into())]);
    world.order(0, &order);
    let report = world.one(0);
    assert_eq!(report.kind(), "8");
    let body: Vec<(u32, String)> = report.body();
    let expected = [
        (37, "1"),
        (11, "A1"),
        (17, "1"),
        (150, "0"),
        (39, "0"),
        (1, "CLIENT1"),
        (55, "MSFT"),
        (54, "1"),
        (38, "296"),
        (40, "2"),
        (44, "1170"),
        (59, "0"),
        (151, "296"),
        (14, "0"),
        (6, "0"),
    ];
    let expected: Vec<_> = expected.iter().map(|(t, v)| (*t, (*v).to_owned())).collect();
    assert_eq!(body[..expected.len()], expected);
    let rest: Vec<u32> = body[expected.len()..].iter().map(|(t, _)| *t).collect();
    assert_eq!(rest, [60]);
    assert!(world.take(1).is_empty(), "nobody else hears of it");
}

#[test]
fn both_parties_hear_of_a_trade() {
    let mut world = two();
    world.limit(0, "S1", '2', 100, "1200");
    world.limit(0, "S2", '2', 50, "1201");
    world.take(0);
    world.limit(1, "B1", '1', 130, "1201");
    let taker = world.take(1);
    assert_eq!(taker.len(), 3);
    assert_story(&taker[0], "11=B1 150=0 39=0 151=130 14=0 6=0");
    assert_story(&taker[1], "11=B1 150=F 39=1 32=100 31=1200 151=30 14=100 6=1200");
    // (100 * 1200 + 30 * 1201) / 130 = 1200.230769 23…
    assert_story(&taker[2], "11=B1 150=F 39=2 32=30 31=1201 151=0 14=130 6=1200.230769");
    let maker = world.take(0);
    assert_eq!(maker.len(), 2);
    assert_story(&maker[0], "11=S1 150=F 39=2 32=100 31=1200 151=0 14=100 6=1200");
    assert_story(&maker[1], "11=S2 150=F 39=1 32=30 31=1201 151=20 14=30 6=1201");
    assert_eq!(world.exchange.counters().trades, 2);
    assert_eq!(world.exchange.counters().traded_quantity, 130);
    assert_eq!(world.exchange.live_orders(), 1);
}

#[test]
fn what_cannot_rest_is_cancelled() {
    let mut world = two();
    world.limit(0, "S1", '2', 100, "1200");
    world.take(0);

    let order = Order::limit("I1", '1', 150, "1200").with(|o| o.time_in_force = Some('3'));
    world.order(1, &order);
    let reports = world.take(1);
    assert_eq!(reports.len(), 3);
    assert_story(&reports[1], "11=I1 150=F 39=1 32=100 31=1200 151=50 14=100 6=1200");
    assert_story(
        &reports[2],
        "11=I1 150=4 39=4 151=0 14=100 6=1200 58=rest of an immediate-or-cancel order",
    );

    world.limit(0, "S2", '2', 100, "1200");
    let order = Order::limit("K1", '1', 150, "1200").with(|o| o.time_in_force = Some('4'));
    world.order(1, &order);
    let reports = world.take(1);
    assert_eq!(reports.len(), 2);
    assert_story(
        &reports[1],
        "11=K1 150=4 39=4 151=0 14=0 6=0 58=fill-or-kill order cannot be filled in full",
    );

    let market = Order::limit("M1", '1', 150, "").with(|o| {
        o.kind = '1';
        o.price = None;
    });
    world.order(1, &market);
    let reports = world.take(1);
    assert_eq!(reports.len(), 3);
    assert_eq!(reports[0].get(44), None);
    assert_story(&reports[1], "11=M1 150=F 39=1 32=100 31=1200 151=50 14=100 6=1200");
    assert_story(
        &reports[2],
        "11=M1 150=4 39=4 151=0 14=100 6=1200 \
         58=rest of a market order: no opposite order is left",
    );
    assert_eq!(world.exchange.live_orders(), 0);
}

#[test]
fn every_refusal_of_an_order_names_its_reason() {
    let mut config = config(2);
    config.participants[0].max_open_orders = 1;
    config.instruments[1].collar =
        Some(saker_exchange::config::CollarConfig { reference: 10_000, width: 100 });
    let mut world = World::with_clients(config, 2);
    let base = || Order::limit("X", '1', 100, "1170");
    let cases: Vec<(Order, &str, &str)> = vec![
        (base().with(|o| o.symbol = "NONE".into()), "1", "Symbol (55) is not listed"),
        (base().with(|o| o.side = '5'), "11", "Side (54) must be 1 (buy) or 2 (sell)"),
        (base().with(|o| o.kind = '3'), "11", "OrdType (40) must be 1 (market) or 2 (limit)"),
        (
            base().with(|o| o.time_in_force = Some('1')),
            "11",
            "TimeInForce (59) must be 0 (day), 3 (immediate or cancel) or 4 (fill or kill)",
        ),
        (base().with(|o| o.kind = '1'), "11", "Price (44) is not allowed on a market order"),
        (base().with(|o| o.quantity = "1.5".into()), "13", "OrderQty (38) must be a whole number"),
        (
            base().with(|o| o.quantity = "0".into()),
            "13",
            "OrderQty (38) must be a positive multiple of the lot",
        ),
        (base().with(|o| o.quantity = "-7".into()), "13", "OrderQty (38) must be a whole number"),
        (base().with(|o| o.quantity = "100001".into()), "3", "OrderQty (38) exceeds the maximum"),
        (
            base().with(|o| o.price = Some("1170.5".into())),
            "99",
            "Price (44) has more digits than the instrument's prices",
        ),
        (
            base().with(|o| o.price = Some("9000000000000000000".into())),
            "99",
            "Price (44) is out of range",
        ),
        (
            base().with(|o| {
                o.symbol = "SAKR".into();
                o.price = Some("100.01".into());
            }),
            "99",
            "Price (44) is not a multiple of the tick",
        ),
        (
            base().with(|o| {
                o.symbol = "SAKR".into();
                o.price = Some("101.05".into());
            }),
            "99",
            "Price (44) is outside the collar",
        ),
        (
            base().with(|o| {
                o.symbol = "SAKR".into();
                o.price = Some("100".into());
                o.quantity = "15".into();
            }),
            "13",
            "OrderQty (38) must be a positive multiple of the lot",
        ),
    ];
    for (index, (order, reason, text)) in cases.into_iter().enumerate() {
        let order = order.with(|o| o.id = format!("X{index}"));
        world.order(0, &order);
        let report = world.one(0);
        assert_eq!(report.show(&[37, 11, 150, 39]), format!("37=NONE 11=X{index} 150=8 39=8"));
        assert_eq!(report.show(&[103, 58]), format!("103={reason} 58={text}"));
        assert_eq!(report.show(&[38, 54]), format!("38={} 54={}", order.quantity, order.side));
    }

    world.limit(0, "A1", '1', 1, "1");
    world.take(0);
    world.limit(0, "A1", '1', 1, "1");
    assert_eq!(world.one(0).show(&[103, 58]), "103=6 58=ClOrdID (11) has been used before");
    world.limit(0, "X1", '1', 1, "1");
    assert_eq!(world.one(0).show(&[103]), "103=6", "a refused order's name is used, too");
    world.limit(0, "A2", '1', 1, "1");
    assert_eq!(world.one(0).show(&[103, 58]), "103=3 58=too many open orders of this participant");
    world.limit(1, "A1", '1', 1, "1");
    assert_eq!(world.one(1).show(&[150]), "150=0", "names are each participant's own");
    assert_eq!(world.exchange.counters().orders_rejected, 17);
}

#[test]
fn the_number_of_order_names_is_bounded() {
    let mut config = config(1);
    config.limits.max_client_order_ids = 2;
    let mut world = World::with_clients(config, 1);
    world.limit(0, "A1", '1', 1, "1");
    world.limit(0, "A2", '1', 1, "1");
    world.limit(0, "A3", '1', 1, "1");
    world.cancel(0, "A4", "A1", '1');
    let reports = world.take(0);
    assert_eq!(reports[2].show(&[103, 58]), "103=3 58=too many ClOrdIDs (11)");
    assert_eq!(reports[3].show(&[35, 102, 58]), "35=9 102=2 58=too many ClOrdIDs (11)");
}

#[test]
fn a_full_book_refuses() {
    let mut config = config(1);
    config.limits.max_book_orders = 2;
    let mut world = World::with_clients(config, 1);
    for id in ["A1", "A2", "A3"] {
        world.limit(0, id, '1', 1, "1");
    }
    assert_eq!(world.take(0)[2].show(&[103, 58]), "103=0 58=the book is full");
}

#[test]
fn a_cancel_is_answered_once() {
    let mut world = two();
    world.limit(0, "A1", '1', 100, "1170");
    world.limit(1, "B1", '2', 30, "1170");
    world.take(0);
    world.take(1);
    world.cancel(0, "C1", "A1", '1');
    assert_story(&world.one(0), "11=C1 41=A1 150=4 39=4 151=0 14=30 6=1170");
    assert_eq!(world.exchange.live_orders(), 0);

    world.cancel(0, "C2", "A1", '1');
    let reject = world.one(0);
    assert_eq!(reject.kind(), "9");
    assert_eq!(
        reject.show(&[37, 11, 41, 39, 434, 102, 58]),
        "37=1 11=C2 41=A1 39=4 434=1 102=0 58=the order is done"
    );
    world.cancel(1, "C3", "B1", '2');
    assert_eq!(world.one(1).show(&[39, 102]), "39=2 102=0", "filled");
}

#[test]
fn every_refusal_of_a_cancel_names_its_reason() {
    let mut world = two();
    world.limit(0, "A1", '1', 100, "1170");
    world.take(0);
    let shown = |world: &mut World, client| {
        let reject = world.one(client);
        assert_eq!(reject.show(&[35, 434]), "35=9 434=1");
        reject.show(&[37, 39, 102, 58])
    };
    world.cancel(0, "C1", "NONE", '1');
    assert_eq!(shown(&mut world, 0), "37=NONE 39=8 102=1 58=OrigClOrdID (41) names no order");
    world.cancel(0, "A1", "A1", '1');
    assert_eq!(shown(&mut world, 0), "37=NONE 39=8 102=6 58=ClOrdID (11) has been used before");
    world.cancel(0, "C2", "C1", '1');
    assert_eq!(shown(&mut world, 0), "37=NONE 39=8 102=1 58=OrigClOrdID (41) names no order");
    world.cancel(1, "C1", "A1", '1');
    assert_eq!(
        shown(&mut world, 1),
        "37=NONE 39=8 102=1 58=OrigClOrdID (41) names no order",
        "another's order is as unknown as none"
    );
    world.cancel(0, "C3", "A1", '2');
    assert_eq!(shown(&mut world, 0), "37=1 39=0 102=99 58=Side (54) differs from the order's");
    let now = world.now;
    let cancel = |world: &mut World, id: &str, symbol: &str, order_id: u64| {
        world.send(0, "F", |w| {
            w.field_str(41, "A1");
            w.field_uint(37, order_id);
            w.field_str(11, id);
            w.field_str(55, symbol);
            w.field_char(54, b'1');
            w.field_timestamp(60, now);
        });
    };
    cancel(&mut world, "C4", "SAKR", 1);
    assert_eq!(shown(&mut world, 0), "37=1 39=0 102=99 58=Symbol (55) differs from the order's");
    cancel(&mut world, "C5", "MSFT", 2);
    assert_eq!(
        shown(&mut world, 0),
        "37=1 39=0 102=1 58=OrderID (37) is not that of OrigClOrdID (41)"
    );
    cancel(&mut world, "C6", "MSFT", 1);
    assert_eq!(world.one(0).show(&[150, 11, 41]), "150=4 11=C6 41=A1");
    assert_eq!(world.exchange.counters().cancels_rejected, 7);
}

#[test]
fn a_replaced_order_goes_on_under_its_new_name() {
    let mut world = two();
    world.limit(0, "A1", '1', 100, "1170");
    world.take(0);
    world.replace(0, "A1", &Order::limit("A2", '1', 80, "1171"));
    assert_eq!(
        world.one(0).show(&[37, 11, 41, 150, 39, 38, 44, 151, 14]),
        "37=1 11=A2 41=A1 150=5 39=0 38=80 44=1171 151=80 14=0"
    );
    world.cancel(0, "C1", "A1", '1');
    assert_eq!(
        world.one(0).show(&[102, 58]),
        "102=1 58=OrigClOrdID (41) was superseded by a replacement"
    );
    world.limit(1, "B1", '2', 30, "1171");
    assert_eq!(world.one(0).show(&[11, 150, 32]), "11=A2 150=F 32=30");

    // A total of no more than what has traded ends the order.
    world.replace(0, "A2", &Order::limit("A3", '1', 30, "1171"));
    assert_eq!(
        world.one(0).show(&[11, 41, 150, 39, 151, 14]),
        "11=A3 41=A2 150=5 39=2 151=0 14=30"
    );
    assert_eq!(world.exchange.live_orders(), 0);
    world.replace(0, "A3", &Order::limit("A4", '1', 90, "1171"));
    let reject = world.one(0);
    assert_eq!(reject.show(&[35, 434, 39, 102, 58]), "35=9 434=2 39=2 102=0 58=the order is done");
    world.cancel(0, "C2", "A2", '1');
    assert_eq!(world.one(0).show(&[35, 102]), "35=9 102=0");
}

#[test]
fn a_replace_may_trade_at_once() {
    let mut world = two();
    world.limit(0, "A1", '1', 100, "1170");
    world.limit(1, "B1", '2', 40, "1172");
    world.take(0);
    world.take(1);
    world.replace(0, "A1", &Order::limit("A2", '1', 100, "1172"));
    let reports = world.take(0);
    assert_eq!(reports.len(), 2);
    assert_story(&reports[0], "11=A2 41=A1 150=5 39=0 151=100 14=0 6=0");
    assert_story(&reports[1], "11=A2 150=F 39=1 32=40 31=1172 151=60 14=40 6=1172");
    assert_story(&world.one(1), "11=B1 150=F 39=2 32=40 31=1172 151=0 14=40 6=1172");
}

#[test]
fn every_refusal_of_a_replace_leaves_the_order_as_it_was() {
    let mut world = two();
    world.limit(0, "A1", '1', 100, "1170");
    world.take(0);
    let base = |id: &str| Order::limit(id, '1', 90, "1169");
    let cases = [
        (
            base("R1").with(|o| {
                o.kind = '1';
                o.price = None;
            }),
            "OrdType (40) cannot be changed",
        ),
        (base("R2").with(|o| o.time_in_force = Some('3')), "TimeInForce (59) cannot be changed"),
        (base("R3").with(|o| o.quantity = "0.5".into()), "OrderQty (38) must be a whole number"),
        (
            base("R4").with(|o| o.quantity = "0".into()),
            "OrderQty (38) must be a positive multiple of the lot",
        ),
        (
            base("R5").with(|o| o.price = Some("0.5".into())),
            "Price (44) has more digits than the instrument's prices",
        ),
        (base("R6").with(|o| o.quantity = "100001".into()), "OrderQty (38) exceeds the maximum"),
    ];
    let before = world.exchange.book(0).unwrap().digest();
    for (order, text) in cases {
        world.replace(0, "A1", &order);
        let reject = world.one(0);
        assert_eq!(
            reject.show(&[35, 37, 11, 41, 39, 434, 102, 58]),
            format!("35=9 37=1 11={} 41=A1 39=0 434=2 102=99 58={text}", order.id)
        );
    }
    assert_eq!(world.exchange.book(0).unwrap().digest(), before);
}

#[test]
fn own_orders_meet_as_the_participant_has_chosen() {
    use saker_exchange::config::SelfMatchConfig;
    let run = |policy| {
        let mut config = config(1);
        config.participants[0].self_match = policy;
        let mut world = World::with_clients(config, 1);
        world.limit(0, "A1", '2', 100, "1170");
        world.take(0);
        world.limit(0, "A2", '1', 100, "1170");
        let reports = world.take(0);
        reports[1..].iter().map(|r| r.show(&[11, 150, 58])).collect::<Vec<_>>()
    };
    const WOULD: &str = "58=would trade with an order of the same participant";
    assert_eq!(run(SelfMatchConfig::Allow), ["11=A1 150=F", "11=A2 150=F"]);
    assert_eq!(run(SelfMatchConfig::CancelNewest), [format!("11=A2 150=4 {WOULD}")]);
    assert_eq!(run(SelfMatchConfig::CancelOldest), [format!("11=A1 150=4 {WOULD}")]);
}

#[test]
fn unusable_messages_are_rejected_and_cost_nothing() {
    let mut world = two();
    let now = world.now;
    // No Side.
    world.send(0, "D", |w| {
        w.field_str(11, "A1");
        w.field_str(55, "MSFT");
        w.field_timestamp(60, now);
        w.field_uint(38, 1);
        w.field_char(40, b'2');
        w.field_uint(44, 1);
    });
    let reject = world.one(0);
    assert_eq!(reject.show(&[35, 371, 372, 373]), "35=3 371=54 372=D 373=1", "{reject:?}");
    // A name that is too long.
    world.limit(0, &"x".repeat(21), '1', 1, "1");
    let reject = world.one(0);
    assert_eq!(reject.show(&[35, 371, 372, 373]), "35=3 371=11 372=D 373=5", "{reject:?}");
    // A limit order without a price.
    world.order(0, &Order::limit("A1", '1', 1, "1").with(|o| o.price = None));
    let reject = world.one(0);
    assert_eq!(reject.show(&[35, 372, 380]), "35=j 372=D 380=5", "{reject:?}");
    // The name was not used by any of these.
    world.limit(0, "A1", '1', 1, "1");
    assert_eq!(world.one(0).show(&[35, 150]), "35=8 150=0");
    // A message of the dictionary that an exchange does not take.
    world.send(0, "d", |w| {
        w.field_str(320, "1");
        w.field_str(322, "1");
        w.field_uint(323, 1);
        w.field_str(55, "MSFT");
    });
    let reject = world.one(0);
    assert_eq!(reject.show(&[35, 372, 380]), "35=j 372=d 380=3", "{reject:?}");
    assert!(world.clients[0].session.is_logged_on());
}

#[test]
fn what_would_change_an_orders_meaning_is_not_overlooked() {
    let mut world = two();
    let order = Order::limit("A1", '1', 1, "1").with(|o| o.extra = vec![(99, "5".into())]);
    world.order(0, &order);
    let answer = world.one(0);
    // Refused either by the dictionary or by the exchange, and never accepted.
    assert!(["3", "8"].contains(&answer.kind().as_str()), "{answer:?}");
    assert_ne!(answer.get(150).as_deref(), Some("0"));
}
