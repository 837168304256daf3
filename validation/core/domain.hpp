// Operands brought into the domain of a function, and to its hard places.
#pragma once

#include <cmath>
#include <functional>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/hash.hpp"
#include "mctensor/math/tables/constants.hpp"
#include "mctensor/math/value.hpp"
#include "validation/core/operation.hpp"

namespace mct::validation {

namespace detail {

/// Bits that depend on every limb but not on the order of the cases: a replay repeats them.
template <class T, int N>
std::size_t scramble(const Expansion<T, N>& x) {
  std::size_t h = std::hash<Expansion<T, N>>{}(x);
  h ^= h >> 29;
  h *= 0x9e3779b97f4a7c15u;
  return h ^ (h >> 32);
}

/// x with the exponent of its leading limb brought into [low, high]; x itself if it has no
/// exponent.
template <class T, int N>
Expansion<T, N> fold_exponent(const Expansion<T, N>& x, int low, int high) {
  const double lead(x.limb[0]);
  if (lead == 0 || !std::isfinite(lead)) return x;
  const int e = std::ilogb(lead);
  if (e >= low && e <= high) return x;
  const auto target = low + int(scramble(x) % std::size_t(high - low + 1));
  return renormalize(ldexp(x, target - e));
}

/// The number of N limbs nearest to a multiple of pi/2.
template <class T, int N>
Expansion<T, N> near_half_turn(const Expansion<T, N>& x) {
  if constexpr (is_short_float_v<T>) {
    return Expansion<T, N>(near_half_turn(Expansion<float, 1>(float(x.limb[0]))).limb[0]);
  } else {
    const auto k = std::nearbyint(fold_exponent(x, 0, FloatTraits<T>::p - 1).limb[0]);
    const auto multiple =
        mct::detail::mul_five(mct::detail::constant<tables::HalfPi, T, 5>(), Expansion<T, 1>(T(k)));
    return renormalize<N>(multiple.limb);
  }
}

}  // namespace detail

/// One case in four stays anywhere in the range of the type, the others come into the domain.
template <class T, int N>
void bring_into(const Domain& domain, Expansion<T, N>& x) {
  const std::size_t h = detail::scramble(x);
  if (domain.positive && h / 64 % 16 != 0) x = abs(x);
  if (h % 4 == 0) return;
  if (h % 4 == 1 && domain.half_turns) {
    x = detail::near_half_turn(x);
    return;
  }
  if (h % 4 == 1 && !domain.centers.empty()) {
    const double center = domain.centers[h / 4 % domain.centers.size()];
    // limbs may have gaps, so a number may be nearer to the center than its last digit
    const bool anywhere = h / 1024 % 4 == 0;
    const int nearest = anywhere ? FloatTraits<T>::emin : -N * FloatTraits<T>::p;
    x = Expansion<T, N>(T(center)) + detail::fold_exponent(x, nearest, -2);
    return;
  }
  x = detail::fold_exponent(x, domain.low, domain.high);
}

/// Every operand into its domain: the `prepare` of functions.
template <class T, int N>
void bring_into_domains(const Operation<T, N>& op, std::array<Expansion<T, N>, 3>& x) {
  for (std::size_t i = 0; i < op.domains.size(); ++i) bring_into(op.domains[i], x[i]);
}

}  // namespace mct::validation
