// Views: other shapes and strides on the same memory.
#include <algorithm>
#include <optional>

#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct {

namespace {

/// Strides that show the elements of a strided array, in row-major order, in another shape of the
/// same number of elements; nothing if they are not evenly spaced there.
std::optional<Shape> reshaped_strides(const Shape& old_shape, const Shape& old_strides,
                                      const Shape& shape) {
  // old dimensions without those of size 1
  Shape sizes;
  Shape steps;
  for (std::size_t d = 0; d < old_shape.size(); ++d) {
    if (old_shape[d] == 1) continue;
    sizes.push_back(old_shape[d]);
    steps.push_back(old_strides[d]);
  }
  Shape strides(shape.size(), 1);
  std::size_t d = 0;
  for (std::size_t n = 0; n < shape.size();) {
    // the shortest run of new dimensions from n that covers a run of old ones from d
    std::size_t n_end = n + 1;
    std::int64_t new_count = shape[n];
    std::size_t d_end = d;
    std::int64_t old_count = 1;
    while (old_count != new_count) {
      if (old_count < new_count) {
        old_count *= sizes[d_end++];
      } else {
        new_count *= shape[n_end++];
      }
    }
    for (std::size_t i = d; i + 1 < d_end; ++i)
      if (steps[i] != steps[i + 1] * sizes[i + 1]) return std::nullopt;
    std::int64_t stride = d_end > d ? steps[d_end - 1] : 1;
    for (std::size_t i = n_end; i-- > n;) {
      strides[i] = stride;
      stride *= shape[i];
    }
    n = n_end;
    d = d_end;
  }
  return strides;
}

}  // namespace

template <class T, int N>
Tensor<T, 1> Tensor<T, N>::plane(int i) const {
  if (i < 0 || i >= N)
    throw ShapeError("plane " + std::to_string(i) + " of a tensor of " + std::to_string(N) +
                     " components does not exist");
  return Tensor<T, 1>(storage_, offset_ + i * plane_stride_, shape_, strides_, 0);
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::transpose(std::int64_t dim0, std::int64_t dim1) const {
  Tensor x = *this;
  const std::size_t a = normalize_dim(dim0, shape_);
  const std::size_t b = normalize_dim(dim1, shape_);
  std::swap(x.shape_[a], x.shape_[b]);
  std::swap(x.strides_[a], x.strides_[b]);
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::permute(const Shape& dims) const {
  std::vector<bool> seen(shape_.size());
  Tensor x = *this;
  bool complete = dims.size() == shape_.size();
  for (std::size_t i = 0; complete && i < dims.size(); ++i) {
    const std::size_t d = normalize_dim(dims[i], shape_);
    complete = !seen[d];
    seen[d] = true;
    x.shape_[i] = shape_[d];
    x.strides_[i] = strides_[d];
  }
  if (!complete)
    throw ShapeError("permute: " + to_string(dims) + " does not name each dimension of shape " +
                     to_string(shape_) + " once");
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const {
  const std::size_t d = normalize_dim(dim, shape_);
  if (start < 0) start += shape_[d];
  if (start < 0 || length < 0 || length > shape_[d] || start > shape_[d] - length)
    throw ShapeError("narrow: " + std::to_string(length) + " elements from " +
                     std::to_string(start) + " on are not inside dimension " + std::to_string(dim) +
                     " of shape " + to_string(shape_));
  Tensor x = *this;
  // the stride of a dimension without a second element may be anything
  if (length > 0) x.offset_ += start * strides_[d];
  x.shape_[d] = length;
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::slice(std::int64_t dim, std::int64_t start, std::int64_t stop,
                                 std::int64_t step) const {
  const std::size_t d = normalize_dim(dim, shape_);
  if (step == 0) throw ShapeError("slice: the step is 0");
  const std::int64_t size = shape_[d];
  // Python's rules: the range of valid positions depends on the direction
  const auto clip = [&](std::int64_t position) {
    if (position < 0) position = position < -size ? -1 - (step > 0) : position + size;
    return step > 0 ? std::clamp<std::int64_t>(position, 0, size)
                    : std::clamp<std::int64_t>(position, -1, size - 1);
  };
  const std::int64_t first = clip(start);
  const std::int64_t last = clip(stop);
  const std::int64_t span = step > 0 ? last - first : first - last;
  // not -step, which the smallest integer does not have
  const std::int64_t further = step > 0 ? (span - 1) / step : (1 - span) / step;
  Tensor x = *this;
  x.shape_[d] = span <= 0 ? 0 : further + 1;
  if (x.shape_[d] > 0) x.offset_ += first * strides_[d];
  if (x.shape_[d] > 1) x.strides_[d] = strides_[d] * step;
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::select(std::int64_t dim, std::int64_t index) const {
  const std::size_t d = normalize_dim(dim, shape_);
  const std::int64_t i = index < 0 ? index + shape_[d] : index;
  if (i < 0 || i >= shape_[d])
    throw ShapeError("select: index " + std::to_string(index) + " is not inside dimension " +
                     std::to_string(dim) + " of shape " + to_string(shape_));
  Tensor x = *this;
  x.offset_ += i * strides_[d];
  x.shape_.erase(x.shape_.begin() + std::ptrdiff_t(d));
  x.strides_.erase(x.strides_.begin() + std::ptrdiff_t(d));
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::expand(const Shape& shape) const {
  const auto fail = [&] {
    return ShapeError("expand: a tensor of shape " + to_string(shape_) + " does not broadcast to " +
                      to_string(shape));
  };
  if (shape.size() < shape_.size()) throw fail();
  const std::size_t offset = shape.size() - shape_.size();
  Tensor x = *this;
  x.shape_ = shape;
  x.strides_.assign(shape.size(), 0);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const bool is_new = d < offset;
    if (shape[d] == -1 && !is_new) x.shape_[d] = shape_[d - offset];
    if (x.shape_[d] < 0) throw fail();
    if (is_new) continue;
    const std::int64_t size = shape_[d - offset];
    if (size == x.shape_[d]) {
      x.strides_[d] = strides_[d - offset];
    } else if (size != 1) {
      throw fail();
    }
  }
  mct::numel(x.shape_);  // throws for more elements than can be counted
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::unsqueeze(std::int64_t dim) const {
  Tensor x = *this;
  Shape with_one = shape_;
  with_one.push_back(1);
  const auto d = std::ptrdiff_t(normalize_dim(dim, with_one));
  x.shape_.insert(x.shape_.begin() + d, 1);
  x.strides_.insert(x.strides_.begin() + d, 1);
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::squeeze(std::int64_t dim) const {
  const std::size_t d = normalize_dim(dim, shape_);
  if (shape_[d] != 1)
    throw ShapeError("squeeze: dimension " + std::to_string(dim) + " of shape " +
                     to_string(shape_) + " is not of size 1");
  return select(dim, 0);
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::squeeze() const {
  Tensor x = *this;
  for (std::int64_t d = dim() - 1; d >= 0; --d)
    if (shape_[std::size_t(d)] == 1) x = x.select(d, 0);
  return x;
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::reshape(const Shape& shape) const {
  const Shape target = infer_shape(shape, numel());
  if (numel() == 0 || is_contiguous()) {
    Tensor x = *this;
    x.shape_ = target;
    x.strides_ = contiguous_strides(target);
    return x;
  }
  if (const auto strides = reshaped_strides(shape_, strides_, target)) {
    Tensor x = *this;
    x.shape_ = target;
    x.strides_ = *strides;
    return x;
  }
  return clone().reshape(target);
}

#define MCT_INSTANTIATE(T, N)                                                                 \
  template Tensor<T, 1> Tensor<T, N>::plane(int) const;                                       \
  template Tensor<T, N> Tensor<T, N>::transpose(std::int64_t, std::int64_t) const;            \
  template Tensor<T, N> Tensor<T, N>::permute(const Shape&) const;                            \
  template Tensor<T, N> Tensor<T, N>::narrow(std::int64_t, std::int64_t, std::int64_t) const; \
  template Tensor<T, N> Tensor<T, N>::slice(std::int64_t, std::int64_t, std::int64_t,         \
                                            std::int64_t) const;                              \
  template Tensor<T, N> Tensor<T, N>::select(std::int64_t, std::int64_t) const;               \
  template Tensor<T, N> Tensor<T, N>::expand(const Shape&) const;                             \
  template Tensor<T, N> Tensor<T, N>::unsqueeze(std::int64_t) const;                          \
  template Tensor<T, N> Tensor<T, N>::squeeze(std::int64_t) const;                            \
  template Tensor<T, N> Tensor<T, N>::squeeze() const;                                        \
  template Tensor<T, N> Tensor<T, N>::reshape(const Shape&) const;
MCT_FOR_EACH_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct
