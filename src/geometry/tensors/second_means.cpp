// Second derivatives of means: their formulas on numbers that are traced twice.
#include "mctensor/geometry/means/second.hpp"

#include <algorithm>
#include <utility>

#include "mctensor/autograd/node.hpp"
#include "mctensor/geometry/means/frechet_mean.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/tensor/create.hpp"
#include "src/geometry/registry/second_formula.hpp"
#include "src/geometry/tensors/second.hpp"

namespace mct::geometry {

namespace {

using detail::generate;
using geometry_detail::in_a_row;
using geometry_detail::SecondFormula;
using geometry_detail::SecondOperation;
using geometry_detail::Twice;
using geometry_detail::Wide;

Point<Wide> value_of(const Point<Twice>& x) { return detail::values_of(detail::values_of(x)); }

/// The points and weights of one mean. Means have no scale of weights: they are near 1.
struct Operands {
  std::vector<Point<Twice>> points;
  std::vector<Twice> weights;

  Operands(const char* mean, int n, std::span<const Twice> numbers) {
    const std::size_t count = numbers.size() / std::size_t(n + 1);
    points.reserve(count);
    weights.reserve(count);
    std::vector<double> given;
    given.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back(generate<Point<Twice>>(
          n, [&](int c) { return numbers[i * std::size_t(n) + std::size_t(c)]; }));
      given.push_back(detail::lead(numbers[count * std::size_t(n) + i]));
    }
    detail::require_weights(given, mean);
    const double largest = *std::max_element(given.begin(), given.end());
    const double power = std::ldexp(1.0, -detail::far_exponent(largest));
    for (std::size_t i = 0; i < count; ++i)
      weights.push_back(detail::scaled(numbers[count * std::size_t(n) + i], power));
  }
};

template <template <class> class M>
std::vector<Twice> midpoint_formula(int n, std::span<const Twice> numbers) {
  const auto f = M<Wide>(Wide(1.0)).formulas_at(std::array{numbers[0]});
  const Operands of("weighted_midpoint", n, numbers.subspan(1));
  return in_a_row(detail::midpoint_of(f, of.points, of.weights));
}

/// x + step, on the manifold: to second order any way there is as good as the exponential map, and
/// this way does not divide by the length of a step of length zero.
template <class F>
Point<Twice> moved(const F& f, const Point<Twice>& x, const Point<Twice>& step) {
  const auto sum = generate<Point<Twice>>(x.size(), [&](int c) { return x[c] + step[c]; });
  if constexpr (requires { f.lifted(detail::space_of(sum)); }) {
    return f.lifted(detail::space_of(sum));
  } else {
    return sum;
  }
}

template <template <class> class M>
std::vector<Twice> frechet_formula(int n, std::span<const Twice> numbers) {
  const M<Wide> manifold(numbers[0].value.value);
  const auto f = manifold.formulas_at(std::array{numbers[0]});
  const Operands of("frechet_mean", n, numbers.subspan(1));
  if (of.points.size() == 1) return in_a_row(of.points[0]);
  std::vector<Point<Wide>> all, x;   // x, w: those that have weight
  std::vector<Point<Wide>> inverse;  // columns of the inverse second derivative at the mean
  std::vector<Wide> every, w;
  all.reserve(of.points.size());
  every.reserve(of.points.size());
  inverse.reserve(std::size_t(n));
  x.reserve(of.points.size());
  w.reserve(of.points.size());
  for (const auto& point : of.points) all.push_back(value_of(point));
  for (const auto& weight : of.weights) every.push_back(weight.value.value);
  const auto is_nan = [](const Wide& number) {
    return detail::lead(number) != detail::lead(number);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool there = !is_nan(every[i]);
    for (int c = 0; c < n; ++c) there = there && !is_nan(all[i][c]);
    if (!there)
      return std::vector<Twice>(std::size_t(n), Twice(std::numeric_limits<double>::quiet_NaN()));
    if (detail::lead(every[i]) == 0) continue;
    x.push_back(all[i]);
    w.push_back(every[i]);
  }
  // the search begins at the first point
  const auto heaviest = std::max_element(w.begin(), w.end()) - w.begin();
  std::swap(x[0], x[std::size_t(heaviest)]);
  std::swap(w[0], w[std::size_t(heaviest)]);
  auto m = detail::on_work_manifold(manifold, [&](const auto& work) {
    // of one point alone a search would find only its own rounding errors
    const Point<Wide> mean = x.size() == 1 ? x[0] : detail::mean_on(work, x, w);
    const detail::MeanView<std::remove_cvref_t<decltype(work)>, dynamic> view(work, all, every,
                                                                              mean);
    for (int k = 0; k < n; ++k) {
      const auto axis = generate<Point<Wide>>(n, [&](int c) { return Wide(c == k ? 1.0 : 0.0); });
      inverse.push_back(view.solve(work.proju(mean, axis)));
    }
    return generate<Point<Twice>>(
        n, [&](int c) { return Twice::constant(geometry_detail::Once::constant(mean[c])); });
  });
  for (int step = 0; step < 2; ++step) {
    std::vector<Point<Twice>> logs;
    logs.reserve(of.points.size());
    for (const auto& point : of.points) logs.push_back(f.logmap(m, point));
    const auto slope = generate<Point<Twice>>(n, [&](int c) {
      return detail::weighted_sum(of.weights, [&](std::size_t i) { return logs[i][c]; });
    });
    m = moved(f, m, generate<Point<Twice>>(n, [&](int c) {
                Twice sum(0.0);
                for (int k = 0; k < n; ++k)
                  sum = sum + slope[k] * Twice::constant(geometry_detail::Once::constant(
                                             inverse[std::size_t(k)][c]));
                return sum;
              }));
  }
  return in_a_row(m);
}

struct MeanEntry {
  SecondFormula formula;
  double (*unit)(double radius, const double* x, int n);
};

template <template <class> class M>
MeanEntry entry_of(const std::string& mean) {
  if (mean == "frechet_mean") return {&frechet_formula<M>, &geometry_detail::unit_of<M>};
  if (mean == "weighted_midpoint") return {&midpoint_formula<M>, &geometry_detail::unit_of<M>};
  throw DomainError("there is no mean '" + mean +
                    "'; the means are frechet_mean and weighted_midpoint");
}
MeanEntry entry_of(const NamedMean& of) {
  if (of.manifold == "PoincareBall") return entry_of<PoincareBall>(of.mean);
  if (of.manifold == "HalfSpace") return entry_of<HalfSpace>(of.mean);
  if (of.manifold == "Lorentz") return entry_of<Lorentz>(of.mean);
  throw DomainError("no second derivatives of means in " + of.manifold);
}

}  // namespace

std::vector<Tensor<double>> mean_second_derivatives(
    const NamedMean& of, const Tensor<double>& radius, const Tensor<double>& x,
    const Tensor<double>& weights, std::int64_t dim, const Tensor<double>& grad,
    const std::vector<std::optional<Tensor<double>>>& cotangents, const std::vector<bool>& wanted) {
  const char* const name = of.mean.c_str();
  const MeanEntry entry = entry_of(of);
  const Shape all = tensor_detail::leading_shape(name, x.shape());
  tensor_detail::require_least_coordinates(name, x.shape(), 1);
  const auto along = std::int64_t(normalize_dim(dim, x.shape()));
  Shape result = x.shape();
  if (along + 1 < x.dim()) result.erase(result.begin() + along);
  if (along + 1 == x.dim() || all[std::size_t(along)] == 0 || grad.shape() != result ||
      radius.numel() != 1 || cotangents.size() != 3 || wanted.size() != 4 ||
      tensor_detail::broadcast_leading(name, {all, weights.shape()}) != all)
    throw ShapeError(of.mean + ": points of shape " + to_string(x.shape()) + " along dimension " +
                     std::to_string(dim) + ", weights of shape " + to_string(weights.shape()) +
                     ", a radius of shape " + to_string(radius.shape()) +
                     " and a gradient of shape " + to_string(grad.shape()));
  // each point and each weight of a mean is an operand
  const std::int64_t count = all[std::size_t(along)];
  std::vector<Tensor<double>> operands;
  std::vector<std::optional<Tensor<double>>> directions{cotangents[0]};
  std::vector<bool> asked{wanted[0]};
  for (const std::size_t kind : {1, 2}) {
    const auto whole = [&](const Tensor<double>& of_kind) {
      return kind == 1 ? of_kind : of_kind.expand(all);
    };
    for (std::int64_t i = 0; i < count; ++i) {
      operands.push_back(whole(kind == 1 ? x : weights).select(along, i));
      directions.emplace_back();
      if (cotangents[kind]) directions.back() = whole(*cotangents[kind]).select(along, i);
      asked.push_back(wanted[kind]);
    }
  }
  asked.push_back(wanted[3]);
  const std::string kinds =
      std::string(std::size_t(count), 'p') + std::string(std::size_t(count), 'n');
  const SecondOperation operation{of.mean,         kinds, entry.formula, entry.unit,
                                  int(x.size(-1)), 1,     false,         0x1p-48};
  const auto found = tensor_detail::second_on_tensors<double, 1>(
      operation, radius, operands, leading_shape(result), grad, std::nullopt, directions, asked,
      [] { return tensor_detail::PointByPoint(); });
  std::vector<Tensor<double>> derivatives(4);
  if (wanted[0]) derivatives[0] = found[0].reshape(radius.shape());
  const auto joined = [&](std::int64_t first) {
    return stack(std::vector<Tensor<double>>(found.begin() + first, found.begin() + first + count),
                 along);
  };
  if (wanted[1]) derivatives[1] = joined(1);
  if (wanted[2]) derivatives[2] = autograd_detail::sum_to(joined(1 + count), weights.shape());
  if (wanted[3]) derivatives[3] = found.back();
  return derivatives;
}

}  // namespace mct::geometry
