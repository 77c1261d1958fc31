//! Which frame led to which.

use saker_wire::station::FrameId;

/// For each frame of the run, the frame it answers, forwards or copies.
///
/// Stations name the cause of what they send, a switch that of what it forwards, and a line's
/// second copy descends from the frame it copies. So a fill can be followed back through the
/// exchange, the switch and the trader to the tick that led to it.
#[derive(Debug, Default)]
pub struct Lineage {
    /// Indexed by frame id less one; 0 stands for no cause.
    parents: Vec<FrameId>,
}

impl Lineage {
    /// Names the next frame, and notes what led to it. Ids begin with 1.
    pub(crate) fn name(&mut self, cause: Option<FrameId>) -> FrameId {
        self.parents.push(cause.unwrap_or(0));
        self.parents.len() as FrameId
    }

    /// The frame that led to `id`.
    #[must_use]
    pub fn parent(&self, id: FrameId) -> Option<FrameId> {
        let index = usize::try_from(id.checked_sub(1)?).ok()?;
        // A station can only name frames it has seen, which are older. Anything else is no cause,
        // which also keeps every walk finite.
        self.parents.get(index).copied().filter(|&parent| parent != 0 && parent < id)
    }

    /// `id`, what led to it, what led to that, and so on.
    pub fn ancestors(&self, id: FrameId) -> impl Iterator<Item = FrameId> + '_ {
        std::iter::successors(Some(id), |&id| self.parent(id))
    }

    /// How many frames have been named.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.parents.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_end_at_a_frame_without_cause() {
        let mut lineage = Lineage::default();
        let tick = lineage.name(None);
        let order = lineage.name(Some(tick));
        let forwarded = lineage.name(Some(order));
        assert_eq!(lineage.ancestors(forwarded).collect::<Vec<_>>(), [3, 2, 1]);
    }

    #[test]
    fn impossible_causes_are_no_causes() {
        let mut lineage = Lineage::default();
        let own = lineage.name(Some(1));
        let future = lineage.name(Some(99));
        assert_eq!(lineage.parent(own), None);
        assert_eq!(lineage.parent(future), None);
        assert_eq!(lineage.parent(0), None);
        assert_eq!(lineage.parent(50), None);
    }
}
