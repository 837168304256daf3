// The functions of CUDA's runtime that the library uses, without CUDA's headers: three
// implementations, CUDA's (runtime.cpp), none (no_runtime.cpp) and one of the tests on the CPU
// (tests/cuda/simulator).
//
// All but what is noexcept throw DeviceError with the call and CUDA's words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mctensor/device/devices.hpp"

namespace mct::cuda::runtime {

/// All devices; if there is none, `reason` says why.
std::vector<Device> find_devices(std::string& reason) noexcept;

/// Makes a device the current one of this thread; the one before it in the end.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  [[maybe_unused]] int before_ = 0;
};

/// Whether the device is that of the tests, whose memory is the CPU's.
bool is_simulated() noexcept;
/// To that one: its programs may use memory that belongs to somebody else. It forgets all of it
/// where `data` is null. For others it means nothing.
void lend(const void* data, std::size_t bytes);

// Of the current device.
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

/// From this library's pool of the device; null where the memory does not suffice.
void* allocate(std::size_t bytes, int device, void* stream);
void free(void* data, void* stream) noexcept;
void trim_pool(int device);
/// Null where the memory does not suffice.
void* allocate_page_locked(std::size_t bytes);
void free_page_locked(void* data) noexcept;
void copy_async(void* to, const void* from, std::size_t bytes, void* stream);
/// All bits of a device's memory to 0.
void clear_async(void* data, std::size_t bytes, void* stream);

// What a stream is given between begin_recording and end_recording does not run: its launches are
// kept. Copies and memory have no place there.
void begin_recording(void* stream);
bool is_recorded(void* stream);
void* end_recording(void* stream);
void run_recorded(void* launches, void* stream);
void destroy_recorded(void* launches) noexcept;

}  // namespace mct::cuda::runtime
