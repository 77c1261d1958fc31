// A book's 64-bit registers read as words of 32 bits: the low half first, the high half of the same moment.
//
// `read_address[0]` asks for the high half, which is that of the last low half read. An answer comes three
// cycles behind its request, as the book's own comes two behind.
module book_halves (
    input logic clk,
    input logic rst,

    input  logic        read_valid,
    input  logic [ 8:0] read_address,
    output logic        data_valid,
    output logic [31:0] data,

    output logic        reg_read,
    output logic [ 3:0] reg_instrument,
    output logic [ 3:0] reg_address,
    input  logic [63:0] reg_data
);

  assign reg_read = read_valid && !read_address[0];
  assign reg_instrument = read_address[8:5];
  assign reg_address = read_address[4:1];

  logic [1:0] asked_q, high_q;

  always_ff @(posedge clk) begin
    asked_q <= {asked_q[0], read_valid};
    high_q  <= {high_q[0], read_address[0]};
    if (rst) asked_q <= '0;
  end

  word_halves answer (
      .clk,
      .rst,
      .asked(asked_q[1]),
      .high (high_q[1]),
      .word (reg_data),
      .data_valid,
      .data
  );

endmodule
