// Values and derivatives as tensors get them, by programs in lanes, against those of the same
// operations in twice the components, which are formulas point by point: at random points near and
// far, at equal points and zero vectors, for points that are none, and in blocks that hold both.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "mctensor/tensor/convert.hpp"
#include "tests/geometry/registry_operands.hpp"

namespace mct::geometry_test {
namespace {

constexpr std::int64_t count = 70;  // a block and some more

Operands operands_of(const Registered& op, int n, double spread) {
  return {op.model, n, spread, count};
}

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
    for (const int n : {3, 5, 16, 21}) {
      const double error = worst_error(op, operands_of(op, n, 0.4).of(op));
      EXPECT_LT(error, 1e-11) << op.operation << " of " << n << " coordinates";
    }
  });
}
TEST_P(Programs, HaveTheValuesOfTheFormulas) {
  each_operation(GetParam(), [](const Registered& op) {
    for (const double spread : {0.4, 1.0})
      for (const int n : {2, 3, 5, 12, 16}) {
        const double error = worst_value_error(op, operands_of(op, n, spread).of(op));
        // the distance from a plane is a difference of longer ones
        EXPECT_LT(error, op.operation == "dist2plane" ? 1e-10 : 1e-13)
            << op.operation << " of " << n << " coordinates";
      }
  });
}
TEST(ProgramsOfALine, AHalfSpaceOfOneCoordinateIsAllHeight) {
  for (const char* name : {"dist", "dist2", "lambda_x", "projx", "dist0"}) {
    const Registered& op = registered(name, "HalfSpace", "f64x1");
    const auto operands = operands_of(op, 1, 0.4).of(op);
    EXPECT_LT(worst_value_error(op, operands), 1e-13) << name;
    EXPECT_LT(worst_error(op, operands), 1e-11) << name;
  }
}
TEST_P(Programs, FarFromTheOrigin) {
  each_operation(GetParam(), [](const Registered& op) {
    const double error = worst_error(op, operands_of(op, 4, 2).of(op));
    EXPECT_LT(error, 1e-7) << op.operation;
  });
}
/// What a program is not for: zero vectors and equal points.
TEST_P(Programs, LeaveCornersToTheTrace) {
  each_operation(GetParam(), [](const Registered& op) {
    // without derivatives there, or a deviation of zero
    if (is_one_of(op, {"dist_gradient", "geodesic", "geodesic_unit", "normal_log_prob"})) return;
    for (const int n : {4, 6, 14}) {
      Operands make = operands_of(op, n, 0.4);
      auto operands = make.of(op);
      const bool moves = is_one_of(op, {"expmap", "norm", "retr", "expmap0"});
      auto& last = operands.back();
      const std::int64_t row = last.numel() / count;
      for (const std::int64_t p : {3, 17, 69})
        for (std::int64_t i = p * row; i < (p + 1) * row; ++i)
          last.data()[i] = moves || operands[0].numel() != last.numel() ? 0 : operands[0].data()[i];
      const double error = worst_error(op, operands);
      EXPECT_LT(error, 1e-9) << op.operation << " of " << n << " coordinates";
      // what is nearly 0 here is a difference
      if (is_one_of(op, {"dist2plane", "proju"})) continue;
      EXPECT_LT(worst_value_error(op, operands), 1e-13)
          << op.operation << " of " << n << " coordinates";
    }
  });
}

/// Results that are written past the caches: of whole lines, and not, the last block a part of one.
template <class T>
void expect_bits_of_parts(const char* model, std::int64_t coordinates) {
  SCOPED_TRACE(std::string(model) + " " + number_type<T>(1) + " " + std::to_string(coordinates));
  const auto points = (std::int64_t(2) << 20) / (coordinates * std::int64_t(sizeof(T))) + 70;
  const Registered& op = registered("logmap", model, number_type<T>(1));
  const auto here = [&](const Numbers& x) { return convert<T, 1>(x); };
  Operands random(model, int(coordinates), 0.5, points);
  const auto x = here(random.point()), y = here(random.point());
  const std::vector<bool> wanted{false, true, true};
  const auto value = op.value<T, 1>(T(radius), {x, y});
  const auto slopes = op.derivatives<T, 1, 1>(T(radius), {x, y}, y, wanted);
  for (const std::int64_t first : {std::int64_t(0), std::int64_t(640), points - 69}) {
    const auto part = [&](const Tensor<T>& z) { return z.narrow(0, first, 69); };
    const auto same = [&](const Tensor<T>& whole, const Tensor<T>& alone) {
      EXPECT_EQ(part(whole).values(), alone.values()) << first;
    };
    same(value, op.value<T, 1>(T(radius), {part(x), part(y)}));
    const auto few = op.derivatives<T, 1, 1>(T(radius), {part(x), part(y)}, part(y), wanted);
    same(slopes[1], few[1]);
    same(slopes[2], few[2]);
  }
}

TEST(ProgramsFor, LargeResultsHaveTheBitsOfTheirParts) {
  for (const std::int64_t coordinates : {8, 16, 18}) {
    expect_bits_of_parts<double>("PoincareBall", coordinates);
    expect_bits_of_parts<double>("Lorentz", coordinates);
  }
  expect_bits_of_parts<float>("PoincareBall", 16);
}

/// Operands that are read where they lie, copied, spread over other numbers, or the same for all.
TEST_P(Programs, HaveTheBitsOfAnyMemory) {
  for (const char* name : {"logmap", "ptransp0back", "projx"}) {
    SCOPED_TRACE(name);
    const Registered& op = registered(name, GetParam(), "f64x1");
    const auto value_of = [&](const std::vector<Numbers>& x) {
      return op.value<double, 1>(radius, x);
    };
    const std::vector<Numbers> whole = operands_of(op, 16, 0.4).of(op);
    const Numbers value = value_of(whole);
    std::vector<Numbers> spread, same, first;
    for (const Numbers& x : whole) {
      spread.push_back(x.transpose(0, 1).contiguous().transpose(0, 1));
      first.push_back(x.narrow(0, 0, 1));
      same.push_back(first.back().expand({count, 16}));
    }
    EXPECT_EQ(value_of(spread).values(), value.values());
    const std::vector<bool> wanted(whole.size() + 1, true);
    const auto slopes = op.derivatives<double, 1, 1>(radius, whole, value, wanted);
    const auto others = op.derivatives<double, 1, 1>(radius, spread, value, wanted);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_EQ(others[i].values(), slopes[i].values()) << i;
    const auto one = value_of(first);
    EXPECT_EQ(value_of(same).narrow(0, 67, 1).values(), one.values());
    EXPECT_EQ(value.narrow(0, 0, 1).values(), one.values());
  }
}
/// Results of floats are those of doubles, rounded once.
TEST_P(Programs, OfFloatsCalculateInDoubles) {
  for (const char* name : {"logmap", "norm", "egrad2rgrad"}) {
    const Registered& op = registered(name, GetParam(), "f64x1");
    std::vector<Tensor<float>> narrow;
    std::vector<Numbers> wide;
    for (const Numbers& x : operands_of(op, 16, 0.4).of(op)) {
      narrow.push_back(convert<float, 1>(x));
      wide.push_back(convert<double, 1>(narrow.back()));
    }
    // the radius is a float in both
    const auto floats =
        registered(name, GetParam(), "f32x1").value<float, 1>(float(radius), narrow);
    const auto rounded = convert<float, 1>(op.value<double, 1>(double(float(radius)), wide));
    EXPECT_EQ(floats.values(), rounded.values()) << name;
  }
}

/// However long the vector was.
TEST(ProgramsFor, PointsOfFloatsStayInTheBall) {
  const Registered& op = registered("expmap0", "PoincareBall", "f32x1");
  const Numbers long_vectors = operands_of(op, 16, 3).of(op)[0] * Numbers::scalar(100);
  const auto ends = op.value<float, 1>(float(radius), {convert<float, 1>(long_vectors)});
  for (std::int64_t p = 0; p < count; ++p) {
    double square = 0;
    for (std::int64_t i = 0; i < 16; ++i) square += std::pow(double(ends.at({p, i})), 2);
    EXPECT_LT(square, double(float(radius)) * float(radius)) << p;
    EXPECT_GT(square, 0.9 * radius * radius) << p;
  }
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
