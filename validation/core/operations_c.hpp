// The suite's entries for what C has beside arithmetic and the usual functions.
#pragma once

#include "validation/core/domain.hpp"
#include "validation/core/operations_exact.hpp"

namespace mct::validation {
namespace oracle {

inline void rint(mpfr_ptr r, mpfr_srcptr x) { mpfr_rint_roundeven(r, x, MPFR_RNDN); }
/// The number that is not NaN.
inline void fmin(mpfr_ptr r, const Reals& in) { mpfr_min(r, in[0].get(), in[1].get(), MPFR_RNDN); }
inline void fmax(mpfr_ptr r, const Reals& in) { mpfr_max(r, in[0].get(), in[1].get(), MPFR_RNDN); }
inline void fdim(mpfr_ptr r, const Reals& in) { mpfr_dim(r, in[0].get(), in[1].get(), MPFR_RNDN); }

/// a + t (b - a), and |a| + |t| (|a| + |b|).
inline void lerp(mpfr_ptr r, const Reals& in) {
  // exactly: of three numbers the product and both sums
  constexpr mpfr_prec_t bits = 20000;
  Real difference(bits);
  Real product(bits);
  mpfr_sub(difference.get(), in[1].get(), in[0].get(), MPFR_RNDN);
  mpfr_mul(product.get(), difference.get(), in[2].get(), MPFR_RNDN);
  mpfr_add(r, product.get(), in[0].get(), MPFR_RNDN);
}
inline void lerp_size(mpfr_ptr r, const Reals& in) {
  Real a(64);
  Real b(64);
  mpfr_abs(a.get(), in[0].get(), MPFR_RNDD);
  mpfr_abs(b.get(), in[1].get(), MPFR_RNDD);
  mpfr_add(b.get(), b.get(), a.get(), MPFR_RNDD);
  mpfr_mul(b.get(), b.get(), in[2].get(), MPFR_RNDZ);
  mpfr_abs(b.get(), b.get(), MPFR_RNDD);
  mpfr_add(r, a.get(), b.get(), MPFR_RNDD);
}

}  // namespace oracle

/// Integers, remainders, extremes, interpolation.
template <class T, int N>
std::vector<Operation<T, N>> c_operations() {
  using X = Expansion<T, N>;
  using Xs = std::array<X, 3>;
  using Ts = std::array<T, 3>;
  static constexpr ErrorBounds b = error_bounds<N>;
  detail::ExactList<T, N> m;
  m.one(
      "rint", [](const Xs& x) { return rint(x[0]); }, oracle::rint,
      [](const Ts& x) { return T(std::nearbyint(double(x[0]))); });
  m.several(
      "remainder", 2, {1}, [](const Xs& x) { return remainder(x[0], x[1]); }, oracle::remainder,
      [](const Ts& x) { return T(std::remainder(double(x[0]), double(x[1]))); }, 0.05);
  m.several(
      "fmin", 2, {0}, [](const Xs& x) { return fmin(x[0], x[1]); }, oracle::fmin,
      [](const Ts& x) { return x[1] < x[0] || x[0] != x[0] ? x[1] : x[0]; });
  m.several(
      "fmax", 2, {0}, [](const Xs& x) { return fmax(x[0], x[1]); }, oracle::fmax,
      [](const Ts& x) { return x[0] < x[1] || x[0] != x[0] ? x[1] : x[0]; });
  Operation<T, N>& dim = m.several(
      "fdim", 2, {b.add}, [](const Xs& x) { return fdim(x[0], x[1]); }, oracle::fdim,
      [](const Ts& x) { return x[0] <= x[1] ? T(0) : T(x[0] - x[1]); });
  dim.below_largest_float_from = 0;
  dim.bound_text = bound_in_words(b.add, N, "x - y");
  Operation<T, N>& line = m.several(
      "lerp", 3, {lerp_bound<N>, 2 * b.mul_eta}, [](const Xs& x) { return lerp(x[0], x[1], x[2]); },
      oracle::lerp, nullptr, 0.5);
  line.reference = oracle::lerp_size;
  line.bound_text =
      fmt::format("{:g} u^{} (|a| + |t| (|a| + |b|)) + {:g} eta", lerp_bound<N>, N, 2 * b.mul_eta);
  line.prepare = [](const Operation<T, N>&, Xs& x) {
    // nothing on the way overflows
    constexpr int top = FloatTraits<T>::emax - 4;
    for (std::size_t i = 0; i < 2; ++i) x[i] = detail::fold_exponent(x[i], -top, top / 2);
    x[2] = detail::fold_exponent(x[2], -top, top / 2 - 2);
  };
  return std::move(m.list);
}

}  // namespace mct::validation
