//! `tag=value|tag=value|…`: the scanner of fields.

use super::GarbledKind;
use crate::SOH;

/// Tags of more digits are not FIX; nine fit a `u32`.
const MAX_TAG_DIGITS: usize = 9;

/// Iterator over `(tag, value)` in the order of the bytes.
///
/// A tag that is not a positive integer without leading zeros (`0`, `-1`, `007`) is reported as
/// tag 0: it is no field of FIX, but it does not garble the message.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Tag and value of the field before, to measure a data field with.
    previous: (u32, &'a [u8]),
}

/// One scanned field; offsets are into the scanner's bytes.
#[derive(Clone, Copy)]
pub(super) struct Scanned {
    pub tag: u32,
    pub tag_at: usize,
    pub value_at: usize,
    pub end: usize,
}

impl<'a> Fields<'a> {
    /// Scans `bytes` from offset `at`, which is the first byte of a tag.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Fields { bytes, at, previous: (0, &[]) }
    }

    /// Next field, `None` at the end, or the offset of the fault.
    #[inline]
    pub(super) fn read(&mut self) -> Result<Option<Scanned>, (GarbledKind, usize)> {
        let bytes = self.bytes;
        if self.at >= bytes.len() {
            return Ok(None);
        }
        let tag_at = self.at;
        let (tag, value_at) = scan_tag(bytes, tag_at)?;
        let end = if is_data_after(tag, self.previous.0) {
            data_end(bytes, value_at, self.previous.1)?
        } else {
            find_soh(bytes, value_at).ok_or((GarbledKind::Field, tag_at))?
        };
        self.previous = (tag, &bytes[value_at..end]);
        self.at = end + 1;
        Ok(Some(Scanned { tag, tag_at, value_at, end }))
    }

    /// Offset of the next field's tag.
    pub(super) fn offset(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u32, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        // The bytes were scanned when the message was parsed; a slice of them may only end early.
        let scanned = self.read().ok()??;
        Some((scanned.tag, &self.bytes[scanned.value_at..scanned.end]))
    }
}

/// The tag at `at` and the offset after its `=`.
#[inline]
fn scan_tag(bytes: &[u8], at: usize) -> Result<(u32, usize), (GarbledKind, usize)> {
    let mut tag = 0u32;
    for (index, &byte) in bytes[at..].iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 && index < MAX_TAG_DIGITS {
            tag = tag * 10 + u32::from(digit);
        } else if byte == b'=' && index > 0 && bytes[at] != b'0' {
            return Ok((tag, at + index + 1));
        } else {
            break;
        }
    }
    scan_odd_tag(bytes, at)
}

/// A tag that is no positive integer without leading zeros: 0, as long as it is an integer.
#[cold]
fn scan_odd_tag(bytes: &[u8], at: usize) -> Result<(u32, usize), (GarbledKind, usize)> {
    let text = &bytes[at..];
    let length = text.iter().position(|&byte| byte == b'=').unwrap_or_default();
    let digits = text[..length].strip_prefix(b"-").unwrap_or(&text[..length]);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err((GarbledKind::Field, at));
    }
    Ok((0, at + length + 1))
}

/// Offset of the next SOH from `at` on. Most values are short: eight bytes are tried at once.
#[inline]
fn find_soh(bytes: &[u8], mut at: usize) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        // SOH is 1 in each byte, so that a difference of 0 marks one; the lowest mark is exact.
        let difference = u64::from_le_bytes(*chunk) ^ ONES;
        let marks = difference.wrapping_sub(ONES) & !difference & HIGHS;
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let tail = bytes[at..].iter().position(|&byte| byte == SOH)?;
    Some(at + tail)
}

/// End of a data field that begins at `value_at`: its length comes from the field before.
#[cold]
fn data_end(bytes: &[u8], value_at: usize, length: &[u8]) -> Result<usize, (GarbledKind, usize)> {
    let fault = (GarbledKind::DataLength, value_at);
    let length = crate::value::parse_uint(length).ok_or(fault)?;
    let end = usize::try_from(length).ok().and_then(|length| value_at.checked_add(length));
    match end {
        Some(end) if bytes.get(end) == Some(&SOH) => Ok(end),
        _ => Err(fault),
    }
}

/// Whether `tag` is a data field whose length field is `previous`. A data field that does not
/// follow its length field is read up to the next SOH, like any other.
#[inline]
fn is_data_after(tag: u32, previous: u32) -> bool {
    // Every length tag precedes its data tag by one, except SignatureLength(93), Signature(89).
    (tag == previous.wrapping_add(1) && is_length(previous)) || (tag == 89 && previous == 93)
}

/// Length tags of the data fields of FIX 4.4, Signature apart.
fn is_length(tag: u32) -> bool {
    matches!(
        tag,
        90 | 95 | 212 | 348 | 350 | 352 | 354 | 356 | 358 | 360 | 362 | 364 | 445 | 618 | 621
    )
}

/// Length tag that must precede the data field `tag`.
pub(crate) fn length_tag(tag: u32) -> Option<u32> {
    match tag {
        89 => Some(93),
        0 => None,
        _ => is_length(tag - 1).then(|| tag - 1),
    }
}
