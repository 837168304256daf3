// A tensor of any component type and number of components, as Python holds it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::python {

namespace nb = nanobind;
using namespace nb::literals;

/// Other threads of Python run during the call.
using Release = nb::call_guard<nb::gil_scoped_release>;

namespace detail {
template <class... X>
struct WithoutFirst;
template <class First, class... X>
struct WithoutFirst<First, X...> {
  using type = std::variant<X...>;
};
}  // namespace detail

#define MCT_ALTERNATIVE(T, N) , Tensor<T, N>
/// One of the tensors of numbers.
using NumberTensor =
    typename detail::WithoutFirst<void MCT_FOR_EACH_NUMBER_TENSOR(MCT_ALTERNATIVE)>::type;
#undef MCT_ALTERNATIVE

/// The module's class Tensor. It is a class of its own, so that nanobind does not take it for
/// std::variant.
struct AnyTensor {
  NumberTensor tensor;
};

/// "f64x2": component type, bits and number of components.
template <class T, int N>
const std::string& dtype_name() {
  static const std::string name = (std::is_same_v<T, bfloat16> ? "bf" : "f") +
                                  std::to_string(8 * sizeof(T)) + "x" + std::to_string(N);
  return name;
}
inline std::string dtype_name(const AnyTensor& x) {
  return std::visit([]<class T, int N>(const Tensor<T, N>&) { return dtype_name<T, N>(); },
                    x.tensor);
}

/// Calls f.template operator()<T, N>() for the type of a name. Throws TypeError.
template <class F>
auto with_dtype(const std::string& name, const F& f) {
#define MCT_CASE(T, N) \
  if (name == dtype_name<T, N>()) return f.template operator()<T, N>();
  MCT_FOR_EACH_NUMBER_TENSOR(MCT_CASE)
#undef MCT_CASE
  throw nb::type_error(("there is no dtype '" + name +
                        "'; there are f64x1 to f64x4, f32x1 to f32x4, f16x1 to f16x3, bf16x1 to "
                        "bf16x3")
                           .c_str());
}

template <class T, int N>
AnyTensor wrap(Tensor<T, N> x) {
  return {NumberTensor(std::move(x))};
}

/// Applies f, which returns a tensor, to a tensor.
template <class F>
AnyTensor map_tensor(const AnyTensor& x, const F& f) {
  return std::visit([&](const auto& a) { return wrap(f(a)); }, x.tensor);
}

[[noreturn]] inline void throw_types(const char* name, const AnyTensor& x, const AnyTensor& y) {
  throw nb::type_error((std::string(name) + ": operands of types " + dtype_name(x) + " and " +
                        dtype_name(y) + "; convert one with astype")
                           .c_str());
}

/// Applies f to two tensors that the library takes as operands of one operation. They have one
/// component type, and the same number of components, or one of them has one component. Throws
/// TypeError for others.
template <class F>
auto visit_operands(const char* name, const AnyTensor& x, const AnyTensor& y, const F& f) {
  using Result = decltype(f(Tensor<double, 2>(), Tensor<double, 2>()));
  return std::visit(
      [&]<class T, int A>(const Tensor<T, A>& a) -> Result {
        return std::visit(
            [&]<class U, int B>(const Tensor<U, B>& b) -> Result {
              if constexpr (std::is_same_v<T, U> && (A == B || A == 1 || B == 1)) {
                return f(a, b);
              } else {
                throw_types(name, x, y);
              }
            },
            y.tensor);
      },
      x.tensor);
}

/// A tensor of the same type as `like`. Throws TypeError.
template <class T, int N>
const Tensor<T, N>& same_type(const char* name, const Tensor<T, N>& like, const AnyTensor& x) {
  if (const auto* found = std::get_if<Tensor<T, N>>(&x.tensor)) return *found;
  throw_types(name, wrap(like), x);
}

/// A NumPy array that keeps its data alive.
using NumpyArray = nb::ndarray<nb::numpy>;
/// Read-only elements of any array from Python.
template <class T>
using ArrayOf = nb::ndarray<const T, nb::device::cpu>;

/// A tensor on the memory of an array. It is only read.
template <class T>
Tensor<T> view_of(const ArrayOf<T>& array) {
  Shape shape, strides;
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    shape.push_back(std::int64_t(array.shape(i)));
    strides.push_back(array.stride(i));
  }
  return Tensor<T>::from_memory(const_cast<T*>(array.data()), shape, strides);
}

/// A NumPy array of indices or of a mask, on the tensor's memory.
template <class T>
NumpyArray to_numpy(const Tensor<T>& x) {
  std::vector<std::size_t> shape(x.shape().begin(), x.shape().end());
  auto* kept = new Tensor<T>(x);
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Tensor<T>*>(p); });
  return NumpyArray(x.data(), shape.size(), shape.data(), owner, x.strides().data(),
                    nb::dtype<T>());
}

/// Releases a Python object when the last tensor on its memory is destroyed, in any thread. Objects
/// that are released meanwhile wait until it is gone: in a chain of views each view frees the one
/// before it, and nested calls would need too much stack.
std::function<void()> releaser(nb::object owner);

// for each subject, one function enters its names into the module
void bind_errors(nb::module_& m);
void bind_tensor_class(nb::module_& m);
void bind_torch_tensors(nb::module_& m);
void bind_conversions(nb::module_& m);
void bind_create(nb::module_& m);
void bind_distributed(nb::module_& m);
void bind_planes_device(nb::module_& m);
void bind_sums_device(nb::module_& m);
void bind_elementwise(nb::module_& m);
void bind_reduce(nb::module_& m);
void bind_products(nb::module_& m);
void bind_linalg(nb::module_& m);
void bind_files(nb::module_& m);
void bind_optim(nb::module_& m);
void bind_optim_torch(nb::module_& m);
void bind_optim_device(nb::module_& m);
void bind_geometry(nb::module_& m);
void bind_geometry_optim(nb::module_& m);
void bind_embed(nb::module_& m);
void bind_attention(nb::module_& m);

}  // namespace mct::python
