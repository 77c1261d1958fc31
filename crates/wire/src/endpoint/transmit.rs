//! What the endpoint asks its owner to send.

use crate::tcp::TcpHeader;

/// Why a segment is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransmitKind {
    /// A SYN or SYN-ACK.
    Syn,
    /// New data, possibly with the FIN behind them; or the FIN alone.
    Data,
    /// Data or FIN sent before.
    Retransmission,
    /// A zero-window probe (RFC 9293 section 3.8.6.1).
    WindowProbe,
    /// An acknowledgement without data.
    Ack,
    /// A keep-alive probe (RFC 9293 section 3.8.4).
    KeepAlive,
    /// A reset.
    Reset,
}

/// A segment to send; its payload is in the buffer given to
/// [`poll_transmit`](super::Endpoint::poll_transmit).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transmit {
    /// The header.
    pub header: TcpHeader,
    /// Why it is sent.
    pub kind: TransmitKind,
    options: [u8; 8],
    options_len: u8,
}

impl Transmit {
    pub(super) fn new(kind: TransmitKind, header: TcpHeader) -> Transmit {
        Transmit { header, kind, options: [0; 8], options_len: 0 }
    }

    /// Adds the options of a SYN: the MSS, and the window scale behind a NOP.
    pub(super) fn with_syn_options(mut self, mss: u16, window_shift: Option<u8>) -> Transmit {
        let [high, low] = mss.to_be_bytes();
        self.options[..4].copy_from_slice(&[2, 4, high, low]);
        self.options_len = 4;
        if let Some(shift) = window_shift {
            self.options[4..].copy_from_slice(&[1, 3, 3, shift]);
            self.options_len = 8;
        }
        self
    }

    /// The option bytes: empty but in a SYN, a multiple of 4 long.
    pub fn options(&self) -> &[u8] {
        &self.options[..usize::from(self.options_len)]
    }
}
