// The output registers: what X made of a row leaves in one beat, or in several.
//
// The first beat leaves in the cycle behind X, each further one a cycle later from what was kept.
// No row reaches X before the last beat of the one before has left it.
module fast_output
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic                  present,    // a row, void or not
    input logic                  valid,
    input issue_t                issue,
    input slot_t   [ 3:0]        slots,
    input logic    [ 3:0]        good,       // the lane has a record
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
    input logic                  marks,
    input logic                  ends,       // the message, whatever the status

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
  // Of each lane, now, and by what was kept.
  logic [3:0] upper, lower, upper_q, lower_q;
  logic [2:0] next_q, next, left_q;  // beat
  logic   marks_q;
  logic   ends_q;
  issue_t issue_q;

  always_comb begin
    for (int k = 0; k < 4; k++) begin
      logic [63:0] high, low;
      high = 64'((text[k] >> 8) >> {chunks[k].shift, 3'd0});
      low  = text[k][63:0];
      for (int n = 1; n < 8; n++) if (3'(n) > chunks[k].shift) low[8*n+:8] = 8'd0;
      shown_in[k].two = wide[k] && chunks[k].two && !(issue.raw && issue.lane == 2'(k));
      shown_in[k].first = place[k];
      shown_in[k].last = place[k] + 3'(wide[k]);
      upper[k] = shown_in[k].two && place[k] == 3'd0;
      lower[k] = !wide[k] && place[k] == 3'd0;
      pairs[k].lower.valid = good[k];
      pairs[k].lower.tag = slots[k].tag;
      pairs[k].lower.role = 5'd0;
      pairs[k].lower.kind = record_kind(slots[k].kind);
      pairs[k].upper = pairs[k].lower;
      pairs[k].upper.value = high;
      pairs[k].upper.info = {4'b1000, chunks[k].high_count};
      pairs[k].lower.value = chunks[k].mark ? 64'd0
          : chunks[k].text || chunks[k].vector ? low : number[k];
      case (slots[k].kind)
        DECIMAL:  pairs[k].lower.info = exponent[k];
        MANTISSA: pairs[k].lower.info = exponent[(k+3)%4];
        default:  pairs[k].lower.info = 8'd0;
      endcase
      if (chunks[k].text || chunks[k].vector) begin
        pairs[k].lower.info = {more_text[k] && chunks[k].text, 3'd0, chunks[k].low_count};
      end
      if (issue.raw && issue.lane == 2'(k)) begin
        pairs[k].lower.value = raw_bytes;
        pairs[k].lower.info = {issue.again, 3'd0, raw_count};
      end
    end
  end

  logic last;
  assign last = valid ? beats == 3'd0 : left_q == 3'd1;
  assign next = present ? 3'd1 : next_q;

  always_ff @(posedge clk) begin
    for (int k = 0; k < 4; k++) begin
      if (present) m_records[k] <= upper[k] ? pairs[k].upper : pairs[k].lower;
      else m_records[k] <= upper_q[k] ? pairs_q[k].upper : pairs_q[k].lower;
      m_records[k].valid <= present ? valid && good[k] && (upper[k] || lower[k])
          : left_q != 3'd0 && pairs_q[k].lower.valid && (upper_q[k] || lower_q[k]);
      // Which of the two is chosen a cycle before: all the record hangs on it.
      upper_q[k] <= present ? shown_in[k].two && shown_in[k].first == 3'd1
          : shown_in_q[k].two && shown_in_q[k].first == next_q;
      lower_q[k] <= (present ? shown_in[k].last : shown_in_q[k].last) == next;
    end
    next_q <= next + 3'd1;
    m_begin <= valid && issue.begins;
    m_element <= last && (valid ? marks && issue.element : marks_q && issue_q.element);
    m_call_begin <= valid && marks && issue.call_begins;
    m_call_end <= last && (valid ? marks && issue.call_ends : marks_q && issue_q.call_ends);
    m_end <= last && (valid ? ends || !marks : ends_q || !marks_q);
    // Nothing is kept when a row comes, void or not.
    if (present) begin
      pairs_q <= pairs;
      shown_in_q <= shown_in;
    end
    if (valid) begin
      m_template <= issue.template_index;
      m_tid <= issue.tid;
      m_tstamp <= issue.tstamp;
      issue_q <= issue;
      marks_q <= marks;
      ends_q <= ends;
      left_q <= beats;
    end else if (left_q != 3'd0) left_q <= left_q - 3'd1;
    if (rst) begin
      left_q <= 3'd0;
      m_begin <= 1'b0;
      m_element <= 1'b0;
      m_call_begin <= 1'b0;
      m_call_end <= 1'b0;
      m_end <= 1'b0;
      for (int k = 0; k < 4; k++) m_records[k].valid <= 1'b0;
    end
  end
endmodule
