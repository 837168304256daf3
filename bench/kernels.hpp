// The two kernels, one loop shape for every value type.
#pragma once

#include <cstddef>
#include <vector>

namespace mct::bench {

/// Independent accumulators of a dot product: enough to hide the latency of an addition, added up
/// in fixed order at the end.
inline constexpr std::size_t accumulators = 4;

/// Sum of x[i] y[i]; `multiply_add(a, b, c)` is a b + c in the type's own way.
template <class V, class MultiplyAdd>
V dot(const std::vector<V>& x, const std::vector<V>& y, MultiplyAdd multiply_add) {
  V sum[accumulators];
  for (V& s : sum) s = V(0.0);
  for (std::size_t i = 0; i < x.size(); i += accumulators)
    for (std::size_t k = 0; k < accumulators; ++k)
      sum[k] = multiply_add(x[i + k], y[i + k], sum[k]);
  for (std::size_t k = 1; k < accumulators; ++k) sum[0] = sum[0] + sum[k];
  return sum[0];
}

/// y += a x.
template <class V, class MultiplyAdd>
void axpy(const V& a, const std::vector<V>& x, std::vector<V>& y, MultiplyAdd multiply_add) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = multiply_add(a, x[i], y[i]);
}

}  // namespace mct::bench
