//! What the engine has done, refused and dropped.

/// Counters since start; all of them only grow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Counters {
    /// Connections accepted.
    pub connections: u64,
    /// Connections closed at once because there were too many.
    pub connections_refused: u64,
    /// Bytes for a connection the engine does not know (any more).
    pub stray_bytes: u64,
    /// Logons accepted.
    pub logons: u64,
    /// Connections closed for a wrong, late or missing logon.
    pub logons_refused: u64,
    /// Sessions closed because their peer did not read fast enough.
    pub slow_sessions_closed: u64,
    /// Sessions closed for a breach of the session protocol.
    pub session_errors: u64,
    /// Orders (D) taken in.
    pub new_orders: u64,
    /// Cancels (F) taken in.
    pub cancels: u64,
    /// Replaces (G) taken in.
    pub replaces: u64,
    /// Market-data requests (V) taken in.
    pub market_data_requests: u64,
    /// Orders refused with an execution report.
    pub orders_rejected: u64,
    /// Cancels and replaces refused with a cancel reject (9).
    pub cancels_rejected: u64,
    /// Market-data requests refused (Y).
    pub market_data_rejected: u64,
    /// Messages refused with a session reject (3).
    pub session_rejects: u64,
    /// Messages refused with a business reject (j).
    pub business_rejects: u64,
    /// Trades.
    pub trades: u64,
    /// Quantity traded.
    pub traded_quantity: u64,
    /// Session rejects (3) received from participants.
    pub rejects_received: u64,
    /// Messages that could be neither sent nor kept for later.
    pub messages_dropped: u64,
    /// FIX market-data messages (W) sent.
    pub market_data_sent: u64,
    /// FIX market-data updates merged into a later one under overload.
    pub market_data_conflated: u64,
    /// Orders cancelled because their session ended.
    pub cancelled_on_disconnect: u64,
}

impl Counters {
    /// Names and values in a fixed order, for reports and the digest.
    pub fn entries(&self) -> [(&'static str, u64); 23] {
        [
            ("connections", self.connections),
            ("connections_refused", self.connections_refused),
            ("stray_bytes", self.stray_bytes),
            ("logons", self.logons),
            ("logons_refused", self.logons_refused),
            ("slow_sessions_closed", self.slow_sessions_closed),
            ("session_errors", self.session_errors),
            ("new_orders", self.new_orders),
            ("cancels", self.cancels),
            ("replaces", self.replaces),
            ("market_data_requests", self.market_data_requests),
            ("orders_rejected", self.orders_rejected),
            ("cancels_rejected", self.cancels_rejected),
            ("market_data_rejected", self.market_data_rejected),
            ("session_rejects", self.session_rejects),
            ("business_rejects", self.business_rejects),
            ("trades", self.trades),
            ("traded_quantity", self.traded_quantity),
            ("rejects_received", self.rejects_received),
            ("messages_dropped", self.messages_dropped),
            ("market_data_sent", self.market_data_sent),
            ("market_data_conflated", self.market_data_conflated),
            ("cancelled_on_disconnect", self.cancelled_on_disconnect),
        ]
    }
}
