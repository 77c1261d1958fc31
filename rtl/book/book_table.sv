// A block RAM with one port to write and one to read. What is read at an address that is written in
// the same cycle is undefined: the users of this module do not use it.
module book_table #(
    parameter int unsigned INDEX_BITS = 12,
    parameter int unsigned BITS = 32
) (
    input  logic                  clk,
    input  logic                  write,
    input  logic [INDEX_BITS-1:0] write_index,
    input  logic [      BITS-1:0] write_data,
    input  logic [INDEX_BITS-1:0] read_index,
    output logic [      BITS-1:0] read_data
);
  (* ram_style = "block", no_rw_check *) logic [BITS-1:0] words[1 << INDEX_BITS];

  always_ff @(posedge clk) begin
    if (write) words[write_index] <= write_data;
    read_data <= words[read_index];
`ifdef VERILATOR
    // Poison in simulation what hardware does not define.
    if (write && write_index == read_index) read_data <= {BITS{1'b1}};
`endif
  end
endmodule
