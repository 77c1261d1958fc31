//! The states, what the application is told, and what is counted.

/// Connection states of RFC 9293 section 3.3.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// No connection: it ended, or was given up.
    Closed,
    /// Waiting for a peer's SYN.
    Listen,
    /// SYN sent.
    SynSent,
    /// SYN received and sent.
    SynReceived,
    /// Open both ways.
    Established,
    /// We closed; the FIN is not acknowledged yet.
    FinWait1,
    /// We closed and the peer knows; it may go on sending.
    FinWait2,
    /// The peer closed; we may go on sending.
    CloseWait,
    /// Both closed at the same time; our FIN is not acknowledged yet.
    Closing,
    /// The peer closed, then we; our FIN is not acknowledged yet.
    LastAck,
    /// Both closed; late segments are still answered.
    TimeWait,
}

impl State {
    /// Whether both sides know each other's initial sequence number and may send data.
    pub fn is_synchronized(self) -> bool {
        !matches!(self, State::Closed | State::Listen | State::SynSent | State::SynReceived)
    }

    /// Whether our side may still send data it has not sent before.
    pub(super) fn may_send(self) -> bool {
        matches!(self, State::Established | State::CloseWait)
    }

    /// Whether the peer may still send data.
    pub(super) fn may_receive(self) -> bool {
        matches!(self, State::Established | State::FinWait1 | State::FinWait2)
    }
}

/// Why a connection was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResetReason {
    /// The peer answered our SYN with a reset.
    Refused,
    /// The peer reset an open connection.
    ByPeer,
    /// [`abort`](super::Endpoint::abort) was called.
    Aborted,
}

/// Which patience ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeoutReason {
    /// The opening handshake.
    Connect,
    /// Data or a FIN stayed unacknowledged for the user timeout.
    User,
    /// An idle peer answered none of the keep-alive probes.
    KeepAlive,
}

/// What the application is told. Each happens at most once, except `DataReady`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// The connection is open.
    Connected,
    /// There are bytes to take. Told again only after this one was taken.
    DataReady,
    /// The peer will send no more; what it sent before can still be taken.
    PeerClosed,
    /// Both directions ended in order and everything we sent was acknowledged. The endpoint may
    /// stay in TIME-WAIT for a while.
    Closed,
    /// The connection was cut. Bytes the peer did not acknowledge may be lost.
    Reset(ResetReason),
    /// The connection was given up. Bytes the peer did not acknowledge may be lost.
    TimedOut(TimeoutReason),
}

/// What an endpoint has seen and done since it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Segments handed to [`on_segment`](super::Endpoint::on_segment).
    pub segments_in: u64,
    /// Segments from [`poll_transmit`](super::Endpoint::poll_transmit), without delegated ones.
    pub segments_out: u64,
    /// Payload bytes that became readable.
    pub bytes_in: u64,
    /// Payload bytes sent for the first time, without delegated ones.
    pub bytes_out: u64,
    /// Segments sent again, after a timeout or after duplicate acknowledgements.
    pub retransmissions: u64,
    /// Losses found by three duplicate acknowledgements.
    pub fast_retransmits: u64,
    /// Retransmission timeouts, zero-window probes not among them.
    pub timeouts: u64,
    /// Zero-window probes.
    pub window_probes: u64,
    /// Keep-alive probes.
    pub keep_alives: u64,
    /// Segments whose payload or FIN had all been received before.
    pub duplicates: u64,
    /// Segments with payload that arrived before their predecessors.
    pub out_of_order: u64,
    /// Out-of-order stretches dropped because the reassembly ranges were used up.
    pub reassembly_full: u64,
    /// Segments dropped: outside the window, acknowledging what was never sent, for other ports,
    /// or senseless in the state.
    pub bad: u64,
    /// Challenge acknowledgements asked for by RFC 5961, those above the rate limit included.
    pub challenges: u64,
    /// Resets received and obeyed.
    pub resets_in: u64,
    /// Resets sent.
    pub resets_out: u64,
    /// Segments the fast path reported.
    pub delegated_segments: u64,
    /// Payload bytes the fast path reported.
    pub delegated_bytes: u64,
    /// Acknowledgements that overtook the report of the bytes they acknowledge.
    pub early_acks: u64,
}
