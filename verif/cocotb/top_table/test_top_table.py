"""top_table: the last answer about each instrument, read as of one moment."""

import random

import cocotb
from cocotb.triggers import RisingEdge

import readout
from feed_types import TOP, pack
from harness import SEED, scaled, simulate
from streams import cycles, start

END, LOST = 7, 6
WORDS = (
    "bid_price", "bid_quantity", "ask_price", "ask_quantity", "tstamp",
)


async def read(dut, address: int) -> int:
    return await readout.read(dut, address, 2)


def words(top: dict[str, int]) -> list[int]:
    """What the host reads of an answer."""
    found = [
        top["bid_valid"] | top["ask_valid"] << 1 | top["live"] << 2 | top["answer"] << 4,
        top["rpt_seq"], top["bid_orders"] | top["ask_orders"] << 16, 0,
    ]
    for name in WORDS:
        found += [top[name] & 0xFFFFFFFF, top[name] >> 32]
    return found + [0, 0]


@cocotb.test()
async def last_answers(dut):
    """Random answers; then every instrument's is the last one that was about an entry."""
    await start(dut, s_top=0, read_valid=0, read_address=0)
    draw = random.Random(SEED)
    last = {}
    for _ in range(scaled(200, 60)):
        top = {name: draw.getrandbits(width) for name, width in TOP}
        top["op"] = draw.choice((0, 1, 2, 3, 4, LOST, END, 8, 9))
        dut.s_top.value = pack(TOP, **top)
        await RisingEdge(dut.clk)
        if top["valid"] and top["op"] not in (LOST, END):
            last[top["instrument"]] = words(top)
    dut.s_top.value = 0
    await cycles(dut, 3)
    for instrument in range(16):
        got = [await read(dut, instrument << 4 | word) for word in range(16)]
        assert got == last.get(instrument, [0] * 16)


@cocotb.test()
async def one_moment(dut):
    """What is read behind the status is of the moment of the status."""
    await start(dut, s_top=0, read_valid=0, read_address=0)
    draw = random.Random(SEED)
    tops = []
    for _ in range(2):
        top = {name: draw.getrandbits(width) for name, width in TOP}
        tops.append(top | {"valid": 1, "op": 0, "instrument": 3})
    dut.s_top.value = pack(TOP, **tops[0])
    await RisingEdge(dut.clk)
    dut.s_top.value = 0
    await cycles(dut, 3)
    status = await read(dut, 3 << 4)
    dut.s_top.value = pack(TOP, **tops[1])
    await RisingEdge(dut.clk)
    dut.s_top.value = 0
    await cycles(dut, 3)
    rest = [await read(dut, 3 << 4 | word) for word in range(1, 14)]
    assert [status, *rest] == words(tops[0])[:14]


def test_top_table():
    simulate(__file__, "top_table")
