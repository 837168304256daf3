// The suite's operations of a product of manifolds: the ball beside the half-space, of different
// radius and weight.

#include <algorithm>
#include <cstddef>

#include "validation/core/geometry_formulas.hpp"

namespace mct::validation {
namespace {

constexpr double second_weight = 0.75;

BigVector beside(BigVector a, const BigVector& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// dist, logmap or ptransp: the distance by its own bound, vectors by those of the parts.
class ManifoldProductTask final : public NumberedTask {
 public:
  ManifoldProductTask(GeometryOperation operation, const std::string& type,
                      const PointType& numbers, ProductCall call)
      : NumberedTask(type, "product_" + geometry_operation_name(operation)),
        operation_(operation),
        numbers_(numbers),
        call_(call),
        hash_(hash64(type + name())) {}

  OperationResult describe() const override {
    const bool is_dist = operation_ == GeometryOperation::dist;
    return geometry_result(numbers_, name(), type(),
                           {units(), is_dist ? "dist" : "|z| of each part"});
  }
  double weight() const override { return 0.002; }
  std::uint64_t most_cases() const override { return 3000; }

 protected:
  std::vector<Outcome> check(const Case& c, std::uint64_t) const override;
  int width_of_bins() const override {
    return numbers_.is_double ? bin_width<double> : bin_width<float>;
  }

 private:
  double units() const { return numbers_.bound(3) + 4; }
  /// The error of the part that begins at coordinate `first`, by its bound.
  double off(const BigVector& z, std::size_t first, const BigVector& exact) const;

  const GeometryOperation operation_;
  const PointType numbers_;
  const ProductCall call_;
  const std::uint64_t hash_;
};

std::vector<Outcome> ManifoldProductTask::check(const Case& c, std::uint64_t) const {
  const std::uint64_t h = hash_of(hash_, c);
  const int i = int(c.number % 1000000);
  const auto space = [&](Model model) {
    return GeometrySpace{model, model, false, 3, 3, numbers_};
  };
  GeometryCases first(space(Model::ball), 1 + double(h >> 40) * 0x1p-24, unsigned(h));
  GeometryCases second(space(Model::half_space), 2 - double(h >> 40) * 0x1p-24, unsigned(h >> 32));
  BigPlace a = first.points(i);
  BigPlace b = second.points(i + i / 7);
  a.u = first.tangent(a.x, first.uniform(0.01, 4));
  b.u = second.tangent(b.x, second.uniform(0.01, 4));
  BigPlace both;
  both.x = beside(a.x, b.x);
  both.y = beside(a.y, b.y);
  both.u = beside(a.u, b.u);
  const BigVector z = call_(operation_, first.number(), second.number(), second_weight, both);
  const ManifoldOracle ball(Model::ball, first.radius());
  const ManifoldOracle half(Model::half_space, second.radius());
  switch (operation_) {
    case GeometryOperation::dist: {
      const Big exact = norm({ball.dist(a.x, a.y), Big(second_weight) * half.dist(b.x, b.y)});
      return {within_bound(off(z, 0, {exact}))};
    }
    case GeometryOperation::logmap:
      return {within_bound(
          std::max(off(z, 0, ball.logmap(a.x, a.y)), off(z, 3, half.logmap(b.x, b.y))))};
    default:
      return {within_bound(std::max(off(z, 0, ball.ptransp(a.x, a.y, a.u)),
                                    off(z, 3, half.ptransp(b.x, b.y, b.u))))};
  }
}

double ManifoldProductTask::off(const BigVector& z, std::size_t first,
                                const BigVector& exact) const {
  const auto begin = z.begin() + std::ptrdiff_t(first);
  const BigVector part(begin, begin + std::ptrdiff_t(exact.size()));
  return share_of_bound(numbers_, norm(part - exact), units(), norm(exact));
}

}  // namespace

std::unique_ptr<Task> manifold_product_task(GeometryOperation operation, const std::string& type,
                                            const PointType& numbers, ProductCall call) {
  return std::make_unique<ManifoldProductTask>(operation, type, numbers, call);
}

}  // namespace mct::validation
