//! Prints a random market with the decisions of [`Market`] and its strategies, for tests of other
//! implementations of them.
//!
//! ```text
//! cargo run -p saker-trader --example market_vectors -- SEED MESSAGES
//! ```
//! The first line is the set-up: `{"slots": [{instrument, source, at_most, bound, sell, quantity,
//! rearm, cooldown, max_order_quantity, max_open_orders, max_position}]}`. Each further line is one
//! step, with the fires it leads to in order, `[slot, instrument, price]`:
//!
//! - `{"message": [entry], "now": ns, "fires": []}`, an entry being `[op, instrument, side, id, price,
//!   quantity, rpt_seq]` with op 0 new, 1 change, 2 delete, 3 trade, 4 other, 5 broken;
//! - `{"host": [entry], …}`, what rebuilds a book, with further ops 8 clear, 9 live, 10 show;
//! - `{"command": [op, slot, quantity], "ok": bool, "fires": []}`, op as in
//!   `rtl/strategy/strategy_pkg.sv`, `ok` false where it does not fit the slot's state;
//! - `{"kill": slot or -1, "on": bool, "fires": []}`, -1 for all.
//!
//! The last line has the counters and, by instrument, position, open quantities and orders.
//!
//! The stream loses, repeats and garbles entries, and rebuilds the books that went stale by it.

use std::error::Error;
use std::fmt::Write as _;

use saker_book::{OrderBook, Side};
use saker_fast::{Decoder, DecoderOptions, ResetPolicy, Templates};
use saker_feed::event::{Action, EntryKind, Price, Side as FeedSide};
use saker_feed::normalize::{Entry, Event, InstrumentsConfig, Normalizer, SnapshotHead, TagMap};
use saker_strategy::{Comparison, OrderUpdate, SlotState, Source, StrategyFile};
use saker_trader::desk::Desk;
use saker_trader::market::{Firing, Market, MarketConfig};
use saker_trader::recovery::Status;

const INSTRUMENTS: u32 = 4;
const SLOTS: u16 = 16;
const EXPONENT: i8 = -2;
const MIDDLE: i64 = 10_000;
/// How far the middle walks, and how far orders are from it: inside a window of 256 prices.
const WALK: i64 = 20;
const REACH: i64 = 12;
const MOST_ORDERS: usize = 40;

/// What the venue knows of one instrument.
struct Venue {
    book: OrderBook,
    ids: Vec<u64>,
    middle: i64,
    rpt_seq: u32,
    trades: u64,
}

/// An entry as it is printed.
type Line = [i128; 7];

struct World {
    random: fastrand::Rng,
    venues: Vec<Venue>,
    market: Market,
    instruments: Normalizer,
    packet: u32,
    next_id: u64,
    now: u64,
    firings: Vec<Firing>,
    out: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let seed = numbers.next().transpose()?.unwrap_or(1);
    let messages = numbers.next().transpose()?.unwrap_or(1_000);
    let mut world = World::new(seed)?;
    world.write_slots();
    for _ in 0..messages {
        for _ in 0..world.random.u32(0..4) {
            world.command()?;
        }
        if world.random.u32(0..60) == 0 {
            world.kill();
        }
        world.message();
        for instrument in 0..INSTRUMENTS {
            let stale = world.market.recovery().status(instrument) != Status::Live;
            if stale && world.random.u32(0..6) == 0 {
                world.rebuild(instrument);
            }
        }
    }
    world.write_end();
    print!("{}", world.out);
    Ok(())
}

impl World {
    fn new(seed: u64) -> Result<Self, Box<dyn Error>> {
        let mut random = fastrand::Rng::with_seed(seed);
        let file = StrategyFile::from_toml(&strategies(&mut random))?;
        let templates = Templates::from_xml(include_str!("../../feed/templates/saker.xml"))?;
        let map = TagMap::new(&templates);
        let mut instruments = Normalizer::new(map, InstrumentsConfig::default(), 64);
        let options = DecoderOptions::with_reset(ResetPolicy::Packet);
        let mut decoder = Decoder::new(&templates, options);
        let mut market = Market::new(MarketConfig::default(), Desk::new(file));
        market.recovery_mut().on_join(1);
        let mut venues = Vec::new();
        for number in 0..INSTRUMENTS as u8 {
            // A definition: SecurityID `number`, one letter for a symbol, two decimals.
            let bytes = [0xc0, 0x81, 0x80, 0x84, 0x80 | number, 0xc1 + number, 0xfe, 0x81, 0x81];
            decoder.begin_packet();
            instruments.clear();
            decoder.decode(&bytes, &mut instruments)?;
            for event in instruments.events() {
                market.on_event(0, 1, event, instruments.instruments(), &mut Vec::new());
            }
            let book = OrderBook::with_capacity(2 * MOST_ORDERS);
            venues.push(Venue { book, ids: Vec::new(), middle: MIDDLE, rpt_seq: 0, trades: 0 });
        }
        if let Some(error) = market.desk().error() {
            return Err(error.to_string().into());
        }
        let firings = Vec::new();
        let (packet, next_id, now, out) = (1, random.u64(1..1 << 60), 1_000, String::new());
        Ok(Self { random, venues, market, instruments, packet, next_id, now, firings, out })
    }

    fn write_slots(&mut self) {
        self.out.push_str("{\"slots\": [");
        let plan = self.market.desk().plan().expect("every instrument is defined");
        for (at, slot) in plan.slots().iter().enumerate() {
            let source = match slot.trigger.source {
                Source::Trade => 0,
                Source::Bid => 1,
                Source::Offer => 2,
            };
            let _ = write!(
                self.out,
                "{}{{\"instrument\": {}, \"source\": {source}, \"at_most\": {}, \"bound\": {}, \
                 \"sell\": {}, \"quantity\": {}, \"rearm\": {}, \"cooldown\": {}, \
                 \"max_order_quantity\": {}, \"max_open_orders\": {}, \"max_position\": {}}}",
                if at == 0 { "" } else { ", " },
                self.feed_index(slot.instrument),
                slot.trigger.comparison == Comparison::AtMost,
                slot.trigger.bound,
                slot.order.side == Side::Sell,
                slot.order.quantity,
                slot.rearm,
                slot.cooldown_ns,
                slot.limits.max_order_quantity,
                slot.limits.max_open_orders,
                slot.limits.max_position,
            );
        }
        self.out.push_str("]}\n");
    }

    /// The file's instruments are numbered as they are first named; the feed's by their letter.
    fn feed_index(&self, planned: u16) -> u32 {
        let slots = self.market.desk().plan().map(|plan| plan.slots()).unwrap_or_default();
        let at = slots.iter().position(|slot| slot.instrument == planned).unwrap_or_default();
        let named = self.market.desk().slot_instrument(at as u16);
        let letter = named.and_then(|(symbol, _)| symbol.bytes().next()).unwrap_or(b'A');
        u32::from(letter - b'A')
    }

    fn write_step(&mut self, what: &str) {
        let fires: Vec<_> = self
            .firings
            .drain(..)
            .map(|firing| {
                format!("[{}, {}, {}]", firing.fire.slot, firing.instrument, firing.price)
            })
            .collect();
        let _ = writeln!(
            self.out,
            "{{{what}, \"now\": {}, \"fires\": [{}]}}",
            self.now,
            fires.join(", ")
        );
    }

    /// One step of the venue, as an entry's kind with the id.
    fn happen(&mut self, instrument: usize) -> (u64, Option<EntryKind>) {
        let random = &mut self.random;
        let venue = &mut self.venues[instrument];
        venue.rpt_seq += 1;
        if random.u32(0..4) == 0 {
            let (low, high) = (MIDDLE - WALK, MIDDLE + WALK);
            venue.middle = (venue.middle + random.i64(-3..=3)).clamp(low, high);
        }
        let price = |mantissa| Price { mantissa, exponent: EXPONENT };
        let choice = random.u32(0..20);
        if choice == 0 {
            return (0, None);
        }
        if choice < 5 {
            venue.trades += 1;
            let mantissa = venue.middle + random.i64(-REACH..=REACH);
            let quantity = random.u64(0..20);
            return (venue.trades, Some(EntryKind::Trade { price: price(mantissa), quantity }));
        }
        let side = if random.bool() { Side::Buy } else { Side::Sell };
        let away = random.i64(-1..REACH);
        let mantissa =
            if side == Side::Buy { venue.middle - away } else { venue.middle + 1 + away };
        let quantity = random.u64(1..1_000);
        let known = (!venue.ids.is_empty()).then(|| random.usize(0..venue.ids.len()));
        let full = venue.ids.len() == MOST_ORDERS;
        let (id, action, side) = match known {
            Some(at) if full || choice < 11 => {
                let id = venue.ids[at];
                let order = venue.book.get(id).expect("its ids rest");
                if full || random.bool() {
                    venue.ids.swap_remove(at);
                    venue.book.remove(id).expect("it rests");
                    (id, Action::Delete, order.side)
                } else {
                    venue.book.change(id, mantissa, quantity).expect("it rests");
                    (id, Action::Change, order.side)
                }
            }
            _ => {
                self.next_id += random.u64(1..5);
                venue.ids.push(self.next_id);
                venue.book.add(self.next_id, side, mantissa, quantity).expect("there is room");
                (self.next_id, Action::New, side)
            }
        };
        let side = if side == Side::Buy { FeedSide::Bid } else { FeedSide::Offer };
        (id, Some(EntryKind::Order { action, side, price: price(mantissa), quantity }))
    }

    /// A message of the feed: entries of one or several instruments, some of them lost or garbled.
    fn message(&mut self) {
        self.packet += 1;
        self.now += self.random.u64(1..2_000);
        let several = self.random.u32(0..3) == 0;
        let one = self.random.usize(0..INSTRUMENTS as usize);
        let mut lines = Vec::new();
        for position in 0..self.random.u32(1..7) {
            let instrument = if several { self.random.usize(0..INSTRUMENTS as usize) } else { one };
            let (mut id, kind) = self.happen(instrument);
            let rpt_seq = self.venues[instrument].rpt_seq;
            let fault = self.random.u32(0..300);
            match fault {
                0 => continue,
                1 => id ^= 1 << 62, // the book knows no such order, or takes one it should not
                _ => {}
            }
            let instrument = instrument as u32;
            let event = match kind {
                _ if fault == 2 => Event::Broken { instrument },
                Some(kind) => Event::Entry(Entry { instrument, rpt_seq, id, position, kind }),
                None => Event::Other { instrument, rpt_seq },
            };
            for _ in 0..if fault == 3 { 2 } else { 1 } {
                lines.push(line(&event));
                self.show(&event);
            }
        }
        self.market.end_message(self.now, &mut self.firings);
        self.write_step(&format!("\"message\": {lines:?}"));
    }

    fn show(&mut self, event: &Event) {
        let Self { market, now, packet, instruments, firings, .. } = self;
        market.on_event(*now, *packet, event, instruments.instruments(), firings);
    }

    /// A snapshot of an instrument's book, and what host software tells logic because of it.
    fn rebuild(&mut self, instrument: u32) {
        let at = instrument as usize;
        let rpt_seq = self.venues[at].rpt_seq;
        let head =
            SnapshotHead { instrument, last_packet: self.packet, rpt_seq, first: true, last: true };
        let mut lines = vec![[8, i128::from(instrument), 0, 0, 0, 0, 0]];
        let mut events = vec![Event::SnapshotBegin(head)];
        for side in [Side::Buy, Side::Sell] {
            for order in self.venues[at].book.orders(side) {
                let side = if side == Side::Buy { FeedSide::Bid } else { FeedSide::Offer };
                let price = Price { mantissa: order.price, exponent: EXPONENT };
                let (action, quantity) = (Action::New, order.quantity);
                let kind = EntryKind::Order { action, side, price, quantity };
                let entry = Entry { instrument, rpt_seq, id: order.id, position: 0, kind };
                lines.push(line(&Event::Entry(entry)));
                events.push(Event::SnapshotEntry(entry));
            }
        }
        events.push(Event::SnapshotEnd { head, complete: true });
        for event in &events {
            self.show(event);
        }
        self.market.end_message(self.now, &mut self.firings);
        let instrument = i128::from(instrument);
        lines.push([9, instrument, 0, 0, 0, 0, i128::from(rpt_seq)]);
        let last = self.market.books().get(instrument as u32).and_then(|book| book.last_trade());
        if let Some((price, quantity)) = last {
            lines.push([3, instrument, 0, 0, i128::from(price), i128::from(quantity), 0]);
        }
        lines.push([10, instrument, 0, 0, 0, 0, 0]);
        self.write_step(&format!("\"host\": {lines:?}"));
    }

    /// News of a slot, mostly such as its state allows.
    fn command(&mut self) -> Result<(), Box<dyn Error>> {
        let slot = self.random.u16(0..SLOTS);
        let engine = self.market.desk().engine().ok_or("the strategies wait for instruments")?;
        let state = engine.state(slot);
        let leaves = engine.leaves(slot).max(1);
        let (operation, quantity) = match (state, self.random.u32(0..40)) {
            (_, 0) => (self.random.u8(1..8), self.random.u64(0..2 * leaves)),
            (Some(SlotState::Idle), _) => (0, 0),
            (Some(SlotState::Armed), 1) => (1, 0),
            (Some(SlotState::Armed), _) => return Ok(()),
            (Some(SlotState::Fired | SlotState::Live), choice) => match choice {
                1..10 => (3, 0),
                10..25 => (4, self.random.u64(1..=leaves)),
                26..34 => (5, 0),
                25 if self.random.u32(0..6) == 0 => (6, 0),
                34..37 => (7, 0),
                _ => return Ok(()),
            },
            _ => (2, 0),
        };
        let desk = self.market.desk_mut();
        let ok = match operation {
            0 => desk.arm(slot),
            1 => desk.disarm(slot),
            // The desk has no restart: a strategy that is done stays so.
            2 => return Ok(()),
            3 => desk.on_order_update(slot, OrderUpdate::Accepted).is_ok(),
            4 => desk.on_order_update(slot, OrderUpdate::Filled { quantity }).is_ok(),
            5 => desk.on_order_update(slot, OrderUpdate::Canceled).is_ok(),
            6 => desk.on_order_update(slot, OrderUpdate::Rejected).is_ok(),
            _ => desk.on_order_update(slot, OrderUpdate::NotSent).is_ok(),
        };
        self.write_step(&format!("\"command\": [{operation}, {slot}, {quantity}], \"ok\": {ok}"));
        Ok(())
    }

    /// The kill switch, on or off.
    fn kill(&mut self) {
        let on = !self.market.desk().is_killed();
        match on {
            true => self.market.desk_mut().kill(),
            false => self.market.desk_mut().release(),
        }
        self.write_step(&format!("\"kill\": -1, \"on\": {on}"));
    }

    fn write_end(&mut self) {
        let Some(engine) = self.market.desk().engine() else { return };
        let counters = engine.counters();
        let mut exposures = vec![String::new(); INSTRUMENTS as usize];
        for planned in 0..INSTRUMENTS as u16 {
            let exposure = engine.exposure(planned);
            exposures[self.feed_index(planned) as usize] = format!(
                "[{}, {}, {}, {}]",
                exposure.position, exposure.open_buy, exposure.open_sell, exposure.open_orders
            );
        }
        let _ = writeln!(
            self.out,
            "{{\"counters\": [{}, {}, {}, {}, {}, {}], \"exposures\": [{}]}}",
            counters.fires,
            counters.blocked_order_quantity,
            counters.blocked_open_orders,
            counters.blocked_position,
            counters.held_cooldown,
            counters.unexpected_updates,
            exposures.join(", ")
        );
    }
}

fn line(event: &Event) -> Line {
    match event {
        Event::Entry(entry) => {
            let (instrument, id) = (i128::from(entry.instrument), i128::from(entry.id));
            let rpt_seq = i128::from(entry.rpt_seq);
            match entry.kind {
                EntryKind::Trade { price, quantity } => {
                    [3, instrument, 0, id, price.mantissa.into(), quantity.into(), rpt_seq]
                }
                EntryKind::Order { action, side, price, quantity } => {
                    let side = i128::from(side == FeedSide::Offer);
                    [
                        action as i128,
                        instrument,
                        side,
                        id,
                        price.mantissa.into(),
                        quantity.into(),
                        rpt_seq,
                    ]
                }
            }
        }
        Event::Other { instrument, rpt_seq } => {
            [4, i128::from(*instrument), 0, 0, 0, 0, i128::from(*rpt_seq)]
        }
        Event::Broken { instrument } => [5, i128::from(*instrument), 0, 0, 0, 0, 0],
        other => unreachable!("not an incremental entry: {other:?}"),
    }
}

/// A strategy for each slot, around the middle.
fn strategies(random: &mut fastrand::Rng) -> String {
    let mut text = String::new();
    for slot in 0..SLOTS {
        let price = MIDDLE + random.i64(-WALK - REACH..=WALK + REACH);
        let price = format!("{}.{:02}", price / 100, price % 100);
        // Every instrument is named by one of the first.
        let letter = if slot < 4 { slot as u8 } else { random.u8(0..INSTRUMENTS as u8) };
        let symbol = char::from(b'A' + letter);
        let side = if random.bool() { "buy" } else { "sell" };
        let kind = if random.u32(0..3) == 0 {
            format!("kind = \"stop\"\ntrigger = \"{price}\"\norder_type = \"market\"\nrearm = true")
        } else {
            format!("kind = \"cross\"\nthreshold = \"{price}\"")
        };
        let quantity = random.u64(1..20);
        let cooldown = [0, 0, 1, 20][random.usize(0..4)];
        let _ = write!(
            text,
            "[[strategy]]\nname = \"{slot}\"\nsymbol = \"{symbol}\"\nside = \"{side}\"\n{kind}\n\
             quantity = {}\ncooldown_us = {cooldown}\nmax_order_quantity = {}\n\
             max_open_orders = {}\nmax_position = {}\n",
            quantity,
            quantity + random.u64(0..20),
            random.u64(1..5),
            quantity + random.u64(0..40),
        );
    }
    text
}
