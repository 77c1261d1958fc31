// Of the slots that an event is for: the first that is open, whether it fires or waits, and which are left.
// Combinational.
//
// A slot is open if it is armed and nothing is known to hold it back; it fires if that is up to date
// (`fresh`), else it is waited for. Those before it are held back, and done with.
module slot_choice #(
    parameter int unsigned SLOTS = 16,
    localparam int unsigned SLOT_BITS = $clog2(SLOTS)
) (
    input logic [SLOTS-1:0] candidates,  // armed
    input logic [SLOTS-1:0] open,
    input logic [SLOTS-1:0] sure,        // open and fresh
    input logic [SLOTS-1:0] fresh,

    output logic                 any,    // one is open
    output logic                 fires,
    output logic                 waits,  // any, and it does not fire
    output logic [SLOT_BITS-1:0] first,  // 0 if none is
    output logic [    SLOTS-1:0] left
);

  localparam int unsigned GROUPS = SLOTS / 4;

  logic [SLOTS-1:0] closed;
  logic [GROUPS-1:0] any_of, fires_of;
  logic [GROUPS-1:0][1:0] first_of;  // in each group

  always_comb begin
    for (int g = 0; g < GROUPS; g++) begin
      any_of[g] = open[4*g+:4] != '0;
      first_of[g] = open[4*g] ? 2'd0 : open[4*g+1] ? 2'd1 : open[4*g+2] ? 2'd2 : 2'd3;
      fires_of[g] = sure[4*g] || (!open[4*g] && (sure[4*g+1]
          || (!open[4*g+1] && (sure[4*g+2] || (!open[4*g+2] && sure[4*g+3])))));
    end
    // No slot before this one is open: none in the groups before its own, none before it in its own.
    for (int s = 0; s < SLOTS; s++) begin
      closed[s] = 1'b1;
      for (int g = 0; g < s / 4; g++) if (any_of[g]) closed[s] = 1'b0;
      for (int b = s / 4 * 4; b < s; b++) if (open[b]) closed[s] = 1'b0;
    end
    any = any_of != '0;
    fires = 1'b0;
    waits = 1'b0;
    first = '0;
    for (int g = GROUPS - 1; g >= 0; g--) begin
      if (any_of[g]) begin
        fires = fires_of[g];
        waits = !fires_of[g];
        first = SLOT_BITS'({g, first_of[g]});
      end
    end
    // What is open and not fresh is waited for.
    left = candidates & ~(closed & fresh);
  end

endmodule
