//! Why a capture file cannot be read further.

use std::io;

/// Why a capture file cannot be read further. Packets before it have been delivered.
#[derive(Debug, thiserror::Error)]
#[error("capture file, byte {offset}: {kind}")]
pub struct CaptureError {
    /// Where in the file: the start of the header, record or block that is wrong; for a truncation
    /// or a failed read, where the bytes ended.
    pub offset: u64,
    /// What is wrong.
    #[source]
    pub kind: CaptureErrorKind,
}

/// What is wrong with a capture file.
#[derive(Debug, thiserror::Error)]
pub enum CaptureErrorKind {
    /// The source failed.
    #[error("reading failed")]
    Io(#[source] io::Error),
    /// The first four bytes, read as little-endian, are those of no known format.
    #[error("unknown format, first bytes {0:#010x}")]
    UnknownFormat(u32),
    /// A major version other than pcap 2 and pcapng 1.
    #[error("unsupported version {major}.{minor}")]
    Version {
        /// Major version.
        major: u16,
        /// Minor version.
        minor: u16,
    },
    /// The file ends inside a header, record or block.
    #[error("truncated: {needed} more bytes expected")]
    Truncated {
        /// How many bytes are missing at least.
        needed: u64,
    },
    /// A length above [`MAX_BLOCK_LEN`](super::MAX_BLOCK_LEN).
    #[error("length {0} is above the limit")]
    TooLong(u32),
    /// A block length that is below 12 or the block's fixed part, or not a multiple of 4.
    #[error("impossible block length {0}")]
    BlockLength(u32),
    /// The two lengths of a block differ.
    #[error("block length {leading} is repeated as {trailing}")]
    TrailingLength {
        /// The length before the block's body.
        leading: u32,
        /// The length after it.
        trailing: u32,
    },
    /// A section header whose byte-order magic is neither order's.
    #[error("byte-order magic {0:#010x}")]
    ByteOrder(u32),
    /// A block whose body contradicts its length, for example a packet longer than its block.
    #[error("malformed block of type {0:#010x}")]
    Malformed(u32),
    /// A block's options run past its end, or one has the wrong length for its kind.
    #[error("malformed options in a block of type {0:#010x}")]
    Options(u32),
    /// A packet of an interface that its section has not described.
    #[error("undescribed interface {0}")]
    UndescribedInterface(u32),
    /// More than [`MAX_INTERFACES`](super::MAX_INTERFACES) interfaces.
    #[error("too many interfaces")]
    TooManyInterfaces,
    /// A time before 1970 or after 2554, which 64-bit nanoseconds cannot hold.
    #[error("time outside 64-bit nanoseconds since 1970")]
    TimeRange,
}
