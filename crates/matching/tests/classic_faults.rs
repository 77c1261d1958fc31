//! The faults that matching engines are known for, each by name.

use saker_book::Side::{Buy, Sell};
use saker_matching::{
    CancelOrder, CancelReason, Collar, Event, Matcher, NewOrder, OrderType, RejectReason,
    ReplaceOrder, Rules, RulesError, SelfMatch, Side, TimeInForce,
};

/// A matcher and what its last command said.
struct Venue {
    matcher: Matcher,
    events: Vec<Event>,
}

impl Venue {
    fn new(rules: Rules) -> Self {
        let matcher = Matcher::new(rules).expect("valid rules");
        Self { matcher, events: Vec::new() }
    }

    fn submit(&mut self, order: NewOrder) -> &[Event] {
        self.events.clear();
        self.matcher.submit(order, &mut self.events);
        &self.events
    }

    /// A day limit order of owner `id / 10`.
    fn day(&mut self, id: u64, side: Side, price: i64, quantity: u64) -> &[Event] {
        self.submit(limit(id, side, price, quantity, TimeInForce::Day))
    }

    fn cancel(&mut self, id: u64) -> &[Event] {
        self.events.clear();
        self.matcher.cancel(CancelOrder { id, owner: id as u32 / 10 }, &mut self.events);
        &self.events
    }

    fn replace(&mut self, id: u64, price: i64, quantity: u64) -> &[Event] {
        self.events.clear();
        let owner = id as u32 / 10;
        self.matcher.replace(ReplaceOrder { id, owner, price, quantity }, &mut self.events);
        &self.events
    }

    /// Ids, prices and quantities of a side in priority order.
    fn side(&self, side: Side) -> Vec<(u64, i64, u64)> {
        self.matcher.book().orders(side).map(|o| (o.id, o.price, o.quantity)).collect()
    }

    /// Maker, price and quantity of each trade of the last command.
    fn trades(&self) -> Vec<(u64, i64, u64)> {
        let trade = |event: &Event| match *event {
            Event::Trade { maker, price, quantity, .. } => Some((maker.id, price, quantity)),
            _ => None,
        };
        self.events.iter().filter_map(trade).collect()
    }

    /// What the last command canceled, and why.
    fn canceled(&self) -> Vec<(u64, u64, CancelReason)> {
        let canceled = |event: &Event| match *event {
            Event::Canceled { id, quantity, reason, .. } => Some((id, quantity, reason)),
            _ => None,
        };
        self.events.iter().filter_map(canceled).collect()
    }

    fn rejected(&self) -> Option<RejectReason> {
        match self.events.as_slice() {
            [
                Event::Rejected { reason, .. }
                | Event::CancelRejected { reason, .. }
                | Event::ReplaceRejected { reason, .. },
            ] => Some(*reason),
            _ => None,
        }
    }
}

fn limit(id: u64, side: Side, price: i64, quantity: u64, tif: TimeInForce) -> NewOrder {
    NewOrder {
        id,
        owner: id as u32 / 10,
        side,
        order_type: OrderType::Limit,
        time_in_force: tif,
        price,
        quantity,
    }
}

fn market(id: u64, side: Side, quantity: u64) -> NewOrder {
    let order_type = OrderType::Market;
    NewOrder { order_type, ..limit(id, side, 0, quantity, TimeInForce::Day) }
}

/// Sells of owners 1, 2 and 3: 10 and 20 have 5 each at 100, 30 has 5 at 101.
fn three_sells() -> Venue {
    let mut venue = Venue::new(Rules::default());
    venue.day(10, Sell, 100, 5);
    venue.day(20, Sell, 100, 5);
    venue.day(30, Sell, 101, 5);
    venue
}

#[test]
fn canceling_an_order_does_not_lose_its_siblings() {
    let mut venue = three_sells();
    venue.day(11, Sell, 100, 5);
    venue.cancel(20);
    venue.day(40, Buy, 100, 10);
    assert_eq!(venue.trades(), [(10, 100, 5), (11, 100, 5)]);
    assert_eq!(venue.side(Sell), [(30, 101, 5)]);
}

#[test]
fn trades_are_at_the_makers_price_and_oldest_first() {
    let mut venue = three_sells();
    venue.day(40, Buy, 105, 12);
    assert_eq!(venue.trades(), [(10, 100, 5), (20, 100, 5), (30, 101, 2)]);
    assert_eq!(venue.side(Sell), [(30, 101, 3)]);
    assert_eq!(venue.side(Buy), []);
    assert_eq!(venue.matcher.last_price(), Some(101));
}

#[test]
fn a_trade_reports_both_parties_and_then_the_book() {
    let mut venue = three_sells();
    let events = venue.day(40, Buy, 100, 7).to_vec();
    let party = |id, leaves, cumulative| saker_matching::Party {
        id,
        owner: id as u32 / 10,
        leaves,
        cumulative,
    };
    let trade = |trade_id, quantity, maker, taker| Event::Trade {
        trade_id,
        price: 100,
        quantity,
        taker_side: Buy,
        maker,
        taker,
    };
    assert_eq!(
        events[1..],
        [
            trade(1, 5, party(10, 0, 5), party(40, 2, 5)),
            Event::BookDelete { id: 10, side: Sell, price: 100 },
            trade(2, 2, party(20, 3, 2), party(40, 0, 7)),
            Event::BookChange { id: 20, side: Sell, price: 100, quantity: 3 },
        ]
    );
}

#[test]
fn a_replace_never_rests_crossed() {
    let mut venue = three_sells();
    venue.day(40, Buy, 99, 8);
    let events = venue.replace(40, 101, 8).to_vec();
    assert!(matches!(events[0], Event::Replaced { id: 40, price: 101, leaves: 8, .. }));
    assert_eq!(events[1], Event::BookDelete { id: 40, side: Buy, price: 99 });
    assert_eq!(venue.trades(), [(10, 100, 5), (20, 100, 3)]);
    assert!(!venue.matcher.book().is_crossed());
    venue.day(50, Buy, 98, 4);
    venue.replace(50, 101, 20);
    assert_eq!(venue.trades(), [(20, 100, 2), (30, 101, 5)]);
    assert_eq!(venue.side(Buy), [(50, 101, 13)], "the remainder rests");
    assert_eq!(venue.side(Sell), []);
}

#[test]
fn an_emptied_price_leaves_no_phantom_best() {
    let mut venue = three_sells();
    venue.day(40, Buy, 100, 10);
    assert_eq!(venue.matcher.book().top().offer, Some((101, 5)));
    venue.cancel(30);
    assert_eq!(venue.matcher.book().top(), Default::default());
    venue.day(50, Buy, 105, 1);
    assert_eq!(venue.trades(), []);
}

#[test]
fn an_immediate_or_cancel_residual_does_not_rest() {
    let mut venue = three_sells();
    venue.submit(limit(40, Buy, 100, 15, TimeInForce::ImmediateOrCancel));
    assert_eq!(venue.trades().len(), 2);
    assert_eq!(venue.canceled(), [(40, 5, CancelReason::ImmediateOrCancel)]);
    assert_eq!(venue.side(Buy), []);
}

#[test]
fn a_market_residual_does_not_rest() {
    let mut venue = three_sells();
    venue.submit(market(40, Buy, 20));
    assert_eq!(venue.trades().len(), 3);
    assert_eq!(venue.canceled(), [(40, 5, CancelReason::MarketResidual)]);
    assert_eq!(venue.side(Buy), []);
}

#[test]
fn a_fill_or_kill_fills_in_full_or_not_at_all() {
    let mut venue = three_sells();
    let before = venue.matcher.book().digest();
    venue.submit(limit(40, Buy, 100, 11, TimeInForce::FillOrKill));
    assert_eq!(venue.trades(), []);
    assert_eq!(venue.canceled(), [(40, 11, CancelReason::FillOrKill)]);
    assert_eq!(venue.matcher.book().digest(), before);
    venue.submit(limit(41, Buy, 101, 11, TimeInForce::FillOrKill));
    assert_eq!(venue.trades(), [(10, 100, 5), (20, 100, 5), (30, 101, 1)]);
    let kill = NewOrder { time_in_force: TimeInForce::FillOrKill, ..market(42, Buy, 5) };
    venue.submit(kill);
    assert_eq!(venue.trades(), [], "four are left");
    assert_eq!(venue.canceled(), [(42, 5, CancelReason::FillOrKill)]);
}

#[test]
fn a_fill_or_kill_does_not_count_its_owners_own_orders() {
    for (policy, fills) in [
        (SelfMatch::CancelNewest, false),
        (SelfMatch::CancelOldest, false),
        (SelfMatch::Allow, true),
    ] {
        let mut venue = three_sells();
        assert!(venue.matcher.set_self_match(2, policy));
        venue.submit(limit(21, Buy, 100, 10, TimeInForce::FillOrKill));
        assert_eq!(!venue.trades().is_empty(), fills, "{policy:?}");
        assert_eq!(venue.side(Sell).len(), if fills { 1 } else { 3 }, "{policy:?}");
    }
    // Behind enough others, an own order is not in the way.
    let mut venue = three_sells();
    venue.submit(limit(21, Buy, 100, 5, TimeInForce::FillOrKill));
    assert_eq!(venue.trades(), [(10, 100, 5)]);
}

#[test]
fn a_replace_keeps_priority_only_when_it_gets_smaller_at_the_same_price() {
    let first = |venue: &Venue| venue.side(Sell)[0].0;
    let mut venue = three_sells();
    let events = venue.replace(10, 100, 4).to_vec();
    assert_eq!(events[1..], [Event::BookChange { id: 10, side: Sell, price: 100, quantity: 4 }]);
    assert_eq!(first(&venue), 10);
    assert_eq!(venue.replace(10, 100, 4).len(), 1, "nothing changes in the book");
    venue.replace(10, 100, 5);
    assert_eq!(first(&venue), 20, "it grew");
    venue.replace(20, 101, 5);
    venue.replace(20, 100, 5);
    assert_eq!(first(&venue), 10, "there and back");
}

#[test]
fn a_replace_counts_what_has_traded() {
    let mut venue = three_sells();
    venue.day(40, Buy, 100, 3);
    // 10 has 3 traded and 2 open. A total of 4 leaves 1, and its place.
    let events = venue.replace(10, 100, 4).to_vec();
    let replaced = |price, quantity, leaves| Event::Replaced {
        id: 10,
        owner: 1,
        price,
        quantity,
        leaves,
        cumulative: 3,
    };
    assert_eq!(events[0], replaced(100, 4, 1));
    assert_eq!(venue.side(Sell)[0], (10, 100, 1));
    // A total of 7 leaves 4: it grew.
    assert_eq!(venue.replace(10, 100, 7)[0], replaced(100, 7, 4));
    assert_eq!(venue.side(Sell)[1], (10, 100, 4));
    // A total of 2 is less than has traded: the order is done, with what it has.
    let events = venue.replace(10, 100, 2).to_vec();
    let gone = Event::BookDelete { id: 10, side: Sell, price: 100 };
    assert_eq!(events, [replaced(100, 3, 0), gone]);
    assert_eq!(venue.cancel(10).len(), 1);
    assert_eq!(venue.rejected(), Some(RejectReason::UnknownOrder));
}

#[test]
fn own_orders_meet_under_their_owners_policy() {
    let mut venue = three_sells();
    venue.day(21, Buy, 101, 20);
    assert_eq!(venue.trades(), [(10, 100, 5)]);
    assert_eq!(venue.canceled(), [(21, 15, CancelReason::SelfMatch)]);
    assert_eq!(venue.side(Sell), [(20, 100, 5), (30, 101, 5)]);

    let mut venue = three_sells();
    venue.matcher.set_self_match(2, SelfMatch::CancelOldest);
    venue.day(21, Buy, 101, 20);
    assert_eq!(venue.trades(), [(10, 100, 5), (30, 101, 5)]);
    assert_eq!(venue.canceled(), [(20, 5, CancelReason::SelfMatch)]);
    assert_eq!(venue.side(Buy), [(21, 101, 10)]);

    let mut venue = three_sells();
    venue.matcher.set_self_match(2, SelfMatch::Allow);
    venue.day(21, Buy, 100, 10);
    assert_eq!(venue.trades(), [(10, 100, 5), (20, 100, 5)]);
    assert_eq!(venue.matcher.open_orders(2), 0);
    assert!(!venue.matcher.set_self_match(64, SelfMatch::Allow));
}

#[test]
fn bought_is_sold_and_nothing_is_lost() {
    let mut venue = three_sells();
    venue.day(40, Buy, 101, 30);
    let sold: u64 = venue.trades().iter().map(|t| t.2).sum();
    let resting: u64 = venue.side(Buy).iter().map(|o| o.2).sum();
    assert_eq!((sold, resting), (15, 15));
}

#[test]
fn each_check_has_its_reason() {
    let collar = Some(Collar { reference: 100, width: 10 });
    let rules = Rules {
        tick: 2,
        lot: 5,
        max_quantity: 50,
        collar,
        max_orders: 3,
        owners: 5,
        max_orders_per_owner: 2,
    };
    let mut venue = Venue::new(rules);
    let mut check = |order: NewOrder, want| {
        venue.submit(order);
        assert_eq!(venue.rejected(), want, "{order:?}");
    };
    let day = |id, price, quantity| limit(id, Buy, price, quantity, TimeInForce::Day);
    check(day(50, 100, 5), Some(RejectReason::UnknownOwner));
    check(day(10, 100, 0), Some(RejectReason::InvalidQuantity));
    check(day(10, 100, 7), Some(RejectReason::InvalidQuantity));
    check(day(10, 100, 55), Some(RejectReason::QuantityTooLarge));
    check(day(10, 101, 5), Some(RejectReason::InvalidTick));
    check(day(10, 112, 5), Some(RejectReason::OutsideCollar));
    check(day(10, 88, 5), Some(RejectReason::OutsideCollar));
    check(day(10, 90, 5), None);
    check(day(10, 90, 5), Some(RejectReason::DuplicateOrder));
    check(day(11, 90, 5), None);
    check(day(12, 90, 5), Some(RejectReason::TooManyOpenOrders));
    check(limit(12, Buy, 90, 5, TimeInForce::ImmediateOrCancel), None);
    check(day(20, 92, 5), None);
    check(day(30, 92, 5), Some(RejectReason::BookFull));
    venue.replace(10, 113, 5);
    assert_eq!(venue.rejected(), Some(RejectReason::InvalidTick));
    venue.replace(10, 90, 0);
    assert_eq!(venue.rejected(), Some(RejectReason::InvalidQuantity));
    let other = CancelOrder { id: 10, owner: 2 };
    venue.events.clear();
    venue.matcher.cancel(other, &mut venue.events);
    assert_eq!(venue.rejected(), Some(RejectReason::UnknownOrder), "not its owner");
}

#[test]
fn the_collar_follows_trades_and_stops_market_orders() {
    let collar = Some(Collar { reference: 100, width: 3 });
    let mut venue = Venue::new(Rules { collar, ..Rules::default() });
    for (id, price) in [(10, 100), (20, 102), (30, 103)] {
        venue.day(id, Sell, price, 1);
    }
    venue.day(40, Buy, 97, 1);
    venue.submit(market(50, Sell, 1));
    assert_eq!(venue.trades(), [(40, 97, 1)]);
    // The last trade is at 97 now, so a market buy goes no further than 100.
    venue.submit(market(51, Buy, 3));
    assert_eq!(venue.trades(), [(10, 100, 1)]);
    assert_eq!(venue.canceled(), [(51, 2, CancelReason::MarketResidual)]);
    venue.day(52, Buy, 96, 1);
    assert_eq!(venue.rejected(), Some(RejectReason::OutsideCollar));
}

#[test]
fn mass_cancels_take_what_they_name() {
    let mut venue = three_sells();
    venue.day(21, Buy, 90, 1);
    venue.events.clear();
    venue.matcher.cancel_all(2, &mut venue.events);
    let why = CancelReason::MassCancel;
    assert_eq!(venue.canceled(), [(21, 1, why), (20, 5, why)]);
    venue.matcher.cancel_all(999, &mut venue.events);
    venue.events.clear();
    venue.matcher.end_day(&mut venue.events);
    let why = CancelReason::EndOfDay;
    assert_eq!(venue.canceled(), [(10, 5, why), (30, 5, why)]);
    assert!(venue.matcher.book().is_empty());
    assert_eq!(venue.matcher.open_orders(1), 0);
}

#[test]
fn impossible_rules_are_refused() {
    let refused = |rules: Rules| Matcher::new(rules).err();
    let rules = Rules::default();
    assert_eq!(refused(Rules { tick: 0, ..rules }), Some(RulesError::Tick(0)));
    assert_eq!(refused(Rules { lot: 0, ..rules }), Some(RulesError::Lot));
    assert_eq!(refused(Rules { max_orders: 0, ..rules }), Some(RulesError::Orders(0)));
    assert_eq!(refused(Rules { owners: 0, ..rules }), Some(RulesError::Owners(0)));
    let (max_orders, max_quantity) = (2, u64::MAX / 2 + 1);
    let range = RulesError::QuantityRange { max_orders, max_quantity };
    assert_eq!(refused(Rules { max_orders, max_quantity, ..rules }), Some(range));
}
