//! Finds a whole message at the start of a byte stream.

use super::{Fields, GarbledError, GarbledKind, Message};
use crate::SOH;

/// Default cap on a whole message, BeginString to CheckSum, in bytes.
pub const DEFAULT_MAX_MESSAGE: usize = 65_536;

const START: &[u8] = b"8=FIX";
/// `10=ddd|`.
const TRAILER_LEN: usize = 7;
/// `FIX.4.4` is 7 bytes and `FIXT.1.1` 8; anything much longer is not a BeginString.
const MAX_BEGIN_STRING: usize = 10;
const MAX_LENGTH_DIGITS: usize = 9;

/// Frames the first message of `bytes` and returns it with the number of bytes it takes.
/// `Ok(None)`: what is there is right so far, and more bytes are needed.
pub fn frame(bytes: &[u8]) -> Result<Option<(Message<'_>, usize)>, GarbledError> {
    frame_with_limit(bytes, DEFAULT_MAX_MESSAGE)
}

/// As [`frame`], with another cap on the whole message's size in bytes (at most 2^31).
pub fn frame_with_limit(
    bytes: &[u8],
    max_message: usize,
) -> Result<Option<(Message<'_>, usize)>, GarbledError> {
    parse(bytes, max_message.min(1 << 31)).map_err(|(kind, offset)| GarbledError {
        kind,
        offset,
        skip: resynchronise(bytes),
    })
}

type Fault = (GarbledKind, usize);

fn parse(bytes: &[u8], limit: usize) -> Result<Option<(Message<'_>, usize)>, Fault> {
    let Some(length_at) = begin_string(bytes)? else { return Ok(None) };
    let Some((body_length, body_at)) = body_length(bytes, length_at)? else { return Ok(None) };
    let check_sum_at = body_at + body_length;
    let size = check_sum_at + TRAILER_LEN;
    if size > limit {
        return Err((GarbledKind::TooLong { size, limit }, length_at));
    }
    let Some(stated) = trailer(bytes, check_sum_at)? else { return Ok(None) };
    let actual = check_sum(&bytes[..check_sum_at]);
    if stated != u16::from(actual) {
        return Err((GarbledKind::CheckSum { stated, actual }, check_sum_at));
    }
    if body_length == 0 || bytes[check_sum_at - 1] != SOH {
        return Err((GarbledKind::Trailer, check_sum_at));
    }
    let message = Message::index(&bytes[..size], body_at, check_sum_at)?;
    Ok(Some((message, size)))
}

/// Offset after `8=FIX…|`.
fn begin_string(bytes: &[u8]) -> Result<Option<usize>, Fault> {
    let seen = bytes.len().min(START.len());
    if bytes[..seen] != START[..seen] {
        return Err((GarbledKind::BeginString, 0));
    }
    let window = &bytes[..bytes.len().min(2 + MAX_BEGIN_STRING + 1)];
    match window.iter().position(|&byte| byte == SOH) {
        Some(end) if end > START.len() => Ok(Some(end + 1)),
        None if window.len() == bytes.len() && bytes.len() < 2 + MAX_BEGIN_STRING + 1 => Ok(None),
        _ => Err((GarbledKind::BeginString, START.len())),
    }
}

/// Value of `9=digits|` at `at`, and the offset after it.
fn body_length(bytes: &[u8], at: usize) -> Result<Option<(usize, usize)>, Fault> {
    let text = &bytes[at..];
    let seen = text.len().min(2);
    if text[..seen] != b"9="[..seen] {
        return Err((GarbledKind::BodyLength, at));
    }
    let mut length = 0usize;
    for (index, &byte) in text.iter().enumerate().skip(2) {
        match byte {
            b'0'..=b'9' if index < 2 + MAX_LENGTH_DIGITS => {
                length = length * 10 + usize::from(byte - b'0');
            }
            SOH if index > 2 => return Ok(Some((length, at + index + 1))),
            _ => return Err((GarbledKind::BodyLength, at + index)),
        }
    }
    Ok(None)
}

/// CheckSum's number from `10=ddd|` at `at`. Checked byte by byte, so that a fault shows early.
fn trailer(bytes: &[u8], at: usize) -> Result<Option<u16>, Fault> {
    let text = bytes.get(at..).unwrap_or_default();
    let mut stated = 0u16;
    for (index, &byte) in text.iter().take(TRAILER_LEN).enumerate() {
        let right = match index {
            0 => byte == b'1',
            1 => byte == b'0',
            2 => byte == b'=',
            6 => byte == SOH,
            _ => byte.is_ascii_digit(),
        };
        if !right {
            return Err((GarbledKind::Trailer, at + index));
        }
        if (3..6).contains(&index) {
            stated = stated * 10 + u16::from(byte - b'0');
        }
    }
    Ok((text.len() >= TRAILER_LEN).then_some(stated))
}

/// Sum of all bytes modulo 256.
pub(crate) fn check_sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, &byte| sum.wrapping_add(byte))
}

/// Bytes to discard so that the next ones are, or may become, `8=FIX`. At least one.
fn resynchronise(bytes: &[u8]) -> usize {
    (1..bytes.len())
        .find(|&at| {
            let rest = &bytes[at..];
            let seen = rest.len().min(START.len());
            rest[..seen] == START[..seen]
        })
        .unwrap_or(bytes.len())
        .max(1)
}

impl<'a> Message<'a> {
    /// Scans the body's fields into the index.
    fn index(bytes: &'a [u8], body_at: usize, check_sum_at: usize) -> Result<Self, Fault> {
        let mut message = Message::new(bytes);
        // BeginString and BodyLength were checked above, so they scan.
        let mut fields = Fields::new(&bytes[..check_sum_at], 0);
        let mut count = 0usize;
        while let Some(field) = fields.read()? {
            match count {
                2 if field.tag != crate::tag::MSG_TYPE || field.value_at == field.end => {
                    return Err((GarbledKind::MsgType, field.tag_at));
                }
                0 => debug_assert_eq!((field.tag, field.tag_at), (crate::tag::BEGIN_STRING, 0)),
                2 => debug_assert_eq!(field.tag_at, body_at),
                _ => {}
            }
            message.push(count, &field, &fields);
            count += 1;
        }
        if count < 3 {
            return Err((GarbledKind::MsgType, body_at));
        }
        Ok(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(text: &str) -> Vec<u8> {
        text.replace('|', "\x01").into_bytes()
    }

    #[test]
    fn every_prefix_of_a_message_is_incomplete() {
        let bytes = wire("8=FIX.4.4|9=5|35=0|10=163|");
        for end in 0..bytes.len() {
            assert!(matches!(frame(&bytes[..end]), Ok(None)), "{end}");
        }
        let (message, size) = frame(&bytes).unwrap().unwrap();
        assert_eq!((message.msg_type(), size), (&b"0"[..], bytes.len()));
    }

    #[test]
    fn faults_have_kind_offset_and_skip() {
        use GarbledKind::*;
        let cases: &[(&str, GarbledKind, usize, usize)] = &[
            ("junk8=FIX.4.4|", BeginString, 0, 4),
            ("junk8=F", BeginString, 0, 4),
            ("8=XIF.4.4|", BeginString, 0, 10),
            ("8=FIX.4.4.too.long|", BeginString, 5, 19),
            ("8=FIX.4.4|35=0|", BodyLength, 10, 15),
            ("8=FIX.4.4|9=|", BodyLength, 12, 13),
            ("8=FIX.4.4|9=5x|", BodyLength, 13, 15),
            ("8=FIX.4.4|9=0000000005|", BodyLength, 21, 23),
            ("8=FIX.4.4|9=70000|", TooLong { size: 70_025, limit: DEFAULT_MAX_MESSAGE }, 10, 18),
            ("8=FIX.4.4|9=5|35=0|11=163|", Trailer, 20, 26),
            ("8=FIX.4.4|9=5|35=0|10=1|8=FIX.4.4|", Trailer, 23, 24),
            ("8=FIX.4.4|9=5|35=0|10=164|", CheckSum { stated: 164, actual: 163 }, 19, 26),
            ("8=FIX.4.4|9=5|34=0|10=162|", MsgType, 14, 26),
            ("8=FIX.4.4|9=4|35=|10=114|", MsgType, 14, 25),
        ];
        for (text, kind, offset, skip) in cases {
            let bytes = wire(text);
            let error = frame(&bytes).err().unwrap_or_else(|| panic!("{text}"));
            assert_eq!((error.kind, error.offset, error.skip), (*kind, *offset, *skip), "{text}");
        }
    }

    #[test]
    fn a_body_field_without_equals_sign_is_garbled() {
        let mut bytes = wire("8=FIX.4.4|9=10|35=0|4444|10=000|");
        let at = bytes.len() - TRAILER_LEN;
        let sum = format!("10={:03}\x01", check_sum(&bytes[..at]));
        bytes.splice(at.., sum.into_bytes());
        let error = frame(&bytes).err().unwrap();
        assert_eq!((error.kind, error.offset), (GarbledKind::Field, 20));
    }
}
