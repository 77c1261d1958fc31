//! Entries from the FAST engine's records in logic beside crates/feed's normalizer, on random templates of a feed.
//!
//! `entry_fuzz [CASES [FIRST [WAVE]]]` plays the cases FIRST, FIRST + 1, …: templates with fields, types, operators and
//! sequences of a market-data feed in any order, and packets of messages with them. The engine's model decodes them and
//! tells its records in its cycles (some cases with more between them); `entry_builder` makes entries of those, and must
//! make those that the normalizer makes of the same packets. What software reads and logic does not
//! (`rtl/feed/README.md`) does not come, but for texts that are ids: those have packed digits here. A case that differs
//! is told with its number; alone, with its templates and messages. With WAVE the signals of all cases go to that file.
//!
//! It needs the model of `make rtl-fuzz`, which is also the way to run it.

#[path = "../bench/mod.rs"]
mod bench;
mod templates;

use std::process::ExitCode;

use bench::{Arguments, ports};
use fastrand::Rng;
use saker_cosim::answers::EntryOp;
use saker_cosim::library::{Library, LoadError, Model};
use saker_cosim::program::{classes, of_templates, roles_of};
use saker_cosim::registers::templates::{CLASS, CLASS_STRIDE};
use saker_cosim::watch;
use saker_fast::json::to_json;
use saker_fast::microcode::{Engine, EngineOptions, Program, Record, RecordKind};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, Message, ResetPolicy, Templates,
};
use saker_feed::event::{EntryKind, Side};
use saker_feed::normalize::{Class, Event, InstrumentsConfig, Normalizer, TagMap};
use templates::INSTRUMENTS;

type Error = Box<dyn std::error::Error>;

const TOP: &str = "entry_builder";
const WATCHED: u32 = 4;
/// Packets of a case, behind those with the definitions.
const PACKETS: usize = 40;
/// Cycles behind which all of a packet has left.
const REST: u64 = 12;
/// Bits of a record (`fast_pkg::record_t`).
const RECORD_BITS: usize = 96;

fn main() -> Result<ExitCode, Error> {
    let arguments = Arguments::parse()?;
    let (library, model) = arguments.model(TOP)?;
    let mut bench = Bench::new(&library, model)?;
    let mut counts = Counts::default();
    for number in arguments.numbers() {
        let case = Case::new(number)?;
        if arguments.count == 1 {
            println!("{}", case.xml.replace("><", ">\n<"));
        }
        if let Err(difference) = bench.case(case, number, arguments.count == 1, &mut counts)? {
            counts.differ += 1;
            println!("case {number}: {difference}");
        }
        if arguments.tells(number) {
            println!("{counts}, up to {number}");
        }
    }
    Ok(if counts.differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(Default)]
struct Counts {
    cases: u64,
    messages: u64,
    ops: [u64; 8],
    differ: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cases, messages, ops, differ } = self;
        let ops = (0..)
            .zip(ops)
            .filter_map(|(op, count)| Some(format!("{count} {:?}", EntryOp::decode(op)?)));
        let ops = ops.collect::<Vec<_>>().join(", ");
        write!(f, "{cases} cases, {messages} messages, entries: {ops}; {differ} cases differ")
    }
}

/// Templates, and packets of messages of them.
struct Case {
    xml: String,
    templates: Templates,
    packets: Vec<(Vec<u8>, Vec<Message>)>,
    /// Of 256 cycles, how many have an idle one ahead.
    gaps: u8,
    random: Rng,
}

impl Case {
    fn new(number: u64) -> Result<Self, Error> {
        let mut random = Rng::with_seed(number);
        let xml = templates::xml(&mut random);
        let templates = Templates::from_xml(&xml)?;
        let mut encoder = Encoder::new(&templates, EncoderOptions::with_reset(ResetPolicy::Packet));
        let mut packets = Vec::new();
        let definitions =
            (0..INSTRUMENTS.len()).map(|at| (templates::definition(&templates, at), 0));
        let others = (0..PACKETS).map(|_| (None, random.u32(1..4)));
        for (definition, count) in definitions.chain(others).collect::<Vec<_>>() {
            encoder.begin_packet();
            let (mut bytes, mut messages) = (Vec::new(), Vec::new());
            let drawn =
                (0..count).filter_map(|_| templates::random_message(&mut random, &templates));
            for message in definition.into_iter().chain(drawn) {
                let length = bytes.len();
                if encoder.encode(&message, &mut bytes).is_ok() {
                    messages.push(message);
                } else {
                    // Fields of one name share a dictionary entry, and may have different types.
                    bytes.truncate(length);
                    break;
                }
            }
            packets.push((bytes, messages));
        }
        Ok(Self { xml, templates, packets, gaps: [0, 0, 20, 128][random.usize(0..4)], random })
    }
}

/// An entry as it comes, or must come.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    op: EntryOp,
    instrument: usize,
    side: u64,
    id: u64,
    price: i64,
    quantity: u64,
    rpt_seq: u32,
    tid: u64,
    stamp: u64,
}

/// A refresh's entries, and whether its end was told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Told {
    entries: Vec<Entry>,
    ended: bool,
}

/// The entry builder, simulated.
struct Bench {
    model: Model,
    ports: Ports,
}

ports! {
    input {
        rst: 1,
        s_records: 384,
        s_begin: 1,
        s_template: 16,
        s_element: 1,
        s_end: 1,
        s_status: 8,
        s_tid: 4,
        s_tstamp: 64,
        class_write_valid: 1,
        class_write_address: 12,
        class_write_data: 2,
        watch_write_valid: 1,
        watch_write_address: 6,
        watch_write_data: 64,
    }
    output {
        m_valid: 1,
        m_entry: 304,
    }
}

impl Bench {
    fn new(library: &Library, model: Model) -> Result<Self, LoadError> {
        Ok(Self { model, ports: Ports::new(library)? })
    }

    /// Plays a case; what differs first.
    fn case(
        &mut self,
        mut case: Case,
        number: u64,
        shows: bool,
        counts: &mut Counts,
    ) -> Result<Result<(), String>, Error> {
        let program = of_templates(&case.templates, 0, ResetPolicy::Packet)?;
        let mut engine = Engine::new(program.clone(), EngineOptions::default())?;
        let mut reference = Reference::new(&case.templates);
        let roles = roles_of(&program);
        counts.cases += 1;
        for (at, (bytes, messages)) in std::mem::take(&mut case.packets).iter().enumerate() {
            let (tid, stamp) = (at as u64 % 16, number ^ (at as u64) << 32);
            let mut want = reference.packet(bytes, tid, stamp)?;
            // Of other messages nothing is told.
            let mut refreshes = messages.iter().map(|message| {
                matches!(
                    Class::of(message.template()),
                    Class::Incremental | Class::IncrementalEntry
                )
            });
            want.retain(|_| refreshes.next().unwrap_or(true));
            let mut records = Vec::new();
            engine.packet_at(bytes, 0, false, &mut records);
            if at < INSTRUMENTS.len() {
                continue;
            }
            if at == INSTRUMENTS.len() {
                self.load(&program, &case.templates, &reference)?;
            }
            let got = self.play(&records, &roles, tid, stamp, &mut case);
            if shows {
                messages.iter().for_each(|message| println!("packet {at}: {}", to_json(message)));
            }
            counts.messages += messages.len() as u64;
            for one in &got {
                let ops = one.entries.iter().map(|entry| entry.op as usize);
                ops.for_each(|op| counts.ops[op % counts.ops.len()] += 1);
                counts.ops[EntryOp::End as usize] += u64::from(one.entries.is_empty());
            }
            if let Some(found) = difference(&got, &want) {
                return Ok(Err(format!("packet {at}: {found}")));
            }
        }
        Ok(Ok(()))
    }

    fn step(&mut self) {
        self.model.step();
    }

    /// Behind a reset: the classes of the program's templates, and the watched instruments.
    fn load(
        &mut self,
        program: &Program,
        set: &Templates,
        reference: &Reference,
    ) -> Result<(), Error> {
        let p = &self.ports;
        for port in [p.s_begin, p.s_element, p.s_end, p.class_write_valid, p.watch_write_valid] {
            self.model.set(port, 0);
        }
        self.model.set_words(self.ports.s_records, &[0; 12]);
        self.model.set(self.ports.rst, 1);
        (0..8).for_each(|_| self.step());
        self.model.set(self.ports.rst, 0);
        self.model.set(self.ports.class_write_valid, 1);
        for (address, class) in classes(program, set) {
            let at = (address - CLASS) / CLASS_STRIDE;
            self.model.set(self.ports.class_write_address, at.into());
            self.model.set(self.ports.class_write_data, class.into());
            self.step();
        }
        self.model.set(self.ports.class_write_valid, 0);
        self.model.set(self.ports.watch_write_valid, 1);
        for index in 0..WATCHED {
            let known =
                reference.normalizer.instruments().get(index).ok_or("an instrument lacks")?;
            for (field, halves) in (0..).zip(watch::instrument(0, known)?.chunks(2)) {
                let value =
                    halves.iter().rev().fold(0, |sum, (_, half)| sum << 32 | u64::from(*half));
                self.model.set(self.ports.watch_write_address, u64::from(index) << 2 | field);
                self.model.set(self.ports.watch_write_data, value);
                self.step();
            }
        }
        self.model.set(self.ports.watch_write_valid, 0);
        (0..4).for_each(|_| self.step());
        Ok(())
    }

    /// What the logic makes of a packet's records, message by message.
    fn play(
        &mut self,
        records: &[Record],
        roles: &[u8],
        tid: u64,
        stamp: u64,
        case: &mut Case,
    ) -> Vec<Told> {
        let mut told = vec![Told::default()];
        self.model.set(self.ports.s_tid, tid);
        self.model.set(self.ports.s_tstamp, stamp);
        let mut now = records.first().map_or(0, |record| record.cycle);
        for cycle in records.chunk_by(|one, next| one.cycle == next.cycle) {
            let idle = cycle[0].cycle - now + u64::from(case.random.u8(..) < case.gaps);
            (0..idle).for_each(|_| self.tick(&[], roles, &mut told));
            self.tick(cycle, roles, &mut told);
            now = cycle[0].cycle + 1;
        }
        (0..REST).for_each(|_| self.tick(&[], roles, &mut told));
        if told.last().is_some_and(|last| *last == Told::default()) {
            told.pop();
        }
        told
    }

    /// A cycle with these records.
    fn tick(&mut self, records: &[Record], roles: &[u8], told: &mut Vec<Told>) {
        let Self { model, ports, .. } = self;
        let of = |kind| records.iter().find(|record| record.kind == kind);
        let begin = of(RecordKind::MessageBegin);
        let end = of(RecordKind::MessageEnd);
        model.set(ports.s_begin, begin.is_some().into());
        model.set(ports.s_template, begin.map_or(0, |record| record.tag.into()));
        model.set(ports.s_element, of(RecordKind::ElementEnd).is_some().into());
        model.set(ports.s_end, end.is_some().into());
        model.set(ports.s_status, end.map_or(0, |record| record.info.into()));
        let mut words = [0; 4 * RECORD_BITS / 32];
        let values = records.iter().filter(|record| record.kind as u8 <= RecordKind::Length as u8);
        for (lane, record) in words.chunks_mut(RECORD_BITS / 32).zip(values) {
            let role = roles.get(usize::from(record.tag)).copied().unwrap_or(0);
            let packed = 1 << 95
                | u128::from(record.value) << 31
                | u128::from(record.tag) << 17
                | u128::from(role) << 12
                | u128::from(record.kind as u8) << 8
                | u128::from(record.info);
            (0..).zip(lane).for_each(|(at, word)| *word = (packed >> (32 * at)) as u32);
        }
        model.set_words(ports.s_records, &words);
        model.settle();
        if model.is(ports.m_valid) {
            self.entry(told);
        }
        self.step();
    }

    /// The entry that leaves.
    fn entry(&self, told: &mut Vec<Told>) {
        let words = self.model.get_words(self.ports.m_entry);
        let mut at = 0;
        // From the last field to the first.
        let mut field = |bits: usize| {
            let value = (0..bits).fold(0u64, |sum, bit| {
                let place = at + bit;
                sum | u64::from(words[place / 32] >> (place % 32) & 1) << bit
            });
            at += bits;
            value
        };
        let (stamp, tid, _from_host) = (field(64), field(4), field(1));
        let (_bad, last, rpt_seq) = (field(1), field(1) == 1, field(32) as u32);
        let (quantity, price, id) = (field(64), field(64).cast_signed(), field(64));
        let (side, instrument) = (field(1), field(4) as usize);
        let Some(op) = EntryOp::decode(field(4)) else { return };
        let entry = Entry { op, instrument, side, id, price, quantity, rpt_seq, tid, stamp };
        if let Some(message) = told.last_mut() {
            if op != EntryOp::End {
                message.entries.push(entry.clear());
            }
            message.ended = last;
        }
        if last {
            told.push(Told::default());
        }
    }
}

impl Entry {
    /// Without what its op does not tell.
    fn clear(self) -> Self {
        let order = matches!(self.op, EntryOp::New | EntryOp::Change | EntryOp::Delete);
        let valued = order || self.op == EntryOp::Trade;
        let counted = valued || self.op == EntryOp::Other;
        Self {
            side: if order { self.side } else { 0 },
            id: if valued { self.id } else { 0 },
            price: if valued { self.price } else { 0 },
            quantity: if valued { self.quantity } else { 0 },
            rpt_seq: if counted { self.rpt_seq } else { 0 },
            ..self
        }
    }
}

/// Decoder and normalizer.
struct Reference {
    decoder: Decoder,
    normalizer: Normalizer,
}

impl Reference {
    fn new(templates: &Templates) -> Self {
        let decoder = Decoder::new(templates, DecoderOptions::with_reset(ResetPolicy::Packet));
        let config = InstrumentsConfig::default();
        Self { decoder, normalizer: Normalizer::new(TagMap::new(templates), config, 1 << 12) }
    }

    /// The entries of each message of a packet.
    fn packet(&mut self, mut bytes: &[u8], tid: u64, stamp: u64) -> Result<Vec<Told>, Error> {
        let mut told = Vec::new();
        self.decoder.begin_packet();
        while !bytes.is_empty() {
            self.normalizer.clear();
            let length = self.decoder.decode(bytes, &mut self.normalizer)?;
            bytes = bytes.get(length..).unwrap_or_default();
            let events = self.normalizer.events().iter();
            let entries = events.filter_map(|event| entry(event, tid, stamp)).collect();
            told.push(Told { entries, ended: true });
        }
        Ok(told)
    }
}

/// An event of a watched instrument as an entry.
fn entry(event: &Event, tid: u64, stamp: u64) -> Option<Entry> {
    let bare = |op, instrument: u32| Entry {
        op,
        instrument: instrument as usize,
        side: 0,
        id: 0,
        price: 0,
        quantity: 0,
        rpt_seq: 0,
        tid,
        stamp,
    };
    let entry = match *event {
        Event::Entry(entry) => {
            let op = EntryOp::of(&entry.kind);
            let (side, price, quantity) = match entry.kind {
                EntryKind::Trade { price, quantity } => (0, price.mantissa, quantity),
                EntryKind::Order { side, price, quantity, .. } => {
                    (u64::from(side == Side::Offer), price.mantissa, quantity)
                }
            };
            let (id, rpt_seq) = (entry.id, entry.rpt_seq);
            Entry { side, id, price, quantity, rpt_seq, ..bare(op, entry.instrument) }
        }
        Event::Other { instrument, rpt_seq } => {
            Entry { rpt_seq, ..bare(EntryOp::Other, instrument) }
        }
        Event::Broken { instrument } => bare(EntryOp::Broken, instrument),
        _ => return None,
    };
    (entry.instrument < WATCHED as usize).then_some(entry)
}

/// A number as packed decimal; that of a text is, in logic.
fn packed(id: u64) -> Option<u64> {
    u64::from_str_radix(&id.to_string(), 16).ok()
}

/// The first message that differs.
fn difference(got: &[Told], want: &[Told]) -> Option<String> {
    for at in 0..got.len().max(want.len()) {
        match (got.get(at), want.get(at)) {
            (Some(got), Some(want)) if same(got, want) => {}
            (got, want) => return Some(format!("message {at}: got {got:#?}, want {want:#?}")),
        }
    }
    None
}

fn same(got: &Told, want: &Told) -> bool {
    let one = |(got, want): (&Entry, &Entry)| {
        let id = if got.id == want.id { want.id } else { packed(want.id).unwrap_or(want.id) };
        *got == Entry { id, ..want.clone() }
    };
    got.ended
        && got.entries.len() == want.entries.len()
        && got.entries.iter().zip(&want.entries).all(one)
}
