"""XGMII as characters, for tests that need more than well-formed frames.

A *line* is a list of (byte, is_control) in the order of the wire, lane 0 first. `parse` says, byte
by byte, what a receiver must make of any line; it shares nothing with the RTL's word-wise way.
"""

import random
import zlib
from dataclasses import dataclass

from cocotb.triggers import RisingEdge

IDLE, START, TERMINATE, ERROR, SEQUENCE = 0x07, 0xFB, 0xFD, 0xFE, 0x9C
PREAMBLE = bytes([0x55] * 6 + [0xD5])
Character = tuple[int, bool]


def with_fcs(frame: bytes) -> bytes:
    return frame + zlib.crc32(frame).to_bytes(4, "little")


def data(octets: bytes) -> list[Character]:
    return [(octet, False) for octet in octets]


def control(*characters: int) -> list[Character]:
    return [(character, True) for character in characters]


def frame_characters(octets: bytes) -> list[Character]:
    """Start to Terminate around bytes that include the FCS."""
    return control(START) + data(PREAMBLE + octets) + control(TERMINATE)


class Line:
    """Builds a line frame by frame."""

    def __init__(self) -> None:
        self.characters: list[Character] = []

    def idle_to(self, lane: int, gap: int = 0) -> None:
        """At least `gap` idles, then on to `lane`."""
        self.characters += control(*[IDLE] * gap)
        while len(self.characters) % 8 != lane:
            self.characters += control(IDLE)

    def frame(self, octets: bytes, lane: int = 0, gap: int = 12) -> None:
        self.idle_to(lane, gap)
        self.characters += frame_characters(octets)

    def words(self) -> list[tuple[int, int]]:
        """(data, control) per cycle, filled up with idles."""
        padded = self.characters + control(*[IDLE] * (-len(self.characters) % 8))
        words = []
        for at in range(0, len(padded), 8):
            lanes = padded[at : at + 8]
            word = sum(byte << 8 * i for i, (byte, _) in enumerate(lanes))
            words.append((word, sum(flag << i for i, (_, flag) in enumerate(lanes))))
        return words


@dataclass(frozen=True)
class Received:
    """What a receiver reports of one frame; `start` is its first byte's place on the line."""

    payload: bytes
    error: str  # "good", "bad_fcs", "coding", "runt", "giant"
    start: int


def parse(characters: list[Character], limit: int) -> tuple[list[Received], int]:
    """The frames on a line as the MAC must report them, and how many words show a bad preamble."""
    padded = characters + control(*[IDLE] * (-len(characters) % 8))
    frames, bad_preambles = [], set()
    at = 0
    while at < len(padded):
        if padded[at] != (START, True) or at % 8 not in (0, 4):
            at += 1
            continue
        # In lane 4, the word's first control characters may be anything; in lane 0 none may follow.
        if padded[at + 1 : at + 8] != data(PREAMBLE):
            # After a start in lane 4, a wrong second half is found in the next word.
            late = at % 8 == 4 and padded[at + 1 : at + 4] == data(PREAMBLE[:3])
            bad_preambles.add(at // 8 + late)
            at += 1
            continue
        at += 8
        first, octets = at, bytearray()
        while at < len(padded) and not padded[at][1] and len(octets) <= limit + 8:
            octets.append(padded[at][0])
            at += 1
        # Cut: the line's words up to the limit, the last of them not known to be followed by the FCS.
        words = (limit + first % 8) // 8
        if len(octets) > limit and (len(octets) + first % 8) // 8 > words:
            frames.append(Received(bytes(octets[: 8 * words - first % 8]), "giant", first))
            continue
        if at >= len(padded):
            break  # the line ends inside the frame
        if padded[at] != (TERMINATE, True):
            error = "coding"
        elif len(octets) > limit:
            error = "giant"
        elif len(octets) < 64:
            error = "runt"
        else:
            rest = padded[at + 1 : at + 8 - at % 8]
            # A Terminate in lanes 5 to 7 must have only idles behind it in its word.
            tidy = at % 8 < 5 or all(character == (IDLE, True) for character in rest)
            good = bytes(octets) == with_fcs(bytes(octets[:-4])) and tidy
            error = "good" if good else "bad_fcs"
        frames.append(Received(bytes(octets[:-4]), error, first))
    return frames, len(bad_preambles)


async def play(clock, rxd, rxc, words: list[tuple[int, int]]) -> None:
    """Puts one word on XGMII in each cycle, then idles."""
    for word, flags in words:
        rxd.value, rxc.value = word, flags
        await RisingEdge(clock)
    rxd.value, rxc.value = int.from_bytes(bytes([IDLE] * 8), "little"), 0xFF


def random_frame(draw: random.Random, length: int) -> bytes:
    """A frame of `length` bytes without FCS, its addresses a host's."""
    return (bytes([0x02]) + draw.randbytes(length))[:length]
