//! An exchange and its clients in one process: FIX initiators on one side of each connection, the
//! engine on the other, and everything the feed sent.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(dead_code, reason = "each test file uses a part of it")]

#[path = "../../../feed/tests/support/mod.rs"]
pub mod feed;
pub mod lan;
pub mod late_joiner;

use saker_exchange::config::{InstrumentConfig, ParticipantConfig, SelfMatchConfig};
use saker_exchange::{ConnectionId, Exchange, ExchangeConfig, Output, Outputs};
use saker_feed::channel::Stream;
use saker_fix::encode::Writer;
use saker_fix::parse;
use saker_fix::session::{Config, Event, Session};
use saker_fix::tag::{self, msg_type};

pub const START: u64 = 1_795_000_000_000_000_000;
pub const MS: u64 = 1_000_000;

/// Two instruments, `participants` participants `CLIENT1`… with self-match allowed.
pub fn config(participants: usize) -> ExchangeConfig {
    let instrument = |security_id, symbol: &str, exponent, tick, lot| InstrumentConfig {
        security_id,
        symbol: symbol.to_owned(),
        exponent,
        tick,
        lot,
        max_quantity: 100_000,
        collar: None,
    };
    let participant = |n: usize| ParticipantConfig {
        comp_id: format!("CLIENT{n}"),
        username: format!("user{n}"),
        password: format!("secret{n}"),
        cancel_on_disconnect: true,
        max_open_orders: 1000,
        self_match: SelfMatchConfig::Allow,
    };
    ExchangeConfig {
        comp_id: "SAKER".to_owned(),
        instruments: vec![instrument(1001, "MSFT", 0, 1, 1), instrument(1002, "SAKR", -2, 5, 10)],
        participants: (1..=participants).map(participant).collect(),
        feed: Default::default(),
        limits: Default::default(),
        first: Default::default(),
    }
}

/// A message that a client received.
#[derive(Clone, PartialEq, Eq)]
pub struct Received(pub Vec<u8>);

impl Received {
    pub fn get(&self, tag: u32) -> Option<String> {
        let (message, _) = parse::frame(&self.0).unwrap().unwrap();
        message.get(tag).map(|v| String::from_utf8(v.to_vec()).unwrap())
    }

    pub fn text(&self, tag: u32) -> String {
        self.get(tag).unwrap_or_else(|| panic!("no tag {tag} in {self:?}"))
    }

    pub fn kind(&self) -> String {
        self.text(tag::MSG_TYPE)
    }

    /// The tags and values after the standard header.
    pub fn body(&self) -> Vec<(u32, String)> {
        let (message, _) = parse::frame(&self.0).unwrap().unwrap();
        let header = [8, 9, 35, 34, 49, 52, 56, 10];
        let fields = message.fields().filter(|(tag, _)| !header.contains(tag));
        fields.map(|(tag, v)| (tag, String::from_utf8(v.to_vec()).unwrap())).collect()
    }

    /// The given fields as `tag=value`, absent ones left out.
    pub fn show(&self, tags: &[u32]) -> String {
        let field = |tag: &u32| self.get(*tag).map(|value| format!("{tag}={value}"));
        tags.iter().filter_map(field).collect::<Vec<_>>().join(" ")
    }
}

impl std::fmt::Debug for Received {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0).replace('\x01', "|"))
    }
}

pub struct Client {
    pub session: Session,
    pub connection: ConnectionId,
    pub connected: bool,
    /// Whether it takes what is sent to it off the connection.
    pub reading: bool,
    pub inbox: Vec<Received>,
    pub logged_out: Option<Option<String>>,
}

/// What the driver told the engine, for replays.
#[derive(Debug, Clone)]
pub enum Input {
    Connect(u64, ConnectionId),
    Bytes(u64, ConnectionId, Vec<u8>),
    Written(u64, ConnectionId, usize),
    Disconnect(u64, ConnectionId),
    Deadline(u64),
}

pub struct World {
    pub config: ExchangeConfig,
    pub exchange: Exchange,
    pub clients: Vec<Client>,
    pub now: u64,
    pub feed: Vec<(Stream, Vec<u8>)>,
    /// The connections that something was sent on, in order.
    pub sends: Vec<ConnectionId>,
    pub inputs: Vec<Input>,
    /// FNV-1a over all outputs.
    pub output_hash: u64,
    out: Outputs,
    last_connection: u32,
}

impl World {
    pub fn new(config: ExchangeConfig) -> Self {
        let exchange = Exchange::new(config.clone(), START).unwrap();
        let clients = config.participants.iter().map(client).collect();
        Self {
            config,
            exchange,
            clients,
            now: START,
            feed: Vec::new(),
            sends: Vec::new(),
            inputs: Vec::new(),
            output_hash: 0xcbf2_9ce4_8422_2325,
            out: Outputs::new(),
            last_connection: 0,
        }
    }

    /// A world whose first `count` clients are logged on.
    pub fn with_clients(config: ExchangeConfig, count: usize) -> Self {
        let mut world = Self::new(config);
        for n in 0..count {
            world.log_on(n);
            assert!(world.clients[n].session.is_logged_on(), "client {n}");
        }
        world
    }

    pub fn log_on(&mut self, client: usize) {
        let connection = self.connect();
        let c = &mut self.clients[client];
        c.connection = connection;
        c.connected = true;
        c.logged_out = None;
        c.session.on_connect(self.now);
        self.settle();
    }

    /// Opens a connection that no client is behind.
    pub fn connect(&mut self) -> ConnectionId {
        self.last_connection += 1;
        let connection = ConnectionId(self.last_connection);
        self.input(Input::Connect(self.now, connection));
        connection
    }

    pub fn disconnect(&mut self, client: usize) {
        let c = &mut self.clients[client];
        c.connected = false;
        c.session.on_disconnect(self.now);
        let connection = c.connection;
        self.input(Input::Disconnect(self.now, connection));
        self.settle();
    }

    /// Sends bytes on a connection and returns whether the engine closed it.
    pub fn raw(&mut self, connection: ConnectionId, bytes: &[u8]) -> bool {
        self.input(Input::Bytes(self.now, connection, bytes.to_vec()));
        self.settle_and(connection)
    }

    pub fn send(&mut self, client: usize, kind: &str, body: impl FnOnce(&mut Writer<'_>)) {
        self.clients[client].session.send(self.now, kind, body).unwrap();
        self.settle();
    }

    /// Lets the clock run, serving every deadline on the way.
    pub fn advance(&mut self, span: u64) {
        let end = self.now + span;
        loop {
            let clients = self.clients.iter().filter(|c| c.connected);
            let deadlines = clients.filter_map(|c| c.session.next_deadline());
            let next = deadlines.chain(self.exchange.next_deadline()).min().unwrap();
            if next > end {
                break;
            }
            self.now = self.now.max(next);
            for c in self.clients.iter_mut().filter(|c| c.connected) {
                if c.session.next_deadline().is_some_and(|at| at <= self.now) {
                    c.session.on_deadline(self.now);
                }
            }
            if self.exchange.next_deadline().is_some_and(|at| at <= self.now) {
                self.input(Input::Deadline(self.now));
            }
            self.settle();
        }
        self.now = end;
    }

    /// Hands one input to the engine and carries out what it says.
    pub fn input(&mut self, input: Input) {
        apply(&mut self.exchange, &input, &mut self.out);
        self.inputs.push(input);
        self.output_hash = hash_outputs(self.output_hash, &self.out);
    }

    pub fn settle(&mut self) {
        self.settle_and(ConnectionId(u32::MAX));
    }

    fn settle_and(&mut self, watched: ConnectionId) -> bool {
        let mut closed = false;
        loop {
            let mut written = Vec::new();
            for item in self.out.items() {
                match item {
                    Output::Command { .. } => {}
                    Output::Feed { stream, range } => {
                        self.feed.push((*stream, self.out.bytes(range).to_vec()));
                    }
                    Output::Send { connection, range } => {
                        self.sends.push(*connection);
                        let client = self.clients.iter_mut().find(|c| c.connection == *connection);
                        let Some(c) = client.filter(|c| c.connected && c.reading) else { continue };
                        c.session.on_bytes(self.now, self.out.bytes(range));
                        written.push((*connection, range.len()));
                    }
                    Output::Close { connection, .. } => {
                        closed |= *connection == watched;
                        let client = self.clients.iter_mut().find(|c| c.connection == *connection);
                        if let Some(c) = client {
                            c.connected = false;
                            c.session.on_disconnect(self.now);
                        }
                    }
                }
            }
            self.out.clear();
            for (connection, bytes) in written {
                self.input(Input::Written(self.now, connection, bytes));
            }
            let mut said = Vec::new();
            for c in &mut self.clients {
                while let Some(event) = c.session.poll_event() {
                    match event {
                        Event::Application(bytes) | Event::Rejected(bytes) => {
                            c.inbox.push(Received(bytes));
                        }
                        Event::LoggedOut { text } => c.logged_out = Some(text),
                        _ => {}
                    }
                }
                while let Some(bytes) = c.session.poll_output() {
                    if c.connected {
                        said.push((c.connection, bytes.to_vec()));
                    }
                }
            }
            for (connection, bytes) in said {
                self.input(Input::Bytes(self.now, connection, bytes));
            }
            if self.out.is_empty() {
                return closed;
            }
        }
    }

    /// Takes what a client has received so far.
    pub fn take(&mut self, client: usize) -> Vec<Received> {
        std::mem::take(&mut self.clients[client].inbox)
    }

    /// Takes the only message that a client has received.
    #[track_caller]
    pub fn one(&mut self, client: usize) -> Received {
        let mut inbox = self.take(client);
        assert_eq!(inbox.len(), 1, "{inbox:?}");
        inbox.remove(0)
    }

    /// Sends a limit order for the day.
    pub fn limit(&mut self, client: usize, id: &str, side: char, quantity: u64, price: &str) {
        let order = Order::limit(id, side, quantity, price);
        self.order(client, &order);
    }

    pub fn order(&mut self, client: usize, order: &Order) {
        let now = self.now;
        self.send(client, msg_type::NEW_ORDER_SINGLE, |w| order.write(now, w));
    }

    pub fn cancel(&mut self, client: usize, id: &str, orig: &str, side: char) {
        let now = self.now;
        self.send(client, msg_type::ORDER_CANCEL_REQUEST, |w| {
            w.field_str(tag::ORIG_CL_ORD_ID, orig);
            w.field_str(tag::CL_ORD_ID, id);
            w.field_str(tag::SYMBOL, "MSFT");
            w.field_char(tag::SIDE, side as u8);
            w.field_timestamp(tag::TRANSACT_TIME, now);
        });
    }

    pub fn replace(&mut self, client: usize, orig: &str, order: &Order) {
        let now = self.now;
        self.send(client, msg_type::ORDER_CANCEL_REPLACE_REQUEST, |w| {
            w.field_str(tag::ORIG_CL_ORD_ID, orig);
            order.write(now, w);
        });
    }

    /// Sends a market-data request.
    pub fn request(&mut self, client: usize, request: &Request<'_>) {
        self.send(client, msg_type::MARKET_DATA_REQUEST, |w| request.write(w));
    }
}

fn client(participant: &ParticipantConfig) -> Client {
    let mut config = Config::new(&participant.comp_id, Some("SAKER"));
    config.username = Some(participant.username.clone());
    config.password = Some(participant.password.clone());
    Client {
        session: Session::initiator(config),
        connection: ConnectionId(u32::MAX - 1),
        connected: false,
        reading: true,
        inbox: Vec::new(),
        logged_out: None,
    }
}

/// A New Order Single, or what a replace makes of one, with every field free.
#[derive(Debug, Clone)]
pub struct Order {
    pub id: String,
    pub symbol: String,
    pub side: char,
    pub quantity: String,
    pub kind: char,
    pub price: Option<String>,
    pub time_in_force: Option<char>,
    pub extra: Vec<(u32, String)>,
}

impl Order {
    pub fn limit(id: &str, side: char, quantity: u64, price: &str) -> Self {
        Self {
            id: id.to_owned(),
            symbol: "MSFT".to_owned(),
            side,
            quantity: quantity.to_string(),
            kind: '2',
            price: Some(price.to_owned()),
            time_in_force: Some('0'),
            extra: Vec::new(),
        }
    }

    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    fn write(&self, now: u64, w: &mut Writer<'_>) {
        w.field_str(tag::CL_ORD_ID, &self.id);
        w.field_char(tag::HANDL_INST, b'1');
        w.field_str(tag::SYMBOL, &self.symbol);
        w.field_char(tag::SIDE, self.side as u8);
        w.field_timestamp(tag::TRANSACT_TIME, now);
        w.field_str(tag::ORDER_QTY, &self.quantity);
        w.field_char(tag::ORD_TYPE, self.kind as u8);
        if let Some(price) = &self.price {
            w.field_str(tag::PRICE, price);
        }
        if let Some(time_in_force) = self.time_in_force {
            w.field_char(tag::TIME_IN_FORCE, time_in_force as u8);
        }
        for (tag, value) in &self.extra {
            w.field_str(*tag, value);
        }
    }
}

/// A market-data request with every field free.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    pub id: &'a str,
    pub kind: char,
    pub depth: i64,
    pub update_type: Option<i64>,
    pub types: &'a [&'a str],
    pub symbols: &'a [&'a str],
}

impl<'a> Request<'a> {
    pub fn new(id: &'a str, kind: char, symbols: &'a [&'a str]) -> Self {
        Self { id, kind, depth: 1, update_type: Some(0), types: &["0", "1", "2"], symbols }
    }

    fn write(&self, w: &mut Writer<'_>) {
        w.field_str(tag::MD_REQ_ID, self.id);
        w.field_char(tag::SUBSCRIPTION_REQUEST_TYPE, self.kind as u8);
        w.field_int(tag::MARKET_DEPTH, self.depth);
        if let Some(update_type) = self.update_type {
            w.field_int(tag::MD_UPDATE_TYPE, update_type);
        }
        w.field_uint(tag::NO_MD_ENTRY_TYPES, self.types.len() as u64);
        for kind in self.types {
            w.field_str(tag::MD_ENTRY_TYPE, kind);
        }
        w.field_uint(tag::NO_RELATED_SYM, self.symbols.len() as u64);
        for symbol in self.symbols {
            w.field_str(tag::SYMBOL, symbol);
        }
    }
}

/// Hands one input to an engine.
pub fn apply(exchange: &mut Exchange, input: &Input, out: &mut Outputs) {
    match input {
        Input::Connect(now, c) => exchange.on_connect(*now, *c, out),
        Input::Bytes(now, c, bytes) => exchange.on_bytes(*now, *c, bytes, out),
        Input::Written(now, c, count) => exchange.on_written(*now, *c, *count, out),
        Input::Disconnect(now, c) => exchange.on_disconnect(*now, *c, out),
        Input::Deadline(now) => exchange.on_deadline(*now, out),
    }
}

/// Adds the outputs to a running hash.
pub fn hash_outputs(hash: u64, out: &Outputs) -> u64 {
    let mut hash = hash;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for item in out.items() {
        add(format!("{item:?}").as_bytes());
        if let Output::Feed { range, .. } | Output::Send { range, .. } = item {
            add(out.bytes(range));
        }
    }
    hash
}
