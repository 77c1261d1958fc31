//! Nanoseconds per message: parse, encode, patch and session, for a NewOrderSingle and a
//! MarketDataSnapshot of ten levels. `cargo bench -p saker-fix`.

use std::hint::black_box;
use std::time::Instant;

use saker_fix::encode::{Header, Writer};
use saker_fix::parse::{Message, frame};
use saker_fix::session::{Config, Session};
use saker_fix::value::TimestampCache;
use saker_fix::{patch, tag};

const NOW: u64 = 1_767_605_400_000_000_000;
const MILLISECOND: u64 = 1_000_000;
/// Rounds are short, so that some fall between the interruptions of a busy machine.
const ROUNDS: usize = 1_001;
const MESSAGES: u32 = 100;

fn order(w: &mut Writer<'_>) {
    w.field_str(tag::ACCOUNT, "CLIENT1");
    w.field_str(tag::CL_ORD_ID, "0102");
    w.field_char(tag::HANDL_INST, b'1');
    w.field_uint(tag::ORDER_QTY, 2);
    w.field_char(tag::ORD_TYPE, b'2');
    w.field_decimal(tag::PRICE, 110_000, -2);
    w.field_char(tag::SIDE, b'2');
    w.field_str(tag::SYMBOL, "MSFT");
    w.field_char(tag::TIME_IN_FORCE, b'0');
    w.field_timestamp(tag::TRANSACT_TIME, NOW);
}

fn snapshot(w: &mut Writer<'_>) {
    w.field_str(tag::SYMBOL, "MSFT");
    w.field_str(tag::MD_REQ_ID, "1");
    w.field_uint(tag::NO_MD_ENTRIES, 20);
    for level in 0..20 {
        w.field_char(tag::MD_ENTRY_TYPE, if level < 10 { b'0' } else { b'1' });
        w.field_decimal(tag::MD_ENTRY_PX, 117_000 + 5 * level, -2);
        w.field_uint(tag::MD_ENTRY_SIZE, 296);
        w.field_uint(tag::MD_ENTRY_POSITION_NO, level as u64 % 10 + 1);
    }
}

fn read_order(message: &Message<'_>) -> i64 {
    let price = message.decimal(tag::PRICE).map_or(0, |price| price.mantissa);
    let quantity = message.int(tag::ORDER_QTY).unwrap_or(0);
    let id = message.get(tag::CL_ORD_ID).map_or(0, <[u8]>::len) as i64;
    price + quantity + id + i64::from(message.char(tag::SIDE).unwrap_or(0))
}

fn read_snapshot(message: &Message<'_>) -> i64 {
    const ENTRY: [u32; 4] =
        [tag::MD_ENTRY_TYPE, tag::MD_ENTRY_PX, tag::MD_ENTRY_SIZE, tag::MD_ENTRY_POSITION_NO];
    let entries = message.group(tag::NO_MD_ENTRIES, &ENTRY);
    entries.filter_map(|entry| entry.decimal(tag::MD_ENTRY_PX).ok()).map(|px| px.mantissa).sum()
}

fn encode<'b>(
    buffer: &'b mut [u8],
    msg_type: &str,
    seq: u32,
    dates: &mut TimestampCache,
    body: fn(&mut Writer<'_>),
) -> &'b [u8] {
    let header = Header {
        msg_type,
        msg_seq_num: seq,
        seq_width: 9,
        sender: "CLIENT1",
        target: "SAKER",
        sending_time: NOW + u64::from(seq) * MILLISECOND,
        poss_dup: None,
    };
    let mut writer = Writer::begin(buffer, &header, dates);
    body(&mut writer);
    writer.finish().expect("the buffer is large enough").bytes
}

/// Runs `work` for each message of a round; prints the fastest and the median round.
fn measure(name: &str, bytes: usize, mut work: impl FnMut(u32)) {
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            (1..=MESSAGES).for_each(&mut work);
            start.elapsed().as_nanos() as f64 / f64::from(MESSAGES)
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    println!("{name:<34} {bytes:>5} B {:>9.1} {:>9.1}", rounds[0], rounds[ROUNDS / 2]);
}

fn main() {
    println!("{:<34} {:>7} {:>9} {:>9}", "ns per message", "size", "fastest", "median");
    let mut dates = TimestampCache::default();
    let mut buffer = vec![0; 4_096];
    type Case = (&'static str, &'static str, fn(&mut Writer<'_>), fn(&Message<'_>) -> i64);
    let cases: [Case; 2] = [
        ("NewOrderSingle", "D", order, read_order),
        ("MarketDataSnapshot (20 entries)", "W", snapshot, read_snapshot),
    ];
    for (name, msg_type, body, read) in cases {
        let bytes = encode(&mut buffer, msg_type, 1, &mut dates, body).to_vec();
        measure(&format!("encode {name}"), bytes.len(), |seq| {
            black_box(encode(&mut buffer, msg_type, seq, &mut dates, body));
        });
        measure(&format!("frame {name}"), bytes.len(), |_| {
            black_box(frame(black_box(&bytes)).is_ok());
        });
        measure(&format!("frame + read {name}"), bytes.len(), |_| {
            if let Ok(Some((message, _))) = frame(black_box(&bytes)) {
                black_box(read(&message));
            }
        });
    }
    prepared(&mut dates);
    session();
}

fn prepared(dates: &mut TimestampCache) {
    let mut buffer = vec![0; 4_096];
    let mut bytes = encode(&mut buffer, "D", 1, dates, order).to_vec();
    let Ok(Some(layout)) = saker_fix::encode::Layout::locate(&bytes) else { return };
    measure("patch 34, 52, 10 of a prepared D", bytes.len(), |seq| {
        let now = NOW + u64::from(seq) * MILLISECOND;
        let patched = patch::msg_seq_num(&mut bytes, &layout, seq)
            .and_then(|()| patch::sending_time(&mut bytes, &layout, now, dates));
        black_box(patched.is_ok());
    });
}

/// An order through both sessions: encode, store, frame, validate, event.
fn session() {
    let mut client = Session::initiator(Config::new("CLIENT1", Some("SAKER")));
    let mut exchange = Session::acceptor(Config::new("SAKER", Some("CLIENT1")));
    exchange.on_connect(NOW);
    client.on_connect(NOW);
    carry(&mut client, &mut exchange);
    carry(&mut exchange, &mut client);
    let size = client.prepare(NOW, "D", order).map_or(0, |prepared| prepared.bytes.len());
    measure("D from session to session", size, |_| {
        black_box(client.send(NOW, "D", order).is_ok());
        carry(&mut client, &mut exchange);
    });
}

fn carry(from: &mut Session, to: &mut Session) {
    while let Some(bytes) = from.poll_output() {
        to.on_bytes(NOW, bytes);
    }
    while let Some(event) = to.poll_event() {
        if let saker_fix::session::Event::Application(bytes) = event {
            to.recycle(bytes);
        }
    }
}
