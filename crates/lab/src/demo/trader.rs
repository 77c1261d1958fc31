//! The trader's machine in the demo: software alone, or logic with software behind it.

use std::error::Error;

use saker_trader::host::{TraderConfig, TraderHost};
use saker_wire::station::{Outbox, RxFrame, Station};
use saker_wire::time::Nanos;

use crate::report::Report;

/// A trader, whatever decides and sends in it.
pub trait Machine: Station {
    /// The software: books, session, orders.
    fn host(&self) -> &TraderHost;

    /// The kill switch: nothing fires any more, and open orders are cancelled.
    fn kill(&mut self, now: Nanos, out: &mut Outbox);

    /// Why the machine cannot go on, if it cannot. Asked for once in a while; the demo ends with it.
    fn fault(&self) -> Option<String> {
        None
    }

    /// The demo is over: the last thing the machine is asked to do.
    ///
    /// # Errors
    /// What it cannot do, for people.
    fn end(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Adds what only this machine knows to the report.
    fn figures(&self, _report: &mut Report) {}
}

impl Machine for TraderHost {
    fn host(&self) -> &TraderHost {
        self
    }

    fn kill(&mut self, now: Nanos, out: &mut Outbox) {
        TraderHost::kill(self, now, out);
    }
}

/// Makes the trader's machine; the world's clock stands at the instant given.
pub type Make =
    Box<dyn FnOnce(TraderConfig, Nanos) -> Result<Box<dyn Machine>, Box<dyn Error + Send + Sync>>>;

/// How the trader is made and connected.
pub struct Setup {
    /// What decides and sends, for the report.
    pub engine: &'static str,
    /// The trader has one port, and a switch in front of it joins order network, line A and line B.
    /// If not, it has one for each.
    pub one_port: bool,
    /// Makes the machine.
    pub make: Make,
}

impl Setup {
    /// The trader in software.
    pub fn software() -> Self {
        let make: Make = Box::new(|config, _| Ok(Box::new(TraderHost::new(config)?)));
        Self { engine: "software", one_port: false, make }
    }
}

/// The machine as the world's station.
pub(super) struct Trader(pub Box<dyn Machine>);

impl Station for Trader {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        self.0.receive(now, frame, out);
    }

    fn wake(&mut self, now: Nanos, out: &mut Outbox) {
        self.0.wake(now, out);
    }

    fn next_wake(&self) -> Option<Nanos> {
        self.0.next_wake()
    }

    fn cut_through(&self) -> bool {
        self.0.cut_through()
    }

    fn arrive(&mut self, now: Nanos, frame: RxFrame<'_>, good: bool, out: &mut Outbox) {
        self.0.arrive(now, frame, good, out);
    }
}
