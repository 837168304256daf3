// The runtime of the library: CUDA's.
#include "cuda/device/runtime.hpp"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>

#include "cuda/base/check.hpp"

namespace mct::cuda::runtime {
namespace {

cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t event_of(void* event) { return static_cast<cudaEvent_t>(event); }

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Why cudaGetDeviceCount found no device.
std::string reason_of(cudaError_t error) {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  if (error == cudaErrorInsufficientDriver && driver == 0) return "no NVIDIA driver is installed";
  if (error == cudaErrorInsufficientDriver)
    return "the NVIDIA driver is for CUDA " + version_text(driver) +
           ", this library needs one for " + version_text(CUDART_VERSION);
  if (error != cudaSuccess && error != cudaErrorNoDevice)
    return std::string("cudaGetDeviceCount: ") + cudaGetErrorString(error);
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible == nullptr
             ? "there is no NVIDIA device"
             : "there is no NVIDIA device (CUDA_VISIBLE_DEVICES is '" + std::string(visible) + "')";
}

Device describe(int number) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, number), "cudaDeviceGetAttribute");
  return {properties.name,
          properties.major,
          properties.minor,
          std::int64_t(properties.totalGlobalMem),
          properties.multiProcessorCount,
          1e3 * kilohertz};
}

/// A pool of this library's own, which keeps the memory that tensors freed. The default pool
/// belongs to everybody in the process.
cudaMemPool_t pool_of(int device) {
  static std::mutex mutex;
  static std::map<int, cudaMemPool_t> pools;
  const std::lock_guard lock(mutex);
  cudaMemPool_t& pool = pools[device];
  if (pool != nullptr) return pool;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  check(cudaMemPoolCreate(&pool, &properties), "cudaMemPoolCreate");
  std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep),
        "cudaMemPoolSetAttribute");
  return pool;
}

bool is_done(cudaError_t error, const char* call) {
  if (error == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check(error, call);
  return true;
}

/// Null if there is not enough memory.
void* memory_or_null(cudaError_t error, void* data, const char* call) {
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  check(error, call);
  return data;
}

}  // namespace

std::vector<Device> find_devices(std::string& reason) noexcept {
  try {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    std::vector<Device> found;
    if (error == cudaSuccess)
      for (int i = 0; i < count; ++i) found.push_back(describe(i));
    if (found.empty()) reason = reason_of(error);
    cudaGetLastError();
    return found;
  } catch (const std::exception& error) {
    reason = error.what();
    return {};
  }
}

DeviceScope::DeviceScope(int device) {
  check(cudaGetDevice(&before_), "cudaGetDevice");
  if (device != before_) check(cudaSetDevice(device), "cudaSetDevice");
}
DeviceScope::~DeviceScope() { cudaSetDevice(before_); }

bool is_simulated() noexcept { return false; }
void lend(const void*, std::size_t) {}

void* create_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return stream;
}
void destroy_stream(void* stream) noexcept { cudaStreamDestroy(stream_of(stream)); }
void synchronize(void* stream) {
  check(cudaStreamSynchronize(stream_of(stream)), "cudaStreamSynchronize");
}
bool stream_is_done(void* stream) {
  return is_done(cudaStreamQuery(stream_of(stream)), "cudaStreamQuery");
}

void* create_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "cudaEventCreate");
  return event;
}
void destroy_event(void* event) noexcept { cudaEventDestroy(event_of(event)); }
void record(void* event, void* stream) {
  check(cudaEventRecord(event_of(event), stream_of(stream)), "cudaEventRecord");
}
void stream_waits(void* stream, void* event) {
  check(cudaStreamWaitEvent(stream_of(stream), event_of(event), 0), "cudaStreamWaitEvent");
}
void synchronize_event(void* event) {
  check(cudaEventSynchronize(event_of(event)), "cudaEventSynchronize");
}
bool event_is_done(void* event) {
  return is_done(cudaEventQuery(event_of(event)), "cudaEventQuery");
}
double seconds_between(void* start, void* end) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, event_of(start), event_of(end)),
        "cudaEventElapsedTime");
  return 1e-3 * double(milliseconds);
}

void* allocate(std::size_t bytes, int device, void* stream) {
  void* data = nullptr;
  const cudaError_t error =
      cudaMallocFromPoolAsync(&data, bytes, pool_of(device), stream_of(stream));
  return memory_or_null(error, data, "cudaMallocFromPoolAsync");
}
void free(void* data, void* stream) noexcept { cudaFreeAsync(data, stream_of(stream)); }
void trim_pool(int device) { check(cudaMemPoolTrimTo(pool_of(device), 0), "cudaMemPoolTrimTo"); }

void* allocate_page_locked(std::size_t bytes) {
  void* data = nullptr;
  const cudaError_t error = cudaMallocHost(&data, bytes);
  return memory_or_null(error, data, "cudaMallocHost");
}
void free_page_locked(void* data) noexcept { cudaFreeHost(data); }
void copy_async(void* to, const void* from, std::size_t bytes, void* stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(stream)), "cudaMemcpyAsync");
}

void clear_async(void* data, std::size_t bytes, void* stream) {
  check(cudaMemsetAsync(data, 0, bytes, stream_of(stream)), "cudaMemsetAsync");
}

void begin_recording(void* stream) {
  check(cudaStreamBeginCapture(stream_of(stream), cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
}
bool is_recorded(void* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream_of(stream), &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}
void* end_recording(void* stream) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream_of(stream), &graph), "cudaStreamEndCapture");
  cudaGraphExec_t launches = nullptr;
  const cudaError_t error = cudaGraphInstantiateWithFlags(&launches, graph, 0);
  cudaGraphDestroy(graph);
  check(error, "cudaGraphInstantiateWithFlags");
  return launches;
}
void run_recorded(void* launches, void* stream) {
  check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(launches), stream_of(stream)),
        "cudaGraphLaunch");
}
void destroy_recorded(void* launches) noexcept {
  cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(launches));
}

}  // namespace mct::cuda::runtime
