"""Messages as the FAST engine's records, and what crates/feed's normalizer makes of them."""

from dataclasses import dataclass, field

from feed_types import BROKEN, CHANGE, DELETE, END, LOST, NEW, OTHER, TRADE, pack

SECURITY_ID, SYMBOL, SESSION, RPT_SEQ, ACTION, ENTRY_TYPE, ENTRY_ID, PRICE, QUANTITY, ENTRIES = range(
    1, 11)
UNSIGNED, INTEGER, DECIMAL, ASCII, UNICODE, BYTES, LENGTH = range(1, 8)
MASK = (1 << 64) - 1
RECORD = (("valid", 1), ("value", 64), ("tag", 14), ("role", 5), ("kind", 4), ("info", 8))


@dataclass
class Value:
    """A field's value. `value` is a number, a mantissa, or bytes."""

    kind: int
    value: int | bytes
    exponent: int = 0

    @property
    def is_text(self) -> bool:
        return self.kind in (ASCII, UNICODE, BYTES)

    def number(self) -> int | None:
        """As an integer that is not negative."""
        good = self.kind in (UNSIGNED, INTEGER) and self.value >= 0
        return self.value if good else None

    def records(self, role: int) -> list[dict]:
        """Its records; of a text up to 16 bytes two, in cycles of their own."""
        base = {"valid": 1, "role": role, "kind": self.kind, "tag": role + 100}
        if not self.is_text:
            return [base | {"value": self.value & MASK, "info": self.exponent & 0xFF}]
        text = self.value
        chunks = [text] if len(text) <= 8 else [text[:-8], text[-8:]]
        return [base | {"value": int.from_bytes(chunk, "big"),
                        "info": len(chunk) | (0x80 if chunk is not chunks[-1] else 0)}
                for chunk in chunks]


@dataclass
class Watch:
    """A watched instrument."""

    exponent: int
    security_id: int | None = None
    symbol: bytes = b""
    session: bytes = b""
    enabled: int = 1

    def words(self) -> list[int]:
        symbol = self.symbol.rjust(12, b"\0")
        control = (self.exponent & 0xFF | len(self.symbol) << 8 | len(self.session) << 12
                   | (self.security_id is not None) << 15 | self.enabled << 16)
        return [self.security_id or 0, int.from_bytes(symbol[4:], "big"),
                int.from_bytes(symbol[:4], "big") | int.from_bytes(self.session, "big") << 32, control]


def digits(text: bytes) -> int | None:
    return int(text) if text and all(48 <= byte < 58 for byte in text) else None


def rescale(mantissa: int, up: int) -> int | None:
    """As logic does it: upwards by at most ten digits."""
    if mantissa == 0:
        return 0
    if not 0 <= up <= 10:
        return None
    scaled = mantissa * 10**up
    return scaled if -(1 << 63) <= scaled < 1 << 63 else None


@dataclass
class Names:
    """The fields that say whose an entry is."""

    security_id: Value | None = None
    symbol: bytes = b""
    session: bytes = b""

    def take(self, role: int, value: Value) -> None:
        if role == SECURITY_ID:
            self.security_id = value
        elif role == SYMBOL and value.is_text:
            self.symbol = value.value
        elif role == SESSION and value.is_text:
            self.session = value.value


def judge(watches: list[Watch], message: Names, fields: dict[int, Value]) -> tuple[dict | None, bool]:
    """What becomes of an entry with these fields (None: not of a watched instrument), and whether it
    takes the long way."""
    entry = Names()
    for role, value in fields.items():
        entry.take(role, value)
    wrong = any(role in fields and not fields[role].is_text for role in (SYMBOL, SESSION))
    for names in (entry, message):
        if names.security_id is not None and names.security_id.number() is None:
            return {"op": LOST}, False
    named = entry.security_id or message.security_id
    symbol, session = entry.symbol or message.symbol, entry.session or message.session
    for index, watch in enumerate(watches):
        if not watch.enabled:
            continue
        if named is not None:
            if watch.security_id == named.number():
                break
        elif symbol and (watch.symbol, watch.session) == (symbol, session):
            break
    else:
        return None, False

    def get(role):
        return fields.get(role)

    rpt_seq = get(RPT_SEQ).number() if get(RPT_SEQ) else 0
    wrong |= rpt_seq is None or rpt_seq >= 1 << 32
    action = NEW
    if value := get(ACTION):
        text = value.value if value.is_text else None
        action = value.number() if text is None else digits(text) if len(text) == 1 else None
        wrong |= action not in (0, 1, 2)
    kind = None
    if value := get(ENTRY_TYPE):
        texts = {b"0": 0, b"1": 1, b"2": 2, b"z": 2}
        kind = texts.get(value.value) if value.is_text else value.number()
    kind = kind if kind in (0, 1, 2) else None
    identity = 0
    if value := get(ENTRY_ID):
        if value.is_text:
            wrong |= digits(value.value) is None
            identity = int(value.value, 16) if digits(value.value) is not None else 0
        else:
            wrong |= value.number() is None
            identity = value.value
    price, quantity = get(PRICE), get(QUANTITY)
    if price is not None:
        wrong |= price.is_text or (price.kind == UNSIGNED and price.value >> 63)
    if quantity is not None:
        wrong |= quantity.is_text or quantity.value < 0
    counts = kind in (0, 1) or (kind == 2 and action != DELETE)
    scales = False
    result = {"op": OTHER, "instrument": index, "rpt_seq": rpt_seq or 0, "id": identity,
              "side": int(kind == 1)}
    if counts and not wrong:
        needed = action != DELETE
        wrong |= needed and (price is None or quantity is None)
        up = [0, 0]
        for at, (value, to) in enumerate(((price, watch.exponent), (quantity, 0))):
            if value is not None and value.value != 0:
                up[at] = value.exponent - to
                wrong |= not 0 <= up[at] <= 10
        scales = not wrong and up != [0, 0]
        amounts = [value.value if value is not None else 0 for value in (price, quantity)]
        if not wrong:
            result["op"] = TRADE if kind == 2 else action
            # A whole number may have 64 bits; only where it is scaled it must not.
            scaled = [v if u == 0 else rescale(v, u) for v, u in zip(amounts, up)]
            wrong |= None in scaled
            result["price"], result["quantity"] = scaled
    if wrong:
        result = {"op": BROKEN, "instrument": index}
    return result, scales


@dataclass
class Cycle:
    """What the engine shows in one cycle."""

    records: list[dict] = field(default_factory=list)
    begin: int | None = None
    element: bool = False
    end: int | None = None

    def pack(self) -> int:
        packed = 0
        for lane in range(4):
            record = self.records[lane] if lane < len(self.records) else {}
            packed |= pack(RECORD, **record) << lane * 96
        return packed
