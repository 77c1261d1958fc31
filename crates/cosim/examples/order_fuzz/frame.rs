//! A frame that leaves, word by word, beside the one that must.

/// Behind the nanoseconds in the trailer.
const MAGIC: [u8; 2] = [0x53, 0x4B];
const TRAILER: usize = 8;
const WORD: usize = 8;

/// A word that is offered.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    pub data: u64,
    pub keep: u8,
    pub last: bool,
    pub poisoned: bool,
}

/// What it bears of the numbers that count on.
#[derive(Debug, Clone, Copy)]
pub struct Bears {
    pub udp: bool,
    pub number: u32,
    pub start: u32,
    pub payload: Option<u32>,
}

#[derive(Debug)]
pub struct Frame {
    pub slot: usize,
    pub bears: Bears,
    /// Disarmed since it has begun.
    pub cancelled: bool,
    bytes: Vec<u8>,
    length: usize,
    trigger: u64,
    index: usize,
    /// Whether it ends poisoned, once that is decided.
    poisoned: Option<bool>,
    /// When its first byte was on the line.
    out: Option<u64>,
}

impl Frame {
    pub fn new(slot: usize, bears: Bears, bytes: Vec<u8>, trailer: bool, trigger: u64) -> Self {
        let length = bytes.len() + if trailer { TRAILER } else { 0 };
        let (index, poisoned, out, cancelled) = (0, None, None, false);
        Self { slot, bears, cancelled, bytes, length, trigger, index, poisoned, out }
    }

    fn last(&self) -> usize {
        (self.length - 1) / WORD
    }

    pub fn out(&self) -> Option<u64> {
        self.out
    }

    pub fn poisoned(&self) -> bool {
        self.poisoned == Some(true)
    }

    /// A first byte is out: its own, if its first word has left.
    pub fn first_byte(&mut self, time: u64) {
        if self.index == 0 || self.out.is_some() {
            return;
        }
        self.out = Some(time);
        if self.length > self.bytes.len() {
            let latency = time.wrapping_sub(self.trigger) as u32;
            self.bytes.extend(latency.to_be_bytes());
            self.bytes.extend(MAGIC);
            self.bytes.extend((self.slot as u16).to_be_bytes());
        }
    }

    /// The word on offer must be this one.
    pub fn check(&self, word: &Word) -> Result<(), String> {
        let (slot, index) = (self.slot, self.index);
        let Some(bytes) = self.bytes.chunks(WORD).nth(index) else {
            return Err(format!("slot {slot}: no word {index}"));
        };
        let mut octets = [0; WORD];
        octets[..bytes.len()].copy_from_slice(bytes);
        let keep = u8::MAX >> (WORD - bytes.len());
        let last = index == self.last();
        let want = (u64::from_le_bytes(octets), keep, last);
        if (word.data, word.keep, word.last) != want {
            return Err(format!("slot {slot}, word {index}: {word:x?}, not {want:x?}"));
        }
        let poisoned = last && self.poisoned();
        if word.poisoned != poisoned {
            return Err(format!("slot {slot}: poisoned {}, not {poisoned}", word.poisoned));
        }
        Ok(())
    }

    /// The word is taken; `good` is whether the packet is known to be good: that counts when the last word is made
    /// ready. Whether that was the last.
    pub fn take(&mut self, good: bool) -> bool {
        self.index += 1;
        if self.index == self.last() {
            self.poisoned = Some(!good);
        }
        self.index > self.last()
    }
}
