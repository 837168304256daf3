// Values and derivatives as tensors get them, by programs in lanes, against those of the same
// operations in twice the components, which are formulas point by point: at random points near and
// far, at equal points and zero vectors, for points that are none, and in blocks that hold both.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mctensor/geometry/registry.hpp"
#include "mctensor/tensor/convert.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;
using Numbers = Tensor<double, 1>;

constexpr double radius = 1.3;
constexpr std::int64_t count = 70;  // a block and some more

bool is_one_of(const Registered& op, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), op.operation) != names.end();
}

/// Operands of the operations of a model, of n coordinates.
class Operands {
 public:
  Operands(std::string model, int n, double spread)
      : model_(std::move(model)), n_(n), spread_(spread) {}

  Numbers call(const char* operation, const std::vector<Numbers>& operands) const {
    return registered(operation, model_, "f64x1").value<double, 1>(radius, operands);
  }
  Numbers normal(double size) {
    auto x = Numbers::uninitialized({count, n_});
    std::normal_distribution<double> number;
    for (std::int64_t i = 0; i < x.numel(); ++i) x.data()[i] = size * number(random_);
    return x;
  }
  /// A tangent vector at x.
  Numbers vector(const Numbers& x) { return call("proju", {x, normal(spread_)}); }
  Numbers origin() {
    auto x = Numbers::uninitialized({count, n_});
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      const auto column = i % n_;
      const bool is_one = (model_ == "HalfSpace" && column == n_ - 1);
      x.data()[i] = model_ == "Lorentz" && column == 0 ? radius : is_one ? 1 : 0;
    }
    return x;
  }
  Numbers point() {
    const Numbers o = origin();
    return call("expmap", {o, vector(o)});
  }
  /// One for each of an operation's operands.
  std::vector<Numbers> of(const Registered& op) {
    const bool first_vectors = is_one_of(op, {"norm", "expmap", "retr", "geodesic_unit", "inner",
                                              "component_inner", "ptransp0", "ptransp0back"});
    std::vector<Numbers> all;
    Numbers x;
    for (const char kind : op.operands) {
      if (kind == 'n') {
        auto number = Numbers::uninitialized({count});
        std::uniform_real_distribution<double> between(0.1, 0.9);
        for (std::int64_t i = 0; i < count; ++i) number.data()[i] = between(random_);
        all.push_back(number);
      } else if (x.numel() == 0 || x.dim() == 0) {
        x = op.operation == "expmap0" ? vector(origin()) : point();
        all.push_back(x);
      } else if (is_one_of(op, {"ptransp0"})) {
        all.push_back(vector(origin()));
      } else if (first_vectors || (all.size() == 2 && op.operands[0] != 'n')) {
        all.push_back(vector(x));
      } else {
        all.push_back(is_one_of(op, {"proju", "egrad2rgrad"}) ? normal(1) : point());
      }
    }
    return all;
  }

 private:
  std::string model_;
  std::int64_t n_;
  double spread_;
  std::mt19937_64 random_{1};
};

/// The largest error of rows of numbers, over the largest number of its row.
double worst_of_rows(const Numbers& ours, const Tensor<double, 2>& truth, std::int64_t row) {
  const auto a = ours.contiguous();
  const auto b = truth.contiguous();
  double worst = 0;
  for (std::int64_t p = 0; p < a.numel(); p += row) {
    double largest = 0, error = 0;
    for (std::int64_t i = p; i < p + row; ++i) {
      largest = std::max(largest, std::fabs(b.data()[i]));
      const double off = std::fabs(a.data()[i] - b.data()[i]);
      error = std::isnan(off) ? INFINITY : std::max(error, off);
    }
    if (error > 0) worst = std::max(worst, error / std::max(largest, 1e-10));
  }
  return worst;
}
double worst_value_error(const Registered& op, const std::vector<Numbers>& operands) {
  std::vector<Tensor<double, 2>> longer;
  for (const Numbers& x : operands) longer.push_back(convert<double, 2>(x));
  const auto ours = op.value<double, 1>(radius, operands);
  const auto truth =
      registered(op.operation, op.model, "f64x2").value<double, 2>(f64x2(radius), longer);
  return worst_of_rows(ours, truth, ours.numel() / count);
}

/// The largest error of a derivative, over the largest derivative of its point by the operand.
double worst_error(const Registered& op, const std::vector<Numbers>& operands) {
  const std::vector<bool> wanted(operands.size() + 1, true);
  const Numbers value = op.value<double, 1>(radius, operands);
  auto grad = Numbers::uninitialized(value.shape());
  std::mt19937_64 random(2);
  std::normal_distribution<double> number;
  for (std::int64_t i = 0; i < grad.numel(); ++i) grad.data()[i] = number(random);
  std::vector<Tensor<double, 2>> longer;
  for (const Numbers& x : operands) longer.push_back(convert<double, 2>(x));
  const auto ours = op.derivatives<double, 1, 1>(radius, operands, grad, wanted);
  const auto truth =
      registered(op.operation, op.model, "f64x2")
          .derivatives<double, 2, 2>(f64x2(radius), longer, convert<double, 2>(grad), wanted);
  double worst = 0;
  for (std::size_t k = 0; k < ours.size(); ++k)
    worst = std::max(worst, worst_of_rows(ours[k], truth[k], k == 0 ? 1 : ours[k].numel() / count));
  return worst;
}

/// For every operation of a model.
template <class Check>
void each_operation(const char* model, const Check& check) {
  int found = 0;
  for (const Registered& op : registered_operations())
    if (op.model == model && op.type == "f64x1" &&
        op.compiled.operation != TensorOperation::count &&
        !is_one_of(op, {"busemann", "horosphere_projection"})) {  // they want unit vectors
      check(op);
      ++found;
    }
  EXPECT_GE(found, 20);
}

class Programs : public ::testing::TestWithParam<const char*> {};

TEST_P(Programs, HaveTheDerivativesOfTheTrace) {
  each_operation(GetParam(), [](const Registered& op) {
    for (const int n : {3, 5, 16}) {
      const double error = worst_error(op, Operands(op.model, n, 0.4).of(op));
      EXPECT_LT(error, 1e-11) << op.operation << " of " << n << " coordinates";
    }
  });
}
TEST_P(Programs, HaveTheValuesOfTheFormulas) {
  each_operation(GetParam(), [](const Registered& op) {
    for (const double spread : {0.4, 1.0})
      for (const int n : {2, 3, 5, 16}) {
        const double error = worst_value_error(op, Operands(op.model, n, spread).of(op));
        // the distance from a plane is a difference of longer ones
        EXPECT_LT(error, op.operation == "dist2plane" ? 1e-10 : 1e-13)
            << op.operation << " of " << n << " coordinates";
      }
  });
}
TEST(ProgramsOfALine, AHalfSpaceOfOneCoordinateIsAllHeight) {
  for (const char* name : {"dist", "dist2", "lambda_x", "projx", "dist0"}) {
    const Registered& op = registered(name, "HalfSpace", "f64x1");
    const auto operands = Operands("HalfSpace", 1, 0.4).of(op);
    EXPECT_LT(worst_value_error(op, operands), 1e-13) << name;
    EXPECT_LT(worst_error(op, operands), 1e-11) << name;
  }
}
TEST_P(Programs, FarFromTheOrigin) {
  each_operation(GetParam(), [](const Registered& op) {
    const double error = worst_error(op, Operands(op.model, 4, 2).of(op));
    EXPECT_LT(error, 1e-7) << op.operation;
  });
}
/// What a program is not for: zero vectors and equal points.
TEST_P(Programs, LeaveCornersToTheTrace) {
  each_operation(GetParam(), [](const Registered& op) {
    // without derivatives there, or a deviation of zero
    if (is_one_of(op, {"dist_gradient", "geodesic", "geodesic_unit", "normal_log_prob"})) return;
    Operands make(op.model, 4, 0.4);
    auto operands = make.of(op);
    const bool moves = is_one_of(op, {"expmap", "norm", "retr", "expmap0"});
    auto& last = operands.back();
    const std::int64_t row = last.numel() / count;
    for (const std::int64_t p : {3, 17, 69})
      for (std::int64_t i = p * row; i < (p + 1) * row; ++i)
        last.data()[i] = moves || operands[0].numel() != last.numel() ? 0 : operands[0].data()[i];
    const double error = worst_error(op, operands);
    EXPECT_LT(error, 1e-9) << op.operation;
  });
}

/// Of points outside the ball and NaN, and of none at all.
TEST(ProgramsFor, WhatIsNoPoint) {
  const Registered& dist = registered("dist", "PoincareBall", "f64x1");
  const auto x = Numbers::from_values({0.1, 0.2, 2, 0, NAN, 0, 0.3, 0.1}, {4, 2});
  const auto y = Numbers::from_values({0.5, 0}, {1, 2});
  const auto gradients = dist.derivatives<double, 1, 1>(
      1.0, {x, y}, Numbers::from_values({1, 1, 1, 1}), {false, true, true});
  const double* const g = gradients[1].data();
  for (const int i : {0, 1, 6, 7}) EXPECT_TRUE(std::isfinite(g[i])) << i;
  for (const int p : {1, 2}) EXPECT_TRUE(std::isnan(g[2 * p]) || std::isnan(g[2 * p + 1])) << p;
  const auto none = Numbers::uninitialized({0, 2});
  const auto empty = dist.derivatives<double, 1, 1>(1.0, {none, y}, Numbers::uninitialized({0}),
                                                    {false, true, true});
  EXPECT_EQ(empty[1].numel(), 0);
}

INSTANTIATE_TEST_SUITE_P(Models, Programs,
                         ::testing::Values("PoincareBall", "HalfSpace", "Lorentz"));

}  // namespace
}  // namespace mct::geometry_test
