// Creation of tensors, access to their elements, copies. Views are in view.cpp.
#include "mctensor/tensor/tensor.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "mctensor/error.hpp"
#include "src/tensor/strided.hpp"

namespace mct {

namespace tensor_detail {

/// Elements from one plane to the next: whole cache lines, and not a multiple of 1 KiB, where the
/// planes of one element would compete for the same lines of the cache.
std::int64_t aligned_plane(std::int64_t count, std::size_t element_bytes) {
  const std::size_t bytes = std::size_t(count) * element_bytes;
  std::size_t padded = (bytes + tensor_alignment - 1) / tensor_alignment * tensor_alignment;
  if (padded % 1024 == 0 && padded > 0) padded += 3 * tensor_alignment;
  return std::int64_t(padded / element_bytes);
}

/// The limbs of an element as an array.
template <class T, int N>
std::array<T, N> limbs_of(const typename Tensor<T, N>::Value& value) {
  std::array<T, N> limbs;
  if constexpr (N == 1) {
    limbs[0] = value;
  } else {
    std::copy_n(value.limb, N, limbs.begin());
  }
  return limbs;
}

}  // namespace tensor_detail

template <class T, int N>
Tensor<T, N>::Tensor() : Tensor(Shape{0}) {}

template <class T, int N>
Tensor<T, N>::Tensor(const Shape& shape) : Tensor(uninitialized(shape)) {
  // all-zero bytes are +0, false and 0
  std::fill_n(static_cast<unsigned char*>(storage_.data()), storage_.bytes(), 0);
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::uninitialized(const Shape& shape) {
  Tensor x(Storage{}, 0, shape, contiguous_strides(shape), 0);
  const std::int64_t count = mct::numel(shape);
  if (count > (std::int64_t(1) << 61) / std::int64_t(N * sizeof(T)))
    throw ShapeError("shape " + to_string(shape) + " needs more than 2^61 bytes");
  x.plane_stride_ = N == 1 ? count : tensor_detail::aligned_plane(count, sizeof(T));
  x.storage_ = Storage::allocate(std::size_t(N * x.plane_stride_) * sizeof(T), false);
  return x;
}

template <class T, int N>
Tensor<T, N>::Tensor(Storage storage, std::int64_t offset, Shape shape, Shape strides,
                     std::int64_t plane_stride)
    : storage_(std::move(storage)),
      offset_(offset),
      plane_stride_(plane_stride),
      shape_(std::move(shape)),
      strides_(std::move(strides)) {}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::scalar(const Value& value) {
  Tensor x = uninitialized({});
  x.set({}, value);
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::from_values(const std::vector<Value>& values, const Shape& shape) {
  if (std::int64_t(values.size()) != mct::numel(shape))
    throw ShapeError(std::to_string(values.size()) + " values do not fill a tensor of shape " +
                     to_string(shape));
  Tensor x = uninitialized(shape);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto limbs = tensor_detail::limbs_of<T, N>(values[i]);
    for (int k = 0; k < N; ++k) x.data(k)[i] = limbs[std::size_t(k)];
  }
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::from_values(const std::vector<Value>& values) {
  return from_values(values, {std::int64_t(values.size())});
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::from_memory(T* data, const Shape& shape, const Shape& strides,
                                       std::int64_t plane_stride,
                                       const std::function<void()>& release) {
  const Shape steps = strides.empty() ? contiguous_strides(shape) : strides;
  if (steps.size() != shape.size())
    throw ShapeError("strides " + to_string(steps) + " do not belong to shape " + to_string(shape));
  const std::int64_t count = mct::numel(shape);
  if (data == nullptr && count > 0)
    throw ShapeError("no memory given for a tensor of shape " + to_string(shape));
  if (plane_stride == 0) plane_stride = count;
  // the extent is the owner's business: only the start is known here
  return Tensor(Storage::wrap(data, 0, release), 0, shape, steps, plane_stride);
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::from_storage(const Storage& storage, std::int64_t offset,
                                        const Shape& shape, const Shape& strides,
                                        std::int64_t plane_stride) {
  if (strides.size() != shape.size())
    throw ShapeError("strides " + to_string(strides) + " do not belong to shape " +
                     to_string(shape));
  if (mct::numel(shape) > 0) {
    std::int64_t low = offset;
    std::int64_t high = offset;
    bool overflow = false;
    const auto extend = [&](std::int64_t steps, std::int64_t stride) {
      std::int64_t distance = 0;
      std::int64_t& end = stride < 0 ? low : high;
      overflow = overflow || __builtin_mul_overflow(steps, stride, &distance) ||
                 __builtin_add_overflow(end, distance, &end);
    };
    for (std::size_t d = 0; d < shape.size(); ++d) extend(shape[d] - 1, strides[d]);
    extend(N - 1, plane_stride);
    if (overflow || low < 0 || high >= std::int64_t(storage.bytes() / sizeof(T)))
      throw ShapeError("a view of shape " + to_string(shape) + " and strides " +
                       to_string(strides) + " reaches beyond its storage of " +
                       std::to_string(storage.bytes()) + " bytes");
  }
  return Tensor(storage, offset, shape, strides, plane_stride);
}

template <class T, int N>
bool Tensor<T, N>::is_contiguous() const {
  std::int64_t stride = 1;
  for (std::size_t d = shape_.size(); d-- > 0;) {
    if (shape_[d] == 0) return true;
    if (shape_[d] != 1 && strides_[d] != stride) return false;
    stride *= shape_[d];
  }
  return true;
}

template <class T, int N>
std::int64_t Tensor<T, N>::element_offset(const Shape& index) const {
  bool inside = index.size() == shape_.size();
  std::int64_t offset = 0;
  for (std::size_t d = 0; inside && d < index.size(); ++d) {
    const std::int64_t i = index[d] < 0 ? index[d] + shape_[d] : index[d];
    inside = i >= 0 && i < shape_[d];
    offset += i * strides_[d];
  }
  if (!inside)
    throw ShapeError("index " + to_string(index) + " is not inside a tensor of shape " +
                     to_string(shape_));
  return offset;
}

template <class T, int N>
typename Tensor<T, N>::Value Tensor<T, N>::at(const Shape& index) const {
  const std::int64_t offset = element_offset(index);
  if constexpr (N == 1) {
    return data()[offset];
  } else {
    Value value;
    for (int k = 0; k < N; ++k) value.limb[k] = data(k)[offset];
    return value;
  }
}

template <class T, int N>
void Tensor<T, N>::set(const Shape& index, const Value& value) const {
  const std::int64_t offset = element_offset(index);
  const auto limbs = tensor_detail::limbs_of<T, N>(value);
  for (int k = 0; k < N; ++k) data(k)[offset] = limbs[std::size_t(k)];
}

template <class T, int N>
typename Tensor<T, N>::Value Tensor<T, N>::item() const {
  if (numel() != 1)
    throw ShapeError("item() needs one element, the tensor's shape is " + to_string(shape_));
  return at(Shape(shape_.size(), 0));
}

template <class T, int N>
std::vector<typename Tensor<T, N>::Value> Tensor<T, N>::values() const {
  const Tensor x = contiguous();
  std::vector<Value> values(static_cast<std::size_t>(numel()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if constexpr (N == 1) {
      values[i] = x.data()[i];
    } else {
      for (int k = 0; k < N; ++k) values[i].limb[k] = x.data(k)[i];
    }
  }
  return values;
}

template <class T, int N>
Tensor<T, 1> Tensor<T, N>::evaluate() const {
  auto result = Tensor<T, 1>::uninitialized(shape_);
  const auto kernel = [](std::size_t n, T* const* out, const T* const* in) {
    for (std::size_t i = 0; i < n; ++i) {
      T sum = in[N - 1][i];
      if constexpr (N > 1)
        for (int k = N - 2; k >= 0; --k) sum = in[k][i] + sum;
      out[0][i] = sum;
    }
  };
  tensor_detail::run_blocks(shape_, kernel, N, tensor_detail::target(result),
                            tensor_detail::source(*this, shape_));
  return result;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::contiguous() const {
  return is_contiguous() ? *this : clone();
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::clone() const {
  Tensor result = uninitialized(shape_);
  result.copy_(*this);
  return result;
}

template <class T, int N>
void Tensor<T, N>::copy_(const Tensor& source) const {
  if (broadcast_shapes(shape_, source.shape()) != shape_)
    throw ShapeError("copy_: shape " + to_string(source.shape()) + " does not broadcast to " +
                     to_string(shape_));
  const Tensor from = tensor_detail::overlaps(*this, source) ? source.clone() : source;
  const auto kernel = [](std::size_t n, T* const* out, const T* const* in) {
    for (int k = 0; k < N; ++k) std::copy_n(in[k], n, out[k]);
  };
  tensor_detail::run_blocks(shape_, kernel, N, tensor_detail::target(*this),
                            tensor_detail::source(from, shape_));
}

template <class T, int N>
void Tensor<T, N>::fill_(const Value& value) const {
  copy_(scalar(value));
}

#define MCT_INSTANTIATE(T, N) template class Tensor<T, N>;
MCT_FOR_EACH_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct
