//! Where the bytes of tapped frames go.

use std::io;

use saker_wire::time::Nanos;

/// Takes tapped frames, in order of time.
pub trait CaptureSink {
    /// One frame (header to payload, without FCS) whose first byte passed at `first_ns`.
    ///
    /// # Errors
    /// What the sink's writer says; the run stops.
    fn frame(
        &mut self,
        interface: u32,
        first_ns: Nanos,
        bytes: &[u8],
        comment: Option<&str>,
    ) -> io::Result<()>;

    /// The run is over.
    ///
    /// # Errors
    /// What the sink's writer says.
    fn finish(&mut self) -> io::Result<()>;
}
