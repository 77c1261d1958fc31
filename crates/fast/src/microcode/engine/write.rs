//! Values to records (MICROCODE.md §8).

use super::lane::Datum;
use super::run::Run;
use crate::microcode::isa::{Kind, Slot};
use crate::microcode::record::{MORE, Record, RecordKind};

/// Bytes of a record's value.
const CHUNK: usize = 8;

/// The value of a slot, or a mark.
pub(super) struct Output {
    kind: RecordKind,
    tag: u16,
    info: u8,
    value: u64,
    /// The bytes of text.
    text: Option<Vec<u8>>,
    /// Whether it is the text whose elements came one after another.
    any_length: bool,
}

impl Output {
    pub fn mark(kind: RecordKind, tag: u16) -> Self {
        Self { kind, tag, info: 0, value: 0, text: None, any_length: false }
    }
}

/// The output of a slot with a value.
pub(super) fn output(slot: &Slot, datum: Datum, exponent: Option<i8>) -> Output {
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

impl Run<'_, '_> {
    /// A record without value, with the last record or row.
    pub fn mark(&mut self, kind: RecordKind, tag: u16) {
        let dispatched = self.engine.state.last_dispatch + super::OUTPUT_CYCLES;
        let cycle = self.out.last().map_or(dispatched, |last| last.cycle.max(dispatched));
        self.out.push(Record { kind, tag, info: 0, value: 0, cycle });
    }

    /// Writes the records of a row from cycle `first` on and returns the number of beats. A beat
    /// has at most one record of each lane, so that every further chunk of a text begins one.
    /// `parts` are the elements of a text beyond 16 bytes; raw bytes come from cycle `raw` on and
    /// do not count as beats.
    pub fn write(
        &mut self,
        outputs: Vec<Output>,
        parts: &[usize],
        first: u64,
        raw: Option<u64>,
    ) -> u64 {
        let mut beats = 1;
        let mut cycle = first;
        let count = outputs.len();
        for (index, output) in outputs.into_iter().enumerate() {
            let Output { kind, tag, info, value, text, any_length } = output;
            let parts = if any_length { parts } else { &[] };
            let is_field = !matches!(kind, RecordKind::GroupBegin | RecordKind::GroupEnd);
            self.engine.counters.fields += u64::from(is_field);
            let Some(text) = text else {
                self.out.push(Record { kind, tag, info, value, cycle });
                continue;
            };
            // A slot with raw bytes is the last of its row.
            if index + 1 == count
                && let Some(raw) = raw
            {
                beats = cycle - first + 1;
                cycle = raw.max(cycle);
            }
            let mut rest = &text[..];
            let mut sizes = chunks(text.len(), kind, parts).into_iter().peekable();
            while let Some(size) = sizes.next() {
                let (chunk, after) = rest.split_at(size);
                rest = after;
                let value = chunk.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
                let more = if sizes.peek().is_some() { MORE } else { 0 };
                // At most eight bytes.
                let info = size as u8 | more;
                self.out.push(Record { kind, tag, info, value, cycle });
                cycle += u64::from(more != 0);
            }
        }
        if raw.is_some() { beats } else { cycle - first + 1 }
    }
}

/// The sizes of the chunks of a text of `length` bytes: raw bytes from the front, an element of
/// the queue from its end.
fn chunks(length: usize, kind: RecordKind, parts: &[usize]) -> Vec<usize> {
    let mut sizes = Vec::new();
    if kind != RecordKind::Ascii {
        sizes.extend(std::iter::repeat_n(CHUNK, length / CHUNK));
        sizes.push(length % CHUNK);
    } else {
        let one = [length];
        let parts = if parts.len() > 1 { parts } else { &one };
        // Zero-preambles were removed at the front.
        let mut removed = parts.iter().sum::<usize>() - length;
        for part in parts {
            let part = part - removed.min(*part);
            removed = 0;
            sizes.extend([part.saturating_sub(CHUNK), part.min(CHUNK)]);
        }
    }
    sizes.retain(|size| *size > 0);
    if sizes.is_empty() {
        sizes.push(0);
    }
    sizes
}
