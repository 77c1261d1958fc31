"""What a host tells strategy_slots: parameters and commands of the slots."""

from cocotb.triggers import RisingEdge

ARM, DISARM, RESTART, ACCEPTED, FILLED, CANCELED, REJECTED, NOT_SENT = range(8)
SET_POSITION, SET_OPEN_BUY, SET_OPEN_SELL, SET_OPEN_ORDERS = range(8, 12)
IDLE, ARMED, FIRED, LIVE, DONE = range(5)
SOURCE_TRADE, SOURCE_BID, SOURCE_OFFER = range(3)
MASK = (1 << 64) - 1


async def configure(dut, slot: int, plan: dict) -> None:
    """Writes a slot's parameters; keys as crates/trader/examples/market_vectors.rs prints them."""
    control = (plan["instrument"] | plan["source"] << 4 | plan["at_most"] << 8 | plan["sell"] << 9
               | plan["rearm"] << 10 | plan.get("enabled", 1) << 11)
    fields = (control, plan["bound"], plan["quantity"], plan["max_order_quantity"],
              plan["max_open_orders"], plan["max_position"], plan["cooldown"])
    for field, value in enumerate(fields):
        dut.config_write_valid.value = 1
        dut.config_write_address.value = slot << 3 | field
        dut.config_write_data.value = value & MASK
        await RisingEdge(dut.clk)
    dut.config_write_valid.value = 0


async def command(dut, op: int, slot: int, quantity: int = 0) -> None:
    """Gives a command, and waits until it has been carried out."""
    dut.command_valid.value = 1
    dut.command_op.value = op
    dut.command_slot.value = slot
    dut.command_quantity.value = quantity & MASK
    await RisingEdge(dut.clk)
    while not int(dut.command_ready.value):
        await RisingEdge(dut.clk)
    dut.command_valid.value = 0
    for _ in range(8):
        await RisingEdge(dut.clk)


def slot_states(dut, slots: int = 16) -> list[int]:
    packed = int(dut.slot_state.value)
    return [packed >> 3 * slot & 7 for slot in range(slots)]


async def settle(dut, cycles: int = 200) -> None:
    """Waits until every verdict on limits can be up to date."""
    for _ in range(cycles):
        await RisingEdge(dut.clk)


async def exposure(dut, instrument: int) -> list[int]:
    dut.exposure_instrument.value = instrument
    for _ in range(3):
        await RisingEdge(dut.clk)
    position = int(dut.exposure_position.value)
    return [position - (1 << 64) if position >> 63 else position, int(dut.exposure_open_buy.value),
            int(dut.exposure_open_sell.value), int(dut.exposure_open_orders.value)]
