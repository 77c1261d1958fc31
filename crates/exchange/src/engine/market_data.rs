//! Market data over FIX: requests (V), snapshots (W), rejects (Y), and who is owed an update.

use saker_fix::parse::{Message, Optional};
use saker_fix::tag::{self, msg_type};
use saker_wire::time::Nanos;

use super::Exchange;
use crate::identifier::Identifier;
use crate::market::{EntryTypes, Subscriber, Wanted};
use crate::order_request::{Unusable, check_identifier, identifier};
use crate::output::Outputs;
use crate::participant::Subscription;

/// Values of `MDReqRejReason` (281).
mod reject_reason {
    pub(super) const UNKNOWN_SYMBOL: u8 = b'0';
    pub(super) const DUPLICATE_REQUEST: u8 = b'1';
    pub(super) const INSUFFICIENT_BANDWIDTH: u8 = b'2';
    pub(super) const SUBSCRIPTION_REQUEST_TYPE: u8 = b'4';
    pub(super) const MARKET_DEPTH: u8 = b'5';
    pub(super) const UPDATE_TYPE: u8 = b'6';
    pub(super) const ENTRY_TYPE: u8 = b'8';
}

/// `SubscriptionRequestType` (263).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Snapshot,
    Subscribe,
    Unsubscribe,
}

/// Why a well-formed request is refused; `reason` is left out where FIX has none that fits.
struct Refusal {
    reason: Option<u8>,
    text: &'static str,
}

fn refuse<T>(reason: u8, text: &'static str) -> Result<T, Refusal> {
    Err(Refusal { reason: Some(reason), text })
}

/// A request as sent.
struct Request {
    id: Identifier,
    kind: u8,
    depth: i64,
    update_type: Option<i64>,
    types: Result<EntryTypes, Refusal>,
    symbols: Vec<Identifier>,
}

impl Request {
    fn read(message: &Message<'_>) -> Result<Self, Unusable> {
        let mut symbols = Vec::new();
        for entry in message.group(tag::NO_RELATED_SYM, &[tag::SYMBOL]) {
            symbols
                .push(check_identifier(entry.get(tag::SYMBOL).unwrap_or_default(), tag::SYMBOL)?);
        }
        Ok(Self {
            id: identifier(message, tag::MD_REQ_ID)?,
            kind: message.char(tag::SUBSCRIPTION_REQUEST_TYPE)?,
            depth: message.int(tag::MARKET_DEPTH)?,
            update_type: message.int(tag::MD_UPDATE_TYPE).optional()?,
            types: entry_types(message),
            symbols,
        })
    }
}

fn entry_types(message: &Message<'_>) -> Result<EntryTypes, Refusal> {
    let mut types = EntryTypes::default();
    for entry in message.group(tag::NO_MD_ENTRY_TYPES, &[tag::MD_ENTRY_TYPE]) {
        match entry.get(tag::MD_ENTRY_TYPE) {
            Some(b"0") => types.bid = true,
            Some(b"1") => types.offer = true,
            Some(b"2") => types.trade = true,
            _ => {
                return refuse(
                    reject_reason::ENTRY_TYPE,
                    "MDEntryType (269) must be 0 (bid), 1 (offer) or 2 (trade)",
                );
            }
        }
    }
    if types == EntryTypes::default() {
        return refuse(reject_reason::ENTRY_TYPE, "no MDEntryType (269) is asked for");
    }
    Ok(types)
}

impl Exchange {
    pub(super) fn market_data_request(
        &mut self,
        now: Nanos,
        participant: usize,
        message: &Message<'_>,
        out: &mut Outputs,
    ) -> Result<(), Unusable> {
        let request = Request::read(message)?;
        self.counters.market_data_requests += 1;
        let id = request.id;
        if let Err(refusal) = self.serve(now, participant, request, out) {
            self.counters.market_data_rejected += 1;
            let sent = self.participants[participant].send(
                now,
                msg_type::MARKET_DATA_REQUEST_REJECT,
                |w| {
                    w.field_bytes(tag::MD_REQ_ID, id.as_bytes());
                    if let Some(reason) = refusal.reason {
                        w.field_char(tag::MD_REQ_REJ_REASON, reason);
                    }
                    w.field_str(tag::TEXT, refusal.text);
                },
                out,
            );
            self.note(sent);
        }
        Ok(())
    }

    fn serve(
        &mut self,
        now: Nanos,
        participant: usize,
        request: Request,
        out: &mut Outputs,
    ) -> Result<(), Refusal> {
        let kind = match request.kind {
            b'0' => Kind::Snapshot,
            b'1' => Kind::Subscribe,
            b'2' => Kind::Unsubscribe,
            _ => {
                return refuse(
                    reject_reason::SUBSCRIPTION_REQUEST_TYPE,
                    "SubscriptionRequestType (263) must be 0, 1 or 2",
                );
            }
        };
        let subscriptions = &self.participants[participant].subscriptions;
        let standing = subscriptions.iter().position(|s| s.request == request.id);
        if kind == Kind::Unsubscribe {
            let Some(index) = standing else {
                return Err(Refusal {
                    reason: None,
                    text: "no subscription has this MDReqID (262)",
                });
            };
            self.unsubscribe(participant, index);
            return Ok(());
        }
        if standing.is_some() {
            return refuse(
                reject_reason::DUPLICATE_REQUEST,
                "a subscription with this MDReqID (262) stands",
            );
        }
        let max_depth = i64::from(self.config.limits.max_market_depth);
        // 0 asks for the full book: that is, as deep as the venue shows it over FIX.
        let depth = if request.depth == 0 { max_depth } else { request.depth };
        if !(1..=max_depth).contains(&depth) {
            return refuse(
                reject_reason::MARKET_DEPTH,
                "MarketDepth (264) must be 0 (full) or 1 (top of book) up to the venue's limit",
            );
        }
        if !matches!(request.update_type, None | Some(0)) {
            return refuse(
                reject_reason::UPDATE_TYPE,
                "MDUpdateType (265) must be 0 (full refresh)",
            );
        }
        let types = request.types?;
        let instruments = self.listed(&request.symbols)?;
        let depth = usize::try_from(depth).expect("1 to max_market_depth, checked above");
        let wanted = Wanted { request: request.id, types, depth };
        if kind == Kind::Subscribe {
            if subscriptions.len() >= self.config.limits.max_subscriptions {
                return refuse(
                    reject_reason::INSUFFICIENT_BANDWIDTH,
                    "too many subscriptions of this session",
                );
            }
            for &instrument in &instruments {
                let subscriber = Subscriber { participant, wanted, owed: false };
                self.markets[instrument].subscribers.push(subscriber);
            }
            let subscription =
                Subscription { request: request.id, instruments: instruments.clone() };
            self.participants[participant].subscriptions.push(subscription);
        }
        for instrument in instruments {
            self.send_snapshot(now, participant, instrument, wanted, out);
        }
        Ok(())
    }

    /// The instruments with these symbols, each once.
    fn listed(&self, symbols: &[Identifier]) -> Result<Vec<usize>, Refusal> {
        if symbols.is_empty() {
            return refuse(reject_reason::UNKNOWN_SYMBOL, "no Symbol (55) is asked for");
        }
        if symbols.len() > self.config.limits.max_request_symbols {
            return refuse(
                reject_reason::INSUFFICIENT_BANDWIDTH,
                "too many symbols in one request",
            );
        }
        let mut instruments = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let Some(&instrument) = self.symbols.get(symbol) else {
                return refuse(reject_reason::UNKNOWN_SYMBOL, "Symbol (55) is not listed");
            };
            if instruments.contains(&instrument) {
                return Err(Refusal { reason: None, text: "a Symbol (55) is asked for twice" });
            }
            instruments.push(instrument);
        }
        Ok(instruments)
    }

    fn send_snapshot(
        &mut self,
        now: Nanos,
        participant: usize,
        instrument: usize,
        wanted: Wanted,
        out: &mut Outputs,
    ) {
        let market = &self.markets[instrument];
        let sent = self.participants[participant].send(
            now,
            msg_type::MARKET_DATA_SNAPSHOT,
            |w| market.write_snapshot(&wanted, w),
            out,
        );
        if sent.is_ok() {
            self.counters.market_data_sent += 1;
        }
        self.note(sent);
    }

    /// An instrument's book or last trade has changed: tells every subscriber (seed 001,
    /// figure 1), or owes it where the subscriber does not keep up. The first to be told is
    /// another one in every round.
    pub(super) fn update_subscribers(&mut self, now: Nanos, instrument: usize, out: &mut Outputs) {
        let count = self.markets[instrument].subscribers.len();
        if count == 0 {
            return;
        }
        let first = self.markets[instrument].rotation % count;
        self.markets[instrument].rotation = first + 1;
        for index in (first..count).chain(0..first) {
            let subscriber = &mut self.markets[instrument].subscribers[index];
            let Subscriber { participant, wanted, .. } = *subscriber;
            let p = &mut self.participants[participant];
            if p.backlog <= self.config.limits.conflate_bytes {
                if std::mem::take(&mut subscriber.owed) {
                    p.owed -= 1;
                }
                self.send_snapshot(now, participant, instrument, wanted, out);
            } else if subscriber.owed {
                self.counters.market_data_conflated += 1;
            } else {
                subscriber.owed = true;
                p.owed += 1;
            }
        }
    }

    /// Sends a participant the updates it is owed, as far as its backlog allows.
    pub(super) fn send_owed(&mut self, now: Nanos, participant: usize, out: &mut Outputs) {
        if self.participants[participant].owed == 0 {
            return;
        }
        let within = |p: &crate::participant::Participant, limit| p.owed > 0 && p.backlog <= limit;
        let limit = self.config.limits.conflate_bytes;
        let mut subscriptions = std::mem::take(&mut self.participants[participant].subscriptions);
        for subscription in &subscriptions {
            for &instrument in &subscription.instruments {
                if !within(&self.participants[participant], limit) {
                    break;
                }
                let subscriber = self.markets[instrument].subscribers.iter_mut().find(|s| {
                    s.owed
                        && s.participant == participant
                        && s.wanted.request == subscription.request
                });
                if let Some(subscriber) = subscriber {
                    subscriber.owed = false;
                    let wanted = subscriber.wanted;
                    self.participants[participant].owed -= 1;
                    self.send_snapshot(now, participant, instrument, wanted, out);
                }
            }
        }
        // Whoever is served last this time is served first the next.
        if !subscriptions.is_empty() {
            subscriptions.rotate_left(1);
        }
        self.participants[participant].subscriptions = subscriptions;
    }

    pub(super) fn unsubscribe_all(&mut self, participant: usize) {
        while !self.participants[participant].subscriptions.is_empty() {
            self.unsubscribe(participant, 0);
        }
        debug_assert_eq!(self.participants[participant].owed, 0);
    }

    fn unsubscribe(&mut self, participant: usize, index: usize) {
        let subscription = self.participants[participant].subscriptions.remove(index);
        for instrument in subscription.instruments {
            let subscribers = &mut self.markets[instrument].subscribers;
            let position = subscribers.iter().position(|s| {
                s.participant == participant && s.wanted.request == subscription.request
            });
            if let Some(position) = position
                && subscribers.remove(position).owed
            {
                self.participants[participant].owed -= 1;
            }
        }
    }
}
