// Receiving MAC: XGMII to a stream of frames, cut-through.
//
// A frame starts in lane 0 or 4, preamble and SFD exact. The stream carries the bytes from the
// destination address to the last before the FCS in the lanes in which they came, without gaps inside
// a frame: of one that starts in lane 4, the first beat has its bytes in lanes 4 to 7 (`lane_align`
// is for who wants them from lane 0 on). It cannot be held back. In the beat with `tlast`, and only
// there, `tuser` says that the frame must not be used (abort), and `m_axis_terror` why. Nothing waits
// for that verdict. `rx_event` pulses in the cycle after.
//
// Latency: two cycles from an XGMII word to its bytes; the second is there to know, when a word
// leaves, whether the FCS follows it.
//
// The CRC runs over whole XGMII words: for a start in lane 4 the state begins with a value that makes
// the four preamble octets in front of the first bytes harmless. At the end of a frame, bytes of the
// last word are not masked out: the CRC state is compared with what a good frame leaves behind at each
// position of Terminate. So the longest path is one CRC step. For Terminate in lanes 5 to 7 that
// includes the idles behind it: anything else there is a bad FCS.
module xgmii_rx
  import net_pkg::*;
  import crc32_pkg::*;
#(
    // Longest frame in bytes, from destination address to FCS. Longer ones are cut and aborted.
    parameter int unsigned MAX_FRAME_BYTES = 9022
) (
    input logic clk,
    input logic rst,

    input logic [63:0] xgmii_rxd,
    input logic [ 7:0] xgmii_rxc,

    // Time of lane 0 of this cycle's word, and of its lane 4.
    input logic [63:0] now_ns,
    input logic [63:0] now_lane4_ns,

    output logic      [63:0] m_axis_tdata,
    output logic      [ 7:0] m_axis_tkeep,
    output logic             m_axis_tvalid,
    output logic             m_axis_tlast,
    output logic             m_axis_tuser,
    output rx_error_t        m_axis_terror,
    // Arrival of the frame's first byte, the same in all its beats.
    output logic      [63:0] m_axis_tstamp,

    output rx_event_t rx_event
);

  // Lengths in words and bytes of the next one, by `shift`: from a start in lane 4 on, four lanes of the
  // first word are not the frame's.
  localparam int unsigned MIN_WORDS = 8;
  localparam int unsigned MAX_WORDS[2] = '{MAX_FRAME_BYTES / 8, (MAX_FRAME_BYTES + 4) / 8};
  localparam int unsigned MAX_REST[2] = '{MAX_FRAME_BYTES % 8, (MAX_FRAME_BYTES + 4) % 8};
  localparam int unsigned COUNT_BITS = $clog2(MAX_WORDS[1] + 1);

  if (MAX_FRAME_BYTES < 64 || MAX_FRAME_BYTES > 65535) begin : gen_bad_parameter
    $fatal(1, "%m: MAX_FRAME_BYTES %0d is outside 64..65535", MAX_FRAME_BYTES);
  end

  // What this cycle's word says, lane by lane.
  logic [7:0] is_terminate;
  logic [7:0] first_control;  // one-hot
  logic any_control;
  logic ends_well;  // the first control character is Terminate
  logic start_0, start_4;
  logic start_0_exact, start_4_exact;

  always_comb begin
    for (int i = 0; i < 8; i++) begin
      is_terminate[i]  = xgmii_rxd[8*i+:8] == XGMII_TERMINATE;
      first_control[i] = xgmii_rxc[i] && (xgmii_rxc & 8'((1 << i) - 1)) == '0;
    end
    any_control = xgmii_rxc != '0;
    ends_well = (first_control & is_terminate) != '0;
    start_0 = xgmii_rxc[0] && xgmii_rxd[7:0] == XGMII_START;
    start_4 = xgmii_rxc[4] && xgmii_rxd[39:32] == XGMII_START;
    start_0_exact = xgmii_rxc == 8'h01 && xgmii_rxd == XGMII_START_WORD;
    start_4_exact = xgmii_rxc[7:4] == 4'h1 && xgmii_rxd[63:32] == XGMII_START_WORD[31:0];
  end

  // Where we are in a frame.
  logic run_q;  // this word holds bytes of a frame
  logic preamble_q;  // lanes 0 to 3 of this word must be the second half of the preamble
  logic first_q;  // this word holds the frame's first byte
  logic shift_q;  // the frame started in lane 4
  logic preamble_good;
  logic in_frame;
  logic cut;

  assign preamble_good = xgmii_rxc[3:0] == '0 && xgmii_rxd[31:0] == XGMII_START_WORD[63:32];
  assign in_frame = run_q && !(preamble_q && !preamble_good);

  always_ff @(posedge clk) begin
    preamble_q <= start_4_exact;
    first_q <= start_0_exact || start_4_exact;
    if (start_0_exact || start_4_exact) begin
      run_q   <= 1'b1;
      shift_q <= start_4_exact;
    end else if (!in_frame || any_control || cut) begin
      run_q <= 1'b0;
    end
    if (rst) begin
      run_q <= 1'b0;
      preamble_q <= 1'b0;
      first_q <= 1'b0;
      shift_q <= 1'b0;
    end
  end

  // A word with a control character is the frame's last, of which it has the lanes before that.
  logic [2:0] end_lanes;

  function automatic logic [1:0] position(input logic [3:1] one_hot);
    return {one_hot[3] | one_hot[2], one_hot[3] | one_hot[1]};
  endfunction

  assign end_lanes = {first_control[7:4] != '0, position(first_control[7:5] | first_control[3:1])};

  // The FCS. With Terminate in lanes 0 to 4 the verdict is known in that cycle; with Terminate in
  // lanes 5 to 7 it is read off the state after the whole word, one cycle later.
  logic [31:0] crc_q;
  logic fcs_good, coding;
  logic fcs_good_q, coding_q;
  logic [7:5] terminate_q;
  logic late_fcs_good;

  always_comb begin
    fcs_good = 1'b0;
    for (int n = 0; n <= 4; n++) begin
      fcs_good |= first_control[n] &&
          (crc_q ^ (xgmii_rxd[31:0] & 32'((64'd1 << (8 * n)) - 64'd1))) == CRC32_ENDS[n];
    end
    coding = any_control && !ends_well;
    late_fcs_good = fcs_good_q;
    for (int n = 5; n <= 7; n++) begin
      late_fcs_good |= terminate_q[n] && crc_q == CRC32_AFTER[n];
    end
  end

  always_ff @(posedge clk) begin
    if (start_4) crc_q <= CRC32_INIT_LANE4;
    else if (start_0) crc_q <= CRC32_INIT;
    else crc_q <= crc32_step(CRC32_STEP[8], crc_q, xgmii_rxd);
    fcs_good_q  <= fcs_good;
    coding_q    <= coding;
    terminate_q <= first_control[7:5];
  end

  // Length.
  logic [COUNT_BITS-1:0] words_q;  // whole words before this one
  logic enough_q;  // words_q >= MIN_WORDS
  logic more_q;  // words_q > MIN_WORDS
  logic full_q;  // words_q == MAX_WORDS
  logic runt, giant;

  assign cut   = full_q && in_frame && !any_control;
  assign giant = full_q && (!any_control || end_lanes > 3'(MAX_REST[shift_q]));
  assign runt  = !enough_q || shift_q && !more_q && !end_lanes[2];

  always_ff @(posedge clk) begin
    if (in_frame && !any_control && !cut) begin
      words_q  <= words_q + COUNT_BITS'(1);
      enough_q <= enough_q || words_q == COUNT_BITS'(MIN_WORDS - 1);
      more_q   <= enough_q;
      full_q   <= words_q == COUNT_BITS'(MAX_WORDS[shift_q] - 1);
    end else begin
      words_q  <= '0;
      enough_q <= 1'b0;
      more_q   <= 1'b0;
      full_q   <= 1'b0;
    end
    if (rst) begin
      words_q  <= '0;
      enough_q <= 1'b0;
      more_q   <= 1'b0;
      full_q   <= 1'b0;
    end
  end

  // First stage: a word waits until it is known whether payload follows it.
  logic [63:0] hold_q;
  logic hold_valid_q;
  logic hold_first_q;
  logic hold_upper_q;  // its lanes 4 to 7 are the frame's first
  logic hold_end_q;  // the frame ended in this word; one to three of its bytes are payload
  logic [1:0] hold_lanes_q;
  logic hold_giant_q, hold_runt_q;
  logic drop;  // this word holds no payload

  // The first word of a start in lane 4 has at most three bytes if it ends: less than an FCS.
  assign drop = any_control && (end_lanes <= 3'd4 || preamble_q) || cut;

  always_ff @(posedge clk) begin
    hold_q       <= xgmii_rxd;
    hold_valid_q <= in_frame && !drop;
    hold_first_q <= first_q;
    hold_upper_q <= preamble_q;
    hold_end_q   <= in_frame && any_control && !drop;
    hold_lanes_q <= end_lanes[1:0];
    hold_giant_q <= giant;
    hold_runt_q  <= runt;
    if (rst) begin
      hold_valid_q <= 1'b0;
      hold_end_q   <= 1'b0;
    end
  end

  // Second stage: the stream.
  logic end_now;
  logic none;  // of a first word of four lanes, all are the FCS
  logic coding_now, runt_now, giant_now;
  logic [63:0] stamp_q;
  logic [ 7:0] keep;
  rx_error_t error, error_q;  // but for the FCS
  logic fcs_late_q, fcs_late_bad_q;
  logic ended_q, bad_preamble_q;

  always_comb begin
    end_now = hold_end_q || (in_frame && drop);
    giant_now = hold_end_q ? hold_giant_q : giant;
    coding_now = !(giant_now && cut) && (hold_end_q ? coding_q : coding);
    runt_now = hold_end_q ? hold_runt_q : runt;

    if (coding_now) error = RX_CODING;
    else if (giant_now) error = RX_GIANT;
    else if (runt_now) error = RX_RUNT;
    else error = RX_OK;

    // A held end has one to three bytes; a word before a dropped one has four more than that one
    // had, and all of them if the frame was cut.
    keep = '1;
    if (hold_end_q) keep = 8'((9'd1 << hold_lanes_q) - 9'd1);
    else if (in_frame && drop && !cut) keep = {~(8'hff << end_lanes)} << 4 | 8'h0f;
    if (hold_upper_q) keep[3:0] = '0;
    none = hold_upper_q && first_control[0];
  end

  // The FCS's comparison is the longest path to the stream, so its result is a register, and what it
  // means is said behind that.
  always_comb begin
    m_axis_terror = error_q;
    if (error_q == RX_OK && (fcs_late_q ? fcs_late_bad_q : !fcs_good_q)) begin
      m_axis_terror = RX_BAD_FCS;
    end
    m_axis_tuser = m_axis_terror != RX_OK;
  end

  always_ff @(posedge clk) begin
    if (first_q) stamp_q <= shift_q ? now_lane4_ns : now_ns;

    m_axis_tdata  <= hold_q;
    m_axis_tkeep  <= keep;
    m_axis_tvalid <= hold_valid_q && !none;
    m_axis_tlast  <= end_now;
    error_q <= error;
    fcs_late_q <= hold_end_q;
    fcs_late_bad_q <= !late_fcs_good;
    if (hold_valid_q && hold_first_q) m_axis_tstamp <= stamp_q;

    ended_q <= end_now;
    bad_preamble_q <= (start_0 && !start_0_exact) || (start_4 && !start_4_exact) ||
        (preamble_q && !preamble_good);
    rx_event <= '{
        good: ended_q && m_axis_terror == RX_OK,
        bad_fcs: ended_q && m_axis_terror == RX_BAD_FCS,
        coding: ended_q && m_axis_terror == RX_CODING,
        runt: ended_q && m_axis_terror == RX_RUNT,
        giant: ended_q && m_axis_terror == RX_GIANT,
        bad_preamble: bad_preamble_q
    };
    if (rst) begin
      m_axis_tvalid <= 1'b0;
      ended_q <= 1'b0;
      bad_preamble_q <= 1'b0;
      rx_event <= '0;
    end
  end

endmodule
