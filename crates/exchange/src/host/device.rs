//! The network device that smoltcp sees: one frame in, a queue of frames out.

use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant;

/// Largest frame without FCS: a 1500-byte IP packet behind an Ethernet header.
const MAX_FRAME: usize = 1514;

/// Queues between the station and smoltcp.
#[derive(Debug, Default)]
pub struct QueueDevice {
    /// The frame that has arrived and is not yet read.
    pub received: Option<Vec<u8>>,
    /// Frames that smoltcp has sent, in order.
    pub sent: Vec<Vec<u8>>,
}

/// The token of a frame that has arrived.
pub struct Received(Vec<u8>);

/// The token of a frame to send.
pub struct Transmit<'a>(&'a mut Vec<Vec<u8>>);

impl Device for QueueDevice {
    type RxToken<'a> = Received;
    type TxToken<'a> = Transmit<'a>;

    fn receive(&mut self, _now: Instant) -> Option<(Received, Transmit<'_>)> {
        let frame = self.received.take()?;
        Some((Received(frame), Transmit(&mut self.sent)))
    }

    fn transmit(&mut self, _now: Instant) -> Option<Transmit<'_>> {
        Some(Transmit(&mut self.sent))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = MAX_FRAME;
        capabilities
    }
}

impl RxToken for Received {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(&self.0)
    }
}

impl TxToken for Transmit<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, f: F) -> R {
        let mut frame = vec![0; len];
        let result = f(&mut frame);
        self.0.push(frame);
        result
    }
}
