"""The packed structs of feed_pkg, as integers."""

NEW, CHANGE, DELETE, TRADE, OTHER, BROKEN, LOST, END, CLEAR, LIVE, SHOW, STALE = range(12)
DONE, ZERO, DUPLICATE, UNKNOWN, FULL, OUT_OF_RANGE = range(6)
OLD, GAP, ANSWER_STALE, ANSWER_BROKEN, POISONED, BEHIND = range(8, 14)

ENTRY = (("op", 4), ("instrument", 4), ("side", 1), ("id", 64), ("price", 64), ("quantity", 64),
         ("rpt_seq", 32), ("last", 1), ("bad", 1), ("from_host", 1), ("tid", 4), ("tstamp", 64))
SHOW_FIELDS = (("valid", 1), ("trade", 1), ("instrument", 4), ("bid_valid", 1), ("bid_price", 64),
               ("ask_valid", 1), ("ask_price", 64), ("some", 1), ("tid", 4), ("tstamp", 64))
TOP = (("valid", 1), ("op", 4), ("instrument", 4), ("answer", 4), ("from_host", 1), ("last", 1),
       ("live", 1), ("rpt_seq", 32), ("bid_valid", 1), ("bid_price", 64), ("bid_quantity", 64),
       ("bid_orders", 16), ("ask_valid", 1), ("ask_price", 64), ("ask_quantity", 64),
       ("ask_orders", 16), ("tid", 4), ("tstamp", 64))
COUNTERS = tuple((name, 32) for name in (
    "fires", "blocked_order_quantity", "blocked_open_orders", "blocked_position", "held_cooldown",
    "unexpected_updates", "rearmed", "missed"))
MARKET_EVENTS = tuple((name, 1) for name in (
    "applied", "old", "withheld", "jump", "broken", "poisoned", "refused", "bad_packet", "overflow",
    "show_trade", "show_top", "show_held", "live", "behind"))
BUILDER_EVENTS = tuple((name, 1) for name in (
    "message", "entry", "unwatched", "no_instrument", "bad_action", "bad_entry_id", "bad_counter",
    "bad_quantity", "no_price", "price_overflow", "price_inexact", "too_deep", "message_failed"))
SIGNED = {"price", "bid_price", "ask_price"}


def pack(layout, **values) -> int:
    packed = 0
    for name, bits in layout:
        packed = packed << bits | values.pop(name, 0) & (1 << bits) - 1
    assert not values, f"no such field: {values}"
    return packed


def unpack(layout, packed: int) -> dict[str, int]:
    values = {}
    for name, bits in reversed(layout):
        value = packed & (1 << bits) - 1
        if name in SIGNED and value >> bits - 1:
            value -= 1 << bits
        values[name] = value
        packed >>= bits
    return {name: values[name] for name, _ in layout}


def entry(op, instrument=0, **values) -> int:
    return pack(ENTRY, op=op, instrument=instrument, **values)
