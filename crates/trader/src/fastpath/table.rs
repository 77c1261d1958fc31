//! Addresses of the tables in the logic's order sender, in 32-bit words (`rtl/order/README.md`).

/// Slots of the logic.
pub const SLOTS: u16 = 16;

/// Words of a slot's frame: the frames begin at 0.
pub const FRAME_WORDS: u16 = 128;

/// The first slot's description.
pub const DESCRIPTIONS: u16 = 0x800;
/// Words of a description.
pub const DESCRIPTION_WORDS: u16 = 16;
/// Word of a description: how long the frame is, and the two bits below.
pub const SHAPE: u16 = 0;
/// Bit of the shape: the frame has a VLAN tag.
pub const SHAPE_TAGGED: u32 = 1 << 16;
/// Bit of the shape: the slot answers in FAST over UDP.
pub const SHAPE_UDP: u32 = 1 << 17;
/// Word of a description: writing 1 arms the slot, 0 disarms it.
pub const ARM: u16 = 15;

/// The header that all UDP answers share.
pub const HEADER: u16 = 0x900;

/// Where the frame of `slot` begins.
pub fn frame(slot: u16) -> u16 {
    slot * FRAME_WORDS
}

/// Where the description of `slot` begins.
pub fn description(slot: u16) -> u16 {
    DESCRIPTIONS + slot * DESCRIPTION_WORDS
}
