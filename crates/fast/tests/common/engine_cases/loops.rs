//! Cases of elements and messages of each number of rows about what the ring of fetched rows has behind the one in hand
//! (MICROCODE.md §6), which come as fast as they may, and wait for their bytes.

use saker_fast::microcode::assemble;

use super::{Case, Input, PACES, Pace};

/// Rows of an element, and of a message: the ring has sixteen.
const MOST_ROWS: usize = 19;

pub fn cases() -> Vec<Case> {
    (1..=MOST_ROWS).flat_map(|rows| PACES.map(|pace| case(rows, pace))).collect()
}

/// A template with a sequence of elements of so many rows, one of so many rows, one of a row.
fn case(rows: usize, pace: Pace) -> Case {
    let tags: String = (0..=MOST_ROWS).map(|tag| format!(".tag {tag} - \"F{tag}\"\n")).collect();
    let some = |end: &str| -> String {
        let row = |at| {
            let behind = if at == rows { format!(" -> {end}") } else { String::new() };
            format!("u64 @{at}{behind}\n")
        };
        (1..=rows).map(row).collect()
    };
    let behind = rows + 1;
    let other = rows + 2;
    let last = 2 * rows + 2;
    let listing = format!(
        "{HEAD}{tags}.template 0 1 \"S\"\n.template 1 2 \"M\"\n.template 2 3 \"O\"\n\
         .entry 0 0 r0\n.entry 1 0 r{other}\n.entry 2 0 r{last}\n\
         r0: len @0 -> seq r{behind}\n{}r{behind}: u64 @0 -> end\n\
         r{other}: {}r{last}: u64 @0 -> end\n",
        some("loop"),
        some("end"),
    );
    let program = assemble(&listing).unwrap();
    let field = |long: bool| if long { LONG.to_vec() } else { vec![0x85] };
    let fields = |long: bool| field(long).repeat(rows);
    let sequence = |elements: u8, long: bool| {
        let length = vec![0xc0, 0x81, 0x80 | elements];
        [length, fields(long).repeat(usize::from(elements)), field(long)].concat()
    };
    let message = |long: bool| [vec![0xc0, 0x82], fields(long)].concat();
    // Without an identifier, as the one before.
    let again = |long: bool| [vec![0x80], fields(long)].concat();
    let other = || vec![0xc0, 0x83, 0x86];
    let packets = [false, true].into_iter().flat_map(|long| {
        let mixed = [sequence(2, long), sequence(2, !long), message(long), message(!long)];
        [
            [sequence(1, long), sequence(2, long), sequence(4, long), sequence(0, long)].concat(),
            [message(long), message(long), again(long), other(), message(long)].concat(),
            mixed.concat(),
            message(long),
            message(!long),
            other(),
        ]
    });
    Case {
        name: format!("loops of {rows} rows"),
        program,
        packets: packets.map(Input::from).collect(),
        pace,
    }
}

/// More than the bytes of a word.
const LONG: [u8; 10] = [0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0x85];

const HEAD: &str = ".set strict=yes reset=packet preamble=0\n\
                    .set max_text=64 max_elements=64 max_rows=1048576\n";
