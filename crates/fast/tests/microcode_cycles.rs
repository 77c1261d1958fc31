//! Cycles of small examples, worked by hand in MICROCODE.md §6.7.

#![allow(clippy::unwrap_used)]

mod common;

use common::{hex, template};
use saker_fast::ResetPolicy;
use saker_fast::microcode::{
    CompileOptions, Engine, EngineOptions, Record, RecordKind, Settings, compile,
};

fn engine(instructions: &str, precalculate: bool, wide: bool) -> Engine {
    let settings = Settings { reset: ResetPolicy::Packet, ..Settings::default() };
    let options = CompileOptions { settings, ..CompileOptions::default() };
    let program = compile(&template(instructions), &options).unwrap();
    Engine::new(program, EngineOptions { precalculate, wide }).unwrap()
}

/// The cycles of the records of a second packet in an engine that the first has warmed, counted
/// from the cycle in which its first word comes. The first message is the same.
fn cycles(engine: &mut Engine, bytes: &str) -> Vec<(RecordKind, u64)> {
    let packet = hex(bytes);
    engine.packet(&packet, &mut Vec::new());
    let start = engine.counters().cycles + 50;
    let mut records: Vec<Record> = Vec::new();
    engine.packet_at(&packet, start, false, &mut records);
    records.iter().map(|record| (record.kind, record.cycle - start)).collect()
}

use RecordKind::*;

/// Four fields in one word: the word in cycle 0, header and entities there in cycle 1, dispatch
/// in cycle 3, records in cycle 8.
#[test]
fn a_row_of_four_fields() {
    let fields = r#"<uInt32 name="A"/><uInt32 name="B"/><uInt32 name="C"/><uInt32 name="D"/>"#;
    let mut one = engine(fields, true, true);
    let expected = [(MessageBegin, 8), (UInt, 8), (UInt, 8), (UInt, 8), (UInt, 8), (MessageEnd, 8)];
    assert_eq!(cycles(&mut one, "c0 81 81 82 83 84"), expected);
    // Without pre-calculation the look-up begins in cycle 1 and takes seven cycles.
    let mut slow = engine(fields, false, true);
    let expected = expected.map(|(kind, _)| (kind, 13));
    assert_eq!(cycles(&mut slow, "c0 81 81 82 83 84"), expected);
}

/// The size of seed 004's mean message: the third word comes in cycle 2, the row that waits for it
/// is dispatched in cycle 3 and decoded in cycle 8, six cycles behind; the row after it in 9.
#[test]
fn a_message_of_21_bytes() {
    let fields = r#"<uInt32 name="A"/><uInt64 name="B"/><uInt32 name="C"/><string name="D"/>
        <int32 name="E"/>"#;
    let mut one = engine(fields, true, true);
    let bytes = "c0 81 05 66 00 82 02 52 1c 70 15 47 32 0b ee 85 41 46 4c d4 83";
    let expected =
        [(MessageBegin, 8), (UInt, 8), (UInt, 8), (UInt, 8), (Ascii, 8), (Int, 9), (MessageEnd, 9)];
    assert_eq!(hex(bytes).len(), 21);
    // The row of four waits for the third word, the fifth field takes a row of its own.
    assert_eq!(cycles(&mut one, bytes), expected);
}

/// A sequence of three elements of one row: the loop's second decision waits for nothing, the
/// first for the length: rows in cycles 3, 4, 9, 11.
#[test]
fn a_short_loop_waits_for_its_length_once() {
    let fields = r#"<sequence name="S"><uInt32 name="A"/></sequence><uInt32 name="B"/>"#;
    let mut one = engine(fields, true, true);
    let expected = [
        (MessageBegin, 8),
        (Length, 8),
        (UInt, 9),
        (ElementEnd, 9),
        (UInt, 14),
        (ElementEnd, 14),
        (UInt, 16),
        (ElementEnd, 16),
        (UInt, 18),
        (MessageEnd, 18),
    ];
    assert_eq!(cycles(&mut one, "c0 81 83 81 82 83 84"), expected);
    // A length that dispatch sees to be 1 is known two cycles sooner: rows in 3, 4 and 7.
    let expected =
        [(MessageBegin, 8), (Length, 8), (UInt, 9), (ElementEnd, 9), (UInt, 12), (MessageEnd, 12)];
    assert_eq!(cycles(&mut one, "c0 81 81 82 84"), expected);
    // An absent body is a branch that was not foreseen: rows in cycles 3 and 9.
    let expected = [(MessageBegin, 8), (Length, 8), (UInt, 14), (MessageEnd, 14)];
    assert_eq!(cycles(&mut one, "c0 81 80 84"), expected);
    // Without pre-calculation every branch costs four cycles: 8, 13, 18, 23, 28.
    let mut slow = engine(fields, false, true);
    let last = cycles(&mut slow, "c0 81 83 81 82 83 84").pop();
    assert_eq!(last, Some((MessageEnd, 33)));
}

/// A presence map inside: a row that takes it and tests it has its slots two cycles later; a later
/// row that tests it waits for nothing.
#[test]
fn a_presence_map_costs_two_cycles() {
    let copies = |names: &str| {
        names
            .chars()
            .map(|name| format!(r#"<uInt32 name="{name}"><copy/></uInt32>"#))
            .collect::<String>()
    };
    let mut one = engine(&format!(r#"<group name="G">{}</group>"#, copies("ABCDE")), true, true);
    let records = cycles(&mut one, "c0 81 fc 81 82 83 84 85");
    // Row 1 (map; mark, A, B, C) in cycles 3 and 5, row 2 (D, E, mark) in 6; the end in 8.
    assert_eq!(records[0], (MessageBegin, 8));
    assert_eq!(records[4], (UInt, 10));
    assert_eq!(records[5], (UInt, 11));
    assert_eq!(records.last(), Some(&(MessageEnd, 13)));
}

/// A string beyond eight bytes takes a second beat; without wide fields four cycles.
#[test]
fn wide_fields() {
    let fields = r#"<string name="A"/><uInt64 name="B"/><decimal name="C"/><uInt32 name="D"/>
        <uInt32 name="E"/>"#;
    let bytes = "c0 81 41 41 41 41 41 41 41 41 41 c1 01 00 00 00 00 00 00 00 80 fe 85 81 82";
    let mut one = engine(fields, true, true);
    let last = |engine: &mut Engine| cycles(engine, bytes).pop().map(|(_, cycle)| cycle);
    // 25 bytes: the fourth word in cycle 3 has only E; the row before it, in cycle 4 for D in the
    // third word... waits for cycle 3 and takes two beats, 3 and 4; E in 5.
    assert_eq!(last(&mut one), Some(10));
    // A has ten bytes, B nine: four cycles each; C one for its mantissa: E in 3 + 10.
    let mut narrow = engine(fields, true, false);
    assert_eq!(last(&mut narrow), Some(16));
}

/// The bytes of a vector are read six cycles behind its length, eight a cycle, and dispatched two
/// cycles later; scanning goes on behind them.
#[test]
fn raw_bytes() {
    let fields = r#"<byteVector name="A"/><uInt32 name="B"/>"#;
    let mut one = engine(fields, true, true);
    let bytes = "c0 81 8a 01 02 03 04 05 06 07 08 09 0a 85";
    let expected = [(MessageBegin, 8), (Bytes, 16), (Bytes, 17), (UInt, 19), (MessageEnd, 19)];
    assert_eq!(cycles(&mut one, bytes), expected);
}

/// Messages behind one another in a packet: the header takes one dispatch, three cycles behind
/// the last row's, and two to compare, and six more where the template is another.
#[test]
fn headers_inside_a_packet() {
    let mut one = engine(r#"<uInt32 name="A"/>"#, true, true);
    let records = cycles(&mut one, "c0 81 81 80 82 80 83");
    let fields: Vec<u64> =
        records.iter().filter(|(kind, _)| *kind == UInt).map(|(_, cycle)| *cycle).collect();
    // Rows in cycles 3, 9, 15; headers in 6 and 12.
    assert_eq!(fields, [8, 14, 20]);
}
