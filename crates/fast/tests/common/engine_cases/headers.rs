//! Random cases of messages' headers (MICROCODE.md §2, §6.5): identifiers of each length, longer than they need be, or
//! unknown; presence maps that agree with a segment's, nearly do, or have no end; templates without a program, those
//! that reset, and those that call others, as deeply as maps go.

use saker_fast::microcode::assemble;

use super::super::generate::Random;
use super::super::hexed;
use super::{Case, Input, PACES, ended};

/// The case of this number, if its segments differ.
pub fn case(number: u64) -> Option<Case> {
    let mut random = Random(number);
    let templates = templates(&mut random);
    let reset = *random.pick(&["never", "packet", "message"]);
    let strict = if number.is_multiple_of(3) { "no" } else { "yes" };
    let listing = listing(&templates, reset, strict);
    let program = assemble(&listing).ok()?;
    // Under the policy `never` all is poisoned behind the first that is wrong.
    let wrong = *random.pick(&[0, 0, 3, 20]);
    let mut writer =
        Writer { random: &mut random, templates: &templates, reset, wrong, last: None };
    let packets = (0..PACKETS).map(|_| writer.packet()).collect();
    let pace = *random.pick(&PACES);
    Some(Case { name: format!("headers {number}"), program, packets, pace })
}

const TEMPLATES: u64 = 7;
const PACKETS: usize = 16;
/// Bytes of the longest identifier, and of the longest presence map, that is looked at, and more.
const LONG: u64 = 18;
/// Calls in calls: more than there are maps.
const DEPTH: usize = 10;
/// Bytes of a segment's longest presence map.
const SEGMENT: u64 = 9;

/// The ends of what an identifier of so many bytes is, and some of one set of the template table.
const IDENTIFIERS: [u32; 16] = [
    0,
    1,
    2,
    0x7f,
    0x80,
    0x101,
    0x3fff,
    0x4000,
    0x4001,
    0x1f_ffff,
    0x20_0000,
    0xfff_ffff,
    0x1000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
];

/// What a template's rows are; `@` is its number.
const ROWS: [&str; 6] = [
    "u32 @@ -> end",
    "u32 @@ copy bit d@ -> end",
    "u32 @@\nu32 @@ -> end",
    "u32 @@ -> call 0\nu32 @@ -> end",
    "u32 @@ copy bit d@ -> call 1\nu32 @@ -> end",
    "-> call 0\nu32 @@ -> end",
];
/// Of these, what takes no bit of the map, which a segment may begin with.
const WITHOUT_BITS: [&str; 4] = [ROWS[0], ROWS[2], ROWS[3], ROWS[5]];

/// In which scopes a template has an entry.
const SCOPES: &[&[u8]] = &[&[0], &[0], &[0], &[0], &[0], &[0, 1], &[0, 1], &[0, 1], &[1], &[]];

struct Template {
    id: u32,
    rows: &'static str,
    resets: bool,
    scopes: &'static [u8],
    segments: Vec<(Vec<u8>, &'static str)>,
}

fn templates(random: &mut Random) -> Vec<Template> {
    let mut templates: Vec<Template> = Vec::new();
    for _ in 0..1 + random.below(TEMPLATES) {
        let id = *random.pick(&IDENTIFIERS);
        if templates.iter().all(|one| one.id != id) {
            let segments = if random.chance(40) { 1 + random.below(2) } else { 0 };
            templates.push(Template {
                id,
                rows: random.pick::<&str>(&ROWS),
                resets: random.chance(20),
                scopes: random.pick::<&[u8]>(SCOPES),
                segments: (0..segments)
                    .map(|_| (segment_map(random), *random.pick::<&str>(&WITHOUT_BITS)))
                    .collect(),
            });
        }
    }
    templates
}

/// One whose first bit says that an identifier follows, or is none.
fn segment_map(random: &mut Random) -> Vec<u8> {
    let length = 1 + random.below(SEGMENT);
    let mut map: Vec<u8> = (0..length).map(|_| random.below(0x80) as u8).collect();
    if random.chance(80) {
        map[0] |= 0x40;
    }
    ended(map)
}

fn listing(templates: &[Template], reset: &str, strict: &str) -> String {
    let mut head = format!(
        ".set strict={strict} reset={reset} preamble=0\n\
         .set max_text=64 max_elements=64 max_rows=1048576\n\
         .dictionary {} 0 0 0\n",
        templates.len()
    );
    let (mut tags, mut entries, mut rows) = (String::new(), String::new(), String::new());
    for (at, template) in templates.iter().enumerate() {
        let resets = if template.resets { " reset" } else { "" };
        let body =
            |rows: &str| rows.replace("@@", &format!("@{at}")).replace("d@", &format!("d{at}"));
        tags += &format!(".tag {at} - \"F{at}\"\n");
        head += &format!(".template {at} {} \"T{at}\"{resets}\n", template.id);
        for scope in template.scopes {
            entries += &format!(".entry {at} {scope} t{at}\n");
        }
        rows += &format!("t{at}: {}\n", body(template.rows));
        for (number, (map, begin)) in template.segments.iter().enumerate() {
            entries += &format!(".segment {at} {} s{at}_{number}\n", hexed(map));
            rows += &format!("s{at}_{number}: {}\n", body(begin));
        }
    }
    head + &tags + &entries + &rows
}

/// What writes packets for some templates.
struct Writer<'a> {
    random: &'a mut Random,
    templates: &'a [Template],
    reset: &'static str,
    /// Of a hundred headers, how many have a map that is wrong, and as many an identifier.
    wrong: u64,
    /// The last one's template, where the next one may go without an identifier.
    last: Option<usize>,
}

impl Writer<'_> {
    /// Messages that often begin as the one before, at times with an end that is missing.
    fn packet(&mut self) -> Input {
        let mut bytes = Vec::new();
        let mut which = self.any();
        for message in 0..1 + self.random.below(6) {
            if self.reset == "message" || self.reset == "packet" && message == 0 {
                self.last = None;
            }
            if self.random.chance(40) {
                which = self.any();
            }
            self.message(which, 0, &mut bytes);
        }
        if self.random.chance(self.wrong) {
            bytes.pop();
        }
        Input { bytes, abort: self.random.chance(self.wrong) }
    }

    fn any(&mut self) -> usize {
        self.random.below(self.templates.len() as u64) as usize
    }

    /// A message, or what is called in one, so deep.
    fn message(&mut self, which: usize, depth: usize, bytes: &mut Vec<u8>) {
        let guess = self.random.chance(self.wrong).then_some(which);
        let implicit = self.last.or(guess).filter(|_| self.random.chance(35));
        let which = implicit.unwrap_or(which);
        self.last = Some(which);
        let template = &self.templates[which];
        let map = self.map(template, implicit.is_none(), depth);
        let segment = template.segments.iter().find(|(one, _)| depth == 0 && *one == map);
        let rows = segment.map_or(template.rows, |(_, rows)| rows);
        let [explicit, set] = [0x40, 0x20].map(|bit| map[0] & bit != 0);
        bytes.extend(map);
        if explicit {
            bytes.extend(self.identifier(template.id));
        }
        let mut parts = rows.split("call");
        let mut fields = |rows: &str| {
            let count = rows.matches("u32").count() - usize::from(rows.contains("bit") && !set);
            (0..count).map(|_| 0x80 | self.random.below(0x80) as u8).collect::<Vec<u8>>()
        };
        let [before, behind] = [parts.next(), parts.next()].map(|rows| rows.map(&mut fields));
        bytes.extend(before.unwrap_or_default());
        if let Some(behind) = behind {
            if depth < DEPTH {
                let called = if self.random.chance(30) { which } else { self.any() };
                self.message(called, depth + 1, bytes);
            }
            bytes.extend(behind);
        }
    }

    fn map(&mut self, template: &Template, explicit: bool, depth: usize) -> Vec<u8> {
        let random = &mut *self.random;
        let begins = u8::from(explicit) << 6;
        let bit = u8::from(template.rows.contains("bit") && random.chance(50)) << 5;
        // What is called has none.
        let mut segments = template.segments.iter().map(|(map, _)| map);
        let segment = segments.find(|map| map[0] & 0x40 == begins && random.chance(60));
        let mut map = match segment {
            Some(map) if depth == 0 || random.chance(self.wrong) => map.clone(),
            _ => vec![0x80 | begins | bit],
        };
        if random.chance(self.wrong) {
            // Another bit, fewer of them, or more than it needs, in front or behind.
            let last = map.len() - 1;
            match random.below(5) {
                0 => map[random.below(last as u64 + 1) as usize] ^= 1 << random.below(7),
                1 => map.truncate(last.max(1)),
                2 => drop(map.drain(..last.min(1))),
                3 => {
                    map[last] &= 0x7f;
                    map.extend(vec![0; more(random)]);
                }
                _ => map = [vec![begins; more(random)], map].concat(),
            }
            map = ended(map);
        }
        map
    }

    fn identifier(&mut self, id: u32) -> Vec<u8> {
        let random = &mut *self.random;
        let mut bytes = entity(u64::from(id));
        if random.chance(self.wrong) {
            match random.below(3) {
                0 => bytes = entity(u64::from(id) ^ 1 << random.below(40)),
                1 => bytes = entity(u64::from(*random.pick(&IDENTIFIERS))),
                _ => bytes = [vec![0; more(random)], bytes].concat(),
            }
        }
        ended(bytes)
    }
}

/// How many bytes more than it needs something has.
fn more(random: &mut Random) -> usize {
    let most = *random.pick(&[1, 4, LONG]);
    1 + random.below(most) as usize
}

/// An unsigned number's bytes, without their end.
fn entity(value: u64) -> Vec<u8> {
    let bytes = (0..10).rev().map(|at| (value >> (7 * at) & 0x7f) as u8);
    let shortest: Vec<u8> = bytes.skip_while(|byte| *byte == 0).collect();
    if shortest.is_empty() { vec![0] } else { shortest }
}
