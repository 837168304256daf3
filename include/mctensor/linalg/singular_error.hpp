// What decompositions throw where a matrix has no inverse.
#pragma once

#include "mctensor/error.hpp"

namespace mct {

/// A matrix has no inverse, or none that can be told from rounding errors in all components at
/// hand. The message names the function, the shape and the place of the pivot that is missing.
struct SingularError : DomainError {
  using DomainError::DomainError;
};

}  // namespace mct
