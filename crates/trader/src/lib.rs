//! The trader: feed handler, books, strategies, prepared orders.
