//! The trader: feed handler, books, strategies, prepared orders.
pub mod arbitrate;
pub mod books;
pub mod desk;
pub mod fastpath;
pub mod market;
pub mod recovery;
