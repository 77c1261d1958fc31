//! The venue's side of an order line: TCP and FIX by the project's own engines, acceptor side, and
//! a script instead of a matcher.

use std::net::{Ipv4Addr, SocketAddrV4};

use saker_fix::session::{Authentication, Config, Event, Session};
use saker_fix::{parse, tag};
use saker_wire::endpoint::{self, Endpoint};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{self, Body, TcpPath};
use saker_wire::neighbor::{NeighborConfig, Neighbors};
use saker_wire::time::Nanos;

pub const MAC: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
pub const IP: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
pub const PORT: u16 = 9_878;

/// What the venue does with an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Accepts it and lets it rest.
    Accept,
    /// Accepts it and fills it in two parts.
    Fill,
    /// Refuses it.
    Reject,
    /// Says nothing.
    Silent,
    /// Does not serve it (35=j).
    Refuse,
}

/// An order as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    pub cl_ord_id: String,
    pub msg_seq: u32,
    pub poss_dup: bool,
    pub symbol: String,
    pub at: Nanos,
}

pub struct Acceptor {
    neighbors: Neighbors,
    endpoint: Option<Endpoint>,
    path: Option<TcpPath>,
    up: bool,
    isn: u32,
    pub session: Session,
    pub script: Script,
    pub orders: Vec<Arrived>,
    /// OrigClOrdIDs of cancel requests.
    pub cancels: Vec<String>,
    pub logons: u32,
    pub resent_requests: u64,
    next_exec: u64,
}

impl Acceptor {
    pub fn new() -> Self {
        let config = Config {
            authentication: Authentication::Check(Box::new(|request| {
                let right = request.username.as_deref() == Some("user")
                    && request.password.as_deref() == Some("secret");
                right.then_some(()).ok_or_else(|| "wrong password".to_owned())
            })),
            ..Config::new("SAKER", Some("TRADER"))
        };
        Self {
            neighbors: Neighbors::new(NeighborConfig::new(MAC, IP)),
            endpoint: None,
            path: None,
            up: false,
            isn: 77,
            session: Session::acceptor(config),
            script: Script::Accept,
            orders: Vec::new(),
            cancels: Vec::new(),
            logons: 0,
            resent_requests: 0,
            next_exec: 0,
        }
    }

    /// Cuts the connection with a reset.
    pub fn abort(&mut self, now: Nanos, out: &mut Vec<Vec<u8>>) {
        if let Some(endpoint) = &mut self.endpoint {
            endpoint.abort();
        }
        self.pump(now, out);
    }

    pub fn on_frame(&mut self, now: Nanos, bytes: &[u8], out: &mut Vec<Vec<u8>>) {
        let parsed = frame::parse(bytes).expect("the trader's frames are sound");
        match parsed.body {
            Body::Arp(arp) => self.neighbors.on_arp(now, &arp),
            Body::Tcp { ip, tcp, options, payload } => {
                assert_eq!((parsed.ethernet.dst, ip.dst, tcp.dst_port), (MAC, IP, PORT));
                let peer = SocketAddrV4::new(ip.src, tcp.src_port);
                if self.path.is_none_or(|path| path.dst != peer) {
                    self.path = Some(TcpPath {
                        src_mac: MAC,
                        dst_mac: parsed.ethernet.src,
                        src: SocketAddrV4::new(IP, PORT),
                        dst: peer,
                        vlan: None,
                        ttl: 64,
                    });
                    if self.up {
                        self.up = false;
                        self.session.on_disconnect(now);
                    }
                    self.isn += 100_000;
                    let config =
                        endpoint::Config { local_port: PORT, ..endpoint::Config::default() };
                    self.endpoint = Some(Endpoint::listen(config, self.isn).unwrap());
                }
                if let Some(endpoint) = &mut self.endpoint {
                    endpoint.on_segment(now, &tcp, &options, payload);
                }
            }
            other => panic!("unexpected frame {other:?}"),
        }
        self.pump(now, out);
    }

    pub fn on_deadline(&mut self, now: Nanos, out: &mut Vec<Vec<u8>>) {
        if let Some(endpoint) = &mut self.endpoint {
            endpoint.on_deadline(now);
        }
        if self.session.next_deadline().is_some_and(|at| at <= now) {
            self.session.on_deadline(now);
        }
        self.pump(now, out);
    }

    pub fn next_deadline(&self) -> Option<Nanos> {
        let endpoint = self.endpoint.as_ref().and_then(Endpoint::next_deadline);
        [endpoint, self.session.next_deadline()].into_iter().flatten().min()
    }

    fn pump(&mut self, now: Nanos, out: &mut Vec<Vec<u8>>) {
        let mut bytes = Vec::new();
        if let Some(endpoint) = &mut self.endpoint {
            let events: Vec<_> = endpoint.take_events().collect();
            for event in events {
                match event {
                    endpoint::Event::Connected => {
                        self.up = true;
                        self.session.on_connect(now);
                    }
                    endpoint::Event::DataReady => {}
                    endpoint::Event::PeerClosed => endpoint.close(),
                    _ => {
                        if std::mem::take(&mut self.up) {
                            self.session.on_disconnect(now);
                        }
                    }
                }
            }
            endpoint.recv(&mut bytes);
            if !bytes.is_empty() {
                self.session.on_bytes(now, &bytes);
            }
        }
        while let Some(event) = self.session.poll_event() {
            match event {
                Event::LoggedOn { .. } => self.logons += 1,
                Event::Application(bytes) => self.on_message(now, &bytes),
                Event::Disconnect(_) => {
                    if let Some(endpoint) = &mut self.endpoint {
                        endpoint.close();
                    }
                }
                _ => {}
            }
        }
        if let (Some(endpoint), Some(path)) = (&mut self.endpoint, &self.path) {
            let taken = endpoint.send(self.session.output());
            self.session.consume_output(taken);
            let mut payload = Vec::new();
            while let Some(segment) = endpoint.poll_transmit(now, &mut payload) {
                let mut bytes = Vec::new();
                path.write(0, &segment.header, segment.options(), &payload, &mut bytes);
                out.push(bytes);
            }
        }
        let mut arp = Vec::new();
        while self.neighbors.poll_transmit(&mut arp) {
            out.push(std::mem::take(&mut arp));
        }
    }

    fn on_message(&mut self, now: Nanos, bytes: &[u8]) {
        let (message, _) = parse::frame(bytes).unwrap().unwrap();
        let text = |tag| message.get(tag).map(|v| String::from_utf8_lossy(v).into_owned());
        let cl_ord_id = text(tag::CL_ORD_ID).unwrap();
        let symbol = text(tag::SYMBOL).unwrap();
        match message.msg_type() {
            b"D" => {
                self.orders.push(Arrived {
                    cl_ord_id: cl_ord_id.clone(),
                    msg_seq: message.msg_seq_num().unwrap(),
                    poss_dup: message.get(tag::POSS_DUP_FLAG) == Some(b"Y"),
                    symbol: symbol.clone(),
                    at: now,
                });
                let quantity = message.uint(tag::ORDER_QTY).unwrap();
                let report = |s: &mut Self, exec, status, sum, left| {
                    s.report(now, &cl_ord_id, None, &symbol, exec, status, sum, left);
                };
                match self.script {
                    Script::Silent => {}
                    Script::Refuse => {
                        let seq = message.msg_seq_num().unwrap();
                        self.session.business_reject(now, seq, "D", 4, "closed").unwrap();
                    }
                    Script::Reject => report(self, b'8', b'8', 0, 0),
                    Script::Accept => report(self, b'0', b'0', 0, quantity),
                    Script::Fill => {
                        report(self, b'0', b'0', 0, quantity);
                        let half = quantity / 2;
                        if half > 0 {
                            report(self, b'F', b'1', half, quantity - half);
                        }
                        report(self, b'F', b'2', quantity, 0);
                    }
                }
            }
            b"F" => {
                let original = text(tag::ORIG_CL_ORD_ID).unwrap();
                self.cancels.push(original.clone());
                self.report(now, &cl_ord_id, Some(&original), &symbol, b'4', b'4', 0, 0);
            }
            other => panic!("unexpected message {other:?}"),
        }
    }

    /// An execution report with whatever CumQty.
    pub fn raw_report(&mut self, now: Nanos, cl_ord_id: &str, exec_type: u8, sum: &str) {
        let sent = self.session.send(now, "8", |w| {
            w.field_str(tag::ORDER_ID, "V1");
            w.field_str(tag::CL_ORD_ID, cl_ord_id);
            w.field_str(tag::EXEC_ID, "E");
            w.field_char(150, exec_type);
            w.field_char(tag::ORD_STATUS, b'1');
            w.field_str(tag::SYMBOL, "AAA");
            w.field_char(tag::SIDE, b'1');
            w.field_uint(151, 0);
            w.field_str(tag::CUM_QTY, sum);
            w.field_uint(tag::AVG_PX, 0);
        });
        sent.expect("the acceptor is logged on");
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of a report")]
    fn report(
        &mut self,
        now: Nanos,
        cl_ord_id: &str,
        original: Option<&str>,
        symbol: &str,
        exec_type: u8,
        status: u8,
        sum: u64,
        leaves: u64,
    ) {
        self.next_exec += 1;
        let exec_id = format!("E{}", self.next_exec);
        let sent = self.session.send(now, "8", |w| {
            w.field_str(tag::ORDER_ID, &format!("V{}", original.unwrap_or(cl_ord_id)));
            w.field_str(tag::CL_ORD_ID, cl_ord_id);
            if let Some(original) = original {
                w.field_str(tag::ORIG_CL_ORD_ID, original);
            }
            w.field_str(tag::EXEC_ID, &exec_id);
            w.field_char(150, exec_type);
            w.field_char(tag::ORD_STATUS, status);
            w.field_str(tag::SYMBOL, symbol);
            w.field_char(tag::SIDE, b'1');
            w.field_uint(151, leaves);
            w.field_uint(tag::CUM_QTY, sum);
            w.field_uint(tag::AVG_PX, 0);
        });
        sent.expect("the acceptor is logged on");
    }
}
