//! The line alone: frames through the verilated receive and transmit side, with the clock kept on
//! virtual time over skipped and frozen cycles.
#![allow(clippy::unwrap_used)] // a test may fail by panicking

use std::net::Ipv4Addr;

use saker_cosim::library::{Library, LoadError};
use saker_cosim::line::Line;
use saker_cosim::model_path;
use saker_cosim::stream::{HostRx, HostTx};
use saker_cosim::xgmii::Ending;
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::UdpPath;

const EPOCH: u64 = 1_767_603_600_000_000_000;

/// The model, or `None` with a message where it was not built.
fn library() -> Option<Library> {
    match Library::open(&model_path("net_loop"), "net_loop") {
        Ok(library) => Some(library),
        Err(error @ LoadError::Missing { .. }) => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

struct Bench {
    library: Library,
    line: Line,
    rx: HostRx,
    tx: HostTx,
    received: Vec<(u64, Vec<u8>)>,
    sent: Vec<(u64, Vec<u8>)>,
}

impl Bench {
    fn new(library: Library) -> Self {
        let mut line = Line::new(&library, EPOCH).unwrap();
        let rx = HostRx::new(&library, "m_axis_host", "tstamp").unwrap();
        let tx = HostTx::new(&library, "s_axis_host").unwrap();
        let set = library.input("time_set", 1).unwrap();
        let ns = library.input("time_set_ns", 64).unwrap();
        line.model().set(set, 1);
        // The time of the cycle two after it.
        let time = line.instant_of_cycle(2);
        line.model().set(ns, time);
        line.step();
        line.model().set(set, 0);
        Self { library, line, rx, tx, received: Vec::new(), sent: Vec::new() }
    }

    fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.received.extend(self.rx.before_step(self.line.model()));
            self.tx.before_step(self.line.model());
            if let Some(frame) = self.line.step() {
                assert_eq!(frame.ending, Ending::Good);
                self.sent.push((self.line.instant(frame.start), frame.bytes));
            }
        }
    }

    fn output(&mut self, name: &str, bits: u32) -> u64 {
        let port = self.library.output(name, bits).unwrap();
        self.line.model().get(port)
    }
}

fn feed_frame(port: u16, payload: &[u8]) -> Vec<u8> {
    let path = UdpPath {
        src_mac: MacAddr([2, 0, 0, 0, 0, 1]),
        dst_mac: MacAddr([1, 0, 0x5e, 64, 0, 1]),
        src: "10.0.1.1:5000".parse().unwrap(),
        dst: std::net::SocketAddrV4::new(Ipv4Addr::new(239, 192, 0, 1), port),
        vlan: None,
        ttl: 8,
    };
    let mut bytes = Vec::new();
    path.write(0, payload, &mut bytes);
    bytes
}

#[test]
fn frames_pass_both_ways_with_their_stamps() {
    let Some(library) = library() else { return };
    let mut bench = Bench::new(library);
    let mut rng = fastrand::Rng::with_seed(11);
    let mut expected = Vec::new();
    let mut at = EPOCH + 1_000;
    for _ in 0..100 {
        let frame: Vec<u8> = (0..rng.usize(60..600)).map(|_| rng.u8(..)).collect();
        let good = rng.u8(..) > 30;
        let start = bench.line.receive(at, &frame, good);
        // The first byte of the frame is eight octets behind Start.
        let first = bench.line.instant(start + 8);
        assert!(bench.line.instant(start) - at < 4 || at < bench.line.instant(start));
        if good {
            expected.push((first, frame.clone()));
            bench.tx.push(frame);
        }
        at += rng.u64(100..1_500);
    }
    let cycles = bench.line.cycles_until(at + 20_000);
    bench.run(cycles);
    assert_eq!(bench.received.len(), expected.len());
    for ((stamp, bytes), (first, frame)) in bench.received.iter().zip(&expected) {
        assert_eq!(bytes, frame);
        assert!(first.abs_diff(*stamp) <= 1, "stamped {stamp}, arrived {first}");
    }
    let sent: Vec<_> = bench.sent.iter().map(|(_, bytes)| bytes).collect();
    assert_eq!(sent, expected.iter().map(|(_, frame)| frame).collect::<Vec<_>>());
    let bad = bench.output("bad_frames", 32);
    assert_eq!(bad as usize + expected.len(), 100);
}

#[test]
fn idle_time_is_skipped_and_the_clock_follows() {
    let Some(library) = library() else { return };
    let mut bench = Bench::new(library);
    let enable = bench.library.input("channel_a_enable", 1).unwrap();
    let address = bench.library.input("channel_a_address", 32).unwrap();
    let port = bench.library.input("channel_a_port", 16).unwrap();
    let set = bench.library.input("time_set", 1).unwrap();
    let ns = bench.library.input("time_set_ns", 64).unwrap();
    let model = bench.line.model();
    model.set(enable, 1);
    model.set(address, Ipv4Addr::new(239, 192, 0, 1).to_bits().into());
    model.set(port, 20_001);
    bench.run(100);
    for number in 1u64..=50 {
        let at = EPOCH + number * 123_457_891;
        let cycle = bench.line.cycles_until(at) - 8;
        bench.line.skip_to(cycle);
        for _ in 0..number % 7 {
            bench.line.frozen_step();
        }
        let now = bench.line.instant_of_cycle(bench.line.cycle() + 2);
        bench.line.model().set(ns, now);
        bench.line.model().set(set, 1);
        bench.run(1);
        bench.line.model().set(set, 0);
        let payload = [(number as u32).to_le_bytes().as_slice(), &[0x55; 40]].concat();
        let start = bench.line.receive(at, &feed_frame(20_001, &payload), true);
        let first = bench.line.instant(start + 8);
        bench.run(40);
        assert_eq!(bench.output("feed_packets", 32), number);
        let stamp = bench.output("feed_tstamp", 64);
        assert!(first.abs_diff(stamp) <= 1, "stamped {stamp}, arrived {first}");
    }
    assert!(bench.received.is_empty());
    let [timed, frozen, skipped] = bench.line.cycles();
    assert!(timed < 3_000 && frozen < 400 && skipped > 50 * 1_000_000);
}

#[test]
fn a_wrong_library_is_told_apart() {
    let Some(_) = library() else { return };
    let wrong = Library::open(&model_path("net_loop"), "other_top").err().unwrap();
    assert!(matches!(wrong, LoadError::Top { .. }), "{wrong}");
    let missing = Library::open(&model_path("nothing"), "nothing").err().unwrap();
    assert!(missing.to_string().contains("make rtl-model"), "{missing}");
}
