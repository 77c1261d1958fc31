// Packet FIFO: between a stream that cannot be held back and a reader that may hold.
//
// Cut-through: no latency while nothing waits, through one multiplexer that a register steers. A reader
// that stops for a cycle costs no more than that cycle; words that had to go through the memory may
// leave up to three cycles after they could.
//
// A packet that begins when there is no room is dropped whole (`dropped` pulses at its end). One that
// is under way when room runs out is ended with abort, in a last beat without bytes, and the rest of it
// is dropped (`cut` pulses at its end). Packets taken before are not touched; the next is judged anew.
//
// Holds at least DEPTH - 2 beats and one more at the output. `tside` travels with every beat.
module packet_fifo #(
    parameter int unsigned DEPTH = 1024,  // a power of two
    parameter int unsigned SIDE_BITS = 64
) (
    input logic clk,
    input logic rst,

    input logic [         63:0] s_axis_tdata,
    input logic [          7:0] s_axis_tkeep,
    input logic                 s_axis_tvalid,
    input logic                 s_axis_tlast,
    input logic                 s_axis_tuser,
    input logic [SIDE_BITS-1:0] s_axis_tside,

    output logic [         63:0] m_axis_tdata,
    output logic [          7:0] m_axis_tkeep,
    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic                 m_axis_tlast,
    output logic                 m_axis_tuser,
    output logic [SIDE_BITS-1:0] m_axis_tside,

    output logic                   dropped,
    output logic                   cut,
    // Beats in the memory.
    output logic [$clog2(DEPTH):0] level
);

  localparam int unsigned ADDRESS_BITS = $clog2(DEPTH);

  if (DEPTH < 8 || DEPTH != 1 << ADDRESS_BITS) begin : gen_bad_depth
    $fatal(1, "%m: DEPTH %0d is not a power of two from 8 on", DEPTH);
  end
  if (SIDE_BITS == 0) begin : gen_bad_side
    $fatal(1, "%m: SIDE_BITS is zero");
  end

  typedef logic [ADDRESS_BITS:0] pointer_t;
  typedef struct packed {
    logic                 last;
    logic                 user;
    logic [7:0]           keep;
    logic [SIDE_BITS-1:0] side;
    logic [63:0]          data;
  } beat_t;

  // Admission. `tight_q`: this word may be the last there is room for, so that a packet's end always
  // finds a place. It is found a cycle ahead, on the assumption that a word is taken meanwhile.
  typedef enum logic [1:0] {
    BETWEEN,
    INSIDE,
    CUT,     // the packet under way was ended here
    DROP     // the packet under way never began here
  } state_t;

  state_t state_q;
  logic   tight_q;
  logic   take;
  beat_t beat, admitted;

  always_comb begin
    take = s_axis_tvalid && (state_q == INSIDE || (state_q == BETWEEN && !tight_q));
    beat = '{
        last: s_axis_tlast,
        user: s_axis_tuser,
        keep: s_axis_tkeep,
        side: s_axis_tside,
        data: s_axis_tdata
    };
    admitted = beat;
    if (tight_q && !s_axis_tlast) begin
      admitted.last = 1'b1;
      admitted.user = 1'b1;
      admitted.keep = '0;
    end
  end

  always_ff @(posedge clk) begin
    dropped <= 1'b0;
    cut <= 1'b0;
    if (s_axis_tvalid) begin
      if (s_axis_tlast) begin
        state_q <= BETWEEN;
        dropped <= state_q == DROP || (state_q == BETWEEN && tight_q);
        cut <= state_q == CUT;
      end else begin
        if (state_q == BETWEEN) state_q <= tight_q ? DROP : INSIDE;
        if (state_q == INSIDE && tight_q) state_q <= CUT;
      end
    end
    if (rst) begin
      state_q <= BETWEEN;
      dropped <= 1'b0;
      cut <= 1'b0;
    end
  end

  // Words wait, oldest first: at the output, in `skid_q`, in `fetched_q`, in `read_q`, in the memory. What
  // comes goes to the first of output and skid that is free and has nothing waiting behind it, else to the
  // memory. `read_q` is the memory's own register, from which there is time for no more than a wire.
  beat_t words[DEPTH];
  beat_t read_q, fetched_q, skid_q, out_q;
  logic read_valid_q, fetched_valid_q, skid_valid_q, out_valid_q;
  pointer_t head_q, tail_q, used_q;
  logic empty_q;  // nothing is in the memory or on its way through it
  logic waiting;  // something is in the memory
  logic through;  // what comes has nothing in front of it but output and skid
  logic move, move_fetched, move_read, read, write;

  // While the memory is empty there is room: what passes it does not wait for whether there is.
  assign through = s_axis_tvalid && (state_q == INSIDE || state_q == BETWEEN) && empty_q;
  assign move = !out_valid_q || m_axis_tready;
  assign move_fetched = !fetched_valid_q || (move && !skid_valid_q);
  assign move_read = !read_valid_q || move_fetched;
  assign waiting = head_q != tail_q;
  assign write = take && !(empty_q && (move || !skid_valid_q));
  assign read = waiting && move_read;
  assign level = used_q;

  always_ff @(posedge clk) if (write) words[head_q[ADDRESS_BITS-1:0]] <= admitted;
  always_ff @(posedge clk) if (read) read_q <= words[tail_q[ADDRESS_BITS-1:0]];

  always_ff @(posedge clk) begin
    if (write) head_q <= head_q + pointer_t'(1);
    if (read) tail_q <= tail_q + pointer_t'(1);
    used_q  <= head_q - tail_q;
    // Room for what is written meanwhile, for the word then judged, and for an end.
    tight_q <= head_q - tail_q >= pointer_t'(DEPTH - 2);

    if (move_read) read_valid_q <= waiting;
    if (move_fetched) begin
      fetched_valid_q <= read_valid_q;
      fetched_q <= read_q;
    end

    if (move) begin
      out_q <= skid_valid_q ? skid_q : fetched_valid_q ? fetched_q : beat;
      out_valid_q <= skid_valid_q || fetched_valid_q
          || (through && !(m_axis_tready && !out_valid_q));
    end
    if (empty_q && (move || !skid_valid_q)) skid_q <= beat;
    if (move) skid_valid_q <= skid_valid_q && through;
    else if (through) skid_valid_q <= 1'b1;

    empty_q <= !write && (empty_q || (!waiting && !read_valid_q && move_fetched));

    if (rst) begin
      head_q <= '0;
      tail_q <= '0;
      used_q <= '0;
      tight_q <= 1'b0;
      read_valid_q <= 1'b0;
      fetched_valid_q <= 1'b0;
      skid_valid_q <= 1'b0;
      out_valid_q <= 1'b0;
      empty_q <= 1'b1;
    end
  end

  beat_t shown;
  assign shown = out_valid_q ? out_q : beat;
  assign m_axis_tdata = shown.data;
  assign m_axis_tkeep = shown.keep;
  assign m_axis_tvalid = out_valid_q || through;
  assign m_axis_tlast = shown.last;
  assign m_axis_tuser = shown.user;
  assign m_axis_tside = shown.side;

endmodule
