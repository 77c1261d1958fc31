//! Trading strategies and their limits, from one TOML file.
