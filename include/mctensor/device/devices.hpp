// The GPUs of this machine, or the reason why there is no GPU.
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

/// The lowest compute capability (major number) for which kernels are compiled.
inline constexpr int least_compute_capability = 8;

/// All devices that CUDA lists, in the order of CUDA. The environment variable CUDA_VISIBLE_DEVICES
/// selects among them. Empty if there is no device, for any reason.
std::vector<Device> devices();

/// The reason why there is no device; empty if there is one. Reasons: the library was built without
/// CUDA, there is no driver, the driver is too old, there is no device. Never throws. Functions
/// that need a device throw DeviceError with this text.
std::string why_no_device();
/// Throws DeviceError with why_no_device() if there is no device.
void require_device();

/// Whether the device is the simulated one of the library's tests, which computes in CPU memory.
bool device_is_simulated() noexcept;
/// Allows programs of the simulated device to use the caller's CPU memory, until take_memory_back()
/// ends this for all such memory. No effect on other devices.
void lend_memory(const void* data, std::size_t bytes);
void take_memory_back();

}  // namespace mct::cuda
