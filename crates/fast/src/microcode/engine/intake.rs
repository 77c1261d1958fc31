//! How a row takes entities from the queue.

use super::lane::{Entities, Fail};
use super::scan::{Clock, ELEMENT, Element, Scan};
use crate::error::ErrorCode;
use crate::microcode::record::Trap;
use crate::transfer::ascii_value;

/// What an entity beyond 16 bytes is checked for.
#[derive(Clone, Copy)]
pub(super) struct AnyLength {
    /// Most bytes, without its preamble.
    pub max_text: u32,
    pub optional: bool,
    pub strict: bool,
}

/// The entities of one row.
pub(super) struct Intake<'r, 'p> {
    scan: &'r mut Scan<'p>,
    clock: &'r mut Clock,
    /// Elements taken.
    pub used: usize,
    /// The first cycle in which all of them are there.
    pub visible: u64,
    /// Elements beyond eight bytes.
    pub wide: u64,
    /// Of a slot that takes entities beyond 16 bytes: how far, and as what.
    pub any_length: Option<AnyLength>,
    /// The element taken last.
    pub last: Option<Element>,
    /// Where raw bytes start, and how many.
    pub raw: Option<(usize, usize)>,
}

impl<'r, 'p> Intake<'r, 'p> {
    pub fn new(scan: &'r mut Scan<'p>, clock: &'r mut Clock) -> Self {
        Self { scan, clock, used: 0, visible: 0, wide: 0, any_length: None, last: None, raw: None }
    }

    /// The next element.
    pub fn element(&mut self) -> Result<Element, Fail> {
        let Some(element) = self.scan.element(self.used, self.clock) else {
            self.visible = self.visible.max(self.scan.end_known());
            return Err(ErrorCode::Truncated.into());
        };
        self.used += 1;
        self.visible = self.visible.max(element.visible);
        self.wide += u64::from(element.length > 8);
        self.last = Some(element);
        Ok(element)
    }

    /// When element `index` was there, or that it never will be.
    pub fn visible_at(&mut self, index: usize) -> u64 {
        let element = self.scan.element(index, self.clock);
        element.map_or_else(|| self.scan.end_known(), |element| element.visible)
    }

    /// The packet.
    pub fn packet(&self) -> &'p [u8] {
        self.scan.packet
    }

    /// The bytes of an element.
    pub fn bytes(&self, element: Element) -> &'p [u8] {
        element.of(self.scan.packet)
    }
}

impl Entities for Intake<'_, '_> {
    fn entity(&mut self) -> Result<&[u8], Fail> {
        let element = self.element()?;
        if !element.more {
            return Ok(self.bytes(element));
        }
        let Some(AnyLength { max_text, optional, strict }) = self.any_length else {
            return Err(Trap::Long.into());
        };
        // Its elements go one behind the other: what shows first is what is wrong.
        let rest = &self.scan.packet[element.start..];
        let (first, behind) = rest.split_at(element.length);
        let text = ascii_value(first, optional, strict)?.map_or(0, <[u8]>::len);
        let stop = behind.iter().position(|byte| byte & 0x80 != 0);
        // Bytes without a stop bit are an element when another one follows.
        let unended = behind.len().saturating_sub(1) / ELEMENT * ELEMENT;
        let more = stop.map_or(unended, |stop| stop + 1);
        if more > 0 && text + more > max_text as usize {
            return Err(Trap::Limit.into());
        }
        stop.map(|stop| &rest[..=element.length + stop]).ok_or(ErrorCode::Truncated.into())
    }

    fn raw(&mut self, length: usize) -> Result<Vec<u8>, Fail> {
        let start = self.last.map_or(0, |element| element.start + element.length);
        self.raw = Some((start, length));
        let bytes = self.scan.packet.get(start..).and_then(|rest| rest.get(..length));
        bytes.map(<[u8]>::to_vec).ok_or(ErrorCode::Truncated.into())
    }
}
