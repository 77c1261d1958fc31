//! What a frame is, for the taps: told from its headers alone.

use saker_feed::channel::{ChannelPlan, Stream};
use saker_wire::frame::{Body, parse};
use std::net::SocketAddrV4;

/// Anything else: ARP, bare acknowledgements, connection set-up.
pub const OTHER: u8 = 0;
/// A packet of the incremental feed.
pub const INCREMENTAL: u8 = 1;
/// A packet of the snapshot or definition loop.
pub const LOOP: u8 = 2;
/// TCP payload that begins a FIX message of an administrative type, or continues one.
pub const FIX: u8 = 3;
/// A New Order Single.
pub const ORDER: u8 = 4;
/// Execution Reports, a trade among them.
pub const FILL: u8 = 6;
/// Execution Reports without a trade.
pub const REPORT: u8 = 5;

/// The kind of a frame.
pub fn of(bytes: &[u8]) -> u8 {
    match parse(bytes).map(|frame| frame.body) {
        Ok(Body::Udp { ip, udp, .. }) => {
            let destination = SocketAddrV4::new(ip.dst, udp.dst_port);
            match ChannelPlan::default().classify(destination) {
                Some((Stream::Incremental, _)) => INCREMENTAL,
                Some(_) => LOOP,
                None => OTHER,
            }
        }
        Ok(Body::Tcp { payload, .. }) if !payload.is_empty() => fix_kind(payload),
        _ => OTHER,
    }
}

/// The kind of a segment by the FIX messages in it: the highest of theirs.
fn fix_kind(mut payload: &[u8]) -> u8 {
    let mut kind = FIX;
    while let Ok(Some((message, length))) = saker_fix::parse::frame(payload) {
        kind = kind.max(match message.msg_type() {
            b"8" if message.get(saker_fix::tag::EXEC_TYPE) == Some(b"F") => FILL,
            b"8" => REPORT,
            b"D" => ORDER,
            _ => FIX,
        });
        payload = &payload[length..];
    }
    kind
}
