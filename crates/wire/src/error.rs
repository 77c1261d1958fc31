//! What can be wrong with a frame or one of its headers.

use std::fmt;

/// The protocol layer in which a fault was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layer {
    /// The Ethernet II header.
    Ethernet,
    /// The 802.1Q tag.
    Vlan,
    /// An ARP packet.
    Arp,
    /// The IPv4 header.
    Ipv4,
    /// The UDP header or datagram.
    Udp,
    /// The TCP header or segment.
    Tcp,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layer::Ethernet => "Ethernet",
            Layer::Vlan => "VLAN",
            Layer::Arp => "ARP",
            Layer::Ipv4 => "IPv4",
            Layer::Udp => "UDP",
            Layer::Tcp => "TCP",
        })
    }
}

/// The kinds of fault, without data, so that a receiver can keep one counter for each
/// (`counters[kind as usize]`, with [`ParseErrorKind::COUNT`] counters).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ParseErrorKind {
    /// Fewer than 14 bytes.
    EthernetTruncated,
    /// Fewer than 4 bytes after the 802.1Q EtherType.
    VlanTruncated,
    /// Fewer than 28 bytes of ARP.
    ArpTruncated,
    /// Hardware or protocol type or length is not that of IPv4 over Ethernet.
    ArpUnsupported,
    /// An operation other than request (1) and reply (2).
    ArpOperation,
    /// Fewer bytes than the fixed header, or than the header length says.
    Ipv4Truncated,
    /// The version is not 4.
    Ipv4Version,
    /// The header length is less than 5 words.
    Ipv4HeaderLength,
    /// The total length is less than the header, or more than there are bytes.
    Ipv4TotalLength,
    /// The header checksum does not verify.
    Ipv4Checksum,
    /// Fewer than 8 bytes.
    UdpTruncated,
    /// The length is less than 8, or is not the length of the IP payload.
    UdpLength,
    /// The checksum is present and does not verify.
    UdpChecksum,
    /// Fewer bytes than the fixed header, or than the data offset says.
    TcpTruncated,
    /// The data offset is less than 5 words.
    TcpDataOffset,
    /// An option's length is less than 2, runs past the header, or is wrong for its kind.
    TcpOptionLength,
    /// The checksum does not verify.
    TcpChecksum,
}

impl ParseErrorKind {
    /// Every kind, in the order of their discriminants.
    pub const ALL: [ParseErrorKind; 17] = [
        ParseErrorKind::EthernetTruncated,
        ParseErrorKind::VlanTruncated,
        ParseErrorKind::ArpTruncated,
        ParseErrorKind::ArpUnsupported,
        ParseErrorKind::ArpOperation,
        ParseErrorKind::Ipv4Truncated,
        ParseErrorKind::Ipv4Version,
        ParseErrorKind::Ipv4HeaderLength,
        ParseErrorKind::Ipv4TotalLength,
        ParseErrorKind::Ipv4Checksum,
        ParseErrorKind::UdpTruncated,
        ParseErrorKind::UdpLength,
        ParseErrorKind::UdpChecksum,
        ParseErrorKind::TcpTruncated,
        ParseErrorKind::TcpDataOffset,
        ParseErrorKind::TcpOptionLength,
        ParseErrorKind::TcpChecksum,
    ];

    /// How many kinds there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The layer the fault is in.
    pub fn layer(self) -> Layer {
        use ParseErrorKind::*;
        match self {
            EthernetTruncated => Layer::Ethernet,
            VlanTruncated => Layer::Vlan,
            ArpTruncated | ArpUnsupported | ArpOperation => Layer::Arp,
            Ipv4Truncated | Ipv4Version | Ipv4HeaderLength | Ipv4TotalLength | Ipv4Checksum => {
                Layer::Ipv4
            }
            UdpTruncated | UdpLength | UdpChecksum => Layer::Udp,
            TcpTruncated | TcpDataOffset | TcpOptionLength | TcpChecksum => Layer::Tcp,
        }
    }

    /// The fault in words, without the layer.
    pub fn what(self) -> &'static str {
        use ParseErrorKind::*;
        match self {
            EthernetTruncated | VlanTruncated | ArpTruncated | Ipv4Truncated | UdpTruncated
            | TcpTruncated => "truncated header",
            ArpUnsupported => "not IPv4 over Ethernet",
            ArpOperation => "unknown operation",
            Ipv4Version => "wrong version",
            Ipv4HeaderLength => "header length below 5 words",
            Ipv4TotalLength => "total length outside the packet",
            Ipv4Checksum => "wrong header checksum",
            UdpLength => "length disagrees with the IP payload",
            UdpChecksum | TcpChecksum => "wrong checksum",
            TcpDataOffset => "data offset below 5 words",
            TcpOptionLength => "malformed option length",
        }
    }
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.layer(), self.what())
    }
}

/// Why bytes are not a valid header or frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{kind} (at byte {offset})")]
pub struct ParseError {
    /// Where the fault is, from the first byte given to the parser that returned the error: the
    /// field that is wrong, or, for a truncation, the end of the bytes.
    pub offset: usize,
    /// What is wrong.
    pub kind: ParseErrorKind,
}

impl ParseError {
    /// An error of `kind` at `offset`.
    pub fn new(offset: usize, kind: ParseErrorKind) -> Self {
        ParseError { offset, kind }
    }

    /// The same error seen from a parser that began `bytes` earlier.
    pub(crate) fn shifted(self, bytes: usize) -> Self {
        ParseError { offset: self.offset + bytes, ..self }
    }
}

/// Whether a parser verifies checksums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Checksums {
    /// A wrong checksum is an error. What every receiver on a wire does.
    #[default]
    Verify,
    /// Checksums are not looked at: for captures taken before the network card filled them in, or
    /// whose addresses were scrubbed.
    Ignore,
}
