//! Nanoseconds per command of the matcher, beside a `BTreeMap<price, VecDeque<order>>` matcher
//! with a `HashMap<id, (side, price)>`: what one would write first. The peer matches limit orders
//! price-time and counts trades; it checks nothing and reports nothing, so the ratio is a lower
//! bound. Both run the same commands in the same process, alternately; the fastest of several
//! rounds counts. Wall-clock time depends on the machine; quote the ratio.
//!
//! `cargo bench -p saker-matching`

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hint::black_box;
use std::time::Instant;

use saker_matching::{CancelOrder, Event, Matcher, NewOrder, OrderType, Rules, Side, TimeInForce};

const ROUNDS: usize = 7;

#[derive(Clone, Copy)]
enum Command {
    Submit(NewOrder),
    Cancel(CancelOrder),
}

trait Engine {
    /// Runs a command; returns how much traded.
    fn run(&mut self, command: Command) -> u64;
}

struct Ours {
    matcher: Matcher,
    events: Vec<Event>,
}

impl Engine for Ours {
    #[inline]
    fn run(&mut self, command: Command) -> u64 {
        self.events.clear();
        match command {
            Command::Submit(order) => self.matcher.submit(order, &mut self.events),
            Command::Cancel(request) => self.matcher.cancel(request, &mut self.events),
        }
        let traded = self.events.iter().map(|event| match event {
            Event::Trade { quantity, .. } => *quantity,
            _ => 0,
        });
        traded.sum()
    }
}

#[derive(Default)]
struct Peer {
    /// Keyed by rank, so that the best is last on both sides.
    sides: [BTreeMap<i64, VecDeque<(u64, u64)>>; 2],
    orders: HashMap<u64, (Side, i64), rustc_hash::FxBuildHasher>,
}

impl Engine for Peer {
    #[inline]
    fn run(&mut self, command: Command) -> u64 {
        let NewOrder { id, side, price, mut quantity, .. } = match command {
            Command::Submit(order) => order,
            Command::Cancel(CancelOrder { id, .. }) => {
                let Some((side, rank)) = self.orders.remove(&id) else { return 0 };
                let levels = &mut self.sides[side as usize];
                let queue = levels.get_mut(&rank).expect("the level is there");
                queue.retain(|o| o.0 != id);
                if queue.is_empty() {
                    levels.remove(&rank);
                }
                return 0;
            }
        };
        let (opposite, total) = (side.opposite(), quantity);
        while quantity > 0 {
            let Some(mut best) = self.sides[opposite as usize].last_entry() else { break };
            if *best.key() < opposite.rank(price) {
                break;
            }
            let (maker, rest) = best.get_mut().front_mut().expect("no level is empty");
            let traded = quantity.min(*rest);
            quantity -= traded;
            *rest -= traded;
            if *rest == 0 {
                self.orders.remove(maker);
                best.get_mut().pop_front();
                if best.get().is_empty() {
                    best.remove();
                }
            }
        }
        if quantity > 0 {
            let rank = side.rank(price);
            self.orders.insert(id, (side, rank));
            self.sides[side as usize].entry(rank).or_default().push_back((id, quantity));
        }
        total - quantity
    }
}

/// How commands are drawn.
struct Shape {
    name: &'static str,
    /// Distance of passive prices from the middle, in ticks (smallest of three draws).
    width: i64,
    /// Out of 100 commands: cancels, and orders that cross.
    cancels: u32,
    crossing: u32,
}

fn commands(shape: &Shape, count: usize) -> Vec<Command> {
    let mut random = fastrand::Rng::with_seed(11);
    let mut sent: Vec<u64> = Vec::new();
    let mut next_id = 0;
    let command = |_| {
        let kind = random.u32(0..100);
        if kind < shape.cancels && sent.len() > 1_000 {
            // Some of these have traded meanwhile: a cancel that comes too late.
            let id = sent.swap_remove(random.usize(0..sent.len()));
            return Command::Cancel(CancelOrder { id, owner: (id % 64) as u32 });
        }
        let side = if random.bool() { Side::Buy } else { Side::Sell };
        let mut draw = || random.i64(1..=shape.width);
        let mut away = draw().min(draw()).min(draw());
        if kind >= 100 - shape.crossing {
            away = -away;
        }
        let price = if side == Side::Buy { 100_000 - away } else { 100_000 + away };
        let id = next_id;
        next_id += 1;
        sent.push(id);
        Command::Submit(NewOrder {
            id,
            owner: (id % 64) as u32,
            side,
            order_type: OrderType::Limit,
            time_in_force: TimeInForce::Day,
            price,
            quantity: random.u64(1..100),
        })
    };
    (0..count).map(command).collect()
}

/// Nanoseconds per command, and the quantity traded. The first half of the commands fills the book
/// and is not timed.
fn time(engine: &mut impl Engine, commands: &[Command]) -> (f64, u64) {
    let (fill, commands) = commands.split_at(commands.len() / 2);
    let filled: u64 = fill.iter().map(|command| black_box(engine.run(*command))).sum();
    let start = Instant::now();
    let traded: u64 = commands.iter().map(|command| black_box(engine.run(*command))).sum();
    (start.elapsed().as_nanos() as f64 / commands.len() as f64, filled + traded)
}

fn main() {
    let shapes = [
        Shape {
            name: "add and cancel: 48 % cancels, 2 % cross",
            width: 100,
            cancels: 48,
            crossing: 2,
        },
        Shape { name: "usual: 45 % cancels, 10 % cross", width: 100, cancels: 45, crossing: 10 },
        Shape { name: "matching: 10 % cancels, 45 % cross", width: 100, cancels: 10, crossing: 45 },
        Shape {
            name: "near: 45 % cancels, 10 % cross, 10 ticks",
            width: 10,
            cancels: 45,
            crossing: 10,
        },
    ];
    println!(
        "{:42} {:>12} {:>14} {:>7}",
        "matcher mix", "saker ns/cmd", "BTreeMap ns/cmd", "ratio"
    );
    for shape in &shapes {
        let commands = commands(shape, 600_000);
        let (mut ours, mut peer) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            // Own orders may trade, as the peer's do, so that both do the same work.
            let rules =
                Rules { max_orders: 1 << 17, max_orders_per_owner: u32::MAX, ..Rules::default() };
            let mut matcher = Matcher::new(rules).expect("valid rules");
            for owner in 0..64 {
                matcher.set_self_match(owner, saker_matching::SelfMatch::Allow);
            }
            let mut engine = Ours { matcher, events: Vec::with_capacity(4_096) };
            let (ns, traded) = time(&mut engine, &commands);
            ours = ours.min(ns);
            let (ns, peer_traded) = time(&mut Peer::default(), &commands);
            peer = peer.min(ns);
            assert_eq!(traded, peer_traded, "both trade the same");
        }
        println!("{:42} {ours:>12.1} {peer:>14.1} {:>6.2}x", shape.name, peer / ours);
    }
}
