// The numbers that count on with every order: TCP sequence and limit, MsgSeqNum in binary and in
// decimal digits, and the sequence number of UDP answers.
//
// `advance` makes the numbers those behind an order's payload, `rollback` takes the last advance back.
// The host writes while neither is to be expected: TCP's and MsgSeqNum without `leased`, all of them
// without `sending`. A write at another time has no effect and is told by `write_refused`. A write takes
// three cycles, MsgSeqNum's digits 32.
//
// `settled` is low until everything that follows from the numbers has caught up with them; an advance
// takes four cycles, in which no other order may begin, and does not lower it.
module order_sequence (
    input logic clk,
    input logic rst,

    input  logic        leased,
    input  logic        sending,
    input  logic        tcp_seq_write_valid,
    input  logic [31:0] tcp_seq_write_data,
    input  logic        tcp_limit_write_valid,
    input  logic [31:0] tcp_limit_write_data,
    input  logic        next_msg_seq_write_valid,
    input  logic [29:0] next_msg_seq_write_data,
    input  logic        udp_seq_write_valid,
    input  logic [31:0] udp_seq_write_data,
    output logic        write_refused,

    input logic       advance,
    input logic       advance_udp,     // a UDP answer: only its number counts
    input logic [9:0] advance_length,
    input logic       rollback,

    output logic [31:0] tcp_seq,
    output logic [31:0] tcp_limit,
    output logic [29:0] next_msg_seq,
    output logic [31:0] udp_seq,

    // MsgSeqNum: digit 0 comes first; the sums of digits 0, 2, 4, 6, 8 and of the others.
    output logic [8:0][3:0] digits,
    output logic [5:0]      even_sum,
    output logic [5:0]      odd_sum,
    output logic            exhausted,  // MsgSeqNum has more than nine digits
    output logic            settled,

    // What the numbers were before the last advance.
    output logic [31:0] begun_tcp_seq,
    output logic [31:0] begun_msg_seq
);

  localparam logic [29:0] MAX_MSG_SEQ = 30'd999_999_999;

  logic [31:0] tcp_seq_q, tcp_limit_q, udp_seq_q;
  logic [29:0] msg_seq_q;
  logic [8:0][3:0] digits_q, incremented, incremented_q;
  logic [8:0] nine, passed_q;  // all digits behind this one are nine
  logic [31:0] tcp_seq_was_q, tcp_limit_was_q, udp_seq_was_q;
  logic [29:0] msg_seq_was_q;
  logic [8:0][3:0] digits_was_q;
  logic udp_q;
  // The host's writes, one cycle late, so that what begins in their cycle is seen; and in the cycle
  // behind that, where they are allowed, what is done.
  logic tcp_seq_write_q, tcp_limit_write_q, msg_seq_write_q, udp_seq_write_q;
  logic tcp_seq_set_q, tcp_limit_set_q, msg_seq_set_q, udp_seq_set_q, any_set;
  logic [31:0] tcp_seq_new_q, tcp_limit_new_q, udp_seq_new_q;
  logic [29:0] msg_seq_new_q;
  logic leased_q, leased_late_q;
  logic [31:0] tcp_seq_data_q, tcp_limit_data_q, udp_seq_data_q;
  logic [29:0] msg_seq_data_q;
  logic free, allowed, any_leased_write;
  logic rollback_q;  // the numbers go back a cycle late: nothing looks at them before they settle

  // Conversion to decimal: doubling, one bit of MsgSeqNum a cycle.
  logic [29:0] bits_q;
  logic [4:0] left_q;
  logic converting_q;  // left_q is not zero
  logic [8:0][3:0] doubled;
  logic [2:0] settle_q;
  logic settled_q;

  assign free = !sending && !rollback && !advance;
  assign allowed = free && !leased_q && !leased_late_q;
  assign any_leased_write = tcp_seq_write_q || tcp_limit_write_q || msg_seq_write_q;
  assign any_set = tcp_seq_set_q || tcp_limit_set_q || msg_seq_set_q || udp_seq_set_q;

  always_comb begin
    // The last digit counts; one that leaves nine passes on.
    for (int i = 0; i < 9; i++) begin
      nine[i] = digits_q[i] == 4'd9;
      incremented[i] = !passed_q[i] ? digits_q[i] : nine[i] ? 4'd0 : digits_q[i] + 4'd1;
    end
    // Twice the digits and the next bit; a digit of five or more passes on.
    for (int i = 0; i < 9; i++) begin
      logic [2:0] low;
      low = 3'(digits_q[i] >= 4'd5 ? digits_q[i] - 4'd5 : digits_q[i]);
      doubled[i] = {low, i == 8 ? bits_q[29] : digits_q[i==8?8 : i+1] >= 4'd5};
    end
  end

  always_ff @(posedge clk) begin
    leased_q <= leased;
    leased_late_q <= leased_q;
    tcp_seq_write_q <= tcp_seq_write_valid;
    tcp_seq_data_q <= tcp_seq_write_data;
    tcp_limit_write_q <= tcp_limit_write_valid;
    tcp_limit_data_q <= tcp_limit_write_data;
    msg_seq_write_q <= next_msg_seq_write_valid;
    msg_seq_data_q <= next_msg_seq_write_data;
    udp_seq_write_q <= udp_seq_write_valid;
    udp_seq_data_q <= udp_seq_write_data;
    tcp_seq_set_q <= tcp_seq_write_q && allowed;
    tcp_limit_set_q <= tcp_limit_write_q && allowed;
    msg_seq_set_q <= msg_seq_write_q && allowed;
    udp_seq_set_q <= udp_seq_write_q && free;
    tcp_seq_new_q <= tcp_seq_data_q;
    tcp_limit_new_q <= tcp_limit_data_q;
    msg_seq_new_q <= msg_seq_data_q;
    udp_seq_new_q <= udp_seq_data_q;
    if (rst) begin
      tcp_seq_write_q <= 1'b0;
      tcp_limit_write_q <= 1'b0;
      msg_seq_write_q <= 1'b0;
      udp_seq_write_q <= 1'b0;
      tcp_seq_set_q <= 1'b0;
      tcp_limit_set_q <= 1'b0;
      msg_seq_set_q <= 1'b0;
      udp_seq_set_q <= 1'b0;
    end
  end

  // The digits stand still for some cycles before an advance: what sets them lowers `settled`.
  always_ff @(posedge clk) begin
    for (int i = 0; i < 9; i++) passed_q[i] <= (nine | 9'((1 << (i + 1)) - 1)) == '1;
    incremented_q <= incremented;
  end

  always_ff @(posedge clk) begin
    write_refused <= (any_leased_write && !allowed) || (udp_seq_write_q && !free);
    if (settle_q != '0) settle_q <= settle_q - 3'd1;
    settled_q <= settle_q == '0 && !converting_q && !rollback && !any_leased_write && !any_set &&
        !udp_seq_write_q && !tcp_seq_write_valid && !tcp_limit_write_valid &&
        !next_msg_seq_write_valid && !udp_seq_write_valid;
    if (converting_q) begin
      left_q   <= left_q - 5'd1;
      converting_q <= left_q != 5'd1;
      bits_q   <= bits_q << 1;
      digits_q <= doubled;
      settle_q <= '1;
    end

    if (tcp_seq_set_q) tcp_seq_q <= tcp_seq_new_q;
    if (tcp_limit_set_q) tcp_limit_q <= tcp_limit_new_q;
    if (msg_seq_set_q) begin
      msg_seq_q <= msg_seq_new_q;
      bits_q <= msg_seq_new_q;
      digits_q <= '0;
      left_q <= 5'd30;
      converting_q <= 1'b1;
    end
    if (udp_seq_set_q) udp_seq_q <= udp_seq_new_q;
    if (any_set) settle_q <= '1;

    if (advance) begin
      tcp_seq_was_q <= tcp_seq_q;
      tcp_limit_was_q <= tcp_limit_q;
      udp_seq_was_q <= udp_seq_q;
      msg_seq_was_q <= msg_seq_q;
      digits_was_q <= digits_q;
      udp_q <= advance_udp;
      if (advance_udp) begin
        udp_seq_q <= udp_seq_q + 32'd1;
      end else begin
        tcp_seq_q   <= tcp_seq_q + 32'(advance_length);
        tcp_limit_q <= tcp_limit_q - 32'(advance_length);
        msg_seq_q   <= msg_seq_q + 30'd1;
        digits_q    <= incremented_q;
      end
    end else if (rollback_q) begin
      tcp_seq_q <= tcp_seq_was_q;
      tcp_limit_q <= tcp_limit_was_q;
      udp_seq_q <= udp_seq_was_q;
      msg_seq_q <= msg_seq_was_q;
      digits_q <= digits_was_q;
    end
    rollback_q <= rollback;
    if (rollback) settle_q <= '1;

    if (rst) begin
      tcp_seq_q <= '0;
      tcp_limit_q <= '0;
      udp_seq_q <= '0;
      msg_seq_q <= '0;
      digits_q <= '0;
      left_q <= '0;
      converting_q <= 1'b0;
      rollback_q <= 1'b0;
      settle_q <= '1;
      settled_q <= 1'b0;
      write_refused <= 1'b0;
    end
  end

  // What follows from the digits, two cycles behind them.
  logic [4:0] even_a_q, even_b_q, odd_a_q, odd_b_q;
  logic [3:0] even_c_q;

  always_ff @(posedge clk) begin
    even_a_q  <= 5'(digits_q[0]) + 5'(digits_q[2]);
    even_b_q  <= 5'(digits_q[4]) + 5'(digits_q[6]);
    even_c_q  <= digits_q[8];
    odd_a_q   <= 5'(digits_q[1]) + 5'(digits_q[3]);
    odd_b_q   <= 5'(digits_q[5]) + 5'(digits_q[7]);
    even_sum  <= 6'(even_a_q) + 6'(even_b_q) + 6'(even_c_q);
    odd_sum   <= 6'(odd_a_q) + 6'(odd_b_q);
    exhausted <= msg_seq_q > MAX_MSG_SEQ;
  end

  assign tcp_seq = tcp_seq_q;
  assign tcp_limit = tcp_limit_q;
  assign udp_seq = udp_seq_q;
  assign next_msg_seq = msg_seq_q;
  assign digits = digits_q;
  assign settled = settled_q;
  assign begun_tcp_seq = tcp_seq_was_q;
  assign begun_msg_seq = udp_q ? udp_seq_was_q : 32'(msg_seq_was_q);

endmodule
