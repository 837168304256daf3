// The exceptions that MCTensor throws. Each message names the values concerned.
#pragma once

#include <stdexcept>

namespace mct {

/// Base of every exception thrown by MCTensor.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value, or a text that stands for one, lies outside a function's domain.
struct DomainError : Error {
  using Error::Error;
};

/// The shapes of operands do not fit together.
struct ShapeError : Error {
  using Error::Error;
};

/// There is not enough memory for a tensor or a file.
struct MemoryError : Error {
  using Error::Error;
};

/// A file could not be read or written, or its content is malformed.
struct IoError : Error {
  using Error::Error;
};

/// A device (GPU) is missing or reported an error.
struct DeviceError : Error {
  using Error::Error;
};

}  // namespace mct
