//! Deterministic matching engine.
