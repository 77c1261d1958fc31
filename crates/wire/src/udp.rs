//! The UDP header (RFC 768).

use std::net::{Ipv4Addr, SocketAddrV4};

use crate::checksum;
use crate::error::{ParseError, ParseErrorKind};
use crate::ipv4::PROTOCOL_UDP;

/// A UDP header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Udp {
    /// Source port.
    pub src_port: u16,
    /// Destination port.
    pub dst_port: u16,
    /// Length of header and payload in bytes, at least 8.
    pub len: u16,
    /// The checksum; 0 means that the sender computed none.
    pub checksum: u16,
}

impl Udp {
    /// Bytes on the wire.
    pub const LEN: usize = 8;
    /// Offset of the checksum.
    pub const CHECKSUM_OFFSET: usize = 6;

    /// The header, checksum included, of a datagram with this payload.
    ///
    /// # Panics
    /// If header and payload exceed 65,535 bytes.
    pub fn for_payload(src: SocketAddrV4, dst: SocketAddrV4, payload: &[u8]) -> Udp {
        let len = u16::try_from(Self::LEN + payload.len()).expect("a datagram is below 64 KiB");
        let mut udp = Udp { src_port: src.port(), dst_port: dst.port(), len, checksum: 0 };
        let check = checksum::finish(
            checksum::pseudo_header(*src.ip(), *dst.ip(), PROTOCOL_UDP, len)
                + checksum::sum(&udp.to_bytes())
                + checksum::sum(payload),
        );
        udp.checksum = transmitted(check);
        udp
    }

    /// Reads the header of a whole datagram; the rest is the payload. The length must be that of
    /// `datagram`: a surplus area (RFC 9868) is refused. The checksum needs the addresses: see
    /// [`verify`].
    pub fn parse(datagram: &[u8]) -> Result<(Udp, &[u8]), ParseError> {
        let Some((&[s0, s1, d0, d1, l0, l1, c0, c1], payload)) =
            datagram.split_first_chunk::<{ Self::LEN }>()
        else {
            return Err(ParseError::new(datagram.len(), ParseErrorKind::UdpTruncated));
        };
        let len = u16::from_be_bytes([l0, l1]);
        if usize::from(len) != datagram.len() {
            return Err(ParseError::new(4, ParseErrorKind::UdpLength));
        }
        let udp = Udp {
            src_port: u16::from_be_bytes([s0, s1]),
            dst_port: u16::from_be_bytes([d0, d1]),
            len,
            checksum: u16::from_be_bytes([c0, c1]),
        };
        Ok((udp, payload))
    }

    /// The header's bytes.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        let [s0, s1] = self.src_port.to_be_bytes();
        let [d0, d1] = self.dst_port.to_be_bytes();
        let [l0, l1] = self.len.to_be_bytes();
        let [c0, c1] = self.checksum.to_be_bytes();
        [s0, s1, d0, d1, l0, l1, c0, c1]
    }
}

/// The checksum field for a computed checksum: 0 is sent as `0xFFFF`, because 0 means "none"
/// (RFC 768). To be applied after every incremental update of a UDP checksum.
pub fn transmitted(check: u16) -> u16 {
    if check == 0 { 0xFFFF } else { check }
}

/// Whether a whole datagram's checksum is absent, or right between these addresses. False for a
/// datagram shorter than its header or longer than IPv4 can carry.
pub fn verify(src: Ipv4Addr, dst: Ipv4Addr, datagram: &[u8]) -> bool {
    let (Ok(len), Some(check)) = (
        u16::try_from(datagram.len()),
        datagram.get(Udp::CHECKSUM_OFFSET..Udp::CHECKSUM_OFFSET + 2),
    ) else {
        return false;
    };
    check == [0, 0]
        || checksum::verifies(
            checksum::pseudo_header(src, dst, PROTOCOL_UDP, len) + checksum::sum(datagram),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SRC: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 4000);
    const DST: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(239, 0, 0, 7), 5000);

    #[test]
    fn a_checksum_of_zero_is_sent_as_all_ones() {
        // Complete the sum to 0xFFFF with the payload itself.
        let partial = checksum::reopen(Udp::for_payload(SRC, DST, &[0, 0]).checksum);
        let payload = (!checksum::fold(partial)).to_be_bytes();
        let udp = Udp::for_payload(SRC, DST, &payload);
        assert_eq!(udp.checksum, 0xFFFF);
        let datagram = [&udp.to_bytes()[..], &payload].concat();
        assert!(verify(*SRC.ip(), *DST.ip(), &datagram));
    }

    #[test]
    fn no_checksum_verifies_and_a_wrong_one_does_not() {
        let mut udp = Udp::for_payload(SRC, DST, b"tick");
        let datagram = |udp: Udp| [&udp.to_bytes()[..], b"tick"].concat();
        assert!(verify(*SRC.ip(), *DST.ip(), &datagram(udp)));
        udp.checksum ^= 0x0100;
        assert!(!verify(*SRC.ip(), *DST.ip(), &datagram(udp)));
        udp.checksum = 0;
        assert!(verify(*SRC.ip(), *DST.ip(), &datagram(udp)));
        assert!(!verify(*SRC.ip(), *DST.ip(), &[0; 7]));
    }

    #[test]
    fn the_length_must_be_that_of_the_datagram() {
        let bytes = [0, 1, 0, 2, 0, 9, 0, 0, 7];
        assert!(Udp::parse(&bytes).is_ok());
        let wrong = Err(ParseError::new(4, ParseErrorKind::UdpLength));
        assert_eq!(Udp::parse(&bytes[..8]), wrong);
        assert_eq!(Udp::parse(&[&bytes[..], &[0]].concat()), wrong);
        let short = Err(ParseError::new(7, ParseErrorKind::UdpTruncated));
        assert_eq!(Udp::parse(&bytes[..7]), short);
    }
}
