// The last 64 words of the input, in distributed memory with two ports to read; that for data has its
// address for each quarter.
module fast_history (
    input  logic                        clk,
    input  logic                        write,
    input  logic                 [ 5:0] write_index,
    input  fast_scan_pkg::word_t        write_word,
    input  logic            [3:0][ 5:0] data_index,
    output logic                 [63:0] data,
    input  logic                 [ 5:0] word_index,
    output fast_scan_pkg::word_t        word
);
  import fast_scan_pkg::*;

  (* ram_style = "distributed" *) word_t words[64];

  always_ff @(posedge clk) begin
    if (write) words[write_index] <= write_word;
  end

  for (genvar i = 0; i < 4; i++) begin : gen_part
    (* ram_style = "distributed" *) logic [15:0] part[64];
    always_ff @(posedge clk) if (write) part[write_index] <= write_word.data[16*i+:16];
    assign data[16*i+:16] = part[data_index[i]];
  end
  assign word = words[word_index];
endmodule
