//! The lab: whole machines and the cables between them in one process, in virtual time, with clocks
//! on the cables and a report at the end.
//!
//! # What it is for
//!
//! ```text
//!             ┌──────────┐  link   ┌────────┐  link  tap  ┌─────────┐
//!             │ exchange ├─────────┤ switch ├────────┬────┤ trader  │
//!             └──────────┘         └───┬────┘        │    └─────────┘
//!                                      │             │
//!             ┌──────────┐  link       │             ├──► records ──► measure ──► report
//!             │  others  ├─────────────┘             │                            table
//!             └──────────┘                           └──► capture.pcapng          JSON
//!                                                                                 page
//! ```
//!
//! Every box is a [`Station`](saker_wire::station::Station): frames and *now* go in, frames and the
//! next deadline come out. The same machines that run here run against live drivers, unchanged.
//!
//! - [`world`] moves frames and time: one queue of events, links with rate, delay, jitter, loss,
//!   copies, reordering, corruption and a bounded queue, and a learning switch.
//! - [`tap`] puts a clock on a cable: the first byte of each frame, in nanoseconds, into records
//!   and into a pcapng file that Wireshark opens.
//! - [`measure`] pairs triggers with orders, and counts rates over windows.
//! - [`replay`] takes a capture instead of a world, and the wall clock instead of virtual time.
//! - [`report`] shows it: a table, JSON with integers only, and one page of HTML.
//!
//! # How a frame flows through it
//!
//! A station leaves a frame in its outbox, ready at some instant. At that instant the world pads it
//! and offers it to the line of its port: if the line is busy the frame waits, if too much waits it
//! is dropped and counted. When the line takes it, it gets a name ([`FrameId`]), its first and last
//! byte get their instants at both ends, and its fate is drawn. It is handed to the other station
//! at the instant of its last byte (store-and-forward), with the instant of its first. What that
//! station sends in answer names it as its cause, which is how a tick is paired with its order.
//!
//! [`FrameId`]: saker_wire::station::FrameId
//!
//! # What holds of every run
//!
//! - One seed gives one run: the same records, capture and report, byte for byte, on every machine.
//!   Each direction of each link has a random stream of its own, drawn from the seed and its name,
//!   and each frame draws the same number of values, whatever is switched on. So neither another
//!   link nor another impairment changes what happens elsewhere.
//! - No frame vanishes: offered and copied ones are delivered, dropped for a named reason, or on
//!   the way.
//! - Time never stands still for good: a station that asks to be woken at one instant without end
//!   stops the run with its name.
//!
//! # What it is not for
//!
//! It does not model hosts: how long a machine takes is the station's own statement (`ready_at` and
//! the stages it reports). It knows no market and no protocol above Ethernet. It does no live I/O.

pub mod crowd;
pub mod demo;
pub mod measure;
pub mod replay;
pub mod report;
pub mod tap;
pub mod world;
