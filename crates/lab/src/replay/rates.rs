//! Rates counted as packets pass, in memory bounded by the windows that hold something.

use saker_wire::time::Nanos;

use crate::measure::{WINDOWS_NS, Window, WindowedRate};

/// The rates of one stream.
#[derive(Debug, Clone)]
pub(super) struct Rates {
    start: Option<Nanos>,
    rates: [WindowedRate; 4],
}

impl Default for Rates {
    fn default() -> Self {
        let rates = WINDOWS_NS.map(|window_ns| WindowedRate { window_ns, windows: Vec::new() });
        Self { start: None, rates }
    }
}

impl Rates {
    /// A packet of `bytes` at `now`, which never decreases. Windows begin with the first one.
    pub fn add(&mut self, now: Nanos, bytes: u64) {
        let start = *self.start.get_or_insert(now);
        for rate in &mut self.rates {
            let index = now.saturating_sub(start) / rate.window_ns;
            match rate.windows.last_mut() {
                Some(last) if last.index == index => {
                    last.packets += 1;
                    last.bytes += bytes;
                }
                _ => rate.windows.push(Window { index, packets: 1, bytes }),
            }
        }
    }

    /// The rates, if anything passed.
    pub fn windows(&self) -> Option<&[WindowedRate; 4]> {
        self.start.map(|_| &self.rates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::windowed;
    use crate::tap::TapRecord;

    #[test]
    fn agrees_with_the_rates_of_records() {
        let times: Vec<Nanos> = (0..4_000).map(|n: u64| 77 + n * n * 300).collect();
        let record = |(id, first_ns): (u64, &Nanos)| TapRecord {
            id,
            first_ns: *first_ns,
            last_ns: *first_ns,
            bytes: 60 + id as u32 % 900,
            kind: 0,
            cause: None,
        };
        let records: Vec<TapRecord> = (0..).zip(&times).map(record).collect();
        let mut rates = Rates::default();
        records.iter().for_each(|record| rates.add(record.first_ns, record.bytes.into()));
        for rate in &rates.rates {
            assert_eq!(*rate, windowed(&records, 77, rate.window_ns));
            assert!(rate.windows.len() > 1);
        }
        assert!(rates.windows().is_some());
        assert!(Rates::default().windows().is_none());
    }
}
