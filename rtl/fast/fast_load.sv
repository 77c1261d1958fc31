// The load port: settings registers, and writes of whole elements to the program's memories.
//
// Words of 32 bits come one a cycle. Those of an element wait until its last one, which writes it.
module fast_load (
    input logic clk,
    input logic rst,

    input logic        load_valid,
    input logic [19:0] load_address,
    input logic [31:0] load_data,

    output logic                 enable,
    output logic                 vectors,   // the program has Unicode strings or byte vectors
    output fast_pkg::settings_t  settings,
    output fast_load_pkg::load_t load
);
  import fast_load_pkg::*;

  logic [3:0] region;
  logic [2:0] word;
  logic [15:0] at;
  load_t load_q;

  assign region = load_address[19:16];
  assign at = load_address[15:0];
  assign word = at[2:0];
  assign load = load_q;

  always_ff @(posedge clk) begin
    load_q.row <= load_valid && region == ROWS && word == 3'd6;
    for (int lane = 0; lane < 4; lane++) begin
      load_q.constant[lane] <= load_valid && region == CONSTANTS && word == 3'd4 &&
          at[12:11] == 2'(lane);
    end
    load_q.role <= load_valid && region == ROLES;
    load_q.templates <= load_valid && region == TEMPLATES && word == 3'd7;
    load_q.scopes <= load_valid && region == SCOPES && word == 3'd7;
    load_q.segment <= load_valid && region == SEGMENTS && word == 3'd4;
    load_q.index <= region == ROLES ? at[13:0] : {1'b0, at[15:3]};
    if (load_valid) begin
      if (region == ROLES) load_q.words[31:0] <= load_data;
      else load_q.words[32*word+:32] <= load_data;
    end

    if (load_valid && region == SETTINGS) begin
      case (word)
        3'd0:    enable <= load_data[0];
        3'd1: begin
          settings.strict <= load_data[0];
          settings.reset <= load_data[2:1];
          vectors <= load_data[3];
          settings.preamble <= load_data[15:8];
        end
        3'd2:    settings.max_text <= load_data;
        3'd3:    settings.max_elements <= load_data;
        3'd4:    settings.max_rows <= load_data;
        default: ;
      endcase
    end
    if (rst) begin
      enable <= 1'b0;
      {load_q.row, load_q.constant, load_q.role} <= '0;
      {load_q.templates, load_q.scopes, load_q.segment} <= '0;
    end
  end

endmodule
