//! The matcher: commands in, events out.

use saker_book::{Order, OrderBook, OrderId, OrderType, Side, TimeInForce};

use crate::{
    CancelOrder, CancelReason, Event, NewOrder, OwnerId, Party, RejectReason, ReplaceOrder, Rules,
    RulesError, SelfMatch,
};

/// What the matcher knows of a resting order beyond the book; kept at the order's slot.
#[derive(Debug, Clone, Copy, Default)]
struct Resting {
    owner: OwnerId,
    /// What has traded of it.
    cumulative: u64,
}

/// What the matcher knows of an owner.
#[derive(Debug, Clone, Copy, Default)]
struct Owner {
    open_orders: u32,
    self_match: SelfMatch,
}

/// An order that is being matched.
#[derive(Debug, Clone, Copy)]
struct Taker {
    id: OrderId,
    owner: OwnerId,
    side: Side,
    /// The worst price it accepts.
    limit: i64,
    leaves: u64,
    cumulative: u64,
}

/// Why matching stopped while the taker still has quantity open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// Nothing opposite at an acceptable price, or nothing left of the taker.
    NoMatch,
    /// The next maker is the taker's own owner's, whose policy cancels the newest.
    SelfMatch,
}

/// The matching engine of one instrument. See the crate's front page for its rules.
#[derive(Debug)]
pub struct Matcher {
    rules: Rules,
    book: OrderBook,
    resting: Vec<Resting>,
    owners: Vec<Owner>,
    last_price: Option<i64>,
    last_trade_id: u64,
    /// For mass cancels: one owner's orders, with their slots.
    scratch: Vec<(usize, Order)>,
}

impl Matcher {
    /// A matcher with an empty book. All its memory is taken here.
    ///
    /// # Errors
    /// The first rule that cannot be.
    pub fn new(rules: Rules) -> Result<Self, RulesError> {
        rules.validate()?;
        let most_of_one_owner = rules.max_orders.min(rules.max_orders_per_owner as usize);
        Ok(Self {
            rules,
            book: OrderBook::with_capacity(rules.max_orders),
            resting: vec![Resting::default(); rules.max_orders],
            owners: vec![Owner::default(); rules.owners as usize],
            last_price: None,
            last_trade_id: 0,
            scratch: Vec::with_capacity(most_of_one_owner),
        })
    }

    /// The rules it was made with.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The book, which is never crossed between commands.
    pub fn book(&self) -> &OrderBook {
        &self.book
    }

    /// The price of the last trade, if there was one.
    pub fn last_price(&self) -> Option<i64> {
        self.last_price
    }

    /// The number of trades so far, which is also the last trade's id.
    pub fn trades(&self) -> u64 {
        self.last_trade_id
    }

    /// How many orders of an owner rest in the book; 0 for an unknown owner.
    pub fn open_orders(&self, owner: OwnerId) -> u32 {
        self.owners.get(owner as usize).map_or(0, |o| o.open_orders)
    }

    /// Who owns a resting order, and how much of it has traded.
    pub fn resting(&self, id: OrderId) -> Option<(OwnerId, u64)> {
        let Resting { owner, cumulative } = self.resting[self.book.slot(id)?];
        Some((owner, cumulative))
    }

    /// Sets what happens when orders of this owner meet; [`SelfMatch::CancelNewest`] until then.
    /// False if there is no such owner.
    pub fn set_self_match(&mut self, owner: OwnerId, policy: SelfMatch) -> bool {
        let known = self.owners.get_mut(owner as usize);
        known.map(|o| o.self_match = policy).is_some()
    }

    /// Takes an order in; appends what happened to `events`.
    pub fn submit(&mut self, order: NewOrder, events: &mut Vec<Event>) {
        let NewOrder { id, owner, side, order_type, time_in_force, price, quantity } = order;
        if let Err(reason) = self.check_new(&order) {
            events.push(Event::Rejected { id, owner, reason });
            return;
        }
        let (limit, shown) = match order_type {
            OrderType::Limit => (price, price),
            OrderType::Market => (self.market_limit(side), 0),
        };
        events.push(Event::Accepted {
            id,
            owner,
            side,
            order_type,
            time_in_force,
            price: shown,
            quantity,
        });
        let mut taker = Taker { id, owner, side, limit, leaves: quantity, cumulative: 0 };
        if time_in_force == TimeInForce::FillOrKill && !self.can_fill(&taker) {
            cancel_taker(&taker, CancelReason::FillOrKill, events);
            return;
        }
        let stop = self.take(&mut taker, events);
        let residual = match (stop, order_type, time_in_force) {
            _ if taker.leaves == 0 => None,
            (Stop::SelfMatch, _, _) => Some(CancelReason::SelfMatch),
            (_, _, TimeInForce::FillOrKill) => unreachable!("it was found to fill in full"),
            (_, OrderType::Market, _) => Some(CancelReason::MarketResidual),
            (_, _, TimeInForce::ImmediateOrCancel) => Some(CancelReason::ImmediateOrCancel),
            (_, OrderType::Limit, TimeInForce::Day) => {
                self.rest(&taker, events);
                None
            }
        };
        if let Some(reason) = residual {
            cancel_taker(&taker, reason, events);
        }
        debug_assert!(!self.book.is_crossed());
    }

    /// Takes a resting order out; appends what happened to `events`.
    pub fn cancel(&mut self, request: CancelOrder, events: &mut Vec<Event>) {
        let CancelOrder { id, owner } = request;
        match self.check_owned(id, owner) {
            Ok((slot, order)) => {
                self.cancel_resting(slot, &order, CancelReason::Requested, events);
            }
            Err(reason) => events.push(Event::CancelRejected { id, owner, reason }),
        }
    }

    /// Gives a resting order another price and total quantity; appends what happened to `events`.
    /// It keeps its priority only when it gets smaller at the same price. A price that crosses
    /// makes it a taker; what is left then rests at the back of its new price.
    pub fn replace(&mut self, request: ReplaceOrder, events: &mut Vec<Event>) {
        let ReplaceOrder { id, owner, price, quantity } = request;
        let (slot, old) = match self.check_replace(&request) {
            Ok(found) => found,
            Err(reason) => {
                events.push(Event::ReplaceRejected { id, owner, reason });
                return;
            }
        };
        let side = old.side;
        let cumulative = self.resting[slot].cumulative;
        let leaves = quantity.saturating_sub(cumulative);
        let quantity = leaves + cumulative;
        events.push(Event::Replaced { id, owner, price, quantity, leaves, cumulative });
        let opposite = self.book.best(side.opposite());
        if leaves == 0 {
            self.take_out(slot, &old, events);
        } else if opposite.is_some_and(|best| side.accepts(price, best.price)) {
            self.take_out(slot, &old, events);
            let mut taker = Taker { id, owner, side, limit: price, leaves, cumulative };
            match self.take(&mut taker, events) {
                _ if taker.leaves == 0 => {}
                Stop::SelfMatch => cancel_taker(&taker, CancelReason::SelfMatch, events),
                Stop::NoMatch => self.rest(&taker, events),
            }
        } else if (price, leaves) != (old.price, old.quantity) {
            self.book.change(id, price, leaves).expect("the order rests and quantities fit");
            events.push(Event::BookChange { id, side, price, quantity: leaves });
        }
        debug_assert!(!self.book.is_crossed());
    }

    /// Cancels every order of an owner, buys first, each side in priority order, in time linear
    /// in the size of the book. Nothing happens for an unknown owner.
    pub fn cancel_all(&mut self, owner: OwnerId, events: &mut Vec<Event>) {
        let mut owned = std::mem::take(&mut self.scratch);
        for side in [Side::Buy, Side::Sell] {
            let orders = self.book.slots(side);
            owned.extend(orders.filter(|(slot, _)| self.resting[*slot].owner == owner));
        }
        for (slot, order) in owned.drain(..) {
            self.cancel_resting(slot, &order, CancelReason::MassCancel, events);
        }
        self.scratch = owned;
    }

    /// Cancels every order, buys first, each side in priority order: the end of the trading day.
    pub fn end_day(&mut self, events: &mut Vec<Event>) {
        for side in [Side::Buy, Side::Sell] {
            while let Some((slot, order)) = self.book.front(side) {
                self.cancel_resting(slot, &order, CancelReason::EndOfDay, events);
            }
        }
    }

    /// The first of the checks of a new order that fails, in the order of [`RejectReason`].
    fn check_new(&self, order: &NewOrder) -> Result<(), RejectReason> {
        let Some(owner) = self.owners.get(order.owner as usize) else {
            return Err(RejectReason::UnknownOwner);
        };
        if self.book.slot(order.id).is_some() {
            return Err(RejectReason::DuplicateOrder);
        }
        self.rules.check_quantity(order.quantity)?;
        if order.order_type == OrderType::Market {
            return Ok(());
        }
        self.rules.check_price(order.price, self.last_price)?;
        if order.time_in_force != TimeInForce::Day {
            return Ok(());
        }
        if owner.open_orders >= self.rules.max_orders_per_owner {
            return Err(RejectReason::TooManyOpenOrders);
        }
        if self.book.len() == self.book.capacity() {
            return Err(RejectReason::BookFull);
        }
        Ok(())
    }

    fn check_replace(&self, request: &ReplaceOrder) -> Result<(usize, Order), RejectReason> {
        let (slot, old) = self.check_owned(request.id, request.owner)?;
        self.rules.check_quantity(request.quantity)?;
        // A price that is not changed was allowed once; the collar may have moved since.
        if request.price != old.price {
            self.rules.check_price(request.price, self.last_price)?;
        }
        Ok((slot, old))
    }

    /// The slot of a resting order and the order, if `owner` owns it.
    fn check_owned(&self, id: OrderId, owner: OwnerId) -> Result<(usize, Order), RejectReason> {
        if owner as usize >= self.owners.len() {
            return Err(RejectReason::UnknownOwner);
        }
        let found = self.book.find_order(id);
        let owned = found.filter(|(slot, _)| self.resting[*slot].owner == owner);
        owned.ok_or(RejectReason::UnknownOrder)
    }

    /// The worst price a market order accepts.
    fn market_limit(&self, side: Side) -> i64 {
        let (low, high) = self.rules.band(self.last_price).unwrap_or((i64::MIN, i64::MAX));
        match side {
            Side::Buy => high,
            Side::Sell => low,
        }
    }

    /// Whether the book would fill the taker in full, under its owner's self-match policy.
    fn can_fill(&self, taker: &Taker) -> bool {
        let mut available = 0;
        for (slot, maker) in self.book.slots(taker.side.opposite()) {
            if !taker.side.accepts(taker.limit, maker.price) {
                return false;
            }
            if self.resting[slot].owner == taker.owner {
                match self.owners[taker.owner as usize].self_match {
                    SelfMatch::Allow => {}
                    SelfMatch::CancelNewest => return false,
                    SelfMatch::CancelOldest => continue,
                }
            }
            available += maker.quantity;
            if available >= taker.leaves {
                return true;
            }
        }
        false
    }

    /// Matches the taker against the book, best price first and oldest first, until nothing is
    /// left of it or no order matches.
    fn take(&mut self, taker: &mut Taker, events: &mut Vec<Event>) -> Stop {
        while taker.leaves > 0 {
            let Some((slot, maker)) = self.book.front(taker.side.opposite()) else {
                return Stop::NoMatch;
            };
            if !taker.side.accepts(taker.limit, maker.price) {
                return Stop::NoMatch;
            }
            if self.resting[slot].owner == taker.owner {
                match self.owners[taker.owner as usize].self_match {
                    SelfMatch::Allow => {}
                    SelfMatch::CancelNewest => return Stop::SelfMatch,
                    SelfMatch::CancelOldest => {
                        self.cancel_resting(slot, &maker, CancelReason::SelfMatch, events);
                        continue;
                    }
                }
            }
            self.trade(slot, &maker, taker, events);
        }
        Stop::NoMatch
    }

    /// Trades the taker with the first order of the opposite side, at that order's price.
    fn trade(&mut self, slot: usize, maker: &Order, taker: &mut Taker, events: &mut Vec<Event>) {
        let quantity = taker.leaves.min(maker.quantity);
        let Order { id, side, price, .. } = *maker;
        let rest = self.book.reduce_front(side, quantity);
        let rest = rest.expect("the maker rests").expect("it has at least this quantity");
        let resting = &mut self.resting[slot];
        resting.cumulative += quantity;
        let Resting { owner, cumulative } = *resting;
        taker.leaves -= quantity;
        taker.cumulative += quantity;
        self.last_price = Some(price);
        self.last_trade_id += 1;
        events.push(Event::Trade {
            trade_id: self.last_trade_id,
            price,
            quantity,
            taker_side: taker.side,
            maker: Party { id, owner, leaves: rest, cumulative },
            taker: Party {
                id: taker.id,
                owner: taker.owner,
                leaves: taker.leaves,
                cumulative: taker.cumulative,
            },
        });
        if rest == 0 {
            self.owners[owner as usize].open_orders -= 1;
            events.push(Event::BookDelete { id, side, price });
        } else {
            events.push(Event::BookChange { id, side, price, quantity: rest });
        }
    }

    /// Puts what is left of a taker into the book.
    fn rest(&mut self, taker: &Taker, events: &mut Vec<Event>) {
        let Taker { id, owner, side, limit: price, leaves: quantity, cumulative } = *taker;
        let slot = self.book.add(id, side, price, quantity);
        let slot = slot.expect("id, quantity and room were checked when the order came in");
        self.resting[slot] = Resting { owner, cumulative };
        self.owners[owner as usize].open_orders += 1;
        events.push(Event::BookAdd { id, side, price, quantity });
    }

    /// Takes a resting order out of the book.
    fn take_out(&mut self, slot: usize, order: &Order, events: &mut Vec<Event>) {
        let Order { id, side, price, .. } = *order;
        self.book.remove(id).expect("the caller found the order");
        self.owners[self.resting[slot].owner as usize].open_orders -= 1;
        events.push(Event::BookDelete { id, side, price });
    }

    fn cancel_resting(
        &mut self,
        slot: usize,
        order: &Order,
        reason: CancelReason,
        events: &mut Vec<Event>,
    ) {
        let Resting { owner, cumulative } = self.resting[slot];
        let Order { id, quantity, .. } = *order;
        events.push(Event::Canceled { id, owner, quantity, cumulative, reason });
        self.take_out(slot, order, events);
    }
}

/// Reports that what is left of an order that does not rest is canceled.
fn cancel_taker(taker: &Taker, reason: CancelReason, events: &mut Vec<Event>) {
    events.push(Event::Canceled {
        id: taker.id,
        owner: taker.owner,
        quantity: taker.leaves,
        cumulative: taker.cumulative,
        reason,
    });
}
