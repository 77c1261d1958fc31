// Time in nanoseconds, for stamps of frames.
//
// Counts nanoseconds and a 32-bit fraction, from which each cycle takes PERIOD. It gives the time of
// lane 0 of this cycle's XGMII word and that of its lane 4, half a period later, so that a receiving
// MAC stamps a frame's first byte by taking one of the two.
//
// `set` loads `set_ns` as the time of the cycle two after it. `adjust` moves the clock by a signed
// number of nanoseconds once, from two cycles after it on (to follow a clock elsewhere); with `set` in
// the same cycle or the one after, it is lost.
module timestamper #(
    // Clock period in 2^-32 nanoseconds: 6.4 ns by default.
    parameter logic [35:0] PERIOD = 36'h6_6666_6666
) (
    input logic clk,
    input logic rst,

    input logic        set,
    input logic [63:0] set_ns,
    input logic        adjust,
    input logic [31:0] adjust_ns, // two's complement

    output logic [63:0] now_ns,
    output logic [63:0] now_lane4_ns
);

  localparam logic [35:0] HALF = PERIOD >> 1;

  if (PERIOD == '0) begin : gen_bad_period
    $fatal(1, "%m: PERIOD is zero");
  end

  // Nanoseconds and fraction. Each register is one addition away from `now_q`.
  logic [95:0] now_q;
  logic [63:0] lane4_q;
  logic [31:0] unused_fraction_q;
  logic [67:0] step_q, step_lane4_q;  // signed
  logic set_q;
  logic [63:0] set_now_q;
  logic [95:0] set_lane4_q;
  logic [67:0] correction;

  assign correction = adjust ? {{4{adjust_ns[31]}}, adjust_ns, 32'd0} : '0;
  assign now_ns = now_q[95:32];
  assign now_lane4_ns = lane4_q;

  always_ff @(posedge clk) begin
    step_q <= correction + 68'(PERIOD);
    step_lane4_q <= correction + 68'(PERIOD) + 68'(HALF);
    set_q <= set;
    set_now_q <= set_ns;
    set_lane4_q <= {set_ns, 32'd0} + 96'(HALF);

    if (set_q) begin
      now_q   <= {set_now_q, 32'd0};
      {lane4_q, unused_fraction_q} <= set_lane4_q;
    end else begin
      now_q   <= now_q + {{28{step_q[67]}}, step_q};
      {lane4_q, unused_fraction_q} <= now_q + {{28{step_lane4_q[67]}}, step_lane4_q};
    end
    if (rst) begin
      now_q <= '0;
      {lane4_q, unused_fraction_q} <= 96'(HALF);
      step_q <= 68'(PERIOD);
      step_lane4_q <= 68'(PERIOD) + 68'(HALF);
      set_q <= 1'b0;
    end
  end

endmodule
