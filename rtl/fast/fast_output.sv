// The output registers: what X made of a row leaves in one beat, or in several.
//
// The first beat leaves in the cycle behind X, each further one a cycle later from what was kept.
// No row reaches X before the last beat of the one before has left it. What fails is known late, and that a
// row before did: both take away behind the registers.
module fast_output
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic                  present,    // a row, void or not
    input logic                  valid,      // not void: late
    input issue_t                issue,
    input slot_t   [ 3:0]        slots,
    input logic    [ 3:0]        shown,      // the lane has a record, if nothing before it fails
    input logic    [ 3:0]        bad,        // the lane fails
    input logic    [ 3:0]        hidden,     // it has no record for another reason
    input logic                  spoilt,     // the row fails, but not by a lane:
    input logic                  beyond,     // by a length
    // What the lane's only or last record has: none of them for a mark of a group.
    input logic    [ 3:0]        of_number,
    input logic    [ 3:0]        of_string,
    input logic    [ 3:0]        of_raw,
    // It takes two records; in the first beat are the upper one (each bit says the same), the lower one.
    input logic    [ 3:0]        two,
    input logic    [ 3:0][  1:0] upper,
    input logic    [ 3:0]        lower,
    input logic    [ 3:0][ 63:0] number,
    input logic    [ 3:0][  7:0] exponent,
    input logic    [ 3:0][127:0] text,
    input chunks_t [ 3:0]        chunks,
    input logic    [ 3:0]        more_text,
    input logic    [ 3:0]        wide,       // takes two beats
    input logic    [ 3:0][  2:0] place,      // from this beat on
    input logic    [ 2:0]        beats,      // beyond the first
    input logic    [63:0]        raw_bytes,
    input logic    [ 3:0]        raw_count,
    input logic                  ends,       // the message, whatever fails

    output record_t [              3:0] m_records,
    output logic                        m_begin,
    output logic    [TEMPLATE_BITS-1:0] m_template,
    output logic                        m_element,
    output logic                        m_call_begin,
    output logic                        m_call_end,
    output logic                        m_end,
    output logic    [              3:0] m_tid,
    output logic    [             63:0] m_tstamp
);
  // Both records of a lane: the upper chunk of a string, and the only or last one.
  typedef struct packed {
    record_t upper;
    record_t lower;
  } pair_t;
  // In which beat, if any, the upper one is shown, and the lower one.
  typedef struct packed {
    logic       two;
    logic [2:0] first;
    logic [2:0] last;
  } beats_t;

  function automatic logic [3:0] record_kind(logic [3:0] kind);
    case (kind)
      I32, I64:          return RECORD_SIGNED;
      DECIMAL, MANTISSA: return RECORD_DECIMAL;
      ASCII, TEXT:       return RECORD_ASCII;
      UNICODE:           return RECORD_UNICODE;
      BYTES:             return RECORD_BYTES;
      LENGTH:            return RECORD_LENGTH;
      GROUP:             return RECORD_GROUP;
      END_GROUP:         return RECORD_END_GROUP;
      default:           return RECORD_UNSIGNED;
    endcase
  endfunction

  pair_t [3:0] pairs, pairs_q;
  beats_t [3:0] shown_in, shown_in_q;
  logic [3:0] upper_q, lower_q;  // of each lane, by what was kept
  logic [2:0] next_q, next, left_q;  // beat
  issue_t issue_q;
  // As if nothing failed; of a row, what fails.
  record_t [3:0] records_q;
  logic begin_q, element_q, call_begin_q, call_end_q, end_q, last_q, ends_q;
  logic [3:0] bad_q, dark_q;
  logic spoilt_q, beyond_q, whole;
  // The row is void: told by itself, much hangs on it.
  (* keep *)
  logic void_q;
  (* keep *)
  always_ff @(posedge clk) void_q <= present && !valid && !rst;

  always_comb begin
    for (int k = 0; k < 4; k++) begin
      logic [63:0] high, low;
      high = 64'((text[k] >> 8) >> {chunks[k].shift, 3'd0});
      low  = text[k][63:0];
      for (int n = 1; n < 8; n++) if (3'(n) > chunks[k].shift) low[8*n+:8] = 8'd0;
      shown_in[k].two = two[k];
      shown_in[k].first = place[k];
      shown_in[k].last = place[k] + 3'(wide[k]);
      pairs[k].lower.valid = shown[k];
      pairs[k].lower.tag = slots[k].tag;
      pairs[k].lower.role = 5'd0;
      pairs[k].lower.kind = record_kind(slots[k].kind);
      pairs[k].upper = pairs[k].lower;
      pairs[k].upper.value = high;
      pairs[k].upper.info = {4'b1000, chunks[k].high_count};
      pairs[k].lower.value = number[k] & {64{of_number[k]}} | low & {64{of_string[k]}}
          | raw_bytes & {64{of_raw[k]}};
      case (slots[k].kind)
        DECIMAL:  pairs[k].lower.info = exponent[k];
        MANTISSA: pairs[k].lower.info = exponent[(k+3)%4];
        default:  pairs[k].lower.info = 8'd0;
      endcase
      if (of_string[k]) pairs[k].lower.info = {more_text[k], 3'd0, chunks[k].low_count};
      if (of_raw[k]) pairs[k].lower.info = {issue.again, 3'd0, raw_count};
    end
  end

  logic last;
  assign last = present ? beats == 3'd0 : left_q == 3'd1;
  assign next = present ? 3'd1 : next_q;

  always_ff @(posedge clk) begin
    for (int k = 0; k < 4; k++) begin
      if (present) records_q[k] <= upper[k][0] ? pairs[k].upper : pairs[k].lower;
      else records_q[k] <= upper_q[k] ? pairs_q[k].upper : pairs_q[k].lower;
      // The upper half of the value by the other bit: so many hang on it.
      if (present) begin
        records_q[k].value[63:32] <= upper[k][1] ? pairs[k].upper.value[63:32]
                                                 : pairs[k].lower.value[63:32];
      end
      records_q[k].valid <= present ? shown[k] && (upper[k][0] || lower[k])
          : left_q != 3'd0 && pairs_q[k].lower.valid && (upper_q[k] || lower_q[k]);
      // Which of the two is chosen a cycle before: all the record hangs on it.
      upper_q[k] <= present ? two[k] && shown_in[k].first == 3'd1
          : shown_in_q[k].two && shown_in_q[k].first == next_q;
      lower_q[k] <= (present ? shown_in[k].last : shown_in_q[k].last) == next;
    end
    next_q <= next + 3'd1;
    begin_q <= present && issue.begins;
    element_q <= last && (present ? issue.element : issue_q.element);
    call_begin_q <= present && issue.call_begins;
    call_end_q <= last && (present ? issue.call_ends : issue_q.call_ends);
    end_q <= last && (present ? ends : ends_q);
    last_q <= last;
    // Nothing is kept when a row comes, void or not.
    if (present) begin
      pairs_q <= pairs;
      shown_in_q <= shown_in;
      issue_q <= issue;
      bad_q <= bad;
      dark_q <= bad | hidden;
      spoilt_q <= spoilt;
      beyond_q <= beyond;
      ends_q <= ends;
    end
    if (present) begin
      m_template <= issue.template_index;
      m_tid <= issue.tid;
      m_tstamp <= issue.tstamp;
      left_q <= beats & {3{valid}};
    end else if (left_q != 3'd0) left_q <= left_q - 3'd1;
    if (rst) begin
      left_q <= 3'd0;
      begin_q <= 1'b0;
      element_q <= 1'b0;
      call_begin_q <= 1'b0;
      call_end_q <= 1'b0;
      end_q <= 1'b0;
      last_q <= 1'b0;
      for (int k = 0; k < 4; k++) records_q[k].valid <= 1'b0;
    end
  end

  // Nothing of a row goes out behind what fails, but that the message ends.
  assign m_begin = begin_q && !void_q;
  assign whole = bad_q == 4'd0 && !spoilt_q && !beyond_q;
  assign m_element = element_q && whole && !void_q;
  assign m_call_begin = call_begin_q && whole && !void_q;
  assign m_call_end = call_end_q && whole && !void_q;
  assign m_end = (end_q || last_q && !whole) && !void_q;
  always_comb begin
    m_records = records_q;
    for (int k = 0; k < 4; k++) begin
      if (dark_q[k] || void_q) m_records[k].valid = 1'b0;
      for (int j = 0; j < k; j++) if (bad_q[j]) m_records[k].valid = 1'b0;
    end
  end
endmodule
