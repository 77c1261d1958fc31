//! The book beside a naive restatement of its rules, over random commands.

use proptest::prelude::*;
use saker_book::{BookError, Level, Order, OrderBook, OrderId, Priority, Side};

/// Orders in one vector, in order of arrival at their price.
#[derive(Debug, Default)]
struct Model {
    orders: Vec<Order>,
    capacity: usize,
}

impl Model {
    fn position(&self, id: OrderId) -> Result<usize, BookError> {
        self.orders.iter().position(|o| o.id == id).ok_or(BookError::UnknownOrder(id))
    }

    fn at(&self, side: Side, price: i64) -> u64 {
        self.orders.iter().filter(|o| o.side == side && o.price == price).map(|o| o.quantity).sum()
    }

    fn add(&mut self, id: OrderId, side: Side, price: i64, quantity: u64) -> Result<(), BookError> {
        if quantity == 0 {
            return Err(BookError::ZeroQuantity(id));
        }
        if self.position(id).is_ok() {
            return Err(BookError::DuplicateOrder(id));
        }
        if self.orders.len() == self.capacity {
            return Err(BookError::Full { capacity: self.capacity });
        }
        if self.at(side, price).checked_add(quantity).is_none() {
            return Err(BookError::LevelOverflow { price });
        }
        self.orders.push(Order { id, side, price, quantity });
        Ok(())
    }

    fn reduce(&mut self, id: OrderId, by: u64) -> Result<u64, BookError> {
        let at = self.position(id)?;
        let order = &mut self.orders[at];
        if by > order.quantity {
            return Err(BookError::Overfilled { id, quantity: order.quantity, by });
        }
        order.quantity -= by;
        let rest = order.quantity;
        self.orders.retain(|o| o.quantity > 0);
        Ok(rest)
    }

    fn change(&mut self, id: OrderId, price: i64, quantity: u64) -> Result<Priority, BookError> {
        let at = self.position(id)?;
        if quantity == 0 {
            return Err(BookError::ZeroQuantity(id));
        }
        let old = self.orders[at];
        if old.price == price && quantity <= old.quantity {
            self.orders[at].quantity = quantity;
            return Ok(Priority::Kept);
        }
        let mine = if old.price == price { old.quantity } else { 0 };
        if (self.at(old.side, price) - mine).checked_add(quantity).is_none() {
            return Err(BookError::LevelOverflow { price });
        }
        self.orders.remove(at);
        self.orders.push(Order { price, quantity, ..old });
        Ok(Priority::Lost)
    }

    fn remove(&mut self, id: OrderId) -> Result<Order, BookError> {
        self.position(id).map(|at| self.orders.remove(at))
    }

    fn side(&self, side: Side) -> Vec<Order> {
        let mut orders: Vec<_> = self.orders.iter().filter(|o| o.side == side).copied().collect();
        // Stable: orders at one price stay in order of arrival.
        match side {
            Side::Buy => orders.sort_by_key(|o| std::cmp::Reverse(o.price)),
            Side::Sell => orders.sort_by_key(|o| o.price),
        }
        orders
    }

    fn levels(&self, side: Side) -> Vec<Level> {
        let orders = self.side(side);
        orders
            .chunk_by(|a, b| a.price == b.price)
            .map(|at| Level {
                price: at[0].price,
                quantity: at.iter().map(|o| o.quantity).sum(),
                orders: at.len() as u32,
            })
            .collect()
    }
}

#[derive(Debug, Clone)]
enum Command {
    Add { id: OrderId, side: Side, price: i64, quantity: u64 },
    Reduce { id: OrderId, by: u64 },
    ReduceFront { side: Side, by: u64 },
    SetQuantity { id: OrderId, quantity: u64 },
    Change { id: OrderId, price: i64, quantity: u64 },
    Remove { id: OrderId },
    Clear,
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Buy), Just(Side::Sell)]
}

/// Mostly few prices, so that queues form; sometimes the ends of the range.
fn price() -> impl Strategy<Value = i64> {
    prop_oneof![12 => -12i64..12, 1 => Just(i64::MIN), 1 => Just(i64::MAX)]
}

fn quantity() -> impl Strategy<Value = u64> {
    prop_oneof![20 => 0u64..8, 1 => Just(u64::MAX), 1 => Just(u64::MAX / 2)]
}

fn command() -> impl Strategy<Value = Command> {
    let id = 0u64..40;
    prop_oneof![
        8 => (id.clone(), side(), price(), quantity())
            .prop_map(|(id, side, price, quantity)| Command::Add { id, side, price, quantity }),
        2 => (id.clone(), quantity()).prop_map(|(id, by)| Command::Reduce { id, by }),
        2 => (side(), quantity()).prop_map(|(side, by)| Command::ReduceFront { side, by }),
        2 => (id.clone(), quantity())
            .prop_map(|(id, quantity)| Command::SetQuantity { id, quantity }),
        3 => (id.clone(), price(), quantity())
            .prop_map(|(id, price, quantity)| Command::Change { id, price, quantity }),
        4 => id.prop_map(|id| Command::Remove { id }),
    ]
}

fn commands() -> impl Strategy<Value = Vec<Command>> {
    let one = prop_oneof![300 => command(), 1 => Just(Command::Clear)];
    prop::collection::vec(one, 0..200)
}

fn apply(book: &mut OrderBook, model: &mut Model, command: Command) -> Result<(), TestCaseError> {
    match command {
        Command::Add { id, side, price, quantity } => {
            let got = book.add(id, side, price, quantity);
            if let Ok(slot) = got {
                prop_assert!(slot < book.capacity());
            }
            prop_assert_eq!(got.map(|_| ()), model.add(id, side, price, quantity));
        }
        Command::Reduce { id, by } => prop_assert_eq!(book.reduce(id, by), model.reduce(id, by)),
        Command::ReduceFront { side, by } => {
            let front = model.side(side).first().map(|o| o.id);
            let want = front.map(|id| model.reduce(id, by));
            prop_assert_eq!(book.reduce_front(side, by), want);
        }
        Command::SetQuantity { id, quantity } => {
            let price = model.position(id).map(|at| model.orders[at].price);
            let want = price.and_then(|price| model.change(id, price, quantity));
            prop_assert_eq!(book.set_quantity(id, quantity), want);
        }
        Command::Change { id, price, quantity } => {
            prop_assert_eq!(book.change(id, price, quantity), model.change(id, price, quantity));
        }
        Command::Remove { id } => prop_assert_eq!(book.remove(id), model.remove(id)),
        Command::Clear => {
            book.clear();
            model.orders.clear();
        }
    }
    Ok(())
}

fn compare(book: &OrderBook, model: &Model) -> Result<(), TestCaseError> {
    prop_assert_eq!(book.audit(), Ok(()));
    prop_assert_eq!(book.len(), model.orders.len());
    for side in [Side::Buy, Side::Sell] {
        let levels = model.levels(side);
        prop_assert_eq!(book.orders(side).collect::<Vec<_>>(), model.side(side));
        prop_assert_eq!(book.levels(side).collect::<Vec<_>>(), levels.clone());
        prop_assert_eq!(book.best(side), levels.first().copied());
        prop_assert_eq!(book.front(side).map(|(_, o)| o), model.side(side).first().copied());
        for level in levels {
            prop_assert_eq!(book.level(side, level.price), Some(level));
        }
    }
    let quote = |side| model.levels(side).first().map(|l| (l.price, l.quantity));
    prop_assert_eq!(book.top().bid, quote(Side::Buy));
    prop_assert_eq!(book.top().offer, quote(Side::Sell));
    for id in 0..40 {
        prop_assert_eq!(book.get(id), model.position(id).ok().map(|at| model.orders[at]));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn agrees_after_every_command(commands in commands(), capacity in 0usize..32) {
        let mut book = OrderBook::with_capacity(capacity);
        let mut model = Model { capacity, ..Model::default() };
        for command in commands {
            apply(&mut book, &mut model, command)?;
            compare(&book, &model)?;
        }
        // The same orders, added in priority order to a fresh book, are the same book.
        let mut copy = OrderBook::with_capacity(capacity);
        for side in [Side::Buy, Side::Sell] {
            for order in book.orders(side) {
                copy.add(order.id, side, order.price, order.quantity).unwrap();
            }
        }
        prop_assert_eq!(copy.digest(), book.digest());
    }
}
