// What the suite's geometric operations compare: results of the library, for a batch of points,
// against textbook formulas in 3072 bits, in units of the operation's bound.
#pragma once

#include <string>
#include <vector>

#include "validation/core/geometry_bounds.hpp"
#include "validation/core/recording_task.hpp"

namespace mct::validation {

enum class GeometryOperation {
  dist,
  expmap,
  logmap,
  ptransp,
  geodesic,
  retr,
  proju,
  mobius_add,
  dist_gradient,
  to_half_space,
  to_lorentz
};
std::string geometry_operation_name(GeometryOperation operation);

/// An operation's operands at a place.
std::vector<BigVector> operands_of(GeometryOperation operation, const BigPlace& place);

/// Calls the library: the results at some places of one manifold, which is told by its number.
using GeometryCall = std::vector<BigVector> (*)(GeometryOperation operation, const char* model,
                                                const Big& number,
                                                const std::vector<BigPlace>& places);

/// A model as the suite and as the library name it.
struct GeometryModel {
  const char* name;
  const char* registered;
};

/// An operation of a model on points of a number type.
class GeometryTask final : public NumberedTask {
 public:
  GeometryTask(GeometryOperation operation, const GeometryModel& model, const std::string& type,
               const GeometrySpace& space, GeometryCall call);

  OperationResult describe() const override;
  double weight() const override { return is_conditioned() ? 0.001 : 0.002; }
  std::uint64_t most_cases() const override { return 3000; }

 protected:
  std::vector<Outcome> check(const Case& c, std::uint64_t count) const override;
  /// Of one radius, and no multiple of the lanes of a register.
  std::uint64_t cases_together() const override { return 12; }
  /// See GeometryCases::make.
  std::size_t category_of(const Case& c) const override;
  int width_of_bins() const override {
    return space_.type.is_double ? bin_width<double> : bin_width<float>;
  }

 private:
  /// What a result should be, and the magnitudes that the bound is stated for: one for each
  /// coordinate, or one for the vector.
  struct Truth {
    BigVector exact, reference;
    bool skipped = false;
  };

  /// Whether the place of a case is on_a_line, and whether the time of a geodesic is beyond its
  /// ends: every second of each kind of place.
  bool is_on_a_line(const Case& c) const { return !space_.is_flat() && c.number % 4 == 3; }
  bool is_beyond(const Case& c) const { return !space_.is_flat() && c.number / 4 % 2 == 1; }
  /// The cases of a batch have the radius of its first one.
  GeometryCases cases_of(const Case& c) const;
  BigPlace place_of(const Case& c, GeometryCases& cases) const;
  /// Any vector, or one that is tangent but for the rounding of its coordinates.
  BigVector ambient(GeometryCases& cases, const BigVector& x, int i) const;
  /// The vector whose retraction is where u leads; none where that is too long.
  BigVector stretched(const Big& radius, const BigVector& x, const BigVector& u) const;
  /// The result for the points of a place.
  Outcome compare(const Big& radius, const BigPlace& place, const BigVector& result) const;

  bool is_conditioned() const;
  StatedBound stated_bound() const;
  Truth truth(const ManifoldOracle& oracle, const BigPlace& place) const;
  template <class F>
  Truth conditioned(const std::vector<BigVector>& in, const F& f) const;
  Truth converted(Model to, const Big& radius, const BigVector& x) const;

  const GeometryOperation operation_;
  const char* const registered_;
  const GeometrySpace space_;
  const GeometryCall call_;
  const StatedBound bound_;
  const std::uint64_t hash_;  // every operation has its own cases
};

}  // namespace mct::validation
