// The front of the FAST engine: scanner, queue, header registers, raw bytes (MICROCODE.md §1, §6.2,
// §6.6). README.md says how it meets the core.
//
// A word that is taken at the port in cycle a - 1 is scanned in a, if nothing holds it up; its
// elements are in `window`, or in `header`, in a + 1.
//
// What the core says of packets (`packet_done`, `drop`) it says to the window and `header` at once, to
// the scanner, the header registers and the queue's head by way of a register. How a packet ends is told to it a
// cycle behind its last elements.
module fast_front (
    input logic clk,
    input logic rst,

    input logic       enable,   // low: nothing is decoded, packets are swallowed, all is reset
    input logic       vectors,  // the program has vectors: one packet at a time
    input logic [7:0] preamble,

    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,
    input  logic [ 3:0] s_axis_tid,
    input  logic [63:0] s_axis_tstamp,

    output fast_pkg::flags_t  [7:0] window,
    output fast_pkg::queued_t [7:0] banks,
    output logic              [2:0] base,
    input  logic              [3:0] taken,
    input  logic              [7:0] last,
    input  logic                    pops,
    input  logic                    pops_two,
    input  logic                    drop,

    output logic              ended,
    output logic              leftover,
    output logic              aborted,
    output fast_pkg::header_t header,
    output fast_pkg::header_t next,
    input  logic              packet_done,

    input  logic        raw_begin,
    input  logic        raw_length_valid,
    input  logic [31:0] raw_length,
    output logic        raw_valid,
    output logic [63:0] raw_bytes,
    output logic [ 3:0] raw_count,
    output logic        raw_more,
    output logic        raw_failed,
    output logic        raw_active,        // from the cycle behind `raw_begin` to the last pass

    output logic event_packet,
    output logic event_aborted,
    output logic event_swallowed
);
  import fast_pkg::*;
  import fast_scan_pkg::*;

  logic reset;
  assign reset = rst || !enable;

  // The packet in hand: for its header, for what is told of it else, for the queue.
  logic [2:0] packet_q;
  logic was_q, drop_q, done_q;  // a cycle ago: it, `drop`, `packet_done`
  logic [1:0] busy_q;  // packets that the core has not left, or that are scanned
  always_ff @(posedge clk) begin
    was_q  <= packet_q[1];
    drop_q <= drop && !reset;
    done_q <= packet_done && !reset;
  end
  for (genvar i = 0; i < 3; i++) begin : gen_packet
    (* keep *)
    always_ff @(posedge clk) packet_q[i] <= (packet_q[i] ^ packet_done) && !reset;
  end

  // ------------------------------------------------------------------------------- raw bytes
  // In the three cycles behind the length's dispatch its value comes.
  logic wait_q, known_q, endless_q, start_raw, stop, reading, resume, resume_q, failed;
  logic failed_q, closed_q;  // a cycle ago, two
  logic [1:0] wait_count_q;
  logic [15:0] start_at_q, length_q, popped_offset, available;
  logic [16:0] raw_end_q;  // the first byte behind the vector, in the cycle of `start_raw` and on
  logic complete, more_valid;
  logic stop_first, forget_q;  // `raw_begin` a cycle ago; that, or `drop`
  logic [ 3:0] more_bytes;
  logic [12:0] resume_word;
  logic [13:0] words_needed;
  logic [ 2:0] resume_lane;
  logic [5:0] raw_index, history_index, replay_index;
  logic history_write, raw_last;
  word_t history_word, replay_data;
  logic [63:0] raw_data;

  assign start_raw = wait_q && wait_count_q == 2'd2 && known_q && !drop_q;
  // The scanner is told a cycle behind the last bytes.
  logic scans, slot;  // the packet `slot` is being scanned
  logic halt_q, halted_q, stop_q, stop_d, hold_d, resumes, drained_q;
  assign stop_d = raw_begin || ((wait_q || reading) && !drop_q);
  assign resumes = resume && !drop_q && !drop && !reset;
  assign hold_d = drop && scans && slot == packet_q[1];
  assign stop = stop_q;
  always_ff @(posedge clk) begin
    drained_q <= {1'b0, available} == raw_end_q;
    stop_q <= stop_d && !reset;
    halt_q <= (stop_d || hold_d) && !reset;
    halted_q <= stop_d && !resumes && !reset;
  end

  assign raw_active = stop;

  always_ff @(posedge clk) begin
    stop_first <= raw_begin && !reset;
    forget_q   <= (raw_begin || drop) && !reset;
    if (wait_q && wait_count_q != 2'd2) wait_count_q <= wait_count_q + 2'd1;
    if (stop_first) start_at_q <= popped_offset + 16'd1;
    if (raw_length_valid) begin
      known_q  <= 1'b1;
      length_q <= |raw_length[31:16] ? 16'hffff : raw_length[15:0];
    end
    // A length beyond all packets only has to end behind them: `endless_q` says so.
    if (!reading) begin
      raw_end_q <= {1'b0, start_at_q} + {1'b0, raw_length_valid ? raw_length[15:0] : length_q};
    end
    if (raw_length_valid) endless_q <= |raw_length[31:16];
    if (start_raw || drop_q) wait_q <= 1'b0;
    if (raw_begin) begin
      wait_q <= 1'b1;
      wait_count_q <= '0;
      known_q <= 1'b0;
    end
    if (reset) wait_q <= 1'b0;
  end

  fast_raw raw (
      .clk        (clk),
      .rst        (reset),
      .cancel     (drop_q),
      .start      (start_raw),
      .start_at   (start_at_q),
      .length     (length_q),
      .behind     (raw_end_q),
      .endless    (endless_q),
      .available  (available),
      .more_valid (more_valid),
      .more_bytes (more_bytes),
      .complete   (complete),
      .active     (reading),
      .resume     (resume),
      .truncated  (failed),
      .resume_word(resume_word),
      .resume_lane(resume_lane),
      .words      (words_needed),
      .read_index (raw_index),
      .read_data  (raw_data),
      .m_valid    (raw_valid),
      .m_data     (raw_bytes),
      .m_count    (raw_count),
      .m_last     (raw_last)
  );
  assign raw_more = !raw_last;

  // The failure comes behind the beats that came before it, and when `aborted` says why.
  always_ff @(posedge clk) begin
    resume_q   <= resumes;
    failed_q   <= failed && !drop_q && !drop && !reset;
    closed_q   <= failed_q && !reset;
    raw_failed <= closed_q && !reset;
  end

  fast_history history (
      .clk        (clk),
      .write      (history_write),
      .write_index(history_index),
      .write_word (history_word),
      .data_index (raw_index),
      .data       (raw_data),
      .word_index (replay_index),
      .word       (replay_data)
  );

  // ------------------------------------------------------------------------------- scanner, queue
  logic [ROOMS-1:0] room;
  logic push, push_end, begins, take_map, take_id_first, take_id_second, id_second;
  logic ends, ends_left, ends_aborted;
  logic [3:0] begins_tid;
  logic [2:0][3:0] push_counts;
  logic push_single;
  logic [SKIPS-1:0] skip_first, skip_second;
  logic [63:0] begins_tstamp;
  flags_t [7:0] push_flags;
  logic [7:0][7:0] push_ends;
  queued_t push_first;
  element_t push_second;
  lane_element_t [7:0] push_lanes;
  logic [12:0] push_word;
  header_t [1:0] headers;
  logic [1:0] taken_slots, slots_ended, slots_leftover, slots_aborted;

  assign taken_slots = busy_q;
  always_ff @(posedge clk) begin
    if (packet_done) busy_q[packet_q[1]] <= 1'b0;
    if (begins) busy_q[slot] <= 1'b1;
    if (reset) busy_q <= '0;
  end

  fast_scan scan (
      .packet       (was_q),
      .drop         (drop_q),
      .halt         (halt_q),
      .drained      (drained_q),
      .fetch        (reading),
      .halted       (halted_q),
      .resume_failed(failed_q),
      .resume       (resume_q),
      .resume_next  (resume),
      .*
  );

  fast_queue queue (
      .clk          (clk),
      .rst          (reset),
      .push         (push),
      .push_counts  (push_counts),
      .push_single  (push_single),
      .skip_first   (skip_first),
      .skip_second  (skip_second),
      .push_packet  (slot),
      .push_flags   (push_flags),
      .push_ends    (push_ends),
      .push_first   (push_first),
      .push_lanes   (push_lanes),
      .push_word    (push_word),
      .push_end     (push_end),
      .room         (room),
      .packet       (packet_q[2]),
      .packet_next  (packet_q[2] ^ packet_done),
      .blank        (drop),
      .window       (window),
      .banks        (banks),
      .base         (base),
      .taken        (taken),
      .last         (last),
      .pops         (pops),
      .pops_two     (pops_two),
      .drop         (forget_q),
      .drop_packet  (was_q),
      .drop_ended   (slots_ended[was_q]),
      .popped_offset(popped_offset)
  );

  fast_header header_registers (
      .clk           (clk),
      .rst           (reset),
      .slot          (slot),
      .begins        (begins),
      .tid           (begins_tid),
      .tstamp        (begins_tstamp),
      .take_map      (take_map),
      .take_id_first (take_id_first),
      .take_id_second(take_id_second),
      .id_second     (id_second),
      .has_id        (push_flags[0].bit6),
      .first         (push_first.element),
      .second        (push_second),
      .ends          (ends),
      .left          (ends_left),
      .aborted       (ends_aborted),
      .reopen        (stop_first),
      .reopen_slot   (was_q),
      .release_valid (done_q),
      .release_slot  (was_q),
      .headers       (headers),
      .ended         (slots_ended),
      .leftover      (slots_leftover),
      .abort_mark    (slots_aborted)
  );

  always_comb begin
    header = headers[packet_q[0]];
    next = headers[!packet_q[0]];
    {header.valid, header.complete} = {headers[packet_q[1]].valid, headers[packet_q[1]].complete};
    header.failed = ended && !header.complete;
    // It is released in this cycle.
    if (done_q) {next.valid, next.complete, next.failed} = 3'b000;
  end
  // Much is decided by how a packet ends, `packet_done` among it: so not behind the choice of the packet.
  always_ff @(posedge clk) begin
    ended <= slots_ended[packet_q[1]] && !packet_done;
    leftover <= slots_leftover[packet_q[1]];
    aborted <= slots_aborted[packet_q[1]];
    if (reset) ended <= 1'b0;
  end

endmodule
