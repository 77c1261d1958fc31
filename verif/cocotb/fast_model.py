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
    second: tuple[Packet, int] | None = None  # the one behind it, if the port was ahead
    at: int = 0  # the first byte of the packet that was not scanned
    entity: int = 0  # where the entity begins that it belongs to
    scanned: Packet | None = None  # the packet that is being scanned
    passing: bool = False
    raw: Raw | None = None
    taken: int = 0  # words of the packet that were scanned or fetched
    replay: list[int] = field(default_factory=list)
    replayed: bool = False  # the word in hand comes from the history
    # What the core did in the cycle before, which scanner and queue hear of now.
    dropped: Header | None = None
    resumes: Raw | None = None  # the last bytes passed, or the packet ended before
    truncated: bool = False
    holds: bool = False  # it was being scanned
    were: int = 0  # elements in the queue a cycle ago, and those pushed then
    cycle: int = 0
    # By the cycle in which they are on the output: bytes and whether they are the last; None: failed.
    beats: dict[int, tuple[bytes, bool] | None] = field(default_factory=dict)

    def window(self) -> list[Element]:
        mine = self.headers[0].packet if self.headers else None
        return [element for element in self.queue[:WINDOW] if element.packet is mine]

    def room(self) -> bool:
        return self.were <= QUEUE - WINDOW

    def step(self, pop=0, drop=False, done=False, raw_begin=False, raw_length=None) -> None:
        """A cycle, with what the core does in it."""
        room = self.room()
        popped = self.queue[:pop]
        mine = self.headers[0] if self.headers else None
        before = len(self.queue)
        holds = drop and self.scanned is mine.packet
        if self.dropped:
            assert not pop, "nothing is taken in the cycle behind a drop"
            self._drop()
        else:
            del self.queue[:pop]
        kept = len(self.queue)
        if self.resumes:
            self._resume()
        elif self.raw:
            self._raw_cycle()
        elif not self.holds:
            self._scan(room)
        self.were = before + max(len(self.queue) - kept, 0)
        self.dropped = mine if drop else None
        self.holds = holds
        if done:
            self.headers.pop(0)
        if raw_begin:
            self.raw = Raw(popped[-1].end)
        if raw_length is not None and self.raw:
            self.raw.length = raw_length
        self.cycle += 1

    def offer(self, packet: Packet, word: int) -> None:
        """A word was taken at the port in the cycle that was stepped through last."""
        assert self.second is None
        if self.hand is None:
            self.hand, self.replayed = (packet, word), False
        else:
            self.second = packet, word

    # ------------------------------------------------------------------ scanning

    def _free(self) -> bool:
        return len(self.headers) < 2

    def _drop(self) -> None:
        header = self.dropped
        self.queue = [one for one in self.queue if one.packet is not header.packet]
        self.beats = {at: beat for at, beat in self.beats.items() if at <= self.cycle}
        if self.raw or self.resumes:
            if self.raw and self.raw.reads:
                self._fetch()  # what was taken while bytes were read waits for nobody
            self.raw = self.resumes = None
            self._forget()
        if not header.ended and self.scanned is header.packet:
            self.passing, self.replay = True, []
            if self.taken >= self.scanned.words:
                self.hand, self.replay, self.replayed = None, [], False
                self._close()

    def _range(self):
        packet, index = self.hand
        start = max(8 * index, self.at if packet is self.scanned else self.preamble)
        return start, min(8 * index + 8, packet.good)

    def _scan(self, room: bool) -> None:
        if self.hand is None:
            return
        packet, index = self.hand
        start, end = self._range()
        if index == 0 and not self.replayed and not self._free():
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
        self.hand, self.second, self.replayed = self.second, None, False
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

    def _raw_cycle(self) -> None:
        """A cycle behind the length's."""
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
            return
        beat_end = min(raw.at + 8, raw.end)
        if beat_end > available:
            if complete:
                # When it is told how the packet ends.
                self.beats[self.cycle + 3] = None
                self.raw, self.resumes, self.truncated = None, raw, True
            return
        last = raw.end - raw.at <= 8
        self.beats[self.cycle + 2] = (packet.data[raw.at : beat_end], last)
        raw.at = beat_end
        if last:
            self.raw, self.resumes, self.truncated = None, raw, False

    def _resume(self) -> None:
        """The cycle behind the last bytes: scanning goes on in the next."""
        raw, self.resumes = self.resumes, None
        if self.truncated:
            self.entity = 0
            self._close()
            return
        self.at = self.entity = raw.end
        self.replay = list(range(raw.end // 8, self.taken))
        if self.taken == self.scanned.words and raw.end >= self.scanned.good:
            self.replay = []
            self._close()
        self._load_replay()

    def _fetch(self) -> None:
        for word in (self.hand, self.second):
            if word is not None:
                self.taken = word[1] + 1
        self.hand = self.second = None
