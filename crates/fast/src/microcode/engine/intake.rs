//! How a row takes entities from the queue.

use super::lane::{Entities, Fail};
use super::scan::{Clock, Element, Scan};
use crate::error::ErrorCode;
use crate::microcode::record::Trap;

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
    /// Whether the slot in hand takes entities beyond 16 bytes.
    pub any_length: Option<u32>,
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
        let Some(max_text) = self.any_length else { return Err(Trap::Long.into()) };
        let rest = &self.scan.packet[element.start..];
        let Some(stop) = rest.iter().position(|byte| byte & 0x80 != 0) else {
            return Err(ErrorCode::Truncated.into());
        };
        // Two bytes may be preambles.
        if stop + 1 > max_text as usize + 2 {
            return Err(Trap::Limit.into());
        }
        Ok(&rest[..=stop])
    }

    fn raw(&mut self, length: usize) -> Result<Vec<u8>, Fail> {
        let start = self.last.map_or(0, |element| element.start + element.length);
        self.raw = Some((start, length));
        let bytes = self.scan.packet.get(start..).and_then(|rest| rest.get(..length));
        bytes.map(<[u8]>::to_vec).ok_or(ErrorCode::Truncated.into())
    }
}
