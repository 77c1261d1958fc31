"""Draws docs/rtl-datapath.svg: the stages of trader_top and the cycles of each.

The cycles are those that the tests assert (`make rtl-test RTL="trader_top ..."`); this file is the one
place where the picture has them.
"""

import argparse
import sys
from html import escape

from sources import ROOT

PICTURE = ROOT / "docs" / "rtl-datapath.svg"

# Name, what it does, cycles from its input to its output.
STAGES = [
    ("xgmii_rx", "MAC, FCS", 2),
    ("feed_parser", "Ethernet, IP, UDP", 2),
    ("ab_arbiter", "A/B arbitration", 0),
    ("packet_intake", "waits for the engine", 0),
    ("fast_engine", "FAST to records", 7),
    ("entry_builder", "records to entries", 1),
    ("market", "books, staleness", 6),
    ("strategy_slots", "which slot fires", 2),
    ("order_sender", "patches a frame", 1),
    ("xgmii_tx", "MAC, FCS", 2),
]
SIDES = [
    (0, "timestamper", "now"),
    (1, "frame_fifo", "all else: host"),
    (3, "packet_tagger", "tid, verdict"),
    (6, "host entries", "from a snapshot"),
    (8, "verdict", "good, or poisoned"),
    (9, "tx_arbiter", "host frames"),
]
WIDTH, HEIGHT, STEP = 108, 56, 124
PER_ROW = 5


def text(x: float, y: float, words: str, kind: str) -> str:
    return f'  <text x="{x:g}" y="{y:g}" class="{kind}">{escape(words)}</text>'


def picture() -> str:
    rows = (len(STAGES) + PER_ROW - 1) // PER_ROW
    wide, high = STEP * PER_ROW + 32, 168 * rows + 64
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">',
        "  <style>",
        "    text { font-family: sans-serif; text-anchor: middle; fill: #222 }",
        "    .name { font-size: 12px; font-weight: bold } .what { font-size: 10px }",
        "    .cycles { font-size: 11px; fill: #06c } .side { font-size: 10px; fill: #666 }",
        "    .left { text-anchor: start; font-size: 12px }",
        "    rect { fill: #eef4fb; stroke: #456 } .aside { fill: #f7f7f7; stroke: #aaa }",
        "    path { stroke: #456; fill: none; marker-end: url(#tip) } .thin { stroke: #aaa; marker-end: none }",
        "  </style>",
        '  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
        ' orient="auto"><path d="M0 0 L8 4 L0 8 z" style="fill:#456;stroke:none;marker-end:none"/></marker></defs>',
    ]
    sum_ = 0
    sides = {at: (name, what) for at, name, what in SIDES}
    for at, (name, what, cycles) in enumerate(STAGES):
        x, y = 16 + STEP * (at % PER_ROW), 40 + 168 * (at // PER_ROW)
        sum_ += cycles
        middle = x + WIDTH / 2
        out.append(f'  <rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="4"/>')
        out.append(text(middle, y + 20, name, "name"))
        out.append(text(middle, y + 34, what, "what"))
        out.append(text(middle, y + 49, f"{cycles} cycle{'s' * (cycles != 1)}", "cycles"))
        out.append(text(middle, y + HEIGHT + 14, f"{sum_} from the wire", "cycles"))
        if at % PER_ROW:
            out.append(f'  <path d="M{x - STEP + WIDTH} {y + HEIGHT / 2} H{x - 1}"/>')
        elif at:
            out.append(f'  <path d="M{x - 14} {y + HEIGHT / 2} H{x - 1}"/>')
        if at in sides:
            side, words = sides[at]
            down = y + HEIGHT + 28
            out.append(f'  <path class="thin" d="M{middle} {down - 10} V{down}"/>')
            out.append(
                f'  <rect class="aside" x="{x + 6}" y="{down}" width="{WIDTH - 12}" height="34" rx="4"/>'
            )
            out.append(text(middle, down + 14, side, "side"))
            out.append(text(middle, down + 27, words, "side"))
    out.append(text(16, 22, "XGMII in: the word with the last byte that is needed", "left"))
    out.append(
        text(16, high - 14, f"XGMII out: {sum_} cycles, {sum_ * 6.4:.1f} ns at 156.25 MHz, to the order's first byte", "left")
    )
    return "\n".join([*out, "</svg>", ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        if not PICTURE.exists() or PICTURE.read_text() != picture():
            print(f"{PICTURE.relative_to(ROOT)} is not what its generator draws", file=sys.stderr)
            return 1
        return 0
    PICTURE.write_text(picture())
    return 0


if __name__ == "__main__":
    sys.exit(main())
