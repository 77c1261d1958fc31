//! How often each latency occurred.

use super::data_table;
use crate::measure::{Sample, Series};
use crate::report::format::{duration, grouped, short_count, short_duration};
use crate::report::html::scale::{Scale, share};
use crate::report::html::svg::{Picture, px};

/// A bar: the samples of an equal share of the axis.
struct Bin {
    least: u64,
    greatest: u64,
    count: u64,
    /// The triggers' lengths: least, sum, greatest.
    bytes: (u32, u64, u32),
}

const BINS: i64 = 64;

/// The distribution of a series, and its numbers.
pub(in crate::report::html) fn histogram(id: &str, series: &Series, colour: usize) -> String {
    let mut sorted: Vec<&Sample> = series.samples.iter().collect();
    sorted.sort_by_key(|sample| sample.ns);
    let (Some(&&Sample { ns: min, .. }), Some(&&Sample { ns: max, .. })) =
        (sorted.first(), sorted.last())
    else {
        return String::new();
    };
    let mut picture = Picture::new(540, 270);
    let area = picture.area;
    let x = Scale::latency(min, max, area.left, area.right);
    let bins = fill(&sorted, &x);
    let most = bins.iter().map(|(_, bin)| bin.count).max().unwrap_or(1);
    let y = Scale::linear(0, most, area.bottom, area.top + 160);
    picture.y_axis(&y, 4, short_count);
    let width = (area.right - area.left) / BINS;
    for (index, bin) in &bins {
        let left = area.left + share(*index, BINS as u64, area.right - area.left);
        // A bar of one sample among thousands still shows.
        let top = y.place(bin.count).min(area.bottom - 15);
        picture.add(format_args!(
            "<rect class=\"bar c{colour}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            px(left + 5),
            px(top),
            px(width - 5),
            px(area.bottom - top)
        ));
    }
    picture.x_axis(&x, 5, short_duration);
    let numbers = series.summary();
    picture.marker(x.place(numbers.p50_ns), &format!("p50 {}", duration(numbers.p50_ns)));
    if x.place(numbers.p99_ns) > x.place(numbers.p50_ns) + 800 {
        picture.marker(x.place(numbers.p99_ns), &format!("p99 {}", duration(numbers.p99_ns)));
    }
    picture.x_title(&format!("latency · {} samples", grouped(numbers.count)));
    for (index, bin) in &bins {
        let left = area.left + share(*index, BINS as u64, area.right - area.left);
        let tip = format!(
            "{}: {} samples\ntrigger frames of {} bytes",
            range(bin),
            grouped(bin.count),
            lengths(bin)
        );
        picture.hit(left, area.top, width, area.bottom - area.top, &tip);
    }
    let rows: Vec<_> =
        bins.iter().map(|(_, bin)| vec![range(bin), grouped(bin.count), lengths(bin)]).collect();
    let title = format!("Distribution of {}", series.name);
    let says = format!(
        "Histogram of {} samples from {} to {}, median {}.",
        grouped(numbers.count),
        duration(min),
        duration(max),
        duration(numbers.p50_ns)
    );
    picture.finish(id, &title, &says) + &data_table(&["latency", "samples", "trigger bytes"], &rows)
}

fn range(bin: &Bin) -> String {
    if bin.least == bin.greatest {
        return duration(bin.least);
    }
    format!("{} – {}", duration(bin.least), duration(bin.greatest))
}

/// The triggers' lengths: one, or least / mean / greatest.
fn lengths(bin: &Bin) -> String {
    let (least, sum, greatest) = bin.bytes;
    if least == greatest {
        return least.to_string();
    }
    format!("{least} / {} / {greatest}", sum / bin.count)
}

/// The bins that hold something, by number.
fn fill(sorted: &[&Sample], x: &Scale) -> Vec<(u64, Bin)> {
    let mut bins: Vec<(u64, Bin)> = Vec::new();
    for sample in sorted {
        let bytes = sample.trigger_bytes;
        let along = (x.place(sample.ns) - x.from).unsigned_abs();
        let whole = (x.to - x.from).unsigned_abs();
        let index = share(along, whole, BINS).clamp(0, BINS - 1).unsigned_abs();
        match bins.last_mut() {
            Some((last, bin)) if *last == index => {
                bin.count += 1;
                bin.greatest = sample.ns;
                let (least, sum, greatest) = bin.bytes;
                bin.bytes = (least.min(bytes), sum + u64::from(bytes), greatest.max(bytes));
            }
            _ => {
                let bytes = (bytes, u64::from(bytes), bytes);
                let bin = Bin { least: sample.ns, greatest: sample.ns, count: 1, bytes };
                bins.push((index, bin));
            }
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_every_sample_once() {
        let sample = |n| Sample {
            at: 0,
            ns: 500 + n * n / 300,
            trigger: n,
            trigger_bytes: 60 + (n % 7) as u32,
        };
        let samples: Vec<Sample> = (0..1_000).map(sample).collect();
        let x = Scale::latency(500, 3_826, 0, 5_000);
        let bins = fill(&samples.iter().collect::<Vec<_>>(), &x);
        let bytes: u64 = bins.iter().map(|(_, bin)| bin.bytes.1).sum();
        let expected: u64 = samples.iter().map(|sample| u64::from(sample.trigger_bytes)).sum();
        assert_eq!(bytes, expected);
        assert_eq!(bins.iter().map(|(_, bin)| bin.count).sum::<u64>(), 1_000);
        assert!(
            bins.windows(2)
                .all(|pair| { pair[0].0 < pair[1].0 && pair[0].1.greatest <= pair[1].1.least })
        );
    }
}
