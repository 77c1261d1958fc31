//! Short names from clients (`ClOrdID`, `Account`, `Symbol`, `MDReqID`) as values of fixed size.

/// Longest accepted identifier in bytes.
pub const MAX_IDENTIFIER: usize = 20;

/// 1 to 20 bytes of printable ASCII, held without allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Identifier {
    bytes: [u8; MAX_IDENTIFIER],
    len: u8,
}

impl Identifier {
    /// The identifier, or `None` if it is empty, too long or not printable ASCII.
    pub(crate) fn new(value: &[u8]) -> Option<Self> {
        if value.is_empty()
            || value.len() > MAX_IDENTIFIER
            || !value.iter().all(|b| (0x20..0x7f).contains(b))
        {
            return None;
        }
        let mut bytes = [0; MAX_IDENTIFIER];
        bytes[..value.len()].copy_from_slice(value);
        let len = u8::try_from(value.len()).expect("at most MAX_IDENTIFIER, checked above");
        Some(Self { bytes, len })
    }

    /// The bytes as sent.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_printable_ascii_is_taken() {
        assert_eq!(Identifier::new(b"").map(|i| i.len), None);
        assert!(Identifier::new(&[b'a'; 21]).is_none());
        assert!(Identifier::new(b"a\tb").is_none());
        assert!(Identifier::new("é".as_bytes()).is_none());
        assert_eq!(Identifier::new(&[b'a'; 20]).unwrap().as_bytes(), &[b'a'; 20]);
        assert_eq!(Identifier::new(b"0102").unwrap().as_bytes(), b"0102");
    }
}
