//! Loss, copies, reordering, corruption and full queues: their rates, and that no frame vanishes
//! without being counted.
#![allow(clippy::unwrap_used)] // a test may fail by panicking

mod common;

use common::{Pinger, Ponger, START, ping_pong};
use proptest::prelude::*;
use saker_lab::world::{LinkConfig, LinkStats, Probability, World};
use saker_wire::time::Nanos;

fn run(seed: u64, pinger: Pinger, there: LinkConfig) -> (World, Vec<u64>) {
    let (mut world, _, pong) = ping_pong(seed, pinger, there);
    world.run_until_idle(Nanos::MAX).unwrap();
    let heard = &world.station::<Ponger>(pong).unwrap().heard;
    let numbers = heard.iter().map(|heard| heard.number).collect();
    (world, numbers)
}

fn there(world: &World) -> LinkStats {
    world.links()[0].stats
}

/// Five standard deviations of a binomial count around its mean.
fn assert_near(count: u64, frames: u64, per_million: u64) {
    let mean = (frames * per_million / 1_000_000) as i64;
    let deviation = mean.isqrt() + 1;
    assert!((count as i64 - mean).abs() <= 5 * deviation, "{count} of {frames}, mean {mean}");
}

#[test]
fn rates_are_those_asked_for() {
    let config = LinkConfig {
        loss: Probability::per_million(10_000),
        duplicate: Probability::per_million(20_000),
        corrupt: Probability::per_million(5_000),
        reorder: Probability::per_million(30_000),
        reorder_ns: 3_000,
        jitter_ns: 100,
        ..LinkConfig::ten_gigabit(1_000)
    };
    let frames = 40_000;
    let (world, numbers) = run(11, Pinger::new(frames, 1_000, 100), config);
    let stats = there(&world);
    assert_eq!(stats.offered, frames);
    assert_near(stats.drops.loss, frames, 10_000);
    let survivors = frames - stats.drops.loss;
    assert_near(stats.duplicated, survivors, 20_000);
    assert_near(stats.reordered, survivors, 30_000);
    assert_near(stats.drops.corrupt, survivors, 5_000);
    // A frame on the longer path is overtaken by the two or three that follow within 3 µs.
    let overtaken = numbers.windows(2).filter(|pair| pair[0] > pair[1]).count() as u64;
    assert!(overtaken > stats.reordered / 2 && overtaken < stats.reordered * 2, "{overtaken}");
    assert_eq!(numbers.len() as u64, stats.delivered);
}

#[test]
fn a_clean_line_delivers_everything_in_order() {
    let (world, numbers) = run(3, Pinger::new(5_000, 1, 1_000), {
        LinkConfig { queue_bytes: 10_000_000, ..LinkConfig::ten_gigabit(10) }
    });
    assert_eq!(numbers, (0..5_000).collect::<Vec<_>>());
    assert_eq!(there(&world).drops.total(), 0);
}

#[test]
fn a_slow_line_drops_at_the_tail() {
    // 1000-byte frames every 1 µs are 8 Gbit/s into 1 Gbit/s with room for 10 frames.
    let config = LinkConfig { queue_bytes: 10_000, ..LinkConfig::one_gigabit(0) };
    let (world, numbers) = run(3, Pinger::new(1_000, 1_000, 1_000), config);
    let stats = there(&world);
    // A frame lasts (8 + 1000 + 4 + 12) * 8 = 8192 ns: in 1000 µs 122 leave, then the queue drains.
    assert!((130..=134).contains(&numbers.len()), "{}", numbers.len());
    assert_eq!(stats.drops.queue, 1_000 - numbers.len() as u64);
    assert_eq!(stats.queue_peak_bytes, 10_000);
    assert!(numbers.is_sorted());
}

#[test]
fn a_corrupt_frame_never_reaches_a_station() {
    let config = LinkConfig { corrupt: Probability::ALWAYS, ..LinkConfig::ten_gigabit(0) };
    let (world, numbers) = run(1, Pinger::new(10, 500, 60), config);
    assert_eq!((numbers.len(), there(&world).drops.corrupt), (0, 10));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Offered and copied frames are delivered, dropped for a reason or on the way, whenever one
    /// looks.
    #[test]
    fn frames_are_conserved(
        seed: u64,
        [loss, duplicate, corrupt, reorder] in prop::array::uniform4(0_u32..400_000),
        queue_bytes in 0_u64..4_000,
        bytes in 22_usize..1_600,
        gap_ns in 1_u64..4_000,
        stop in 0_u64..800_000,
    ) {
        let config = LinkConfig {
            loss: Probability::per_million(loss),
            duplicate: Probability::per_million(duplicate),
            corrupt: Probability::per_million(corrupt),
            reorder: Probability::per_million(reorder),
            reorder_ns: 5_000,
            jitter_ns: 2_000,
            queue_bytes,
            ..LinkConfig::one_gigabit(700)
        };
        let (mut world, _, pong) = ping_pong(seed, Pinger::new(200, gap_ns, bytes), config);
        for until in [START + stop, Nanos::MAX - 1] {
            world.run_until_idle(until).unwrap();
            for link in world.links() {
                let stats = link.stats;
                prop_assert_eq!(
                    stats.offered + stats.duplicated,
                    stats.delivered + stats.drops.total() + link.on_the_way
                );
            }
        }
        prop_assert_eq!(world.links()[0].on_the_way, 0);
        let heard = world.station::<Ponger>(pong).unwrap().heard.len() as u64;
        prop_assert_eq!(heard, there(&world).delivered);
    }
}
