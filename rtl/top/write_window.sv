// Write window: a table of 64-bit words behind a 32-bit register port.
//
// The low half of a word is kept until the high half is written behind it; that hands over the whole, in
// the next cycle. Every request is answered in the next cycle; reads give zero. A write of single bytes
// is answered and does nothing.
module write_window #(
    parameter int unsigned ADDRESS_BITS = 7
) (
    input logic clk,
    input logic rst,

    input  logic                  req,
    input  logic                  req_is_write,
    input  logic [ADDRESS_BITS:0] req_address,   // of 32-bit words
    input  logic [          31:0] req_data,
    input  logic [          31:0] req_mask,
    output logic                  read_ack,
    output logic                  write_ack,

    output logic                    write_valid,
    output logic [ADDRESS_BITS-1:0] write_address,
    output logic [            63:0] write_data
);

  logic whole;
  assign whole = req && req_is_write && req_mask == '1;

  always_ff @(posedge clk) begin
    read_ack <= req && !req_is_write;
    write_ack <= req && req_is_write;
    write_valid <= whole && req_address[0];
    write_address <= req_address[ADDRESS_BITS:1];
    if (whole && !req_address[0]) write_data[31:0] <= req_data;
    if (whole && req_address[0]) write_data[63:32] <= req_data;
    if (rst) begin
      read_ack <= 1'b0;
      write_ack <= 1'b0;
      write_valid <= 1'b0;
    end
  end

endmodule
