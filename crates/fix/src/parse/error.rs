//! What can be wrong with bytes and with fields.

/// Why bytes are not a FIX message, and how many of them to discard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("garbled FIX message at byte {offset}: {kind}")]
pub struct GarbledError {
    /// What is wrong.
    pub kind: GarbledKind,
    /// Offset of the fault from the start of the slice.
    pub offset: usize,
    /// Bytes to discard: up to the next `8=FIX`, or to what may be the beginning of one. At least 1.
    pub skip: usize,
}

/// The rule that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GarbledKind {
    /// The bytes do not begin with `8=FIX`, or BeginString is longer than 10 bytes.
    #[error("no BeginString")]
    BeginString,
    /// The second field is not a BodyLength of 1 to 9 digits.
    #[error("no BodyLength")]
    BodyLength,
    /// The whole message would exceed the cap.
    #[error("message of {size} bytes exceeds the limit of {limit}")]
    TooLong {
        /// Bytes from BeginString to the end of CheckSum.
        size: usize,
        /// The cap.
        limit: usize,
    },
    /// `10=ddd` does not follow BodyLength bytes after BodyLength.
    #[error("no CheckSum where BodyLength puts it")]
    Trailer,
    /// CheckSum is not the sum of all bytes before it, modulo 256.
    #[error("CheckSum {stated:03} should be {actual:03}")]
    CheckSum {
        /// The number in the message.
        stated: u16,
        /// The sum.
        actual: u8,
    },
    /// The third field is not a MsgType.
    #[error("MsgType is not the third field")]
    MsgType,
    /// A field is not `integer=value` ended by SOH.
    #[error("malformed field")]
    Field,
    /// A data field does not have the length that its length field states.
    #[error("data field does not end where its length says")]
    DataLength,
}

/// A typed getter failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// There is no such field.
    #[error("tag {tag} missing")]
    Missing {
        /// The tag asked for.
        tag: u32,
    },
    /// The value is not of the asked type.
    #[error("tag {tag} has an incorrect data format")]
    Format {
        /// The tag asked for.
        tag: u32,
    },
}

/// Turns `Err(Missing)` into `Ok(None)`, for optional fields: `message.int(TAG).optional()?`.
pub trait Optional<T> {
    /// See the trait.
    fn optional(self) -> Result<Option<T>, FieldError>;
}

impl<T> Optional<T> for Result<T, FieldError> {
    fn optional(self) -> Result<Option<T>, FieldError> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(FieldError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
