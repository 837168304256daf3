// What the suite's geometric operations compare, whatever the number type: a result against
// textbook formulas in 3072 bits, in units of the operation's bound.
#pragma once

#include <string>

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

/// A model as the suite knows it, and points of a type in it.
struct GeometrySpace {
  Model model, chart;  ///< of the oracle, of coordinates
  bool is_stereographic;
  int n;
  PointType type;

  bool is_flat() const { return chart == Model::euclidean || chart == Model::sphere; }
};

/// Points, a vector and a number that an operation is given.
struct BigPlace {
  BigVector x, y, u;
  Big t;
};

/// An operation of a model: all that does not depend on the type of its numbers.
class GeometryCheck : public NumberedTask {
 public:
  GeometryCheck(GeometryOperation operation, const std::string& model, const std::string& type,
                const GeometrySpace& space);

  OperationResult describe() const override;
  double weight() const override { return is_conditioned() ? 0.001 : 0.002; }
  std::uint64_t most_cases() const override { return 3000; }

 protected:
  /// See Cases::make.
  std::size_t category_of(const Case& c) const override;
  std::uint64_t hash_of(const Case& c) const {
    return hash_ ^ ((c.seed * 0x9E3779B97F4A7C15u + c.block) * 0xD1B54A32D192ED03u + c.number);
  }
  /// Whether the place of a case is on_a_line, and whether the time of a geodesic is beyond its
  /// ends: every second of each kind of place.
  bool is_on_a_line(const Case& c) const { return !space_.is_flat() && c.number % 4 == 3; }
  bool is_beyond(const Case& c) const { return !space_.is_flat() && c.number / 4 % 2 == 1; }
  /// The vector whose retraction is where u leads; none where that is too long.
  BigVector stretched(const Big& radius, const BigVector& x, const BigVector& u) const;
  /// The result for the points of a place.
  Outcome compare(const Big& radius, const BigPlace& place, const BigVector& result) const;

  const GeometryOperation operation_;

 private:
  /// What a result should be, and the magnitudes that the bound is stated for: one for each
  /// coordinate, or one for the vector.
  struct Truth {
    BigVector exact, reference;
    bool skipped = false;
  };

  bool is_conditioned() const;
  StatedBound stated_bound() const;
  Truth truth(const ManifoldOracle& oracle, const BigPlace& place) const;
  template <class F>
  Truth conditioned(const std::vector<BigVector>& in, const F& f) const;
  Truth converted(Model to, const Big& radius, const BigVector& x) const;

  const GeometrySpace space_;
  const StatedBound bound_;
  const std::uint64_t hash_;  // every operation has its own cases
};

std::string geometry_operation_name(GeometryOperation operation);

}  // namespace mct::validation
