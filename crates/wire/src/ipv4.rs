//! The IPv4 header (RFC 791).
//!
//! Options are skipped, not interpreted, and never written. Fragments are reported, not
//! reassembled: market data and orders are never fragmented, and a receiver that meets a fragment
//! counts it.

use std::net::Ipv4Addr;

use crate::checksum;
use crate::error::{Checksums, ParseError, ParseErrorKind};

/// IP protocol number of TCP.
pub const PROTOCOL_TCP: u8 = 6;
/// IP protocol number of UDP.
pub const PROTOCOL_UDP: u8 = 17;

/// An IPv4 header without its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ipv4 {
    /// Differentiated services (upper 6 bits) and ECN (lower 2).
    pub tos: u8,
    /// Length of header and payload in bytes.
    pub total_len: u16,
    /// Identification, which only matters to fragments.
    pub ident: u16,
    /// The DF flag.
    pub dont_fragment: bool,
    /// The MF flag.
    pub more_fragments: bool,
    /// Where this fragment's payload goes, in units of 8 bytes, 0..=8191.
    pub fragment_offset: u16,
    /// Time to live.
    pub ttl: u8,
    /// The protocol of the payload.
    pub protocol: u8,
    /// Source address.
    pub src: Ipv4Addr,
    /// Destination address.
    pub dst: Ipv4Addr,
}

impl Ipv4 {
    /// Bytes on the wire without options.
    pub const LEN: usize = 20;
    /// Offset of the total length.
    pub const TOTAL_LEN_OFFSET: usize = 2;
    /// Offset of the identification.
    pub const IDENT_OFFSET: usize = 4;
    /// Offset of the header checksum.
    pub const CHECKSUM_OFFSET: usize = 10;

    /// A header for an unfragmented packet with `payload_len` bytes after the header, DF set.
    ///
    /// # Panics
    /// If header and payload exceed 65,535 bytes.
    pub fn new(protocol: u8, src: Ipv4Addr, dst: Ipv4Addr, payload_len: usize) -> Ipv4 {
        let total_len =
            u16::try_from(Self::LEN + payload_len).expect("an IPv4 packet is below 64 KiB");
        Ipv4 {
            tos: 0,
            total_len,
            ident: 0,
            dont_fragment: true,
            more_fragments: false,
            fragment_offset: 0,
            ttl: 64,
            protocol,
            src,
            dst,
        }
    }

    /// Reads the header and verifies its checksum. The rest is the payload, cut at the total
    /// length, so that Ethernet padding is gone.
    pub fn parse(bytes: &[u8]) -> Result<(Ipv4, &[u8]), ParseError> {
        Self::parse_with(bytes, Checksums::Verify)
    }

    /// As [`Ipv4::parse`], with a choice about the checksum.
    pub fn parse_with(bytes: &[u8], checksums: Checksums) -> Result<(Ipv4, &[u8]), ParseError> {
        let Some((header, _)) = bytes.split_first_chunk::<{ Self::LEN }>() else {
            return Err(ParseError::new(bytes.len(), ParseErrorKind::Ipv4Truncated));
        };
        if header[0] >> 4 != 4 {
            return Err(ParseError::new(0, ParseErrorKind::Ipv4Version));
        }
        let header_len = usize::from(header[0] & 0xF) * 4;
        if header_len < Self::LEN {
            return Err(ParseError::new(0, ParseErrorKind::Ipv4HeaderLength));
        }
        let Some(whole_header) = bytes.get(..header_len) else {
            return Err(ParseError::new(bytes.len(), ParseErrorKind::Ipv4Truncated));
        };
        if checksums == Checksums::Verify && !checksum::verifies(checksum::sum(whole_header)) {
            return Err(ParseError::new(Self::CHECKSUM_OFFSET, ParseErrorKind::Ipv4Checksum));
        }
        let word = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
        let total_len = word(Self::TOTAL_LEN_OFFSET);
        let Some(payload) = bytes.get(header_len..usize::from(total_len)) else {
            return Err(ParseError::new(Self::TOTAL_LEN_OFFSET, ParseErrorKind::Ipv4TotalLength));
        };
        let fragment = word(6);
        let ip = Ipv4 {
            tos: header[1],
            total_len,
            ident: word(Self::IDENT_OFFSET),
            dont_fragment: fragment & 0x4000 != 0,
            more_fragments: fragment & 0x2000 != 0,
            fragment_offset: fragment & 0x1FFF,
            ttl: header[8],
            protocol: header[9],
            src: Ipv4Addr::new(header[12], header[13], header[14], header[15]),
            dst: Ipv4Addr::new(header[16], header[17], header[18], header[19]),
        };
        Ok((ip, payload))
    }

    /// Whether the packet is a part of a larger one.
    pub fn is_fragment(&self) -> bool {
        self.more_fragments || self.fragment_offset != 0
    }

    /// The header's bytes, without options, checksum filled in.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        debug_assert!(self.fragment_offset <= 0x1FFF && usize::from(self.total_len) >= Self::LEN);
        let fragment = u16::from(self.dont_fragment) << 14
            | u16::from(self.more_fragments) << 13
            | (self.fragment_offset & 0x1FFF);
        let mut out = [0; Self::LEN];
        out[0] = 0x45;
        out[1] = self.tos;
        out[2..4].copy_from_slice(&self.total_len.to_be_bytes());
        out[4..6].copy_from_slice(&self.ident.to_be_bytes());
        out[6..8].copy_from_slice(&fragment.to_be_bytes());
        out[8] = self.ttl;
        out[9] = self.protocol;
        out[12..16].copy_from_slice(&self.src.octets());
        out[16..20].copy_from_slice(&self.dst.octets());
        let check = checksum::finish(checksum::sum(&out));
        out[10..12].copy_from_slice(&check.to_be_bytes());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Ipv4 {
        Ipv4::new(PROTOCOL_UDP, Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(239, 0, 0, 7), 4)
    }

    fn packet() -> Vec<u8> {
        let mut bytes = sample().to_bytes().to_vec();
        bytes.extend([1, 2, 3, 4]);
        bytes
    }

    fn kind(bytes: &[u8]) -> ParseErrorKind {
        Ipv4::parse(bytes).unwrap_err().kind
    }

    #[test]
    fn padding_after_the_total_length_is_not_payload() {
        let mut bytes = packet();
        bytes.extend([0; 22]);
        assert_eq!(Ipv4::parse(&bytes), Ok((sample(), &[1, 2, 3, 4][..])));
    }

    #[test]
    fn options_are_skipped_and_covered_by_the_checksum() {
        let mut bytes = packet();
        bytes.splice(20..20, [0x94, 0x04, 0, 0]); // router alert
        bytes[0] = 0x46;
        bytes[3] += 4;
        bytes[10..12].fill(0);
        let check = checksum::finish(checksum::sum(&bytes[..24]));
        bytes[10..12].copy_from_slice(&check.to_be_bytes());
        let (ip, payload) = Ipv4::parse(&bytes).unwrap();
        assert_eq!((ip.total_len, payload), (28, &[1, 2, 3, 4][..]));
        bytes[21] ^= 1;
        assert_eq!(kind(&bytes), ParseErrorKind::Ipv4Checksum);
    }

    #[test]
    fn every_fault_has_its_kind() {
        let good = packet();
        assert_eq!(kind(&good[..19]), ParseErrorKind::Ipv4Truncated);
        assert_eq!(kind(&good[..23]), ParseErrorKind::Ipv4TotalLength);
        let changed = |at: usize, value: u8| {
            let mut bytes = packet();
            bytes[at] = value;
            bytes
        };
        assert_eq!(kind(&changed(0, 0x65)), ParseErrorKind::Ipv4Version);
        assert_eq!(kind(&changed(0, 0x44)), ParseErrorKind::Ipv4HeaderLength);
        assert_eq!(kind(&changed(0, 0x4F)), ParseErrorKind::Ipv4Truncated);
        assert_eq!(kind(&changed(8, 63)), ParseErrorKind::Ipv4Checksum);
        let short_total = Ipv4 { total_len: 20, ..sample() };
        let mut bytes = short_total.to_bytes();
        bytes[3] = 19;
        let check = checksum::update16(u16::from_be_bytes([bytes[10], bytes[11]]), 20, 19);
        bytes[10..12].copy_from_slice(&check.to_be_bytes());
        assert_eq!(kind(&bytes), ParseErrorKind::Ipv4TotalLength);
        assert!(Ipv4::parse_with(&changed(8, 63), Checksums::Ignore).is_ok());
    }

    #[test]
    fn fragments_are_reported() {
        assert!(!sample().is_fragment());
        assert!(Ipv4 { more_fragments: true, ..sample() }.is_fragment());
        assert!(Ipv4 { fragment_offset: 1, ..sample() }.is_fragment());
    }
}
