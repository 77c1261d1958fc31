//! One pass over the file.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, BufReader, Cursor, Read};
use std::net::{Ipv4Addr, SocketAddrV4};

use saker_fast::ErrorCode;
use saker_feed::channel::{ChannelPlan, Line};
use saker_strategy::StrategyFile;
use saker_trader::feed::FeedConfig;
use saker_trader::market::MarketConfig;
use saker_trader::orders::Identity;
use saker_trader::replay::{
    FiringRecord, Observer, Replay, ReplayConfig, ReplayError, Stage, TimeSource,
    first_sending_time,
};
use saker_wire::capture::{Interface, Reader};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::TcpPath;
use saker_wire::time::Nanos;

use super::rates::Rates;
use super::raw::{MAX_UNIT, RawFile, Unit};
use super::select::{Datagram, Reason};
use super::tally::Tally;
use super::{ReplayOptions, ReplayStop, StreamFormat};

/// Units between two reports of progress.
const PROGRESS_UNITS: u64 = 1_024;
/// Resting orders in each book of a foreign feed.
const ORDERS_PER_BOOK: usize = 4_096;
/// Instruments of a foreign feed whose books are made before it begins.
const READY_INSTRUMENTS: usize = 128;

/// What a pass came to.
pub(super) struct Pass {
    pub replay: Replay,
    pub records: Vec<FiringRecord>,
    /// Service time of each record.
    pub service: Vec<u64>,
    /// Service time of every unit.
    pub units: Tally,
    /// Service time of every unit's stages, in the order of [`Stage::ALL`].
    pub stages: [Tally; 4],
    pub rates: BTreeMap<&'static str, Rates>,
    pub dropped: BTreeMap<Reason, u64>,
    pub is_capture: bool,
    /// Frames of a capture.
    pub frames: u64,
    /// Units handed to the engine, and their bytes.
    pub packets: u64,
    pub bytes: u64,
    /// Virtual time of the first unit that has one.
    pub first: Option<Nanos>,
    /// Datagrams by the capture's interfaces.
    pub interfaces: BTreeMap<String, u64>,
    /// Bytes of the file.
    pub read: u64,
    pub stop: Option<ReplayStop>,
}

/// Reads the file to its end or its first uncontained error.
pub(super) fn run<R: Read>(
    mut read: R,
    options: &ReplayOptions,
    staged: bool,
    clock: &mut impl FnMut() -> u64,
    progress: &mut impl FnMut(u64),
) -> Result<Pass, ReplayStop> {
    let count = Cell::new(0);
    let mut head = Vec::with_capacity(4);
    read.by_ref().take(4).read_to_end(&mut head)?;
    let is_capture = head.first_chunk::<4>().is_some_and(is_capture);
    let read = Counted { read: Cursor::new(head).chain(read), count: &count };
    let pass = if is_capture {
        let reader = Reader::new(BufReader::with_capacity(1 << 18, read))?;
        let pass = Pass::new(capture_engine(options)?, is_capture);
        let mut drive = Drive { pass, clock, staged };
        drive.pass.stop = drive.capture(reader, options, &count, progress).err();
        drive.pass
    } else {
        let format = options.stream.as_ref().ok_or(ReplayStop::NoTemplates)?;
        let mut file = RawFile::new(read, format.prefix);
        let start = file.peek()?.get(format.preamble_len..);
        let start = start.and_then(|bytes| first_sending_time(&format.templates, bytes));
        let config = stream_config(format, TimeSource::SendingTime);
        let strategies = options.strategies.clone();
        let replay = Replay::new(&format.templates, strategies, config, start.unwrap_or(0))?;
        let pass = Pass::new(replay, is_capture);
        let mut drive = Drive { pass, clock, staged };
        drive.pass.stop = drive.raw(file, progress).err();
        drive.pass
    };
    progress(count.get());
    Ok(Pass { read: count.get(), ..pass })
}

pub(super) fn is_capture(head: &[u8; 4]) -> bool {
    const PCAPNG: u32 = 0x0a0d_0d0a;
    const PCAP: [u32; 2] = [0xa1b2_c3d4, 0xa1b2_3c4d];
    let magic = u32::from_le_bytes(*head);
    magic == PCAPNG || PCAP.contains(&magic) || PCAP.contains(&magic.swap_bytes())
}

fn capture_engine(options: &ReplayOptions) -> Result<Replay, ReplayStop> {
    let strategies: StrategyFile = options.strategies.clone();
    if options.saker_feed {
        let templates = saker_fast::Templates::from_xml(saker_feed::TEMPLATES_XML)
            .expect("the feed's own templates load, as its tests show");
        let config = ReplayConfig::feed(identity(), path());
        return Ok(Replay::of_feed(&templates, strategies, FeedConfig::default(), config, 0));
    }
    let format = options.stream.as_ref().ok_or(ReplayStop::NoTemplates)?;
    let config = stream_config(format, TimeSource::Caller);
    Ok(Replay::new(&format.templates, strategies, config, 0)?)
}

pub(super) fn stream_config(format: &StreamFormat, time: TimeSource) -> ReplayConfig {
    let trades = ReplayConfig::trades(identity(), path());
    ReplayConfig {
        preamble_len: format.preamble_len,
        reset: format.reset,
        time,
        price_exponent: format.price_exponent,
        ready_instruments: READY_INSTRUMENTS,
        market: MarketConfig { orders_per_book: ORDERS_PER_BOOK, ..trades.market },
        ..trades
    }
}

/// The session that the orders are of.
fn identity() -> Identity {
    Identity {
        sender_comp_id: "TRADER1".to_owned(),
        target_comp_id: "SAKER".to_owned(),
        username: None,
        password: None,
        account: Some("TRADER1".to_owned()),
    }
}

/// The connection that the orders are of.
fn path() -> TcpPath {
    let address = |host, port| SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, host), port);
    TcpPath {
        src_mac: MacAddr([0x02, 0x53, 0x4b, 0, 0, 16]),
        dst_mac: MacAddr([0x02, 0x53, 0x4b, 0, 0, 1]),
        src: address(10, 49_152),
        dst: address(1, 9_878),
        vlan: None,
        ttl: 64,
    }
}

impl Pass {
    fn new(replay: Replay, is_capture: bool) -> Self {
        Self {
            replay,
            records: Vec::new(),
            service: Vec::new(),
            units: Tally::default(),
            stages: Default::default(),
            rates: BTreeMap::new(),
            dropped: BTreeMap::new(),
            is_capture,
            frames: 0,
            packets: 0,
            bytes: 0,
            first: None,
            interfaces: BTreeMap::new(),
            read: 0,
            stop: None,
        }
    }

    fn drop(&mut self, reason: Reason) {
        *self.dropped.entry(reason).or_default() += 1;
    }

    /// A unit of `bytes` was served, `wire_bytes` of it on the wire.
    fn served(&mut self, stream: &'static str, bytes: usize, wire_bytes: u64, has_time: bool) {
        self.packets += 1;
        self.bytes += bytes as u64;
        if has_time {
            let now = self.replay.now();
            self.first.get_or_insert(now);
            self.rates.entry(stream).or_default().add(now, wire_bytes);
        }
    }
}

/// A pass and the clock it is timed by.
struct Drive<'c, C> {
    pass: Pass,
    clock: &'c mut C,
    staged: bool,
}

impl<C: FnMut() -> u64> Drive<'_, C> {
    fn raw<R: Read>(
        &mut self,
        mut file: RawFile<R>,
        progress: &mut impl FnMut(u64),
    ) -> Result<(), ReplayStop> {
        loop {
            if self.pass.packets.is_multiple_of(PROGRESS_UNITS) {
                progress(file.position());
            }
            // Where messages bear no time, they are a nanosecond apart.
            let now = self.pass.replay.now().saturating_add(1);
            let timed_before = self.pass.replay.counters().timed;
            let length = match file.next()? {
                None => return Ok(()),
                Some(Unit::Empty) => {
                    self.pass.drop(Reason::from("packet: D12"));
                    continue;
                }
                Some(Unit::Packet { bytes }) => {
                    let served = self.timed(true, |replay, watch| replay.packet(now, bytes, watch));
                    self.contain(served)?;
                    bytes.len()
                }
                Some(Unit::Message { offset, bytes }) => {
                    let served =
                        self.timed(true, |replay, watch| replay.message(now, bytes, watch));
                    let length = served.map_err(|error| stop(error, offset, bytes.len()))?;
                    file.advance(length);
                    length
                }
            };
            let timed = self.pass.replay.counters().timed > timed_before;
            self.pass.served("messages", length, length as u64, timed);
        }
    }

    fn capture<R: Read>(
        &mut self,
        mut reader: Reader<R>,
        options: &ReplayOptions,
        count: &Cell<u64>,
        progress: &mut impl FnMut(u64),
    ) -> Result<(), ReplayStop> {
        let plan = options.saker_feed.then(ChannelPlan::default);
        let mut frame = Vec::new();
        let outcome = loop {
            let (at, interface, link_type, original_len) = match reader.next() {
                Ok(Some(packet)) => {
                    frame.clear();
                    frame.extend_from_slice(packet.data);
                    (packet.ts_ns, packet.interface, packet.link_type, packet.original_len)
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error.into()),
            };
            if self.pass.frames.is_multiple_of(PROGRESS_UNITS) {
                progress(count.get());
            }
            self.pass.frames += 1;
            let interface = reader.interfaces().get(interface as usize);
            let name = interface.and_then(|interface| interface.name.as_deref()).unwrap_or("");
            let selection = &options.selection;
            if !selection.interfaces.is_empty() && !selection.interfaces.iter().any(|n| n == name) {
                self.pass.drop(Reason::from("frame: of another interface"));
                continue;
            }
            match selection.datagram(plan.as_ref(), link_type, &frame, original_len) {
                Ok(datagram) => {
                    self.count_interface(name);
                    if let Err(error) = self.datagram(at, datagram, original_len) {
                        break Err(error);
                    }
                }
                Err(reason) => self.pass.drop(reason),
            }
        };
        // Gaps that are still open are declared when their time comes.
        self.pass_time(Nanos::MAX);
        outcome?;
        missing_interface(&options.selection.interfaces, reader.interfaces())
    }

    fn count_interface(&mut self, name: &str) {
        if let Some(count) = self.pass.interfaces.get_mut(name) {
            *count += 1;
        } else {
            self.pass.interfaces.insert(name.to_owned(), 1);
        }
    }

    fn datagram(
        &mut self,
        at: Nanos,
        datagram: Datagram<'_>,
        wire_bytes: u32,
    ) -> Result<(), ReplayStop> {
        self.pass_time(at);
        self.pass.replay.idle(at);
        let Datagram { channel, payload } = datagram;
        let served = self.timed(true, |replay, watch| match channel {
            Some((stream, line)) => replay.datagram(at, stream, line, payload, watch),
            None => replay.packet(at, payload, watch),
        });
        self.contain(served)?;
        let stream = match channel {
            Some((_, Line::A)) => "line A",
            Some((_, Line::B)) => "line B",
            None => "feed",
        };
        self.pass.served(stream, payload.len(), wire_bytes.into(), true);
        Ok(())
    }

    /// Nothing has come until `now`: gaps are declared.
    fn pass_time(&mut self, now: Nanos) {
        while let Some(at) = self.pass.replay.next_deadline().filter(|at| *at <= now) {
            self.timed(false, |replay, watch| replay.on_deadline(at, watch));
        }
    }

    /// Counts what is wrong with one unit; what is wrong with all of them stops the replay.
    fn contain(&mut self, served: Result<(), ReplayError>) -> Result<(), ReplayStop> {
        match served {
            Ok(()) => Ok(()),
            Err(ReplayError::Decode { error, .. }) => {
                self.pass.drop(format!("packet: {}", error.code).into());
                Ok(())
            }
            Err(ReplayError::Preamble { .. }) => {
                self.pass.drop(Reason::from("packet: preamble cut short"));
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Has the engine serve something, and times it. Afterwards the engine settles.
    fn timed<T>(
        &mut self,
        is_unit: bool,
        serve: impl FnOnce(&mut Replay, &mut Watch<'_, C>) -> T,
    ) -> T {
        let Drive { pass, clock, staged } = self;
        let service = &mut pass.service;
        let began = clock();
        let staged = *staged;
        let clock = &mut **clock;
        let mut watch = Watch { clock, staged, began, mark: began, service, spans: [None; 4] };
        let served = serve(&mut pass.replay, &mut watch);
        let Watch { clock, spans, .. } = watch;
        let ended = clock();
        if is_unit {
            pass.units.add(ended.saturating_sub(began));
        }
        for (stage, span) in pass.stages.iter_mut().zip(spans) {
            if let Some(ns) = span {
                stage.add(ns);
            }
        }
        pass.replay.settle();
        if !pass.replay.records().is_empty() {
            pass.records.append(&mut pass.replay.take_records());
        }
        debug_assert_eq!(pass.records.len(), pass.service.len());
        served
    }
}

/// The error of a message whose unit begins at `offset`, where `available` bytes were seen.
fn stop(error: ReplayError, offset: u64, available: usize) -> ReplayStop {
    match error {
        ReplayError::Decode { message, error }
            if error.code == ErrorCode::Truncated && available >= MAX_UNIT =>
        {
            ReplayStop::TooLong { message, offset }
        }
        ReplayError::Decode { message, mut error } => {
            error.offset = error.offset.saturating_add(usize::try_from(offset).unwrap_or(0));
            ReplayStop::Decode { message, error }
        }
        ReplayError::Preamble { message } => ReplayStop::Preamble { message, offset },
        error => error.into(),
    }
}

fn missing_interface(wanted: &[String], known: &[Interface]) -> Result<(), ReplayStop> {
    let names = || known.iter().filter_map(|interface| interface.name.as_deref());
    match wanted.iter().find(|wanted| names().all(|name| name != wanted.as_str())) {
        None => Ok(()),
        Some(name) => {
            let known: Vec<&str> = names().collect();
            Err(ReplayStop::NoInterface { name: name.clone(), known: known.join(", ") })
        }
    }
}

/// Reads the clock when an order is sent, and, if it is the pass for that, when a stage ends.
struct Watch<'a, C> {
    clock: &'a mut C,
    staged: bool,
    began: u64,
    mark: u64,
    service: &'a mut Vec<u64>,
    spans: [Option<u64>; 4],
}

impl<C: FnMut() -> u64> Observer for Watch<'_, C> {
    fn sent(&mut self, _frame: &[u8]) {
        self.service.push((self.clock)().saturating_sub(self.began));
    }

    fn ended(&mut self, stage: Stage) {
        if self.staged {
            let now = (self.clock)();
            let span = self.spans[stage as usize].get_or_insert(0);
            *span += now.saturating_sub(self.mark);
            self.mark = now;
        }
    }
}

/// Counts the bytes that pass.
struct Counted<'a, R> {
    read: R,
    count: &'a Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.read.read(out)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}
