//! Price-time priority order book.
