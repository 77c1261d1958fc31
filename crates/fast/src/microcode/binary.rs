//! The binary form of a program (MICROCODE.md §5).

use super::isa::{LANES, ROW_BYTES, Row};
use super::program::{
    Constant, EntryPoint, MAX_PRESENCE_BYTES, Program, ProgramError, Segment, Settings, TEXT_BYTES,
    Tag, TemplateInfo,
};
use crate::decode::ResetPolicy;

/// The first four bytes.
pub const MAGIC: [u8; 4] = *b"SKFM";
/// The version of the format. A reader refuses another major version (the high byte).
pub const VERSION: u16 = 0x0100;
/// Largest program in bytes.
pub const MAX_BYTES: usize = 4 << 20;

const HEADER_BYTES: usize = 16;
/// Sections of a type with this bit may be skipped by a reader that does not know them.
const OPTIONAL: u32 = 1 << 31;

const SETTINGS: u32 = 1;
const ROWS: u32 = 2;
const CONSTANTS: u32 = 3;
const DICTIONARY: u32 = 4;
const TAGS: u32 = 5;
const TEMPLATES: u32 = 6;
const ENTRIES: u32 = 7;
const SEGMENTS: u32 = 8;

/// Bytes are not a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// They end too early.
    #[error("the program ends early (byte {0})")]
    Truncated(usize),
    /// They are more than [`MAX_BYTES`].
    #[error("a program of {0} bytes is too large")]
    TooLarge(usize),
    /// They do not start with [`MAGIC`].
    #[error("not a program: the magic number is missing")]
    Magic,
    /// The format is newer.
    #[error("version {:#06x} of the format is not known", .0)]
    Version(u16),
    /// The checksum is wrong.
    #[error("the checksum is {found:#010x}, not {expected:#010x}")]
    Checksum {
        /// As stored.
        expected: u32,
        /// As computed.
        found: u32,
    },
    /// A section that may not be skipped is not known.
    #[error("section {section} is not known (byte {offset})")]
    Section {
        /// Its type.
        section: u32,
        /// Its offset.
        offset: usize,
    },
    /// A value has no meaning.
    #[error("{what} (byte {offset})")]
    Value {
        /// What is wrong.
        what: &'static str,
        /// Where.
        offset: usize,
    },
    /// The parts do not fit together.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl Program {
    /// The binary form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::from(MAGIC);
        put16(&mut out, VERSION);
        put16(&mut out, HEADER_BYTES as u16);
        // The length of everything and the checksum of everything behind the header.
        out.extend([0; 8]);
        section(&mut out, SETTINGS, |out| put_settings(out, &self.settings));
        section(&mut out, ROWS, |out| {
            self.rows.iter().for_each(|row| out.extend(row.encode()));
        });
        section(&mut out, CONSTANTS, |out| {
            for lane in &self.constants {
                put16(out, lane.len() as u16);
                lane.iter().for_each(|constant| put_constant(out, constant));
            }
        });
        section(&mut out, DICTIONARY, |out| {
            self.dictionary.iter().for_each(|entries| put16(out, *entries));
        });
        section(&mut out, TAGS, |out| {
            for tag in &self.tags {
                out.push(u8::from(tag.id.is_some()));
                put32(out, tag.id.unwrap_or(0));
                put_name(out, &tag.name);
            }
        });
        section(&mut out, TEMPLATES, |out| {
            for template in &self.templates {
                out.push(u8::from(template.reset));
                put32(out, template.id);
                put_name(out, &template.name);
            }
        });
        section(&mut out, ENTRIES, |out| {
            for entry in &self.entries {
                put16(out, entry.template);
                put16(out, entry.scope);
                put16(out, entry.row);
            }
        });
        section(&mut out, SEGMENTS, |out| {
            for segment in &self.segments {
                put16(out, segment.template);
                put16(out, segment.row);
                out.push(segment.pmap.len() as u8);
                out.extend(&segment.pmap);
            }
        });
        let length = out.len() as u32;
        let check = crc32(&out[HEADER_BYTES..]);
        out[8..12].copy_from_slice(&length.to_le_bytes());
        out[12..16].copy_from_slice(&check.to_le_bytes());
        out
    }

    /// Reads the binary form and checks the program.
    ///
    /// # Errors
    /// Whatever is wrong first, with its offset. Memory and work are linear in the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        if bytes.len() > MAX_BYTES {
            return Err(FormatError::TooLarge(bytes.len()));
        }
        let mut header = Reader { bytes, at: 0 };
        if header.array::<4>()? != MAGIC {
            return Err(FormatError::Magic);
        }
        let version = header.u16()?;
        if version >> 8 != VERSION >> 8 {
            return Err(FormatError::Version(version));
        }
        // A later minor version may have a longer header.
        let header_bytes = usize::from(header.u16()?);
        let length = header.u32()? as usize;
        let expected = header.u32()?;
        if length > bytes.len() {
            return Err(FormatError::Truncated(bytes.len()));
        }
        if length < bytes.len() || !(HEADER_BYTES..=length).contains(&header_bytes) {
            return Err(FormatError::Value { what: "the lengths contradict", offset: 6 });
        }
        let found = crc32(&bytes[header_bytes..]);
        if found != expected {
            return Err(FormatError::Checksum { expected, found });
        }
        let mut program = Self::default();
        let mut reader = Reader { bytes, at: header_bytes };
        while reader.at < bytes.len() {
            let offset = reader.at;
            let section = reader.u32()?;
            let length = reader.u32()? as usize;
            let body = reader.at;
            reader.take(length)?;
            let mut body = Reader { bytes: &bytes[..body + length], at: body };
            read_section(&mut program, section, offset, &mut body)?;
        }
        program.check()?;
        Ok(program)
    }
}

fn read_section(
    program: &mut Program,
    section: u32,
    offset: usize,
    body: &mut Reader<'_>,
) -> Result<(), FormatError> {
    match section {
        SETTINGS => program.settings = body.settings()?,
        ROWS => {
            while !body.at_end() {
                let offset = body.at;
                let row = Row::decode(&body.array::<ROW_BYTES>()?);
                let what = "an instruction without meaning";
                program.rows.push(row.ok_or(FormatError::Value { what, offset })?);
            }
        }
        CONSTANTS => {
            for lane in 0..LANES {
                for _ in 0..body.u16()? {
                    program.constants[lane].push(body.constant()?);
                }
            }
            body.finish()?;
        }
        DICTIONARY => {
            for lane in 0..LANES {
                program.dictionary[lane] = body.u16()?;
            }
            body.finish()?;
        }
        TAGS => {
            while !body.at_end() {
                let has_id = body.flag()?;
                let id = body.u32()?;
                program.tags.push(Tag { id: has_id.then_some(id), name: body.name()? });
            }
        }
        TEMPLATES => {
            while !body.at_end() {
                let reset = body.flag()?;
                let id = body.u32()?;
                program.templates.push(TemplateInfo { id, reset, name: body.name()? });
            }
        }
        ENTRIES => {
            while !body.at_end() {
                let (template, scope, row) = (body.u16()?, body.u16()?, body.u16()?);
                program.entries.push(EntryPoint { template, scope, row });
            }
        }
        SEGMENTS => {
            while !body.at_end() {
                let (template, row) = (body.u16()?, body.u16()?);
                let length = usize::from(body.u8()?).min(MAX_PRESENCE_BYTES + 1);
                let pmap = body.take(length)?.to_vec();
                program.segments.push(Segment { template, pmap, row });
            }
        }
        section if section & OPTIONAL != 0 => {}
        section => return Err(FormatError::Section { section, offset }),
    }
    Ok(())
}

fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_le_bytes());
}

fn put_name(out: &mut Vec<u8>, name: &str) {
    let name = &name.as_bytes()[..name.len().min(255)];
    out.push(name.len() as u8);
    out.extend(name);
}

fn put_settings(out: &mut Vec<u8>, settings: &Settings) {
    let reset = match settings.reset {
        ResetPolicy::Never => 0,
        ResetPolicy::Packet => 1,
        ResetPolicy::Message => 2,
    };
    out.extend([u8::from(settings.strict), reset, settings.preamble, 0]);
    put32(out, settings.max_text);
    put32(out, settings.max_elements);
    put32(out, settings.max_rows);
}

/// 18 bytes: type, exponent or length, 16 bytes of value.
fn put_constant(out: &mut Vec<u8>, constant: &Constant) {
    let mut value = [0; TEXT_BYTES];
    let (kind, info) = match constant {
        Constant::Number(bits) => {
            value[..8].copy_from_slice(&bits.to_le_bytes());
            (0, 0)
        }
        Constant::Decimal { mantissa, exponent } => {
            value[..8].copy_from_slice(&mantissa.to_le_bytes());
            (1, exponent.cast_unsigned())
        }
        Constant::Text(text) => {
            let length = text.len().min(TEXT_BYTES);
            value[..length].copy_from_slice(&text[..length]);
            (2, length as u8)
        }
    };
    out.extend([kind, info]);
    out.extend(value);
}

fn section(out: &mut Vec<u8>, section: u32, body: impl FnOnce(&mut Vec<u8>)) {
    put32(out, section);
    put32(out, 0);
    let start = out.len();
    body(out);
    let length = (out.len() - start) as u32;
    out[start - 4..start].copy_from_slice(&length.to_le_bytes());
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn finish(&self) -> Result<(), FormatError> {
        let what = "bytes are left in the section";
        if self.at_end() { Ok(()) } else { Err(FormatError::Value { what, offset: self.at }) }
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], FormatError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..count).ok_or(FormatError::Truncated(self.bytes.len()))?;
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u8(&mut self) -> Result<u8, FormatError> {
        Ok(self.array::<1>()?[0])
    }

    fn u16(&mut self) -> Result<u16, FormatError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32, FormatError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn flag(&mut self) -> Result<bool, FormatError> {
        let offset = self.at;
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(FormatError::Value { what: "a flag is neither 0 nor 1", offset }),
        }
    }

    fn name(&mut self) -> Result<String, FormatError> {
        let length = usize::from(self.u8()?);
        let offset = self.at;
        let name = std::str::from_utf8(self.take(length)?);
        Ok(name.map_err(|_| FormatError::Value { what: "a name is not UTF-8", offset })?.to_owned())
    }

    fn settings(&mut self) -> Result<Settings, FormatError> {
        let strict = self.flag()?;
        let offset = self.at;
        let reset = match self.u8()? {
            0 => ResetPolicy::Never,
            1 => ResetPolicy::Packet,
            2 => ResetPolicy::Message,
            _ => return Err(FormatError::Value { what: "no such reset policy", offset }),
        };
        let [preamble, _] = self.array()?;
        // A later minor version may append settings.
        Ok(Settings {
            strict,
            reset,
            preamble,
            max_text: self.u32()?,
            max_elements: self.u32()?,
            max_rows: self.u32()?,
        })
    }

    fn constant(&mut self) -> Result<Constant, FormatError> {
        let offset = self.at;
        let [kind, info] = self.array()?;
        let value: [u8; TEXT_BYTES] = self.array()?;
        let number = u64::from_le_bytes(*value.first_chunk().unwrap_or(&[0; 8]));
        match kind {
            0 => Ok(Constant::Number(number)),
            1 => Ok(Constant::Decimal {
                mantissa: number.cast_signed(),
                exponent: info.cast_signed(),
            }),
            2 if usize::from(info) <= TEXT_BYTES => {
                Ok(Constant::Text(value[..usize::from(info)].to_vec()))
            }
            _ => Err(FormatError::Value { what: "no such constant", offset }),
        }
    }
}

/// CRC-32 of IEEE 802.3, as in zip.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 != 0 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_of_crc_32() {
        assert_eq!(super::crc32(b"123456789"), 0xcbf4_3926);
    }
}
