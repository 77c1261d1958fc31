// The program's memories and the port that loads them (MICROCODE.md, "Load port").
//
// Instruction memory, constants, roles and template look-up, each with its answer in the second cycle
// behind the question; settings. A program is loaded while the engine is disabled.
module fast_program #(
    parameter int unsigned ROWS = 512,
    parameter int unsigned TAGS = 1024
) (
    input logic clk,
    input logic rst,

    input logic        load_valid,
    input logic [19:0] load_address,
    input logic [31:0] load_data,

    output logic                enable,
    output logic                vectors,
    output fast_pkg::settings_t settings,

    input  logic           [fast_pkg::ROW_BITS-1:0] a_address,
    output fast_pkg::row_t                          a_row,
    input  logic           [fast_pkg::ROW_BITS-1:0] b_address,
    output fast_pkg::row_t                          b_row,

    input  logic                      find_valid,
    input  logic                      find_call,
    input  logic                      find_explicit,
    input  fast_pkg::element_t        find_map,
    input  fast_pkg::element_t        find_id,
    input  logic               [11:0] find_scope,
    input  logic                      find_last_valid,
    input  logic               [31:0] find_last_id,
    output fast_pkg::found_t          found,

    input  logic             [3:0][fast_pkg::ENTRY_BITS-1:0] constant_numbers,
    output fast_pkg::datum_t [3:0]                           constants,
    input  logic             [3:0][  fast_pkg::TAG_BITS-1:0] role_tags,
    output logic             [3:0][                     4:0] roles
);
  import fast_pkg::*;
  import fast_load_pkg::*;

  load_t load;

  fast_load load_port (
      .clk         (clk),
      .rst         (rst),
      .load_valid  (load_valid),
      .load_address(load_address),
      .load_data   (load_data),
      .enable      (enable),
      .vectors     (vectors),
      .settings    (settings),
      .load        (load)
  );

  fast_rows #(
      .ROWS(ROWS)
  ) rows (
      .clk        (clk),
      .write      (load.row),
      .write_index(load.index[ROW_BITS-1:0]),
      .write_row  (load.words[ROW_WIDTH-1:0]),
      .a_address  (a_address),
      .a_row      (a_row),
      .b_address  (b_address),
      .b_row      (b_row)
  );

  fast_constants lane_constants (
      .clk           (clk),
      .write         (load.constant),
      .write_number  (load.index[ENTRY_BITS-1:0]),
      .write_constant(load.words[$bits(datum_t)-1:0]),
      .numbers       (constant_numbers),
      .constants     (constants)
  );

  fast_roles #(
      .TAGS(TAGS)
  ) tag_roles (
      .clk       (clk),
      .write     (load.role),
      .write_tag (load.index),
      .write_role(load.words[4:0]),
      .tags      (role_tags),
      .roles     (roles)
  );

  fast_lookup lookup (
      .clk               (clk),
      .rst               (rst),
      .strict            (settings.strict),
      .write_templates   (load.templates),
      .write_scopes      (load.scopes),
      .write_segment     (load.segment),
      .write_index       (load.index[7:0]),
      .write_template_set(load.words),
      .write_scope_set   (load.words),
      .write_segment_data(load.words[$bits(segment_t)-1:0]),
      .valid             (find_valid),
      .is_call           (find_call),
      .explicit_id       (find_explicit),
      .map               (find_map),
      .id                (find_id),
      .scope             (find_scope),
      .last_valid        (find_last_valid),
      .last_id           (find_last_id),
      .found             (found)
  );

endmodule
