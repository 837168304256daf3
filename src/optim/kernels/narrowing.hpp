// Rows of floats as 16-bit numbers, and back.
#pragma once

#include "src/optim/kernels/lane_pairs.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// to[i] = T(from[i]), rounded to nearest even, of numbers that are not NaN.
template <class T>
void narrow_floats(const float* from, void* to, std::size_t count) {
  using V = widest_batch<float>;
  using Round = RoundLanes<T, V>;
  auto* const numbers = static_cast<T*>(to);
  std::size_t i = 0;
  for (; i + lanes<V> <= count; i += lanes<V>)
    store_narrow(Round::nearest(load_lanes<V>(from + i)), numbers + i);
  for (; i < count; ++i) numbers[i] = T(from[i]);
}

/// Exact.
template <class T>
void widen_to_floats(const void* from, float* to, std::size_t count) {
  using V = widest_batch<float>;
  const auto* const numbers = static_cast<const T*>(from);
  std::size_t i = 0;
  for (; i + lanes<V> <= count; i += lanes<V>) store_lanes(load_converted<V>(numbers + i), to + i);
  for (; i < count; ++i) to[i] = float(numbers[i]);
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
