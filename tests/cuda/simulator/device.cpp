#include "tests/cuda/simulator/device.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "cuda/device/runtime.hpp"

namespace mct::cuda {
namespace {

constexpr std::size_t alignment = 256;

struct State {
  GlobalMemory memory;
  Simulation how;
  int allocations = 0;
  int streams = 0;
  std::vector<std::string> log;
  void* recorded_stream = nullptr;
  std::vector<const void*> lent;
  std::vector<std::function<void()>> recorded;
};
State& state() {
  static State& all = *new State;  // outlives tensors of static storage
  return all;
}

std::string text(void* stream) { return std::to_string(simulated_stream_number(stream)); }

}  // namespace

GlobalMemory& simulated_memory() { return state().memory; }
Simulation& simulated_how() { return state().how; }
int simulated_allocations() { return state().allocations; }
std::vector<std::string> take_simulated_log() { return std::exchange(state().log, {}); }
void log_simulated(const std::string& what) { state().log.push_back(what); }
bool record_simulated(void* stream, std::function<void()> launch) {
  if (stream != state().recorded_stream) return false;
  state().recorded.push_back(std::move(launch));
  return true;
}
int simulated_stream_number(void* stream) { return *static_cast<int*>(stream); }

namespace runtime {

std::vector<Device> find_devices(std::string&) noexcept {
  const Device one{"simulated device", 9, 0, std::int64_t(1) << 30, 1, 1e9};
  return {one, one};
}

DeviceScope::DeviceScope(int) {}
DeviceScope::~DeviceScope() = default;

bool is_simulated() noexcept { return true; }
void lend(const void* data, std::size_t bytes) {
  if (data == nullptr) {
    for (const void* lent : std::exchange(state().lent, {})) simulated_memory().remove(lent);
    return;
  }
  if (bytes == 0 || simulated_memory().holds(data)) return;
  simulated_memory().add_memory(data, bytes);
  simulated_memory().copied_to(data, bytes);
  state().lent.push_back(data);
}

void* create_stream() { return new int(++state().streams); }
void destroy_stream(void* stream) noexcept { delete static_cast<int*>(stream); }
void synchronize(void* stream) { log_simulated("wait for " + text(stream)); }
bool stream_is_done(void*) { return true; }

// An event is the number of the stream it was recorded in.
void* create_event() { return new int(0); }
void destroy_event(void* event) noexcept { delete static_cast<int*>(event); }
void record(void* event, void* stream) {
  *static_cast<int*>(event) = simulated_stream_number(stream);
}
void stream_waits(void* stream, void* event) {
  log_simulated("stream " + text(stream) + " waits for " +
                std::to_string(*static_cast<int*>(event)));
}
void synchronize_event(void*) {}
bool event_is_done(void*) { return true; }
double seconds_between(void*, void*) { return 0; }

void* allocate(std::size_t bytes, int, void*) {
  if (bytes > (std::size_t(1) << 30)) return nullptr;
  void* const data = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  simulated_memory().add_memory(data, bytes);
  ++state().allocations;
  return data;
}
void free(void* data, void* stream) noexcept {
  simulated_memory().remove(data);
  --state().allocations;
  log_simulated("free on " + text(stream));
  std::free(data);
}
void trim_pool(int) {}
void* allocate_page_locked(std::size_t bytes) { return std::malloc(bytes); }
void free_page_locked(void* data) noexcept { std::free(data); }

void copy_async(void* to, const void* from, std::size_t bytes, void* stream) {
  log_simulated("copy on " + text(stream));
  if (simulated_memory().holds(from)) simulated_memory().copied_from(from, bytes);
  if (simulated_memory().holds(to)) simulated_memory().copied_to(to, bytes);
  std::memcpy(to, from, bytes);
}

void clear_async(void* data, std::size_t bytes, void* stream) {
  log_simulated("clear on " + text(stream));
  simulated_memory().copied_to(data, bytes);
  std::memset(data, 0, bytes);
}

void begin_recording(void* stream) { state().recorded_stream = stream; }
bool is_recorded(void* stream) { return state().recorded_stream == stream; }
void* end_recording(void*) {
  state().recorded_stream = nullptr;
  return new std::vector<std::function<void()>>(std::exchange(state().recorded, {}));
}
void run_recorded(void* launches, void* stream) {
  log_simulated("graph on " + text(stream));
  for (const auto& launch : *static_cast<std::vector<std::function<void()>>*>(launches)) launch();
}
void destroy_recorded(void* launches) noexcept {
  delete static_cast<std::vector<std::function<void()>>*>(launches);
}

}  // namespace runtime
}  // namespace mct::cuda
