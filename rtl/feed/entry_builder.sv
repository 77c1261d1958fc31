// Entries of watched instruments, from the records of the FAST engine: crates/feed's normalizer for
// incremental refreshes, in logic.
//
// Up to four records a cycle come in with their roles; the element of the sequence of entries that
// ends behind them becomes one entry. Values at message level name the instrument of entries that do
// not name it themselves. Prices come out at the instrument's exponent, quantities whole.
//
// Latency: from the cycle with an element's last records to its entry 1; 5 if its price or quantity
// has to be multiplied by a power of ten, or if such an entry is less than four cycles ahead. The end
// of a message of a single cycle takes 5 too: its class comes from a block memory that long. The
// outputs are combinational from registers, for the user to register; there is no back-pressure. The
// end of a message marks the entry that ends with it (`last`), or comes as ENTRY_END.
//
// The normalizer's answer to what cannot be read is ENTRY_BROKEN; so it is here, also for what
// software can read and logic cannot: a price or quantity with more digits than its instrument's
// exponent (software divides if nothing is lost), more than ten digits fewer, an id of more than 16
// digits, an action in text of more than one character. A SecurityID that is no number, and
// sequences in sequences of an entry, are ENTRY_LOST. Symbols longer than 12 bytes are of no watched
// instrument. Ids of text are kept as packed decimal: equal where the numbers are.
//
// The engine's promises that this relies on: a sequence's length is the last record of its cycle; a
// text's further chunk comes a cycle later, before anything else of its scope; no two records of a cycle
// have the same role; integers have no `info`, and the bytes that a text does not have are 0.
module entry_builder
  import feed_pkg::*;
  import watch_pkg::*;
#(
    parameter int unsigned INSTRUMENTS = 4
) (
    input logic clk,
    input logic rst,

    // The engine's output.
    input fast_pkg::record_t [ 3:0] s_records,
    input logic                     s_begin,
    input logic              [15:0] s_template,
    input logic                     s_element,
    input logic                     s_end,
    input logic              [ 7:0] s_status,
    input logic              [ 3:0] s_tid,
    input logic              [63:0] s_tstamp,

    // Which templates (by number) are incremental refreshes. None at power-up.
    input logic                       class_write_valid,
    input logic [               11:0] class_write_address,
    input logic                       class_write_data,
    // Watched instruments: {instrument, watch_field_t}.
    input logic                       watch_write_valid,
    input logic [INSTRUMENT_BITS+1:0] watch_write_address,
    input logic [               63:0] watch_write_data,

    output logic           m_valid,
    output entry_t         m_entry,
    output builder_event_t builder_event
);

  localparam int unsigned LANES = 4;
  typedef logic [INSTRUMENTS-1:0] set_t;  // of instruments

  if (INSTRUMENTS < 1 || INSTRUMENTS > 1 << INSTRUMENT_BITS) begin : gen_bad_instruments
    $fatal(1, "%m: INSTRUMENTS %0d is not from 1 to %0d", INSTRUMENTS, 1 << INSTRUMENT_BITS);
  end

  // ---------------------------------------------------------------- what the host says

  watch_control_t [INSTRUMENTS-1:0] control_q;
  logic [INSTRUMENTS-1:0][63:0] watch_id_q, symbol_q;
  logic [INSTRUMENTS-1:0][31:0] symbol_high_q, session_q;
  logic [INSTRUMENT_BITS-1:0] watch_at;
  assign watch_at = watch_write_address[INSTRUMENT_BITS+1:2];

  // A cycle behind the port: nothing waits for it, and it goes to every instrument.
  logic [INSTRUMENTS-1:0][3:0] watch_write_q;  // one bit for each field
  logic [63:0] watch_data_q;

  always_ff @(posedge clk) begin
    watch_data_q <= watch_write_data;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      for (int f = 0; f < 4; f++) begin
        watch_write_q[i][f] <= watch_write_valid && watch_at == INSTRUMENT_BITS'(i)
            && watch_write_address[1:0] == 2'(f) && !rst;
      end
      if (watch_write_q[i][WATCH_SECURITY_ID]) watch_id_q[i] <= watch_data_q;
      if (watch_write_q[i][WATCH_SYMBOL]) symbol_q[i] <= watch_data_q;
      if (watch_write_q[i][WATCH_TEXT]) {session_q[i], symbol_high_q[i]} <= watch_data_q;
      if (watch_write_q[i][WATCH_CONTROL]) control_q[i] <= watch_data_q[16:0];
      if (rst) control_q[i] <= '0;
    end
  end

  logic class_words[4096];
  initial class_words = '{default: 1'b0};
  logic class_q, in_range_q;
  // A cycle behind the table: in time for an entry, which ends two cycles behind its message's begin at
  // the earliest. A message's end may come with its begin: it takes the long way, and is judged there.
  logic incremental_q, begun_q;
  always_ff @(posedge clk) begin
    if (class_write_valid) class_words[class_write_address] <= class_write_data;
    if (s_begin) begin
      class_q <= class_words[s_template[11:0]];
      in_range_q <= s_template[15:12] == '0;
    end
    incremental_q <= class_q && in_range_q;
    begun_q <= s_begin;
  end

  // ---------------------------------------------------------------- stage 1: records by themselves

  cell_t [LANES-1:0] found;
  logic [LANES-1:0][9:1] role;  // one bit for each role
  logic [LANES-1:0] is_length, is_symbol, is_session, is_text_id;
  set_t [LANES-1:0] id_hit, symbol_hit, first_hit, length_hit, session_hit;
  set_t [LANES-1:0] id_hit_q, symbol_hit_q, first_hit_q, length_hit_q, session_hit_q;
  logic [LANES-1:0] is_symbol_q;
  // What a lane's record is, for what waits to be chosen by it.
  logic [LANES-1:0][63:0] value_q;
  logic [LANES-1:0][31:0] low_q;
  logic [LANES-1:0][7:0] info_q;
  logic [LANES-1:0] is_counter_q, is_id_q, is_number_id_q, is_price_q, is_decimal_price_q;
  logic [LANES-1:0] is_some_price_q, is_quantity_q, is_some_quantity_q, is_length_q;
  set_t [LANES-1:0] price_scales, price_scales_q, price_beyond, price_beyond_q;
  logic [LANES-1:0] quantity_scales, quantity_scales_q, quantity_beyond, quantity_beyond_q;
  watch_reach_t [INSTRUMENTS-1:0] reach_q;
  set_t has_session;
  names_t names, names_q;
  said_values_t said;
  said_values_t said_q;
  // `said_q.has` for wide values, and `element_q` for wide registers: the other way round, or they would
  // be merged with those.
  logic keeps_price_q, keeps_quantity_q, keeps_id_q, goes_on_q;
  // A sequence of no elements opens nothing; that it has some is told by pairs of lanes.
  logic [1:0] opens, opens_q;
  logic [1:0] opens_one, opens_one_q;
  logic opens_entries, opens_entries_q;
  logic element_q, end_q, failed_q;
  logic clear_q;  // the message ends, or a reset
  logic [TID_BITS-1:0] tid_q;
  logic [63:0] tstamp_q;

  for (genvar l = 0; l < LANES; l++) begin : g_lane
    record_decode u_decode (
        .value(s_records[l].value),
        .kind (s_records[l].kind),
        .info (s_records[l].info),
        .found(found[l])
    );
    for (genvar r = 1; r <= 9; r++) begin : g_role
      assign role[l][r] = s_records[l].valid && s_records[l].role == 5'(r)
          && s_records[l].kind inside {[fast_pkg::RECORD_UNSIGNED : fast_pkg::RECORD_BYTES]};
    end
    assign is_length[l] = s_records[l].valid && s_records[l].kind == fast_pkg::RECORD_LENGTH;
    record_match #(
        .INSTRUMENTS(INSTRUMENTS)
    ) u_match (
        .value          (s_records[l].value),
        .info           (s_records[l].info),
        .bytes          (found[l].bytes),
        .control        (control_q),
        .reach          (reach_q),
        .security_id    (watch_id_q),
        .symbol         (symbol_q),
        .symbol_high    (symbol_high_q),
        .session        (session_q),
        .id_hit         (id_hit[l]),
        .symbol_hit     (symbol_hit[l]),
        .first_hit      (first_hit[l]),
        .length_hit     (length_hit[l]),
        .session_hit    (session_hit[l]),
        .price_scales   (price_scales[l]),
        .price_beyond   (price_beyond[l]),
        .quantity_scales(quantity_scales[l]),
        .quantity_beyond(quantity_beyond[l])
    );
  end

  // What the lanes say together: of each role there is at most one. What is late of a lane is told by
  // pairs of them, or for each.
  always_comb begin
    names = '0;
    said  = '0;
    for (int l = 0; l < LANES; l++) begin
      names.id |= role[l][ROLE_SECURITY_ID];
      names.id_wrong |= role[l][ROLE_SECURITY_ID] && !found[l].is_number;
      is_symbol[l] = role[l][ROLE_SYMBOL] && found[l].is_text;
      is_session[l] = role[l][ROLE_SESSION] && found[l].is_text;
      is_text_id[l] = role[l][ROLE_ENTRY_ID] && found[l].is_text;
      names.symbol |= is_symbol[l];
      names.symbol_empty |= is_symbol[l] && found[l].bytes == '0;
      names.symbol_more |= is_symbol[l] && found[l].more;
      names.symbol_eight |= is_symbol[l] && found[l].bytes == 4'd8;
      names.symbol_first |= is_symbol[l] && found[l].more && found[l].fits32;
      names.session |= is_session[l];
      names.session_empty |= is_session[l] && found[l].bytes == '0;
      names.session_fits |= is_session[l] && !found[l].more && found[l].fits32;
      said.has |= role[l];
      said.wrong_counter |= role[l][ROLE_RPT_SEQ] && !(found[l].is_number && found[l].fits32);
      said.wrong_name |= (role[l][ROLE_SYMBOL] || role[l][ROLE_SESSION]) && !found[l].is_text;
      said.action |= found[l].value[1:0] & {2{role[l][ROLE_ACTION]}};
      said.is_delete |= role[l][ROLE_ACTION] && found[l].value[1:0] == 2'd2;
      said.action_ok[2] |= role[l][ROLE_ACTION] && found[l].text_choice;
      said.action_ok[l/2] |= role[l][ROLE_ACTION] && found[l].low_choice && !found[l].over_byte;
      said.is_told[2] |= role[l][ROLE_ENTRY_TYPE] && (found[l].text_choice || found[l].is_z);
      said.is_told[l/2] |= role[l][ROLE_ENTRY_TYPE] && found[l].low_choice && !found[l].over_byte;
      said.trade |= role[l][ROLE_ENTRY_TYPE] && found[l].value[1];
      said.side |= role[l][ROLE_ENTRY_TYPE] && found[l].value[0];
      said.wrong_name |= role[l][ROLE_ENTRY_ID] && !found[l].is_text && !found[l].is_number;
      said.id_is_text |= is_text_id[l];
      said.id_more |= is_text_id[l] && found[l].more;
      said.id_no_rest |= is_text_id[l] && (found[l].more || found[l].bytes != 4'd8);
      said.id_not_digits[l] = is_text_id[l] && found[l].not_digits != '0;
      said.wrong_price |= role[l][ROLE_PRICE] && !found[l].is_price;
      said.wrong_quantity |= role[l][ROLE_QUANTITY] && !found[l].is_amount;
    end
  end

  // A cycle has one length at most.
  always_comb begin
    {opens, opens_entries, opens_one} = '0;
    for (int l = 0; l < LANES; l++) begin
      opens[l/2] |= is_length[l] && found[l].some;
      opens_entries |= is_length[l] && s_records[l].role == ROLE_ENTRIES;
      opens_one[l/2] |= is_length[l] && !found[l].over_byte && s_records[l].value[7:0] == 8'd1;
    end
  end

  always_ff @(posedge clk) begin
    for (int l = 0; l < LANES; l++) begin
      value_q[l] <= found[l].value;
      low_q[l] <= found[l].low;
      info_q[l] <= found[l].info;
      is_symbol_q[l] <= is_symbol[l];
      is_counter_q[l] <= role[l][ROLE_RPT_SEQ];
      is_id_q[l] <= role[l][ROLE_ENTRY_ID];
      is_number_id_q[l] <= role[l][ROLE_ENTRY_ID] && !found[l].is_text;
      is_price_q[l] <= role[l][ROLE_PRICE];
      is_decimal_price_q[l] <= role[l][ROLE_PRICE] && found[l].is_decimal;
      is_some_price_q[l] <= role[l][ROLE_PRICE] && found[l].some;
      is_quantity_q[l] <= role[l][ROLE_QUANTITY];
      is_some_quantity_q[l] <= role[l][ROLE_QUANTITY] && found[l].some;
    end
    is_length_q <= is_length;
    for (int l = 0; l < LANES; l++) begin
      id_hit_q[l] <= id_hit[l] & {INSTRUMENTS{role[l][ROLE_SECURITY_ID]}};
      symbol_hit_q[l] <= symbol_hit[l] & {INSTRUMENTS{is_symbol[l]}};
      length_hit_q[l] <= length_hit[l] & {INSTRUMENTS{is_symbol[l]}};
      session_hit_q[l] <= session_hit[l] & {INSTRUMENTS{is_session[l]}};
    end
    first_hit_q <= first_hit;
    price_scales_q <= price_scales;
    price_beyond_q <= price_beyond;
    quantity_scales_q <= quantity_scales;
    quantity_beyond_q <= quantity_beyond;
    names_q <= names;
    said_q <= said;
    keeps_price_q <= !said.has[ROLE_PRICE];
    keeps_quantity_q <= !said.has[ROLE_QUANTITY];
    keeps_id_q <= !said.has[ROLE_ENTRY_ID];
    for (int i = 0; i < INSTRUMENTS; i++) begin
      reach_q[i] <= '{
          by_id: control_q[i].enabled && control_q[i].by_id,
          by_symbol: control_q[i].enabled && control_q[i].symbol_length != '0,
          has_session: control_q[i].session_length != '0,
          sixteen_up: control_q[i].exponent[7:4] + 4'd1,
          can_up: control_q[i].exponent[7:4] != 4'd7
      };
    end
    opens_q <= opens;
    opens_entries_q <= opens_entries;
    opens_one_q <= opens_one;
    element_q <= s_element;
    goes_on_q <= !s_element;
    end_q <= s_end;
    clear_q <= s_end || rst;
    failed_q <= s_status != '0;
    tid_q <= s_tid;
    tstamp_q <= s_tstamp;
    if (rst) begin
      opens_q <= '0;
      element_q <= 1'b0;
      goes_on_q <= 1'b1;
      end_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- stage 2: where in the message

  // One bit each: much hangs on it.
  typedef enum logic [3:0] {
    SCOPE_MESSAGE   = 4'b0001,
    SCOPE_ENTRY     = 4'b0010,
    SCOPE_NESTED    = 4'b0100,  // in a sequence in an entry
    SCOPE_ELSEWHERE = 4'b1000   // in another sequence of the message
  } scope_t;

  scope_t scope_q;
  logic [63:0] entries_left_q, inner_left_q, opens_length;
  logic entries_last_q, inner_last_q;  // these are 1
  logic in_entry, in_message, ends_entry, opens_some, deep, deep_q;
  logic outside_q;  // not in an entry, for what keeps its values then
  assign in_entry = scope_q[1];
  assign in_message = scope_q[0];
  assign ends_entry = element_q && in_entry;
  assign opens_some = opens_q != '0;
  assign deep = opens_some && (scope_q[2] || scope_q[3]);

  scope_t scope_d;
  always_comb begin
    scope_d = scope_q;
    if (opens_some) begin
      if (in_message) scope_d = opens_entries_q ? SCOPE_ENTRY : SCOPE_ELSEWHERE;
      if (in_entry) scope_d = SCOPE_NESTED;
    end
    if (element_q) begin
      if (in_entry && entries_last_q) scope_d = SCOPE_MESSAGE;
      if (!in_entry && inner_last_q) scope_d = scope_q[2] ? SCOPE_ENTRY : SCOPE_MESSAGE;
    end
    if (clear_q) scope_d = SCOPE_MESSAGE;
    opens_length = '0;
    for (int l = 0; l < LANES; l++) if (is_length_q[l]) opens_length |= value_q[l];
  end

  always_ff @(posedge clk) begin
    scope_q   <= scope_d;
    outside_q <= scope_d != SCOPE_ENTRY;
    if (opens_some) begin
      if (in_message && opens_entries_q) begin
        entries_left_q <= opens_length;
        entries_last_q <= opens_one_q != '0;
      end else begin
        inner_left_q <= opens_length;
        inner_last_q <= opens_one_q != '0;
      end
    end
    if (!goes_on_q && in_entry) begin
      entries_left_q <= entries_left_q - 1'b1;
      entries_last_q <= entries_left_q == 64'd2;
    end
    if (!goes_on_q && !in_entry) begin
      inner_left_q <= inner_left_q - 1'b1;
      inner_last_q <= inner_left_q == 64'd2;
    end
    deep_q <= (deep_q || deep) && !clear_q;
  end

  // ---------------------------------------------------------------- whose entry

  logic named, id_wrong;
  set_t mine;
  for (genvar i = 0; i < INSTRUMENTS; i++) begin : g_session
    assign has_session[i] = reach_q[i].has_session;
  end

  entry_names #(
      .INSTRUMENTS(INSTRUMENTS)
  ) u_names (
      .clk,
      .has_session,
      .now        (names_q),
      .is_symbol  (is_symbol_q),
      .id_hit     (id_hit_q),
      .symbol_hit (symbol_hit_q),
      .first_hit  (first_hit_q),
      .session_hit(session_hit_q),
      .length_hit (length_hit_q),
      .in_entry,
      .in_message,
      .ends_entry,
      .clear      (clear_q),
      .named,
      .id_wrong,
      .mine
  );

  // ---------------------------------------------------------------- what it says

  entry_values_t values;
  logic wrong;
  set_t scales, beyond;

  entry_values #(
      .INSTRUMENTS(INSTRUMENTS)
  ) u_values (
      .clk,
      .now             (said_q),
      .keeps_price     (keeps_price_q),
      .keeps_quantity  (keeps_quantity_q),
      .keeps_id        (keeps_id_q),
      .value           (value_q),
      .low             (low_q),
      .info            (info_q),
      .is_counter      (is_counter_q),
      .is_id           (is_id_q),
      .is_number_id    (is_number_id_q),
      .is_price        (is_price_q),
      .is_decimal_price(is_decimal_price_q),
      .is_some_price   (is_some_price_q),
      .is_quantity     (is_quantity_q),
      .is_some_quantity(is_some_quantity_q),
      .price_scales    (price_scales_q),
      .price_beyond    (price_beyond_q),
      .quantity_scales (quantity_scales_q),
      .quantity_beyond (quantity_beyond_q),
      .outside         (outside_q),
      .ends_entry      (!goes_on_q && in_entry),
      .clear           (clear_q),
      .values,
      .wrong,
      .scales,
      .beyond
  );

  // An entry on the long way. Its price and quantity are beside it: a product with 1 where nothing has to
  // be multiplied.
  typedef struct packed {
    logic valid;
    logic scales;
    logic early;  // the end of a message of one cycle: its class is known a cycle later
    entry_op_t op;
    logic [INSTRUMENT_BITS-1:0] instrument;
    logic side;
    logic [63:0] id;
    logic [31:0] rpt_seq;
    logic last;
    logic bad;
    logic [TID_BITS-1:0] tid;
    logic [63:0] tstamp;
  } draft_t;

  // What its scaling takes.
  typedef struct packed {
    logic [63:0] price;
    logic [63:0] quantity;
    logic        price_scales;
    logic [7:0]  exponent;         // of its instrument
    logic [7:0]  price_exponent;
    logic [3:0]  quantity_digits;
    logic        quantity_scales;
  } operands_t;

  // What `builder_event` tells of it, a cycle later.
  typedef struct packed {
    logic listed;          // an entry, and of a class that counts
    logic named;
    logic watched;
    logic wrong_counter;
    logic wrong_id;
    logic wrong_action;
    logic wrong_quantity;
    logic no_price;
    logic wrong_price;
    logic price_exponent;  // that of its price matters
    logic price_beyond;    // it cannot be scaled
    logic spoilt;
    logic too_deep;
    logic message;
    logic message_failed;
  } account_t;

  draft_t told;
  draft_t [6:3] later_q;
  operands_t operands, operands_q;
  account_t account, account_q;
  builder_event_t why;
  logic has_values, needs_values, early, quiet;
  // What holds whoever's entry it is, and what its instrument's exponent makes of its price.
  logic listed, lost, too_deep, spoilt, scales_quantity, valid_anyway;
  (* keep *) set_t scales_if, sound_if;
  // By pairs of instruments, so that nothing is put in their way.
  (* keep *) logic [INSTRUMENTS/2:0] scales_pair, sound_pair;
  (* keep *) logic can_scale, any;
  logic tells, tells_one, scales_mine, sound_mine;
  // What is told in each case: of an instrument's entry that is sound, or is not, or of none.
  entry_op_t op_sound, op_other, op_none, op_later;
  (* keep *) logic [3:0] shows_sound, shows_other, shows_none;
  (* keep *) logic valid_scaled, valid_direct, valid_none;

  always_comb begin
    early = begun_q && end_q;
    listed = element_q && in_entry && incremental_q && !deep_q;
    too_deep = end_q && (deep_q || deep) && incremental_q;

    // Prices and quantities count where an order or a trade is told; all of it but for a delete.
    has_values = values.is_told && !(values.trade && values.is_delete);
    needs_values = values.is_told && !values.is_delete;
    scales_quantity = values.quantity_scales && values.has_quantity;
    spoilt = wrong || !values.action_ok
        || (needs_values && !(values.has_quantity && values.has_price))
        || (has_values && values.quantity_beyond);
    lost = (listed && id_wrong) || too_deep;
    valid_anyway = (listed && id_wrong) || (end_q && (early || incremental_q || failed_q));
    can_scale = has_values && !spoilt;
    tells_one = listed && !lost;
    tells = listed || valid_anyway;
    // A price that cannot be scaled breaks the entry: then its quantity is not.
    scales_if = scales | (~beyond & {INSTRUMENTS{scales_quantity}});
    sound_if = ~beyond;
    op_none = lost ? ENTRY_LOST : ENTRY_END;
    op_sound = values.trade ? ENTRY_TRADE : entry_op_t'({2'b0, values.action});
    op_other = spoilt || has_values ? ENTRY_BROKEN : ENTRY_OTHER;
  end

  // Whose it is comes last: of what hangs on it, as little as there is.
  always_comb begin
    any = mine != '0;
    {scales_pair, sound_pair} = '0;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      scales_pair[i/2] |= mine[i] && scales_if[i] && can_scale;
      sound_pair[i/2] |= mine[i] && sound_if[i] && can_scale;
    end
    scales_mine = scales_pair != '0;
    sound_mine = sound_pair != '0;

    told = '{
        // The end of a message that no entry tells is told too.
        valid: (listed && any) || valid_anyway,
        scales: scales_mine && tells_one,
        early: early,
        op: !(any && tells_one) ? op_none : sound_mine ? op_sound : op_other,
        side: values.side,
        id: values.id,
        rpt_seq: values.rpt_seq,
        last: end_q,
        bad: end_q && failed_q,
        tid: tid_q,
        tstamp: tstamp_q,
        default: '0
    };
    for (int i = 0; i < INSTRUMENTS; i++) begin
      told.instrument |= INSTRUMENT_BITS'(i) & {INSTRUMENT_BITS{mine[i]}};
    end

    operands = '{
        price: values.price,
        quantity: values.quantity,
        price_scales: (mine & scales) != '0,
        exponent: '0,
        price_exponent: values.price_exponent,
        quantity_digits: values.quantity_digits,
        quantity_scales: scales_quantity
    };
    for (int i = 0; i < INSTRUMENTS; i++) begin
      operands.exponent |= control_q[i].exponent & {8{mine[i]}};
    end

    account = '{
        listed: listed,
        named: named,
        watched: any,
        wrong_counter: values.wrong_counter || id_wrong,
        wrong_id: values.wrong_id,
        wrong_action: !values.action_ok,
        wrong_quantity:
        values.wrong_quantity
        || (
        needs_values && !values.has_quantity
        ) || (
        has_values && values.quantity_beyond
        ),
        no_price: needs_values && !values.has_price,
        wrong_price: values.wrong_price,
        price_exponent: has_values && values.price_some,
        price_beyond: has_values && (mine & beyond) != '0,
        spoilt: spoilt,
        too_deep: too_deep,
        message: (end_q && !early && incremental_q) || (later_q[3].early && incremental_q),
        message_failed: end_q && failed_q
    };
  end

  // ---------------------------------------------------------------- stages 3 to 6: scaling

  logic [63:0] scaled_price, scaled_quantity;
  logic price_over, quantity_over;
  logic unused_upwards;
  logic [3:0] price_digits;
  assign {unused_upwards, price_digits} = step_of(
      operands_q.exponent[3:0], operands_q.price_exponent[3:0]
  );

  // What is broken, or no entry, does not overflow.
  decimal_scale u_price (
      .clk,
      .mantissa(operands_q.price),
      .shift   (price_digits),
      .scales  (operands_q.price_scales && later_q[3].scales),
      .result  (scaled_price),
      .overflow(price_over)
  );
  decimal_scale u_quantity (
      .clk,
      .mantissa(operands_q.quantity),
      .shift   (operands_q.quantity_digits),
      .scales  (operands_q.quantity_scales && later_q[3].scales),
      .result  (scaled_quantity),
      .overflow(quantity_over)
  );

  // Where nothing is under way the draft is shown, and `m_valid` only says whether it counts.
  assign quiet = !early && !later_q[3].valid && !later_q[4].valid && !later_q[5].valid
      && !later_q[6].valid;

  always_ff @(posedge clk) begin
    operands_q <= operands;
    later_q[3] <= told;
    later_q[3].valid <= !any ? valid_anyway && !quiet
        : scales_mine ? tells && !(quiet && !tells_one) : tells && !quiet;
    later_q[6:4] <= later_q[5:3];
    if (later_q[3].early && !incremental_q && !later_q[3].bad) later_q[4].valid <= 1'b0;
    if (rst) begin
      for (int stage = 3; stage <= 6; stage++) later_q[stage].valid <= 1'b0;
      later_q[3].early <= 1'b0;
    end
  end

  always_comb begin
    op_later = price_over || quantity_over ? ENTRY_BROKEN : later_q[6].op;
    valid_none = later_q[6].valid || (quiet && valid_anyway);
    valid_scaled = later_q[6].valid || (quiet && (lost || (!listed && valid_anyway)));
    valid_direct = later_q[6].valid || (quiet && tells);
    shows_sound = later_q[6].valid ? op_later : op_sound;
    shows_other = later_q[6].valid ? op_later : op_other;
    shows_none = later_q[6].valid ? op_later : op_none;
    m_valid = !any ? valid_none : scales_mine ? valid_scaled : valid_direct;
    m_entry = '{
        op: entry_op_t'(!(any && tells_one) ? shows_none : sound_mine ? shows_sound : shows_other),
        instrument: later_q[6].valid ? later_q[6].instrument : told.instrument,
        side: later_q[6].valid ? later_q[6].side : told.side,
        id: later_q[6].valid ? later_q[6].id : told.id,
        price: later_q[6].valid ? scaled_price : values.price,
        quantity: later_q[6].valid ? scaled_quantity : values.quantity,
        rpt_seq: later_q[6].valid ? later_q[6].rpt_seq : told.rpt_seq,
        last: later_q[6].valid ? later_q[6].last : told.last,
        bad: later_q[6].valid ? later_q[6].bad : told.bad,
        from_host: 1'b0,
        tid: later_q[6].valid ? later_q[6].tid : told.tid,
        tstamp: later_q[6].valid ? later_q[6].tstamp : told.tstamp
    };
  end

  // Counted a cycle later: beside the entry, in `later_q`, whether it was shown or not.
  always_comb begin
    why = '0;
    if (account_q.listed && account_q.watched) begin
      why.bad_counter = account_q.wrong_counter;
      why.bad_entry_id = account_q.wrong_id;
      why.bad_action = account_q.wrong_action;
      why.bad_quantity = account_q.wrong_quantity;
      why.no_price = account_q.no_price;
      why.price_overflow = account_q.wrong_price;
      why.entry = !account_q.spoilt && !account_q.price_beyond;
    end
    why.too_deep = account_q.too_deep;
    why.message = account_q.message;
    why.message_failed = account_q.message_failed;
    why.unwatched = account_q.listed && account_q.named && !account_q.watched;
    why.no_instrument = account_q.listed && !account_q.named;
  end

  builder_event_t event_q;
  logic price_over_q, quantity_over_q;
  // From its instrument's exponent to its price's: told a cycle later still.
  logic signed [8:0] up_q;
  logic up_matters_q;
  assign builder_event = event_q;
  always_ff @(posedge clk) begin
    account_q <= account;
    price_over_q <= later_q[6].valid && later_q[6].scales && price_over;
    quantity_over_q <= later_q[6].valid && later_q[6].scales && quantity_over;
    event_q <= why;
    up_q <= 9'($signed(operands_q.price_exponent)) - 9'($signed(operands_q.exponent));
    up_matters_q <= account_q.listed && account_q.watched && account_q.price_exponent;
    event_q.price_inexact <= up_matters_q && up_q < 0;
    event_q.price_overflow <= why.price_overflow || price_over_q || (up_matters_q && up_q > 10);
    event_q.bad_quantity <= why.bad_quantity || quantity_over_q;
    if (rst) begin
      account_q <= '0;
      price_over_q <= 1'b0;
      up_matters_q <= 1'b0;
      quantity_over_q <= 1'b0;
      event_q <= '0;
    end
  end

endmodule
