// proof: depth 3
// cover: depth 8
// The queue loses, doubles and reorders no element, and its window shows those of the packet in hand,
// no others.
//
// Elements are numbered as they are pushed, and carry their number as content and in their flags. What
// is shown is shown of the marked place, which may be any. The surroundings push with `room` only, one
// packet after the other, and take no more than there is.
module fast_queue_properties (
    input logic       clk,
    input logic       push,
    input logic [3:0] push_count,
    input logic [1:0] push_skip,
    input logic       push_end,
    input logic [3:0] pop,
    input logic       drop,
    input logic       next,
    input logic [4:0] mark
);
  import fast_pkg::*;

  logic started = 1'b0;
  logic rst;
  assign rst = !started;

  typedef logic [5:0] number_t;

  number_t pushed = '0;  // elements ever pushed, and ever taken or dropped
  number_t taken = '0;
  number_t mine;  // elements of the packet in hand
  number_t boundary = '0;  // number of the first element of the other packet, if it has begun
  logic packet = 1'b0;
  logic ended = 1'b0;  // the packet in hand
  logic dropped = 1'b0;
  logic other_ended = 1'b0;

  logic other;  // words are the other packet's
  assign other = ended || dropped;
  assign mine = dropped ? 6'd0 : (ended ? boundary : pushed) - taken;

  flags_t [7:0] push_flags, window;
  element_t [7:0] push_elements, banks;
  logic [7:0][15:0] push_offsets;
  logic room;
  logic [2:0] base;
  logic [15:0] popped_offset;

  number_t [7:0] numbers;
  logic [7:0] push_given;
  always_comb begin
    push_flags = '0;
    push_elements = '0;
    push_offsets = '0;
    for (int k = 0; k < 8; k++) begin
      numbers[k] = pushed + 6'(k) - 6'(push_skip);
      push_given[k] = 4'(k) < push_count && 4'(k) >= 4'(push_skip);
      push_elements[k].bytes = 128'(numbers[k]);
      push_offsets[k] = 16'(numbers[k]);
      {push_flags[k].is_null, push_flags[k].is_one, push_flags[k].is_wide} = numbers[k][2:0];
      {push_flags[k].more, push_flags[k].bit6} = numbers[k][4:3];
    end
  end

  fast_queue dut (
      .push_packet(packet ^ other),
      .*
  );

  always_comb begin
    if (started) begin
      assume (push_count <= 4'd8 && push_skip <= 2'd2 && 4'(push_skip) <= push_count);
      assume (!push || room);
      // Nothing comes behind the other packet's end.
      assume (!(other && other_ended) || (!push && !push_end));
      assume (pop <= 4'd8 && 6'(pop) <= mine);
      assume (!drop || (!dropped && pop == 4'd0));
      assume (!drop || other || (!push && !push_end));
      assume (!next || ((dropped || drop || (ended && mine == 6'(pop)))));
      assume (!next || !push_end || other);
    end
  end

  number_t count;
  assign count = push ? 6'(push_count) - 6'(push_skip) : 6'd0;

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (started) begin
      pushed <= pushed + count;
      if (drop) taken <= ended ? boundary : pushed + count;
      else taken <= taken + 6'(pop);
      if (push_end && !other) begin
        ended <= 1'b1;
        boundary <= pushed + count;
      end
      if (drop) dropped <= 1'b1;
      if (push_end && other) other_ended <= 1'b1;
      if (next) begin
        packet <= !packet;
        ended <= other_ended || (push_end && other);
        boundary <= pushed + count;
        dropped <= 1'b0;
        other_ended <= 1'b0;
      end
    end
  end

  // Where the queue keeps them (for the induction).
  number_t held;
  assign held = pushed - taken;

  // The marked place: the number of the element that is in it, if there is one.
  logic [4:0] mark_q;
  logic [4:0] ahead;  // how far from the head it is
  number_t at;
  logic [7:0][5:0] row_content;  // of all banks, in the marked row
  flags_t flags, shown;
  assign ahead = mark - taken[4:0];
  assign at = taken + 6'(ahead);
  assign flags = dut.flags_q[mark];
  assign shown = window[ahead[2:0]];
  for (genvar j = 0; j < 8; j++) begin : gen_row
    assign row_content[j] = dut.gen_bank[j].places[mark[4:3]].bytes[5:0];
  end
  // What the banks have beside them of the registers that all share.
  logic [7:0][35:0] beside;
  for (genvar j = 0; j < 8; j++) begin : gen_beside
    assign beside[j] = {
      dut.gen_bank[j].at_q, dut.gen_bank[j].short_beside_q, dut.gen_bank[j].head_beside_q
    };
  end
  always_ff @(posedge clk) mark_q <= mark;
  always_comb if (started) assume (mark == mark_q);

  always_ff @(posedge clk) begin
    if (started) begin
      assert (held <= 6'd32);
      assert (dut.tail_q == pushed && dut.head_q == taken);
      assert (dut.short_q == dut.tail_q - 6'd25);
      assert (dut.head_at_q == 32'd1 << dut.head_q[4:0]);
      assert (dut.tail_at_q == 8'd1 << dut.tail_q[2:0]);
      assert (beside == {8{dut.tail_at_q, dut.tail_at_q, dut.tail_at_q, dut.short_q, dut.head_q}});
      assert (room == (held <= 6'd24));
      if (ended && !dropped) assert (dut.end_q[packet] == boundary && boundary - taken <= held);
      if (dropped || !ended) assert (!other_ended || dropped);
      if (other_ended) assert (dut.end_q[!packet] == pushed);

      if (6'(ahead) < held) begin
        assert (dut.lap_q[mark] == at[5]);
        assert (dut.of_packet_q[mark] == (packet ^ (dropped || (ended && 6'(ahead) >= mine))));
        assert ({flags.more, flags.bit6, flags.is_null, flags.is_one, flags.is_wide} == at[4:0]);
        assert (row_content[mark[2:0]] == at);
      end else begin
        assert (dut.lap_q[mark] != at[5]);
      end
      if (ahead < 5'd8) begin
        assert (shown.valid == (6'(ahead) < mine));
        if (shown.valid) begin
          assert ({shown.more, shown.bit6, shown.is_null, shown.is_one, shown.is_wide} == at[4:0]);
          assert (banks[base+ahead[2:0]].bytes[5:0] == at);
        end
      end

      cover (held == 6'd32);
      cover (pop == 4'd8 && push && push_count == 4'd8);
      cover (next && other_ended && mine == 6'd0 && held > 6'd8);
      cover (drop && ended && held > mine && mine > 6'd8);
    end
  end

endmodule
