//! The two multicast lines: one payload in, one frame for each line out.

use saker_feed::channel::{ChannelPlan, Line, Stream};
use saker_wire::ethernet::MacAddr;
use saker_wire::path::UdpPath;
use std::net::SocketAddrV4;

use super::config::{HostConfig, PortConfig};

const STREAMS: [Stream; 3] = [Stream::Incremental, Stream::Snapshot, Stream::Definition];

/// Paths of all streams on one line.
#[derive(Debug)]
struct FeedLine {
    port: u8,
    paths: [UdpPath; 3],
    /// IPv4 identification of the line's next datagram.
    ident: u16,
}

/// Line A and line B.
#[derive(Debug)]
pub(super) struct FeedLines([FeedLine; 2]);

impl FeedLines {
    pub(super) fn new(config: &HostConfig) -> Self {
        let line = |line: Line| {
            let port = config.feed_ports[line as usize];
            let from = config.ports[usize::from(port)];
            let path = |stream| path(config, &from, &config.plan, stream, line);
            FeedLine { port, paths: STREAMS.map(path), ident: 0 }
        };
        Self([line(Line::A), line(Line::B)])
    }

    /// The frames of one packet: line A first, each with the port it leaves by.
    pub(super) fn frames(&mut self, stream: Stream, payload: &[u8]) -> [(u8, Vec<u8>); 2] {
        self.0.each_mut().map(|line| {
            let path = &line.paths[stream as usize];
            let mut frame = Vec::with_capacity(path.payload_offset() + payload.len());
            path.write(line.ident, payload, &mut frame);
            line.ident = line.ident.wrapping_add(1);
            (line.port, frame)
        })
    }
}

fn path(
    config: &HostConfig,
    from: &PortConfig,
    plan: &ChannelPlan,
    stream: Stream,
    line: Line,
) -> UdpPath {
    let dst = plan.destination(stream, line);
    UdpPath {
        src_mac: from.mac,
        dst_mac: MacAddr::for_multicast(*dst.ip())
            .expect("every destination is a multicast group, validated before"),
        src: SocketAddrV4::new(from.ip, config.feed_source_port),
        dst,
        vlan: None,
        ttl: config.ttl,
    }
}
