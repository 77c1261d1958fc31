//! Numbers as text, by integer arithmetic only.

const SECONDS: [(&str, u64); 4] =
    [("ns", 1), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
const BIT_RATES: [(&str, u64); 4] =
    [("bit/s", 1), ("kbit/s", 1_000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000)];

/// `1234567` as `1,234,567`.
pub(super) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of tenths as `1,234.5`.
pub(super) fn tenths(value: u64) -> String {
    format!("{}.{}", grouped(value / 10), value % 10)
}

/// Nanoseconds with a unit, to four digits: `567 ns`, `1.739 µs`, `12.35 ms`.
pub(super) fn duration(ns: u64) -> String {
    with_unit(ns, &SECONDS, false)
}

/// As [`duration`], without zeros at the end: for axes.
pub(super) fn short_duration(ns: u64) -> String {
    if ns == 0 { "0".to_owned() } else { with_unit(ns, &SECONDS, true) }
}

/// Bits per second with a unit, to four digits.
pub(super) fn bit_rate(bps: u64) -> String {
    with_unit(bps, &BIT_RATES, false)
}

/// As [`bit_rate`], without zeros at the end.
pub(super) fn short_bit_rate(bps: u64) -> String {
    with_unit(bps, &BIT_RATES, true)
}

/// A count for an axis: `950`, `1.5k`, `20k`, `3M`.
pub(super) fn short_count(value: u64) -> String {
    if value < 1_000 {
        return value.to_string();
    }
    let units = [("", 1), ("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)];
    with_unit(value, &units, true).replace(' ', "")
}

/// A share in tenths of a percent as `12.3 %`.
pub(super) fn per_mille(share: u64) -> String {
    format!("{} %", tenths(share))
}

fn with_unit(value: u64, units: &[(&str, u64)], trim: bool) -> String {
    let above = units.iter().rposition(|&(_, size)| value >= size).unwrap_or(0);
    let (mut unit, mut number) = (units[above].0, four_digits(value, units[above].1));
    // Rounding up may reach the next unit: 999.96 µs is 1.000 ms.
    if number.starts_with("1000") && above > 0 && above + 1 < units.len() {
        (unit, number) = (units[above + 1].0, "1.000".to_owned());
    }
    if trim && number.contains('.') {
        number.truncate(number.trim_end_matches('0').trim_end_matches('.').len());
    }
    format!("{number} {unit}")
}

/// `value / size`, rounded to four digits; whole if `size` is 1 or four digits do not do.
fn four_digits(value: u64, size: u64) -> String {
    let (value, size) = (u128::from(value), u128::from(size));
    let decimals = match value / size {
        _ if size == 1 => 0,
        0..=9 => 3,
        10..=99 => 2,
        100..=999 => 1,
        _ => 0,
    };
    let power = 10_u128.pow(decimals);
    let rounded = (value * power + size / 2) / size;
    if decimals == 0 {
        return rounded.to_string();
    }
    format!("{}.{:0width$}", rounded / power, rounded % power, width = decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        let texts = [0, 999, 1_000, 1_234_567, u64::MAX].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615"]);
    }

    #[test]
    fn durations_have_four_digits() {
        let texts = [0, 567, 1_739, 12_345, 999_960, 12_350_000, 2_000_000_000].map(duration);
        let expected =
            ["0 ns", "567 ns", "1.739 µs", "12.35 µs", "1.000 ms", "12.35 ms", "2.000 s"];
        assert_eq!(texts, expected);
        assert_eq!(duration(12_345_678_900_000), "12346 s");
    }

    #[test]
    fn axes_have_no_zeros_at_the_end() {
        assert_eq!([1_000, 1_500, 100].map(short_duration), ["1 µs", "1.5 µs", "100 ns"]);
        assert_eq!([950, 1_500, 20_000].map(short_count), ["950", "1.5k", "20k"]);
        assert_eq!(short_bit_rate(2_641_140_000), "2.641 Gbit/s");
    }
}
