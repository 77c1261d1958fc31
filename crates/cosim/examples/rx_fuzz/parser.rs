//! What the header parser must make of a frame: the datagram of a channel, word by word, or a frame for the host.

use super::mac::Frame;

/// Cycles from a word on the line to a datagram's word that it completes, and to the report of a frame that it ends.
const WORD: u64 = 3;
const EVENT: u64 = 4;
const ETHERNET: usize = 14;
const TAG: usize = 4;
const IPV4: usize = 20;
const UDP: usize = 8;
const LANES: usize = 8;

/// A channel of the feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    pub enable: bool,
    pub address: u32,
    pub port: u16,
}

impl Channel {
    /// As `feed_channel_t` has it, in 49 bits.
    pub fn bits(self) -> u64 {
        u64::from(self.enable) << 48 | u64::from(self.address) << 16 | u64::from(self.port)
    }
}

/// What became of a frame, as `feed_event_t` has it.
#[derive(Debug, Clone, Copy)]
enum Event {
    BadLength,
    NoChannel,
    NotUdp,
    Fragment,
    Checksum,
    Options,
    NotIpv4,
    ShortFrame,
    Truncated,
    Aborted,
    FeedB,
    FeedA,
}

/// A word of a datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat {
    pub data: u64,
    pub keep: u8,
    pub last: bool,
    pub abort: bool,
    pub channel_b: bool,
    pub stamp: u64,
}

/// A datagram of a channel.
#[derive(Debug)]
pub struct Datagram {
    pub channel_b: bool,
    /// Its words, with the cycle of each and the bits of its data that are known.
    pub beats: Vec<(u64, Beat, u64)>,
    /// The first four bytes, if it has so many.
    pub number: Option<u32>,
}

impl Datagram {
    pub fn first(&self) -> u64 {
        self.beats.first().map_or(0, |(cycle, ..)| *cycle)
    }

    /// The cycle of its last word, and whether that aborts it.
    pub fn end(&self) -> (u64, bool) {
        self.beats.last().map_or((0, true), |(cycle, beat, _)| (*cycle, beat.abort))
    }
}

/// What became of a frame.
pub struct Fate {
    pub event: u16,
    pub event_at: u64,
    pub datagram: Option<Datagram>,
    pub for_host: bool,
}

/// Headers of a frame that are as they must be.
struct Headers {
    channel_b: bool,
    /// Where the payload begins and how long it is.
    payload: usize,
    length: usize,
}

pub fn parse(frame: &Frame, channels: &[Channel; 2], mirror: bool) -> Fate {
    let headers = read(frame, channels);
    let missing = match &headers {
        Ok(headers) => frame.len < headers.payload + headers.length,
        Err(_) => false,
    };
    let event = match &headers {
        _ if !frame.good => Event::Aborted,
        Ok(_) if missing => Event::Truncated,
        Ok(Headers { channel_b: false, .. }) => Event::FeedA,
        Ok(Headers { channel_b: true, .. }) => Event::FeedB,
        Err(event) => *event,
    };
    Fate {
        event: 1 << event as u16,
        event_at: frame.first + frame.last() as u64 + EVENT,
        for_host: frame.good && (headers.is_err() || missing || mirror),
        datagram: headers.ok().map(|headers| datagram(frame, &headers, missing || !frame.good)),
    }
}

/// The headers, or the first reason why this is no datagram of a channel.
fn read(frame: &Frame, channels: &[Channel; 2]) -> Result<Headers, Event> {
    let ip = ETHERNET + if frame.field(ETHERNET - 2) == 0x8100 { TAG } else { 0 };
    let udp = ip + IPV4;
    let payload = udp + UDP;
    // It is decided with the word that completes the payload's first.
    if word_of(frame, payload, 0) > frame.last() {
        return Err(Event::ShortFrame);
    }
    let sum: u32 = (ip..udp).step_by(2).map(|at| u32::from(frame.field(at))).sum();
    let address = u32::from(frame.field(ip + 16)) << 16 | u32::from(frame.field(ip + 18));
    let port = frame.field(udp + 2);
    let channel =
        channels.iter().position(|channel| *channel == Channel { enable: true, address, port });
    let length = frame.field(ip + 2);
    if frame.field(ip - 2) != 0x0800 {
        Err(Event::NotIpv4)
    } else if frame.octet(ip) != 0x45 {
        Err(Event::Options)
    } else if !sum.is_multiple_of(0xffff) {
        Err(Event::Checksum)
    } else if frame.field(ip + 6) & 0x3fff != 0 {
        Err(Event::Fragment)
    } else if frame.octet(ip + 9) != 17 {
        Err(Event::NotUdp)
    } else if let Some(channel) = channel {
        let rest = usize::from(length).checked_sub(IPV4 + UDP).filter(|rest| *rest != 0);
        match rest {
            Some(rest) if usize::from(frame.field(udp + 4)) == rest + UDP => {
                Ok(Headers { channel_b: channel == 1, payload, length: rest })
            }
            _ => Err(Event::BadLength),
        }
    } else {
        Err(Event::NoChannel)
    }
}

/// The word of the frame that completes a word of the payload.
fn word_of(frame: &Frame, payload: usize, index: usize) -> usize {
    (frame.skew + payload + LANES * index).div_ceil(LANES)
}

/// A datagram leaves word by word; it ends with the frame, and with that is told whether it is good.
fn datagram(frame: &Frame, headers: &Headers, abort: bool) -> Datagram {
    let Headers { channel_b, payload, length } = *headers;
    let last = frame.last();
    let count = length.div_ceil(LANES);
    // Bytes of the frame's last word behind the word of the payload that this completes.
    let spare = frame.last_lanes().saturating_sub((frame.skew + payload) % LANES);
    let mut beats = Vec::new();
    let mut push = |word: usize, index: usize, is_last: bool| {
        let at = payload + LANES * index;
        let left = length.saturating_sub(LANES * index).min(LANES);
        let known = frame.len.saturating_sub(at).min(left);
        let beat = Beat {
            data: u64::from_le_bytes(std::array::from_fn(|lane| frame.octet(at + lane))),
            keep: mask(left, 1) as u8,
            last: is_last,
            abort: is_last && abort,
            channel_b,
            stamp: frame.stamp,
        };
        beats.push((frame.first + word as u64 + WORD, beat, mask(known, 8)));
    };
    let before = (0..count).take_while(|index| word_of(frame, payload, *index) < last).count();
    for index in 0..before {
        push(word_of(frame, payload, index), index, false);
    }
    if before == count {
        // Padding is behind it.
        push(last, count, true);
    } else {
        let is_last = before + 1 == count || spare == 0;
        push(last, before, is_last);
        if !is_last {
            push(last + 1, before + 1, true);
        }
    }
    let number = (length >= 4)
        .then(|| u32::from_le_bytes(std::array::from_fn(|at| frame.octet(payload + at))));
    Datagram { channel_b, beats, number }
}

/// So many times so many ones.
fn mask(count: usize, bits: usize) -> u64 {
    if count * bits == 64 { u64::MAX } else { (1 << (count * bits)) - 1 }
}
