// The functions of CUDA's runtime that the library uses, without CUDA's headers. There are three
// implementations: CUDA's (runtime.cpp), none (no_runtime.cpp), and one on the CPU for tests
// (tests/cuda/simulator).
//
// Functions that are not noexcept throw DeviceError with the name of the call and CUDA's message.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mctensor/device/devices.hpp"

namespace mct::cuda::runtime {

/// All devices; if there is none, `reason` says why.
std::vector<Device> find_devices(std::string& reason) noexcept;

/// Makes a device the current one of this thread; the destructor restores the previous one.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  [[maybe_unused]] int before_ = 0;
};

/// Whether the device is the tests' simulator, whose memory is the CPU's.
bool is_simulated() noexcept;
/// Allows the simulator's programs to use memory that the library has not allocated. If `data` is
/// null, the simulator forgets all such memory. Other devices do nothing.
void lend(const void* data, std::size_t bytes);

// For the current device:
void* create_stream();
void destroy_stream(void* stream) noexcept;
void synchronize(void* stream);
bool stream_is_done(void* stream);
void* create_event();
void destroy_event(void* event) noexcept;
void record(void* event, void* stream);
void stream_waits(void* stream, void* event);
void synchronize_event(void* event);
bool event_is_done(void* event);
double seconds_between(void* start, void* end);

/// Allocates from this library's pool of the device; null if there is not enough memory.
void* allocate(std::size_t bytes, int device, void* stream);
void free(void* data, void* stream) noexcept;
void trim_pool(int device);
/// Null if there is not enough memory.
void* allocate_page_locked(std::size_t bytes);
void free_page_locked(void* data) noexcept;
void copy_async(void* to, const void* from, std::size_t bytes, void* stream);
/// Sets all bits of a device's memory to 0.
void clear_async(void* data, std::size_t bytes, void* stream);

// Launches on a stream between begin_recording and end_recording do not run, but are recorded.
// There may be no copies and no allocations in between.
void begin_recording(void* stream);
bool is_recorded(void* stream);
void* end_recording(void* stream);
void run_recorded(void* launches, void* stream);
void destroy_recorded(void* launches) noexcept;

}  // namespace mct::cuda::runtime
