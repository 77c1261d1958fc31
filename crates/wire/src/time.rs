//! Time is a `u64` count of nanoseconds since the Unix epoch, in virtual and in live runs alike.

/// Nanoseconds since the Unix epoch (as an instant) or a span of nanoseconds (names end in `_ns`).
pub type Nanos = u64;

/// Nanoseconds in a microsecond.
pub const MICROSECOND: Nanos = 1_000;
/// Nanoseconds in a millisecond.
pub const MILLISECOND: Nanos = 1_000_000;
/// Nanoseconds in a second.
pub const SECOND: Nanos = 1_000_000_000;
