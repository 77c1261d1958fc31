//! Random packets, entries and news of the host: what they are like is chosen for each round.

use std::collections::VecDeque;

use fastrand::Rng;
use saker_book::{Order, OrderBook, Side};
use saker_cosim::answers::EntryOp;

use super::rules::{Entry, Rules};

/// Packets that may be on their way: the logic tells so many apart.
const ON_THE_WAY: usize = 15;
/// Cycles from a packet's first beat to its first entry, at least.
const DECODED: u64 = 4;
/// Ids of an instrument's orders.
const IDS: u64 = 24;
/// How far prices are from the middle: the book's window holds twice as much on each side.
const SPREAD: i64 = 31;

/// What comes of the feed in one cycle.
#[derive(Debug, Default)]
pub struct Beat {
    pub begins: Option<(usize, bool)>,
    pub verdict: Option<(usize, bool)>,
    pub entry: Option<Entry>,
}

/// What the line does next.
#[derive(Debug)]
enum Line {
    Begin,
    Verdict,
}

/// The feed and the host of a round.
pub struct Feed {
    pub counted: bool,
    random: Rng,
    instruments: usize,
    line: Line,
    /// Cycles until then.
    wait: u64,
    /// Packets that have begun, and those that are still to come.
    begun: usize,
    left: usize,
    /// Entries of packets that have begun, with the cycle from which on they may come.
    entries: VecDeque<(u64, Entry)>,
    /// The books of the exchange, behind all entries that it has told.
    books: Vec<OrderBook>,
    /// RptSeq of each instrument's last entry; nothing where the feed has none.
    told: Option<Vec<u32>>,
    base: i64,
    stamp: u64,
    /// The host's next entries.
    script: VecDeque<Entry>,
    /// An instrument whose book it makes, and what the feed has told of it since then.
    mending: Option<usize>,
    missed: VecDeque<Entry>,
    host_wait: u64,
    odds: Odds,
}

/// Of 256.
#[derive(Debug)]
struct Odds {
    entry: u8,
    bad_packet: u8,
    gap: u8,
    failed: u8,
    wrong_rpt_seq: u8,
    unreadable: u8,
    pause: u8,
    host: u8,
    /// Of an instrument that is stale, that it is made live, and of one that is live, that it is disturbed.
    heals: u8,
    disturbs: u8,
    /// The greatest distance between packets.
    apart: u64,
}

impl Feed {
    pub fn new(number: u64, instruments: usize, packets: usize) -> Self {
        let mut random = Rng::with_seed(number);
        let mut of = |choices: &[u8]| choices[random.usize(0..choices.len())];
        let odds = Odds {
            entry: of(&[255, 255, 128, 30]),
            bad_packet: of(&[0, 0, 1, 4, 40]),
            gap: of(&[0, 0, 1, 4, 40]),
            failed: of(&[0, 0, 1, 4, 30]),
            wrong_rpt_seq: of(&[0, 0, 1, 2, 20]),
            unreadable: of(&[0, 0, 1, 3, 20]),
            pause: of(&[0, 0, 20, 200]),
            host: of(&[2, 20, 100]),
            heals: of(&[20, 255]),
            disturbs: of(&[0, 1, 40]),
            apart: of(&[1, 8, 40, 100]).into(),
        };
        let start = [0, 0, 1 << 31, u32::MAX - 100_000][random.usize(0..4)];
        Self {
            counted: random.u32(0..6) == 0,
            instruments,
            line: Line::Begin,
            wait: 0,
            begun: 0,
            left: packets,
            entries: VecDeque::new(),
            books: (0..instruments).map(|_| OrderBook::with_capacity(IDS as usize)).collect(),
            told: (random.u32(0..5) != 0).then(|| vec![start; instruments]),
            base: [0, 1_000_000, i64::MAX - 1000, i64::MIN + 1000][random.usize(0..4)],
            stamp: 0,
            script: VecDeque::new(),
            mending: None,
            missed: VecDeque::new(),
            host_wait: 0,
            odds,
            random,
        }
    }

    /// Nothing of the feed is left.
    pub fn is_over(&self) -> bool {
        self.left == 0 && self.entries.is_empty() && matches!(self.line, Line::Begin)
    }

    fn odd(&mut self, of: u8) -> bool {
        self.random.u8(..) < of
    }

    /// Whether the strategies ask for a pause.
    pub fn pauses(&mut self) -> bool {
        self.odd(self.odds.pause)
    }

    /// What comes in a cycle; `oldest` is the packet of the first entry that the logic has not taken yet.
    pub fn beat(&mut self, cycle: u64, oldest: Option<usize>) -> Beat {
        let mut beat = Beat::default();
        let waiting = oldest.or(self.entries.front().and_then(|(_, entry)| entry.packet));
        match self.line {
            _ if self.wait > 0 => self.wait -= 1,
            Line::Begin if self.left == 0 => {}
            Line::Begin if waiting.is_some_and(|it| it + ON_THE_WAY <= self.begun) => {}
            Line::Begin => {
                let gap = self.odd(self.odds.gap);
                beat.begins = Some((self.begun, gap));
                self.packet(cycle, gap);
                self.line = Line::Verdict;
            }
            Line::Verdict => {
                beat.verdict = Some((self.begun - 1, !self.odd(self.odds.bad_packet)));
                self.line = Line::Begin;
                self.wait = self.random.u64(0..self.odds.apart);
            }
        }
        if self.entries.front().is_some_and(|(from, _)| *from <= cycle) && self.odd(self.odds.entry)
        {
            beat.entry = self.entries.pop_front().map(|(_, entry)| entry);
        }
        beat
    }

    /// A packet begins: its entries, and when its verdict comes.
    fn packet(&mut self, cycle: u64, gap: bool) {
        let lost = if gap { self.random.u32(0..4) } else { 0 };
        for _ in 0..lost {
            self.entry();
        }
        let packet = Some(self.begun);
        for _ in 0..self.random.u32(1..4) {
            let failed = self.odd(self.odds.failed);
            let (count, alone) = (self.random.u32(0..6), self.random.u32(0..4) == 0);
            let mut entries: Vec<Entry> = (0..count).map(|_| self.entry()).collect();
            if entries.is_empty() || alone {
                let any = self.random.usize(0..self.instruments);
                entries.push(self.bare(EntryOp::End, any));
            }
            if let Some(last) = entries.last_mut() {
                (last.last, last.bad) = (true, failed);
            }
            let known =
                entries.into_iter().map(|entry| (cycle + DECODED, Entry { packet, ..entry }));
            self.entries.extend(known);
            if failed {
                break;
            }
        }
        self.begun += 1;
        self.left -= 1;
        self.wait = self.random.u64(1..2 * self.odds.apart + 2);
    }

    fn instrument(&mut self) -> usize {
        // One has much of it.
        [0, self.random.usize(0..self.instruments)][self.random.usize(0..2)]
    }

    fn bare(&mut self, op: EntryOp, instrument: usize) -> Entry {
        self.stamp += 1;
        Entry {
            op,
            instrument,
            side: Side::Buy,
            id: 0,
            price: 0,
            quantity: 0,
            rpt_seq: 0,
            last: false,
            bad: false,
            packet: None,
            stamp: self.stamp,
        }
    }

    /// The next number of an instrument's entries, or a wrong one.
    fn rpt_seq(&mut self, instrument: usize) -> u32 {
        let wrong = self.odd(self.odds.wrong_rpt_seq);
        let step = if wrong { self.random.u32(0..4) } else { 1 };
        let none = wrong && self.random.u32(0..4) == 0;
        let Some(told) = &mut self.told else { return 0 };
        told[instrument] += step;
        if none { 0 } else { told[instrument] }
    }

    /// An entry of the feed.
    fn entry(&mut self) -> Entry {
        let instrument = self.instrument();
        let rpt_seq = self.rpt_seq(instrument);
        if self.odd(self.odds.unreadable) {
            let op = [EntryOp::Broken, EntryOp::Lost][self.random.usize(0..2)];
            return self.bare(op, instrument);
        }
        let op = [EntryOp::New, EntryOp::Change, EntryOp::Delete, EntryOp::Trade, EntryOp::Other]
            [[0, 0, 0, 1, 2, 2, 3, 4][self.random.usize(0..8)]];
        let bare = self.bare(op, instrument);
        let book = &mut self.books[instrument];
        let entry = Entry { rpt_seq, ..order(&mut self.random, self.base, book, bare) };
        // What it refuses is wrong on purpose.
        let _ = entry.apply(book);
        if self.mending == Some(instrument) {
            self.missed.push_back(entry);
        }
        entry
    }

    /// An order of the host's for the logic's book.
    fn order(&mut self, op: EntryOp, instrument: usize, rules: &Rules) -> Entry {
        let bare = self.bare(op, instrument);
        order(&mut self.random, self.base, rules.book(instrument), bare)
    }

    /// The host's next entry, if there is one now.
    pub fn host(&mut self, rules: &Rules) -> Option<Entry> {
        if self.script.is_empty() {
            if !self.odd(self.odds.host) {
                return None;
            }
            let instrument = self.random.usize(0..self.instruments);
            if rules.is_live(instrument) {
                if self.odd(self.odds.disturbs) {
                    self.disturb(instrument, rules);
                }
            } else if self.odd(self.odds.heals) {
                self.heal(instrument, rules);
            } else {
                self.disturb(instrument, rules);
            }
        }
        if self.host_wait > 0 {
            self.host_wait -= 1;
            return None;
        }
        self.host_wait = [0, 0, 1, 9][self.random.usize(0..4)];
        let mut entry = self.script.pop_front()?;
        if entry.op == EntryOp::Live && self.mending.is_some() {
            if let Some(missed) = self.missed.pop_front() {
                self.script.push_front(entry);
                let (packet, rpt_seq, last, bad) = (None, 0, false, false);
                return Some(Entry { packet, rpt_seq, last, bad, ..missed });
            }
            self.mending = None;
            entry.rpt_seq = match &self.told {
                Some(told) if self.random.u32(0..8) != 0 => told[entry.instrument],
                _ => rules.rpt_seq(entry.instrument),
            };
        }
        Some(entry)
    }

    /// Makes an instrument live: mostly with a new book.
    fn heal(&mut self, instrument: usize, rules: &Rules) {
        self.missed.clear();
        if self.random.u32(0..8) != 0 {
            self.mending = Some(instrument);
            let clear = self.bare(EntryOp::Clear, instrument);
            self.script.push_back(clear);
            let orders = [Side::Buy, Side::Sell].map(|side| self.books[instrument].orders(side));
            let orders: Vec<Order> = orders.into_iter().flatten().collect();
            for Order { id, side, price, quantity, .. } in orders {
                let new = self.bare(EntryOp::New, instrument);
                self.script.push_back(Entry { id, side, price, quantity, ..new });
            }
        }
        let live =
            Entry { rpt_seq: rules.rpt_seq(instrument), ..self.bare(EntryOp::Live, instrument) };
        let trade = self.order(EntryOp::Trade, instrument, rules);
        let show = self.bare(EntryOp::Show, instrument);
        self.script.extend([live, trade, show]);
    }

    /// Any entry.
    fn disturb(&mut self, instrument: usize, rules: &Rules) {
        use EntryOp::{Change, Clear, Delete, Live, New, Show, Stale, Trade};
        let op = [New, Change, Delete, Trade, Clear, Live, Show, Stale][self.random.usize(0..8)];
        let entry = match op {
            Clear | Show | Stale => self.bare(op, instrument),
            Live => {
                let here = rules.rpt_seq(instrument);
                let rpt_seq = here.wrapping_add(self.random.u32(0..3)).saturating_sub(1);
                Entry { rpt_seq, ..self.bare(op, instrument) }
            }
            _ => self.order(op, instrument, rules),
        };
        self.script.push_back(entry);
    }
}

/// `bare` with an order, mostly such as this book takes; prices are around `base`.
fn order(random: &mut Rng, base: i64, book: &OrderBook, bare: Entry) -> Entry {
    let side = if random.bool() { Side::Buy } else { Side::Sell };
    let first = book.front(side).map(|(_, order)| order.id);
    let some = random.u64(0..IDS);
    let fits = |id: &u64| book.get(*id).is_some() != (bare.op == EntryOp::New);
    let any = (0..IDS).map(|at| (some + at) % IDS).find(fits);
    let id = match (random.u32(0..256), bare.op) {
        (0, _) => some,
        (1..99, EntryOp::Change | EntryOp::Delete) => first.or(any).unwrap_or(some),
        _ => any.unwrap_or(some),
    };
    let price = base + random.i64(-SPREAD..=SPREAD);
    let quantity = match random.u32(0..400) {
        0 => 0,
        1..40 => random.u64(1..1 << 32),
        _ => random.u64(1..10),
    };
    Entry { side, id, price, quantity, ..bare }
}
