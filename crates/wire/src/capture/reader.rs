//! The reader: finds out the format and delivers packets until the end or the first error.

use std::io::Read;

use super::error::{CaptureError, CaptureErrorKind};
use super::pcap::{self, PcapFile};
use super::pcapng::{self, PcapngFile};
use super::source::Source;
use crate::time::Nanos;

/// A packet of a capture file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet<'a> {
    /// When it was captured, rounded down to nanoseconds. 0 for a simple packet block, which does
    /// not say.
    pub ts_ns: Nanos,
    /// Index into [`Reader::interfaces`].
    pub interface: u32,
    /// What the bytes are; [`LINK_TYPE_ETHERNET`](super::LINK_TYPE_ETHERNET) for Ethernet frames.
    pub link_type: u16,
    /// The bytes captured.
    pub data: &'a [u8],
    /// How long the packet was on the wire; more than `data.len()` if the capture cut it.
    pub original_len: u32,
    /// The packet's first comment, if it has one and it is UTF-8. Only pcapng has comments.
    pub comment: Option<&'a str>,
}

/// An interface of a capture file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Its name, if the file has one of at most [`MAX_NAME_LEN`](super::MAX_NAME_LEN) bytes of
    /// UTF-8.
    pub name: Option<String>,
    /// What its packets are.
    pub link_type: u16,
}

/// Reads a capture file of any format in the [module's list](super).
///
/// Reads in small pieces: give it a `BufReader` if the source is a file.
pub struct Reader<R> {
    source: Source<R>,
    format: Format,
    /// The block or record in hand.
    buffer: Vec<u8>,
    interfaces: Vec<Interface>,
    /// The end or an error has been reported.
    finished: bool,
}

enum Format {
    Pcap(PcapFile),
    Pcapng(PcapngFile),
}

impl<R: Read> Reader<R> {
    /// Reads the file's header.
    ///
    /// # Errors
    /// If the source is empty, fails, or is of no known format.
    pub fn new(read: R) -> Result<Self, CaptureError> {
        let mut source = Source::new(read);
        let mut buffer = Vec::new();
        let mut interfaces = Vec::new();
        source.append(4, &mut buffer)?;
        let magic = u32::from_le_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]);
        let format = if magic == pcapng::SECTION_HEADER {
            Format::Pcapng(PcapngFile::open(&mut source, &mut buffer)?)
        } else if pcap::is_magic(magic) {
            Format::Pcap(PcapFile::open(&mut source, &mut buffer, &mut interfaces)?)
        } else {
            let kind = CaptureErrorKind::UnknownFormat(magic);
            return Err(CaptureError { offset: 0, kind });
        };
        Ok(Reader { source, format, buffer, interfaces, finished: false })
    }

    /// The next packet, or `None` at the end of the file. After an error this is `None` too: there
    /// is no finding the next packet in a corrupt file.
    #[allow(clippy::should_implement_trait)] // packets borrow from the reader
    pub fn next(&mut self) -> Result<Option<Packet<'_>>, CaptureError> {
        if self.finished {
            return Ok(None);
        }
        let Reader { source, format, buffer, interfaces, finished } = self;
        let result = match format {
            Format::Pcap(file) => file.next(source, buffer),
            Format::Pcapng(file) => file.next(source, buffer, interfaces),
        };
        *finished = !matches!(result, Ok(Some(_)));
        result
    }

    /// The interfaces met so far, over all sections. A pcap file has one, without a name.
    pub fn interfaces(&self) -> &[Interface] {
        &self.interfaces
    }
}
