//! Addresses and configurations, fixed and drawn from a seed.

use std::net::{Ipv4Addr, SocketAddrV4};

use fastrand::Rng;
use saker_wire::endpoint::Config;
use saker_wire::ethernet::MacAddr;
use saker_wire::frame::TcpPath;
use saker_wire::time::{MILLISECOND, SECOND};

use super::party::Habits;

pub const CLIENT: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 40_000);
pub const SERVER: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 9878);

/// A locally administered MAC address that ends like the IP address.
pub fn mac_of(ip: Ipv4Addr) -> MacAddr {
    MacAddr([2, 0, 0, 0, 0, ip.octets()[3]])
}

pub fn path(src: SocketAddrV4, dst: SocketAddrV4) -> TcpPath {
    TcpPath {
        src_mac: mac_of(*src.ip()),
        dst_mac: mac_of(*dst.ip()),
        src,
        dst,
        vlan: None,
        ttl: 64,
    }
}

pub fn config(local: u16, remote: u16) -> Config {
    Config {
        local_port: local,
        remote_port: remote,
        min_rto_ns: 10 * MILLISECOND,
        initial_rto_ns: 50 * MILLISECOND,
        max_rto_ns: 2 * SECOND,
        time_wait_ns: 20 * SECOND,
        connect_timeout_ns: 300 * SECOND,
        ..Config::default()
    }
}

/// Half of the runs start within a window of the wrap.
pub fn isn(rng: &mut Rng) -> u32 {
    if rng.bool() { 0u32.wrapping_sub(rng.u32(1..100_000)) } else { rng.u32(..) }
}

pub fn random_config(rng: &mut Rng, local: u16, remote: u16) -> Config {
    let mss = *rng.choice(&[1460, 536, 100, 1000]).unwrap();
    Config {
        mss,
        send_capacity: rng.usize(500..40_000),
        retransmit_capacity: rng.usize(usize::from(mss)..40_000),
        receive_capacity: rng.usize(usize::from(mss)..120_000),
        reassembly_ranges: rng.usize(1..20),
        window_scale: if rng.bool() { Some(rng.u8(0..4)) } else { None },
        delayed_ack_ns: if rng.bool() { 0 } else { 5 * MILLISECOND },
        ..config(local, remote)
    }
}

pub fn random_habits(rng: &mut Rng) -> Habits {
    Habits {
        write: rng.u32(100..1000),
        read: rng.u32(50..1000),
        read_limit: if rng.bool() { usize::MAX } else { rng.usize(100..8000) },
        delegate: if rng.u32(0..4) > 0 { rng.u32(20..300) } else { 0 },
        fire: rng.u32(50..900),
        report: rng.u32(20..900),
        revoke: rng.u32(5..200),
    }
}
