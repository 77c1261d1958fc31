//! Messages for tests, written by hand rather than by the encoder under test.

/// `body` with `|` for SOH, between BeginString, BodyLength and CheckSum.
pub(crate) fn message(body: &str) -> Vec<u8> {
    let body = body.replace('|', "\x01");
    let mut text = format!("8=FIX.4.4\x019={}\x01{body}", body.len()).into_bytes();
    let sum: u32 = text.iter().map(|&byte| u32::from(byte)).sum();
    text.extend(format!("10={:03}\x01", sum % 256).into_bytes());
    text
}
