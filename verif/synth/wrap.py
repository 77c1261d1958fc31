"""Puts a block between registers, so that a placement's Fmax speaks of all its paths.

Without this, paths from and to the block's ports would start and end at pads, which no clock
constrains. Inputs come from a shift register, outputs go to registers that are folded into one pin;
what this adds is one LUT deep and never the critical path.
"""

CLOCK = "clk"


def wrapper(top: str, ports: dict[str, tuple[str, int]]) -> str:
    """Verilog of module `placed`, for a block with `ports` {name: (direction, width)}."""
    inputs = [(name, width) for name, (way, width) in ports.items() if way == "input"]
    inputs = [(name, width) for name, width in inputs if name != CLOCK]
    outputs = [(name, width) for name, (way, width) in ports.items() if way == "output"]
    bits_in = sum(width for _, width in inputs)
    bits_out = sum(width for _, width in outputs)
    connections = [f".{CLOCK}(clk)"]
    at = 0
    for name, width in inputs:
        connections.append(f".{name}(in_q[{at} +: {width}])")
        at += width
    at = 0
    for name, width in outputs:
        connections.append(f".{name}(out[{at} +: {width}])")
        at += width
    joined = ",\n    ".join(connections)
    return f"""\
module placed (input clk, input scan_in, output reg scan_out);
  reg [{bits_in - 1}:0] in_q;
  wire [{bits_out - 1}:0] out;
  reg [{bits_out - 1}:0] out_q, fold_q;
  always @(posedge clk) begin
    in_q <= {{in_q, scan_in}};
    out_q <= out;
    fold_q <= out_q ^ {{fold_q, 1'b0}};
    scan_out <= fold_q[{bits_out - 1}];
  end
  {top} block (
    {joined}
  );
endmodule
"""
