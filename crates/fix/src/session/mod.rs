//! The FIX 4.4 session layer, without I/O.

use crate::dictionary::Dictionary;
use crate::encode::{EncodeError, Layout, Writer};
use saker_wire::time::Nanos;
use std::sync::Arc;

/// How a Logon is authenticated (acceptor).
#[derive(Default)]
pub enum Authentication {
    /// Every Logon with the right CompIDs is accepted.
    #[default]
    AcceptAll,
    /// Asked at once; `Err(text)` refuses with that text.
    Check(Box<dyn FnMut(&LogonRequest) -> Result<(), String> + Send>),
    /// [`Event::LogonRequested`] is raised and nothing is processed until the application calls
    /// [`Session::accept_logon`] or [`Session::refuse_logon`].
    Application,
}

/// What a client's Logon says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogonRequest {
    /// SenderCompID(49) of the client.
    pub comp_id: String,
    /// Username(553).
    pub username: Option<String>,
    /// Password(554).
    pub password: Option<String>,
    /// HeartBtInt(108) in seconds.
    pub heartbeat_s: u32,
    /// ResetSeqNumFlag(141).
    pub reset_seq_num: bool,
}

/// How a session is set up. Start from [`Config::new`].
pub struct Config {
    /// Our CompID.
    pub sender_comp_id: String,
    /// The peer's CompID; an acceptor with `None` takes it from the first Logon.
    pub target_comp_id: Option<String>,
    /// HeartBtInt(108) that an initiator asks for, seconds; 0 switches heartbeats off.
    pub heartbeat_s: u32,
    /// Username(553) of an initiator.
    pub username: Option<String>,
    /// Password(554) of an initiator.
    pub password: Option<String>,
    /// Both sequence numbers start at 1 with each Logon (an initiator sends ResetSeqNumFlag=Y).
    pub reset_on_logon: bool,
    /// First MsgSeqNum expected from the peer.
    pub inbound_seq: u32,
    /// First MsgSeqNum sent.
    pub outbound_seq: u32,
    /// Largest message in or out, bytes.
    pub max_message: usize,
    /// Bytes of sent application messages kept for resending; what falls out is gap-filled.
    pub resend_capacity: usize,
    /// Bytes of messages kept while a gap before them is filled.
    pub gap_capacity: usize,
    /// Bytes waiting for the transport before the peer counts as stuck.
    pub output_capacity: usize,
    /// Allowed distance of SendingTime from `now`; `None` switches the check off.
    pub sending_time_limit_ns: Option<Nanos>,
    /// Time for the Logon to be complete.
    pub logon_timeout_ns: Nanos,
    /// Time for the peer to answer a Logout.
    pub logout_timeout_ns: Nanos,
    /// Validates inbound messages; `None` leaves all but the session's own fields to the application.
    pub dictionary: Option<Arc<Dictionary>>,
    /// Who may log on (acceptor).
    pub authentication: Authentication,
}

impl Config {
    /// Defaults: heartbeat 30 s, 120 s of SendingTime, built-in dictionary.
    pub fn new(sender_comp_id: &str, target_comp_id: Option<&str>) -> Self {
        let _ = (sender_comp_id, target_comp_id);
        todo!()
    }
}

/// What the session tells the application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A client wants to log on; answer with `accept_logon` or `refuse_logon`.
    LogonRequested(LogonRequest),
    /// Application messages may flow.
    LoggedOn {
        /// The peer's CompID.
        comp_id: String,
    },
    /// An application message in sequence (verified bytes: read with [`crate::parse::frame`]).
    Application(Vec<u8>),
    /// The peer rejected a message of ours (35=3 verbatim).
    Rejected(Vec<u8>),
    /// A Logout was exchanged.
    LoggedOut {
        /// Text(58) of the peer's Logout.
        text: Option<String>,
    },
    /// Flush [`Session::poll_output`], then close the transport.
    Disconnect(DisconnectReason),
}

/// Why the transport is to be closed, or is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DisconnectReason {
    /// The transport was closed by the peer or the network.
    ConnectionLost,
}

/// Why a message was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// No session is established.
    #[error("not logged on")]
    NotLoggedOn,
    /// More than `output_capacity` bytes wait for the transport.
    #[error("output full")]
    OutputFull,
    /// The message could not be written.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// A message that is encoded but not sent (seed 001 §4.5.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The whole message.
    pub bytes: Vec<u8>,
    /// Its MsgSeqNum, nine digits on the wire.
    pub seq: u32,
    /// Where to patch it.
    pub layout: Layout,
}

/// Why a message sent by another party was not accounted for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PreparedError {
    /// Its MsgSeqNum is not the next one.
    #[error("MsgSeqNum {found} sent, next is {expected}")]
    OutOfSequence {
        /// The number to use.
        expected: u32,
        /// The number on the wire.
        found: u32,
    },
}

/// One FIX session, either side.
pub struct Session {
    config: Config,
}

impl Session {
    /// The side that waits for a Logon.
    pub fn acceptor(config: Config) -> Self {
        Session { config }
    }
    /// The side that sends the Logon.
    pub fn initiator(config: Config) -> Self {
        Session { config }
    }
    /// The transport is up.
    pub fn on_connect(&mut self, now: Nanos) {
        let _ = (now, &self.config);
        todo!()
    }
    /// Bytes from the transport.
    pub fn on_bytes(&mut self, now: Nanos, bytes: &[u8]) {
        let _ = (now, bytes);
        todo!()
    }
    /// The transport is down. Sequence numbers and the resend store are kept.
    pub fn on_disconnect(&mut self, now: Nanos) {
        let _ = now;
        todo!()
    }
    /// The instant of [`Session::next_deadline`] has come.
    pub fn on_deadline(&mut self, now: Nanos) {
        let _ = now;
        todo!()
    }
    /// When [`Session::on_deadline`] is next wanted.
    pub fn next_deadline(&self) -> Option<Nanos> {
        todo!()
    }
    /// Sends an application message; returns its MsgSeqNum.
    pub fn send(
        &mut self,
        now: Nanos,
        msg_type: &str,
        body: impl FnOnce(&mut Writer<'_>),
    ) -> Result<u32, SendError> {
        let _ = (now, msg_type, body);
        todo!()
    }
    /// Sends a Business Message Reject (35=j).
    pub fn business_reject(
        &mut self,
        now: Nanos,
        ref_seq_num: u32,
        ref_msg_type: &str,
        reason: u32,
        text: &str,
    ) -> Result<u32, SendError> {
        let _ = (now, ref_seq_num, ref_msg_type, reason, text);
        todo!()
    }
    /// Accepts the pending Logon.
    pub fn accept_logon(&mut self, now: Nanos) {
        let _ = now;
        todo!()
    }
    /// Refuses the pending Logon: Logout with `text`, then disconnect.
    pub fn refuse_logon(&mut self, now: Nanos, text: &str) {
        let _ = (now, text);
        todo!()
    }
    /// Begins to log out.
    pub fn logout(&mut self, now: Nanos, text: Option<&str>) {
        let _ = (now, text);
        todo!()
    }
    /// Next whole message for the transport.
    pub fn poll_output(&mut self) -> Option<&[u8]> {
        todo!()
    }
    /// All bytes waiting for the transport (for transports that take a part).
    pub fn output(&self) -> &[u8] {
        todo!()
    }
    /// The transport took the first `count` bytes of [`Session::output`].
    pub fn consume_output(&mut self, count: usize) {
        let _ = count;
        todo!()
    }
    /// Next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        todo!()
    }
    /// Gives the buffer of an event back, so that the next one needs no allocation.
    pub fn recycle(&mut self, bytes: Vec<u8>) {
        let _ = bytes;
        todo!()
    }
    /// Whether application messages may flow.
    pub fn is_logged_on(&self) -> bool {
        todo!()
    }
    /// MsgSeqNum of the next message out.
    pub fn next_outbound_seq(&self) -> u32 {
        todo!()
    }
    /// MsgSeqNum expected next from the peer.
    pub fn next_inbound_seq(&self) -> u32 {
        todo!()
    }
    /// Encodes a message with the next MsgSeqNum, without sending it.
    pub fn prepare(
        &mut self,
        now: Nanos,
        msg_type: &str,
        body: impl FnOnce(&mut Writer<'_>),
    ) -> Result<Prepared, SendError> {
        let _ = (now, msg_type, body);
        todo!()
    }
    /// Patches a prepared message to the next MsgSeqNum and to `now`.
    pub fn refresh(&mut self, now: Nanos, prepared: &mut Prepared) {
        let _ = (now, prepared);
        todo!()
    }
    /// A prepared message was sent in this session's name: counts it and keeps it for resending.
    pub fn note_prepared_sent(&mut self, now: Nanos, bytes: &[u8]) -> Result<u32, PreparedError> {
        let _ = (now, bytes);
        todo!()
    }
}
