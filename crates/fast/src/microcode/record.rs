//! The records of the output ring, and reading them (MICROCODE.md §8).

use super::program::Program;
use crate::error::ErrorCode;
use crate::model::OwnedValue;

/// Bytes of a record in the ring.
pub const RECORD_BYTES: usize = 16;
/// Set in `info` of a text record when more chunks of the value follow.
pub const MORE: u8 = 0x80;

/// What a record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum RecordKind {
    /// An unsigned integer.
    UInt = 1,
    /// A signed integer.
    Int = 2,
    /// A decimal: the mantissa; `info` is the exponent.
    Decimal = 3,
    /// Up to eight bytes of an ASCII string, right-aligned, the first most significant; `info` is
    /// their number and [`MORE`].
    Ascii = 4,
    /// The same of a Unicode string.
    Unicode = 5,
    /// The same of a byte vector.
    Bytes = 6,
    /// The length of a sequence, whose elements follow.
    Length = 7,
    /// A message begins; `tag` is the index of its template.
    MessageBegin = 8,
    /// It ends; `info` is its [`Status`].
    MessageEnd = 9,
    /// An element of a sequence ends.
    ElementEnd = 10,
    /// A group begins.
    GroupBegin = 11,
    /// A group ends.
    GroupEnd = 12,
    /// A part by a dynamic reference begins; `tag` is the index of its template.
    CallBegin = 13,
    /// It ends.
    CallEnd = 14,
}

impl RecordKind {
    /// All kinds, in the order of their codes from 1 on.
    const ALL: [Self; 14] = [
        Self::UInt,
        Self::Int,
        Self::Decimal,
        Self::Ascii,
        Self::Unicode,
        Self::Bytes,
        Self::Length,
        Self::MessageBegin,
        Self::MessageEnd,
        Self::ElementEnd,
        Self::GroupBegin,
        Self::GroupEnd,
        Self::CallBegin,
        Self::CallEnd,
    ];

    /// The kind with this code, `None` where none has it.
    pub fn decode(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code).checked_sub(1)?).copied()
    }
}

/// A record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// What it says.
    pub kind: RecordKind,
    /// The tag of the slot, or the index of a template.
    pub tag: u16,
    /// Length, exponent or status.
    pub info: u8,
    /// The value.
    pub value: u64,
    /// The cycle in which it is on the engine's output.
    pub cycle: u64,
}

impl Record {
    /// The record in the ring: value u64, tag u16, kind u8, info u8, the cycle's low 32 bits.
    pub fn encode(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.value.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.tag.to_le_bytes());
        bytes[10] = self.kind as u8;
        bytes[11] = self.info;
        bytes[12..].copy_from_slice(&(self.cycle as u32).to_le_bytes());
        bytes
    }
}

/// Why a message goes to software.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Trap {
    /// An operator that hardware does not have.
    Operator = 1,
    /// A string or vector too long for a lane or for an entry.
    Long = 2,
    /// An integer of more than ten bytes.
    Wide = 3,
    /// A presence map of more than nine bytes.
    PresenceMap = 4,
    /// A stack is full.
    Depth = 5,
    /// Too many rows.
    Watchdog = 6,
    /// The program contradicts itself.
    Program = 7,
    /// Text beyond the limit.
    Limit = 8,
}

impl Trap {
    /// All reasons by code, from 1.
    pub const ALL: [Self; 8] = [
        Self::Operator,
        Self::Long,
        Self::Wide,
        Self::PresenceMap,
        Self::Depth,
        Self::Watchdog,
        Self::Program,
        Self::Limit,
    ];

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Long => "long",
            Self::Wide => "wide",
            Self::PresenceMap => "presence_map",
            Self::Depth => "depth",
            Self::Watchdog => "watchdog",
            Self::Program => "program",
            Self::Limit => "limit",
        }
    }
}

/// How a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It is complete.
    Complete,
    /// An error, by the specification's code.
    Error(ErrorCode),
    /// Software must decode it.
    Trap(Trap),
    /// The packet was aborted.
    Aborted,
}

/// Codes of errors in a status: D1–D12 are 1–12, R1–R9 are 17–25.
const ERRORS: [(u8, ErrorCode); 13] = {
    use ErrorCode::*;
    [
        (2, D2),
        (4, D4),
        (5, D5),
        (6, D6),
        (9, D9),
        (17, R1),
        (20, R4),
        (22, R6),
        (23, R7),
        (24, R8),
        (25, R9),
        (32, Truncated),
        (33, Limit),
    ]
};
const POISONED: u8 = 34;
const ABORTED: u8 = 35;
const TRAPS: u8 = 64;

impl Status {
    /// The byte in a record (§8).
    pub fn encode(self) -> u8 {
        match self {
            Self::Complete => 0,
            Self::Error(code) => {
                ERRORS.iter().find(|(_, other)| *other == code).map_or(POISONED, |(byte, _)| *byte)
            }
            Self::Trap(trap) => TRAPS + trap as u8,
            Self::Aborted => ABORTED,
        }
    }

    /// The status of a byte.
    pub fn decode(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::Complete),
            POISONED => Some(Self::Error(ErrorCode::Poisoned)),
            ABORTED => Some(Self::Aborted),
            byte if byte > TRAPS => {
                Trap::ALL.get(usize::from(byte - TRAPS - 1)).copied().map(Self::Trap)
            }
            byte => {
                let error = ERRORS.iter().find(|(other, _)| *other == byte)?;
                Some(Self::Error(error.1))
            }
        }
    }
}

/// A part of a message, from records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A message begins; the index of its template.
    MessageBegin(u16),
    /// It ends.
    MessageEnd(Status),
    /// A field has a value.
    Field(u16, OwnedValue),
    /// A sequence of that many elements begins.
    SequenceBegin(u16, u32),
    /// An element begins.
    ElementBegin,
    /// It ends.
    ElementEnd,
    /// The sequence ends.
    SequenceEnd,
    /// A group begins.
    GroupBegin(u16),
    /// It ends.
    GroupEnd(u16),
    /// A part by a dynamic reference begins; the index of its template.
    CallBegin(u16),
    /// It ends.
    CallEnd,
}

/// The records of a message as its parts. A Unicode string that is not UTF-8 ends the message
/// with R2, as the decoder has it; records that no engine writes end it, too.
pub fn read_records(program: &Program, records: &[Record]) -> Vec<Item> {
    let mut items = Vec::new();
    // Elements left of the open sequences.
    let mut open: Vec<u64> = Vec::new();
    let mut text = Vec::new();
    for record in records {
        let Record { kind, tag, info, value, .. } = *record;
        let item = match kind {
            RecordKind::UInt => Item::Field(tag, OwnedValue::UInt(value)),
            RecordKind::Int => Item::Field(tag, OwnedValue::Int(value.cast_signed())),
            RecordKind::Decimal => {
                let (mantissa, exponent) = (value.cast_signed(), info.cast_signed().into());
                Item::Field(tag, OwnedValue::Decimal { mantissa, exponent })
            }
            RecordKind::Ascii | RecordKind::Unicode | RecordKind::Bytes => {
                let length = usize::from(info & 0x0f).min(8);
                text.extend_from_slice(&value.to_be_bytes()[8 - length..]);
                if info & MORE != 0 {
                    continue;
                }
                let whole = std::mem::take(&mut text);
                Item::Field(
                    tag,
                    match kind {
                        RecordKind::Ascii => OwnedValue::Ascii(whole),
                        RecordKind::Unicode => match String::from_utf8(whole) {
                            Ok(text) => OwnedValue::Unicode(text),
                            Err(_) => {
                                items.push(Item::MessageEnd(Status::Error(ErrorCode::R2)));
                                return items;
                            }
                        },
                        _ => OwnedValue::Bytes(whole),
                    },
                )
            }
            RecordKind::Length => {
                items.push(Item::SequenceBegin(tag, value as u32));
                if value == 0 {
                    Item::SequenceEnd
                } else {
                    open.push(value);
                    Item::ElementBegin
                }
            }
            RecordKind::ElementEnd => {
                items.push(Item::ElementEnd);
                match open.last_mut() {
                    Some(left) if *left > 1 => {
                        *left -= 1;
                        Item::ElementBegin
                    }
                    _ => {
                        open.pop();
                        Item::SequenceEnd
                    }
                }
            }
            RecordKind::MessageBegin => Item::MessageBegin(tag),
            RecordKind::MessageEnd => {
                let status = Status::decode(info).unwrap_or(Status::Trap(Trap::Program));
                Item::MessageEnd(status)
            }
            RecordKind::GroupBegin => Item::GroupBegin(tag),
            RecordKind::GroupEnd => Item::GroupEnd(tag),
            RecordKind::CallBegin => Item::CallBegin(tag),
            RecordKind::CallEnd => Item::CallEnd,
        };
        items.push(item);
    }
    debug_assert!(items.iter().all(|item| match item {
        Item::Field(tag, _) => usize::from(*tag) < program.tags.len(),
        _ => true,
    }));
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_byte() {
        let mut all = vec![Status::Complete, Status::Aborted, Status::Error(ErrorCode::Poisoned)];
        all.extend(ERRORS.iter().map(|(_, code)| Status::Error(*code)));
        all.extend(Trap::ALL.map(Status::Trap));
        for status in all {
            assert_eq!(Status::decode(status.encode()), Some(status));
        }
        assert_eq!(Status::decode(0x7f), None);
    }
}
