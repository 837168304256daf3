// The exception of decompositions for a matrix without an inverse.
#pragma once

#include "mctensor/error.hpp"

namespace mct {

/// A matrix has no inverse, or the inverse is lost in rounding errors even with the largest number
/// of components. The message names the function, the shape and the place of the missing pivot.
struct SingularError : DomainError {
  using DomainError::DomainError;
};

}  // namespace mct
