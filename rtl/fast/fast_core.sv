// The core of the FAST engine: rows from dispatch to records.
//
// Joins control, instruction fetch, dispatch and execution; what it needs of the front and of the
// program's memories are ports (README.md, "The seam").
module fast_core
  import fast_pkg::*;
(
    input logic      clk,
    input logic      rst,
    input settings_t settings,

    input  flags_t  [ 7:0] window,
    input  queued_t [ 7:0] banks,
    input  logic    [ 2:0] base,
    input  logic           ended,
    input  logic           leftover,
    input  logic           aborted,
    input  header_t        header,
    input  header_t        next,
    output logic    [ 3:0] taken,
    output logic    [ 7:0] last,
    output logic           pops,
    output logic           pops_two,
    output logic           drop,
    output logic           packet_done,
    output logic           raw_begin,
    output logic           raw_length_valid,
    output logic    [31:0] raw_length,
    input  logic           raw_valid,
    input  logic    [63:0] raw_bytes,
    input  logic    [ 3:0] raw_count,
    input  logic           raw_more,
    input  logic           raw_failed,

    output logic [ROW_BITS-1:0] a_address,
    input  row_t                a_row,
    output logic [ROW_BITS-1:0] b_address,
    input  row_t                b_row,

    output logic            find_valid,
    output logic            find_call,
    output logic            find_explicit,
    output element_t        find_map,
    output element_t        find_id,
    output logic     [11:0] find_scope,
    output logic            find_last_valid,
    output logic     [31:0] find_last_id,
    input  found_t          found,

    output logic   [3:0][ENTRY_BITS-1:0] constant_numbers,
    input  datum_t [3:0]                 constants,
    output logic   [3:0][  TAG_BITS-1:0] role_tags,

    output record_t [              3:0] m_records,
    output logic                        m_begin,
    output logic    [TEMPLATE_BITS-1:0] m_template,
    output logic                        m_element,
    output logic                        m_call_begin,
    output logic                        m_call_end,
    output logic                        m_end,
    output logic    [              7:0] m_status,
    output logic    [              3:0] m_tid,
    output logic    [             63:0] m_tstamp
);
  logic [5:0] load_row;
  logic [3:0] top_done;
  logic expect_other, branch, following_valid;
  logic [ROW_BITS-1:0] top_row, begun_row, target, number, successor, run;
  source_t following_source;
  row_t row, following;
  intake_t [3:0] intakes;
  marks_t marks;
  issue_t issue;
  logic stall, length_counts, length_valid, failed;
  logic [2:0] failed_packet;
  element_t head_map, head_id;
  logic [4:0] head_bits;
  part_map_t head_part;
  logic [3:0] d_known, d_empty;
  logic [2:0] length_frame;
  logic [31:0] length_value;
  logic length_one;

  fast_fetch u_fetch (
      .clk,
      .rst,
      .load(load_row),
      .expect_other,
      .top_done,
      .top_row,
      .begun_row,
      .branch,
      .target,
      .following_valid,
      .following,
      .following_source,
      .row,
      .number,
      .successor,
      .run,
      .a_address,
      .a_row,
      .b_address,
      .b_row
  );

  fast_sequencer u_sequencer (
      .clk,
      .rst,
      .settings,
      .window,
      .base,
      .ended,
      .leftover,
      .aborted,
      .header,
      .next,
      .taken,
      .last,
      .pops,
      .pops_two,
      .drop,
      .packet_done,
      .raw_begin,
      .raw_valid,
      .raw_more,
      .raw_failed,
      .find_valid,
      .find_call,
      .find_explicit,
      .find_map,
      .find_id,
      .find_scope,
      .find_last_valid,
      .find_last_id,
      .found,
      .load_row,
      .expect_other,
      .top_done,
      .top_row,
      .begun_row,
      .branch,
      .target,
      .following_valid,
      .following,
      .following_source,
      .row,
      .number,
      .successor,
      .run,
      .issue,
      .intakes,
      .marks,
      .stall,
      .head_map,
      .head_id,
      .head_bits,
      .head_part,
      .d_known,
      .d_empty,
      .length_counts,
      .length_valid,
      .length_frame,
      .length_value,
      .length_one,
      .failed,
      .failed_packet
  );

  for (genvar k = 0; k < 4; k++) begin : gen_constants
    assign constant_numbers[k] = row.slots[k].initial_value;
  end

  fast_execute u_execute (
      .clk,
      .rst,
      .settings,
      .issue,
      .slots         (row.slots),
      .intakes,
      .marks,
      .banks,
      .base,
      .raw_bytes,
      .raw_count,
      .stall,
      .head_map,
      .head_id,
      .head_bits,
      .head_part,
      .initial_values(constants),
      .role_tags,
      .d_known,
      .d_empty,
      .length_counts,
      .length_valid,
      .length_frame,
      .length_value,
      .length_one,
      .raw_length_valid,
      .raw_length,
      .failed,
      .failed_packet,
      .m_records,
      .m_begin,
      .m_template,
      .m_element,
      .m_call_begin,
      .m_call_end,
      .m_end,
      .m_status,
      .m_tid,
      .m_tstamp
  );
endmodule
