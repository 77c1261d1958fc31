//! The book: a slab of orders in queues, a slab of levels, a ladder for each side, an id map.

use crate::id_map::{Found, IdMap};
use crate::ladder::Ladder;
use crate::{BookError, Level, Order, OrderId, Side, Top};

/// The end of a linked list.
const NIL: u32 = u32::MAX;

/// The largest capacity of a book.
const MAX_CAPACITY: usize = 1 << 31;

/// Whether a change left an order its place in the queue of its price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// It kept its place.
    Kept,
    /// It went to the back of the queue of its (new) price.
    Lost,
}

/// An order in the slab, linked with its neighbours at the same price.
#[derive(Debug, Clone, Copy)]
struct Node {
    id: OrderId,
    price: i64,
    quantity: u64,
    /// The order ahead, or [`NIL`].
    prev: u32,
    /// The order behind, or [`NIL`]; in a free node, the next free one.
    next: u32,
    level: u32,
    side: Side,
}

impl Node {
    fn order(&self) -> Order {
        Order { id: self.id, side: self.side, price: self.price, quantity: self.quantity }
    }
}

/// A price with its queue.
#[derive(Debug, Clone, Copy)]
struct Queue {
    price: i64,
    quantity: u64,
    orders: u32,
    /// First in priority; in a free queue, the next free one.
    head: u32,
    tail: u32,
}

impl Queue {
    fn level(&self) -> Level {
        Level { price: self.price, quantity: self.quantity, orders: self.orders }
    }
}

/// Price-time priority book by order of one instrument. See the crate's front page for its rules.
#[derive(Debug)]
pub struct OrderBook {
    capacity: usize,
    len: usize,
    nodes: Vec<Node>,
    free_node: u32,
    queues: Vec<Queue>,
    free_queue: u32,
    ladders: [Ladder; 2],
    ids: IdMap,
}

impl OrderBook {
    /// An empty book for at most `capacity` orders (at most 2^31). All memory is reserved here:
    /// about 100 bytes an order. The book never grows; a further order is refused.
    ///
    /// # Panics
    /// If `capacity` exceeds 2^31.
    pub fn with_capacity(capacity: usize) -> Self {
        assert!(capacity <= MAX_CAPACITY, "a book holds at most 2^31 orders");
        Self {
            capacity,
            len: 0,
            nodes: Vec::with_capacity(capacity),
            free_node: NIL,
            queues: Vec::with_capacity(capacity),
            free_queue: NIL,
            ladders: [Ladder::with_capacity(capacity), Ladder::with_capacity(capacity)],
            ids: IdMap::with_capacity(capacity),
        }
    }

    /// The most orders the book holds.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// How many orders rest in it.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no order rests in it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts an order at the back of the queue of its price. Returns the order's *slot*: an index
    /// below the capacity that is the order's own while it rests, for tables beside the book.
    ///
    /// # Errors
    /// `ZeroQuantity`, `DuplicateOrder`, `Full`, `LevelOverflow`.
    pub fn add(
        &mut self,
        id: OrderId,
        side: Side,
        price: i64,
        quantity: u64,
    ) -> Result<usize, BookError> {
        if quantity == 0 {
            return Err(BookError::ZeroQuantity(id));
        }
        let place = match self.find(id) {
            Found::At { .. } => return Err(BookError::DuplicateOrder(id)),
            Found::Vacant { place } => place,
        };
        if self.len == self.capacity {
            return Err(BookError::Full { capacity: self.capacity });
        }
        self.check_room(side, price, quantity)?;
        let node = Node { id, price, quantity, prev: NIL, next: NIL, level: NIL, side };
        let slot = self.take_node(node);
        self.ids.insert_at(place, id, slot);
        self.len += 1;
        self.link_back(slot);
        Ok(slot as usize)
    }

    /// Takes `by` units off an order, which keeps its place. Returns what remains of it; at 0 it
    /// is gone from the book.
    ///
    /// # Errors
    /// `UnknownOrder`; `Overfilled` if it has fewer than `by`.
    pub fn reduce(&mut self, id: OrderId, by: u64) -> Result<u64, BookError> {
        let (place, slot) = self.locate(id)?;
        let node = &mut self.nodes[slot as usize];
        let Some(rest) = node.quantity.checked_sub(by) else {
            return Err(BookError::Overfilled { id, quantity: node.quantity, by });
        };
        if rest == 0 {
            self.take_out(place, slot);
        } else {
            node.quantity = rest;
            self.queues[node.level as usize].quantity -= by;
        }
        Ok(rest)
    }

    /// As [`OrderBook::reduce`] for the first order of the best price, without a lookup while
    /// something remains of it.
    ///
    /// # Errors
    /// `Overfilled` as above. `None` if the side is empty.
    pub fn reduce_front(&mut self, side: Side, by: u64) -> Option<Result<u64, BookError>> {
        let queue = self.ladders[side as usize].best()? as usize;
        let node = &mut self.nodes[self.queues[queue].head as usize];
        if by < node.quantity {
            node.quantity -= by;
            self.queues[queue].quantity -= by;
            return Some(Ok(node.quantity));
        }
        let id = node.id;
        Some(self.reduce(id, by))
    }

    /// Sets an order's quantity. A decrease (or the same) keeps its place, an increase sends it to
    /// the back of its price's queue.
    ///
    /// # Errors
    /// `ZeroQuantity`, `UnknownOrder`, `LevelOverflow`.
    pub fn set_quantity(&mut self, id: OrderId, quantity: u64) -> Result<Priority, BookError> {
        let (_, slot) = self.locate(id)?;
        self.change_slot(slot, self.nodes[slot as usize].price, quantity)
    }

    /// Sets an order's price and quantity. At an equal price this is
    /// [`OrderBook::set_quantity`]; at another price it goes to the back of the new price's queue.
    ///
    /// # Errors
    /// `ZeroQuantity`, `UnknownOrder`, `LevelOverflow`.
    pub fn change(
        &mut self,
        id: OrderId,
        price: i64,
        quantity: u64,
    ) -> Result<Priority, BookError> {
        let (_, slot) = self.locate(id)?;
        self.change_slot(slot, price, quantity)
    }

    /// Takes an order out, and returns it as it was.
    ///
    /// # Errors
    /// `UnknownOrder`.
    pub fn remove(&mut self, id: OrderId) -> Result<Order, BookError> {
        let (place, slot) = self.locate(id)?;
        let order = self.nodes[slot as usize].order();
        self.take_out(place, slot);
        Ok(order)
    }

    /// The order with this id.
    pub fn get(&self, id: OrderId) -> Option<Order> {
        self.find_order(id).map(|(_, order)| order)
    }

    /// The order with this id, with its slot (see [`OrderBook::add`]).
    pub fn find_order(&self, id: OrderId) -> Option<(usize, Order)> {
        self.slot(id).map(|slot| (slot, self.nodes[slot].order()))
    }

    /// The slot of a resting order (see [`OrderBook::add`]).
    pub fn slot(&self, id: OrderId) -> Option<usize> {
        self.locate(id).ok().map(|(_, slot)| slot as usize)
    }

    /// The best price of a side.
    #[inline]
    pub fn best(&self, side: Side) -> Option<Level> {
        self.ladders[side as usize].best().map(|queue| self.queues[queue as usize].level())
    }

    /// Best price and its quantity on both sides.
    #[inline]
    pub fn top(&self) -> Top {
        let quote = |side| self.best(side).map(|level| (level.price, level.quantity));
        Top { bid: quote(Side::Buy), offer: quote(Side::Sell) }
    }

    /// First order in priority of the best price, with its slot.
    #[inline]
    pub fn front(&self, side: Side) -> Option<(usize, Order)> {
        let queue = self.ladders[side as usize].best()?;
        let slot = self.queues[queue as usize].head as usize;
        Some((slot, self.nodes[slot].order()))
    }

    /// The level at a price.
    pub fn level(&self, side: Side, price: i64) -> Option<Level> {
        let queue = self.ladders[side as usize].find(side.rank(price)).ok()?;
        Some(self.queues[queue as usize].level())
    }

    /// The levels of a side, best first.
    pub fn levels(&self, side: Side) -> impl Iterator<Item = Level> + '_ {
        self.ladders[side as usize].iter().map(|queue| self.queues[queue as usize].level())
    }

    /// The orders of a side in priority order.
    pub fn orders(&self, side: Side) -> impl Iterator<Item = Order> + '_ {
        self.slots(side).map(|(_, order)| order)
    }

    /// The orders of a side in priority order, with their slots.
    pub fn slots(&self, side: Side) -> impl Iterator<Item = (usize, Order)> + '_ {
        self.ladders[side as usize].iter().flat_map(|queue| self.queue_slots(queue))
    }

    /// Whether the best bid is at or above the best offer. The book itself allows it: a feed may
    /// show a crossing order before the deletes of what it traded with. A matcher never leaves it.
    pub fn is_crossed(&self) -> bool {
        self.top().is_crossed()
    }

    /// Takes every order out; the memory stays.
    pub fn clear(&mut self) {
        self.len = 0;
        self.nodes.clear();
        self.free_node = NIL;
        self.queues.clear();
        self.free_queue = NIL;
        self.ladders.iter_mut().for_each(Ladder::clear);
        self.ids.clear();
    }

    fn find(&self, id: OrderId) -> Found {
        self.ids.find(id, |slot| self.nodes[slot as usize].id == id)
    }

    /// The place in the id map and the slot of an order.
    fn locate(&self, id: OrderId) -> Result<(usize, u32), BookError> {
        match self.find(id) {
            Found::At { place, slot } => Ok((place, slot)),
            Found::Vacant { .. } => Err(BookError::UnknownOrder(id)),
        }
    }

    fn queue_slots(&self, queue: u32) -> impl Iterator<Item = (usize, Order)> + '_ {
        let live = |slot: u32| (slot != NIL).then_some(slot as usize);
        let head = live(self.queues[queue as usize].head);
        std::iter::successors(head, move |&slot| live(self.nodes[slot].next))
            .map(|slot| (slot, self.nodes[slot].order()))
    }

    /// Whether `more` units fit into the sum at a price.
    fn check_room(&self, side: Side, price: i64, more: u64) -> Result<(), BookError> {
        let there = self.level(side, price).map_or(0, |level| level.quantity);
        there.checked_add(more).map(|_| ()).ok_or(BookError::LevelOverflow { price })
    }

    fn change_slot(&mut self, slot: u32, price: i64, quantity: u64) -> Result<Priority, BookError> {
        let node = &mut self.nodes[slot as usize];
        if quantity == 0 {
            return Err(BookError::ZeroQuantity(node.id));
        }
        if price == node.price && quantity <= node.quantity {
            let by = node.quantity - quantity;
            node.quantity = quantity;
            self.queues[node.level as usize].quantity -= by;
            return Ok(Priority::Kept);
        }
        let side = node.side;
        let more = if price == node.price { quantity - node.quantity } else { quantity };
        self.check_room(side, price, more)?;
        self.unlink(slot);
        let node = &mut self.nodes[slot as usize];
        node.price = price;
        node.quantity = quantity;
        self.link_back(slot);
        Ok(Priority::Lost)
    }

    /// Removes an order from queue, map and slab.
    fn take_out(&mut self, place: usize, slot: u32) {
        self.unlink(slot);
        self.ids.remove_at(place);
        self.nodes[slot as usize].next = self.free_node;
        self.free_node = slot;
        self.len -= 1;
    }

    fn take_node(&mut self, node: Node) -> u32 {
        if self.free_node == NIL {
            debug_assert!(self.nodes.len() < self.capacity);
            self.nodes.push(node);
            return self.nodes.len() as u32 - 1;
        }
        let slot = self.free_node;
        self.free_node = std::mem::replace(&mut self.nodes[slot as usize], node).next;
        slot
    }

    fn take_queue(&mut self, queue: Queue) -> u32 {
        if self.free_queue == NIL {
            debug_assert!(self.queues.len() < self.capacity);
            self.queues.push(queue);
            return self.queues.len() as u32 - 1;
        }
        let index = self.free_queue;
        self.free_queue = std::mem::replace(&mut self.queues[index as usize], queue).head;
        index
    }

    /// Puts an unlinked order at the back of the queue of its price. The caller has checked that
    /// the quantity fits.
    fn link_back(&mut self, slot: u32) {
        let Node { price, quantity, side, .. } = self.nodes[slot as usize];
        let rank = side.rank(price);
        let level = match self.ladders[side as usize].find(rank) {
            Ok(level) => level,
            Err(spot) => {
                let empty = Queue { price, quantity: 0, orders: 0, head: NIL, tail: NIL };
                let level = self.take_queue(empty);
                self.ladders[side as usize].insert(spot, rank, level);
                level
            }
        };
        let queue = &mut self.queues[level as usize];
        queue.quantity += quantity;
        queue.orders += 1;
        let ahead = std::mem::replace(&mut queue.tail, slot);
        if ahead == NIL {
            queue.head = slot;
        } else {
            self.nodes[ahead as usize].next = slot;
        }
        let node = &mut self.nodes[slot as usize];
        node.prev = ahead;
        node.next = NIL;
        node.level = level;
    }

    /// Takes an order out of its queue, and the queue out of the ladder when it is empty then.
    fn unlink(&mut self, slot: u32) {
        let Node { price, quantity, prev, next, level, side, .. } = self.nodes[slot as usize];
        let queue = &mut self.queues[level as usize];
        queue.quantity -= quantity;
        queue.orders -= 1;
        if prev == NIL {
            queue.head = next;
        } else {
            self.nodes[prev as usize].next = next;
        }
        if next == NIL {
            queue.tail = prev;
        } else {
            self.nodes[next as usize].prev = prev;
        }
        if queue.orders == 0 {
            queue.head = self.free_queue;
            self.free_queue = level;
            self.ladders[side as usize].remove(side.rank(price));
        }
    }

    /// Checks every invariant of the representation, in time linear in the number of orders: for
    /// tests and for a host that audits itself.
    ///
    /// # Errors
    /// The name of the first invariant found broken.
    pub fn audit(&self) -> Result<(), &'static str> {
        let check = |holds: bool, what| if holds { Ok(()) } else { Err(what) };
        let mut orders = 0;
        for side in [Side::Buy, Side::Sell] {
            let ladder = &self.ladders[side as usize];
            check(ladder.is_sound(), "prices are strictly sorted")?;
            for (rank, queue) in ladder.ranks().zip(ladder.iter()) {
                let level = self.queues[queue as usize];
                check(side.rank(level.price) == rank, "a level is at its price")?;
                check(level.orders > 0, "no level is empty")?;
                let (mut count, mut sum, mut ahead) = (0u32, 0u64, NIL);
                for (slot, order) in self.queue_slots(queue) {
                    let node = &self.nodes[slot];
                    check(node.prev == ahead, "queues are linked both ways")?;
                    check(node.level == queue, "an order knows its level")?;
                    check(order.side == side && order.price == level.price, "orders match")?;
                    check(order.quantity > 0, "no order is empty")?;
                    check(self.slot(order.id) == Some(slot), "an order is found by its id")?;
                    (count, sum, ahead) = (count + 1, sum + order.quantity, slot as u32);
                }
                check(level.tail == ahead, "the tail is the last order")?;
                check(level.orders == count, "the order count is right")?;
                check(level.quantity == sum, "the quantity is right")?;
                orders += count as usize;
            }
        }
        check(orders == self.len, "every order is in a queue")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_grows_however_full_the_book_and_however_often_it_turns_over() {
        const CAPACITY: usize = 500;
        let mut random = fastrand::Rng::with_seed(3);
        let mut book = OrderBook::with_capacity(CAPACITY);
        let sizes = |book: &OrderBook| (book.nodes.capacity(), book.queues.capacity());
        let reserved = sizes(&book);
        let mut live: Vec<OrderId> = Vec::new();
        for id in 0..20_000 {
            let side = if random.bool() { Side::Buy } else { Side::Sell };
            match book.add(id, side, random.i64(0..1_000), 1) {
                Ok(_) => live.push(id),
                Err(error) => {
                    assert_eq!(error, BookError::Full { capacity: CAPACITY });
                    for _ in 0..random.usize(1..CAPACITY) {
                        let gone = live.swap_remove(random.usize(0..live.len()));
                        book.remove(gone).unwrap();
                    }
                }
            }
            if id % 101 == 0 {
                assert_eq!(book.audit(), Ok(()));
            }
        }
        assert_eq!(sizes(&book), reserved);
        book.clear();
        assert_eq!((book.audit(), book.len(), sizes(&book)), (Ok(()), 0, reserved));
    }
}
