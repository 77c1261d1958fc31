//! Paths: the fixed addresses between two sockets, which turn payloads into whole frames.
//!
//! Writing allocates nothing beyond the caller's `Vec`, so a `Vec` that is cleared and used again
//! allocates once.

use std::net::SocketAddrV4;

use crate::ethernet::{ETHERTYPE_IPV4, ETHERTYPE_VLAN, Ethernet, MacAddr};
use crate::ipv4::{Ipv4, PROTOCOL_TCP, PROTOCOL_UDP};
use crate::tcp::TcpHeader;
use crate::udp::Udp;
use crate::vlan::Vlan;

/// Where UDP datagrams come from and go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UdpPath {
    /// Source MAC address.
    pub src_mac: MacAddr,
    /// MAC address of the next hop, or of the multicast group ([`MacAddr::for_multicast`]).
    pub dst_mac: MacAddr,
    /// Source address and port.
    pub src: SocketAddrV4,
    /// Destination address and port.
    pub dst: SocketAddrV4,
    /// VLAN identifier, 1..=4094, if frames are tagged.
    pub vlan: Option<u16>,
    /// IPv4 time to live.
    pub ttl: u8,
}

/// Where the TCP segments of one connection come from and go to, in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TcpPath {
    /// Source MAC address.
    pub src_mac: MacAddr,
    /// MAC address of the next hop.
    pub dst_mac: MacAddr,
    /// Source address and port.
    pub src: SocketAddrV4,
    /// Destination address and port.
    pub dst: SocketAddrV4,
    /// VLAN identifier, 1..=4094, if frames are tagged.
    pub vlan: Option<u16>,
    /// IPv4 time to live.
    pub ttl: u8,
}

impl UdpPath {
    /// Offset of the IPv4 header in every frame of this path.
    pub fn ip_offset(&self) -> usize {
        ip_offset(self.vlan)
    }

    /// Offset of the UDP payload in every frame of this path.
    pub fn payload_offset(&self) -> usize {
        self.ip_offset() + Ipv4::LEN + Udp::LEN
    }

    /// Appends a whole frame, unpadded and without FCS. `ident` is the IPv4 identification.
    ///
    /// # Panics
    /// If `payload` exceeds 65,507 bytes.
    pub fn write(&self, ident: u16, payload: &[u8], out: &mut Vec<u8>) {
        let udp = Udp::for_payload(self.src, self.dst, payload);
        write_link(self.src_mac, self.dst_mac, self.vlan, out);
        let len = Udp::LEN + payload.len();
        let ip = Ipv4::new(PROTOCOL_UDP, *self.src.ip(), *self.dst.ip(), len);
        out.extend_from_slice(&Ipv4 { ident, ttl: self.ttl, ..ip }.to_bytes());
        out.extend_from_slice(&udp.to_bytes());
        out.extend_from_slice(payload);
    }
}

impl TcpPath {
    /// Offset of the IPv4 header in every frame of this path.
    pub fn ip_offset(&self) -> usize {
        ip_offset(self.vlan)
    }

    /// Offset of the TCP header in every frame of this path.
    pub fn tcp_offset(&self) -> usize {
        self.ip_offset() + Ipv4::LEN
    }

    /// Appends a whole frame, unpadded and without FCS. `ident` is the IPv4 identification. The
    /// path's ports replace those of `header`; `options` are padded to a multiple of 4 with
    /// end-of-list bytes.
    ///
    /// # Panics
    /// If `options` exceed 40 bytes, or the packet 65,535.
    pub fn write(
        &self,
        ident: u16,
        header: &TcpHeader,
        options: &[u8],
        payload: &[u8],
        out: &mut Vec<u8>,
    ) {
        let (src, dst) = (*self.src.ip(), *self.dst.ip());
        write_link(self.src_mac, self.dst_mac, self.vlan, out);
        let len = TcpHeader::LEN + options.len().next_multiple_of(4) + payload.len();
        let ip = Ipv4::new(PROTOCOL_TCP, src, dst, len);
        out.extend_from_slice(&Ipv4 { ident, ttl: self.ttl, ..ip }.to_bytes());
        let tcp = TcpHeader { src_port: self.src.port(), dst_port: self.dst.port(), ..*header };
        tcp.emit(src, dst, options, payload, out);
    }
}

fn ip_offset(vlan: Option<u16>) -> usize {
    if vlan.is_some() { Ethernet::LEN + Vlan::LEN } else { Ethernet::LEN }
}

/// Appends the Ethernet header of an IPv4 packet, with a tag if there is a VLAN.
fn write_link(src: MacAddr, dst: MacAddr, vlan: Option<u16>, out: &mut Vec<u8>) {
    let outer = if vlan.is_some() { ETHERTYPE_VLAN } else { ETHERTYPE_IPV4 };
    out.extend_from_slice(&Ethernet { dst, src, ethertype: outer }.to_bytes());
    if let Some(id) = vlan {
        let tag = Vlan { priority: 0, drop_eligible: false, id, ethertype: ETHERTYPE_IPV4 };
        out.extend_from_slice(&tag.to_bytes());
    }
}
