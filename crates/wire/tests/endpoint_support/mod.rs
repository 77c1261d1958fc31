//! Support for the endpoint's tests: an impaired link, and a party that drives an endpoint with
//! random application and fast-path behaviour while checking everything it emits.

#![allow(dead_code)] // each test binary uses its part

pub mod link;
pub mod party;
pub mod script;
pub mod setup;
