//! The pcapng format: sections of blocks.
//!
//! Blocks are framed here, so that their lengths are checked and bounded before anything looks
//! inside; `pcap-parser` reads the bodies of those that matter. Its own conversions of times are not
//! used: they refuse power-of-two resolutions and take `if_tsoffset` as little-endian.

use std::borrow::Cow;
use std::io::Read;

use pcap_parser::pcapng::{
    EnhancedPacketBlock, OptionCode, PcapNGOption, parse_enhancedpacketblock_be,
    parse_enhancedpacketblock_le, parse_interfacedescriptionblock_be,
    parse_interfacedescriptionblock_le, parse_sectionheaderblock, parse_simplepacketblock_be,
    parse_simplepacketblock_le,
};

use super::error::{CaptureError, CaptureErrorKind};
use super::reader::{Interface, Packet};
use super::source::Source;
use super::timestamp::Clock;
use super::{MAX_BLOCK_LEN, MAX_INTERFACES, MAX_NAME_LEN};

/// Type of a section header; the same in both byte orders.
pub(super) const SECTION_HEADER: u32 = 0x0A0D_0D0A;
pub(super) const INTERFACE_DESCRIPTION: u32 = 1;
/// Obsolete: what enhanced packet blocks replaced.
const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
pub(super) const ENHANCED_PACKET: u32 = 6;
pub(super) const BYTE_ORDER_MAGIC: u32 = 0x1A2B_3C4D;

/// Type, length and repeated length.
const BLOCK_OVERHEAD: u32 = 12;
/// Fixed part, overhead included, of an enhanced or obsolete packet block.
const PACKET_FIXED_LEN: u32 = 32;
/// Where the packet's bytes begin in those blocks.
const PACKET_DATA_OFFSET: usize = 28;
/// Fixed part, overhead included, of an interface description block.
const INTERFACE_FIXED_LEN: u32 = 20;

pub(super) struct PcapngFile {
    big_endian: bool,
    /// How many of the reader's interfaces belong to earlier sections.
    section_start: usize,
    /// This section's interfaces.
    interfaces: Vec<InterfaceState>,
}

#[derive(Clone, Copy)]
struct InterfaceState {
    clock: Clock,
    link_type: u16,
    /// 0: no limit.
    snap_len: u32,
}

impl PcapngFile {
    /// Reads the first section header, of which the type is in `buffer`.
    pub fn open<R: Read>(
        source: &mut Source<R>,
        buffer: &mut Vec<u8>,
    ) -> Result<Self, CaptureError> {
        source.append(4, buffer)?;
        let mut file = PcapngFile { big_endian: false, section_start: 0, interfaces: Vec::new() };
        file.complete_block(source, buffer, 0)?;
        file.begin_section(buffer, 0)?;
        Ok(file)
    }

    /// Reads blocks into `buffer` until one holds a packet.
    pub fn next<'a, R: Read>(
        &mut self,
        source: &mut Source<R>,
        buffer: &'a mut Vec<u8>,
        interfaces: &mut Vec<Interface>,
    ) -> Result<Option<Packet<'a>>, CaptureError> {
        loop {
            let offset = source.offset;
            buffer.clear();
            if !source.append_or_end(8, buffer)? {
                return Ok(None);
            }
            let kind = self.complete_block(source, buffer, offset)?;
            match kind {
                SECTION_HEADER => {
                    self.begin_section(buffer, offset)?;
                    self.section_start = interfaces.len();
                }
                INTERFACE_DESCRIPTION => self.add_interface(buffer, offset, interfaces)?,
                ENHANCED_PACKET | SIMPLE_PACKET | PACKET => {
                    let result = match kind {
                        ENHANCED_PACKET => self.enhanced_packet(buffer),
                        SIMPLE_PACKET => self.simple_packet(buffer),
                        _ => self.obsolete_packet(buffer),
                    };
                    return result.map(Some).map_err(|kind| CaptureError { offset, kind });
                }
                _ => {}
            }
        }
    }

    /// Reads the rest of a block whose first 8 bytes are in `buffer`; returns its type. The body of
    /// a block that does not matter is skipped.
    fn complete_block<R: Read>(
        &mut self,
        source: &mut Source<R>,
        buffer: &mut Vec<u8>,
        offset: u64,
    ) -> Result<u32, CaptureError> {
        let fault = |kind| CaptureError { offset, kind };
        let kind = self.u32_at(buffer, 0);
        if kind == SECTION_HEADER {
            // Only the magic behind the length says in which order the length is.
            source.append(4, buffer)?;
            let magic = u32::from_le_bytes([buffer[8], buffer[9], buffer[10], buffer[11]]);
            self.big_endian = match magic {
                BYTE_ORDER_MAGIC => false,
                _ if magic.swap_bytes() == BYTE_ORDER_MAGIC => true,
                _ => return Err(fault(CaptureErrorKind::ByteOrder(magic))),
            };
        }
        let len = self.u32_at(buffer, 4);
        let (minimum, matters) = match kind {
            SECTION_HEADER => (28, true),
            INTERFACE_DESCRIPTION => (INTERFACE_FIXED_LEN, true),
            ENHANCED_PACKET | PACKET => (PACKET_FIXED_LEN, true),
            SIMPLE_PACKET => (16, true),
            _ => (BLOCK_OVERHEAD, false),
        };
        if len < minimum || !len.is_multiple_of(4) {
            return Err(fault(CaptureErrorKind::BlockLength(len)));
        }
        if matters {
            if len > MAX_BLOCK_LEN {
                return Err(fault(CaptureErrorKind::TooLong(len)));
            }
            source.append(len as usize - buffer.len(), buffer)?;
        } else {
            source.skip(u64::from(len - BLOCK_OVERHEAD))?;
            source.append(4, buffer)?;
        }
        let trailing = self.u32_at(buffer, buffer.len() - 4);
        if trailing != len {
            return Err(fault(CaptureErrorKind::TrailingLength { leading: len, trailing }));
        }
        Ok(kind)
    }

    fn begin_section(&mut self, block: &[u8], offset: u64) -> Result<(), CaptureError> {
        let fault = |kind| CaptureError { offset, kind };
        let (_, header) = parse_sectionheaderblock(block)
            .map_err(|_| fault(CaptureErrorKind::Malformed(SECTION_HEADER)))?;
        if header.major_version != 1 {
            let (major, minor) = (header.major_version, header.minor_version);
            return Err(fault(CaptureErrorKind::Version { major, minor }));
        }
        self.interfaces.clear();
        Ok(())
    }

    fn add_interface(
        &mut self,
        block: &[u8],
        offset: u64,
        interfaces: &mut Vec<Interface>,
    ) -> Result<(), CaptureError> {
        let fault = |kind| CaptureError { offset, kind };
        if interfaces.len() == MAX_INTERFACES {
            return Err(fault(CaptureErrorKind::TooManyInterfaces));
        }
        let parse = if self.big_endian {
            parse_interfacedescriptionblock_be
        } else {
            parse_interfacedescriptionblock_le
        };
        let (_, description) =
            parse(block).map_err(|_| fault(CaptureErrorKind::Malformed(INTERFACE_DESCRIPTION)))?;
        let wrong_options = || fault(CaptureErrorKind::Options(INTERFACE_DESCRIPTION));
        let area = block.len() - INTERFACE_FIXED_LEN as usize;
        let options = checked_options(&description.options, area).ok_or_else(wrong_options)?;
        let mut clock = Clock::DEFAULT;
        let mut name = None;
        for option in options {
            let value = option.as_bytes().map_err(|_| wrong_options())?;
            match option.code {
                OptionCode::IfTsresol => {
                    let &[resolution] = value else { return Err(wrong_options()) };
                    clock.resolution = resolution;
                }
                OptionCode::IfTsoffset => {
                    let bytes: [u8; 8] = value.try_into().map_err(|_| wrong_options())?;
                    clock.offset_s = if self.big_endian {
                        i64::from_be_bytes(bytes)
                    } else {
                        i64::from_le_bytes(bytes)
                    };
                }
                OptionCode::IfName if name.is_none() && value.len() <= MAX_NAME_LEN => {
                    name = std::str::from_utf8(value).ok().map(str::to_owned);
                }
                _ => {}
            }
        }
        // The field is 16 bits wide in the file.
        let link_type = description.linktype.0 as u16;
        let snap_len = description.snaplen;
        self.interfaces.push(InterfaceState { clock, link_type, snap_len });
        interfaces.push(Interface { name, link_type });
        Ok(())
    }

    fn enhanced_packet<'a>(&self, block: &'a [u8]) -> Result<Packet<'a>, CaptureErrorKind> {
        let parse = if self.big_endian {
            parse_enhancedpacketblock_be
        } else {
            parse_enhancedpacketblock_le
        };
        // A captured length beyond the block is an error of the parser's.
        let (_, packet) = parse(block).map_err(|_| CaptureErrorKind::Malformed(ENHANCED_PACKET))?;
        let EnhancedPacketBlock { if_id, ts_high, ts_low, caplen, origlen, data, .. } = packet;
        let area = block.len() - PACKET_FIXED_LEN as usize - data.len();
        let comment = checked_options(&packet.options, area)
            .ok_or(CaptureErrorKind::Options(ENHANCED_PACKET))?
            .find(|option| option.code == OptionCode::Comment)
            .and_then(comment_text);
        let data =
            data.get(..caplen as usize).ok_or(CaptureErrorKind::Malformed(ENHANCED_PACKET))?;
        let units = u64::from(ts_high) << 32 | u64::from(ts_low);
        self.packet(if_id, units, data, origlen, comment)
    }

    /// The obsolete packet block: 16 bits of interface, 16 of drop count, then as enhanced.
    fn obsolete_packet<'a>(&self, block: &'a [u8]) -> Result<Packet<'a>, CaptureErrorKind> {
        let id = [block[8], block[9]];
        let id = if self.big_endian { u16::from_be_bytes(id) } else { u16::from_le_bytes(id) };
        let units = u64::from(self.u32_at(block, 12)) << 32 | u64::from(self.u32_at(block, 16));
        let captured_len = self.u32_at(block, 20) as usize;
        let data = block[PACKET_DATA_OFFSET..block.len() - 4]
            .get(..captured_len)
            .ok_or(CaptureErrorKind::Malformed(PACKET))?;
        self.packet(u32::from(id), units, data, self.u32_at(block, 24), None)
    }

    /// The simple packet block: no interface (the first is meant), no time, and the captured length
    /// follows from the original length and the interface's limit.
    fn simple_packet<'a>(&self, block: &'a [u8]) -> Result<Packet<'a>, CaptureErrorKind> {
        let parse =
            if self.big_endian { parse_simplepacketblock_be } else { parse_simplepacketblock_le };
        let (_, packet) = parse(block).map_err(|_| CaptureErrorKind::Malformed(SIMPLE_PACKET))?;
        let first = self.interfaces.first().ok_or(CaptureErrorKind::UndescribedInterface(0))?;
        let captured_len = match first.snap_len {
            0 => packet.origlen,
            limit => packet.origlen.min(limit),
        };
        let data = packet
            .data
            .get(..captured_len as usize)
            .ok_or(CaptureErrorKind::Malformed(SIMPLE_PACKET))?;
        Ok(Packet {
            ts_ns: 0,
            interface: self.section_start as u32, // at most MAX_INTERFACES
            link_type: first.link_type,
            data,
            original_len: packet.origlen,
            comment: None,
        })
    }

    fn packet<'a>(
        &self,
        id: u32,
        units: u64,
        data: &'a [u8],
        original_len: u32,
        comment: Option<&'a str>,
    ) -> Result<Packet<'a>, CaptureErrorKind> {
        let interface =
            self.interfaces.get(id as usize).ok_or(CaptureErrorKind::UndescribedInterface(id))?;
        Ok(Packet {
            ts_ns: interface.clock.nanos(units).ok_or(CaptureErrorKind::TimeRange)?,
            interface: self.section_start as u32 + id, // at most MAX_INTERFACES
            link_type: interface.link_type,
            data,
            original_len,
            comment,
        })
    }

    /// The number at `at`, which lies inside `block`.
    fn u32_at(&self, block: &[u8], at: usize) -> u32 {
        let bytes = [block[at], block[at + 1], block[at + 2], block[at + 3]];
        if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }
}

/// The options up to the end of the list. The parser stops silently at an option that runs past the
/// `area` bytes of options; then this is `None`.
fn checked_options<'o, 'a>(
    options: &'o [PcapNGOption<'a>],
    area: usize,
) -> Option<impl Iterator<Item = &'o PcapNGOption<'a>>> {
    let is_end = |option: &PcapNGOption<'_>| option.code == OptionCode::EndOfOpt;
    let read: usize = options.iter().map(|option| 4 + option.value.len()).sum();
    if read != area && !options.iter().any(is_end) {
        return None;
    }
    Some(options.iter().take_while(move |option| !is_end(option)))
}

/// The option's text, borrowed from the block rather than from the parser's list of options.
fn comment_text<'a>(option: &PcapNGOption<'a>) -> Option<&'a str> {
    let Cow::Borrowed(padded) = option.value else { return None };
    std::str::from_utf8(padded.get(..usize::from(option.len))?).ok()
}
