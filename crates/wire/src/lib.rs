//! Frames, checksums, TCP, captures and time: everything between an Ethernet port and a payload.
//!
//! Nothing here does I/O except the capture reader and writer, which take any `Read` or `Write`.

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
