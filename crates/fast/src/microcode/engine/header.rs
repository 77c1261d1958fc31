//! The elements of a header: a message's or a call's (MICROCODE.md §2).

use super::lane::Fail;
use super::scan::{Clock, Element, Scan};
use crate::error::ErrorCode;

/// A presence map, and an identifier where the map's first bit says that there is one.
pub(super) struct Header {
    pmap: Option<Element>,
    /// Whether there should be one; whether it is there.
    identifier: Option<Option<Element>>,
    /// The cycle in which both are there, or it is known that they are not.
    pub visible: u64,
}

impl Header {
    /// From the header registers for the first of a packet, else from the head of the queue.
    pub fn read(scan: &mut Scan<'_>, clock: &mut Clock, first: bool) -> Self {
        let packet = scan.packet;
        let mut element = |index| {
            let element = match first {
                true => scan.header(index, clock),
                false => scan.element(index, clock),
            };
            (element, element.map_or(scan.end_known(), |element| element.visible))
        };
        let (pmap, mut visible) = element(0);
        let mut identifier = None;
        if pmap.is_some_and(|pmap| packet[pmap.start] & 0x40 != 0) {
            let (element, known) = element(1);
            visible = visible.max(known);
            identifier = Some(element);
        }
        Self { pmap, identifier, visible }
    }

    /// How many elements it takes.
    pub fn elements(&self) -> usize {
        1 + usize::from(self.identifier.is_some())
    }

    /// Presence map and identifier. A packet that ends within a header is truncated, whatever its map is.
    pub fn whole(&self) -> Result<(Element, Option<Element>), Fail> {
        match (self.pmap, self.identifier) {
            (Some(pmap), None) => Ok((pmap, None)),
            (Some(pmap), Some(Some(identifier))) => Ok((pmap, Some(identifier))),
            (Some(_), Some(None)) | (None, _) => Err(ErrorCode::Truncated.into()),
        }
    }
}
