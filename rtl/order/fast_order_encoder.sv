// A fire as one FAST message in a UDP datagram.
//
// The frame is a prepared header (Ethernet with or without a VLAN tag, IPv4, UDP), four bytes of
// sequence number, least significant first, and a NewOrderSingle of the template in orders.xml: the
// slot's prefix (fast_order_prefix) and, encoded here, the price's mantissa and the time of the
// trigger, both as stop-bit fields of one to ten bytes. Then the latency trailer, if wanted. Lengths
// and checksums of IPv4 and UDP are computed while the frame leaves.
//
// Latency: the first word is offered in the cycle after `start`, then one word a cycle; the IPv4 length
// leaves in word 2, the UDP checksum in word 5.
//
// In the header, everything that is written here is zero: both lengths, both checksums, and all bytes
// behind the UDP header. Two sums in ones' complement are beside it: of the IPv4 header, and of the
// pseudo-header without length and the ports.
module fast_order_encoder
  import order_pkg::*;
(
    input logic clk,
    input logic rst,

    // Descriptions and header (order_pkg), of what is not under way.
    input logic        write_valid,
    input logic [11:0] write_address,
    input logic [31:0] write_data,

    // Encodes what does not depend on the fire: once after a description was written.
    input  logic                 encode,
    input  logic [SLOT_BITS-1:0] encode_slot,
    output logic                 encode_busy,

    input logic [SLOT_BITS-1:0] slot,
    input logic                 start,            // only while nothing is under way
    // Taken over at the start.
    input logic [         63:0] price,
    input logic [         63:0] tstamp,
    input logic [         31:0] sequence_number,
    input logic                 trailer,

    input logic [31:0] latency,  // nanoseconds; constant from four cycles after the first word on
    input logic        poison,   // looked at when the last word is made ready

    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser
);

  localparam int unsigned PREFIX_BYTES = 19;

  logic sending_q, advance;
  logic [SLOT_BITS-1:0] slot_q;

  // The header's words, and their sums.
  logic [31:0] header_low[8];
  logic [31:0] header_high[8];
  logic tagged_q;
  logic [15:0] ip_base_q, udp_base_q;
  logic write_header;

  assign write_header = write_valid && write_address[11:4] == HEADER_BASE[11:4];

  always_ff @(posedge clk) begin
    if (write_header && write_address[3:0] < HEADER_SHAPE) begin
      if (write_address[0]) header_high[write_address[3:1]] <= write_data;
      else header_low[write_address[3:1]] <= write_data;
    end
    if (write_header && write_address[3:0] == HEADER_SHAPE) tagged_q <= write_data[0];
    if (write_header && write_address[3:0] == HEADER_SUMS) {udp_base_q, ip_base_q} <= write_data;
  end

  // Word 0, read beside the others.
  logic [63:0] first_word_q;

  always_ff @(posedge clk) begin
    if (write_header && write_address[3:0] == 4'd0) first_word_q[31:0] <= write_data;
    if (write_header && write_address[3:0] == 4'd1) first_word_q[63:32] <= write_data;
  end

  // The slot's price, and what of its message is encoded already.
  logic [31:0] prices_low[SLOTS];
  logic [31:0] prices_high[SLOTS];
  logic prices_of_fire[SLOTS];
  logic write_slot;
  logic [PREFIX_BYTES-1:0][7:0] prefix;
  logic [4:0] prefix_length;
  logic [16:0] prefix_sum;

  assign write_slot = write_valid && write_address[11:8] == SLOT_BASE[11:8];

  always_ff @(posedge clk) begin
    if (write_slot && write_address[3:0] == SLOT_PRICE_LOW) begin
      prices_low[write_address[7:4]] <= write_data;
    end
    if (write_slot && write_address[3:0] == SLOT_PRICE_HIGH) begin
      prices_high[write_address[7:4]] <= write_data;
    end
    if (write_slot && write_address[3:0] == SLOT_TERMS) begin
      prices_of_fire[write_address[7:4]] <= write_data[1];
    end
  end

  fast_order_prefix #(
      .BYTES(PREFIX_BYTES)
  ) prefixes (
      .clk,
      .rst,
      .write_valid,
      .write_address,
      .write_data,
      .encode,
      .encode_slot,
      .busy  (encode_busy),
      .slot,
      .prefix,
      .length(prefix_length),
      .sum   (prefix_sum)
  );

  // Cycle 0, that of `start`: everything of the slot.
  logic [PREFIX_BYTES-1:0][7:0] prefix_q;
  logic [4:0] prefix_length_q;
  logic [16:0] prefix_sum_q;
  logic [63:0] mantissa_q, tstamp_q;
  logic [31:0] sequence_q;
  logic trailer_q;

  always_ff @(posedge clk) begin
    if (!sending_q) begin
      slot_q <= slot;
      prefix_q <= prefix;
      prefix_length_q <= prefix_length;
      prefix_sum_q <= prefix_sum;
      mantissa_q <= prices_of_fire[slot] ? price : {prices_high[slot], prices_low[slot]};
      tstamp_q <= tstamp;
      sequence_q <= sequence_number;
      trailer_q <= trailer;
    end
  end

  // Cycle 1: how many groups of seven bits either number has in front of its last. A signed number
  // must keep its sign in its first group; exclusive-or with the sign leaves zeros above its highest.
  logic negative;
  logic [69:0] mantissa_plain, time_plain;
  logic [9:1] mantissa_needs, time_needs;  // a group of this place or a higher one
  logic [3:0] mantissa_more_q, time_more_q;
  logic [3:0] mantissa_more_n_q, time_more_n_q;  // inverted, for the lengths alone:
  logic [3:0] mantissa_more, time_more;
  logic [6:0] base_length_q;  // IPv4 length with the last group of both numbers
  logic [6:0] mantissa_base_q, time_base_q;  // where either number then ends

  function automatic logic [3:0] count_of(input logic [9:1] needs);
    return {
      needs[8],
      needs[4] && !needs[8],
      (needs[2] && !needs[4]) || (needs[6] && !needs[8]),
      (needs[1] && !needs[2]) || (needs[3] && !needs[4]) || (needs[5] && !needs[6]) ||
          (needs[7] && !needs[8]) || needs[9]
    };
  endfunction

  always_comb begin
    negative = mantissa_q[63];
    mantissa_plain = 70'(mantissa_q ^ {64{negative}});
    time_plain = 70'(tstamp_q);
    for (int i = 1; i < 10; i++) begin
      mantissa_needs[i] = (mantissa_plain >> (7 * i - 1)) != '0;
      time_needs[i] = (time_plain >> (7 * i)) != '0;
    end
  end

  always_ff @(posedge clk) begin
    mantissa_more_q <= count_of(mantissa_needs);
    time_more_q <= count_of(time_needs);
    mantissa_more_n_q <= ~count_of(mantissa_needs);
    time_more_n_q <= ~count_of(time_needs);
    base_length_q <= 7'd34 + 7'(prefix_length_q);
    // Ethernet header and tag; the IPv4 header begins behind them. The first is without the time's byte.
    mantissa_base_q <= (tagged_q ? 7'd51 : 7'd47) + 7'(prefix_length_q);
    time_base_q <= (tagged_q ? 7'd52 : 7'd48) + 7'(prefix_length_q);
  end

  // Cycle 2: lengths, and where either number ends (its last byte's offset and one).
  logic [6:0] ip_length, ip_length_q;
  logic [7:0] udp_length_q;
  logic [6:0] mantissa_end_q, time_end_q;

  // Three numbers as two first, so that one chain of carries follows.
  function automatic logic [10:0] sum_of_three(input logic [10:0] one, input logic [9:0] other,
                                               input logic [9:0] third);
    logic [9:0] twos;
    twos = (one[9:0] & other) | (one[9:0] & third) | (other & third);
    return (one ^ 11'(other ^ third)) + {twos, 1'b0};
  endfunction

  always_comb begin
    mantissa_more = ~mantissa_more_n_q;
    time_more = ~time_more_n_q;
    ip_length = 7'(sum_of_three(11'(base_length_q), 10'(mantissa_more), 10'(time_more)));
  end

  always_ff @(posedge clk) begin
    ip_length_q <= ip_length;
    udp_length_q <= 8'(ip_length_q - 7'd20);  // for words 4 and 5
    mantissa_end_q <= mantissa_base_q + 7'(mantissa_more);
    time_end_q <= 7'(sum_of_three(11'(time_base_q), 10'(mantissa_more), 10'(time_more)));
  end

  // Cycle 2: the numbers' bytes, the last first; those in front of the first group are zero.
  logic [9:0][7:0] mantissa_bytes_q, time_bytes_q;

  always_ff @(posedge clk) begin
    for (int i = 0; i < 10; i++) begin
      mantissa_bytes_q[i] <= mantissa_more_q >= 4'(i) ?
          {i == 0, mantissa_plain[7*i+:7] ^ {7{negative}}} : 8'd0;
      time_bytes_q[i] <= time_more_q >= 4'(i) ? {i == 0, time_plain[7*i+:7]} : 8'd0;
    end
  end

  // Cycle 3 and 4: turned to their lanes, as three words that end with the word of `end`.
  logic [23:0][7:0] mantissa_words_q, time_words_q;
  logic [3:0] mantissa_word_q, time_word_q;  // the word of `end`

  function automatic logic [23:0][7:0] turn(input logic [9:0][7:0] octets, input logic [2:0] lane);
    logic [9:0][7:0] forward;
    for (int i = 0; i < 10; i++) forward[i] = octets[9-i];
    return 192'({forward, 48'd0}) << {lane, 3'b0};
  endfunction

  always_ff @(posedge clk) begin
    mantissa_words_q <= turn(mantissa_bytes_q, mantissa_end_q[2:0]);
    time_words_q <= turn(time_bytes_q, time_end_q[2:0]);
    mantissa_word_q <= mantissa_end_q[6:3];
    time_word_q <= time_end_q[6:3];
  end

  // Sequence number and prefix, from word 5 on; the trailer, behind the time.
  logic [31:0][7:0] static_words_q;
  logic [15:0][7:0] trailer_words_q;
  logic [6:0] end_q;  // offset of the frame's last byte
  logic [7:0] last_keep_q;
  logic [7:0][7:0] trailer_bytes;

  assign trailer_bytes = {<<8{latency, TRAILER_MAGIC, 16'(slot_q)}};

  always_ff @(posedge clk) begin
    static_words_q <= tagged_q ? 256'({prefix_q, sequence_q, 48'd0}) :
        256'({prefix_q, sequence_q, 16'd0});
    trailer_words_q <= trailer_q ? 128'(trailer_bytes) << {time_end_q[2:0], 3'b0} : '0;
    end_q <= time_end_q + (trailer_q ? 7'd7 : -7'd1);
    last_keep_q <= 8'hff >> ~end_q[2:0];
  end

  // The UDP checksum: sums of groups at even and odd places, counted from a number's end, are added
  // as the end's parity wants. Of a negative number, 127 for each group less the plain sum.
  function automatic logic [9:0] sum_of(input logic [2:0][7:0] parts);
    return 10'(parts[0]) + 10'(parts[1]) + 10'(parts[2]);
  endfunction

  logic [2:0][7:0] mantissa_even_parts_q, mantissa_odd_parts_q;
  logic [2:0][7:0] time_even_parts_q, time_odd_parts_q;
  logic [9:0] mantissa_even_q, mantissa_odd_q, time_even_q, time_odd_q;
  logic [9:0] even_bias_q, odd_bias_q;
  logic [10:0] mantissa_even, mantissa_odd;  // without their bias
  logic mantissa_high, time_high;  // the number's last byte is the high half of its 16-bit word
  logic [10:0] high_q, low_q;
  logic [17:0] base_sum_q;
  logic [16:0] sequence_sum_q;
  logic [18:0] static_sum_q, head_sum_q;
  logic [19:0] sum_q;
  logic [15:0] sum_low;
  logic [16:0] sum_plus;
  logic [15:0] udp_checksum;

  always_comb begin
    mantissa_even = 11'(mantissa_even_q) ^ {11{negative}};
    mantissa_odd = 11'(mantissa_odd_q) ^ {11{negative}};
    mantissa_high = mantissa_end_q[0];
    time_high = time_end_q[0];
    // Ones' complement, where 16 ones stand as 16 zeros: the checksum is never zero.
    sum_low = sum_q[15:0] + 16'(sum_q[19:16]);
    sum_plus = 17'(sum_q[15:0]) + 17'(sum_q[19:16]) + 17'd1;
    udp_checksum = ~(sum_plus[16] ? sum_plus[15:0] : sum_low);
  end

  always_ff @(posedge clk) begin
    // Cycle 1.
    for (int i = 0; i < 2; i++) begin
      mantissa_even_parts_q[i] <= 8'(mantissa_plain[28*i+:7]) + 8'(mantissa_plain[28*i+14+:7]);
      mantissa_odd_parts_q[i] <= 8'(mantissa_plain[28*i+7+:7]) + 8'(mantissa_plain[28*i+21+:7]);
      time_even_parts_q[i] <= 8'(time_plain[28*i+:7]) + 8'(time_plain[28*i+14+:7]);
      time_odd_parts_q[i] <= 8'(time_plain[28*i+7+:7]) + 8'(time_plain[28*i+21+:7]);
    end
    mantissa_even_parts_q[2] <= 8'(mantissa_plain[56+:7]);
    mantissa_odd_parts_q[2] <= 8'(mantissa_plain[63+:7]);
    time_even_parts_q[2] <= 8'(time_plain[56+:7]);
    time_odd_parts_q[2] <= 8'(time_plain[63+:7]);
    base_sum_q <= 18'(udp_base_q) + 18'(prefix_sum_q);
    sequence_sum_q <= 17'({sequence_q[7:0], sequence_q[15:8]}) +
        17'({sequence_q[23:16], sequence_q[31:24]});

    // Cycle 2. The stop bit is in the last byte, that of the group at place 0.
    mantissa_even_q <= sum_of(mantissa_even_parts_q);
    mantissa_odd_q <= sum_of(mantissa_odd_parts_q);
    time_even_q <= sum_of(time_even_parts_q) + 10'd128;
    time_odd_q <= sum_of(time_odd_parts_q);
    even_bias_q <= 10'd128;
    odd_bias_q <= '0;
    for (int i = 1; i <= 10; i++) begin
      if (negative && mantissa_more_q == 4'(i - 1)) begin
        even_bias_q <= 10'(128 + 127 * ((i + 1) / 2) + 1);
        odd_bias_q  <= 10'(127 * (i / 2) + 1);
      end
    end
    static_sum_q <= 19'(base_sum_q) + 19'(sequence_sum_q);

    // Cycle 3. The UDP length counts twice; it is the IPv4 length less 20.
    high_q <= sum_of_three(mantissa_high ? mantissa_even : mantissa_odd,
                           mantissa_high ? even_bias_q : odd_bias_q,
                           time_high ? time_even_q : time_odd_q);
    low_q <= sum_of_three(mantissa_high ? mantissa_odd : mantissa_even,
                          mantissa_high ? odd_bias_q : even_bias_q,
                          time_high ? time_odd_q : time_even_q);
    head_sum_q <= static_sum_q + 19'({ip_length_q - 7'd20, 1'b0});

    // Cycle 4.
    sum_q <= 20'(head_sum_q) + 20'({high_q, 8'd0}) + 20'(low_q);
  end

  // The IPv4 checksum, with both ways of its end-around carry: beside the length, not behind it.
  logic [16:0] ip_head_q, ip_sum_q;
  logic [15:0] ip_sum_plus_q, ip_checksum;
  logic [16:0] ip_ones, ip_twos;

  always_comb begin
    ip_ones = ip_head_q ^ 17'(mantissa_more ^ time_more);
    ip_twos = {
      12'd0,
      (ip_head_q[3:0] & mantissa_more) | (ip_head_q[3:0] & time_more) | (mantissa_more & time_more),
      1'b0
    };
    ip_checksum = ~(ip_sum_q[16] ? ip_sum_plus_q : ip_sum_q[15:0]);
  end

  always_ff @(posedge clk) begin
    // Cycle 1: with the length that `base_length_q` is.
    ip_head_q <= 17'(ip_base_q) + 17'(prefix_length_q) + 17'd34;
    // Cycle 2.
    ip_sum_q <= ip_ones + ip_twos;
    ip_sum_plus_q <= ip_ones[15:0] + {ip_twos[15:1], 1'b1};
  end

  // Index k at the output means k+1 in `body_q` (what is behind the header) and at the header's
  // address, and k+2 in `source_q`.
  typedef struct packed {
    logic [3:0] static_part;
    logic [2:0] mantissa;
    logic [2:0] tstamp;
    logic [1:0] trailer;
    logic last;
  } source_t;

  source_t source_q;
  logic [3:0] index_q;  // k+3
  logic behind_header;  // before that word the numbers' places are not known yet, and not needed
  logic [2:0] header_index_q;  // k+1
  logic in_header_q;
  logic at2_q, at3_q, at4_q, at5_q;  // k+1 is that word
  logic [63:0] body, body_q, header;
  logic last_q;
  logic [7:0][7:0] patch;

  assign m_axis_tvalid = sending_q;
  assign advance = sending_q && m_axis_tready;
  assign behind_header = index_q > 4'd5;
  assign header = {header_high[header_index_q], header_low[header_index_q]};

  always_comb begin
    body = '0;
    for (int i = 0; i < 4; i++) body |= static_words_q[8*i+:8] & {64{source_q.static_part[i]}};
    for (int i = 0; i < 3; i++) begin
      body |= mantissa_words_q[8*i+:8] & {64{source_q.mantissa[i]}};
      body |= time_words_q[8*i+:8] & {64{source_q.tstamp[i]}};
    end
    for (int i = 0; i < 2; i++) body |= trailer_words_q[8*i+:8] & {64{source_q.trailer[i]}};
  end

  // The checksums come last: all else of a word is put together beside them.
  logic [63:0] rest;
  logic [7:0] ip_lanes, udp_lanes;  // where a checksum's bytes go
  logic [7:0][7:0] patched;

  always_comb begin
    patch = '0;
    if (at2_q) patch[tagged_q?5 : 1] = 8'(ip_length);
    if (at4_q && !tagged_q) patch[7] = udp_length_q;
    if (at5_q && tagged_q) patch[3] = udp_length_q;
    rest = (header & {64{in_header_q}}) | patch | body_q;
    ip_lanes = {2'b0, {2{at3_q && tagged_q}}, 2'b0, {2{at3_q && !tagged_q}}};
    udp_lanes = {2'b0, {2{at5_q && tagged_q}}, 2'b0, {2{at5_q && !tagged_q}}};
    for (int i = 0; i < 8; i++) begin
      patched[i] = rest[8*i+:8] |
          (i[0] ? ip_checksum[7:0] & {8{ip_lanes[i]}} : ip_checksum[15:8] & {8{ip_lanes[i]}}) |
          (i[0] ? udp_checksum[7:0] & {8{udp_lanes[i]}} : udp_checksum[15:8] & {8{udp_lanes[i]}});
    end
  end

  always_ff @(posedge clk) begin
    if (!sending_q) begin
      index_q <= 4'd3;
      header_index_q <= 3'd1;
      in_header_q <= 1'b1;
      at2_q <= 1'b0;
      at3_q <= 1'b0;
      at4_q <= 1'b0;
      at5_q <= 1'b0;
      source_q <= '0;
      body_q <= '0;
      last_q <= 1'b0;
      m_axis_tdata <= first_word_q;
      m_axis_tkeep <= '1;
      m_axis_tlast <= 1'b0;
      m_axis_tuser <= 1'b0;
    end else if (advance) begin
      index_q <= index_q + 4'd1;
      header_index_q <= header_index_q + 3'd1;
      in_header_q <= in_header_q && header_index_q != 3'd5;
      at2_q <= in_header_q && header_index_q == 3'd1;
      at3_q <= at2_q;
      at4_q <= at3_q;
      at5_q <= at4_q;
      for (int i = 0; i < 4; i++) source_q.static_part[i] <= index_q == 4'(5 + i);
      for (int i = 0; i < 3; i++) begin
        source_q.mantissa[i] <= behind_header && index_q == mantissa_word_q - 4'(2 - i);
        source_q.tstamp[i]   <= behind_header && index_q == time_word_q - 4'(2 - i);
      end
      for (int i = 0; i < 2; i++)
      source_q.trailer[i] <= behind_header && index_q == time_word_q + 4'(i);
      source_q.last <= behind_header && index_q == end_q[6:3];
      body_q <= body;
      last_q <= source_q.last;
      m_axis_tdata <= patched;
      m_axis_tkeep <= last_q ? last_keep_q : '1;
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
