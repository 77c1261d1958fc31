//! The publisher itself.

use saker_fast::{Encoder, EncoderOptions, Templates};
use saker_wire::time::Nanos;

use super::source::{Entry, FeedMessage, SnapshotHeader, entry_type, template};
use super::{BookView, Instrument, Pacing, PacketSink, PublishConfig};
use crate::channel::Stream;
use crate::event::{Action, Side};
use crate::{PREAMBLE_LEN, TEMPLATES_XML};

/// The largest magnitude of a published price mantissa: the difference of any two of them, which
/// is what the feed carries, then fits the 64 bits of its delta.
pub const MAX_PRICE: i64 = 1 << 61;

/// No entry takes more bytes than this: two presence-map bytes, five 32-bit and four 64-bit
/// integers at one byte for each seven bits and one for the sign of a delta.
const MAX_ENTRY: usize = 2 + 5 * 6 + 4 * 11;
/// No message takes more bytes than this before its entries.
const MAX_MESSAGE_HEAD: usize = 64;
/// A full packet has seldom more bytes than this for each entry: where the first guess of how many
/// entries fit comes from.
const TYPICAL_ENTRY: usize = 8;
/// The smallest payload that holds two worst-case entries, or one definition.
const MIN_PAYLOAD: usize = 256;
/// The largest UDP payload over IPv4.
const MAX_PAYLOAD: usize = 65_507;
/// The longest symbol, so that a definition always fits a packet.
const MAX_SYMBOL: usize = 64;

/// Why a publisher cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// A setting is outside its range.
    #[error("{field}: {problem}")]
    Invalid {
        /// The offending setting.
        field: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The crate's own templates do not load.
    #[error("templates: {0}")]
    Templates(#[from] saker_fast::TemplateError),
}

/// Builds the packets of all three streams.
#[derive(Debug)]
pub struct Publisher {
    config: PublishConfig,
    instruments: Vec<Instrument>,
    encoder: Encoder,
    packet: Vec<u8>,
    /// The last sequence number of each stream.
    sequences: [u32; 3],
    /// The last `RptSeq` of each instrument.
    rpt_seqs: Vec<u32>,
    /// Queued since the last flush.
    queue: Vec<Entry>,
    heartbeat_at: Nanos,
    snapshot: Snapshot,
    snapshot_at: Nanos,
    definition_next: usize,
    definition_at: Nanos,
}

/// The snapshot loop: the instrument being sent, as it was when its turn came.
#[derive(Debug)]
struct Snapshot {
    /// The instrument whose turn comes next.
    next: usize,
    header: SnapshotHeader,
    entries: Vec<Entry>,
    /// Entries already sent.
    sent: usize,
    /// Whether the captured instrument still has something to send.
    open: bool,
}

impl Publisher {
    /// A publisher whose streams start with packet 1 and whose loops start at `now`.
    ///
    /// # Errors
    /// [`PublishError::Invalid`] where a setting or an instrument is outside its documented range.
    pub fn new(
        instruments: Vec<Instrument>,
        config: PublishConfig,
        now: Nanos,
    ) -> Result<Self, PublishError> {
        check(&instruments, &config)?;
        let templates = Templates::from_xml(TEMPLATES_XML)?;
        let header = SnapshotHeader { last_processed: 0, total: 0, security_id: 0, rpt_seq: 0 };
        Ok(Self {
            encoder: Encoder::new(&templates, EncoderOptions::default()),
            packet: Vec::with_capacity(config.max_payload + MAX_ENTRY),
            sequences: [0; 3],
            rpt_seqs: vec![0; instruments.len()],
            queue: Vec::with_capacity(256),
            heartbeat_at: now.saturating_add(config.heartbeat_ns),
            snapshot: Snapshot { next: 0, header, entries: Vec::new(), sent: 0, open: false },
            snapshot_at: now.saturating_add(config.snapshot.interval_ns),
            definition_next: 0,
            definition_at: now.saturating_add(config.definition.interval_ns),
            instruments,
            config,
        })
    }

    /// Queues a change of one resting order; `quantity` is what is left of it (0 for a delete).
    ///
    /// # Panics
    /// If `instrument` is not an index of the instruments, `price` exceeds [`MAX_PRICE`] in
    /// magnitude, or the id is not below 2^63.
    pub fn order(
        &mut self,
        instrument: usize,
        action: Action,
        side: Side,
        order_id: u64,
        price: i64,
        quantity: u64,
    ) {
        let action = match action {
            Action::New => 0,
            Action::Change => 1,
            Action::Delete => 2,
        };
        self.queue(instrument, action, side_type(side), order_id, price, quantity);
    }

    /// Queues a trade.
    ///
    /// # Panics
    /// As [`Publisher::order`].
    pub fn trade(&mut self, instrument: usize, trade_id: u64, price: i64, quantity: u64) {
        self.queue(instrument, 0, entry_type::TRADE, trade_id, price, quantity);
    }

    fn queue(&mut self, i: usize, action: u32, kind: u32, id: u64, price: i64, quantity: u64) {
        assert!(price.unsigned_abs() <= MAX_PRICE.unsigned_abs(), "price {price} out of range");
        assert!(i64::try_from(id).is_ok(), "id {id} out of range");
        let instrument = &self.instruments[i];
        self.rpt_seqs[i] = self.rpt_seqs[i].wrapping_add(1);
        self.queue.push(Entry {
            action,
            entry_type: kind,
            security_id: instrument.security_id,
            rpt_seq: self.rpt_seqs[i],
            id,
            price,
            exponent: instrument.exponent,
            quantity,
        });
    }

    /// Sends everything queued in as few packets as hold it.
    pub fn flush(&mut self, now: Nanos, out: &mut impl PacketSink) {
        let queue = std::mem::take(&mut self.queue);
        let mut rest = &queue[..];
        while !rest.is_empty() {
            let taken = match rest {
                [entry] => self.fit(Stream::Incremental, template::INCREMENTAL_ENTRY, 1, |_| {
                    FeedMessage::IncrementalEntry { time: now, entry }
                }),
                _ => self.fit(Stream::Incremental, template::INCREMENTAL, rest.len(), |n| {
                    FeedMessage::Incremental { time: now, entries: &rest[..n] }
                }),
            };
            self.ship(Stream::Incremental, out);
            rest = &rest[taken..];
            self.heartbeat_at = now.saturating_add(self.config.heartbeat_ns);
        }
        self.queue = queue;
        self.queue.clear();
    }

    /// When [`Publisher::on_deadline`] is due next.
    pub fn next_deadline(&self) -> Nanos {
        self.heartbeat_at.min(self.snapshot_at).min(self.definition_at)
    }

    /// Sends the heartbeat, snapshot and definition packets that are due at `now`. Nothing may be
    /// queued: `books` must be what the incremental stream has told so far.
    pub fn on_deadline(&mut self, now: Nanos, books: &impl BookView, out: &mut impl PacketSink) {
        debug_assert!(self.queue.is_empty(), "flush before the snapshot loop reads the books");
        if self.heartbeat_at <= now {
            self.heartbeat_at = now.saturating_add(self.config.heartbeat_ns);
            self.fit(Stream::Incremental, template::HEARTBEAT, 0, |_| FeedMessage::Heartbeat {
                time: now,
            });
            self.ship(Stream::Incremental, out);
        }
        if self.snapshot_at <= now {
            self.snapshot_at = next_tick(self.snapshot_at, self.config.snapshot, now);
            for _ in 0..self.config.snapshot.packets {
                self.snapshot_packet(now, books, out);
            }
        }
        if self.definition_at <= now {
            self.definition_at = next_tick(self.definition_at, self.config.definition, now);
            for _ in 0..self.config.definition.packets {
                self.definition_packet(now, out);
            }
        }
    }

    /// The sequence number of the last packet of `stream`; 0 before the first. After
    /// 4 294 967 295 comes 1.
    pub fn last_sequence(&self, stream: Stream) -> u32 {
        self.sequences[stream as usize]
    }

    /// `RptSeq` of the last entry of an instrument; 0 before the first.
    pub fn rpt_seq(&self, instrument: usize) -> u32 {
        self.rpt_seqs[instrument]
    }

    /// The instruments it publishes, in the order of the definition loop.
    pub fn instruments(&self) -> &[Instrument] {
        &self.instruments
    }

    /// The settings it runs with.
    pub fn config(&self) -> &PublishConfig {
        &self.config
    }

    fn snapshot_packet(&mut self, now: Nanos, books: &impl BookView, out: &mut impl PacketSink) {
        if !self.snapshot.open {
            self.capture(books);
        }
        let entries = std::mem::take(&mut self.snapshot.entries);
        let header = self.snapshot.header;
        let sent = self.snapshot.sent;
        let rest = &entries[sent..];
        let taken =
            self.fit(Stream::Snapshot, template::SNAPSHOT, rest.len(), |n| FeedMessage::Snapshot {
                time: now,
                header: &header,
                first: sent == 0,
                last: n == rest.len(),
                entries: &rest[..n],
            });
        self.snapshot.sent += taken;
        self.snapshot.open = taken < rest.len();
        self.snapshot.entries = entries;
        self.ship(Stream::Snapshot, out);
    }

    /// Takes the book of the next instrument as it is now.
    fn capture(&mut self, books: &impl BookView) {
        let i = self.snapshot.next;
        self.snapshot.next = (i + 1) % self.instruments.len();
        let instrument = &self.instruments[i];
        let blank = Entry {
            action: 0,
            entry_type: entry_type::TRADE,
            security_id: instrument.security_id,
            rpt_seq: 0,
            id: 0,
            price: 0,
            exponent: instrument.exponent,
            quantity: 0,
        };
        let entries = &mut self.snapshot.entries;
        entries.clear();
        for side in [Side::Bid, Side::Offer] {
            let entry_type = side_type(side);
            books.visit_orders(i, side, &mut |id, price, quantity| {
                entries.push(Entry { entry_type, id, price, quantity, ..blank });
            });
        }
        if let Some(trade) = books.last_trade(i) {
            let (id, price, quantity) = (trade.id, trade.price, trade.quantity);
            entries.push(Entry { id, price, quantity, ..blank });
        }
        self.snapshot.sent = 0;
        self.snapshot.open = true;
        self.snapshot.header = SnapshotHeader {
            last_processed: self.sequences[Stream::Incremental as usize],
            total: total(&self.instruments),
            security_id: instrument.security_id,
            rpt_seq: self.rpt_seqs[i],
        };
    }

    /// One packet with as many definitions as fit, at most once around the loop.
    fn definition_packet(&mut self, now: Nanos, out: &mut impl PacketSink) {
        self.begin(Stream::Definition);
        for _ in 0..self.instruments.len() {
            let length = self.packet.len();
            let message = FeedMessage::Definition {
                time: now,
                total: total(&self.instruments),
                instrument: &self.instruments[self.definition_next],
            };
            encode(&mut self.encoder, template::DEFINITION, message, &mut self.packet);
            if self.packet.len() > self.config.max_payload {
                self.packet.truncate(length);
                break;
            }
            self.definition_next = (self.definition_next + 1) % self.instruments.len();
        }
        self.ship(Stream::Definition, out);
    }

    /// Makes a packet of one message with as many of `available` entries as fit, and returns their
    /// number.
    fn fit<'m>(
        &mut self,
        stream: Stream,
        template: &str,
        available: usize,
        message: impl Fn(usize) -> FeedMessage<'m>,
    ) -> usize {
        let room = self.config.max_payload - PREAMBLE_LEN;
        let certain = (room - MAX_MESSAGE_HEAD) / MAX_ENTRY;
        let mut count = available.min(room / TYPICAL_ENTRY);
        loop {
            self.begin(stream);
            encode(&mut self.encoder, template, message(count), &mut self.packet);
            let length = self.packet.len();
            if length <= self.config.max_payload {
                return count;
            }
            debug_assert!(count > certain, "{count} entries always fit, yet took {length} bytes");
            let guess = count * self.config.max_payload / length;
            count = guess.min(count - 1).max(certain.min(count - 1));
        }
    }

    fn begin(&mut self, stream: Stream) {
        let sequence = self.sequences[stream as usize].checked_add(1).unwrap_or(1);
        self.packet.clear();
        self.packet.extend_from_slice(&sequence.to_le_bytes());
        self.encoder.reset();
    }

    fn ship(&mut self, stream: Stream, out: &mut impl PacketSink) {
        let sequence = &mut self.sequences[stream as usize];
        *sequence = sequence.checked_add(1).unwrap_or(1);
        debug_assert_eq!(self.packet[..PREAMBLE_LEN], sequence.to_le_bytes());
        debug_assert!(self.packet.len() <= self.config.max_payload);
        out.packet(stream, &self.packet);
    }
}

fn encode(encoder: &mut Encoder, template: &str, message: FeedMessage<'_>, out: &mut Vec<u8>) {
    encoder
        .encode_from(template, message, out)
        .expect("every field has a value, and prices and ids are in range");
}

fn side_type(side: Side) -> u32 {
    match side {
        Side::Bid => entry_type::BID,
        Side::Offer => entry_type::OFFER,
    }
}

fn total(instruments: &[Instrument]) -> u32 {
    u32::try_from(instruments.len()).expect("the number of instruments is checked at start")
}

/// The tick after `due`, never in the past: missed ticks are skipped, not caught up with.
fn next_tick(due: Nanos, pacing: Pacing, now: Nanos) -> Nanos {
    let next = due.saturating_add(pacing.interval_ns);
    if next > now { next } else { now.saturating_add(pacing.interval_ns) }
}

fn check(instruments: &[Instrument], config: &PublishConfig) -> Result<(), PublishError> {
    let require = |ok: bool, field, problem| {
        if ok { Ok(()) } else { Err(PublishError::Invalid { field, problem }) }
    };
    require(
        !instruments.is_empty() && u32::try_from(instruments.len()).is_ok(),
        "instruments",
        "must be 1 to 2^32 - 1",
    )?;
    for instrument in instruments {
        let symbol = &instrument.symbol;
        require(
            (1..=MAX_SYMBOL).contains(&symbol.len())
                && symbol.bytes().all(|b| b.is_ascii_graphic()),
            "symbol",
            "must be 1 to 64 printable ASCII characters",
        )?;
        require((-63..=63).contains(&instrument.exponent), "exponent", "must be -63 to 63")?;
        require((1..=MAX_PRICE).contains(&instrument.tick), "tick", "must be 1 to 2^61")?;
        require(instrument.round_lot >= 1, "round_lot", "must be at least 1")?;
    }
    require(
        (MIN_PAYLOAD..=MAX_PAYLOAD).contains(&config.max_payload),
        "max_payload",
        "must be 256 to 65507",
    )?;
    require(config.heartbeat_ns >= 1, "heartbeat_ns", "must be at least 1")?;
    for pacing in [config.snapshot, config.definition] {
        require(pacing.packets >= 1, "packets", "must be at least 1")?;
        require(pacing.interval_ns >= 1, "interval_ns", "must be at least 1")?;
    }
    Ok(())
}
