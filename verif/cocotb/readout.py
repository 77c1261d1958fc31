"""The read port that tables and meters of the top share: an address, and its word some cycles later."""

from cocotb.triggers import RisingEdge


async def read(dut, address: int, cycles: int) -> int:
    """The word at an address, which must come after so many cycles, no sooner and no later."""
    dut.read_valid.value, dut.read_address.value = 1, address
    await RisingEdge(dut.clk)
    dut.read_valid.value = 0
    for waited in range(1, cycles + 1):
        await RisingEdge(dut.clk)
        if int(dut.data_valid.value):
            assert waited == cycles, f"after {waited} cycles"
            return int(dut.data.value)
    raise AssertionError(f"no answer in {cycles} cycles")
