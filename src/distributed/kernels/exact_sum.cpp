// Error-free sums of blocks of numbers, for the compiler to put into registers of any width.
#include <bit>
#include <cstdint>

#include "src/distributed/kernels/exact_levels.hpp"
#include "src/distributed/kernels/exact_sum_table.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

template <int Levels, bool Negative>
inline bool add_block(double* const* level, const double* x, std::size_t count,
                      double* __restrict lost) {
  double* const __restrict l0 = level[0];
  double* const __restrict l1 = Levels > 1 ? level[1] : nullptr;
  double* const __restrict l2 = Levels > 2 ? level[2] : nullptr;
  std::uint64_t any = 0;
  double none = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double rest = add_to_levels<Levels>(l0[i], Levels > 1 ? l1[i] : none,
                                              Levels > 2 ? l2[i] : none, Negative ? -x[i] : x[i]);
    lost[i] = rest;
    any |= std::bit_cast<std::uint64_t>(rest) << 1;
  }
  return any != 0;
}

template <bool Negative>
inline bool add(double* const* level, int levels, const double* x, std::size_t count,
                double* lost) {
  if (levels == 1) return add_block<1, Negative>(level, x, count, lost);
  return levels == 2 ? add_block<2, Negative>(level, x, count, lost)
                     : add_block<3, Negative>(level, x, count, lost);
}

template <int Levels, bool ToOdd>
inline bool round_block(const double* const* level, bool signed_zeros, std::size_t count,
                        double* rounded) {
  const double zero = signed_zeros ? -0.0 : 0.0;  // x + -0 = x, -0 + 0 = 0
  std::uint64_t special = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = rounded_sum<Levels, ToOdd>(level[0][i], Levels > 1 ? level[1][i] : 0,
                                                Levels > 2 ? level[2][i] : 0) +
                     zero;
    rounded[i] = x;
    special |= std::bit_cast<std::uint64_t>(x - x) << 1;
  }
  return special == 0;
}

inline bool round_levels(const double* const* level, int levels, bool to_odd, bool signed_zeros,
                         std::size_t count, double* rounded) {
  if (levels == 1) return round_block<1, false>(level, signed_zeros, count, rounded);
  if (levels == 2)
    return to_odd ? round_block<2, true>(level, signed_zeros, count, rounded)
                  : round_block<2, false>(level, signed_zeros, count, rounded);
  return to_odd ? round_block<3, true>(level, signed_zeros, count, rounded)
                : round_block<3, false>(level, signed_zeros, count, rounded);
}

inline void negate_zeros(double* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = where(x[i] == 0, -0.0, x[i]);
}

/// The bits that do not fit into a float are cut off, and the last remaining bit tells whether they
/// were 0. Numbers below the normal floats are multiples of 2^-133, and fit.
inline void round_to_odd_floats(const double* x, std::size_t count, float* rounded) {
  constexpr std::uint64_t cut = (std::uint64_t(1) << 29) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(x[i]);
    const std::uint64_t sticky = ((bits & cut) + cut) & ~cut;
    rounded[i] = float(std::bit_cast<double>((bits & ~cut) | sticky));
  }
}

template <class T>
inline void add_two(const T* a, const T* b, T* sum, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const T s = a[i] + b[i];
    sum[i] = s == s ? s : FloatTraits<T>::nan;
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct {

namespace distributed_detail::MCT_KERNELS {

const ExactSumTable& exact_sum_table() {
  static constexpr ExactSumTable table = {&kernels::add<false>,          &kernels::add<true>,
                                          &kernels::round_levels,        &kernels::negate_zeros,
                                          &kernels::round_to_odd_floats, &kernels::add_two<float>,
                                          &kernels::add_two<double>};
  return table;
}

}  // namespace distributed_detail::MCT_KERNELS
}  // namespace mct
