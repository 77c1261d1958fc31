//! The trader in logic as the demo's trader.

use saker_lab::demo::{Machine, Setup};
use saker_lab::report::Report;
use saker_trader::host::TraderHost;
use saker_wire::station::{Outbox, RxFrame, Station};
use saker_wire::time::Nanos;

use crate::make::{self, LogicOptions};
use crate::meter;
use crate::trader::RtlTrader;

/// The machine, and what its registers said at the end.
struct DemoTrader {
    trader: RtlTrader,
    /// The report's section, made when the demo asks for it.
    section: Option<saker_lab::report::Logic>,
}

/// How the demo makes and connects a trader in logic.
pub fn setup(options: LogicOptions) -> Setup {
    let make: saker_lab::demo::Make = Box::new(move |config, now| {
        let trader = make::trader(config, now, &options)?;
        Ok(Box::new(DemoTrader { trader, section: None }))
    });
    Setup { engine: "rtl", one_port: true, make }
}

impl Machine for DemoTrader {
    fn host(&self) -> &TraderHost {
        self.trader.host()
    }

    fn kill(&mut self, now: Nanos, out: &mut Outbox) {
        self.trader.kill(now, out);
    }

    fn fault(&self) -> Option<String> {
        self.trader.fault().map(ToString::to_string)
    }

    fn end(&mut self) -> Result<(), String> {
        let counts = self.trader.compared();
        let section = meter::section(self.trader.logic_mut(), counts);
        self.trader.logic_mut().end_wave();
        self.section = Some(section.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn figures(&self, report: &mut Report) {
        let counts = self.trader.compared();
        let counters = self.trader.counters();
        for (name, count) in [
            ("logic: turns of the software", counters.rests),
            ("logic: books confirmed", counters.confirmed),
            ("logic: books mended by missing entries", counters.patched),
            ("logic: books made anew", counters.rebuilt),
            ("logic: fires refused", counts.refusals),
            ("logic: frames poisoned", counts.poisoned),
            ("logic: answers without a model", counts.skipped),
        ] {
            report.counter(name, count);
        }
        report.fact("longest wait for a turn", format!("{} ns", counters.longest_wait_ns));
        report.note(
            "The logic is simulated cycle by cycle at 156.25 MHz. A frame that arrives is put on the \
             next lane 0 or 4 (up to 3.2 ns late); what leaves is rounded up to the nanosecond. \
             Transceivers are not part of it.",
        );
        report.note(
            "The software writes to the logic only while nothing is under way in it, and its \
             register accesses take no virtual time beyond the software's cost model. So model and \
             logic agree what every packet saw.",
        );
        report.invariant(
            "logic_equals_model",
            "Every message decoded, every top of a book and every order frame of the logic is the \
             model's.",
            self.trader.fault().is_none() && counts.messages > 0,
        );
        report.logic = self.section.clone();
    }
}

impl Station for DemoTrader {
    fn receive(&mut self, now: Nanos, frame: RxFrame<'_>, out: &mut Outbox) {
        self.trader.receive(now, frame, out);
    }

    fn wake(&mut self, now: Nanos, out: &mut Outbox) {
        self.trader.wake(now, out);
    }

    fn next_wake(&self) -> Option<Nanos> {
        self.trader.next_wake()
    }

    fn cut_through(&self) -> bool {
        self.trader.cut_through()
    }

    fn arrive(&mut self, now: Nanos, frame: RxFrame<'_>, good: bool, out: &mut Outbox) {
        self.trader.arrive(now, frame, good, out);
    }
}
