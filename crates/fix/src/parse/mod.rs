//! Bytes to messages, without copying.
//!
//! [`frame`] finds the first message of a byte stream, verifies BodyLength and CheckSum, and
//! returns a [`Message`] that borrows the bytes.
//!
//! # Garbled input
//! A message is `8=FIX…|9=length|35=…|…|10=ddd|`, exactly BodyLength bytes from the SOH after
//! BodyLength to the SOH before CheckSum. Whatever breaks that rule is a [`GarbledError`] and is to be
//! ignored, as FIX 4.4 (volume 2, "Garbled message") demands. The stream is then resynchronised at the
//! next `8=FIX` after the first byte, or at the end of the slice less the bytes that may begin one:
//! [`GarbledError::skip`] says how many bytes that is. A wrong BodyLength may thus swallow at most
//! the cap on a message's size before it shows.

mod error;
mod field;
mod frame;
mod group;
mod message;

pub use error::{FieldError, GarbledError, GarbledKind, Optional};
pub use field::Fields;
pub(crate) use field::length_tag;
pub(crate) use frame::check_sum;
pub use frame::{DEFAULT_MAX_MESSAGE, frame, frame_with_limit};
pub use group::{Entries, Entry};
pub use message::Message;
