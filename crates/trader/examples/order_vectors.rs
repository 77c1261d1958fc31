//! Prints what the logic of `rtl/order` is tested with, one JSON object a line.
//!
//! `fix`: what happens to a [`FastPath`] (registers written, slots loaded and disarmed, fires) and
//! what comes of it. `fast`: answers in FAST over UDP, encoded by `saker_fast`. A load is told as the
//! writes to the logic's tables, three hexadecimal digits of address and eight of data each.
//!
//! `cargo run -p saker-trader --example order_vectors > verif/cocotb/order_sender/vectors.jsonl`

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddrV4};

use saker_fast::decode::ResetPolicy;
use saker_fast::{Encoder, EncoderOptions, Message, Templates};
use saker_fix::encode::{Header, Writer};
use saker_fix::session::Prepared;
use saker_fix::tag;
use saker_fix::value::TimestampCache;
use saker_trader::fastpath::{
    FastPath, FireRefused, MAX_MSG_SEQ, ORDERS_XML, Registers, SlotImage, UdpAnswer, table,
};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{TcpPath, UdpPath};
use saker_wire::time::{Nanos, SECOND};
use serde_json::{Value as Json, json};

const SLOTS: u16 = table::SLOTS;
const MSS: usize = 1_460;
/// 2026-01-02T03:04:05Z.
const T0: Nanos = 1_767_323_045 * SECOND;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    vectors(&mut io::stdout().lock())
}

/// Writes all lines.
pub fn vectors(out: &mut impl Write) -> Result<(), Failure> {
    let mut draw = fastrand::Rng::with_seed(20_261_121);
    for vlan in [None, Some(42)] {
        fix(&mut draw, vlan, out)?;
        fast(&mut draw, vlan, out)?;
    }
    Ok(())
}

fn fix(draw: &mut fastrand::Rng, vlan: Option<u16>, out: &mut impl Write) -> Result<(), Failure> {
    let path = TcpPath {
        src_mac: MacAddr([2, 0, 0, 0, 0, 1]),
        dst_mac: MacAddr([2, 0, 0, 0, 0, 2]),
        src: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 49_152),
        dst: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 9_878),
        vlan,
        ttl: 64,
    };
    let mut fast = FastPath::new(SLOTS, MSS);
    fast.set_path(Some(path));
    write_registers(&mut fast, draw, out)?;
    for step in 0..260u32 {
        let slot = draw.u16(..SLOTS);
        match draw.u8(..10) {
            // Every alignment of the digits, every parity: sender and text vary in length.
            0..=3 => {
                let message = message(draw, fast.registers().next_msg_seq.clamp(1, MAX_MSG_SEQ))?;
                fast.load(slot, &message, T0 + Nanos::from(step) * SECOND)?;
                let image = fast.image(slot).ok_or("a loaded slot is armed")?;
                let writes = hex_writes(&image.writes(slot).ok_or("a slot of the logic")?);
                writeln!(out, "{}", json!({"load": slot, "writes": writes}))?;
            }
            4 => {
                fast.disarm(slot);
                writeln!(out, "{}", json!({ "disarm": slot }))?;
            }
            5 => write_registers(&mut fast, draw, out)?,
            _ => writeln!(out, "{}", fire(&mut fast, slot))?,
        }
    }
    for slot in 0..SLOTS {
        fast.disarm(slot);
        writeln!(out, "{}", json!({ "disarm": slot }))?;
    }
    Ok(())
}

fn fire(fast: &mut FastPath, slot: u16) -> Json {
    match fast.fire(slot) {
        Ok(sent) => json!({
            "fire": slot,
            "sent": {
                "msg_seq": sent.msg_seq,
                "start": sent.start,
                "end": sent.end,
                "frame": hex(fast.frame(slot)),
            },
        }),
        Err(refused) => {
            let reason = match refused {
                FireRefused::Disabled => "DISABLED",
                FireRefused::NotArmed => "NOT_ARMED",
                FireRefused::NotLeased => "NOT_LEASED",
                FireRefused::Limit => "LIMIT",
                FireRefused::MsgSeq => "MSG_SEQ",
            };
            json!({"fire": slot, "refused": reason})
        }
    }
}

fn write_registers(
    fast: &mut FastPath,
    draw: &mut fastrand::Rng,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let msg_seq = match draw.u8(..6) {
        0 => MAX_MSG_SEQ - draw.u32(..3),
        1 => 10u32.pow(draw.u32(1..9)) - draw.u32(1..3),
        _ => draw.u32(1..MAX_MSG_SEQ),
    };
    let tcp_seq = if draw.u8(..4) == 0 { u32::MAX - draw.u32(..300) } else { draw.u32(..) };
    let tcp_limit = if draw.u8(..3) == 0 { draw.u32(..600) } else { draw.u32(..) };
    *fast.registers_mut() = Registers {
        enabled: draw.u8(..8) > 0,
        leased: draw.u8(..8) > 0,
        tcp_seq,
        tcp_ack: draw.u32(..),
        tcp_window: draw.u16(..),
        tcp_limit,
        next_msg_seq: msg_seq,
    };
    let registers = fast.registers();
    let line = json!({"registers": {
        "enabled": registers.enabled,
        "leased": registers.leased,
        "tcp_seq": registers.tcp_seq,
        "tcp_ack": registers.tcp_ack,
        "tcp_window": registers.tcp_window,
        "tcp_limit": registers.tcp_limit,
        "next_msg_seq": registers.next_msg_seq,
    }});
    writeln!(out, "{line}")?;
    Ok(())
}

/// A NewOrderSingle with fields of random length in front of and behind MsgSeqNum.
fn message(draw: &mut fastrand::Rng, seq: u32) -> Result<Prepared, Failure> {
    let mut buffer = [0; 1_024];
    let text = |draw: &mut fastrand::Rng, most| -> String {
        let len = draw.usize(1..=most);
        (0..len).map(|_| draw.alphanumeric()).collect()
    };
    let (sender, symbol, note) = (text(draw, 12), text(draw, 8), text(draw, 200));
    // MsgType moves MsgSeqNum; its length is what a user-defined message may have.
    let msg_type =
        &["D", "U1", "U02", "U003", "U0004", "U00005", "U000006", "U0000007"][draw.usize(..8)];
    let header = Header {
        msg_type,
        msg_seq_num: seq,
        seq_width: 9,
        sender: &sender,
        target: "SAKER",
        sending_time: T0,
        poss_dup: None,
    };
    let mut w = Writer::begin(&mut buffer, &header, &mut TimestampCache::default());
    w.field_str(tag::CL_ORD_ID, "T00000001");
    w.field_uint(tag::ORDER_QTY, u64::from(draw.u16(..)));
    w.field_str(tag::SYMBOL, &symbol);
    w.field_str(tag::TEXT, &note);
    let encoded = w.finish()?;
    Ok(Prepared { bytes: encoded.bytes.to_vec(), seq, layout: encoded.layout })
}

fn fast(draw: &mut fastrand::Rng, vlan: Option<u16>, out: &mut impl Write) -> Result<(), Failure> {
    let templates = Templates::from_xml(ORDERS_XML)?;
    let mut encoder = Encoder::new(&templates, EncoderOptions::with_reset(ResetPolicy::Packet));
    let path = UdpPath {
        src_mac: MacAddr([2, 0, 0, 0, 0, 1]),
        dst_mac: MacAddr([2, 0, 0, 0, 0, 3]),
        src: SocketAddrV4::new(Ipv4Addr::new(10, draw.u8(..), draw.u8(..), 2), draw.u16(..)),
        dst: SocketAddrV4::new(Ipv4Addr::new(10, 0, draw.u8(..), 1), 7_001),
        vlan,
        ttl: 64,
    };
    let header = hex_writes(&UdpAnswer::header_writes(&path));
    writeln!(out, "{}", json!({ "header": header }))?;
    for sequence in 1..=160u32 {
        let sequence = if sequence % 5 == 0 { draw.u32(..) } else { sequence };
        let number = |draw: &mut fastrand::Rng| draw.u32(..) >> draw.u32(..32);
        let mantissa = (draw.i64(..) >> draw.u32(..64)).wrapping_add(i64::from(draw.u8(..2)));
        let price_of_fire = draw.bool();
        let answer = UdpAnswer {
            cl_ord_id: number(draw),
            security_id: number(draw),
            sell: draw.bool(),
            quantity: number(draw),
            exponent: if draw.bool() { -2 } else { draw.i8(-63..=63) },
            price: (!price_of_fire).then_some(mantissa),
        };
        let trigger =
            if draw.bool() { T0 + draw.u64(..SECOND) } else { draw.u64(..) >> draw.u32(..64) };
        let mut message = Message::new(&templates, "NewOrderSingle").ok_or("the template")?;
        answer.fill(&mut message, mantissa, trigger)?;
        let mut payload = sequence.to_le_bytes().to_vec();
        encoder.reset();
        encoder.encode(&message, &mut payload)?;
        let mut frame = Vec::new();
        path.write(0, &payload, &mut frame);
        let slot = draw.u16(..SLOTS);
        let writes = hex_writes(&answer.writes(slot).ok_or("a slot of the logic")?);
        let line = json!({
            "answer": slot,
            "writes": writes,
            "sequence": sequence,
            "price": if price_of_fire { mantissa } else { draw.i64(..) },
            "trigger": trigger,
            "frame": hex(&frame),
        });
        writeln!(out, "{line}")?;
    }
    // What arms a slot is the same for both kinds.
    debug_assert_eq!(SlotImage::arming(1, true), (0x81F, 1));
    Ok(())
}

fn hex_writes(writes: &[(u16, u32)]) -> String {
    writes.iter().map(|(address, data)| format!("{address:03x}{data:08x}")).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
