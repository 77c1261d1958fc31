//! AXI4-Stream between the model and the host: whole frames, eight bytes a beat.

use std::collections::VecDeque;

use crate::library::{Input, Library, LoadError, Model, Output};

/// Frames that the model gives to the host: always ready to be taken.
#[derive(Debug)]
pub struct HostRx {
    tdata: Output,
    tkeep: Output,
    tvalid: Output,
    tlast: Output,
    tside: Output,
    tready: Input,
    bytes: Vec<u8>,
    inside: bool,
}

impl HostRx {
    /// The ports `<prefix>_tdata` and so on; the frame's stamp is `<prefix>_<side>`.
    ///
    /// # Errors
    /// The model lacks one.
    pub fn new(library: &Library, prefix: &str, side: &str) -> Result<Self, LoadError> {
        let output = |name: &str, bits| library.output(&format!("{prefix}_{name}"), bits);
        Ok(Self {
            tdata: output("tdata", 64)?,
            tkeep: output("tkeep", 8)?,
            tvalid: output("tvalid", 1)?,
            tlast: output("tlast", 1)?,
            tside: output(side, 64)?,
            tready: library.input(&format!("{prefix}_tready"), 1)?,
            bytes: Vec::new(),
            inside: false,
        })
    }

    /// To be called before each step: takes the beat on offer. Returns a frame with its stamp when
    /// that was its last.
    #[inline]
    pub fn before_step(&mut self, model: &mut Model) -> Option<(u64, Vec<u8>)> {
        model.set(self.tready, 1);
        if model.get(self.tvalid) == 0 {
            return None;
        }
        self.inside = true;
        let count = (model.get(self.tkeep) as u8).count_ones() as usize;
        self.bytes.extend_from_slice(&model.get(self.tdata).to_le_bytes()[..count.min(8)]);
        if model.get(self.tlast) == 0 {
            return None;
        }
        self.inside = false;
        Some((model.get(self.tside), std::mem::take(&mut self.bytes)))
    }

    /// Takes nothing until the next [`HostRx::before_step`].
    pub fn hold(&self, model: &mut Model) {
        model.set(self.tready, 0);
    }

    /// Whether a frame has begun and not ended.
    pub fn is_inside(&self) -> bool {
        self.inside
    }
}

/// Frames that the host gives to the model.
#[derive(Debug)]
pub struct HostTx {
    tdata: Input,
    tkeep: Input,
    tvalid: Input,
    tlast: Input,
    tready: Output,
    waiting: VecDeque<Vec<u8>>,
    at: usize,
}

impl HostTx {
    /// The ports `<prefix>_tdata` and so on.
    ///
    /// # Errors
    /// The model lacks one.
    pub fn new(library: &Library, prefix: &str) -> Result<Self, LoadError> {
        let input = |name: &str, bits| library.input(&format!("{prefix}_{name}"), bits);
        Ok(Self {
            tdata: input("tdata", 64)?,
            tkeep: input("tkeep", 8)?,
            tvalid: input("tvalid", 1)?,
            tlast: input("tlast", 1)?,
            tready: library.output(&format!("{prefix}_tready"), 1)?,
            waiting: VecDeque::new(),
            at: 0,
        })
    }

    /// Queues a frame, Ethernet header to payload.
    pub fn push(&mut self, frame: Vec<u8>) {
        if !frame.is_empty() {
            self.waiting.push_back(frame);
        }
    }

    /// Whether all frames were taken.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// To be called before each step, when all other inputs are set: offers the next beat and sees
    /// whether it is taken.
    #[inline]
    pub fn before_step(&mut self, model: &mut Model) {
        let Some(frame) = self.waiting.front() else {
            model.set(self.tvalid, 0);
            return;
        };
        let beat = &frame[self.at..frame.len().min(self.at + 8)];
        let mut data = [0; 8];
        data[..beat.len()].copy_from_slice(beat);
        let is_last = self.at + 8 >= frame.len();
        model.set(self.tdata, u64::from_le_bytes(data));
        model.set(self.tkeep, (1 << beat.len()) - 1);
        model.set(self.tlast, is_last.into());
        model.set(self.tvalid, 1);
        model.settle();
        if model.is(self.tready) {
            self.at += 8;
            if is_last {
                self.at = 0;
                self.waiting.pop_front();
            }
        }
    }
}
