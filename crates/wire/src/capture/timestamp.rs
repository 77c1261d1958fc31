//! Timestamps of pcapng interfaces to nanoseconds.

use crate::time::Nanos;

/// How an interface counts time: `if_tsresol` and `if_tsoffset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    /// Bit 7 clear: units of 10^-n seconds; set: units of 2^-n seconds; n is the other seven bits.
    pub resolution: u8,
    /// Seconds to add.
    pub offset_s: i64,
}

impl Clock {
    /// Microseconds, what an interface without options counts.
    pub const DEFAULT: Clock = Clock { resolution: 6, offset_s: 0 };

    /// The instant of `units`, rounded down to nanoseconds. `None` if [`Nanos`] cannot hold it.
    pub fn nanos(self, units: u64) -> Option<Nanos> {
        let exponent = u32::from(self.resolution & 0x7F);
        let since = if self.resolution & 0x80 != 0 {
            // 64 bits of units and 30 of a billion leave room in 128; the shift is at most 127.
            (u128::from(units) * 1_000_000_000) >> exponent
        } else if exponent <= 9 {
            u128::from(units) * 10u128.pow(9 - exponent)
        } else {
            // 10^20 exceeds every u64, so larger powers divide to zero alike.
            u128::from(units) / 10u128.pow((exponent - 9).min(20))
        };
        let offset = i128::from(self.offset_s) * 1_000_000_000;
        Nanos::try_from(i128::try_from(since).ok()? + offset).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nanos(resolution: u8, units: u64) -> Option<Nanos> {
        Clock { resolution, offset_s: 0 }.nanos(units)
    }

    #[test]
    fn decimal_resolutions() {
        assert_eq!(nanos(0, 7), Some(7_000_000_000));
        assert_eq!(nanos(3, 7), Some(7_000_000));
        assert_eq!(nanos(6, 1_234_567), Some(1_234_567_000));
        assert_eq!(nanos(9, 1_234_567), Some(1_234_567));
        assert_eq!(nanos(12, 1_234_567), Some(1_234));
        assert_eq!(nanos(127, u64::MAX), Some(0));
    }

    #[test]
    fn binary_resolutions() {
        assert_eq!(nanos(0x80, 3), Some(3_000_000_000));
        assert_eq!(nanos(0x81, 3), Some(1_500_000_000));
        // NTP's 2^-32 s: 1.25 s.
        assert_eq!(nanos(0xA0, 0x1_4000_0000), Some(1_250_000_000));
        assert_eq!(nanos(0xA0, u64::MAX), Some(4_294_967_295_999_999_999));
        assert_eq!(nanos(0xFF, u64::MAX), Some(0));
    }

    #[test]
    fn offsets_move_and_may_leave_the_range() {
        let clock = |offset_s| Clock { resolution: 9, offset_s };
        assert_eq!(clock(2).nanos(5), Some(2_000_000_005));
        assert_eq!(clock(-2).nanos(2_000_000_005), Some(5));
        assert_eq!(clock(-2).nanos(5), None);
        assert_eq!(clock(i64::MAX).nanos(5), None);
        assert_eq!(clock(i64::MIN).nanos(u64::MAX), None);
        assert_eq!(nanos(0, 18_446_744_074), None);
    }
}
