//! One number for the whole state: FNV-1a over words in a fixed order.

use std::hash::{Hash, Hasher};

use saker_feed::channel::Stream;

use super::Exchange;

/// 64-bit FNV-1a.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Exchange {
    /// A digest of the whole state: books, orders, sessions, sequence numbers and counters. Equal
    /// inputs give equal digests on every machine of one byte order.
    pub fn digest(&self) -> u64 {
        let mut hash = Fnv::new();
        (self.last_order_id, self.last_exec_id).hash(&mut hash);
        for (index, market) in self.markets.iter().enumerate() {
            market.matcher.book().digest().hash(&mut hash);
            market.last_trade.map(|t| (t.id, t.price, t.quantity)).hash(&mut hash);
            self.publisher.rpt_seq(index).hash(&mut hash);
            market.rotation.hash(&mut hash);
            for subscriber in &market.subscribers {
                let wanted = &subscriber.wanted;
                (subscriber.participant, subscriber.owed, wanted.depth).hash(&mut hash);
                (wanted.types, wanted.request).hash(&mut hash);
            }
        }
        for stream in [Stream::Incremental, Stream::Snapshot, Stream::Definition] {
            self.publisher.last_sequence(stream).hash(&mut hash);
        }
        for p in &self.participants {
            (p.session.next_inbound_seq(), p.session.next_outbound_seq()).hash(&mut hash);
            (p.connection.map(|c| c.0), p.backlog, p.open_orders).hash(&mut hash);
            (p.client_ids.len(), p.offline.len(), p.session.is_logged_on()).hash(&mut hash);
        }
        // The table has no order of its own, so its orders are summed.
        let orders = self.orders.iter().map(|order| {
            let mut one = Fnv::new();
            order.hash(&mut one);
            one.finish()
        });
        orders.fold(0u64, u64::wrapping_add).hash(&mut hash);
        for (_, value) in self.counters.entries() {
            value.hash(&mut hash);
        }
        hash.finish()
    }
}
