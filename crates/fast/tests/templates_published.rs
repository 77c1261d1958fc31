//! Published template files: random messages of every template survive the wire and JSON.
#![allow(clippy::unwrap_used)]

mod common;

use common::fill;
use saker_fast::{LoadOptions, ResetPolicy, Templates};

/// Switches one leniency on.
type Leniency = fn(&mut LoadOptions);

/// File, and which leniencies it needs beyond the specification's rules.
fn files() -> Vec<(&'static str, Vec<Leniency>)> {
    let any_namespace: Leniency = |options| options.any_namespace = true;
    let undeclared_prefixes: Leniency = |options| options.undeclared_prefixes = true;
    let loose_reset: Leniency = |options| options.loose_reset = true;
    let unknown_attributes: Leniency = |options| options.unknown_attributes = true;
    let empty_parts: Leniency = |options| options.empty_parts = true;
    vec![
        ("moex/test.xml", vec![]),
        ("templates/eurex-rdd-1.1.xml", vec![]),
        ("templates/eurex-rdd-1.2.xml", vec![]),
        ("templates/cme.xml", vec![any_namespace, empty_parts]),
        ("templates/forts.xml", vec![any_namespace, undeclared_prefixes, loose_reset]),
        ("templates/fast_template_STEP1.20_SZ_1.00.xml", vec![any_namespace, unknown_attributes]),
    ]
}

fn with(leniencies: &[Leniency]) -> LoadOptions {
    let mut options = LoadOptions::strict();
    leniencies.iter().for_each(|allow| allow(&mut options));
    options
}

#[test]
fn every_file_loads_with_the_leniencies_that_it_is_said_to_need() {
    for (file, leniencies) in files() {
        let Some(xml) = common::text(file) else { return };
        if let Err(error) = Templates::from_xml_with(&xml, &with(&leniencies)) {
            panic!("{file}: {error}");
        }
        for at in 0..leniencies.len() {
            let mut fewer = leniencies.clone();
            fewer.remove(at);
            let loaded = Templates::from_xml_with(&xml, &with(&fewer));
            assert!(loaded.is_err(), "{file} does not need leniency {at}");
        }
    }
}

#[test]
fn every_file_round_trips() {
    for (file, leniencies) in files() {
        let Some(xml) = common::text(file) else { return };
        let templates = Templates::from_xml_with(&xml, &with(&leniencies)).unwrap();
        for (seed, policy) in
            [(1, ResetPolicy::Never), (2, ResetPolicy::Packet), (3, ResetPolicy::Message)]
        {
            let count = 150;
            let refused = fill::round_trip(&templates, seed, count, policy);
            eprintln!("{file} {policy:?}: {refused} of {count} cannot be encoded");
            assert!(refused * 10 <= count, "{file} {policy:?}: {refused}");
        }
    }
}
