// The part of a FAST order that does not depend on the fire: presence map to exponent.
//
// Encoded when a slot is armed, one byte a cycle, and kept in distributed RAM: bytes from the front,
// their number, and their sum as 16-bit words. Template and operators: orders.xml, README.md.
//
// Latency: 23 cycles from `encode` to `busy` low. `encode` while busy has no effect.
module fast_order_prefix
  import order_pkg::*;
#(
    parameter int unsigned BYTES = 19  // presence map, template, 5 + 5 + 1 + 5 + 1
) (
    input logic clk,
    input logic rst,

    // Descriptions (order_pkg).
    input logic        write_valid,
    input logic [11:0] write_address,
    input logic [31:0] write_data,

    input  logic                 encode,
    input  logic [SLOT_BITS-1:0] encode_slot,
    output logic                 busy,

    input  logic [SLOT_BITS-1:0]      slot,
    output logic [    BYTES-1:0][7:0] prefix,
    output logic [          4:0]      length,
    output logic [         16:0]      sum
);

  localparam logic [6:0] TEMPLATE = 7'd20;
  localparam logic [6:0] SELL = 7'd2;
  // What the operators' initial values stand for.
  localparam logic [31:0] USUAL_SECURITY = 32'd1;
  localparam logic [31:0] USUAL_QUANTITY = 32'd1;
  localparam logic [6:0] USUAL_EXPONENT = 7'h7e;  // -2

  logic [31:0] order_ids[SLOTS];
  logic [31:0] securities[SLOTS];
  logic [31:0] quantities[SLOTS];
  logic [7:0] terms[SLOTS];
  logic [8*BYTES+21:0] encoded[SLOTS];

  logic write;
  assign write = write_valid && write_address[11:8] == SLOT_BASE[11:8];

  always_ff @(posedge clk) begin
    if (write && write_address[3:0] == SLOT_CL_ORD_ID) order_ids[write_address[7:4]] <= write_data;
    if (write && write_address[3:0] == SLOT_SECURITY_ID)
      securities[write_address[7:4]] <= write_data;
    if (write && write_address[3:0] == SLOT_QUANTITY) quantities[write_address[7:4]] <= write_data;
    if (write && write_address[3:0] == SLOT_TERMS) begin
      terms[write_address[7:4]] <= {write_data[14:8], write_data[0]};
    end
  end

  // All groups of seven bits that there may be, in their order. They pass one a cycle: from a number
  // that is present, all but leading zeros, the last with a stop bit.
  typedef struct packed {
    logic present;
    logic final_group;
    logic [6:0] bits;
  } group_t;

  group_t [BYTES-1:0] groups, groups_q;
  logic [31:0] order_id_q, security_q, quantity_q;
  logic [6:0] exponent_q;
  logic sell_q, send_security, send_quantity, send_exponent;

  function automatic group_t [4:0] groups_of(input logic [31:0] number, input logic present);
    logic [34:0] padded;
    padded = 35'(number);
    for (int i = 0; i < 5; i++) groups_of[i] = '{present, i == 4, padded[7*(4-i)+:7]};
  endfunction

  // What the slot is loaded with, in the first cycle of `busy`.
  always_ff @(posedge clk) begin
    if (!busy) begin
      order_id_q <= order_ids[encode_slot];
      security_q <= securities[encode_slot];
      quantity_q <= quantities[encode_slot];
      {exponent_q, sell_q} <= terms[encode_slot];
    end
  end

  always_comb begin
    send_security = security_q != USUAL_SECURITY;
    send_quantity = quantity_q != USUAL_QUANTITY;
    send_exponent = exponent_q != USUAL_EXPONENT;
    // The presence map: template, then what has an operator.
    groups[0] = '{1'b1, 1'b1, {1'b1, send_security, sell_q, send_quantity, send_exponent, 2'b0}};
    groups[1] = '{1'b1, 1'b1, TEMPLATE};
    groups[6:2] = groups_of(order_id_q, 1'b1);
    groups[11:7] = groups_of(security_q, send_security);
    groups[12] = '{sell_q, 1'b1, SELL};
    groups[17:13] = groups_of(quantity_q, send_quantity);
    groups[18] = '{send_exponent, 1'b1, exponent_q};
  end

  logic [SLOT_BITS-1:0] slot_q;
  logic [4:0] left_q;  // groups to come
  logic inside_q;  // a group of this number was given
  logic give_q;
  logic [7:0] octet_q;
  logic [BYTES-1:0] place_q;  // one-hot: where the next byte goes
  logic [BYTES-1:0][7:0] prefix_q;
  logic [4:0] length_q;
  logic [11:0] even_q, odd_q;
  logic give, done_q;
  logic loaded_q;  // from the second cycle of `busy` on

  assign give = groups_q[0].present &&
      (groups_q[0].final_group || inside_q || groups_q[0].bits != '0);

  always_ff @(posedge clk) begin
    done_q   <= 1'b0;
    groups_q <= groups_q >> $bits(group_t);
    inside_q <= give && !groups_q[0].final_group;
    give_q   <= give && left_q != '0;
    octet_q  <= {groups_q[0].final_group, groups_q[0].bits};
    if (give_q) begin
      for (int i = 0; i < BYTES; i++) if (place_q[i]) prefix_q[i] <= octet_q;
      place_q  <= place_q << 1;
      length_q <= length_q + 5'd1;
      if (length_q[0]) odd_q <= odd_q + 12'(octet_q);
      else even_q <= even_q + 12'(octet_q);
    end
    if (left_q != '0) left_q <= left_q - 5'd1;
    else if (busy && !give_q) done_q <= !done_q;
    if (done_q) busy <= 1'b0;
    loaded_q <= busy && !done_q;
    if (!busy) begin
      slot_q <= encode_slot;
      busy   <= encode;
    end
    if (!loaded_q) begin
      groups_q <= groups;
      left_q <= 5'(BYTES);
      inside_q <= 1'b0;
      give_q <= 1'b0;
      place_q <= BYTES'(1);
      prefix_q <= '0;
      length_q <= '0;
      even_q <= '0;
      odd_q <= '0;
      done_q <= 1'b0;
    end
    if (rst) begin
      busy <= 1'b0;
      loaded_q <= 1'b0;
      done_q <= 1'b0;
    end
  end

  logic [16:0] folded;
  assign folded = 17'({even_q[7:0], 8'd0}) + 17'(odd_q) + 17'(even_q[11:8]);

  always_ff @(posedge clk) begin
    if (done_q) encoded[slot_q] <= {folded, length_q, prefix_q};
  end

  assign {sum, length, prefix} = encoded[slot];

endmodule
