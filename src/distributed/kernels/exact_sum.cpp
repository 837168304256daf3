// Error-free sums of blocks of numbers, for the compiler to put into registers of any width.
#include <bit>
#include <cstdint>

#include "mctensor/eft/short_format.hpp"
#include "mctensor/eft/two_sum.hpp"
#include "src/distributed/kernels/exact_sum_table.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

MCT_ALWAYS_INLINE inline double where(bool condition, double yes, double no) {
  return condition ? yes : no;
}

/// An error that is infinite or NaN comes from an operand that is, or from an overflow on the way:
/// it reaches the last level, whose error tells of it.
template <int Levels, bool Negative>
inline bool add_block(double* const* level, const double* x, std::size_t count,
                      double* __restrict lost) {
  double* const __restrict l0 = level[0];
  double* const __restrict l1 = Levels > 1 ? level[1] : nullptr;
  double* const __restrict l2 = Levels > 2 ? level[2] : nullptr;
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const HiLo<double> a = two_sum(l0[i], Negative ? -x[i] : x[i]);
    HiLo<double> b{0, a.lo};
    HiLo<double> c{0, a.lo};
    if constexpr (Levels > 1) c = b = two_sum(l1[i], a.lo);
    if constexpr (Levels > 2) c = two_sum(l2[i], b.lo);
    const double rest = c.lo;
    const bool fits = rest - rest == 0;
    l0[i] = where(fits, a.hi, l0[i]);
    if constexpr (Levels > 1) l1[i] = where(fits, b.hi, l1[i]);
    if constexpr (Levels > 2) l2[i] = where(fits, c.hi, l2[i]);
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

/// a + b where b is not 0: a zero of the lower levels has no say in the sign.
MCT_ALWAYS_INLINE inline double plus_nonzero(double a, double b) { return b == 0 ? a : a + b; }

/// The sum of the levels of element i. Three numbers: what their two leading parts leave is rounded
/// to odd and added to the first. Source: Boldo, Melquiond 2008, section 4.
template <int Levels, bool ToOdd>
MCT_ALWAYS_INLINE inline double rounded_sum(const double* const* level, std::size_t i) {
  double head = level[0][i];
  if constexpr (Levels == 1) return head;
  double rest = level[1][i];
  if constexpr (Levels > 2) {
    const HiLo<double> low = two_sum(rest, level[2][i]);
    const HiLo<double> high = two_sum(head, low.hi);
    head = low.hi == 0 ? head : high.hi;
    rest = detail::add_to_odd(high.lo, low.lo);
  }
  if constexpr (ToOdd) return rest == 0 ? head : detail::add_to_odd(head, rest);
  return plus_nonzero(head, rest);
}

template <int Levels, bool ToOdd>
inline bool round_block(const double* const* level, bool signed_zeros, std::size_t count,
                        double* rounded) {
  const double zero = signed_zeros ? -0.0 : 0.0;  // x + -0 = x, -0 + 0 = 0
  std::uint64_t special = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = rounded_sum<Levels, ToOdd>(level, i) + zero;
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
