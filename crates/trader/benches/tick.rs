//! Wall-clock time of the steps of a tick, on the machine at hand: the wire bytes of one packet
//! through feed handler, book and strategies; and firing, beside building the same frame anew.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

#[path = "../tests/support/feed.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod feed;

use std::hint::black_box;
use std::net::{Ipv4Addr, SocketAddrV4};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use feed::{Item, Publisher};
use saker_fast::Templates;
use saker_feed::channel::{Line, Stream};
use saker_fix::encode::{Header, Writer};
use saker_fix::session::Prepared;
use saker_fix::tag;
use saker_fix::value::TimestampCache;
use saker_strategy::StrategyFile;
use saker_trader::desk::Desk;
use saker_trader::fastpath::{FastPath, Registers};
use saker_trader::feed::{FeedConfig, FeedHandler};
use saker_trader::market::{Market, MarketConfig};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::TcpPath;
use saker_wire::tcp::{TcpFlags, TcpHeader};
use saker_wire::time::{Nanos, SECOND};

const T0: Nanos = 1_767_323_045 * SECOND;

fn path() -> TcpPath {
    TcpPath {
        src_mac: MacAddr([2, 0, 0, 0, 0, 2]),
        dst_mac: MacAddr([2, 0, 0, 0, 0, 1]),
        src: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 49_152),
        dst: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 9_878),
        vlan: None,
        ttl: 64,
    }
}

fn message(seq: u32, now: Nanos, dates: &mut TimestampCache) -> Prepared {
    let mut buffer = [0; 512];
    let header = Header {
        msg_type: "D",
        msg_seq_num: seq,
        seq_width: 9,
        sender: "TRADER",
        target: "SAKER",
        sending_time: now,
        poss_dup: None,
    };
    let mut w = Writer::begin(&mut buffer, &header, dates);
    w.field_str(tag::CL_ORD_ID, "T00000001");
    w.field_char(tag::HANDL_INST, b'1');
    w.field_uint(tag::ORDER_QTY, 100);
    w.field_char(tag::ORD_TYPE, b'2');
    w.field_decimal(tag::PRICE, 1_050, -2);
    w.field_char(tag::SIDE, b'1');
    w.field_str(tag::SYMBOL, "MSFT");
    w.field_char(tag::TIME_IN_FORCE, b'0');
    w.field_timestamp(tag::TRANSACT_TIME, now);
    let encoded = w.finish().unwrap();
    Prepared { bytes: encoded.bytes.to_vec(), seq, layout: encoded.layout }
}

fn armed() -> FastPath {
    let mut fast = FastPath::new(1, 1_460);
    fast.set_path(Some(path()));
    *fast.registers_mut() = Registers {
        enabled: true,
        leased: true,
        tcp_seq: 1,
        tcp_ack: 1,
        tcp_window: 1_000,
        tcp_limit: u32::MAX,
        next_msg_seq: 7,
    };
    fast.load(0, &message(7, T0, &mut TimestampCache::default()), T0).unwrap();
    fast
}

fn order(c: &mut Criterion) {
    let mut group = c.benchmark_group("order");
    group.bench_function("fire a prepared slot", |b| {
        b.iter_batched_ref(armed, |fast| black_box(fast.fire(0)), BatchSize::SmallInput);
    });
    group.bench_function("fire a stale slot", |b| {
        let stale = || {
            let mut fast = armed();
            fast.registers_mut().next_msg_seq = 8;
            fast
        };
        b.iter_batched_ref(stale, |fast| black_box(fast.fire(0)), BatchSize::SmallInput);
    });
    group.bench_function("build the frame anew", |b| {
        let mut dates = TimestampCache::default();
        let (path, mut frame) = (path(), Vec::with_capacity(512));
        let header = TcpHeader {
            seq: 1,
            ack: 1,
            window: 1_000,
            flags: TcpFlags::ACK | TcpFlags::PSH,
            ..TcpHeader::default()
        };
        b.iter(|| {
            frame.clear();
            path.write(0, &header, &[], &message(7, T0, &mut dates).bytes, &mut frame);
            black_box(frame.len())
        });
    });
    group.finish();
}

/// A feed handler and a market that know the publisher's instruments.
fn listener(publisher: &mut Publisher) -> (FeedHandler, Market) {
    let templates = Templates::from_xml(saker_feed::TEMPLATES_XML).unwrap();
    let mut handler = FeedHandler::new(&templates, FeedConfig::default());
    let strategies = "[limits]\nmax_order_quantity = 1\nmax_open_orders = 1\nmax_position = 1\n\
        [[strategy]]\nname = \"s\"\nkind = \"stop\"\nsymbol = \"AAA\"\nside = \"buy\"\n\
        trigger = \"99.00\"\nprice = \"99.00\"\nquantity = 1\n";
    let desk = Desk::new(StrategyFile::from_toml(strategies).unwrap());
    let mut market = Market::new(MarketConfig::default(), desk);
    let packet = publisher.definitions();
    serve(&mut handler, &mut market, Stream::Definition, &packet);
    (handler, market)
}

fn serve(handler: &mut FeedHandler, market: &mut Market, stream: Stream, packet: &[u8]) {
    let mut firings = Vec::new();
    handler.on_datagram(T0, stream, Line::A, packet, &mut |stream, news| {
        market.on_news(T0, stream, &news, &mut firings, &mut |_| {});
    });
    assert!(firings.is_empty());
}

fn tick(c: &mut Criterion) {
    let mut publisher = Publisher::new(&["AAA", "BBB"]);
    let (mut handler, mut market) = listener(&mut publisher);
    let mut group = c.benchmark_group("tick");
    let trade = Item::Trade { instrument: 0, id: 1, price: 1_000, quantity: 5 };
    for entries in [1usize, 8] {
        group.bench_function(format!("packet of {entries} trades to strategies"), |b| {
            let items = vec![trade; entries];
            b.iter_batched(
                || publisher.incremental(&items),
                |packet| serve(&mut handler, &mut market, Stream::Incremental, &packet),
                // One at a time: each packet's number is the next.
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(std::time::Duration::from_secs(2));
    targets = order, tick
}
criterion_main!(benches);
