//! Arithmetic on 32-bit sequence numbers, which wrap (RFC 9293 section 3.4).
//!
//! Two numbers are comparable while they are less than 2^31 apart, which [`Config`] ensures for
//! everything this endpoint keeps: buffers are at most 2^30 bytes.
//!
//! [`Config`]: super::Config

/// Whether `a` comes before `b`.
pub fn before(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) < 0
}

/// Whether `a` comes before `b` or is `b`.
pub fn at_or_before(a: u32, b: u32) -> bool {
    !before(b, a)
}

/// The later of two numbers.
pub fn later(a: u32, b: u32) -> u32 {
    if before(a, b) { b } else { a }
}

/// The earlier of two numbers.
pub fn earlier(a: u32, b: u32) -> u32 {
    if before(b, a) { b } else { a }
}

/// How far `to` lies after `from`; 0 if it does not.
pub fn ahead(from: u32, to: u32) -> u32 {
    if before(from, to) { to.wrapping_sub(from) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_hold_across_the_wrap() {
        let near_end = u32::MAX - 2;
        assert!(before(near_end, 3));
        assert!(!before(3, near_end));
        assert!(at_or_before(7, 7));
        assert_eq!(later(near_end, 3), 3);
        assert_eq!(earlier(near_end, 3), near_end);
        assert_eq!(ahead(near_end, 3), 6);
        assert_eq!(ahead(3, near_end), 0);
    }
}
