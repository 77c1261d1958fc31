// What the host says about templates and watched instruments, and a record as the entry builder sees it.
package watch_pkg;

  // What the messages of a template are.
  typedef struct packed {
    logic entry;    // an incremental refresh that is its only entry, and has no sequence
    logic entries;  // an incremental refresh with a sequence of entries
  } refresh_t;

  // Fields of a watched instrument; an address is {instrument, field}.
  typedef enum logic [1:0] {
    WATCH_SECURITY_ID = 2'd0,
    WATCH_SYMBOL      = 2'd1,  // the last eight bytes of the symbol, right-aligned
    WATCH_TEXT        = 2'd2,  // 31:0 the symbol's bytes before these, 63:32 the session
    WATCH_CONTROL     = 2'd3   // watch_control_t
  } watch_field_t;

  typedef struct packed {
    logic              enabled;         // 16
    logic              by_id;           // 15: it has a SecurityID
    logic [2:0]        session_length;  // 14:12, 0 to 4
    logic [3:0]        symbol_length;   // 11:8, 0 (none) to 12
    logic signed [7:0] exponent;        // 7:0, of its prices
  } watch_control_t;

  // What follows from an instrument's control, kept in registers.
  typedef struct packed {
    logic       by_id;        // watched, and has a SecurityID
    logic       by_symbol;    // watched, and has a symbol
    logic       has_session;
    logic [3:0] sixteen_up;   // the high four bits of its exponent, one more
    logic       can_up;       // that is an exponent
  } watch_reach_t;

  // One record, decoded.
  typedef struct packed {
    logic [63:0] value;
    logic [31:0] low;          // the value's; of a text of digits, packed decimal
    logic [7:0]  info;
    logic        is_number;    // an integer, not below 0
    logic        is_text;
    logic        is_decimal;
    logic        more;         // of a text: it goes on
    logic [3:0]  bytes;        // of a text
    logic        is_price;     // a decimal, or an integer within 64 bits signed
    logic        is_amount;    // a number, or a decimal not below 0
    logic        some;         // not 0
    logic        over_byte;    // 256 or more
    logic        fits32;       // below 2^32
    logic [2:0]  not_digits;   // of a text: of no bytes, or not of digits
    logic        text_choice;  // the character '0', '1' or '2'
    logic        low_choice;   // an integer, 0, 1 or 2 unless it is 256 or more
    logic        is_z;         // the character 'z'
  } cell_t;

  // Of the records of one cycle that name an instrument.
  typedef struct packed {
    logic id;             // there is one
    logic id_wrong;       // it is no number
    logic symbol;         // there is one, and it is a text
    logic symbol_empty;
    logic symbol_more;    // it goes on
    logic symbol_first;   // it goes on, and has at most four
    logic session;        // there is one, and it is a text
    logic session_empty;
    logic session_fits;   // it has at most four bytes, and does not go on
  } names_t;

  // Of the other records of one cycle: which roles there are, and what is wrong or small.
  typedef struct packed {
    logic [9:1] has;
    logic wrong_counter;
    logic wrong_name;  // a symbol or session that is no text, an id neither text nor number
    logic [1:0] action;
    logic is_delete;  // it is 2
    logic [2:0] action_ok;  // any: it is 0, 1 or 2
    logic [2:0] is_told;  // any: an order or a trade
    logic trade;  // of these
    logic side;
    logic id_is_text;
    logic id_more;  // a text that goes on
    logic id_no_rest;  // a text, and not the rest of one: it goes on, or has not eight bytes
    logic [3:0] id_not_digits;  // any
    logic wrong_price;
    logic wrong_quantity;
  } said_values_t;

  // What an entry says but for whose it is.
  typedef struct packed {
    logic [31:0] rpt_seq;
    logic [1:0]  action;           // 0 new, 1 change, 2 delete
    logic        is_delete;
    logic        action_ok;
    logic        is_told;          // an order or a trade
    logic        trade;            // of these
    logic        side;
    logic [63:0] id;
    logic        has_price;
    logic [63:0] price;
    logic        price_some;       // it is not 0
    logic [7:0]  price_exponent;
    logic        has_quantity;
    logic [63:0] quantity;
    logic [3:0]  quantity_digits;  // to be multiplied by
    logic        quantity_scales;
    logic        quantity_beyond;  // it cannot be
    logic        wrong_counter;
    logic        wrong_id;
    logic        wrong_price;
    logic        wrong_quantity;
  } entry_values_t;

  // From the low four bits of one exponent up to those of another: by how many digits, without what goes
  // beyond four bits, and whether that is upwards. By bits: carries of four bits are slower than gates.
  typedef struct packed {
    logic       upwards;
    logic [3:0] digits;
  } step_t;

  function automatic step_t step_of(input logic [3:0] from, input logic [3:0] to);
    logic [3:0] same;
    logic [2:0] less;
    logic less_two;
    same = ~(to ^ from);
    less = ~to[2:0] & from[2:0];
    less_two = less[1] || (same[1] && less[0]);
    step_of.digits[0] = !same[0];
    step_of.digits[1] = !same[1] ^ less[0];
    step_of.digits[2] = !same[2] ^ less_two;
    step_of.digits[3] = !same[3] ^ (less[2] || (same[2] && less_two));
    step_of.upwards = (to[3] && !from[3])
        || (same[3] && ((to[2] && !from[2]) || (same[2] && !less_two)));
  endfunction

  // More than ten digits.
  function automatic logic over_ten(input logic [3:0] digits);
    over_ten = digits[3] && (digits[2] || (digits[1] && digits[0]));
  endfunction

endpackage
