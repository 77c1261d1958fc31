// A block RAM with one port to write and one to read, and an output register: what is at `address` in
// cycle c is on `data` in c+2. It is written while nothing that matters is read.
module fast_memory #(
    parameter int unsigned DEPTH = 512,
    parameter int unsigned BITS  = 36
) (
    input  logic                     clk,
    input  logic                     write,
    input  logic [$clog2(DEPTH)-1:0] write_address,
    input  logic [         BITS-1:0] write_data,
    input  logic [$clog2(DEPTH)-1:0] address,
    output logic [         BITS-1:0] data
);
  if (DEPTH < 2 || DEPTH != 1 << $clog2(DEPTH)) begin : gen_bad_depth
    $fatal(1, "%m: DEPTH %0d is not a power of two from 2 on", DEPTH);
  end

  (* ram_style = "block", no_rw_check *)logic [BITS-1:0] words  [DEPTH];
  logic [BITS-1:0] word_q;

  always_ff @(posedge clk) begin
    if (write) words[write_address] <= write_data;
    word_q <= words[address];
    data   <= word_q;
  end
endmodule
