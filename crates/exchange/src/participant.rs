//! One participant: its FIX session over all its connections, its order names, its subscriptions.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use saker_fix::dictionary::Dictionary;
use saker_fix::encode::Writer;
use saker_fix::session::{Config, SendError, Session};
use saker_wire::time::Nanos;

use crate::config::{LimitsConfig, ParticipantConfig};
use crate::identifier::Identifier;
use crate::order::ClientReference;
use crate::output::{ConnectionId, Outputs};
use crate::report::Report;

/// A standing market-data request.
#[derive(Debug, Clone)]
pub(crate) struct Subscription {
    /// `MDReqID` (262).
    pub(crate) request: Identifier,
    /// Indices of the instruments.
    pub(crate) instruments: Vec<usize>,
}

pub(crate) struct Participant {
    pub(crate) config: ParticipantConfig,
    pub(crate) session: Session,
    /// The connection that carries the session now.
    pub(crate) connection: Option<ConnectionId>,
    /// Bytes handed to the driver and not yet reported as written.
    pub(crate) backlog: usize,
    /// The backlog is beyond the limit; the engine is to close the session.
    pub(crate) overloaded: bool,
    /// Every `ClOrdID` used in this run.
    pub(crate) client_ids: FxHashMap<Identifier, ClientReference>,
    pub(crate) subscriptions: Vec<Subscription>,
    /// How many of its subscribers are owed an update.
    pub(crate) owed: usize,
    pub(crate) open_orders: usize,
    /// Reports that arose while the session was down.
    pub(crate) offline: VecDeque<Report>,
    disconnect_bytes: usize,
}

impl Participant {
    pub(crate) fn new(
        config: &ParticipantConfig,
        comp_id: &str,
        limits: &LimitsConfig,
        dictionary: &Arc<Dictionary>,
    ) -> Self {
        let mut session = Config::new(comp_id, Some(&config.comp_id));
        session.logon_timeout_ns = limits.logon_timeout_ns;
        session.dictionary = Some(Arc::clone(dictionary));
        // A full resend must not look like a peer that does not read.
        session.resend_capacity = limits.disconnect_bytes / 2;
        Self {
            config: config.clone(),
            session: Session::acceptor(session),
            connection: None,
            backlog: 0,
            overloaded: false,
            client_ids: FxHashMap::default(),
            subscriptions: Vec::new(),
            owed: 0,
            open_orders: 0,
            offline: VecDeque::new(),
            disconnect_bytes: limits.disconnect_bytes,
        }
    }

    /// Sends one application message if the session is up.
    pub(crate) fn send(
        &mut self,
        now: Nanos,
        msg_type: &str,
        body: impl FnOnce(&mut Writer<'_>),
        out: &mut Outputs,
    ) -> Result<(), SendError> {
        self.session.send(now, msg_type, body)?;
        self.drain(out);
        Ok(())
    }

    /// Hands everything the session wants to send to the driver.
    pub(crate) fn drain(&mut self, out: &mut Outputs) {
        while let Some(bytes) = self.session.poll_output() {
            let Some(connection) = self.connection else { continue };
            self.backlog += bytes.len();
            out.send(connection, bytes);
        }
        self.overloaded |= self.backlog > self.disconnect_bytes;
    }
}
