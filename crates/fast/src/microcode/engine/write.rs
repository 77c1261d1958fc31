//! Values to records (MICROCODE.md §8).

use super::lane::Datum;
use super::run::Run;
use crate::microcode::isa::{Kind, Slot};
use crate::microcode::record::{MORE, Record, RecordKind};

/// Bytes of a record's value.
const CHUNK: usize = 8;

/// What comes of a slot: a value, a mark, or nothing but time.
pub(super) struct Output {
    /// Without one there is no record.
    kind: Option<RecordKind>,
    tag: u16,
    info: u8,
    value: u64,
    /// The bytes of text.
    text: Option<Vec<u8>>,
    /// Whether it takes two beats: the last chunk, and what is behind it, comes in the second.
    pub two: bool,
    /// Whether it is the text whose elements came one after another.
    any_length: bool,
}

impl Output {
    pub fn mark(kind: RecordKind, tag: u16) -> Self {
        let kind = Some(kind);
        Self { kind, tag, info: 0, value: 0, text: None, two: false, any_length: false }
    }

    /// Two beats without a record.
    pub fn nothing(two: bool) -> Self {
        Self { kind: None, tag: 0, info: 0, value: 0, text: None, two, any_length: false }
    }
}

/// The output of a slot with a value.
pub(super) fn output(slot: &Slot, datum: Datum, exponent: Option<i8>, two: bool) -> Output {
    let kind = match slot.kind {
        Kind::I32 | Kind::I64 => RecordKind::Int,
        Kind::Decimal | Kind::Mantissa => RecordKind::Decimal,
        Kind::Ascii | Kind::Text => RecordKind::Ascii,
        Kind::Unicode => RecordKind::Unicode,
        Kind::Bytes => RecordKind::Bytes,
        Kind::Length => RecordKind::Length,
        _ => RecordKind::UInt,
    };
    let mut output = Output::mark(kind, slot.tag);
    output.two = two;
    match datum {
        Datum::Number(bits) => {
            output.value = bits;
            output.info = exponent.filter(|_| slot.kind == Kind::Mantissa).unwrap_or(0) as u8;
        }
        Datum::Decimal(mantissa, exponent) => {
            output.value = mantissa.cast_unsigned();
            output.info = exponent.cast_unsigned();
        }
        Datum::Text(text) => {
            output.text = Some(text);
            output.any_length = slot.kind == Kind::Text;
        }
    }
    output
}

/// Beats that the outputs of a row take, the first parts of a text and of raw bytes included.
pub(super) fn beats(outputs: &[Output]) -> u64 {
    1 + outputs.iter().filter(|output| output.two).count() as u64
}

/// An element of a text and the cycle of its dispatch.
pub(super) type Part = (usize, u64);

impl Run<'_, '_> {
    /// A record without value, with the last record or row.
    pub fn mark(&mut self, kind: RecordKind, tag: u16) {
        let dispatched = self.engine.state.last_dispatch + super::OUTPUT_CYCLES;
        let cycle = self.out.last().map_or(dispatched, |last| last.cycle.max(dispatched));
        self.out.push(Record { kind, tag, info: 0, value: 0, cycle });
    }

    /// Writes the records of a row from cycle `first` on. A beat has at most one record of each
    /// lane. `parts` are the elements of a text beyond 16 bytes behind the first, which has
    /// `first_part` bytes; raw bytes come from cycle `raw` on.
    pub fn write(
        &mut self,
        outputs: Vec<Output>,
        first_part: usize,
        parts: &[Part],
        first: u64,
        raw: Option<u64>,
    ) {
        let mut cycle = first;
        let count = outputs.len();
        for (index, output) in outputs.into_iter().enumerate() {
            let Output { kind, tag, info, value, text, two, any_length } = output;
            let beat = cycle;
            cycle += u64::from(two);
            let Some(kind) = kind else { continue };
            let is_field = !matches!(kind, RecordKind::GroupBegin | RecordKind::GroupEnd);
            self.engine.counters.fields += u64::from(is_field);
            let Some(text) = text else {
                self.out.push(Record { kind, tag, info, value, cycle: beat });
                continue;
            };
            // The size of each chunk and its cycle.
            let mut chunks = Vec::new();
            match raw {
                // A slot with raw bytes is the last of its row.
                Some(raw) if index + 1 == count => {
                    let sizes = text.chunks(CHUNK).map(<[u8]>::len);
                    chunks.extend(sizes.zip(raw..));
                    if chunks.is_empty() {
                        chunks.push((0, raw));
                    }
                }
                _ => {
                    let parts = if any_length { parts } else { &[] };
                    let later: usize = parts.iter().map(|(length, _)| length).sum();
                    // Zero-preambles were removed at the front.
                    let head = if parts.is_empty() {
                        text.len()
                    } else {
                        text.len().saturating_sub(later)
                    };
                    debug_assert!(parts.is_empty() || head <= first_part);
                    one(&mut chunks, head, kind, beat, two);
                    for (length, dispatch) in parts {
                        let cycle = dispatch + super::OUTPUT_CYCLES;
                        one(&mut chunks, *length, kind, cycle, *length > CHUNK);
                    }
                }
            }
            let mut rest = &text[..];
            let last = chunks.len() - 1;
            for (index, (size, cycle)) in chunks.into_iter().enumerate() {
                let (chunk, after) = rest.split_at(size.min(rest.len()));
                rest = after;
                let value = chunk.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
                let more = if index < last { MORE } else { 0 };
                // At most eight bytes.
                let info = size as u8 | more;
                self.out.push(Record { kind, tag, info, value, cycle });
            }
        }
    }
}

/// The chunks of a string of at most 16 bytes: of an ASCII string the last has eight, of another
/// the first.
fn one(chunks: &mut Vec<(usize, u64)>, length: usize, kind: RecordKind, beat: u64, two: bool) {
    let second = beat + u64::from(two);
    if length <= CHUNK {
        chunks.push((length, second));
    } else if kind == RecordKind::Ascii {
        chunks.extend([(length - CHUNK, beat), (CHUNK, second)]);
    } else {
        chunks.extend([(CHUNK, beat), (length - CHUNK, second)]);
    }
}
