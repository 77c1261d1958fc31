"""The trader's registers over AXI4-Lite, by the names of rtl/top/trader.rdl."""

from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from registers import Register, group


class Registers:
    """Reads and writes registers; 64-bit ones low half first."""

    def __init__(self, dut):
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)

    @staticmethod
    def register(name: str) -> Register:
        """`group.register`."""
        first, second = name.split(".")
        return group(first).register(second)

    async def write(self, name: str, value: int, index: int = 0) -> None:
        register = self.register(name)
        for half in range(register.bits // 32):
            word = (value >> 32 * half & 0xFFFFFFFF).to_bytes(4, "little")
            done = await self.master.write(register.at(index) + 4 * half, word)
            assert done.resp == AxiResp.OKAY, f"{name}[{index}]: {done.resp!r}"

    async def fields(self, name: str, index: int = 0, **values: int) -> None:
        """Writes a register field by field; those not given are zero."""
        register, word = self.register(name), 0
        for field, value in values.items():
            where = register.field(field)
            assert 0 <= value < 1 << where.width, f"{name}.{field} = {value}"
            word |= value << where.low
        await self.write(name, word, index)

    async def read(self, name: str, index: int = 0) -> int:
        register, value = self.register(name), 0
        for half in range(register.bits // 32):
            done = await self.master.read(register.at(index) + 4 * half, 4)
            assert done.resp == AxiResp.OKAY, f"{name}[{index}]: {done.resp!r}"
            value |= int.from_bytes(done.data, "little") << 32 * half
        return value

    async def read_field(self, name: str, field: str, index: int = 0) -> int:
        where = self.register(name).field(field)
        return (await self.read(name, index) & where.mask) >> where.low

    async def counters(self) -> dict[str, int]:
        """All counters that are not zero."""
        found = {}
        for one in group("counters").registers:
            if value := await self.read(f"counters.{one.name}"):
                found[one.name] = value
        return found
