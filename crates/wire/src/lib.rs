//! Frames, checksums, TCP, captures and time: everything between an Ethernet port and a payload.
//!
//! # What it is for
//!
//! Every machine of the bench, virtual or live, takes Ethernet frames in and gives Ethernet frames
//! out. This crate has the one definition of what is between a frame's first byte and a message's:
//! Ethernet II, 802.1Q, ARP, IPv4, UDP and TCP, with every length and checksum verified on the way in
//! and filled in on the way out. It also has what stands around frames: time, the contract of a
//! machine with the world ([`station`]), and capture files.
//!
//! # What it is not for
//!
//! Messages (the codecs are crates of their own), IPv6, reassembly of fragments, and I/O: nothing
//! here reads a clock, a socket or a file. The capture [`Reader`](capture::Reader) and
//! [`Writer`](capture::Writer) take any `Read` or `Write`.
//!
//! # How bytes flow through it
//!
//! ```text
//!            RxFrame                                              TxFrame
//!               |                                                    ^
//!   frame::parse (ethernet, vlan) ........ UdpPath/TcpPath::write (path)
//!               |                                                    ^
//!     +---------+----------+---------------------+                   |
//!   Body::Arp           Body::Udp             Body::Tcp              |
//!     |                    |                     |                   |
//!   neighbor::Neighbors  payload to a codec   TcpHeader, options,    |
//!   (answers, resolves)                       payload to an endpoint +
//! ```
//!
//! ```
//! use saker_wire::ethernet::MacAddr;
//! use saker_wire::frame::{self, Body, UdpPath};
//!
//! let group = "239.1.2.3:5000".parse()?;
//! let path = UdpPath {
//!     src_mac: "02:00:00:00:00:01".parse()?,
//!     dst_mac: MacAddr::for_multicast([239, 1, 2, 3].into()).ok_or("not a group")?,
//!     src: "10.0.0.1:5000".parse()?,
//!     dst: group,
//!     vlan: None,
//!     ttl: 16,
//! };
//! let mut bytes = Vec::new();
//! path.write(0, b"tick", &mut bytes);
//!
//! match frame::parse(&bytes)?.body {
//!     Body::Udp { ip, udp, payload } => {
//!         assert_eq!((ip.dst, udp.dst_port, payload), (*group.ip(), 5000, &b"tick"[..]));
//!     }
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors
//!
//! A parser of frames or headers returns [`error::ParseError`]: a kind without data, to be counted
//! (`counters[kind as usize]`), and the offset. A capture reader returns
//! [`capture::CaptureError`] with the offset in the file, after every packet before it. Nothing here
//! panics on bytes from outside. Writers panic only where a caller breaks a documented limit, such as
//! a datagram above 64 KiB.
//!
//! # What a flipped bit does
//!
//! In a UDP or TCP frame every single flipped bit after the Ethernet header makes
//! [`frame::parse`] fail, but for the 802.1Q control field, Ethernet padding, and one hole of UDP's:
//! a checksum with a single bit set can flip to "none". These and the MAC addresses are the FCS's,
//! which a station never sees. A flipped EtherType makes the frame [`frame::Body::Other`].

pub mod arp;
pub mod capture;
pub mod checksum;
pub mod endpoint;
pub mod error;
pub mod ethernet;
pub mod frame;
pub mod ipv4;
pub mod neighbor;
pub mod path;
pub mod station;
pub mod tcp;
pub mod tcp_options;
pub mod time;
pub mod udp;
pub mod vlan;
