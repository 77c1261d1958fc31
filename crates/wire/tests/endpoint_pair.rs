//! The endpoint against itself through an impaired link.

#![allow(clippy::unwrap_used)] // a test may fail

mod endpoint_support;

use endpoint_support::link::{Impairment, Link};
use endpoint_support::party::{Habits, Party};
use endpoint_support::setup::{CLIENT, SERVER, config, isn, path, random_config, random_habits};
use fastrand::Rng;
use saker_wire::endpoint::{Config, Endpoint, Event, ResetReason, State};
use saker_wire::time::{MICROSECOND, Nanos};

struct World {
    now: Nanos,
    link: Link,
    parties: [Party; 2],
    rng: Rng,
    steps: u64,
    quiet_steps: u32,
}

impl World {
    fn new(
        seed: u64,
        impairment: Impairment,
        configs: [Config; 2],
        habits: [Habits; 2],
        isns: [u32; 2],
    ) -> World {
        let [client, server] = configs;
        let client = Endpoint::connect(client, isns[0], 0).unwrap();
        let server = Endpoint::listen(server, isns[1]).unwrap();
        World {
            now: 0,
            link: Link::new(impairment, seed ^ 1),
            parties: [
                Party::new(client, isns[0], path(CLIENT, SERVER), habits[0], seed ^ 2),
                Party::new(server, isns[1], path(SERVER, CLIENT), habits[1], seed ^ 3),
            ],
            rng: Rng::with_seed(seed ^ 4),
            steps: 0,
            quiet_steps: 0,
        }
    }

    fn random(seed: u64, bytes: [usize; 2]) -> World {
        let mut rng = Rng::with_seed(seed);
        let configs = [
            random_config(&mut rng, CLIENT.port(), SERVER.port()),
            random_config(&mut rng, SERVER.port(), 0),
        ];
        let habits = [random_habits(&mut rng), random_habits(&mut rng)];
        let isns = [isn(&mut rng), isn(&mut rng)];
        let mut world = World::new(seed, Impairment::random(&mut rng), configs, habits, isns);
        for (party, bytes) in world.parties.iter_mut().zip(bytes) {
            party.to_write = bytes;
        }
        world
    }

    /// One event: the next arrival, deadline or tick of the applications.
    fn step(&mut self) {
        self.steps += 1;
        assert!(self.steps < 2_000_000, "the run ends: {:?}", self.states());
        let mut frames = [Vec::new(), Vec::new()];
        while let Some((to, bytes)) = self.link.arrived(self.now) {
            self.parties[to].receive(self.now, &bytes, &mut frames[to]);
        }
        for (party, out) in self.parties.iter_mut().zip(&mut frames) {
            party.step(self.now, out);
        }
        for (from, frames) in frames.into_iter().enumerate() {
            for bytes in frames {
                self.link.send(self.now, 1 - from, bytes);
            }
        }
        // The applications tick faster while something moves.
        self.quiet_steps =
            if self.link.next_arrival().is_some() { 0 } else { self.quiet_steps + 1 };
        let stretch = 1 << self.quiet_steps.min(10);
        let tick = self.now + self.rng.u64(10..400) * MICROSECOND * stretch;
        let soonest = [self.link.next_arrival(), Some(tick)];
        let deadlines = self.parties.iter().map(|party| party.endpoint.next_deadline());
        let next = soonest.into_iter().chain(deadlines).flatten().min().unwrap();
        self.now = next.max(self.now + 1);
    }

    fn states(&self) -> [State; 2] {
        [self.parties[0].endpoint.state(), self.parties[1].endpoint.state()]
    }

    fn run_until(&mut self, is_over: impl Fn(&World) -> bool) {
        while !is_over(self) {
            self.step();
        }
    }

    fn run_to_the_end(&mut self) {
        self.run_until(|world| {
            world.parties.iter().all(|p| {
                p.is_done() && p.endpoint.state() == State::Closed && p.endpoint.readable() == 0
            })
        });
    }

    fn assert_everything_arrived(&self, seed: u64, bytes: [usize; 2]) {
        for (from, to) in [(0, 1), (1, 0)] {
            let (sender, receiver) = (&self.parties[from], &self.parties[to]);
            assert_eq!(sender.stream.len(), bytes[from], "seed {seed}");
            assert!(sender.stream == receiver.received, "seed {seed}: bytes differ");
            for party in [sender, receiver] {
                let told = |event| party.events.iter().filter(|e| **e == event).count();
                assert_eq!(told(Event::Connected), 1, "seed {seed}");
                assert_eq!(told(Event::PeerClosed), 1, "seed {seed}");
                assert_eq!(told(Event::Closed), 1, "seed {seed}: {:?}", party.events);
            }
            let counters = sender.endpoint.counters();
            assert_eq!(counters.delegated_segments, sender.fired, "seed {seed}");
            assert_eq!(
                counters.bytes_out + counters.delegated_bytes,
                bytes[from] as u64,
                "seed {seed}"
            );
        }
    }
}

#[test]
fn random_weather_loses_nothing() {
    let (mut fired, mut early, mut fast) = (0, 0, 0);
    for seed in 0..120u64 {
        let bytes = if seed.is_multiple_of(10) { [200_000, 200_000] } else { [30_000, 20_000] };
        let mut world = World::random(seed, bytes);
        world.parties[(seed % 2) as usize].close_after_peer = seed.is_multiple_of(3);
        world.run_to_the_end();
        world.assert_everything_arrived(seed, bytes);
        for party in &world.parties {
            let counters = party.endpoint.counters();
            fired += party.fired;
            early += counters.early_acks;
            fast += counters.fast_retransmits;
        }
    }
    assert!(fired > 1000 && early > 100, "delegated sends and their race: {fired}, {early}");
    assert!(fast > 100, "{fast} fast retransmits");
}

#[test]
fn a_reset_in_the_middle_ends_both_sides() {
    for seed in 1000..1050u64 {
        let mut world = World::random(seed, [100_000, 100_000]);
        let stop_at = world.rng.usize(1..30_000);
        world.run_until(|world| world.parties[1].received.len() >= stop_at);
        let aborter = (seed % 2) as usize;
        world.parties[aborter].endpoint.abort();
        world.parties[aborter].to_write = 0;
        assert_eq!(world.parties[aborter].endpoint.state(), State::Closed);
        // The reset may be lost; the answer to whatever the other side sends next is one too.
        world.parties[1 - aborter].habits.write = 1000;
        world.run_until(|world| world.states() == [State::Closed; 2]);
        let (one, other) = (&world.parties[aborter], &world.parties[1 - aborter]);
        assert!(one.stream.len() < 100_000 || other.stream.len() < 100_000);
        world.step();
        assert!(world.parties[aborter].events.contains(&Event::Reset(ResetReason::Aborted)));
        let heard = &world.parties[1 - aborter].events;
        assert!(heard.contains(&Event::Reset(ResetReason::ByPeer)), "seed {seed}: {heard:?}");
    }
}

#[test]
fn a_receiver_that_sleeps_is_probed_and_loses_nothing() {
    let mut probes = 0;
    for seed in 2000..2010 {
        let mut world = World::random(seed, [60_000, 0]);
        world.parties[1].habits.read = 0;
        world.run_until(|world| {
            world.parties[0].endpoint.counters().window_probes >= 8
                || world.parties[0].is_done() && world.parties[0].endpoint.unacknowledged() == 0
        });
        world.parties[1].habits.read = 1000;
        world.run_to_the_end();
        world.assert_everything_arrived(seed, [60_000, 0]);
        probes += world.parties[0].endpoint.counters().window_probes;
    }
    assert!(probes > 30, "{probes} probes");
}

#[test]
fn both_open_at_the_same_time() {
    // RFC 9293 section 3.5, figure 7.
    for seed in 3000..3020u64 {
        let mut rng = Rng::with_seed(seed);
        let weather =
            if seed.is_multiple_of(2) { Impairment::NONE } else { Impairment::random(&mut rng) };
        let configs = [config(CLIENT.port(), SERVER.port()), config(SERVER.port(), CLIENT.port())];
        let isns = [isn(&mut rng), isn(&mut rng)];
        let mut world = World::new(seed, weather, configs.clone(), [Habits::PLAIN; 2], isns);
        let [_, server] = configs;
        world.parties[1].endpoint = Endpoint::connect(server, isns[1], 0).unwrap();
        for party in &mut world.parties {
            party.to_write = 5000;
        }
        world.run_to_the_end();
        world.assert_everything_arrived(seed, [5000, 5000]);
    }
}
