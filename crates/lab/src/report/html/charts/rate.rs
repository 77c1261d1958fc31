//! Packet and bit rates over the run's time.

use crate::measure::WindowedRate;
use crate::report::format::{
    bit_rate, duration, grouped, short_bit_rate, short_count, short_duration,
};
use crate::report::html::scale::Scale;
use crate::report::html::svg::{Picture, px};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report::html) enum Quantity {
    Packets,
    Bits,
}

impl Quantity {
    fn text(self, rate: u64) -> String {
        match self {
            Self::Packets => format!("{} pkt/s", grouped(rate)),
            Self::Bits => bit_rate(rate),
        }
    }

    fn short(self, rate: u64) -> String {
        match self {
            Self::Packets => short_count(rate),
            Self::Bits if rate == 0 => "0".to_owned(),
            Self::Bits => short_bit_rate(rate).replace("bit/s", "b/s"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Packets => "Packet rate",
            Self::Bits => "Bit rate",
        }
    }
}

/// At most so many bars; where there are more windows, a bar shows the busiest of its windows.
const BARS: u64 = 150;

/// The rate of a stream over time, with windows of one length.
pub(in crate::report::html) fn rate(
    id: &str,
    stream: &str,
    rate: &WindowedRate,
    duration_ns: u64,
    quantity: Quantity,
) -> String {
    let mut picture = Picture::new(540, 170);
    picture.area.bottom = 1_420;
    let area = picture.area;
    let (average, peak) = match quantity {
        Quantity::Packets => (rate.average_pps(), rate.peak_pps()),
        Quantity::Bits => (rate.average_bps(), rate.peak_bps()),
    };
    let windows = duration_ns.div_ceil(rate.window_ns).max(1);
    let per_bar = windows.div_ceil(BARS);
    let x = Scale::linear(0, windows.div_ceil(per_bar), area.left, area.right);
    let y = Scale::linear(0, peak.max(1), area.bottom, area.top + 40);
    picture.y_axis(&y, 3, |value| quantity.short(value));
    let bars = bars(rate, per_bar, quantity);
    let colour = if quantity == Quantity::Packets { 0 } else { 1 };
    for &(index, value) in &bars {
        let (left, right) = (x.place(index), x.place(index + 1));
        let top = y.place(value).min(area.bottom - 10);
        let gap = if right - left > 60 { 10 } else { 2 };
        picture.add(format_args!(
            "<rect class=\"bar c{colour}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            px(left),
            px(top),
            px((right - left - gap).max(8)),
            px(area.bottom - top)
        ));
    }
    let time = Scale::linear(0, windows.saturating_mul(rate.window_ns), area.left, area.right);
    picture.x_axis(&time, 5, short_duration);
    for &(index, value) in &bars {
        let (left, right) = (x.place(index), x.place(index + 1));
        let at = index * per_bar * rate.window_ns;
        let tip = format!("at {}: {}", short_duration(at), quantity.text(value));
        picture.hit(left, area.top, right - left, area.bottom - area.top, &tip);
    }
    let window = short_duration(rate.window_ns);
    let title = format!("{} of {stream}, {window} windows", quantity.name());
    let says = format!(
        "Average {}, peak {} over {} of virtual time.",
        quantity.text(average),
        quantity.text(peak),
        duration(duration_ns)
    );
    let caption = format!(
        "<figcaption><b>{}</b> · {window} windows · average {} · peak {}</figcaption>",
        quantity.name(),
        quantity.text(average),
        quantity.text(peak)
    );
    format!("<figure>{caption}{}</figure>", picture.finish(id, &title, &says))
}

/// The bars that stand above zero: number and greatest rate.
fn bars(rate: &WindowedRate, per_bar: u64, quantity: Quantity) -> Vec<(u64, u64)> {
    let mut bars: Vec<(u64, u64)> = Vec::new();
    for window in &rate.windows {
        let amount = match quantity {
            Quantity::Packets => window.packets,
            Quantity::Bits => window.bytes.saturating_mul(8),
        };
        let (index, value) = (window.index / per_bar, rate.per_second(amount));
        match bars.last_mut() {
            Some((last, greatest)) if *last == index => *greatest = value.max(*greatest),
            _ => bars.push((index, value)),
        }
    }
    bars
}
