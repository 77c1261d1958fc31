// Words of 64 bits read as halves of 32: the low half first, the high half of the same moment.
//
// `asked` comes beside the word; the answer a cycle later. A high half is that of the last low half asked for.
module word_halves (
    input logic clk,
    input logic rst,

    input  logic        asked,
    input  logic        high,
    input  logic [63:0] word,
    output logic        data_valid,
    output logic [31:0] data
);

  logic [31:0] high_q;

  always_ff @(posedge clk) begin
    data_valid <= asked && !rst;
    data <= high ? high_q : word[31:0];
    if (asked && !high) high_q <= word[63:32];
  end

endmodule
