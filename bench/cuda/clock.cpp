#include "bench/cuda/clock.hpp"

#include <dlfcn.h>

namespace mct::bench {
namespace {

/// The functions of libnvidia-ml that are needed, by their documented types: so nothing has to be
/// installed to compile it.
class Management {
 public:
  Management() {
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library == nullptr) return;
    const auto begin = find<int (*)()>(library, "nvmlInit_v2");
    const auto device = find<int (*)(unsigned, void**)>(library, "nvmlDeviceGetHandleByIndex_v2");
    clock_ = find<Clock>(library, "nvmlDeviceGetClockInfo");
    if (begin == nullptr || device == nullptr || begin() != 0 || device(0, &device_) != 0)
      clock_ = nullptr;
  }
  double megahertz() const {
    constexpr int multiprocessors = 1;  // NVML_CLOCK_SM
    unsigned clock = 0;
    if (clock_ == nullptr || clock_(device_, multiprocessors, &clock) != 0) return 0;
    return clock;
  }

 private:
  using Clock = int (*)(void*, int, unsigned*);

  template <class Function>
  static Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
  }

  Clock clock_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace

double clock_now() {
  static const Management management;
  return management.megahertz();
}

}  // namespace mct::bench
