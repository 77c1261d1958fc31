// The FAST engine: packets in, records out, run by a loaded program (crates/fast/MICROCODE.md).
//
// A word at the port in cycle a - 1 is scanned in a; the records of the row that its last byte
// completes are on the output in a + 6 (dispatch a + 1, or a + 3 if the header is in the word or a NULL
// decides on the row; records five cycles behind). There is no back-pressure on the output; the input is
// held back while the queue has no room for a word's elements.
//
// With the control bit *enable* low packets are swallowed and counted, and all state is reset.
// Events are pulses of one cycle, for counters outside.
module fast_engine #(
    parameter int unsigned ROWS = 512,
    parameter int unsigned TAGS = 1024
) (
    input logic clk,
    input logic rst,

    input logic        load_valid,
    input logic [19:0] load_address,
    input logic [31:0] load_data,

    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,
    input  logic [ 3:0] s_axis_tid,
    input  logic [63:0] s_axis_tstamp,

    output fast_pkg::record_t [ 3:0] m_records,     // in lane order
    output logic                     m_begin,       // before the records
    output logic              [15:0] m_template,    // of m_begin and m_call_begin
    output logic                     m_call_begin,  // alone
    output logic                     m_element,     // behind the records, as all that follow
    output logic                     m_call_end,
    output logic                     m_end,
    output logic              [ 7:0] m_status,
    // Of the packet; of one that has left before it is known to be poisoned (policy `never`), a later one's.
    output logic              [ 3:0] m_tid,
    output logic              [63:0] m_tstamp,

    output logic       event_packet,     // a packet begins
    output logic       event_aborted,    // one ends with the mark
    output logic       event_swallowed,  // one passed while disabled
    output logic       event_complete,   // a message ends: complete
    output logic       event_error,      //   with an error, truncated and aborted among them
    output logic       event_poisoned,   //   not decoded, since one before it failed
    output logic [7:0] event_trap        //   with trap 1–8, in bits 0–7
);
  import fast_pkg::*;

  logic enable, vectors, reset;
  settings_t settings;
  assign reset = rst || !enable;

  flags_t [7:0] window;
  queued_t [7:0] banks;
  logic [2:0] base;
  logic ended, leftover, aborted, drop, packet_done;
  header_t header, next;
  logic [3:0] taken;
  logic [7:0] last;
  logic pops;
  logic pops_two;
  logic raw_begin, raw_length_valid, raw_valid, raw_more, raw_failed, raw_active;
  logic [31:0] raw_length;
  logic [63:0] raw_bytes;
  logic [ 3:0] raw_count;
  logic [ROW_BITS-1:0] a_address, b_address;
  row_t a_row, b_row;
  logic find_valid, find_call, find_explicit, find_last_valid;
  element_t find_map, find_id;
  logic [11:0] find_scope;
  logic [31:0] find_last_id;
  found_t found;
  logic [3:0][ENTRY_BITS-1:0] constant_numbers;
  datum_t [3:0] constants;
  logic [3:0][TAG_BITS-1:0] role_tags;
  logic [3:0][4:0] roles;
  record_t [3:0] records;
  logic [TEMPLATE_BITS-1:0] template_index;

  fast_front u_front (
      .preamble(settings.preamble),
      .*
  );

  fast_program #(
      .ROWS(ROWS),
      .TAGS(TAGS)
  ) u_program (
      .*
  );

  fast_core u_core (
      .rst       (reset),
      .m_records (records),
      .m_template(template_index),
      .*
  );

  // Roles come out of their memory beside the records.
  always_comb begin
    m_records = records;
    for (int k = 0; k < 4; k++) m_records[k].role = roles[k];
  end
  assign m_template = 16'(template_index);

  always_ff @(posedge clk) begin
    event_complete <= m_end && m_status == COMPLETE;
    event_poisoned <= m_end && m_status == POISONED;
    event_error <= m_end && m_status != COMPLETE && m_status != POISONED && !m_status[6];
    for (int n = 0; n < 8; n++) event_trap[n] <= m_end && m_status == 8'(65 + n);
    if (reset) begin
      event_complete <= 1'b0;
      event_poisoned <= 1'b0;
      event_error <= 1'b0;
      event_trap <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, raw_active};
endmodule
