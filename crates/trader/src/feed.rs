//! The feed handler: packets of three streams on two lines in, normalised events out.

use saker_fast::{Decoder, DecoderOptions, ResetPolicy, Templates};
use saker_feed::PREAMBLE_LEN;
use saker_feed::channel::{Line, Stream};
use saker_feed::normalize::{Event, Instruments, InstrumentsConfig, Normalizer, TagMap};
use saker_wire::time::Nanos;

use crate::arbitrate::{Arbiter, ArbiterConfig, ArbiterCounters, Offer, Step};

/// Bounds of the feed handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedConfig {
    /// Bounds of each stream's arbiter.
    pub arbiter: ArbiterConfig,
    /// Bounds of the instrument registry.
    pub instruments: InstrumentsConfig,
    /// Events of one message; more are dropped and counted, and their instruments go stale.
    pub max_events: usize,
}

impl Default for FeedConfig {
    fn default() -> Self {
        Self {
            arbiter: ArbiterConfig::default(),
            instruments: InstrumentsConfig::default(),
            max_events: 4_096,
        }
    }
}

/// Counts since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct FeedCounters {
    /// Packets of line A and line B.
    pub packets: [u64; 2],
    /// Packets, of either line, that were served.
    pub served: u64,
    /// Packets shorter than their preamble.
    pub short: u64,
    /// Packets with a message that does not decode; what followed it in the packet is lost.
    pub undecodable: u64,
    /// Messages with more events than are kept; what was dropped of them is lost.
    pub overflowed: u64,
    /// Packets served from each line first.
    pub first: [u64; 2],
}

/// What the handler tells, in the order of the stream.
#[derive(Debug, Clone, Copy)]
pub enum News<'a> {
    /// A packet begins.
    Packet {
        /// Its number in its stream.
        seq: u32,
    },
    /// The stream begins, for us, with this packet.
    Join {
        /// Its number.
        seq: u32,
    },
    /// Packets up to this one are missing, or the stream's state after it is unknown.
    Gap {
        /// The last one.
        last: u32,
    },
    /// A message was decoded.
    Message {
        /// The packet it was in.
        seq: u32,
        /// What it yielded.
        events: &'a [Event],
        /// The instruments that the events speak of.
        instruments: &'a Instruments,
    },
}

/// Arbiters, decoder and normaliser of one feed.
#[derive(Debug)]
pub struct FeedHandler {
    arbiters: [Arbiter; 3],
    codec: Codec,
    counters: FeedCounters,
}

#[derive(Debug)]
struct Codec {
    decoder: Decoder,
    normalizer: Normalizer,
}

impl FeedHandler {
    /// A handler of the feed with these templates, whose dictionaries are reset in every packet.
    pub fn new(templates: &Templates, config: FeedConfig) -> Self {
        let options = DecoderOptions::with_reset(ResetPolicy::Packet);
        let map = TagMap::new(templates);
        Self {
            arbiters: [(); 3].map(|()| Arbiter::new(config.arbiter)),
            codec: Codec {
                decoder: Decoder::new(templates, options),
                normalizer: Normalizer::new(map, config.instruments, config.max_events),
            },
            counters: FeedCounters::default(),
        }
    }

    /// A datagram of `stream` has come by `line`. `tell` is called for everything it lets us know,
    /// in the order of the stream.
    pub fn on_datagram(
        &mut self,
        now: Nanos,
        stream: Stream,
        line: Line,
        datagram: &[u8],
        tell: &mut impl FnMut(Stream, News<'_>),
    ) {
        self.counters.packets[line as usize] += 1;
        let Some((preamble, messages)) = datagram.split_first_chunk::<PREAMBLE_LEN>() else {
            self.counters.short += 1;
            return;
        };
        let seq = u32::from_le_bytes(*preamble);
        let offer = self.arbiters[stream as usize].offer(now, seq, messages);
        match offer {
            Offer::Deliver | Offer::Join => {
                self.counters.first[line as usize] += 1;
                if offer == Offer::Join {
                    tell(stream, News::Join { seq });
                }
                self.codec.serve(&mut self.counters, stream, seq, messages, tell);
            }
            Offer::Held => self.counters.first[line as usize] += 1,
            Offer::Duplicate | Offer::Late | Offer::TooLong => {}
        }
        self.drain(stream, tell);
    }

    /// Declares the gaps whose time has come.
    pub fn on_deadline(&mut self, now: Nanos, tell: &mut impl FnMut(Stream, News<'_>)) {
        for stream in [Stream::Incremental, Stream::Snapshot, Stream::Definition] {
            // Behind one gap there may be another that was held as long.
            while self.arbiters[stream as usize].next_deadline().is_some_and(|at| at <= now) {
                self.arbiters[stream as usize].expire(now);
                self.drain(stream, tell);
            }
        }
    }

    /// When [`FeedHandler::on_deadline`] is next wanted.
    pub fn next_deadline(&self) -> Option<Nanos> {
        self.arbiters.iter().filter_map(Arbiter::next_deadline).min()
    }

    /// The instruments seen so far.
    pub fn instruments(&self) -> &Instruments {
        self.codec.normalizer.instruments()
    }

    /// The normaliser, for its counters.
    pub fn normalizer(&self) -> &Normalizer {
        &self.codec.normalizer
    }

    /// The counts since the start.
    pub fn counters(&self) -> FeedCounters {
        self.counters
    }

    /// The last packet of a stream that was served or given up; 0 before the first.
    pub fn last_packet(&self, stream: Stream) -> u32 {
        self.arbiters[stream as usize].last()
    }

    /// The counts of a stream's arbiter.
    pub fn arbiter_counters(&self, stream: Stream) -> ArbiterCounters {
        self.arbiters[stream as usize].counters()
    }

    fn drain(&mut self, stream: Stream, tell: &mut impl FnMut(Stream, News<'_>)) {
        while let Some(step) = self.arbiters[stream as usize].pop() {
            match step {
                Step::Gap { to, .. } => tell(stream, News::Gap { last: to }),
                Step::Packet { seq, bytes } => {
                    self.codec.serve(&mut self.counters, stream, seq, bytes, tell);
                }
            }
        }
    }
}

impl Codec {
    fn serve(
        &mut self,
        counters: &mut FeedCounters,
        stream: Stream,
        seq: u32,
        mut messages: &[u8],
        tell: &mut impl FnMut(Stream, News<'_>),
    ) {
        counters.served += 1;
        tell(stream, News::Packet { seq });
        self.decoder.begin_packet();
        while !messages.is_empty() {
            self.normalizer.clear();
            let decoded = self.decoder.decode(messages, &mut self.normalizer);
            if decoded.is_err() {
                self.normalizer.abandon();
            }
            tell(
                stream,
                News::Message {
                    seq,
                    events: self.normalizer.events(),
                    instruments: self.normalizer.instruments(),
                },
            );
            // Entries of this very packet are lost, so nothing in it proves anything: only the next
            // one does.
            let incomplete = News::Gap { last: seq.saturating_add(1) };
            if self.normalizer.overflowed() {
                counters.overflowed += 1;
                tell(stream, incomplete);
            }
            match decoded {
                Ok(length) => messages = messages.get(length..).unwrap_or_default(),
                Err(_) => {
                    counters.undecodable += 1;
                    tell(stream, incomplete);
                    return;
                }
            }
        }
    }
}
