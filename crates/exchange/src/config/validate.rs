//! The checks a configuration must pass before an engine is made of it.

use rustc_hash::FxHashSet;

use super::{ExchangeConfig, InstrumentConfig, ParticipantConfig};

/// Longest comp id, user name, password and symbol, in bytes.
const MAX_NAME: usize = 16;

/// Why a configuration is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A value is outside its range.
    #[error("{field}: {problem}")]
    Invalid {
        /// The offending field, for example `instruments[2].tick`.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// An instrument's market rules are refused by the matcher.
    #[error("instruments[{index}]: {error}")]
    Rules {
        /// Which instrument.
        index: usize,
        /// Why.
        error: saker_matching::RulesError,
    },
    /// The feed's settings are refused by the publisher.
    #[error("feed: {0}")]
    Feed(#[from] saker_feed::publish::PublishError),
}

fn invalid<T>(field: impl Into<String>, problem: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError::Invalid { field: field.into(), problem: problem.into() })
}

impl ExchangeConfig {
    /// Checks every range and that everything that must be unique is.
    pub fn validate(&self) -> Result<(), ConfigError> {
        name("comp_id", &self.comp_id)?;
        if self.instruments.is_empty() {
            return invalid("instruments", "at least one is needed");
        }
        let (mut ids, mut symbols) = (FxHashSet::default(), FxHashSet::default());
        for (i, instrument) in self.instruments.iter().enumerate() {
            let at = format!("instruments[{i}]");
            check_instrument(&at, instrument)?;
            if !ids.insert(instrument.security_id) {
                return invalid(format!("{at}.security_id"), "used twice");
            }
            if !symbols.insert(instrument.symbol.as_str()) {
                return invalid(format!("{at}.symbol"), "used twice");
            }
        }
        let mut comp_ids = FxHashSet::default();
        for (i, participant) in self.participants.iter().enumerate() {
            let at = format!("participants[{i}]");
            check_participant(&at, participant)?;
            if participant.comp_id == self.comp_id || !comp_ids.insert(&participant.comp_id) {
                return invalid(format!("{at}.comp_id"), "used twice");
            }
        }
        self.check_limits()
    }

    fn check_limits(&self) -> Result<(), ConfigError> {
        let limits = &self.limits;
        let positive = [
            ("limits.max_connections", limits.max_connections),
            ("limits.max_client_order_ids", limits.max_client_order_ids),
            ("limits.max_request_symbols", limits.max_request_symbols),
            ("limits.max_book_orders", limits.max_book_orders),
            ("limits.conflate_bytes", limits.conflate_bytes),
        ];
        for (field, value) in positive {
            if value == 0 {
                return invalid(field, "must be at least 1");
            }
        }
        if limits.max_market_depth == 0 {
            return invalid("limits.max_market_depth", "must be at least 1");
        }
        if limits.logon_timeout_ns == 0 {
            return invalid("limits.logon_timeout_ns", "must be at least 1");
        }
        if limits.disconnect_bytes <= limits.conflate_bytes {
            return invalid("limits.disconnect_bytes", "must exceed limits.conflate_bytes");
        }
        Ok(())
    }
}

fn check_instrument(at: &str, instrument: &InstrumentConfig) -> Result<(), ConfigError> {
    name(&format!("{at}.symbol"), &instrument.symbol)?;
    if !(-9..=0).contains(&instrument.exponent) {
        return invalid(format!("{at}.exponent"), "must be -9 to 0");
    }
    if instrument.max_quantity < instrument.lot {
        return invalid(format!("{at}.max_quantity"), "must be at least the lot");
    }
    Ok(())
}

fn check_participant(at: &str, participant: &ParticipantConfig) -> Result<(), ConfigError> {
    name(&format!("{at}.comp_id"), &participant.comp_id)?;
    name(&format!("{at}.username"), &participant.username)?;
    name(&format!("{at}.password"), &participant.password)?;
    if participant.max_open_orders == 0 || u32::try_from(participant.max_open_orders).is_err() {
        return invalid(format!("{at}.max_open_orders"), "must be 1 to 2^32 - 1");
    }
    Ok(())
}

/// 1 to 16 bytes of printable ASCII without spaces, so that a name is one FIX field value.
fn name(field: &str, value: &str) -> Result<(), ConfigError> {
    if value.is_empty() || value.len() > MAX_NAME {
        return invalid(field, "must have 1 to 16 characters");
    }
    if !value.bytes().all(|b| b.is_ascii_graphic()) {
        return invalid(field, "must be printable ASCII without spaces");
    }
    Ok(())
}
