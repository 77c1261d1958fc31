//! A naive restatement of the matcher: one vector of orders, searched from end to end.

use saker_matching::{
    CancelOrder, CancelReason, Event, NewOrder, OrderId, OrderType, OwnerId, Party, RejectReason,
    ReplaceOrder, Rules, SelfMatch, Side, TimeInForce,
};

#[derive(Debug, Clone, Copy)]
pub struct Resting {
    pub id: OrderId,
    pub owner: OwnerId,
    pub side: Side,
    pub price: i64,
    pub leaves: u64,
    pub cumulative: u64,
    /// When it got its place in the queue.
    pub arrival: u64,
}

pub struct Model {
    pub rules: Rules,
    pub orders: Vec<Resting>,
    pub policies: Vec<SelfMatch>,
    pub last_price: Option<i64>,
    arrivals: u64,
    trades: u64,
    events: Vec<Event>,
}

impl Model {
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            orders: Vec::new(),
            policies: vec![SelfMatch::default(); rules.owners as usize],
            last_price: None,
            arrivals: 0,
            trades: 0,
            events: Vec::new(),
        }
    }

    /// The orders of a side in priority order.
    pub fn side(&self, side: Side) -> Vec<Resting> {
        let mut orders: Vec<_> = self.orders.iter().filter(|o| o.side == side).copied().collect();
        orders.sort_by_key(|o| {
            let price = i128::from(o.price);
            (if side == Side::Buy { -price } else { price }, o.arrival)
        });
        orders
    }

    fn arrival(&mut self) -> u64 {
        self.arrivals += 1;
        self.arrivals
    }

    fn band(&self) -> (i128, i128) {
        match self.rules.collar {
            None => (i128::MIN, i128::MAX),
            Some(collar) => {
                let middle = i128::from(self.last_price.unwrap_or(collar.reference));
                (middle - i128::from(collar.width), middle + i128::from(collar.width))
            }
        }
    }

    fn bad_quantity(&self, quantity: u64) -> Option<RejectReason> {
        if quantity == 0 || !quantity.is_multiple_of(self.rules.lot) {
            Some(RejectReason::InvalidQuantity)
        } else {
            (quantity > self.rules.max_quantity).then_some(RejectReason::QuantityTooLarge)
        }
    }

    fn bad_price(&self, price: i64) -> Option<RejectReason> {
        let (low, high) = self.band();
        if price % self.rules.tick != 0 {
            Some(RejectReason::InvalidTick)
        } else {
            let inside = (low..=high).contains(&i128::from(price));
            (!inside).then_some(RejectReason::OutsideCollar)
        }
    }

    fn bad_order(&self, o: &NewOrder) -> Option<RejectReason> {
        if o.owner >= self.rules.owners {
            return Some(RejectReason::UnknownOwner);
        }
        if self.orders.iter().any(|r| r.id == o.id) {
            return Some(RejectReason::DuplicateOrder);
        }
        if let Some(reason) = self.bad_quantity(o.quantity) {
            return Some(reason);
        }
        if o.order_type == OrderType::Market {
            return None;
        }
        if let Some(reason) = self.bad_price(o.price) {
            return Some(reason);
        }
        if o.time_in_force != TimeInForce::Day {
            return None;
        }
        let mine = self.orders.iter().filter(|r| r.owner == o.owner).count();
        if mine >= self.rules.max_orders_per_owner as usize {
            return Some(RejectReason::TooManyOpenOrders);
        }
        (self.orders.len() >= self.rules.max_orders).then_some(RejectReason::BookFull)
    }

    pub fn submit(&mut self, o: NewOrder) -> Vec<Event> {
        let NewOrder { id, owner, side, order_type, time_in_force, quantity, .. } = o;
        if let Some(reason) = self.bad_order(&o) {
            return vec![Event::Rejected { id, owner, reason }];
        }
        let market = order_type == OrderType::Market;
        let price = if market { 0 } else { o.price };
        self.events.push(Event::Accepted {
            id,
            owner,
            side,
            order_type,
            time_in_force,
            price,
            quantity,
        });
        let limit = match (market, side) {
            (false, _) => i128::from(o.price),
            (true, Side::Buy) => self.band().1,
            (true, Side::Sell) => self.band().0,
        };
        // Fill-or-kill, restated: try it on a copy, keep the copy only if nothing is left.
        let before = (self.orders.clone(), self.last_price, self.trades, self.events.clone());
        let (leaves, cumulative, own) = self.take(id, owner, side, limit, quantity, 0);
        if time_in_force == TimeInForce::FillOrKill && leaves > 0 {
            (self.orders, self.last_price, self.trades, self.events) = before;
            let reason = CancelReason::FillOrKill;
            self.events.push(Event::Canceled { id, owner, quantity, cumulative: 0, reason });
        } else if leaves > 0 {
            let reason = match time_in_force {
                _ if own => Some(CancelReason::SelfMatch),
                _ if market => Some(CancelReason::MarketResidual),
                TimeInForce::ImmediateOrCancel => Some(CancelReason::ImmediateOrCancel),
                _ => None,
            };
            self.leave(id, owner, side, price, leaves, cumulative, reason);
        }
        std::mem::take(&mut self.events)
    }

    #[allow(clippy::too_many_arguments)]
    fn leave(
        &mut self,
        id: OrderId,
        owner: OwnerId,
        side: Side,
        price: i64,
        leaves: u64,
        cumulative: u64,
        reason: Option<CancelReason>,
    ) {
        if let Some(reason) = reason {
            self.events.push(Event::Canceled { id, owner, quantity: leaves, cumulative, reason });
            return;
        }
        let arrival = self.arrival();
        self.orders.push(Resting { id, owner, side, price, leaves, cumulative, arrival });
        self.events.push(Event::BookAdd { id, side, price, quantity: leaves });
    }

    /// Trades; returns leaves, cumulative, and whether an own order stopped it.
    fn take(
        &mut self,
        id: OrderId,
        owner: OwnerId,
        side: Side,
        limit: i128,
        mut leaves: u64,
        mut cumulative: u64,
    ) -> (u64, u64, bool) {
        for maker in self.side(side.opposite()) {
            let price = i128::from(maker.price);
            let good = if side == Side::Buy { price <= limit } else { price >= limit };
            if leaves == 0 || !good {
                break;
            }
            if maker.owner == owner {
                match self.policies[owner as usize] {
                    SelfMatch::Allow => {}
                    SelfMatch::CancelNewest => return (leaves, cumulative, true),
                    SelfMatch::CancelOldest => {
                        self.drop_order(maker.id, CancelReason::SelfMatch);
                        continue;
                    }
                }
            }
            let quantity = leaves.min(maker.leaves);
            leaves -= quantity;
            cumulative += quantity;
            self.trades += 1;
            self.last_price = Some(maker.price);
            let rest = maker.leaves - quantity;
            self.events.push(Event::Trade {
                trade_id: self.trades,
                price: maker.price,
                quantity,
                taker_side: side,
                maker: Party {
                    id: maker.id,
                    owner: maker.owner,
                    leaves: rest,
                    cumulative: maker.cumulative + quantity,
                },
                taker: Party { id, owner, leaves, cumulative },
            });
            let Resting { id, side, price, .. } = maker;
            if rest == 0 {
                self.orders.retain(|r| r.id != id);
                self.events.push(Event::BookDelete { id, side, price });
            } else {
                let r = self.orders.iter_mut().find(|r| r.id == id).expect("it rests");
                r.leaves = rest;
                r.cumulative += quantity;
                self.events.push(Event::BookChange { id, side, price, quantity: rest });
            }
        }
        (leaves, cumulative, false)
    }

    fn drop_order(&mut self, id: OrderId, reason: CancelReason) {
        let at = self.orders.iter().position(|r| r.id == id).expect("it rests");
        let Resting { owner, side, price, leaves, cumulative, .. } = self.orders.remove(at);
        self.events.push(Event::Canceled { id, owner, quantity: leaves, cumulative, reason });
        self.events.push(Event::BookDelete { id, side, price });
    }

    fn owned(&self, id: OrderId, owner: OwnerId) -> Result<Resting, RejectReason> {
        if owner >= self.rules.owners {
            return Err(RejectReason::UnknownOwner);
        }
        let found = self.orders.iter().find(|r| r.id == id && r.owner == owner);
        found.copied().ok_or(RejectReason::UnknownOrder)
    }

    pub fn cancel(&mut self, CancelOrder { id, owner }: CancelOrder) -> Vec<Event> {
        match self.owned(id, owner) {
            Err(reason) => self.events.push(Event::CancelRejected { id, owner, reason }),
            Ok(_) => self.drop_order(id, CancelReason::Requested),
        }
        std::mem::take(&mut self.events)
    }

    pub fn replace(&mut self, request: ReplaceOrder) -> Vec<Event> {
        let ReplaceOrder { id, owner, price, quantity } = request;
        let refused = |reason| vec![Event::ReplaceRejected { id, owner, reason }];
        let old = match self.owned(id, owner) {
            Err(reason) => return refused(reason),
            Ok(old) => old,
        };
        if let Some(reason) = self.bad_quantity(quantity) {
            return refused(reason);
        }
        if let Some(reason) = self.bad_price(price).filter(|_| price != old.price) {
            return refused(reason);
        }
        let Resting { side, cumulative, .. } = old;
        let leaves = quantity.saturating_sub(cumulative);
        let quantity = quantity.max(cumulative);
        self.events.push(Event::Replaced { id, owner, price, quantity, leaves, cumulative });
        let crosses = self.side(side.opposite()).first().is_some_and(|best| match side {
            Side::Buy => price >= best.price,
            Side::Sell => price <= best.price,
        });
        let kept = price == old.price && leaves <= old.leaves;
        if leaves == 0 || crosses {
            self.orders.retain(|r| r.id != id);
            self.events.push(Event::BookDelete { id, side, price: old.price });
            let (leaves, cumulative, own) =
                self.take(id, owner, side, i128::from(price), leaves, cumulative);
            if leaves > 0 {
                let reason = own.then_some(CancelReason::SelfMatch);
                self.leave(id, owner, side, price, leaves, cumulative, reason);
            }
        } else if !(kept && leaves == old.leaves) {
            let arrival = if kept { old.arrival } else { self.arrival() };
            let r = self.orders.iter_mut().find(|r| r.id == id).expect("it rests");
            (r.price, r.leaves, r.arrival) = (price, leaves, arrival);
            self.events.push(Event::BookChange { id, side, price, quantity: leaves });
        }
        std::mem::take(&mut self.events)
    }

    /// Cancels the orders of `owner`, or of everyone.
    pub fn mass_cancel(&mut self, owner: Option<OwnerId>, reason: CancelReason) -> Vec<Event> {
        for side in [Side::Buy, Side::Sell] {
            for order in self.side(side) {
                if owner.is_none_or(|owner| owner == order.owner) {
                    self.drop_order(order.id, reason);
                }
            }
        }
        std::mem::take(&mut self.events)
    }
}
