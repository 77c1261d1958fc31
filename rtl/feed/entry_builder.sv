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
// text's further chunk comes a cycle later; no two records of a cycle have the same role.
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

  always_ff @(posedge clk) begin
    for (int i = 0; i < INSTRUMENTS; i++) begin
      if (watch_write_valid && watch_at == INSTRUMENT_BITS'(i)) begin
        unique case (watch_field_t'(watch_write_address[1:0]))
          WATCH_SECURITY_ID: watch_id_q[i] <= watch_write_data;
          WATCH_SYMBOL:      symbol_q[i] <= watch_write_data;
          WATCH_TEXT:        {session_q[i], symbol_high_q[i]} <= watch_write_data;
          default:           control_q[i] <= watch_write_data[16:0];
        endcase
      end
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

  cell_t [LANES-1:0] found, lane_q;
  logic [LANES-1:0][9:1] role, role_q;  // one bit for each role
  set_t [LANES-1:0] id_hit, symbol_hit, first_hit, length_hit, session_hit;
  set_t [LANES-1:0] id_hit_q, symbol_hit_q, first_hit_q, session_hit_q;
  set_t length_hit_q;
  logic [LANES-1:0] price_scalable, price_scalable_q, quantity_scalable, quantity_scalable_q;
  shift_t [LANES-1:0][INSTRUMENTS-1:0] price_shift, price_shift_q;
  shift_t [LANES-1:0] quantity_shift, quantity_shift_q;
  watch_reach_t [INSTRUMENTS-1:0] reach_q;
  names_t names, names_q;
  said_values_t said, said_q;
  logic opens, opens_q, opens_entries_q, opens_empty_q;
  logic opens_entries, opens_empty;
  logic [63:0] opens_length, opens_length_q;
  logic element_q, end_q, failed_q;
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
    record_match #(
        .INSTRUMENTS(INSTRUMENTS)
    ) u_match (
        .value            (s_records[l].value),
        .kind             (s_records[l].kind),
        .info             (s_records[l].info),
        .more             (found[l].more),
        .bytes            (found[l].bytes),
        .zero             (found[l].zero),
        .is_id            (role[l][ROLE_SECURITY_ID]),
        .is_symbol        (role[l][ROLE_SYMBOL]),
        .is_session       (role[l][ROLE_SESSION]),
        .is_price         (role[l][ROLE_PRICE]),
        .is_quantity      (role[l][ROLE_QUANTITY]),
        .control          (control_q),
        .reach            (reach_q),
        .security_id      (watch_id_q),
        .symbol           (symbol_q),
        .symbol_high      (symbol_high_q),
        .session          (session_q),
        .id_hit           (id_hit[l]),
        .symbol_hit       (symbol_hit[l]),
        .first_hit        (first_hit[l]),
        .length_hit       (length_hit[l]),
        .session_hit      (session_hit[l]),
        .price_scalable   (price_scalable[l]),
        .price_shift      (price_shift[l]),
        .quantity_scalable(quantity_scalable[l]),
        .quantity_shift   (quantity_shift[l])
    );
  end

  // What the lanes say together: of each role there is at most one.
  always_comb begin
    names = '0;
    said  = '0;
    for (int l = 0; l < LANES; l++) begin
      names.id |= role[l][ROLE_SECURITY_ID];
      names.id_wrong |= role[l][ROLE_SECURITY_ID] && !found[l].is_number;
      if (role[l][ROLE_SYMBOL]) begin
        names.symbol |= found[l].is_text;
        names.symbol_empty |= found[l].bytes == '0;
        names.symbol_more |= found[l].more;
        names.symbol_eight |= found[l].bytes == 4'd8;
        names.text_wrong |= !found[l].is_text;
      end
      if (role[l][ROLE_SESSION]) begin
        names.session |= found[l].is_text;
        names.session_empty |= found[l].bytes == '0;
        names.text_wrong |= !found[l].is_text;
      end
      said.has |= role[l];
      said.wrong_counter |= role[l][ROLE_RPT_SEQ] && !(found[l].is_number && found[l].fits32);
      if (role[l][ROLE_ACTION]) begin
        said.action |= found[l].choice;
        said.action_ok |= found[l].choice_ok && !found[l].is_z;
      end
      if (role[l][ROLE_ENTRY_TYPE]) begin
        said.is_order |= found[l].choice_ok && !found[l].choice[1];
        said.is_trade |= found[l].choice_ok && found[l].choice[1];
        said.side |= found[l].choice[0];
      end
      if (role[l][ROLE_ENTRY_ID]) begin
        said.id_is_text |= found[l].is_text;
        said.id_more |= found[l].is_text && found[l].more;
        said.id_no_rest |= found[l].more || found[l].bytes != 4'd8;
        said.id_wrong_kind |= !found[l].is_text && !found[l].is_number;
      end
      said.wrong_price |= role[l][ROLE_PRICE] && !found[l].is_price;
      said.wrong_quantity |= role[l][ROLE_QUANTITY] && !found[l].is_amount;
    end
  end

  // A cycle has one length at most.
  always_comb begin
    {opens, opens_entries, opens_empty} = '0;
    opens_length = '0;
    for (int l = 0; l < LANES; l++) begin
      if (s_records[l].valid && s_records[l].kind == fast_pkg::RECORD_LENGTH) begin
        opens = 1'b1;
        opens_entries |= s_records[l].role == ROLE_ENTRIES;
        opens_empty |= found[l].zero;
        opens_length |= s_records[l].value;
      end
    end
  end

  always_ff @(posedge clk) begin
    lane_q <= found;
    role_q <= role;
    id_hit_q <= id_hit;
    symbol_hit_q <= symbol_hit;
    first_hit_q <= first_hit;
    session_hit_q <= session_hit;
    length_hit_q <= length_hit[0] | length_hit[1] | length_hit[2] | length_hit[3];
    price_scalable_q <= price_scalable;
    quantity_scalable_q <= quantity_scalable;
    price_shift_q <= price_shift;
    quantity_shift_q <= quantity_shift;
    names_q <= names;
    said_q <= said;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      reach_q[i] <= '{
          by_id: control_q[i].enabled && control_q[i].by_id,
          by_symbol: control_q[i].enabled && control_q[i].symbol_length != '0,
          highest: 9'($signed(control_q[i].exponent)) + 9'sd10,
          whole_shift: shift_of('0, control_q[i].exponent)
      };
    end
    opens_q <= opens;
    opens_entries_q <= opens_entries;
    opens_empty_q <= opens_empty;
    opens_length_q <= opens_length;
    element_q <= s_element;
    end_q <= s_end;
    failed_q <= s_status != '0;
    tid_q <= s_tid;
    tstamp_q <= s_tstamp;
    if (rst) begin
      role_q <= '0;
      names_q <= '0;
      said_q <= '0;
      opens_q <= 1'b0;
      element_q <= 1'b0;
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
  logic [63:0] entries_left_q, inner_left_q;
  logic entries_last_q, inner_last_q;  // these are 1
  logic in_entry, in_message, ends_entry, deep, deep_q;
  logic outside_q;  // not in an entry, for what keeps its values then
  assign in_entry = scope_q[1];
  assign in_message = scope_q[0];
  assign ends_entry = element_q && in_entry;
  assign deep = opens_q && !opens_empty_q && (scope_q[2] || scope_q[3]);

  scope_t scope_d;
  always_comb begin
    scope_d = scope_q;
    if (opens_q && !opens_empty_q) begin
      if (in_message) scope_d = opens_entries_q ? SCOPE_ENTRY : SCOPE_ELSEWHERE;
      if (in_entry) scope_d = SCOPE_NESTED;
    end
    if (element_q) begin
      if (in_entry && entries_last_q) scope_d = SCOPE_MESSAGE;
      if (!in_entry && inner_last_q) scope_d = scope_q[2] ? SCOPE_ENTRY : SCOPE_MESSAGE;
    end
    if (end_q || rst) scope_d = SCOPE_MESSAGE;
  end

  always_ff @(posedge clk) begin
    scope_q   <= scope_d;
    outside_q <= scope_d != SCOPE_ENTRY;
    if (opens_q && !opens_empty_q) begin
      if (in_message && opens_entries_q) begin
        entries_left_q <= opens_length_q;
        entries_last_q <= opens_length_q == 64'd1;
      end else begin
        inner_left_q <= opens_length_q;
        inner_last_q <= opens_length_q == 64'd1;
      end
    end
    if (element_q && in_entry) begin
      entries_left_q <= entries_left_q - 1'b1;
      entries_last_q <= entries_left_q == 64'd2;
    end
    if (element_q && !in_entry) begin
      inner_left_q <= inner_left_q - 1'b1;
      inner_last_q <= inner_left_q == 64'd2;
    end
    deep_q <= (deep_q || deep) && !end_q;
    if (rst) deep_q <= 1'b0;
  end

  // ---------------------------------------------------------------- whose entry

  logic has_id, has_symbol, id_wrong, text_wrong;
  set_t mine;

  entry_names #(
      .INSTRUMENTS(INSTRUMENTS)
  ) u_names (
      .clk,
      .rst,
      .control     (control_q),
      .now         (names_q),
      .id_hit      (id_hit_q),
      .symbol_hit  (symbol_hit_q),
      .first_hit   (first_hit_q),
      .session_hit (session_hit_q),
      .length_hit  (length_hit_q),
      .in_entry,
      .in_message,
      .ends_entry,
      .ends_message(end_q),
      .has_id,
      .has_symbol,
      .id_wrong,
      .text_wrong,
      .mine
  );

  // ---------------------------------------------------------------- what it says

  entry_values_t values;
  shift_t [INSTRUMENTS-1:0] shifts;

  entry_values #(
      .INSTRUMENTS(INSTRUMENTS)
  ) u_values (
      .clk,
      .rst,
      .now              (said_q),
      .lane             (lane_q),
      .role             (role_q),
      .price_scalable   (price_scalable_q),
      .quantity_scalable(quantity_scalable_q),
      .price_shift      (price_shift_q),
      .quantity_shift   (quantity_shift_q),
      .outside          (outside_q),
      .ends_entry,
      .ends_message     (end_q),
      .values,
      .shift            (shifts)
  );

  // The entry, as far as it can be told without its scaled price.
  typedef struct packed {
    logic   valid;
    entry_t entry;
    shift_t price;
    shift_t quantity;
    logic   scales;
    logic   early;     // the end of a message of one cycle: its class is known a cycle later
  } draft_t;

  // What `builder_event` tells of it, a cycle later.
  typedef struct packed {
    logic listed;  // an entry, and of a class that counts
    logic named;
    logic watched;
    logic wrong_counter;
    logic wrong_id;
    logic wrong_action;
    logic wrong_quantity;
    logic no_price;
    logic wrong_price;
    logic spoilt;
    logic too_deep;
    logic message;
    logic message_failed;
  } account_t;

  draft_t draft;
  draft_t [6:3] later_q;
  shift_t shift;
  account_t account, account_q;
  builder_event_t why;
  logic has_values, needs_values, early;
  // What holds whoever's entry it is, and what its instrument's exponent makes of its price.
  logic listed, lost, spoilt, scales_quantity, wrong_price, scales_price, counts, valid_anyway;
  entry_op_t op_sound, op_other;

  always_comb begin
    early = begun_q && end_q;
    draft = '0;
    listed = ends_entry && incremental_q && !deep_q;

    // Prices and quantities count where an order or a trade is told; all of it but for a delete.
    has_values = values.is_order || (values.is_trade && values.action != 2'd2);
    needs_values = has_values && values.action != 2'd2;
    draft.quantity = has_values ? values.quantity_shift : '0;
    scales_quantity = has_values && values.quantity_shift.digits != '0;
    spoilt = values.wrong_counter || values.wrong_id || text_wrong || !values.action_ok
        || values.wrong_quantity || values.wrong_price
        || (needs_values && !(values.has_quantity && values.has_price))
        || (has_values && values.quantity_shift.wrong);
    lost = (listed && id_wrong) || (end_q && (deep_q || deep) && incremental_q);
    op_sound = !has_values ? ENTRY_OTHER : values.is_trade ? ENTRY_TRADE
        : entry_op_t'({2'b0, values.action});
    if (spoilt) op_sound = ENTRY_BROKEN;
    op_other = lost ? ENTRY_LOST : ENTRY_END;
    valid_anyway = (listed && id_wrong) || (end_q && (early || incremental_q || failed_q));
  end

  // Whose it is comes last: of what hangs on it, as little as there is.
  always_comb begin
    shift = '0;
    wrong_price = 1'b0;
    scales_price = 1'b0;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      if (mine[i]) shift |= shifts[i];
      wrong_price |= mine[i] && shifts[i].wrong && has_values;
      scales_price |= mine[i] && shifts[i].digits != '0;
    end
    counts = listed && mine != '0;
  end

  draft_t told;
  always_comb begin
    told = draft;
    told.entry = '{
        op: op_other,
        side: values.side,
        id: values.id,
        price: values.has_price ? values.price : '0,
        quantity: values.has_quantity ? values.quantity : '0,
        rpt_seq: values.rpt_seq,
        last: end_q,
        bad: end_q && failed_q,
        tid: tid_q,
        tstamp: tstamp_q,
        default: '0
    };
    for (int i = 0; i < INSTRUMENTS; i++) begin
      if (mine[i]) told.entry.instrument |= INSTRUMENT_BITS'(i);
    end
    told.price = has_values ? shift : '0;
    // The end of a message that no entry tells is told too.
    told.valid = counts || valid_anyway;
    told.early = early;
    if (counts && !lost) told.entry.op = wrong_price ? ENTRY_BROKEN : op_sound;
    // A wrong price has no digits to be scaled by.
    told.scales = counts && !lost && has_values && !spoilt
        && (scales_price || (scales_quantity && !wrong_price));

    account = '{
        listed: listed,
        named: has_id || has_symbol,
        watched: mine != '0,
        wrong_counter: values.wrong_counter || id_wrong,
        wrong_id: values.wrong_id || text_wrong,
        wrong_action: !values.action_ok,
        wrong_quantity: values.wrong_quantity || (needs_values && !values.has_quantity),
        no_price: needs_values && !values.has_price,
        wrong_price: values.wrong_price,
        spoilt: spoilt,
        too_deep: end_q && (deep_q || deep) && incremental_q,
        message: (end_q && !early && incremental_q) || (later_q[3].early && incremental_q),
        message_failed: end_q && failed_q
    };
  end

  // ---------------------------------------------------------------- stages 3 to 6: scaling

  logic direct;
  logic [63:0] scaled_price, scaled_quantity;
  logic price_over, quantity_over;

  decimal_scale u_price (
      .clk,
      .mantissa(later_q[3].entry.price),
      .shift   (later_q[3].price.digits),
      .result  (scaled_price),
      .overflow(price_over)
  );
  decimal_scale u_quantity (
      .clk,
      .mantissa(later_q[3].entry.quantity),
      .shift   (later_q[3].quantity.digits),
      .result  (scaled_quantity),
      .overflow(quantity_over)
  );

  // Where nothing is under way the draft is shown, and `direct` only says whether it counts.
  assign direct = told.valid && !told.scales && !early && !later_q[3].valid
      && !later_q[4].valid && !later_q[5].valid && !later_q[6].valid;

  always_ff @(posedge clk) begin
    later_q[3] <= told;
    later_q[3].valid <= told.valid && !direct;
    later_q[6:4] <= later_q[5:3];
    if (later_q[3].early && !incremental_q && !later_q[3].entry.bad) later_q[4].valid <= 1'b0;
    if (rst) begin
      for (int stage = 3; stage <= 6; stage++) later_q[stage].valid <= 1'b0;
      later_q[3].early <= 1'b0;
    end
  end

  always_comb begin
    m_valid = direct || later_q[6].valid;
    m_entry = told.entry;
    if (later_q[6].valid) begin
      m_entry = later_q[6].entry;
      if (later_q[6].scales) begin
        m_entry.price = scaled_price;
        m_entry.quantity = scaled_quantity;
        if (price_over || quantity_over) m_entry.op = ENTRY_BROKEN;
      end
    end
  end

  // Counted a cycle later: beside the entry, in `later_q`, whether it was shown or not.
  always_comb begin
    why = '0;
    if (account_q.listed && account_q.watched) begin
      why.bad_counter = account_q.wrong_counter;
      why.bad_entry_id = account_q.wrong_id;
      why.bad_action = account_q.wrong_action;
      why.bad_quantity = account_q.wrong_quantity || later_q[3].quantity.wrong;
      why.no_price = account_q.no_price;
      why.price_overflow = account_q.wrong_price || later_q[3].price.over;
      why.price_inexact = later_q[3].price.inexact;
      why.entry = !account_q.spoilt && !later_q[3].price.wrong;
    end
    why.too_deep = account_q.too_deep;
    why.message = account_q.message;
    why.message_failed = account_q.message_failed;
    why.unwatched = account_q.listed && account_q.named && !account_q.watched;
    why.no_instrument = account_q.listed && !account_q.named;
  end

  builder_event_t event_q;
  logic price_over_q, quantity_over_q;
  assign builder_event = event_q;
  always_ff @(posedge clk) begin
    account_q <= account;
    price_over_q <= later_q[6].valid && later_q[6].scales && price_over;
    quantity_over_q <= later_q[6].valid && later_q[6].scales && quantity_over;
    event_q <= why;
    event_q.price_overflow <= why.price_overflow || price_over_q;
    event_q.bad_quantity <= why.bad_quantity || quantity_over_q;
    if (rst) begin
      account_q <= '0;
      price_over_q <= 1'b0;
      quantity_over_q <= 1'b0;
      event_q <= '0;
    end
  end

endmodule
