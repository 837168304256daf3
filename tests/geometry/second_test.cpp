// Second derivatives of every operation of the registry against differences of differences of its
// values in f64x3, which the suite compares with MPFR: at random points near and far, next to each
// other, at equal points, zero vectors and the origin; and where there are none.
#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/expansion/all.hpp"
#include "tests/geometry/registry_operands.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

constexpr std::int64_t count = 5;
constexpr double u = 0x1p-53;
using Long = f64x3;
using Pairs = std::vector<std::optional<Numbers>>;

/// The operation at one point.
class AtPoint {
 public:
  AtPoint(const Registered& op, const std::vector<Numbers>& operands, const Numbers& grad,
          std::int64_t point)
      : op_(op), long_(registered(op.operation, op.model, "f64x3")) {
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
    std::vector<Tensor<double, 3>> operands;
    for (std::size_t k = 1; k + 1 < groups(); ++k) {
      auto x = Tensor<double, 3>::uninitialized(shapes_[k]);
      for (std::size_t i = begin(k); i < end(k); ++i)
        for (int limb = 0; limb < 3; ++limb) x.data(limb)[i - begin(k)] = moved[i].limb[limb];
      operands.push_back(x);
    }
    const auto value = long_.value<double, 3>(moved[0], operands).contiguous();
    Long sum(0.0);
    for (std::size_t r = begin(groups() - 1); r < size(); ++r) {
      Long result;
      for (int limb = 0; limb < 3; ++limb)
        result.limb[limb] = value.data(limb)[r - begin(groups() - 1)];
      sum = sum + moved[r] * result;
    }
    return sum;
  }
  /// The derivative of the sum along a direction, by number `other`.
  double truth(const std::vector<double>& along, std::size_t other) const {
    const double step = 0x1p-36;
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
double worst_error(const Registered& op, const std::vector<Numbers>& operands, double floor) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> number;
  auto grad = Numbers::uninitialized(op.value<double, 1>(radius, operands).shape());
  for (std::int64_t i = 0; i < grad.numel(); ++i) grad.data()[i] = number(random);
  double worst = 0;
  for (std::int64_t p = 0; p < count; ++p) {
    const AtPoint point(op, operands, grad, p);
    std::vector<double> along;
    for (std::size_t i = 0; i < point.begin(point.groups() - 1); ++i) along.push_back(number(random));
    const auto ours = point.ours(along);
    for (std::size_t k = 0; k < point.groups(); ++k) {
      double largest = floor, error = 0;
      for (std::size_t i = point.begin(k); i < point.end(k); ++i) {
        const double truth = point.truth(along, i);
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
template <class Check>
void each_operation(const char* model, const Check& check) {
  int found = 0;
  for (const Registered& op : registered_operations())
    if (op.model == model && op.type == "f64x1" && !wants_directions(op)) {
      check(op);
      ++found;
    }
  EXPECT_GE(found, 22);
}

class Second : public ::testing::TestWithParam<const char*> {};

TEST_P(Second, OfRandomPoints) {
  each_operation(GetParam(), [](const Registered& op) {
    for (const double spread : {0.01, 0.5, 2.0}) {
      const auto operands = Operands(op.model, 3, spread, count).of(op);
      EXPECT_LT(worst_error(op, operands, 1e-3), 1e-12) << op.operation << " spread " << spread;
    }
  });
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Models, Second,
                         ::testing::Values("PoincareBall", "HalfSpace", "Lorentz"));

}  // namespace mct::geometry_test
