// The part of a FAST order that does not depend on the fire: presence map to exponent.
//
// Encoded when a slot is armed, one byte a cycle, and kept in distributed RAM: bytes from the front,
// their number, and their sum as 16-bit words. Template and operators: orders.xml, README.md.
//
// Latency: 20 cycles from `encode` to `busy` low. `encode` while busy has no effect.
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

  localparam logic [7:0] TEMPLATE = 8'd20;
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

  // One byte a cycle: a number's groups of seven bits from the highest, without leading zeros.
  logic [SLOT_BITS-1:0] slot_q;
  logic [31:0] order_id_q, security_q, quantity_q;
  logic [6:0] exponent_q;
  logic sell_q;
  logic [4:0] step_q;
  logic send_security, send_quantity, send_exponent;
  logic [34:0] number;
  logic [ 2:0] group;
  logic [ 6:0] bits;
  logic present, final_group, give;
  logic [7:0] octet;
  logic any_q;  // a group of this number was given
  logic [BYTES-1:0][7:0] prefix_q;
  logic [4:0] length_q;
  logic [11:0] even_q, odd_q;
  logic done_q;

  localparam logic [4:0] LAST_STEP = 5'd18;

  always_comb begin
    send_security = security_q != USUAL_SECURITY;
    send_quantity = quantity_q != USUAL_QUANTITY;
    send_exponent = exponent_q != USUAL_EXPONENT;
    number = '0;
    present = 1'b1;
    group = '0;
    unique case (step_q) inside
      5'd0: number = 35'({1'b1, send_security, sell_q, send_quantity, send_exponent, 1'b0});
      5'd1: number = 35'(TEMPLATE);
      [5'd2 : 5'd6]: begin
        number = 35'(order_id_q);
        group  = 3'(5'd6 - step_q);
      end
      [5'd7 : 5'd11]: begin
        number = 35'(security_q);
        present = send_security;
        group = 3'(5'd11 - step_q);
      end
      5'd12: begin
        number  = 35'd2;
        present = sell_q;
      end
      [5'd13 : 5'd17]: begin
        number = 35'(quantity_q);
        present = send_quantity;
        group = 3'(5'd17 - step_q);
      end
      default: begin
        number  = 35'(exponent_q);
        present = send_exponent;
      end
    endcase
    bits = '0;
    for (int i = 0; i < 5; i++) if (group == 3'(i)) bits = number[7*i+:7];
    // The presence map's first bit is the template's, its sixth unused.
    if (step_q == 5'd0) bits = {number[5:0], 1'b0};
    final_group = group == '0;
    give = present && (final_group || any_q || bits != '0);
    octet = {final_group, bits};
  end

  always_ff @(posedge clk) begin
    done_q <= 1'b0;
    if (!busy) begin
      slot_q <= encode_slot;
      order_id_q <= order_ids[encode_slot];
      security_q <= securities[encode_slot];
      quantity_q <= quantities[encode_slot];
      {exponent_q, sell_q} <= terms[encode_slot];
      step_q <= '0;
      any_q <= 1'b0;
      prefix_q <= '0;
      length_q <= '0;
      even_q <= '0;
      odd_q <= '0;
      busy <= encode;
    end else if (!done_q) begin
      if (give) begin
        for (int i = 0; i < BYTES; i++) if (length_q == 5'(i)) prefix_q[i] <= octet;
        length_q <= length_q + 5'd1;
        if (length_q[0]) odd_q <= odd_q + 12'(octet);
        else even_q <= even_q + 12'(octet);
      end
      any_q  <= give && !final_group;
      step_q <= step_q + 5'd1;
      done_q <= step_q == LAST_STEP;
    end else begin
      busy <= 1'b0;
    end
    if (rst) begin
      busy   <= 1'b0;
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
