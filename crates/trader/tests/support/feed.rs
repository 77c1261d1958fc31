//! A feed publisher that is not the project's: messages by the FAST encoder, books for reference.

use saker_book::{OrderBook, Side};
use saker_fast::{Encoder, EncoderOptions, Message, Templates, Value};
use saker_feed::TEMPLATES_XML;

/// The exponent of every price.
pub const EXPONENT: i32 = -2;

/// One instrument and its reference book.
pub struct Listed {
    pub security_id: u32,
    pub symbol: String,
    pub book: OrderBook,
    pub rpt_seq: u32,
    pub last_trade: Option<(i64, u64)>,
}

/// One entry to publish.
#[derive(Debug, Clone, Copy)]
pub enum Item {
    Add {
        instrument: usize,
        id: u64,
        side: Side,
        price: i64,
        quantity: u64,
    },
    Change {
        instrument: usize,
        id: u64,
        price: i64,
        quantity: u64,
    },
    Delete {
        instrument: usize,
        id: u64,
    },
    Trade {
        instrument: usize,
        id: u64,
        price: i64,
        quantity: u64,
    },
    /// A price below the instrument's exponent: no book can hold it.
    Unreadable {
        instrument: usize,
    },
}

pub struct Publisher {
    templates: Templates,
    encoder: Encoder,
    pub listed: Vec<Listed>,
    /// The last packet of incremental, snapshot and definition.
    pub last: [u32; 3],
}

fn decimal(mantissa: i64) -> Value<'static> {
    Value::Decimal { mantissa, exponent: EXPONENT }
}

impl Publisher {
    pub fn new(symbols: &[&str]) -> Self {
        let templates = Templates::from_xml(TEMPLATES_XML).expect("our templates load");
        let listed = (1u32..).zip(symbols).map(|(security_id, symbol)| Listed {
            security_id,
            symbol: (*symbol).to_owned(),
            book: OrderBook::with_capacity(4_096),
            rpt_seq: 0,
            last_trade: None,
        });
        Self {
            encoder: Encoder::new(&templates, EncoderOptions::default()),
            listed: listed.collect(),
            last: [0; 3],
            templates,
        }
    }

    /// Applies the items to the reference books and returns the packet that tells of them, one
    /// message.
    pub fn incremental(&mut self, items: &[Item]) -> Vec<u8> {
        let message = self.message(items);
        self.packet(0, &[message])
    }

    /// The same with a message for each of the lists.
    pub fn incremental_messages(&mut self, lists: &[Vec<Item>]) -> Vec<u8> {
        let messages: Vec<_> = lists.iter().map(|items| self.message(items)).collect();
        self.packet(0, &messages)
    }

    fn message(&mut self, items: &[Item]) -> Message {
        let mut message = Message::new(&self.templates, "IncrementalRefresh").unwrap();
        message.set("SendingTime", 1u64).unwrap();
        for item in items {
            let (action, kind, instrument, id, price, quantity) = self.apply(*item);
            let listed = &mut self.listed[instrument];
            listed.rpt_seq += 1;
            let mut root = message.root_mut();
            let mut entries = root.sequence("MDEntries").unwrap();
            let mut entry = entries.push();
            entry.set("MDUpdateAction", action).unwrap();
            entry.set("MDEntryType", kind).unwrap();
            entry.set("SecurityID", listed.security_id).unwrap();
            entry.set("RptSeq", listed.rpt_seq).unwrap();
            entry.set("MDEntryID", id).unwrap();
            let price = match item {
                Item::Unreadable { .. } => Value::Decimal { mantissa: 12_345, exponent: -4 },
                _ => decimal(price),
            };
            entry.set("MDEntryPx", price).unwrap();
            entry.set("MDEntrySize", quantity).unwrap();
        }
        message
    }

    pub fn heartbeat(&mut self) -> Vec<u8> {
        let mut message = Message::new(&self.templates, "Heartbeat").unwrap();
        message.set("SendingTime", 1u64).unwrap();
        self.packet(0, &[message])
    }

    /// The snapshot of one instrument, `per_message` entries a message, a packet each.
    pub fn snapshot(&mut self, instrument: usize, per_message: usize) -> Vec<Vec<u8>> {
        let listed = &self.listed[instrument];
        let mut entries: Vec<(u32, u64, i64, u64)> = Vec::new();
        for (kind, side) in [(0, Side::Buy), (1, Side::Sell)] {
            entries.extend(listed.book.orders(side).map(|o| (kind, o.id, o.price, o.quantity)));
        }
        entries.extend(listed.last_trade.map(|(price, quantity)| (2, 0, price, quantity)));
        let chunks: Vec<_> = match entries.is_empty() {
            true => vec![&entries[..]],
            false => entries.chunks(per_message).collect(),
        };
        let (security_id, rpt_seq, last) = (listed.security_id, listed.rpt_seq, self.last[0]);
        let count = chunks.len();
        let messages: Vec<Message> = chunks
            .iter()
            .enumerate()
            .map(|(at, chunk)| {
                let mut message = Message::new(&self.templates, "SnapshotFullRefresh").unwrap();
                message.set("SendingTime", 1u64).unwrap();
                message.set("LastMsgSeqNumProcessed", last).unwrap();
                message.set("TotNumReports", 1u32).unwrap();
                message.set("SecurityID", security_id).unwrap();
                message.set("RptSeq", rpt_seq).unwrap();
                message.set("FirstFragment", u32::from(at == 0)).unwrap();
                message.set("LastFragment", u32::from(at + 1 == count)).unwrap();
                let mut root = message.root_mut();
                let mut entries = root.sequence("MDEntries").unwrap();
                for (kind, id, price, quantity) in chunk.iter().copied() {
                    let mut entry = entries.push();
                    entry.set("MDEntryType", kind).unwrap();
                    entry.set("MDEntryID", id).unwrap();
                    entry.set("MDEntryPx", decimal(price)).unwrap();
                    entry.set("MDEntrySize", quantity).unwrap();
                }
                message
            })
            .collect();
        messages.iter().map(|message| self.packet(1, std::slice::from_ref(message))).collect()
    }

    /// The definitions of all instruments, one packet.
    pub fn definitions(&mut self) -> Vec<u8> {
        let messages: Vec<Message> = self
            .listed
            .iter()
            .map(|listed| {
                let mut message = Message::new(&self.templates, "SecurityDefinition").unwrap();
                message.set("SendingTime", 1u64).unwrap();
                message.set("TotNumReports", self.listed.len() as u32).unwrap();
                message.set("SecurityID", listed.security_id).unwrap();
                message.set("Symbol", listed.symbol.as_str()).unwrap();
                message.set("MinPriceIncrement", decimal(1)).unwrap();
                message.set("RoundLot", 1u64).unwrap();
                message
            })
            .collect();
        self.packet(2, &messages)
    }

    fn packet(&mut self, stream: usize, messages: &[Message]) -> Vec<u8> {
        self.last[stream] += 1;
        let mut bytes = self.last[stream].to_le_bytes().to_vec();
        self.encoder.reset();
        for message in messages {
            self.encoder.encode(message, &mut bytes).unwrap();
        }
        bytes
    }

    fn apply(&mut self, item: Item) -> (u32, u32, usize, u64, i64, u64) {
        let kind = |side| u32::from(side == Side::Sell);
        match item {
            Item::Unreadable { instrument } => (0, 2, instrument, 1, 0, 1),
            Item::Add { instrument, id, side, price, quantity } => {
                self.listed[instrument].book.add(id, side, price, quantity).unwrap();
                (0, kind(side), instrument, id, price, quantity)
            }
            Item::Change { instrument, id, price, quantity } => {
                let book = &mut self.listed[instrument].book;
                let side = book.get(id).unwrap().side;
                book.change(id, price, quantity).unwrap();
                (1, kind(side), instrument, id, price, quantity)
            }
            Item::Delete { instrument, id } => {
                let order = self.listed[instrument].book.remove(id).unwrap();
                (2, kind(order.side), instrument, id, order.price, 0)
            }
            Item::Trade { instrument, id, price, quantity } => {
                self.listed[instrument].last_trade = Some((price, quantity));
                (0, 2, instrument, id, price, quantity)
            }
        }
    }

    /// A random message of up to `most` entries that the books allow.
    pub fn random_items(
        &self,
        rng: &mut fastrand::Rng,
        most: usize,
        next_id: &mut u64,
    ) -> Vec<Item> {
        // Only orders that no item of this message has touched, so that the books stay in step.
        let mut touched = Vec::new();
        (0..rng.usize(1..=most))
            .map(|_| {
                let instrument = rng.usize(..self.listed.len());
                let book = &self.listed[instrument].book;
                let side = if rng.bool() { Side::Buy } else { Side::Sell };
                let resting: Vec<_> = book
                    .orders(side)
                    .filter(|order| !touched.contains(&(instrument, order.id)))
                    .collect();
                let price = match side {
                    Side::Buy => rng.i64(900..1_000),
                    Side::Sell => rng.i64(1_000..1_100),
                };
                let quantity = rng.u64(1..500);
                *next_id += 1;
                if rng.u8(..10) == 0 {
                    return Item::Trade { instrument, id: *next_id, price, quantity };
                }
                if resting.is_empty() || rng.u8(..10) < 5 {
                    return Item::Add { instrument, id: *next_id, side, price, quantity };
                }
                let id = resting[rng.usize(..resting.len())].id;
                touched.push((instrument, id));
                if rng.bool() {
                    Item::Change { instrument, id, price, quantity }
                } else {
                    Item::Delete { instrument, id }
                }
            })
            .collect()
    }
}
