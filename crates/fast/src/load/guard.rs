//! Limits on the shape of a document, checked before the XML parser sees it.
//!
//! The parser compares the attributes of an element with each other and copies the namespaces that
//! are in scope to every element that declares another. A document within the size limit could
//! make either take hours; no definition of templates comes near the limits below.

/// Most attributes and namespace declarations of one element.
const MAX_ATTRIBUTES: u32 = 64;
/// Deepest nesting of elements.
const MAX_DEPTH: u32 = 256;
/// Most namespaces in scope, added up over all elements that declare one.
const MAX_NAMESPACES: u32 = 1 << 18;

/// A limit that the document exceeds, and the offset where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Excess {
    pub offset: usize,
    pub what: &'static str,
    pub limit: u32,
}

/// Scans the tags of a document. What is not well-formed is left to the parser.
pub(super) fn check(xml: &str) -> Result<(), Excess> {
    // Namespaces in scope of each open element.
    let mut scopes: Vec<u32> = Vec::new();
    let mut namespaces = 0u32;
    let mut at = 0;
    while let Some(start) = xml.get(at..).and_then(|rest| rest.find('<')).map(|skip| at + skip) {
        let rest = &xml[start..];
        let skip_to = |end: &str| rest.find(end).map_or(xml.len(), |found| start + found + 1);
        let excess = |what, limit| Err(Excess { offset: start, what, limit });
        if rest.starts_with("<!--") {
            at = skip_to("-->");
        } else if rest.starts_with("<![CDATA[") {
            at = skip_to("]]>");
        } else if rest.starts_with("<?") {
            at = skip_to("?>");
        } else if rest.starts_with("</") {
            scopes.pop();
            at = skip_to(">");
        } else {
            let tag = scan_tag(rest);
            at = start + tag.length;
            if tag.attributes > MAX_ATTRIBUTES {
                return excess("attributes of an element", MAX_ATTRIBUTES);
            }
            let mut scope = scopes.last().copied().unwrap_or(0);
            if tag.namespaces > 0 {
                scope += tag.namespaces;
                namespaces = namespaces.saturating_add(scope);
                if namespaces > MAX_NAMESPACES {
                    return excess("namespaces in scope", MAX_NAMESPACES);
                }
            }
            if !tag.empty {
                scopes.push(scope);
                if scopes.len() > MAX_DEPTH as usize {
                    return excess("levels of elements", MAX_DEPTH);
                }
            }
        }
    }
    Ok(())
}

struct Tag {
    length: usize,
    attributes: u32,
    namespaces: u32,
    /// It ends in `/>`.
    empty: bool,
}

/// A start tag; an attribute is counted at each quoted value.
fn scan_tag(text: &str) -> Tag {
    let bytes = text.as_bytes();
    let mut tag = Tag { length: bytes.len(), attributes: 0, namespaces: 0, empty: false };
    // Where the name of the attribute at hand may begin.
    let mut name = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => {
                tag.attributes = tag.attributes.saturating_add(1);
                if text[name..at].trim_start().starts_with("xmlns") {
                    tag.namespaces += 1;
                }
                let value = &bytes[at + 1..];
                let length = value.iter().position(|other| other == byte).unwrap_or(value.len());
                at += length + 1;
                name = (at + 1).min(bytes.len());
            }
            b'>' => {
                tag.empty = at > 0 && bytes[at - 1] == b'/';
                tag.length = at + 1;
                return tag;
            }
            b' ' | b'\t' | b'\r' | b'\n' if tag.attributes == 0 && name == 0 => name = at,
            _ => {}
        }
        at += 1;
    }
    tag
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(xml: &str) -> Option<&'static str> {
        check(xml).err().map(|excess| excess.what)
    }

    #[test]
    fn ordinary_documents_pass() {
        let xml =
            "<?xml version='1.0'?><!-- <a b='c'> --><t xmlns='u' a=\">\"><x/><y a='/'>z</y></t>";
        assert_eq!(check(xml), Ok(()));
        let rows = "<x a='1' b=\"2\"/><y xmlns='u'></y>".repeat(10_000);
        assert_eq!(what(&format!("<t>{rows}</t>")), None);
        assert_eq!(what("<a <b"), None);
        assert_eq!(what("<a b='"), None);
        assert_eq!(what("é<é é='é'>é"), None);
    }

    #[test]
    fn shapes_that_take_the_parser_hours_are_refused() {
        let attributes: String = (0..65).map(|index| format!(" a{index}='>'")).collect();
        assert_eq!(what(&format!("<t{attributes}/>")), Some("attributes of an element"));
        assert_eq!(what(&"<t>".repeat(257)), Some("levels of elements"));
        let declared: String = (0..64).map(|index| format!(" xmlns:n{index}='u'")).collect();
        let many = format!("<t{declared}>").repeat(100) + &"<t xmlns='u'/>".repeat(100);
        assert_eq!(what(&many), Some("namespaces in scope"));
    }
}
