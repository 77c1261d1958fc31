// How NULLs move the entities of a row: a decimal's NULL exponent has no mantissa behind it, nor has an
// absent exponent. It costs a row that has such slots two cycles.
//
// In the first each lane looks at its element for every number of entities that the lanes before it may
// lack, in parallel; in the second there is one selection a lane (`found`).
module fast_look
  import fast_pkg::*;
(
    input logic clk,

    input row_t row,  // in hand, and in the cycle before
    input decoded_t decoded,
    input logic [3:0] exp_absent,  // lanes whose exponent has no value if it is not in the stream
    input flags_t [7:0] window,

    output logic     seen,  // the elements looked at are there
    output decoded_t found
);
  logic [3:0][7:0] at;
  logic [3:0] looks, looks_q;
  // Lane, entities that the lanes before it lack.
  logic [3:0][3:0] null_at, valid_at, null_q, valid_q;
  // By that number, whether a lane lacks its entity; and one bit for each number: those before a lane.
  logic [3:0][3:0] absent_at;
  logic [4:0][4:0] less;
  logic [3:0] absent, valid;

  always_comb begin
    for (int k = 0; k < 4; k++) begin
      at[k] = row.shapes[k].skip ? decoded.at[(k+3)%4] : decoded.at[k];
      looks[k] = decoded.checks[k] && (!row.shapes[k].skip || decoded.streams[(k+3)%4]);
      for (int c = 0; c < 4; c++) begin
        null_at[k][c]  = 1'b0;
        valid_at[k][c] = !looks[k];
        for (int i = c; i < 8; i++) begin
          null_at[k][c] |= at[k][i] && window[i-c].is_null;
          valid_at[k][c] |= at[k][i] && window[i-c].valid;
        end
      end
    end
  end

  always_ff @(posedge clk) begin
    looks_q <= looks;
    null_q  <= null_at;
    valid_q <= valid_at;
  end

  always_comb begin
    less = '0;
    less[0] = 5'd1;
    for (int k = 0; k < 4; k++) begin
      for (int c = 0; c < 4; c++) begin
        absent_at[k][c] = looks_q[k] ? null_q[k][c] : decoded.checks[k] && exp_absent[(k+3)%4];
      end
      absent[k] = (less[k][3:0] & absent_at[k]) != '0;
      valid[k] = (less[k][3:0] & valid_q[k]) != '0;
      // Four are lacking behind the last lane only.
      for (int c = 0; c < 4; c++) begin
        less[k+1][c] |= less[k][c] && !(absent_at[k][c] && decoded.streams[k]);
        less[k+1][c+1] |= less[k][c] && absent_at[k][c] && decoded.streams[k];
      end
    end
    seen = &valid;

    found = decoded;
    found.look = 1'b0;
    for (int k = 0; k < 4; k++) begin
      found.place[k] = '0;
      found.at[k] = '0;
      for (int c = 0; c < 4; c++) begin
        found.place[k] |= (decoded.place[k] - 4'(c)) & {4{less[k][c]}};
        found.at[k] |= (decoded.at[k] >> c) & {8{less[k][c]}};
      end
      // As masks: of choices of 0 synthesis makes resets, which are late.
      found.two[k] = decoded.two[k] && !absent[k];
      found.absent[k] = absent[k] && row.shapes[k].skip;
      found.streams[k] = decoded.streams[k] && !(absent[k] && row.shapes[k].skip);
      // It has no presence map bit either.
      found.late &= !(absent[k] && row.shapes[k].skip && row.shapes[k].tested);
    end
    found.taken = '0;
    found.last = '0;
    for (int c = 0; c < 5; c++) begin
      found.taken |= (decoded.taken - 4'(c)) & {4{less[4][c]}};
      found.last |= (decoded.last >> c) & {8{less[4][c]}};
    end
    found.lane_streams = found.streams[found.lane];
  end
endmodule
