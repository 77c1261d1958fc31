//! Delays inside cells, as nextpnr writes them (`--sdf`).

use crate::netlist::{LETTERS, is_clock};
use rustc_hash::{FxHashMap, FxHashSet};

/// Picoseconds in the slowest corner, by the cell's name and its ports'.
#[derive(Default)]
pub struct Sdf {
    /// From an input of a cell to an output.
    pub inside: FxHashMap<(String, String, String), i32>,
    /// Before a clock's edge.
    pub setup: FxHashMap<(String, String), i32>,
    /// From a clock's edge.
    pub launch: FxHashMap<(String, String), i32>,
    /// Of the wire to an input, whose text is `cell/port`.
    pub wires: FxHashMap<String, i32>,
}

const STORES: &[&str] = &["TRELLIS_FF", "DP16KD", "PDPW16KD"];

impl Sdf {
    /// Takes a file's text; lines that say something else are passed over.
    pub fn read(text: &str) -> Self {
        let mut sdf = Self::default();
        let (mut cell, mut kind) = (String::new(), "");
        for line in text.lines().map(str::trim) {
            if let Some(rest) = line.strip_prefix("(CELLTYPE \"") {
                kind = rest.trim_end_matches(['"', ')']);
            } else if let Some(rest) = line.strip_prefix("(INSTANCE") {
                cell = plain(rest.trim().trim_end_matches(')'));
            } else if let Some(rest) = line.strip_prefix("(SETUPHOLD (posedge ") {
                let Some((port, rest)) = rest.split_once(')') else { continue };
                let Some(time) = worst(rest) else { continue };
                sdf.setup.insert((cell.clone(), plain(port)), time.max(0));
            } else if let Some((_, to, time)) = delay(line, "(INTERCONNECT ") {
                sdf.wires.insert(plain(to), time);
            } else if let Some((from, to, time)) = delay(line, "(IOPATH ") {
                let known = if STORES.contains(&kind) || is_clock(from) {
                    sdf.launch.entry((cell.clone(), plain(to))).or_insert(time)
                } else {
                    sdf.inside.entry((cell.clone(), plain(from), plain(to))).or_insert(time)
                };
                *known = time.max(*known);
            }
        }
        sdf
    }
}

impl Sdf {
    /// Takes what is known of a cell for others that are like it; `originals` tells it of each of those.
    pub fn alike(&mut self, originals: &FxHashMap<String, String>) {
        let mut new: FxHashMap<&str, Vec<&String>> = FxHashMap::default();
        for (cell, original) in originals {
            new.entry(original).or_default().push(cell);
        }
        let new_of = |cell: &String| new.get(cell.as_str()).into_iter().flatten().copied().cloned();
        let inside = self.inside.iter().flat_map(|((cell, from, to), &time)| {
            new_of(cell).map(move |cell| ((cell, from.clone(), to.clone()), time))
        });
        let inside: Vec<_> = inside.collect();
        self.inside.extend(inside);
        for times in [&mut self.setup, &mut self.launch] {
            let more = times.iter().flat_map(|((cell, port), &time)| {
                new_of(cell).map(move |cell| ((cell, port.clone()), time))
            });
            let more: Vec<_> = more.collect();
            times.extend(more);
        }
    }

    /// Takes what is known of a LUT's inputs for those that it did not have: all take as long.
    pub fn all_inputs<'a>(&mut self, luts: impl Iterator<Item = &'a String>) {
        for lut in luts {
            for output in ["F", "FCO"] {
                let key = |letter: &str| (lut.clone(), letter.to_owned(), output.to_owned());
                let known = LETTERS.iter().filter_map(|letter| self.inside.get(&key(letter)));
                if let Some(slowest) = known.copied().max() {
                    self.inside.extend(LETTERS.map(|letter| (key(letter), slowest)));
                }
            }
        }
    }

    /// Takes cells from another that are not known here.
    pub fn complete(&mut self, other: Self) {
        let clocked = self.setup.keys().chain(self.launch.keys()).map(|(cell, _)| cell);
        let known: FxHashSet<String> =
            self.inside.keys().map(|(cell, ..)| cell).chain(clocked).cloned().collect();
        self.inside
            .extend(other.inside.into_iter().filter(|((cell, ..), _)| !known.contains(cell)));
        for (times, more) in [(&mut self.setup, other.setup), (&mut self.launch, other.launch)] {
            times.extend(more.into_iter().filter(|((cell, _), _)| !known.contains(cell)));
        }
    }

    /// As text, which `read` takes; of wires as many as `wires` gives: from where, to where, and how long.
    pub fn text(&self, wires: impl Iterator<Item = (String, String, i32)>) -> String {
        let mut lines: Vec<String> = wires
            .map(|(from, to, time)| format!("(INTERCONNECT {from} {to} (0:0:{time}))\n"))
            .collect();
        let of = |cell: &str| format!("(CELLTYPE \"\")\n(INSTANCE {cell})\n");
        lines.extend(self.inside.iter().map(|((cell, from, to), time)| {
            format!("{}(IOPATH {from} {to} (0:0:{time}))\n", of(cell))
        }));
        lines.extend(
            self.launch.iter().map(|((cell, port), time)| {
                format!("{}(IOPATH CLK {port} (0:0:{time}))\n", of(cell))
            }),
        );
        lines.extend(self.setup.iter().map(|((cell, port), time)| {
            format!("{}(SETUPHOLD (posedge {port}) (posedge CLK) (0:0:{time}))\n", of(cell))
        }));
        lines.concat()
    }
}

/// Names without their backslashes.
fn plain(name: &str) -> String {
    let mut found = String::with_capacity(name.len());
    let mut escaped = false;
    for letter in name.chars() {
        escaped = letter == '\\' && !escaped;
        if !escaped {
            found.push(letter);
        }
    }
    found
}

/// The last of the first `(least:typical:most)`.
fn worst(text: &str) -> Option<i32> {
    let inner = text.split('(').find(|part| part.contains(':'))?;
    inner.split(')').next()?.rsplit(':').next()?.parse().ok()
}

/// From where to where, and how long.
fn delay<'a>(line: &'a str, what: &str) -> Option<(&'a str, &'a str, i32)> {
    let rest = line.strip_prefix(what)?;
    let (from, rest) = rest.split_once(' ')?;
    let (to, rest) = rest.split_once(' ')?;
    Some((from, to, worst(rest)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_slowest_corner() {
        let sdf = Sdf::read(
            r#"(CELLTYPE "TRELLIS_COMB")
               (INSTANCE lut\[3\])
               (IOPATH A F (1:2:3) (1:2:3))
               (IOPATH A F (1:2:9) (1:2:9))
               (CELLTYPE "TRELLIS_FF")
               (INSTANCE flag)
               (IOPATH CLK Q (300:350:395) (0:0:0))
               (SETUPHOLD (posedge DI) (posedge CLK) (-5:-1:7) (0:0:0))
               (SETUPHOLD (posedge"#,
        );
        let key = |cell: &str, port: &str| (cell.to_owned(), port.to_owned());
        assert_eq!(sdf.inside[&("lut[3]".to_owned(), "A".to_owned(), "F".to_owned())], 9);
        assert_eq!(sdf.launch[&key("flag", "Q")], 395);
        assert_eq!(sdf.setup[&key("flag", "DI")], 7);
    }

    #[test]
    fn reads_what_it_writes() {
        let mut sdf = Sdf::default();
        let of = |cell: &str, port: &str| (cell.to_owned(), port.to_owned());
        sdf.inside.insert(("lut[3]".to_owned(), "A".to_owned(), "F".to_owned()), 9);
        sdf.launch.insert(of("flag", "Q"), 395);
        sdf.setup.insert(of("flag", "DI"), 7);
        let wires = [("lut[3]/F".to_owned(), "flag/DI".to_owned(), 123)];
        let read = Sdf::read(&sdf.text(wires.into_iter()));
        assert_eq!(read.inside, sdf.inside);
        assert_eq!(read.launch, sdf.launch);
        assert_eq!(read.setup, sdf.setup);
        assert_eq!(read.wires["flag/DI"], 123);
    }

    #[test]
    fn a_second_cell_is_as_the_first_and_what_is_known_stays() {
        let mut sdf = Sdf::read(
            "(CELLTYPE \"TRELLIS_FF\")\n(INSTANCE flag)\n(IOPATH CLK Q (1:1:395) ())\n\
             (SETUPHOLD (posedge DI) (posedge CLK) (1:1:7) ())\n\
             (CELLTYPE \"TRELLIS_COMB\")\n(INSTANCE lut)\n(IOPATH A F (1:1:200) ())\n",
        );
        let key = |cell: &str, port: &str| (cell.to_owned(), port.to_owned());
        let arc = |cell: &str| (cell.to_owned(), "A".to_owned(), "F".to_owned());
        let of = [("flag2", "flag"), ("lut2", "lut"), ("lut3", "lut")];
        sdf.alike(&of.map(|(new, old)| (new.to_owned(), old.to_owned())).into_iter().collect());
        assert_eq!((sdf.launch[&key("flag2", "Q")], sdf.setup[&key("flag2", "DI")]), (395, 7));
        assert_eq!((sdf.inside[&arc("lut2")], sdf.inside[&arc("lut3")]), (200, 200));
        sdf.complete(Sdf::read(
            "(CELLTYPE \"TRELLIS_COMB\")\n(INSTANCE lut)\n(IOPATH A F (1:1:300) ())\n\
             (IOPATH B F (1:1:300) ())\n(INSTANCE lut4)\n(IOPATH A F (1:1:300) ())\n",
        ));
        assert_eq!((sdf.inside[&arc("lut")], sdf.inside[&arc("lut4")]), (200, 300));
        assert_eq!(sdf.inside.len(), 4, "no other arc of a cell that was known");
    }
}
