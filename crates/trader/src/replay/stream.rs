//! Units of one stream of any feed, decoded and contained.

use saker_fast::model::Template;
use saker_fast::{Decoder, DecoderOptions, FieldInfo, Templates, Value, Visitor};
use saker_feed::channel::Stream;
use saker_feed::normalize::{InstrumentsConfig, Normalizer, TagMap};
use saker_wire::time::Nanos;

use super::config::{ReplayConfig, TimeSource};
use super::observer::Observer;
use super::sending_time::{TAG, sending_time};
use super::{Core, ReplayError};
use crate::feed::News;

/// Events of one message; more are dropped and counted.
const MAX_EVENTS: usize = 1 << 16;

/// Decoder and normaliser of a stream.
#[derive(Debug)]
pub(super) struct StreamSource {
    decoder: Decoder,
    normalizer: Normalizer,
    preamble_len: usize,
    time: TimeSource,
    /// Packets are numbered as they come: not every feed numbers its own, and none is missing.
    packet: u32,
}

impl StreamSource {
    pub fn new(templates: &Templates, config: &ReplayConfig) -> Self {
        let instruments = InstrumentsConfig {
            capacity: config.max_instruments,
            create_on_first_sight: Some(config.price_exponent),
        };
        Self {
            decoder: Decoder::new(templates, DecoderOptions::with_reset(config.reset)),
            normalizer: Normalizer::new(TagMap::new(templates), instruments, MAX_EVENTS),
            preamble_len: config.preamble_len,
            time: config.time,
            packet: 0,
        }
    }

    pub fn normalizer(&self) -> &Normalizer {
        &self.normalizer
    }

    pub fn message(
        &mut self,
        core: &mut Core,
        bytes: &[u8],
        observer: &mut impl Observer,
    ) -> Result<usize, ReplayError> {
        let message = core.counters.messages;
        let rest = bytes.get(self.preamble_len..).filter(|rest| !rest.is_empty());
        let rest = rest.ok_or(ReplayError::Preamble { message })?;
        self.begin_packet();
        Ok(self.serve(core, rest, self.preamble_len, observer)? + self.preamble_len)
    }

    pub fn packet(
        &mut self,
        core: &mut Core,
        bytes: &[u8],
        observer: &mut impl Observer,
    ) -> Result<(), ReplayError> {
        let message = core.counters.messages;
        self.begin_packet();
        let mut at = self.preamble_len;
        let mut rest = bytes.get(at..).ok_or(ReplayError::Preamble { message })?;
        while !rest.is_empty() {
            let length = self.serve(core, rest, at, observer)?;
            debug_assert!(length > 0, "every message has a presence map");
            at += length;
            rest = rest.get(length..).unwrap_or_default();
        }
        Ok(())
    }

    fn begin_packet(&mut self) {
        self.packet = self.packet.saturating_add(1);
        self.decoder.begin_packet();
    }

    /// Serves the message at the start of `bytes`, which is at offset `at` of its unit.
    fn serve(
        &mut self,
        core: &mut Core,
        bytes: &[u8],
        at: usize,
        observer: &mut impl Observer,
    ) -> Result<usize, ReplayError> {
        self.normalizer.clear();
        let decoded = match self.time {
            TimeSource::Caller => {
                core.advance(core.offered);
                self.decoder.decode(bytes, &mut self.normalizer)
            }
            TimeSource::SendingTime => {
                let mut timed = Timed { normalizer: &mut self.normalizer, time: None };
                let decoded = self.decoder.decode(bytes, &mut timed);
                // Of a message that does not decode, nothing is believed.
                let time = timed.time.filter(|_| decoded.is_ok());
                core.counters.timed += u64::from(time.is_some());
                core.advance(time.unwrap_or(core.offered));
                decoded
            }
        };
        // As live: nothing in the packet at hand proves what was lost of it, only the next one does.
        let incomplete = News::Gap { last: self.packet.saturating_add(1) };
        match decoded {
            Ok(length) => {
                self.tell(core, observer);
                if self.normalizer.overflowed() {
                    core.on_news(Stream::Incremental, &incomplete, observer);
                }
                Ok(length)
            }
            Err(mut error) => {
                let message = core.counters.messages;
                self.normalizer.abandon();
                self.decoder.reset();
                // Instruments it has named exist from now on. It does not count as a message.
                self.tell(core, observer);
                core.counters.messages = message;
                core.on_news(Stream::Incremental, &incomplete, observer);
                error.offset += at;
                Err(ReplayError::Decode { message, error })
            }
        }
    }

    fn tell(&self, core: &mut Core, observer: &mut impl Observer) {
        let news = News::Message {
            seq: self.packet,
            events: self.normalizer.events(),
            instruments: self.normalizer.instruments(),
        };
        core.on_news(Stream::Incremental, &news, observer);
    }
}

/// A normaliser that also looks for the first SendingTime of the message.
struct Timed<'a> {
    normalizer: &'a mut Normalizer,
    time: Option<Nanos>,
}

impl Visitor for Timed<'_> {
    fn begin_message(&mut self, template: &Template) {
        self.normalizer.begin_message(template);
    }

    fn end_message(&mut self) {
        self.normalizer.end_message();
    }

    fn field(&mut self, field: &FieldInfo, value: Value<'_>) {
        if field.id == Some(TAG) && self.time.is_none() {
            self.time = sending_time(value);
        }
        self.normalizer.field(field, value);
    }

    fn begin_sequence(&mut self, field: &FieldInfo, length: u32) {
        self.normalizer.begin_sequence(field, length);
    }

    fn begin_element(&mut self, index: u32) {
        self.normalizer.begin_element(index);
    }

    fn end_element(&mut self) {
        self.normalizer.end_element();
    }

    fn end_sequence(&mut self, field: &FieldInfo) {
        self.normalizer.end_sequence(field);
    }

    fn begin_group(&mut self, field: &FieldInfo) {
        self.normalizer.begin_group(field);
    }

    fn end_group(&mut self, field: &FieldInfo) {
        self.normalizer.end_group(field);
    }

    fn begin_reference(&mut self, field: &FieldInfo, template: &Template) {
        self.normalizer.begin_reference(field, template);
    }

    fn end_reference(&mut self, field: &FieldInfo) {
        self.normalizer.end_reference(field);
    }
}
