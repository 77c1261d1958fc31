"""What tests of the order sender share: its tables, its fires, and frames to put into its slots."""

import struct
from dataclasses import dataclass

import cocotb
from cocotb.triggers import RisingEdge

FRAME_BASE, SLOT_BASE, HEADER_BASE = 0x000, 0x800, 0x900
SHAPE, LAYOUT, SUMS, ARM = 0, 1, 2, 15
REASONS = (
    "ACCEPTED DISABLED NOT_ARMED NOT_LEASED LIMIT MSG_SEQ BAD_PACKET QUEUE_FULL".split()
)
EVENTS = (
    "fired poisoned retried refused_disabled refused_not_armed refused_not_leased refused_limit "
    "refused_msg_seq refused_bad_packet refused_queue_full armed disarmed write_refused "
    "register_refused"
).split()
MAGIC = 0x534B


def words_sum(data: bytes) -> int:
    """Ones' complement sum of 16-bit words."""
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def writes_of(text: str) -> list[tuple[int, int]]:
    """Writes as the vectors tell them: three digits of address, eight of data."""
    return [(int(text[at : at + 3], 16), int(text[at + 3 : at + 11], 16)) for at in range(0, len(text), 11)]


@dataclass
class Prepared:
    """A FIX order of any layout: `before` bytes stand between the TCP header and MsgSeqNum."""

    tagged: bool
    before: int
    between: int

    def __post_init__(self):
        self.tcp_at = 38 if self.tagged else 34
        self.payload_at = self.tcp_at + 20
        head = (b"8=FIX.4.4\x0135=D\x0158=" + b"x" * self.before)[: self.before - 4] + b"\x0134="
        body = head + b"0" * 9 + b"\x0149=" + b"y" * self.between + b"\x01"
        self.message = body + b"10=000\x01"
        self.msg_seq_at = self.payload_at + len(head)
        self.check_sum_at = self.payload_at + len(body) + 3
        ethernet = bytes(range(0x02, 0x0E)) + (b"\x81\x00\x20\x2a" if self.tagged else b"") + b"\x08\x00"
        length = 40 + len(self.message)
        ip = struct.pack(">BBHHHBBH8s", 0x45, 0, length, 0, 0x4000, 64, 6, 0, bytes([10, 0, 0, 2, 10, 0, 0, 1]))
        ip = ip[:10] + struct.pack(">H", 0xFFFF ^ words_sum(ip)) + ip[12:]
        self.ip = ip
        tcp = struct.pack(">HHIIBBHHH", 49152, 9878, 0, 0, 0x50, 0x18, 0, 0, 0)
        self.frame = ethernet + ip + tcp + self.message
        self.tcp_sum = words_sum(self.pseudo + tcp + self.message)
        self.fix_sum = sum(body) % 256

    @property
    def pseudo(self) -> bytes:
        return self.ip[12:20] + struct.pack(">HH", 6, 20 + len(self.message))

    def sent(self, seq: int, ack: int, window: int, msg_seq: int) -> bytes:
        """The frame that must leave, built from scratch."""
        frame = bytearray(self.frame)
        frame[self.msg_seq_at : self.msg_seq_at + 9] = b"%09d" % msg_seq
        covered = frame[self.payload_at : self.check_sum_at - 3]
        frame[self.check_sum_at : self.check_sum_at + 3] = b"%03d" % (sum(covered) % 256)
        at = self.tcp_at
        frame[at + 4 : at + 12] = struct.pack(">II", seq, ack)
        frame[at + 14 : at + 16] = struct.pack(">H", window)
        check = 0xFFFF ^ words_sum(self.pseudo + bytes(frame[at:]))
        frame[at + 16 : at + 18] = struct.pack(">H", check)
        return bytes(frame)

    def writes(self, slot: int) -> list[tuple[int, int]]:
        padded = self.frame + bytes(-len(self.frame) % 4)
        words = struct.unpack(f"<{len(padded) // 4}I", padded)
        at = SLOT_BASE + 16 * slot
        return [(128 * slot + i, word) for i, word in enumerate(words)] + [
            (at + SHAPE, len(self.frame) | self.tagged << 16),
            (at + LAYOUT, self.msg_seq_at | self.check_sum_at << 16),
            (at + SUMS, self.tcp_sum | self.fix_sum << 16),
        ]


def arming(slot: int, armed: bool = True) -> list[tuple[int, int]]:
    return [(SLOT_BASE + 16 * slot + ARM, int(armed))]


async def write(dut, writes: list[tuple[int, int]]) -> None:
    """One write to the tables a cycle, and four cycles for the last to be done, and counted if refused."""
    for address, data in writes:
        dut.slot_write_valid.value = 1
        dut.slot_write_address.value = address
        dut.slot_write_data.value = data
        await RisingEdge(dut.clk)
    dut.slot_write_valid.value = 0
    for _ in range(4):
        await RisingEdge(dut.clk)


def fields(value: int, widths: dict[str, int]) -> dict[str, int]:
    """A packed struct, by its members' widths, the first highest."""
    found, at = {}, sum(widths.values())
    for name, width in widths.items():
        at -= width
        found[name] = value >> at & (1 << width) - 1
    return found


SENT = {
    "slot": 4, "udp": 1, "poisoned": 1, "msg_seq": 32, "seq_start": 32, "seq_end": 32,
    "tstamp_in": 64, "tstamp_out": 64,
}


class Reports:
    """What the order sender reports: in order, and as counters."""

    def __init__(self, dut, counter):
        self.dut, self.counter = dut, counter
        self.sent, self.refused, self.rearmed = [], [], []
        self.outcomes = []
        self.counts = dict.fromkeys(EVENTS, 0)
        cocotb.start_soon(self._run())

    async def _run(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            if int(dut.sent_valid.value):
                self.sent.append(fields(int(dut.sent.value), SENT))
            if int(dut.refused_valid.value):
                value = int(dut.refused.value)
                self.refused.append((value >> 3, REASONS[value & 7]))
            if int(dut.rearm_valid.value):
                self.rearmed.append((int(dut.rearm_slot.value), int(dut.rearm_armed.value)))
            bits = int(dut.order_event.value)
            for i, name in enumerate(reversed(EVENTS)):
                self.counts[name] += bits >> i & 1
