// The output registers: what X made of a row leaves in one beat, or in several.
//
// The first beat leaves in the cycle behind X, each further one a cycle later from what was kept.
// No row reaches X before the last beat of the one before has left it.
module fast_output
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic                 valid,
    input issue_t               issue,
    input slot_t  [ 3:0]        slots,
    input logic   [ 3:0]        good,       // the lane has a record
    input logic   [ 3:0][ 63:0] number,
    input logic   [ 3:0][  7:0] exponent,
    input logic   [ 3:0][127:0] text,
    input logic   [ 3:0][  4:0] length,
    input logic   [ 3:0]        more_text,
    input logic   [ 3:0]        wide,       // takes two beats
    input logic   [ 3:0][  2:0] place,      // from this beat on
    input logic   [ 2:0]        beats,      // beyond the first
    input logic   [63:0]        raw_bytes,
    input logic   [ 3:0]        raw_count,
    input logic                 marks,
    input logic   [ 7:0]        status,

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
  // Both records of a lane: the upper chunk of a string, and the only or last one.
  typedef struct packed {
    logic       two;
    logic [2:0] first;
    logic [2:0] last;
    record_t    upper;
    record_t    lower;
  } pair_t;

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
  logic [2:0] beat_q, left_q;
  logic marks_q;
  logic [7:0] status_q;
  issue_t issue_q;

  always_comb begin
    for (int k = 0; k < 4; k++) begin
      logic is_text, is_vector, is_mark;
      logic [63:0] high, low;
      logic [3:0] high_count, low_count;
      is_text = slots[k].kind == ASCII || slots[k].kind == TEXT;
      is_vector = slots[k].kind == UNICODE || slots[k].kind == BYTES;
      is_mark = slots[k].kind == GROUP || slots[k].kind == END_GROUP;
      // An ASCII string's last chunk has eight bytes, a vector's first.
      high = text[k][127:64];
      low = text[k][63:0];
      high_count = length[k][3:0] - 4'd8;
      if (length[k] == 5'd16) high_count = 4'd8;
      low_count = length[k] > 5'd8 ? 4'd8 : length[k][3:0];
      if (is_vector && length[k] > 5'd8) begin
        for (int n = 1; n <= 8; n++) begin
          if (high_count == 4'(n)) begin
            high = text[k][8*n+:64];
            low  = text[k][63:0] & ((64'd1 << (8 * n - 1)) * 64'd2 - 64'd1);
          end
        end
        low_count  = high_count;
        high_count = 4'd8;
      end
      pairs[k].two = wide[k] && length[k] > 5'd8;
      pairs[k].first = place[k];
      pairs[k].last = place[k] + 3'(wide[k]);
      pairs[k].lower.valid = good[k];
      pairs[k].lower.tag = slots[k].tag;
      pairs[k].lower.role = 5'd0;
      pairs[k].lower.kind = record_kind(slots[k].kind);
      pairs[k].upper = pairs[k].lower;
      pairs[k].upper.value = high;
      pairs[k].upper.info = {4'b1000, high_count};
      pairs[k].lower.value = is_mark ? 64'd0 : is_text || is_vector ? low : number[k];
      case (slots[k].kind)
        DECIMAL:  pairs[k].lower.info = exponent[k];
        MANTISSA: pairs[k].lower.info = exponent[(k+3)%4];
        default:  pairs[k].lower.info = 8'd0;
      endcase
      if (is_text || is_vector) begin
        pairs[k].lower.info = {more_text[k] && is_text, 3'd0, low_count};
      end
      if (issue.raw && issue.lane == 2'(k)) begin
        pairs[k].two = 1'b0;
        pairs[k].lower.value = raw_bytes;
        pairs[k].lower.info = {issue.again, 3'd0, raw_count};
      end
    end
  end

  function automatic record_t shown(pair_t pair, logic [2:0] beat);
    shown = pair.lower;
    shown.valid = pair.lower.valid && beat == pair.last;
    if (pair.two && beat == pair.first) begin
      shown = pair.upper;
    end
  endfunction

  logic last;
  assign last = valid ? beats == 3'd0 : left_q == 3'd1;

  always_ff @(posedge clk) begin
    for (int k = 0; k < 4; k++) begin
      m_records[k] <= shown(valid ? pairs[k] : pairs_q[k], valid ? 3'd0 : beat_q);
      if (!valid && left_q == 3'd0) m_records[k].valid <= 1'b0;
    end
    m_begin <= valid && issue.begins;
    m_element <= last && (valid ? marks && issue.element : marks_q && issue_q.element);
    m_call_begin <= valid && marks && issue.call_begins;
    m_call_end <= last && (valid ? marks && issue.call_ends : marks_q && issue_q.call_ends);
    m_end <= last && (valid ? status != COMPLETE || issue.ends
                            : status_q != COMPLETE || issue_q.ends);
    m_status <= valid ? status : status_q;
    if (valid) begin
      m_template <= issue.template_index;
      m_tid <= issue.tid;
      m_tstamp <= issue.tstamp;
      pairs_q <= pairs;
      issue_q <= issue;
      marks_q <= marks;
      status_q <= status;
      beat_q <= 3'd1;
      left_q <= beats;
    end else if (left_q != 3'd0) begin
      beat_q <= beat_q + 3'd1;
      left_q <= left_q - 3'd1;
    end
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
