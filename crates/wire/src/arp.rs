//! ARP requests and replies for IPv4 over Ethernet (RFC 826).

use std::net::Ipv4Addr;

use crate::error::{ParseError, ParseErrorKind};
use crate::ethernet::{ETHERTYPE_IPV4, MacAddr};

/// What an ARP packet says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArpOperation {
    /// Who has the target address?
    Request,
    /// The sender has the sender address.
    Reply,
}

/// An ARP packet for IPv4 over Ethernet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arp {
    /// Request or reply.
    pub operation: ArpOperation,
    /// Hardware address of the sender.
    pub sender_mac: MacAddr,
    /// Protocol address of the sender; `0.0.0.0` in a probe (RFC 5227).
    pub sender_ip: Ipv4Addr,
    /// Hardware address of the target; zero in a request.
    pub target_mac: MacAddr,
    /// Protocol address of the target.
    pub target_ip: Ipv4Addr,
}

/// Hardware type Ethernet, protocol type IPv4, and their address lengths.
const PREFIX: [u8; 6] = {
    let [p0, p1] = ETHERTYPE_IPV4.to_be_bytes();
    [0, 1, p0, p1, 6, 4]
};

impl Arp {
    /// Bytes on the wire.
    pub const LEN: usize = 28;

    /// A request for the MAC address of `target_ip`.
    pub fn request(sender_mac: MacAddr, sender_ip: Ipv4Addr, target_ip: Ipv4Addr) -> Arp {
        Arp {
            operation: ArpOperation::Request,
            sender_mac,
            sender_ip,
            target_mac: MacAddr::ZERO,
            target_ip,
        }
    }

    /// The reply to this request by the machine that has `mac`.
    pub fn reply_from(&self, mac: MacAddr) -> Arp {
        Arp {
            operation: ArpOperation::Reply,
            sender_mac: mac,
            sender_ip: self.target_ip,
            target_mac: self.sender_mac,
            target_ip: self.sender_ip,
        }
    }

    /// Reads a packet; the rest is padding.
    pub fn parse(bytes: &[u8]) -> Result<(Arp, &[u8]), ParseError> {
        let Some((packet, rest)) = bytes.split_first_chunk::<{ Self::LEN }>() else {
            return Err(ParseError::new(bytes.len(), ParseErrorKind::ArpTruncated));
        };
        if let Some(at) = (0..PREFIX.len()).find(|&at| packet[at] != PREFIX[at]) {
            return Err(ParseError::new(at, ParseErrorKind::ArpUnsupported));
        }
        let operation = match u16::from_be_bytes([packet[6], packet[7]]) {
            1 => ArpOperation::Request,
            2 => ArpOperation::Reply,
            _ => return Err(ParseError::new(6, ParseErrorKind::ArpOperation)),
        };
        let mac = |at: usize| {
            MacAddr([
                packet[at],
                packet[at + 1],
                packet[at + 2],
                packet[at + 3],
                packet[at + 4],
                packet[at + 5],
            ])
        };
        let ip =
            |at: usize| Ipv4Addr::new(packet[at], packet[at + 1], packet[at + 2], packet[at + 3]);
        let arp = Arp {
            operation,
            sender_mac: mac(8),
            sender_ip: ip(14),
            target_mac: mac(18),
            target_ip: ip(24),
        };
        Ok((arp, rest))
    }

    /// The packet's bytes.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut out = [0; Self::LEN];
        out[..6].copy_from_slice(&PREFIX);
        out[7] = match self.operation {
            ArpOperation::Request => 1,
            ArpOperation::Reply => 2,
        };
        out[8..14].copy_from_slice(&self.sender_mac.0);
        out[14..18].copy_from_slice(&self.sender_ip.octets());
        out[18..24].copy_from_slice(&self.target_mac.0);
        out[24..].copy_from_slice(&self.target_ip.octets());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_kind_and_place() {
        let a = Ipv4Addr::new(10, 0, 0, 1);
        let good = Arp::request(MacAddr([2; 6]), a, a).to_bytes();
        let fault = |at: usize, value: u8| {
            let mut bytes = good;
            bytes[at] = value;
            Arp::parse(&bytes).map(|_| ())
        };
        assert_eq!(fault(7, 2), Ok(()));
        assert_eq!(fault(7, 3), Err(ParseError::new(6, ParseErrorKind::ArpOperation)));
        assert_eq!(fault(1, 6), Err(ParseError::new(1, ParseErrorKind::ArpUnsupported)));
        assert_eq!(fault(5, 16), Err(ParseError::new(5, ParseErrorKind::ArpUnsupported)));
        let short = Arp::parse(&good[..27]);
        assert_eq!(short, Err(ParseError::new(27, ParseErrorKind::ArpTruncated)));
    }
}
