//! From messages to bytes.

mod block;
mod extension;
mod operators;
mod options;
mod quick;
mod run;
mod source;

pub(crate) use operators::{difference, tail};
pub use options::EncoderOptions;
pub(crate) use run::rescale;
pub use source::Source;

use crate::decode::ResetPolicy;
use crate::dictionary::Dictionary;
use crate::error::{EncodeError, ErrorCode, Site};
use crate::load::Templates;
use crate::message::Message;
use crate::plan::NONE;
use crate::transfer::Processor;

/// Encodes the messages of one stream.
///
/// The encoder chooses the shortest encoding that the template allows: an operator's value is left
/// out where the decoder can tell it, and presence maps lose their trailing zero bytes.
///
/// # After an error
/// The bytes appended so far are removed from the output. The dictionaries have changed up to the
/// error, so that the encoder is *poisoned* until it is reset, as a [`Decoder`](crate::Decoder) is.
#[derive(Clone, Debug)]
pub struct Encoder {
    templates: Templates,
    options: EncoderOptions,
    dictionary: Dictionary,
    last_entry: Option<u32>,
    poisoned: bool,
    /// Bits of long presence maps.
    presence_store: Vec<bool>,
    processor: Processor,
}

impl Encoder {
    /// An encoder whose dictionaries are undefined.
    pub fn new(templates: &Templates, options: EncoderOptions) -> Self {
        Self {
            dictionary: Dictionary::new(templates.plan()),
            templates: templates.clone(),
            options,
            last_entry: None,
            poisoned: false,
            presence_store: Vec::new(),
            processor: Processor::detect(),
        }
    }

    /// The templates it encodes with.
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
    /// is the global one.
    pub fn reset_dictionary(&mut self, name: &str) {
        self.dictionary.reset_named(self.templates.plan(), name);
    }

    /// Says that a packet begins: resets where the policy is to reset at packets or messages.
    pub fn begin_packet(&mut self) {
        if self.options.reset != ResetPolicy::Never {
            self.reset();
        }
    }

    /// Appends the encoding of `message` to `out`.
    ///
    /// # Errors
    /// See [`ErrorCode`]; `out` is as it was before. D9 where the message's template has no
    /// identifier, D1 where the message belongs to another set of templates.
    pub fn encode(&mut self, message: &Message, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        if !message.templates().same(&self.templates) {
            return Err(EncodeError { code: ErrorCode::D1, site: Site::default() });
        }
        self.encode_entry(message.template_index(), message.source(), out)
    }

    /// Appends the encoding of a message by the template with the local name `template`, whose
    /// values `source` supplies.
    ///
    /// # Errors
    /// As [`Encoder::encode`]; D9 where there is no such template.
    pub fn encode_from<S: Source>(
        &mut self,
        template: &str,
        source: S,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        match self.templates.index_of(template) {
            Some(index) => self.encode_entry(index, source, out),
            None => Err(EncodeError { code: ErrorCode::D9, site: Site::default() }),
        }
    }

    fn encode_entry<S: Source>(
        &mut self,
        template: u32,
        source: S,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        if self.options.reset == ResetPolicy::Message {
            self.reset();
        }
        if self.poisoned {
            return Err(EncodeError { code: ErrorCode::Poisoned, site: Site::default() });
        }
        let start = out.len();
        self.presence_store.clear();
        let run = run::Run {
            plan: self.templates.plan(),
            templates: &self.templates,
            options: &self.options,
            dictionary: &mut self.dictionary,
            last_entry: &mut self.last_entry,
            presence_store: &mut self.presence_store,
            out,
            processor: self.processor,
            depth: 0,
            template,
            failed_field: NONE,
        };
        let outcome = run.message(template, source);
        if outcome.is_err() {
            out.truncate(start);
            self.poisoned = true;
        }
        outcome
    }
}
