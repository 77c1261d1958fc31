//! The 802.1Q tag (IEEE 802.1Q clause 9), which sits between an Ethernet header with EtherType
//! `0x8100` and the payload.

use crate::error::{ParseError, ParseErrorKind};

/// An 802.1Q tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vlan {
    /// Priority code point, 0..=7.
    pub priority: u8,
    /// Drop eligible indicator.
    pub drop_eligible: bool,
    /// VLAN identifier, 0..=4095; 0 is a priority tag without VLAN.
    pub id: u16,
    /// What follows the tag.
    pub ethertype: u16,
}

impl Vlan {
    /// Bytes on the wire, after the EtherType that announces the tag.
    pub const LEN: usize = 4;

    /// Reads the tag; the rest is what follows it.
    pub fn parse(bytes: &[u8]) -> Result<(Vlan, &[u8]), ParseError> {
        let Some((&[c0, c1, t0, t1], rest)) = bytes.split_first_chunk::<{ Self::LEN }>() else {
            return Err(ParseError::new(bytes.len(), ParseErrorKind::VlanTruncated));
        };
        let control = u16::from_be_bytes([c0, c1]);
        let vlan = Vlan {
            priority: (control >> 13) as u8,
            drop_eligible: control & 0x1000 != 0,
            id: control & 0x0FFF,
            ethertype: u16::from_be_bytes([t0, t1]),
        };
        Ok((vlan, rest))
    }

    /// The tag's bytes. Bits of `priority` and `id` outside their range are dropped.
    pub fn to_bytes(&self) -> [u8; Self::LEN] {
        debug_assert!(self.priority <= 7 && self.id <= 0x0FFF);
        let control = u16::from(self.priority & 7) << 13
            | u16::from(self.drop_eligible) << 12
            | (self.id & 0x0FFF);
        let [c0, c1] = control.to_be_bytes();
        let [t0, t1] = self.ethertype.to_be_bytes();
        [c0, c1, t0, t1]
    }
}
