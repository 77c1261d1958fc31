//! The trader in logic, simulated cycle by cycle, as a station of the virtual world.
pub mod library;
pub mod xgmii;
