// The class Tensor: its properties, and its component planes for NumPy and DLPack without a copy.

#include "any_tensor.hpp"

namespace mct::python {

namespace {

/// NumPy's type of a component. NumPy has no bfloat16, so its bits are shown.
template <class T>
constexpr nb::dlpack::dtype numpy_type() {
  if (std::is_same_v<T, bfloat16>) return nb::dtype<std::uint16_t>();
  return {std::uint8_t(nb::dlpack::dtype_code::Float), std::uint8_t(8 * sizeof(T)), 1};
}
/// DLPack's type of a component.
template <class T>
constexpr nb::dlpack::dtype dlpack_type() {
  if (std::is_same_v<T, bfloat16>) return {std::uint8_t(nb::dlpack::dtype_code::Bfloat), 16, 1};
  return numpy_type<T>();
}

/// All planes as one array with a leading dimension of size N, on the tensor's own memory.
template <class Array>
Array planes(const AnyTensor& self, nb::handle owner, bool for_dlpack) {
  return std::visit(
      [&]<class T, int N>(const Tensor<T, N>& x) {
        std::vector<std::size_t> shape{std::size_t(N)};
        std::vector<std::int64_t> strides{x.plane_stride()};
        shape.insert(shape.end(), x.shape().begin(), x.shape().end());
        strides.insert(strides.end(), x.strides().begin(), x.strides().end());
        return Array(x.data(), shape.size(), shape.data(), owner, strides.data(),
                     for_dlpack ? dlpack_type<T>() : numpy_type<T>());
      },
      self.tensor);
}

bool has_type(const nb::dlpack::dtype& found, const nb::dlpack::dtype& wanted) {
  return found.code == wanted.code && found.bits == wanted.bits && found.lanes == 1;
}

template <class T, int N>
AnyTensor on_planes(const nb::ndarray<nb::device::cpu>& array, nb::object owner) {
  if (!has_type(array.dtype(), numpy_type<T>()) && !has_type(array.dtype(), dlpack_type<T>()))
    throw nb::type_error(
        ("from_planes: the components are not those of " + dtype_name<T, N>()).c_str());
  if (array.ndim() == 0 || array.shape(0) != std::size_t(N))
    throw ShapeError("from_planes: " + dtype_name<T, N>() + " needs a leading dimension of size " +
                     std::to_string(N));
  Shape shape, strides;
  for (std::size_t i = 1; i < array.ndim(); ++i) {
    shape.push_back(std::int64_t(array.shape(i)));
    strides.push_back(array.stride(i));
  }
  auto* data = static_cast<T*>(array.data());
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0)
    throw DomainError("from_planes: the memory is not aligned to a component");
  // the stride of a single plane has no meaning, and NumPy may return any number
  const std::int64_t plane_stride = N == 1 ? 0 : array.stride(0);
  if (N > 1 && plane_stride == 0 && numel(shape) > 0)
    throw ShapeError("from_planes: the planes share memory; copy them first");
  return wrap(
      Tensor<T, N>::from_memory(data, shape, strides, plane_stride, releaser(std::move(owner))));
}

AnyTensor from_planes(nb::ndarray<nb::device::cpu> array, const std::string& dtype) {
  return with_dtype(dtype,
                    [&]<class T, int N>() { return on_planes<T, N>(array, nb::cast(array)); });
}

/// Converts a CPU array of any library to a NumPy array on the same memory, and returns the name of
/// its type if that is a component type. Shown: a NumPy array, read-only if the given one is.
template <class Shown, class Given>
nb::tuple as_numpy(const Given& array) {
  const nb::dlpack::dtype type = array.dtype();
  const char* name = "";
  if (has_type(type, dlpack_type<double>())) name = "f64";
  if (has_type(type, dlpack_type<float>())) name = "f32";
  if (has_type(type, dlpack_type<half>())) name = "f16";
  if (has_type(type, dlpack_type<bfloat16>())) name = "bf16";
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> strides;
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    shape.push_back(array.shape(i));
    strides.push_back(array.stride(i));
  }
  const bool is_bfloat16 = has_type(type, dlpack_type<bfloat16>());
  return nb::make_tuple(Shown(array.data(), shape.size(), shape.data(), nb::cast(array),
                              strides.data(), is_bfloat16 ? numpy_type<bfloat16>() : type),
                        name);
}

}  // namespace

std::function<void()> releaser(nb::object owner) {
  return [p = owner.release().ptr()] {
    const nb::gil_scoped_acquire gil;
    thread_local std::vector<PyObject*> waiting;
    thread_local bool releasing = false;
    waiting.push_back(p);
    if (releasing) return;
    releasing = true;
    while (!waiting.empty()) {
      PyObject* const last = waiting.back();
      waiting.pop_back();
      Py_DECREF(last);
    }
    releasing = false;
  };
}

void bind_tensor_class(nb::module_& m) {
  nb::class_<AnyTensor>(m, "Tensor", "Expansions in planes, one for each component.")
      .def_prop_ro("dtype", [](const AnyTensor& x) { return dtype_name(x); })
      .def_prop_ro("shape",
                   [](const AnyTensor& x) {
                     return std::visit([](const auto& a) { return nb::tuple(nb::cast(a.shape())); },
                                       x.tensor);
                   })
      .def_prop_ro(
          "planes",
          [](nb::handle_t<AnyTensor> self) {
            return planes<NumpyArray>(nb::cast<const AnyTensor&>(self), self, false);
          },
          "A NumPy array (components, *shape) on the same memory; bfloat16 as bits.")
      .def(
          "dlpack_planes",
          [](nb::handle_t<AnyTensor> self) {
            return planes<nb::ndarray<nb::array_api>>(nb::cast<const AnyTensor&>(self), self, true);
          },
          "The same for DLPack: an object with __dlpack__.")
      .def(
          "copy",
          [](const AnyTensor& x) { return map_tensor(x, [](const auto& a) { return a.clone(); }); },
          Release())
      .def(
          "reshape",
          [](const AnyTensor& x, const Shape& shape) {
            return map_tensor(x, [&](const auto& a) { return a.reshape(shape); });
          },
          "shape"_a, Release())
      .def(
          "expand",
          [](const AnyTensor& x, const Shape& shape) {
            return map_tensor(x, [&](const auto& a) { return a.expand(shape); });
          },
          "shape"_a, Release());
  m.def("from_planes", &from_planes, "planes"_a, "dtype"_a,
        "A tensor on the memory of an array of shape (components, *shape), which it keeps.");
  m.def("as_numpy", &as_numpy<NumpyArray, nb::ndarray<nb::device::cpu>>, "array"_a,
        "Any array of the CPU as NumPy's on the same memory, and the name of its component type.");
  m.def("as_numpy", &as_numpy<nb::ndarray<nb::numpy, nb::ro>, nb::ndarray<nb::ro, nb::device::cpu>>,
        "array"_a, "The same of an array that may not be written.");
}

}  // namespace mct::python
