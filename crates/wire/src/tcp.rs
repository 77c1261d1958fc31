//! The TCP header (RFC 9293 section 3.1). Its options are in [`crate::tcp_options`].

use std::fmt;
use std::net::Ipv4Addr;
use std::ops::{BitOr, BitOrAssign};

use crate::checksum;
use crate::error::{ParseError, ParseErrorKind};
use crate::ipv4::PROTOCOL_TCP;
pub use crate::tcp_options::{TcpOption, TcpOptions};

/// The control bits of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TcpFlags(pub u8);

impl TcpFlags {
    /// No bit.
    pub const NONE: TcpFlags = TcpFlags(0);
    /// No more data from the sender.
    pub const FIN: TcpFlags = TcpFlags(0x01);
    /// Synchronise sequence numbers.
    pub const SYN: TcpFlags = TcpFlags(0x02);
    /// Reset the connection.
    pub const RST: TcpFlags = TcpFlags(0x04);
    /// Push.
    pub const PSH: TcpFlags = TcpFlags(0x08);
    /// The acknowledgement number is valid.
    pub const ACK: TcpFlags = TcpFlags(0x10);
    /// The urgent pointer is valid.
    pub const URG: TcpFlags = TcpFlags(0x20);
    /// ECN echo.
    pub const ECE: TcpFlags = TcpFlags(0x40);
    /// Congestion window reduced.
    pub const CWR: TcpFlags = TcpFlags(0x80);

    /// Whether every bit of `other` is set.
    pub fn contains(self, other: TcpFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any bit of `other` is set.
    pub fn intersects(self, other: TcpFlags) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for TcpFlags {
    type Output = TcpFlags;
    fn bitor(self, other: TcpFlags) -> TcpFlags {
        TcpFlags(self.0 | other.0)
    }
}

impl BitOrAssign for TcpFlags {
    fn bitor_assign(&mut self, other: TcpFlags) {
        self.0 |= other.0;
    }
}

impl fmt::Debug for TcpFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 8] = ["FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"];
        let mut separator = "";
        for (bit, name) in NAMES.iter().enumerate() {
            if self.0 >> bit & 1 == 1 {
                write!(f, "{separator}{name}")?;
                separator = "|";
            }
        }
        if self.0 == 0 { f.write_str("-") } else { Ok(()) }
    }
}

/// A TCP header without options and checksum. Reserved bits are ignored and sent as zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TcpHeader {
    /// Source port.
    pub src_port: u16,
    /// Destination port.
    pub dst_port: u16,
    /// Sequence number of the first payload byte (of the SYN, if set).
    pub seq: u32,
    /// The next sequence number expected, if ACK is set.
    pub ack: u32,
    /// Control bits.
    pub flags: TcpFlags,
    /// Receive window, not yet scaled.
    pub window: u16,
    /// Urgent pointer.
    pub urgent: u16,
}

impl TcpHeader {
    /// Bytes on the wire without options.
    pub const LEN: usize = 20;
    /// Most bytes of options a header can hold.
    pub const MAX_OPTIONS_LEN: usize = 40;
    /// Offset of the sequence number.
    pub const SEQ_OFFSET: usize = 4;
    /// Offset of the acknowledgement number.
    pub const ACK_OFFSET: usize = 8;
    /// Offset of the window.
    pub const WINDOW_OFFSET: usize = 14;
    /// Offset of the checksum.
    pub const CHECKSUM_OFFSET: usize = 16;

    /// Reads the header and its options from a whole segment; the rest is the payload. The checksum
    /// needs the addresses: see [`verify`].
    pub fn parse(segment: &[u8]) -> Result<(TcpHeader, TcpOptions<'_>, &[u8]), ParseError> {
        let Some((header, _)) = segment.split_first_chunk::<{ Self::LEN }>() else {
            return Err(ParseError::new(segment.len(), ParseErrorKind::TcpTruncated));
        };
        let header_len = usize::from(header[12] >> 4) * 4;
        if header_len < Self::LEN {
            return Err(ParseError::new(12, ParseErrorKind::TcpDataOffset));
        }
        let Some((whole_header, payload)) = segment.split_at_checked(header_len) else {
            return Err(ParseError::new(segment.len(), ParseErrorKind::TcpTruncated));
        };
        let options =
            TcpOptions::parse(&whole_header[Self::LEN..]).map_err(|e| e.shifted(Self::LEN))?;
        let [s0, s1, d0, d1, q0, q1, q2, q3, a0, a1, a2, a3, _, flags, w0, w1, _, _, u0, u1] =
            *header;
        let tcp = TcpHeader {
            src_port: u16::from_be_bytes([s0, s1]),
            dst_port: u16::from_be_bytes([d0, d1]),
            seq: u32::from_be_bytes([q0, q1, q2, q3]),
            ack: u32::from_be_bytes([a0, a1, a2, a3]),
            flags: TcpFlags(flags),
            window: u16::from_be_bytes([w0, w1]),
            urgent: u16::from_be_bytes([u0, u1]),
        };
        Ok((tcp, options, payload))
    }

    /// The fixed header for `options_len` bytes of options, with this checksum field.
    ///
    /// # Panics
    /// If `options_len` is more than 40 or not a multiple of 4.
    pub fn to_bytes(&self, options_len: usize, check: u16) -> [u8; Self::LEN] {
        assert!(options_len <= Self::MAX_OPTIONS_LEN && options_len.is_multiple_of(4));
        let mut out = [0; Self::LEN];
        out[..2].copy_from_slice(&self.src_port.to_be_bytes());
        out[2..4].copy_from_slice(&self.dst_port.to_be_bytes());
        out[4..8].copy_from_slice(&self.seq.to_be_bytes());
        out[8..12].copy_from_slice(&self.ack.to_be_bytes());
        out[12] = (((Self::LEN + options_len) / 4) << 4) as u8; // at most 15 << 4
        out[13] = self.flags.0;
        out[14..16].copy_from_slice(&self.window.to_be_bytes());
        out[16..18].copy_from_slice(&check.to_be_bytes());
        out[18..].copy_from_slice(&self.urgent.to_be_bytes());
        out
    }

    /// Appends a whole segment with its checksum. `options` are padded to a multiple of 4 with
    /// end-of-list bytes.
    ///
    /// # Panics
    /// If `options` exceed 40 bytes or the segment 65,515.
    pub fn emit(
        &self,
        src: Ipv4Addr,
        dst: Ipv4Addr,
        options: &[u8],
        payload: &[u8],
        out: &mut Vec<u8>,
    ) {
        let options_len = options.len().next_multiple_of(4);
        let len = u16::try_from(Self::LEN + options_len + payload.len())
            .expect("a TCP segment over IPv4 is below 64 KiB");
        let header = self.to_bytes(options_len, 0);
        let check = checksum::finish(
            checksum::pseudo_header(src, dst, PROTOCOL_TCP, len)
                + checksum::sum(&header)
                + checksum::sum(options)
                + checksum::sum(payload),
        );
        let start = out.len();
        out.extend_from_slice(&header);
        out.extend_from_slice(options);
        out.resize(start + Self::LEN + options_len, 0);
        out.extend_from_slice(payload);
        out[start + Self::CHECKSUM_OFFSET..][..2].copy_from_slice(&check.to_be_bytes());
    }
}

/// Whether a whole TCP segment's checksum is right between these addresses. False for a segment
/// longer than IPv4 can carry.
pub fn verify(src: Ipv4Addr, dst: Ipv4Addr, segment: &[u8]) -> bool {
    u16::try_from(segment.len()).is_ok_and(|len| {
        checksum::verifies(
            checksum::pseudo_header(src, dst, PROTOCOL_TCP, len) + checksum::sum(segment),
        )
    })
}
