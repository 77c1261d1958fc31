//! Damaged files: no panic, no hang, and everything is accounted for.

use proptest::prelude::*;
use saker_fast::ResetPolicy;
use saker_lab::replay::{Prefix, ReplayOptions};

use crate::feed::{frame, messages, options, packet, pcapng, raw, replay};

fn files() -> Vec<(Vec<u8>, ReplayOptions)> {
    let units = messages(ResetPolicy::Packet);
    let mut files = Vec::new();
    for prefix in [Prefix::None, Prefix::U32Le, Prefix::U16Be] {
        files.push((raw(&units, prefix), options(prefix, ResetPolicy::Packet)));
    }
    let payload = |unit: &Vec<u8>| packet(std::slice::from_ref(unit));
    let foreign: Vec<_> =
        units.iter().map(|unit| (0, frame("239.1.1.1:9000", &payload(unit)))).collect();
    files.push((pcapng(&foreign), options(Prefix::None, ResetPolicy::Packet)));
    // Nonsense addressed to saker's own feed.
    let own: Vec<_> =
        units.iter().map(|unit| (0, frame("239.192.0.1:20001", &payload(unit)))).collect();
    let saker = ReplayOptions {
        saker_feed: true,
        stream: None,
        ..options(Prefix::None, ResetPolicy::Packet)
    };
    files.push((pcapng(&own), saker));
    for (_, options) in &mut files {
        options.stages = false;
        options.selection.checksums = saker_wire::frame::Checksums::Ignore;
    }
    files
}

fn check(bytes: &[u8], options: &ReplayOptions) {
    // What cannot begin is an error; what can is reported with sound books.
    if let Ok(outcome) = replay(bytes, options) {
        for invariant in &outcome.report.invariants {
            assert!(invariant.holds, "{}", invariant.name);
        }
        assert!(!outcome.report.to_json().is_empty());
    }
}

#[test]
fn every_truncation_is_survived() {
    for (file, options) in files() {
        for length in (0..file.len()).step_by(3) {
            check(&file[..length], &options);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_damage_is_survived(
        which in 0_usize..5,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let (mut file, options) = files().swap_remove(which);
        for (at, value) in damage {
            let at = at.index(file.len());
            file[at] = value;
        }
        check(&file, &options);
    }

    #[test]
    fn every_noise_is_survived(which in 0_usize..5, noise in prop::collection::vec(any::<u8>(), 0..400)) {
        let (_, options) = files().swap_remove(which);
        check(&noise, &options);
    }
}
