// Packet intake: packets from arbitration wait here for a reader that may hold them back, and get numbers.
//
// Cut-through, no latency while nothing waits (packet_fifo). What has no room is lost whole or cut, and
// counted. The reader's `ready` goes no further than a register (ready_buffer).
//
// `tid` numbers packets. That one begins and how each ended is told once (packet_tagger), a cycle behind the
// beat on offer: by registers, since much hangs on it, and the first that is derived from it comes later.
//
// A packet that came behind missing ones says so as it begins (`begin_behind_gap`). Packets go missing on the
// line (`s_axis_gap`, with the first beat of the next) or in the FIFO.
//
// While `enable` is low, packets get numbers and verdicts and go no further (`swallowed` pulses for each). A
// packet goes on whole or not at all: `enable` is looked at in its first beat.
//
// A packet's number comes again behind 2 ** TID_BITS - 2 others, and what is known of the one before is then
// forgotten. So the next packet waits while something of the packet half as many numbers before it does
// (`pending_*`, each the oldest number of a place where such things wait): it may find a few more packets
// under way in the reader. What no packet caused has the highest number, and nothing waits for it.
module packet_intake #(
    parameter int unsigned DEPTH = 1024,  // a power of two
    parameter int unsigned TID_BITS = 4,
    parameter int unsigned PLACES = 3  // where something of a packet may wait
) (
    input logic clk,
    input logic rst,

    input logic enable,

    input logic [63:0] s_axis_tdata,
    input logic [ 7:0] s_axis_tkeep,
    input logic        s_axis_tvalid,
    input logic        s_axis_tlast,
    input logic        s_axis_tuser,
    input logic [63:0] s_axis_tstamp,
    input logic        s_axis_gap,

    output logic [        63:0] m_axis_tdata,
    output logic [         7:0] m_axis_tkeep,
    output logic                m_axis_tvalid,
    input  logic                m_axis_tready,
    output logic                m_axis_tlast,
    output logic                m_axis_tuser,
    output logic [TID_BITS-1:0] m_axis_tid,
    output logic [        63:0] m_axis_tstamp,

    input logic [PLACES-1:0]               pending_valid,
    input logic [PLACES-1:0][TID_BITS-1:0] pending_tid,

    // Of every packet, whether it goes on or is swallowed.
    output logic                begin_valid,
    output logic [TID_BITS-1:0] begin_tid,
    output logic [        63:0] begin_tstamp,
    output logic                begin_behind_gap,
    output logic                ended_good,
    output logic                ended_bad,

    output logic                verdict_valid,
    output logic                verdict_good,
    output logic [TID_BITS-1:0] verdict_tid,

    output logic                   dropped,
    output logic                   cut,
    output logic                   swallowed,
    // Beats that wait.
    output logic [$clog2(DEPTH):0] level
);

  if (PLACES == 0) begin : gen_bad_places
    $fatal(1, "%m: PLACES is zero");
  end

  // ---------------------------------------------------------------- what is missing before a packet

  // The first beat's counts: with it a packet's beginning is told.
  logic missing_q, behind_gap;
  assign behind_gap = s_axis_gap || missing_q;

  always_ff @(posedge clk) begin
    if (s_axis_tvalid) missing_q <= 1'b0;
    if (dropped || cut) missing_q <= 1'b1;
    if (rst) missing_q <= 1'b0;
  end

  // ---------------------------------------------------------------- waiting

  typedef struct packed {
    logic [63:0]         tdata;
    logic [7:0]          tkeep;
    logic                tlast;
    logic                tuser;
    logic [TID_BITS-1:0] tid;
    logic [63:0]         tstamp;
  } beat_t;

  beat_t beat;  // the next
  logic beat_behind_gap, waiting, hold, tvalid, tready;
  assign tvalid = waiting && !hold;

  packet_fifo #(
      .DEPTH(DEPTH),
      .SIDE_BITS(65)
  ) packets (
      .clk,
      .rst,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tlast,
      .s_axis_tuser,
      .s_axis_tside ({behind_gap, s_axis_tstamp}),
      .m_axis_tdata (beat.tdata),
      .m_axis_tkeep (beat.tkeep),
      .m_axis_tvalid(waiting),
      .m_axis_tready(tready && !hold),
      .m_axis_tlast (beat.tlast),
      .m_axis_tuser (beat.tuser),
      .m_axis_tside ({beat_behind_gap, beat.tstamp}),
      .dropped,
      .cut,
      .level
  );

  // ---------------------------------------------------------------- numbers

  logic begins, ends_good, ends_bad, judged, judged_good;
  logic [TID_BITS-1:0] judged_tid;

  packet_tagger #(
      .TID_BITS(TID_BITS)
  ) tagger (
      .clk,
      .rst,
      .tvalid,
      .tready,
      .tlast        (beat.tlast),
      .tuser        (beat.tuser),
      .tid          (beat.tid),
      .begin_valid  (begins),
      .ended_good   (ends_good),
      .ended_bad    (ends_bad),
      .verdict_valid(judged),
      .verdict_good (judged_good),
      .verdict_tid  (judged_tid)
  );

  always_ff @(posedge clk) begin
    begin_valid <= begins && !rst;
    begin_tid <= beat.tid;
    begin_tstamp <= beat.tstamp;
    begin_behind_gap <= begins && beat_behind_gap && !rst;
    ended_good <= ends_good && !rst;
    ended_bad <= ends_bad && !rst;
    verdict_valid <= judged && !rst;
    verdict_good <= judged_good;
    verdict_tid <= judged_tid;
  end

  // ---------------------------------------------------------------- on, or swallowed

  logic goes_on, goes_on_q, within_q, ready;
  assign goes_on = within_q ? goes_on_q : enable;
  assign tready = ready || !goes_on;
  assign swallowed = tvalid && beat.tlast && !goes_on;

  always_ff @(posedge clk) begin
    if (tvalid) begin
      goes_on_q <= goes_on;
      within_q  <= !(tready && beat.tlast);
    end
    if (rst) within_q <= 1'b0;
  end

  beat_t out;
  ready_buffer #(
      .WIDTH($bits(beat_t))
  ) to_reader (
      .clk,
      .rst,
      .s_data (beat),
      .s_valid(tvalid && goes_on),
      .s_ready(ready),
      .m_data (out),
      .m_valid(m_axis_tvalid),
      .m_ready(m_axis_tready)
  );
  assign m_axis_tdata = out.tdata;
  assign m_axis_tkeep = out.tkeep;
  assign m_axis_tlast = out.tlast;
  assign m_axis_tuser = out.tuser;
  assign m_axis_tid = out.tid;
  assign m_axis_tstamp = out.tstamp;

  // ---------------------------------------------------------------- not too far ahead

  localparam logic [TID_BITS-1:0] NO_PACKET = '1;
  localparam logic [TID_BITS-1:0] AHEAD = TID_BITS'(1) << (TID_BITS - 1);
  typedef logic [TID_BITS-1:0] tid_t;

  function automatic logic far(input tid_t newest, input tid_t oldest);
    // One number of the circle is given to no packet.
    far = oldest != NO_PACKET && newest - oldest - TID_BITS'(newest < oldest) >= AHEAD;
  endfunction

  logic far_q;
  logic any_far;
  always_comb begin
    any_far = 1'b0;
    for (int p = 0; p < PLACES; p++) begin
      if (pending_valid[p] && far(beat.tid, pending_tid[p])) any_far = 1'b1;
    end
  end

  always_ff @(posedge clk) far_q <= any_far && !rst;
  assign hold = far_q && !within_q;

endmodule
