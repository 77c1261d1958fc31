//! The byte source under the reader: counts, and tells a clean end from a cut.

use std::io::{self, Read};

use super::error::{CaptureError, CaptureErrorKind};

pub(super) struct Source<R> {
    read: R,
    /// Bytes read so far.
    pub offset: u64,
}

impl<R: Read> Source<R> {
    pub fn new(read: R) -> Self {
        Source { read, offset: 0 }
    }

    /// Appends exactly `len` bytes to `buffer`, which grows only as bytes arrive.
    pub fn append(&mut self, len: usize, buffer: &mut Vec<u8>) -> Result<(), CaptureError> {
        let got = self.append_up_to(len, buffer)?;
        if got == len { Ok(()) } else { Err(self.truncated((len - got) as u64)) }
    }

    /// As [`Source::append`], but `false`, with nothing appended, if the source ends right here.
    pub fn append_or_end(
        &mut self,
        len: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<bool, CaptureError> {
        match self.append_up_to(len, buffer)? {
            0 => Ok(false),
            got if got == len => Ok(true),
            got => Err(self.truncated((len - got) as u64)),
        }
    }

    /// Reads exactly `len` bytes and forgets them.
    pub fn skip(&mut self, len: u64) -> Result<(), CaptureError> {
        match io::copy(&mut self.read.by_ref().take(len), &mut io::sink()) {
            Ok(got) => {
                self.offset += got;
                if got == len { Ok(()) } else { Err(self.truncated(len - got)) }
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    fn append_up_to(&mut self, len: usize, buffer: &mut Vec<u8>) -> Result<usize, CaptureError> {
        let before = buffer.len();
        let result = self.read.by_ref().take(len as u64).read_to_end(buffer);
        let got = buffer.len() - before;
        self.offset += got as u64;
        match result {
            Ok(_) => Ok(got),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn truncated(&self, needed: u64) -> CaptureError {
        CaptureError { offset: self.offset, kind: CaptureErrorKind::Truncated { needed } }
    }

    fn failed(&self, error: io::Error) -> CaptureError {
        CaptureError { offset: self.offset, kind: CaptureErrorKind::Io(error) }
    }
}
