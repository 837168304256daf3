// Streams and events: the order of work on a GPU.
#pragma once

#include <memory>

namespace mct::cuda {

class Event;

/// Work that a device does in the order in which it was given. A handle: copies are the same
/// stream, which ends with the last of them and of the tensors that were made on it.
class Stream {
 public:
  /// A new stream. Throws DeviceError without such a device.
  explicit Stream(int device = 0);
  /// A cudaStream_t that belongs to somebody else, who keeps it until the last copy of this has
  /// gone. Null is the legacy default stream.
  static Stream wrap(void* handle, int device);

  int device() const;
  /// The cudaStream_t.
  void* handle() const;
  /// Returns when everything is done. Throws DeviceError for what went wrong on the way.
  void synchronize() const;
  bool is_done() const;
  /// What is given from now on begins after the event.
  void wait(const Event& event) const;
  /// What is given from now on begins after all that the other stream has now. Nothing if they are
  /// the same.
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
  /// After all that the stream has now.
  explicit Event(const Stream& stream);
  ~Event();
  Event(Event&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Event& operator=(Event&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// Returns when it has come.
  void synchronize() const;
  bool is_done() const;
  /// Seconds from `start` to this, to about half a microsecond; both must have come.
  double seconds_since(const Event& start) const;
  /// The cudaEvent_t.
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

/// The stream of device 0 that is used where none is named: one for the process.
const Stream& default_stream();

}  // namespace mct::cuda
