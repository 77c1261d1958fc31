// The last 64 words of the input, in distributed memory with two ports to read.
module fast_history #(
    parameter int unsigned BITS = 74
) (
    input  logic            clk,
    input  logic            write,
    input  logic [     5:0] write_index,
    input  logic [BITS-1:0] write_data,
    input  logic [     5:0] read_index_a,
    output logic [BITS-1:0] read_data_a,
    input  logic [     5:0] read_index_b,
    output logic [BITS-1:0] read_data_b
);
  (* ram_style = "distributed" *)logic [BITS-1:0] words_a[64];
  (* ram_style = "distributed" *)logic [BITS-1:0] words_b[64];

  always_ff @(posedge clk) begin
    if (write) begin
      words_a[write_index] <= write_data;
      words_b[write_index] <= write_data;
    end
  end

  assign read_data_a = words_a[read_index_a];
  assign read_data_b = words_b[read_index_b];
endmodule
