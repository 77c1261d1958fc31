//! What the session tells the application.

use super::LogonRequest;
use crate::encode::{EncodeError, Layout};
use crate::parse::GarbledError;

/// What the session tells the application, in the order it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A client wants to log on; answer with `accept_logon` or `refuse_logon`.
    LogonRequested(LogonRequest),
    /// Application messages may flow.
    LoggedOn {
        /// The peer's CompID.
        comp_id: String,
    },
    /// An application message in sequence, each exactly once: the whole message, verified (read it
    /// with [`crate::parse::frame`]). Give the buffer back with [`super::Session::recycle`].
    Application(Vec<u8>),
    /// The peer rejected a message of ours at session level: its Reject (35=3), whole.
    Rejected(Vec<u8>),
    /// Both sequence numbers began again at 1 within the session, at the peer's wish.
    SequenceReset,
    /// A Logout came.
    LoggedOut {
        /// Text(58) of the peer's Logout.
        text: Option<String>,
    },
    /// The session is over. Send what [`super::Session::poll_output`] still has, then close the
    /// transport.
    Disconnect(DisconnectReason),
}

/// Why the session ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DisconnectReason {
    /// Both sides logged out.
    #[error("logged out")]
    Logout,
    /// The transport was closed under the session.
    #[error("connection lost")]
    ConnectionLost,
    /// No Logon within `logon_timeout_ns`.
    #[error("no Logon in time")]
    LogonTimeout,
    /// No answer to a Logout within `logout_timeout_ns`.
    #[error("no answer to Logout in time")]
    LogoutTimeout,
    /// No message for two heartbeat intervals and their grace, in spite of a Test Request.
    #[error("heartbeat missing")]
    HeartbeatTimeout,
    /// The first message was not a Logon.
    #[error("first message was not a Logon")]
    NotLogon,
    /// The application, or the peer, refused the Logon.
    #[error("Logon refused: {0}")]
    LogonRefused(String),
    /// The Logon broke a rule.
    #[error("invalid Logon: {0}")]
    InvalidLogon(String),
    /// BeginString is not FIX.4.4.
    #[error("incorrect BeginString")]
    BeginString,
    /// SenderCompID or TargetCompID is not the session's.
    #[error("CompID problem")]
    CompId,
    /// MsgSeqNum is absent or not a number from 1 to 999,999,999.
    #[error("MsgSeqNum missing or invalid")]
    MsgSeqNum,
    /// A number that was received before, without PossDupFlag.
    #[error("MsgSeqNum too low, expecting {expected} but received {received}")]
    SequenceTooLow {
        /// The number that was due.
        expected: u32,
        /// The number that came.
        received: u32,
    },
    /// SendingTime was too far from the clock, or before OrigSendingTime.
    #[error("SendingTime accuracy problem")]
    SendingTime,
    /// More than `output_capacity` bytes wait for the transport.
    #[error("peer reads too slowly")]
    OutputFull,
    /// More bytes came during a pending Logon than are kept.
    #[error("too many bytes before the Logon is answered")]
    InputFull,
    /// The next MsgSeqNum would have ten digits, or the session's own message cannot be written.
    #[error("cannot write: {0}")]
    CannotSend(SendError),
}

impl DisconnectReason {
    /// Whether the session ended as agreed.
    pub fn is_orderly(&self) -> bool {
        *self == DisconnectReason::Logout
    }
}

/// Why a message was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// No session is established, or it is being logged out.
    #[error("not logged on")]
    NotLoggedOn,
    /// More than `output_capacity` bytes wait for the transport.
    #[error("output full")]
    OutputFull,
    /// MsgSeqNum 999,999,999 was used.
    #[error("sequence numbers exhausted")]
    SequenceExhausted,
    /// The message could not be written.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// A message that is encoded but not sent (seed 001 §4.5.2). Stale as soon as the session sends
/// anything else: see [`super::Session::refresh`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The whole message.
    pub bytes: Vec<u8>,
    /// Its MsgSeqNum, nine digits on the wire.
    pub seq: u32,
    /// Where to patch it.
    pub layout: Layout,
}

/// Why a message that another party sent was not accounted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PreparedError {
    /// Its MsgSeqNum is not the next one.
    #[error("MsgSeqNum {found} was sent, {expected} is next")]
    OutOfSequence {
        /// The number to use.
        expected: u32,
        /// The number on the wire.
        found: u32,
    },
    /// The bytes are garbled.
    #[error(transparent)]
    Garbled(#[from] GarbledError),
    /// The bytes are not one whole application message of this session.
    #[error("not an application message of this session")]
    NotOurs,
}

/// What happened since the session was made. Counts only grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Whole messages received.
    pub messages_in: u64,
    /// Messages sent, resent ones and gap fills apart.
    pub messages_out: u64,
    /// Faults in the byte stream.
    pub garbled: u64,
    /// Bytes skipped because of them.
    pub garbled_bytes: u64,
    /// Bytes that came when no transport was up.
    pub stray_bytes: u64,
    /// Messages ignored because they had come before (PossDupFlag=Y).
    pub duplicates: u64,
    /// Resend Requests sent.
    pub gaps: u64,
    /// Messages above a gap that did not fit `gap_capacity`.
    pub gap_dropped: u64,
    /// Application messages sent again.
    pub resent: u64,
    /// Gap fills sent.
    pub gap_fills: u64,
    /// Application messages that fell out of the resend store.
    pub store_evicted: u64,
    /// Session-level Rejects sent.
    pub rejects_out: u64,
}
