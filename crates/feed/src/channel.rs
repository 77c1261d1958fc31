//! Which multicast groups carry which stream.

use std::net::{Ipv4Addr, SocketAddrV4};

/// One of the streams of a feed. Each has its own packet sequence numbers, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stream {
    /// Changes as they happen.
    Incremental,
    /// Whole books, in a loop.
    Snapshot,
    /// Security definitions, in a loop.
    Definition,
}

/// One of the two redundant lines that carry every packet of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Line {
    /// The first line.
    A,
    /// The second line.
    B,
}

/// The multicast destinations of every stream on both lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelPlan {
    /// Line A: incremental, snapshot, definition.
    pub a: [SocketAddrV4; 3],
    /// Line B, in the same order.
    pub b: [SocketAddrV4; 3],
}

impl Default for ChannelPlan {
    /// 239.192.0.1–3 port 20001–20003 for A, 239.192.1.1–3 port 20101–20103 for B.
    fn default() -> Self {
        let group = |line: u8, n: u8| {
            let port = 20_000 + 100 * u16::from(line) + u16::from(n);
            SocketAddrV4::new(Ipv4Addr::new(239, 192, line, n), port)
        };
        Self {
            a: [group(0, 1), group(0, 2), group(0, 3)],
            b: [group(1, 1), group(1, 2), group(1, 3)],
        }
    }
}

impl ChannelPlan {
    /// Where `stream` is sent on `line`.
    pub fn destination(&self, stream: Stream, line: Line) -> SocketAddrV4 {
        let row = match line {
            Line::A => &self.a,
            Line::B => &self.b,
        };
        row[stream as usize]
    }

    /// Which stream and line a datagram for `destination` belongs to.
    pub fn classify(&self, destination: SocketAddrV4) -> Option<(Stream, Line)> {
        const STREAMS: [Stream; 3] = [Stream::Incremental, Stream::Snapshot, Stream::Definition];
        [(Line::A, &self.a), (Line::B, &self.b)].into_iter().find_map(|(line, row)| {
            row.iter().position(|d| *d == destination).map(|i| (STREAMS[i], line))
        })
    }
}
