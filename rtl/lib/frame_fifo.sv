// Frame FIFO: takes a stream that cannot be held back, gives whole frames at the reader's pace.
//
// A frame can be read once it has ended well. One that ends with `tuser` is forgotten; so is one for
// which there is no room, and `overflow` pulses for it at its end. Frames that were taken before are
// not touched, and the next frame is judged anew. A side word per frame (its time stamp) travels along.
//
// Capacity: DEPTH beats and FRAMES frames. Latency: three cycles from the last beat in to the first out.
module frame_fifo #(
    parameter int unsigned DEPTH = 2048,  // a power of two
    parameter int unsigned FRAMES = 32,  // a power of two
    parameter int unsigned SIDE_BITS = 64
) (
    input logic clk,
    input logic rst,

    input logic [         63:0] s_axis_tdata,
    input logic [          7:0] s_axis_tkeep,   // lane 0 is always used
    input logic                 s_axis_tvalid,
    input logic                 s_axis_tlast,
    input logic                 s_axis_tuser,
    input logic [SIDE_BITS-1:0] s_axis_tside,

    output logic [         63:0] m_axis_tdata,
    output logic [          7:0] m_axis_tkeep,
    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic                 m_axis_tlast,
    output logic [SIDE_BITS-1:0] m_axis_tside,

    output logic                   overflow,
    // Beats of whole frames waiting.
    output logic [$clog2(DEPTH):0] level
);

  localparam int unsigned ADDRESS_BITS = $clog2(DEPTH);
  localparam int unsigned FRAME_BITS = $clog2(FRAMES);

  if (DEPTH < 4 || DEPTH != 1 << ADDRESS_BITS) begin : gen_bad_depth
    $fatal(1, "%m: DEPTH %0d is not a power of two from 4 on", DEPTH);
  end
  if (FRAMES < 2 || FRAMES != 1 << FRAME_BITS) begin : gen_bad_frames
    $fatal(1, "%m: FRAMES %0d is not a power of two from 2 on", FRAMES);
  end

  typedef logic [ADDRESS_BITS:0] pointer_t;
  typedef logic [FRAME_BITS:0] side_pointer_t;

  // A full FIFO's pointers differ in the wrap bit alone.
  localparam pointer_t WRAP = pointer_t'(DEPTH);
  localparam side_pointer_t SIDE_WRAP = side_pointer_t'(FRAMES);

  // A beat: whether it is the frame's last, the lanes used above lane 0, the data. Nothing is to be
  // decoded behind the memory, whose own delay fills most of a cycle.
  logic [71:0] beats[DEPTH];
  logic [SIDE_BITS-1:0] sides[FRAMES];

  // Write side. `head_q` is where the next beat goes, `commit_q` where whole frames end. Whether there
  // is room is found a cycle ahead, so a beat that leaves in that cycle is not yet seen to make some.
  pointer_t head_q, commit_q, tail_q;
  side_pointer_t side_head_q, side_tail_q;
  logic lost_q;  // the present frame had no room
  logic room_q, side_room_q;
  logic lost, advance, commit, rollback;
  pointer_t head_next, full_at;
  side_pointer_t side_head_next, side_full_at;
  logic unused_keep;

  assign unused_keep = s_axis_tkeep[0];

  always_comb begin
    lost = lost_q || !room_q || !side_room_q;
    advance = s_axis_tvalid && !lost && !(s_axis_tlast && s_axis_tuser);
    commit = s_axis_tvalid && s_axis_tlast && !lost && !s_axis_tuser;
    rollback = s_axis_tvalid && s_axis_tlast && (lost || s_axis_tuser);
    head_next = head_q + pointer_t'(1);
    full_at = tail_q ^ WRAP;
    side_head_next = side_head_q + side_pointer_t'(1);
    side_full_at = side_tail_q ^ SIDE_WRAP;
  end

  always_ff @(posedge clk) begin
    if (s_axis_tvalid && room_q) begin
      beats[head_q[ADDRESS_BITS-1:0]] <= {s_axis_tlast, s_axis_tkeep[7:1], s_axis_tdata};
    end
    if (s_axis_tvalid && side_room_q) sides[side_head_q[FRAME_BITS-1:0]] <= s_axis_tside;
  end

  always_ff @(posedge clk) begin
    if (s_axis_tvalid) lost_q <= lost && !s_axis_tlast;
    overflow <= s_axis_tvalid && s_axis_tlast && lost && !s_axis_tuser;
    if (rollback) begin
      head_q <= commit_q;
      room_q <= commit_q != full_at;
    end else if (advance) begin
      head_q <= head_next;
      room_q <= head_next != full_at;
    end else begin
      room_q <= head_q != full_at;
    end
    if (commit) begin
      commit_q <= head_next;
      side_head_q <= side_head_next;
      side_room_q <= side_head_next != side_full_at;
    end else begin
      side_room_q <= side_head_q != side_full_at;
    end
    if (rst) begin
      head_q <= '0;
      commit_q <= '0;
      side_head_q <= '0;
      lost_q <= 1'b0;
      room_q <= 1'b1;
      side_room_q <= 1'b1;
      overflow <= 1'b0;
    end
  end

  // Read side: memory, its output register, the stream.
  logic read_valid_q;
  logic [71:0] read_q;
  logic first_q;  // the beat in `read_q` begins a frame
  logic read, move;

  assign move  = !m_axis_tvalid || m_axis_tready;
  assign read  = tail_q != commit_q && (!read_valid_q || move);
  assign level = commit_q - tail_q;

  always_ff @(posedge clk) if (read) read_q <= beats[tail_q[ADDRESS_BITS-1:0]];

  always_ff @(posedge clk) begin
    if (read) tail_q <= tail_q + pointer_t'(1);
    if (read) read_valid_q <= 1'b1;
    else if (move) read_valid_q <= 1'b0;

    if (move) begin
      m_axis_tvalid <= read_valid_q;
      m_axis_tlast  <= read_q[71];
      m_axis_tdata  <= read_q[63:0];
      m_axis_tkeep  <= {read_q[70:64], 1'b1};
      if (read_valid_q) begin
        first_q <= read_q[71];
        if (first_q) begin
          m_axis_tside <= sides[side_tail_q[FRAME_BITS-1:0]];
          side_tail_q  <= side_tail_q + side_pointer_t'(1);
        end
      end
    end
    if (rst) begin
      tail_q <= '0;
      side_tail_q <= '0;
      read_valid_q <= 1'b0;
      m_axis_tvalid <= 1'b0;
      first_q <= 1'b1;
    end
  end

endmodule
