// Creation of tensors, access to their elements, copies. Views are in view.cpp.
#include "mctensor/tensor/tensor.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "mctensor/error.hpp"
#include "src/tensor/layout.hpp"
#include "src/tensor/strided.hpp"

namespace mct {

namespace tensor_detail {

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

/// The bytes of an element: types of one size are copied by one loop.
template <std::size_t size>
struct alignas(size) Bytes {
  unsigned char bytes[size];
};

template <std::size_t size>
void copy_bytes(const Shape& shape, const Operand<Bytes<size>>& out,
                const Operand<const Bytes<size>>& in) {
  const auto kernel = [limbs = out.limbs](std::size_t n, Bytes<size>* const* to,
                                          const Bytes<size>* const* from) {
    for (int k = 0; k < limbs; ++k) std::copy_n(from[k], n, to[k]);
  };
  run_blocks(shape, kernel, out.limbs, out, in);
}

template <class T>
void copy_elements(const Shape& shape, const Operand<T>& out, const Operand<const T>& in) {
  using B = Bytes<sizeof(T)>;
  copy_bytes<sizeof(T)>(
      shape, Operand<B>{reinterpret_cast<B*>(out.data), out.plane_stride, out.limbs, out.strides},
      Operand<const B>{reinterpret_cast<const B*>(in.data), in.plane_stride, in.limbs, in.strides});
}

[[noreturn]] void throw_ragged(const Shape& path, std::int64_t found, std::int64_t expected) {
  const auto describe = [](std::int64_t entries) {
    return entries < 0 ? std::string("is a number")
                       : "has " + std::to_string(entries) + (entries == 1 ? " entry" : " entries");
  };
  std::string place;
  for (const std::int64_t i : path) place += "[" + std::to_string(i) + "]";
  throw ShapeError("nested lists: row " + place + " " + describe(found) + ", where the first one " +
                   describe(expected));
}

/// Appends the numbers of an entry of nested lists, which lies at `path`.
template <class Value>
void append_entries(const NestedEntry<Value>& entry, const Shape& shape, Shape& path,
                    std::vector<Value>& values) {
  const std::int64_t expected = path.size() < shape.size() ? shape[path.size()] : -1;
  const std::int64_t found = entry.is_list ? std::int64_t(entry.entries.size()) : -1;
  if (found != expected) throw_ragged(path, found, expected);
  if (!entry.is_list) values.push_back(entry.number);
  path.push_back(0);
  for (const auto& below : entry.entries) {
    append_entries(below, shape, path, values);
    ++path.back();
  }
  path.pop_back();
}

}  // namespace tensor_detail

template <class T, int N>
Tensor<T, N>::Tensor() : Tensor(Shape{0}) {}

template <class T, int N>
Tensor<T, N>::Tensor(Tensor&& other) noexcept
    : storage_(std::move(other.storage_)),
      offset_(std::exchange(other.offset_, 0)),
      plane_stride_(std::exchange(other.plane_stride_, 0)),
      shape_(std::exchange(other.shape_, {0})),
      strides_(std::exchange(other.strides_, {1})) {}

template <class T, int N>
Tensor<T, N>& Tensor<T, N>::operator=(Tensor&& other) noexcept {
  Tensor taken(std::move(other));
  std::swap(storage_, taken.storage_);
  std::swap(offset_, taken.offset_);
  std::swap(plane_stride_, taken.plane_stride_);
  shape_.swap(taken.shape_);
  strides_.swap(taken.strides_);
  return *this;
}

template <class T, int N>
Tensor<T, N>::Tensor(std::initializer_list<tensor_detail::NestedRow<Value>> rows) {
  using Entry = tensor_detail::NestedEntry<Value>;
  Entry all(std::initializer_list<Entry>{});
  for (const auto& row : rows) all.entries.push_back(row.entry);
  Shape shape;
  for (const Entry* first = &all; first->is_list; first = &first->entries[0]) {
    shape.push_back(std::int64_t(first->entries.size()));
    if (first->entries.empty()) break;
  }
  std::vector<Value> values;
  Shape path;
  tensor_detail::append_entries(all, shape, path, values);
  *this = from_values(values, shape);
}

template <class T, int N>
Tensor<T, N>::Tensor(const Shape& shape) : Tensor(uninitialized(shape)) {
  // all-zero bytes are +0, false and 0
  std::fill_n(static_cast<unsigned char*>(storage_.data()), storage_.bytes(), 0);
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::uninitialized(const Shape& shape) {
  const std::int64_t plane = tensor_detail::plane_of(shape, N, sizeof(T));
  return Tensor(tensor_detail::allocate(shape, N, plane, sizeof(T)), 0, shape,
                contiguous_strides(shape), plane);
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
  tensor_detail::check_count(values.size(), shape);
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
  const std::int64_t count = mct::numel(shape);
  if (plane_stride == 0) plane_stride = count;
  tensor_detail::check_memory(data, shape, steps, N, plane_stride);
  // the extent is the owner's business: only the start is known here
  return Tensor(Storage::wrap(data, 0, release), 0, shape,
                count == 0 ? contiguous_strides(shape) : steps, count == 0 ? 0 : plane_stride);
}

template <class T, int N>
Tensor<T, N> Tensor<T, N>::from_storage(const Storage& storage, std::int64_t offset,
                                        const Shape& shape, const Shape& strides,
                                        std::int64_t plane_stride) {
  tensor_detail::check_storage(std::int64_t(storage.bytes() / sizeof(T)), offset, shape, strides, N,
                               plane_stride);
  if (mct::numel(shape) == 0) return Tensor(storage, 0, shape, contiguous_strides(shape), 0);
  return Tensor(storage, offset, shape, strides, plane_stride);
}

template <class T, int N>
bool Tensor<T, N>::is_contiguous() const {
  return tensor_detail::is_contiguous(shape_, strides_);
}

template <class T, int N>
std::int64_t Tensor<T, N>::element_offset(const std::int64_t* index, std::size_t count) const {
  return tensor_detail::element_offset(shape_, strides_, index, count);
}

template <class T, int N>
typename Tensor<T, N>::Value Tensor<T, N>::value_at(std::int64_t offset) const {
  if constexpr (N == 1) {
    return data()[offset];
  } else {
    Value value;
    for (int k = 0; k < N; ++k) value.limb[k] = data(k)[offset];
    return value;
  }
}

template <class T, int N>
typename Tensor<T, N>::Value Tensor<T, N>::at(const Shape& index) const {
  return value_at(element_offset(index.data(), index.size()));
}

template <class T, int N>
void Tensor<T, N>::set(const Shape& index, const Value& value) const {
  const std::int64_t offset = element_offset(index.data(), index.size());
  const auto limbs = tensor_detail::limbs_of<T, N>(value);
  for (int k = 0; k < N; ++k) data(k)[offset] = limbs[std::size_t(k)];
}

template <class T, int N>
typename Tensor<T, N>::Value Tensor<T, N>::item() const {
  tensor_detail::check_single(shape_);
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
  if constexpr (N == 1) {
    return clone();
  } else {
    auto result = Tensor<T, 1>::uninitialized(shape_);
    const auto kernel = [](std::size_t n, T* const* out, const T* const* in) {
      for (std::size_t i = 0; i < n; ++i) {
        T sum = in[N - 1][i];
        for (int k = N - 2; k >= 0; --k) sum = in[k][i] + sum;
        out[0][i] = sum;
      }
    };
    tensor_detail::run_blocks(shape_, kernel, N, tensor_detail::target(result),
                              tensor_detail::source(*this, shape_));
    return result;
  }
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
  tensor_detail::check_copy(shape_, source.shape());
  const Tensor from = tensor_detail::overlaps(*this, source) ? source.clone() : source;
  tensor_detail::copy_elements(shape_, tensor_detail::target(*this),
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
