//! Latency by percentile, on an axis that gives each further nine the same room.

use super::COLOURS;
use crate::measure::{Series, nearest_rank};
use crate::report::format::{duration, short_duration};
use crate::report::html::escape;
use crate::report::html::scale::{Scale, log2, share};
use crate::report::html::svg::{Picture, px};

/// Percentiles with a label: in thousandths of a percent, and one in how many lies beyond.
const LABELLED: [(u32, u64, &str); 8] = [
    (0, 1, "0 %"),
    (50_000, 2, "50 %"),
    (75_000, 4, "75 %"),
    (90_000, 10, "90 %"),
    (99_000, 100, "99 %"),
    (99_900, 1_000, "99.9 %"),
    (99_990, 10_000, "99.99 %"),
    (99_999, 100_000, "99.999 %"),
];

/// The curves of all series in one picture, with a legend.
pub(in crate::report::html) fn percentiles(id: &str, all: &[Series]) -> String {
    let sorted: Vec<(usize, &Series, Vec<u64>)> = all
        .iter()
        .enumerate()
        .map(|(index, series)| (index % COLOURS, series, series.sorted()))
        .filter(|(_, _, sorted)| !sorted.is_empty())
        .collect();
    let min = sorted.iter().filter_map(|(_, _, sorted)| sorted.first()).min();
    let max = sorted.iter().filter_map(|(_, _, sorted)| sorted.last()).max();
    let most = sorted.iter().map(|(_, _, sorted)| sorted.len() as u64).max();
    let (Some(&min), Some(&max), Some(most)) = (min, max, most) else {
        return String::new();
    };
    let mut picture = Picture::new(1_120, 360);
    let area = picture.area;
    let y = Scale::latency(min, max, area.bottom, area.top);
    picture.y_axis(&y, 6, short_duration);
    // One in `most` samples lies at the right edge; the axis shows two nines at least.
    let reach = log2(most.max(100));
    let place = |beyond: u64, of: u64| {
        // log2(of / beyond), at most the axis' reach.
        let along = (log2(of) - log2(beyond)).min(reach);
        area.left + share(along, reach, area.right - area.left)
    };
    let ticks: Vec<_> = LABELLED
        .iter()
        .filter(|(_, one_in, _)| log2(*one_in) <= reach)
        .map(|(_, one_in, label)| (place(1, *one_in), (*label).to_owned()))
        .collect();
    picture.x_labels(&ticks);
    picture.x_title("percentile");
    for (colour, _, sorted) in &sorted {
        let path = curve(sorted, &y, place);
        picture.add(format_args!("<path class=\"line s{colour}\" d=\"{path}\"/>"));
    }
    for (x, millis, label) in LABELLED
        .iter()
        .filter(|(_, one_in, _)| log2(*one_in) <= reach)
        .map(|(millis, one_in, label)| (place(1, *one_in), *millis, *label))
    {
        let tip: Vec<String> = sorted
            .iter()
            .filter_map(|(_, series, sorted)| {
                let value = nearest_rank(sorted, millis)?;
                Some(format!("{}: {}", series.name, duration(value)))
            })
            .collect();
        let name = if millis == 0 { "min" } else { label };
        let tip = format!("{name}\n{}", tip.join("\n"));
        picture.hit(x - 250, area.top, 500, area.bottom - area.top, &tip);
    }
    let legend: String = sorted
        .iter()
        .map(|(colour, series, _)| {
            format!("<li><i class=\"key k{colour}\"></i>{}</li>", escape(&series.name))
        })
        .collect();
    let svg = picture.finish(
        id,
        "Latency by percentile",
        "Curves of latency by percentile for each series; the numbers are in the latency table.",
    );
    format!("<ul class=\"legend\">{legend}</ul>{svg}")
}

/// A staircase through the samples: flat at a sample's value up to its place. Steps within half a
/// pixel of the one before are joined.
fn curve(sorted: &[u64], y: &Scale, place: impl Fn(u64, u64) -> i64) -> String {
    let count = sorted.len() as u64;
    let (mut last_x, mut last_y) = (place(1, 1), y.place(sorted[0]));
    let mut path = format!("M{} {}", px(last_x), px(last_y));
    for (index, &sample) in sorted.iter().enumerate() {
        // The share of samples before this one lies to its left.
        let x = place(count - index as u64, count);
        let height = y.place(sample);
        if height != last_y && x >= last_x + 5 {
            path.push_str(&format!("H{}V{}", px(x), px(height)));
            (last_x, last_y) = (x, height);
        }
    }
    let greatest = sorted.last().map_or(last_y, |&sample| y.place(sample));
    path.push_str(&format!("H{}V{}", px(place(1, count)), px(greatest)));
    path
}
