//! Which frames of a capture are of the feed, and why the others are not.

use std::borrow::Cow;
use std::net::SocketAddrV4;

use saker_feed::channel::{ChannelPlan, Line, Stream};
use saker_wire::capture::LINK_TYPE_ETHERNET;
use saker_wire::frame::{self, Body, Checksums};

/// A reason for which a frame was not used.
pub(super) type Reason = Cow<'static, str>;

/// What is taken from a capture.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// UDP destinations; all, if there are none.
    pub channels: Vec<SocketAddrV4>,
    /// Names of pcapng interfaces; all, if there are none.
    pub interfaces: Vec<String>,
    /// Whether frames with wrong checksums are used.
    pub checksums: Checksums,
}

/// A datagram of the feed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Datagram<'a> {
    /// Its stream and line, if it is of saker's own feed.
    pub channel: Option<(Stream, Line)>,
    pub payload: &'a [u8],
}

impl Selection {
    /// The datagram in a frame of link type `link_type`, `original_len` bytes long on the wire.
    /// With a `plan`, only what is addressed to it is of the feed.
    pub(super) fn datagram<'a>(
        &self,
        plan: Option<&ChannelPlan>,
        link_type: u16,
        bytes: &'a [u8],
        original_len: u32,
    ) -> Result<Datagram<'a>, Reason> {
        if link_type != LINK_TYPE_ETHERNET {
            return Err(format!("frame: link type {link_type}, not Ethernet").into());
        }
        if (bytes.len() as u64) < u64::from(original_len) {
            return Err("frame: cut by the capture".into());
        }
        let parsed = frame::parse_with(bytes, self.checksums);
        let parsed = parsed.map_err(|error| Reason::from(format!("frame: {}", error.kind)))?;
        let (ip, udp, payload) = match parsed.body {
            Body::Udp { ip, udp, payload } => (ip, udp, payload),
            Body::Ipv4Other { ip, .. } if ip.is_fragment() => {
                return Err("frame: fragment of an IPv4 packet".into());
            }
            _ => return Err("frame: not UDP over IPv4".into()),
        };
        let destination = SocketAddrV4::new(ip.dst, udp.dst_port);
        let elsewhere = || Reason::from("datagram: to another address");
        if let Some(plan) = plan {
            let channel = plan.classify(destination).ok_or_else(elsewhere)?;
            return Ok(Datagram { channel: Some(channel), payload });
        }
        if !self.channels.is_empty() && !self.channels.contains(&destination) {
            return Err(elsewhere());
        }
        Ok(Datagram { channel: None, payload })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail by panicking
mod tests {
    use saker_wire::ethernet::MacAddr;
    use saker_wire::frame::UdpPath;

    use super::*;

    fn frame(destination: &str) -> Vec<u8> {
        let path = UdpPath {
            src_mac: MacAddr([2, 0, 0, 0, 0, 1]),
            dst_mac: MacAddr([1, 0, 0x5e, 0, 0, 1]),
            src: "10.0.0.1:5000".parse().unwrap(),
            dst: destination.parse().unwrap(),
            vlan: None,
            ttl: 8,
        };
        let mut bytes = Vec::new();
        path.write(0, b"payload", &mut bytes);
        bytes
    }

    fn reason(selection: &Selection, plan: Option<&ChannelPlan>, bytes: &[u8]) -> String {
        let found = selection.datagram(plan, 1, bytes, bytes.len() as u32);
        found.map_or_else(|reason| reason.into_owned(), |found| format!("{:?}", found.channel))
    }

    #[test]
    fn every_frame_is_used_or_has_a_reason() {
        let plan = ChannelPlan::default();
        let (ours, other) = (frame("239.192.1.2:20102"), frame("239.1.1.1:9000"));
        let all = Selection::default();
        assert_eq!(reason(&all, Some(&plan), &ours), "Some((Snapshot, B))");
        assert_eq!(reason(&all, Some(&plan), &other), "datagram: to another address");
        assert_eq!(reason(&all, None, &other), "None");
        let one = Selection { channels: vec!["239.1.1.1:9000".parse().unwrap()], ..all.clone() };
        assert_eq!(reason(&one, None, &other), "None");
        assert_eq!(reason(&one, None, &ours), "datagram: to another address");

        let mut damaged = other.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert_eq!(reason(&all, None, &damaged), "frame: UDP: wrong checksum");
        let lax = Selection { checksums: Checksums::Ignore, ..all.clone() };
        assert_eq!(reason(&lax, None, &damaged), "None");
        assert_eq!(reason(&all, None, &other[..9]), "frame: Ethernet: truncated header");
        let mut fragment = other.clone();
        fragment[20] = 0x20; // more fragments
        assert_eq!(reason(&lax, None, &fragment), "frame: fragment of an IPv4 packet");
        let mut arp = other.clone();
        arp[12..14].copy_from_slice(&[0x88, 0xf7]);
        assert_eq!(reason(&all, None, &arp), "frame: not UDP over IPv4");
        let cut = all.datagram(None, 1, &other, 2_000);
        assert_eq!(cut, Err("frame: cut by the capture".into()));
        let linux = all.datagram(None, 113, &other, other.len() as u32);
        assert_eq!(linux, Err("frame: link type 113, not Ethernet".into()));
    }
}
