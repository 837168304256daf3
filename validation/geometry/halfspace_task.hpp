// The suite's cases of the half-space representations.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/geometry/halfspace/bounds.hpp"
#include "validation/core/replay_number.hpp"
#include "validation/core/task.hpp"
#include "validation/geometry/figure_points.hpp"

namespace mct::validation {

/// What is checked of a representation: the distance between a point and its stored form, beside
/// Theorem 3.3.4 (3.3.1 for one component), and distances of stored points.
enum class HalfSpaceCheck { store, dist };

/// Errors are in units of the bound. A case is a point of the plane up to `reach` from the origin,
/// and a second one next to it, or not.
template <class Space, class T, int M>
class HalfSpaceTask final : public Task {
  using Model = HalfSpaceModel<Space>;
  static constexpr double u = FloatTraits<T>::u;
  /// Where the height e^-d is still a normal number.
  static constexpr double farthest = FloatTraits<T>::emax == 1024 ? 700 : 85;

 public:
  HalfSpaceTask(HalfSpaceCheck check, std::string name, std::string type, double reach)
      : check_(check), name_(std::move(name)), type_(std::move(type)), reach_(reach) {}

  OperationResult describe() const override {
    OperationResult result;
    result.operation = name_;
    result.type = type_;
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

  BlockResult run(std::uint64_t seed, std::uint64_t block, std::uint64_t cases) const override {
    BlockResult result;
    for (std::uint64_t i = 0; i < cases; ++i) {
      const double error = error_of(seed, block, i);
      const std::string line = fmt::format("{} {} {} {} {}", type_, name_, seed, block, i);
      if (!(error <= result.errors.max_error) || i == 0) result.worst_replay = line;
      result.errors.add(error);
      result.by_category[0].add(error);
      if (error <= 1) continue;
      ++result.violation_count;
      if (result.violations.size() < 5)
        result.violations.push_back({line, error, "bound exceeded"});
    }
    return result;
  }

  BlockResult run_specials() const override { return {}; }

  bool replay(const std::vector<std::string>& operands, std::string& report) const override {
    if (operands.size() != 3)
      throw DomainError(fmt::format("replay: {} takes seed, block and number, got {} words", name_,
                                    operands.size()));
    const double error = error_of(replay_number(operands[0]), replay_number(operands[1]),
                                  replay_number(operands[2]));
    report += fmt::format("error     {:.6g} of the bound\n", error);
    return error <= 1;
  }

 private:
  double error_of(std::uint64_t seed, std::uint64_t block, std::uint64_t number) const {
    std::uint32_t h = 2166136261u;  // FNV-1a, as for the other operations
    for (const char c : type_ + ' ' + name_) h = (h ^ std::uint8_t(c)) * 16777619u;
    Random random(seed ^ (number + 1) * 0x9E3779B97F4A7C15u, std::uint64_t(h) << 32 | block);
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
  std::string name_;
  std::string type_;
  double reach_;
};

}  // namespace mct::validation
