//! Putting a world together, and asking it what happened.

use std::any::Any;
use std::io::Write;

use saker_wire::capture::Writer;
use saker_wire::station::Station;
use saker_wire::time::Nanos;

use super::link::Line;
use super::{
    BuildError, Directed, LATE_REPORT_NS, LineId, Lineage, LinkConfig, LinkCount, LinkId,
    LinkStats, Node, NodeId, Port, StageRecord, World,
};
use crate::tap::{Classifier, Tap, TapId, interfaces};

impl World {
    /// Adds a station. Its first wake is read at once.
    ///
    /// # Errors
    /// [`BuildError::NameTaken`].
    pub fn add_station(
        &mut self,
        name: &str,
        station: impl Station + Any,
    ) -> Result<NodeId, BuildError> {
        if self.nodes.iter().any(|node| node.name == name) {
            return Err(BuildError::NameTaken(name.to_owned()));
        }
        let cut_through = station.cut_through();
        if cut_through {
            self.sight_lag = LATE_REPORT_NS;
        }
        self.nodes.push(Node {
            name: name.to_owned(),
            station: Box::new(station),
            ports: Vec::new(),
            unconnected: 0,
            cut_through,
            wake_at: None,
            wake_generation: 0,
            wakes: 0,
            woken_at: 0,
        });
        let node = self.nodes.len() - 1;
        self.schedule_wake(node).expect("a station that was never woken cannot be livelocked");
        Ok(NodeId(node))
    }

    /// Puts a cable between two ports; both directions have the same properties but draw from
    /// streams of their own.
    ///
    /// # Errors
    /// A taken name or port, an unknown station, a rate of 0.
    pub fn connect(
        &mut self,
        name: &str,
        a: Port,
        b: Port,
        config: LinkConfig,
    ) -> Result<LinkId, BuildError> {
        self.connect_asymmetric(name, a, b, config.clone(), config)
    }

    /// Puts a cable between two ports whose directions (`a` to `b`, `b` to `a`) differ.
    ///
    /// # Errors
    /// As [`World::connect`].
    pub fn connect_asymmetric(
        &mut self,
        name: &str,
        a: Port,
        b: Port,
        a_to_b: LinkConfig,
        b_to_a: LinkConfig,
    ) -> Result<LinkId, BuildError> {
        if self.link_names.iter().any(|taken| taken == name) {
            return Err(BuildError::NameTaken(name.to_owned()));
        }
        if a_to_b.rate_bps == 0 || b_to_a.rate_bps == 0 {
            return Err(BuildError::ZeroRate(name.to_owned()));
        }
        self.check_free(a)?;
        self.check_free(b)?;
        if a == b {
            return Err(self.port_taken(b));
        }
        let link = LinkId(self.link_names.len());
        self.link_names.push(name.to_owned());
        self.lay(name, a, b, a_to_b);
        self.lay(name, b, a, b_to_a);
        Ok(link)
    }

    fn check_free(&self, at: Port) -> Result<(), BuildError> {
        let node = self.nodes.get(at.node.0).ok_or(BuildError::UnknownStation)?;
        match node.ports.get(usize::from(at.port)) {
            Some(Some(_)) => Err(self.port_taken(at)),
            _ => Ok(()),
        }
    }

    fn port_taken(&self, at: Port) -> BuildError {
        BuildError::PortTaken { station: self.nodes[at.node.0].name.clone(), port: at.port }
    }

    /// Lays one direction of a cable.
    fn lay(&mut self, name: &str, from: Port, to: Port, config: LinkConfig) {
        let from_name = &self.nodes[from.node.0].name;
        let to_name = &self.nodes[to.node.0].name;
        // The direction is told by its ports: two stations may share several links, and a link may
        // lead from a station to itself.
        let direction = format!("{name}: {from_name}.{} -> {to_name}.{}", from.port, to.port);
        let rate_bps = config.rate_bps;
        let line = Line::new(config, self.seed, &direction);
        let id = LineId(self.lines.len());
        self.lines.push(Directed {
            name: direction,
            line,
            rate_bps,
            to,
            on_the_way: 0,
            tx_tap: None,
            rx_tap: None,
        });
        let ports = &mut self.nodes[from.node.0].ports;
        let index = usize::from(from.port);
        if ports.len() <= index {
            ports.resize(index + 1, None);
        }
        ports[index] = Some(id);
    }

    /// Taps the cable at `at`: both ways of that port. All taps come before the capture.
    ///
    /// # Errors
    /// A taken name, a port without a cable or with a tap, a capture that has begun.
    pub fn tap(&mut self, name: &str, at: Port, classify: Classifier) -> Result<TapId, BuildError> {
        if self.capture.is_some() {
            return Err(BuildError::CaptureBegun);
        }
        if self.taps.iter().any(|tap| tap.name == name) {
            return Err(BuildError::NameTaken(name.to_owned()));
        }
        let node = self.nodes.get(at.node.0).ok_or(BuildError::UnknownStation)?;
        let outward = node.ports.get(usize::from(at.port)).copied().flatten();
        let Some(LineId(outward)) = outward else {
            return Err(BuildError::PortFree { station: node.name.clone(), port: at.port });
        };
        // The lines of a link are stored side by side, beginning at an even index.
        let inward = outward ^ 1;
        if self.lines[outward].tx_tap.is_some() {
            return Err(self.port_taken(at));
        }
        let tap = self.taps.len();
        self.taps.push(Tap::new(name, classify));
        self.lines[outward].tx_tap = Some(tap);
        self.lines[inward].rx_tap = Some(tap);
        Ok(TapId(tap))
    }

    /// Writes what the taps see to a pcapng file, from now until [`World::finish`]: nanosecond
    /// stamps, two interfaces for each tap. Give it a `BufWriter` if the sink is a file.
    ///
    /// # Errors
    /// A capture that has begun, or cannot be.
    pub fn capture_to(&mut self, sink: impl Write + 'static) -> Result<(), BuildError> {
        if self.capture.is_some() {
            return Err(BuildError::CaptureBegun);
        }
        self.capture =
            Some(Writer::new(Box::new(sink) as Box<dyn Write>, &interfaces(&self.taps))?);
        Ok(())
    }

    /// Calls `call` with the virtual instant about every `every_ns` of virtual time.
    pub fn on_progress(&mut self, every_ns: Nanos, call: impl FnMut(Nanos) + 'static) {
        self.progress = Some((every_ns.max(1), self.now, Box::new(call)));
    }

    /// The run's seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The instant at which the clock stands.
    #[must_use]
    pub fn now(&self) -> Nanos {
        self.now
    }

    /// How many events have happened.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events_done
    }

    /// A station, if it is a `T`.
    #[must_use]
    pub fn station<T: Station + Any>(&self, node: NodeId) -> Option<&T> {
        let any: &dyn Any = &*self.nodes.get(node.0)?.station;
        any.downcast_ref()
    }

    /// A station's name.
    #[must_use]
    pub fn name(&self, node: NodeId) -> Option<&str> {
        self.nodes.get(node.0).map(|node| node.name.as_str())
    }

    /// Frames that stations sent on ports without a cable.
    #[must_use]
    pub fn unconnected(&self) -> u64 {
        self.nodes.iter().map(|node| node.unconnected).sum()
    }

    /// The counts of a link: from its first port to its second, and back.
    #[must_use]
    pub fn link(&self, link: LinkId) -> [LinkStats; 2] {
        [self.lines[link.0 * 2].line.stats, self.lines[link.0 * 2 + 1].line.stats]
    }

    /// The counts of all links, each direction for itself, in the order they were laid.
    #[must_use]
    pub fn links(&self) -> Vec<LinkCount> {
        let count = |directed: &Directed| LinkCount {
            name: directed.name.clone(),
            rate_bps: directed.rate_bps,
            stats: directed.line.stats,
            on_the_way: directed.on_the_way,
        };
        self.lines.iter().map(count).collect()
    }

    /// What a tap has recorded up to the present instant.
    #[must_use]
    pub fn tapped(&self, tap: TapId) -> &Tap {
        &self.taps[tap.0]
    }

    /// Which frame led to which.
    #[must_use]
    pub fn lineage(&self) -> &Lineage {
        &self.lineage
    }

    /// The stages that stations reported, in the order they did.
    #[must_use]
    pub fn stages(&self) -> &[StageRecord] {
        &self.stages
    }
}
