#include "src/linalg/refine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/create.hpp"
#include "src/linalg/elements.hpp"
#include "src/linalg/equilibrate.hpp"
#include "src/linalg/jacobi.hpp"

namespace mct::linalg_detail {

namespace {

using linalg::SolveReport;

/// The first M components; missing components are zero.
template <int M, int N>
Matrix<M> components_of(const Matrix<N>& x) {
  if constexpr (M <= N) {
    return leading_components<M>(x);
  } else {
    return more_components<M>(x);
  }
}

template <int P>
Matrix<P> product(const Matrix<P>& a, const Matrix<P>& x) {
  if (x.size(1) == 1) return mv(a, x.select(1, 0)).unsqueeze(1);
  return mm(a, x);
}

/// b - a x in P components. A matrix of fewer components is widened some rows at a time; a cache
/// has room for these rows.
template <int P, int N>
Matrix<P> residual(const Matrix<N>& a, const Matrix<P>& x, const Matrix<N>& b) {
  const auto right = components_of<P>(b);
  if constexpr (P <= N) {
    return sub(right, product(components_of<P>(a), x));
  } else {
    const std::int64_t n = a.size(0);
    const std::int64_t most =
        std::max<std::int64_t>(64, (std::int64_t(1) << 19) / std::max(n, x.size(1)));
    auto result = Matrix<P>::uninitialized(x.shape());
    const Matrix<P> wide({std::min(n, most), n});
    for (std::int64_t from = 0; from < n; from += most) {
      const std::int64_t count = std::min(most, n - from);
      const auto block = wide.narrow(0, 0, count);
      for (int k = 0; k < N; ++k) block.plane(k).copy_(a.plane(k).narrow(0, from, count));
      const auto rows = result.narrow(0, from, count);
      rows.copy_(sub(right.narrow(0, from, count), product(block, x)));
    }
    return result;
  }
}

/// The largest |d| / |x| of a column, in infinity norms of leading components; 0 / 0 is 0, and an
/// overflow gives infinity.
inline double largest_ratio(const std::vector<double>& d, const std::vector<double>& x) {
  double largest = 0;
  for (std::size_t j = 0; j < d.size(); ++j) {
    if (d[j] == 0) continue;
    const double ratio = d[j] / x[j];
    if (!std::isfinite(ratio)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, ratio);
  }
  return largest;
}

/// The largest sum of magnitudes of a column, of leading components.
template <int N>
double one_norm(const Matrix<N>& a) {
  return a.numel() == 0 ? 0 : a.fc().abs().sum({0}).max().item();
}
template <int N>
double infinity_norm(const Matrix<N>& a) {
  return a.numel() == 0 ? 0 : a.fc().abs().sum({1}).max().item();
}

/// Solutions from a factorization of `a` in F components, refined towards N.
template <int N, int F>
class Refinement {
 public:
  /// The number of components that hold x.
  static constexpr int M = std::min(4, N + F);

  Refinement(const Matrix<N>& a, const Matrix<N>& b)
      : a_(a), b_(b), lu_(components_of<F>(a).clone()), pivots_(std::size_t(a.size(0))) {
    zero_pivot_ = lu_in_place(lu_, pivots_.data());
  }

  /// The place of a zero pivot, or -1.
  std::int64_t zero_pivot() const { return zero_pivot_; }

  /// Refines until the estimated error is as small as the type allows; false if the error does not
  /// get smaller.
  bool solve() {
    x_ = Matrix<M>(b_.shape());
    // no correction would show that a is singular
    if (largest_magnitude(b_) == 0) return condition() * unit(F) < 0x1p-4;
    const auto first = components_of<F>(b_).clone();
    lu_solve_in_place(lu_, pivots_.data(), first);
    x_ = more_components<M>(first);
    return refine_with<std::min(F + 1, M)>();
  }

  Matrix<N> solution() const { return components_of<N>(x_).clone(); }
  int refinements() const { return refinements_; }
  int residual_components() const { return components_; }

  /// An estimate of |a|_1 |a^-1|_1.
  double condition() const {
    const auto apply = [&](bool transposed) {
      return [this, transposed](Vector& v) { apply_inverse(v, transposed); };
    };
    return one_norm(a_) * inverse_norm_estimate(a_.size(0), apply(false), apply(true));
  }
  /// x = a^-1 x without refinement.
  void apply_to(const Matrix<F>& x) const { lu_solve_in_place(lu_, pivots_.data(), x); }
  /// a^-1 v or a^-T v in plain doubles.
  void apply_inverse(Vector& v, bool transposed) const {
    const auto n = std::int64_t(v.size());
    const auto x = more_components<F>(Tensor<double>::from_values(v, {n, 1}));
    lu_solve_in_place(lu_, pivots_.data(), x, transposed);
    for (std::int64_t i = 0; i < n; ++i) v[std::size_t(i)] = x.data()[i];
  }

 private:
  static constexpr int most_refinements = 60;
  static double unit(int components) { return std::ldexp(1.0, -53 * components); }
  /// The part of the error that residuals in P components do not see: the first correction shows
  /// about n cond(a) u^F.
  double noise(int components) const {
    return 8 * std::max(contraction_, unit(F)) * unit(components - F);
  }

  /// How large errors of residuals, of the size of |a| |x|, become in x, relative to it: a^-1 of
  /// that with signs as of chance. The first correction does not show it where factors happen to be
  /// exact, as those of whole numbers and of equal rows are.
  double amplification() const {
    const Matrix<1> sizes = product<1>(a_.fc().abs(), x_.fc().abs());
    auto d = more_components<F>(sizes);
    const std::int64_t columns = sizes.size(1);
    for (std::int64_t i = 0; i < sizes.size(0); ++i) {
      const bool negative = (std::uint64_t(i + 1) * 0x9e3779b97f4a7c15u) >> 63 != 0;
      for (std::int64_t j = 0; negative && j < columns; ++j) {
        double& size = d.data()[i * columns + j];
        size = -size;
      }
    }
    lu_solve_in_place(lu_, pivots_.data(), d);
    return largest_ratio(column_magnitudes(d), column_magnitudes(x_));
  }

  /// One correction from a residual in P components; its size relative to x.
  template <int P>
  double correct() {
    const auto x = leading_components<P>(x_);
    const auto r = residual<P, N>(a_, x, b_);
    const auto d = components_of<F>(r);
    lu_solve_in_place(lu_, pivots_.data(), d);
    const double ratio = largest_ratio(column_magnitudes(d), column_magnitudes(x));
    x.copy_(add(x, components_of<P>(d)));
    ++refinements_;
    components_ = P;
    return ratio;
  }

  /// Corrections with residuals of P components, then of more.
  template <int P>
  bool refine_with() {
    const double wanted = unit(N) / 8;
    while (refinements_ < most_refinements) {
      const double before = change_;
      const double change = change_ = correct<P>();
      if (refinements_ == 1) {
        if (!(change < 0x1p-4)) return false;
        contraction_ = std::max(change, amplification() * unit(F));
      } else if (!(change < std::max(0.5 * before, 16 * noise(P)))) {
        return false;
      }
      // the error is corrected up to the error of the correction
      const double ratio = std::min(1.0, 4 * contraction_);
      error_ = std::max(change * ratio, noise(P));
      if (error_ <= wanted) return true;
      if constexpr (P < M) {
        // only the last correction uses the most expensive residuals
        const bool is_last = error_ * ratio <= wanted;
        if (is_last || error_ <= 16 * noise(P)) return refine_with<P + 1>();
      } else if (error_ <= noise(P)) {
        return M == 4;  // there is no type with more
      }
    }
    return false;
  }

  Matrix<N> a_;
  Matrix<N> b_;
  Matrix<F> lu_;
  std::vector<std::int64_t> pivots_;
  std::int64_t zero_pivot_ = -1;
  Matrix<M> x_;
  double change_ = 1;       // of the last correction, relative to x
  double error_ = 1;        // of x after it, estimated
  double contraction_ = 0;  // of the error by a correction
  int refinements_ = 0;
  int components_ = 0;
};

/// A scaled system a x = b, and the scales.
template <int N>
double relative_residual(const Matrix<N>& a, const Matrix<N>& x, const Matrix<N>& b) {
  constexpr int P = std::min(4, N + 1);
  const auto r = column_magnitudes(residual<P, N>(a, components_of<P>(x), b));
  const auto of_x = column_magnitudes(x);
  const auto of_b = column_magnitudes(b);
  const double norm = infinity_norm(a);
  double worst = 0;
  for (std::size_t j = 0; j < r.size(); ++j)
    if (r[j] > 0) worst = std::max(worst, r[j] / (norm * of_x[j] + of_b[j]));
  return worst;
}

template <int N>
struct System {
  double norm = 0;  // of a as it was given; 0 if it is not needed
  Equilibrated<N> matrix;
  Matrix<N> b;
  std::vector<int> right_exponents;

  System(const Matrix<N>& a, const Matrix<N>& right, bool with_norm)
      : norm(with_norm ? one_norm(a) : 0), matrix(a, N > 1 ? 6 : harmless), b(right) {
    if (any_far(matrix.rows)) {
      right_exponents = scale_at_once(b, matrix.rows);
      return;
    }
    scale_each(b, matrix.rows, {b.size(0), 1}, -1);
    right_exponents = exponents_of(column_magnitudes(b), 64);
    scale_each(b, right_exponents, {1, b.size(1)}, -1);
  }

  /// x of the system as it was given, in place.
  void unscale(const Matrix<N>& x) const {
    if (all_zero(matrix.columns) && all_zero(right_exponents)) return;
    const Elements<N> entries(x);
    for (std::int64_t i = 0; i < x.size(0); ++i)
      for (std::int64_t j = 0; j < x.size(1); ++j)
        entries.set(i, j,
                    ldexp(entries.get(i, j),
                          right_exponents[std::size_t(j)] - matrix.columns[std::size_t(i)]));
  }

  /// An estimate of |a|_1 |a^-1|_1 of the matrix as it was given.
  template <int F>
  double condition(const Refinement<N, F>& refinement) const {
    const auto apply = [&](bool transposed) {
      return [&, transposed](Vector& v) {
        const auto& before = transposed ? matrix.columns : matrix.rows;
        const auto& after = transposed ? matrix.rows : matrix.columns;
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::ldexp(v[i], -before[i]);
        refinement.apply_inverse(v, transposed);
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::ldexp(v[i], -after[i]);
      };
    };
    return norm * inverse_norm_estimate(b.size(0), apply(false), apply(true));
  }
};

/// Solves with a factorization in F components, or in more components if that is not enough.
template <int N, int F>
Outcome solve_with(const System<N>& system, const Matrix<N>& x, SolveReport* report) {
  Refinement<N, F> refinement(system.matrix.a, system.b);
  if (refinement.zero_pivot() < 0 && refinement.solve()) {
    x.copy_(refinement.solution());
    if (report != nullptr)
      *report = {relative_residual(system.matrix.a, x, system.b), system.condition(refinement),
                 refinement.refinements(), F, refinement.residual_components()};
    system.unscale(x);
    return {};
  }
  if constexpr (F < 4) {
    return solve_with<N, F + 1>(system, x, report);
  } else {
    return {false, refinement.zero_pivot()};
  }
}

/// One component: without refinement.
Outcome solve_plain(const System<1>& system, const Matrix<1>& x, SolveReport* report) {
  const Refinement<1, 1> factors(system.matrix.a, system.b);
  if (factors.zero_pivot() >= 0) return {false, factors.zero_pivot()};
  x.copy_(system.b);
  factors.apply_to(x);
  if (report != nullptr)
    *report = {relative_residual(system.matrix.a, x, system.b), system.condition(factors), 0, 1, 0};
  system.unscale(x);
  return {};
}

}  // namespace

template <int N>
Outcome solve_one(const Matrix<N>& a, const Matrix<N>& b, SolveReport* report) {
  const System<N> system(a, b, report != nullptr);
  const auto x = Matrix<N>(b.shape());
  Outcome outcome;
  if constexpr (N == 1) {
    outcome = solve_plain(system, x, report);
  } else {
    outcome = solve_with<N, 1>(system, x, report);
  }
  if (outcome.solved) b.copy_(x);
  return outcome;
}

#define MCT_INSTANTIATE(N) \
  template Outcome solve_one(const Matrix<N>&, const Matrix<N>&, SolveReport*);
MCT_FOR_EACH_LENGTH(MCT_INSTANTIATE)

}  // namespace mct::linalg_detail
