//! The order book in logic beside saker-book's `OrderBook`, on random commands.
//!
//! `book_fuzz [ROUNDS [FIRST [WAVE]]]` plays the rounds FIRST, FIRST + 1, … of some thousand commands each, into a book
//! with few places, few prices and few levels in registers, so that all of them run out. Every answer must come in its
//! cycle, with the outcome and the top that `OrderBook` has. A round that differs is told with its number; alone, with
//! its last commands. With WAVE the signals of all rounds go to that file.
//!
//! It needs the model of `make rtl-fuzz`, which is also the way to run it.

mod bench;
#[path = "bench/rounds.rs"]
mod rounds;

use std::collections::VecDeque;
use std::process::ExitCode;

use bench::ports;
use fastrand::Rng;
use rounds::{Last, Rounds, run};
use saker_book::{Level, OrderBook, Side};
use saker_cosim::answers::AnswerCode;
use saker_cosim::library::{Input, Library, Model};

type Error = Box<dyn std::error::Error>;

const TOP: &str = "order_book_probe";
/// Cycles from the one that takes a command to the one that shows its answer.
const LATENCY: u64 = 3;
/// Cycles in which the book takes at least a command: a refill takes far fewer.
const LONGEST_WAIT: u64 = 10_000;
/// The register with the orders that rest, asks in the upper half.
const RESTING: u64 = 7;
/// Bits of an order's quantity.
const ORDER_BITS: u32 = 32;
/// Commands of a round.
const COMMANDS: usize = 3000;

fn main() -> Result<ExitCode, Error> {
    run(TOP, Bench::new)
}

/// What a command does, by its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    New,
    Change,
    Delete,
    None,
}

#[derive(Debug, Clone, Copy)]
struct Command {
    op: Op,
    side: Side,
    id: u64,
    price: i64,
    quantity: u64,
}

/// The book as it must be.
struct Reference {
    book: OrderBook,
    depth: u64,
    /// An order was refused for want of room or range.
    inexact: bool,
}

impl Reference {
    fn new(depth: u64) -> Self {
        let book = OrderBook::with_capacity(2 * depth as usize);
        Self { book, depth, inexact: false }
    }

    /// The outcome that a command must have (rtl/book/README.md, limits).
    fn judge(&self, command: &Command, in_window: bool) -> AnswerCode {
        let rests = self.book.get(command.id).is_some();
        let refused = command.quantity >> ORDER_BITS != 0 || !in_window;
        match command.op {
            Op::New if command.quantity == 0 => AnswerCode::Zero,
            Op::New if rests => AnswerCode::Duplicate,
            Op::New if refused => AnswerCode::OutOfRange,
            Op::New if self.resting(command.side) == self.depth => AnswerCode::Full,
            Op::Change | Op::Delete if !rests => AnswerCode::Unknown,
            Op::Change if command.quantity == 0 => AnswerCode::Zero,
            Op::Change if refused => AnswerCode::OutOfRange,
            _ => AnswerCode::Done,
        }
    }

    /// Applies a command with this outcome.
    fn apply(&mut self, command: &Command, outcome: AnswerCode) -> Result<(), String> {
        self.inexact |= matches!(outcome, AnswerCode::Full | AnswerCode::OutOfRange);
        if outcome != AnswerCode::Done {
            return Ok(());
        }
        let Command { op, side, id, price, quantity } = *command;
        let done = match op {
            Op::New => self.book.add(id, side, price, quantity).map(|_| ()),
            Op::Change => self.book.change(id, price, quantity).map(|_| ()),
            Op::Delete => self.book.remove(id).map(|_| ()),
            Op::None => Ok(()),
        };
        done.map_err(|error| format!("{command:?} is done by the logic; the book says: {error}"))
    }

    fn resting(&self, side: Side) -> u64 {
        self.book.orders(side).count() as u64
    }
}

/// Random commands: what they are like is chosen for each round.
struct Stream {
    random: Rng,
    ids: Vec<u64>,
    centre: i64,
    spread: i64,
    /// How often each kind of command comes.
    weights: [u32; 8],
    /// Of 256 cycles before a command, how many are followed by idle ones.
    gap: u8,
    window: i64,
}

impl Stream {
    fn new(number: u64, depth: u64, window: i64) -> Self {
        let mut random = Rng::with_seed(number);
        let count = [2, 5, depth, 3 * depth, 5 * depth][random.usize(0..5)];
        let base = random.u64(..);
        let ids = match random.u32(0..3) {
            0 => (0..count).map(|n| base.wrapping_add(n)).collect(),
            1 => (0..count).map(|_| random.u64(..)).collect(),
            // Nearly the same.
            _ => (0..count).map(|_| base ^ 1 << random.u32(0..64) ^ random.u64(0..4)).collect(),
        };
        let centre = [0, -window, 1_000_000, i64::MAX - 1, i64::MIN + 1][random.usize(0..5)];
        let spread = [1, 3, 8, window / 4 - 1, window / 2][random.usize(0..5)];
        let weights = std::array::from_fn(|_| [0, 1, 1, 2, 4, 8][random.usize(0..6)]);
        let gap = [0, 0, 20, 80, 230][random.usize(0..5)];
        Self { random, ids, centre, spread, weights, gap, window }
    }

    fn price(&mut self) -> i64 {
        let away = self.random.i64(-self.spread..=self.spread);
        let far = match self.random.u32(0..200) {
            0 => [2 * self.window, -2 * self.window, 1 << 40, -1 << 62][self.random.usize(0..4)],
            _ => 0,
        };
        self.centre.saturating_add(away).saturating_add(far)
    }

    fn quantity(&mut self) -> u64 {
        match self.random.u32(0..100) {
            0 => [0, 1 << ORDER_BITS, u64::MAX][self.random.usize(0..3)],
            1..20 => self.random.u64(1..1 << ORDER_BITS),
            _ => self.random.u64(1..10),
        }
    }

    /// The next one; `book` is that of some commands ago.
    fn next(&mut self, book: &OrderBook) -> Command {
        let side = if self.random.bool() { Side::Buy } else { Side::Sell };
        let id = self.ids[self.random.usize(0..self.ids.len())];
        let front = book.front(side).map(|(_, order)| order);
        let (price, quantity) = (self.price(), self.quantity());
        let command = |op, id, price| Command { op, side, id, price, quantity };
        let sum: u32 = self.weights.iter().sum();
        let mut at = self.random.u32(0..=sum);
        let kind = self.weights.iter().position(|&weight| {
            let here = at < weight;
            at = at.saturating_sub(weight);
            here
        });
        match (kind, front) {
            (Some(0), _) => command(Op::New, id, price),
            (Some(1), _) => command(Op::Change, id, price),
            (Some(2), _) => command(Op::Delete, id, price),
            (Some(3), _) => command(Op::None, id, price),
            // To the first level, away from it, and the end of its first order.
            (Some(4), Some(front)) => command(Op::New, id, front.price),
            (Some(5), Some(front)) => command(Op::Change, front.id, price),
            (Some(6), Some(front)) => command(Op::Delete, front.id, price),
            (Some(7), Some(front)) => command(Op::Change, id, front.price),
            _ => command(Op::New, id, price),
        }
    }

    /// Idle cycles before a command.
    fn idle(&mut self) -> u64 {
        if self.random.u8(..) < self.gap { self.random.u64(1..13) } else { 0 }
    }
}

#[derive(Default)]
struct Counts {
    commands: u64,
    waited: u64,
    outcomes: [u64; 6],
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { commands, waited, outcomes } = self;
        let outcomes = (0..).map_while(AnswerCode::decode).zip(outcomes);
        let outcomes = outcomes.map(|(outcome, count)| format!("{count} {outcome:?}"));
        let outcomes = outcomes.collect::<Vec<_>>().join(", ");
        write!(f, "{commands} commands ({outcomes}), {waited} cycles waited")
    }
}

/// The book, simulated.
struct Bench {
    model: Model,
    ports: Ports,
    depth: u64,
    window: i64,
    cycle: u64,
    counts: Counts,
    /// A cycle ago.
    stash_was_full: bool,
    /// Taken, with the cycle and whether the price was in the window.
    pending: VecDeque<(u64, Command, bool)>,
    /// The last commands and what became of them.
    last: Last,
}

ports! {
    input {
        rst: 1,
        clear: 1,
        s_axis_tvalid: 1,
        s_axis_op: 2,
        s_axis_side: 1,
        s_axis_next_id: 64,
        s_axis_price: 64,
        s_axis_quantity: 64,
        reg_address: 4,
    }
    output {
        s_axis_tready: 1,
        m_axis_tvalid: 1,
        m_axis_outcome: 3,
        m_axis_bid_valid: 1,
        m_axis_bid_price: 64,
        m_axis_bid_quantity: 64,
        m_axis_bid_orders: 16,
        m_axis_ask_valid: 1,
        m_axis_ask_price: 64,
        m_axis_ask_quantity: 64,
        m_axis_ask_orders: 16,
        inexact: 1,
        reg_data: 64,
        obs_wiping: 1,
        obs_stash_full: 1,
        obs_base: 64,
    }
}

impl Rounds for Bench {
    type Counts = Counts;

    fn round(&mut self, number: u64) -> Result<(), String> {
        let played = self.play(number);
        if played.is_err() {
            self.reset();
        }
        played
    }

    fn last(&self) -> &Last {
        &self.last
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }
}

impl Bench {
    fn new(library: &Library, model: Model) -> Result<Self, Error> {
        let parameter = |name| library.parameter(name).ok_or_else(|| format!("no {name}"));
        let mut bench = Self {
            model,
            ports: Ports::new(library)?,
            depth: parameter("DEPTH")?,
            window: 1 << parameter("RANK_BITS")?,
            cycle: 0,
            counts: Counts::default(),
            stash_was_full: false,
            pending: VecDeque::new(),
            last: Last::default(),
        };
        bench.reset();
        Ok(bench)
    }

    fn reset(&mut self) {
        self.empty(self.ports.rst);
    }

    /// Empties the book by one of its two inputs that do.
    fn empty(&mut self, by: Input) {
        self.model.set(self.ports.s_axis_tvalid, 0);
        self.model.set(by, 1);
        self.model.step();
        self.model.set(by, 0);
        self.pending.clear();
        self.last.clear();
        // Of its memories each place is wiped; the fronts are steady two cycles later.
        while self.model.is(self.ports.obs_wiping) {
            self.model.step();
        }
        (0..2).for_each(|_| self.model.step());
    }

    /// A round of commands into an empty book.
    fn play(&mut self, number: u64) -> Result<(), String> {
        let mut stream = Stream::new(number, self.depth, self.window);
        let mut reference = Reference::new(self.depth);
        self.empty(if stream.random.bool() { self.ports.rst } else { self.ports.clear });
        let mut now: Option<Command> = None;
        let (mut left, mut idle, mut waited) = (COMMANDS, 0, 0);
        while now.is_some() || left > 0 || !self.pending.is_empty() {
            let taken = self.offer(now.as_ref());
            self.answer(&mut reference)?;
            if now.is_some() && !taken {
                waited += 1;
                self.counts.waited += 1;
                if waited == LONGEST_WAIT {
                    return Err(format!("{now:?} is not taken"));
                }
            }
            // What is there in the next cycle: this one again, nothing, or another.
            let next = if now.is_some() && !taken {
                now
            } else if idle > 0 || left == 0 {
                idle = u64::saturating_sub(idle, 1);
                None
            } else {
                (left, idle, waited) = (left - 1, stream.idle(), 0);
                Some(stream.next(&reference.book))
            };
            // Whatever is told while nothing comes does not matter.
            let next_id = next.map_or_else(|| stream.random.u64(..), |command| command.id);
            self.model.set(self.ports.s_axis_next_id, next_id);
            if let (Some(command), true) = (now, taken) {
                self.pending.push_back((self.cycle, command, self.in_window(command.price)));
                self.counts.commands += 1;
            }
            self.stash_was_full = self.model.is(self.ports.obs_stash_full);
            self.model.step();
            self.cycle += 1;
            now = next;
        }
        self.at_rest(&reference)
    }

    /// Offers a command, or none. Whether it is taken.
    fn offer(&mut self, command: Option<&Command>) -> bool {
        self.model.set(self.ports.s_axis_tvalid, command.is_some().into());
        if let Some(&Command { op, side, price, quantity, .. }) = command {
            self.model.set(self.ports.s_axis_op, op as u64);
            self.model.set(self.ports.s_axis_side, side as u64);
            self.model.set(self.ports.s_axis_price, price.cast_unsigned());
            self.model.set(self.ports.s_axis_quantity, quantity);
        }
        self.model.settle();
        command.is_some() && self.model.is(self.ports.s_axis_tready)
    }

    fn in_window(&self, price: i64) -> bool {
        let base = self.model.get(self.ports.obs_base).cast_signed();
        price.checked_sub(base).is_some_and(|above| (0..self.window).contains(&above))
    }

    /// The answer of this cycle, or that there is none, beside what it must be.
    fn answer(&mut self, reference: &mut Reference) -> Result<(), String> {
        let cycle = self.cycle;
        let valid = self.model.is(self.ports.m_axis_tvalid);
        let due = self.pending.front().is_some_and(|(taken, ..)| taken + LATENCY == cycle);
        if valid != due {
            return Err(format!("cycle {cycle}: an answer is there: {valid}, is due: {due}"));
        }
        let Some((_, command, in_window)) = self.pending.pop_front_if(|_| due) else {
            return Ok(());
        };
        let code = self.model.get(self.ports.m_axis_outcome);
        let got = AnswerCode::decode(code).ok_or_else(|| format!("outcome {code}"))?;
        self.counts.outcomes[code as usize] += 1;
        let mut want = reference.judge(&command, in_window);
        // An order may find all its places taken, and the stash with them: of what the command ahead takes and
        // gives free, either counts as taken.
        let stash_full = self.stash_was_full || self.model.is(self.ports.obs_stash_full);
        if (want, got, command.op) == (AnswerCode::Done, AnswerCode::Full, Op::New) && stash_full {
            want = AnswerCode::Full;
        }
        self.last.note(format!("cycle {cycle}: {command:?}: {got:?}"));
        if got != want {
            return Err(format!("cycle {cycle}, {command:?}: {got:?}, not {want:?}"));
        }
        reference.apply(&command, got)?;
        for side in [Side::Buy, Side::Sell] {
            let (here, best) = (self.quote(side), reference.book.best(side));
            if here != best {
                return Err(format!("cycle {cycle}, {command:?}: {side:?} {here:?}, not {best:?}"));
            }
        }
        Ok(())
    }

    fn quote(&self, side: Side) -> Option<Level> {
        let p = &self.ports;
        let [valid, price, quantity, orders] = match side {
            Side::Buy => {
                [p.m_axis_bid_valid, p.m_axis_bid_price, p.m_axis_bid_quantity, p.m_axis_bid_orders]
            }
            Side::Sell => {
                [p.m_axis_ask_valid, p.m_axis_ask_price, p.m_axis_ask_quantity, p.m_axis_ask_orders]
            }
        };
        let one = || Level {
            price: self.model.get(price).cast_signed(),
            quantity: self.model.get(quantity),
            orders: self.model.get(orders) as u32,
        };
        (self.model.is(valid)).then(one)
    }

    /// What the book says of itself when nothing is on its way.
    fn at_rest(&mut self, reference: &Reference) -> Result<(), String> {
        self.model.set(self.ports.reg_address, RESTING);
        self.model.step();
        let resting = self.model.get(self.ports.reg_data);
        let [bids, asks] = [Side::Buy, Side::Sell].map(|side| reference.resting(side));
        if resting != bids | asks << 32 {
            return Err(format!("{resting:#x} orders rest, not {bids} bids and {asks} asks"));
        }
        let inexact = self.model.is(self.ports.inexact);
        if inexact != reference.inexact {
            return Err(format!("inexact: {inexact}, not {}", reference.inexact));
        }
        Ok(())
    }
}
