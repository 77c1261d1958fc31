"""A module with faults in it that a number switches on (conditions.py): one build for all of them.

Where an operand `a` of `&&` stands, `(fault_pkg::which == 7 ? 1'b1 : a)` does. Only what runs in simulation
is changed: processes, continuous assignments, and functions that no parameter is worked out with.
"""

import re
from dataclasses import dataclass
from functools import cached_property

PACKAGE = """// Which fault is on: none with 0.
package fault_pkg;
  import "DPI-C" function int saker_fault();
  int which = saker_fault();
endpackage
"""

_TOKEN = re.compile(
    r"""
      (?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    | (?P<string>"[^"]*")
    | (?P<number>\d*'s?[bdho][0-9a-f_xz?]+|'[01xz]|\d[\d_]*)
    | (?P<word>[a-z_`$][\w$]*(?:::[a-z_]\w*)*)
    | (?P<sign>&&|\|\||==|!=|<=|>=|\(\*|\*\)|'\(|'\{|<<|>>|.)
    """,
    re.X | re.S | re.I,
)
_OPEN, _CLOSE = {"(", "[", "{", "'(", "'{", "(*"}, {")", "]", "}", "*)"}
_COMPARES = {"==", "!=", "<", "<=", ">", ">="}
_UNARY = {"!", "~", "|", "&", "^"}
# What may stand before and behind an operand that is one whole.
_BEFORE = {"(", "&&", "||", "=", "<=", "?", ":", ",", "return", "{"}
_BEHIND = {")", "&&", "||", ";", "?", ":", ",", "}"}
_KEYWORDS = {"if", "case", "for", "unique", "return", "begin", "end", "else", "assign", "inside"}
_NEVER, _ALWAYS = "1'b0", "1'b1"


@dataclass(frozen=True)
class Fault:
    """What stands for a piece of a module's text."""

    module: str
    line: int
    text: str
    instead: str
    whole: str  # the line
    nth: int  # of the same ones in this line

    @property
    def key(self) -> str:
        """The same while the line is."""
        return f"{self.module}: {self.whole}: {self.text} -> {self.instead} #{self.nth}"

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.text} -> {self.instead}   in   {self.whole}"


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


class Module:
    """A module's tokens, and where operands begin and end among them."""

    def __init__(self, text: str):
        self.text = text
        self.tokens = [
            Token(match.lastgroup or "", match.group(), match.start(), match.end())
            for match in _TOKEN.finditer(text)
            if match.lastgroup != "skip"
        ]

    def __getitem__(self, at: int) -> str:
        return self.tokens[at].text

    def is_name(self, at: int) -> bool:
        return self.tokens[at].kind == "word" and self[at] not in _KEYWORDS

    @cached_property
    def other(self) -> dict[int, int]:
        """Of each bracket the other one."""
        pairs: dict[int, int] = {}
        opened: list[int] = []
        for at, token in enumerate(self.tokens):
            if token.text in _OPEN:
                opened.append(at)
            elif token.text in _CLOSE:
                pairs[at] = opened.pop()
                pairs[pairs[at]] = at
        return pairs

    def behind(self, at: int, word: str) -> int:
        """The first such token from here on."""
        while self[at] != word:
            at += 1
        return at

    def statement(self, at: int) -> int:
        """The last token of the statement that begins here, with its `else`."""
        depth = 0
        while True:
            depth += self[at] in ("begin", "case", "casez")
            depth -= self[at] in ("end", "endcase")
            ends = self[at] in ("end", "endcase", ";")
            if ends and depth == 0 and self[at + 1] != "else":
                return at
            at += 1

    def running(self) -> list[bool]:
        """Which tokens are of something that runs."""
        runs = [False] * len(self.tokens)
        at = 0
        while at < len(self.tokens):
            first, last = at, at
            if self[at] in ("always_comb", "always_ff"):
                first = at + 1
                if self[first] == "@":
                    first = self.other[first + 1] + 1
                last = self.statement(first)
            elif self[at] == "assign":
                last = self.behind(at, ";")
            elif self[at] == "function":
                head, last = self.behind(at, ";"), self.behind(at, "endfunction")
                name = self[head - 1] if self[head - 1] != ")" else self[self.other[head - 1] - 1]
                first = last if self.worked_out(name) else head + 1
            for inside in range(first, last):
                runs[inside] = True
            at = last + 1
        for at, token in enumerate(self.tokens):
            if token.text == "for":
                for inside in range(at, self.other[at + 1] + 1):
                    runs[inside] = False
        return runs

    def worked_out(self, function: str) -> bool:
        """Whether a parameter asks for the function."""
        return bool(re.search(rf"(localparam|parameter)[^;]*\b{re.escape(function)}\(", self.text))

    def begins(self, at: int) -> int | None:
        """The first token of the primary that ends here."""
        while True:
            while self[at] == "]":
                at = self.other[at] - 1
            if self[at] == ")":
                at = self.other[at]
                if self[at] != "(":
                    return None
                if self.is_name(at - 1):
                    at -= 1
            elif not self.is_name(at) and self.tokens[at].kind != "number":
                return None
            if self[at - 1] != ".":
                break
            at -= 2
        while self[at - 1] in _UNARY:
            # Of `a | b` the sign is none of the operand's.
            left = at - 2
            if self[at - 1] not in ("!", "~") and (
                self.is_name(left) or self.tokens[left].kind == "number" or self[left] in _CLOSE
            ):
                break
            at -= 1
        return at

    def ends(self, at: int) -> int | None:
        """The last token of the primary that begins here."""
        while self[at] in _UNARY:
            at += 1
        if self[at] == "(":
            at = self.other[at]
        elif not self.is_name(at) and self.tokens[at].kind != "number":
            return None
        while self[at + 1] in ("[", "(", "."):
            at = at + 2 if self[at + 1] == "." else self.other[at + 1]
        return None if self[at + 1] in ("'(", "'{") else at

    def left(self, sign: int) -> tuple[int, int] | None:
        """The operand before a sign: a primary, or two compared."""
        first = self.begins(sign - 1)
        if first is not None and self[first - 1] in _COMPARES - {"<="}:
            first = self.begins(first - 2)
        return (first, sign - 1) if first is not None and self[first - 1] in _BEFORE else None

    def right(self, sign: int) -> tuple[int, int] | None:
        """The operand behind a sign."""
        last = self.ends(sign + 1)
        if last is not None and self[last + 1] in _COMPARES:
            last = self.ends(last + 2)
        return (sign + 1, last) if last is not None and self[last + 1] in _BEHIND else None

    def faults(self) -> list[tuple[int, int, str]]:
        """Which tokens, from the first to the last, to put what for."""
        found: dict[tuple[int, int, str], None] = {}
        for at, runs in enumerate(self.running()):
            if not runs:
                continue
            pieces: list[tuple[tuple[int, int] | None, str]] = []
            if self[at] in ("&&", "||"):
                nothing = _ALWAYS if self[at] == "&&" else _NEVER
                pieces = [(self.left(at), nothing), (self.right(at), nothing)]
            elif self[at] == "?":
                pieces = [(self.left(at), value) for value in (_NEVER, _ALWAYS)]
            elif self[at] == "if":
                asked = (at + 2, self.other[at + 1] - 1)
                pieces = [(asked, value) for value in (_NEVER, _ALWAYS)]
            found.update(dict.fromkeys((*piece, value) for piece, value in pieces if piece))
        return list(found)


def switched(name: str, text: str, first: int) -> tuple[str, list[Fault]]:
    """A module's text with all its faults, numbered from `first` on, and what they are."""
    module = Module(text)
    lines = text.splitlines()
    seen: dict[tuple[int, str, str], int] = {}
    faults: list[Fault] = []
    opens: dict[int, list[tuple[int, str]]] = {}
    closes: dict[int, int] = {}
    for number, (begin, end, instead) in enumerate(module.faults(), first):
        start, stop = module.tokens[begin].start, module.tokens[end].end
        line = text.count("\n", 0, start)
        piece = " ".join(text[start:stop].split())
        nth = seen[line, piece, instead] = seen.get((line, piece, instead), 0) + 1
        faults.append(Fault(name, line + 1, piece, instead, lines[line].strip(), nth))
        opens.setdefault(start, []).append((stop, f"(fault_pkg::which == {number} ? {instead} : "))
        closes[stop] = closes.get(stop, 0) + 1
    out: list[str] = []
    last = 0
    for at in sorted({*opens, *closes}):
        out.append(text[last:at] + ")" * closes.get(at, 0))
        # What goes on longest stands outermost.
        out += [piece for _, piece in sorted(opens.get(at, []), key=lambda one: -one[0])]
        last = at
    return "".join([*out, text[last:]]), faults
