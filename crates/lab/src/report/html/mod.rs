//! The report as one page of HTML: no scripts, styles, fonts or pictures from elsewhere.
//!
//! Charts are SVG that is made here with integer arithmetic, so that the page of a run is the same
//! bytes on every machine. What a pointer shows in passing is always in a table too.

mod charts;
mod page;
mod scale;
mod sections;
mod svg;

pub(super) use page::render;

/// Text as HTML.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #[test]
    fn markup_is_escaped() {
        assert_eq!(super::escape("a<b & \"c\" 'd'>"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
    }
}
