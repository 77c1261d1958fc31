//! The logic's order frames against the Linux kernel's TCP, over a TAP device in a network namespace
//! of its own: what was simulated cycle by cycle arrives in a socket of the kernel.
//!
//! As the TCP endpoint's test does, this starts itself again under `unshare --net`, and is skipped,
//! saying so, where that is not allowed or the model was not built.
#![allow(clippy::unwrap_used)] // a test may fail by panicking

#[allow(dead_code)] // the trader's own tests use the rest
#[path = "../../trader/tests/support/feed.rs"]
mod feed;

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use feed::{Item, Publisher};
use saker_cosim::logic::TOP;
use saker_cosim::make::{self, LogicOptions};
use saker_cosim::model_path;
use saker_cosim::trader::RtlTrader;
use saker_feed::channel::{ChannelPlan, Line, Stream};
use saker_fix::session::{Authentication, Config, Event, Session};
use saker_fix::{parse, tag};
use saker_strategy::StrategyFile;
use saker_trader::host::{Network, TraderConfig};
use saker_trader::orders::{Identity, LineConfig};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::UdpPath;
use saker_wire::station::{Outbox, RxFrame, Station};
use saker_wire::time::Nanos;
use smoltcp::phy::{self, Device, Medium, RxToken, TunTapInterface, TxToken};

const INSIDE: &str = "SAKER_INSIDE_TEST_NAMESPACE";
const NAME: &str = "orders_reach_the_linux_kernel";
/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);
const KERNEL: Ipv4Addr = Ipv4Addr::new(10, 88, 0, 1);
const OURS: Ipv4Addr = Ipv4Addr::new(10, 88, 0, 2);
const PORT: u16 = 9_878;
/// Virtual time of the start.
const EPOCH: Nanos = 1_767_603_600_000_000_000;
const ORDERS: usize = 5;

#[test]
fn orders_reach_the_linux_kernel() {
    if std::env::var_os(INSIDE).is_some() {
        return run();
    }
    let model = model_path(TOP);
    if !model.exists() {
        eprintln!("skipped: no {}; `make rtl-model` builds it", model.display());
        return;
    }
    if let Err(reason) = namespaces_are_allowed() {
        eprintln!("skipped: {reason}");
        return;
    }
    let status = Command::new("unshare")
        .arg("--net")
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(INSIDE, "1")
        .status()
        .unwrap();
    assert!(status.success(), "the run inside the namespace");
}

/// Whether this process may make a network namespace and a TAP device in it.
fn namespaces_are_allowed() -> Result<(), String> {
    let tun = std::fs::File::options().read(true).write(true).open("/dev/net/tun");
    tun.map_err(|error| format!("/dev/net/tun: {error}"))?;
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

fn command(line: &str) {
    let mut words = line.split(' ');
    let status = Command::new(words.next().unwrap()).args(words).status().unwrap();
    assert!(status.success(), "{line}");
}

/// The venue: a socket of the kernel's, and FIX over it. Returns the ClOrdIDs of the orders.
fn venue(listener: &TcpListener) -> Vec<String> {
    let (mut stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let config = Config {
        authentication: Authentication::Check(Box::new(|_| Ok(()))),
        ..Config::new("SAKER", Some("TRADER"))
    };
    let mut session = Session::acceptor(config);
    let begun = Instant::now();
    let now = || EPOCH + begun.elapsed().as_nanos() as u64;
    session.on_connect(now());
    let mut orders = Vec::new();
    let mut buffer = [0; 4_096];
    while orders.len() < ORDERS && begun.elapsed() < PATIENCE {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => session.on_bytes(now(), &buffer[..length]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) => panic!("{error}"),
        }
        while let Some(event) = session.poll_event() {
            if let Event::Application(bytes) = event {
                orders.extend(answer(&mut session, now(), &bytes));
            }
        }
        flush(&mut stream, &mut session);
    }
    orders
}

/// Accepts and fills an order.
fn answer(session: &mut Session, now: Nanos, bytes: &[u8]) -> Option<String> {
    let (message, _) = parse::frame(bytes).unwrap().unwrap();
    if message.msg_type() != b"D" {
        return None;
    }
    let text = |tag| String::from_utf8(message.get(tag).unwrap().to_vec()).unwrap();
    let (order, symbol) = (text(tag::CL_ORD_ID), text(tag::SYMBOL));
    let quantity = message.uint(tag::ORDER_QTY).unwrap();
    for (exec_type, status, filled) in [(b'0', b'0', 0), (b'F', b'2', quantity)] {
        let sent = session.send(now, "8", |w| {
            w.field_str(tag::ORDER_ID, &format!("V{order}"));
            w.field_str(tag::CL_ORD_ID, &order);
            w.field_str(tag::EXEC_ID, &format!("E{order}{filled}"));
            w.field_char(150, exec_type);
            w.field_char(tag::ORD_STATUS, status);
            w.field_str(tag::SYMBOL, &symbol);
            w.field_char(tag::SIDE, b'1');
            w.field_uint(151, quantity - filled);
            w.field_uint(tag::CUM_QTY, filled);
            w.field_uint(tag::AVG_PX, 0);
        });
        sent.unwrap();
    }
    Some(order)
}

fn flush(stream: &mut TcpStream, session: &mut Session) {
    let output = session.output().to_vec();
    stream.write_all(&output).unwrap();
    session.consume_output(output.len());
}

/// The trader in logic, the TAP device, and the feed.
struct Bench {
    trader: RtlTrader,
    tap: TunTapInterface,
    publisher: Publisher,
    plan: ChannelPlan,
    begun: Instant,
    next_id: u64,
}

impl Bench {
    fn now(&self) -> Nanos {
        EPOCH + self.begun.elapsed().as_nanos() as u64
    }

    fn feed(&mut self, stream: Stream, packet: &[u8]) {
        let group = self.plan.destination(stream, Line::A);
        let path = UdpPath {
            src_mac: MacAddr([2, 0, 0, 0, 0, 9]),
            dst_mac: MacAddr::for_multicast(*group.ip()).unwrap(),
            src: SocketAddrV4::new(Ipv4Addr::new(10, 0, 1, 1), 20_000),
            dst: group,
            vlan: None,
            ttl: 8,
        };
        let mut bytes = Vec::new();
        path.write(0, packet, &mut bytes);
        self.arrive(&bytes);
    }

    fn arrive(&mut self, bytes: &[u8]) {
        self.next_id += 1;
        let (now, mut out) = (self.now(), Outbox::default());
        let frame = RxFrame { port: 0, id: self.next_id, first_byte_ns: now, bytes };
        self.trader.receive(now, frame, &mut out);
        self.send(out);
    }

    /// A turn of the world: what has come from the kernel, and what is due.
    fn turn(&mut self) {
        let mut arrived = Vec::new();
        while let Some((token, _)) = self.tap.receive(smoltcp::time::Instant::ZERO) {
            token.consume(|bytes| arrived.push(bytes.to_vec()));
        }
        for bytes in arrived {
            self.arrive(&bytes);
        }
        while self.trader.next_wake().is_some_and(|at| at <= self.now()) {
            let (now, mut out) = (self.now(), Outbox::default());
            self.trader.wake(now, &mut out);
            self.send(out);
        }
        if let Some(fault) = self.trader.fault() {
            panic!("{fault}");
        }
        let wait = smoltcp::time::Duration::from_micros(200);
        phy::wait(self.tap.as_raw_fd(), Some(wait)).unwrap();
    }

    fn send(&mut self, out: Outbox) {
        for frame in out.frames {
            let token = self.tap.transmit(smoltcp::time::Instant::ZERO).unwrap();
            token.consume(frame.bytes.len(), |buffer| buffer.copy_from_slice(&frame.bytes));
        }
    }

    fn run_until(&mut self, what: &str, mut is_so: impl FnMut(&RtlTrader) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is_so(&self.trader) {
            assert!(Instant::now() < until, "waiting until {what}");
            self.turn();
        }
    }
}

fn run() {
    let tap = TunTapInterface::new("saker0", Medium::Ethernet).unwrap();
    command("ip link set lo up");
    command(&format!("ip addr add {KERNEL}/24 dev saker0"));
    command("ip link set saker0 up");
    let listener = TcpListener::bind((KERNEL, PORT)).unwrap();
    let venue = thread::spawn(move || venue(&listener));

    let strategies = "[limits]\nmax_order_quantity = 100\nmax_open_orders = 10\n\
        max_position = 1000\n[[strategy]]\nname = \"x\"\nkind = \"stop\"\nsymbol = \"AAA\"\n\
        side = \"buy\"\ntrigger = \"11.00\"\nprice = \"12.00\"\nquantity = 10\nrearm = true\n";
    let identity = Identity {
        sender_comp_id: "TRADER".into(),
        target_comp_id: "SAKER".into(),
        username: Some("user".into()),
        password: Some("secret".into()),
        account: None,
    };
    let network = Network::new(MacAddr([2, 0, 0, 0, 0, 2]), OURS, KERNEL);
    let strategies = StrategyFile::from_toml(strategies).unwrap();
    let config = TraderConfig::new(network, strategies, LineConfig::new(identity, PORT));
    let plan = config.plan.clone();
    let trader = make::trader(config, EPOCH, &LogicOptions::default()).unwrap();
    let publisher = Publisher::new(&["AAA", "BBB"]);
    let mut bench = Bench { trader, tap, publisher, plan, begun: Instant::now(), next_id: 0 };

    let definitions = bench.publisher.definitions();
    bench.feed(Stream::Definition, &definitions);
    let first = bench.publisher.incremental(&[Item::Trade {
        instrument: 0,
        id: 1,
        price: 1_000,
        quantity: 1,
    }]);
    bench.feed(Stream::Incremental, &first);
    for order in 0..ORDERS {
        bench.run_until("the order is prepared", |trader| {
            let fast = trader.host().line().fast_path();
            fast.armed() > 0 && fast.registers().leased
        });
        let price = 1_150 + order as i64;
        let tick = bench.publisher.incremental(&[Item::Trade {
            instrument: 0,
            id: 2 + order as u64,
            price,
            quantity: 5,
        }]);
        bench.feed(Stream::Incremental, &tick);
        let sent = order as u64 + 1;
        bench.run_until("the order is sent", |trader| trader.compared().orders == sent);
        if sent < ORDERS as u64 {
            bench.run_until("it is filled", |trader| {
                let records = trader.host().line().log().records();
                records.last().is_some_and(|record| record.filled == 10)
            });
        }
    }
    let until = Instant::now() + PATIENCE;
    while !venue.is_finished() && Instant::now() < until {
        bench.turn();
    }
    let orders = venue.join().unwrap();
    let records = bench.trader.host().line().log().records();
    let sent: Vec<&str> = records.iter().map(|record| record.cl_ord_id.as_str()).collect();
    assert_eq!(orders, sent, "the kernel got what the logic sent");
    assert_eq!(orders.len(), ORDERS);
    let endpoint = bench.trader.host().line().endpoint().unwrap();
    assert_eq!(endpoint.counters().delegated_segments, ORDERS as u64);
}
