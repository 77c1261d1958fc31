//! The FAST engine in logic beside its model, on random templates and those of venues, random messages and damage.
//!
//! `engine_fuzz [CASES [FIRST [WAVE]]]` plays the cases FIRST, FIRST + 1, … (before more than one the known ones,
//! too), each at the pace it asks for, which must give the model's records in the model's cycles, and, but for those
//! that go through all entities or nests, once more with gaps between the words, whatever the pace, which must give the
//! same records. A case that differs is told with its number, which is all that is needed to play it again: alone it is
//! shown with its program and packets. With WAVE the signals of all cases go to that file.
//!
//! It needs the model of `make rtl-fuzz`, which is also the way to run it.

mod bench;
#[path = "../../fast/tests/common/mod.rs"]
mod common;

use std::collections::HashMap;
use std::process::ExitCode;

use bench::{Arguments, ports};
use common::engine_cases::{
    Case, Pace, Played, headers, keys, known, random, swept, venue, venues,
};
use common::generate::Random;
use common::hexed;
use saker_cosim::library::{Library, LoadError, Model};
use saker_fast::microcode::record::MORE;
use saker_fast::microcode::{Record, RecordKind, Status, image, listing};
use saker_fast::{ErrorCode, Templates};

type Error = Box<dyn std::error::Error>;

const TOP: &str = "fast_engine";
const LANES: usize = 4;
/// Words of a record in `m_records`.
const RECORD_WORDS: usize = 3;
/// Cycles from the edge at which a word is offered to that at which the scanner has taken it.
const PORT: u64 = 2;
/// The load port's address that enables the engine, and those of its memories (MICROCODE.md §9): what is before and
/// behind them, settings and segments, does not outlast a reset.
const ENABLE: u32 = 0;
const MEMORIES: std::ops::Range<u32> = 0x10000..0x60000;
/// The memory of roles, of elements of a word; all others' have up to eight.
const ROLES: std::ops::Range<u32> = 0x30000..0x40000;
/// Cycles in which the engine takes at least a word: a message of as many rows as it may have takes fewer.
const LONGEST_WAIT: u64 = 1 << 23;
/// Cycles without a record, and as many as its last packet has words, behind which a case is over.
const QUIET: u64 = 100;
/// Of how many cases one is of a venue's templates, one of headers, and one of fields that share entries.
const VENUE: u64 = 8;
const HEADERS: u64 = 8;
const KEYS: u64 = 4;
/// Cases that are told in full.
const TOLD: usize = 3;

fn main() -> Result<ExitCode, Error> {
    let arguments = Arguments::parse()?;
    let (library, model) = arguments.model(TOP)?;
    let mut bench = Bench::new(&library, model)?;
    let mut tally = Tally::default();
    let alone = arguments.count == 1;
    if !alone {
        for case in known() {
            tally.play(&mut bench, &case, Some(Random(arguments.first)))?;
        }
        for case in swept() {
            tally.play(&mut bench, &case, None)?;
        }
    }
    let venues = venues();
    for number in arguments.numbers() {
        if let Some(case) = numbered(number, &venues) {
            if alone {
                show(&case);
            }
            tally.play(&mut bench, &case, Some(Random(number)))?;
        }
        if arguments.tells(number) {
            println!("{tally}, up to {number}");
        }
    }
    Ok(if tally.differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The case with this number.
fn numbered(number: u64, venues: &[(String, Templates)]) -> Option<Case> {
    if number % KEYS == 1 {
        return keys::case(number);
    }
    if number % HEADERS == 3 {
        return headers::case(number);
    }
    if venues.is_empty() || !number.is_multiple_of(VENUE) {
        return random(number);
    }
    let which = Random(number).below(venues.len() as u64) as usize;
    venue(number / VENUE, &venues[which])
}

/// A case's program and packets.
fn show(case: &Case) {
    println!("{}", listing(&case.program));
    for (number, packet) in case.packets.iter().enumerate() {
        let words: Vec<String> = packet.bytes.chunks(8).map(hexed).collect();
        let abort = if packet.abort { " abort" } else { "" };
        println!("packet {number}: {}{abort}", words.join(" "));
    }
}

/// What came of the cases so far.
#[derive(Default)]
struct Tally {
    cases: u64,
    packets: u64,
    records: u64,
    differ: usize,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cases, packets, records, differ } = self;
        write!(f, "{cases} cases, {packets} packets, {records} records, {differ} differ")
    }
}

impl Tally {
    /// A case at its pace, and with these gaps.
    fn play(&mut self, bench: &mut Bench, case: &Case, gaps: Option<Random>) -> Result<(), Error> {
        // What does not fit the logic is not for it.
        let Ok(load) = image(&case.program) else { return Ok(()) };
        let played = case.play()?;
        let expected: Vec<PacketRecord> = (0..)
            .zip(&played)
            .flat_map(|(packet, one)| {
                one.records.iter().map(move |&record| PacketRecord { record, packet })
            })
            .collect();
        self.cases += 1;
        self.packets += case.packets.len() as u64;
        self.records += expected.len() as u64;
        for gaps in std::iter::once(None).chain(gaps.map(Some)) {
            let timing = if gaps.is_some() { Timing::None } else { Timing::of(case.pace) };
            let how = if gaps.is_some() { "with gaps" } else { "at its pace" };
            let difference = match bench.play(&load, case, &played, gaps) {
                Ok(seen) => difference(&seen, &expected, timing),
                Err(stuck) => Some(stuck),
            };
            if let Some(difference) = difference {
                self.differ += 1;
                println!("{}, {how}: differs", case.name);
                if self.differ <= TOLD {
                    println!("{difference}");
                }
            }
        }
        Ok(())
    }
}

/// The engine, simulated, and what it has said.
struct Bench {
    model: Model,
    ports: Ports,
    /// What was written last to each element of its memories.
    held: HashMap<u32, Vec<(u32, u32)>>,
    /// With the cycles of the simulation.
    seen: Vec<PacketRecord>,
}

ports! {
    input {
        rst: 1,
        load_valid: 1,
        load_address: 20,
        load_data: 32,
        s_axis_tdata: 64,
        s_axis_tkeep: 8,
        s_axis_tvalid: 1,
        s_axis_tlast: 1,
        s_axis_tuser: 1,
        s_axis_tid: 4,
        s_axis_tstamp: 64,
    }
    output {
        s_axis_tready: 1,
        m_records: 384,
        m_begin: 1,
        m_template: 16,
        m_call_begin: 1,
        m_element: 1,
        m_call_end: 1,
        m_end: 1,
        m_status: 8,
        m_tid: 4,
        m_tstamp: 64,
    }
}

/// A record, and of which packet it is.
#[derive(Clone, Copy)]
struct PacketRecord {
    record: Record,
    packet: u64,
}

/// Packets are told apart by their time, and by as many numbers.
const IDS: u64 = 16;
/// The packet of a record whose number and time are two packets'.
const NO_PACKET: u64 = u64::MAX;

impl Bench {
    fn new(library: &Library, model: Model) -> Result<Self, LoadError> {
        Ok(Self { model, ports: Ports::new(library)?, held: HashMap::new(), seen: Vec::new() })
    }

    fn tick(&mut self) {
        self.model.step();
        self.sample();
    }

    /// Loads a program into the engine behind a reset, but what its memories hold of the one before.
    fn load(&mut self, load: &[(u32, u32)]) -> Result<(), String> {
        self.model.set(self.ports.s_axis_tvalid, 0);
        self.model.set(self.ports.rst, 1);
        (0..2).for_each(|_| self.tick());
        self.model.set(self.ports.rst, 0);
        for words in load.chunk_by(|(one, _), (next, _)| element(*one) == element(*next)) {
            let of = element(words[0].0);
            if !MEMORIES.contains(&of) || self.held.get(&of).is_none_or(|held| held != words) {
                words.iter().for_each(|&(address, data)| self.write(address, data));
                self.held.insert(of, words.to_vec());
            }
        }
        let taken = self.enable();
        (0..4).for_each(|_| self.tick());
        if taken { Ok(()) } else { Err("a word of a packet that it swallows is not taken".into()) }
    }

    /// Enables the engine in the middle of a packet, and again in one in which it is disabled: neither says anything.
    /// Whether all their words are taken.
    fn enable(&mut self) -> bool {
        let whole = [0xc0, 0x81, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86];
        let begins = self.word(&whole, false, false, 0);
        self.write(ENABLE, 1);
        let ends = self.word(&whole, true, false, 0);
        // Of this not even a header is there yet.
        let begins_another = self.word(&[1; 8], false, false, 0);
        self.write(ENABLE, 0);
        self.write(ENABLE, 1);
        begins && ends && begins_another && self.word(&whole, true, false, 0)
    }

    fn write(&mut self, address: u32, data: u32) {
        self.model.set(self.ports.load_address, address.into());
        self.model.set(self.ports.load_data, data.into());
        self.model.set(self.ports.load_valid, 1);
        self.tick();
        self.model.set(self.ports.load_valid, 0);
    }

    /// What the engine says of a case, with cycles as the model counts them. With `gaps` words come when they may, or
    /// late, at random.
    fn play(
        &mut self,
        load: &[(u32, u32)],
        case: &Case,
        played: &[Played],
        mut gaps: Option<Random>,
    ) -> Result<Vec<PacketRecord>, String> {
        self.seen.clear();
        self.load(load)?;
        // The scanner has the first word in the model's cycle 0.
        let origin = self.model.steps() + PORT;
        for (number, (packet, played)) in case.packets.iter().zip(played).enumerate() {
            while gaps.is_none() && self.model.steps() + PORT < origin + played.arrival {
                self.tick();
            }
            let words: Vec<&[u8]> = match packet.bytes.chunks(8).collect::<Vec<_>>() {
                words if words.is_empty() => vec![&[]],
                words => words,
            };
            for (index, word) in words.iter().enumerate() {
                let last = index + 1 == words.len();
                let late = gaps.as_mut().map_or(0, gap);
                (0..late).for_each(|_| self.tick());
                if !self.word(word, last, last && packet.abort, number as u64) {
                    return Err(format!("packet {number}, word {index} is not taken"));
                }
            }
        }
        // A vector's bytes take the engine many cycles behind the last word.
        let rest = case.packets.last().map_or(0, |packet| packet.bytes.len() as u64 / 8);
        let mut said = self.seen.len();
        let mut quiet = 0;
        while quiet < QUIET + rest {
            self.tick();
            quiet = if self.seen.len() == said { quiet + 1 } else { 0 };
            said = self.seen.len();
        }
        let counted = |&PacketRecord { record, packet }: &PacketRecord| {
            let cycle = record.cycle.wrapping_sub(origin);
            PacketRecord { record: Record { cycle, ..record }, packet }
        };
        Ok(self.seen.iter().map(counted).collect())
    }

    /// Offers a word of the packet of this number until it is taken; whether it is.
    fn word(&mut self, word: &[u8], last: bool, abort: bool, number: u64) -> bool {
        let mut bytes = [0; 8];
        bytes[..word.len()].copy_from_slice(word);
        for (port, value) in [
            (self.ports.s_axis_tdata, u64::from_le_bytes(bytes)),
            (self.ports.s_axis_tkeep, (1 << word.len()) - 1),
            (self.ports.s_axis_tlast, last.into()),
            (self.ports.s_axis_tuser, abort.into()),
            (self.ports.s_axis_tid, number % IDS),
            (self.ports.s_axis_tstamp, number),
            (self.ports.s_axis_tvalid, 1),
        ] {
            self.model.set(port, value);
        }
        let taken = (0..LONGEST_WAIT).any(|_| {
            self.model.settle();
            let ready = self.model.is(self.ports.s_axis_tready);
            self.tick();
            ready
        });
        self.model.set(self.ports.s_axis_tvalid, 0);
        taken
    }

    /// Records and marks of this cycle, in order.
    fn sample(&mut self) {
        let Self { model, ports, seen, .. } = self;
        let cycle = model.steps() + 1;
        let is = |port| model.is(port);
        let time = model.get(ports.m_tstamp);
        let packet = if model.get(ports.m_tid) == time % IDS { time } else { NO_PACKET };
        let mut push = |kind, tag, info, value| {
            seen.push(PacketRecord { record: Record { kind, tag, info, value, cycle }, packet });
        };
        let template = || model.get(ports.m_template) as u16;
        if is(ports.m_begin) {
            push(RecordKind::MessageBegin, template(), 0, 0);
        }
        if is(ports.m_call_begin) {
            push(RecordKind::CallBegin, template(), 0, 0);
        }
        let records = model.get_words(ports.m_records);
        for lane in records.chunks(RECORD_WORDS).take(LANES) {
            let [low, middle, high] = [lane[0], lane[1], lane[2]];
            if high >> 31 == 0 {
                continue;
            }
            let value = u128::from(low) | u128::from(middle) << 32 | u128::from(high) << 64;
            let Some(kind) = RecordKind::decode((low >> 8 & 15) as u8) else { continue };
            let tag = (low >> 17 & 0x3fff) as u16;
            push(kind, tag, low as u8, (value >> 31) as u64);
        }
        if is(ports.m_element) {
            push(RecordKind::ElementEnd, 0, 0, 0);
        }
        if is(ports.m_call_end) {
            push(RecordKind::CallEnd, 0, 0, 0);
        }
        if is(ports.m_end) {
            push(RecordKind::MessageEnd, 0, model.get(ports.m_status) as u8, 0);
        }
    }
}

/// The element of the engine's memories to which an address belongs: its words are written in order.
fn element(address: u32) -> u32 {
    if ROLES.contains(&address) { address } else { address & !7 }
}

/// Cycles before a word: none mostly, few sometimes, many seldom.
fn gap(random: &mut Random) -> u64 {
    let most = [1, 1, 1, 1, 2, 4, 16, 64][random.below(8) as usize];
    random.below(most)
}

/// Of which records the cycles count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Timing {
    /// Of none.
    None,
    /// Of all but those of messages that fail, of which the model does not promise them.
    Whole,
    /// Of none behind one that fails, either: packets come back to back.
    UntilFailure,
}

impl Timing {
    fn of(pace: Pace) -> Self {
        match pace {
            Pace::Idle => Self::Whole,
            Pace::Full => Self::UntilFailure,
        }
    }
}

/// What is to be compared: whether a record's cycle counts stands beside it.
///
/// Of a message that fails, the chunks of a text or vector whose end the failure cut off are left out: how many had
/// been delivered is not promised.
fn told(records: &[PacketRecord], timing: Timing) -> Vec<(PacketRecord, bool)> {
    let mut out = Vec::new();
    let mut failed = false;
    for message in records.chunk_by(|_, next| next.record.kind != RecordKind::MessageBegin) {
        let wrong = |PacketRecord { record, .. }: &PacketRecord| {
            record.kind == RecordKind::MessageEnd && record.info != 0
        };
        let fails = message.iter().any(wrong);
        failed |= fails;
        let counts = match timing {
            Timing::None => false,
            Timing::Whole => !fails,
            Timing::UntilFailure => !failed,
        };
        for told in message {
            if wrong(told) {
                while out
                    .last()
                    .is_some_and(|(last, _): &(PacketRecord, bool)| unfinished(&last.record))
                {
                    out.pop();
                }
            }
            out.push((*told, counts));
        }
    }
    out
}

/// Whether a record tells of a message that is not decoded, whose packet may have left before that is known.
fn is_poisoned(record: &Record) -> bool {
    record.kind == RecordKind::MessageEnd
        && Status::decode(record.info) == Some(Status::Error(ErrorCode::Poisoned))
}

/// Whether a record is a chunk of a text or vector of which more follow.
fn unfinished(record: &Record) -> bool {
    let is_text =
        [RecordKind::Ascii, RecordKind::Unicode, RecordKind::Bytes].contains(&record.kind);
    is_text && record.info & MORE != 0
}

/// Both sides' records from a little before the first that differs; nothing where none does.
fn difference(seen: &[PacketRecord], expected: &[PacketRecord], timing: Timing) -> Option<String> {
    let (seen, expected) = (told(seen, timing), told(expected, timing));
    let same = |at: usize| match (seen.get(at), expected.get(at)) {
        (Some((got, _)), Some((want, counts))) => {
            let cycle = want.record.cycle;
            Record { cycle, ..got.record } == want.record
                && (!counts || got.record.cycle == cycle)
                && (got.packet == want.packet || is_poisoned(&want.record))
        }
        (None, None) => true,
        _ => false,
    };
    let length = seen.len().max(expected.len());
    let first = (0..length).find(|&at| !same(at))?;
    let shown = first.saturating_sub(6)..(first + 14).min(length);
    let line = |at: usize| {
        let show = |side: &[(PacketRecord, bool)]| match side.get(at) {
            None => "nothing".to_owned(),
            Some((
                PacketRecord { record: Record { kind, tag, info, value, cycle }, packet },
                _,
            )) => {
                format!(
                    "{kind:?} tag {tag} info {info} value {value:#x} in {cycle} of packet {packet}"
                )
            }
        };
        let mark = if same(at) { ' ' } else { '*' };
        format!("{mark} {at}: got {}, want {}", show(&seen), show(&expected))
    };
    Some(shown.map(line).collect::<Vec<_>>().join("\n"))
}
