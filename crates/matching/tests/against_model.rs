//! The matcher beside a naive restatement of its rules, over random command streams.

mod support;

use std::collections::HashMap;

use proptest::prelude::*;
use saker_book::OrderBook;
use saker_matching::{
    CancelOrder, CancelReason, Collar, Event, Matcher, NewOrder, OrderType, OwnerId, ReplaceOrder,
    Rules, SelfMatch, Side, TimeInForce,
};
use support::Model;

#[derive(Debug, Clone)]
enum Command {
    Submit(NewOrder),
    Cancel(CancelOrder),
    Replace(ReplaceOrder),
    CancelAll(OwnerId),
    Policy(OwnerId, SelfMatch),
    EndDay,
}

/// Ids of new orders are drawn from few values, so that duplicates and re-uses happen.
fn command() -> impl Strategy<Value = Command> {
    let id = || 0u64..30;
    let owner = || prop_oneof![40 => 0u32..4, 1 => Just(4u32)];
    let price = || 95i64..106;
    let quantity = || prop_oneof![30 => 1u64..12, 1 => Just(0u64), 1 => Just(200u64)];
    let side = prop_oneof![Just(Side::Buy), Just(Side::Sell)];
    let order_type = prop_oneof![6 => Just(OrderType::Limit), 1 => Just(OrderType::Market)];
    let time_in_force = prop_oneof![
        5 => Just(TimeInForce::Day),
        1 => Just(TimeInForce::ImmediateOrCancel),
        1 => Just(TimeInForce::FillOrKill),
    ];
    let submit = (id(), owner(), side, order_type, time_in_force, price(), quantity()).prop_map(
        |(id, owner, side, order_type, time_in_force, price, quantity)| {
            let order = NewOrder { id, owner, side, order_type, time_in_force, price, quantity };
            Command::Submit(order)
        },
    );
    let replace = (id(), owner(), price(), quantity()).prop_map(|(id, owner, price, quantity)| {
        Command::Replace(ReplaceOrder { id, owner, price, quantity })
    });
    let policy = prop_oneof![
        Just(SelfMatch::Allow),
        Just(SelfMatch::CancelNewest),
        Just(SelfMatch::CancelOldest)
    ];
    prop_oneof![
        60 => submit,
        30 => replace,
        20 => (id(), owner()).prop_map(|(id, owner)| Command::Cancel(CancelOrder { id, owner })),
        1 => owner().prop_map(Command::CancelAll),
        3 => (0u32..4, policy).prop_map(|(owner, policy)| Command::Policy(owner, policy)),
        1 => Just(Command::EndDay),
    ]
}

fn rules() -> impl Strategy<Value = Rules> {
    let collar = prop_oneof![
        3 => Just(None),
        1 => (99i64..102, 1u64..6).prop_map(|(reference, width)| Some(Collar { reference, width })),
    ];
    (1i64..3, 1u64..3, collar, 1usize..25, 1u32..12).prop_map(
        |(tick, lot, collar, max_orders, max_orders_per_owner)| Rules {
            tick,
            lot,
            max_quantity: 100,
            collar,
            max_orders,
            owners: 4,
            max_orders_per_owner,
        },
    )
}

/// A replace or cancel by whoever owns the order succeeds far more often than a random one.
fn aim(command: Command, matcher: &Matcher) -> Command {
    let owner_of = |id, owner| match matcher.resting(id) {
        Some((owns, _)) if owner != 0 => owns,
        _ => owner,
    };
    match command {
        Command::Cancel(CancelOrder { id, owner }) => {
            Command::Cancel(CancelOrder { id, owner: owner_of(id, owner) })
        }
        Command::Replace(r) => {
            Command::Replace(ReplaceOrder { owner: owner_of(r.id, r.owner), ..r })
        }
        other => other,
    }
}

fn run(
    matcher: &mut Matcher,
    model: &mut Model,
    command: &Command,
    events: &mut Vec<Event>,
) -> Vec<Event> {
    match *command {
        Command::Submit(order) => {
            matcher.submit(order, events);
            model.submit(order)
        }
        Command::Cancel(request) => {
            matcher.cancel(request, events);
            model.cancel(request)
        }
        Command::Replace(request) => {
            matcher.replace(request, events);
            model.replace(request)
        }
        Command::CancelAll(owner) => {
            matcher.cancel_all(owner, events);
            model.mass_cancel(Some(owner), CancelReason::MassCancel)
        }
        Command::Policy(owner, policy) => {
            assert!(matcher.set_self_match(owner, policy));
            model.policies[owner as usize] = policy;
            Vec::new()
        }
        Command::EndDay => {
            matcher.end_day(events);
            model.mass_cancel(None, CancelReason::EndOfDay)
        }
    }
}

fn follow(feed: &mut OrderBook, event: &Event) {
    match *event {
        Event::BookAdd { id, side, price, quantity } => {
            feed.add(id, side, price, quantity).expect("a valid add");
        }
        Event::BookChange { id, price, quantity, .. } => {
            feed.change(id, price, quantity).expect("a valid change");
        }
        Event::BookDelete { id, .. } => {
            feed.remove(id).expect("a valid delete");
        }
        _ => {}
    }
}

/// What every order was, traded and lost: nothing appears or vanishes.
#[derive(Default)]
struct Ledger {
    /// Open orders: side, total, cumulative.
    open: HashMap<u64, (Side, u64, u64)>,
    bought: u64,
    sold: u64,
    trade_id: u64,
}

impl Ledger {
    fn follow(&mut self, event: &Event) -> Result<(), TestCaseError> {
        match *event {
            Event::Accepted { id, side, quantity, .. } => {
                prop_assert!(self.open.insert(id, (side, quantity, 0)).is_none());
            }
            Event::Replaced { id, quantity, leaves, cumulative, .. } => {
                prop_assert_eq!(leaves + cumulative, quantity);
                self.open.get_mut(&id).expect("open").1 = quantity;
                if leaves == 0 {
                    self.open.remove(&id);
                }
            }
            Event::Trade { trade_id, quantity, maker, taker, taker_side, .. } => {
                self.trade_id += 1;
                prop_assert_eq!(trade_id, self.trade_id);
                for (party, side) in [(maker, taker_side.opposite()), (taker, taker_side)] {
                    let order = self.open.get_mut(&party.id).expect("open");
                    prop_assert_eq!(order.0, side);
                    order.2 += quantity;
                    prop_assert_eq!(party.cumulative, order.2);
                    prop_assert_eq!(party.leaves + party.cumulative, order.1);
                    *(if side == Side::Buy { &mut self.bought } else { &mut self.sold }) +=
                        quantity;
                    if party.leaves == 0 {
                        self.open.remove(&party.id);
                    }
                }
            }
            Event::Canceled { id, quantity, cumulative, .. } => {
                let (_, total, traded) = self.open.remove(&id).expect("open");
                prop_assert_eq!((cumulative, quantity), (traded, total - traded));
                prop_assert!(quantity > 0);
            }
            _ => {}
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn agrees_after_every_command(
        rules in rules(),
        commands in prop::collection::vec(command(), 1..250),
    ) {
        let mut matcher = Matcher::new(rules).expect("valid rules");
        let mut model = Model::new(rules);
        let mut feed = OrderBook::with_capacity(rules.max_orders);
        let mut ledger = Ledger::default();
        let mut events = Vec::new();
        for command in commands {
            let command = aim(command, &matcher);
            events.clear();
            let want = run(&mut matcher, &mut model, &command, &mut events);
            prop_assert_eq!(&events, &want, "{:?}", command);
            for event in &events {
                follow(&mut feed, event);
                ledger.follow(event)?;
            }
            let book = matcher.book();
            prop_assert_eq!(book.audit(), Ok(()));
            prop_assert!(!book.is_crossed());
            prop_assert_eq!(feed.digest(), book.digest(), "the feed's book is the matcher's");
            for side in [Side::Buy, Side::Sell] {
                let got: Vec<_> = book.orders(side).map(|o| (o.id, o.price, o.quantity)).collect();
                let want: Vec<_> =
                    model.side(side).iter().map(|o| (o.id, o.price, o.leaves)).collect();
                prop_assert_eq!(got, want);
            }
            for owner in 0..rules.owners {
                let mine = model.orders.iter().filter(|o| o.owner == owner).count();
                prop_assert_eq!(matcher.open_orders(owner) as usize, mine);
            }
            prop_assert_eq!(ledger.open.len(), book.len());
            prop_assert_eq!(ledger.bought, ledger.sold);
            prop_assert_eq!(matcher.trades(), ledger.trade_id);
            prop_assert_eq!(matcher.last_price(), model.last_price);
        }
    }
}
