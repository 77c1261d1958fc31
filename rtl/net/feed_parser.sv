// Header parser: picks UDP datagrams of the configured feed channels out of the received frames.
//
// A frame belongs to a channel if it is Ethernet II, with one 802.1Q tag or none, carrying IPv4 with a
// header of 20 bytes and a good checksum, not a fragment, with UDP to the channel's address and port
// and lengths that agree. Its payload leaves as a stream of its own, the first byte in lane 0. All
// other frames, and those of a channel that turn out to be cut short, go to the host port as they came.
// With `mirror`, the channels' frames go to the host port as well.
// Frames that the MAC aborts reach nobody, but the payload words of such a frame have left already:
// its stream ends with `tuser` (abort).
//
// Neither stream can be held back; the host port's has a `frame_fifo` behind it.
//
// Frames come as `xgmii_rx` gives them: the first byte in lane 0, or in lane 4. They go to the host
// port in the same lanes.
//
// Latency: one cycle from the word that completes a payload word to that payload word, whatever the
// frame's lanes. The payload's last bytes do not wait for the end of the frame: where Ethernet padding
// follows them, and so their FCS is not known yet, a beat without bytes (`tkeep` zero) ends the stream
// later.
//
// UDP checksums are not verified: the FCS covers the same bytes on the same link.
module feed_parser
  import net_pkg::*;
(
    input logic clk,
    input logic rst,

    // Channel 0 is A, channel 1 is B. A frame in flight while they change is judged by either.
    input feed_channel_t [1:0] channels,
    // Frames of the channels go to the host port, too.
    input logic                mirror,

    input logic [63:0] s_axis_tdata,
    input logic [ 7:0] s_axis_tkeep,
    input logic        s_axis_tvalid,
    input logic        s_axis_tlast,
    input logic        s_axis_tuser,
    input logic [63:0] s_axis_tstamp,

    // If a datagram's first word leaves in the next cycle: the first four bytes of that (ab_arbiter).
    output logic [31:0] m_feed_number,

    // Payload of the channels' datagrams; `tdest` is the channel.
    output logic [63:0] m_axis_feed_tdata,
    output logic [ 7:0] m_axis_feed_tkeep,
    output logic        m_axis_feed_tvalid,
    output logic        m_axis_feed_tlast,
    output logic        m_axis_feed_tuser,
    output logic        m_axis_feed_tdest,
    output logic [63:0] m_axis_feed_tstamp,

    // Whole frames. `tuser` with `tlast`: this frame is not for the host.
    output logic [63:0] m_axis_host_tdata,
    output logic [ 7:0] m_axis_host_tkeep,
    output logic        m_axis_host_tvalid,
    output logic        m_axis_host_tlast,
    output logic        m_axis_host_tuser,
    output logic [63:0] m_axis_host_tstamp,

    output feed_event_t feed_event
);

  function automatic logic [15:0] swap16(input logic [15:0] field);
    return {field[7:0], field[15:8]};
  endfunction

  // The words in 16-bit fields, in network order.
  logic [3:0][15:0] field;
  always_comb for (int i = 0; i < 4; i++) field[i] = swap16(s_axis_tdata[16*i+:16]);

  logic [63:16] before_q;  // the frame word before this one
  always_ff @(posedge clk) if (s_axis_tvalid) before_q <= s_axis_tdata[63:16];

  // A start in lane 4 puts the header four bytes further on than one in lane 0, and so does a tag; both
  // together put it a whole word further on, in which the words are not counted.
  logic lane4_q;
  logic late_q;  // four bytes further on; right from word 2 on but for a tag in that word
  logic [6:0] at_q;  // word of the header, one-hot up to word 6 and beyond
  logic tag, late_tag;

  // Word 1 has the type or the tag, or word 2 if the frame is late.
  assign tag = at_q[1] && !lane4_q && field[2] == 16'h8100;
  assign late_tag = at_q[2] && lane4_q && late_q && field[0] == 16'h8100;

  always_ff @(posedge clk) begin
    if (s_axis_tvalid) begin
      if (s_axis_tlast) at_q <= 7'd1;
      else if (!late_tag) at_q <= {at_q[6] | at_q[5], at_q[4:0], 1'b0};
      if (at_q[0]) begin
        lane4_q <= !s_axis_tkeep[0];
        late_q  <= !s_axis_tkeep[0];
      end
      if (tag) late_q <= 1'b1;
      if (late_tag) late_q <= 1'b0;
    end
    if (rst) at_q <= 7'd1;
  end

  // Checks as the fields come by.
  logic ipv4_q, plain_q, whole_q, udp_q;
  logic [15:0] length_q;  // of the IPv4 packet
  logic [15:0] address_high_q;
  logic [1:0] address_q;  // per channel: the destination address is its
  logic [15:0] udp_length_q;  // what it must be by the IPv4 length
  logic length_sane_q;
  logic [1:0] port_now;
  logic udp_length_now;
  logic [1:0] port_q;
  logic udp_length_good_q;

  logic [15:0] port_field, udp_length_field;
  logic [1:0][15:0] address_fields;

  always_comb begin
    // In word 4, or, late, in word 5.
    port_field = late_q ? field[0] : field[2];
    udp_length_field = late_q ? field[1] : field[3];
    for (int c = 0; c < 2; c++) port_now[c] = port_field == channels[c].port;
    udp_length_now = udp_length_field == udp_length_q;
    address_fields = late_q ? {field[1], field[2]} : {address_high_q, field[0]};
  end

  always_ff @(posedge clk) begin
    if (s_axis_tvalid) begin
      if (at_q[1]) begin
        ipv4_q  <= field[2] == 16'h0800;
        plain_q <= field[3][15:8] == 8'h45;
      end
      if (at_q[2]) begin
        if (late_q) begin
          ipv4_q   <= late_tag ? field[2] == 16'h0800 : field[0] == 16'h0800;
          plain_q  <= late_tag ? field[3][15:8] == 8'h45 : field[1][15:8] == 8'h45;
          length_q <= field[2];
        end else begin
          length_q <= field[0];
          // More fragments, or an offset; "do not fragment" is no matter.
          whole_q <= field[2][13:0] == '0;
          udp_q <= field[3][7:0] == 8'd17;
        end
      end
      if (at_q[3]) begin
        if (late_q) begin
          whole_q <= field[0][13:0] == '0;
          udp_q   <= field[1][7:0] == 8'd17;
        end
        address_high_q <= field[3];
        udp_length_q   <= length_q - 16'd20;
        length_sane_q  <= length_q > 16'd28;
      end
      if (at_q[4]) begin
        for (int c = 0; c < 2; c++) address_q[c] <= address_fields == channels[c].address;
        port_q <= port_now;
        udp_length_good_q <= udp_length_now;
      end
      if (at_q[5] && late_q) begin
        port_q <= port_now;
        udp_length_good_q <= udp_length_now;
      end
    end
  end

  // IPv4 header checksum: the sum of the header's ten fields is a multiple of 0xffff. It is gathered
  // with the fields where they lie, words 2 to 4; a header that is not late has its first in word 1.
  logic [ 3:0] summed;  // which fields of this word are of the header
  logic [15:0] partial_base_q;
  logic [17:0] partial_q;
  logic partial_first_q, partial_last_q, partial_any_q;
  logic [19:0] sum_q, sum;
  logic checksum_good_q;

  always_comb begin
    summed = late_q ? 4'b1110 : 4'b1111;
    if (at_q[3]) summed = 4'b1111;
    if (at_q[4]) summed = late_q ? 4'b0111 : 4'b0001;
    sum = (partial_first_q ? 20'(partial_base_q) : sum_q) + 20'(partial_q);
  end

  always_ff @(posedge clk) begin
    partial_any_q <= s_axis_tvalid;
    partial_first_q <= at_q[2];
    partial_last_q <= s_axis_tvalid && at_q[4];
    partial_base_q <= late_q ? '0 : swap16(before_q[63:48]);
    partial_q <= (18'(field[0] & {16{summed[0]}}) + 18'(field[1] & {16{summed[1]}})) +
        (18'(field[2] & {16{summed[2]}}) + 18'(field[3] & {16{summed[3]}}));
    if (partial_any_q) sum_q <= sum;
    // A sum of n fields that is k times 0xffff has k - 1 above and 0x10000 - k in its low half.
    if (partial_last_q) checksum_good_q <= sum[15:4] == '1 && sum[3:0] == ~sum[19:16];
  end

  // The verdict is there in the cycle after word 5, while word 6 completes the first payload word.
  logic [1:0] hit;
  logic header_good, accept;

  always_comb begin
    header_good = ipv4_q && plain_q && whole_q && udp_q && length_sane_q && udp_length_good_q &&
        checksum_good_q;
    for (int c = 0; c < 2; c++) hit[c] = address_q[c] && port_q[c] && channels[c].enable;
    accept = header_good && hit != '0;
  end

  // One decision per frame, with word 6.
  logic decided_q;
  logic decide;
  assign decide = s_axis_tvalid && at_q[6] && !decided_q;

  always_ff @(posedge clk) begin
    if (s_axis_tvalid) decided_q <= !s_axis_tlast && at_q[6];
    if (rst) decided_q <= 1'b0;
  end

  // Payload. Its byte 0 is in lane 2 of word 5, or, late, in lane 6. A payload word has the end of one
  // frame word and the beginning of the next.
  typedef enum logic [1:0] {
    HEADER,
    PAYLOAD,
    TAIL,     // the frame has ended; its last bytes are still here
    PADDING   // all payload has left; the end of the frame is awaited
  } state_t;

  state_t state_q, state_d;
  logic [15:0] left_q;  // payload bytes that have not left
  logic short_q;  // they fit into one word
  logic [2:0] tail_q;  // bytes behind the frame's last whole payload word
  logic tail_user_q;
  logic [3:0] spare;  // bytes of this word that the payload word does not take, if not negative
  logic turn;  // a payload word leaves
  logic missing;  // the frame ends before its payload does

  function automatic logic [3:0] count_ones(input logic [7:0] keep);
    count_ones = '0;
    for (int i = 0; i < 8; i++) count_ones += 4'(keep[i]);
  endfunction

  always_comb begin
    turn = (decide && accept) || (s_axis_tvalid && state_q == PAYLOAD);
    spare = count_ones(s_axis_tkeep) - (late_q ? 4'd6 : 4'd2);

    missing = 1'b0;
    state_d = state_q;
    if (state_q == TAIL) begin
      missing = !short_q || left_q[3:0] > 4'(tail_q);
      state_d = HEADER;
    end else if (turn) begin
      if (s_axis_tlast) begin
        // With `spare` negative, the payload word has that many bytes less than eight.
        if (spare[3]) missing = !short_q || left_q[3:0] > {1'b0, spare[2:0]};
        else missing = !short_q && spare == '0;
        state_d = short_q || missing ? HEADER : TAIL;
      end else begin
        state_d = short_q ? PADDING : PAYLOAD;
      end
    end else if (state_q == PADDING && s_axis_tvalid && s_axis_tlast) begin
      state_d = HEADER;
    end
  end

  always_ff @(posedge clk) begin
    state_q <= state_d;
    if (turn) begin
      left_q  <= left_q - 16'd8;
      short_q <= left_q <= 16'd16;
    end else if (at_q[5]) begin
      left_q  <= udp_length_q - 16'd8;
      short_q <= udp_length_q <= 16'd16;
    end
    tail_q <= spare[2:0];
    tail_user_q <= s_axis_tuser;
    if (rst) state_q <= HEADER;
  end

  logic [63:0] payload;
  assign payload = late_q ? {s_axis_tdata[47:0], before_q[63:48]}
                          : {s_axis_tdata[15:0], before_q[63:16]};
  assign m_feed_number = payload[31:0];

  always_ff @(posedge clk) begin
    m_axis_feed_tdata <= payload;
    m_axis_feed_tkeep <= '0;
    if (turn || state_q == TAIL) begin
      m_axis_feed_tkeep <= short_q ? 8'((9'd1 << left_q[3:0]) - 9'd1) : '1;
    end
    m_axis_feed_tvalid <= turn || state_q == TAIL ||
        (state_q == PADDING && s_axis_tvalid && s_axis_tlast);
    m_axis_feed_tlast <= state_q == TAIL || (s_axis_tlast && state_d == HEADER);
    m_axis_feed_tuser <= missing || (state_q == TAIL ? tail_user_q : s_axis_tuser);
    if (decide) begin
      m_axis_feed_tdest  <= !hit[0];
      m_axis_feed_tstamp <= s_axis_tstamp;
    end
    if (rst) m_axis_feed_tvalid <= 1'b0;
  end

  // Host port: two cycles behind, when it is known whether the frame's payload was whole.
  logic [63:0] host_data_q, host_stamp_q;
  logic [7:0] host_keep_q;
  logic host_valid_q, host_last_q, host_abort_q;
  logic fed_q;  // the frame that ended in the last cycle went to the feed
  logic missing_q;
  logic kept;

  assign kept = fed_q && !missing_q && !(state_q == TAIL && missing);

  always_ff @(posedge clk) begin
    host_data_q <= s_axis_tdata;
    host_keep_q <= s_axis_tkeep;
    host_valid_q <= s_axis_tvalid;
    host_last_q <= s_axis_tlast;
    host_abort_q <= s_axis_tuser;
    host_stamp_q <= s_axis_tstamp;
    fed_q <= turn || state_q == PADDING;
    missing_q <= turn && missing;

    m_axis_host_tdata <= host_data_q;
    m_axis_host_tkeep <= host_keep_q;
    m_axis_host_tvalid <= host_valid_q;
    m_axis_host_tlast <= host_last_q;
    m_axis_host_tuser <= host_abort_q || (kept && !mirror);
    m_axis_host_tstamp <= host_stamp_q;
    if (rst) begin
      host_valid_q <= 1'b0;
      m_axis_host_tvalid <= 1'b0;
    end
  end

  // Reports: one pulse per frame, two cycles after its end.
  feed_event_t reason, reason_q;

  always_comb begin
    reason = '0;
    if (!ipv4_q) reason.not_ipv4 = 1'b1;
    else if (!plain_q) reason.options = 1'b1;
    else if (!checksum_good_q) reason.checksum = 1'b1;
    else if (!whole_q) reason.fragment = 1'b1;
    else if (!udp_q) reason.not_udp = 1'b1;
    else if (hit == '0) reason.no_channel = 1'b1;
    else if (!accept) reason.bad_length = 1'b1;
    else if (hit[0]) reason.feed_a = 1'b1;
    else reason.feed_b = 1'b1;
  end

  always_ff @(posedge clk) begin
    if (decide) reason_q <= reason;
    else if (s_axis_tvalid && at_q[0]) reason_q <= '{short_frame: 1'b1, default: '0};
    feed_event <= '0;
    if (host_valid_q && host_last_q) begin
      if (host_abort_q) feed_event.aborted <= 1'b1;
      else if (fed_q && !kept) feed_event.truncated <= 1'b1;
      else feed_event <= reason_q;
    end
    if (rst) feed_event <= '0;
  end

endmodule
