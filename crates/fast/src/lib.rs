//! FAST 1.1: template model, decoder and encoder.
#![forbid(unsafe_code)]

pub mod decode;
pub(crate) mod dictionary;
pub mod encode;
pub mod error;
pub mod json;
pub mod load;
pub mod message;
pub mod model;
mod plan;
pub mod stream;
mod transfer;
mod value;

pub use decode::{Decoder, DecoderOptions, Ignore, ResetPolicy, Visitor};
pub use encode::{Encoder, EncoderOptions, Source};
pub use error::{DecodeError, EncodeError, ErrorCode, Site};
pub use load::{LoadOptions, StaticCode, TemplateError, TemplateErrorKind, Templates};
pub use message::{Message, MessageBuilder};
pub use model::{FieldType, OwnedValue, Presence, Template};
pub use plan::{FieldInfo, FieldKind};
pub use value::Value;
