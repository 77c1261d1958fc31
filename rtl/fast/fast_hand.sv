// The row in hand: decoded when it comes, and looked at if a NULL decides what it takes.
//
// Whether a row comes in hand is late: what would be with it and without it stand side by side. None does
// while the row in hand is looked at.
module fast_hand
  import fast_pkg::*;
(
    input logic clk,
    input logic rst,

    // What comes.
    input  row_t           following,
    input  logic           pushed,     // it is the row in hand, whose presence map was pushed
    input  logic     [4:0] bits,       // of the map
    output decoded_t       decoded,
    input  logic     [1:0] loads,      // it does: late; both say the same
    input  logic           ahead,      // between messages: it waits for one that begins with it,
    input  logic           begin_same, // which one does

    // The row in hand.
    input  row_t     row,
    input  logic     goes,      // late
    input  logic     keeps,     // unless it goes it stays
    input  logic     branch,    // another is fetched
    output logic     valid,
    output logic     able,      // it is there, and it is known what is NULL
    output logic     is_ahead,  // it came ahead
    output decoded_t in_hand,

    // What it looks at.
    input flags_t [7:0] window,
    input logic         ended,    // a cycle late: with the elements that were looked at then
    input logic         settled,  // nothing behind dispatch will change an entry
    input logic   [3:0] d_known,  // the entries of its exponents are known,
    input logic   [3:0] d_empty   // and empty
);
  logic valid_q, able_q, ahead_q;
  decoded_t row_q, plain_q, looked;  // plain: as decoded, without what was looked at
  logic [3:0] constants_q, defaults_q;  // the operators of its lanes
  logic [3:0] old_q;  // it is in hand for so many cycles or more
  logic [3:0] exp_absent_q;
  logic seen, looks, look_d, look_kept;
  (* keep *)
  logic valid_kept, valid_loaded, able_kept, able_loaded;

  assign valid = valid_q;
  assign able = able_q;
  assign is_ahead = ahead_q;
  assign in_hand = row_q;

  fast_decode u_decode (
      .row  (following),
      .prior(row),
      .pushed,
      .bits,
      .decoded
  );

  // Of the cycle before: it is looked at from its second on.
  always_ff @(posedge clk) begin
    for (int k = 0; k < 4; k++) begin
      if (constants_q[k]) exp_absent_q[k] <= !plain_q.sets[k];
      else if (d_known[k] && !defaults_q[k]) exp_absent_q[k] <= d_empty[k];
      else exp_absent_q[k] <= row.slots[k].initial_value == 8'd0;
    end
  end

  fast_look u_look (
      .clk,
      .row,
      .decoded   (plain_q),
      .exp_absent(exp_absent_q),
      .window,
      .seen,
      .found     (looked)
  );

  assign looks = old_q[0] && valid_q && row_q.look && !(row.waits && !(settled && old_q[3]));

  always_comb begin
    valid_kept = valid_q && !goes && keeps || begin_same && ahead_q;
    valid_loaded = !ahead || begin_same;
    look_kept = looks ? !(seen || ended) : row_q.look;
    able_kept = valid_kept && !look_kept;
    able_loaded = valid_loaded && !decoded.look;
    look_d = looks || !loads[0] ? look_kept : decoded.look;
  end

  always_ff @(posedge clk) begin
    valid_q <= loads[1] ? valid_loaded : valid_kept;
    able_q  <= loads[1] ? able_loaded : able_kept;
    if (loads[0] || looks) row_q <= looks ? looked : decoded;
    row_q.look <= look_d;
    if (loads[0]) begin
      plain_q <= decoded;
      for (int k = 0; k < 4; k++) begin
        constants_q[k] <= following.slots[k].operation == OP_CONSTANT;
        defaults_q[k]  <= following.slots[k].operation == OP_DEFAULT;
      end
    end
    old_q   <= {old_q[2:0], 1'b1} & {4{valid_q && !loads[0]}};
    ahead_q <= (ahead || ahead_q) && !begin_same && !branch;
    if (rst) begin
      valid_q <= 1'b0;
      able_q  <= 1'b0;
      ahead_q <= 1'b0;
    end
  end
endmodule
