// What the host says about a watched instrument, and a record as the entry builder sees it.
package watch_pkg;

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

  // How far to shift a decimal: by `digits` upwards; or why it cannot be, and then `digits` is 0.
  typedef struct packed {
    logic       wrong;    // one of these
    logic       inexact;  // downwards
    logic       over;     // by more than ten digits
    logic [3:0] digits;
  } shift_t;

  // What follows from an instrument's control, kept in registers.
  typedef struct packed {
    logic              by_id;        // watched, and has a SecurityID
    logic              by_symbol;    // watched, and has a symbol
    logic signed [8:0] highest;      // the highest exponent that can be multiplied
    shift_t            whole_shift;  // of an integer
  } watch_reach_t;

  // One record, decoded.
  typedef struct packed {
    logic [63:0] value;
    logic        is_number;   // an integer, not below 0
    logic        is_text;
    logic        more;        // of a text: it goes on
    logic [3:0]  bytes;       // of a text
    logic        is_price;    // a decimal, or an integer within 64 bits signed
    logic        is_amount;   // a number, or a decimal not below 0
    logic        zero;
    logic        fits32;      // below 2^32
    logic [31:0] digits;      // of a text of digits, packed decimal
    logic        not_digits;  // a text, but not of digits
    logic [1:0]  choice;      // the number, or the character '0', '1' or '2' ('z' is 2)
    logic        choice_ok;   // it is one of these
    logic        is_z;
  } cell_t;

  // Of the records of one cycle that name an instrument.
  typedef struct packed {
    logic id;             // there is one
    logic id_wrong;       // it is no number
    logic symbol;         // there is one, and it is a text
    logic symbol_empty;
    logic symbol_more;    // it goes on
    logic symbol_eight;   // it has eight bytes
    logic session;        // there is one, and it is a text
    logic session_empty;
    logic text_wrong;     // a symbol or session that is no text
  } names_t;

  // Of the other records of one cycle: which roles there are, and what is wrong or small.
  typedef struct packed {
    logic [9:1] has;
    logic       wrong_counter;
    logic [1:0] action;
    logic       action_ok;
    logic       is_order;
    logic       is_trade;
    logic       side;
    logic       id_is_text;
    logic       id_more;         // a text that goes on
    logic       id_no_rest;      // not the rest of a text: it goes on, or has not eight bytes
    logic       id_wrong_kind;   // neither a text nor a number
    logic       wrong_price;
    logic       wrong_quantity;
  } said_values_t;

  // What an entry says but for whose it is.
  typedef struct packed {
    logic [31:0] rpt_seq;
    logic [1:0]  action;          // 0 new, 1 change, 2 delete
    logic        action_ok;
    logic        is_order;
    logic        is_trade;
    logic        side;
    logic [63:0] id;
    logic        has_price;
    logic [63:0] price;
    logic        has_quantity;
    logic [63:0] quantity;
    shift_t      quantity_shift;
    logic        wrong_counter;
    logic        wrong_id;
    logic        wrong_price;
    logic        wrong_quantity;
  } entry_values_t;

  // From one exponent to another.
  function automatic shift_t shift_of(input logic signed [7:0] from, input logic signed [7:0] to);
    logic signed [8:0] up;
    up = 9'(from) - 9'(to);
    shift_of.inexact = up < 0;
    shift_of.over = up > 10;
    shift_of.wrong = shift_of.inexact || shift_of.over;
    shift_of.digits = shift_of.wrong ? '0 : up[3:0];
  endfunction

endpackage
