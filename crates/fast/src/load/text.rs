//! The text of a definition: positions in it, and prefixes that it forgot to declare.

use std::borrow::Cow;

use roxmltree::{Document, ParsingOptions};

use super::SCP_NAMESPACE;
use crate::model::Position;

/// More undeclared prefixes than any published file has.
const MAX_PREFIXES: usize = 16;

/// A definition's text as it is parsed.
pub(super) struct Text<'x> {
    pub xml: Cow<'x, str>,
    /// Where declarations were inserted, and how many bytes.
    inserted: (usize, usize),
    line_starts: Vec<usize>,
}

impl<'x> Text<'x> {
    pub fn new(xml: &'x str) -> Self {
        let line_starts =
            std::iter::once(0).chain(xml.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { xml: Cow::Borrowed(xml), inserted: (usize::MAX, 0), line_starts }
    }

    /// Declares every prefix that the parser finds undeclared on the root element. Other errors
    /// are left to the parser proper.
    pub fn declare_prefixes(&mut self, nodes_limit: u32) {
        for _ in 0..MAX_PREFIXES {
            let options = ParsingOptions { nodes_limit, ..ParsingOptions::default() };
            let prefix = match Document::parse_with_options(&self.xml, options) {
                Err(roxmltree::Error::UnknownNamespace(prefix, _)) => prefix,
                _ => return,
            };
            let Some(at) = end_of_root_name(&self.xml) else { return };
            let namespace = match prefix.as_str() {
                "scp" => SCP_NAMESPACE.to_owned(),
                other => format!("urn:undeclared:{other}"),
            };
            let declaration = format!(" xmlns:{prefix}=\"{namespace}\"");
            self.inserted = (at, self.inserted.1 + declaration.len());
            self.xml.to_mut().insert_str(at, &declaration);
        }
    }

    /// The position of a byte of the parsed text in the original text.
    pub fn position(&self, offset: usize) -> Position {
        let (at, length) = self.inserted;
        let offset = if offset > at { offset.saturating_sub(length).max(at) } else { offset };
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(offset - start + 1).unwrap_or(u32::MAX),
        }
    }
}

/// The offset behind the name in the root element's start tag.
fn end_of_root_name(xml: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += xml.get(at..)?.find('<')?;
        let rest = xml.get(at..)?;
        let skipped = if rest.starts_with("<!--") {
            rest.find("-->")? + 3
        } else if rest.starts_with("<?") {
            rest.find("?>")? + 2
        } else if rest.starts_with("<!") {
            rest.find('>')? + 1
        } else {
            let name = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
            return Some(at + name);
        };
        at += skipped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_do_not_move_positions() {
        let xml = "<?xml version='1.0'?><!-- <a> -->\n<t:a s:x='1'>\n  <b/></t:a>";
        let mut text = Text::new(xml);
        text.declare_prefixes(100);
        let document = roxmltree::Document::parse(&text.xml).unwrap();
        let b = document.root_element().first_element_child().unwrap();
        assert_eq!(text.position(b.range().start), Position { line: 3, column: 3 });
        assert_eq!(text.position(document.root_element().range().start).line, 2);
    }
}
