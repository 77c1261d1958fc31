//! A capture for another engine: the units one by one, beside the software engine that knows where
//! each ends.

use std::io::{BufReader, Cursor, Read};

use saker_trader::replay::{Replay, TimeSource, first_sending_time};
use saker_wire::capture::Reader;
use saker_wire::time::Nanos;

use super::pass::{is_capture, stream_config};
use super::raw::{RawFile, Unit};
use super::{ReplayOptions, ReplayStop};

/// A unit of the input.
#[derive(Debug, Clone, Copy)]
pub struct Offered<'a> {
    /// When it came, or a nanosecond behind the last one.
    pub at: Nanos,
    /// A packet; or the message that they begin with, whose end only decoding tells.
    pub bytes: &'a [u8],
    /// It is a packet.
    pub is_packet: bool,
}

/// Reads one stream of any feed (not saker's own) and calls `serve` with the software engine, fresh,
/// and each unit. `serve` answers how many bytes it took; of a packet, all are taken.
///
/// # Errors
/// As [`super::run`]; what `serve` fails with.
pub fn drive<R: Read, E: From<ReplayStop>>(
    mut read: R,
    options: &ReplayOptions,
    mut serve: impl FnMut(&mut Replay, Offered<'_>) -> Result<usize, E>,
) -> Result<Replay, E> {
    let format = options.stream.as_ref().ok_or(ReplayStop::NoTemplates)?;
    let mut head = Vec::with_capacity(4);
    let begun = read.by_ref().take(4).read_to_end(&mut head);
    begun.map_err(ReplayStop::from)?;
    let captured = head.first_chunk::<4>().is_some_and(is_capture);
    let read = Cursor::new(head).chain(read);
    let strategies = options.strategies.clone();
    if captured {
        let config = stream_config(format, TimeSource::Caller);
        let replay = Replay::new(&format.templates, strategies, config, 0);
        let mut replay = replay.map_err(ReplayStop::from)?;
        capture(read, options, &mut replay, &mut serve)?;
        return Ok(replay);
    }
    let mut file = RawFile::new(read, format.prefix);
    let start = file.peek().map_err(ReplayStop::from)?.get(format.preamble_len..);
    let start = start.and_then(|bytes| first_sending_time(&format.templates, bytes));
    let config = stream_config(format, TimeSource::SendingTime);
    let replay = Replay::new(&format.templates, strategies, config, start.unwrap_or(0));
    let mut replay = replay.map_err(ReplayStop::from)?;
    loop {
        let at = replay.now().saturating_add(1);
        match file.next().map_err(ReplayStop::from)? {
            None => return Ok(replay),
            Some(Unit::Empty) => {}
            Some(Unit::Packet { bytes }) => {
                serve(&mut replay, Offered { at, bytes, is_packet: true })?;
            }
            Some(Unit::Message { bytes, .. }) => {
                let taken = serve(&mut replay, Offered { at, bytes, is_packet: false })?;
                file.advance(taken);
            }
        }
    }
}

fn capture<E: From<ReplayStop>>(
    read: impl Read,
    options: &ReplayOptions,
    replay: &mut Replay,
    serve: &mut impl FnMut(&mut Replay, Offered<'_>) -> Result<usize, E>,
) -> Result<(), E> {
    let reader = Reader::new(BufReader::with_capacity(1 << 18, read));
    let mut reader = reader.map_err(ReplayStop::from)?;
    let mut frame = Vec::new();
    loop {
        let packet = match reader.next().map_err(ReplayStop::from)? {
            None => return Ok(()),
            Some(packet) => packet,
        };
        frame.clear();
        frame.extend_from_slice(packet.data);
        let (at, link_type, length) = (packet.ts_ns, packet.link_type, packet.original_len);
        let interface = packet.interface;
        let known = reader.interfaces().get(interface as usize);
        let name = known.and_then(|interface| interface.name.as_deref()).unwrap_or("");
        let selection = &options.selection;
        if !selection.interfaces.is_empty() && !selection.interfaces.iter().any(|n| n == name) {
            continue;
        }
        // What is not of the feed was counted by the software's own pass.
        if let Ok(datagram) = selection.datagram(None, link_type, &frame, length) {
            serve(replay, Offered { at, bytes: datagram.payload, is_packet: true })?;
        }
    }
}
