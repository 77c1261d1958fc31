// Prepared frames in slots, patched while they leave.
//
// A slot is a whole frame, Ethernet with or without a VLAN tag to FIX trailer, and its description.
// Sending it writes TCP sequence, acknowledgement, window and checksum, the nine digits of MsgSeqNum
// and the three of CheckSum over it, at full rate, and appends the latency trailer if wanted.
//
// Prepared are MsgSeqNum "000000000", CheckSum "000" and zeros in the four TCP fields; two sums of
// such a frame are in the description: that of the 16-bit words of pseudo-header, TCP header and
// payload in ones' complement, and that of the bytes in front of CheckSum's field modulo 256. What
// digits add to the sums is all that is computed here, in five cycles: the checksum leaves in word 6.
//
// Latency: the first word is offered in the cycle after `start`. While no frame is under way the unit
// follows `slot`, so that everything is at hand when `start` comes. Words 0 and 1 are in distributed
// RAM, the others in block RAM with two cycles' latency.
module order_slots
  import order_pkg::*;
(
    input logic clk,
    input logic rst,

    // Frames and descriptions (order_pkg), of slots that are not under way.
    input logic        write_valid,
    input logic [11:0] write_address,
    input logic [31:0] write_data,

    input logic [SLOT_BITS-1:0] slot,
    input logic                 start, // only while nothing is under way

    // Taken over at the start.
    input logic [31:0]      tcp_seq,
    input logic [31:0]      tcp_ack,
    input logic [15:0]      tcp_window,
    input logic [ 8:0][3:0] digits,
    input logic [ 5:0]      even_sum,
    input logic [ 5:0]      odd_sum,
    input logic             trailer,

    input logic [31:0] latency,  // nanoseconds; constant from four cycles after the first word on
    input logic        poison,   // looked at when the last word is made ready

    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser
);

  // Memories. A 64-bit word is two halves, for the host writes 32 bits.
  (* ram_style = "block", no_rw_check *) logic [31:0] low[SLOTS*64];
  (* ram_style = "block", no_rw_check *) logic [31:0] high[SLOTS*64];
  logic [31:0] first_low[SLOTS];
  logic [31:0] first_high[SLOTS];
  logic [31:0] second_low[SLOTS];
  logic [31:0] second_high[SLOTS];
  logic [10:0] shapes[SLOTS];
  logic [17:0] layouts[SLOTS];
  logic [23:0] sums[SLOTS];

  logic write_frame, write_description;
  logic [SLOT_BITS-1:0] write_slot;

  always_comb begin
    write_frame = write_valid && !write_address[11];
    write_description = write_valid && write_address[11:8] == SLOT_BASE[11:8];
    write_slot = write_address[11] ? write_address[7:4] : write_address[10:7];
  end

  always_ff @(posedge clk) begin
    if (write_frame && !write_address[0]) low[write_address[10:1]] <= write_data;
    if (write_frame && write_address[0]) high[write_address[10:1]] <= write_data;
  end

  always_ff @(posedge clk) begin
    if (write_frame && write_address[6:0] == 7'd0) first_low[write_slot] <= write_data;
    if (write_frame && write_address[6:0] == 7'd1) first_high[write_slot] <= write_data;
    if (write_frame && write_address[6:0] == 7'd2) second_low[write_slot] <= write_data;
    if (write_frame && write_address[6:0] == 7'd3) second_high[write_slot] <= write_data;
    if (write_description && write_address[3:0] == SLOT_SHAPE) begin
      shapes[write_slot] <= {write_data[16], write_data[9:0]};
    end
    if (write_description && write_address[3:0] == SLOT_LAYOUT) begin
      layouts[write_slot] <= {write_data[24:16], write_data[8:0]};
    end
    if (write_description && write_address[3:0] == SLOT_SUMS) sums[write_slot] <= write_data[23:0];
  end

  // What the frame under way, or the one that may start, is made of.
  logic sending_q;
  logic [SLOT_BITS-1:0] slot_q;
  logic tagged_q;
  logic [9:0] length_q;
  logic [8:0] msg_at_q, check_at_q;
  logic [15:0] tcp_sum_q;
  logic [ 7:0] fix_sum_q;
  logic [31:0] seq_q, ack_q;
  logic [15:0] window_q;
  logic [8:0][3:0] digits_q;
  logic [5:0] even_q, odd_q;
  logic trailer_q;

  always_ff @(posedge clk) begin
    if (!sending_q) begin
      slot_q <= slot;
      {tagged_q, length_q} <= shapes[slot];
      {check_at_q, msg_at_q} <= layouts[slot];
      {fix_sum_q, tcp_sum_q} <= sums[slot];
      seq_q <= tcp_seq;
      ack_q <= tcp_ack;
      window_q <= tcp_window;
      digits_q <= digits;
      even_q <= even_sum;
      odd_q <= odd_sum;
      trailer_q <= trailer;
    end
  end

  // CheckSum and TCP checksum, one step a cycle from what is above; the digits of what was prepared
  // are zero characters, so that a digit's value is what it adds.
  logic [16:0] sum_seq_q, sum_ack_q, sum_window_q;
  logic [17:0] sum_header_q, sum_digits_q;
  logic [18:0] sum_all_q;
  logic [16:0] sum_q;
  logic [ 7:0] check_q;
  logic [1:0] hundreds_q, hundreds_late_q;
  logic [6:0] rest_q;
  logic [3:0] tens, ones, tens_q, ones_q;
  logic [ 3:0] outer_q;  // first and last digit of CheckSum, added up
  logic [15:0] checksum;

  always_comb begin
    tens = '0;
    ones = '0;
    for (int i = 0; i < 100; i++) begin
      if (rest_q == 7'(i)) begin
        tens = 4'(i / 10);
        ones = 4'(i % 10);
      end
    end
  end

  always_ff @(posedge clk) begin
    sum_seq_q <= 17'(seq_q[31:16]) + 17'(seq_q[15:0]);
    sum_ack_q <= 17'(ack_q[31:16]) + 17'(ack_q[15:0]);
    sum_window_q <= 17'(window_q) + 17'(tcp_sum_q);
    check_q <= fix_sum_q + 8'(even_q) + 8'(odd_q);

    sum_header_q <= 18'(sum_seq_q) + 18'(sum_ack_q);
    sum_digits_q <= 18'(sum_window_q) +
        (msg_at_q[0] ? 18'({odd_q, 2'b0, even_q}) : 18'({even_q, 2'b0, odd_q}));
    hundreds_q <= check_q >= 8'd200 ? 2'd2 : {1'b0, check_q >= 8'd100};
    rest_q <= 7'(check_q - (check_q >= 8'd200 ? 8'd200 : check_q >= 8'd100 ? 8'd100 : 8'd0));

    sum_all_q <= 19'(sum_header_q) + 19'(sum_digits_q);
    hundreds_late_q <= hundreds_q;
    tens_q <= tens;
    ones_q <= ones;
    outer_q <= ones + 4'(hundreds_q);

    sum_q <= 17'(sum_all_q[15:0]) + 17'({
        check_at_q[0] ? tens_q : outer_q,
        3'd0,
        5'(check_at_q[0] ? outer_q : tens_q) + 5'(sum_all_q[18:16])
    });
  end

  assign checksum = ~(sum_q[15:0] + 16'(sum_q[16]));

  // Fields of any place, turned to their lanes: each may reach into a second word.
  logic [15:0][3:0] msg_digits_q, check_digits_q;
  logic [15:0] msg_lanes_q, check_lanes_q;
  logic [15:0][7:0] trailer_bytes_q;
  logic [15:0] trailer_lanes_q;
  logic [9:0] end_q;  // offset of the frame's last byte
  logic [6:0] last_word_q;
  logic [7:0] last_keep_q;
  logic [8:0][3:0] digits_reversed;
  logic [7:0][7:0] trailer_bytes;

  always_comb begin
    for (int i = 0; i < 9; i++) digits_reversed[i] = digits_q[i];
    trailer_bytes = {<<8{latency, TRAILER_MAGIC, 16'(slot_q)}};
  end

  always_ff @(posedge clk) begin
    msg_digits_q <= 64'(digits_reversed) << {msg_at_q[2:0], 2'b0};
    msg_lanes_q <= 16'h01ff << msg_at_q[2:0];
    check_digits_q <= 64'({ones_q, tens_q, 2'b0, hundreds_late_q}) << {check_at_q[2:0], 2'b0};
    check_lanes_q <= 16'h0007 << check_at_q[2:0];
    trailer_bytes_q <= trailer_q ? 128'(trailer_bytes) << {length_q[2:0], 3'b0} : '0;
    trailer_lanes_q <= trailer_q ? 16'h00ff << length_q[2:0] : '0;
    end_q <= length_q - (trailer_q ? -10'd7 : 10'd1);
    last_word_q <= end_q[9:3];
    last_keep_q <= 8'hff >> ~end_q[2:0];
  end

  // Words flow from the block RAM over `word_q`, where their patch is ready, to the output. Index k at
  // the output means k+1 in `word_q`, k+2 at the RAM's output, k+3 at its address.
  logic advance;
  logic [6:0] address_q;  // k+3
  logic [9:0] read_address;
  logic [63:0] ram_word, word_q;
  logic [63:0] second_q;  // word 1, from distributed RAM
  logic at_second_q;  // it is next, and `word_q` is not

  assign m_axis_tvalid = sending_q;
  assign advance = sending_q && m_axis_tready;
  assign read_address = sending_q ? {slot_q, address_q[5:0]} : {slot, 6'd2};

  always_ff @(posedge clk) begin
    if (!sending_q || advance) begin
      ram_word[31:0]  <= low[read_address];
      ram_word[63:32] <= high[read_address];
      word_q <= ram_word;
    end
    if (!sending_q) second_q <= {second_high[slot], second_low[slot]};
  end

  // Where the patches of word k+2 come from.
  typedef struct packed {
    logic tcp4, tcp5, tcp6;
    logic msg_first, msg_second, check_first, check_second, trailer_first, trailer_second;
    logic last;
  } source_t;

  source_t source_q;
  logic [7:0][7:0] patch, patch_q;
  logic [7:0] lanes, lanes_q;
  logic [7:0] keep_q;  // lanes of the frame: the memory may hold anything behind it
  logic last_q;
  logic [7:0][7:0] tcp4, tcp5, tcp6;
  logic [7:0] tcp4_lanes, tcp5_lanes, tcp6_lanes;

  always_comb begin
    if (tagged_q) begin
      tcp4 = '0;
      tcp4_lanes = '0;
      tcp5 = {<<8{16'd0, seq_q, ack_q[31:16]}};
      tcp5_lanes = 8'b1111_1100;
      tcp6 = {<<8{ack_q[15:0], 16'd0, window_q, checksum}};
      tcp6_lanes = 8'b1111_0011;
    end else begin
      tcp4 = {<<8{48'd0, seq_q[31:16]}};
      tcp4_lanes = 8'b1100_0000;
      tcp5 = {<<8{seq_q[15:0], ack_q, 16'd0}};
      tcp5_lanes = 8'b0011_1111;
      tcp6 = {<<8{window_q, checksum, 32'd0}};
      tcp6_lanes = 8'b0000_1111;
    end
  end

  always_comb begin
    patch = (tcp4 & {64{source_q.tcp4}}) | (tcp5 & {64{source_q.tcp5}}) |
        (tcp6 & {64{source_q.tcp6}}) | (trailer_bytes_q[7:0] & {64{source_q.trailer_first}}) |
        (trailer_bytes_q[15:8] & {64{source_q.trailer_second}});
    for (int i = 0; i < 8; i++) begin
      logic digit;
      digit = (source_q.msg_first && msg_lanes_q[i]) || (source_q.msg_second && msg_lanes_q[i+8]) ||
          (source_q.check_first && check_lanes_q[i]) ||
          (source_q.check_second && check_lanes_q[i+8]);
      patch[i] |= {
        2'b0,
        {2{digit}},
        (msg_digits_q[i] & {4{source_q.msg_first}}) |
          (msg_digits_q[i+8] & {4{source_q.msg_second}}) |
          (check_digits_q[i] & {4{source_q.check_first}}) |
          (check_digits_q[i+8] & {4{source_q.check_second}})
      };
    end
    lanes = (tcp4_lanes & {8{source_q.tcp4}}) | (tcp5_lanes & {8{source_q.tcp5}}) |
        (tcp6_lanes & {8{source_q.tcp6}}) |
        (msg_lanes_q[7:0] & {8{source_q.msg_first}}) |
        (msg_lanes_q[15:8] & {8{source_q.msg_second}}) |
        (check_lanes_q[7:0] & {8{source_q.check_first}}) |
        (check_lanes_q[15:8] & {8{source_q.check_second}}) |
        (trailer_lanes_q[7:0] & {8{source_q.trailer_first}}) |
        (trailer_lanes_q[15:8] & {8{source_q.trailer_second}});
  end

  always_ff @(posedge clk) begin
    if (!sending_q) begin
      address_q <= 7'd3;
      source_q <= '0;
      patch_q <= '0;
      lanes_q <= '0;
      keep_q <= '1;
      last_q <= 1'b0;
      at_second_q <= 1'b1;
      m_axis_tdata <= {first_high[slot], first_low[slot]};
      m_axis_tkeep <= '1;
      m_axis_tlast <= 1'b0;
      m_axis_tuser <= 1'b0;
    end else if (advance) begin
      address_q <= address_q + 7'd1;
      source_q <= '{
          tcp4: address_q == 7'd4,
          tcp5: address_q == 7'd5,
          tcp6: address_q == 7'd6,
          msg_first: address_q == {1'b0, msg_at_q[8:3]},
          msg_second: address_q == {1'b0, msg_at_q[8:3]} + 7'd1,
          check_first: address_q == {1'b0, check_at_q[8:3]},
          check_second: address_q == {1'b0, check_at_q[8:3]} + 7'd1,
          trailer_first: address_q == length_q[9:3],
          trailer_second: address_q == length_q[9:3] + 7'd1,
          last: address_q == last_word_q
      };
      patch_q <= patch;
      lanes_q <= lanes;
      keep_q <= source_q.last ? last_keep_q : '1;
      last_q <= source_q.last;
      at_second_q <= 1'b0;
      for (int i = 0; i < 8; i++) begin
        m_axis_tdata[8*i+:8] <= (lanes_q[i] ? patch_q[i] : word_q[8*i+:8]) & {8{keep_q[i]}};
      end
      if (at_second_q) m_axis_tdata <= second_q;
      m_axis_tkeep <= keep_q;
      m_axis_tlast <= last_q;
      m_axis_tuser <= last_q && poison;
    end
    // Without a choice by `sending_q` behind `start`, which is late and comes only where it is low.
    sending_q <= start || (sending_q && !(advance && m_axis_tlast));
    if (rst) begin
      sending_q <= 1'b0;
    end
  end

endmodule
