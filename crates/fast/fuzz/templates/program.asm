.set strict=yes reset=never preamble=0
.set max_text=65536 max_elements=65536 max_rows=1048576
.dictionary 1 2 0 0
.constant 0 1 number 18446744073709551614
.constant 1 1 bytes "A\\"
.tag 0 34 "Number"
.tag 1 55 "Symbol"
.tag 2 270 "Price"
.tag 3 271 "Size"
.tag 4 268 "Entries"
.tag 5 9 "Code"
.tag 6 - "Extra"
.template 0 1 "T"
.entry 0 0 r0
r0:     u32 @0 | ascii? @1 copy bit d0 k1 | len @4 -> seq r2                     ; Number, Symbol, Entries
        push exp @2 copy bit d0 k1 | man @2 delta d1 | u64 @3 pop -> loop        ; Price, Price, Size
r2:     -> test r4
        group @6 | i32 @5 | endgroup @6                                          ; Extra, Code, Extra
r4:     -> end
