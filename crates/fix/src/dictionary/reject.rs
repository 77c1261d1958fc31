//! Why a message is rejected at session level.

/// SessionRejectReason(373) of FIX 4.4; the text is that of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[repr(u8)]
pub enum RejectReason {
    /// The tag is not defined at all.
    #[error("Invalid tag number")]
    InvalidTagNumber = 0,
    /// A required field is absent.
    #[error("Required tag missing")]
    RequiredTagMissing = 1,
    /// The tag exists, but not in this message.
    #[error("Tag not defined for this message type")]
    TagNotDefinedForMessage = 2,
    /// A field has no value.
    #[error("Tag specified without a value")]
    TagWithoutValue = 4,
    /// The value is not in the field's enumeration or range.
    #[error("Value is incorrect (out of range) for this tag")]
    ValueIncorrect = 5,
    /// The value is not of the field's type.
    #[error("Incorrect data format for value")]
    IncorrectDataFormat = 6,
    /// SenderCompID or TargetCompID is not the session's.
    #[error("CompID problem")]
    CompIdProblem = 9,
    /// SendingTime is too far from the clock, or before OrigSendingTime.
    #[error("SendingTime accuracy problem")]
    SendingTimeAccuracy = 10,
    /// The MsgType does not exist.
    #[error("Invalid MsgType")]
    InvalidMsgType = 11,
    /// A field appears twice outside a repeating group.
    #[error("Tag appears more than once")]
    TagAppearsMoreThanOnce = 13,
    /// A header field after a body field, or a body field after the trailer.
    #[error("Tag specified out of required order")]
    TagOutOfOrder = 14,
    /// An entry of a group does not begin with its delimiter.
    #[error("Repeating group fields out of order")]
    GroupFieldsOutOfOrder = 15,
    /// A count does not agree with the entries that follow it.
    #[error("Incorrect NumInGroup count for repeating group")]
    IncorrectNumInGroup = 16,
    /// Anything else.
    #[error("Other")]
    Other = 99,
}

impl RejectReason {
    /// The number in SessionRejectReason(373).
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// The first rule that a message breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{reason} (tag {tag})")]
pub struct Violation {
    /// Which rule.
    pub reason: RejectReason,
    /// The field at fault; 0 for a tag that is no positive integer
    /// (see [`crate::parse::Message::invalid_tag`]).
    pub tag: u32,
}
