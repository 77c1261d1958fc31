//! Settings of the trader as register writes: what `registers` names, filled from the same strategy
//! file, channel plan and slots that the software engine runs on.

use std::net::SocketAddrV4;

use saker_book::Side;
use saker_strategy::{Comparison, OrderUpdate, SlotPlan, Source};
use saker_trader::desk::DeskEvent;

use crate::registers::{control, inject, strategies, strategy};

/// A register's address and the word to write there.
pub type Write = (u32, u32);

/// A 64-bit register: the low half first.
pub fn wide(address: u32, value: u64) -> [Write; 2] {
    [(address, value as u32), (address + 4, (value >> 32) as u32)]
}

/// A channel of the feed, 0 for line A and 1 for line B.
pub fn channel(index: u32, group: SocketAddrV4) -> [Write; 2] {
    let value = u64::from(group.ip().to_bits()) << control::CHANNEL_ADDRESS_SHIFT
        | u64::from(group.port()) << control::CHANNEL_PORT_SHIFT
        | control::CHANNEL_ENABLE_MASK;
    wide(control::CHANNEL + index * control::CHANNEL_STRIDE, value)
}

/// A strategy's parameters; `slot` must be idle.
pub fn strategy_slot(slot: u32, plan: &SlotPlan) -> Vec<Write> {
    let source = match plan.trigger.source {
        Source::Trade => 0,
        Source::Bid => 1,
        Source::Offer => 2,
    };
    let flag = |is: bool, bit: u32| u64::from(is) << bit;
    // strategy_pkg::slot_control_t.
    let control = flag(true, 11)
        | flag(plan.rearm, 10)
        | flag(plan.order.side == Side::Sell, 9)
        | flag(plan.trigger.comparison == Comparison::AtMost, 8)
        | source << 4
        | u64::from(plan.instrument & 0xf);
    let fields = [
        (strategies::BOUND, plan.trigger.bound.cast_unsigned()),
        (strategies::QUANTITY, plan.order.quantity),
        (strategies::MAX_ORDER_QUANTITY, plan.limits.max_order_quantity),
        (strategies::MAX_OPEN_ORDERS, plan.limits.max_open_orders.into()),
        (strategies::MAX_POSITION, plan.limits.max_position),
        (strategies::COOLDOWN, plan.cooldown_ns),
        (strategies::CONTROL, control),
    ];
    let at = slot * strategies::CONTROL_STRIDE;
    fields.into_iter().flat_map(|(field, value)| wide(field + at, value)).collect()
}

/// News of a strategy's order as a command: its quantity, if it has one, then the command itself.
pub fn command(event: DeskEvent) -> Option<(Option<u64>, Write)> {
    let (op, slot, quantity) = match event {
        DeskEvent::Armed(slot) => (0, slot, None),
        DeskEvent::Disarmed(slot) => (1, slot, None),
        DeskEvent::Updated(slot, update) => match update {
            OrderUpdate::Accepted => (3, slot, None),
            OrderUpdate::Filled { quantity } => (4, slot, Some(quantity)),
            OrderUpdate::Canceled => (5, slot, None),
            OrderUpdate::Rejected => (6, slot, None),
            OrderUpdate::NotSent => (7, slot, None),
        },
        // Levels, not commands.
        DeskEvent::Killed | DeskEvent::Released => return None,
    };
    let word = op << strategy::COMMAND_OP_SHIFT | u32::from(slot) << strategy::COMMAND_SLOT_SHIFT;
    Some((quantity, (strategy::COMMAND, word)))
}

/// An entry of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostEntry {
    /// What it is.
    pub op: crate::answers::EntryOp,
    /// The watched instrument.
    pub instrument: usize,
    /// The order's side.
    pub side: Side,
    /// The order.
    pub id: u64,
    /// Its price at the instrument's exponent.
    pub price: i64,
    /// Its quantity.
    pub quantity: u64,
    /// RptSeq, 0 for none.
    pub rpt_seq: u32,
}

impl HostEntry {
    /// An entry without order.
    pub fn bare(op: crate::answers::EntryOp, instrument: usize) -> Self {
        Self { op, instrument, side: Side::Buy, id: 0, price: 0, quantity: 0, rpt_seq: 0 }
    }

    /// The writes that hand it over.
    pub fn writes(&self) -> Vec<Write> {
        let side = u32::from(self.side == Side::Sell);
        let command = (self.op as u32) << inject::COMMAND_OP_SHIFT
            | (self.instrument as u32) << inject::COMMAND_INSTRUMENT_SHIFT
            | side << inject::COMMAND_SIDE_SHIFT;
        let order = [
            wide(inject::ID, self.id),
            wide(inject::PRICE, self.price.cast_unsigned()),
            wide(inject::QUANTITY, self.quantity),
        ];
        let rest = [(inject::RPT_SEQ, self.rpt_seq), (inject::COMMAND, command)];
        order.into_iter().flatten().chain(rest).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail by panicking
mod tests {
    use saker_strategy::{Instrument, StrategyFile};

    use super::*;
    use crate::answers::EntryOp;

    #[test]
    fn a_strategy_is_a_row_of_fields() {
        let file = StrategyFile::from_toml(
            "[limits]\nmax_order_quantity = 50\nmax_open_orders = 8\nmax_position = 200\n\
             [[strategy]]\nname = \"x\"\nkind = \"cross\"\nsymbol = \"B\"\nside = \"sell\"\n\
             threshold = \"100.05\"\nprice = \"100.05\"\nquantity = 10\ncooldown_us = 500\n",
        )
        .unwrap();
        let instrument =
            Instrument { symbol: "B".to_owned(), market_segment: String::new(), exponent: -2 };
        let plan = file.resolve(&[instrument]).unwrap();
        let writes = strategy_slot(3, &plan.slots()[0]);
        let value = |field: u32| {
            let at = field + 3 * strategies::CONTROL_STRIDE;
            let half = |at| writes.iter().find(|(to, _)| *to == at).unwrap().1;
            u64::from(half(at)) | u64::from(half(at + 4)) << 32
        };
        assert_eq!(value(strategies::BOUND), 10_005);
        assert_eq!(value(strategies::COOLDOWN), 500_000);
        assert_eq!(value(strategies::MAX_POSITION), 200);
        // Enabled, sells, at or above, looks at bids; the control comes last.
        let control = value(strategies::CONTROL);
        assert_eq!(control & 0b1011_0011_1111, 0b1010_0001_0000);
        assert_eq!(writes.last().unwrap().0 & !4, strategies::CONTROL + 3 * 64);
    }

    #[test]
    fn commands_and_entries_are_words() {
        let fill = DeskEvent::Updated(5, OrderUpdate::Filled { quantity: 7 });
        assert_eq!(command(fill), Some((Some(7), (strategy::COMMAND, 0x54))));
        assert_eq!(command(DeskEvent::Killed), None);
        let entry = HostEntry { side: Side::Sell, price: -2, ..HostEntry::bare(EntryOp::New, 3) };
        let writes = entry.writes();
        assert_eq!(writes.last(), Some(&(inject::COMMAND, 0x130)));
        assert!(writes.contains(&(inject::PRICE + 4, u32::MAX)));
    }
}
