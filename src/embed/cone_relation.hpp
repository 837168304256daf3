// Cones of some kind, model and dimension as one object, with the functions of two rows that
// training needs.
#pragma once

#include <cstdint>
#include <memory>

#include "mctensor/embed/cone_evaluation.hpp"

namespace mct::embed {

/// Points are rows of `dimensions` numbers.
class ConeRelation {
 public:
  ConeRelation() = default;
  ConeRelation(const ConeRelation&) = delete;
  ConeRelation& operator=(const ConeRelation&) = delete;
  virtual ~ConeRelation() = default;

  /// Whether v lies in the cone of u.
  virtual bool contains(const double* u, const double* v) const = 0;
  /// geometry::cone_distance with its gamma, and its gradients in an orthonormal frame.
  virtual double distance(const double* u, const double* v, double gamma, double* by_u,
                          double* by_v) const = 0;
  /// Whether numbers are a point of the model, in the light or not.
  virtual bool is_point(const double* x) const = 0;
  /// Moves a point out of the light, in the ball to at least the distance `nearest` from the origin
  /// of the coordinates in which the light is there.
  virtual void project(double* x, double nearest = 0) const = 0;
  /// x in coordinates in which the light is where it is without ConeSystem::light, and the point
  /// that has the coordinates y there.
  virtual void to_light(const double* x, double* y) const = 0;
  virtual void from_light(const double* y, double* x) const = 0;
};

/// Throws DomainError as ConeSystem::check.
std::unique_ptr<ConeRelation> make_cone_relation(const ConeSystem& system);

/// The same cones in coordinates in which the light is where it is without ConeSystem::light.
ConeSystem seen_by_light(ConeSystem system);

}  // namespace mct::embed
