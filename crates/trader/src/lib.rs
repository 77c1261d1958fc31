//! The trader: feed handler, books, strategies, prepared orders.
pub mod arbitrate;
pub mod books;
pub mod desk;
pub mod fastpath;
pub mod feed;
pub mod host;
pub mod market;
pub mod orders;
pub mod recovery;
pub mod replay;
