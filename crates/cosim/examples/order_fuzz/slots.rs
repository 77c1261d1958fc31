//! The slots as they must be: what is in them, which are armed, and which writes are refused.

use std::rc::Rc;

use saker_trader::fastpath::{SlotImage, UdpAnswer, table};
use saker_wire::frame::UdpPath;

use crate::orders::{Order, Write};

pub const SLOTS: usize = table::SLOTS as usize;
const HEADER_WORDS: usize = 16;
/// Cycles within which a FAST answer's prefix is encoded, and those of an encoding that is for nothing.
const LONGEST_ENCODING: u64 = 40;
const STALE_ENCODING: u64 = 25;

/// Where a write goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Frame { slot: usize, word: usize },
    Description { slot: usize, word: usize },
    Arm(usize),
    Header(usize),
}

impl Place {
    /// `None` for addresses behind the header.
    pub fn of(address: u16) -> Option<Self> {
        let parts = |from: u16, words: u16| {
            let at = address - from;
            (usize::from(at / words), usize::from(at % words))
        };
        match address {
            0..table::DESCRIPTIONS => {
                let (slot, word) = parts(0, table::FRAME_WORDS);
                Some(Self::Frame { slot, word })
            }
            table::DESCRIPTIONS..table::HEADER => {
                let (slot, word) = parts(table::DESCRIPTIONS, table::DESCRIPTION_WORDS);
                let arms = word == usize::from(table::ARM);
                Some(if arms { Self::Arm(slot) } else { Self::Description { slot, word } })
            }
            _ => {
                let word = usize::from(address - table::HEADER);
                (word < HEADER_WORDS).then_some(Self::Header(word))
            }
        }
    }

    pub fn slot(self) -> Option<usize> {
        match self {
            Self::Frame { slot, .. } | Self::Description { slot, .. } | Self::Arm(slot) => {
                Some(slot)
            }
            Self::Header(_) => None,
        }
    }
}

#[derive(Debug, Clone)]
struct Slot {
    /// As written since reset.
    frame: [Option<u32>; table::FRAME_WORDS as usize],
    description: [Option<u32>; table::DESCRIPTION_WORDS as usize],
    /// The order that all of this is.
    order: Option<Rc<Order>>,
}

/// A frame under way, or that has just ended poisoned.
#[derive(Debug, Clone, Copy)]
pub struct UnderWay {
    pub slot: usize,
    /// Its second cycle: from the next one on, its slot is not armed.
    pub second: bool,
    /// The cycle behind it, if it ended poisoned: its slot is armed again, unless it was disarmed.
    pub back: bool,
    pub cancelled: bool,
}

/// What is told of a cycle in the next one.
#[derive(Debug, Default, Clone, Copy)]
pub struct Told {
    pub armed: bool,
    pub disarmed: bool,
    pub refused: bool,
}

#[derive(Debug)]
pub struct Slots {
    slots: Vec<Slot>,
    header: [Option<u32>; HEADER_WORDS],
    /// Where the header says that FAST answers go.
    path: Option<UdpPath>,
    armed: u16,
    /// FAST answers that are armed when they are encoded.
    pending: u16,
    /// What finds writes refused: a slot that was armed or under way a cycle ago.
    kept: u16,
    /// Armed a cycle ago and not disarmed in it: may be sent.
    ready: u16,
    /// The write of the cycle before, that is judged now, and the arming of that before it.
    written: Option<Write>,
    arming: Option<usize>,
    /// A write was refused a cycle ago.
    refused: bool,
    encoded_by: u64,
    stale_until: u64,
}

impl Slots {
    pub fn new() -> Self {
        let slot = Slot {
            frame: [None; table::FRAME_WORDS as usize],
            description: [None; table::DESCRIPTION_WORDS as usize],
            order: None,
        };
        Self {
            slots: vec![slot; SLOTS],
            header: [None; HEADER_WORDS],
            path: None,
            armed: 0,
            pending: 0,
            kept: 0,
            ready: 0,
            written: None,
            arming: None,
            refused: false,
            encoded_by: 0,
            stale_until: 0,
        }
    }

    pub fn armed(&self) -> u16 {
        self.armed
    }

    pub fn is_encoding(&self) -> bool {
        self.pending != 0
    }

    pub fn is_ready(&self, slot: usize) -> bool {
        self.ready >> slot & 1 == 1
    }

    fn shape(&self, slot: usize) -> u32 {
        self.slots[slot].description[usize::from(table::SHAPE)].unwrap_or(0)
    }

    pub fn is_udp(&self, slot: usize) -> bool {
        self.shape(slot) & table::SHAPE_UDP != 0
    }

    /// Whether there is something to send in it.
    pub fn is_shaped(&self, slot: usize) -> bool {
        let length = self.shape(slot) as usize & 0x3FF;
        self.is_udp(slot) || (SlotImage::MIN_FRAME..=SlotImage::MAX_FRAME).contains(&length)
    }

    /// Payload of the frame in a slot.
    pub fn payload(&self, slot: usize) -> u32 {
        let shape = self.shape(slot);
        (shape & 0x3FF) - if shape & table::SHAPE_TAGGED != 0 { 58 } else { 54 }
    }

    pub fn order(&self, slot: usize) -> Option<&Rc<Order>> {
        self.slots[slot].order.as_ref()
    }

    pub fn path(&self) -> Option<&UdpPath> {
        self.path.as_ref()
    }

    /// The host has written an order: it is there, unless a write was refused.
    pub fn loaded(&mut self, slot: usize, order: &Rc<Order>) {
        let there = order.writes.iter().all(|(address, data)| self.holds(*address, *data));
        if there {
            self.slots[slot].order = Some(Rc::clone(order));
        }
    }

    /// The host has written the header.
    pub fn addressed(&mut self, path: &UdpPath) {
        let mut writes = UdpAnswer::header_writes(path).into_iter();
        if writes.all(|(address, data)| self.holds(address, data)) {
            self.path = Some(*path);
        }
    }

    fn holds(&self, address: u16, data: u32) -> bool {
        match Place::of(address) {
            Some(Place::Frame { slot, word }) => self.slots[slot].frame[word] == Some(data),
            Some(Place::Description { slot, word }) => {
                self.slots[slot].description[word] == Some(data)
            }
            Some(Place::Header(word)) => self.header[word] == Some(data),
            _ => false,
        }
    }

    /// The slot that is disarmed in this cycle: at once, so that what is written behind it is never part of a frame.
    pub fn disarms(&self) -> Option<usize> {
        let (address, data) = self.written?;
        match Place::of(address)? {
            Place::Arm(slot) if data & 1 == 0 => Some(slot),
            _ => None,
        }
    }

    /// Whether the write that is judged in this cycle is refused.
    fn refuses(&self, (address, data): Write, under_way: Option<UnderWay>) -> bool {
        let Some(place) = Place::of(address) else { return false };
        match place.slot() {
            Some(_) if matches!(place, Place::Arm(_)) && data & 1 == 0 => false,
            Some(slot) => {
                self.kept >> slot & 1 == 1
                    || self.arming == Some(slot)
                    || under_way.is_some_and(|frame| frame.slot == slot)
            }
            // Behind any arming, too: whether it is a FAST answer's is not known yet.
            None => {
                let any = |mask: u16| (0..SLOTS).any(|at| mask >> at & 1 == 1 && self.is_udp(at));
                any(self.armed | self.pending)
                    || self.arming.is_some()
                    || under_way.is_some_and(|frame| self.is_udp(frame.slot))
            }
        }
    }

    /// The slots that are armed, as the logic has them: a FAST answer is when it is encoded.
    pub fn compare(&mut self, cycle: u64, armed: u16) -> Result<(), String> {
        let encoded = armed & self.pending;
        if encoded != 0 {
            self.armed |= encoded;
            self.pending &= !encoded;
            self.encoded_by = cycle + LONGEST_ENCODING;
        }
        if armed != self.armed {
            return Err(format!("armed are {armed:016b}, not {:016b}", self.armed));
        }
        if self.pending != 0 && cycle > self.encoded_by {
            return Err(format!("{:016b} are not encoded", self.pending));
        }
        Ok(())
    }

    /// A cycle.
    pub fn step(
        &mut self,
        cycle: u64,
        write: Option<Write>,
        under_way: Option<UnderWay>,
    ) -> Result<Told, String> {
        let bit = |slot: Option<usize>| slot.map_or(0, |slot| 1u16 << slot);
        let disarms = self.disarms();
        let written = std::mem::replace(&mut self.written, write);
        let refuses = written.is_some_and(|write| self.refuses(write, under_way));
        let nonsense = self.arming.is_some_and(|slot| !self.is_shaped(slot));
        let arms = self.arming.filter(|_| !nonsense);
        let taken = self.armed | self.pending;
        let told = Told {
            armed: arms.is_some(),
            disarmed: taken & bit(disarms) != 0,
            refused: std::mem::replace(&mut self.refused, refuses) || nonsense,
        };
        let back = under_way.filter(|frame| frame.back);
        self.ready = self.armed & !bit(disarms);
        self.kept = (taken | bit(self.arming)) & !bit(disarms) | bit(back.map(|frame| frame.slot));

        // Disarming is the last word.
        if let Some(frame) = under_way.filter(|frame| frame.second) {
            self.armed &= !bit(Some(frame.slot));
        }
        self.armed |= bit(back.filter(|frame| !frame.cancelled).map(|frame| frame.slot));
        if let Some(slot) = arms {
            self.arm(cycle, slot)?;
        }
        if self.pending & bit(disarms) != 0 {
            self.stale_until = cycle + STALE_ENCODING;
            self.encoded_by = self.stale_until + LONGEST_ENCODING;
        }
        self.armed &= !bit(disarms);
        self.pending &= !bit(disarms);

        self.arming = None;
        if let Some((address, data)) = written.filter(|_| !refuses) {
            self.write(address, data);
        }
        Ok(told)
    }

    fn arm(&mut self, cycle: u64, slot: usize) -> Result<(), String> {
        let Some(order) = &self.slots[slot].order else {
            return Err(format!("the bench arms slot {slot} with what it does not know"));
        };
        if !order.is_udp() {
            self.armed |= 1 << slot;
            return Ok(());
        }
        if self.pending == 0 {
            self.encoded_by = cycle.max(self.stale_until) + 1 + LONGEST_ENCODING;
        }
        self.pending |= 1 << slot;
        Ok(())
    }

    fn write(&mut self, address: u16, data: u32) {
        match Place::of(address) {
            Some(Place::Frame { slot, word }) => {
                self.slots[slot].frame[word] = Some(data);
                self.slots[slot].order = None;
            }
            Some(Place::Description { slot, word }) => {
                self.slots[slot].description[word] = Some(data);
                self.slots[slot].order = None;
            }
            Some(Place::Header(word)) => {
                self.header[word] = Some(data);
                self.path = None;
            }
            Some(Place::Arm(slot)) if data & 1 == 1 => self.arming = Some(slot),
            _ => {}
        }
    }
}
