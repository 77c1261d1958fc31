//! Previous values (§6.3.1), each a field of the generated dictionaries.
//!
//! Resetting everything starts a new epoch: an entry that was written in an older one is
//! undefined.

use super::value::{Scalar, Text};
use crate::error::ErrorCode;
use crate::model::FieldType;

/// The state of a dictionary entry, or its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State<T> {
    /// There was no value since the last reset.
    Undefined,
    /// The last field was absent.
    Empty,
    /// The previous value.
    Assigned(T),
}

/// An entry for numbers of one type.
pub trait PreviousOf<T> {
    /// The state in an epoch.
    ///
    /// # Errors
    /// D4 where a value of another type is assigned.
    fn state(&self, epoch: u64) -> Result<State<T>, ErrorCode>;
    /// Assigns a value, or the empty state.
    fn assign(&mut self, epoch: u64, value: Option<T>);
}

/// An entry for strings or vectors of one type.
pub trait PreviousTextOf<T> {
    /// The state in an epoch.
    ///
    /// # Errors
    /// D4 where a value of another type is assigned.
    fn state(&self, epoch: u64) -> Result<State<()>, ErrorCode>;
    /// The bytes of the assigned value.
    fn bytes(&self) -> &[u8];
    /// Assigns the bytes that the caller leaves in the returned memory. It holds those assigned
    /// before.
    fn assign(&mut self, epoch: u64) -> &mut Vec<u8>;
    /// Assigns the first `length` of the bytes.
    #[inline(always)]
    fn assign_short(&mut self, epoch: u64, bytes: [u8; 16], length: usize) {
        let text = self.assign(epoch);
        text.clear();
        // All of them: a length that the compiler knows takes no call.
        text.extend_from_slice(&bytes);
        text.truncate(length);
    }
    /// Assigns the empty state.
    fn set_empty(&mut self, epoch: u64);
}

/// A number that fields of one type only use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Previous<T> {
    epoch: u64,
    value: Option<T>,
}

impl<T> Previous<T> {
    /// Makes the entry undefined.
    pub fn reset(&mut self) {
        self.epoch = 0;
    }
}

impl<T: Scalar> PreviousOf<T> for Previous<T> {
    #[inline(always)]
    fn state(&self, epoch: u64) -> Result<State<T>, ErrorCode> {
        Ok(match self.value {
            _ if self.epoch != epoch => State::Undefined,
            None => State::Empty,
            Some(value) => State::Assigned(value),
        })
    }

    #[inline(always)]
    fn assign(&mut self, epoch: u64, value: Option<T>) {
        *self = Self { epoch, value };
    }
}

/// A string or vector that fields of one type only use.
#[derive(Clone, Debug, Default)]
pub struct PreviousText {
    epoch: u64,
    empty: bool,
    bytes: Vec<u8>,
}

impl PreviousText {
    /// Makes the entry undefined.
    pub fn reset(&mut self) {
        self.epoch = 0;
    }
}

impl<T: Text> PreviousTextOf<T> for PreviousText {
    #[inline(always)]
    fn state(&self, epoch: u64) -> Result<State<()>, ErrorCode> {
        Ok(match self.empty {
            _ if self.epoch != epoch => State::Undefined,
            true => State::Empty,
            false => State::Assigned(()),
        })
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    #[inline(always)]
    fn assign(&mut self, epoch: u64) -> &mut Vec<u8> {
        (self.epoch, self.empty) = (epoch, false);
        &mut self.bytes
    }

    #[inline(always)]
    fn set_empty(&mut self, epoch: u64) {
        (self.epoch, self.empty) = (epoch, true);
    }
}

/// An entry that fields of several types share.
#[derive(Clone, Debug, Default)]
pub struct MixedPrevious {
    epoch: u64,
    /// The type of the assigned value, or empty.
    field_type: Option<FieldType>,
    bits: u64,
    exponent: i32,
    bytes: Vec<u8>,
}

impl MixedPrevious {
    /// Makes the entry undefined.
    pub fn reset(&mut self) {
        self.epoch = 0;
    }

    fn state_of(&self, epoch: u64, field_type: FieldType) -> Result<State<()>, ErrorCode> {
        match self.field_type {
            _ if self.epoch != epoch => Ok(State::Undefined),
            None => Ok(State::Empty),
            Some(other) if other != field_type => Err(ErrorCode::D4),
            Some(_) => Ok(State::Assigned(())),
        }
    }

    fn set(&mut self, epoch: u64, field_type: Option<FieldType>) {
        (self.epoch, self.field_type) = (epoch, field_type);
    }
}

impl<T: Scalar> PreviousOf<T> for MixedPrevious {
    fn state(&self, epoch: u64) -> Result<State<T>, ErrorCode> {
        Ok(match self.state_of(epoch, T::TYPE)? {
            State::Undefined => State::Undefined,
            State::Empty => State::Empty,
            State::Assigned(()) => State::Assigned(T::from_bits(self.bits, self.exponent)),
        })
    }

    fn assign(&mut self, epoch: u64, value: Option<T>) {
        self.set(epoch, value.map(|_| T::TYPE));
        if let Some(value) = value {
            (self.bits, self.exponent) = value.to_bits();
        }
    }
}

impl<T: Text> PreviousTextOf<T> for MixedPrevious {
    fn state(&self, epoch: u64) -> Result<State<()>, ErrorCode> {
        self.state_of(epoch, T::TYPE)
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn assign(&mut self, epoch: u64) -> &mut Vec<u8> {
        self.set(epoch, Some(T::TYPE));
        &mut self.bytes
    }

    fn set_empty(&mut self, epoch: u64) {
        self.set(epoch, None);
    }
}
