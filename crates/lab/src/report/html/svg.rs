//! A picture with a plot area, axes and marks.

use std::fmt::Write;

use super::escape;
use super::scale::Scale;

/// The plot area within a picture, in tenths of a pixel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub left: i64,
    pub top: i64,
    pub right: i64,
    pub bottom: i64,
}

/// An SVG in the making. All coordinates are in tenths of a pixel.
pub(super) struct Picture {
    body: String,
    width: i64,
    height: i64,
    pub area: Area,
}

/// A place or length as pixels: `123` is `12.3`.
pub(super) fn px(tenths: i64) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    let size = tenths.unsigned_abs();
    if size.is_multiple_of(10) {
        return format!("{sign}{}", size / 10);
    }
    format!("{sign}{}.{}", size / 10, size % 10)
}

impl Picture {
    /// A picture of `width` by `height` pixels with room for axes at the left and below.
    pub(super) fn new(width: i64, height: i64) -> Self {
        let (width, height) = (width * 10, height * 10);
        let area = Area { left: 580, top: 120, right: width - 140, bottom: height - 420 };
        Self { body: String::new(), width, height, area }
    }

    /// Appends markup.
    pub(super) fn add(&mut self, markup: std::fmt::Arguments<'_>) {
        self.body.write_fmt(markup).expect("a string takes all that is written");
    }

    /// The axis at the left: its grid lines and labels.
    pub(super) fn y_axis(&mut self, scale: &Scale, wanted: u64, label: impl Fn(u64) -> String) {
        let Area { left, right, .. } = self.area;
        for tick in scale.ticks(wanted) {
            let y = px(scale.place(tick));
            self.add(format_args!(
                "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\"/>",
                px(left),
                px(right)
            ));
            self.add(format_args!(
                "<text class=\"tick\" x=\"{}\" y=\"{y}\" dy=\".32em\" text-anchor=\"end\">{}</text>",
                px(left - 80),
                escape(&label(tick))
            ));
        }
    }

    /// The axis below: its line and labels.
    pub(super) fn x_axis(&mut self, scale: &Scale, wanted: u64, label: impl Fn(u64) -> String) {
        let ticks: Vec<_> =
            scale.ticks(wanted).into_iter().map(|tick| (scale.place(tick), label(tick))).collect();
        self.x_labels(&ticks);
    }

    /// The axis below, with labels at given places.
    pub(super) fn x_labels(&mut self, ticks: &[(i64, String)]) {
        let Area { left, right, bottom, .. } = self.area;
        let y = px(bottom);
        self.add(format_args!(
            "<line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\"/>",
            px(left),
            px(right)
        ));
        for (x, label) in ticks {
            let x = px(*x);
            self.add(format_args!(
                "<line class=\"axis\" x1=\"{x}\" x2=\"{x}\" y1=\"{y}\" y2=\"{}\"/>",
                px(bottom + 40)
            ));
            self.add(format_args!(
                "<text class=\"tick\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                px(bottom + 175),
                escape(label)
            ));
        }
    }

    /// What the axis below shows.
    pub(super) fn x_title(&mut self, title: &str) {
        let Area { left, right, bottom, .. } = self.area;
        self.add(format_args!(
            "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            px(left.midpoint(right)),
            px(bottom + 355),
            escape(title)
        ));
    }

    /// A dashed line across the plot at `x`, with a label at its head.
    pub(super) fn marker(&mut self, x: i64, label: &str) {
        let Area { top, bottom, right, .. } = self.area;
        // Near the right edge the label stands to the left of its line.
        let (anchor, dx) = if x > right - 500 { ("end", -40) } else { ("start", 40) };
        self.add(format_args!(
            "<line class=\"marker\" x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/>",
            px(x),
            px(top),
            px(bottom)
        ));
        self.add(format_args!(
            "<text class=\"mark\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
            px(x + dx),
            px(top + 60),
            escape(label)
        ));
    }

    /// An unseen area that shows `tip` under the pointer.
    pub(super) fn hit(&mut self, x: i64, y: i64, width: i64, height: i64, tip: &str) {
        self.add(format_args!(
            "<rect class=\"hit\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" data-tip=\"{}\"/>",
            px(x),
            px(y),
            px(width),
            px(height),
            escape(tip)
        ));
    }

    /// The SVG. `id` is unique on the page; `title` names the picture and `says` describes it to
    /// those who do not see it.
    pub(super) fn finish(self, id: &str, title: &str, says: &str) -> String {
        format!(
            "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" \
             aria-labelledby=\"{id}-t {id}-d\"><title id=\"{id}-t\">{}</title>\
             <desc id=\"{id}-d\">{}</desc>{}</svg>",
            px(self.width),
            px(self.height),
            escape(title),
            escape(says),
            self.body
        )
    }
}
