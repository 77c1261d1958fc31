//! The session acceptance tests of QuickFIX for FIX 4.4, run against our acceptor.
//!
//! A `.def` file is a dialogue: `I` is sent to the acceptor, `E` is expected from it, field by
//! field and in order; BodyLength and CheckSum are filled in where absent. Values of the tags in
//! `fields.fmt` are compared by pattern. Every dialogue runs with the built-in dictionary and with
//! QuickFIX's own.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use saker_fix::dictionary::Dictionary;
use saker_fix::parse::{Message, frame};
use saker_fix::session::{Config, Event, Session};
use saker_fix::tag;
use saker_fix::value::TimestampCache;

/// 2026-01-05T09:30:00Z.
const START: u64 = 1_767_605_400_000_000_000;
const STEP: u64 = 1_000_000;

fn data() -> Option<PathBuf> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let folder = std::env::var("SAKER_DATA").unwrap_or_else(|_| default.into());
    let folder = Path::new(&folder).join("fix");
    folder.is_dir().then_some(folder)
}

#[test]
fn twenty_dialogues_of_another_engine() {
    let Some(folder) = data() else {
        return println!("skipped: set SAKER_DATA to the folder with fix/*.def");
    };
    let formats = std::fs::read_to_string(folder.join("fields.fmt")).expect("fields.fmt");
    let formats: Vec<(u32, &str)> = formats
        .lines()
        .filter_map(|line| line.trim().split_once('='))
        .map(|(tag, pattern)| (tag.parse().expect("a tag"), pattern))
        .collect();
    let xml = std::fs::read_to_string(folder.join("FIX44.xml")).expect("FIX44.xml");
    let dictionaries = [
        ("built-in", Arc::new(Dictionary::builtin())),
        ("QuickFIX", Arc::new(Dictionary::from_quickfix_xml(&xml).expect("a dictionary"))),
    ];
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "def"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 20);
    let mut failures = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a definition");
        let name = path.file_stem().expect("a name").to_string_lossy();
        for (dictionary_name, dictionary) in &dictionaries {
            match Dialogue::new(Arc::clone(dictionary), &formats).run(&text) {
                Ok(()) => println!("pass {name} ({dictionary_name})"),
                Err(why) => failures.push(format!("FAIL {name} ({dictionary_name}): {why}")),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

struct Dialogue<'f> {
    session: Session,
    now: u64,
    formats: &'f [(u32, &'f str)],
    seen: HashSet<Vec<u8>>,
    disconnected: bool,
}

impl<'f> Dialogue<'f> {
    fn new(dictionary: Arc<Dictionary>, formats: &'f [(u32, &'f str)]) -> Self {
        let mut config = Config::new("ISLD", Some("TW44"));
        config.reset_on_logon = true;
        config.allow_user_defined = false;
        config.dictionary = Some(dictionary);
        let session = Session::acceptor(config);
        Dialogue { session, now: START, formats, seen: HashSet::new(), disconnected: false }
    }

    fn run(&mut self, text: &str) -> Result<(), String> {
        for (number, line) in text.lines().enumerate() {
            self.now += STEP;
            let line = line.trim_end_matches('\r');
            self.step(line).map_err(|why| {
                format!("line {}: {why}: {}", number + 1, line.replace('\x01', "|"))
            })?;
        }
        match self.session.poll_output() {
            Some(bytes) => Err(format!("unexpected {}", show(bytes))),
            None => Ok(()),
        }
    }

    fn step(&mut self, line: &str) -> Result<(), String> {
        match line {
            "iCONNECT" => {
                self.session.on_connect(self.now);
                self.disconnected = false;
                Ok(())
            }
            "eDISCONNECT" => match self.session.poll_output() {
                Some(bytes) => Err(format!("expected no more, got {}", show(bytes))),
                None if self.disconnected => Ok(()),
                None => Err("the acceptor did not disconnect".to_owned()),
            },
            _ if line.is_empty() || line.starts_with('#') => Ok(()),
            _ => match line.split_at(1) {
                ("I", message) => {
                    let bytes = self.complete(message);
                    self.session.on_bytes(self.now, &bytes);
                    self.serve();
                    Ok(())
                }
                ("E", message) => self.expect(message),
                _ => Err("unknown step".to_owned()),
            },
        }
    }

    /// The application: echoes 35=D and 35=d, answers others as unsupported.
    fn serve(&mut self) {
        while let Some(event) = self.session.poll_event() {
            match event {
                Event::Application(bytes) => {
                    let (message, _) = frame(&bytes).expect("verified").expect("whole");
                    self.application(&message);
                }
                Event::Disconnect(_) => self.disconnected = true,
                _ => {}
            }
        }
    }

    fn application(&mut self, message: &Message<'_>) {
        let msg_type = std::str::from_utf8(message.msg_type()).expect("text");
        let seq = message.msg_seq_num().expect("a number");
        if !matches!(msg_type, "D" | "d") {
            let text = "Unsupported Message Type";
            self.session.business_reject(self.now, seq, msg_type, 3, text).expect("sent");
            return;
        }
        let id = message.get(tag::CL_ORD_ID).unwrap_or_default().to_vec();
        let known = !self.seen.insert(id);
        if known && message.bool(tag::POSS_RESEND) == Ok(true) {
            return;
        }
        const HEADER: [u32; 9] = [8, 9, 10, 34, 35, 43, 49, 52, 56];
        let mut body: Vec<_> = message.fields().filter(|(tag, _)| !HEADER.contains(tag)).collect();
        body.sort_by_key(|(tag, _)| *tag);
        let echo = |w: &mut saker_fix::encode::Writer<'_>| {
            for (tag, value) in body.iter().filter(|(tag, _)| !matches!(tag, 97 | 122)) {
                w.field_bytes(*tag, value);
            }
        };
        self.session.send(self.now, msg_type, echo).expect("sent");
    }

    /// Fills in times, BodyLength and CheckSum.
    fn complete(&self, text: &str) -> Vec<u8> {
        let now = TimestampCache::default().format(self.now);
        let now = std::str::from_utf8(&now[..17]).expect("digits");
        let mut text = text.replace("<TIME>", now);
        if !text.ends_with('\x01') {
            text.push('\x01');
        }
        if !text.contains("\x019=") {
            let (begin, body) = text.split_once('\x01').expect("BeginString");
            text = format!("{begin}\x019={}\x01{body}", body.len());
        }
        let mut bytes = text.into_bytes();
        if !bytes.windows(4).any(|window| window == b"\x0110=") {
            let sum: u32 = bytes.iter().map(|&byte| u32::from(byte)).sum();
            bytes.extend(format!("10={:03}\x01", sum % 256).bytes());
        }
        bytes
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        let bytes = self.session.poll_output().ok_or("nothing was sent")?.to_vec();
        let (message, _) = frame(&bytes).map_err(|e| e.to_string())?.ok_or("incomplete")?;
        let expected: Vec<(u32, &str)> = text
            .split_terminator('\x01')
            .map(|field| field.split_once('=').expect("tag=value"))
            .map(|(tag, value)| (tag.parse().expect("a tag"), value))
            .collect();
        let stated = |tag| expected.iter().any(|(expected, _)| *expected == tag);
        let actual = message.fields().filter(|(tag, _)| !matches!(tag, 9 | 10) || stated(*tag));
        let actual: Vec<_> = actual.collect();
        let same = actual.len() == expected.len()
            && actual.iter().zip(&expected).all(|((tag, value), (wanted_tag, wanted))| {
                tag == wanted_tag && self.matches(*tag, value, wanted)
            });
        if same { Ok(()) } else { Err(format!("got {}", show(&bytes))) }
    }

    fn matches(&self, tag: u32, value: &[u8], wanted: &str) -> bool {
        match self.formats.iter().find(|(formatted, _)| *formatted == tag) {
            Some((_, pattern)) => pattern.split('|').any(|pattern| begins_with(value, pattern)),
            None => value == wanted.as_bytes(),
        }
    }
}

/// Whether `value` begins with the pattern, which has digits as `\d{n}`, `[.]`, and literals.
fn begins_with(mut value: &[u8], mut pattern: &str) -> bool {
    while !pattern.is_empty() {
        let count;
        let digit;
        if let Some(rest) = pattern.strip_prefix("\\d{") {
            let (number, rest) = rest.split_once('}').expect("a count");
            (count, digit, pattern) = (number.parse::<usize>().expect("a count"), None, rest);
        } else if let Some(rest) = pattern.strip_prefix("[.]") {
            (count, digit, pattern) = (1, Some(b'.'), rest);
        } else {
            (count, digit, pattern) = (1, Some(pattern.as_bytes()[0]), &pattern[1..]);
        }
        let Some((head, tail)) = value.split_at_checked(count) else { return false };
        if !head.iter().all(|byte| digit.map_or(byte.is_ascii_digit(), |digit| *byte == digit)) {
            return false;
        }
        value = tail;
    }
    true
}

fn show(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\x01', "|")
}
