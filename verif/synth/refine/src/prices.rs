//! What connections cost: by the longest path by way of each, so that what is not late is as good as free.

/// Paths that last longer cost as much as one of so many picoseconds.
const LONGEST: usize = 30_000;

/// Prices of connections.
pub struct Prices {
    /// Of each: the longest path by way of it, without its own delay.
    rest: Vec<i32>,
    /// Of a path of so many picoseconds.
    of_path: Vec<f32>,
}

impl Prices {
    pub fn new(connections: usize) -> Self {
        Self { rest: vec![0; connections], of_path: vec![0.0; LONGEST] }
    }

    /// From here on `price` is what a path costs; `through` has the longest by way of each connection with
    /// these delays, in picoseconds.
    pub fn set(&mut self, through: &[i32], delays: &[i32], price: impl Fn(f32) -> f32) {
        for (path, known) in self.of_path.iter_mut().enumerate() {
            *known = price(path as f32);
        }
        for ((rest, through), delay) in self.rest.iter_mut().zip(through).zip(delays) {
            *rest = through - delay;
        }
    }

    /// The longest path by way of a connection, without its own delay.
    pub fn rest(&self, connection: u32) -> i32 {
        self.rest[connection as usize]
    }

    /// What a connection costs with this delay.
    pub fn price(&self, connection: u32, delay: i32) -> f32 {
        let path = (self.rest(connection) + delay).max(0) as usize;
        self.of_path[path.min(LONGEST - 1)]
    }
}
