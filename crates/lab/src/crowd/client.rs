//! One background trader: a FIX session and the orders it has in the market.

use saker_feed::event::Side;
use saker_fix::encode::Writer;
use saker_fix::parse::{self, Message};
use saker_fix::session::{Config, Event, SendError, Session};
use saker_fix::tag::{self, msg_type};
use saker_wire::time::Nanos;

use super::flow::{Intent, Listing};

/// Beyond this many live orders a new intent becomes a cancel of the oldest.
const MAX_LIVE: usize = 48;

/// What a background trader did and was told. The sums are what the invariants compare.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ClientCounters {
    /// New orders sent.
    pub sent: u64,
    /// New orders whose first answer (accepted or rejected) came exactly once.
    pub acknowledged: u64,
    /// Answers to a new order that was answered before, or never sent.
    pub acknowledged_again: u64,
    /// New orders that were rejected.
    pub rejected: u64,
    /// Fills, partial ones included.
    pub fills: u64,
    /// Quantity bought.
    pub bought: u64,
    /// Quantity sold.
    pub sold: u64,
    /// Cancel and replace requests sent.
    pub amendments: u64,
    /// Cancel and replace requests that came too late.
    pub amendments_rejected: u64,
    /// Intents dropped because the session was down or its output full.
    pub skipped: u64,
    /// Market data snapshots (35=W) received.
    pub snapshots: u64,
    /// Messages from the exchange that did not parse as what they claim to be.
    pub unreadable: u64,
}

/// A live order.
#[derive(Debug, Clone, Copy)]
struct Live {
    /// Number in its current ClOrdID.
    id: u64,
    /// Number in the ClOrdID of a pending cancel or replace.
    pending: Option<u64>,
    instrument: usize,
    side: Side,
    /// Limit price as a mantissa; `None` for a market order.
    price: Option<i64>,
    acknowledged: bool,
}

/// A background trader.
pub struct Client {
    name: String,
    session: Session,
    live: Vec<Live>,
    next_id: u64,
    subscription: Option<String>,
    counters: ClientCounters,
}

impl Client {
    /// A trader that logs on as `name` with `password`.
    pub fn new(name: &str, exchange: &str, password: &str) -> Self {
        let mut config = Config::new(name, Some(exchange));
        config.username = Some(name.to_owned());
        config.password = Some(password.to_owned());
        Self {
            name: name.to_owned(),
            session: Session::initiator(config),
            live: Vec::with_capacity(MAX_LIVE + 1),
            next_id: 1,
            subscription: None,
            counters: ClientCounters::default(),
        }
    }

    /// Subscribes to bid, offer and last trade of `symbol` with each logon (seed 001, table 3).
    pub fn subscribe_to(&mut self, symbol: &str) {
        self.subscription = Some(symbol.to_owned());
    }

    /// The FIX session, for the transport below.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// When the session next wants to be woken.
    pub fn next_deadline(&self) -> Option<Nanos> {
        self.session.next_deadline()
    }

    /// What has happened so far.
    pub fn counters(&self) -> &ClientCounters {
        &self.counters
    }

    /// New orders that have not been answered yet.
    pub fn unanswered(&self) -> usize {
        self.live.iter().filter(|order| !order.acknowledged).count()
    }

    /// Carries out `intent`.
    pub fn act(&mut self, now: Nanos, intent: Intent, listings: &[Listing]) {
        let intent = if self.live.len() >= MAX_LIVE { Intent::Cancel { pick: 0 } } else { intent };
        let done = match intent {
            Intent::Quote { instrument, side, price, quantity } => {
                let terms = Terms { instrument, side, price: Some(price), quantity, tif: b'0' };
                self.send_order(now, terms, listings)
            }
            Intent::Take { instrument, side, limit, quantity, fill_or_kill } => {
                let tif = if fill_or_kill { b'4' } else { b'3' };
                let terms = Terms { instrument, side, price: limit, quantity, tif };
                self.send_order(now, terms, listings)
            }
            Intent::Cancel { pick } => self.cancel(now, pick, listings),
            Intent::Replace { pick, ticks, quantity } => {
                self.replace(now, pick, ticks, quantity, listings)
            }
        };
        match done {
            Ok(()) => {}
            Err(_) => self.counters.skipped += 1,
        }
    }

    /// Takes in what the session has received.
    pub fn drain_events(&mut self, now: Nanos) {
        while let Some(event) = self.session.poll_event() {
            match event {
                Event::LoggedOn { .. } => self.subscribe(now),
                Event::Application(bytes) => {
                    match parse::frame(&bytes) {
                        Ok(Some((message, _))) => self.on_message(&message),
                        _ => self.counters.unreadable += 1,
                    }
                    self.session.recycle(bytes);
                }
                _ => {}
            }
        }
    }

    fn subscribe(&mut self, now: Nanos) {
        let Some(symbol) = &self.subscription else { return };
        let sent = self.session.send(now, msg_type::MARKET_DATA_REQUEST, |w| {
            w.field_str(tag::MD_REQ_ID, "1");
            w.field_char(tag::SUBSCRIPTION_REQUEST_TYPE, b'1');
            w.field_uint(tag::MARKET_DEPTH, 1);
            w.field_uint(tag::MD_UPDATE_TYPE, 0);
            w.field_uint(tag::NO_MD_ENTRY_TYPES, 3);
            for kind in [b'0', b'1', b'2'] {
                w.field_char(tag::MD_ENTRY_TYPE, kind);
            }
            w.field_uint(tag::NO_RELATED_SYM, 1);
            w.field_str(tag::SYMBOL, symbol);
        });
        self.counters.skipped += u64::from(sent.is_err());
    }

    fn send_order(
        &mut self,
        now: Nanos,
        terms: Terms,
        listings: &[Listing],
    ) -> Result<(), SendError> {
        let id = self.next_id;
        let listing = &listings[terms.instrument];
        let cl_ord_id = self.cl_ord_id(id);
        let name = &self.name;
        self.session.send(now, msg_type::NEW_ORDER_SINGLE, |w| {
            w.field_str(tag::ACCOUNT, name);
            w.field_str(tag::CL_ORD_ID, &cl_ord_id);
            w.field_char(tag::HANDL_INST, b'1');
            terms.write(w, listing, now);
            w.field_char(tag::TIME_IN_FORCE, terms.tif);
        })?;
        self.next_id += 1;
        self.counters.sent += 1;
        let Terms { instrument, side, price, .. } = terms;
        self.live.push(Live { id, pending: None, instrument, side, price, acknowledged: false });
        Ok(())
    }

    fn cancel(&mut self, now: Nanos, pick: usize, listings: &[Listing]) -> Result<(), SendError> {
        let Some((index, order)) = self.pick_idle(pick) else { return Ok(()) };
        let id = self.next_id;
        let (cl_ord_id, original) = (self.cl_ord_id(id), self.cl_ord_id(order.id));
        let symbol = &listings[order.instrument].symbol;
        self.session.send(now, msg_type::ORDER_CANCEL_REQUEST, |w| {
            w.field_str(tag::ORIG_CL_ORD_ID, &original);
            w.field_str(tag::CL_ORD_ID, &cl_ord_id);
            w.field_str(tag::SYMBOL, symbol);
            w.field_char(tag::SIDE, side_code(order.side));
            w.field_timestamp(tag::TRANSACT_TIME, now);
        })?;
        self.amended(index, id);
        Ok(())
    }

    fn replace(
        &mut self,
        now: Nanos,
        pick: usize,
        ticks: i64,
        quantity: u64,
        listings: &[Listing],
    ) -> Result<(), SendError> {
        let Some((index, order)) = self.pick_idle(pick) else { return Ok(()) };
        let listing = &listings[order.instrument];
        let Some(price) = order.price.map(|p| (p + ticks * listing.tick).max(listing.tick)) else {
            return Ok(());
        };
        let id = self.next_id;
        let (cl_ord_id, original) = (self.cl_ord_id(id), self.cl_ord_id(order.id));
        let terms = Terms {
            instrument: order.instrument,
            side: order.side,
            price: Some(price),
            quantity,
            tif: b'0',
        };
        self.session.send(now, msg_type::ORDER_CANCEL_REPLACE_REQUEST, |w| {
            w.field_str(tag::ORIG_CL_ORD_ID, &original);
            w.field_str(tag::CL_ORD_ID, &cl_ord_id);
            w.field_char(tag::HANDL_INST, b'1');
            terms.write(w, listing, now);
        })?;
        self.live[index].price = Some(price);
        self.amended(index, id);
        Ok(())
    }

    fn amended(&mut self, index: usize, id: u64) {
        self.next_id += 1;
        self.counters.amendments += 1;
        self.live[index].pending = Some(id);
    }

    /// The first order from `pick` on that is acknowledged and has nothing pending.
    fn pick_idle(&self, pick: usize) -> Option<(usize, Live)> {
        let count = self.live.len();
        (0..count)
            .map(|step| pick.wrapping_add(step) % count)
            .find(|&i| self.live[i].acknowledged && self.live[i].pending.is_none())
            .map(|i| (i, self.live[i]))
    }

    fn on_message(&mut self, message: &Message<'_>) {
        let read = match message.msg_type() {
            b"8" => self.on_execution_report(message),
            b"9" => self.on_cancel_reject(message),
            b"W" => {
                self.counters.snapshots += 1;
                Some(())
            }
            _ => Some(()),
        };
        if read.is_none() {
            self.counters.unreadable += 1;
        }
    }

    /// `None` when a field that must be there is not.
    fn on_execution_report(&mut self, message: &Message<'_>) -> Option<()> {
        let exec_type = message.char(tag::EXEC_TYPE).ok()?;
        let id = self.id_of(message.get(tag::CL_ORD_ID)?)?;
        let original = message.get(tag::ORIG_CL_ORD_ID).and_then(|text| self.id_of(text));
        let found = self.live.iter().position(|o| o.id == id || Some(o.id) == original);
        match exec_type {
            // New, Rejected.
            b'0' | b'8' => match found {
                Some(index) if !self.live[index].acknowledged => {
                    self.live[index].acknowledged = true;
                    self.counters.acknowledged += 1;
                    self.counters.rejected += u64::from(exec_type == b'8');
                }
                _ => self.counters.acknowledged_again += 1,
            },
            // Trade.
            b'F' => {
                let quantity = message.uint(tag::LAST_QTY).ok()?;
                self.counters.fills += 1;
                match message.char(tag::SIDE).ok()? {
                    b'1' => self.counters.bought += quantity,
                    _ => self.counters.sold += quantity,
                }
            }
            // Replaced: the new ClOrdID is the order's name from now on.
            b'5' => {
                if let Some(index) = found {
                    self.live[index].id = id;
                    self.live[index].pending = None;
                }
            }
            _ => {}
        }
        // Filled, Canceled, Rejected, Expired: the order is gone.
        let status = message.char(tag::ORD_STATUS).ok()?;
        if let (b'2' | b'4' | b'8' | b'C', Some(index)) = (status, found) {
            self.live.remove(index);
        }
        Some(())
    }

    fn on_cancel_reject(&mut self, message: &Message<'_>) -> Option<()> {
        let id = self.id_of(message.get(tag::CL_ORD_ID)?)?;
        self.counters.amendments_rejected += 1;
        if let Some(order) = self.live.iter_mut().find(|o| o.pending == Some(id)) {
            order.pending = None;
        }
        Some(())
    }

    fn cl_ord_id(&self, id: u64) -> String {
        format!("{}-{id}", self.name)
    }

    fn id_of(&self, cl_ord_id: &[u8]) -> Option<u64> {
        let digits = cl_ord_id.strip_prefix(self.name.as_bytes())?.strip_prefix(b"-")?;
        saker_fix::value::parse_uint(digits)
    }
}

/// What an order asks for.
#[derive(Debug, Clone, Copy)]
struct Terms {
    instrument: usize,
    side: Side,
    price: Option<i64>,
    quantity: u64,
    tif: u8,
}

impl Terms {
    /// The fields that a new order and a replacement share, in the order of seed 001's table 5.
    fn write(&self, w: &mut Writer<'_>, listing: &Listing, now: Nanos) {
        w.field_uint(tag::ORDER_QTY, self.quantity);
        match self.price {
            Some(price) => {
                w.field_char(tag::ORD_TYPE, b'2');
                w.field_decimal(tag::PRICE, price, i32::from(listing.exponent));
            }
            None => w.field_char(tag::ORD_TYPE, b'1'),
        }
        w.field_char(tag::SIDE, side_code(self.side));
        w.field_str(tag::SYMBOL, &listing.symbol);
        w.field_timestamp(tag::TRANSACT_TIME, now);
    }
}

fn side_code(side: Side) -> u8 {
    match side {
        Side::Bid => b'1',
        Side::Offer => b'2',
    }
}
