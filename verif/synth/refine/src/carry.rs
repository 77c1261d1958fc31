//! By which of its LUT's pins each operand of a carry goes in.
//!
//! Half a carry cell is a LUT whose output says whether the carry passes; where it does not, what goes on is told
//! by the LUT's lowest four bits, with A and B alone. On an ECP5 pin D is reached 300 ps sooner than A and B, which
//! mapping uses for both operands of a sum. Where the carry does not pass they are equal, or opposite: so one of them
//! is enough on A or B, and what comes late goes in by D. nextpnr exchanges no pins of a carry; this writes the
//! table that means the same.

use crate::netlist::{Kind, LETTERS, Netlist, Repin, Table};
use crate::timing::Connection;
use crate::ways::Ways;

const PINS: usize = LETTERS.len();

/// The table of half a carry cell whose input `from[n]` goes to `to[n]`; none if there is no such table. What is
/// connected to nothing is 1.
fn moved(table: Table, from: &[usize], to: &[usize]) -> Option<Table> {
    let index = |pins: &[usize], values: usize| -> usize {
        let all = (1 << PINS) - 1;
        let bits = pins.iter().enumerate();
        bits.fold(all, |index, (at, pin)| index & !((!values >> at & 1) << pin))
    };
    let free: Vec<usize> = (0..2).filter(|pin| !to.contains(pin)).collect();
    let mut bits = [None; 1 << PINS];
    let mut set = |index: usize, bit: Table| {
        // Whatever A and B are if they are not connected.
        (0..1usize << free.len()).all(|values| {
            let pins = free.iter().enumerate();
            let index = pins.fold(index, |index, (at, pin)| index & !((values >> at & 1) << pin));
            *bits[index].get_or_insert(bit) == bit
        })
    };
    for values in 0..1usize << from.len() {
        let (old, new) = (index(from, values), index(to, values));
        let passes = table >> old & 1;
        if !set(new, passes) || (passes == 0 && !set(new & 3, table >> (old & 3) & 1)) {
            return None;
        }
    }
    Some(bits.into_iter().enumerate().map(|(at, bit)| bit.unwrap_or(0) << at).sum())
}

/// All ways to so many different pins.
fn ways_to(count: usize) -> impl Iterator<Item = Vec<usize>> {
    let digits = move |number: usize| (0..count).map(move |at| number / PINS.pow(at as u32) % PINS);
    (0..PINS.pow(count as u32))
        .map(move |number| digits(number).collect::<Vec<usize>>())
        .filter(|pins| (1..pins.len()).all(|at| !pins[..at].contains(&pins[at])))
}

/// Whether some carry has an operand at another pin than mapping gives it.
pub fn led(netlist: &Netlist) -> bool {
    let by_c_or_d = |kind| matches!(kind, Kind::Comb(comb) if comb.carry && comb.inputs >> 2 != 0);
    netlist.cells.iter().any(|cell| by_c_or_d(cell.kind))
}

/// Which carries' operands to lead to other pins, so that what comes late gets the nearest one.
pub fn choose(
    netlist: &Netlist,
    connections: &[Connection],
    ways: &Ways,
    through: &[i32],
) -> Vec<Repin> {
    let mut ends = vec![Vec::new(); netlist.cells.len()];
    for (number, connection) in connections.iter().enumerate() {
        ends[connection.to.cell as usize].push(number);
    }
    let letter =
        |end: usize| LETTERS.iter().position(|letter| *letter == netlist.port(connections[end].to));
    let place = |cell: u32| netlist.cells[cell as usize].place;
    let time = |end: usize, pin: usize| {
        let Connection { from, to, .. } = &connections[end];
        ways.delay_at(end, place(from.cell), place(to.cell), pin as u8)
    };
    let each = (0..netlist.cells.len()).filter_map(|cell| {
        let Kind::Comb(comb) = netlist.cells[cell].kind else { return None };
        let table = comb.table?;
        // Of each operand the pin that it goes in by, and its connection.
        let inputs: Vec<(usize, usize)> =
            ends[cell].iter().filter_map(|&end| Some((letter(end)?, end))).collect();
        let all_known = inputs.len() == comb.inputs.count_ones() as usize;
        if !comb.carry || comb.injects || inputs.is_empty() || !all_known {
            return None;
        }
        let from: Vec<usize> = inputs.iter().map(|&(pin, _)| pin).collect();
        let longest = |to: &[usize]| {
            let pins = inputs.iter().zip(to);
            let paths =
                pins.map(|(&(pin, end), &to)| through[end] + time(end, to) - time(end, pin));
            let mut paths: Vec<i32> = paths.collect();
            paths.sort_unstable_by_key(|path| -path);
            paths
        };
        let found = ways_to(from.len())
            .filter_map(|to| Some((longest(&to), moved(table, &from, &to)?, to)));
        let (paths, table, to) = found.min()?;
        (paths < longest(&from)).then_some(Repin { cell: cell as u32, from, to, table })
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the carry passes and, if not, what goes on.
    fn does(table: Table, pins: &[usize], values: usize) -> (Table, Option<Table>) {
        let index = (0..PINS).fold(0, |index, pin| {
            let at = pins.iter().position(|own| *own == pin);
            index | at.map_or(1, |at| values >> at & 1) << pin
        });
        let passes = table >> index & 1;
        (passes, (passes == 0).then_some(table >> (index & 3) & 1))
    }

    /// The tables that mapping makes: sums, differences, one operand and a constant.
    const SUM: Table = 0b0110_0110_1010_1010;
    const DIFFERENCE: Table = 0b1001_0110_1010_1010;
    const CONSTANT: Table = 0b0101_1010_1010_1010;
    const CARRY_IN: Table = 0b0000_0000_0000_1010;

    #[test]
    fn a_carry_does_the_same_by_other_pins() {
        let mut found = 0;
        for (table, from) in [
            (SUM, &[0, 1][..]),
            (DIFFERENCE, &[0, 1]),
            (CONSTANT, &[0]),
            (CARRY_IN, &[0]),
            (0xcc00, &[1]),
        ] {
            for to in ways_to(from.len()) {
                let Some(new) = moved(table, from, &to) else { continue };
                found += 1;
                for values in 0..1 << from.len() {
                    assert_eq!(
                        does(new, &to, values),
                        does(table, from, values),
                        "{table:016b} {to:?}"
                    );
                }
            }
        }
        assert!(found > 20, "{found} ways");
    }

    #[test]
    fn one_operand_stays_on_a_or_b() {
        for table in [SUM, DIFFERENCE] {
            assert!(moved(table, &[0, 1], &[3, 1]).is_some());
            assert!(moved(table, &[0, 1], &[0, 3]).is_some());
            assert_eq!(moved(table, &[0, 1], &[2, 3]), None);
        }
        assert!(moved(CONSTANT, &[0], &[3]).is_some());
        // What goes on is the operand itself, whether or not anything passes.
        assert_eq!(moved(CARRY_IN, &[0], &[3]), None);
    }

    #[test]
    fn pins_are_taken_once() {
        assert_eq!(ways_to(1).count(), 4);
        assert_eq!(ways_to(2).count(), 12);
    }
}
