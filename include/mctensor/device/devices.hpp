// The GPUs of this machine, and why there is none.
#pragma once

#include <cstddef>
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

/// Whether the device is that of the library's tests, which computes in the memory of the CPU.
bool device_is_simulated() noexcept;
/// To that one: its programs may use memory of the CPU that belongs to somebody else, until all of
/// it is taken back. For other devices it means nothing.
void lend_memory(const void* data, std::size_t bytes);
void take_memory_back();

}  // namespace mct::cuda
