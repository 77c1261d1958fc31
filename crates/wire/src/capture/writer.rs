//! The pcapng writer: one section, little-endian, nanoseconds.

use std::io::{self, Write};

use pcap_parser::pcapng::OptionCode;

use super::pcapng::{BYTE_ORDER_MAGIC, ENHANCED_PACKET, INTERFACE_DESCRIPTION, SECTION_HEADER};
use super::{LINK_TYPE_ETHERNET, MAX_BLOCK_LEN, MAX_NAME_LEN};
use crate::time::Nanos;

/// An Ethernet interface to be described in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterfaceSpec {
    /// Its name, as Wireshark shows it; at most [`MAX_NAME_LEN`] bytes.
    pub name: String,
}

/// Why nothing, or not everything, was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The sink failed; the file may end inside a block.
    #[error("writing the capture failed")]
    Io(#[from] io::Error),
    /// An interface name above [`MAX_NAME_LEN`]. Nothing was written.
    #[error("interface name of {0} bytes")]
    NameTooLong(usize),
    /// An interface that was not given to [`Writer::new`]. Nothing was written.
    #[error("undescribed interface {0}")]
    UndescribedInterface(u32),
    /// A comment above 65,535 bytes. Nothing was written.
    #[error("comment of {0} bytes")]
    CommentTooLong(usize),
    /// A packet whose block would exceed [`MAX_BLOCK_LEN`]. Nothing was written.
    #[error("packet of {0} bytes")]
    PacketTooLong(usize),
}

/// Writes packets to a pcapng file.
///
/// Every block is one `write_all`; give it a `BufWriter` if the sink is a file.
pub struct Writer<W> {
    write: W,
    interfaces: u32,
    block: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Writes the section header and the interfaces' descriptions.
    pub fn new(write: W, interfaces: &[InterfaceSpec]) -> Result<Self, WriteError> {
        if let Some(spec) = interfaces.iter().find(|spec| spec.name.len() > MAX_NAME_LEN) {
            return Err(WriteError::NameTooLong(spec.name.len()));
        }
        let mut writer = Writer { write, interfaces: 0, block: Vec::new() };
        writer.begin_block(SECTION_HEADER);
        writer.u32(BYTE_ORDER_MAGIC);
        writer.u16(1); // version 1.0
        writer.u16(0);
        writer.block.extend_from_slice(&(-1i64).to_le_bytes()); // section length: not stated
        writer.end_block()?;
        for spec in interfaces {
            writer.begin_block(INTERFACE_DESCRIPTION);
            writer.u16(LINK_TYPE_ETHERNET);
            writer.u16(0); // reserved
            writer.u32(0); // no limit on captured lengths
            writer.option(OptionCode::IfName, spec.name.as_bytes());
            writer.option(OptionCode::IfTsresol, &[9]);
            writer.option(OptionCode::EndOfOpt, &[]);
            writer.end_block()?;
            writer.interfaces += 1;
        }
        Ok(writer)
    }

    /// Writes a packet captured on the interface at index `interface` of those given to
    /// [`Writer::new`].
    pub fn write(
        &mut self,
        interface: u32,
        ts_ns: Nanos,
        data: &[u8],
        comment: Option<&str>,
    ) -> Result<(), WriteError> {
        if interface >= self.interfaces {
            return Err(WriteError::UndescribedInterface(interface));
        }
        let comment_len = comment.map_or(0, str::len);
        if comment_len > usize::from(u16::MAX) {
            return Err(WriteError::CommentTooLong(comment_len));
        }
        // 64 covers the fixed part, both paddings and the option headers.
        if data.len() + comment_len + 64 > MAX_BLOCK_LEN as usize {
            return Err(WriteError::PacketTooLong(data.len()));
        }
        let len = data.len() as u32; // below MAX_BLOCK_LEN
        self.begin_block(ENHANCED_PACKET);
        self.u32(interface);
        self.u32((ts_ns >> 32) as u32);
        self.u32(ts_ns as u32);
        self.u32(len);
        self.u32(len);
        self.padded(data);
        if let Some(comment) = comment {
            self.option(OptionCode::Comment, comment.as_bytes());
            self.option(OptionCode::EndOfOpt, &[]);
        }
        self.end_block()?;
        Ok(())
    }

    /// Flushes the sink.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write.flush()
    }

    /// Gives the sink back. Every packet written is a whole block in it already.
    pub fn into_inner(self) -> W {
        self.write
    }

    fn begin_block(&mut self, kind: u32) {
        self.block.clear();
        self.u32(kind);
        self.u32(0); // the length, set by `end_block`
    }

    fn end_block(&mut self) -> io::Result<()> {
        debug_assert!(self.block.len().is_multiple_of(4));
        let len = self.block.len() as u32 + 4; // every block is checked to be below MAX_BLOCK_LEN
        self.block[4..8].copy_from_slice(&len.to_le_bytes());
        self.u32(len);
        self.write.write_all(&self.block)
    }

    fn u16(&mut self, value: u16) {
        self.block.extend_from_slice(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.block.extend_from_slice(&value.to_le_bytes());
    }

    fn padded(&mut self, bytes: &[u8]) {
        self.block.extend_from_slice(bytes);
        self.block.resize(self.block.len().next_multiple_of(4), 0);
    }

    fn option(&mut self, code: OptionCode, value: &[u8]) {
        self.u16(code.0);
        self.u16(value.len() as u16); // callers check that it fits
        self.padded(value);
    }
}
