//! Two sessions and the link between them.
#![allow(dead_code)]

use saker_fix::encode::Writer;
use saker_fix::parse::frame;
use saker_fix::session::{Config, Event, Session};
use saker_fix::tag;

pub const SECOND: u64 = 1_000_000_000;
/// 2026-01-05T09:30:00Z.
pub const START: u64 = 1_767_605_400 * SECOND;

pub fn exchange() -> Config {
    Config::new("SAKER", Some("CLIENT1"))
}

pub fn client() -> Config {
    Config::new("CLIENT1", Some("SAKER"))
}

pub struct Pair {
    pub acceptor: Session,
    pub initiator: Session,
    pub now: u64,
    pub acceptor_events: Vec<Event>,
    pub initiator_events: Vec<Event>,
}

impl Pair {
    pub fn new(acceptor: Config, initiator: Config) -> Self {
        Pair {
            acceptor: Session::acceptor(acceptor),
            initiator: Session::initiator(initiator),
            now: START,
            acceptor_events: Vec::new(),
            initiator_events: Vec::new(),
        }
    }

    /// Logged on, with the events so far taken.
    pub fn established() -> Self {
        let mut pair = Pair::new(exchange(), client());
        pair.connect();
        pair.settle();
        assert_eq!(pair.acceptor_events, [Event::LoggedOn { comp_id: "CLIENT1".into() }]);
        assert_eq!(pair.initiator_events, [Event::LoggedOn { comp_id: "SAKER".into() }]);
        pair.acceptor_events.clear();
        pair.initiator_events.clear();
        pair
    }

    pub fn connect(&mut self) {
        self.acceptor.on_connect(self.now);
        self.initiator.on_connect(self.now);
    }

    pub fn disconnect(&mut self) {
        self.acceptor.on_disconnect(self.now);
        self.initiator.on_disconnect(self.now);
    }

    pub fn on_deadlines(&mut self) {
        for session in [&mut self.acceptor, &mut self.initiator] {
            if session.next_deadline().is_some_and(|deadline| deadline <= self.now) {
                session.on_deadline(self.now);
            }
        }
    }

    /// Carries bytes until there are no more.
    pub fn settle(&mut self) {
        loop {
            let to_acceptor = self.initiator.output().to_vec();
            self.initiator.consume_output(to_acceptor.len());
            let to_initiator = self.acceptor.output().to_vec();
            self.acceptor.consume_output(to_initiator.len());
            if to_acceptor.is_empty() && to_initiator.is_empty() {
                break;
            }
            self.acceptor.on_bytes(self.now, &to_acceptor);
            self.initiator.on_bytes(self.now, &to_initiator);
        }
        self.acceptor_events.extend(events(&mut self.acceptor));
        self.initiator_events.extend(events(&mut self.initiator));
    }
}

pub fn events(session: &mut Session) -> Vec<Event> {
    std::iter::from_fn(|| session.poll_event()).collect()
}

/// Body of a small application message (35=j).
pub fn body(text: &str) -> impl FnOnce(&mut Writer<'_>) + use<> {
    let text = text.to_owned();
    move |w| {
        w.field_str(tag::TEXT, &text);
        w.field_char(tag::REF_MSG_TYPE, b'D');
        w.field_char(tag::BUSINESS_REJECT_REASON, b'0');
    }
}

pub fn order(id: &str) -> impl FnOnce(&mut Writer<'_>) + use<> {
    let id = id.to_owned();
    move |w| {
        w.field_str(tag::CL_ORD_ID, &id);
        w.field_char(tag::ORD_TYPE, b'1');
        w.field_char(tag::SIDE, b'1');
        w.field_timestamp(tag::TRANSACT_TIME, START);
    }
}

/// A message of the client, made by hand: `|` for SOH, the header completed where it is silent.
pub fn message(now: u64, body: &str) -> Vec<u8> {
    complete(now, body, "CLIENT1", "SAKER")
}

pub fn from_exchange(now: u64, body: &str) -> Vec<u8> {
    complete(now, body, "SAKER", "CLIENT1")
}

fn complete(now: u64, body: &str, sender: &str, target: &str) -> Vec<u8> {
    let time = saker_fix::value::TimestampCache::default().format(now);
    let time = std::str::from_utf8(&time).expect("digits");
    let (msg_type, rest) = body.split_once('|').expect("MsgType first");
    let mut header = String::new();
    for (tag, value) in [("49", sender), ("52", time), ("56", target)] {
        if !format!("|{rest}").contains(&format!("|{tag}=")) {
            header += &format!("{tag}={value}|");
        }
    }
    close(&format!("{msg_type}|{header}{rest}").replace('|', "\x01"))
}

fn close(body: &str) -> Vec<u8> {
    let mut text = format!("8=FIX.4.4\x019={}\x01{body}", body.len()).into_bytes();
    let sum: u32 = text.iter().map(|&byte| u32::from(byte)).sum();
    text.extend(format!("10={:03}\x01", sum % 256).bytes());
    text
}

/// The message with one text for another.
pub fn replace(message: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(message).replace(from, to);
    let body = text.split_once("\x0135=").expect("MsgType").1;
    let body = body.rsplit_once("10=").expect("CheckSum").0;
    close(&format!("35={body}"))
}

/// MsgType, MsgSeqNum and the fields that are not the same in every message.
pub fn describe(bytes: &[u8]) -> String {
    let (message, _) = frame(bytes).expect("a message").expect("whole");
    let mut text = format!(
        "{} {}",
        String::from_utf8_lossy(message.msg_type()),
        message.msg_seq_num().expect("a number")
    );
    for (tag, value) in message.fields() {
        if !matches!(tag, 8 | 9 | 10 | 34 | 35 | 49 | 52 | 56 | 98 | 108) {
            text += &format!(" {tag}={}", String::from_utf8_lossy(value));
        }
    }
    text
}

pub fn outputs(session: &mut Session) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(bytes) = session.poll_output() {
        lines.push(describe(bytes));
    }
    lines
}
