// A float weight as theta and low of a strategy.
#pragma once

#include <bit>
#include <cstdint>

#include "mctensor/optim/strategy.hpp"
#include "src/optim/split_float.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// The bits of both. `low` has as many bits as an element of that array; in lower bytes the bit of
/// the scales is left out.
struct SplitWeight {
  std::uint16_t theta;
  std::uint32_t low;
};

/// For theta in the 16-bit format T.
template <class T>
MCT_HD inline SplitWeight split_weight(optim::LowPart low, float weight) {
  if (low == optim::LowPart::lower_byte) {
    const auto parts = split_short_float(weight);
    return {parts.high, lower_byte_of(parts)};
  }
  if (low == optim::LowPart::lower_bits) {
    const auto parts = split_float(weight);
    return {parts.high, parts.low};
  }
  const T theta(weight);
  if (low == optim::LowPart::master) return {theta.bits(), std::bit_cast<std::uint32_t>(weight)};
  if (low == optim::LowPart::none) return {theta.bits(), 0};
  return {theta.bits(), T(weight - float(theta)).bits()};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
