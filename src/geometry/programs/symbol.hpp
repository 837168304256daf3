// A number that stands for the numbers of all points: computations with it are noted
// (recording.hpp).
//
// Traced<Symbol> in place of a formula's numbers gives the steps of the formula and, by its pass
// backward, those of the derivatives: by the same rules as for numbers (traced.hpp). A comparison
// of symbols has no result. `blend` notes both sides. A branch that a formula takes only
// `somewhere` is left out: points that need it are left to the formula itself.
#pragma once

#include <utility>
#include <vector>

#include "mctensor/geometry/traced.hpp"
#include "src/geometry/programs/recording.hpp"

namespace mct {
namespace geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {
struct Symbol;
}
}  // namespace MCT_ISA_NAMESPACE
}  // namespace geometry

template <>
struct ScalarOf<geometry::detail::Symbol> {
  using type = double;
};

namespace geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

using geometry_detail::Recording;
using geometry_detail::Step;

struct Symbol {
  int note;

  Symbol() = default;
  explicit Symbol(double constant) : note(Recording::current().constant(constant)) {}
  static Symbol of(int note) {
    Symbol x;
    x.note = note;
    return x;
  }
  bool is_vector() const { return Recording::current().is_vector(note); }
  bool is_zero() const { return Recording::current().is_constant(note, 0); }
};
/// Where a comparison holds.
struct SymbolMask {
  int note;
};

template <class... X>
inline Symbol noted_step(Step step, const X&... x) {
  return Symbol::of(Recording::current().note(step, x.note...));
}
template <class... X>
inline SymbolMask noted_mask(Step step, const X&... x) {
  return {Recording::current().note(step, x.note...)};
}

inline Symbol operator+(const Symbol& x, const Symbol& y) { return noted_step(Step::add, x, y); }
inline Symbol operator-(const Symbol& x, const Symbol& y) {
  return noted_step(Step::subtract, x, y);
}
inline Symbol operator*(const Symbol& x, const Symbol& y) {
  return noted_step(Step::multiply, x, y);
}
inline Symbol operator/(const Symbol& x, const Symbol& y) { return noted_step(Step::divide, x, y); }
inline Symbol operator-(const Symbol& x) { return Symbol(-1) * x; }
inline Symbol negated(const Symbol& x) { return -x; }

inline SymbolMask operator<(const Symbol& x, const Symbol& y) {
  return noted_mask(Step::less, x, y);
}
inline SymbolMask operator<=(const Symbol& x, const Symbol& y) {
  return noted_mask(Step::less_equal, x, y);
}
inline SymbolMask operator>(const Symbol& x, const Symbol& y) { return y < x; }
inline SymbolMask operator>=(const Symbol& x, const Symbol& y) { return y <= x; }
inline SymbolMask operator==(const Symbol& x, const Symbol& y) {
  return noted_mask(Step::equal, x, y);
}
inline SymbolMask operator!(const SymbolMask& m) { return noted_mask(Step::opposite, m); }
inline SymbolMask operator!=(const Symbol& x, const Symbol& y) { return !(x == y); }
inline SymbolMask operator&&(const SymbolMask& m, const SymbolMask& k) {
  return noted_mask(Step::both, m, k);
}
inline SymbolMask operator||(const SymbolMask& m, const SymbolMask& k) {
  return noted_mask(Step::either, m, k);
}
/// Points where the mask is not set are left.
inline void require(const SymbolMask& mask) { Recording::current().require(mask.note); }
/// Branches that are taken only somewhere are left out.
inline bool any(const SymbolMask& mask) {
  require(!mask);
  return false;
}
inline bool often(const SymbolMask&) { return true; }

inline Symbol blend(const SymbolMask& mask, const Symbol& a, const Symbol& b) {
  return noted_step(Step::choose, mask, a, b);
}
inline Symbol magnitude(const Symbol& x) { return noted_step(Step::absolute, x); }
inline Symbol scaled(const Symbol& x, const Symbol& power) { return x * power; }
inline Symbol sqrt(const Symbol& x) { return noted_step(Step::root, x); }
inline Symbol log(const Symbol& x) { return noted_step(Step::log, x); }
inline Symbol atan2(const Symbol& y, const Symbol& x) { return noted_step(Step::angle, y, x); }
/// Larger angles are left.
inline Symbol noted_turn(Step step, const Symbol& x) {
  require(magnitude(x) <= Symbol(0x1p18));
  return noted_step(step, x);
}
inline Symbol sin(const Symbol& x) { return noted_turn(Step::sine, x); }
inline Symbol cos(const Symbol& x) { return noted_turn(Step::cosine, x); }
inline Symbol only_where(const SymbolMask& mask, const Symbol& x) {
  require(mask);
  return x;
}
inline Symbol log1p_of(const Symbol& x) { return noted_step(Step::log1p, x); }
inline Symbol expm1_of(const Symbol& x) { return noted_step(Step::expm1, x); }

inline Arc<Symbol> arc_of_square(const Symbol& q) {
  const Symbol r = sqrt(q + q * q);
  return {log1p_of(Symbol(2.0) * (q + r)), r};
}

/// The sum over all parts; `whole` names the step for those that are vectors.
template <int n>
inline Symbol sum_over(Step whole, const Point<Symbol, n>& x, const Point<Symbol, n>& y) {
  Symbol sum(0.0);
  for (int i = 0; i < x.size(); ++i)
    sum =
        sum + (x[i].is_vector() || y[i].is_vector() ? noted_step(whole, x[i], y[i]) : x[i] * y[i]);
  return sum;
}
template <int n>
inline Symbol dot(const Point<Symbol, n>& x, const Point<Symbol, n>& y) {
  return sum_over(Step::dot, x, y);
}
template <int M, int n>
inline Symbol dot_in(const Point<Symbol, n>& x, const Point<Symbol, n>& y) {
  return sum_over(Step::long_dot, x, y);
}

/// A product and its rounding error.
inline HiLo<Symbol> two_prod(const Symbol& x, const Symbol& y) {
  const Symbol product = x * y;
  return {product, noted_step(Step::product_rest, x, y, product)};
}
inline HiLo<Symbol> two_sum(const Symbol& x, const Symbol& y) {
  const Symbol sum = x + y;
  return {sum, noted_step(Step::sum_rest, x, y, sum)};
}
/// A sum in twice the limbs.
inline HiLo<Symbol> long_sum_of_products(const Symbol& x, const Symbol& y) {
  return {noted_step(Step::long_dot, x, y), noted_step(Step::long_dot_low, x, y)};
}
inline HiLo<Symbol> long_sum(const HiLo<Symbol>& x, const HiLo<Symbol>& y) {
  const auto [sum, rest] = two_sum(x.hi, y.hi);
  return two_sum(sum, Symbol(rest + (x.lo + y.lo)));
}
/// The same over all parts.
template <int n>
inline HiLo<Symbol> long_sum_of_products(const Point<Symbol, n>& x, const Point<Symbol, n>& y) {
  HiLo<Symbol> sum{Symbol(0.0), Symbol(0.0)};
  for (int i = 0; i < x.size(); ++i) {
    const bool is_vector = x[i].is_vector() || y[i].is_vector();
    const auto part = is_vector ? long_sum_of_products(x[i], y[i]) : two_prod(x[i], y[i]);
    sum = i == 0 ? part : long_sum(sum, part);
  }
  return sum;
}
/// radius^2 - |x|^2 with its digits; of several parts by a sum in twice the limbs.
template <int n>
inline Symbol gap_of(const Symbol& radius, const Point<Symbol, n>& x) {
  if (x.size() == 1) return x[0].is_zero() ? radius * radius : noted_step(Step::gap, radius, x[0]);
  const auto square = long_sum_of_products(x, x);
  const auto gap = long_sum(two_prod(radius, radius), {-square.hi, -square.lo});
  return gap.hi + gap.lo;
}
template <int n>
inline HiLo<Symbol> long_square_sum(const Symbol& radius, const Point<Symbol, n>& x) {
  const auto [k2, k2_low] = two_prod(radius, radius);
  const auto [x2, x2_low] = long_sum_of_products(x[0], x[0]);
  const auto [sum, rest] = two_sum(k2, x2);
  return two_sum(sum, Symbol(rest + (k2_low + x2_low)));
}
template <int n>
inline Point<Symbol, n> long_pull(const Symbol& ratio, const Symbol& low, const Point<Symbol, n>& x,
                                  const Point<Symbol, n>& y) {
  return Point<Symbol, n>{noted_step(Step::pull, ratio, low, x[0], y[0])};
}

/// 1 + kappa |x|^2 with its digits.
template <int n>
inline Symbol complement_of(const Symbol& kappa, const Point<Symbol, n>& x) {
  const auto square = long_sum_of_products(x, x);
  const auto [bent, rest] = two_prod(kappa, square.hi);
  const auto sum = long_sum({Symbol(1.0), Symbol(0.0)}, {bent, rest + kappa * square.lo});
  return sum.hi + sum.lo;
}

/// 1 for the coordinate of all parts that is the largest without its sign, else 0.
template <int n>
inline Point<Symbol, n> pivot_of(const Point<Symbol, n>& x) {
  Point<Symbol, n> at = x;
  Symbol largest(0.0);
  for (int i = 0; i < x.size(); ++i) {
    at[i] = x[i].is_vector() ? noted_step(Step::pivot, x[i]) : Symbol(1.0);
    const Symbol size = magnitude(x[i].is_vector() ? noted_step(Step::dot, at[i], x[i]) : x[i]);
    if (i > 0) {
      const SymbolMask larger = size > largest;
      for (int j = 0; j < i; ++j) at[j] = at[j] * Symbol::of((!larger).note);
      at[i] = at[i] * Symbol::of(larger.note);
    }
    largest = i == 0 ? size : blend(size > largest, size, largest);
  }
  return at;
}
/// Zero where one of both is zero for all points.
template <int M, int n>
inline Pivoted<Symbol, n> pivoted_wedge_in(const Point<Symbol, n>& x, const Point<Symbol, n>& y) {
  if (x.size() == 1 && (x[0].is_zero() || y[0].is_zero()))
    return {Symbol(0.0), Point<Symbol, n>{Symbol(0.0)}};
  for (int i = 0; i < x.size(); ++i)
    if (x[i].is_vector() != y[i].is_vector()) throw geometry_detail::NoProgram();
  const Point<Symbol, n> at = pivot_of(x);
  const Symbol p = dot(at, x);
  const Symbol q = dot(at, y);
  Point<Symbol, n> w = x;
  for (int i = 0; i < x.size(); ++i) w[i] = noted_step(Step::cross, p, y[i], q, x[i]);
  return {p, w};
}

/// For points that are left.
template <int n>
inline Point<Symbol, n> least_axis(const Point<Symbol, n>& x) {
  return x;
}
template <int n>
inline Point<Traced<Symbol>, n> least_axis(const Point<Traced<Symbol>, n>& x) {
  return x;
}

/// Squares in the range where nothing needs to be scaled, or vectors that are zero for all points.
template <int n>
inline Power<Symbol> unit_scale(const Point<Symbol, n>& x) {
  if (const Symbol square = dot(x, x); !square.is_zero()) require(ordinary_lanes(square));
  const Symbol one(1.0);
  return {one, one, one, one};
}
template <int n>
inline Power<Symbol> unit_scale(const Point<Traced<Symbol>, n>& x) {
  return unit_scale(values_of(x));
}
inline int coordinates_in(const Point<Symbol>&) { return Recording::current().coordinates(); }
inline int coordinates_in(const Point<Traced<Symbol>>&) {
  return Recording::current().coordinates();
}
inline Power<Symbol> scale_to_unit(const Symbol& x) { return unit_scale(Point<Symbol, 1>(x)); }

/// The notes of a pass backward. The derivative by a vector is kept as a sum of numbers times
/// vectors, so that only numbers are collected.
template <>
class Trace<Symbol> {
 public:
  static Trace& current() {
    thread_local Trace trace;
    return trace;
  }
  void clear() {
    edges_.clear();
    numbers_.assign(1, {0, false});
  }
  std::int32_t leaf(const Symbol& value) {
    numbers_.push_back({edges_.size(), value.is_vector()});
    return std::int32_t(numbers_.size()) - 1;
  }
  void note(std::int32_t operand, const Symbol& partial) {
    if (operand != 0 && !partial.is_zero()) edges_.push_back({operand, partial});
  }
  bool has_notes() const { return edges_.size() != numbers_.back().end; }

  void begin_backward() {
    adjoints_.clear();
    adjoints_.resize(numbers_.size());
  }
  void add(std::int32_t number, const Symbol& derivative) {
    if (number == 0) return;
    if (!is_vector(number) && derivative.is_vector()) {
      add(number, {noted_step(Step::dot, derivative, Symbol(1.0)), Symbol(1.0)});
    } else {
      add(number, split(derivative));
    }
  }
  void backward() {
    for (std::size_t k = numbers_.size(); k-- > 1;) {
      const auto terms = std::exchange(adjoints_[k], {});
      for (std::size_t e = numbers_[k - 1].end; e < numbers_[k].end && !terms.empty(); ++e)
        pass_on(std::int32_t(k), terms, edges_[e]);
      adjoints_[k] = terms;
    }
  }
  /// A number times a vector, or times 1.
  struct Term {
    Symbol factor, vector;
  };
  using Terms = std::vector<Term>;
  const Terms& derivative(std::int32_t number) const { return adjoints_[std::size_t(number)]; }

 private:
  struct Edge {
    std::int32_t operand;
    Symbol partial;
  };
  struct Number {
    std::size_t end;  ///< of its edges
    bool is_vector;
  };
  bool is_vector(std::int32_t number) const { return numbers_[std::size_t(number)].is_vector; }
  static Term split(const Symbol& x) {
    if (!x.is_vector()) return {x, Symbol(1.0)};
    const auto [factor, vector] = Recording::current().split(x.note);
    return {Symbol::of(factor), Symbol::of(vector)};
  }
  void add(std::int32_t number, const Term& term) {
    if (term.factor.is_zero()) return;
    auto& terms = adjoints_[std::size_t(number)];
    for (Term& known : terms)
      if (known.vector.note == term.vector.note) {
        known.factor = known.factor + term.factor;
        return;
      }
    terms.push_back(term);
  }
  static Symbol sum_of(const Terms& terms) {
    Symbol sum(0.0);
    for (const Term& term : terms) sum = sum + term.factor * term.vector;
    return sum;
  }
  void pass_on(std::int32_t from, const Terms& terms, const Edge& edge) {
    const Term partial = split(edge.partial);
    const bool is_product = edge.partial.is_vector();
    const bool sums = !is_vector(edge.operand) && (is_vector(from) || is_product);
    if (is_product && is_vector(from) && !sums) {
      add(edge.operand, split(sum_of(terms) * edge.partial));
      return;
    }
    for (const Term& term : terms) {
      const Symbol factor = term.factor * partial.factor;
      if (sums) {
        add(edge.operand,
            {factor * noted_step(Step::dot, term.vector, partial.vector), Symbol(1.0)});
      } else {
        add(edge.operand, {factor, is_product ? partial.vector : term.vector});
      }
    }
  }

  std::vector<Edge> edges_;
  std::vector<Number> numbers_{{0, false}};
  std::vector<Terms> adjoints_;
};

template <>
inline constexpr bool is_symbolic_v<Symbol> = true;
template <>
inline constexpr bool is_symbolic_v<Traced<Symbol>> = true;

// Decisions that traced.hpp makes by a number's value.

/// The sign of the curvature is the program's.
inline int sign_of(const Symbol&) { return Recording::current().curvature_sign(); }
inline int sign_of(const Traced<Symbol>&) { return Recording::current().curvature_sign(); }

inline Traced<Symbol> blend(const SymbolMask& mask, const Traced<Symbol>& a,
                            const Traced<Symbol>& b) {
  const Symbol one(1.0);
  const Symbol zero(0.0);
  return noted(blend(mask, a.value, b.value), By<Symbol>(a, blend(mask, one, zero)),
               By<Symbol>(b, blend(mask, zero, one)));
}
inline Traced<Symbol> only_where(const SymbolMask& mask, const Traced<Symbol>& x) {
  require(mask);
  return x;
}
/// Zero vectors are left, wherever they have no direction.
template <int n>
inline const Point<Traced<Symbol>, n>& off_zero(const Point<Traced<Symbol>, n>& x) {
  return x;
}
inline const Traced<Symbol>& off_zero(const Traced<Symbol>& factor, const Traced<Symbol>&) {
  return factor;
}
/// The differences are exact: their rounding errors are added in one limb.
template <int n>
inline Symbol dot_with_difference(const Point<Symbol, n>& x, const Point<Symbol, n>& a,
                                  const Point<Symbol, n>& b) {
  Point<Symbol, n> upper = x;
  Point<Symbol, n> lower = x;
  for (int i = 0; i < x.size(); ++i) {
    const auto [difference, rest] = two_sum(b[i], -a[i]);
    upper[i] = difference;
    lower[i] = rest;
  }
  const auto sum = long_sum_of_products(x, upper);
  return sum.hi + (sum.lo + dot(x, lower));
}
/// Points with an invalid direction are left to the formula, which throws.
template <class V, int n>
inline void require_unit(const Point<Symbol, n>& omega) {
  const Symbol off = magnitude(norm_of(omega) - Symbol(1.0));
  require(off <= Symbol(2 * manifold_bound<double>(coordinates_in(omega)) * unit_roundoff<V>()));
}
template <int n>
inline Traced<Symbol> dot_with_difference(const Point<Traced<Symbol>, n>& x,
                                          const Point<Traced<Symbol>, n>& a,
                                          const Point<Traced<Symbol>, n>& b) {
  return dot_in<2>(x, b - a);
}
template <int n>
inline Pivoted<Traced<Symbol>, n> pivoted_wedge(const Point<Traced<Symbol>, n>& x,
                                                const Point<Traced<Symbol>, n>& y) {
  const auto values = pivoted_wedge_in<2>(values_of(x), values_of(y));
  if (values.pivot.is_zero()) {
    const auto zero = Traced<Symbol>::constant(values.pivot);
    return {zero, Point<Traced<Symbol>, n>{zero}};
  }
  const auto at = pivot_of(values_of(x));
  const auto part_of = [&](const Symbol& value, const Point<Traced<Symbol>, n>& point) {
    for (int i = 0; i < x.size(); ++i) Trace<Symbol>::current().note(point[i].index, at[i]);
    return noted(value);
  };
  const auto p = part_of(values.pivot, x);
  const auto q = part_of(dot(at, values_of(y)), y);
  Point<Traced<Symbol>, n> w = x;
  for (int i = 0; i < x.size(); ++i)
    w[i] = noted(values.w[i], By<Symbol>(p, y[i].value), By<Symbol>(y[i], p.value),
                 By<Symbol>(q, -x[i].value), By<Symbol>(x[i], -q.value));
  return {p, w};
}
/// Of points that are not equal, whose wedge is as long as their difference allows.
template <int n>
inline Pivoted<Traced<Symbol>, n> pivoted_difference(const Point<Traced<Symbol>, n>& x,
                                                     const Point<Traced<Symbol>, n>& y) {
  return pivoted_wedge(x, y);
}

}  // namespace detail

template <int n>
inline Point<detail::Traced<detail::Symbol>, n> operator-(
    const Point<detail::Traced<detail::Symbol>, n>& x,
    const Point<detail::Traced<detail::Symbol>, n>& y) {
  return detail::generate<Point<detail::Traced<detail::Symbol>, n>>(
      x.size(), [&](int i) { return x[i] - y[i]; });
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace geometry
}  // namespace mct
