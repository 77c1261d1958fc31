// This cycle's records by themselves: what they say, and which of the watched instruments they name. All
// of it is in registers.
//
// Mapped by itself: no level of logic is added here because there are as many elsewhere.
(* keep_hierarchy *)
module entry_records
  import feed_pkg::*;
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4,
    localparam int unsigned LANES = 4
) (
    input logic clk,
    input logic rst,

    input fast_pkg::record_t [LANES-1:0] records,

    // Watched instruments; `reach` follows from `control` (watch_pkg).
    input watch_control_t [INSTRUMENTS-1:0]       control,
    input watch_reach_t   [INSTRUMENTS-1:0]       reach,
    input logic           [INSTRUMENTS-1:0][63:0] security_id,
    input logic           [INSTRUMENTS-1:0][63:0] symbol,
    input logic           [INSTRUMENTS-1:0][31:0] symbol_high,
    input logic           [INSTRUMENTS-1:0][31:0] session,

    // What each record is, for what waits to be chosen by it.
    output logic [LANES-1:0][           63:0]      value,
    output logic [LANES-1:0][           31:0]      low,
    output logic [LANES-1:0][            7:0]      info,
    output logic [LANES-1:0]                       is_counter,
    output logic [LANES-1:0]                       is_id,
    output logic [LANES-1:0]                       is_number_id,
    output logic [LANES-1:0]                       is_price,
    output logic [LANES-1:0]                       is_decimal_price,
    output logic [LANES-1:0]                       is_some_price,
    output logic [LANES-1:0]                       is_quantity,
    output logic [LANES-1:0]                       is_length,
    // Whom it names (record_match).
    output logic [LANES-1:0][INSTRUMENTS-1:0]      id_hit,
    output logic [LANES-1:0][INSTRUMENTS-1:0]      whole_hit,
    output logic [LANES-1:0][INSTRUMENTS-1:0]      rest_hit,
    output logic [LANES-1:0][INSTRUMENTS-1:0]      first_hit,
    output logic [LANES-1:0][INSTRUMENTS-1:0]      session_hit,
    // Of any record; of a quantity that is not 0 (record_steps).
    output logic [LANES-1:0][INSTRUMENTS-1:0]      price_scales,
    output logic [LANES-1:0][INSTRUMENTS-1:0]      price_beyond,
    output logic [LANES-1:0][INSTRUMENTS-1:0][3:0] price_digits,
    output logic [LANES-1:0]                       quantity_scales,
    output logic [LANES-1:0]                       quantity_beyond,

    // What they say together.
    output names_t             names,
    output said_values_t       said,
    // `said.has` for wide values: the other way round, or they would be merged with those.
    output logic               keeps_price,
    output logic               keeps_quantity,
    output logic               keeps_id,
    // A sequence of no elements opens nothing; that it has some is told by pairs of lanes.
    output logic         [1:0] opens,
    output logic         [1:0] opens_one,
    output logic               opens_entries
);

  typedef logic [INSTRUMENTS-1:0] set_t;  // of instruments

  cell_t [LANES-1:0] found;
  logic [LANES-1:0][9:1] role;  // one bit for each role
  logic [LANES-1:0] is_symbol, is_session, is_text_id, is_length_d;
  set_t [LANES-1:0] id_hit_d, whole_hit_d, rest_hit_d, first_hit_d, session_hit_d;
  set_t [LANES-1:0] price_scales_d, price_beyond_d;
  logic [LANES-1:0][INSTRUMENTS-1:0][3:0] price_digits_d;
  logic [LANES-1:0] quantity_scales_d, quantity_beyond_d;
  names_t names_d;
  said_values_t said_d;
  logic [1:0] opens_d, opens_one_d;
  logic opens_entries_d;

  for (genvar l = 0; l < LANES; l++) begin : g_lane
    record_decode u_decode (
        .valid  (records[l].valid),
        .role   (records[l].role),
        .kind   (records[l].kind),
        .info   (records[l].info),
        .value  (records[l].value),
        .is_role(role[l]),
        .found  (found[l])
    );
    assign is_symbol[l] = role[l][ROLE_SYMBOL] && found[l].is_text;
    assign is_session[l] = role[l][ROLE_SESSION] && found[l].is_text;
    assign is_length_d[l] = records[l].valid && records[l].kind == fast_pkg::RECORD_LENGTH;
    record_match #(
        .INSTRUMENTS(INSTRUMENTS)
    ) u_match (
        .valid      (records[l].valid),
        .role       (records[l].role),
        .kind       (records[l].kind),
        .bytes      (found[l].bytes),
        .more       (found[l].more),
        .value      (records[l].value),
        .control    (control),
        .reach      (reach),
        .security_id(security_id),
        .symbol     (symbol),
        .symbol_high(symbol_high),
        .session    (session),
        .id_hit     (id_hit_d[l]),
        .whole_hit  (whole_hit_d[l]),
        .rest_hit   (rest_hit_d[l]),
        .first_hit  (first_hit_d[l]),
        .session_hit(session_hit_d[l])
    );
    record_steps #(
        .INSTRUMENTS(INSTRUMENTS)
    ) u_steps (
        .info           (records[l].info),
        .control        (control),
        .reach          (reach),
        .price_scales   (price_scales_d[l]),
        .price_digits   (price_digits_d[l]),
        .price_beyond   (price_beyond_d[l]),
        .quantity_scales(quantity_scales_d[l]),
        .quantity_beyond(quantity_beyond_d[l])
    );
  end

  // What the lanes say together: of each role there is at most one. What is late of a lane is told by
  // pairs of them, or for each.
  always_comb begin
    names_d = '0;
    said_d  = '0;
    for (int l = 0; l < LANES; l++) begin
      names_d.id |= role[l][ROLE_SECURITY_ID];
      names_d.id_wrong |= role[l][ROLE_SECURITY_ID] && !found[l].is_number;
      is_text_id[l] = role[l][ROLE_ENTRY_ID] && found[l].is_text;
      names_d.symbol |= is_symbol[l];
      names_d.symbol_empty |= is_symbol[l] && found[l].bytes == '0;
      names_d.symbol_more |= is_symbol[l] && found[l].more;
      names_d.symbol_first |= is_symbol[l] && found[l].more && found[l].fits32;
      names_d.session |= is_session[l];
      names_d.session_empty |= is_session[l] && found[l].bytes == '0;
      names_d.session_fits |= is_session[l] && !found[l].more && found[l].fits32;
      said_d.has |= role[l];
      said_d.wrong_counter |= role[l][ROLE_RPT_SEQ] && !(found[l].is_number && found[l].fits32);
      said_d.wrong_name |= (role[l][ROLE_SYMBOL] || role[l][ROLE_SESSION]) && !found[l].is_text;
      said_d.action |= found[l].value[1:0] & {2{role[l][ROLE_ACTION]}};
      said_d.is_delete |= role[l][ROLE_ACTION] && found[l].value[1:0] == 2'd2;
      said_d.action_ok[2] |= role[l][ROLE_ACTION] && found[l].text_choice;
      said_d.action_ok[l/2] |= role[l][ROLE_ACTION] && found[l].low_choice && !found[l].over_byte;
      said_d.is_told[2] |= role[l][ROLE_ENTRY_TYPE] && (found[l].text_choice || found[l].is_z);
      said_d.is_told[l/2] |= role[l][ROLE_ENTRY_TYPE] && found[l].low_choice && !found[l].over_byte;
      said_d.trade |= role[l][ROLE_ENTRY_TYPE] && found[l].value[1];
      said_d.side |= role[l][ROLE_ENTRY_TYPE] && found[l].value[0];
      said_d.wrong_name |= role[l][ROLE_ENTRY_ID] && !found[l].is_text && !found[l].is_number;
      said_d.id_is_text |= is_text_id[l];
      said_d.id_more |= is_text_id[l] && found[l].more;
      said_d.id_no_rest |= is_text_id[l] && (found[l].more || found[l].bytes != 4'd8);
      said_d.id_not_digits[l] = is_text_id[l] && found[l].not_digits != '0;
      said_d.wrong_price |= role[l][ROLE_PRICE] && !found[l].is_price;
      said_d.wrong_quantity |= role[l][ROLE_QUANTITY] && !found[l].is_amount;
    end
  end

  // A cycle has one length at most.
  always_comb begin
    {opens_d, opens_entries_d, opens_one_d} = '0;
    for (int l = 0; l < LANES; l++) begin
      opens_d[l/2] |= is_length_d[l] && found[l].some;
      opens_entries_d |= is_length_d[l] && records[l].role == ROLE_ENTRIES;
      opens_one_d[l/2] |= is_length_d[l] && !found[l].over_byte && records[l].value[7:0] == 8'd1;
    end
  end

  always_ff @(posedge clk) begin
    for (int l = 0; l < LANES; l++) begin
      value[l] <= records[l].value;
      low[l] <= found[l].low;
      info[l] <= records[l].info;
      is_counter[l] <= role[l][ROLE_RPT_SEQ];
      is_id[l] <= role[l][ROLE_ENTRY_ID];
      is_number_id[l] <= role[l][ROLE_ENTRY_ID] && !found[l].is_text;
      is_price[l] <= role[l][ROLE_PRICE];
      is_decimal_price[l] <= role[l][ROLE_PRICE] && found[l].is_decimal;
      is_some_price[l] <= role[l][ROLE_PRICE] && found[l].some;
      is_quantity[l] <= role[l][ROLE_QUANTITY];
      quantity_scales[l] <= quantity_scales_d[l] && role[l][ROLE_QUANTITY] && found[l].some;
      quantity_beyond[l] <= quantity_beyond_d[l] && role[l][ROLE_QUANTITY] && found[l].some;
    end
    is_length <= is_length_d;
    id_hit <= id_hit_d;
    whole_hit <= whole_hit_d;
    rest_hit <= rest_hit_d;
    first_hit <= first_hit_d;
    session_hit <= session_hit_d;
    price_scales <= price_scales_d;
    price_beyond <= price_beyond_d;
    price_digits <= price_digits_d;
    names <= names_d;
    said <= said_d;
    keeps_price <= !said_d.has[ROLE_PRICE];
    keeps_quantity <= !said_d.has[ROLE_QUANTITY];
    keeps_id <= !said_d.has[ROLE_ENTRY_ID];
    opens <= rst ? '0 : opens_d;
    opens_one <= opens_one_d;
    opens_entries <= opens_entries_d;
  end

endmodule
