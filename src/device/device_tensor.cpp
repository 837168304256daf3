#include "mctensor/device/device_tensor.hpp"

#include <string>

#include "mctensor/error.hpp"

namespace mct::cuda {

namespace {

/// The distance between planes of so many elements.
template <class T>
std::int64_t padded(std::int64_t count) {
  constexpr auto step = std::int64_t(DeviceTensor<T>::plane_alignment / sizeof(T));
  return (count + step - 1) / step * step;
}

/// Planes one after the other in one copy, or each by itself.
template <class T>
void copy_planes(T* to, std::int64_t to_stride, const T* from, std::int64_t from_stride, int planes,
                 std::int64_t count, const Stream& stream) {
  for (int k = 0; k < planes; ++k)
    copy_async(to + k * to_stride, from + k * from_stride, std::size_t(count) * sizeof(T), stream);
}

}  // namespace

template <class T, int N>
template <class F>
DeviceTensor<T, N> DeviceTensor<T, N>::in_new_memory(const Shape& shape, const Stream& stream,
                                                     const F& allocate) {
  DeviceTensor x;
  const std::int64_t count = mct::numel(shape);
  x.shape_ = shape;
  x.stream_ = std::make_shared<const Stream>(stream);
  x.plane_stride_ = padded<T>(count);
  constexpr auto most = std::int64_t(1) << 50;  // bytes; beyond every device
  if (x.plane_stride_ > most / N)
    throw MemoryError("a device tensor of shape " + to_string(shape) + " has too many elements");
  const std::size_t bytes = std::size_t(x.plane_stride_) * N * sizeof(T);
  try {
    x.memory_ = allocate(bytes, stream);
  } catch (const MemoryError& error) {
    throw MemoryError("a device tensor of shape " + to_string(shape) + ": " + error.what());
  }
  return x;
}

template <class T, int N>
DeviceTensor<T, N> DeviceTensor<T, N>::uninitialized(const Shape& shape, const Stream& stream) {
  return in_new_memory(shape, stream, &DeviceMemory::allocate);
}
template <class T, int N>
DeviceTensor<T, N> zeros(const Shape& shape, const Stream& stream) {
  return DeviceTensor<T, N>::in_new_memory(shape, stream, &DeviceMemory::zeros);
}

template <class T, int N>
DeviceTensor<T, N> DeviceTensor<T, N>::from_memory(T* data, const Shape& shape,
                                                   const Stream& stream, std::int64_t plane_stride,
                                                   const std::function<void()>& release) {
  const std::int64_t count = mct::numel(shape);
  if (plane_stride == 0) plane_stride = count;
  if (plane_stride < count)
    throw ShapeError("a device tensor of shape " + to_string(shape) + ": planes at a distance of " +
                     std::to_string(plane_stride) + " elements overlap");
  DeviceTensor x;
  x.shape_ = shape;
  x.stream_ = std::make_shared<const Stream>(stream);
  x.plane_stride_ = plane_stride;
  const std::int64_t reach = plane_stride * (N - 1) + count;
  x.memory_ = DeviceMemory::wrap(data, std::size_t(reach) * sizeof(T), stream, release);
  return x;
}

template <class T, int N>
const Stream& DeviceTensor<T, N>::stream() const {
  if (!stream_) throw DeviceError("the device tensor is empty, so it has no device and no stream");
  return *stream_;
}

template <class T, int N>
DeviceTensor<T, N> DeviceTensor<T, N>::reshape(const Shape& shape) const {
  DeviceTensor x = *this;
  x.shape_ = infer_shape(shape, numel());
  return x;
}

template <class T, int N>
DeviceTensor<T, 1> DeviceTensor<T, N>::plane(int i) const {
  if (i < 0 || i >= N)
    throw ShapeError("component " + std::to_string(i) +
                     " does not exist; the device tensor has components 0 to " +
                     std::to_string(N - 1));
  DeviceTensor<T, 1> x;
  x.memory_ = memory_;
  x.stream_ = stream_;
  x.shape_ = shape_;
  x.offset_ = offset_ + i * plane_stride_;
  x.plane_stride_ = plane_stride_;
  return x;
}

template <class T, int N>
DeviceTensor<T, N> to_device_async(const Tensor<T, N>& x, const Stream& stream) {
  if (!x.is_contiguous())
    throw ShapeError("to_device_async: the tensor of shape " + to_string(x.shape()) +
                     " is not contiguous");
  auto result = DeviceTensor<T, N>::uninitialized(x.shape(), stream);
  copy_planes(result.data(), result.plane_stride(), x.data(), x.plane_stride(), N, x.numel(),
              stream);
  return result;
}

template <class T, int N>
DeviceTensor<T, N> to_device(const Tensor<T, N>& x, const Stream& stream) {
  const Tensor<T, N> contiguous = x.contiguous();
  auto result = to_device_async(contiguous, stream);
  stream.synchronize();
  return result;
}

template <class T, int N>
void to_host_async(const DeviceTensor<T, N>& x, const Tensor<T, N>& to, const Stream& stream) {
  if (to.shape() != x.shape() || !to.is_contiguous())
    throw ShapeError("to_host_async: a contiguous tensor of shape " + to_string(x.shape()) +
                     " is expected, not one of shape " + to_string(to.shape()));
  stream.wait(x.stream());
  copy_planes(to.data(), to.plane_stride(), x.data(), x.plane_stride(), N, x.numel(), stream);
  x.stream().wait(stream);
}

template <class T, int N>
Tensor<T, N> to_host(const DeviceTensor<T, N>& x, const Stream& stream) {
  auto result = Tensor<T, N>::uninitialized(x.shape());
  to_host_async(x, result, stream);
  stream.synchronize();
  return result;
}

template <class T, int N>
Tensor<T, N> page_locked_tensor(const Shape& shape) {
  const std::int64_t plane = padded<T>(mct::numel(shape));
  return Tensor<T, N>::from_storage(page_locked(std::size_t(plane) * N * sizeof(T)), 0, shape,
                                    contiguous_strides(shape), plane);
}

#define MCT_INSTANTIATE(T, N)                                                                 \
  template class DeviceTensor<T, N>;                                                          \
  template DeviceTensor<T, N> zeros<T, N>(const Shape&, const Stream&);                       \
  template DeviceTensor<T, N> to_device(const Tensor<T, N>&, const Stream&);                  \
  template DeviceTensor<T, N> to_device_async(const Tensor<T, N>&, const Stream&);            \
  template Tensor<T, N> to_host(const DeviceTensor<T, N>&, const Stream&);                    \
  template void to_host_async(const DeviceTensor<T, N>&, const Tensor<T, N>&, const Stream&); \
  template Tensor<T, N> page_locked_tensor(const Shape&);
MCT_FOR_EACH_NUMBER_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::cuda
