//! A number that two books share only if they agree on every order and every priority.

use crate::{OrderBook, Side};

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl OrderBook {
    /// FNV-1a (64 bits) over the byte `B` and the buy orders, then the byte `S` and the sell
    /// orders, each side in priority order and each order as id, price and quantity in eight
    /// little-endian bytes. Anyone who sees the feed can compute it.
    pub fn digest(&self) -> u64 {
        let mut hash = OFFSET_BASIS;
        for (side, tag) in [(Side::Buy, b'B'), (Side::Sell, b'S')] {
            hash = step(hash, &[tag]);
            for order in self.orders(side) {
                hash = step(hash, &order.id.to_le_bytes());
                hash = step(hash, &order.price.to_le_bytes());
                hash = step(hash, &order.quantity.to_le_bytes());
            }
        }
        hash
    }
}

fn step(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_book_is_fnv1a_of_bs() {
        assert_eq!(OrderBook::with_capacity(1).digest(), step(OFFSET_BASIS, b"BS"));
        // A published FNV-1a value, so that the constants are right.
        assert_eq!(step(OFFSET_BASIS, b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn priority_counts() {
        let mut one = OrderBook::with_capacity(2);
        let mut two = OrderBook::with_capacity(2);
        for id in [1, 2] {
            one.add(id, Side::Buy, 10, 5).unwrap();
            two.add(3 - id, Side::Buy, 10, 5).unwrap();
        }
        assert_eq!(one.top(), two.top());
        assert_ne!(one.digest(), two.digest());
    }
}
