// Manifolds of double by their names.
#pragma once

#include <string>

#include "mctensor/error.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/lorentz.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::python {

/// Calls f with the manifold of this name and radius, if it has means and optimizers. Throws
/// DomainError for other names.
template <class F>
auto with_manifold(const std::string& name, double radius, const F& f) {
  if (name == "PoincareBall") return f(geometry::PoincareBall<double>(radius));
  if (name == "HalfSpace") return f(geometry::HalfSpace<double>(radius));
  if (name == "Lorentz") return f(geometry::Lorentz<double>(radius));
  throw DomainError("a PoincareBall, HalfSpace or Lorentz is wanted, not a " + name);
}

}  // namespace mct::python
