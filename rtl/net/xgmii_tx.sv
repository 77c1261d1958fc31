// Transmitting MAC: a stream of frames to XGMII.
//
// Adds preamble and FCS, pads to the minimum frame with zeros, and keeps an inter-frame gap of
// twelve bytes on average with a deficit idle count: a gap may be up to three bytes short, which is
// made up for by later ones, and a frame starts in lane 0 or lane 4. After a longer pause, or a frame that
// was cut, it starts in lane 0 and the count is zero.
//
// The source must offer a word in every cycle from the first to the last of a frame; where it does
// not, the frame is cut with Error and the rest of it is discarded (`drains`), unless the source keeps
// that to itself (`abandon`). All words but the last are whole; the last has one to eight bytes from
// lane 0. `s_axis_tuser` in any beat poisons the frame: it ends with an inverted FCS, so that no receiver
// takes it.
//
// Latency: one cycle from a frame's first word to Start, two from any word to its bytes (the high
// half a cycle later where the frame starts in lane 4).
//
// The FCS must leave in the cycle after the last byte, for any number of bytes in the last word: so
// there are eight CRC registers, one for each number of bytes that this word may turn out to have,
// and all are computed from the one that stands for eight.
module xgmii_tx
  import net_pkg::*;
  import crc32_pkg::*;
#(
    // The source's lanes are zero where they have no byte, and all of them behind `pad_next`.
    parameter bit CLEAN = 1'b0
) (
    input logic clk,
    input logic rst,

    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,
    output logic        pad_next,       // the next word is padding
    output logic        drains,         // a frame was cut, and the rest of it is awaited
    input  logic        abandon,        // with `drains`: no more

    output logic [63:0] xgmii_txd,
    output logic [ 7:0] xgmii_txc,

    // High with the XGMII word that holds a frame's first byte (destination address).
    output logic tx_first,
    output logic tx_first_lane4,

    output tx_event_t tx_event
);

  // Word index of the last word of a minimum frame without FCS (60 bytes), and its bytes.
  localparam logic [2:0] MIN_INDEX = 3'd7;

  typedef enum logic [2:0] {
    IDLE,  // a frame may start
    DATA,
    PAD,
    GAP,
    DRAIN  // the frame was cut; the source's rest of it goes nowhere
  } state_t;

  state_t state_q, state_d;
  logic ready_q;
  logic [2:0] index_q;  // words of this frame before this one, up to MIN_INDEX
  logic at_min_q;  // they are MIN_INDEX
  logic poison_q, poison;
  logic take_first, take, padding, feed, final_word, underflow;

  assign s_axis_tready = ready_q;

  always_comb begin
    take_first = state_q == IDLE && s_axis_tvalid;
    take = take_first || (state_q == DATA && s_axis_tvalid);
    padding = state_q == PAD;
    feed = take || padding;
    final_word = (take && s_axis_tlast || padding) && at_min_q;
    underflow = state_q == DATA && !s_axis_tvalid;
    poison = poison_q || (take && s_axis_tuser);
  end

  // 64 bytes or more before this word: no minimum applies to it.
  logic long_q;

  // The word with unused lanes zero, and which of its lanes are the frame's if it is the last.
  logic [63:0] word;
  logic [7:0] filled;
  logic [8:1] bytes;  // their number, one-hot, of a final word

  always_comb begin
    for (int i = 0; i < 8; i++) begin
      word[8*i+:8] = s_axis_tdata[8*i+:8] & {8{CLEAN || (s_axis_tkeep[i] && !padding)}};
      filled[i] = (s_axis_tkeep[i] && !padding) || (!long_q && i < 4);
    end
    for (int n = 1; n <= 7; n++) bytes[n] = filled[n-1] && !filled[n] && final_word;
    bytes[8] = filled[7] && final_word;
  end

  always_ff @(posedge clk) begin
    if (!feed) begin
      index_q <= '0;
      at_min_q <= 1'b0;
      long_q <= 1'b0;
    end else if (!at_min_q) begin
      index_q  <= index_q + 3'd1;
      at_min_q <= index_q == MIN_INDEX - 3'd1;
    end else begin
      long_q <= 1'b1;
    end
    poison_q <= feed && poison;
    if (rst) begin
      index_q <= '0;
      at_min_q <= 1'b0;
      long_q <= 1'b0;
      poison_q <= 1'b0;
    end
  end

  // Eight CRCs: crc_q[n] is the state if the word that came last had n bytes.
  logic [8:1][31:0] crc_q;

  for (genvar n = 1; n <= 7; n++) begin : gen_crc
    always_ff @(posedge clk) crc_q[n] <= crc32_step(CRC32_STEP[n], crc_q[8], word);
  end

  always_ff @(posedge clk) begin
    if (!feed) crc_q[8] <= CRC32_INIT;
    else crc_q[8] <= crc32_step(CRC32_STEP[8], crc_q[8], word);
  end

  // First stage: everything of the outgoing word but the FCS, in whose place stands what makes the
  // CRC state the FCS (its complement), or leaves it as it is (a poisoned frame).
  logic [63:0] base_q, base_d;
  logic [7:0] base_control_q, base_control_d;
  logic [8:1] bytes_q;
  logic invert_q;
  logic cut_q;  // the last word was Error; Terminate follows

  function automatic logic [7:0] crc_byte(input logic [31:0] state, input int k);
    return state[8*k+:8];
  endfunction

  // What goes out if a word goes out and is final. Here it does not matter whether there is a word.
  logic [63:0] final_d;
  logic [ 7:0] final_control_d;
  logic would_end, spoilt;
  always_comb begin
    would_end = (s_axis_tlast || padding) && at_min_q;
    spoilt = poison_q || (s_axis_tuser && !padding);
    final_control_d = '0;
    for (int i = 0; i < 8; i++) begin
      if (filled[i]) begin
        final_d[8*i+:8] = word[8*i+:8];
      end else if (i < 4 || filled[(i+4)%8]) begin
        final_d[8*i+:8] = {8{!spoilt}};
      end else begin
        final_d[8*i+:8] = i == 4 || filled[(i+3)%8] ? XGMII_TERMINATE : XGMII_IDLE;
        final_control_d[i] = 1'b1;
      end
    end
  end

  always_comb begin
    base_d = XGMII_IDLE_WORD;
    base_control_d = '1;
    if (feed) begin
      base_d = would_end ? final_d : word;
      base_control_d = would_end ? final_control_d : '0;
    end else if (underflow) begin
      base_d = {8{XGMII_ERROR}};
    end else if (cut_q) begin
      base_d[7:0] = XGMII_TERMINATE;
    end else begin
      // What of the FCS did not fit into the last word.
      for (int n = 4; n <= 8; n++) begin
        if (bytes_q[n]) begin
          for (int i = 0; i < n - 4; i++) begin
            base_d[8*i+:8]    = crc_byte(crc_q[n], 8 - n + i) ^ {8{invert_q}};
            base_control_d[i] = 1'b0;
          end
          base_d[8*(n-4)+:8] = XGMII_TERMINATE;
        end
      end
    end
  end

  always_ff @(posedge clk) begin
    base_q <= base_d;
    base_control_q <= base_control_d;
    bytes_q <= bytes;
    invert_q <= !poison;
    cut_q <= underflow;
    if (rst) begin
      base_q <= XGMII_IDLE_WORD;
      base_control_q <= '1;
      bytes_q <= '0;
      cut_q <= 1'b0;
    end
  end

  // Second stage: the FCS goes in, Start goes in front, and the lanes are turned by four for a frame
  // that starts in lane 4.
  logic [63:0] out;
  logic [7:0] out_control;
  logic [31:0] high_q;
  logic [3:0] high_control_q;
  logic shift_q;

  always_comb begin
    out = base_q;
    for (int n = 1; n <= 8; n++) begin
      for (int i = n; i < 8 && i < n + 4; i++) begin
        out[8*i+:8] ^= crc_byte(crc_q[n], i - n) & {8{bytes_q[n]}};
      end
    end
    out ^= (XGMII_IDLE_WORD ^ XGMII_START_WORD) & {64{take_first}};
    out_control = base_control_q & ~(8'hfe &{8{take_first}});
  end

  always_ff @(posedge clk) begin
    high_q <= out[63:32];
    high_control_q <= out_control[7:4];
    xgmii_txd <= shift_q ? {out[31:0], high_q} : out;
    xgmii_txc <= shift_q ? {out_control[3:0], high_control_q} : out_control;
    if (rst) begin
      high_q <= XGMII_IDLE_WORD[63:32];
      high_control_q <= '1;
      xgmii_txd <= XGMII_IDLE_WORD;
      xgmii_txc <= '1;
    end
  end

  // The gap. With n bytes in the last word, twelve bytes of gap less n mod 4 end on a multiple of
  // four lanes: two (n < 4), three (n < 8) or four half words after the last word. If the deficit
  // would pass three, one half word more is waited and the deficit shrinks.
  logic [1:0] deficit_q;
  logic [1:0] short_by;
  logic extend;
  logic [2:0] halves;  // from the end of the last word to Start, in XGMII halves
  logic unused_half;  // of the two or three whole words waited, GAP itself takes the rest
  logic wait_q;
  logic next_shift_q;
  logic ended_q;  // the last word was a frame's last: `bytes_q` is not zero
  logic gap_over;  // in GAP
  logic chance_q;  // the first cycle in which a frame may start after another

  always_comb begin
    short_by = {bytes_q[2] | bytes_q[3] | bytes_q[6] | bytes_q[7],
                bytes_q[1] | bytes_q[3] | bytes_q[5] | bytes_q[7]};
    extend = {1'b0, deficit_q} + {1'b0, short_by} > 3'd3;
    halves = 3'd3 - 3'(|bytes_q[3:1]) + 3'(bytes_q[8]) + 3'(extend) + 3'(shift_q);
    unused_half = halves[1];
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      IDLE, DATA: begin
        if (take) begin
          if (!s_axis_tlast) state_d = DATA;
          else state_d = at_min_q ? GAP : PAD;
        end else if (underflow) begin
          state_d = DRAIN;
        end
      end
      PAD:     if (at_min_q) state_d = GAP;
      GAP:     if (gap_over) state_d = IDLE;
      DRAIN:   if (abandon || (s_axis_tvalid && s_axis_tlast)) state_d = GAP;
      default: state_d = GAP;
    endcase
  end

  assign gap_over = !ended_q && !wait_q;
  assign pad_next = ((take && s_axis_tlast) || padding) && !at_min_q;

  always_ff @(posedge clk) begin
    state_q <= state_d;
    ready_q <= state_d == IDLE || state_d == DATA || state_d == DRAIN;
    drains <= state_d == DRAIN && !rst;
    ended_q <= final_word;
    chance_q <= state_q == GAP && gap_over;
    wait_q <= 1'b0;
    if (state_q == GAP) begin
      if (ended_q) begin
        wait_q <= halves[2];
        next_shift_q <= halves[0];
        // Modulo four this is also the deficit after one half word more.
        deficit_q <= deficit_q + short_by;
      end else if (!wait_q) begin
        shift_q <= next_shift_q;
      end
    end else if (state_q == DRAIN) begin
      wait_q <= 1'b1;
      next_shift_q <= 1'b0;
      deficit_q <= '0;
    end else if (state_q == IDLE && !s_axis_tvalid && chance_q) begin
      shift_q   <= 1'b0;
      deficit_q <= '0;
    end
    if (rst) begin
      state_q <= GAP;
      ready_q <= 1'b0;
      chance_q <= 1'b0;
      ended_q <= 1'b0;
      next_shift_q <= 1'b0;
      shift_q <= 1'b0;
      deficit_q <= '0;
    end
  end

  // Reports.
  logic started_q;

  always_ff @(posedge clk) begin
    started_q <= take_first;
    tx_first <= started_q;
    tx_first_lane4 <= started_q && shift_q;
    tx_event <= '{
        sent: ended_q && invert_q,
        poisoned: ended_q && !invert_q,
        underflow: cut_q
    };
    if (rst) begin
      started_q <= 1'b0;
      tx_first  <= 1'b0;
      tx_event  <= '0;
    end
  end

endmodule
