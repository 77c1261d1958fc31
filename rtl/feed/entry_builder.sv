// Entries of watched instruments, from the records of the FAST engine: crates/feed's normalizer for
// incremental refreshes, in logic.
//
// Up to four records a cycle come in with their roles; the element of the sequence of entries that
// ends behind them becomes one entry. Values at message level name the instrument of entries that do
// not name it themselves; of a template that says so, the message is the entry. Prices come out at the
// instrument's exponent, quantities whole.
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

    // Which templates (by number) are incremental refreshes, and of what form. None at power-up.
    input logic                           class_write_valid,
    input logic     [               11:0] class_write_address,
    input refresh_t                       class_write_data,
    // Watched instruments: {instrument, watch_field_t}.
    input logic                           watch_write_valid,
    input logic     [INSTRUMENT_BITS+1:0] watch_write_address,
    input logic     [               63:0] watch_write_data,

    output logic           m_valid,
    output entry_t         m_entry,
    output builder_event_t builder_event
);

  localparam int unsigned LANES = 4;
  localparam int unsigned PAIRS = (INSTRUMENTS + 1) / 2;
  typedef logic [INSTRUMENTS-1:0] set_t;  // of instruments

  function automatic logic [INSTRUMENT_BITS-1:0] index_of(input set_t one);
    index_of = '0;
    for (int i = 0; i < INSTRUMENTS; i++) if (one[i]) index_of |= INSTRUMENT_BITS'(i);
  endfunction

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

  refresh_t class_words[4096];
  initial class_words = '{default: '0};
  refresh_t class_q;
  logic in_range_q;
  // In time for what ends a cycle behind its message's begin. A message's end may come with its begin: it
  // takes the long way, and is judged there, a cycle behind the table.
  refresh_t refresh_q;
  logic refresh_in_range_q;
  logic incremental, is_entry;
  assign incremental = (refresh_q.entries || refresh_q.entry) && refresh_in_range_q;
  assign is_entry = refresh_q.entry && refresh_in_range_q;
  always_ff @(posedge clk) begin
    if (class_write_valid) class_words[class_write_address] <= class_write_data;
    if (s_begin) begin
      class_q <= class_words[s_template[11:0]];
      in_range_q <= s_template[15:12] == '0;
    end
    // The table takes most of a cycle: nothing else hangs on it.
    refresh_q <= class_q;
    refresh_in_range_q <= in_range_q;
  end

  // ---------------------------------------------------------------- stage 1: records by themselves

  set_t [LANES-1:0] id_hit_q, whole_hit_q, rest_hit_q, first_hit_q, session_hit_q;
  logic [LANES-1:0][63:0] value_q;
  logic [LANES-1:0][31:0] low_q;
  logic [LANES-1:0][ 7:0] info_q;
  logic [LANES-1:0] is_counter_q, is_id_q, is_number_id_q, is_price_q, is_decimal_price_q;
  logic [LANES-1:0] is_some_price_q, is_quantity_q, is_length_q;
  set_t [LANES-1:0] price_scales_q, price_beyond_q;
  logic [LANES-1:0][INSTRUMENTS-1:0][3:0] price_digits_q;
  logic [LANES-1:0] quantity_scales_q, quantity_beyond_q;
  watch_reach_t [INSTRUMENTS-1:0] reach_q;
  set_t has_session;
  names_t names_q;
  said_values_t said_q;
  logic keeps_price_q, keeps_quantity_q, keeps_id_q;
  logic [1:0] opens_q, opens_one_q;
  logic opens_entries_q;
  // The other way round for wide registers, or it would be merged with the other.
  logic element_q, goes_on_q;
  logic end_q, failed_q;
  logic end_told_q;  // that of a message of any class, of a single cycle or with an error
  logic early_q;  // of a message of a single cycle
  logic clear_q;  // the message ends, or a reset
  logic [TID_BITS-1:0] tid_q;
  logic [63:0] tstamp_q;

  entry_records #(
      .INSTRUMENTS(INSTRUMENTS)
  ) u_records (
      .clk,
      .rst,
      .records         (s_records),
      .control         (control_q),
      .reach           (reach_q),
      .security_id     (watch_id_q),
      .symbol          (symbol_q),
      .symbol_high     (symbol_high_q),
      .session         (session_q),
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
      .is_length       (is_length_q),
      .id_hit          (id_hit_q),
      .whole_hit       (whole_hit_q),
      .rest_hit        (rest_hit_q),
      .first_hit       (first_hit_q),
      .session_hit     (session_hit_q),
      .price_scales    (price_scales_q),
      .price_beyond    (price_beyond_q),
      .price_digits    (price_digits_q),
      .quantity_scales (quantity_scales_q),
      .quantity_beyond (quantity_beyond_q),
      .names           (names_q),
      .said            (said_q),
      .keeps_price     (keeps_price_q),
      .keeps_quantity  (keeps_quantity_q),
      .keeps_id        (keeps_id_q),
      .opens           (opens_q),
      .opens_one       (opens_one_q),
      .opens_entries   (opens_entries_q)
  );

  always_ff @(posedge clk) begin
    for (int i = 0; i < INSTRUMENTS; i++) begin
      reach_q[i] <= '{
          by_id: control_q[i].enabled && control_q[i].by_id,
          by_symbol: control_q[i].enabled && control_q[i].symbol_length != '0,
          has_session: control_q[i].session_length != '0,
          sixteen_up: control_q[i].exponent[7:4] + 4'd1,
          can_up: control_q[i].exponent[7:4] != 4'd7
      };
    end
    element_q <= s_element && !rst;
    goes_on_q <= !s_element || rst;
    end_q <= s_end && !rst;
    end_told_q <= s_end && (s_begin || s_status != '0) && !rst;
    early_q <= s_begin && s_end && !rst;
    clear_q <= s_end || rst;
    failed_q <= s_status != '0;
    tid_q <= s_tid;
    tstamp_q <= s_tstamp;
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
  logic in_entry, in_message, ends_entry, opens_some, deep, deep_d, deep_q;
  // Of a template in range: an element, and no sequence in it was too deep; a complete message.
  logic element_ends_q, message_ends_q;
  logic early_ends_q;  // a complete message of one cycle: it may be an entry
  logic enters;  // the sequence of entries, if it has any
  logic nested_q;  // in any other sequence
  assign in_entry = scope_q[1];
  assign in_message = scope_q[0];
  assign ends_entry = element_q && in_entry;
  assign opens_some = opens_q != '0;
  assign enters = opens_entries_q && in_message;
  assign deep = opens_some && nested_q;

  scope_t scope_d;
  assign deep_d = (deep_q || deep) && !clear_q;
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
    nested_q  <= scope_d[2] || scope_d[3];
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
    deep_q <= deep_d;
    element_ends_q <= s_element && scope_d == SCOPE_ENTRY && !deep_d && in_range_q && !rst;
    message_ends_q <= s_end && s_status == '0 && in_range_q && !rst;
    early_ends_q <= s_begin && s_end && s_status == '0 && !rst;
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
      .id_hit     (id_hit_q),
      .whole_hit  (whole_hit_q),
      .rest_hit   (rest_hit_q),
      .first_hit  (first_hit_q),
      .session_hit(session_hit_q),
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
  logic [INSTRUMENTS-1:0][3:0] digits;

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
      .price_scales    (price_scales_q),
      .price_beyond    (price_beyond_q),
      .price_digits    (price_digits_q),
      .quantity_scales (quantity_scales_q),
      .quantity_beyond (quantity_beyond_q),
      .outside         (scope_q[2]),
      .ends_entry      (!goes_on_q && in_entry),
      .clear           (clear_q || enters),
      .values,
      .wrong,
      .scales,
      .beyond,
      .digits
  );

  // An entry on the long way. Its price and quantity are beside it: a product with 1 where nothing has to
  // be multiplied.
  typedef struct packed {
    logic valid;
    logic scales;
    logic early;  // the end of a message of one cycle: its class is known a cycle later
    entry_op_t op;  // from stage 4 on, and so is its instrument
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
    logic [63:0]           price;
    logic [63:0]           quantity;
    logic                  price_scales;
    logic [PAIRS-1:0][3:0] price_digits;     // what each pair of instruments says of them
    logic [7:0]            price_exponent;
    logic [3:0]            quantity_digits;
    logic                  quantity_scales;
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
  // Of that of stage 3, where its op and its instrument are not worked out yet.
  entry_op_t op_fits_q, op_other_q, op_none_q;
  logic fits_q;
  set_t mine_q;
  operands_t operands, operands_q;
  account_t account, account_q;
  builder_event_t why;
  logic has_values, needs_values, quiet, long_way;
  logic [63:0] scaled_price, scaled_quantity;
  logic price_over, quantity_over;
  // What holds whoever's entry it is, and what its instrument's exponent makes of its price.
  logic listed, refresh_ends, lost, too_deep, spoilt, valid_anyway;
  set_t scales_if, fits_if;
  // By pairs of instruments, so that nothing is put in their way.
  logic [PAIRS-1:0] scales_pair, fits_pair;
  logic can_scale, any, tells_one, scales_mine, fits_mine;
  // What is told in each case: of an instrument's entry whose price fits its exponent, or does not, or
  // of none.
  entry_op_t op_fits, op_other, op_none, op_later;
  logic [3:0] shows_fits, shows_other, shows_none;
  // Shown or kept in any case, or with an instrument's entry.
  logic shows_anyway, shows_any, keeps_anyway, keeps_any, scales_now;

  always_comb begin
    listed = (element_ends_q && refresh_q.entries) || (message_ends_q && refresh_q.entry)
        || early_ends_q;
    refresh_ends = end_q && incremental;
    too_deep = refresh_ends && (deep_q || deep);

    // Prices and quantities count where an order or a trade is told; all of it but for a delete.
    has_values = values.is_told && !(values.trade && values.is_delete);
    needs_values = values.is_told && !values.is_delete;
    spoilt = wrong || !values.action_ok
        || (needs_values && !(values.has_quantity && values.has_price))
        || (has_values && values.quantity_beyond);
    lost = (listed && id_wrong) || too_deep;
    valid_anyway = (listed && id_wrong) || end_told_q || refresh_ends;
    can_scale = has_values && !spoilt;
    tells_one = listed && !lost;
    // A price that cannot be scaled breaks the entry: then its quantity is not.
    scales_if = scales | (~beyond & {INSTRUMENTS{values.quantity_scales}});
    fits_if = ~beyond;
    op_none = lost ? ENTRY_LOST : ENTRY_END;
    op_other = !tells_one ? op_none : spoilt || has_values ? ENTRY_BROKEN : ENTRY_OTHER;
    op_fits = !(tells_one && can_scale) ? op_other
        : values.trade ? ENTRY_TRADE : entry_op_t'({2'b0, values.action});

    // Where nothing is under way the draft is shown, and `m_valid` only says whether it counts.
    quiet = !early_q && !later_q[3].valid && !later_q[4].valid && !later_q[5].valid
        && !later_q[6].valid;
    shows_anyway = later_q[6].valid || (quiet && valid_anyway);
    shows_any = quiet && listed;
    keeps_anyway = !quiet && valid_anyway;
    keeps_any = !quiet && listed;
    scales_now = quiet && tells_one && can_scale;
    op_later = (price_over || quantity_over) && later_q[6].scales ? ENTRY_BROKEN : later_q[6].op;
    shows_fits = later_q[6].valid ? op_later : op_fits;
    shows_other = later_q[6].valid ? op_later : op_other;
    shows_none = later_q[6].valid ? op_later : op_none;
  end

  // Whose it is comes last: of what hangs on it, as little as there is.
  always_comb begin
    any = mine != '0;
    {scales_pair, fits_pair} = '0;
    for (int i = 0; i < INSTRUMENTS; i++) begin
      scales_pair[i/2] |= mine[i] && scales_if[i];
      fits_pair[i/2] |= mine[i] && fits_if[i];
    end
    scales_mine = scales_pair != '0;
    fits_mine = fits_pair != '0;
    long_way = scales_now && scales_mine;

    told = '{
        // The end of a message that no entry tells is told too.
        valid: keeps_anyway || (keeps_any && any) || long_way,
        scales: scales_mine && tells_one && can_scale,
        early: early_q,
        op: ENTRY_END,
        instrument: '0,
        side: values.side,
        id: values.id,
        rpt_seq: values.rpt_seq,
        last: end_q,
        bad: end_q && failed_q,
        tid: tid_q,
        tstamp: tstamp_q
    };

    operands = '{
        price: values.price,
        quantity: values.quantity,
        price_scales: (mine & scales) != '0,
        price_digits: '0,
        price_exponent: values.price_exponent,
        quantity_digits: values.quantity_digits,
        quantity_scales: values.quantity_scales
    };
    for (int i = 0; i < INSTRUMENTS; i++) begin
      operands.price_digits[i/2] |= digits[i] & {4{mine[i]}};
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
        message: (refresh_ends && !early_q) || (later_q[3].early && incremental),
        message_failed: end_q && failed_q
    };
  end

  // ---------------------------------------------------------------- stages 3 to 6: scaling

  // The class of a message of one cycle is known by now: it was taken for an entry.
  logic no_entry;
  assign no_entry = later_q[3].early && !is_entry;

  // Of the pairs, one at most says more than 0.
  logic [3:0] price_digits;
  always_comb begin
    price_digits = '0;
    for (int p = 0; p < PAIRS; p++) price_digits |= operands_q.price_digits[p];
  end

  // What is broken, or no entry, does not overflow; or it does not count.
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

  always_ff @(posedge clk) begin
    operands_q <= operands;
    later_q[3] <= told;
    mine_q <= mine;
    fits_q <= fits_mine;
    op_fits_q <= op_fits;
    op_other_q <= op_other;
    op_none_q <= op_none;
    later_q[6:4] <= later_q[5:3];
    later_q[4].op <= account_q.watched ? (fits_q ? op_fits_q : op_other_q) : op_none_q;
    if (no_entry) begin
      later_q[4].op <= ENTRY_END;
      later_q[4].scales <= 1'b0;
    end
    later_q[4].instrument <= index_of(mine_q);
    if (later_q[3].early && !incremental && !later_q[3].bad) later_q[4].valid <= 1'b0;
    if (rst) begin
      for (int stage = 3; stage <= 6; stage++) later_q[stage].valid <= 1'b0;
      later_q[3].early <= 1'b0;
    end
  end

  always_comb begin
    m_valid = (shows_anyway || (shows_any && any)) && !long_way;
    m_entry = '{
        op: entry_op_t'(!any ? shows_none : fits_mine ? shows_fits : shows_other),
        instrument: later_q[6].valid ? later_q[6].instrument : index_of(mine),
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

  // Counted two cycles later: beside the entry, in `later_q`, whether it was shown or not.
  account_t why_q;
  always_comb begin
    why = '0;
    if (why_q.listed && why_q.watched) begin
      why.bad_counter = why_q.wrong_counter;
      why.bad_entry_id = why_q.wrong_id;
      why.bad_action = why_q.wrong_action;
      why.bad_quantity = why_q.wrong_quantity;
      why.no_price = why_q.no_price;
      why.price_overflow = why_q.wrong_price;
      why.entry = !why_q.spoilt && !why_q.price_beyond;
    end
    why.too_deep = why_q.too_deep;
    why.message = why_q.message;
    why.message_failed = why_q.message_failed;
    why.unwatched = why_q.listed && why_q.named && !why_q.watched;
    why.no_instrument = why_q.listed && !why_q.named;
  end

  builder_event_t event_q;
  logic price_over_q, quantity_over_q;
  // From its instrument's exponent to its price's: told a cycle later still.
  logic signed [8:0] up_q;
  logic up_matters;
  assign up_matters = why_q.listed && why_q.watched && why_q.price_exponent;
  logic [7:0] exponent;
  always_comb begin
    exponent = '0;
    for (int i = 0; i < INSTRUMENTS; i++) exponent |= control_q[i].exponent & {8{mine_q[i]}};
  end
  assign builder_event = event_q;
  always_ff @(posedge clk) begin
    account_q <= account;
    why_q <= account_q;
    why_q.listed <= account_q.listed && !no_entry;
    price_over_q <= later_q[6].valid && later_q[6].scales && price_over;
    quantity_over_q <= later_q[6].valid && later_q[6].scales && quantity_over;
    event_q <= why;
    up_q <= 9'($signed(operands_q.price_exponent)) - 9'($signed(exponent));
    event_q.price_inexact <= up_matters && up_q < 0;
    event_q.price_overflow <= why.price_overflow || price_over_q || (up_matters && up_q > 10);
    event_q.bad_quantity <= why.bad_quantity || quantity_over_q;
    if (rst) begin
      account_q <= '0;
      why_q <= '0;
      price_over_q <= 1'b0;
      quantity_over_q <= 1'b0;
      event_q <= '0;
    end
  end

endmodule
