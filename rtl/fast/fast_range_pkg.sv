// Ranges that several stages ask for.
package fast_range_pkg;

  // Beyond -63 to 63, where a decimal's exponent must be. No sum, of which synthesis makes a carry chain.
  function automatic logic beyond_exponents(logic signed [31:0] exponent);
    return exponent[31:6] != '0 && !(&exponent[31:6] && exponent[5:0] != '0);
  endfunction

endpackage
