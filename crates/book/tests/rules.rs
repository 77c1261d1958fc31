//! The book's rules by name.

use saker_book::{BookError, Level, OrderBook, Priority, Side, Top};

fn ids(book: &OrderBook, side: Side) -> Vec<u64> {
    book.orders(side).map(|o| o.id).collect()
}

/// Three buys of 10 at 100, ids 1 to 3.
fn queue_of_three() -> OrderBook {
    let mut book = OrderBook::with_capacity(8);
    for id in 1..=3 {
        book.add(id, Side::Buy, 100, 10).expect("room for three");
    }
    book
}

#[test]
fn removing_the_middle_keeps_its_neighbours() {
    let mut book = queue_of_three();
    book.remove(2).unwrap();
    assert_eq!(ids(&book, Side::Buy), [1, 3]);
    assert_eq!(book.best(Side::Buy), Some(Level { price: 100, quantity: 20, orders: 2 }));
    book.remove(1).unwrap();
    book.add(4, Side::Buy, 100, 1).unwrap();
    assert_eq!(ids(&book, Side::Buy), [3, 4]);
}

#[test]
fn a_decrease_keeps_priority_and_an_increase_loses_it() {
    let mut book = queue_of_three();
    assert_eq!(book.set_quantity(1, 4), Ok(Priority::Kept));
    assert_eq!(book.set_quantity(2, 10), Ok(Priority::Kept));
    assert_eq!(ids(&book, Side::Buy), [1, 2, 3]);
    assert_eq!(book.set_quantity(1, 5), Ok(Priority::Lost));
    assert_eq!(ids(&book, Side::Buy), [2, 3, 1]);
    assert_eq!(book.best(Side::Buy), Some(Level { price: 100, quantity: 25, orders: 3 }));
}

#[test]
fn a_price_change_loses_priority_even_there_and_back() {
    let mut book = queue_of_three();
    assert_eq!(book.change(1, 101, 10), Ok(Priority::Lost));
    assert_eq!(ids(&book, Side::Buy), [1, 2, 3]);
    assert_eq!(book.change(1, 100, 10), Ok(Priority::Lost));
    assert_eq!(ids(&book, Side::Buy), [2, 3, 1]);
}

#[test]
fn no_phantom_best_price_is_left_behind() {
    let mut book = queue_of_three();
    book.add(9, Side::Buy, 105, 1).unwrap();
    assert_eq!(book.reduce(9, 1), Ok(0));
    assert_eq!(book.top(), Top { bid: Some((100, 30)), offer: None });
    for id in 1..=3 {
        book.remove(id).unwrap();
    }
    assert_eq!(book.top(), Top::default());
    assert_eq!(book.levels(Side::Buy).count(), 0);
}

#[test]
fn refusals_leave_the_book_as_it_was() {
    let mut book = queue_of_three();
    let before = book.digest();
    assert_eq!(book.add(1, Side::Sell, 1, 1), Err(BookError::DuplicateOrder(1)));
    assert_eq!(book.add(9, Side::Buy, 1, 0), Err(BookError::ZeroQuantity(9)));
    assert_eq!(book.set_quantity(1, 0), Err(BookError::ZeroQuantity(1)));
    assert_eq!(book.remove(9), Err(BookError::UnknownOrder(9)));
    assert_eq!(book.reduce(1, 11), Err(BookError::Overfilled { id: 1, quantity: 10, by: 11 }));
    let overflow = Err(BookError::LevelOverflow { price: 100 });
    assert_eq!(book.add(9, Side::Buy, 100, u64::MAX).map(|_| ()), overflow);
    assert_eq!(book.set_quantity(1, u64::MAX).map(|_| ()), overflow.map(|_: ()| ()));
    assert_eq!(book.digest(), before);
    assert_eq!(book.audit(), Ok(()));
}

#[test]
fn a_full_book_refuses_and_takes_again_after_a_removal() {
    let mut book = OrderBook::with_capacity(2);
    book.add(1, Side::Buy, 1, 1).unwrap();
    book.add(2, Side::Sell, 2, 1).unwrap();
    assert_eq!(book.add(3, Side::Buy, 1, 1), Err(BookError::Full { capacity: 2 }));
    book.remove(1).unwrap();
    book.add(3, Side::Buy, 1, 1).unwrap();
    assert_eq!(book.audit(), Ok(()));
}

#[test]
fn a_crossed_book_is_kept_and_said() {
    let mut book = queue_of_three();
    book.add(7, Side::Sell, 99, 5).unwrap();
    assert!(book.is_crossed());
    book.remove(7).unwrap();
    assert!(!book.is_crossed());
    book.add(8, Side::Sell, 100, 5).unwrap();
    assert!(book.is_crossed(), "locked counts as crossed");
}

#[test]
fn the_ends_of_the_price_range_sort() {
    let mut book = OrderBook::with_capacity(6);
    for (id, price) in [i64::MIN, 0, i64::MAX].into_iter().enumerate() {
        book.add(id as u64, Side::Buy, price, 1).unwrap();
        book.add(10 + id as u64, Side::Sell, price, 1).unwrap();
    }
    assert_eq!(ids(&book, Side::Buy), [2, 1, 0]);
    assert_eq!(ids(&book, Side::Sell), [10, 11, 12]);
}
