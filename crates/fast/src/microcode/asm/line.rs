//! Words of a line.

use super::{AsmError, AsmErrorKind};

/// A word, a mark or a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Word(&'t str),
    Mark(&'static str),
    Text(Vec<u8>),
}

impl Token<'_> {
    fn describe(&self) -> String {
        match self {
            Token::Word(word) => (*word).to_owned(),
            Token::Mark(mark) => format!("`{mark}`"),
            Token::Text(_) => "a string".to_owned(),
        }
    }
}

/// A line as tokens, each with its column.
pub(super) struct Line<'t> {
    number: usize,
    tokens: Vec<(usize, Token<'t>)>,
    at: usize,
    end: usize,
}

const MARKS: [&str; 6] = ["->", "|", "@", "?", ":", "="];

impl<'t> Line<'t> {
    /// Splits a line; what follows `;` is a comment.
    pub fn new(number: usize, text: &'t str) -> Result<Self, AsmError> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let column = at + 1;
            let first = rest.as_bytes()[0];
            if first == b';' {
                break;
            } else if first.is_ascii_whitespace() {
                at += 1;
            } else if first == b'"' {
                let (bytes, length) = string(rest).ok_or_else(|| AsmError {
                    line: number,
                    column,
                    kind: expected("a string that ends in the line", "a string without end"),
                })?;
                tokens.push((column, Token::Text(bytes)));
                at += length;
            } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                tokens.push((column, Token::Mark(mark)));
                at += mark.len();
            } else {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
                let bytes = rest.as_bytes();
                let ends = |at: &usize| !is_word(&bytes[*at]) || bytes[*at..].starts_with(b"->");
                let length = (0..bytes.len()).find(ends).unwrap_or(bytes.len());
                if length == 0 {
                    let found = rest.chars().take(1).collect::<String>();
                    let kind = expected("a word, a mark or a string", &found);
                    return Err(AsmError { line: number, column, kind });
                }
                tokens.push((column, Token::Word(&rest[..length])));
                at += length;
            }
        }
        Ok(Self { number, tokens, at: 0, end: text.len() + 1 })
    }

    pub fn number(&self) -> usize {
        self.number
    }

    pub fn is_empty(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub fn peek(&self) -> Option<&Token<'t>> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    /// Whether the token behind the next one is a mark.
    pub fn then(&self, mark: &str) -> bool {
        let next = self.tokens.get(self.at + 1);
        matches!(next, Some((_, Token::Mark(other))) if *other == mark)
    }

    pub fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |(column, _)| *column)
    }

    pub fn error(&self, kind: AsmErrorKind) -> AsmError {
        AsmError { line: self.number, column: self.column(), kind }
    }

    pub fn expected(&self, what: &'static str) -> AsmError {
        let found = self.peek().map_or("the end of the line".to_owned(), Token::describe);
        self.error(expected(what, &found))
    }

    /// Takes a mark if it is next.
    pub fn mark(&mut self, mark: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Mark(other)) if *other == mark);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes a word if it is next.
    pub fn keyword(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Word(other)) if *other == word);
        self.at += usize::from(is_next);
        is_next
    }

    pub fn word(&mut self, what: &'static str) -> Result<&'t str, AsmError> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let word = *word;
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// A word that `read` understands.
    pub fn word_as<T>(
        &mut self,
        what: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, AsmError> {
        match self.peek() {
            Some(Token::Word(word)) => match read(word) {
                Some(value) => {
                    self.at += 1;
                    Ok(value)
                }
                None => Err(self.expected(what)),
            },
            _ => Err(self.expected(what)),
        }
    }

    /// A decimal number that fits `T`.
    pub fn number_as<T: TryFrom<i128>>(&mut self, what: &'static str) -> Result<T, AsmError> {
        let value: i128 = match self.peek() {
            Some(Token::Word(word)) => word.parse().map_err(|_| self.expected(what))?,
            _ => return Err(self.expected(what)),
        };
        let range = || self.error(AsmErrorKind::Range(value.to_string()));
        let fitting = T::try_from(value).map_err(|_| range())?;
        self.at += 1;
        Ok(fitting)
    }

    pub fn text(&mut self) -> Result<Vec<u8>, AsmError> {
        match self.peek() {
            Some(Token::Text(bytes)) => {
                let bytes = bytes.clone();
                self.at += 1;
                Ok(bytes)
            }
            _ => Err(self.expected("a string")),
        }
    }

    pub fn finish(&self) -> Result<(), AsmError> {
        if self.is_empty() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }
}

fn expected(expected: &'static str, found: &str) -> AsmErrorKind {
    AsmErrorKind::Expected { expected, found: found.to_owned() }
}

/// The string at the start of `text` and its length with quotes. `\"`, `\\` and `\xHH` stand for
/// bytes.
fn string(text: &str) -> Option<(Vec<u8>, usize)> {
    let bytes = text.as_bytes();
    let mut value = Vec::new();
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'"' => return Some((value, at + 1)),
            b'\\' => match *bytes.get(at + 1)? {
                escaped @ (b'"' | b'\\') => {
                    value.push(escaped);
                    at += 2;
                }
                b'x' => {
                    let digits = text.get(at + 2..at + 4)?;
                    value.push(u8::from_str_radix(digits, 16).ok()?);
                    at += 4;
                }
                _ => return None,
            },
            byte => {
                value.push(byte);
                at += 1;
            }
        }
    }
}
