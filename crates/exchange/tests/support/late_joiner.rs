//! A reader of the feed that keeps books: from the first packet, or from a snapshot on.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use saker_book::{OrderBook, Side};
use saker_feed::channel::Stream;

use super::feed::{Fields, Message, Reader};

const NEW: u64 = 0;
const CHANGE: u64 = 1;
const TRADE: u64 = 2;

/// The books of every instrument, by security id, as the feed tells them.
pub struct FeedBooks {
    reader: Reader,
    books: BTreeMap<u64, Book>,
    sequences: BTreeMap<Stream, u32>,
    /// The first packet of the incremental stream that was heard.
    first_heard: Option<u32>,
    /// A joiner has no use for increments of an instrument before it has its snapshot.
    joined_late: bool,
    pub trades: u64,
    pub traded: u64,
}

/// Number, price and quantity.
type Trade = (u64, i64, u64);

struct Book {
    orders: OrderBook,
    rpt_seq: u64,
    last_trade: Option<Trade>,
    /// Whether the book holds all that was before.
    complete: bool,
    /// Fragments of the snapshot that is being received.
    fragments: Vec<Message>,
    /// Increments heard while waiting for a snapshot.
    waiting: Vec<Fields>,
}

impl Book {
    fn new(complete: bool) -> Self {
        let orders = OrderBook::with_capacity(1 << 16);
        Self {
            orders,
            rpt_seq: 0,
            last_trade: None,
            complete,
            fragments: Vec::new(),
            waiting: Vec::new(),
        }
    }
}

impl FeedBooks {
    /// A reader that has listened since the first packet.
    pub fn from_start() -> Self {
        Self {
            reader: Reader::new(),
            books: BTreeMap::new(),
            sequences: BTreeMap::new(),
            first_heard: None,
            joined_late: false,
            trades: 0,
            traded: 0,
        }
    }

    /// A reader that starts now and waits for snapshots.
    pub fn late() -> Self {
        Self { joined_late: true, ..Self::from_start() }
    }

    /// Takes a packet; panics on any hole in a sequence.
    pub fn apply(&mut self, stream: Stream, payload: &[u8]) {
        let packet = self.reader.read(payload);
        let last = self.sequences.insert(stream, packet.sequence);
        if let Some(last) = last {
            assert_eq!(packet.sequence, last + 1, "{stream:?}");
        } else if !self.joined_late {
            assert_eq!(packet.sequence, 1, "{stream:?}");
        }
        if stream == Stream::Incremental {
            self.first_heard.get_or_insert(packet.sequence);
        }
        for message in packet.messages {
            match message.fields.text(35) {
                "X" => message.entries.iter().for_each(|entry| self.increment(entry)),
                "W" => self.snapshot(message),
                "0" | "d" => {}
                other => panic!("message type {other}"),
            }
        }
    }

    fn book(&mut self, security_id: u64) -> &mut Book {
        let complete = !self.joined_late;
        self.books.entry(security_id).or_insert_with(|| Book::new(complete))
    }

    fn increment(&mut self, entry: &Fields) {
        let (action, kind) = (entry.number(279), entry.number(269));
        let (id, quantity) = (entry.number(278), entry.number(271));
        let (price, _) = entry.decimal(270);
        let rpt_seq = entry.number(83);
        let book = self.book(entry.number(48));
        if !book.complete {
            book.waiting.push(entry.clone());
            return;
        }
        assert_eq!(rpt_seq, book.rpt_seq + 1, "RptSeq without holes");
        book.rpt_seq = rpt_seq;
        if kind == TRADE {
            book.last_trade = Some((id, price, quantity));
            self.trades += 1;
            self.traded += quantity;
            return;
        }
        let side = side(kind);
        match action {
            NEW => {
                book.orders.add(id, side, price, quantity).unwrap();
            }
            CHANGE => {
                assert_eq!(book.orders.get(id).unwrap().side, side);
                book.orders.change(id, price, quantity).unwrap();
            }
            _ => {
                let gone = book.orders.remove(id).unwrap();
                assert_eq!((gone.side, gone.price, quantity), (side, price, 0));
            }
        }
    }

    fn snapshot(&mut self, message: Message) {
        let security_id = message.fields.number(48);
        let first_heard = self.first_heard;
        let book = self.book(security_id);
        if book.complete {
            // A reader that is up to date sees its own book in the snapshot.
            book.fragments.clear();
            return;
        }
        if message.fields.number(5893) == 1 {
            book.fragments.clear();
        } else if book.fragments.is_empty() {
            return;
        }
        let last = message.fields.number(893) == 1;
        book.fragments.push(message);
        if !last {
            return;
        }
        let fragments = std::mem::take(&mut book.fragments);
        let header = &fragments[0].fields;
        // Between the snapshot and the first packet heard nothing may be missing.
        if first_heard.is_some_and(|first| header.number(369) + 1 < u64::from(first)) {
            return;
        }
        for entry in fragments.iter().flat_map(|f| &f.entries) {
            let (price, _) = entry.decimal(270);
            let (id, quantity) = (entry.number(278), entry.number(271));
            match entry.number(269) {
                TRADE => book.last_trade = Some((id, price, quantity)),
                kind => {
                    book.orders.add(id, side(kind), price, quantity).unwrap();
                }
            }
        }
        book.rpt_seq = header.number(83);
        book.complete = true;
        let rpt_seq = book.rpt_seq;
        for entry in std::mem::take(&mut book.waiting) {
            if entry.number(83) > rpt_seq {
                self.increment(&entry);
            }
        }
    }

    /// Digest, last `RptSeq` and last trade of an instrument; `None` before its snapshot.
    pub fn state(&mut self, security_id: u64) -> Option<(u64, u64, Option<Trade>)> {
        let book = self.book(security_id);
        book.complete.then(|| (book.orders.digest(), book.rpt_seq, book.last_trade))
    }
}

fn side(kind: u64) -> Side {
    match kind {
        0 => Side::Buy,
        1 => Side::Sell,
        other => panic!("entry type {other}"),
    }
}
