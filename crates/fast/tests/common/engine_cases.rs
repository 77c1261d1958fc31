//! What the engine in logic is compared with its model on: programs, and packets for them.

mod beats;
mod entities;
pub mod headers;
pub mod keys;
mod loops;
mod nests;
mod preambles;
mod stacks;

use saker_fast::microcode::{
    CompileError, CompileOptions, Engine, EngineOptions, Profile, Program, ProgramError, Record,
    Settings, assemble, compile, image,
};
use saker_fast::{
    Decoder, DecoderOptions, Encoder, EncoderOptions, Ignore, LoadOptions, Message, ResetPolicy,
    Templates,
};

use super::generate::{Generator, Random};
use super::venues::{files, identified, with_identifier};
use super::{data, fill, hex, template, text};

/// How the packets come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Each as soon as the engine takes it.
    Full,
    /// Each into an idle engine.
    Idle,
}

/// A packet.
pub struct Input {
    pub bytes: Vec<u8>,
    /// It ends with the mark that it was bad.
    pub abort: bool,
}

impl From<Vec<u8>> for Input {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, abort: false }
    }
}

/// A program and its packets.
pub struct Case {
    pub name: String,
    pub program: Program,
    pub packets: Vec<Input>,
    pub pace: Pace,
}

/// What the model makes of a packet.
pub struct Played {
    /// The cycle in which its first word comes, at the earliest.
    pub arrival: u64,
    /// With cycles from the first packet's first word on.
    pub records: Vec<Record>,
}

impl Case {
    /// The packets through the model.
    pub fn play(&self) -> Result<Vec<Played>, ProgramError> {
        let mut engine = Engine::new(self.program.clone(), EngineOptions::default())?;
        let one = |packet: &Input| {
            let arrival = match self.pace {
                Pace::Full => 0,
                Pace::Idle => engine.counters().cycles + 40,
            };
            let mut records: Vec<Record> = Vec::new();
            engine.packet_at(&packet.bytes, arrival, packet.abort, &mut records);
            Played { arrival, records }
        };
        Ok(self.packets.iter().map(one).collect())
    }
}

/// Those that are the same each time: worked examples, what fills stacks, beats and the ring of rows, preambles, random
/// ones that told, the start of the MOEX capture where it is there.
pub fn known() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, instructions, packets) in EXAMPLES {
        for strict in [true, false] {
            let settings = Settings { strict, ..by(ResetPolicy::Packet) };
            let program = compiled(&template(instructions), settings).unwrap();
            cases.extend(example(name, &program, packets));
        }
    }
    for (name, xml, packets) in [CALLED, TURNS] {
        let program = compiled(&Templates::from_xml(xml).unwrap(), by(ResetPolicy::Packet));
        cases.extend(example(name, &program.unwrap(), packets));
    }
    let few = Settings { max_elements: 2, ..by(ResetPolicy::Packet) };
    for ((name, instructions, packets), settings) in
        [(POISONED, by(ResetPolicy::Never)), (LIMITED, few)]
    {
        cases.extend(example(name, &compiled(&template(instructions), settings).unwrap(), packets));
    }
    let (name, listing, packets) = ASSEMBLED;
    cases.extend(example(name, &assemble(listing).unwrap(), packets));
    cases.extend(stacks::cases());
    cases.extend(beats::cases());
    cases.extend(loops::cases());
    cases.extend(preambles::cases());
    cases.extend(TELLING.into_iter().filter_map(random));
    cases.extend(capture());
    cases
}

/// Those that go through all that an entity may be, and all nests: too many for a simulation that is slow.
pub fn swept() -> Vec<Case> {
    nests::cases().into_iter().chain(entities::cases()).collect()
}

/// Each packet twice, at either pace.
fn example(name: &str, program: &Program, packets: &[&str]) -> Vec<Case> {
    let case = |pace| Case {
        name: name.to_owned(),
        program: program.clone(),
        packets: packets.iter().flat_map(|bytes| [hex(bytes).into(), hex(bytes).into()]).collect(),
        pace,
    };
    PACES.map(case).into()
}

const PACES: [Pace; 2] = [Pace::Full, Pace::Idle];

/// Characters of a string behind so many zeros.
fn characters(zeros: usize, length: usize) -> Vec<u8> {
    std::iter::repeat_n(0, zeros).chain((0x41..).take(length)).collect()
}

/// An entity of these bytes, of one at least.
fn ended(mut bytes: Vec<u8>) -> Vec<u8> {
    *bytes.last_mut().unwrap() |= 0x80;
    bytes
}

/// Random templates, messages, damage, pace; nothing where they do not compile.
pub fn random(seed: u64) -> Option<Case> {
    let mut generator = Generator::new(seed);
    if seed % 17 == 5 {
        // In one set of the template table.
        generator.ids = [1, 0x101, 0x4001, 0x8000_0001];
    }
    let mut xml = generator.definition();
    if !seed.is_multiple_of(4) {
        xml = without_traps(&xml);
    }
    let templates = Templates::from_xml(&xml).unwrap();
    case(format!("random {seed}"), &templates, seed, &mut Source::Generator(generator))
}

/// The templates of venues that the engine has programs for.
pub fn venues() -> Vec<(String, Templates)> {
    let load = |(name, xml): (String, String)| {
        let load = |xml: &str| Templates::from_xml_with(xml, &LoadOptions::lenient()).ok();
        let templates = load(&xml)?;
        let templates =
            if with_identifier(&templates) { templates } else { load(&identified(&xml))? };
        let program = compiled(&templates, Settings::default()).ok()?;
        image(&program).is_ok().then_some((name, templates))
    };
    files().into_iter().filter_map(load).collect()
}

/// As [`random`], of one venue's templates.
pub fn venue(seed: u64, (name, templates): &(String, Templates)) -> Option<Case> {
    case(format!("{name} {seed}"), templates, seed, &mut Source::Random(Random(seed)))
}

/// Where a random case's messages come from.
enum Source {
    /// The generator that made its templates.
    Generator(Generator),
    /// Any for any templates.
    Random(Random),
}

impl Source {
    fn random(&mut self) -> &mut Random {
        match self {
            Self::Generator(generator) => &mut generator.random,
            Self::Random(random) => random,
        }
    }

    fn message(&mut self, templates: &Templates) -> Message {
        match self {
            Self::Generator(generator) => generator.message(templates),
            Self::Random(random) => fill::message(random, templates),
        }
    }
}

fn case(name: String, templates: &Templates, seed: u64, source: &mut Source) -> Option<Case> {
    let reset =
        [ResetPolicy::Never, ResetPolicy::Packet, ResetPolicy::Message][(seed % 3) as usize];
    let preamble = if seed % 11 == 10 { (seed / 11 % 10) as u8 } else { 3 };
    let strict = !seed.is_multiple_of(5);
    let settings = Settings { reset, preamble, strict, ..limits(seed) };
    let preamble = usize::from(preamble);
    let mut packets = Vec::new();
    let mut encoder = Encoder::new(templates, EncoderOptions::with_reset(reset));
    for _ in 0..12 {
        let mut packet = vec![0xee; preamble];
        encoder.begin_packet();
        for _ in 0..1 + source.random().below(4) {
            let message = source.message(templates);
            let length = packet.len();
            if encoder.encode(&message, &mut packet).is_err() {
                packet.truncate(length);
                encoder.reset();
            }
        }
        packets.push(Input::from(packet));
    }
    // Long strings and segments, as a profile of the messages has them.
    let profile = if seed.is_multiple_of(2) {
        let program = compiled(templates, settings).ok()?;
        profiled(program, &packets)
    } else {
        Profile::default()
    };
    let wild = seed.is_multiple_of(19);
    let clean = seed % 3 != 1 && !wild;
    if wild {
        packets.iter_mut().for_each(|packet| garble(packet, preamble, source.random()));
    } else if !clean {
        packets.iter_mut().for_each(|packet| damage(packet, preamble, source.random()));
    } else if seed % 12 == 3 {
        // One that fails poisons all behind it.
        let one = source.random().below(packets.len() as u64) as usize;
        damage(&mut packets[one], preamble, source.random());
    }
    let options = CompileOptions { settings, profile, ..CompileOptions::default() };
    let program = compile(templates, &options).ok()?;
    let pace = if clean && !seed.is_multiple_of(7) { Pace::Full } else { Pace::Idle };
    Some(Case { name, program, packets, pace })
}

/// The limits of a random case: of some so low that messages meet them.
fn limits(seed: u64) -> Settings {
    if seed % 13 != 4 {
        return Settings::default();
    }
    let step = (seed / 13) as u32;
    Settings {
        max_text: 4 + step % 9,
        max_elements: 1 + step % 5,
        max_rows: 4 + step % 31,
        ..Settings::default()
    }
}

/// What a program says of these packets.
fn profiled(program: Program, packets: &[Input]) -> Profile {
    let mut profile = Profile::default();
    let mut engine = Engine::new(program.clone(), EngineOptions::default()).unwrap();
    for packet in packets {
        let mut records = Vec::new();
        for report in engine.packet(&packet.bytes, &mut records) {
            profile.add(&program, &report, &records[report.records.clone()]);
        }
    }
    profile
}

/// The start of the MOEX capture, where it is there.
fn capture() -> Option<Case> {
    let bytes = data("moex/data.dat")?;
    let templates = Templates::from_xml(&text("moex/test.xml")?).unwrap();
    let settings = Settings { reset: ResetPolicy::Message, preamble: 4, ..Settings::default() };
    let program = compiled(&templates, settings).unwrap();
    let mut decoder = Decoder::new(&templates, DecoderOptions::with_reset(ResetPolicy::Message));
    let mut packets = Vec::new();
    let mut at = 0;
    while at < bytes.len() && packets.len() < 300 {
        let length = decoder.decode(&bytes[at + 4..], &mut Ignore).unwrap();
        packets.push(Input::from(bytes[at..at + 4 + length].to_vec()));
        at += 4 + length;
    }
    Some(Case { name: "moex".to_owned(), program, packets, pace: Pace::Full })
}

/// Settings with this reset policy.
fn by(reset: ResetPolicy) -> Settings {
    Settings { reset, ..Settings::default() }
}

/// Templates compiled without a profile.
fn compiled(templates: &Templates, settings: Settings) -> Result<Program, CompileError> {
    compile(templates, &CompileOptions { settings, ..CompileOptions::default() })
}

fn without_traps(xml: &str) -> String {
    let mut out = xml.replace("<tail", "<copy");
    for element in ["<string ", "<byteVector "] {
        let mut at = 0;
        while let Some(found) = out[at..].find(element) {
            at += found + element.len();
            let Some(end) = out[at..].find('>').map(|end| at + end + 1) else { break };
            if out[end..].starts_with("<delta") {
                out.replace_range(end..end + 6, "<copy");
            }
        }
    }
    out
}

fn damage(input: &mut Input, preamble: usize, random: &mut Random) {
    let packet = &mut input.bytes;
    let length = (packet.len() - preamble) as u64;
    match random.below(5) {
        0 if length > 0 => packet.truncate(preamble + random.below(length) as usize),
        1 | 2 if length > 0 => {
            for _ in 0..1 + random.below(3) {
                let at = preamble + random.below(length) as usize;
                let bytes = [0x80, 0x00, 0x7f, 0xff, 0x81, random.next() as u8];
                packet[at] = bytes[random.below(6) as usize];
            }
        }
        3 => input.abort = true,
        _ => {}
    }
}

/// Random bytes behind some of a packet's own: short entities, or long ones.
fn garble(input: &mut Input, preamble: usize, random: &mut Random) {
    let packet = &mut input.bytes;
    packet.truncate(preamble + random.below((packet.len() - preamble) as u64 + 1) as usize);
    let stops = 1 + random.below(8);
    for _ in 0..random.below(400) {
        let stop = if random.below(stops) == 0 { 0x80 } else { 0 };
        let byte = [0, random.below(128) as u8][random.below(2) as usize];
        packet.push(byte | stop);
    }
    input.abort = random.below(8) == 0;
}

/// Random cases that found a fault of the logic or of the model: a length sent to another sequence's frame,
/// bytes left over from a packet that was dropped while its words were scanned again, an element's end not
/// told, a header with its identifier looked up behind one without, a packet without a header that took its
/// registers, a NULL looked for in the cycle in which a packet's last elements came, a message whose failure is
/// known in the cycle in which its packet is left, a first packet without a byte behind its preamble,
/// the end of a call and of its last sequence in one row, a poisoned packet taken for one behind a failure, a
/// packet that begins when what the last message before it would have been looked up to is known, a vector that
/// ends behind its packet before it is told that this was aborted.
const TELLING: [u64; 12] = [
    121_000_376,
    121_000_426,
    7_000_063,
    7_000_099,
    123_000_429,
    125_000_389,
    17_000_152,
    47_000_229,
    101_000_315,
    127_000_476,
    121_000_400,
    5_143,
];

/// A call's end in the row in which its last sequence ends, in the cycle behind that sequence's begin; before it
/// another kind of frame was in the call's place. Then packets that end within a call's header, behind a map that is
/// wrong.
const CALLED: (&str, &str, &[&str]) = (
    "a call that ends with a sequence",
    r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">
         <template name="Nested" id="1">
           <sequence name="S"><sequence name="T"><uInt32 name="A"/></sequence></sequence>
         </template>
         <template name="Caller" id="2"><templateRef/><uInt32 name="B"/></template>
         <template name="Called" id="3">
           <sequence name="U"><length name="N"><copy/></length><uInt32 name="C"/></sequence>
         </template>
       </templates>"#,
    &["c0 81 82 81 84 81 85", "c0 82 e0 83 81 86 87", "c0 82 40 80 01", "c0 82 40 80", "c0 82 40"],
);

/// Messages of a row that tests no bit, of which the last of a packet begins as the one before did: then a packet that
/// waits begins with another template, which tests some.
const TURNS: (&str, &str, &[&str]) = (
    "a packet behind a message that begins as the last one",
    r#"<templates xmlns="http://www.fixprotocol.org/ns/fast/td/1.1">
         <template name="One" id="1"><uInt32 name="A"/></template>
         <template name="Other" id="2">
           <uInt32 name="B"><copy value="9"/></uInt32><uInt32 name="C"><copy value="10"/></uInt32>
         </template>
       </templates>"#,
    &["c0 81 81 c0 81 82", "f0 82 85 86", "c0 81 83 c0 81 84 c0 81 85", "d0 82 87"],
);

/// Packets of a word each, behind one whose failure is known when they have begun: under the policy `never` all
/// of them are poisoned, and none is lost.
const POISONED: (&str, &str, &[&str]) = (
    "packets behind one that fails",
    r#"<uInt32 name="A"/>"#,
    &["c0 81 81", "c0 81 00 81", "c0 81 82", "80 83", "c0 81 84", "c0", "80 85"],
);

/// Three sequences, of which two may have an element: that a third has none is known behind its end.
const LIMITED: (&str, &str, &[&str]) = (
    "a sequence of one above the limit",
    r#"<sequence name="S"><uInt32 name="A"/></sequence><sequence name="T"><uInt32 name="B"/></sequence>
       <sequence name="U"><uInt32 name="C"/></sequence>"#,
    &[
        "c0 81 81 85 81 86 80",
        "c0 81 81 85 81 86 81 87",
        "c0 81 82 85 86 81 87 80",
        "c0 81 80 80 81 85",
    ],
);

/// What no template compiles to: elements that test the bits of the map around them. With a length of 0, the
/// bits of the row behind it are the next row's.
const ASSEMBLED: (&str, &str, &[&str]) = (
    "a sequence without a map of its own",
    r#".set strict=yes reset=packet preamble=0
.set max_text=65536 max_elements=65536 max_rows=1048576
.dictionary 2 0 0 0
.tag 0 - "A"
.tag 1 - "S"
.tag 2 - "B"
.template 0 1 "T"
.entry 0 0 r0
r0:     len @1 -> seq r2
        u32 @0 copy bit d0 -> loop
r2:     u32 @2 copy bit d1 -> end
"#,
    &["e0 81 80 85", "e0 81 81 83 81", "f0 81 81 83 85", "e8 81 82 83 84"],
);

/// Of MICROCODE.md §6.7, and one for each operator and kind.
const EXAMPLES: &[(&str, &str, &[&str])] = &[
    (
        "four fields",
        r#"<uInt32 name="A"/><uInt32 name="B"/><uInt32 name="C"/><uInt32 name="D"/>"#,
        &["c0 81 81 82 83 84"],
    ),
    (
        "21 bytes",
        r#"<uInt32 name="A"/><uInt64 name="B"/><uInt32 name="C"/><string name="D"/>
           <int32 name="E"/>"#,
        &["c0 81 05 66 00 82 02 52 1c 70 15 47 32 0b ee 85 41 46 4c d4 83"],
    ),
    (
        "a sequence",
        r#"<sequence name="S"><uInt32 name="A"/></sequence><uInt32 name="B"/>"#,
        &["c0 81 83 81 82 83 84", "c0 81 80 84", "c0 81 81 85 84"],
    ),
    // A length of one is seen; another is told, behind it or before.
    (
        "sequences of one",
        r#"<sequence name="S"><uInt32 name="A"/></sequence><sequence name="T"><uInt32 name="B"/></sequence>
           <sequence name="U"><uInt32 name="C"/></sequence><uInt32 name="D"/>"#,
        &[
            "c0 81 81 91 81 92 81 93 84",
            "c0 81 81 91 82 92 93 81 94 84",
            "c0 81 82 91 92 81 93 80 84",
        ],
    ),
    (
        "a sequence of one that ends a message",
        r#"<uInt32 name="A"/><sequence name="S"><uInt32 name="B"/><uInt32 name="C"/><uInt32 name="D"/>
           <uInt32 name="E"/><uInt32 name="F"/></sequence>"#,
        &[
            "c0 81 81 81 82 83 84 85 86 80 82 81 82 83 84 85 86",
            "c0 81 81 82 82 83 84 85 86 82 83 84 85 86",
        ],
    ),
    (
        "optional sequences",
        r#"<sequence name="S" presence="optional"><uInt32 name="A"/></sequence>
           <sequence name="T" presence="optional"><uInt32 name="B"/><uInt32 name="C"/></sequence>
           <uInt32 name="D"/>"#,
        &["c0 81 82 91 82 92 93 84", "c0 81 81 81 84", "c0 81 80 80 84", "c0 81 83 91 92 81 84"],
    ),
    (
        "three sequences, each first in another",
        r#"<sequence name="S"><sequence name="T"><sequence name="U"><uInt32 name="A"/></sequence>
           </sequence></sequence><uInt32 name="B"/>"#,
        &[
            "c0 81 81 81 81 91 84",
            "c0 81 82 81 81 91 82 81 92 82 93 94 84",
            "c0 81 81 82 81 91 81 92 84",
            "c0 81 82 82 81 91 80 81 80 84",
        ],
    ),
    // The inner length's row goes while the outer one's frame is pushed.
    (
        "a sequence first in a sequence",
        r#"<sequence name="S"><sequence name="T"><uInt32 name="A"/></sequence></sequence>
           <uInt32 name="B"/>"#,
        &[
            "c0 81 83 82 81 82 80 81 83 84",
            "c0 81 81 83 81 82 83 84",
            "c0 81 82 81 81 82 82 83 84",
            "c0 81 81 81 85 84",
        ],
    ),
    (
        "a length with an operator first in a sequence",
        r#"<sequence name="S"><sequence name="T"><length name="N"><copy/></length>
           <uInt32 name="A"/></sequence></sequence><uInt32 name="B"/>"#,
        &["c0 81 82 c0 82 81 82 80 83 84 85", "c0 81 81 c0 81 83 84"],
    ),
    // The element's end is told: the bit left is of the message's own map.
    (
        "a bit left behind a sequence",
        r#"<sequence name="S"><uInt32 name="A"/></sequence>"#,
        &["e0 81 82 81 82", "c0 81 81 83"],
    ),
    (
        "a group of copies",
        r#"<group name="G"><uInt32 name="A"><copy/></uInt32><uInt32 name="B"><copy/></uInt32>
           <uInt32 name="C"><copy/></uInt32><uInt32 name="D"><copy/></uInt32>
           <uInt32 name="E"><copy/></uInt32></group>"#,
        &["c0 81 fc 81 82 83 84 85"],
    ),
    (
        "wide strings",
        r#"<string name="A"/><uInt64 name="B"/><decimal name="C"/><uInt32 name="D"/>
           <uInt32 name="E"/>"#,
        &["c0 81 41 41 41 41 41 41 41 41 41 c1 01 00 00 00 00 00 00 00 80 fe 85 81 82"],
    ),
    (
        "a vector",
        r#"<byteVector name="A"/><uInt32 name="B"/>"#,
        &["c0 81 8a 01 02 03 04 05 06 07 08 09 0a 85", "c0 81 80 85"],
    ),
    // The first two rows wait for their bytes, the six behind them go one a cycle.
    (
        "short rows behind long ones",
        r#"<uInt64 name="A"/><uInt64 name="B"/><uInt64 name="C"/><uInt64 name="D"/>
           <uInt64 name="E"/><uInt64 name="F"/><uInt64 name="G"/><uInt64 name="H"/>
           <uInt32 name="I"/><uInt32 name="J"/><uInt32 name="K"/><uInt32 name="L"/>
           <uInt32 name="M"/><uInt32 name="N"/><uInt32 name="O"/><uInt32 name="P"/>
           <uInt32 name="Q"/><uInt32 name="R"/><uInt32 name="S"/><uInt32 name="T"/>
           <uInt32 name="U"/><uInt32 name="V"/><uInt32 name="W"/><uInt32 name="X"/>
           <uInt32 name="Y"/><uInt32 name="Z"/><uInt32 name="a"/><uInt32 name="b"/>
           <uInt32 name="c"/><uInt32 name="d"/><uInt32 name="e"/><uInt32 name="f"/>"#,
        &["c0 81 01 00 00 00 00 00 00 00 00 81 01 00 00 00 00 00 00 00 00 82
             01 00 00 00 00 00 00 00 00 83 01 00 00 00 00 00 00 00 00 84
             01 00 00 00 00 00 00 00 00 85 01 00 00 00 00 00 00 00 00 86
             01 00 00 00 00 00 00 00 00 87 01 00 00 00 00 00 00 00 00 88
             81 82 83 84 85 86 87 88 89 8a 8b 8c 8d 8e 8f 90 91 92 93 94 95 96 97 98"],
    ),
    ("messages in a packet", r#"<uInt32 name="A"/>"#, &["c0 81 81 80 82 80 83"]),
    (
        "optional integers",
        r#"<uInt32 name="A" presence="optional"/><int32 name="B" presence="optional"/>
           <uInt64 name="C" presence="optional"/><int64 name="D" presence="optional"/>"#,
        &["c0 81 80 80 80 80", "c0 81 81 81 82 ff", "c0 81 01 80 00 c0 81 7f 80"],
    ),
    (
        "an exponent whose entry decides on its mantissa",
        r#"<decimal name="A" presence="optional">
             <exponent><copy value="2"/></exponent><mantissa><copy/></mantissa>
           </decimal><uInt32 name="B"/>"#,
        &[
            "f0 81 82 85 86 80 87 a0 80 88 80 89",
            "e0 81 80 85 80 86 b0 83 87 88 90 89 8a",
            "d0 81 85 86 80 87 a0 80 88 80 89 80 8a",
        ],
    ),
    (
        "an exponent with a default, in the lane of an entry that is empty",
        r#"<uInt32 name="A" presence="optional"><copy/></uInt32><uInt32 name="B"/><uInt32 name="C"/>
           <uInt32 name="D"/>
           <decimal name="E" presence="optional">
             <exponent><default value="2"/></exponent>
           </decimal>"#,
        &["e0 81 80 81 82 83 85 80 81 82 83 86 80 81 82 83 87 90 81 82 83 80 80 84 85 86 88"],
    ),
    (
        "optional decimals",
        r#"<decimal name="A" presence="optional"/><decimal name="B" presence="optional"/>
           <decimal name="C" presence="optional"/><uInt32 name="D"/>"#,
        &[
            "c0 81 80 80 80 85",
            "c0 81 81 82 80 fe 83 85",
            "c0 81 80 81 82 80 85",
            "c0 81 81 82 81 83 81 84 85",
            "c0 81 00 c1 82 81 83 81 84 85",
        ],
    ),
    (
        "four optional decimals",
        r#"<decimal name="A" presence="optional"/><decimal name="B" presence="optional"/>
           <decimal name="C" presence="optional"/><decimal name="D" presence="optional"/>
           <uInt32 name="E"/>"#,
        &[
            "c0 81 80 80 80 80 85",
            "c0 81 80 80 80 81 82 85",
            "c0 81 81 82 80 80 80 85",
            "c0 81 81 82 81 83 81 84 81 85 86",
        ],
    ),
    (
        "operators",
        r#"<uInt32 name="A"><copy value="7"/></uInt32><int64 name="B"><increment/></int64>
           <uInt64 name="C"><delta/></uInt64><uInt32 name="D"><default value="9"/></uInt32>
           <string name="E"><copy/></string><decimal name="F"><delta/></decimal>"#,
        &["ec 81 85 86 c1 fe 83 80 83 84 82 80 82 81"],
    ),
    // The second field's row goes a cycle late: the first one's value is its previous one.
    (
        "a key of two fields",
        r#"<uInt32 name="A"><copy key="K"/></uInt32><uInt32 name="B"><increment key="K"/></uInt32>"#,
        &["e0 81 85", "f0 81 85 87 80", "e0 81 85 80 90 89 c0 81"],
    ),
    (
        "errors",
        r#"<uInt32 name="A"/><decimal name="B"/><uInt32 name="C"><copy/></uInt32>"#,
        &[
            "c0 82 81",
            "c0 81 00 81 81 81",
            "c0 81 1f 7f 7f 7f ff 81 81",
            "c0 81 81 00 c0 81",
            "c0 81 81 81 81",
            "e0 81 81 81",
            "40 80 81 81 81 81 81",
            "80",
            "f0 81 81 81 81 81",
        ],
    ),
];
