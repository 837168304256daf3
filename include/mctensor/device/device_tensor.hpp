// DeviceTensor<T, N>: a tensor of expansions in the memory of a GPU.
#pragma once

#include <cstdint>
#include <functional>

#include "mctensor/device/memory.hpp"
#include "mctensor/device/stream.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::cuda {

/// An array of numbers of N components of T on a device: row-major, limb i of every element in
/// plane i. It is not a Tensor, because functions of the CPU cannot use addresses of a device.
///
/// It is a handle, as Tensor is: copies and views (reshape, plane) share memory. Its stream is the
/// stream on which it was made. A function of device tensors runs on the stream of its first
/// operand. This stream first waits for the streams of the other operands; afterwards they wait for
/// this stream. The function returns before the work is done. to_host waits.
template <class T, int N = 1>
class DeviceTensor {
  static_assert(is_component_v<T>, "DeviceTensor: numbers are expected");

 public:
  using Component = T;
  static constexpr int components = N;
  /// The alignment of planes in a new tensor, in bytes.
  static constexpr std::size_t plane_alignment = 256;

  /// No elements, shape (0), on no device. Only assignment is allowed.
  DeviceTensor() = default;
  /// A tensor whose elements have unknown values until you write them. Throws MemoryError with
  /// shape and bytes.
  static DeviceTensor uninitialized(const Shape& shape, const Stream& stream = default_stream());
  /// A view of device memory that the caller owns and must keep until `release` is called. Limb k
  /// of element i (row-major) is data[k plane_stride + i]. plane_stride defaults to the number of
  /// elements. The elements must be written before the call, or by earlier work of the stream.
  /// Throws ShapeError for a negative size and for planes that overlap.
  static DeviceTensor from_memory(T* data, const Shape& shape,
                                  const Stream& stream = default_stream(),
                                  std::int64_t plane_stride = 0,
                                  const std::function<void()>& release = {});

  const Shape& shape() const { return shape_; }
  int dim() const { return int(shape_.size()); }
  std::int64_t size(std::int64_t dim) const { return shape_[normalize_dim(dim, shape_)]; }
  std::int64_t numel() const { return mct::numel(shape_); }
  static constexpr int nc() { return N; }
  std::int64_t plane_stride() const { return plane_stride_; }
  /// The first element of a plane: an address of the device.
  T* data(int plane = 0) const {
    return static_cast<T*>(memory_.data()) + offset_ + plane * plane_stride_;
  }
  /// Throws DeviceError for a tensor that is on no device.
  const Stream& stream() const;
  int device() const { return stream().device(); }
  const DeviceMemory& memory() const { return memory_; }

  /// A view of the same elements in another shape. One size may be -1: it follows from the others.
  /// Throws ShapeError.
  DeviceTensor reshape(const Shape& shape) const;
  DeviceTensor flatten() const { return reshape({-1}); }
  /// Component i as a plain tensor: a view. Throws ShapeError for another i than 0 ... N - 1.
  DeviceTensor<T, 1> plane(int i) const;

 private:
  template <class, int>
  friend class DeviceTensor;

  /// A new tensor in memory that allocate(bytes, stream) returns.
  template <class F>
  static DeviceTensor in_new_memory(const Shape& shape, const Stream& stream, const F& allocate);
  template <class U, int M>
  friend DeviceTensor<U, M> zeros(const Shape& shape, const Stream& stream);

  DeviceMemory memory_;
  std::shared_ptr<const Stream> stream_;
  Shape shape_{0};
  std::int64_t offset_ = 0;
  std::int64_t plane_stride_ = 0;
};

/// A tensor of zeros, made on the device.
template <class T, int N = 1>
DeviceTensor<T, N> zeros(const Shape& shape, const Stream& stream = default_stream());
/// A copy on the device. Returns as soon as you may write to x again.
template <class T, int N>
DeviceTensor<T, N> to_device(const Tensor<T, N>& x, const Stream& stream = default_stream());
/// The same without waiting, for a contiguous x. The CPU has to wait after all unless x is in
/// page-locked memory. Do not write to x or destroy it before the stream has done the copy. Throws
/// ShapeError if x is not contiguous.
template <class T, int N>
DeviceTensor<T, N> to_device_async(const Tensor<T, N>& x, const Stream& stream = default_stream());
/// A copy on the CPU, complete.
template <class T, int N>
Tensor<T, N> to_host(const DeviceTensor<T, N>& x, const Stream& stream);
template <class T, int N>
Tensor<T, N> to_host(const DeviceTensor<T, N>& x) {
  return to_host(x, x.stream());
}
/// Copies into a contiguous tensor of the same shape, without waiting. Do not read or destroy `to`
/// before the stream has done the copy. Throws ShapeError.
template <class T, int N>
void to_host_async(const DeviceTensor<T, N>& x, const Tensor<T, N>& to, const Stream& stream);
/// A CPU tensor in page-locked memory, not initialized.
template <class T, int N>
Tensor<T, N> page_locked_tensor(const Shape& shape);

}  // namespace mct::cuda
