//! Nanoseconds per operation of the book, beside a `BTreeMap<price, VecDeque<order>>` with a
//! `HashMap<id, (side, price)>`: what one would write first. Both run the same operations in the
//! same process, alternately; the fastest of several rounds counts. Wall-clock time depends on the
//! machine; quote the ratio.
//!
//! `cargo bench -p saker-book`

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hint::black_box;
use std::time::Instant;

use saker_book::{OrderBook, Side};

const ROUNDS: usize = 7;
const CAPACITY: usize = 1 << 16;

#[derive(Clone, Copy)]
enum Op {
    Add { id: u64, side: Side, price: i64, quantity: u64 },
    Remove { id: u64 },
    Reduce { id: u64, by: u64 },
    Top,
}

trait Book {
    fn apply(&mut self, op: Op) -> i64;
}

struct Ours(OrderBook);

impl Book for Ours {
    #[inline]
    fn apply(&mut self, op: Op) -> i64 {
        match op {
            Op::Add { id, side, price, quantity } => {
                self.0.add(id, side, price, quantity).expect("the stream is valid") as i64
            }
            Op::Remove { id } => self.0.remove(id).expect("the stream is valid").price,
            Op::Reduce { id, by } => self.0.reduce(id, by).expect("the stream is valid") as i64,
            Op::Top => self.0.top().bid.map_or(0, |(price, _)| price),
        }
    }
}

/// A price's total quantity and its orders.
#[derive(Default)]
struct PeerLevel {
    quantity: u64,
    orders: VecDeque<(u64, u64)>,
}

#[derive(Default)]
struct Peer {
    /// Keyed by rank, so that the best is last on both sides.
    sides: [BTreeMap<i64, PeerLevel>; 2],
    orders: HashMap<u64, (Side, i64), rustc_hash::FxBuildHasher>,
}

impl Peer {
    fn new() -> Self {
        let orders = HashMap::with_capacity_and_hasher(CAPACITY, rustc_hash::FxBuildHasher);
        Self { orders, ..Self::default() }
    }
}

impl Book for Peer {
    #[inline]
    fn apply(&mut self, op: Op) -> i64 {
        match op {
            Op::Add { id, side, price, quantity } => {
                self.orders.insert(id, (side, side.rank(price)));
                let level = self.sides[side as usize].entry(side.rank(price)).or_default();
                level.quantity += quantity;
                level.orders.push_back((id, quantity));
                price
            }
            Op::Remove { id } => {
                let (side, rank) = self.orders.remove(&id).expect("the stream is valid");
                let levels = &mut self.sides[side as usize];
                let level = levels.get_mut(&rank).expect("the level is there");
                let at = level.orders.iter().position(|o| o.0 == id).expect("the order is there");
                level.quantity -= level.orders.remove(at).map_or(0, |o| o.1);
                if level.orders.is_empty() {
                    levels.remove(&rank);
                }
                rank
            }
            Op::Reduce { id, by } => {
                let (side, rank) = self.orders[&id];
                let level = self.sides[side as usize].get_mut(&rank).expect("the level is there");
                let order =
                    level.orders.iter_mut().find(|o| o.0 == id).expect("the order is there");
                if order.1 == by {
                    return self.apply(Op::Remove { id });
                }
                order.1 -= by;
                level.quantity -= by;
                order.1 as i64
            }
            Op::Top => {
                let quote = |side: usize| {
                    let (rank, level) = self.sides[side].last_key_value()?;
                    Some((*rank, level.quantity))
                };
                black_box(quote(1));
                quote(0).map_or(0, |(price, _)| price)
            }
        }
    }
}

/// How orders and prices are spread.
struct Shape {
    name: &'static str,
    /// Orders resting while the stream runs.
    resting: usize,
    /// Distance from the middle within which prices fall (in ticks, smallest of three draws).
    width: i64,
    /// Out of 100 operations: adds and removes each; the rest are reduces and reads of the top.
    adds: u32,
}

/// Fills a book and then lists `count` operations that keep it about as full.
fn stream(shape: &Shape, count: usize) -> (Vec<Op>, Vec<Op>) {
    let mut random = fastrand::Rng::with_seed(7);
    let mut live: Vec<(u64, u64)> = Vec::new();
    let mut next_id = 1;
    let mut add = |random: &mut fastrand::Rng, live: &mut Vec<(u64, u64)>| {
        let side = if random.bool() { Side::Buy } else { Side::Sell };
        // Near the best most of the time, as real flow is.
        let draw = |random: &mut fastrand::Rng| random.i64(1..=shape.width);
        let away = draw(random).min(draw(random)).min(draw(random));
        let price = if side == Side::Buy { 100_000 - away } else { 100_000 + away };
        let (id, quantity) = (next_id, random.u64(1..100));
        next_id += 1;
        live.push((id, quantity));
        Op::Add { id, side, price, quantity }
    };
    let fill = (0..shape.resting).map(|_| add(&mut random, &mut live)).collect();
    let mut ops = Vec::with_capacity(count);
    while ops.len() < count {
        let kind = random.u32(0..100);
        if kind < shape.adds && live.len() < shape.resting + 1_000 || live.is_empty() {
            ops.push(add(&mut random, &mut live));
        } else if kind < 2 * shape.adds {
            let at = random.usize(0..live.len());
            ops.push(Op::Remove { id: live.swap_remove(at).0 });
        } else if kind.is_multiple_of(2) {
            let at = random.usize(0..live.len());
            let (id, quantity) = live[at];
            let by = random.u64(1..=quantity);
            live[at].1 -= by;
            if by == quantity {
                live.swap_remove(at);
            }
            ops.push(Op::Reduce { id, by });
        } else {
            ops.push(Op::Top);
        }
    }
    (fill, ops)
}

fn time(book: &mut impl Book, fill: &[Op], ops: &[Op]) -> f64 {
    fill.iter().for_each(|op| {
        black_box(book.apply(*op));
    });
    let start = Instant::now();
    for op in ops {
        black_box(book.apply(*op));
    }
    start.elapsed().as_nanos() as f64 / ops.len() as f64
}

fn main() {
    let shapes = [
        Shape { name: "small, near: 200 orders, 20 ticks", resting: 200, width: 20, adds: 40 },
        Shape { name: "usual: 5 000 orders, 200 ticks", resting: 5_000, width: 200, adds: 40 },
        Shape { name: "deep: 50 000 orders, 500 ticks", resting: 50_000, width: 500, adds: 40 },
        Shape {
            name: "wide: 20 000 orders, 20 000 ticks",
            resting: 20_000,
            width: 20_000,
            adds: 45,
        },
        Shape { name: "fills and reads: 5 000 orders", resting: 5_000, width: 200, adds: 15 },
    ];
    println!("{:36} {:>12} {:>14} {:>7}", "book mix", "saker ns/op", "BTreeMap ns/op", "ratio");
    for shape in &shapes {
        let (fill, ops) = stream(shape, 400_000);
        let (mut ours, mut peer) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            let mut book = Ours(OrderBook::with_capacity(CAPACITY));
            ours = ours.min(time(&mut book, &fill, &ops));
            peer = peer.min(time(&mut Peer::new(), &fill, &ops));
        }
        println!("{:36} {ours:>12.1} {peer:>14.1} {:>6.2}x", shape.name, peer / ours);
    }
}
