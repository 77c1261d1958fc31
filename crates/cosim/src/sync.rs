//! Brings the logic to where the software is, while it is at rest.

use std::collections::HashMap;

use saker_book::Side;
use saker_feed::event::EntryKind;
use saker_feed::normalize::Entry;
use saker_strategy::{OrderUpdate, Plan, SlotState};
use saker_trader::books::Change;
use saker_trader::desk::{Desk, DeskEvent};
use saker_trader::fastpath::{FastPath, Registers, Sent, SlotImage};
use saker_trader::host::TraderHost;
use saker_trader::market::Applied;
use saker_trader::recovery::Status;

use crate::answers::EntryOp;
use crate::logic::{BOOK_ORDERS, INSTRUMENTS, Logic, LogicError, SLOTS};
use crate::reference::{Reference, side_of};
use crate::registers::{control, frames, market, orders, strategy};
use crate::setup::{HostEntry, command, strategy_slot};
use crate::trader::{Fault, RtlCounters};
use crate::watch;

/// Entries remembered for an instrument; with more to mend the book is made anew.
const PENDING: usize = 256;
/// A slot's state.
const ARMED: u32 = 1;

/// A register's value.
type Number = fn(&Registers) -> u32;

/// What the logic was told last.
#[derive(Debug)]
pub struct Sync {
    speculate: bool,
    configured: bool,
    switches: Option<u32>,
    registers: Option<Registers>,
    armed: [bool; SLOTS as usize],
    /// Words of the order sender's tables, by address.
    words: HashMap<u16, u32>,
    books: Vec<Pending>,
}

/// What has happened to the software's book since the logic's was last the same.
#[derive(Debug, Default)]
struct Pending {
    entries: Vec<Entry>,
    /// It was made anew, or too much has happened.
    anew: bool,
}

impl Sync {
    /// The logic after reset; nothing told.
    pub fn new(speculate: bool) -> Self {
        Self {
            speculate,
            configured: false,
            switches: None,
            registers: None,
            armed: [false; SLOTS as usize],
            words: HashMap::new(),
            books: Vec::new(),
        }
    }

    /// Brings everything up to date. `show` is called with what must be shown in time.
    pub fn bring_up_to_date(
        &mut self,
        host: &mut TraderHost,
        reference: &mut Reference,
        logic: &mut Logic,
        counters: &mut RtlCounters,
        mut show: impl FnMut(HostEntry, usize, Change),
    ) -> Result<(), Fault> {
        self.configure(host, reference, logic)?;
        trust(reference, logic)?;
        self.note_applied(host);
        for index in 0..reference.watching() {
            self.mend(index, host, reference, logic, counters, &mut show)?;
        }
        let fast = host.line().fast_path();
        let killed = host.market().desk().is_killed();
        self.switch(fast.registers().enabled, killed, false, logic)?;
        self.orders(fast, fast.registers(), logic)?;
        self.strategies(host.desk_mut(), logic)
    }

    // ------------------------------------------------------------ once

    /// Once every instrument of the strategies is known: what to watch, and the strategies.
    fn configure(
        &mut self,
        host: &TraderHost,
        reference: &mut Reference,
        logic: &mut Logic,
    ) -> Result<(), Fault> {
        let Some(plan) = host.market().desk().plan() else { return Ok(()) };
        if self.configured {
            return Ok(());
        }
        fits(plan)?;
        let mut watched = Vec::new();
        for (index, (feed, _)) in (0u32..).zip(host.market().desk().instruments()) {
            let theirs = feed.and_then(|feed| host.feed().instruments().get(feed));
            // By name: the model has counted the instruments for itself.
            let Some(instrument) = theirs else { return Ok(()) };
            let known = reference.instruments().by_symbol(&instrument.symbol, &instrument.session);
            let Some(known) = known else { return Ok(()) };
            watched.push((index, known, instrument.clone()));
        }
        for (index, _, instrument) in &watched {
            let writes = watch::instrument(*index, instrument).map_err(Fault::Strategies)?;
            logic.write_all(writes)?;
        }
        for (slot, strategy) in (0u32..).zip(plan.slots()) {
            logic.write_all(strategy_slot(slot, strategy))?;
        }
        self.books = watched.iter().map(|_| Pending { anew: true, ..Pending::default() }).collect();
        reference.watch(watched.iter().map(|(_, known, _)| *known), BOOK_ORDERS);
        self.configured = true;
        Ok(())
    }

    // ------------------------------------------------------------ books

    fn note_applied(&mut self, host: &mut TraderHost) {
        for applied in host.take_applied() {
            let feed = match applied {
                Applied::Entry(entry) => entry.instrument,
                Applied::Rebuilt(instrument) => instrument,
            };
            let Some(index) = index_of(feed, host) else { continue };
            let Some(pending) = self.books.get_mut(index) else { continue };
            match applied {
                Applied::Entry(entry) if pending.entries.len() < PENDING => {
                    pending.entries.push(entry);
                }
                _ => {
                    pending.entries.clear();
                    pending.anew = true;
                }
            }
        }
    }

    /// Makes the logic's book of an instrument what the software's is, if it is not and can be.
    fn mend(
        &mut self,
        index: usize,
        host: &TraderHost,
        reference: &mut Reference,
        logic: &mut Logic,
        counters: &mut RtlCounters,
        show: &mut impl FnMut(HostEntry, usize, Change),
    ) -> Result<(), Fault> {
        let Some(state) = reference.state(index) else { return Ok(()) };
        let Some(pending) = self.books.get_mut(index) else { return Ok(()) };
        let feed = host.market().desk().instruments().nth(index).and_then(|(feed, _)| feed);
        let Some(feed) = feed else { return Ok(()) };
        let recovery = host.market().recovery();
        let reached = recovery.rpt_seq(feed);
        // What the logic has taken itself needs no mending.
        pending.entries.retain(|entry| entry.rpt_seq > state.applied);
        if recovery.status(feed) != Status::Live || reached < state.seen {
            return Ok(());
        }
        let Some(book) = host.market().books().get(feed) else { return Ok(()) };
        let same = state.applied == reached && state.sound && !pending.anew;
        if state.trusted && same && !state.owed {
            return Ok(());
        }
        let mut missed = !same;
        if same {
            counters.confirmed += u64::from(!state.trusted);
        } else if state.sound && !pending.anew && joins(&pending.entries, state.applied, reached) {
            for entry in std::mem::take(&mut pending.entries) {
                let Some(patch) = patch(index, &entry) else { continue };
                logic.inject(&patch, false)?;
                let refused = reference.inject(index, &entry).is_err();
                if refused {
                    pending.anew = true;
                    return Ok(());
                }
            }
            counters.patched += 1;
        } else {
            logic.inject(&HostEntry::bare(EntryOp::Clear, index), false)?;
            reference.clear(index);
            for side in [Side::Buy, Side::Sell] {
                for order in book.book().orders(side) {
                    let entry = HostEntry {
                        side,
                        id: order.id,
                        price: order.price,
                        quantity: order.quantity,
                        ..HostEntry::bare(EntryOp::New, index)
                    };
                    logic.inject(&entry, false)?;
                    reference.load(index, &order);
                }
            }
            missed = true;
            counters.rebuilt += 1;
        }
        pending.entries.clear();
        pending.anew = false;
        let live = HostEntry { rpt_seq: reached, ..HostEntry::bare(EntryOp::Live, index) };
        if !state.trusted || missed {
            logic.inject(&live, false)?;
            reference.live(index, reached);
        }
        if !(state.owed || missed) {
            return Ok(());
        }
        for change in reference.pay(index, book.last_trade()) {
            let entry = match change {
                Change::Trade { price, quantity } => {
                    HostEntry { price, quantity, ..HostEntry::bare(EntryOp::Trade, index) }
                }
                _ => HostEntry::bare(EntryOp::Show, index),
            };
            show(entry, index, change);
        }
        Ok(())
    }

    // ------------------------------------------------------------ switches, orders, strategies

    /// The switches. With `counted`, holes in RptSeq are only counted.
    pub fn switch(
        &mut self,
        enabled: bool,
        killed: bool,
        counted: bool,
        logic: &mut Logic,
    ) -> Result<(), LogicError> {
        let on = |is: bool, mask: u32| if is { mask } else { 0 };
        let switches = control::SWITCHES_ENGINE_MASK
            | on(!counted, control::SWITCHES_MIRROR_MASK)
            | on(counted, control::SWITCHES_COUNTED_MASK)
            | on(enabled, control::SWITCHES_ORDERS_MASK)
            | on(self.speculate, control::SWITCHES_SPECULATE_MASK)
            | on(killed, control::SWITCHES_KILL_ALL_MASK);
        if self.switches.replace(switches) != Some(switches) {
            logic.write((control::SWITCHES, switches))?;
        }
        Ok(())
    }

    /// Slots and registers of the order sender.
    pub fn orders(
        &mut self,
        fast: &FastPath,
        registers: &Registers,
        logic: &mut Logic,
    ) -> Result<(), Fault> {
        for slot in 0..SLOTS {
            let armed = &mut self.armed[usize::from(slot)];
            let Some(image) = fast.image(slot) else {
                // A slot that fired has disarmed itself; to say it again does no harm.
                if std::mem::take(armed) {
                    write_word(logic, SlotImage::arming(slot, false))?;
                }
                continue;
            };
            let Some(writes) = image.writes(slot) else {
                let text =
                    format!("an order frame of {} bytes is none for the logic", image.frame.len());
                return Err(Fault::Strategies(text));
            };
            let changed = |words: &HashMap<u16, u32>| {
                writes.iter().any(|(at, word)| words.get(at) != Some(word))
            };
            if changed(&self.words) {
                if *armed {
                    write_word(logic, SlotImage::arming(slot, false))?;
                    *armed = false;
                }
                for (at, word) in writes {
                    if self.words.insert(at, word) != Some(word) {
                        write_word(logic, (at, word))?;
                    }
                }
            }
            if !*armed {
                write_word(logic, SlotImage::arming(slot, true))?;
                *armed = true;
            }
        }
        self.registers(registers, logic)?;
        Ok(())
    }

    fn registers(&mut self, wanted: &Registers, logic: &mut Logic) -> Result<(), LogicError> {
        let known = self.registers.replace(*wanted);
        let differs = |of: fn(&Registers) -> u32| known.as_ref().map(of) != Some(of(wanted));
        if differs(|r| r.tcp_ack) {
            logic.write((orders::TCP_ACK, wanted.tcp_ack))?;
        }
        if differs(|r| r.tcp_window.into()) {
            logic.write((orders::TCP_WINDOW, wanted.tcp_window.into()))?;
        }
        let numbers: [(u32, u32, Number); 3] = [
            (orders::SET_TCP_SEQ, wanted.tcp_seq, |r| r.tcp_seq),
            (orders::SET_TCP_LIMIT, wanted.tcp_limit, |r| r.tcp_limit),
            (orders::SET_NEXT_MSG_SEQ, wanted.next_msg_seq, |r| r.next_msg_seq),
        ];
        let counting = numbers.into_iter().filter(|(_, _, of)| differs(*of));
        let counting: Vec<(u32, u32)> = counting.map(|(at, value, _)| (at, value)).collect();
        let was_leased = known.is_some_and(|registers| registers.leased);
        if was_leased && (!wanted.leased || !counting.is_empty()) {
            logic.write((orders::LEASE, 0))?;
        }
        if !counting.is_empty() {
            logic.orders_settled()?;
            logic.write_all(counting.iter().copied())?;
            logic.orders_settled()?;
        }
        if wanted.leased && (!was_leased || !counting.is_empty()) {
            logic.write((orders::LEASE, 1))?;
        }
        Ok(())
    }

    /// The logic has sent an order by itself: its slot and its numbers have moved on.
    pub fn on_sent(&mut self, sent: &Sent) {
        if let Some(armed) = self.armed.get_mut(usize::from(sent.slot)) {
            *armed = false;
        }
        if let Some(registers) = &mut self.registers {
            let payload = sent.end.wrapping_sub(sent.start);
            registers.tcp_seq = sent.end;
            registers.tcp_limit = registers.tcp_limit.saturating_sub(payload);
            registers.next_msg_seq = sent.msg_seq + 1;
        }
    }

    /// Tells the strategies in logic what has happened to those in software, and checks that they
    /// agree.
    pub fn strategies(&mut self, desk: &mut Desk, logic: &mut Logic) -> Result<(), Fault> {
        let journal = desk.take_journal();
        let told = !journal.is_empty();
        for event in journal {
            let event = match event {
                // The order sender may have armed the strategy again by itself.
                DeskEvent::Updated(slot, OrderUpdate::NotSent) if state(logic, slot)? == ARMED => {
                    DeskEvent::Disarmed(slot)
                }
                event => event,
            };
            if let Some((quantity, word)) = command(event) {
                logic.command(quantity, word)?;
            }
        }
        if !told {
            return Ok(());
        }
        let Some(engine) = desk.engine() else { return Ok(()) };
        // A command takes effect a few cycles after it was taken.
        logic.pass(32);
        for slot in 0..SLOTS {
            let Some(known) = engine.state(slot) else { break };
            let wanted = match known {
                SlotState::Idle => 0,
                SlotState::Armed => ARMED,
                SlotState::Fired => 2,
                SlotState::Live => 3,
                SlotState::Done => 4,
            };
            let found = state(logic, slot)?;
            if found != wanted {
                let what =
                    format!("slot {slot}: the strategy is {known:?}, in logic it is {found}");
                return Err(Fault::Nonsense { what, cycle: logic.cycle() });
            }
        }
        Ok(())
    }
}

/// The watched instrument that the software calls `feed`.
fn index_of(feed: u32, host: &TraderHost) -> Option<usize> {
    host.market().desk().instruments().position(|(known, _)| known == Some(feed))
}

/// Checks that model and logic trust the same books.
fn trust(reference: &Reference, logic: &mut Logic) -> Result<(), Fault> {
    if reference.watching() == 0 {
        return Ok(());
    }
    let live = logic.read(market::LIVE)?;
    for index in 0..reference.watching() {
        let Some(state) = reference.state(index).filter(|state| state.sound) else { continue };
        if (live >> index & 1 == 1) != state.trusted {
            let what =
                format!("book {index} is {state:?}, in logic its bit is {}", live >> index & 1);
            return Err(Fault::Nonsense { what, cycle: logic.cycle() });
        }
    }
    Ok(())
}

/// Whether the logic has room for a plan.
pub fn fits(plan: &Plan) -> Result<(), Fault> {
    let limits = [
        ("strategies", plan.slots().len(), usize::from(SLOTS)),
        ("instruments", usize::from(plan.instruments()), INSTRUMENTS),
    ];
    match limits.into_iter().find(|(_, count, limit)| count > limit) {
        None => Ok(()),
        Some((what, count, limit)) => {
            Err(Fault::Strategies(format!("{count} {what} are more than the logic has ({limit})")))
        }
    }
}

/// The state of a strategy in logic.
fn state(logic: &mut Logic, slot: u16) -> Result<u32, LogicError> {
    let word = logic.read(strategy::STATE + u32::from(slot / 8) * strategy::STATE_STRIDE)?;
    Ok(word >> (4 * (slot % 8)) & 0xf)
}

fn write_word(logic: &mut Logic, (at, word): (u16, u32)) -> Result<(), LogicError> {
    logic.write((frames::WORD + u32::from(at) * frames::WORD_STRIDE, word))
}

/// Whether these entries are all from behind `applied` up to `reached`.
fn joins(entries: &[Entry], applied: u32, reached: u32) -> bool {
    let numbers = entries.iter().map(|entry| entry.rpt_seq);
    reached > applied && numbers.eq(applied + 1..=reached)
}

/// An entry of the feed as one of the host's; trades change no book.
fn patch(index: usize, entry: &Entry) -> Option<HostEntry> {
    let EntryKind::Order { side, price, quantity, .. } = entry.kind else { return None };
    Some(HostEntry {
        op: EntryOp::of(&entry.kind),
        instrument: index,
        side: side_of(side),
        id: entry.id,
        price: price.mantissa,
        quantity,
        rpt_seq: 0,
    })
}
