// proof: depth 3
// cover: depth 8
// The queue loses, doubles and reorders no element, and its window shows those of the packet in hand,
// no others.
//
// Elements are numbered as they are pushed, and carry their number as content and in their flags. The
// surroundings push with `room` only, one packet after the other, and take no more than there is.
module fast_queue_properties (
    input logic       clk,
    input logic       push,
    input logic [3:0] push_count,
    input logic [1:0] push_skip,
    input logic       push_end,
    input logic [3:0] pop,
    input logic       drop,
    input logic       next
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

  number_t [7:0] shown;
  always_comb for (int i = 0; i < 8; i++) shown[i] = taken + 6'(i);

  always_ff @(posedge clk) begin
    if (started) begin
      assert (held <= 6'd32);
      assert (dut.tail_q == pushed && dut.head_q == taken);
      assert (dut.head_null_q == dut.head_q[4:0] && dut.head_valid_q == dut.head_q[4:0]);
      assert (dut.head_rest_q == dut.head_q[4:0]);
      assert (room == (held <= 6'd24));
      if (ended && !dropped) assert (dut.end_q[packet] == boundary && boundary - taken <= held);
      if (dropped || !ended) assert (!other_ended || dropped);
      if (other_ended) assert (dut.end_q[!packet] == pushed);
      for (int i = 0; i < 8; i++) begin
        assert (window[i].valid == (6'(i) < mine));
        if (window[i].valid) begin
          assert (banks[base+3'(i)].bytes == 128'(shown[i]));
          assert ({window[i].is_null, window[i].is_one, window[i].is_wide} == shown[i][2:0]);
          assert ({window[i].more, window[i].bit6} == shown[i][4:3]);
        end
      end
      cover (held == 6'd32);
      cover (pop == 4'd8 && push && push_count == 4'd8);
      cover (next && other_ended && mine == 6'd0 && held > 6'd8);
      cover (drop && ended && held > mine && mine > 6'd8);
    end
  end

  for (genvar s = 0; s < 32; s++) begin : gen_place
    number_t at;  // the number of the element that is in the place, if there is one
    assign at = taken + {1'b0, 5'(s) - taken[4:0]};
    always_ff @(posedge clk) begin
      if (started) begin
        if (number_t'(at - taken) < held) begin
          assert (dut.lap_q[s] == at[5]);
          assert (dut.of_packet_q[s] == (packet ^ (dropped || (ended && at - taken >= mine))));
          assert ({dut.flags_q[s].is_null, dut.flags_q[s].is_one, dut.flags_q[s].is_wide} == at[2:0]);
          assert ({dut.flags_q[s].more, dut.flags_q[s].bit6} == at[4:3]);
          assert (dut.gen_bank[s%8].places[s/8].bytes == 128'(at));
        end else begin
          assert (dut.lap_q[s] != at[5]);
        end
      end
    end
  end

endmodule
