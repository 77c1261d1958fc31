//! Delivery, order, wakes, and what a world refuses.
#![allow(clippy::unwrap_used)] // a test may fail by panicking

mod common;

use common::{Pinger, Ponger, START, frame, ping_pong, port};
use saker_lab::tap::Way;
use saker_lab::world::{BuildError, LinkConfig, Port, WAKES_PER_INSTANT, World, WorldError};
use saker_wire::station::{Outbox, RxFrame, Station, TxFrame};
use saker_wire::time::Nanos;

/// 60 bytes at 10 Gbit/s over 100 ns: first byte at 6.4 -> 7 ns plus 100, last at 57.6 -> 58 plus
/// 100. The answer is ready 500 ns later: first byte at 158 + 500 + 7 + 100.
#[test]
fn a_frame_arrives_when_its_last_byte_does() {
    let (mut world, ping, pong) = ping_pong(1, Pinger::new(1, 0, 60), LinkConfig::ten_gigabit(100));
    assert!(world.run_until_idle(Nanos::MAX).unwrap());
    let heard = &world.station::<Ponger>(pong).unwrap().heard;
    assert_eq!((heard[0].first - START, heard[0].last - START), (107, 158));
    let answers = &world.station::<Pinger>(ping).unwrap().answers;
    assert_eq!((answers[0].first - START, answers[0].last - START), (765, 816));
    assert_eq!(world.lineage().parent(answers[0].id), Some(heard[0].id));
    assert_eq!(world.now() - START, 816);
    assert_eq!(world.stages().len(), 1);
}

#[test]
fn short_frames_are_padded() {
    let (mut world, _, pong) = ping_pong(1, Pinger::new(1, 0, 22), LinkConfig::ten_gigabit(0));
    world.run_until(START + 1_000).unwrap();
    let heard = world.station::<Ponger>(pong).unwrap().heard[0];
    assert_eq!((heard.bytes, heard.number), (60, 0));
}

#[test]
fn the_clock_stops_where_it_is_told() {
    let (mut world, _, pong) = ping_pong(1, Pinger::new(3, 1_000, 60), LinkConfig::ten_gigabit(0));
    world.run_until(START + 57).unwrap();
    assert_eq!(world.station::<Ponger>(pong).unwrap().heard.len(), 0);
    world.run_until(START + 58).unwrap();
    assert_eq!(world.station::<Ponger>(pong).unwrap().heard.len(), 1);
    assert_eq!(world.now(), START + 58);
    assert!(!world.run_until_idle(START + 1_500).unwrap());
    assert_eq!(world.now(), START + 1_500);
    assert_eq!(world.station::<Ponger>(pong).unwrap().heard.len(), 2);
}

/// Sends frames that become ready in another order than they were handed over in.
struct Scrambler(bool);

impl Station for Scrambler {
    fn receive(&mut self, _now: Nanos, _frame: RxFrame<'_>, _out: &mut Outbox) {}

    fn wake(&mut self, now: Nanos, out: &mut Outbox) {
        self.0 = false;
        for (number, after) in [(0, 300), (1, 100), (2, 300), (3, 0), (4, 100)] {
            out.frames.push(frame(number, 60, now + after, None));
        }
        // Ready before now counts as ready now.
        out.frames.push(frame(5, 60, now - 1_000, None));
    }

    fn next_wake(&self) -> Option<Nanos> {
        self.0.then_some(START)
    }
}

#[test]
fn frames_leave_in_the_order_in_which_they_become_ready() {
    let mut world = World::new(1, START);
    let from = world.add_station("from", Scrambler(true)).unwrap();
    let to = world.add_station("to", Ponger::new(0)).unwrap();
    world.connect("cable", port(from), port(to), LinkConfig::ten_gigabit(0)).unwrap();
    world.run_until(START + 10_000).unwrap();
    let heard = &world.station::<Ponger>(to).unwrap().heard;
    let numbers: Vec<u64> = heard.iter().map(|heard| heard.number).collect();
    assert_eq!(numbers, [3, 5, 1, 4, 0, 2]);
}

/// Asks to be woken at a fixed instant, for ever.
struct Insomniac(Nanos);

impl Station for Insomniac {
    fn receive(&mut self, _now: Nanos, _frame: RxFrame<'_>, _out: &mut Outbox) {}

    fn wake(&mut self, _now: Nanos, _out: &mut Outbox) {}

    fn next_wake(&self) -> Option<Nanos> {
        Some(self.0)
    }
}

#[test]
fn a_livelocked_station_is_named() {
    for wish in [0, START, START + 500] {
        let mut world = World::new(1, START);
        world.add_station("calm", Ponger::new(0)).unwrap();
        world.add_station("restless", Insomniac(wish)).unwrap();
        let error = world.run_until(START + 1_000).unwrap_err();
        let WorldError::Livelock { station, at_ns, wakes } = error else { panic!("{error}") };
        assert_eq!((station.as_str(), at_ns), ("restless", wish.max(START)));
        assert_eq!(wakes, WAKES_PER_INSTANT);
    }
}

#[test]
fn many_wakes_at_one_instant_are_no_livelock() {
    let pinger = Pinger::new(u64::from(WAKES_PER_INSTANT), 0, 60);
    let (mut world, ping, pong) = ping_pong(1, pinger, LinkConfig::ten_gigabit(0));
    world.run_until_idle(Nanos::MAX).unwrap();
    assert_eq!(world.station::<Ponger>(pong).unwrap().heard.len(), 1_024);
    assert_eq!(world.station::<Pinger>(ping).unwrap().answers.len(), 1_024);
}

#[test]
fn frames_into_the_air_are_counted() {
    let mut world = World::new(1, START);
    world.add_station("alone", Pinger::new(3, 10, 60)).unwrap();
    world.run_until(START + 100).unwrap();
    assert_eq!(world.unconnected(), 3);
    assert_eq!(world.lineage().frames(), 0);
}

#[test]
fn an_operator_may_act_on_a_station() {
    let (mut world, ping, pong) = ping_pong(1, Pinger::new(0, 0, 60), LinkConfig::ten_gigabit(0));
    world.run_until(START + 700).unwrap();
    let acted = world.with_station(ping, |pinger: &mut Pinger, now, out| {
        pinger.left = 1;
        pinger.next = now + 50;
        out.frames.push(frame(77, 60, now, None));
    });
    assert_eq!(acted.unwrap(), Some(()));
    let wrong_type = world.with_station(ping, |_: &mut Ponger, _, _| ());
    assert_eq!(wrong_type.unwrap(), None);
    world.run_until(START + 2_000).unwrap();
    let heard = &world.station::<Ponger>(pong).unwrap().heard;
    let heard: Vec<_> = heard.iter().map(|heard| (heard.number, heard.first - START)).collect();
    // The operator's frame occupies the line until 767.2; the pinger's is ready at 750.
    assert_eq!(heard, [(77, 707), (0, 774)]);
}

#[test]
fn progress_is_reported_in_virtual_time() {
    let (mut world, ..) = ping_pong(1, Pinger::new(1_000, 1_000, 60), LinkConfig::ten_gigabit(0));
    let calls = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let log = std::rc::Rc::clone(&calls);
    world.on_progress(100_000, move |now| log.borrow_mut().push(now - START));
    world.run_until(START + 1_000_000).unwrap();
    let calls = calls.borrow();
    assert!((10..=12).contains(&calls.len()), "{calls:?}");
    assert!(calls.is_sorted());
}

#[test]
fn what_cannot_be_built_is_refused() {
    let mut world = World::new(1, START);
    let a = world.add_station("a", Ponger::new(0)).unwrap();
    let b = world.add_station("b", Ponger::new(0)).unwrap();
    let clean = || LinkConfig::ten_gigabit(0);
    let same_name = world.add_station("a", Ponger::new(0));
    assert!(matches!(same_name, Err(BuildError::NameTaken(name)) if name == "a"));
    let stopped = LinkConfig { rate_bps: 0, ..clean() };
    let zero = world.connect("l", port(a), port(b), stopped);
    assert!(matches!(zero, Err(BuildError::ZeroRate(_))));
    let to_itself = world.connect("l", port(a), port(a), clean());
    assert!(matches!(to_itself, Err(BuildError::PortTaken { port: 0, .. })));
    let free = world.tap("t", port(a), |_| 0);
    assert!(matches!(free, Err(BuildError::PortFree { port: 0, .. })));
    world.connect("l", port(a), port(b), clean()).unwrap();
    let taken = world.connect("m", Port { node: a, port: 1 }, port(b), clean());
    assert!(matches!(taken, Err(BuildError::PortTaken { station, port: 0 }) if station == "b"));
    let name = world.connect("l", Port { node: a, port: 1 }, Port { node: b, port: 1 }, clean());
    assert!(matches!(name, Err(BuildError::NameTaken(_))));
    world.tap("t", port(a), |_| 0).unwrap();
    assert!(matches!(world.tap("t", port(b), |_| 0), Err(BuildError::NameTaken(_))));
    assert!(matches!(world.tap("u", port(a), |_| 0), Err(BuildError::PortTaken { .. })));
    world.capture_to(Vec::new()).unwrap();
    assert!(matches!(world.tap("u", port(b), |_| 0), Err(BuildError::CaptureBegun)));
    assert!(matches!(world.capture_to(Vec::new()), Err(BuildError::CaptureBegun)));
    let stranger = {
        let mut other = World::new(1, START);
        (0..3).map(|n| other.add_station(&n.to_string(), Ponger::new(0)).unwrap()).last().unwrap()
    };
    let unknown = world.connect("n", port(stranger), Port { node: a, port: 5 }, clean());
    assert!(matches!(unknown, Err(BuildError::UnknownStation)));
}

/// Sends a frame's echo as a machine that works while the frame is on the line: from the middle of it.
struct CutThrough {
    arrived: Vec<(Nanos, Nanos, bool)>,
    echo: Option<(Nanos, Vec<u8>)>,
}

impl Station for CutThrough {
    fn receive(&mut self, _now: Nanos, _frame: RxFrame<'_>, _out: &mut Outbox) {
        panic!("frames come as they begin");
    }

    fn arrive(&mut self, now: Nanos, frame: RxFrame<'_>, good: bool, _out: &mut Outbox) {
        self.arrived.push((now, frame.first_byte_ns, good));
        self.echo = Some((frame.first_byte_ns + 20, frame.bytes.to_vec()));
    }

    fn wake(&mut self, _now: Nanos, out: &mut Outbox) {
        let (ready_at, bytes) = self.echo.take().unwrap();
        out.frames.push(TxFrame { port: 0, bytes, ready_at, cause: None });
    }

    /// When the echo's last byte has left: 8 + 100 + 4 bytes at 10 Gbit/s.
    fn next_wake(&self) -> Option<Nanos> {
        self.echo.as_ref().map(|(at, _)| at + 90)
    }

    fn cut_through(&self) -> bool {
        true
    }
}

#[test]
fn a_cut_through_station_works_while_frames_are_on_the_line() {
    struct Source(Option<Nanos>);
    impl Station for Source {
        fn receive(&mut self, _now: Nanos, _frame: RxFrame<'_>, _out: &mut Outbox) {}
        fn wake(&mut self, now: Nanos, out: &mut Outbox) {
            self.0 = None;
            let bytes = vec![7; 100];
            out.frames.push(TxFrame { port: 0, bytes, ready_at: now, cause: None });
        }
        fn next_wake(&self) -> Option<Nanos> {
            self.0
        }
    }
    let mut world = World::new(1, 1_000);
    let source = world.add_station("source", Source(Some(2_000))).unwrap();
    let echo = world.add_station("echo", CutThrough { arrived: Vec::new(), echo: None }).unwrap();
    let (a, b) = (Port { node: source, port: 0 }, Port { node: echo, port: 0 });
    let cable = world.connect("cable", a, b, LinkConfig::ten_gigabit(25)).unwrap();
    let tap = world.tap("echo", b, |_| 0).unwrap();
    world.run_until(10_000).unwrap();
    world.finish().unwrap();
    // Preamble from 2025 on, the first byte 6.4 ns later.
    let station: &CutThrough = world.station(echo).unwrap();
    assert_eq!(station.arrived, [(2_025, 2_032, true)]);
    // The echo began while the frame still arrived, and was told when it had left.
    let sent = world.tapped(tap).records(Way::Tx);
    assert_eq!(sent[0].first_ns, 2_032 + 20 + 7);
    assert_eq!(world.link(cable).map(|stats| stats.delivered), [1, 1]);
}
