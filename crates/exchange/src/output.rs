//! What the engine hands back: one ordered list, bytes in one reused buffer.

use std::ops::Range;

use saker_feed::channel::Stream;
use saker_feed::publish::PacketSink;

/// Names one transport connection for as long as it is open; chosen by the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(pub u32);

/// One thing for the driver to do, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// The engine has begun to serve one order command; what follows comes from it. Drivers that
    /// model service time charge here, others skip it.
    Command {
        /// The connection that sent the command.
        connection: ConnectionId,
    },
    /// Send one FIX message on a connection.
    Send {
        /// On which connection.
        connection: ConnectionId,
        /// Where the bytes are, for [`Outputs::bytes`].
        range: Range<usize>,
    },
    /// Send one packet on line A and the same on line B.
    Feed {
        /// The stream it belongs to.
        stream: Stream,
        /// Where the payload is, for [`Outputs::bytes`].
        range: Range<usize>,
    },
    /// Close the connection. The engine has forgotten it; no `on_disconnect` is due.
    Close {
        /// Which connection.
        connection: ConnectionId,
        /// Reset it at once and drop what is unwritten; otherwise everything sent on it before
        /// still leaves.
        abort: bool,
    },
}

/// The ordered outputs of one or more calls into the engine. Reuse it: [`Outputs::clear`] keeps
/// the memory.
#[derive(Debug, Default)]
pub struct Outputs {
    items: Vec<Output>,
    bytes: Vec<u8>,
}

impl Outputs {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.bytes.clear();
    }

    /// The outputs in the order in which they are to be carried out.
    pub fn items(&self) -> &[Output] {
        &self.items
    }

    /// The bytes of a [`Output::Send`] or [`Output::Feed`] of this list.
    pub fn bytes(&self, range: &Range<usize>) -> &[u8] {
        &self.bytes[range.clone()]
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(crate) fn command(&mut self, connection: ConnectionId) {
        self.items.push(Output::Command { connection });
    }

    pub(crate) fn send(&mut self, connection: ConnectionId, bytes: &[u8]) {
        let range = self.store(bytes);
        self.items.push(Output::Send { connection, range });
    }

    pub(crate) fn close(&mut self, connection: ConnectionId, abort: bool) {
        self.items.push(Output::Close { connection, abort });
    }

    fn store(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }
}

impl PacketSink for Outputs {
    fn packet(&mut self, stream: Stream, payload: &[u8]) {
        let range = self.store(payload);
        self.items.push(Output::Feed { stream, range });
    }
}
