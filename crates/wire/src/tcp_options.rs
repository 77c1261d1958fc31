//! TCP options (RFC 9293 section 3.2, RFC 7323, RFC 2018).

use crate::error::{ParseError, ParseErrorKind};

const KIND_END: u8 = 0;
const KIND_NOP: u8 = 1;
const KIND_MSS: u8 = 2;
const KIND_WINDOW_SCALE: u8 = 3;
const KIND_SACK_PERMITTED: u8 = 4;
const KIND_TIMESTAMPS: u8 = 8;

/// One option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TcpOption<'a> {
    /// Padding between options.
    Nop,
    /// Largest segment payload the sender of this option accepts, in bytes.
    Mss(u16),
    /// The left shift for this sender's windows. RFC 7323 says to use 14 if it is larger.
    WindowScale(u8),
    /// Selective acknowledgements are understood.
    SackPermitted,
    /// TSval and TSecr.
    Timestamps {
        /// The sender's clock.
        value: u32,
        /// The peer's clock, echoed; valid with ACK.
        echo: u32,
    },
    /// Any other kind, SACK blocks (5) included.
    Unknown {
        /// The option's kind.
        kind: u8,
        /// What follows kind and length, at most 38 bytes.
        data: &'a [u8],
    },
}

impl TcpOption<'_> {
    /// Appends the option.
    ///
    /// # Panics
    /// If the data of an unknown option exceed 38 bytes.
    pub fn emit(&self, out: &mut Vec<u8>) {
        match *self {
            TcpOption::Nop => out.push(KIND_NOP),
            TcpOption::Mss(bytes) => {
                out.extend_from_slice(&[KIND_MSS, 4]);
                out.extend_from_slice(&bytes.to_be_bytes());
            }
            TcpOption::WindowScale(shift) => out.extend_from_slice(&[KIND_WINDOW_SCALE, 3, shift]),
            TcpOption::SackPermitted => out.extend_from_slice(&[KIND_SACK_PERMITTED, 2]),
            TcpOption::Timestamps { value, echo } => {
                out.extend_from_slice(&[KIND_TIMESTAMPS, 10]);
                out.extend_from_slice(&value.to_be_bytes());
                out.extend_from_slice(&echo.to_be_bytes());
            }
            TcpOption::Unknown { kind, data } => {
                assert!(data.len() <= 38, "a TCP header holds 40 bytes of options");
                out.extend_from_slice(&[kind, data.len() as u8 + 2]);
                out.extend_from_slice(data);
            }
        }
    }
}

/// The options of one header, checked: every length is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TcpOptions<'a> {
    bytes: &'a [u8],
}

impl<'a> TcpOptions<'a> {
    /// Checks the option area of a header. Bytes after an end-of-list option are ignored.
    pub fn parse(bytes: &'a [u8]) -> Result<TcpOptions<'a>, ParseError> {
        let mut at = 0;
        while let Some(step) = next(&bytes[at..]) {
            match step {
                Ok((_, len)) => at += len,
                Err(()) => return Err(ParseError::new(at, ParseErrorKind::TcpOptionLength)),
            }
        }
        Ok(TcpOptions { bytes })
    }

    /// The option area as it was on the wire.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The options in order, up to the end of the list.
    pub fn iter(&self) -> impl Iterator<Item = TcpOption<'a>> + use<'a> {
        let mut rest = self.bytes;
        std::iter::from_fn(move || {
            let (option, len) = next(rest)?.ok()?;
            rest = &rest[len..];
            Some(option)
        })
    }
}

/// The option at the start of `bytes` and its length; `None` at the end of the list, `Err` if its
/// length is malformed. On `Ok` the length is 1..=bytes.len().
fn next(bytes: &[u8]) -> Option<Result<(TcpOption<'_>, usize), ()>> {
    let (&kind, rest) = bytes.split_first()?;
    match kind {
        KIND_END => return None,
        KIND_NOP => return Some(Ok((TcpOption::Nop, 1))),
        _ => {}
    }
    let Some(&len) = rest.first() else { return Some(Err(())) };
    let len = usize::from(len);
    let Some(data) = bytes.get(2..len) else { return Some(Err(())) };
    let option = match (kind, data) {
        (KIND_MSS, &[a, b]) => TcpOption::Mss(u16::from_be_bytes([a, b])),
        (KIND_WINDOW_SCALE, &[shift]) => TcpOption::WindowScale(shift),
        (KIND_SACK_PERMITTED, &[]) => TcpOption::SackPermitted,
        (KIND_TIMESTAMPS, &[a, b, c, d, e, f, g, h]) => TcpOption::Timestamps {
            value: u32::from_be_bytes([a, b, c, d]),
            echo: u32::from_be_bytes([e, f, g, h]),
        },
        (KIND_MSS | KIND_WINDOW_SCALE | KIND_SACK_PERMITTED | KIND_TIMESTAMPS, _) => {
            return Some(Err(()));
        }
        (kind, data) => TcpOption::Unknown { kind, data },
    };
    Some(Ok((option, len)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_a_linux_syn() {
        let bytes = [
            2, 4, 0x05, 0xB4, 4, 2, 8, 10, 0, 0, 0, 9, 0, 0, 0, 0, 1, 3, 3, 7, //
        ];
        let options = TcpOptions::parse(&bytes).unwrap();
        let expected = [
            TcpOption::Mss(1460),
            TcpOption::SackPermitted,
            TcpOption::Timestamps { value: 9, echo: 0 },
            TcpOption::Nop,
            TcpOption::WindowScale(7),
        ];
        assert_eq!(options.iter().collect::<Vec<_>>(), expected);
        let mut written = Vec::new();
        expected.iter().for_each(|option| option.emit(&mut written));
        assert_eq!(written, bytes);
    }

    #[test]
    fn malformed_lengths_are_errors_at_the_option() {
        for (bytes, at) in [
            (&[2u8][..], 0),
            (&[1, 254, 1], 1),    // shorter than kind and length
            (&[1, 254, 0], 1),    // would never advance
            (&[1, 1, 254, 3], 2), // past the end
            (&[2, 3, 1], 0),      // MSS of one byte
            (&[3, 2], 0),         // window scale of no byte
            (&[4, 3, 0], 0),      // SACK-permitted with data
            (&[8, 4, 0, 0], 0),   // short timestamps
        ] {
            let error = ParseError::new(at, ParseErrorKind::TcpOptionLength);
            assert_eq!(TcpOptions::parse(bytes), Err(error), "{bytes:?}");
        }
    }

    #[test]
    fn nothing_after_the_end_of_the_list_counts() {
        let options = TcpOptions::parse(&[1, 0, 2, 99]).unwrap();
        assert_eq!(options.iter().collect::<Vec<_>>(), [TcpOption::Nop]);
    }
}
