// The GPUs of this machine, and why there is none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mct::cuda {

struct Device {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  std::int64_t memory = 0;   // bytes
  int multiprocessors = 0;
  double clock = 0;  // hertz, the highest
};

/// The least compute capability (major) that kernels are compiled for.
inline constexpr int least_compute_capability = 8;

/// All that CUDA shows, in its order (CUDA_VISIBLE_DEVICES chooses); empty where there is none,
/// whatever the reason.
std::vector<Device> devices();

/// Empty where there is a device, else why there is none: a library built without CUDA, no driver,
/// one that is too old, no device. Never throws; what uses a device throws DeviceError with this.
std::string why_no_device();
/// Throws DeviceError, saying why, where there is none.
void require_device();

}  // namespace mct::cuda
