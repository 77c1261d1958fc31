//! The endpoint against the Linux kernel's TCP, over a TAP device in a network namespace of its own.
//!
//! The test starts itself again under `unshare --net`: the namespace and the devices in it vanish
//! with that process, however it ends. It is skipped, and says so, where that is not allowed.

#![allow(clippy::unwrap_used)] // a test may fail

mod endpoint_support;

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use endpoint_support::link::{Impairment, Link};
use endpoint_support::party::{Habits, Party};
use endpoint_support::setup::{isn, mac_of, path, random_config, random_habits};
use fastrand::Rng;
use saker_wire::arp::ArpOperation;
use saker_wire::endpoint::{Config, Endpoint, Event, KeepAlive, ResetReason, State, TimeoutReason};
use saker_wire::ethernet::{ETHERTYPE_ARP, Ethernet, MacAddr};
use saker_wire::frame::{self, Body};
use saker_wire::time::{MICROSECOND, MILLISECOND, Nanos, SECOND};
use smoltcp::phy::{self, Device, Medium, RxToken, TunTapInterface, TxToken};

const INSIDE: &str = "SAKER_INSIDE_TEST_NAMESPACE";
/// Scenarios that run side by side, each on its own device.
const WORKERS: u8 = 6;
/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn speaks_with_the_linux_kernel() {
    if std::env::var_os(INSIDE).is_some() {
        run_all_scenarios();
        return;
    }
    if let Err(reason) = namespaces_are_allowed() {
        println!("skipped: {reason}");
        return;
    }
    let status = Command::new("unshare")
        .arg("--net")
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "speaks_with_the_linux_kernel", "--nocapture"])
        .env(INSIDE, "1")
        .status()
        .unwrap();
    assert!(status.success(), "the scenarios inside the namespace");
}

/// Whether this process may make a network namespace and a TAP device in it.
fn namespaces_are_allowed() -> Result<(), String> {
    std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/net/tun")
        .map_err(|error| format!("/dev/net/tun: {error}"))?;
    let probe = Command::new("unshare")
        .args(["--net", "ip", "tuntap", "add", "dev", "probe0", "mode", "tap"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match probe {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("network namespaces and TAP devices need root".into()),
        Err(error) => Err(format!("unshare: {error}")),
    }
}

type Scenario = Box<dyn FnOnce(&mut Bench) + Send>;

fn run_all_scenarios() {
    command("ip", &["link", "set", "lo", "up"]);
    // Small kernel buffers, so that its windows close.
    std::fs::write("/proc/sys/net/ipv4/tcp_rmem", "4096 32768 65536").unwrap();
    // By default the kernel answers one keep-alive probe in 500 ms.
    std::fs::write("/proc/sys/net/ipv4/tcp_invalid_ratelimit", "0").unwrap();
    let mut scenarios: Vec<Scenario> = vec![
        Box::new(kernel_reader_sleeps),
        Box::new(our_reader_sleeps),
        Box::new(keep_alive_is_answered_until_the_peer_dies),
        Box::new(kernel_refuses),
    ];
    for kernel_listens in [true, false] {
        scenarios.push(Box::new(move |bench| kernel_resets(bench, kernel_listens)));
        scenarios.push(Box::new(move |bench| we_reset(bench, kernel_listens)));
        scenarios
            .push(Box::new(move |bench| acknowledgements_overtake_reports(bench, kernel_listens)));
    }
    for seed in 0..40u64 {
        scenarios.push(Box::new(move |bench| transfer(bench, seed)));
    }
    let scenarios = Arc::new(Mutex::new(scenarios.into_iter()));
    let workers: Vec<JoinHandle<Totals>> = (0..WORKERS)
        .map(|index| {
            let scenarios = scenarios.clone();
            thread::spawn(move || {
                let mut bench = Bench::new(index);
                loop {
                    let next = scenarios.lock().unwrap().next();
                    let Some(scenario) = next else { return bench.totals };
                    scenario(&mut bench);
                }
            })
        })
        .collect();
    let mut totals = Totals::default();
    for worker in workers {
        let part = worker.join().expect("a scenario failed");
        totals.fired += part.fired;
        totals.early_acks += part.early_acks;
        totals.retransmissions += part.retransmissions;
    }
    assert!(totals.fired > 100 && totals.retransmissions > 10, "{totals:?}");
    assert!(totals.early_acks >= 20, "{totals:?}");
}

#[derive(Debug, Default)]
struct Totals {
    fired: u64,
    early_acks: u64,
    retransmissions: u64,
}

/// A TAP device whose other end is the kernel, and the clock.
struct Bench {
    tap: TunTapInterface,
    kernel_ip: Ipv4Addr,
    our_ip: Ipv4Addr,
    started: Instant,
    /// Every scenario has a port of its own, so that none meets another's late segments.
    next_port: u16,
    totals: Totals,
}

fn command(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {words}");
}

impl Bench {
    fn new(index: u8) -> Bench {
        let name = format!("saker{index}");
        let tap = TunTapInterface::new(&name, Medium::Ethernet).unwrap();
        let kernel_ip = Ipv4Addr::new(10, 251, index, 1);
        let our_ip = Ipv4Addr::new(10, 251, index, 2);
        let mac = mac_of(kernel_ip).to_string();
        command("ip", &["link", "set", "dev", &name, "address", &mac]);
        command("ip", &["addr", "add", &format!("{kernel_ip}/30"), "dev", &name]);
        command("ip", &["link", "set", "dev", &name, "up"]);
        Bench {
            tap,
            kernel_ip,
            our_ip,
            started: Instant::now(),
            next_port: 20_000,
            totals: Totals::default(),
        }
    }

    fn now(&self) -> Nanos {
        SECOND + self.started.elapsed().as_nanos() as Nanos
    }

    fn our_mac(&self) -> MacAddr {
        mac_of(self.our_ip)
    }

    /// Everything the kernel has sent. Its questions for our MAC address are answered here.
    fn receive(&mut self) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        let mut replies = Vec::new();
        while let Some((rx, _)) = self.tap.receive(smoltcp::time::Instant::ZERO) {
            let bytes = rx.consume(<[u8]>::to_vec);
            match frame::parse(&bytes).map(|frame| frame.body) {
                Ok(Body::Arp(arp))
                    if arp.operation == ArpOperation::Request && arp.target_ip == self.our_ip =>
                {
                    let reply = arp.reply_from(self.our_mac());
                    let ethernet = Ethernet {
                        dst: arp.sender_mac,
                        src: self.our_mac(),
                        ethertype: ETHERTYPE_ARP,
                    };
                    replies.push([&ethernet.to_bytes()[..], &reply.to_bytes()[..]].concat());
                }
                Ok(Body::Tcp { .. }) => frames.push(bytes),
                _ => {} // the kernel's IPv6 announcements
            }
        }
        for reply in replies {
            self.send(&reply);
        }
        frames
    }

    fn send(&mut self, bytes: &[u8]) {
        let token = self.tap.transmit(smoltcp::time::Instant::ZERO).unwrap();
        token.consume(bytes.len(), |buffer| buffer.copy_from_slice(bytes));
    }
}

/// One connection between a party and a kernel socket.
struct Run<'a> {
    bench: &'a mut Bench,
    party: Party,
    link: Link,
    deadline: Instant,
    seed: u64,
}

/// What differs from run to run.
struct Plan {
    seed: u64,
    kernel_listens: bool,
    weather: Impairment,
    config: Config,
    habits: Habits,
}

impl Plan {
    fn fair(seed: u64, kernel_listens: bool) -> Plan {
        Plan {
            seed,
            kernel_listens,
            weather: Impairment::NONE,
            config: Config { time_wait_ns: 20 * MILLISECOND, ..Config::default() },
            habits: Habits::PLAIN,
        }
    }
}

impl<'a> Run<'a> {
    /// Opens the connection; `kernel` is what the kernel's side does with its socket.
    fn open<T: Send + 'static>(
        bench: &'a mut Bench,
        plan: Plan,
        kernel: impl FnOnce(TcpStream) -> T + Send + 'static,
    ) -> (Run<'a>, JoinHandle<T>) {
        bench.next_port += 1;
        let ours = SocketAddrV4::new(bench.our_ip, bench.next_port);
        let mut theirs = SocketAddrV4::new(bench.kernel_ip, 0);
        let isn = isn(&mut Rng::with_seed(plan.seed ^ 77));
        let now = bench.now();
        let mut config = Config { local_port: ours.port(), ..plan.config };
        let (endpoint, side) = if plan.kernel_listens {
            let listener = TcpListener::bind((bench.kernel_ip, 0)).unwrap();
            theirs.set_port(listener.local_addr().unwrap().port());
            config.remote_port = theirs.port();
            let side = thread::spawn(move || kernel(prepared(listener.accept().unwrap().0)));
            (Endpoint::connect(config, isn, now).unwrap(), side)
        } else {
            let endpoint = Endpoint::listen(config, isn).unwrap();
            let side = thread::spawn(move || kernel(prepared(TcpStream::connect(ours).unwrap())));
            (endpoint, side)
        };
        let party = Party::new(endpoint, isn, path(ours, theirs), plan.habits, plan.seed);
        let link = Link::new(plan.weather, plan.seed ^ 99);
        let deadline = Instant::now() + PATIENCE;
        (Run { bench, party, link, deadline, seed: plan.seed }, side)
    }

    fn run_until(&mut self, mut is_over: impl FnMut(&mut Party) -> bool) {
        while !is_over(&mut self.party) {
            assert!(
                Instant::now() < self.deadline,
                "run {} hangs: {:?} {:?}",
                self.seed,
                self.party.endpoint.state(),
                self.party.endpoint.counters()
            );
            self.step();
        }
        self.party.events.extend(self.party.endpoint.take_events());
    }

    fn step(&mut self) {
        let now = self.bench.now();
        for bytes in self.bench.receive() {
            self.link.send(now, 0, bytes);
        }
        let mut ours = Vec::new();
        let mut kernels = Vec::new();
        while let Some((to, bytes)) = self.link.arrived(now) {
            if to == 0 {
                self.party.receive(now, &bytes, &mut ours);
            } else {
                kernels.push(bytes);
            }
        }
        self.party.step(now, &mut ours);
        for bytes in ours {
            self.link.send(now, 1, bytes);
        }
        for bytes in kernels {
            self.bench.send(&bytes);
        }
        let instants = [self.link.next_arrival(), self.party.endpoint.next_deadline()];
        let next = instants.into_iter().flatten().min().unwrap_or(Nanos::MAX);
        let wait = next.saturating_sub(now).min(500 * MICROSECOND) / 1000;
        if wait > 0 {
            let fd = self.bench.tap.as_raw_fd();
            phy::wait(fd, Some(smoltcp::time::Duration::from_micros(wait))).unwrap();
        }
    }

    /// Runs until the kernel's side is done as well, and counts.
    fn finish<T>(mut self, kernel: JoinHandle<T>) -> (Party, T) {
        self.run_until(|_| kernel.is_finished());
        let counters = self.party.endpoint.counters();
        self.bench.totals.fired += self.party.fired;
        self.bench.totals.early_acks += counters.early_acks;
        self.bench.totals.retransmissions += counters.retransmissions;
        (self.party, kernel.join().expect("the kernel's side"))
    }
}

/// A kernel socket that does not wait for ever.
fn prepared(stream: TcpStream) -> TcpStream {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn random_bytes(rng: &mut Rng, count: usize) -> Vec<u8> {
    (0..count).map(|_| rng.u8(..)).collect()
}

/// Both directions at once, with delegated sends and bad weather; closed in either order.
fn transfer(bench: &mut Bench, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let (to_kernel, from_kernel) = (rng.usize(5_000..60_000), rng.usize(5_000..60_000));
    let kernel_data = random_bytes(&mut rng, from_kernel);
    let expected = kernel_data.clone();
    let kernel_waits = rng.bool();
    let plan = Plan {
        seed,
        kernel_listens: seed.is_multiple_of(2),
        // The kernel repeats after 200 ms at the earliest: losses are kept rare for time's sake.
        weather: Impairment {
            loss: rng.u32(0..25),
            duplication: rng.u32(0..60),
            corruption: rng.u32(0..8),
            delay_ns: rng.u64(0..500) * MICROSECOND,
            jitter_ns: rng.u64(0..500) * MICROSECOND,
        },
        config: Config {
            time_wait_ns: 100 * MILLISECOND,
            mss: *rng.choice(&[536, 1000, 1460]).unwrap(),
            receive_capacity: rng.usize(6_000..100_000),
            retransmit_capacity: rng.usize(2_000..60_000),
            ..random_config(&mut rng, 0, 0)
        },
        // Reports come late, so that acknowledgements overtake them.
        habits: Habits { report: rng.u32(10..100), ..random_habits(&mut rng) },
    };
    let (mut run, kernel) = Run::open(bench, plan, move |mut stream| {
        let mut writer = stream.try_clone().unwrap();
        let (may_close, closing) = std::sync::mpsc::channel();
        let writing = thread::spawn(move || {
            writer.write_all(&kernel_data).unwrap();
            if kernel_waits {
                let _ = closing.recv();
            }
            writer.shutdown(Shutdown::Write).unwrap();
        });
        let mut received = Vec::new();
        stream.read_to_end(&mut received).unwrap();
        let _ = may_close.send(());
        writing.join().unwrap();
        received
    });
    run.party.to_write = to_kernel;
    run.party.close_after_peer = !kernel_waits && seed.is_multiple_of(3);
    run.run_until(|party| {
        party.is_done()
            && party.received.len() == from_kernel
            && party.endpoint.state() == State::Closed
    });
    let (party, received) = run.finish(kernel);
    assert!(received == party.stream, "seed {seed}: the kernel received other bytes");
    assert!(party.received == expected, "seed {seed}: the kernel's bytes differ");
    assert_eq!(party.stream.len(), to_kernel);
    for event in [Event::Connected, Event::PeerClosed, Event::Closed] {
        assert!(party.events.contains(&event), "seed {seed}: {event:?}");
    }
}

/// No report is made before the kernel has acknowledged some of what it tells.
fn acknowledgements_overtake_reports(bench: &mut Bench, kernel_listens: bool) {
    let mut plan = Plan::fair(4, kernel_listens);
    plan.habits = Habits { write: 0, delegate: 1000, fire: 300, ..plan.habits };
    let (mut run, kernel) = Run::open(bench, plan, |mut stream| {
        let mut received = Vec::new();
        stream.read_to_end(&mut received).unwrap();
        received
    });
    for round in 1..=10 {
        run.party.to_write = 100_000; // never the limit
        run.run_until(|party| party.endpoint.counters().early_acks >= round);
        run.party.habits.report = 1000;
        run.party.habits.fire = 0;
        run.run_until(|party| party.endpoint.counters().delegated_segments == party.fired);
        run.party.habits.report = 0;
        run.party.habits.fire = 300;
    }
    run.party.to_write = 10_000;
    run.party.habits = Habits { revoke: 1000, ..Habits::PLAIN };
    run.run_until(|party| party.endpoint.state() == State::Closed);
    let (party, received) = run.finish(kernel);
    assert!(received == party.stream);
}

/// The kernel's application does not read until its window was probed several times.
fn kernel_reader_sleeps(bench: &mut Bench) {
    let wake = Arc::new(AtomicBool::new(false));
    let waker = wake.clone();
    let mut plan = Plan::fair(1, true);
    plan.config.initial_rto_ns = 5 * MILLISECOND;
    plan.config.min_rto_ns = 5 * MILLISECOND;
    plan.config.max_rto_ns = 50 * MILLISECOND;
    let (mut run, kernel) = Run::open(bench, plan, move |mut stream| {
        while !wake.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        let mut received = Vec::new();
        stream.read_to_end(&mut received).unwrap();
        received
    });
    run.party.to_write = 300_000;
    run.run_until(|party| party.endpoint.counters().window_probes >= 5);
    assert!(run.party.to_write > 0);
    waker.store(true, Ordering::Relaxed);
    run.run_until(|party| party.endpoint.state() == State::Closed);
    let (party, received) = run.finish(kernel);
    assert!(received == party.stream);
}

/// Our application does not read; the kernel probes our closed window.
fn our_reader_sleeps(bench: &mut Bench) {
    let mut plan = Plan::fair(2, false);
    plan.habits.read = 0;
    plan.config.receive_capacity = 8_000;
    let mut rng = Rng::with_seed(2);
    let data = random_bytes(&mut rng, 40_000);
    let expected = data.clone();
    let (mut run, kernel) = Run::open(bench, plan, move |mut stream| {
        stream.write_all(&data).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
    });
    run.party.close_after_peer = true;
    run.run_until(|party| party.endpoint.readable() == 8_000);
    let before = run.party.endpoint.counters().segments_in;
    run.run_until(|party| party.endpoint.counters().segments_in >= before + 2);
    assert_eq!(run.party.endpoint.readable(), 8_000);
    run.party.habits.read = 1000;
    run.run_until(|party| {
        party.endpoint.state() == State::Closed && party.endpoint.readable() == 0
    });
    let (party, ()) = run.finish(kernel);
    assert!(party.received == expected);
}

/// Keep-alive probes of an idle kernel are answered; once it is gone they end the connection.
fn keep_alive_is_answered_until_the_peer_dies(bench: &mut Bench) {
    let mut plan = Plan::fair(3, true);
    plan.config.keep_alive =
        Some(KeepAlive { idle_ns: 20 * MILLISECOND, interval_ns: 20 * MILLISECOND, probes: 5 });
    let (mut run, kernel) = Run::open(bench, plan, |mut stream| {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.read(&mut [0]).map_err(|error| error.kind())
    });
    run.party.close_when_done = false;
    run.run_until(|party| party.endpoint.counters().keep_alives >= 12);
    assert_eq!(run.party.endpoint.state(), State::Established);
    run.link.impairment.loss = 1000;
    run.run_until(|party| party.endpoint.state() == State::Closed);
    assert!(run.party.events.contains(&Event::TimedOut(TimeoutReason::KeepAlive)));
    // The reset that ends it was lost too. The kernel learns from the answer to its next segment;
    // here, from a reset to whatever arrives after the weather has cleared.
    run.link.impairment.loss = 0;
    let reset = run.party.last_reset.clone().expect("giving up sends a reset");
    run.bench.send(&reset);
    let (_, outcome) = run.finish(kernel);
    assert_eq!(outcome, Err(ErrorKind::ConnectionReset));
}

/// Nobody listens at the kernel's port.
fn kernel_refuses(bench: &mut Bench) {
    bench.next_port += 1;
    let ours = SocketAddrV4::new(bench.our_ip, bench.next_port);
    let theirs = SocketAddrV4::new(bench.kernel_ip, 1);
    let config =
        Config { local_port: ours.port(), remote_port: theirs.port(), ..Config::default() };
    let endpoint = Endpoint::connect(config, 5, bench.now()).unwrap();
    let party = Party::new(endpoint, 5, path(ours, theirs), Habits::PLAIN, 5);
    let link = Link::new(Impairment::NONE, 5);
    let deadline = Instant::now() + PATIENCE;
    let mut run = Run { bench, party, link, deadline, seed: 5 };
    run.run_until(|party| party.endpoint.state() == State::Closed);
    assert_eq!(run.party.events, [Event::Reset(ResetReason::Refused)]);
}

/// The kernel's application goes away with bytes unread, which makes the kernel reset.
fn kernel_resets(bench: &mut Bench, kernel_listens: bool) {
    let mut plan = Plan::fair(6, kernel_listens);
    plan.habits = Habits { delegate: 500, fire: 500, report: 100, revoke: 10, ..plan.habits };
    let (mut run, kernel) = Run::open(bench, plan, |stream| {
        stream.peek(&mut [0]).unwrap();
        drop(stream);
    });
    run.party.to_write = 10_000_000;
    run.run_until(|party| party.endpoint.state() == State::Closed);
    let (party, ()) = run.finish(kernel);
    assert!(party.events.contains(&Event::Reset(ResetReason::ByPeer)), "{:?}", party.events);
    assert_eq!(party.endpoint.delegated(), None);
}

/// We abort in the middle of a transfer; the kernel's application sees a reset.
fn we_reset(bench: &mut Bench, kernel_listens: bool) {
    let (mut run, kernel) = Run::open(bench, Plan::fair(7, kernel_listens), |mut stream| {
        let mut received = Vec::new();
        (stream.read_to_end(&mut received).unwrap_err().kind(), received)
    });
    run.party.to_write = 1_000_000;
    run.run_until(|party| party.stream.len() > 100_000);
    run.party.endpoint.abort();
    let (party, (outcome, received)) = run.finish(kernel);
    assert_eq!(outcome, ErrorKind::ConnectionReset);
    assert!(party.stream.starts_with(&received));
    assert!(party.events.contains(&Event::Reset(ResetReason::Aborted)));
}
