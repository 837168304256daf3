// Prints the compute capability of the first GPU, "90"; without one says why and ends with 2.
#include <cstdio>

#include "mctensor/device/devices.hpp"
#include "mctensor/error.hpp"

int main() {
  try {
    mct::cuda::require_device();
  } catch (const mct::DeviceError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  const mct::cuda::Device device = mct::cuda::devices().front();
  std::printf("%d%d\n", device.major, device.minor);
  return 0;
}
