//! The host: what it writes to the tables, one write a cycle, whether it is allowed or not.

use std::collections::VecDeque;
use std::rc::Rc;

use fastrand::Rng;
use saker_trader::fastpath::{SlotImage, UdpAnswer, table};
use saker_wire::frame::UdpPath;

use crate::Error;
use crate::orders::{Order, Orders, Write, udp_path};
use crate::slots::{Place, SLOTS, Slots};

/// Cycles behind a write until it is known what has become of it.
const KNOWN: u64 = 5;
/// Orders that are loaded at once.
const JOBS: usize = 3;

#[derive(Debug)]
enum Load {
    Slot(usize, Rc<Order>),
    Header(Box<UdpPath>),
}

/// Writes that load something.
#[derive(Debug)]
struct Job {
    load: Load,
    writes: VecDeque<Write>,
}

/// How often the host does what, of 256.
#[derive(Debug, Clone, Copy)]
pub struct Odds {
    /// Any write, in a cycle; of these:
    pub write: u8,
    pub arm: u8,
    pub disarm: u8,
    /// What must be refused, most of it.
    pub stray: u8,
}

#[derive(Debug, Default)]
pub struct Host {
    jobs: Vec<Job>,
    cycle: u64,
    /// When a slot, and the header, were written last.
    slots: [u64; SLOTS],
    header: u64,
}

impl Host {
    /// A cycle's write, if there is one.
    pub fn write(
        &mut self,
        random: &mut Rng,
        odds: &Odds,
        slots: &mut Slots,
        orders: &mut Orders,
        under_way: Option<usize>,
    ) -> Result<Option<Write>, Error> {
        self.cycle += 1;
        self.finish(slots);
        if random.u8(..) >= odds.write {
            return Ok(None);
        }
        let write = if random.u8(..) < odds.arm {
            self.arm(random, slots)
        } else if random.u8(..) < odds.disarm {
            Some(SlotImage::arming(random.u16(..SLOTS as u16), false))
        } else if random.u8(..) < odds.stray {
            self.stray(random, slots, under_way)
        } else {
            self.load(random, slots, orders)?
        };
        match write.and_then(|(address, _)| Place::of(address)) {
            Some(Place::Header(_)) => self.header = self.cycle,
            Some(Place::Frame { slot, .. } | Place::Description { slot, .. }) => {
                self.slots[slot] = self.cycle;
            }
            _ => {}
        }
        Ok(write)
    }

    /// What has been written is there, or was refused in part.
    fn finish(&mut self, slots: &mut Slots) {
        let (cycle, written, header) = (self.cycle, self.slots, self.header);
        self.jobs.retain(|job| {
            let since = match job.load {
                Load::Slot(slot, _) => written[slot],
                Load::Header(_) => header,
            };
            if !job.writes.is_empty() || cycle < since + KNOWN {
                return true;
            }
            match &job.load {
                Load::Slot(slot, order) => slots.loaded(*slot, order),
                Load::Header(path) => slots.addressed(path),
            };
            false
        });
    }

    fn is_loading(&self, at: usize) -> bool {
        self.jobs.iter().any(|job| matches!(&job.load, Load::Slot(slot, _) if *slot == at))
    }

    /// Arms a slot whose order is known; or one that is armed, or holds nothing that can be sent.
    fn arm(&mut self, random: &mut Rng, slots: &Slots) -> Option<Write> {
        let slot = random.usize(..SLOTS);
        let known = self.cycle >= self.slots[slot] + KNOWN && !self.is_loading(slot);
        let sendable = slots.order(slot).map_or(!slots.is_shaped(slot), |order| {
            !order.is_udp() || slots.path().is_some() && self.cycle >= self.header + KNOWN
        });
        (known && sendable).then(|| SlotImage::arming(slot as u16, true))
    }

    /// A write to what is armed or under way, mostly, or what leaves a slot without an order.
    fn stray(
        &mut self,
        random: &mut Rng,
        slots: &Slots,
        under_way: Option<usize>,
    ) -> Option<Write> {
        let slot = match under_way {
            Some(slot) if random.bool() => slot,
            _ => random.usize(..SLOTS),
        };
        let is_held = slots.armed() >> slot & 1 == 1 || under_way == Some(slot);
        if self.is_loading(slot) || !(is_held || random.u8(..16) == 0) {
            return None;
        }
        let (slot, data) = (slot as u16, random.u32(..));
        Some(match random.u8(..4) {
            0 => (table::frame(slot) + random.u16(..table::FRAME_WORDS), data),
            1 => (table::description(slot) + random.u16(1..table::ARM), data),
            2 => {
                let shapes = [0, 87, 513, 1023, table::SHAPE_TAGGED];
                (table::description(slot) + table::SHAPE, shapes[random.usize(0..5)])
            }
            _ => {
                let any = (0..SLOTS).any(|at| {
                    slots.is_udp(at) && (slots.armed() >> at & 1 == 1 || under_way == Some(at))
                });
                let writes = self.jobs.iter().any(|job| matches!(job.load, Load::Header(_)));
                if !any || writes {
                    return None;
                }
                (table::HEADER + random.u16(..14), data)
            }
        })
    }

    /// The next write of what is being loaded, or the first of something new.
    fn load(
        &mut self,
        random: &mut Rng,
        slots: &Slots,
        orders: &mut Orders,
    ) -> Result<Option<Write>, Error> {
        if self.jobs.len() < JOBS && random.bool() {
            let slot = random.usize(..SLOTS);
            let has_header = self.jobs.iter().any(|job| matches!(job.load, Load::Header(_)));
            if !has_header && (slots.path().is_none() || random.u8(..64) == 0) {
                let path = udp_path(random);
                let all = (0..SLOTS as u16).filter(|slot| slots.is_udp(usize::from(*slot)));
                let mut writes: VecDeque<_> =
                    all.map(|slot| SlotImage::arming(slot, false)).collect();
                writes.extend(UdpAnswer::header_writes(&path));
                self.jobs.push(Job { load: Load::Header(Box::new(path)), writes });
            } else if !self.is_loading(slot)
                && (slots.order(slot).is_none() || random.u8(..32) == 0)
            {
                let order = orders.order(random, slot as u16)?;
                let mut writes = VecDeque::from([SlotImage::arming(slot as u16, false)]);
                writes.extend(&order.writes);
                self.jobs.push(Job { load: Load::Slot(slot, Rc::new(order)), writes });
            }
        }
        if self.jobs.is_empty() {
            return Ok(None);
        }
        let at = random.usize(..self.jobs.len());
        Ok(self.jobs[at].writes.pop_front())
    }
}
