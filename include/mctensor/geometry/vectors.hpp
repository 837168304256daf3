// Sums over coordinates that keep their digits: norms without over- or underflow, directions,
// distances to the boundary, areas of parallelograms.
//
// Error: norm has (n / 2 + 3) u^N; the other functions state theirs. Domain: every finite vector,
// also if squares overflow or underflow. Source: Ogita, Rump, Oishi 2005 (sums with twice the
// limbs); scaling by the largest coordinate.
#pragma once

#include "mctensor/geometry/point.hpp"
#include "mctensor/geometry/scalar.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
namespace detail {

/// The number of coordinates of a point. In a program of steps one coordinate may stand for
/// several.
template <class W, int n>
MCT_HD constexpr int coordinates_in(const Point<W, n>& x) {
  return x.size();
}

/// A power of two as two factors, and the inverse.
template <class L>
using Power = ::mct::detail::PowerOfTwoScale<L>;

/// The largest |x_i|; 1 for a zero or infinite vector.
template <class W, int n>
MCT_HD inline limb_t<W> unit_size(const Point<W, n>& x) {
  using L = limb_t<W>;
  using S = scalar_t<L>;
  L largest(S(0));
  for (int i = 0; i < x.size(); ++i) {
    const L a = magnitude(lead(x[i]));
    largest = blend(a > largest, a, largest);
  }
  const auto ordinary = largest > L(S(0)) && largest < L(FloatTraits<L>::infinity);
  return blend(ordinary, largest, L(S(1)));
}
/// The power of two that brings the largest |x_i| to [1, 2).
template <class W, int n>
MCT_HD inline Power<limb_t<W>> unit_scale(const Point<W, n>& x) {
  return scale_to_unit(unit_size(x));
}

template <class W>
MCT_HD MCT_ALWAYS_INLINE constexpr W times(const W& x, const Power<limb_t<W>>& s) {
  return scaled(scaled(x, s.first), s.second);
}
template <class W>
MCT_HD MCT_ALWAYS_INLINE constexpr W over(const W& x, const Power<limb_t<W>>& s) {
  return scaled(scaled(x, s.inverse_second), s.inverse_first);
}
template <class W, int n>
MCT_HD inline Point<W, n> times(const Point<W, n>& x, const Power<limb_t<W>>& s) {
  return generate<Point<W, n>>(x.size(), [&](int i) { return times(x[i], s); });
}

/// True where neither a sum of squares of this size nor the product of two such sums overflows or
/// loses limbs to underflow. Then nothing needs to be scaled.
template <class W>
MCT_HD MCT_ALWAYS_INLINE inline auto ordinary_lanes(const W& square) {
  using L = limb_t<W>;
  using S = scalar_t<L>;
  return lead(square) > L(pow2<S>(FloatTraits<S>::emin / 4)) &&
         lead(square) < L(pow2<S>(FloatTraits<S>::emax / 4));
}
template <class W>
MCT_HD MCT_ALWAYS_INLINE inline bool is_ordinary_square(const W& square) {
  if constexpr (is_traced_v<W>) {
    return false;  // a trace always uses the scaled form, whose derivatives are known
  } else {
    return !somewhere(!ordinary_lanes(square));
  }
}

template <class M, class W, int n>
MCT_HD MCT_ALWAYS_INLINE inline Point<W, n> blend(const M& mask, const Point<W, n>& a,
                                                  const Point<W, n>& b) {
  return generate<Point<W, n>>(a.size(), [&](int i) { return W(blend(mask, a[i], b[i])); });
}
/// quick() in lanes whose square is ordinary, slow() in the others. No lane depends on its
/// neighbours. In a trace always slow().
template <class W, class Quick, class Slow>
MCT_HD MCT_ALWAYS_INLINE inline auto where_ordinary(const W& square, const Quick& quick,
                                                    const Slow& slow) {
  if constexpr (is_traced_v<W>) {
    return slow();
  } else if constexpr (is_symbolic_v<W>) {
    require(ordinary_lanes(square));
    return quick();
  } else {
    const auto ordinary = ordinary_lanes(square);
    if (!somewhere(ordinary)) return slow();
    const auto result = quick();
    if (!somewhere(!ordinary)) return result;
    return decltype(slow())(blend(ordinary, result, slow()));
  }
}

/// A length and the unit vector along it; the zero vector has the direction 0.
template <class W, int n>
struct Polar {
  W norm;
  Point<W, n> direction;
};

/// The polar form of any vector whose norm is a normal number. The vector is scaled first, to
/// coordinates near 1.
template <class W, int n>
MCT_HD MCT_NOINLINE inline Polar<W, n> scaled_polar(const Point<W, n>& x) {
  using L = limb_t<W>;
  const auto scale = unit_scale(x);
  const Point<W, n> unit = times(x, scale);
  const W length = root(squared_norm(unit));
  const auto zero = lead(length) == L(scalar_t<L>(0));
  const W divisor = blend(zero, number<W>(1), length);
  return {over(length, scale),
          generate<Point<W, n>>(x.size(), [&](int i) { return W(unit[i] / divisor); })};
}
template <class W, int n>
MCT_HD MCT_NOINLINE inline W scaled_norm(const Point<W, n>& x, const W& factor) {
  const auto scale = unit_scale(x);
  return over(W(root(squared_norm(times(x, scale))) * factor), scale);
}

/// The polar form. The norm has a relative error of (n / 2 + 3) u^N or less.
template <class W, int n>
MCT_HD inline Polar<W, n> polar(const Point<W, n>& x) {
  const W square = squared_norm(x);
  if (!is_ordinary_square(square)) {
    const Polar<W, n> scaled = scaled_polar(Point<W, n>(x));
    const W length = root(square);
    const auto ordinary = ordinary_lanes(square);
    return {scaled.norm, blend(ordinary, x / length, scaled.direction)};
  }
  const W length = root(square);
  return {length, x / length};
}
/// The vector along x of this length; 0 if x is zero.
template <class W, int n>
MCT_HD MCT_NOINLINE inline Point<W, n> scaled_directed(const Point<W, n>& x, const W& length) {
  const auto [norm, e] = scaled_polar(x);
  const auto still = lead(norm) == limb_t<W>(scalar_t<limb_t<W>>(0));
  return e * W(blend(still, number<W>(0), length));  // the length may be infinite
}
template <class W, int n>
MCT_HD inline Point<W, n> directed(const Point<W, n>& x, const W& length) {
  if constexpr (is_traced_v<W>) {
    return polar(x).direction * length;
  } else {
    const W square = squared_norm(x);
    return where_ordinary(
        square, [&] { return x * W(length / root(square)); },
        [&] { return scaled_directed(Point<W, n>(x), length); });
  }
}
/// factor |x|; |x| alone may be subnormal.
template <class W, int n>
MCT_HD inline W norm_times(const Point<W, n>& x, const W& factor) {
  if (const W square = squared_norm(x); is_ordinary_square(square)) return root(square) * factor;
  return scaled_norm(Point<W, n>(x), factor);
}
template <class W, int n>
MCT_HD inline W norm_of(const Point<W, n>& x) {
  if (const W square = squared_norm(x); is_ordinary_square(square)) return root(square);
  return scaled_norm(Point<W, n>(x), number<W>(1));
}

/// sqrt(a^2 + b^2) without over- or underflow.
template <class W>
MCT_HD inline W hypotenuse(const W& a, const W& b) {
  return norm_of(Point<W, 2>(a, b));
}

/// A sum of products of numbers of one limb, with the digits that its additions round off. Source:
/// Ogita, Rump, Oishi 2005 (Dot2).
template <class W>
struct LongSum {
  W high, low;

  MCT_HD MCT_ALWAYS_INLINE LongSum(const W& x, const W& y) {
    const auto [product, product_low] = two_prod(x, y);
    high = product;
    low = product_low;
  }
  MCT_HD MCT_ALWAYS_INLINE void add(const W& x, const W& y) {
    const auto [product, product_low] = two_prod(x, y);
    const auto [next, rest] = two_sum(high, product);
    high = next;
    low = low + (product_low + rest);
  }
};

/// radius^2 + |x|^2 for numbers of one limb, as a sum of two.
template <class W, int n>
MCT_HD inline HiLo<W> long_square_sum(const W& radius, const Point<W, n>& x) {
  LongSum<W> sum(radius, radius);
  for (int i = 0; i < x.size(); ++i) sum.add(x[i], x[i]);
  return two_sum(sum.high, sum.low);
}
/// (ratio + low) x - y for numbers of one limb. Error: u^2 ratio |x|.
template <class W, int n>
MCT_HD inline Point<W, n> long_pull(const W& ratio, const W& low, const Point<W, n>& x,
                                    const Point<W, n>& y) {
  return generate<Point<W, n>>(x.size(), [&](int i) {
    const auto [product, rest] = two_prod(ratio, x[i]);
    return W((product - y[i]) + (rest + low * x[i]));
  });
}

/// x . y from products and sums of M limbs (two for numbers of one limb). Error: about n u^M sum
/// |x_i y_i|. For numbers of one limb the factor n becomes n^2 / 2, as in gap_of.
template <int M, class W, int n>
MCT_HD inline Expansion<limb_t<W>, M> sum_of_products(const Point<W, n>& x, const Point<W, n>& y) {
  if constexpr (limbs_of<W> == 1) {
    LongSum<W> sum(x[0], y[0]);
    for (int i = 1; i < x.size(); ++i) sum.add(x[i], y[i]);
    const auto [high, rest] = two_sum(sum.high, sum.low);
    return Expansion<W, M>::from_limbs(high, rest);
  } else {
    auto sum = product_in<M>(x[0], y[0]);
    for (int i = 1; i < x.size(); ++i) sum = long_sum(sum, product_in<M>(x[i], y[i]));
    return sum;
  }
}
/// radius^2 - |x|^2 before it is rounded.
template <class W, int n>
MCT_HD inline long_t<W> long_gap_of(const W& radius, const Point<W, n>& x) {
  return long_sum(long_product(radius, radius), -sum_of_products<long_t<W>::components>(x, x));
}

/// The gap for two limbs, in a sum of three limbs that is not renormalized. Its error is below n
/// u^3 radius^2, which is negligible beside a gap of 2^-16 radius^2 or more.
template <class W, int n>
MCT_HD inline W near_gap_of(const W& radius, const Point<W, n>& x) {
  using L = limb_t<W>;
  L high(scalar_t<L>(0)), middle(scalar_t<L>(0)), low(scalar_t<L>(0));
  const auto add = [&](const L& sign, const W& a) {
    const L& head = a.limb[0];
    const auto [square, square_low] = two_prod(L(sign * head), head);
    const auto [mixed, mixed_low] = two_prod(L(sign * (head + head)), a.limb[1]);
    const auto [next_high, from_high] = two_sum(high, square);
    const auto [small, from_small] = two_sum(square_low, mixed);
    const auto [more, from_more] = two_sum(from_high, small);
    const auto [next_middle, from_middle] = two_sum(middle, more);
    high = next_high;
    middle = next_middle;
    low =
        low + ((sign * a.limb[1] * a.limb[1] + mixed_low) + (from_small + from_more)) + from_middle;
  };
  add(L(scalar_t<L>(1)), radius);
  for (int i = 0; i < x.size(); ++i) add(L(scalar_t<L>(-1)), x[i]);
  const auto [first, second] = two_sum(high, middle);
  const auto [next, last] = two_sum(second, low);
  const auto [head, tail] = two_sum(first, next);
  const auto [top, bottom] = fast_two_sum(head, L(tail + last));
  return W::from_limbs(top, bottom);
}

/// The gap for one limb. The sum is radius^2 + |x|^2, term by term: inside the ball it is never
/// smaller than the next term. The gap is 2 radius^2 minus the sum.
template <class W>
struct LongGap {
  W square, square_low, sum, low;

  MCT_HD MCT_ALWAYS_INLINE explicit LongGap(const W& radius) : low(number<W>(0)) {
    const auto [k2, k2_low] = two_prod(radius, radius);
    sum = square = k2;
    square_low = k2_low;
  }
  MCT_HD MCT_ALWAYS_INLINE void subtract_square(const W& x) {
    if constexpr (rounds_once<W>) {
      // sum - next is exact, so this is the rounding error of `next`, rounded once
      const W next = multiply_add(x, x, sum);
      low = low + multiply_add(x, x, W(sum - next));
      sum = next;
    } else {
      const auto [x2, x2_low] = two_prod(x, x);
      const auto [next, rest] = fast_two_sum(sum, x2);
      sum = next;
      low = low + (x2_low + rest);
    }
  }
  MCT_HD MCT_ALWAYS_INLINE W value() const {
    const auto [gap, rest] = two_sum(W(square + square), W(::mct::detail::negated(sum)));
    return gap + (rest + (square_low - low));
  }
};

/// radius^2 - |x|^2 with its digits, however near the boundary. The products are exact, and their
/// sum has twice the limbs. Relative error: u^N (1 + n u^(M-N) radius^2 / gap) with M = 2 N limbs,
/// but at most 5. For one limb the lower halves of the sum are added in the order in which they
/// arise, and the factor n becomes n^2 / 2. Source: Ogita, Rump, Oishi 2005 (Dot2).
template <class W, int n>
MCT_HD inline W gap_of(const W& radius, const Point<W, n>& x) {
  if constexpr (limbs_of<W> >= 3) {
    return shortened<W>(long_gap_of(radius, x));
  } else if constexpr (limbs_of<W> == 2) {
    const W gap = near_gap_of(radius, x);
    using L = limb_t<W>;
    const L far = lead(radius) * lead(radius) * L(scalar_t<L>(0x1p-16));
    const auto near = !(lead(gap) > far);
    return somewhere(near) ? W(blend(near, shortened<W>(long_gap_of(radius, x)), gap)) : gap;
  } else {
    LongGap<W> gap(radius);
    for (int i = 0; i < x.size(); ++i) gap.subtract_square(x[i]);
    return gap.value();
  }
}

/// x . (b - a). It keeps its digits after cancellation, even if the differences are as small as the
/// last places of the coordinates. For N = 1 and 2 differences are exact. For more components they
/// have an error of u^5.
template <class W, int n>
MCT_HD inline W dot_with_difference(const Point<W, n>& x, const Point<W, n>& a,
                                    const Point<W, n>& b) {
  long_t<W> sum(limb_t<W>(scalar_t<limb_t<W>>(0)));
  for (int i = 0; i < x.size(); ++i) {
    const auto difference = long_sum(lengthened(b[i]), -lengthened(a[i]));
    const W upper = shortened<W>(difference);
    const W lower = shortened<W>(long_sum(difference, -lengthened(upper)));
    sum = long_sum(sum, long_sum(long_product(x[i], upper), long_product(x[i], lower)));
  }
  return shortened<W>(sum);
}
template <int M, class W, int n>
MCT_HD inline W dot_in(const Point<W, n>& x, const Point<W, n>& y) {
  return shortened<W>(sum_of_products<M>(x, y));
}
template <class W, int n>
MCT_HD inline W long_dot(const Point<W, n>& x, const Point<W, n>& y) {
  return dot_in<long_t<W>::components>(x, y);
}

/// The part of the bivector x ^ y from which the other parts follow: w_j = x_p y_j - x_j y_p for
/// the largest coordinate p of x. Each w_j is a difference of products in M limbs. The other parts
/// are
///   x_i y_j - x_j y_i = (x_i w_j - x_j w_i) / x_p.
/// Error: about u^M |x| |y|; for one limb the products are exact.
template <class W, int n>
struct Pivoted {
  W pivot;
  Point<W, n> w;
};

template <int M, class W, int n>
MCT_HD inline Pivoted<W, n> pivoted_wedge_in(const Point<W, n>& x, const Point<W, n>& y) {
  W pivot = x[0];
  W partner = y[0];
  for (int i = 1; i < x.size(); ++i) {
    const auto larger = magnitude(lead(x[i])) > magnitude(lead(pivot));
    partner = blend(larger, y[i], partner);
    pivot = blend(larger, x[i], pivot);
  }
  return {
      pivot, generate<Point<W, n>>(x.size(), [&](int j) {
        if constexpr (limbs_of<W> == 1) {
          const auto [a, a_low] = two_prod(pivot, y[j]);
          const auto [b, b_low] = two_prod(x[j], partner);
          return W((a - b) + (a_low - b_low));
        } else if constexpr (M == 2) {
          return dot(Point<W, 2>(pivot, -x[j]), Point<W, 2>(y[j], partner));
        } else {
          return shortened<W>(long_sum(product_in<M>(pivot, y[j]), -product_in<M>(x[j], partner)));
        }
      })};
}
/// The same in twice the limbs: products have all their digits, or an error of u^5.
template <class W, int n>
MCT_HD inline Pivoted<W, n> pivoted_wedge(const Point<W, n>& x, const Point<W, n>& y) {
  return pivoted_wedge_in<long_t<W>::components>(x, y);
}

/// <x ^ y, x ^ z> from the parts v of x ^ y and w of x ^ z, for coordinates near 1. This is the
/// Gram determinant
///   |x|^2 (y . z) - (x . y)(x . z) = (v . w |x|^2 - (x . v)(x . w)) / pivot^2.
template <class W, int n>
MCT_HD inline W gram(const Point<W, n>& x, const Pivoted<W, n>& v, const Pivoted<W, n>& w) {
  using L = limb_t<W>;
  const W sum = squared_norm(x) * dot(v.w, w.w) - dot(x, v.w) * dot(x, w.w);
  const auto zero = lead(v.pivot) == L(scalar_t<L>(0));
  const W p = blend(zero, number<W>(1), v.pivot);
  return sum / (p * p);
}

/// x ^ y, computed as x ^ (y - x). Its products are as small as the difference, so it is 0 for x =
/// y, and has an error of u^M |x| |y - x|, where M is the number of limbs of long_t. For one limb
/// the products are exact anyway.
template <class W, int n>
MCT_HD inline Pivoted<W, n> pivoted_difference(const Point<W, n>& x, const Point<W, n>& y) {
  if constexpr (limbs_of<W> == 1) {
    return pivoted_wedge(x, y);
  } else {
    const auto difference = [](const W& a, const W& b) {
      return long_sum(lengthened(b), -lengthened(a));
    };
    W pivot = x[0];
    auto partner = difference(x[0], y[0]);
    for (int i = 1; i < x.size(); ++i) {
      const auto larger = magnitude(lead(x[i])) > magnitude(lead(pivot));
      partner = blend(larger, difference(x[i], y[i]), partner);
      pivot = blend(larger, x[i], pivot);
    }
    return {pivot, generate<Point<W, n>>(x.size(), [&](int j) {
              return shortened<W>(
                  long_sum(mul_limbs(difference(x[j], y[j]), pivot), -mul_limbs(partner, x[j])));
            })};
  }
}

/// |x ^ y| from its parts. Relative error: about 2 n u^N.
template <class W, int n>
MCT_HD inline W area_of(const Point<W, n>& x, const Pivoted<W, n>& wedge) {
  if (is_ordinary_square(squared_norm(x)) && is_ordinary_square(squared_norm(wedge.w)))
    return root(gram(x, wedge, wedge));
  const auto sx = unit_scale(x);
  const auto sw = unit_scale(wedge.w);
  const Pivoted<W, n> unit{times(wedge.pivot, sx), times(wedge.w, sw)};
  return over(root(gram(times(x, sx), unit, unit)), sw);
}

/// The bivector applied to u: (y . u) x - (x . u) y.
template <class W, int n>
MCT_HD inline Point<W, n> turned(const Point<W, n>& x, const Point<W, n>& y, const Point<W, n>& u) {
  const W a = dot(y, u);
  const W b = dot(x, u);
  return generate<Point<W, n>>(x.size(), [&](int i) { return W(x[i] * a - y[i] * b); });
}

}  // namespace detail

/// The Euclidean length, also if its square over- or underflows.
template <class V, int n>
MCT_HD inline V norm(const Point<V, n>& x) {
  return detail::from_work<V>(detail::norm_of(detail::to_work(x)));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
