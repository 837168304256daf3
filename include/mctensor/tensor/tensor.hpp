// Tensor<T, N>: an array of expansions, one plane of memory per component.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <vector>

#include "mctensor/eft/half.hpp"
#include "mctensor/expansion/expansion.hpp"
#include "mctensor/tensor/methods.hpp"
#include "mctensor/tensor/nested_list.hpp"
#include "mctensor/tensor/shape.hpp"
#include "mctensor/tensor/storage.hpp"

namespace mct {

/// An array of numbers of N components of T (double or float: N = 1..4; half or bfloat16: N =
/// 1..3). For N = 1, T may also be bool (masks) or std::int64_t (indices).
///
/// Limb i of every element lies in plane i; a plane of a new tensor is contiguous, row-major and
/// aligned to 64 bytes. Tensor<T, 1> is a plain tensor.
///
/// A Tensor is a handle. A copy of a Tensor and every view (transpose, narrow, slice, select,
/// expand, permute, plane, ...) share its memory; clone() copies the elements. A const Tensor keeps
/// its shape, but its elements can be written. Dimensions are counted from 0, and negative
/// dimensions from the end. Different elements may be read and written from different threads.
/// After a move, the source is empty, of shape (0).
template <class T, int N = 1>
class Tensor
    : public std::conditional_t<is_component_v<T>, NumberMethods<Tensor<T, N>>, NoMethods> {
  static_assert(is_component_v<T> || N == 1, "masks and indices have one component");

 public:
  using Component = T;
  static constexpr int components = N;
  /// The type of an element: Expansion<T, N>, or T itself in a plain tensor.
  using Value = typename std::conditional_t<N == 1, std::enable_if<true, T>,
                                            std::enable_if<true, Expansion<T, N>>>::type;

  /// No elements, shape (0).
  Tensor();
  /// All elements zero. Throws ShapeError for a negative size.
  explicit Tensor(const Shape& shape);
  /// A tensor of two or more dimensions, row by row: Tensor<double>{{1, 2}, {3, 4}}. In
  /// parentheses, Tensor<double>({2, 3}), it is a shape; for vectors use from_values. Throws
  /// ShapeError, which names a row, if rows differ in their number of entries.
  Tensor(std::initializer_list<tensor_detail::NestedRow<Value>> rows);
  Tensor(const Tensor&) = default;
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor&) = default;
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor() = default;
  /// A tensor of no dimensions that holds one value.
  static Tensor scalar(const Value& value);
  /// A tensor whose elements are not initialized. Like every function that makes a tensor, throws
  /// MemoryError with shape and bytes if memory does not suffice.
  static Tensor uninitialized(const Shape& shape);
  /// Takes values in row-major order. Throws ShapeError if their number does not fit the shape.
  static Tensor from_values(const std::vector<Value>& values, const Shape& shape);
  static Tensor from_values(const std::vector<Value>& values);
  /// A view of memory that the caller owns and must keep until `release` is called. Limb k of
  /// element (i, j, ...) is data[k plane_stride + i strides[0] + j strides[1] + ...]. Strides
  /// default to row-major, plane_stride to the number of elements. Elements may share memory;
  /// functions that write in place throw ShapeError for such a tensor. Throws ShapeError for
  /// strides that reach beyond the address space.
  static Tensor from_memory(T* data, const Shape& shape, const Shape& strides = {},
                            std::int64_t plane_stride = 0,
                            const std::function<void()>& release = {});
  /// A view of a storage, with offset and strides in elements. Throws ShapeError if an element
  /// would lie outside the storage.
  static Tensor from_storage(const Storage& storage, std::int64_t offset, const Shape& shape,
                             const Shape& strides, std::int64_t plane_stride);

  const Shape& shape() const { return shape_; }
  const Shape& strides() const { return strides_; }
  /// The distance between planes, in elements.
  std::int64_t plane_stride() const { return plane_stride_; }
  int dim() const { return int(shape_.size()); }
  std::int64_t size(std::int64_t dim) const { return shape_[normalize_dim(dim, shape_)]; }
  std::int64_t numel() const { return mct::numel(shape_); }
  static constexpr int nc() { return N; }
  /// The first element of a plane.
  T* data(int plane = 0) const {
    return static_cast<T*>(storage_.data()) + offset_ + plane * plane_stride_;
  }
  const Storage& storage() const { return storage_; }
  std::int64_t offset() const { return offset_; }
  /// True if the elements are row-major without gaps.
  bool is_contiguous() const;

  /// The element at one index per dimension. Negative indices count from the end. item() returns
  /// the only element of a tensor that has one. Throws ShapeError.
  Value at(const Shape& index) const;
  void set(const Shape& index, const Value& value) const;
  Value item() const;
  /// The element a(i, j, ...), as at(). For a plain tensor the result is a reference, to which you
  /// can assign. For several components it is a value, and set() writes the element.
  template <class... Index>
  requires(std::is_integral_v<Index>&&...) decltype(auto) operator()(Index... index) const {
    const std::int64_t position[] = {std::int64_t(index)..., 0};
    return element(element_offset(position, sizeof...(index)));
  }
  /// All elements in row-major order.
  std::vector<Value> values() const;

  /// Component i as a plain tensor. fc() is component 0, which is the value rounded to T. Both are
  /// views.
  Tensor<T, 1> plane(int i) const;
  Tensor<T, 1> fc() const { return plane(0); }
  /// The sum of the components, rounded to T, in new memory.
  Tensor<T, 1> evaluate() const;

  // Views.
  Tensor transpose(std::int64_t dim0, std::int64_t dim1) const;
  /// The last two dimensions exchanged.
  Tensor t() const { return transpose(-2, -1); }
  Tensor permute(const Shape& dims) const;
  /// Elements start ... start + length - 1 of a dimension; a negative start counts from the end.
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  /// Python's [start:stop:step] in a dimension. Negative positions count from the end, and
  /// positions beyond the end mean the end. step may be negative.
  Tensor slice(std::int64_t dim, std::int64_t start, std::int64_t stop,
               std::int64_t step = 1) const;
  /// The elements at one position of a dimension, without this dimension. A negative position
  /// counts from the end.
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  /// Broadcasts to a shape; -1 keeps a size.
  Tensor expand(const Shape& shape) const;
  Tensor unsqueeze(std::int64_t dim) const;
  /// The tensor without the dimension, which must have size 1; without an argument, without all
  /// dimensions of size 1.
  Tensor squeeze(std::int64_t dim) const;
  Tensor squeeze() const;
  /// The same elements in row-major order in another shape; one size may be -1. A view where
  /// strides allow it, else a copy.
  Tensor reshape(const Shape& shape) const;
  Tensor flatten() const { return reshape({-1}); }

  /// This tensor if it is contiguous, else a contiguous copy.
  Tensor contiguous() const;
  Tensor clone() const;
  /// Copies the elements of `source`, whose shape must broadcast to the shape of this tensor.
  void copy_(const Tensor& source) const;
  void fill_(const Value& value) const;

 private:
  template <class, int>
  friend class Tensor;

  Tensor(Storage storage, std::int64_t offset, Shape shape, Shape strides,
         std::int64_t plane_stride);
  std::int64_t element_offset(const std::int64_t* index, std::size_t count) const;
  Value value_at(std::int64_t offset) const;
  // this is one function, because clang 14 gives two functions with different requirements the same
  // symbol. The value is const, because an assignment to it would be lost.
  std::conditional_t<N == 1, T&, const Value> element(std::int64_t offset) const {
    if constexpr (N == 1) {
      return data()[offset];
    } else {
      return value_at(offset);
    }
  }

  Storage storage_;
  std::int64_t offset_ = 0;
  std::int64_t plane_stride_ = 0;
  Shape shape_;
  Shape strides_;
};

/// A text like NumPy's text of an array: aligned columns in brackets, and lines of at most 75
/// characters. If there are more than 1000 elements, the text has the first three and the last
/// three of each dimension. Plain numbers have up to 8 decimals, and expansions as many as their
/// bits hold (f64x2: 31). Numbers have exponents if magnitudes are large or small, or if the
/// largest is more than 1000 times the smallest. The locale has no effect.
template <class T, int N>
std::string to_string(const Tensor<T, N>& x);
template <class T, int N>
std::ostream& operator<<(std::ostream& out, const Tensor<T, N>& x);

/// The types for which tensors are compiled: expansions of several components; all numbers; all
/// types.
#define MCT_FOR_EACH_LONG_TENSOR(macro)                                              \
  macro(double, 2) macro(double, 3) macro(double, 4) macro(float, 2) macro(float, 3) \
      macro(float, 4) macro(half, 2) macro(half, 3) macro(bfloat16, 2) macro(bfloat16, 3)
#define MCT_FOR_EACH_NUMBER_TENSOR(macro) \
  macro(double, 1) macro(float, 1) macro(half, 1) macro(bfloat16, 1) MCT_FOR_EACH_LONG_TENSOR(macro)
#define MCT_FOR_EACH_TENSOR(macro) \
  macro(bool, 1) macro(std::int64_t, 1) MCT_FOR_EACH_NUMBER_TENSOR(macro)

#define MCT_EXTERN_TENSOR(T, N) extern template class Tensor<T, N>;
MCT_FOR_EACH_TENSOR(MCT_EXTERN_TENSOR)
#undef MCT_EXTERN_TENSOR

template <class X>
struct IsTensor : std::false_type {};
template <class T, int N>
struct IsTensor<Tensor<T, N>> : std::true_type {};
template <class X>
inline constexpr bool is_tensor_v = IsTensor<std::remove_cvref_t<X>>::value;

}  // namespace mct
