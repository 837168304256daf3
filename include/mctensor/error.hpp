// The exceptions that MCTensor throws. Each message names the values that caused it.
#pragma once

#include <stdexcept>
#include <string>

namespace mct {

/// Base of every exception thrown by MCTensor.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value, or a text that stands for a value, lies outside a function's domain.
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
class DeviceError : public Error {
 public:
  using Error::Error;
  /// A CUDA call that failed, and CUDA's reason.
  DeviceError(const std::string& call, const std::string& reason)
      : Error(call + ": " + reason), call_(call), reason_(reason) {}

  /// Empty where the error was noticed before CUDA was called.
  const std::string& call() const { return call_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string call_;
  std::string reason_;
};

}  // namespace mct
