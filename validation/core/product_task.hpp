// The suite's dot products, sums and matrix products: every element of a result is a case.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mctensor/base/names.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/tensor/isa.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "validation/core/cases.hpp"
#include "validation/core/recording_task.hpp"

namespace mct::validation {

enum class Product { dot, dot_plain, mv, mm, mm_normwise, sum };

inline constexpr Names<Product, 6> product_names{{{Product::dot, "dot"},
                                                  {Product::dot_plain, "dot_plain"},
                                                  {Product::mv, "mv"},
                                                  {Product::mm, "mm"},
                                                  {Product::mm_normwise, "mm_normwise"},
                                                  {Product::sum, "sum"}}};

/// Errors are measured in units of the bound itself, which depends on the length of the sum.
template <class T, int N>
class ProductTask final : public NumberedTask {
  using X = Expansion<T, N>;
  using Matrix = Tensor<T, N>;
  static constexpr std::int64_t longest = 160;

 public:
  ProductTask(Product product, std::string type)
      : NumberedTask(std::move(type), std::string(product_names.of(product))), product_(product) {}

  OperationResult describe() const override {
    return described(N, FloatTraits<T>::p, 1,
                     product_ == Product::mm_normwise
                         ? fmt::format("1 = u^{0} ({1:.3g} max|x| max|y| + |sum|) for 100 terms", N,
                                       normwise_bound<N>(100))
                         : fmt::format("1 = {:.3g} u^{} |x| |y| for 100 terms", bound_of(100), N));
  }

  double weight() const override { return 0.05; }

 protected:
  std::vector<Outcome> check(const Case& c, std::uint64_t) const override {
    Workspace workspace;
    return check(workspace, make(c));
  }
  std::size_t category_of(const Case& c) const override {
    return std::size_t(c.number % common_category_count);
  }
  int width_of_bins() const override { return bin_width<T>; }
  std::string operands_of(const Case& c) const override {
    const Problem problem = make(c);
    return fmt::format("shapes    {} {}\n", to_string(problem.x.shape()),
                       to_string(problem.y.shape()));
  }

 private:
  /// Rows of x by columns of y.
  struct Problem {
    Matrix x;
    Matrix y;
  };

  static double bound_of(std::int64_t k) {
    return std::max(product_bound<T, N>(double(k)), accumulate_bound<1>(1));
  }

  Problem make(const Case& c) const {
    Random random = random_of(c);
    const bool matrices = product_ == Product::mm || product_ == Product::mm_normwise;
    const std::int64_t rows = product_ == Product::mv || matrices ? 3 : 1;
    const std::int64_t columns = matrices ? 5 : 1;
    const std::int64_t k = 1 + std::int64_t(random.below(random.one_in(4) ? longest : 24));
    Problem problem{Matrix({rows, k}), Matrix({k, columns})};
    const auto category = Category(category_of(c));
    const int spread = random.one_in(3) ? 40 : random.one_in(2) ? 6 : 0;
    fill(random, category, spread, problem.x);
    fill(random, category, spread, problem.y);
    if (product_ == Product::dot_plain)
      for (int limb = 1; limb < N; ++limb) problem.y.plane(limb).fill_(T(0));
    if (product_ == Product::sum) problem.y.fill_(typename Matrix::Value(T(1)));
    if (category == Category::cancellation) cancel(random, problem);
    return problem;
  }

  /// Elements of a category, brought to where their products neither overflow nor (but for the
  /// category of subnormals) underflow.
  static void fill(Random& random, Category category, int spread, const Matrix& x) {
    using Traits = FloatTraits<T>;
    CaseMaker<T, N> maker(random);
    std::array<X, 3> made;
    // products of `longest` terms must stay below the largest float
    constexpr int top = Traits::emax / 2 - 6;
    const int limit = std::min(spread, top);
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      maker.make(category, made);
      X value = made[random.below(2)];
      if (!isfinite(value) || value.limb[0] == T(0)) value = X(T(1));
      int target = random.between(-limit, limit);
      if (category == Category::subnormal)
        target = Traits::emin / 2 + random.between(0, 2 * Traits::p);
      if (category == Category::overflow) target = top - random.between(0, 2);
      value = renormalize(ldexp(value, std::min(target, top) - ilogb(value.limb[0])));
      for (int limb = 0; limb < N; ++limb) x.data(limb)[i] = value.limb[limb];
    }
  }

  /// Later terms undo earlier ones, but for the last limb here and there.
  static void cancel(Random& random, const Problem& problem) {
    const std::int64_t pairs = problem.x.size(1) / 2;
    for (std::int64_t i = 0; i < pairs; ++i) {
      for (std::int64_t row = 0; row < problem.x.size(0); ++row)
        problem.x.set({row, pairs + i}, -problem.x.at({row, i}));
      problem.y.select(0, pairs + i).copy_(problem.y.select(0, i));
      if (!random.one_in(4)) continue;
      const Tensor<T, 1> last = problem.x.select(1, pairs + i).plane(N - 1);
      for (std::int64_t row = 0; row < last.numel(); ++row)
        last.set({row}, last.at({row}) * T(0.5));
    }
  }

  Tensor<T, N> compute(const Problem& problem) const {
    const auto& [x, y] = problem;
    switch (product_) {
      case Product::dot:
        return dot(x.select(0, 0), y.select(1, 0)).reshape({1, 1});
      case Product::dot_plain:
        return dot(x.select(0, 0), y.select(1, 0).fc()).reshape({1, 1});
      case Product::mv:
        return mv(x, y.select(1, 0)).unsqueeze(1);
      case Product::mm:
        return mm(x, y);
      case Product::mm_normwise:
        return mm(x, y, MatmulAccuracy::normwise);
      default:
        return sum(x, {1}, true);
    }
  }

  std::vector<Outcome> check(Workspace& w, const Problem& problem) const {
    const auto result = compute(problem);
    const std::int64_t k = problem.x.size(1);
    const bool normwise = product_ == Product::mm_normwise;
    const double bound = normwise ? 1 : bound_of(k);
    const bool has_fma = MCT_HAS_FMA != 0 && active_isa() != Isa::baseline;
    const Promise promise{bound, double(k + 1) * double(1 << N) * (has_fma ? 1 : 4), true};
    constexpr mpfr_prec_t bits = FloatTraits<T>::emax - FloatTraits<T>::emin;
    std::vector<Outcome> outcomes;
    mpfr_set_prec(w.exact.get(), 4 * bits);
    mpfr_set_prec(w.reference.get(), 64);
    Real product(4 * bits);
    for (std::int64_t i = 0; i < problem.x.size(0); ++i) {
      for (std::int64_t j = 0; j < problem.y.size(1); ++j) {
        mpfr_set_zero(w.exact.get(), 1);
        mpfr_set_zero(w.reference.get(), 1);
        for (std::int64_t l = 0; l < k; ++l) {
          w.in[0].set_exact(X(problem.x.at({i, l})));
          w.in[1].set_exact(X(problem.y.at({l, j})));
          mpfr_mul(product.get(), w.in[0].get(), w.in[1].get(), MPFR_RNDN);
          mpfr_add(w.exact.get(), w.exact.get(), product.get(), MPFR_RNDN);
          mpfr_abs(product.get(), product.get(), MPFR_RNDN);
          mpfr_add(w.reference.get(), w.reference.get(), product.get(), MPFR_RNDD);
        }
        if (normwise) refer_to_largest(w, problem, i, j);
        Outcome outcome = measure(w, X(result.at({i, j})), w.reference.get(), promise);
        outcome.error /= bound;
        outcomes.push_back(outcome);
      }
    }
    return outcomes;
  }

  /// The bound of MatmulAccuracy::normwise in units of u^N, from the exact sum.
  static void refer_to_largest(Workspace& w, const Problem& problem, std::int64_t i,
                               std::int64_t j) {
    const std::int64_t k = problem.x.size(1);
    double largest[2] = {};
    for (std::int64_t l = 0; l < k; ++l) {
      largest[0] = std::max(largest[0], largest_limb(problem.x.at({i, l})));
      largest[1] = std::max(largest[1], largest_limb(problem.y.at({l, j})));
    }
    mpfr_set_d(w.reference.get(), normwise_bound<N>(double(k)), MPFR_RNDD);
    for (const double x : largest) mpfr_mul_d(w.reference.get(), w.reference.get(), x, MPFR_RNDD);
    Real sum(64);
    mpfr_abs(sum.get(), w.exact.get(), MPFR_RNDD);
    mpfr_add(w.reference.get(), w.reference.get(), sum.get(), MPFR_RNDD);
  }
  static double largest_limb(const X& x) {
    double largest = 0;
    for (const T& limb : x.limb) largest = std::max(largest, std::abs(double(limb)));
    return largest;
  }

  Product product_;
};

}  // namespace mct::validation
