//! Prints a stream of order commands with the answer of [`OrderBook`] to each, for tests of other
//! implementations of the book.
//!
//! ```text
//! cargo run -p saker-book --example book_vectors -- SEED COMMANDS [DEPTH]
//! ```
//! One line for each command, in decimal, separated by spaces: operation (0 New, 1 Change,
//! 2 Delete), side (0 buy, 1 sell), id, price, quantity; outcome (0 done, 1 zero quantity,
//! 2 duplicate, 3 unknown, 4 full); then for the bid and the ask `price quantity orders`, or
//! `- - -`. `DEPTH` is the most orders of each side.
//!
//! The stream looks like a market: prices walk, most commands are near the best one, orders are
//! filled in parts, levels are swept, and a few commands are wrong. Quantities stay below 2^32 and
//! prices within 900 of the first one.

use saker_book::{BookError, Level, OrderBook, Side};
use std::fmt::Write as _;

/// How far the middle walks from where it starts.
const WALK: i64 = 800;

struct Market {
    book: OrderBook,
    depth: usize,
    resting: [usize; 2],
    ids: Vec<(u64, Side)>,
    random: fastrand::Rng,
    middle: i64,
    next_id: u64,
}

#[derive(Clone, Copy)]
struct Command {
    operation: u8,
    side: Side,
    id: u64,
    price: i64,
    quantity: u64,
}

impl Market {
    fn new(seed: u64, depth: usize) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        Self {
            book: OrderBook::with_capacity(2 * depth),
            depth,
            resting: [0; 2],
            ids: Vec::new(),
            middle: 0,
            next_id: random.u64(0..1 << 60),
            random,
        }
    }

    fn price(&mut self, side: Side) -> i64 {
        // Half of the orders within four prices of the best one, now and then through it.
        let reach = [2, 4, 8, 16, 100][self.random.usize(0..5)];
        let away = self.random.i64(-1..reach);
        match side {
            Side::Buy => self.middle - away,
            Side::Sell => self.middle + 1 + away,
        }
    }

    fn quantity(&mut self) -> u64 {
        match self.random.u32(0..50) {
            0 => u64::from(u32::MAX),
            1 => 0,
            _ => self.random.u64(1..1_000),
        }
    }

    fn command(&mut self, fill: bool) -> Command {
        if self.random.u32(0..8) == 0 {
            self.middle = (self.middle + self.random.i64(-2..=2)).clamp(-WALK, WALK);
        }
        let side = if self.random.bool() { Side::Buy } else { Side::Sell };
        let (price, quantity) = (self.price(side), self.quantity());
        let any = (!self.ids.is_empty()).then(|| self.ids[self.random.usize(0..self.ids.len())]);
        let top = self.book.front(side).map(|(_, order)| (order.id, side));
        let adds = if fill { 8 } else { 4 };
        match (self.random.u32(0..10) < adds, any, top) {
            (false, Some(_), Some((id, side))) if self.random.u32(0..3) == 0 => {
                // The best order trades: a part of it, or all.
                let order = self.book.get(id).expect("the front of the book rests");
                let rest = self.random.u64(0..=order.quantity.min(1_000));
                let operation = if rest == 0 { 2 } else { 1 };
                Command { operation, side, id, price: order.price, quantity: rest }
            }
            (false, Some((id, side)), _) => {
                let operation = self.random.u8(1..=2);
                Command { operation, side, id, price, quantity }
            }
            _ => {
                // Ids are sequential with gaps; now and then one that rests already.
                self.next_id += self.random.u64(1..5);
                let id = if self.random.u32(0..50) == 0 { any.map(|(id, _)| id) } else { None };
                let id = id.unwrap_or(self.next_id);
                Command { operation: 0, side, id, price, quantity }
            }
        }
    }

    /// Applies a command and returns the outcome's number.
    fn apply(&mut self, command: Command) -> u8 {
        let Command { operation, side, id, price, quantity } = command;
        let done = match operation {
            0 if quantity > 0
                && self.book.get(id).is_none()
                && self.resting[side as usize] == self.depth =>
            {
                Err(BookError::Full { capacity: self.depth })
            }
            0 => self.book.add(id, side, price, quantity).map(|_| {
                self.ids.push((id, side));
                self.resting[side as usize] += 1;
            }),
            1 => self.book.change(id, price, quantity).map(|_| ()),
            _ => self.book.remove(id).map(|order| {
                self.resting[order.side as usize] -= 1;
                // Half of the ids stay known, so that later commands meet orders that are gone.
                if let Some(at) = self.ids.iter().position(|(other, _)| *other == id)
                    && (self.random.bool() || self.ids.len() > 3 * self.depth)
                {
                    self.ids.swap_remove(at);
                }
            }),
        };
        match done {
            Ok(()) => 0,
            Err(BookError::ZeroQuantity(_)) => 1,
            Err(BookError::DuplicateOrder(_)) => 2,
            Err(BookError::UnknownOrder(_)) => 3,
            Err(error) => {
                assert!(matches!(error, BookError::Full { .. }), "{error}");
                4
            }
        }
    }
}

fn quote(level: Option<Level>) -> String {
    level.map_or_else(
        || "- - -".to_string(),
        |level| format!("{} {} {}", level.price, level.quantity, level.orders),
    )
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let mut number = |default| match numbers.next() {
        None => default,
        Some(Ok(number)) => number,
        Some(Err(error)) => panic!("usage: book_vectors [SEED [COMMANDS [DEPTH]]]: {error}"),
    };
    let (seed, commands, depth) = (number(1), number(10_000), number(4_096));
    let mut market = Market::new(seed, depth as usize);
    let mut out = String::new();
    for at in 0..commands {
        let command = market.command(at < commands / 2);
        let outcome = market.apply(command);
        let Command { operation, side, id, price, quantity } = command;
        let (bid, ask) = (market.book.best(Side::Buy), market.book.best(Side::Sell));
        let side = side as u8;
        let _ = writeln!(
            out,
            "{operation} {side} {id} {price} {quantity} {outcome} {} {}",
            quote(bid),
            quote(ask)
        );
    }
    print!("{out}");
}
