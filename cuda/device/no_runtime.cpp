// The runtime of a library that was built without CUDA.
#include "cuda/device/runtime.hpp"
#include "mctensor/error.hpp"

namespace mct::cuda::runtime {
namespace {

constexpr const char* reason_text =
    "the library was built without CUDA (nvcc was not found, or MCT_CUDA is OFF)";

[[noreturn]] void refuse() { throw DeviceError(reason_text); }

}  // namespace

std::vector<Device> find_devices(std::string& reason) noexcept {
  reason = reason_text;
  return {};
}

DeviceScope::DeviceScope(int) { refuse(); }
DeviceScope::~DeviceScope() = default;

bool is_simulated() noexcept { return false; }
void lend(const void*, std::size_t) {}

void* create_stream() { refuse(); }
void destroy_stream(void*) noexcept {}
void synchronize(void*) { refuse(); }
bool stream_is_done(void*) { refuse(); }
void* create_event() { refuse(); }
void destroy_event(void*) noexcept {}
void record(void*, void*) { refuse(); }
void stream_waits(void*, void*) { refuse(); }
void synchronize_event(void*) { refuse(); }
bool event_is_done(void*) { refuse(); }
double seconds_between(void*, void*) { refuse(); }
void* allocate(std::size_t, int, void*) { refuse(); }
void free(void*, void*) noexcept {}
void trim_pool(int) { refuse(); }
void* allocate_page_locked(std::size_t) { refuse(); }
void free_page_locked(void*) noexcept {}
void copy_async(void*, const void*, std::size_t, void*) { refuse(); }
void clear_async(void*, std::size_t, void*) { refuse(); }
void begin_recording(void*) { refuse(); }
bool is_recorded(void*) { refuse(); }
void* end_recording(void*) { refuse(); }
void run_recorded(void*, void*) { refuse(); }
void destroy_recorded(void*) noexcept {}

}  // namespace mct::cuda::runtime
