//! Latency over the run's time.

use super::data_table;
use saker_wire::station::FrameId;

use crate::measure::{Series, nearest_rank};
use crate::report::format::{duration, grouped, short_duration};
use crate::report::html::scale::Scale;
use crate::report::html::svg::{Picture, px};

/// Up to so many samples are shown one by one.
const SCATTER: usize = 400;
/// The run is cut into so many slices otherwise.
const SLICES: u64 = 96;

/// The samples of one slice of time, in ascending order.
struct Slice {
    index: u64,
    sorted: Vec<(u64, FrameId)>,
}

/// Latency over time: each sample if there are few, otherwise least, median and greatest of each
/// slice.
pub(in crate::report::html) fn timeline(
    id: &str,
    series: &Series,
    start_ns: u64,
    duration_ns: u64,
    colour: usize,
) -> String {
    let numbers = series.summary();
    if numbers.count == 0 {
        return String::new();
    }
    let mut picture = Picture::new(540, 270);
    let area = picture.area;
    let y = Scale::latency(numbers.min_ns, numbers.max_ns, area.bottom, area.top);
    let x = Scale::linear(0, duration_ns.max(1), area.left, area.right);
    picture.y_axis(&y, 5, short_duration);
    picture.x_axis(&x, 5, short_duration);
    let slices = cut(series, start_ns, duration_ns);
    let shown = if series.samples.len() <= SCATTER {
        for sample in &series.samples {
            picture.add(format_args!(
                "<circle class=\"dot c{colour}\" cx=\"{}\" cy=\"{}\" r=\"2\"/>",
                px(x.place(sample.at.saturating_sub(start_ns))),
                px(y.place(sample.ns))
            ));
        }
        "each sample"
    } else {
        for slice in &slices {
            draw(&mut picture, slice, &x, &y, duration_ns, colour);
        }
        "min to max, and median, of each slice"
    };
    picture.x_title(&format!("virtual time since the start · {shown}"));
    let mut rows = Vec::new();
    for slice in &slices {
        let from = instant(slice.index * 2, duration_ns);
        let to = instant(slice.index * 2 + 2, duration_ns);
        let [least, median, greatest] = extremes(&slice.sorted);
        let count = grouped(slice.sorted.len() as u64);
        // Frames are named as in the capture's comments.
        let named = |(ns, trigger): (u64, FrameId)| match trigger {
            0 => duration(ns),
            _ => format!("{} (frame {trigger})", duration(ns)),
        };
        picture.hit(
            x.place(from),
            area.top,
            (x.place(to) - x.place(from)).max(10),
            area.bottom - area.top,
            &format!(
                "from {}: {count} samples\nmin {}\np50 {}\nmax {}",
                short_duration(from),
                named(least),
                duration(median.0),
                named(greatest)
            ),
        );
        let times = [least, median, greatest].map(|(ns, _)| duration(ns));
        let triggers = [least, greatest].map(|(_, trigger)| trigger.to_string());
        rows.push([vec![short_duration(from), count], times.into(), triggers.into()].concat());
    }
    let title = format!("{} over time", series.name);
    let says = format!(
        "Latency over {} of virtual time, between {} and {}.",
        duration(duration_ns),
        duration(numbers.min_ns),
        duration(numbers.max_ns)
    );
    picture.finish(id, &title, &says)
        + &data_table(
            &["from", "samples", "min", "p50", "max", "frame of min", "frame of max"],
            &rows,
        )
}

fn draw(
    picture: &mut Picture,
    slice: &Slice,
    x: &Scale,
    y: &Scale,
    duration_ns: u64,
    colour: usize,
) {
    let [least, median, greatest] = extremes(&slice.sorted).map(|(ns, _)| y.place(ns));
    let middle = x.place(instant(slice.index * 2 + 1, duration_ns));
    picture.add(format_args!(
        "<line class=\"span s{colour}\" x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/>",
        px(middle),
        px(least + 5),
        px(greatest - 5)
    ));
    picture.add(format_args!(
        "<circle class=\"c{colour}\" cx=\"{}\" cy=\"{}\" r=\"2\"/>",
        px(middle),
        px(median)
    ));
}

/// The instant after so many half slices of the run.
fn instant(halves: u64, duration_ns: u64) -> u64 {
    let product = u128::from(halves) * u128::from(duration_ns) / u128::from(SLICES * 2);
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// The least, the median and the greatest.
fn extremes(sorted: &[(u64, FrameId)]) -> [(u64, FrameId); 3] {
    [0, 50_000, 100_000].map(|millis| nearest_rank(sorted, millis).unwrap_or((0, 0)))
}

/// Cuts the run into slices; empty ones are left out.
fn cut(series: &Series, start_ns: u64, duration_ns: u64) -> Vec<Slice> {
    let mut slices: Vec<Slice> = Vec::new();
    for sample in &series.samples {
        let since = u128::from(sample.at.saturating_sub(start_ns));
        let index = since * u128::from(SLICES) / u128::from(duration_ns.max(1));
        let index = u64::try_from(index).unwrap_or(SLICES).min(SLICES - 1);
        match slices.last_mut() {
            Some(last) if last.index == index => last.sorted.push((sample.ns, sample.trigger)),
            _ => slices.push(Slice { index, sorted: vec![(sample.ns, sample.trigger)] }),
        }
    }
    slices.iter_mut().for_each(|slice| slice.sorted.sort_unstable());
    slices
}
