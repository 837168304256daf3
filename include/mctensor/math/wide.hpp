// Arithmetic for the last steps of a function, with one limb more than the result has.
//
// In the functions of this layer all errors but the last rounding (round_limbs) are of the order
// u^N / 16. For this, large terms are computed with N + 1 limbs, and small terms with N or fewer.
#pragma once

#include "mctensor/expansion/sqrt.hpp"
#include "mctensor/expansion/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// r with normalized limbs. The last limb of r may reach half an ulp of the limb before it, or
/// follow zeros.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> carried(Expansion<T, N> r) {
  for (int i = N - 2; i >= 0; --i) {
    const auto [hi, lo] = fast_two_sum(r.limb[i], r.limb[i + 1]);
    r.limb[i] = hi;
    r.limb[i + 1] = lo;
  }
  return r;
}

/// Limb N - 1 and all limbs after it, as one rounded limb.
template <int N, class T, int W>
MCT_HD constexpr T rounded_last_limb(const Expansion<T, W>& x) {
  T tail = x.limb[W - 1];
  for (int i = W - 2; i >= N; --i) tail = tail + x.limb[i];
  return x.limb[N - 1] + tail;
}

/// The first N limbs of a normalized sequence, the last of them rounded: error <= u^N |x|.
template <int N, class T, int W>
MCT_HD constexpr Expansion<T, N> round_limbs(const Expansion<T, W>& x) {
  static_assert(W >= N);
  Expansion<T, N> r = leading<N>(x);
  if constexpr (W > N) {
    r.limb[N - 1] = rounded_last_limb<N>(x);
    r = carried(r);
  }
  return r;
}

/// The first N limbs of a number that is known up to `error` <= u^N |x| / 8. If a number of N p
/// bits lies within that error, the result is that number. So values of N p bits become exact, and
/// no other result moves by more than `error`. Source: the first limb that may hold the last of N p
/// bits is rounded to half of this bit, by an addition and subtraction of a larger number.
template <int N, class T, int W>
MCT_HD constexpr Expansion<T, N> round_limbs_near(const Expansion<T, W>& x, const T& error) {
  static_assert(W > N);
  using S = scalar_t<T>;
  const T zero(S(0));
  Expansion<T, N> r = leading<N>(x);
  r.limb[N - 1] = rounded_last_limb<N>(x);
  // limbs below this size are rounded to half of the last bit, if that changes them by at most
  // `error`
  const T size = magnitude(x.limb[0]) * T(pow2<S>(FloatTraits<T>::p - 2 - N * FloatTraits<T>::p));
  for (int i = 1; i < N; ++i) {
    const T shift = blend(r.limb[i] < zero, T(-size), size);
    const T near = (r.limb[i] + shift) - shift;
    const auto is_near = magnitude(r.limb[i]) < size && magnitude(T(r.limb[i] - near)) <= error;
    r.limb[i] = blend(is_near, near, r.limb[i]);
    for (int k = i + 1; k < N; ++k) r.limb[k] = blend(is_near, zero, r.limb[k]);
  }
  return carried(r);
}

/// One component as an expansion.
template <class T>
MCT_HD constexpr Expansion<T, 1> single(const T& a) {
  return Expansion<T, 1>(a);
}

/// A sum of several numbers for intermediate results. Limbs of the same index are added, and the
/// sum is renormalized once at the end. The error is about 4u^N times the largest term; limbs of
/// the result may overlap by a bit. If leading limbs cancel exactly, no digits are lost.
template <class T, int N>
struct RunningSum {
  Expansion<T, N> sum;  // its limbs may overlap by a few bits

  template <int M>
  MCT_HD constexpr void add(const Expansion<T, M>& x) {
    static_assert(M <= N);
    if constexpr (N == 2) {
      const auto [s0, e0] = two_sum(sum.limb[0], x.limb[0]);
      sum.limb[0] = s0;
      sum.limb[1] = plus(e0, plus(sum.limb[1], wire<1>(x)));
    } else if constexpr (N == 3) {
      const auto [s0, e0] = two_sum(sum.limb[0], x.limb[0]);
      const auto [s1, e1] = two_sum(sum.limb[1], wire<1>(x));
      const auto [t1, f1] = two_sum(s1, e0);
      sum.limb[0] = s0;
      sum.limb[1] = t1;
      sum.limb[2] = plus(plus(sum.limb[2], wire<2>(x)), plus(f1, e1));
    } else {
      sum = add_limbs(sum, x);
    }
  }

  MCT_HD constexpr Expansion<T, N> value() const {
    if constexpr (N == 2) {
      const auto [z0, z1] = two_sum(sum.limb[0], sum.limb[1]);
      return Expansion<T, 2>::from_limbs(z0, z1);
    } else if constexpr (N == 3) {
      const auto [z0, r1] = two_sum(sum.limb[0], sum.limb[1]);
      const auto [z1, z2] = two_sum(r1, sum.limb[2]);
      return Expansion<T, 3>::from_limbs(z0, z1, z2);
    } else {
      return sum;
    }
  }
};

/// a + b + ... as a running sum; a has as many limbs as the result.
template <class T, int N, class... Terms>
MCT_HD constexpr RunningSum<T, N> running_sum(const Expansion<T, N>& a, const Terms&... terms) {
  RunningSum<T, N> running{a};
  (running.add(terms), ...);
  return running;
}
template <class T, int N, class... Terms>
MCT_HD constexpr Expansion<T, N> quick_sum(const Expansion<T, N>& a, const Terms&... terms) {
  return running_sum(a, terms...).value();
}

/// c + s for |s| < |c| / 4. Like quick_sum, but cheaper, because the order of the leading limbs is
/// known.
template <class T, int N, int M>
MCT_HD constexpr Expansion<T, N> add_smaller(const Expansion<T, N>& c, const Expansion<T, M>& s) {
  static_assert(M <= N);
  if constexpr (N == 2) {
    const auto [h, e] = fast_two_sum(c.limb[0], s.limb[0]);
    const auto [z0, z1] = fast_two_sum<T>(h, plus(e, plus(c.limb[1], wire<1>(s))));
    return Expansion<T, 2>::from_limbs(z0, z1);
  } else if constexpr (N == 3) {
    const auto [s0, e0] = fast_two_sum(c.limb[0], s.limb[0]);
    const auto [s1, e1] = two_sum(c.limb[1], wire<1>(s));
    const auto [t1, f1] = two_sum(s1, e0);
    const T t2 = plus(plus(c.limb[2], wire<2>(s)), plus(f1, e1));
    const auto [z0, r1] = fast_two_sum(s0, t1);
    const auto [z1, z2] = fast_two_sum(r1, t2);
    return Expansion<T, 3>::from_limbs(z0, z1, z2);
  } else {
    return add_limbs(c, s);
  }
}

/// x - c n, where x and c n differ by less than a factor of two. So the difference of their leading
/// limbs is exact (Sterbenz). c may have fewer limbs than the result. Error: some u^W |x|.
template <int W, class T, int M, int K>
MCT_HD constexpr Expansion<T, W> cancelling_remainder(const Expansion<T, M>& x,
                                                      const Expansion<T, K>& c, const T& n) {
  if constexpr (W == 3) {
    const T minus_n = -n;
    const auto [p0, e0] = two_prod(c.limb[0], minus_n);
    const auto [p1, e1] = two_prod(wire<1>(c), minus_n);
    const auto p2 = times(wire<2>(c), minus_n);
    const auto [a, b] = two_sum(wire<1>(x), p1);
    const auto [t1, d] = two_sum(a, e0);
    const auto t2 = plus(plus(b, d), plus(e1, plus(p2, wire<2>(x))));
    const auto [z0, r1] = two_sum(T(x.limb[0] + p0), t1);
    const auto [z1, z2] = two_sum(r1, t2);
    return Expansion<T, 3>::from_limbs(z0, z1, z2);
  } else {
    return quick_sum(mul_widening<W>(c, single(T(-n))), x);
  }
}

/// x / y for operands of moderate size. For N = 3 the limbs follow from nearly exact remainders,
/// with an error of about u^(N-1) / 32. For other N the error is not larger.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> quick_quotient(const Expansion<T, N>& x,
                                                const Expansion<T, N>& y) {
  if constexpr (N == 3) {
    const T inverse = T(scalar_t<T>(1)) / y.limb[0];
    const T q0 = x.limb[0] * inverse;
    const auto [p0, e0] = two_prod(q0, y.limb[0]);
    const auto [p1, e1] = two_prod(q0, y.limb[1]);
    const auto [a0, a1] = two_sum(T(x.limb[0] - p0), T(-e0));
    const auto [b0, b1] = two_sum(x.limb[1], T(-p1));
    const auto [r0, c1] = two_sum(a0, b0);
    const T r1 = ((a1 + b1) + c1) + (multiply_add<T>(-q0, y.limb[2], x.limb[2]) - e1);
    const T q1 = r0 * inverse;
    const auto [p2, e2] = two_prod(q1, y.limb[0]);
    const T s = ((r0 - p2) - e2) + multiply_add<T>(-q1, y.limb[1], r1);
    const T q2 = s * inverse;
    const auto [z0, t] = fast_two_sum(q0, q1);
    const auto [z1, z2] = fast_two_sum(t, q2);
    return Expansion<T, 3>::from_limbs(z0, z1, z2);
  } else {
    return div_limbs(x, y);
  }
}

/// x / y for a divisor of any finite size, if the quotient is within range.
template <class T, int N>
MCT_HD inline Expansion<T, N> scaled_quotient(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  const PowerOfTwoScale<T> s = scale_to_unit(y.limb[0]);
  const auto unit = scale_limbs(scale_limbs(y, s.first), s.second);
  return scale_limbs(scale_limbs(quick_quotient(x, unit), s.second), s.first);
}

/// a + b with as many limbs as the longer one.
template <class T, int N, int M>
MCT_HD constexpr auto sum(const Expansion<T, N>& a, const Expansion<T, M>& b) {
  if constexpr (M <= N) {
    return add_limbs(a, b);
  } else {
    return add_limbs(b, a);
  }
}

/// a * b with as many limbs as the longer one.
template <class T, int N, int M>
MCT_HD constexpr auto product(const Expansion<T, N>& a, const Expansion<T, M>& b) {
  if constexpr (M <= N) {
    return mul_limbs(a, b);
  } else {
    return mul_limbs(b, a);
  }
}

/// |x| of a normalized sequence.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> magnitude_of(const Expansion<T, N>& x) {
  return blend(x.limb[0] < T(scalar_t<T>(0)), -x, x);
}

/// x times the sign of y, for x >= 0. All limbs change their signs together.
template <class V, int N>
MCT_HD constexpr Expansion<V, N> with_sign(const Expansion<V, N>& x, const V& y) {
  return blend(y < V(scalar_t<V>(0)), -x, x);
}

/// u^N / 8: a bound of the relative error of a result in N + 1 limbs, before it is rounded.
template <class V, int N>
inline constexpr scalar_t<V> own_error = pow2<scalar_t<V>>(-N* FloatTraits<V>::p - 3);
/// 2^10 u^(N+1): this bound for functions that compute every step with N + 1 limbs.
template <class V, int N>
inline constexpr scalar_t<V> own_small_error = pow2<scalar_t<V>>(-(N + 1) * FloatTraits<V>::p + 10);

/// Below this argument, an odd function with slope 1 at zero (sinh, tan, asin ...) is its argument
/// to u^N / 8.
template <class V, int N>
inline constexpr scalar_t<V> cubic_limit = pow2<scalar_t<V>>(-(N* FloatTraits<V>::p + 1) / 2 - 1);

/// A function of one component, computed by the same function of two components, because the
/// standard library lacks it.
template <class T, class F>
MCT_HD inline Expansion<T, 1> by_two(const Expansion<T, 1>& x, const F& f) {
  return f(widen<2>(x)).limb[0];
}

/// r, except where mask is true: there the result is `special`, a zero, an infinity or NaN.
template <class M, class T, int N>
MCT_HD constexpr Expansion<T, N> settle_special(const M& mask, const T& special,
                                                const Expansion<T, N>& r) {
  return blend(mask, Expansion<T, N>(special), r);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
