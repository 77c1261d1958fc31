"""The front of the FAST engine as crates/fast/MICROCODE.md describes it, cycle by cycle.

`Front.step` takes what the core does in a cycle and tells what the front shows in it; it is written
from the specification, byte by byte, and knows nothing of lanes and banks.
"""

from dataclasses import dataclass, field

QUEUE, WINDOW, ELEMENT = 32, 8, 16


@dataclass
class Packet:
    data: bytes
    abort: bool = False
    tid: int = 0
    tstamp: int = 0

    @property
    def good(self) -> int:
        """Bytes to be scanned: the word with the mark is not."""
        return (len(self.data) - 1) // 8 * 8 if self.abort else len(self.data)

    @property
    def words(self) -> int:
        return (len(self.data) + 7) // 8


@dataclass
class Element:
    packet: Packet
    start: int
    end: int  # offset behind its last byte
    more: bool = False

    @property
    def data(self) -> bytes:
        return self.packet.data[self.start : self.end]

    @property
    def flags(self) -> dict[str, bool]:
        groups = [byte & 0x7F for byte in self.data]
        return {
            "valid": True,
            "is_null": not any(groups) and not self.more,
            "is_one": not any(groups[:-1]) and groups[-1] == 1 and not self.more,
            "is_wide": len(self.data) > 8,
            "more": self.more,
            "bit6": bool(self.data[0] & 0x40),
        }


@dataclass
class Header:
    packet: Packet
    map: Element | None = None
    id: Element | None = None
    complete: bool = False
    ended: bool = False
    leftover: bool = False

    @property
    def explicit(self) -> bool:
        return bool(self.map and self.map.data[0] & 0x40)


@dataclass
class Raw:
    """A vector on its way: `at` is its first byte that has not passed."""

    at: int
    age: int = 0
    length: int | None = None
    end: int | None = None

    @property
    def reads(self) -> bool:
        return self.end is not None


@dataclass
class Front:
    preamble: int = 0
    vectors: bool = False
    queue: list[Element] = field(default_factory=list)
    headers: list[Header] = field(default_factory=list)  # of at most two packets, the first in hand
    hand: tuple[Packet, int] | None = None  # the word in hand
    at: int = 0  # the first byte of the packet that was not scanned
    entity: int = 0  # where the entity begins that it belongs to
    scanned: Packet | None = None  # the packet that is being scanned
    passing: bool = False
    raw: Raw | None = None
    taken: int = 0  # words of the packet that were scanned or fetched
    replay: list[int] = field(default_factory=list)
    replayed: bool = False  # the word in hand comes from the history
    cycle: int = 0
    # By the cycle in which they are on the output: bytes and whether they are the last; None: failed.
    beats: dict[int, tuple[bytes, bool] | None] = field(default_factory=dict)

    def window(self) -> list[Element]:
        mine = self.headers[0].packet if self.headers else None
        return [element for element in self.queue[:WINDOW] if element.packet is mine]

    def room(self) -> bool:
        return len(self.queue) <= QUEUE - WINDOW

    def step(self, pop=0, drop=False, done=False, raw_begin=False, raw_length=None) -> None:
        """A cycle, with what the core does in it."""
        room = self.room()
        ended_before = [header.ended for header in self.headers]
        popped = self.queue[:pop]

        def drop_queue():
            mine = self.headers[0].packet
            self.queue = [one for one in self.queue if one.packet is not mine]

        if drop:
            drop_queue()
            self.beats = {at: beat for at, beat in self.beats.items() if at <= self.cycle}
            if self.raw:
                self.raw = None
                self._forget()
            if not ended_before[0] and self.scanned is self.headers[0].packet:
                self.passing, self.replay = True, []
                if self.taken >= self.scanned.words:
                    self.hand, self.replay, self.replayed = None, [], False
                    self._close()
        else:
            del self.queue[:pop]
        resumed = False
        if self.raw:
            resumed = self._raw_cycle()
        if not self.raw and not resumed:
            self._scan(room, done)
        if done:
            self.headers.pop(0)
        if raw_begin:
            self.raw = Raw(popped[-1].end)
        if raw_length is not None and self.raw:
            self.raw.length = raw_length
        self.cycle += 1

    def offer(self, packet: Packet, word: int) -> None:
        """A word was taken at the port in the cycle that was stepped through last."""
        assert self.hand is None
        self.hand, self.replayed = (packet, word), False

    # ------------------------------------------------------------------ scanning

    def _free(self, done: bool) -> bool:
        return len(self.headers) - done < 2

    def _range(self):
        packet, index = self.hand
        start = max(8 * index, self.at if packet is self.scanned else self.preamble)
        return start, min(8 * index + 8, packet.good)

    def _scan(self, room: bool, done: bool) -> None:
        if self.hand is None:
            return
        packet, index = self.hand
        start, end = self._range()
        if index == 0 and not self.replayed and not self._free(done):
            return
        if self.passing:
            self._take()
            return
        if start < end:
            if not room:
                return
            if packet is not self.scanned:
                self.scanned, self.at, self.entity = packet, start, start
                self.headers.append(Header(packet))
            data = packet.data
            stop = next((at for at in range(start, end) if data[at] & 0x80), None)
            first_end = end if stop is None else stop + 1
            if first_end - self.entity > ELEMENT:
                self._push(start, True)
                return
            while self.at < end:
                self.at += 1
                if data[self.at - 1] & 0x80:
                    self._push(self.at, False)
        self._take()

    def _push(self, end: int, more: bool) -> None:
        element = Element(self.scanned, self.entity, end, more)
        self.entity = end
        header = self.headers[-1]
        if header.map is None:
            header.map = element
            header.complete = not header.explicit
        elif not header.complete:
            header.id, header.complete = element, True
        else:
            self.queue.append(element)

    def _take(self) -> None:
        packet, index = self.hand
        if not self.replayed:
            self.taken = index + 1
        last = index + 1 == packet.words
        self.hand, self.replayed = None, False
        if last:
            if self.scanned is packet:
                self._close()
        else:
            self._load_replay()

    def _close(self) -> None:
        if not self.passing:
            header = self.headers[-1]
            header.ended, header.leftover = True, self.entity < self.scanned.good
        self.scanned, self.passing = None, False

    def _load_replay(self) -> None:
        if self.hand is None and self.replay:
            self.hand, self.replayed = (self.headers[0].packet, self.replay.pop(0)), True

    def _forget(self) -> None:
        self.replay = []
        if self.replayed:
            self.hand, self.replayed = None, False

    # ------------------------------------------------------------------ raw bytes

    def _raw_cycle(self) -> bool:
        """A cycle behind the length's; says whether the last bytes passed."""
        raw = self.raw
        raw.age += 1
        header = self.headers[0]
        packet = header.packet
        available = min(8 * self.taken, packet.good)
        complete = self.taken == packet.words
        if raw.age == 1:
            self.queue = []
            header.ended = False
            self.scanned = packet
            self._forget()
        if raw.age == 1 or raw.reads:
            self._fetch()
        if not raw.reads:
            if raw.age >= 3 and raw.length is not None:
                raw.end = raw.at + min(raw.length, 0xFFFF)
            return False
        beat_end = min(raw.at + 8, raw.end)
        if beat_end > available:
            if complete:
                self.beats[self.cycle + 2] = None
                self.entity = 0
                self.raw = None
                self._close()
                return True
            return False
        last = raw.end - raw.at <= 8
        self.beats[self.cycle + 2] = (packet.data[raw.at : beat_end], last)
        raw.at = beat_end
        if not last:
            return False
        self.raw = None
        self.at = self.entity = raw.end
        self.replay = list(range(raw.end // 8, self.taken))
        if complete and not self.replay:
            self._close()
        self._load_replay()
        return True

    def _fetch(self) -> None:
        if self.hand is not None:
            self.taken = self.hand[1] + 1
            self.hand = None
