//! An endpoint played against by hand, segment by segment.
//!
//! Sequence numbers are relative: 0 is the SYN, 1 the first byte, on both sides. The real ones wrap
//! within the first bytes, so that every rule is tested across the wrap.

use saker_wire::endpoint::{Config, Endpoint, Event, State, TransmitKind};
use saker_wire::tcp::{TcpFlags, TcpHeader, TcpOption, TcpOptions};
use saker_wire::time::{MILLISECOND, Nanos, SECOND};

/// Our initial sequence number.
pub const ISS: u32 = u32::MAX - 700;
/// The peer's.
pub const IRS: u32 = u32::MAX - 3;

pub const OUR_PORT: u16 = 5000;
pub const PEER_PORT: u16 = 6000;

pub const SYN: TcpFlags = TcpFlags::SYN;
pub const ACK: TcpFlags = TcpFlags::ACK;
pub const FIN: TcpFlags = TcpFlags::FIN;
pub const RST: TcpFlags = TcpFlags::RST;
pub const PSH: TcpFlags = TcpFlags::PSH;

/// A segment the endpoint sent, in relative numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub kind: TransmitKind,
    pub flags: TcpFlags,
    pub seq: u32,
    pub ack: u32,
    pub window: u16,
    pub options: Vec<u8>,
    pub payload: Vec<u8>,
}

pub struct Script {
    pub endpoint: Endpoint,
    pub now: Nanos,
    /// The window in the peer's segments.
    pub window: u16,
    /// How far the peer has sent, relative.
    pub peer_next: u32,
}

/// One-second timeouts, no keep-alive, segments of 1000 bytes.
pub fn config() -> Config {
    Config {
        local_port: OUR_PORT,
        remote_port: PEER_PORT,
        mss: 1000,
        min_rto_ns: SECOND,
        initial_rto_ns: SECOND,
        ..Config::default()
    }
}

/// `count` bytes that tell their place.
pub fn bytes(from: usize, count: usize) -> Vec<u8> {
    (from..from + count).map(|at| (at % 251) as u8).collect()
}

impl Script {
    pub fn connecting(config: Config) -> Script {
        let endpoint = Endpoint::connect(config, ISS, SECOND).unwrap();
        Script { endpoint, now: SECOND, window: 60_000, peer_next: 0 }
    }

    pub fn listening(config: Config) -> Script {
        let endpoint = Endpoint::listen(config, ISS).unwrap();
        Script { endpoint, now: SECOND, window: 60_000, peer_next: 0 }
    }

    /// After the handshake of an active open with this configuration, everything polled.
    pub fn established(config: Config) -> Script {
        let mut script = Script::connecting(config);
        assert_eq!(script.sent().len(), 1);
        script.now += MILLISECOND;
        script.give_syn(SYN | ACK, 1, &[TcpOption::Mss(1000)]);
        assert_eq!(script.sent().len(), 1);
        assert_eq!(script.state(), State::Established);
        assert_eq!(script.events(), [Event::Connected]);
        script
    }

    pub fn state(&self) -> State {
        self.endpoint.state()
    }

    pub fn events(&mut self) -> Vec<Event> {
        self.endpoint.take_events().collect()
    }

    /// The peer's SYN, with options.
    pub fn give_syn(&mut self, flags: TcpFlags, ack: u32, options: &[TcpOption<'_>]) {
        let mut area = Vec::new();
        options.iter().for_each(|option| option.emit(&mut area));
        let header = self.header(flags, 0, ack);
        let options = TcpOptions::parse(&area).unwrap();
        self.endpoint.on_segment(self.now, &header, &options, &[]);
        self.peer_next = 1;
    }

    /// A segment from the peer.
    pub fn give(&mut self, flags: TcpFlags, seq: u32, ack: u32, payload: &[u8]) {
        let header = self.header(flags, seq, ack);
        self.endpoint.on_segment(self.now, &header, &TcpOptions::default(), payload);
    }

    /// A bare acknowledgement from the peer.
    pub fn give_ack(&mut self, ack: u32) {
        self.give(ACK, self.peer_next, ack, &[]);
    }

    pub fn header(&self, flags: TcpFlags, seq: u32, ack: u32) -> TcpHeader {
        TcpHeader {
            src_port: PEER_PORT,
            dst_port: OUR_PORT,
            seq: IRS.wrapping_add(seq),
            ack: if flags.contains(ACK) { ISS.wrapping_add(ack) } else { 0 },
            flags,
            window: self.window,
            urgent: 0,
        }
    }

    /// Everything the endpoint sends now.
    pub fn sent(&mut self) -> Vec<Sent> {
        let mut all = Vec::new();
        let mut payload = Vec::new();
        while let Some(transmit) = self.endpoint.poll_transmit(self.now, &mut payload) {
            let header = transmit.header;
            assert_eq!((header.src_port, header.dst_port), (OUR_PORT, PEER_PORT));
            all.push(Sent {
                kind: transmit.kind,
                flags: header.flags,
                seq: header.seq.wrapping_sub(ISS),
                ack: if header.flags.contains(ACK) { header.ack.wrapping_sub(IRS) } else { 0 },
                window: header.window,
                options: transmit.options().to_vec(),
                payload: payload.clone(),
            });
            assert!(all.len() < 1000);
        }
        all
    }

    /// What is sent in short: kind, relative sequence number and length.
    pub fn sent_briefly(&mut self) -> Vec<(TransmitKind, u32, usize)> {
        self.sent().into_iter().map(|sent| (sent.kind, sent.seq, sent.payload.len())).collect()
    }

    /// The one segment the endpoint sends now.
    pub fn sent_one(&mut self) -> Sent {
        let mut all = self.sent();
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    /// Lets time pass to the endpoint's next deadline and says how long that took.
    pub fn wait(&mut self) -> Nanos {
        let at = self.endpoint.next_deadline().expect("a timer runs");
        let waited = at.saturating_sub(self.now);
        self.now = self.now.max(at);
        self.endpoint.on_deadline(self.now);
        waited
    }
}
