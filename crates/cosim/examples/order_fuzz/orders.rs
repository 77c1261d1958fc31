//! Random orders, what the host loads for them, and the frames that must leave.
//!
//! FIX frames are those of [`FastPath`], FAST answers those of `saker_fast` and `rtl/order/orders.xml`.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::rc::Rc;

use fastrand::Rng;
use saker_fast::decode::ResetPolicy;
use saker_fast::{Encoder, EncoderOptions, Message, Templates};
use saker_fix::encode::{Header, Writer};
use saker_fix::session::Prepared;
use saker_fix::tag;
use saker_fix::value::TimestampCache;
use saker_trader::fastpath::{FastPath, ORDERS_XML, Registers, UdpAnswer};
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::{TcpPath, UdpPath};
use saker_wire::time::{Nanos, SECOND};

use crate::Error;

const MSS: usize = 1_460;
/// 2026-01-02T03:04:05Z.
const T0: Nanos = 1_767_323_045 * SECOND;

/// A write to the logic's tables: address and data.
pub type Write = (u16, u32);

/// What a slot answers with.
#[derive(Debug)]
pub enum Answer {
    Fix { path: TcpPath, message: Prepared },
    Fast(UdpAnswer),
}

/// An order, and what loads it into its slot.
#[derive(Debug)]
pub struct Order {
    pub answer: Answer,
    pub writes: Vec<Write>,
}

impl Order {
    pub fn is_udp(&self) -> bool {
        matches!(self.answer, Answer::Fast(_))
    }

    /// What it takes of TCP's limit.
    pub fn payload(&self) -> u32 {
        match &self.answer {
            Answer::Fix { message, .. } => message.bytes.len() as u32,
            Answer::Fast(_) => 0,
        }
    }
}

/// Makes orders and frames.
pub struct Orders {
    fast_path: FastPath,
    templates: Rc<Templates>,
}

impl Orders {
    pub fn new(slots: u16) -> Result<Self, Error> {
        Ok(Self {
            fast_path: FastPath::new(slots, MSS),
            templates: Rc::new(Templates::from_xml(ORDERS_XML)?),
        })
    }

    /// A random order for a slot.
    pub fn order(&mut self, random: &mut Rng, slot: u16) -> Result<Order, Error> {
        if random.bool() {
            let answer = answer(random);
            let writes = answer.writes(slot).ok_or("a slot of the logic")?;
            return Ok(Order { answer: Answer::Fast(answer), writes });
        }
        let path = TcpPath {
            src_mac: MacAddr([2, 0, 0, 0, 0, 1]),
            dst_mac: MacAddr([2, 0, 0, 0, 0, 2]),
            src: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), random.u16(..)),
            dst: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 9_878),
            vlan: random.bool().then_some(42),
            ttl: 64,
        };
        let message = message(random)?;
        self.fast_path.set_path(Some(path));
        self.fast_path.load(slot, &message, T0)?;
        let image = self.fast_path.image(slot).ok_or("a loaded slot is armed")?;
        let writes = image.writes(slot).ok_or("a frame that fits")?;
        Ok(Order { answer: Answer::Fix { path, message }, writes })
    }

    /// The frame of a FIX order with these registers.
    pub fn fix_frame(
        &mut self,
        slot: u16,
        path: &TcpPath,
        message: &Prepared,
        registers: Registers,
    ) -> Result<Vec<u8>, String> {
        let fast_path = &mut self.fast_path;
        fast_path.set_path(Some(*path));
        fast_path.load(slot, message, T0).map_err(|error| error.to_string())?;
        *fast_path.registers_mut() = registers;
        let refused = |error| format!("slot {slot} is sent, and the model refuses: {error}");
        fast_path.fire(slot).map_err(refused)?;
        Ok(fast_path.frame(slot).to_vec())
    }

    /// The frame of a FAST answer.
    pub fn fast_frame(
        &self,
        answer: &UdpAnswer,
        path: &UdpPath,
        sequence: u32,
        price: i64,
        trigger: u64,
    ) -> Result<Vec<u8>, Error> {
        let mut message =
            Message::new(&self.templates, "NewOrderSingle").ok_or("no NewOrderSingle")?;
        answer.fill(&mut message, price, trigger)?;
        let options = EncoderOptions::with_reset(ResetPolicy::Packet);
        let mut payload = sequence.to_le_bytes().to_vec();
        Encoder::new(&self.templates, options).encode(&message, &mut payload)?;
        let mut frame = Vec::new();
        path.write(0, &payload, &mut frame);
        Ok(frame)
    }
}

/// The header of all FAST answers: where they go.
pub fn udp_path(random: &mut Rng) -> UdpPath {
    UdpPath {
        src_mac: MacAddr([2, 0, 0, 0, 0, 1]),
        dst_mac: MacAddr([2, 0, 0, 0, 0, 3]),
        src: SocketAddrV4::new(Ipv4Addr::new(10, random.u8(..), random.u8(..), 2), random.u16(..)),
        dst: SocketAddrV4::new(Ipv4Addr::new(10, 0, random.u8(..), 1), 7_001),
        vlan: random.bool().then_some(7),
        ttl: 64,
    }
}

/// A number of any length.
pub fn number(random: &mut Rng) -> u64 {
    random.u64(..) >> random.u32(..64)
}

fn answer(random: &mut Rng) -> UdpAnswer {
    let usual = random.bool();
    let mut of = |usual_value: u32| if usual { usual_value } else { number(random) as u32 };
    let (security_id, quantity) = (of(1), of(1));
    UdpAnswer {
        cl_ord_id: number(random) as u32,
        security_id,
        sell: random.bool(),
        quantity,
        exponent: if usual { -2 } else { random.i8(-63..=63) },
        price: random.bool().then(|| number(random).cast_signed().wrapping_neg()),
    }
}

/// An order with fields of random length in front of and behind MsgSeqNum.
fn message(random: &mut Rng) -> Result<Prepared, Error> {
    let mut buffer = [0; 1_024];
    let text = |random: &mut Rng, most| -> String {
        let len = random.usize(1..=most);
        (0..len).map(|_| random.alphanumeric()).collect()
    };
    let longest = [1, 20, 200][random.usize(0..3)];
    let (sender, note) = (text(random, 12), text(random, longest));
    // MsgType moves MsgSeqNum.
    let kinds = ["D", "U1", "U02", "U003", "U0004", "U00005", "U000006", "U0000007"];
    let seq = random.u32(1..1_000_000_000);
    let header = Header {
        msg_type: kinds[random.usize(0..kinds.len())],
        msg_seq_num: seq,
        seq_width: 9,
        sender: &sender,
        target: "SAKER",
        sending_time: T0,
        poss_dup: None,
    };
    let mut writer = Writer::begin(&mut buffer, &header, &mut TimestampCache::default());
    writer.field_uint(tag::ORDER_QTY, u64::from(random.u16(..)));
    writer.field_str(tag::TEXT, &note);
    let encoded = writer.finish()?;
    Ok(Prepared { bytes: encoded.bytes.to_vec(), seq, layout: encoded.layout })
}
