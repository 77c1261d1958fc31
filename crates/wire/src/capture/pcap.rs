//! The pcap format: one header, then records.

use std::io::Read;

use pcap_parser::pcap::{parse_pcap_frame, parse_pcap_frame_be, parse_pcap_header};

use super::MAX_BLOCK_LEN;
use super::error::{CaptureError, CaptureErrorKind};
use super::reader::{Interface, Packet};
use super::source::Source;

const HEADER_LEN: usize = 24;
const RECORD_HEADER_LEN: usize = 16;

/// Whether a file that begins with `magic` (read as little-endian) is pcap: microseconds or
/// nanoseconds, little- or big-endian.
pub(super) fn is_magic(magic: u32) -> bool {
    matches!(magic, 0xA1B2_C3D4 | 0xA1B2_3C4D | 0xD4C3_B2A1 | 0x4D3C_B2A1)
}

pub(super) struct PcapFile {
    big_endian: bool,
    /// Nanoseconds in a unit of the records' fractions.
    fraction_ns: u64,
    link_type: u16,
}

impl PcapFile {
    /// Reads the rest of the header, of which the magic is in `buffer`.
    pub fn open<R: Read>(
        source: &mut Source<R>,
        buffer: &mut Vec<u8>,
        interfaces: &mut Vec<Interface>,
    ) -> Result<Self, CaptureError> {
        source.append(HEADER_LEN - buffer.len(), buffer)?;
        let fault = |kind| CaptureError { offset: 0, kind };
        let header = match parse_pcap_header(buffer) {
            Ok((_, header)) => header,
            Err(_) => {
                let magic = u32::from_le_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]);
                return Err(fault(CaptureErrorKind::UnknownFormat(magic)));
            }
        };
        if header.version_major != 2 {
            let (major, minor) = (header.version_major, header.version_minor);
            return Err(fault(CaptureErrorKind::Version { major, minor }));
        }
        // The upper half of the field says whether frames carry an FCS.
        let link_type = header.network.0 as u16;
        interfaces.push(Interface { name: None, link_type });
        Ok(PcapFile {
            big_endian: header.is_bigendian(),
            fraction_ns: if header.is_nanosecond_precision() { 1 } else { 1_000 },
            link_type,
        })
    }

    /// Reads the next record into `buffer`.
    pub fn next<'a, R: Read>(
        &self,
        source: &mut Source<R>,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<Packet<'a>>, CaptureError> {
        let offset = source.offset;
        let fault = |kind| CaptureError { offset, kind };
        buffer.clear();
        if !source.append_or_end(RECORD_HEADER_LEN, buffer)? {
            return Ok(None);
        }
        let bytes = [buffer[8], buffer[9], buffer[10], buffer[11]];
        let len =
            if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
        if len > MAX_BLOCK_LEN {
            return Err(fault(CaptureErrorKind::TooLong(len)));
        }
        source.append(len as usize, buffer)?;
        let parse = if self.big_endian { parse_pcap_frame_be } else { parse_pcap_frame };
        let (_, record) = parse(buffer).map_err(|_| fault(CaptureErrorKind::BlockLength(len)))?;
        // At most 2^32 s and 2^32 us: far inside 64 bits of nanoseconds.
        let ts_ns =
            u64::from(record.ts_sec) * 1_000_000_000 + u64::from(record.ts_usec) * self.fraction_ns;
        Ok(Some(Packet {
            ts_ns,
            interface: 0,
            link_type: self.link_type,
            data: record.data,
            original_len: record.origlen,
            comment: None,
        }))
    }
}
