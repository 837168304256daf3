#include "mctensor/device/devices.hpp"

#include "cuda/device/runtime.hpp"
#include "mctensor/error.hpp"

namespace mct::cuda {

std::vector<Device> devices() {
  std::string reason;
  return runtime::find_devices(reason);
}

std::string why_no_device() {
  std::string reason;
  runtime::find_devices(reason);
  return reason;
}

void require_device() {
  const std::string reason = why_no_device();
  if (!reason.empty()) throw DeviceError("no GPU can be used: " + reason);
}

bool device_is_simulated() noexcept { return runtime::is_simulated(); }
void lend_memory(const void* data, std::size_t bytes) { runtime::lend(data, bytes); }
void take_memory_back() { runtime::lend(nullptr, 0); }

}  // namespace mct::cuda
