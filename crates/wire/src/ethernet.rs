//! The Ethernet II header and MAC addresses (IEEE 802.3 clause 3; RFC 894).

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use crate::error::{ParseError, ParseErrorKind};

/// Shortest Ethernet frame without FCS; shorter ones are padded on the wire.
pub const MIN_FRAME_LEN: usize = 60;

/// EtherType of IPv4.
pub const ETHERTYPE_IPV4: u16 = 0x0800;
/// EtherType of ARP.
pub const ETHERTYPE_ARP: u16 = 0x0806;
/// EtherType of an 802.1Q tag.
pub const ETHERTYPE_VLAN: u16 = 0x8100;

/// A 48-bit MAC address. Written and read as `02:00:00:00:00:01`; reading also takes `-`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct MacAddr(pub [u8; 6]);

impl MacAddr {
    /// `ff:ff:ff:ff:ff:ff`.
    pub const BROADCAST: MacAddr = MacAddr([0xFF; 6]);
    /// `00:00:00:00:00:00`, the unknown target of an ARP request.
    pub const ZERO: MacAddr = MacAddr([0; 6]);

    /// The group address that carries an IPv4 multicast group: `01:00:5e` and the low 23 bits of
    /// the group (RFC 1112 section 6.4). `None` if `group` is not a multicast address.
    pub fn for_multicast(group: Ipv4Addr) -> Option<MacAddr> {
        let [_, b, c, d] = group.octets();
        group.is_multicast().then_some(MacAddr([0x01, 0x00, 0x5E, b & 0x7F, c, d]))
    }

    /// Whether the group bit is set: multicast or broadcast.
    pub fn is_group(self) -> bool {
        self.0[0] & 1 == 1
    }
}

impl fmt::Display for MacAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

impl fmt::Debug for MacAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is not a MAC address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a MAC address is six pairs of hexadecimal digits joined by ':' or '-'")]
pub struct MacAddrError;

impl FromStr for MacAddr {
    type Err = MacAddrError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let separator = if text.contains('-') { '-' } else { ':' };
        let mut mac = [0u8; 6];
        let mut pairs = text.split(separator);
        for byte in &mut mac {
            let pair = pairs.next().ok_or(MacAddrError)?;
            // from_str_radix alone would accept a sign.
            if pair.len() != 2 || !pair.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(MacAddrError);
            }
            *byte = u8::from_str_radix(pair, 16).map_err(|_| MacAddrError)?;
        }
        if pairs.next().is_some() { Err(MacAddrError) } else { Ok(MacAddr(mac)) }
    }
}

/// The Ethernet II header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ethernet {
    /// Destination address.
    pub dst: MacAddr,
    /// Source address.
    pub src: MacAddr,
    /// What follows. Values below 1536 are 802.3 lengths.
    pub ethertype: u16,
}

impl Ethernet {
    /// Bytes on the wire.
    pub const LEN: usize = 14;

    /// Reads the header; the rest is what follows it, padding included.
    pub fn parse(bytes: &[u8]) -> Result<(Ethernet, &[u8]), ParseError> {
        let Some((header, rest)) = bytes.split_first_chunk::<{ Self::LEN }>() else {
            return Err(ParseError::new(bytes.len(), ParseErrorKind::EthernetTruncated));
        };
        let [d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5, t0, t1] = *header;
        let ethernet = Ethernet {
            dst: MacAddr([d0, d1, d2, d3, d4, d5]),
            src: MacAddr([s0, s1, s2, s3, s4, s5]),
            ethertype: u16::from_be_bytes([t0, t1]),
        };
        Ok((ethernet, rest))
    }

    /// The header's bytes.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let mut out = [0; Self::LEN];
        out[..6].copy_from_slice(&self.dst.0);
        out[6..12].copy_from_slice(&self.src.0);
        out[12..].copy_from_slice(&self.ethertype.to_be_bytes());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mac_text_round_trips() {
        let mac = MacAddr([0x02, 0, 0xAB, 0xCD, 0xEF, 0x01]);
        assert_eq!(mac.to_string(), "02:00:ab:cd:ef:01");
        assert_eq!("02:00:ab:cd:ef:01".parse(), Ok(mac));
        assert_eq!("02-00-AB-CD-EF-01".parse(), Ok(mac));
        for bad in
            ["", "02:00:ab:cd:ef", "02:00:ab:cd:ef:01:02", "+2:00:ab:cd:ef:01", "0200abcdef01"]
        {
            assert_eq!(bad.parse::<MacAddr>(), Err(MacAddrError), "{bad}");
        }
    }

    #[test]
    fn multicast_groups_lose_their_upper_nine_bits() {
        // The pair of groups that RFC 1112's mapping makes equal.
        let mac = MacAddr([0x01, 0x00, 0x5E, 0x01, 0x02, 0x03]);
        assert_eq!(MacAddr::for_multicast(Ipv4Addr::new(224, 1, 2, 3)), Some(mac));
        assert_eq!(MacAddr::for_multicast(Ipv4Addr::new(239, 129, 2, 3)), Some(mac));
        assert_eq!(MacAddr::for_multicast(Ipv4Addr::new(10, 1, 2, 3)), None);
        assert!(mac.is_group() && MacAddr::BROADCAST.is_group() && !MacAddr::ZERO.is_group());
    }

    #[test]
    fn a_short_frame_is_truncated_at_its_end() {
        let error = Ethernet::parse(&[0; 13]).unwrap_err();
        assert_eq!(error, ParseError::new(13, ParseErrorKind::EthernetTruncated));
    }
}
