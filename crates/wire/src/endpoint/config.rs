//! What an endpoint is told at start: its ports, its memory and its timers.

use crate::time::{MICROSECOND, MILLISECOND, Nanos, SECOND};

/// Most bytes any buffer may hold: keeps every two sequence numbers in use comparable.
const MAX_CAPACITY: usize = 1 << 30;
/// The smallest segment size this endpoint will use, whatever the peer offers. A peer that offers
/// less would make it send more header than payload.
pub(super) const MIN_MSS: u16 = 48;
/// The largest window shift (RFC 7323 section 2.3).
pub(super) const MAX_WINDOW_SHIFT: u8 = 14;

/// Keep-alive probing of an idle peer (RFC 9293 section 3.8.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepAlive {
    /// Silence from the peer before the first probe, in nanoseconds.
    pub idle_ns: Nanos,
    /// Between probes, in nanoseconds.
    pub interval_ns: Nanos,
    /// How many unanswered probes end the connection.
    pub probes: u32,
}

/// Capacities, timers and choices. All memory is taken when the endpoint is made.
#[derive(Debug, Clone)]
pub struct Config {
    /// Our port.
    pub local_port: u16,
    /// The peer's port. A listener learns it from the SYN and ignores this.
    pub remote_port: u16,
    /// The largest payload we accept in one segment, sent as the MSS option: the link's MTU less 40.
    /// Also the most we send, if the peer does not offer less. 48..=65495.
    pub mss: u16,
    /// Bytes [`send`](super::Endpoint::send) may queue that are not transmitted yet.
    pub send_capacity: usize,
    /// Bytes transmitted, by us or by the fast path, that the peer has not acknowledged yet.
    pub retransmit_capacity: usize,
    /// Bytes received that the application has not taken yet, out-of-order ones included; the
    /// largest window we advertise. Without `window_scale` only 65,535 of them are advertised.
    pub receive_capacity: usize,
    /// Separate stretches of out-of-order bytes remembered at a time.
    pub reassembly_ranges: usize,
    /// Our shift if both sides offer window scaling (RFC 7323); `None` does not offer it. 0..=14.
    pub window_scale: Option<u8>,
    /// Retransmission timeout before the first round trip is measured. RFC 6298 (2.1): one second.
    pub initial_rto_ns: Nanos,
    /// Lower bound of the retransmission timeout. RFC 6298 (2.4) recommends one second; Linux and
    /// this default use 200 ms, because both ends of an order connection stand in one hall.
    pub min_rto_ns: Nanos,
    /// Upper bound of the retransmission timeout and of the persist timer, at least 60 s by
    /// RFC 6298 (2.5).
    pub max_rto_ns: Nanos,
    /// How long an acknowledgement may wait for company; 0 acknowledges at once. RFC 9293 section
    /// 3.8.6.3 bounds it by 500 ms.
    pub delayed_ack_ns: Nanos,
    /// How long data may stay unacknowledged before the connection is given up (RFC 9293 section
    /// 3.8.3, R2; RFC 5482).
    pub user_timeout_ns: Nanos,
    /// How long the opening handshake may take.
    pub connect_timeout_ns: Nanos,
    /// How long TIME-WAIT lasts: twice the maximum segment lifetime.
    pub time_wait_ns: Nanos,
    /// Keep-alive probing, if wanted.
    pub keep_alive: Option<KeepAlive>,
    /// Segments that may be in flight before the first acknowledgement; RFC 6928 says ten.
    pub initial_window_segments: u16,
    /// Challenge and duplicate acknowledgements sent per second at most (RFC 5961 section 7).
    pub challenge_acks_per_second: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            local_port: 0,
            remote_port: 0,
            mss: 1460,
            send_capacity: 64 << 10,
            retransmit_capacity: 64 << 10,
            receive_capacity: 65_535,
            reassembly_ranges: 32,
            window_scale: None,
            initial_rto_ns: SECOND,
            min_rto_ns: 200 * MILLISECOND,
            max_rto_ns: 60 * SECOND,
            delayed_ack_ns: 0,
            user_timeout_ns: 300 * SECOND,
            connect_timeout_ns: 30 * SECOND,
            time_wait_ns: 60 * SECOND,
            keep_alive: None,
            initial_window_segments: 10,
            challenge_acks_per_second: 100,
        }
    }
}

/// Why a [`Config`] cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The segment size is outside 48..=65495.
    #[error("mss {0} is outside 48..=65495")]
    Mss(u16),
    /// A buffer is empty or above 2^30 bytes.
    #[error("{name} {value} is outside 1..=2^30")]
    Capacity {
        /// The field.
        name: &'static str,
        /// Its value.
        value: usize,
    },
    /// The retransmission memory does not hold one segment.
    #[error("retransmit_capacity {0} is below one segment")]
    RetransmitBelowMss(usize),
    /// The window shift is above 14.
    #[error("window_scale {0} is above 14")]
    WindowScale(u8),
    /// A timer that must run is zero, or the bounds of the timeout are crossed.
    #[error("{0} is out of range")]
    Timer(&'static str),
    /// Fewer than one segment may be in flight.
    #[error("initial_window_segments is 0")]
    InitialWindow,
}

impl Config {
    /// Whether the endpoint can run on it.
    pub fn check(&self) -> Result<(), ConfigError> {
        if !(MIN_MSS..=65_495).contains(&self.mss) {
            return Err(ConfigError::Mss(self.mss));
        }
        for (name, value) in [
            ("send_capacity", self.send_capacity),
            ("retransmit_capacity", self.retransmit_capacity),
            ("receive_capacity", self.receive_capacity),
            ("reassembly_ranges", self.reassembly_ranges),
        ] {
            if !(1..=MAX_CAPACITY).contains(&value) {
                return Err(ConfigError::Capacity { name, value });
            }
        }
        if self.retransmit_capacity < usize::from(self.mss) {
            return Err(ConfigError::RetransmitBelowMss(self.retransmit_capacity));
        }
        if let Some(shift) = self.window_scale.filter(|shift| *shift > MAX_WINDOW_SHIFT) {
            return Err(ConfigError::WindowScale(shift));
        }
        if self.min_rto_ns < MICROSECOND || self.min_rto_ns > self.max_rto_ns {
            return Err(ConfigError::Timer("min_rto_ns"));
        }
        if !(self.min_rto_ns..=self.max_rto_ns).contains(&self.initial_rto_ns) {
            return Err(ConfigError::Timer("initial_rto_ns"));
        }
        for (name, value) in [
            ("user_timeout_ns", self.user_timeout_ns),
            ("connect_timeout_ns", self.connect_timeout_ns),
            ("time_wait_ns", self.time_wait_ns),
            ("keep_alive.idle_ns", self.keep_alive.map_or(1, |k| k.idle_ns)),
            ("keep_alive.interval_ns", self.keep_alive.map_or(1, |k| k.interval_ns)),
            ("keep_alive.probes", self.keep_alive.map_or(1, |k| Nanos::from(k.probes))),
        ] {
            if value == 0 {
                return Err(ConfigError::Timer(name));
            }
        }
        if self.initial_window_segments == 0 {
            return Err(ConfigError::InitialWindow);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_usable_and_each_limit_is_checked() {
        let ok = Config::default();
        assert_eq!(ok.check(), Ok(()));
        let bad = |change: fn(&mut Config)| {
            let mut config = Config::default();
            change(&mut config);
            config.check().unwrap_err()
        };
        assert_eq!(bad(|c| c.mss = 47), ConfigError::Mss(47));
        assert_eq!(
            bad(|c| c.send_capacity = 0),
            ConfigError::Capacity { name: "send_capacity", value: 0 }
        );
        assert_eq!(bad(|c| c.retransmit_capacity = 100), ConfigError::RetransmitBelowMss(100));
        assert_eq!(bad(|c| c.window_scale = Some(15)), ConfigError::WindowScale(15));
        assert_eq!(bad(|c| c.min_rto_ns = 0), ConfigError::Timer("min_rto_ns"));
        assert_eq!(bad(|c| c.initial_rto_ns = 1), ConfigError::Timer("initial_rto_ns"));
        assert_eq!(bad(|c| c.user_timeout_ns = 0), ConfigError::Timer("user_timeout_ns"));
        assert_eq!(bad(|c| c.initial_window_segments = 0), ConfigError::InitialWindow);
    }
}
