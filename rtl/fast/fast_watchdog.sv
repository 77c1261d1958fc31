// How many rows a message may still execute.
//
// That a row executes is late: it only chooses. Comparisons are by bits, and one less stands beside.
module fast_watchdog (
    input  logic        clk,
    input  logic        begins,    // a message may: the count starts
    input  logic [31:0] max_rows,
    input  logic        executes,  // a row does: late
    output logic        over       // no row may any more; a register
);
  logic [31:0] rows_q;
  logic none_at_begin, last_row, last_but_one;
  (* keep *)
  logic over_behind, over_here;  // if a row executes; if none does
  (* keep *)
  logic [31:0] rows_less;

  assign rows_less = rows_q - 32'd1;
  assign none_at_begin = max_rows <= 32'd1;
  assign last_row = rows_q[31:1] == '0;
  assign last_but_one = rows_q[31:2] == '0 && rows_q[1:0] != 2'd3;
  assign over_behind = begins ? none_at_begin : last_but_one;
  assign over_here = begins ? none_at_begin : last_row;

  always_ff @(posedge clk) begin
    if (begins) rows_q <= max_rows;
    if (executes) rows_q <= rows_less;
    over <= executes ? over_behind : over_here;
  end
endmodule
