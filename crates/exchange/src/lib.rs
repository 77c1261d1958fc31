//! The exchange: FIX order entry, matching, market data.
