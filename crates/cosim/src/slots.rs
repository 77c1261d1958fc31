//! Prepared orders as the order sender keeps them (`rtl/order/order_pkg.sv`): whole frames with zeros
//! where it patches, and their sums.

use saker_wire::checksum;
use saker_wire::frame::TcpPath;
use saker_wire::ipv4::PROTOCOL_TCP;
use saker_wire::tcp::TcpHeader;

use crate::registers::frames;
use crate::setup::Write;

/// Words of a frame and of a description.
const FRAME_WORDS: u32 = 128;
const DESCRIPTION_WORDS: u32 = 16;
/// Where descriptions begin, in words.
const SLOT_BASE: u32 = 0x800;
const SHAPE: u32 = 0;
const LAYOUT: u32 = 1;
const SUMS: u32 = 2;
const ARM: u32 = 15;
/// Digits of MsgSeqNum and CheckSum.
const MSG_SEQ_DIGITS: usize = 9;
const CHECK_SUM_DIGITS: usize = 3;

/// A slot's frame with its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotImage {
    /// The frame as words, the first byte lowest.
    words: Vec<u32>,
    shape: u32,
    layout: u32,
    sums: u32,
}

/// Why a frame is none for the order sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// It is longer than a slot.
    #[error("a frame of {0} bytes; a slot has room for 512")]
    TooLong(usize),
    /// It has no MsgSeqNum of nine digits, or does not end with CheckSum.
    #[error("no MsgSeqNum (34) of nine digits, or no CheckSum (10) at the end")]
    Fields,
}

impl SlotImage {
    /// What to load for `frame`, which is of `path` and ends with a FIX message.
    ///
    /// # Errors
    /// The frame does not fit, or its fields are not where they must be.
    pub fn new(frame: &[u8], path: &TcpPath) -> Result<Self, ImageError> {
        let mut frame = frame.to_vec();
        if frame.len() > 4 * FRAME_WORDS as usize {
            return Err(ImageError::TooLong(frame.len()));
        }
        let tcp_at = path.tcp_offset();
        let payload_at = tcp_at + TcpHeader::LEN;
        let fix = frame.get(payload_at..).ok_or(ImageError::Fields)?;
        let seq_at =
            fix.windows(4).position(|bytes| bytes == b"\x0134=").ok_or(ImageError::Fields)?;
        let msg_at = payload_at + seq_at + 4;
        let is_number = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
        let digits = frame.get(msg_at..msg_at + MSG_SEQ_DIGITS).ok_or(ImageError::Fields)?;
        let trailer_at = frame.len().checked_sub(7).ok_or(ImageError::Fields)?;
        let check_at = trailer_at + 3;
        if !is_number(digits) || !frame[trailer_at..].starts_with(b"10=") || trailer_at < msg_at {
            return Err(ImageError::Fields);
        }
        frame[msg_at..msg_at + MSG_SEQ_DIGITS].fill(b'0');
        frame[check_at..check_at + CHECK_SUM_DIGITS].fill(b'0');
        for (at, length) in [
            (TcpHeader::SEQ_OFFSET, 4),
            (TcpHeader::ACK_OFFSET, 4),
            (TcpHeader::WINDOW_OFFSET, 2),
            (TcpHeader::CHECKSUM_OFFSET, 2),
        ] {
            frame[tcp_at + at..tcp_at + at + length].fill(0);
        }
        let segment = &frame[tcp_at..];
        // At most 512 bytes, so the length fits.
        let length = segment.len() as u16;
        let exact = checksum::pseudo_header(*path.src.ip(), *path.dst.ip(), PROTOCOL_TCP, length)
            + words_sum(segment);
        let fix_sum =
            frame[payload_at..trailer_at].iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
        Ok(Self {
            shape: frame.len() as u32 | u32::from(path.vlan.is_some()) << 16,
            layout: msg_at as u32 | (check_at as u32) << 16,
            sums: u32::from(!checksum::finish(exact)) | u32::from(fix_sum) << 16,
            words: frame.chunks(4).map(word).collect(),
        })
    }

    /// The writes that bring a slot from `before` to this, without arming it.
    pub fn writes(&self, slot: u16, before: Option<&Self>) -> Vec<Write> {
        let slot = u32::from(slot);
        let old = before.map_or(&[][..], |image| &image.words);
        let frame = (0u32..).zip(&self.words);
        let frame = frame.filter(|(at, word)| old.get(*at as usize) != Some(*word));
        let frame = frame.map(|(at, word)| (address(slot * FRAME_WORDS + at), *word));
        let description = [
            (SHAPE, self.shape, before.map(|image| image.shape)),
            (LAYOUT, self.layout, before.map(|image| image.layout)),
            (SUMS, self.sums, before.map(|image| image.sums)),
        ];
        let description = description.into_iter().filter(|(_, new, old)| Some(*new) != *old);
        frame.chain(description.map(|(field, new, _)| (described(slot, field), new))).collect()
    }
}

/// The write that arms or disarms a slot.
pub fn arm(slot: u16, armed: bool) -> Write {
    (described(slot.into(), ARM), armed.into())
}

fn described(slot: u32, field: u32) -> u32 {
    address(SLOT_BASE + slot * DESCRIPTION_WORDS + field)
}

fn address(word: u32) -> u32 {
    frames::WORD + word * frames::WORD_STRIDE
}

fn word(bytes: &[u8]) -> u32 {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    u32::from_le_bytes(word)
}

/// The exact sum of the big-endian 16-bit words, an odd last byte padded with zero.
fn words_sum(bytes: &[u8]) -> u32 {
    bytes
        .chunks(2)
        .map(|pair| u32::from(pair[0]) << 8 | pair.get(1).map_or(0, |b| u32::from(*b)))
        .sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail by panicking
mod tests {
    use saker_wire::ethernet::MacAddr;
    use saker_wire::tcp::TcpFlags;

    use super::*;

    fn path() -> TcpPath {
        TcpPath {
            src_mac: MacAddr([2, 0, 0, 0, 0, 1]),
            dst_mac: MacAddr([2, 0, 0, 0, 0, 2]),
            src: "10.0.0.10:49152".parse().unwrap(),
            dst: "10.0.0.1:9878".parse().unwrap(),
            vlan: None,
            ttl: 64,
        }
    }

    fn frame(seq: u32, fields: &str) -> Vec<u8> {
        let body = format!("35=D\x0149=A\x0156=B\x0134={seq:09}\x01{fields}\x01");
        let mut fix = format!("8=FIX.4.4\x019={:03}\x01{body}", body.len());
        let sum = fix.bytes().fold(0u8, u8::wrapping_add);
        fix += &format!("10={sum:03}\x01");
        let header = TcpHeader {
            seq: 77,
            ack: 88,
            window: 999,
            flags: TcpFlags::ACK | TcpFlags::PSH,
            ..TcpHeader::default()
        };
        let mut bytes = Vec::new();
        path().write(0, &header, &[], fix.as_bytes(), &mut bytes);
        bytes
    }

    /// What the order sender does with an image: digits, CheckSum, TCP fields and checksum.
    fn sent(image: &SlotImage, seq: u32, header: (u32, u32, u16)) -> Vec<u8> {
        let length = (image.shape & 0x3ff) as usize;
        let mut bytes: Vec<u8> = image.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length);
        let (msg_at, check_at) = ((image.layout & 0x1ff) as usize, (image.layout >> 16) as usize);
        let digits = format!("{seq:09}");
        let digit_sum = digits.bytes().fold(0u8, |sum, digit| sum.wrapping_add(digit - b'0'));
        let check = format!("{:03}", ((image.sums >> 16) as u8).wrapping_add(digit_sum));
        bytes[msg_at..msg_at + 9].copy_from_slice(digits.as_bytes());
        bytes[check_at..check_at + 3].copy_from_slice(check.as_bytes());
        let mut patched = vec![0; length];
        for (at, text) in [(msg_at, digits), (check_at, check)] {
            for (offset, digit) in text.bytes().enumerate() {
                patched[at + offset] = digit - b'0';
            }
        }
        let tcp = 34;
        bytes[tcp + 4..tcp + 8].copy_from_slice(&header.0.to_be_bytes());
        bytes[tcp + 8..tcp + 12].copy_from_slice(&header.1.to_be_bytes());
        bytes[tcp + 14..tcp + 16].copy_from_slice(&header.2.to_be_bytes());
        let fields = [header.0 >> 16, header.0 & 0xffff, header.1 >> 16, header.1 & 0xffff];
        let sum = (image.sums & 0xffff)
            + words_sum(&patched)
            + fields.iter().sum::<u32>()
            + u32::from(header.2);
        bytes[tcp + 16..tcp + 18].copy_from_slice(&checksum::finish(sum).to_be_bytes());
        bytes
    }

    #[test]
    fn a_patched_image_is_the_frame_from_scratch() {
        for (seq, fields) in [(2, "52=x\x0111=T1"), (345_678_901, "52=xy\x0111=T12"), (999, "1=z")]
        {
            let wanted = frame(seq, fields);
            let image = SlotImage::new(&frame(7, fields), &path()).unwrap();
            assert_eq!(sent(&image, seq, (77, 88, 999)), wanted, "{seq}");
        }
    }

    #[test]
    fn only_what_differs_is_written() {
        let (one, two) = (frame(7, "52=aaaa\x0111=T1"), frame(8, "52=abcd\x0111=T1"));
        let one = SlotImage::new(&one, &path()).unwrap();
        let two = SlotImage::new(&two, &path()).unwrap();
        assert_eq!(one.writes(3, None).len(), one.words.len() + 3);
        let changes = two.writes(3, Some(&one));
        assert!(changes.len() <= 3, "{changes:?}");
        assert!(two.writes(3, Some(&two)).is_empty());
        assert_eq!(arm(3, true), (frames::WORD + 4 * (0x800 + 3 * 16 + 15), 1));
        let long = frame(1, &"x".repeat(500));
        assert_eq!(SlotImage::new(&long, &path()), Err(ImageError::TooLong(long.len())));
        assert_eq!(SlotImage::new(&long[..80], &path()), Err(ImageError::Fields));
    }
}
