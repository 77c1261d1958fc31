//! How the order line is set up.

use saker_fix::session;
use saker_wire::endpoint;
use saker_wire::time::{MILLISECOND, Nanos, SECOND};

/// Who we are to the venue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// SenderCompID (49) of what we send.
    pub sender_comp_id: String,
    /// TargetCompID (56) of what we send.
    pub target_comp_id: String,
    /// Username (553) in the Logon.
    pub username: Option<String>,
    /// Password (554) in the Logon.
    pub password: Option<String>,
    /// Account (1) in orders.
    pub account: Option<String>,
}

/// When to connect again after the connection was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reconnect {
    /// The pause after the first loss; it doubles with every attempt that does not reach a logon.
    pub first_ns: Nanos,
    /// The longest pause.
    pub max_ns: Nanos,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self { first_ns: 100 * MILLISECOND, max_ns: 10 * SECOND }
    }
}

/// The order line's settings.
#[derive(Debug, Clone)]
pub struct LineConfig {
    /// Who we are.
    pub identity: Identity,
    /// HeartBtInt (108), seconds.
    pub heartbeat_s: u32,
    /// Whether both sequence numbers begin at 1 with every logon. If not, orders that were lost
    /// with a connection are sent again (PossDupFlag) when the venue asks for them.
    pub reset_on_logon: bool,
    /// The venue's TCP port.
    pub remote_port: u16,
    /// Our TCP ports: each connection takes the next of these, so that none meets the remains of
    /// the one before it.
    pub local_ports: std::ops::RangeInclusive<u16>,
    /// Memory and timers of the TCP endpoint; its ports are ignored.
    pub tcp: endpoint::Config,
    /// Number of slots; slot `n` belongs to the strategy file's strategy `n`. The machine raises it
    /// to the number of strategies.
    pub slots: u16,
    /// Age of SendingTime at which a prepared order is refreshed.
    pub refresh_age_ns: Nanos,
    /// Beginning of every ClOrdID (11), which must be new to the venue; a number follows.
    pub order_prefix: String,
    /// Orders of the whole run; when they are used up nothing is prepared any more.
    pub max_orders: usize,
    /// When to connect again.
    pub reconnect: Reconnect,
    /// Seeds the initial sequence numbers of TCP.
    pub seed: u64,
}

impl LineConfig {
    /// The usual settings for a participant of the saker exchange.
    pub fn new(identity: Identity, remote_port: u16) -> Self {
        Self {
            identity,
            heartbeat_s: 30,
            reset_on_logon: false,
            remote_port,
            local_ports: 49_152..=49_407,
            tcp: endpoint::Config::default(),
            slots: 64,
            refresh_age_ns: SECOND,
            order_prefix: "T".to_owned(),
            max_orders: 65_536,
            reconnect: Reconnect::default(),
            seed: 1,
        }
    }

    pub(super) fn session(&self) -> session::Config {
        let identity = &self.identity;
        let target = Some(identity.target_comp_id.as_str());
        session::Config {
            heartbeat_s: self.heartbeat_s,
            username: identity.username.clone(),
            password: identity.password.clone(),
            reset_on_logon: self.reset_on_logon,
            ..session::Config::new(&identity.sender_comp_id, target)
        }
    }
}
