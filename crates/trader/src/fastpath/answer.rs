//! Answers in FAST over UDP, which only the logic of `rtl/order` sends: what it is loaded with.
//!
//! The message is a NewOrderSingle of `rtl/order/orders.xml`.

use saker_fast::message::FieldError;
use saker_fast::{Message, Value};
use saker_wire::checksum;
use saker_wire::frame::UdpPath;
use saker_wire::ipv4::PROTOCOL_UDP;

use super::table;

/// The templates of answers: `rtl/order/orders.xml`.
pub const ORDERS_XML: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/order/orders.xml"));
/// Bytes of the header's memory.
const HEADER_LEN: usize = 48;

/// What an order says, but for the time of its trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UdpAnswer {
    /// ClOrdID.
    pub cl_ord_id: u32,
    /// SecurityID.
    pub security_id: u32,
    /// Whether to sell.
    pub sell: bool,
    /// OrderQty.
    pub quantity: u32,
    /// The price's exponent, -63 to 63.
    pub exponent: i8,
    /// The price's mantissa; `None` for the price that triggers.
    pub price: Option<i64>,
}

impl UdpAnswer {
    /// The writes (address, data) that load the answer into the logic's `slot`, without arming it;
    /// `None` if the logic has no such slot, or the exponent does not fit.
    pub fn writes(&self, slot: u16) -> Option<Vec<(u16, u32)>> {
        if slot >= table::SLOTS || !(-63..=63).contains(&self.exponent) {
            return None;
        }
        let at = table::description(slot);
        let exponent = u32::from(self.exponent as u8 & 0x7F);
        let terms = u32::from(self.sell) | u32::from(self.price.is_none()) << 1 | exponent << 8;
        let price = self.price.unwrap_or(0) as u64;
        Some(vec![
            (at + table::SHAPE, table::SHAPE_UDP),
            (at + 4, self.cl_ord_id),
            (at + 5, self.security_id),
            (at + 6, self.quantity),
            (at + 7, terms),
            (at + 8, price as u32),
            (at + 9, (price >> 32) as u32),
        ])
    }

    /// Fills in the message that it is when a price triggers it at a time: a NewOrderSingle of
    /// [`ORDERS_XML`].
    ///
    /// # Errors
    /// [`FieldError`] if the message is another.
    pub fn fill(&self, message: &mut Message, price: i64, trigger: u64) -> Result<(), FieldError> {
        message.set("ClOrdID", self.cl_ord_id)?;
        message.set("SecurityID", self.security_id)?;
        message.set("Side", 1 + u32::from(self.sell))?;
        message.set("OrderQty", self.quantity)?;
        let (mantissa, exponent) = (self.price.unwrap_or(price), i32::from(self.exponent));
        message.set("Price", Value::Decimal { mantissa, exponent })?;
        message.set("TriggerTime", trigger)?;
        Ok(())
    }

    /// The writes that load the header of all UDP answers: `path`'s, identification 0.
    pub fn header_writes(path: &UdpPath) -> Vec<(u16, u32)> {
        let mut frame = Vec::with_capacity(HEADER_LEN);
        path.write(0, &[], &mut frame);
        let ip_at = path.ip_offset();
        let udp_at = ip_at + 20;
        // Lengths and checksums are the logic's to write.
        for at in [ip_at + 2, ip_at + 10, udp_at + 4, udp_at + 6] {
            frame[at..at + 2].fill(0);
        }
        let ip_sum = checksum::fold(checksum::sum(&frame[ip_at..udp_at]));
        let ports = checksum::sum(&frame[udp_at..udp_at + 4]);
        let pseudo = checksum::pseudo_header(*path.src.ip(), *path.dst.ip(), PROTOCOL_UDP, 0);
        let udp_sum = checksum::fold(pseudo + ports);
        frame.resize(HEADER_LEN, 0);
        let mut writes: Vec<_> = (table::HEADER..)
            .zip(frame.chunks_exact(4))
            .map(|(at, bytes)| (at, u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])))
            .collect();
        writes.push((table::HEADER + 12, u32::from(path.vlan.is_some())));
        writes.push((table::HEADER + 13, u32::from(ip_sum) | u32::from(udp_sum) << 16));
        writes
    }
}
