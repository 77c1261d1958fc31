//! Every fuzz target on a compiler without sanitizers: its seeds, and deterministic changes of them.
//!
//! The fuzzer itself is `make fuzz-short` and `make fuzz-long`.
#![allow(clippy::unwrap_used)]

mod common;
#[allow(dead_code)]
#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use std::path::Path;

use common::generate::Random;

/// Changed inputs a target.
const CHANGES: u64 = 2_000;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut paths: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Changes bytes as a fuzzer does: bits, bytes, runs that are taken out, repeated or put in.
fn change(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() as u64 + 1) as usize;
        let end = (at + random.below(9) as usize).min(bytes.len());
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.next() as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let run: Vec<u8> = bytes[at..end].to_vec();
                bytes.splice(at..at, run);
            }
            4 => {
                let run: Vec<u8> = (0..random.below(9)).map(|_| random.next() as u8).collect();
                bytes.splice(at..at, run);
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
}

#[test]
fn every_target_holds_for_its_seeds_and_changes_of_them() {
    for (index, (name, run)) in fuzz::targets::ALL.iter().enumerate() {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "{name} has no seeds");
        run(&[]);
        seeds.iter().for_each(|seed| run(seed));
        let mut random = Random(index as u64);
        for round in 0..CHANGES {
            let mut bytes = match round % 8 {
                7 => (0..random.below(200)).map(|_| random.next() as u8).collect(),
                _ => seeds[random.below(seeds.len() as u64) as usize].clone(),
            };
            change(&mut random, &mut bytes);
            run(&bytes);
        }
    }
}

#[test]
fn every_target_has_a_program() {
    let manifest = include_str!("../fuzz/Cargo.toml");
    for (name, _) in fuzz::targets::ALL {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), fuzz::targets::ALL.len());
}
