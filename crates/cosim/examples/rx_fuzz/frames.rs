//! Random frames: datagrams of the channels, and what is almost one.

use fastrand::Rng;
use saker_cosim::xgmii::MIN_FRAME;
use saker_wire::checksum::{finish, sum};

use super::parser::Channel;

/// The next frame's octets, without FCS.
pub struct Frames {
    /// Around this number packets come.
    number: u32,
    /// Of 256 frames, so many are something else than a datagram of a channel, or almost one.
    others: u8,
    faults: u8,
    /// The longest payload there is.
    longest: usize,
}

/// What is wrong with a datagram.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    Type,
    Version,
    Checksum,
    Fragment,
    Protocol,
    Address,
    Port,
    Length,
    UdpLength,
    Both,
    Missing,
    Tags,
}

const FAULTS: [Fault; 12] = [
    Fault::Type,
    Fault::Version,
    Fault::Checksum,
    Fault::Fragment,
    Fault::Protocol,
    Fault::Address,
    Fault::Port,
    Fault::Length,
    Fault::UdpLength,
    Fault::Both,
    Fault::Missing,
    Fault::Tags,
];

impl Frames {
    pub fn new(random: &mut Rng) -> Self {
        let number = [random.u32(..), u32::MAX - random.u32(..20), (1 << 31) - random.u32(..20), 0];
        Self {
            number: number[random.usize(..4)],
            others: [0, 20, 128][random.usize(..3)],
            faults: [0, 20, 100][random.usize(..3)],
            longest: [16, 60, 200, 640][random.usize(..4)],
        }
    }

    pub fn next(&mut self, random: &mut Rng, channels: &[Channel; 2]) -> Vec<u8> {
        if random.u8(..) < self.others {
            return noise(random);
        }
        let fault = (random.u8(..) < self.faults).then(|| FAULTS[random.usize(..FAULTS.len())]);
        let payload = self.payload(random);
        let to = channels[random.usize(..2)];
        datagram(random, to, &payload, fault)
    }

    /// A number near those that came, and anything.
    fn payload(&mut self, random: &mut Rng) -> Vec<u8> {
        let step = match random.u32(..40) {
            0 => random.u32(..),
            1 => 1 << 31,
            2 => (1 << 31) - 1,
            3..6 => random.u32(..4).wrapping_neg(),
            6..9 => random.u32(1..4),
            9..22 => 0,
            _ => 1,
        };
        let number = self.number.wrapping_add(step);
        // What is far is an error more often than the next packet.
        if step < 4 || random.u8(..) < 10 {
            self.number = number;
        }
        let length =
            if random.u8(..) < 20 { random.usize(..24) } else { random.usize(..self.longest) };
        let body = (0..length).map(|_| random.u8(..));
        let mut payload: Vec<u8> = number.to_le_bytes().into_iter().chain(body).collect();
        if random.u8(..) < 8 {
            payload.truncate(random.usize(..5));
        }
        payload
    }
}

/// Of any type and length, runts and giants among them.
fn noise(random: &mut Rng) -> Vec<u8> {
    let lengths = if random.bool() { MIN_FRAME..90 } else { 14..700 };
    let length = random.usize(lengths);
    let mut frame: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
    let kind: u16 = [0x0800, 0x8100, 0x0806, 0x86dd][random.usize(..4)];
    frame[12..14].copy_from_slice(&kind.to_be_bytes());
    frame
}

fn datagram(random: &mut Rng, to: Channel, payload: &[u8], fault: Option<Fault>) -> Vec<u8> {
    let is = |one: Fault| fault == Some(one);
    let near = |random: &mut Rng, value: usize| match random.u8(..4) {
        0 => value + 1,
        1 => value.saturating_sub(1),
        2 => random.usize(..64),
        _ => random.usize(..65536),
    };
    let mut frame: Vec<u8> = (0..12).map(|_| random.u8(..)).collect();
    let tags = if is(Fault::Tags) { 2 } else { usize::from(random.bool()) };
    for _ in 0..tags {
        let tag = random.u16(..);
        frame.extend([0x8100, tag].map(u16::to_be_bytes).concat());
    }
    let kind: u16 = if is(Fault::Type) { 0x0801 } else { 0x0800 };
    frame.extend_from_slice(&kind.to_be_bytes());
    let right = 8 + payload.len();
    let udp_length =
        if is(Fault::UdpLength) || is(Fault::Both) { near(random, right) } else { right };
    let length = match fault {
        Some(Fault::Length) => near(random, 20 + right),
        Some(Fault::Both) => 20 + udp_length,
        _ => 20 + right,
    };
    let version =
        if is(Fault::Version) { [0x46, 0x65, 0x55, 0x44][random.usize(..4)] } else { 0x45 };
    let fragment = if is(Fault::Fragment) { 1 << random.u32(..14) } else { 0 };
    let fragment: u16 = fragment | u16::from(random.bool()) << 14;
    let flip = |random: &mut Rng, yes: bool, bits: u32| u32::from(yes) << random.u32(..bits);
    let protocol = 17 ^ flip(random, is(Fault::Protocol), 8) as u8;
    let address = to.address ^ flip(random, is(Fault::Address), 32);
    let port = to.port ^ flip(random, is(Fault::Port), 16) as u16;
    let mut header = vec![version, random.u8(..)];
    header.extend_from_slice(&(length as u16).to_be_bytes());
    header.extend_from_slice(&random.u16(..).to_be_bytes());
    header.extend_from_slice(&fragment.to_be_bytes());
    header.extend_from_slice(&[random.u8(..), protocol, 0, 0]);
    header.extend_from_slice(&random.u32(..).to_be_bytes());
    header.extend_from_slice(&address.to_be_bytes());
    let check = finish(sum(&header)) ^ flip(random, is(Fault::Checksum), 16) as u16;
    header[10..12].copy_from_slice(&check.to_be_bytes());
    frame.extend(header);
    for field in [random.u16(..), port, udp_length as u16, random.u16(..)] {
        frame.extend_from_slice(&field.to_be_bytes());
    }
    frame.extend_from_slice(payload);
    if is(Fault::Missing) {
        frame.truncate(frame.len() - random.usize(..payload.len() + 1));
    }
    // Padding, more of it, or too little.
    let shortest = if random.u8(..) < 4 { random.usize(..MIN_FRAME) } else { MIN_FRAME };
    let more = if random.u8(..) < 20 { random.usize(..20) } else { 0 };
    let padding = random.u8(..);
    frame.resize((frame.len() + more).max(shortest), padding);
    frame
}
