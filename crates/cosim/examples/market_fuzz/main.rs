//! The market in logic beside its rules as software, on a random feed and host.
//!
//! `market_fuzz [ROUNDS [FIRST [WAVE]]]` plays the rounds FIRST, FIRST + 1, … of some hundred packets each: entries in
//! and out of their turn, unreadable ones, messages that fail, packets that are bad or missing, early and late verdicts,
//! pauses, a queue that runs over, and a host that makes books anew, or disturbs, all at once. In each cycle the logic
//! must answer, show and count what the rules say, with whole books beside it. A round that differs is told with its
//! number; alone, with what came last. With WAVE the signals of all rounds go to that file.
//!
//! It needs the model of `make rtl-fuzz`, which is also the way to run it.

#[path = "../bench/mod.rs"]
mod bench;
mod feed;
#[path = "../bench/rounds.rs"]
mod rounds;
mod rules;

use std::collections::VecDeque;
use std::process::ExitCode;

use bench::ports;
use feed::Feed;
use rounds::{Last, Rounds, run};
use rules::{Answer, Entry, Inputs, Outputs, Rules, Show, Shown, tid};
use saker_book::Level;
use saker_cosim::answers::{AnswerCode, EntryOp};
use saker_cosim::library::{Library, Model, Output};

type Error = Box<dyn std::error::Error>;

const TOP: &str = "market_probe";
/// Packets of a round.
const PACKETS: usize = 400;
/// Cycles in which the market takes at least an entry.
const LONGEST_WAIT: u64 = 10_000;
/// Quiet cycles behind which a round is over.
const QUIET: u64 = 12;

fn main() -> Result<ExitCode, Error> {
    run(TOP, Bench::new)
}

#[derive(Default)]
struct Counts {
    cycles: u64,
    answers: [u64; 14],
    tops: u64,
    trades: u64,
    lost: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cycles, answers, tops, trades, lost } = self;
        let told = (0..).zip(answers).filter_map(|(code, count)| {
            AnswerCode::decode(code).map(|code| format!("{count} {code:?}"))
        });
        let told = told.collect::<Vec<_>>().join(", ");
        write!(
            f,
            "{cycles} cycles, answers: {told}; {tops} tops and {trades} trades shown, {lost} lost"
        )
    }
}

/// The market, simulated.
struct Bench {
    model: Model,
    ports: Ports,
    instruments: usize,
    depth: usize,
    counts: Counts,
    /// Entries that are not taken yet, in order.
    waiting: VecDeque<Entry>,
    last: Last,
}

ports! {
    input {
        rst: 1,
        counted: 1,
        begin_valid: 1,
        begin_tid: 4,
        gap: 1,
        verdict_valid: 1,
        verdict_tid: 4,
        verdict_good: 1,
        s_entry_valid: 1,
        s_entry_op: 4,
        s_entry_instrument: 4,
        s_entry_side: 1,
        s_entry_id: 64,
        s_entry_price: 64,
        s_entry_quantity: 64,
        s_entry_rpt_seq: 32,
        s_entry_last: 1,
        s_entry_bad: 1,
        s_entry_tid: 4,
        s_entry_tstamp: 64,
        s_host_valid: 1,
        s_host_op: 4,
        s_host_instrument: 4,
        s_host_side: 1,
        s_host_id: 64,
        s_host_price: 64,
        s_host_quantity: 64,
        s_host_rpt_seq: 32,
        s_host_tstamp: 64,
        show_pause: 1,
    }
    output {
        s_host_ready: 1,
        m_top_valid: 1,
        m_top_op: 4,
        m_top_instrument: 4,
        m_top_answer: 4,
        m_top_from_host: 1,
        m_top_last: 1,
        m_top_live: 1,
        m_top_rpt_seq: 32,
        m_top_bid_valid: 1,
        m_top_bid_price: 64,
        m_top_bid_quantity: 64,
        m_top_bid_orders: 16,
        m_top_ask_valid: 1,
        m_top_ask_price: 64,
        m_top_ask_quantity: 64,
        m_top_ask_orders: 16,
        m_top_tid: 4,
        m_top_tstamp: 64,
        m_show_valid: 1,
        m_show_trade: 1,
        m_show_instrument: 4,
        m_show_bid_valid: 1,
        m_show_bid_price: 64,
        m_show_ask_valid: 1,
        m_show_ask_price: 64,
        m_show_some: 1,
        m_show_tid: 4,
        m_show_tstamp: 64,
        live: 4,
        rpt_seq: 128,
        market_event: 14,
        obs_take: 1,
        obs_lost: 1,
        obs_wiping: 1,
    }
}

impl Rounds for Bench {
    type Counts = Counts;

    /// A round from reset on.
    fn round(&mut self, number: u64) -> Result<(), String> {
        let mut feed = Feed::new(number, self.instruments, PACKETS);
        let mut rules = Rules::new(self.instruments, self.depth, feed.counted);
        self.reset(feed.counted);
        let (mut host, mut waits, mut quiet) = (None, 0, 0);
        for cycle in 0.. {
            let oldest = self.waiting.iter().find_map(|entry| entry.packet);
            let beat = feed.beat(cycle, oldest);
            if host.is_none() && !feed.is_over() {
                host = feed.host(&rules);
            }
            let pause = feed.pauses() && !feed.is_over();
            self.offer(&beat, host.as_ref(), pause);
            let mut inputs =
                Inputs { begins: beat.begins, verdict: beat.verdict, ..Inputs::default() };
            inputs.lost = self.model.is(self.ports.obs_lost);
            if self.model.is(self.ports.obs_take) {
                let Some(entry) = self.waiting.pop_front() else {
                    return Err(format!("cycle {cycle}: an entry is taken, none was there"));
                };
                inputs.taken = Some(entry);
            }
            match beat.entry {
                Some(entry) if !inputs.lost => self.waiting.push_back(entry),
                _ => {}
            }
            if host.is_some() && self.model.is(self.ports.s_host_ready) {
                self.waiting.extend(host.take());
            }
            self.note(cycle, &inputs);
            self.compare(cycle, &mut rules, &inputs)?;
            self.model.step();
            self.counts.cycles += 1;
            self.counts.lost += u64::from(inputs.lost);
            waits = if inputs.taken.is_some() || self.waiting.is_empty() { 0 } else { waits + 1 };
            if waits == LONGEST_WAIT {
                return Err(format!("cycle {cycle}: {:?} is not taken", self.waiting.front()));
            }
            let over =
                feed.is_over() && host.is_none() && self.waiting.is_empty() && rules.is_quiet();
            quiet = if over { quiet + 1 } else { 0 };
            if quiet == QUIET {
                break;
            }
        }
        Ok(())
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
        Ok(Self {
            model,
            ports: Ports::new(library)?,
            instruments: parameter("INSTRUMENTS")? as usize,
            depth: parameter("DEPTH")? as usize,
            counts: Counts::default(),
            waiting: VecDeque::new(),
            last: Last::default(),
        })
    }

    /// A market with empty books.
    fn reset(&mut self, counted: bool) {
        for valid in [self.ports.begin_valid, self.ports.gap, self.ports.verdict_valid] {
            self.model.set(valid, 0);
        }
        self.model.set(self.ports.s_entry_valid, 0);
        self.model.set(self.ports.s_host_valid, 0);
        self.model.set(self.ports.show_pause, 0);
        self.model.set(self.ports.counted, counted.into());
        self.model.set(self.ports.rst, 1);
        // What is on its way leaves meanwhile.
        (0..8).for_each(|_| self.model.step());
        self.model.set(self.ports.rst, 0);
        self.model.settle();
        while self.model.is(self.ports.obs_wiping) {
            self.model.step();
        }
        (0..2).for_each(|_| self.model.step());
        self.waiting.clear();
        self.last.clear();
    }

    /// Sets the inputs of a cycle.
    fn offer(&mut self, beat: &feed::Beat, host: Option<&Entry>, pause: bool) {
        let Self { model, ports, .. } = self;
        model.set(ports.show_pause, pause.into());
        model.set(ports.begin_valid, beat.begins.is_some().into());
        model.set(ports.gap, beat.begins.is_some_and(|(_, gap)| gap).into());
        model.set(ports.verdict_valid, beat.verdict.is_some().into());
        if let Some((packet, _)) = beat.begins {
            model.set(ports.begin_tid, tid(packet));
        }
        if let Some((packet, good)) = beat.verdict {
            model.set(ports.verdict_tid, tid(packet));
            model.set(ports.verdict_good, good.into());
        }
        model.set(ports.s_entry_valid, beat.entry.is_some().into());
        if let Some(entry) = beat.entry {
            for (port, value) in [
                (ports.s_entry_op, entry.op as u64),
                (ports.s_entry_instrument, entry.instrument as u64),
                (ports.s_entry_side, entry.side as u64),
                (ports.s_entry_id, entry.id),
                (ports.s_entry_price, entry.price.cast_unsigned()),
                (ports.s_entry_quantity, entry.quantity),
                (ports.s_entry_rpt_seq, entry.rpt_seq.into()),
                (ports.s_entry_last, entry.last.into()),
                (ports.s_entry_bad, entry.bad.into()),
                (ports.s_entry_tid, entry.packet.map_or(0, tid)),
                (ports.s_entry_tstamp, entry.stamp),
            ] {
                model.set(port, value);
            }
        }
        model.set(ports.s_host_valid, host.is_some().into());
        if let Some(entry) = host {
            for (port, value) in [
                (ports.s_host_op, entry.op as u64),
                (ports.s_host_instrument, entry.instrument as u64),
                (ports.s_host_side, entry.side as u64),
                (ports.s_host_id, entry.id),
                (ports.s_host_price, entry.price.cast_unsigned()),
                (ports.s_host_quantity, entry.quantity),
                (ports.s_host_rpt_seq, entry.rpt_seq.into()),
                (ports.s_host_tstamp, entry.stamp),
            ] {
                model.set(port, value);
            }
        }
        model.settle();
    }

    fn note(&mut self, cycle: u64, inputs: &Inputs) {
        let Inputs { begins, verdict, taken, lost } = inputs;
        let mut line = |text: String| self.last.note(format!("cycle {cycle}: {text}"));
        if let Some((packet, gap)) = begins {
            line(format!(
                "packet {packet} begins{}",
                if *gap { " behind missing ones" } else { "" }
            ));
        }
        if let Some((packet, good)) = verdict {
            line(format!("packet {packet} is {}", if *good { "good" } else { "bad" }));
        }
        if let Some(entry) = taken {
            line(format!("{entry:?}"));
        }
        if *lost {
            line("an entry is lost".to_owned());
        }
    }

    /// What the logic says in a cycle beside what it must say.
    fn compare(&mut self, cycle: u64, rules: &mut Rules, inputs: &Inputs) -> Result<(), String> {
        let numbers = self.model.get_words(self.ports.rpt_seq);
        for (instrument, got) in numbers.into_iter().enumerate().take(self.instruments) {
            let want = rules.rpt_seq(instrument);
            if got != want {
                return Err(format!("cycle {cycle}: RptSeq of {instrument} is {got}, not {want}"));
            }
        }
        let want = rules.cycle(inputs);
        let mut got = Outputs {
            answer: self.answer(cycle)?,
            show: self.show(),
            live: self.model.get(self.ports.live) as u32,
            pulses: self.model.get(self.ports.market_event) as u32,
        };
        // Of a trade the bid's price is the trade's.
        if let (Some(got), Some(want)) = (&mut got.answer, &want.answer)
            && want.op == EntryOp::Trade
            && let (Some(bid), Some(known)) = (&mut got.quotes[0], want.quotes[0])
        {
            bid.price = known.price;
        }
        if got != want {
            return Err(format!("cycle {cycle}: {got:?}, not {want:?}"));
        }
        if let Some(answer) = got.answer {
            self.counts.answers[answer.code as usize] += 1;
        }
        match got.show.map(|show| show.what) {
            Some(Shown::Trade { .. }) => self.counts.trades += 1,
            Some(Shown::Top(_)) => self.counts.tops += 1,
            None => {}
        }
        Ok(())
    }

    fn answer(&self, cycle: u64) -> Result<Option<Answer>, String> {
        let p = &self.ports;
        if !self.model.is(p.m_top_valid) {
            return Ok(None);
        }
        let (op, code) = (self.model.get(p.m_top_op), self.model.get(p.m_top_answer));
        let (Some(op), Some(code)) = (EntryOp::decode(op), AnswerCode::decode(code)) else {
            return Err(format!("cycle {cycle}: the answer {code} to an entry {op}"));
        };
        let quote = |[valid, price, quantity, orders]: [Output; 4]| {
            self.model.is(valid).then(|| Level {
                price: self.model.get(price).cast_signed(),
                quantity: self.model.get(quantity),
                orders: self.model.get(orders) as u32,
            })
        };
        let bid = [p.m_top_bid_valid, p.m_top_bid_price, p.m_top_bid_quantity, p.m_top_bid_orders];
        let ask = [p.m_top_ask_valid, p.m_top_ask_price, p.m_top_ask_quantity, p.m_top_ask_orders];
        Ok(Some(Answer {
            op,
            instrument: self.model.get(p.m_top_instrument) as usize,
            code,
            from_host: self.model.is(p.m_top_from_host),
            last: self.model.is(p.m_top_last),
            live: self.model.is(p.m_top_live),
            rpt_seq: self.model.get(p.m_top_rpt_seq) as u32,
            quotes: [bid, ask].map(quote),
            tid: self.model.get(p.m_top_tid),
            stamp: self.model.get(p.m_top_tstamp),
        }))
    }

    fn show(&self) -> Option<Show> {
        let p = &self.ports;
        if !self.model.is(p.m_show_valid) {
            return None;
        }
        let price = |price| self.model.get(price).cast_signed();
        let quote = |valid, at| self.model.is(valid).then(|| price(at));
        let what = if self.model.is(p.m_show_trade) {
            Shown::Trade { price: price(p.m_show_bid_price), some: self.model.is(p.m_show_some) }
        } else {
            let bid = quote(p.m_show_bid_valid, p.m_show_bid_price);
            Shown::Top([bid, quote(p.m_show_ask_valid, p.m_show_ask_price)])
        };
        Some(Show {
            instrument: self.model.get(p.m_show_instrument) as usize,
            what,
            tid: self.model.get(p.m_show_tid),
            stamp: self.model.get(p.m_show_tstamp),
        })
    }
}
