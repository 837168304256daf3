// The exception of decompositions for a matrix without an inverse.
#pragma once

#include "mctensor/error.hpp"

namespace mct {

/// A matrix has no inverse, or its inverse is lost in the rounding errors of the most components
/// that there are. The message names the function, the shape and the place of the missing pivot.
struct SingularError : DomainError {
  using DomainError::DomainError;
};

}  // namespace mct
