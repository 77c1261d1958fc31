//! Stage S: words to entities, with the cycles in which they reach the queue (MICROCODE.md §1.2,
//! §6.2).

use std::collections::VecDeque;

/// Elements of the queue.
pub(super) const QUEUE: usize = 32;
/// Most elements that a word gives; a word waits until there is room for as many.
const PER_WORD: u64 = 8;
/// Bytes of a word.
const WORD: usize = 8;
/// Longest element in bytes.
pub(super) const ELEMENT: usize = 16;

/// An element of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// Offset in the packet.
    pub start: usize,
    /// 1–16 bytes.
    pub length: usize,
    /// Whether the entity goes on in the next element.
    pub more: bool,
    /// The first cycle in which it can be dispatched.
    pub visible: u64,
}

impl Element {
    /// Its bytes.
    pub fn of<'p>(&self, packet: &'p [u8]) -> &'p [u8] {
        packet.get(self.start..self.start + self.length).unwrap_or_default()
    }
}

/// The clock of the scanner and the room in the queue, over all packets.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    /// The cycle of the last word, plus one: when the next can be scanned.
    pub next_word: u64,
    /// Elements ever written.
    written: u64,
    /// Elements ever popped.
    popped: u64,
    /// The cycles of the last pops, by number of the element modulo the size of the queue.
    pops: [u64; QUEUE],
}

impl Clock {
    pub fn new() -> Self {
        Self { next_word: 0, written: 0, popped: 0, pops: [0; QUEUE] }
    }

    /// The first cycle from `next_word` on with room for a word's elements.
    fn with_room(&self) -> u64 {
        let needed = (self.written + PER_WORD).saturating_sub(QUEUE as u64);
        if needed == 0 {
            return self.next_word;
        }
        // A search for the packet's end may look at more than the queue holds: it does not wait.
        let Some(last) = needed.min(self.popped).checked_sub(1) else { return self.next_word };
        // What is popped in a cycle counts from the cycle after the next on.
        self.next_word.max(self.pops[last as usize % QUEUE] + 2)
    }
}

/// The scan of one packet. It runs ahead on demand only; its cycles come out the same.
#[derive(Debug)]
pub(super) struct Scan<'p> {
    pub packet: &'p [u8],
    /// The first byte that has not been scanned.
    at: usize,
    /// The start of the entity that is carried over.
    entity: usize,
    queue: VecDeque<Element>,
    /// The elements of the first header.
    header: Vec<Element>,
    /// How many elements of the first header are still to come.
    header_left: usize,
    /// The cycle in which the end of the packet is known, once it has been scanned.
    ended: Option<u64>,
    /// The cycle of each word that was taken from the input: later scans do not wait again.
    taken: usize,
    /// The cycle in which the word with the last byte was taken.
    last_word: u64,
}

impl<'p> Scan<'p> {
    /// A packet whose first word comes in cycle `arrival` or later.
    pub fn new(packet: &'p [u8], preamble: usize, arrival: u64, clock: &mut Clock) -> Self {
        clock.next_word = clock.next_word.max(arrival);
        let start = preamble.min(packet.len());
        // Words that the preamble fills pass by.
        let passed = start / WORD;
        clock.next_word += passed as u64;
        let mut scan = Self {
            packet,
            at: start,
            entity: start,
            queue: VecDeque::with_capacity(QUEUE),
            header: Vec::with_capacity(2),
            header_left: 1,
            ended: None,
            taken: passed,
            last_word: clock.next_word.saturating_sub(1),
        };
        if start == packet.len() {
            // What of the preamble does not fill a word passes by in one, too.
            clock.next_word += u64::from(passed * WORD < packet.len() || packet.is_empty());
            scan.ended = Some(clock.next_word);
        }
        scan
    }

    /// Element `index` of the queue, scanned as far as needed; `None` where the packet ends.
    pub fn element(&mut self, index: usize, clock: &mut Clock) -> Option<Element> {
        while self.queue.len() <= index && self.ended.is_none() {
            self.word(clock);
        }
        self.queue.get(index).copied()
    }

    /// The offset of the first byte that was not taken.
    pub fn offset(&self) -> usize {
        self.queue.front().map_or(self.entity, |element| element.start)
    }

    /// The cycle in which it is known that nothing follows the queue.
    pub fn end_known(&self) -> u64 {
        self.ended.unwrap_or(0)
    }

    /// The cycle in which the last word was taken from the input.
    pub fn last_word(&self) -> u64 {
        self.last_word
    }

    /// Whether all messages of the packet are behind.
    pub fn is_done(&mut self, clock: &mut Clock) -> bool {
        self.element(0, clock).is_none() && self.entity == self.packet.len()
    }

    /// The dispatcher takes `count` elements in `cycle`.
    pub fn pop(&mut self, count: usize, cycle: u64, clock: &mut Clock) {
        for _ in 0..count.min(self.queue.len()) {
            self.queue.pop_front();
            clock.pops[clock.popped as usize % QUEUE] = cycle;
            clock.popped += 1;
        }
    }

    /// Element `index` of the packet's first header, which never was in the queue: the presence
    /// map, and the identifier if the map's first bit says that there is one.
    pub fn header(&mut self, index: usize, clock: &mut Clock) -> Option<Element> {
        while self.header.len() <= index && self.ended.is_none() {
            self.word(clock);
        }
        self.header.get(index).copied()
    }

    /// Drops the queue, as dispatch says in `cycle`, and lets the rest of the packet pass, a word a
    /// cycle.
    pub fn skip(&mut self, cycle: u64, clock: &mut Clock) {
        // Until then words are taken as ever.
        while self.ended.is_none() && self.has_room(cycle, clock) {
            self.word(clock);
        }
        // The scanner hears of it a cycle later. In that cycle it takes no word of the packet.
        let heard = cycle + 1;
        self.pop(self.queue.len(), heard, clock);
        if self.ended.is_none_or(|ended| ended > cycle) {
            clock.next_word = clock.next_word.max(heard + 1);
        }
        if self.ended.is_none() {
            let words = self.packet.len().div_ceil(WORD) - self.at / WORD;
            clock.next_word += words as u64;
            self.last_word = clock.next_word - 1;
        }
        self.at = self.packet.len();
        self.entity = self.at;
        self.ended = Some(clock.next_word);
    }

    /// Whether a word can be taken before `cycle`.
    fn has_room(&self, cycle: u64, clock: &Clock) -> bool {
        let needed = (clock.written + PER_WORD).saturating_sub(QUEUE as u64);
        clock.next_word <= cycle && needed <= clock.popped && clock.with_room() <= cycle
    }

    /// Goes back to byte `start` in `cycle` and passes `length` bytes by, eight a cycle; gives the
    /// cycle of the last, or `None` where the packet ends before. Scanning goes on behind them.
    pub fn raw(
        &mut self,
        start: usize,
        length: usize,
        cycle: u64,
        clock: &mut Clock,
    ) -> Option<u64> {
        self.pop(self.queue.len(), cycle, clock);
        let end = start.checked_add(length).filter(|end| *end <= self.packet.len());
        let end_at = end.unwrap_or(self.packet.len());
        // Words that were not taken yet come one a cycle.
        let words = end_at.div_ceil(WORD).saturating_sub(self.taken);
        let arrived = clock.next_word + words as u64;
        let last = (cycle + (length.div_ceil(WORD) as u64).max(1) - 1).max(arrived);
        self.taken = self.taken.max(end_at.div_ceil(WORD));
        if words > 0 {
            self.last_word = arrived - 1;
        }
        self.at = end_at;
        self.entity = end_at;
        // The scanner hears of it a cycle later.
        clock.next_word = last + 2;
        self.ended = (self.at == self.packet.len()).then_some(last + 2);
        end.map(|_| last)
    }

    /// Scans what is left of the current word, in one cycle.
    fn word(&mut self, clock: &mut Clock) {
        let end = (self.at / WORD + 1).saturating_mul(WORD).min(self.packet.len());
        let mut cycle = clock.with_room();
        let first_stop = self.packet[self.at..end].iter().position(|byte| byte & 0x80 != 0);
        let first_end = first_stop.map_or(end, |stop| self.at + stop + 1);
        if first_end - self.entity > ELEMENT {
            // What was carried becomes an element in a cycle of its own.
            self.write(self.at, true, cycle, clock);
            clock.next_word = cycle + 1;
            cycle = clock.with_room();
        }
        while self.at < end {
            let byte = self.packet[self.at];
            self.at += 1;
            if byte & 0x80 != 0 {
                self.write(self.at, false, cycle, clock);
            }
        }
        self.taken = self.taken.max(end.div_ceil(WORD));
        self.last_word = cycle;
        clock.next_word = cycle + 1;
        if end == self.packet.len() {
            self.ended = Some(cycle + 1);
        }
    }

    fn write(&mut self, end: usize, more: bool, cycle: u64, clock: &mut Clock) {
        let length = end - self.entity;
        debug_assert!((1..=ELEMENT).contains(&length));
        let element = Element { start: self.entity, length, more, visible: cycle + 1 };
        self.entity = end;
        if self.header_left > 0 {
            let first = self.header.is_empty();
            let has_identifier = self.packet[element.start] & 0x40 != 0;
            self.header_left = usize::from(first && has_identifier);
            self.header.push(element);
        } else {
            self.queue.push_back(element);
            clock.written += 1;
        }
    }
}
