// Second derivatives of every operation of the registry against differences of differences of its
// values in f64x2, which the suite compares with MPFR: at random points near and far, next to each
// other, at equal points and zero vectors; and where there are none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mctensor/expansion/all.hpp"
#include "mctensor/tensor/convert.hpp"
#include "tests/geometry/registry_operands.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

constexpr std::int64_t count = 5;
using Long = f64x2;
using Pairs = std::vector<std::optional<Numbers>>;

/// The operation at one point.
class AtPoint {
 public:
  AtPoint(const Registered& op, const std::vector<Numbers>& operands, const Numbers& grad,
          std::int64_t point)
      : op_(op), long_(registered(op.operation, op.model, "f64x2")) {
    add(Numbers::scalar(radius));
    for (const Numbers& x : operands) add(x.select(0, point));
    add(grad.select(0, point));
  }
  std::size_t groups() const { return shapes_.size(); }
  std::size_t begin(std::size_t group) const { return begins_[group]; }
  std::size_t end(std::size_t group) const {
    return group + 1 < begins_.size() ? begins_[group + 1] : numbers_.size();
  }
  std::size_t size() const { return numbers_.size(); }

  /// Sum of grad times value, of numbers moved by `step` times two directions.
  Long weighted(const std::vector<double>& along, double step, std::size_t other, double by) const {
    auto moved = numbers_;
    for (std::size_t i = 0; i < along.size(); ++i) moved[i] = moved[i] + Long(along[i]) * step;
    moved[other] = moved[other] + Long(by);
    std::vector<Tensor<double, 2>> operands;
    for (std::size_t k = 1; k + 1 < groups(); ++k) {
      auto x = Tensor<double, 2>::uninitialized(shapes_[k]);
      for (std::size_t i = begin(k); i < end(k); ++i)
        for (int limb = 0; limb < 2; ++limb) x.data(limb)[i - begin(k)] = moved[i].limb[limb];
      operands.push_back(x);
    }
    const auto value = long_.value<double, 2>(moved[0], operands).contiguous();
    Long sum(0.0);
    for (std::size_t r = begin(groups() - 1); r < size(); ++r) {
      Long result;
      for (int limb = 0; limb < 2; ++limb)
        result.limb[limb] = value.data(limb)[r - begin(groups() - 1)];
      sum = sum + moved[r] * result;
    }
    return sum;
  }
  /// The derivative of the sum along a direction, by number `other`.
  double truth(const std::vector<double>& along, std::size_t other, double step) const {
    const auto at = [&](double a, double b) { return weighted(along, a * step, other, b * step); };
    return double((at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * step * step));
  }
  const std::vector<Shape>& shapes() const { return shapes_; }
  Numbers numbers(std::size_t group) const {
    auto x = Numbers::uninitialized(shapes_[group]);
    for (std::size_t i = begin(group); i < end(group); ++i)
      x.data()[i - begin(group)] = numbers_[i].limb[0];
    return x;
  }
  Pairs ours(const std::vector<double>& along) const {
    std::vector<Numbers> operands;
    Pairs cotangents;
    for (std::size_t k = 0; k + 1 < groups(); ++k) {
      auto c = Numbers::uninitialized(shapes_[k]);
      for (std::size_t i = begin(k); i < end(k); ++i) c.data()[i - begin(k)] = along[i];
      cotangents.emplace_back(c);
      if (k > 0) operands.push_back(numbers(k));
    }
    const std::vector<bool> wanted(groups(), true);
    const auto all = op_.second_derivatives<double, 1>(radius, operands, numbers(groups() - 1),
                                                       cotangents, wanted);
    return {all.begin(), all.end()};
  }

 private:
  void add(const Numbers& x) {
    begins_.push_back(numbers_.size());
    shapes_.push_back(x.shape());
    const auto values = x.contiguous();
    for (std::int64_t i = 0; i < values.numel(); ++i) numbers_.push_back(Long(values.data()[i]));
  }

  const Registered& op_;
  const Registered& long_;
  std::vector<Long> numbers_;
  std::vector<std::size_t> begins_;
  std::vector<Shape> shapes_;
};

/// The largest error of a second derivative over the largest one of its group, or over `floor`.
double worst_error(const Registered& op, const std::vector<Numbers>& operands, double floor,
                   double step = 0x1p-29) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> number;
  auto grad = Numbers::uninitialized(op.value<double, 1>(radius, operands).shape());
  for (std::int64_t i = 0; i < grad.numel(); ++i) grad.data()[i] = number(random);
  double worst = 0;
  for (std::int64_t p = 0; p < count; ++p) {
    const AtPoint point(op, operands, grad, p);
    std::vector<double> along;
    for (std::size_t i = 0; i < point.begin(point.groups() - 1); ++i)
      along.push_back(number(random));
    const auto ours = point.ours(along);
    for (std::size_t k = 0; k < point.groups(); ++k) {
      double largest = floor, error = 0;
      for (std::size_t i = point.begin(k); i < point.end(k); ++i) {
        const double truth = point.truth(along, i, step);
        const double off = std::fabs(ours[k]->data()[i - point.begin(k)] - truth);
        largest = std::max(largest, std::fabs(truth));
        error = std::isnan(off) ? INFINITY : std::max(error, off);
      }
      worst = std::max(worst, error / largest);
    }
  }
  return worst;
}

bool wants_directions(const Registered& op) {
  return is_one_of(op, {"busemann", "horosphere_projection"});
}
/// To models that have no second derivatives.
bool leads_elsewhere(const Registered& op) { return is_one_of(op, {"to_klein", "to_hemisphere"}); }
template <class Check>
void each_operation(const char* model, const Check& check) {
  int found = 0;
  for (const Registered& op : registered_operations())
    if (op.model == model && op.type == "f64x1" && !wants_directions(op) && !leads_elsewhere(op)) {
      check(op);
      ++found;
    }
  EXPECT_GE(found, 22);
}

class Second : public ::testing::TestWithParam<const char*> {};

/// What programs of one limb may leave of digits where they divide by short vectors.
constexpr double rough = 0x1p-28;

TEST_P(Second, OfRandomPoints) {
  each_operation(GetParam(), [](const Registered& op) {
    for (const double spread : {0.01, 0.5, 2.0}) {
      const auto operands = Operands(op.model, 3, spread, count).of(op);
      EXPECT_LT(worst_error(op, operands, 1e-3), spread == 0.5 ? 1e-11 : rough)
          << op.operation << " spread " << spread;
    }
  });
}
/// Where formulas divide by what is zero, and the function is smooth.
TEST_P(Second, AtEqualPointsAndZeroVectors) {
  each_operation(GetParam(), [](const Registered& op) {
    // dist and norm have a corner; a deviation of zero
    if (is_one_of(op, {"dist_gradient", "dist", "dist0", "norm", "normal_log_prob"})) return;
    auto operands = Operands(op.model, 3, 0.4, count).of(op);
    const bool moves =
        is_one_of(op, {"expmap", "retr", "expmap0", "geodesic_unit", "mobius_pointwise_mul"});
    auto& last = operands.back();
    const Numbers& first = operands[operands.size() < 3 ? 0 : 1];
    const bool alike = operands.size() > 1 && first.shape() == last.shape();
    if (!moves && !alike) return;
    for (std::int64_t i = 0; i < last.numel(); ++i) last.data()[i] = moves ? 0 : first.data()[i];
    // a vector of no length has no direction
    if (is_one_of(op, {"geodesic_unit", "dist2plane"})) return;
    EXPECT_LT(worst_error(op, operands, 1e-3), 1e-10) << op.operation;
  });
}
TEST_P(Second, NextToEachOther) {
  for (const char* name : {"dist2", "logmap", "expmap", "ptransp", "dist"})
    for (const double apart : {1e-3, 1e-5}) {
      const Registered& op = registered(name, GetParam(), "f64x1");
      auto operands = Operands(op.model, 3, 0.4, count).of(op);
      const bool moves = op.operation == "expmap";
      for (std::int64_t i = 0; i < operands[1].numel(); ++i)
        operands[1].data()[i] =
            moves ? apart * operands[1].data()[i]
                  : operands[0].data()[i] * (1 + apart * (1 + 0.25 * double(i % 3)));
      // that of a distance is as large as they are near
      const double step = op.operation == "dist" ? apart * 0x1p-20 : 0x1p-29;
      EXPECT_LT(worst_error(op, operands, 1e-3, step), rough) << name << ' ' << apart;
    }
}
/// Derivatives by what cotangents are not given for are those for zero ones, and what is not wanted
/// is empty; a radius that is alone in having a cotangent counts for all points.
TEST_P(Second, OfSomeInputs) {
  const Registered& op = registered("expmap", GetParam(), "f64x1");
  const auto operands = Operands(op.model, 4, 0.5, 130).of(op);
  const auto grad = Operands(op.model, 4, 0.5, 130).normal(1);
  const auto direction = Operands(op.model, 4, 0.7, 130).normal(1);
  auto zero = Numbers::uninitialized(direction.shape());
  std::fill_n(zero.data(), zero.numel(), 0.0);
  const auto some = op.second_derivatives<double, 1>(
      radius, operands, grad, {Numbers::scalar(0.5), direction, std::nullopt},
      {true, false, true, true});
  const auto all = op.second_derivatives<double, 1>(
      radius, operands, grad, {Numbers::scalar(0.5), direction, zero}, {true, true, true, true});
  EXPECT_EQ(some[1].numel(), 0);
  EXPECT_NEAR(some[0].item(), all[0].item(), 1e-9 * std::fabs(all[0].item()));
  for (const std::size_t k : {std::size_t(2), std::size_t(3)})
    for (std::int64_t i = 0; i < all[k].numel(); ++i)
      EXPECT_NEAR(some[k].data()[i], all[k].data()[i], 1e-8) << k;
}
TEST_P(Second, ThereIsNoneOfADistanceOfZero) {
  const Registered& op = registered("dist", GetParam(), "f64x1");
  const auto x = Operands(op.model, 3, 0.4, count).point();
  auto grad = Numbers::uninitialized({count});
  std::fill_n(grad.data(), count, 0.0);
  const auto second = [&] {
    return op.second_derivatives<double, 1>(radius, {x, x}, grad, {std::nullopt, x, std::nullopt},
                                            {true, true, true, true});
  };
  for (const auto& zeros : second())
    for (std::int64_t i = 0; i < zeros.numel(); ++i) EXPECT_EQ(zeros.data()[i], 0);
  grad.data()[3] = 1;
  EXPECT_EQ(testing::message_of<DomainError>(second),
            "dist has no second derivatives at point 3, where its first ones have a corner");
}
/// Every type has them, rounded to it.
TEST(SecondOfTypes, AreThoseOfDoubles) {
  const auto x = Tensor<double>::from_values({0.25, 0.5, -0.125, 0.25}, {2, 2});
  const auto y = Tensor<double>::from_values({-0.5, 0.25, 0.375, 0.5}, {2, 2});
  const auto grad = Tensor<double>::from_values({1, -2});
  const auto truth =
      registered("dist2", "PoincareBall", "f64x1")
          .second_derivatives<double, 1>(1.0, {x, y}, grad, {std::nullopt, y, std::nullopt},
                                         {false, true, false, false})[1];
  const auto check = [&]<class T, int N>(const T&, std::integral_constant<int, N>, double bound) {
    using V = typename Tensor<T, N>::Value;
    const auto narrow = [](const Tensor<double>& wide) { return convert<T, N>(wide); };
    const auto ours =
        registered("dist2", "PoincareBall", number_type<T>(N))
            .template second_derivatives<T, N>(V(T(1)), {narrow(x), narrow(y)}, narrow(grad),
                                               {std::nullopt, narrow(y), std::nullopt},
                                               {false, true, false, false})[1];
    const auto wide = convert<double, 1>(ours);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(wide.data()[i], truth.data()[i], bound * std::fabs(truth.data()[i])) << N;
  };
  check(double(), std::integral_constant<int, 2>(), 1e-13);
  check(double(), std::integral_constant<int, 3>(), 1e-13);
  check(float(), std::integral_constant<int, 1>(), 1e-7);
  check(bfloat16(), std::integral_constant<int, 1>(), 5e-3);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Models, Second, ::testing::Values("PoincareBall", "HalfSpace", "Lorentz"));

}  // namespace mct::geometry_test
