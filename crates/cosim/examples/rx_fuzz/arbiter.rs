//! Which copy of a packet goes on, and what is missing before it.

use std::collections::VecDeque;

use super::parser::Datagram;

/// What became of a packet, as `arbiter_event_t` has it.
enum Event {
    Duplicate,
    TooShort,
    Aborted,
    PassedB,
    PassedA,
}

/// What became of a packet.
pub struct Verdict {
    pub passes: bool,
    /// The first missing number, and how many are.
    pub gap: Option<(u32, u32)>,
    pub event: u16,
}

#[derive(Default)]
pub struct Arbiter {
    /// The awaited number, and since when.
    expected: Option<(u32, u64)>,
    /// Cycles in which what is awaited was to be forgotten.
    syncs: VecDeque<u64>,
}

impl Arbiter {
    pub fn sync(&mut self, cycle: u64) {
        self.syncs.push_back(cycle);
    }

    /// A packet whose end was a cycle ago. A number comes a cycle before its packet, and counts as seen from its end on.
    pub fn packet(&mut self, packet: &Datagram) -> Verdict {
        let (end, aborted) = packet.end();
        let first = packet.first();
        while let Some(sync) = self.syncs.front().filter(|sync| **sync < first) {
            self.expected = self.expected.filter(|(_, since)| since > sync);
            self.syncs.pop_front();
        }
        let Some(number) = packet.number else {
            return Verdict { passes: false, gap: None, event: 1 << Event::TooShort as u16 };
        };
        let ahead = self.expected.map_or(0, |(expected, _)| number.wrapping_sub(expected));
        let passes = ahead >> 31 == 0;
        let event = match (passes, aborted) {
            (false, _) => Event::Duplicate,
            (true, true) => Event::Aborted,
            (true, false) if packet.channel_b => Event::PassedB,
            (true, false) => Event::PassedA,
        };
        let gap = self.expected.filter(|_| passes && ahead != 0);
        let gap = gap.map(|(expected, _)| (expected, ahead));
        if passes && !aborted {
            self.expected = Some((number.wrapping_add(1), end));
        }
        Verdict { passes, gap, event: 1 << event as u16 }
    }
}
