// Streams and events: the order of work on a GPU.
#pragma once

#include <memory>

namespace mct::cuda {

class Event;

/// A queue of work that a device does in order. It is a handle: copies refer to the same stream.
/// The stream ends when its last copy and the last tensor that was made on it are destroyed.
class Stream {
 public:
  /// A new stream. Throws DeviceError without such a device.
  explicit Stream(int device = 0);
  /// A cudaStream_t that the caller owns. The caller must keep it until the last copy of this
  /// object is destroyed. Null is the legacy default stream.
  static Stream wrap(void* handle, int device);

  int device() const;
  /// The cudaStream_t.
  void* handle() const;
  /// Waits until the stream has done all its work. Throws DeviceError if some work failed.
  void synchronize() const;
  bool is_done() const;
  /// Work that enters the stream from now on begins after the event.
  void wait(const Event& event) const;
  /// Work that enters this stream from now on begins after all work that is now in the other
  /// stream. The function does nothing if both are the same stream.
  void wait(const Stream& other) const;
  friend bool operator==(const Stream& a, const Stream& b) {
    return a.handle() == b.handle() && a.device() == b.device();
  }

 private:
  struct State;
  explicit Stream(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// A point in the work of a stream.
class Event {
 public:
  /// The point after all work that is now in the stream.
  explicit Event(const Stream& stream);
  ~Event();
  Event(Event&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Event& operator=(Event&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// Waits until the stream has reached this point.
  void synchronize() const;
  bool is_done() const;
  /// Seconds from `start` to this event, with an error of half a microsecond. The streams must have
  /// reached both events.
  double seconds_since(const Event& start) const;
  /// The cudaEvent_t.
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

/// The default stream of the process, which is a stream of device 0.
const Stream& default_stream();

}  // namespace mct::cuda
