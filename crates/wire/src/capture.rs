//! Capture files: pcap and pcapng in, pcapng out, times in nanoseconds.
//!
//! Read: pcap with microseconds and nanoseconds, pcapng with any `if_tsresol`, `if_tsoffset`, any
//! number of interfaces and sections, and enhanced, simple and obsolete packet blocks; all in either
//! byte order. Other pcapng blocks are skipped. Compressed files are not read.
//!
//! Written: pcapng with one section, named Ethernet interfaces and enhanced packet blocks. The same
//! packets give the same bytes: nothing of the date, the host or the program goes in.
//!
//! Specifications: draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.

mod error;
mod pcap;
mod pcapng;
mod reader;
mod source;
mod timestamp;
mod writer;

pub use error::{CaptureError, CaptureErrorKind};
pub use reader::{Interface, Packet, Reader};
pub use writer::{InterfaceSpec, WriteError, Writer};

/// Link type of Ethernet frames without preamble and FCS.
pub const LINK_TYPE_ETHERNET: u16 = 1;

/// The longest pcapng block that is looked into and the longest pcap packet, in bytes: four times
/// the longest packet that capture programs keep. The reader holds one block in memory, grown as
/// bytes arrive, so a file that only claims a large length costs nothing; with a block full of empty
/// options it needs about 20 MiB. Blocks of other types may have any length and are skipped.
pub const MAX_BLOCK_LEN: u32 = 1 << 20;

/// The most interfaces that a file may describe, over all its sections.
pub const MAX_INTERFACES: usize = 4096;

/// The longest interface name that is kept, in bytes.
pub const MAX_NAME_LEN: usize = 1024;
