//! The rules of `rtl/top/market.sv` as software: what becomes of each entry, what the strategies are shown, and when.
//!
//! It is told in each cycle what comes in and whether the logic takes the entry in hand; from there on all is fixed.

use std::collections::VecDeque;

use saker_book::{BookError, Level, OrderBook, Side};
use saker_cosim::answers::{AnswerCode, EntryOp};

/// Cycles from the one that takes an entry to the one that answers it.
const ANSWER: u64 = 5;
/// Cycles from the one that takes an entry to the one in which it is known that the book refuses it.
const REFUSAL: u64 = 4;
/// A book that is emptied so many cycles behind an entry has no answer to it any more.
const DROPPED: u64 = 2;
/// Cycles from the answer to a message's last entry to the first top that did not fit beside it.
const RECALL: u64 = 2;

/// A set of instruments.
pub type Set = u32;

/// An entry, of the feed or of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub op: EntryOp,
    pub instrument: usize,
    pub side: Side,
    pub id: u64,
    pub price: i64,
    pub quantity: u64,
    pub rpt_seq: u32,
    /// It ends its message, and that ended with an error.
    pub last: bool,
    pub bad: bool,
    /// The number of its packet; none of the host's.
    pub packet: Option<usize>,
    /// Its own number.
    pub stamp: u64,
}

impl Entry {
    fn is_command(&self) -> bool {
        matches!(self.op, EntryOp::New | EntryOp::Change | EntryOp::Delete)
    }

    fn is_data(&self) -> bool {
        self.is_command() || matches!(self.op, EntryOp::Trade | EntryOp::Other)
    }

    fn tid(&self) -> u64 {
        self.packet.map_or(0, tid)
    }

    /// What it does to a book, if it is for one.
    pub fn apply(&self, book: &mut OrderBook) -> Result<(), BookError> {
        let Self { op, side, id, price, quantity, .. } = *self;
        match op {
            EntryOp::New => book.add(id, side, price, quantity).map(drop),
            EntryOp::Change => book.change(id, price, quantity).map(drop),
            EntryOp::Delete => book.remove(id).map(drop),
            _ => Ok(()),
        }
    }
}

/// A packet's number as the logic has it.
pub fn tid(packet: usize) -> u64 {
    (packet % 16) as u64
}

/// What comes in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs {
    /// A packet begins; with true, others before it are missing.
    pub begins: Option<(usize, bool)>,
    /// What became of a packet: whether it is good.
    pub verdict: Option<(usize, bool)>,
    /// The entry in hand, which is taken.
    pub taken: Option<Entry>,
    /// An entry found no room.
    pub lost: bool,
}

/// The answer to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    pub op: EntryOp,
    pub instrument: usize,
    pub code: AnswerCode,
    pub from_host: bool,
    pub last: bool,
    pub live: bool,
    pub rpt_seq: u32,
    pub quotes: [Option<Level>; 2],
    pub tid: u64,
    pub stamp: u64,
}

/// What the strategies are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Show {
    pub instrument: usize,
    pub what: Shown,
    pub tid: u64,
    pub stamp: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Trade {
        price: i64,
        some: bool,
    },
    /// The best prices.
    Top([Option<i64>; 2]),
}

/// One-cycle pulses, in the order of `feed_pkg::market_event_t`, the first one highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Pulse {
    Behind,
    Live,
    ShowHeld,
    ShowTop,
    ShowTrade,
    Overflow,
    BadPacket,
    Refused,
    Poisoned,
    Broken,
    Jump,
    Withheld,
    Old,
    Applied,
}

/// What the logic must say in one cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outputs {
    pub answer: Option<Answer>,
    pub show: Option<Show>,
    pub live: Set,
    /// Bits by [`Pulse`].
    pub pulses: u32,
}

#[derive(Debug)]
struct Instrument {
    book: OrderBook,
    live: bool,
    /// A packet is missing, and nothing has told yet that none of it was this instrument's.
    suspect: bool,
    /// Its book may hold what is wrong.
    unsound: bool,
    rpt_seq: u32,
    /// The best of each side behind the entry that was answered last.
    quotes: [Option<Level>; 2],
}

#[derive(Debug, Clone, Copy, Default)]
struct Packet {
    bad: bool,
    touched: Set,
}

/// An entry that was taken, on its way to its answer.
#[derive(Debug, Clone, Copy)]
struct Taken {
    at: u64,
    entry: Entry,
    /// It changed what it is about.
    applied: bool,
    /// The best price or quantity of a side is another behind it.
    moved: bool,
    answer: Answer,
    refused: bool,
}

/// The market as software.
pub struct Rules {
    counted: bool,
    instruments: Vec<Instrument>,
    packets: Vec<Packet>,
    /// The first packet behind missing ones, until something comes from behind them.
    gap: Option<usize>,
    /// Instruments that the message at hand has touched, and the last one.
    message: Set,
    touched_last: usize,
    /// An entry has found no room a cycle ago.
    lost: bool,
    on_the_way: VecDeque<Taken>,
    /// Which instruments were trusted behind each of the last cycles, and are so still.
    trusted: VecDeque<Set>,
    /// Instruments whose top the message at hand has changed, in order, and from which cycle on they are shown.
    due: VecDeque<usize>,
    recall_from: Option<u64>,
    /// The entry that was answered last.
    answered: Option<Entry>,
    cycle: u64,
    pulses: u32,
}

impl Rules {
    /// Books for so many instruments, all empty and stale. With `counted` holes in RptSeq are only counted.
    pub fn new(instruments: usize, depth: usize, counted: bool) -> Self {
        let one = || Instrument {
            book: OrderBook::with_capacity(2 * depth),
            live: false,
            suspect: false,
            unsound: false,
            rpt_seq: 0,
            quotes: [None; 2],
        };
        Self {
            counted,
            instruments: (0..instruments).map(|_| one()).collect(),
            packets: Vec::new(),
            gap: None,
            message: 0,
            touched_last: 0,
            lost: false,
            on_the_way: VecDeque::new(),
            trusted: VecDeque::from([0; ANSWER as usize]),
            due: VecDeque::new(),
            recall_from: None,
            answered: None,
            cycle: 0,
            pulses: 0,
        }
    }

    /// The last RptSeq of an instrument.
    pub fn rpt_seq(&self, instrument: usize) -> u32 {
        self.instruments[instrument].rpt_seq
    }

    /// Whether an instrument is live.
    pub fn is_live(&self, instrument: usize) -> bool {
        self.instruments[instrument].live
    }

    /// The book of an instrument.
    pub fn book(&self, instrument: usize) -> &OrderBook {
        &self.instruments[instrument].book
    }

    /// Nothing is on its way.
    pub fn is_quiet(&self) -> bool {
        self.on_the_way.is_empty() && self.recall_from.is_none()
    }

    fn all(&self) -> Set {
        (1 << self.instruments.len()) - 1
    }

    /// The instruments of which something holds.
    fn set(&self, holds: impl Fn(&Instrument) -> bool) -> Set {
        (0..).zip(&self.instruments).filter(|(_, one)| holds(one)).map(|(at, _)| 1 << at).sum()
    }

    fn pulse(&mut self, pulse: Pulse, on: bool) {
        self.pulses |= u32::from(on) << pulse as u32;
    }

    /// A cycle: what the logic must say in it, told what comes in.
    pub fn cycle(&mut self, inputs: &Inputs) -> Outputs {
        let pulses = std::mem::take(&mut self.pulses);
        let gap = self.gap.is_some();
        let live = if gap { 0 } else { self.set(|one| one.live && !one.suspect) };
        let (answer, show) = self.answers();
        self.admission(inputs);
        self.cycle += 1;
        Outputs { answer, show, live, pulses }
    }

    // ------------------------------------------------------------ what leaves

    /// Of this cycle: the answer to an entry, and what is shown.
    fn answers(&mut self) -> (Option<Answer>, Option<Show>) {
        let trusted = self.trusted.pop_front().unwrap_or(0);
        let (cycle, mut show) = (self.cycle, None);
        if self.recall_from.is_some_and(|from| from <= cycle) {
            show = self.due.pop_front().map(|instrument| self.top(instrument));
            if self.due.is_empty() {
                self.recall_from = None;
            }
        }
        let here = |taken: &mut Taken| taken.at + ANSWER == cycle;
        let answer = self.on_the_way.pop_front_if(here).map(|taken| {
            show = show.or(self.shown_with(&taken));
            Answer { live: trusted >> taken.answer.instrument & 1 == 1, ..taken.answer }
        });
        let held = show.filter(|show| trusted >> show.instrument & 1 == 0);
        if held.is_some() {
            // What the host asks for is refused, not held.
            let asked = self.answered.is_some_and(|entry| entry.op == EntryOp::Show);
            self.pulse(Pulse::ShowHeld, !asked);
            return (answer, None);
        }
        let is_trade = show.is_some_and(|show| matches!(show.what, Shown::Trade { .. }));
        self.pulse(Pulse::ShowTrade, is_trade);
        self.pulse(Pulse::ShowTop, show.is_some() && !is_trade);
        (answer, show)
    }

    /// What is shown beside an entry's answer. More than one top follows it.
    fn shown_with(&mut self, taken: &Taken) -> Option<Show> {
        let Taken { entry, applied, answer, .. } = *taken;
        self.answered = Some(entry);
        self.instruments[answer.instrument].quotes = answer.quotes;
        self.pulse(Pulse::Refused, taken.refused);
        let of_feed = entry.packet.is_some();
        if of_feed && taken.moved && !self.due.contains(&answer.instrument) {
            self.due.push_back(answer.instrument);
        }
        let is_trade = applied && entry.op == EntryOp::Trade;
        let ends = of_feed && entry.last;
        let alone = self.due.len() == 1 && self.due[0] == answer.instrument;
        if ends && alone && entry.op != EntryOp::Trade {
            self.due.clear();
            return Some(self.top(answer.instrument));
        }
        if ends && !self.due.is_empty() {
            self.recall_from = Some(self.cycle + RECALL);
        }
        if is_trade {
            let what = Shown::Trade { price: entry.price, some: entry.quantity != 0 };
            return Some(self.show(entry.instrument, what));
        }
        (applied && entry.op == EntryOp::Show).then(|| self.top(entry.instrument))
    }

    fn top(&self, instrument: usize) -> Show {
        let quotes = self.instruments[instrument].quotes.map(|quote| quote.map(|it| it.price));
        self.show(instrument, Shown::Top(quotes))
    }

    fn show(&self, instrument: usize, what: Shown) -> Show {
        let (tid, stamp) = self.answered.map_or((0, 0), |entry| (entry.tid(), entry.stamp));
        Show { instrument, what, tid, stamp }
    }

    fn quotes(&self, instrument: usize) -> [Option<Level>; 2] {
        [Side::Buy, Side::Sell].map(|side| self.book(instrument).best(side))
    }

    // ------------------------------------------------------------ what comes in

    /// Which instruments are stale behind this cycle, and of which nothing on its way is shown any more.
    fn admission(&mut self, inputs: &Inputs) {
        let (mut stale, mut unsound, mut at_once) = (0, 0, 0);
        // The book's answer is there.
        let known = |taken: &&Taken| taken.at + REFUSAL == self.cycle && taken.refused;
        if let Some(taken) = self.on_the_way.iter().find(known) {
            unsound |= 1 << taken.entry.instrument;
            if !self.counted {
                stale |= unsound;
            }
        }
        if let Some((packet, good)) = inputs.verdict {
            let packet = &mut self.packets[packet];
            packet.bad = !good;
            if !good {
                let touched = packet.touched;
                (stale, unsound) = (stale | touched, unsound | touched);
                self.pulse(Pulse::BadPacket, touched != 0);
            }
        }
        at_once |= stale;
        let mut failed = false;
        let behind_gap = |entry: &Entry| entry.packet.is_none_or(|it| Some(it) >= self.gap);
        let gap_holds = self.gap.is_some() && inputs.taken.as_ref().is_some_and(behind_gap);
        let mut raised = 0;
        let mut proven = 0;
        if let Some(entry) = inputs.taken {
            let outcome = self.take(&entry);
            stale |= outcome.stale;
            unsound |= outcome.unsound;
            at_once |= outcome.at_once;
            (failed, raised, proven) = (outcome.failed, outcome.raised, outcome.proven);
        }
        if self.lost {
            (stale, at_once) = (self.all(), self.all());
        }
        let second_gap = self.gap.is_some() && inputs.begins.is_some_and(|(_, gap)| gap);
        let unknown = !self.counted && (second_gap || failed);
        if unknown {
            at_once = self.all();
        }

        self.each(raised, |one| (one.live, one.suspect) = (true, false));
        if gap_holds {
            let all = self.all();
            self.each(all & !raised & !proven, |one| one.suspect = true);
            self.gap = None;
        }
        self.each(proven, |one| one.suspect = false);
        if unknown {
            let all = self.all();
            self.each(all, |one| one.suspect = true);
        }
        self.each(stale, |one| one.live = false);
        self.each(unsound, |one| one.unsound = true);
        self.lost = inputs.lost;
        self.pulse(Pulse::Overflow, inputs.lost);
        if let Some((packet, gap)) = inputs.begins {
            self.packets.resize(packet + 1, Packet::default());
            if gap && !self.counted {
                self.gap = Some(packet);
            }
        }
        self.trusted.iter_mut().for_each(|set| *set &= !at_once);
        let trusted = self.set(|one| one.live && !one.suspect);
        self.trusted.push_back(trusted);
    }

    fn each(&mut self, set: Set, act: impl Fn(&mut Instrument)) {
        let some = self.instruments.iter_mut().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        some.for_each(|(_, one)| act(one));
    }

    /// The entry in hand is taken.
    fn take(&mut self, entry: &Entry) -> Outcome {
        let mut outcome = Outcome::default();
        let mine: Set = 1 << entry.instrument;
        if entry.op == EntryOp::Clear {
            outcome.at_once |= mine;
        }
        let (code, applied) = match entry.packet {
            Some(packet) => self.of_feed(entry, packet, &mut outcome),
            None => self.of_host(entry, &mut outcome),
        };
        let before = self.book(entry.instrument).top();
        let mut answer = Answer {
            op: entry.op,
            instrument: if entry.op == EntryOp::End { self.touched_last } else { entry.instrument },
            code,
            from_host: entry.packet.is_none(),
            last: entry.last,
            live: false,
            rpt_seq: entry.rpt_seq,
            quotes: [None; 2],
            tid: entry.tid(),
            stamp: entry.stamp,
        };
        let mut refused = false;
        if applied && let Err(error) = entry.apply(&mut self.instruments[entry.instrument].book) {
            answer.code = AnswerCode::of_refusal(&error);
            refused = true;
        }
        answer.quotes = self.quotes(answer.instrument);
        let moved = self.book(entry.instrument).top() != before;
        if let Some(packet) = entry.packet {
            if applied {
                self.touched_last = entry.instrument;
                self.packets[packet].touched |= mine;
                self.message |= mine;
            }
            if entry.last {
                self.message = 0;
            }
        }
        let (entry, at) = (*entry, self.cycle);
        self.on_the_way.push_back(Taken { at, entry, applied, moved, answer, refused });
        outcome
    }

    /// An entry of the feed: its answer but for the book's, and whether it is applied.
    fn of_feed(&mut self, entry: &Entry, packet: usize, out: &mut Outcome) -> (AnswerCode, bool) {
        let mine: Set = 1 << entry.instrument;
        let counted = self.counted;
        out.failed = entry.last && entry.bad;
        if out.failed && !counted {
            (out.stale, out.unsound) = (self.message, self.message);
        }
        if out.failed || self.packets[packet].bad {
            if entry.op != EntryOp::End {
                out.stale |= mine;
            }
            out.at_once = out.stale;
            self.pulse(Pulse::Poisoned, true);
            return (AnswerCode::Poisoned, false);
        }
        out.at_once = out.stale;
        if matches!(entry.op, EntryOp::Broken | EntryOp::Lost) {
            if !counted {
                out.stale |= if entry.op == EntryOp::Lost { self.all() } else { mine };
            }
            self.pulse(Pulse::Broken, true);
            return (AnswerCode::Broken, false);
        }
        if !entry.is_data() {
            return (AnswerCode::Done, false);
        }
        let one = &mut self.instruments[entry.instrument];
        let was = one.rpt_seq;
        let unchecked = counted || entry.rpt_seq == 0;
        let (next, after) = (entry.rpt_seq == was.wrapping_add(1), entry.rpt_seq > was);
        if unchecked || after {
            one.rpt_seq = entry.rpt_seq;
        }
        let live = one.live;
        self.pulse(Pulse::Jump, !next && if unchecked { was != 0 } else { live && after });
        if !live {
            self.pulse(Pulse::Withheld, true);
            return (AnswerCode::Stale, false);
        }
        if unchecked || next {
            if !unchecked {
                out.proven = mine;
            }
            self.pulse(Pulse::Applied, true);
            return (AnswerCode::Done, true);
        }
        if after {
            out.stale |= mine;
            return (AnswerCode::Gap, false);
        }
        self.pulse(Pulse::Old, true);
        (AnswerCode::Old, false)
    }

    /// As [`Self::of_feed`], of the host's.
    fn of_host(&mut self, entry: &Entry, out: &mut Outcome) -> (AnswerCode, bool) {
        let mine: Set = 1 << entry.instrument;
        let counted = self.counted;
        let one = &mut self.instruments[entry.instrument];
        match entry.op {
            EntryOp::Clear => {
                one.book.clear();
                (one.rpt_seq, one.unsound) = (0, false);
                out.stale |= mine;
                let cycle = self.cycle;
                let dropped = |taken: &&mut Taken| {
                    taken.at + DROPPED == cycle && taken.answer.instrument == entry.instrument
                };
                if let Some(taken) = self.on_the_way.iter_mut().find(dropped) {
                    (taken.answer.quotes, taken.moved) = ([None; 2], false);
                    if std::mem::take(&mut taken.refused) {
                        taken.answer.code = AnswerCode::Done;
                    }
                }
            }
            EntryOp::Live if one.unsound || (entry.rpt_seq < one.rpt_seq && !counted) => {
                self.pulse(Pulse::Behind, true);
                return (AnswerCode::Behind, false);
            }
            EntryOp::Live => {
                one.rpt_seq = entry.rpt_seq;
                out.raised = mine;
                self.pulse(Pulse::Live, true);
            }
            EntryOp::Stale => out.stale |= mine,
            EntryOp::Trade | EntryOp::Show if !one.live => return (AnswerCode::Stale, false),
            _ => {}
        }
        (AnswerCode::Done, true)
    }
}

/// What an entry that is taken says of instruments.
#[derive(Debug, Default)]
struct Outcome {
    /// These are stale from the next cycle on.
    stale: Set,
    /// The books of these may hold what is wrong.
    unsound: Set,
    /// Of these, nothing on its way is shown any more.
    at_once: Set,
    /// Its message ended with an error.
    failed: bool,
    /// The host says that these are complete.
    raised: Set,
    /// It was the next one of these.
    proven: Set,
}
