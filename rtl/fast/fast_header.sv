// The header registers: for each of two packets its first header and how far the packet is.
//
// The scanner begins a packet with its first word, adds the elements of its header and ends it; all
// is on the output in the cycle behind. Dispatch releases a packet's slot for the packet after next.
module fast_header (
    input logic clk,
    input logic rst,

    input logic        slot,     // the scanner's packet
    input logic        begins,
    input logic [ 3:0] tid,
    input logic [63:0] tstamp,

    // Elements of the header: the first of a word or of the carried bytes, and the second.
    input logic         take_pmap,       // the first is the presence map
    input logic         take_id_first,   // the first is the identifier
    input logic         take_id_second,  // the second is
    input logic         has_id,          // bit 6 of the first's first byte
    input logic [127:0] first,
    input logic [  4:0] first_length,
    input logic         first_more,
    input logic [ 55:0] second,
    input logic [  2:0] second_length,

    input logic ends,
    input logic left,
    input logic aborted,
    input logic reopen,  // scanning of packet `reopen_slot` goes back
    input logic reopen_slot,

    input logic release_valid,
    input logic release_slot,

    output fast_front_pkg::packet_t [1:0] packets
);
  import fast_front_pkg::*;

  packet_t [1:0] packets_q;
  assign packets = packets_q;

  always_ff @(posedge clk) begin
    for (int s = 0; s < 2; s++) begin
      if (release_valid && release_slot == 1'(s)) begin
        packets_q[s].busy  <= 1'b0;
        packets_q[s].ready <= 1'b0;
        packets_q[s].ended <= 1'b0;
      end
      if (slot == 1'(s)) begin
        if (begins) begin
          packets_q[s].busy <= 1'b1;
          packets_q[s].ready <= 1'b0;
          packets_q[s].ended <= 1'b0;
          packets_q[s].left <= 1'b0;
          packets_q[s].aborted <= 1'b0;
          packets_q[s].tid <= tid;
          packets_q[s].tstamp <= tstamp;
        end
        if (take_pmap) begin
          packets_q[s].head.pmap <= first[71:0];
          packets_q[s].head.pmap_length <= first_length;
          packets_q[s].head.pmap_more <= first_more;
          packets_q[s].head.has_id <= has_id;
          packets_q[s].ready <= !has_id || take_id_second;
        end
        if (take_id_first || take_id_second) begin
          packets_q[s].head.id <= take_id_second ? {24'd0, second} : first[79:0];
          packets_q[s].head.id_length <= take_id_second ? {2'b00, second_length} : first_length;
          packets_q[s].head.id_more <= take_id_first && first_more;
          packets_q[s].ready <= 1'b1;
        end
        if (ends) begin
          packets_q[s].ended <= 1'b1;
          packets_q[s].left <= left;
          packets_q[s].aborted <= aborted;
        end
      end
      if (reopen && reopen_slot == 1'(s)) packets_q[s].ended <= 1'b0;
      if (rst) begin
        packets_q[s].busy  <= 1'b0;
        packets_q[s].ready <= 1'b0;
        packets_q[s].ended <= 1'b0;
      end
    end
  end

endmodule
