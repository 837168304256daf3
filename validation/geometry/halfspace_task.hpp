// The suite's cases of the half-space representations.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mctensor/geometry/storage/halfspace/bounds.hpp"
#include "validation/core/recording_task.hpp"
#include "validation/geometry/figure_points.hpp"

namespace mct::validation {

/// What is checked of a representation: the distance between a point and its stored form, beside
/// Theorem 3.3.4 (3.3.1 for one component), and distances of stored points.
enum class HalfSpaceCheck { store, dist };

/// Errors are in units of the bound. A case is a point of the plane up to `reach` from the origin,
/// and a second one next to it, or not.
template <class Space, class T, int M>
class HalfSpaceTask final : public NumberedTask {
  using Model = HalfSpaceModel<Space>;
  static constexpr double u = FloatTraits<T>::u;
  /// Where the height e^-d is still a normal number.
  static constexpr double farthest = FloatTraits<T>::emax == 1024 ? 700 : 85;

 public:
  HalfSpaceTask(HalfSpaceCheck check, std::string name, std::string type, double reach)
      : NumberedTask(std::move(type), std::move(name)), check_(check), reach_(reach) {}

  OperationResult describe() const override {
    OperationResult result;
    result.operation = name();
    result.type = type();
    result.components = M;
    result.precision = FloatTraits<T>::p;
    result.bound = 1;
    result.bound_text = check_ == HalfSpaceCheck::dist ? "1 = 16 u d(x, y)"
                        : M == 1                       ? "1 = Theorem 3.3.1"
                                                       : "1 = Theorem 3.3.4";
    return result;
  }

  /// A case costs a millisecond of MPFR.
  double weight() const override { return 3e-4; }

  std::uint64_t most_cases() const override { return 500; }

 protected:
  std::vector<Outcome> check(const Case& c) const override {
    Outcome outcome;
    outcome.error = error_of(c);
    if (!(outcome.error <= 1)) outcome.problem = "bound exceeded";
    return {outcome};
  }
  std::size_t category_of(const Case&) const override { return 0; }
  int width_of_bins() const override { return 0; }

 private:
  double error_of(const Case& c) const {
    Random random = random_of(c);
    const double d = reach_ * unit_interval(random);
    const ExactPoint p = point_on(random.one_in(2) ? Way::horizontal : Way::diagonal, d, random);
    const auto kept = Model::store(p);
    const auto exact = Model::exact(kept);
    if (!exact) return INFINITY;
    if (check_ == HalfSpaceCheck::store)
      return double(exact_distance(p, *exact)) / geometry::theorem_3_3_4(u, M, d);
    // 1e-12 to 60 apart, and sometimes anywhere; no further out than T has exponents for
    const double apart = std::pow(10, -12 + 13.8 * unit_interval(random));
    const double length = std::min(apart, farthest - d);
    const auto other = Model::store(
        random.one_in(4) ? point_on(Way::diagonal, reach_ * unit_interval(random), random)
                         : exact_step(*exact, exact_vector(frame_vector(length, random))));
    const auto exact_other = Model::exact(other);
    if (!exact_other) return INFINITY;
    const Big distance = exact_distance(*exact, *exact_other);
    const double found = Model::dist(kept, other);
    if (mpfr_zero_p(distance.get())) return found == 0 ? 0 : INFINITY;
    return std::fabs(double((Big(found) - distance) / distance)) / (16 * u);
  }

  HalfSpaceCheck check_;
  double reach_;
};

}  // namespace mct::validation
