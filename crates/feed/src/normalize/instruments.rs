//! The instruments a feed has named, under dense indices.

use std::collections::HashMap;

/// An instrument's dense index, from 0, in order of first sight.
pub type InstrumentIndex = u32;

/// What is known of an instrument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instrument {
    /// SecurityID (48), where the feed has one.
    pub security_id: Option<u64>,
    /// Symbol (55); empty until a definition names it.
    pub symbol: String,
    /// TradingSessionID (336): the same symbol is another instrument in another session. Empty on
    /// feeds without sessions.
    pub session: String,
    /// Every price of this instrument is `mantissa * 10^price_exponent`.
    pub price_exponent: i8,
    /// MinPriceIncrement (969) as a mantissa; 0 where the feed does not say.
    pub price_increment: i64,
    /// RoundLot (561); 1 where the feed does not say.
    pub round_lot: u64,
}

/// How many an instrument registry holds, and how it makes instruments nobody has defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstrumentsConfig {
    /// Instruments beyond this number are refused and counted.
    pub capacity: usize,
    /// `Some(exponent)`: the feed has no definitions, so an unknown symbol becomes an instrument
    /// with this price exponent when it is first seen. `None`: an unknown instrument's entries
    /// are dropped and counted.
    pub create_on_first_sight: Option<i8>,
}

impl Default for InstrumentsConfig {
    fn default() -> Self {
        Self { capacity: 4_096, create_on_first_sight: None }
    }
}

/// The registry of instruments.
#[derive(Debug)]
pub struct Instruments {
    config: InstrumentsConfig,
    list: Vec<Instrument>,
    by_security_id: HashMap<u64, InstrumentIndex>,
    /// Symbol, then session; nested so that a lookup borrows both and allocates nothing.
    by_symbol: HashMap<String, Vec<InstrumentIndex>>,
}

/// The registry is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full;

impl Instruments {
    /// An empty registry.
    pub fn new(config: InstrumentsConfig) -> Self {
        Self { config, list: Vec::new(), by_security_id: HashMap::new(), by_symbol: HashMap::new() }
    }

    /// The instrument under `index`.
    pub fn get(&self, index: InstrumentIndex) -> Option<&Instrument> {
        self.list.get(index as usize)
    }

    /// All instruments, by index.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Instrument> {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The instrument with this SecurityID.
    pub fn by_security_id(&self, id: u64) -> Option<InstrumentIndex> {
        self.by_security_id.get(&id).copied()
    }

    /// The instrument with this symbol in this session.
    pub fn by_symbol(&self, symbol: &str, session: &str) -> Option<InstrumentIndex> {
        let candidates = self.by_symbol.get(symbol)?;
        candidates.iter().copied().find(|i| self.list[*i as usize].session == session)
    }

    /// The instruments that `name` means: a symbol in whatever session, or `symbol:session`.
    pub fn by_name<'a>(&'a self, name: &str) -> impl Iterator<Item = InstrumentIndex> + use<'a> {
        let (symbol, session) = match name.split_once(':') {
            Some((symbol, session)) => (symbol, Some(session.to_owned())),
            None => (name, None),
        };
        let candidates = self.by_symbol.get(symbol).map(Vec::as_slice).unwrap_or_default();
        candidates.iter().copied().filter(move |i| {
            session.as_ref().is_none_or(|session| self.list[*i as usize].session == *session)
        })
    }

    /// Finds or, where the configuration allows it, creates the instrument of a foreign feed.
    /// `Ok(None)`: unknown, and not to be created.
    pub(crate) fn sight(
        &mut self,
        symbol: &str,
        session: &str,
    ) -> Result<Option<(InstrumentIndex, bool)>, Full> {
        if let Some(index) = self.by_symbol(symbol, session) {
            return Ok(Some((index, false)));
        }
        let Some(price_exponent) = self.config.create_on_first_sight else { return Ok(None) };
        let index = self.push(Instrument {
            security_id: None,
            symbol: symbol.to_owned(),
            session: session.to_owned(),
            price_exponent,
            price_increment: 0,
            round_lot: 1,
        })?;
        Ok(Some((index, true)))
    }

    /// Enters a definition. A repeated one changes nothing: what an instrument is does not change
    /// within a session. Returns whether it is new.
    pub(crate) fn define(
        &mut self,
        instrument: Instrument,
    ) -> Result<(InstrumentIndex, bool), Full> {
        let known = match instrument.security_id {
            Some(id) => self.by_security_id(id),
            None => self.by_symbol(&instrument.symbol, &instrument.session),
        };
        match known {
            Some(index) => Ok((index, false)),
            None => self.push(instrument).map(|index| (index, true)),
        }
    }

    fn push(&mut self, instrument: Instrument) -> Result<InstrumentIndex, Full> {
        if self.list.len() >= self.config.capacity {
            return Err(Full);
        }
        let index = u32::try_from(self.list.len()).map_err(|_| Full)?;
        if let Some(id) = instrument.security_id {
            self.by_security_id.insert(id, index);
        }
        self.by_symbol.entry(instrument.symbol.clone()).or_default().push(index);
        self.list.push(instrument);
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_in_another_session_is_another_instrument() {
        let mut all =
            Instruments::new(InstrumentsConfig { capacity: 2, create_on_first_sight: Some(-4) });
        assert_eq!(all.sight("AFLT", "TQBR"), Ok(Some((0, true))));
        assert_eq!(all.sight("AFLT", "SMAL"), Ok(Some((1, true))));
        assert_eq!(all.sight("AFLT", "TQBR"), Ok(Some((0, false))));
        assert_eq!(all.sight("SBER", "TQBR"), Err(Full));
        assert_eq!(all.by_name("AFLT").collect::<Vec<_>>(), [0, 1]);
        assert_eq!(all.by_name("AFLT:SMAL").collect::<Vec<_>>(), [1]);
        assert_eq!(all.by_name("GAZP").count(), 0);
    }

    #[test]
    fn without_creation_the_unknown_stays_unknown() {
        let mut all = Instruments::new(InstrumentsConfig::default());
        assert_eq!(all.sight("AFLT", ""), Ok(None));
        assert!(all.is_empty());
    }
}
