// Literals like 1.1_f64x2. The number as it is written is rounded to all limbs; it is not rounded
// to a double first.
//
// Error: as from_string (io.hpp), half an ulp of the last limb. Domain: every number that a literal
// can write. Source: io.hpp.
#pragma once

#include "mctensor/expansion/io.hpp"

namespace mct::literals {

// These are raw literal operators: they get the digits as written, so 0.1_f64x2 is 0.1 to 106 bits.
// Every C++ number is accepted, also in hexadecimal, binary or octal form and with digit
// separators. Literals are correctly rounded, as by from_string. They are not constant expressions.
#define MCT_LITERAL(name) \
  inline name operator""_##name(const char* token) { return io_detail::from_literal<name>(token); }
MCT_LITERAL(f64x1)
MCT_LITERAL(f64x2)
MCT_LITERAL(f64x3)
MCT_LITERAL(f64x4)
MCT_LITERAL(f32x1)
MCT_LITERAL(f32x2)
MCT_LITERAL(f32x3)
MCT_LITERAL(f32x4)
MCT_LITERAL(f16x1)
MCT_LITERAL(f16x2)
MCT_LITERAL(f16x3)
MCT_LITERAL(bf16x1)
MCT_LITERAL(bf16x2)
MCT_LITERAL(bf16x3)
#undef MCT_LITERAL

}  // namespace mct::literals
