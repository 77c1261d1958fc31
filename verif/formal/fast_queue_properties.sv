// bounded: depth 5
// cover: depth 8
// The queue loses, doubles and reorders no element, and its window shows those of the packet in hand,
// no others.
//
// Elements are numbered as they are pushed, and carry their number as content and in their flags. What
// is shown is shown of the marked place, which may be any. The surroundings push with `room` only, one
// packet after the other, take no more than there is, and not in two cycles behind one another.
//
// The assertions are meant to be inductive in one step (`proof: depth 1`): no counterexample is found, but
// the solver had not ended after half an hour. What is checked are all behaviours of five cycles from reset.
module fast_queue_properties (
    input logic            clk,
    input logic            push,
    input logic [7:0]      push_stops,  // lanes in which an element ends
    input logic [1:0]      push_skip,
    input logic            push_single,
    input logic            push_end,
    input logic [3:0]      taken,
    input logic            pops,
    input logic            blank,
    input logic            drop,
    input logic            next,
    input logic [4:0]      mark
);
  import fast_pkg::*;

  logic started = 1'b0;
  logic rst;
  assign rst = !started;

  typedef logic [5:0] number_t;

  number_t pushed = '0;  // elements ever pushed, and ever popped or dropped
  number_t gone = '0;
  number_t mine;  // elements of the packet in hand
  number_t boundary = '0;  // number of the first element of the other packet, if it has begun
  logic packet = 1'b0;
  logic ended = 1'b0;  // the packet in hand
  logic dropped = 1'b0;
  logic other_ended = 1'b0;

  logic other;  // words are the other packet's
  assign other = ended || dropped;
  assign mine = dropped ? 6'd0 : (ended ? boundary : pushed) - gone;
  logic [3:0] pop;
  assign pop = pops ? taken : 4'd0;
  logic [7:0] last;
  assign last = 8'((9'd1 << taken) >> 1);
  logic blanked = 1'b0;
  logic popped = 1'b0;  // a cycle ago; the packet in hand is the same as then
  logic same = 1'b0;
  logic may = 1'b0;  // there was room a cycle ago

  flags_t [7:0] push_flags, window;
  queued_t push_first;
  queued_t [7:0] banks;
  lane_element_t [7:0] push_lanes;
  logic [12:0] push_word;
  logic [fast_scan_pkg::ROOMS-1:0] room;
  logic [2:0] base;
  logic [15:0] popped_offset;

  logic [3:0] push_count;
  logic [7:0][7:0] push_ends;
  always_comb begin
    push_count = '0;
    push_ends  = '0;
    for (int b = 0; b < 8; b++) begin
      for (int k = 0; k <= b; k++) push_ends[k][b] = push_stops[b] && push_count == 4'(k);
      push_count = push_count + 4'(push_stops[b]);
    end
  end

  number_t [7:0] numbers;
  number_t count;
  logic [fast_scan_pkg::SKIPS-1:0] skip_first, skip_second;
  assign skip_first  = {fast_scan_pkg::SKIPS{push_skip != 2'd0}};
  assign skip_second = {fast_scan_pkg::SKIPS{push_skip == 2'd2}};
  always_comb begin
    push_flags = '0;
    push_first = '0;
    push_lanes = '0;
    push_word  = '0;
    for (int k = 0; k < 8; k++) begin
      numbers[k] = pushed + 6'(k) - 6'(push_skip);
      if (k == 0) push_first.element.bytes = 128'(numbers[0]);
      for (int b = 0; b < 8; b++) if (push_ends[k][b]) push_lanes[b].bytes = 64'(numbers[k]);
      {push_flags[k].is_null, push_flags[k].is_one, push_flags[k].is_wide} = numbers[k][2:0];
      {push_flags[k].more, push_flags[k].bit6} = numbers[k][4:3];
    end
  end

  fast_queue dut (
      .push       (push || push_single),
      .push_count (count[3:0]),
      .push_hand_count (count[3:0] & {4{!other}}),
      .push_other_count(count[3:0] & {4{other}}),
      .push_packet(packet ^ other),
      .packet_next(packet ^ next),
      .drop_packet(packet),
      .*
  );

  always_comb begin
    if (started) begin
      assume (push_skip <= 2'd2);
      assume (!push_single || (push_skip == 2'd0 && !push));
      assume (!(push || push_single) || may);
      // Nothing comes behind the other packet's end.
      assume (!(other && other_ended) || (!push && !push_single && !push_end));
      assume (taken <= 4'd8 && 6'(pop) <= mine);
      assume (!pops || (!popped && !blank && !blanked));
      // What is dropped was in hand in the cycle before.
      assume (!drop || (same && !dropped && !pops));
      assume (!drop || other || (!push && !push_single && !push_end));
      assume (!next || (!pops && (dropped || drop || (ended && mine == 6'd0))));
      assume (!next || !push_end || other);
    end
  end

  assign count = !push ? 6'(push_single)
      : push_count < 4'(push_skip) ? 6'd0 : 6'(push_count) - 6'(push_skip);
  // How many the queue keeps (for the induction).
  number_t held;
  assign held = pushed - gone;
  number_t room_held = '0;  // held in the cycle before, and pushed in it

  always_ff @(posedge clk) begin
    started <= 1'b1;
    if (started) begin
      pushed <= pushed + count;
      room_held <= held + count;
      blanked <= blank;
      popped <= pops;
      same <= !next;
      may <= room[0];
      if (drop) gone <= ended ? boundary : pushed + count;
      else gone <= gone + 6'(pop);
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

  // The marked place: the number of the element that is in it, if there is one.
  logic [4:0] mark_q;
  logic [4:0] ahead;  // how far from the head it is
  number_t at;
  logic [7:0][5:0] row_content;  // of all banks, in the marked row, with what is written there now
  flags_t flags, shown;
  assign ahead = mark - gone[4:0];
  assign at = gone + 6'(ahead);
  assign flags = dut.flags_q[mark];
  assign shown = window[ahead[2:0]];
  logic [7:0][1:0] read_row;
  for (genvar j = 0; j < 8; j++) begin : gen_row
    assign read_row[j] = dut.read_row_q[j];
    assign row_content[j] = dut.gen_bank[j].write_q && dut.gen_bank[j].row_q == mark[4:3]
        ? dut.gen_bank[j].content.element.bytes[5:0] : dut.gen_bank[j].places[mark[4:3]].element.bytes[5:0];
  end
  always_ff @(posedge clk) mark_q <= mark;
  always_comb if (started) assume (mark == mark_q);

  // Of a state itself, not a cycle later: so that one step of induction is enough.
  always_comb begin
    if (!started) begin
      assert ({pushed, gone, room_held, packet, ended, dropped, other_ended, blanked} == '0);
    end
    if (started) begin
      assert (held <= 6'd32);
      assert (dut.tail_q == pushed && dut.head_q == gone);
      assert (dut.head_at_q == 32'd1 << dut.head_q[4:0]);
      assert (dut.tail_at_q == 8'd1 << dut.tail_q[2:0]);
      for (int j = 0; j < 8; j++) begin
        assert (read_row[j] == dut.head_q[4:3] + 2'(3'(j) < dut.head_q[2:0]));
      end
      assert (dut.at_q == {(fast_scan_pkg::SKIPS - 1) {dut.tail_at_q}});
      assert (room == {fast_scan_pkg::ROOMS{room_held <= 6'd16}});
      assert (held <= room_held && room_held <= 6'd32);
      if (ended && !dropped) assert (dut.end_q[packet] == boundary && boundary - gone <= held);
      if (dropped || !ended) assert (!other_ended || dropped);
      if (other_ended) assert (dut.end_q[!packet] == pushed);

      if (6'(ahead) < held) begin
        assert ({flags.more, flags.bit6, flags.is_null, flags.is_one, flags.is_wide} == at[4:0]);
        assert (row_content[mark[2:0]] == at);
      end
      assert (dut.hand_q == mine && dut.other_q == held - mine);
      assert (dut.held_q == held);
      for (int i = 0; i < 8; i++) assert (window[i].valid == (!blanked && 6'(i) < mine));
      if (ahead < 5'd8) begin
        if (shown.valid) begin
          assert ({shown.more, shown.bit6, shown.is_null, shown.is_one, shown.is_wide} == at[4:0]);
          assert (banks[base+ahead[2:0]].element.bytes[5:0] == at);
        end
      end
    end
  end

  always_ff @(posedge clk) begin
    if (started) begin
      cover (held == 6'd32);
      cover (pop == 4'd8 && push && push_count == 4'd8);
      cover (next && other_ended && mine == 6'd0 && held > 6'd8);
      cover (drop && ended && held > mine && mine > 6'd8);
    end
  end

endmodule
