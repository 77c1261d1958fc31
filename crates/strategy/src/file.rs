//! The strategy file, read and checked.

use saker_book::{OrderType, Side, TimeInForce};
use toml::Spanned;

use crate::decimal::Decimal;
use crate::plan::MAX_SLOTS;
use crate::raw::{RawFile, RawLimits, RawStrategy, key_at, line_at};
use crate::{Comparison, Limits, Problem, Source, StrategyError};

/// A strategy file that has been read and checked, not yet resolved against instruments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrategyFile {
    pub(crate) strategies: Vec<Spec>,
}

/// A price as written, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Price {
    pub line: usize,
    pub key: &'static str,
    pub text: String,
    pub decimal: Decimal,
}

/// One strategy, its prices not yet in an instrument's units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spec {
    pub name: String,
    pub symbol: String,
    pub symbol_line: usize,
    pub market_segment: Option<String>,
    pub source: Source,
    pub comparison: Comparison,
    pub bound: Price,
    pub side: Side,
    /// `None` for market orders.
    pub price: Option<Price>,
    pub quantity: u64,
    pub time_in_force: TimeInForce,
    pub rearm: bool,
    pub cooldown_ns: u64,
    pub limits: Limits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Stop,
    Cross,
}

impl StrategyFile {
    /// Reads a file and checks everything that needs no instrument.
    ///
    /// # Errors
    /// The first problem, with its line and key.
    pub fn from_toml(text: &str) -> Result<Self, StrategyError> {
        let raw: RawFile = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let problem = Problem::Toml(error.message().to_owned());
            StrategyError { line: line_at(text, offset), key: key_at(text, offset), problem }
        })?;
        let mut names: Vec<(String, usize)> = Vec::new();
        let mut strategies = Vec::with_capacity(raw.strategy.len());
        for (index, table) in raw.strategy.into_iter().enumerate() {
            let line = line_at(text, table.span().start);
            if index == MAX_SLOTS {
                return fail(line, "[[strategy]]", Problem::TooMany { most: MAX_SLOTS });
            }
            let reader = Reader { text, table_line: line };
            let name_line = table.get_ref().name.as_ref().map_or(line, |n| reader.line(n));
            let spec = reader.strategy(table.into_inner(), &raw.limits)?;
            if let Some((name, first_line)) = names.iter().find(|(name, _)| *name == spec.name) {
                let (name, first_line) = (name.clone(), *first_line);
                return fail(name_line, "name", Problem::DuplicateName { name, first_line });
            }
            names.push((spec.name.clone(), name_line));
            strategies.push(spec);
        }
        Ok(Self { strategies })
    }

    /// The symbol and, if one is named, the market segment of each strategy, in the file's order:
    /// what a feed handler has to follow.
    pub fn symbols(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.strategies.iter().map(|s| (s.symbol.as_str(), s.market_segment.as_deref()))
    }
}

pub(crate) fn fail<T>(line: usize, key: &str, problem: Problem) -> Result<T, StrategyError> {
    Err(StrategyError { line, key: key.to_owned(), problem })
}

/// Reads the keys of one `[[strategy]]`.
struct Reader<'a> {
    text: &'a str,
    table_line: usize,
}

type Text = Option<Spanned<String>>;

impl Reader<'_> {
    fn line<T>(&self, value: &Spanned<T>) -> usize {
        line_at(self.text, value.span().start)
    }

    fn strategy(&self, raw: RawStrategy, defaults: &RawLimits) -> Result<Spec, StrategyError> {
        const KINDS: &[(&str, Kind)] = &[("stop", Kind::Stop), ("cross", Kind::Cross)];
        const SIDES: &[(&str, Side)] = &[("buy", Side::Buy), ("sell", Side::Sell)];
        let (_, name) = self.text("name", raw.name)?;
        let kind = self.one_of("kind", raw.kind, KINDS, "stop, cross", None)?;
        let (symbol_line, symbol) = self.text("symbol", raw.symbol)?;
        let market_segment = raw.market_segment.map(Spanned::into_inner);
        let side = self.one_of("side", raw.side, SIDES, "buy, sell", None)?;
        let (source, comparison) = condition(kind, side);
        let bound = match kind {
            Kind::Stop => {
                self.unused("threshold", &raw.threshold, "kind \"stop\"")?;
                self.price("trigger", raw.trigger)?
            }
            Kind::Cross => {
                self.unused("trigger", &raw.trigger, "kind \"cross\"")?;
                self.price("threshold", raw.threshold)?
            }
        };
        let price = self.order_price(kind, &bound, raw.order_type, raw.price)?;
        let time_in_force = self.time_in_force(kind, raw.time_in_force)?;
        let rearm = raw.rearm.map_or(kind == Kind::Cross, Spanned::into_inner);
        if !rearm {
            self.unused("cooldown_us", &raw.cooldown_us, "rearm = false")?;
        }
        let cooldown_ns = match raw.cooldown_us {
            Some(span) => self.number("cooldown_us", &span, 0, u64::MAX / 1_000)? * 1_000,
            None => 0,
        };
        let own = [&raw.max_order_quantity, &raw.max_open_orders, &raw.max_position];
        let limits = self.limits(own, defaults)?;
        let quantity = self.required("quantity", raw.quantity)?;
        let quantity = self.number("quantity", &quantity, 1, limits.max_order_quantity)?;
        Ok(Spec {
            name,
            symbol,
            symbol_line,
            market_segment,
            source,
            comparison,
            bound,
            side,
            price,
            quantity,
            time_in_force,
            rearm,
            cooldown_ns,
            limits,
        })
    }

    /// The order's price: the threshold itself if a crossing strategy names none, and `None` for a
    /// market order.
    fn order_price(
        &self,
        kind: Kind,
        bound: &Price,
        order_type: Text,
        price: Text,
    ) -> Result<Option<Price>, StrategyError> {
        const TYPES: &[(&str, OrderType)] =
            &[("limit", OrderType::Limit), ("market", OrderType::Market)];
        let default = Some(OrderType::Limit);
        match self.one_of("order_type", order_type, TYPES, "limit, market", default)? {
            OrderType::Market => {
                self.unused("price", &price, "order_type \"market\"")?;
                Ok(None)
            }
            OrderType::Limit if price.is_none() && kind == Kind::Cross => Ok(Some(bound.clone())),
            OrderType::Limit => self.price("price", price).map(Some),
        }
    }

    /// Day by default for stops; at once or not for takers of a price they have just seen.
    fn time_in_force(&self, kind: Kind, value: Text) -> Result<TimeInForce, StrategyError> {
        const ALL: &[(&str, TimeInForce)] = &[
            ("day", TimeInForce::Day),
            ("ioc", TimeInForce::ImmediateOrCancel),
            ("fok", TimeInForce::FillOrKill),
        ];
        let default = match kind {
            Kind::Stop => TimeInForce::Day,
            Kind::Cross => TimeInForce::ImmediateOrCancel,
        };
        self.one_of("time_in_force", value, ALL, "day, ioc, fok", Some(default))
    }

    fn limits(
        &self,
        own: [&Option<Spanned<u64>>; 3],
        defaults: &RawLimits,
    ) -> Result<Limits, StrategyError> {
        let pick = |key, own: &Option<Spanned<u64>>, default: &Option<Spanned<u64>>, most| {
            let chosen = own.as_ref().or(default.as_ref());
            let span = self.required(key, chosen)?;
            self.number(key, span, 1, most)
        };
        let open_orders = u64::from(u32::MAX);
        Ok(Limits {
            max_order_quantity: pick(
                "max_order_quantity",
                own[0],
                &defaults.max_order_quantity,
                i64::MAX as u64,
            )?,
            max_open_orders: pick(
                "max_open_orders",
                own[1],
                &defaults.max_open_orders,
                open_orders,
            )? as u32,
            max_position: pick("max_position", own[2], &defaults.max_position, i64::MAX as u64)?,
        })
    }

    fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, StrategyError> {
        match value {
            Some(value) => Ok(value),
            None => fail(self.table_line, key, Problem::Missing),
        }
    }

    fn text(&self, key: &str, value: Text) -> Result<(usize, String), StrategyError> {
        let span = self.required(key, value)?;
        let line = self.line(&span);
        let text = span.into_inner();
        if text.is_empty() { fail(line, key, Problem::Empty) } else { Ok((line, text)) }
    }

    fn unused<T>(
        &self,
        key: &str,
        value: &Option<Spanned<T>>,
        with: &'static str,
    ) -> Result<(), StrategyError> {
        match value {
            Some(span) => fail(self.line(span), key, Problem::Meaningless(with)),
            None => Ok(()),
        }
    }

    fn number(
        &self,
        key: &str,
        span: &Spanned<u64>,
        least: u64,
        most: u64,
    ) -> Result<u64, StrategyError> {
        let value = *span.get_ref();
        if (least..=most).contains(&value) {
            return Ok(value);
        }
        fail(self.line(span), key, Problem::OutOfRange { value, least, most })
    }

    fn one_of<T: Copy>(
        &self,
        key: &str,
        value: Text,
        values: &[(&str, T)],
        allowed: &'static str,
        default: Option<T>,
    ) -> Result<T, StrategyError> {
        if let (None, Some(default)) = (&value, default) {
            return Ok(default);
        }
        let span = self.required(key, value)?;
        match values.iter().find(|(word, _)| word == span.get_ref()) {
            Some((_, value)) => Ok(*value),
            None => {
                let line = self.line(&span);
                fail(line, key, Problem::NotOneOf { value: span.into_inner(), allowed })
            }
        }
    }

    fn price(&self, key: &'static str, value: Text) -> Result<Price, StrategyError> {
        let span = self.required(key, value)?;
        let line = self.line(&span);
        let text = span.into_inner();
        match Decimal::parse(&text) {
            Some(decimal) => Ok(Price { line, key, text, decimal }),
            None => fail(line, key, Problem::NotDecimal(text)),
        }
    }
}

/// Which price a kind of strategy looks at, and when it qualifies.
fn condition(kind: Kind, side: Side) -> (Source, Comparison) {
    match (kind, side) {
        (Kind::Stop, Side::Buy) => (Source::Trade, Comparison::AtLeast),
        (Kind::Stop, Side::Sell) => (Source::Trade, Comparison::AtMost),
        (Kind::Cross, Side::Buy) => (Source::Offer, Comparison::AtMost),
        (Kind::Cross, Side::Sell) => (Source::Bid, Comparison::AtLeast),
    }
}
