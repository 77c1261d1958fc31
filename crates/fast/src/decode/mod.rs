//! From bytes to messages.

mod block;
mod careful;
mod extension;
mod frames;
pub(crate) mod operators;
mod options;
mod plain;
mod quick;
mod run;
mod visitor;

pub use options::{DecoderOptions, ResetPolicy};
pub use visitor::{Ignore, Visitor};

use crate::dictionary::Dictionary;
use crate::error::{DecodeError, ErrorCode, Site};
use crate::load::Templates;
use crate::plan::NONE;
use crate::transfer::Processor;

/// Decodes the messages of one stream.
///
/// The decoder owns the dictionaries of the stream. Memory is taken when strings first grow; in
/// the steady state decoding allocates nothing.
///
/// # After an error
/// A message that fails has changed the dictionaries up to the error, so that they no longer
/// agree with the encoder's. The decoder is then *poisoned*: every call fails with
/// [`ErrorCode::Poisoned`] until [`Decoder::reset`], or until the reset policy resets it, that is
/// at the next packet or message. With [`ResetPolicy::Message`] an error thus costs one message.
#[derive(Clone, Debug)]
pub struct Decoder {
    templates: Templates,
    options: DecoderOptions,
    dictionary: Dictionary,
    /// The template of the last identifier, the previous value of its copy operator (§10).
    last_entry: Option<u32>,
    poisoned: bool,
    scratch: Vec<u8>,
    frames: [frames::Frame; frames::FRAMES],
    processor: Processor,
    /// See [`run::Run::thorough`].
    thorough: bool,
}

impl Decoder {
    /// A decoder whose dictionaries are undefined.
    pub fn new(templates: &Templates, mut options: DecoderOptions) -> Self {
        options.max_string = options.max_string.max(DecoderOptions::LEAST_MAX_STRING);
        Self {
            dictionary: Dictionary::new(templates.plan()),
            templates: templates.clone(),
            options,
            last_entry: None,
            poisoned: false,
            scratch: Vec::new(),
            frames: Default::default(),
            processor: Processor::detect(),
            thorough: false,
        }
    }

    /// The templates it decodes with.
    pub fn templates(&self) -> &Templates {
        &self.templates
    }

    /// Sets all previous values to undefined, also that of the template identifier.
    pub fn reset(&mut self) {
        self.dictionary.reset();
        self.last_entry = None;
        self.poisoned = false;
    }

    /// Sets the previous values of one user-defined dictionary to undefined (§6.3.1); `global`
    /// is the global one. Does not heal a poisoned decoder.
    pub fn reset_dictionary(&mut self, name: &str) {
        self.dictionary.reset_named(self.templates.plan(), name);
    }

    /// Says that a packet begins: resets where the policy is to reset at packets or messages.
    pub fn begin_packet(&mut self) {
        if self.options.reset != ResetPolicy::Never {
            self.reset();
        }
    }

    /// Decodes the message at the start of `bytes` and returns its length in bytes.
    ///
    /// # Errors
    /// See [`ErrorCode`]; the offset counts from the start of `bytes`.
    pub fn decode<V: Visitor>(
        &mut self,
        bytes: &[u8],
        visitor: &mut V,
    ) -> Result<usize, DecodeError> {
        if self.options.reset == ResetPolicy::Message {
            self.reset();
        }
        if self.poisoned {
            let site = Site::default();
            return Err(DecodeError { code: ErrorCode::Poisoned, offset: 0, site });
        }
        let mut run = run::Run {
            plan: self.templates.plan(),
            templates: &self.templates,
            options: &self.options,
            dictionary: &mut self.dictionary,
            last_entry: &mut self.last_entry,
            scratch: &mut self.scratch,
            visitor,
            elements_left: self.options.max_elements,
            input: bytes,
            processor: self.processor,
            frames: &mut self.frames,
            level: 0,
            floor: 0,
            thorough: self.thorough,
            depth: 0,
            template: NONE,
            failed_field: NONE,
        };
        let outcome = run.message();
        self.poisoned = outcome.is_err();
        outcome
    }

    /// Decodes a packet, messages one after another up to the end of `bytes`, and returns their
    /// number. Begins a packet.
    ///
    /// # Errors
    /// That of the first message that fails, with the offset into `bytes`; the messages before it
    /// have been visited.
    pub fn decode_packet<V: Visitor>(
        &mut self,
        bytes: &[u8],
        visitor: &mut V,
    ) -> Result<usize, DecodeError> {
        self.begin_packet();
        let mut at = 0;
        let mut messages = 0;
        while at < bytes.len() {
            match self.decode(&bytes[at..], visitor) {
                Ok(length) => at += length,
                Err(mut error) => {
                    error.offset += at;
                    return Err(error);
                }
            }
            messages += 1;
        }
        Ok(messages)
    }
}

#[cfg(test)]
mod tests;
