//! JSON text to a tree that keeps numbers as they are written, which is why no other parser does.

use super::read::JsonError;

/// Deepest nesting of arrays and objects.
const MAX_DEPTH: u32 = 128;

/// A value and its offset in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null(usize),
    Bool(usize, bool),
    Number(usize, String),
    String(usize, String),
    Array(usize, Vec<Json>),
    /// Members in order; no key appears twice.
    Object(usize, Vec<(String, Json)>),
}

impl Json {
    pub fn offset(&self) -> usize {
        match self {
            Self::Null(offset)
            | Self::Bool(offset, _)
            | Self::Number(offset, _)
            | Self::String(offset, _)
            | Self::Array(offset, _)
            | Self::Object(offset, _) => *offset,
        }
    }
}

/// Parses one value with nothing but whitespace around it.
pub(super) fn parse(text: &str) -> Result<Json, JsonError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let value = parser.value()?;
    parser.whitespace();
    if parser.at < text.len() { Err(parser.error("text behind the value")) } else { Ok(value) }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn value(&mut self) -> Result<Json, JsonError> {
        self.whitespace();
        let at = self.at;
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => Ok(Json::String(at, self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                let rest = &self.text[at..];
                for (word, value) in [
                    ("null", Json::Null(at)),
                    ("true", Json::Bool(at, true)),
                    ("false", Json::Bool(at, false)),
                ] {
                    if rest.starts_with(word) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                Err(self.error("a value is expected"))
            }
        }
    }

    fn nested(
        &mut self,
        parse: fn(&mut Self) -> Result<Json, JsonError>,
    ) -> Result<Json, JsonError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deep"));
        }
        let value = parse(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Json, JsonError> {
        let start = self.at;
        self.at += 1;
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut keys = rustc_hash::FxHashSet::default();
        if self.accept(b'}') {
            return Ok(Json::Object(start, members));
        }
        loop {
            self.whitespace();
            if self.peek() != Some(b'"') {
                return Err(self.error("a member is expected"));
            }
            let key_at = self.at;
            let key = self.string()?;
            if !keys.insert(key.clone()) {
                return Err(JsonError::new(key_at, format!("member {key:?} appears twice")));
            }
            self.expect(b':')?;
            let value = self.value()?;
            members.push((key, value));
            if self.accept(b'}') {
                return Ok(Json::Object(start, members));
            }
            self.expect(b',')?;
        }
    }

    fn array(&mut self) -> Result<Json, JsonError> {
        let start = self.at;
        self.at += 1;
        let mut elements = Vec::new();
        if self.accept(b']') {
            return Ok(Json::Array(start, elements));
        }
        loop {
            elements.push(self.value()?);
            if self.accept(b']') {
                return Ok(Json::Array(start, elements));
            }
            self.expect(b',')?;
        }
    }

    /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
    fn number(&mut self) -> Result<Json, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let first = self.peek();
        let whole = self.digits()?;
        if first == Some(b'0') && whole > 1 {
            return Err(JsonError::new(start, "a number starts with zero"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Json::Number(start, self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> Result<usize, JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.error("a digit is expected")) } else { Ok(self.at - start) }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = &self.text[self.at..];
            let special = rest
                .find(|c: char| c == '"' || c == '\\' || c < ' ')
                .ok_or_else(|| self.error("the string does not end"))?;
            string.push_str(&rest[..special]);
            self.at += special;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => {
                    self.at += 1;
                    string.push(self.escape()?);
                }
                _ => return Err(self.error("a control character in a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let escape = self.peek();
        self.at += 1;
        Ok(match escape {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let unit = self.code_unit()?;
                let code = if (0xd800..0xdc00).contains(&unit)
                    && self.text[self.at..].starts_with("\\u")
                {
                    self.at += 2;
                    let low = self.code_unit()?;
                    if !(0xdc00..0xe000).contains(&low) {
                        return Err(self.error("a lone surrogate"));
                    }
                    0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
                } else {
                    unit
                };
                char::from_u32(code).ok_or_else(|| self.error("a lone surrogate"))?
            }
            _ => {
                self.at -= 1;
                return Err(self.error("an unknown escape"));
            }
        })
    }

    fn code_unit(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.error("four hexadecimal digits are expected"));
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| self.error("hexadecimal digits are expected"))
    }

    fn expect(&mut self, byte: u8) -> Result<(), JsonError> {
        if self.accept(byte) {
            Ok(())
        } else {
            Err(self.error(format!("{:?} is expected", char::from(byte))))
        }
    }

    /// Skips whitespace and, if it comes next, `byte`.
    fn accept(&mut self, byte: u8) -> bool {
        self.whitespace();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn whitespace(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, message: impl Into<String>) -> JsonError {
        JsonError::new(self.at, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_parse_as_serde_json_parses_them() {
        for text in [
            " {\"a\" : [1, -2.50e+3, 0, true, false, null] , \"b\":{}} ",
            "\"\\u00e9\\ud83d\\ude00\\n\\/\"",
            "[]",
            "-0.0",
        ] {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
            assert!(parse(text).is_ok(), "{text}");
        }
        let parsed = parse("\"\\u00e9\\ud83d\\ude00\\n\\/\"");
        assert_eq!(parsed, Ok(Json::String(0, "é😀\n/".to_owned())));
    }

    #[test]
    fn what_is_not_json_is_refused_with_its_offset() {
        for (text, offset) in [
            ("", 0),
            ("01", 0),
            ("1.", 2),
            ("-", 1),
            ("[1,]", 3),
            ("{\"a\":1,}", 7),
            ("\"a", 1),
            ("\"\n\"", 1),
            ("\"\\ud800\"", 7),
            ("\"\\x\"", 2),
            ("1 2", 2),
            ("nul", 0),
        ] {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
            assert_eq!(parse(text).map_err(|error| error.offset), Err(offset), "{text}");
        }
        assert_eq!(parse("{\"a\":1,\"a\":2}").map_err(|error| error.offset), Err(7));
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
