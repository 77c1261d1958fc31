//! How a session is set up.

use std::fmt;
use std::sync::{Arc, LazyLock};

use saker_wire::time::{Nanos, SECOND};

use crate::dictionary::Dictionary;
use crate::parse::DEFAULT_MAX_MESSAGE;

static BUILTIN: LazyLock<Arc<Dictionary>> = LazyLock::new(|| Arc::new(Dictionary::builtin()));

/// Decides on a Logon; `Err(text)` refuses it with that text.
pub type LogonCheck = Box<dyn FnMut(&LogonRequest) -> Result<(), String> + Send>;

/// How a Logon is authenticated (acceptor).
#[derive(Default)]
pub enum Authentication {
    /// Every Logon with the right CompIDs is accepted.
    #[default]
    AcceptAll,
    /// Asked at once.
    Check(LogonCheck),
    /// [`super::Event::LogonRequested`] is raised, and nothing is processed until the application
    /// calls [`super::Session::accept_logon`] or [`super::Session::refuse_logon`].
    Application,
}

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Authentication::AcceptAll => "AcceptAll",
            Authentication::Check(_) => "Check",
            Authentication::Application => "Application",
        })
    }
}

/// What a client's Logon says.
#[derive(Clone, PartialEq, Eq)]
pub struct LogonRequest {
    /// SenderCompID(49) of the client.
    pub comp_id: String,
    /// Username(553).
    pub username: Option<String>,
    /// Password(554); not shown by `Debug`.
    pub password: Option<String>,
    /// HeartBtInt(108) in seconds.
    pub heartbeat_s: u32,
    /// ResetSeqNumFlag(141).
    pub reset_seq_num: bool,
}

impl fmt::Debug for LogonRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogonRequest")
            .field("comp_id", &self.comp_id)
            .field("username", &self.username)
            .field("password", &self.password.as_ref().map(|_| "…"))
            .field("heartbeat_s", &self.heartbeat_s)
            .field("reset_seq_num", &self.reset_seq_num)
            .finish()
    }
}

/// How a session is set up. Start from [`Config::new`].
pub struct Config {
    /// Our CompID.
    pub sender_comp_id: String,
    /// The peer's CompID; an acceptor with `None` takes it from the first Logon it accepts.
    pub target_comp_id: Option<String>,
    /// HeartBtInt(108) that an initiator asks for, seconds; 0 switches heartbeats off. An acceptor
    /// takes the client's.
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
    /// Largest message, in, and out from the application, bytes.
    pub max_message: usize,
    /// Bytes of sent application messages kept for resending; what falls out is gap-filled.
    pub resend_capacity: usize,
    /// Bytes of messages kept while a gap before them is filled; what does not fit is dropped,
    /// since the peer sends it again.
    pub gap_capacity: usize,
    /// Bytes waiting for the transport before the peer counts as stuck. Larger than
    /// `resend_capacity`, or a full resend may end the session.
    pub output_capacity: usize,
    /// Allowed distance of SendingTime from `now`; `None` switches the check off.
    pub sending_time_limit_ns: Option<Nanos>,
    /// Time for the Logon to be complete.
    pub logon_timeout_ns: Nanos,
    /// Time for the peer to answer a Logout.
    pub logout_timeout_ns: Nanos,
    /// Time for the peer to fill a gap before it is asked again.
    pub resend_timeout_ns: Nanos,
    /// Validates inbound messages; `None` leaves all but the session's own fields to the
    /// application.
    pub dictionary: Option<Arc<Dictionary>>,
    /// Whether undefined tags from 5000 on are let through.
    pub allow_user_defined: bool,
    /// Who may log on (acceptor).
    pub authentication: Authentication,
}

/// Without the password.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("sender_comp_id", &self.sender_comp_id)
            .field("target_comp_id", &self.target_comp_id)
            .field("heartbeat_s", &self.heartbeat_s)
            .field("reset_on_logon", &self.reset_on_logon)
            .field("authentication", &self.authentication)
            .finish_non_exhaustive()
    }
}

impl Config {
    /// Heartbeat 30 s; SendingTime within 120 s; 10 s to log on, 5 s to log out; 1 MiB of resend
    /// store, 1 MiB for gaps, 4 MiB of output; the built-in dictionary; everybody may log on.
    pub fn new(sender_comp_id: &str, target_comp_id: Option<&str>) -> Self {
        Config {
            sender_comp_id: sender_comp_id.to_owned(),
            target_comp_id: target_comp_id.map(str::to_owned),
            heartbeat_s: 30,
            username: None,
            password: None,
            reset_on_logon: false,
            inbound_seq: 1,
            outbound_seq: 1,
            max_message: DEFAULT_MAX_MESSAGE,
            resend_capacity: 1 << 20,
            gap_capacity: 1 << 20,
            output_capacity: 4 << 20,
            sending_time_limit_ns: Some(120 * SECOND),
            logon_timeout_ns: 10 * SECOND,
            logout_timeout_ns: 5 * SECOND,
            resend_timeout_ns: 30 * SECOND,
            dictionary: Some(Arc::clone(&BUILTIN)),
            allow_user_defined: true,
            authentication: Authentication::AcceptAll,
        }
    }
}
