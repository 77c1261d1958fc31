//! A fired frame is byte for byte the frame that would be built from scratch with its values.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::net::{Ipv4Addr, SocketAddrV4};

use proptest::prelude::*;
use saker_fix::encode::{Header, Writer};
use saker_fix::session::Prepared;
use saker_fix::value::TimestampCache;
use saker_fix::{parse, tag};
use saker_trader::fastpath::{FastPath, FireRefused, LoadError, MAX_MSG_SEQ, Registers};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{self, Body, TcpPath};
use saker_wire::tcp::{TcpFlags, TcpHeader};
use saker_wire::time::{Nanos, SECOND};

/// 2026-01-02T03:04:05Z.
const T0: Nanos = 1_767_323_045 * SECOND;

fn path(vlan: Option<u16>) -> TcpPath {
    TcpPath {
        src_mac: MacAddr([2, 0, 0, 0, 0, 1]),
        dst_mac: MacAddr([2, 0, 0, 0, 0, 2]),
        src: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 49_152),
        dst: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 9_878),
        vlan,
        ttl: 64,
    }
}

/// A NewOrderSingle; `pad` varies the length and with it the parity of every offset.
fn message(seq: u32, at: Nanos, pad: &str) -> Prepared {
    let mut buffer = [0; 1_024];
    let header = Header {
        msg_type: "D",
        msg_seq_num: seq,
        seq_width: 9,
        sender: "TRADER",
        target: "SAKER",
        sending_time: at,
        poss_dup: None,
    };
    let mut w = Writer::begin(&mut buffer, &header, &mut TimestampCache::default());
    w.field_str(tag::ACCOUNT, pad);
    w.field_str(tag::CL_ORD_ID, "T00000001");
    w.field_uint(tag::ORDER_QTY, 100);
    w.field_str(tag::SYMBOL, "MSFT");
    let encoded = w.finish().unwrap();
    Prepared { bytes: encoded.bytes.to_vec(), seq, layout: encoded.layout }
}

fn from_scratch(
    path: &TcpPath,
    registers: &Registers,
    seq: u32,
    sending_time: Nanos,
    pad: &str,
) -> Vec<u8> {
    let header = TcpHeader {
        seq: registers.tcp_seq,
        ack: registers.tcp_ack,
        window: registers.tcp_window,
        flags: TcpFlags::ACK | TcpFlags::PSH,
        ..TcpHeader::default()
    };
    let mut frame = Vec::new();
    path.write(0, &header, &[], &message(seq, sending_time, pad).bytes, &mut frame);
    frame
}

fn armed(registers: Registers) -> FastPath {
    let mut fast = FastPath::new(4, 1_460);
    fast.set_path(Some(path(None)));
    *fast.registers_mut() = registers;
    fast
}

fn open_registers() -> Registers {
    Registers {
        enabled: true,
        leased: true,
        tcp_seq: 1_000,
        tcp_ack: 2_000,
        tcp_window: 512,
        tcp_limit: 10_000,
        next_msg_seq: 7,
    }
}

/// What happens to a slot between being loaded and fired.
#[derive(Debug, Clone)]
struct Refresh {
    msg_seq: u32,
    after_ns: u64,
    max_age_ns: u64,
}

fn refresh() -> impl Strategy<Value = Refresh> {
    (1..=MAX_MSG_SEQ, 0..200_000 * SECOND, prop_oneof![Just(0), Just(SECOND), Just(u64::MAX)])
        .prop_map(|(msg_seq, after_ns, max_age_ns)| Refresh { msg_seq, after_ns, max_age_ns })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn fired_equals_built_from_scratch(
        (tcp_seq, tcp_ack, tcp_window) in (any::<u32>(), any::<u32>(), any::<u16>()),
        first_seq in 1..=MAX_MSG_SEQ,
        last_seq in 1..=MAX_MSG_SEQ,
        refreshes in prop::collection::vec(refresh(), 0..4),
        pad in "[!-~]{1,40}",
        vlan in prop::option::of(1u16..4095),
    ) {
        let path = path(vlan);
        let mut fast = FastPath::new(4, 1_460);
        fast.set_path(Some(path));
        prop_assert_eq!(fast.load(2, &message(first_seq, T0, &pad), T0), Ok(()));
        let (mut bears_seq, mut bears_time, mut now) = (first_seq, T0, T0);
        for one in &refreshes {
            now += one.after_ns;
            fast.registers_mut().next_msg_seq = one.msg_seq;
            let count = fast.refresh(now, one.max_age_ns);
            let due = bears_seq != one.msg_seq || now - bears_time >= one.max_age_ns;
            prop_assert_eq!(count, usize::from(due));
            if due {
                (bears_seq, bears_time) = (one.msg_seq, now);
            }
        }
        *fast.registers_mut() = Registers {
            enabled: true,
            leased: true,
            tcp_seq,
            tcp_ack,
            tcp_window,
            tcp_limit: 1_460,
            next_msg_seq: last_seq,
        };
        let registers = *fast.registers();
        let sent = fast.fire(2).unwrap();
        prop_assert_eq!(sent.refreshed, bears_seq != last_seq);
        let expected = from_scratch(&path, &registers, last_seq, bears_time, &pad);
        prop_assert_eq!(fast.frame(2), &expected[..]);
        prop_assert_eq!(sent.frame_len, expected.len());
        prop_assert_eq!(sent.end.wrapping_sub(sent.start) as usize, fast.payload(2).len());
        prop_assert_eq!(fast.registers().tcp_seq, sent.end);
        prop_assert_eq!(fast.registers().next_msg_seq, last_seq + 1);

        // Header lengths, IP and TCP checksums, BodyLength and CheckSum.
        let parsed = frame::parse(fast.frame(2)).unwrap();
        let Body::Tcp { payload, tcp, .. } = parsed.body else { panic!("not TCP") };
        prop_assert_eq!(tcp.seq, tcp_seq);
        let (fix, length) = parse::frame(payload).unwrap().unwrap();
        prop_assert_eq!(length, payload.len());
        prop_assert_eq!(fix.msg_seq_num(), Ok(last_seq));
        prop_assert_eq!(fix.timestamp(tag::SENDING_TIME).unwrap(), bears_time / 1_000_000 * 1_000_000);
    }
}

#[test]
fn two_fires_on_one_tick_bear_consecutive_numbers() {
    let mut fast = armed(open_registers());
    fast.load(0, &message(7, T0, "A"), T0).unwrap();
    fast.load(1, &message(7, T0, "B"), T0).unwrap();
    let first = fast.fire(0).unwrap();
    let second = fast.fire(1).unwrap();
    assert_eq!((first.msg_seq, first.refreshed), (7, false));
    assert_eq!((second.msg_seq, second.refreshed), (8, true));
    assert_eq!(first.end, second.start);
    let (fix, _) = parse::frame(fast.payload(1)).unwrap().unwrap();
    assert_eq!(fix.msg_seq_num(), Ok(8));
    assert_eq!(fast.counters().refreshed_at_fire, 1);
}

#[test]
fn every_refusal_is_counted_and_sends_nothing() {
    let mut fast = armed(open_registers());
    let loaded = message(7, T0, "A");
    fast.load(0, &loaded, T0).unwrap();
    let before = fast.frame(0).to_vec();

    assert_eq!(fast.fire(1), Err(FireRefused::NotArmed));
    assert_eq!(fast.fire(99), Err(FireRefused::NotArmed));
    fast.registers_mut().enabled = false;
    assert_eq!(fast.fire(0), Err(FireRefused::Disabled));
    fast.registers_mut().enabled = true;
    fast.registers_mut().leased = false;
    assert_eq!(fast.fire(0), Err(FireRefused::NotLeased));
    fast.registers_mut().leased = true;
    fast.registers_mut().tcp_limit = loaded.bytes.len() as u32 - 1;
    assert_eq!(fast.fire(0), Err(FireRefused::Limit));
    fast.registers_mut().tcp_limit = loaded.bytes.len() as u32;
    fast.registers_mut().next_msg_seq = MAX_MSG_SEQ + 1;
    assert_eq!(fast.fire(0), Err(FireRefused::MsgSeq));
    assert_eq!(fast.refresh(T0, 0), 0);
    assert_eq!(fast.frame(0), before);

    fast.registers_mut().next_msg_seq = 7;
    fast.fire(0).unwrap();
    assert_eq!(fast.fire(0), Err(FireRefused::NotArmed));
    assert_eq!(fast.registers().tcp_limit, 0);
    let counters = fast.counters();
    assert_eq!(counters.fired, 1);
    assert_eq!(counters.refused_not_armed, 3);
    assert_eq!(counters.refused_disabled, 1);
    assert_eq!(counters.refused_not_leased, 1);
    assert_eq!(counters.refused_limit, 1);
    assert_eq!(counters.refused_msg_seq, 1);
}

#[test]
fn a_new_connection_empties_every_slot() {
    let mut fast = armed(open_registers());
    fast.load(0, &message(7, T0, "A"), T0).unwrap();
    fast.set_path(Some(path(None)));
    assert_eq!(fast.armed(), 0);
    assert!(!fast.registers().leased);
    fast.set_path(None);
    assert_eq!(fast.load(0, &message(7, T0, "A"), T0), Err(LoadError::NoPath));
}

#[test]
fn what_does_not_fit_is_refused_at_loading() {
    let mut fast = FastPath::new(1, 100);
    fast.set_path(Some(path(None)));
    let long = message(7, T0, "A");
    let len = long.bytes.len();
    assert_eq!(fast.load(0, &long, T0), Err(LoadError::TooLong { len, mss: 100 }));
    let mut fast = armed(open_registers());
    assert_eq!(fast.load(4, &long, T0), Err(LoadError::NoSlot(4)));
    let mut wrong = long.clone();
    wrong.layout.check_sum_at = len - 2;
    assert_eq!(fast.load(0, &wrong, T0), Err(LoadError::Layout));
    let mut narrow = long;
    narrow.layout.msg_seq_num_width = 6;
    assert_eq!(fast.load(0, &narrow, T0), Err(LoadError::Layout));
    assert!(!fast.is_armed(0));
}
