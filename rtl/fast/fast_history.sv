// The last 64 words of the input, in distributed memory with two ports to read: synthesis copies
// what each of them needs.
module fast_history (
    input  logic                        clk,
    input  logic                        write,
    input  logic                 [ 5:0] write_index,
    input  fast_scan_pkg::word_t        write_word,
    input  logic                 [ 5:0] data_index,
    output logic                 [63:0] data,
    input  logic                 [ 5:0] word_index,
    output fast_scan_pkg::word_t        word
);
  import fast_scan_pkg::*;

  (* ram_style = "distributed" *) word_t words[64];

  always_ff @(posedge clk) begin
    if (write) words[write_index] <= write_word;
  end

  assign data = words[data_index].data;
  assign word = words[word_index];
endmodule
