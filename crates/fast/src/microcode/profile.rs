//! What a stream is like: the basis for segments and for the kinds of strings.

use std::collections::BTreeMap;

use super::program::{Program, TEXT_BYTES};
use super::record::{MORE, Record, RecordKind, Trap};
use super::{MessageReport, Status};

/// Counts of {template, presence map} and the lengths of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// How often each template identifier came with each presence map, as in the stream.
    pub tuples: BTreeMap<(u32, Vec<u8>), u64>,
    /// The longest ASCII string of each tag in bytes.
    pub longest: BTreeMap<u16, usize>,
    /// Complete messages.
    pub messages: u64,
}

impl Profile {
    /// Adds a message that an engine decoded with a program of the same templates. A string that
    /// was too long counts as one of 17 bytes.
    pub fn add(&mut self, program: &Program, report: &MessageReport, records: &[Record]) {
        if report.status == Status::Trap(Trap::Long)
            && let Some(tag) = report.failed_tag
        {
            let longest = self.longest.entry(tag).or_default();
            *longest = (TEXT_BYTES + 1).max(*longest);
        }
        if report.status != Status::Complete {
            return;
        }
        self.messages += 1;
        let template = report.template.and_then(|index| program.templates.get(usize::from(index)));
        if let Some(template) = template {
            *self.tuples.entry((template.id, report.pmap.clone())).or_default() += 1;
        }
        let mut length = 0;
        for record in records.iter().filter(|record| record.kind == RecordKind::Ascii) {
            length += usize::from(record.info & 0x0f);
            if record.info & MORE == 0 {
                let longest = self.longest.entry(record.tag).or_default();
                *longest = length.max(*longest);
                length = 0;
            }
        }
    }

    /// How many tags have strings beyond 16 bytes.
    pub fn long_strings(&self) -> usize {
        self.longest.values().filter(|length| **length > TEXT_BYTES).count()
    }

    /// The most frequent tuples, the first in order among equals.
    pub fn most_frequent(&self, count: usize) -> Vec<(u32, &[u8])> {
        let mut tuples: Vec<_> = self.tuples.iter().collect();
        tuples.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        tuples.iter().take(count).map(|((id, pmap), _)| (*id, &pmap[..])).collect()
    }
}
