"""A host for trader_top: program, instruments, strategy and order slots over AXI4-Lite; feed frames in,
order frames out, and the cycle of every step."""

import json
import random
import struct
from dataclasses import dataclass, field
from pathlib import Path

import cocotb
from cocotb.triggers import RisingEdge
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

import xgmii
from harness import SEED
from orders import Prepared, arming
from registers_axi import Registers
from streams import StreamMonitor, cycles, start
from xgmii import IDLE, Line, with_fcs

# What the host writes for the feed's templates; `crates/cosim/tests/program.rs` keeps it up to date.
PROGRAM = Path(__file__).parent / "trader_top" / "program.json"
IDLE_WORD = int.from_bytes(bytes([IDLE] * 8), "little")
A, B = ("239.195.1.1", 16001), ("239.195.2.1", 17001)
SECURITY = 77
EXPONENT = -2
# crates/feed/templates/saker.xml
INCREMENTAL, HEARTBEAT, INCREMENTAL_ENTRY = 2, 4, 5
NEW, CHANGE, DELETE = range(3)
BID, OFFER, TRADE = range(3)
ENTRY_CLEAR, ENTRY_LIVE, ENTRY_SHOW = 8, 9, 10
SENDING_TIME = 1_700_000_000_000_000_000


def uint(value: int) -> bytes:
    """A FAST unsigned integer."""
    groups = [value & 0x7F | 0x80]
    while value := value >> 7:
        groups.append(value & 0x7F)
    return bytes(reversed(groups))


def sint(value: int) -> bytes:
    """A FAST signed integer."""
    groups = [value & 0x7F | 0x80]
    while not -64 <= value < 64:
        value >>= 7
        groups.append(value & 0x7F)
    return bytes(reversed(groups))


@dataclass
class Entry:
    """An entry of an incremental refresh."""

    action: int
    kind: int
    rpt_seq: int
    order: int
    price: int
    quantity: int
    security: int = SECURITY


def refresh(entries: list[Entry], time: int = SENDING_TIME) -> bytes:
    """Entries in a sequence."""
    out = bytes([0xC0]) + uint(INCREMENTAL) + uint(time) + uint(len(entries))
    return out + b"".join(fields(one) for one in entries)


def entry_message(one: Entry, time: int = SENDING_TIME) -> bytes:
    """A message that is an entry: as the exchange sends a packet's only one."""
    return bytes([0xC0]) + uint(INCREMENTAL_ENTRY) + uint(time) + fields(one)


def fields(one: Entry) -> bytes:
    out = uint(one.action) + uint(one.kind) + uint(one.security) + uint(one.rpt_seq)
    return out + uint(one.order) + sint(EXPONENT) + sint(one.price) + uint(one.quantity)


def heartbeat() -> bytes:
    return bytes([0xC0]) + uint(HEARTBEAT) + uint(SENDING_TIME)


def feed_frame(payload: bytes, where=A) -> bytes:
    ether = Ether(src="02:00:00:00:00:01", dst="01:00:5e:43:01:01")
    frame = bytes(ether / IP(src="10.0.0.1", dst=where[0]) / UDP(sport=1, dport=where[1]) / payload)
    return frame + bytes(max(0, 60 - len(frame)))


@dataclass
class Sent:
    """A frame on XGMII out: its bytes with FCS, and the cycle of its first byte."""

    octets: bytes
    first: int

    @property
    def good(self) -> bool:
        return self.octets == with_fcs(self.octets[:-4])

    @property
    def poisoned(self) -> bool:
        fcs = bytes(octet ^ 0xFF for octet in with_fcs(self.octets[:-4])[-4:])
        return self.octets[-4:] == fcs


@dataclass
class Marks:
    """Cycles in which something was seen, since the last `clear`."""

    packet: list[int] = field(default_factory=list)  # words that the FAST engine takes
    end: list[int] = field(default_factory=list)  # a message's end behind it
    top: list[int] = field(default_factory=list)  # a book's answer
    fire: list[int] = field(default_factory=list)
    order: list[int] = field(default_factory=list)  # words of orders at the MAC
    refused: list[int] = field(default_factory=list)  # reasons

    def clear(self) -> None:
        for one in vars(self).values():
            one.clear()


class Host:
    def __init__(self, dut):
        self.dut = dut
        self.registers = Registers(dut)
        self.draw = random.Random(SEED)
        self.marks, self.sent = Marks(), []
        self.packet_seq = self.rpt_seq = self.order = 0
        self.slot = Prepared(tagged=False, before=60, between=8)
        # What a test keeps of the engine's and the book's state.
        self.last_template: int | None = None
        self.resting = 0

    async def start(self) -> "Host":
        dut = self.dut
        names = ("tdata", "tkeep", "tvalid", "tlast")
        self.counter = await start(
            dut, xgmii_rxd=IDLE_WORD, xgmii_rxc=0xFF, m_axis_host_tready=1,
            **{f"s_axis_host_{name}": 0 for name in names},
        )
        self.host = StreamMonitor(dut, "m_axis_host", self.counter, side=("tstamp",), ready=True)
        cocotb.start_soon(self._watch())
        cocotb.start_soon(self._receive())
        return self

    async def _watch(self) -> None:
        dut, marks = self.dut, self.marks
        signals = {
            "packet": dut.engine.s_axis_tvalid, "end": dut.obs_end, "top": dut.obs_top_valid,
            "fire": dut.obs_fire_valid, "order": dut.order_tvalid,
        }
        while True:
            await RisingEdge(dut.clk)
            for name, signal in signals.items():
                if int(signal.value):
                    getattr(marks, name).append(self.counter.cycle)
            if int(dut.obs_refused_valid.value):
                marks.refused.append(int(dut.obs_refused_reason.value))

    async def _receive(self) -> None:
        """Frames on XGMII out."""
        dut, octets = self.dut, None
        while True:
            await RisingEdge(dut.clk)
            flags = int(dut.xgmii_txc.value)
            if flags == 0xFF and octets is None and int(dut.xgmii_txd.value) == IDLE_WORD:
                continue
            word = int(dut.xgmii_txd.value).to_bytes(8, "little")
            for lane in range(8):
                control = flags >> lane & 1
                if control and word[lane] == xgmii.START:
                    octets, first = bytearray(), None
                elif octets is not None and control:
                    assert word[lane] == xgmii.TERMINATE, "a frame was cut"
                    self.sent.append(Sent(bytes(octets[7:]), first))
                    octets = None
                elif octets is not None:
                    octets.append(word[lane])
                    if len(octets) == 8:
                        first = self.counter.cycle

    # ------------------------------------------------------------------ setting up

    async def load(self) -> None:
        """The feed's program and roles, and which templates are incremental refreshes."""
        for address, word in json.loads(PROGRAM.read_text()):
            await self.registers.master.write(address, word.to_bytes(4, "little"))

    async def set_up(self, **switches: int) -> None:
        write, fields = self.registers.write, self.registers.fields
        for index, (address, port) in enumerate((A, B)):
            octets = bytes(int(part) for part in address.split("."))
            await fields(
                "control.channel", index,
                address=int.from_bytes(octets, "big"), port=port, enable=1,
            )
        await self.load()
        await write("watch.security_id", SECURITY)
        await fields("watch.control", exponent=EXPONENT & 0xFF, by_id=1, enabled=1)
        await self.revive()
        await self.strategy(bound=1_000)
        for address, word in self.slot.writes(0):
            await write("frames.word", word, address)
        for name, value in (("tcp_seq", 1000), ("tcp_limit", 2**31), ("next_msg_seq", 2)):
            await write(f"orders.set_{name}", value)
        await write("orders.tcp_ack", 555)
        await write("orders.tcp_window", 4096)
        await write("orders.lease", 1)
        await fields("control.switches", **{"engine": 1, "orders": 1, **switches})
        await self.arm()

    async def strategy(self, bound: int, slot: int = 0) -> None:
        """Buys where the best bid is at or above `bound`."""
        source_bid = 1
        for name, value in (
            ("bound", bound), ("quantity", 10), ("max_order_quantity", 100),
            ("max_open_orders", 100), ("max_position", 2**40), ("cooldown", 0),
            ("control", 1 << 11 | source_bid << 4),
        ):
            await self.registers.write(f"strategies.{name}", value, slot)

    async def top(self, index: int = 0) -> dict[str, int]:
        """An instrument's top of book; the status comes first, which keeps the others."""
        read = self.registers.read
        status = await read("tops.status", index)
        orders = await read("tops.orders", index)
        return {
            "bid_valid": status & 1,
            "bid_price": await read("tops.bid_price", index),
            "bid_quantity": await read("tops.bid_quantity", index),
            "bid_orders": orders & 0xFFFF,
        }

    async def inject(self, op: int, rpt_seq: int = 0) -> None:
        await self.registers.write("inject.rpt_seq", rpt_seq)
        await self.registers.fields("inject.command", op=op)
        while await self.registers.read("inject.status"):
            pass

    async def revive(self) -> None:
        """An empty book that goes on behind the RptSeq reached."""
        await self.inject(ENTRY_CLEAR)
        await self.inject(ENTRY_LIVE, self.rpt_seq)
        self.resting = 0
        await cycles(self.dut, 10)
        assert await self.registers.read("market.live") & 1

    async def command(self, op: int, quantity: int = 0) -> None:
        if quantity:
            await self.registers.write("strategy.quantity", quantity)
        await self.registers.fields("strategy.command", op=op)
        while await self.registers.read("strategy.status"):
            pass

    async def arm(self) -> None:
        """The order slot, then the strategy's."""
        for address, word in arming(0):
            await self.registers.write("frames.word", word, address)
        await self.command(0)
        while not await self.registers.read("strategy.armed") & 1:
            pass

    async def over(self) -> None:
        """The order that was sent is filled; the slot is armed again."""
        await self.command(3)
        await self.command(4, 10)
        await self.command(2)
        await self.arm()

    # ------------------------------------------------------------------ feed

    def packet(self, messages: bytes) -> bytes:
        self.packet_seq += 1
        return struct.pack("<I", self.packet_seq) + messages

    def tick(self, price: int = 1_000, action: int = NEW, **rest: int) -> Entry:
        self.rpt_seq += 1
        self.order += 1
        values = {"order": self.order, "quantity": 10, **rest}
        return Entry(action, BID, self.rpt_seq, price=price, **values)

    async def play(self, *frames: bytes, lane: int = 0, gap: int = 12, bad: bool = False) -> int:
        """Puts frames on the line; gives the cycle of the first one's Start."""
        line = Line()
        for frame in frames:
            octets = with_fcs(frame)
            octets = octets[:-1] + bytes([octets[-1] ^ 1]) if bad else octets
            line.frame(octets, lane, gap)
        await RisingEdge(self.dut.clk)
        begin = self.counter.next
        characters = line.characters
        await xgmii.play(self.dut.clk, self.dut.xgmii_rxd, self.dut.xgmii_rxc, line.words())
        return begin + characters.index((xgmii.START, True)) // 8

    async def send(self, frame: bytes) -> None:
        """A frame of the host for the line."""
        dut = self.dut
        for beat in range(0, len(frame), 8):
            word = frame[beat : beat + 8]
            dut.s_axis_host_tdata.value = int.from_bytes(word, "little")
            dut.s_axis_host_tkeep.value = (1 << len(word)) - 1
            dut.s_axis_host_tlast.value = beat + 8 >= len(frame)
            dut.s_axis_host_tvalid.value = 1
            await RisingEdge(dut.clk)
            while not int(dut.s_axis_host_tready.value):
                await RisingEdge(dut.clk)
        dut.s_axis_host_tvalid.value = 0

    async def settle(self, count: int = 80) -> None:
        await cycles(self.dut, count)
