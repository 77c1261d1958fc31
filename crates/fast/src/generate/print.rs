//! Text with indentation, and statements broken as rustfmt breaks them.

const WIDTH: usize = 100;

/// The code that is being written.
#[derive(Default)]
pub(super) struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    /// A line; one that opens a block indents what follows, one that closes it ends that.
    pub fn line(&mut self, line: &str) {
        let is_comment = line.starts_with("//");
        if line.starts_with('}') || line.starts_with(')') {
            self.depth -= 1;
        }
        if !line.is_empty() {
            // A chain goes on one level deeper.
            let depth = self.depth + usize::from(line.starts_with('.'));
            self.text.extend(std::iter::repeat_n("    ", depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
        if !is_comment && (line.ends_with('{') || line.ends_with('(')) {
            self.depth += 1;
        }
    }

    /// Several lines.
    pub fn lines(&mut self, lines: &str) {
        lines.lines().for_each(|line| self.line(line.trim_start()));
    }

    /// A documentation comment, broken at spaces.
    pub fn doc(&mut self, text: &str) {
        let room = WIDTH - 4 * self.depth - "/// ".len();
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() && line.len() + 1 + word.len() > room {
                self.line(&format!("/// {line}"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.line(&format!("/// {line}"));
    }

    /// `left callee(arguments)right`; `left` is empty or ends with `=`.
    pub fn call(&mut self, left: &str, callee: &str, arguments: &[&str], right: &str) {
        let call = format!("{callee}({}){right}", arguments.join(", "));
        let room = WIDTH - 4 * self.depth;
        let gap = usize::from(!left.is_empty());
        if left.len() + gap + call.len() <= room {
            let space = if left.is_empty() { "" } else { " " };
            self.line(&format!("{left}{space}{call}"));
        } else if !left.is_empty() && call.len() + 4 <= room {
            self.line(left);
            self.depth += 1;
            self.line(&call);
            self.depth -= 1;
        } else {
            let space = if left.is_empty() { "" } else { " " };
            self.line(&format!("{left}{space}{callee}("));
            for argument in arguments {
                self.line(&format!("{argument},"));
            }
            self.line(&format!("){right}"));
        }
    }

    /// The head of a function, up to its brace.
    pub fn function(&mut self, name: &str, parameters: &[&str], result: &str) {
        let head = format!("{name}({}){result} {{", parameters.join(", "));
        if head.len() <= WIDTH - 4 * self.depth {
            self.line(&head);
            return;
        }
        self.line(&format!("{name}("));
        for parameter in parameters {
            self.line(&format!("{parameter},"));
        }
        self.line(&format!("){result} {{"));
    }

    /// What is written while `write` runs, apart from the rest, for a look at it.
    pub fn apart(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let mut inner = Self { text: String::new(), depth: self.depth };
        write(&mut inner);
        inner.text
    }

    /// Appends lines that were written apart.
    pub fn append(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// One level deeper, for what is written apart.
    pub fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    pub fn finish(self) -> String {
        self.text
    }
}
