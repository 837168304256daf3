// Errors of CUDA as exceptions.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "mctensor/error.hpp"

namespace mct::cuda {

/// Throws DeviceError unless the call succeeded.
inline void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // or the next call would report it again
  throw DeviceError(call,
                    std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")");
}

}  // namespace mct::cuda
