//! Where the bytes of a string or vector are.

/// Where a piece of text is.
pub(crate) enum Piece<'i> {
    /// That many bytes at the end of the scratch memory.
    Scratch(usize),
    Input(&'i [u8]),
}

impl Piece<'_> {
    /// The bytes.
    pub fn of<'s>(&'s self, scratch: &'s [u8]) -> &'s [u8] {
        match self {
            Piece::Scratch(length) => &scratch[scratch.len() - length..],
            Piece::Input(bytes) => bytes,
        }
    }
}
