//! Whole frames: one call from Ethernet header to payload, with every length and checksum verified.
//! Paths, which write frames, are in [`crate::path`].

use crate::arp::Arp;
pub use crate::error::{Checksums, ParseError as FrameError, ParseErrorKind as FrameErrorKind};
use crate::ethernet::{ETHERTYPE_ARP, ETHERTYPE_IPV4, ETHERTYPE_VLAN, Ethernet};
use crate::ipv4::{Ipv4, PROTOCOL_TCP, PROTOCOL_UDP};
pub use crate::path::{TcpPath, UdpPath};
use crate::tcp::{self, TcpHeader, TcpOptions};
use crate::udp::{self, Udp};
use crate::vlan::Vlan;

/// A frame, seen in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The Ethernet header.
    pub ethernet: Ethernet,
    /// The 802.1Q tag, if there is one.
    pub vlan: Option<Vlan>,
    /// What the frame carries.
    pub body: Body<'a>,
}

/// What a frame carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body<'a> {
    /// An ARP packet for IPv4 over Ethernet.
    Arp(Arp),
    /// A whole UDP datagram.
    Udp {
        /// The IPv4 header.
        ip: Ipv4,
        /// The UDP header.
        udp: Udp,
        /// The datagram's payload, without Ethernet padding.
        payload: &'a [u8],
    },
    /// A whole TCP segment.
    Tcp {
        /// The IPv4 header.
        ip: Ipv4,
        /// The TCP header.
        tcp: TcpHeader,
        /// The TCP header's options.
        options: TcpOptions<'a>,
        /// The segment's payload, without Ethernet padding.
        payload: &'a [u8],
    },
    /// Another protocol over IPv4, or a fragment ([`Ipv4::is_fragment`]) of any protocol.
    Ipv4Other {
        /// The IPv4 header.
        ip: Ipv4,
        /// The packet's payload, without Ethernet padding.
        payload: &'a [u8],
    },
    /// Neither ARP nor IPv4; a second VLAN tag counts as this.
    Other {
        /// The EtherType of what follows, or an 802.3 length if below 1536.
        ethertype: u16,
        /// The rest of the frame, padding included.
        payload: &'a [u8],
    },
}

/// Reads a frame, Ethernet header to payload or padding, without FCS.
///
/// # Errors
/// The first fault met from the front. [`FrameError::offset`] counts from the frame's first byte,
/// and [`FrameErrorKind::layer`] names the layer.
pub fn parse(bytes: &[u8]) -> Result<Frame<'_>, FrameError> {
    parse_with(bytes, Checksums::Verify)
}

/// As [`parse`], with a choice about IPv4, UDP and TCP checksums. Lengths are always verified.
pub fn parse_with(bytes: &[u8], checksums: Checksums) -> Result<Frame<'_>, FrameError> {
    let (ethernet, rest) = Ethernet::parse(bytes)?;
    let (vlan, ethertype, rest) = if ethernet.ethertype == ETHERTYPE_VLAN {
        let (vlan, rest) = Vlan::parse(rest).map_err(|e| e.shifted(Ethernet::LEN))?;
        (Some(vlan), vlan.ethertype, rest)
    } else {
        (None, ethernet.ethertype, rest)
    };
    let at = bytes.len() - rest.len();
    let body = match ethertype {
        ETHERTYPE_ARP => Body::Arp(Arp::parse(rest).map_err(|e| e.shifted(at))?.0),
        ETHERTYPE_IPV4 => parse_ipv4(rest, checksums).map_err(|e| e.shifted(at))?,
        ethertype => Body::Other { ethertype, payload: rest },
    };
    Ok(Frame { ethernet, vlan, body })
}

/// Reads an IPv4 packet that may be followed by padding; offsets count from its first byte.
fn parse_ipv4(bytes: &[u8], checksums: Checksums) -> Result<Body<'_>, FrameError> {
    let (ip, transport) = Ipv4::parse_with(bytes, checksums)?;
    let at = usize::from(ip.total_len) - transport.len();
    let wrong = |offset, kind| Err(FrameError::new(at + offset, kind));
    match ip.protocol {
        _ if ip.is_fragment() => Ok(Body::Ipv4Other { ip, payload: transport }),
        PROTOCOL_UDP => {
            let (udp, payload) = Udp::parse(transport).map_err(|e| e.shifted(at))?;
            if checksums == Checksums::Verify && !udp::verify(ip.src, ip.dst, transport) {
                return wrong(Udp::CHECKSUM_OFFSET, FrameErrorKind::UdpChecksum);
            }
            Ok(Body::Udp { ip, udp, payload })
        }
        PROTOCOL_TCP => {
            // Before the rest of the header: what is wrong in a segment whose checksum is right was
            // sent so, and worth another counter than a flipped bit.
            let damaged = checksums == Checksums::Verify
                && transport.len() >= TcpHeader::LEN
                && !tcp::verify(ip.src, ip.dst, transport);
            if damaged {
                return wrong(TcpHeader::CHECKSUM_OFFSET, FrameErrorKind::TcpChecksum);
            }
            let (tcp, options, payload) = TcpHeader::parse(transport).map_err(|e| e.shifted(at))?;
            Ok(Body::Tcp { ip, tcp, options, payload })
        }
        _ => Ok(Body::Ipv4Other { ip, payload: transport }),
    }
}
