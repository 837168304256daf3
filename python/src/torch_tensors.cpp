// Converts tensors of PyTorch to the library's on the same memory, and back. Operators call this.
#include <memory>

#include "any_tensor.hpp"
#include "dlpack_table.hpp"

namespace mct::python {

namespace {

constexpr std::int32_t cpu_device = 1;

/// DLPack's type of a component.
template <class T>
constexpr nb::dlpack::dtype component_type() {
  using Code = nb::dlpack::dtype_code;
  return {std::uint8_t(std::is_same_v<T, bfloat16> ? Code::Bfloat : Code::Float),
          std::uint8_t(8 * sizeof(T)), 1};
}

/// PyTorch's tensor class and its DLPack functions, looked up once.
struct TorchTensors {
  static const TorchTensors& get() {
    static const TorchTensors* const found = new TorchTensors;  // lives as long as the process
    return *found;
  }
  nb::object torch = nb::module_::import_("torch");
  nb::object type = torch.attr("Tensor");
  nb::object capsule_of = torch.attr("utils").attr("dlpack").attr("to_dlpack");
  const DlpackTable* table = DlpackTable::of(type);
};

/// A tensor of plain numbers or, with `planes`, of numbers whose components are the first
/// dimension.
AnyTensor on_memory_of(const nb::dlpack::dltensor& x, nb::handle owner, bool planes) {
  if (x.device.device_type != cpu_device)
    throw nb::value_error("the tensor is not on the CPU; only tensors on the CPU are taken");
  Shape shape(x.shape, x.shape + x.ndim);
  Shape strides =
      x.strides != nullptr ? Shape(x.strides, x.strides + x.ndim) : contiguous_strides(shape);
  std::int64_t components = 1, plane_stride = 0;
  if (planes) {
    if (shape.empty()) throw ShapeError("the planes have no dimension of components");
    components = shape[0];
    plane_stride = components > 1 ? strides[0] : 0;
    shape.erase(shape.begin());
    strides.erase(strides.begin());
    if (components > 1 && plane_stride == 0 && numel(shape) > 0)
      throw ShapeError("the planes share memory; copy them first");
  }
  char* const data = static_cast<char*>(x.data) + x.byte_offset;
#define MCT_CASE(T, N)                                                                \
  if (components == N && x.dtype == component_type<T>())                              \
    return wrap(Tensor<T, N>::from_memory(reinterpret_cast<T*>(data), shape, strides, \
                                          plane_stride, releaser(nb::borrow(owner))));
  MCT_FOR_EACH_NUMBER_TENSOR(MCT_CASE)
#undef MCT_CASE
  throw nb::type_error(
      "a tensor must be of float64, float32, float16 or bfloat16, and have no more components than "
      "its type has");
}

AnyTensor from_torch(nb::handle tensor, bool planes) {
  const TorchTensors& calls = TorchTensors::get();
  if (!PyObject_TypeCheck(tensor.ptr(), reinterpret_cast<PyTypeObject*>(calls.type.ptr())))
    throw nb::type_error("a tensor of PyTorch is wanted");
  nb::dlpack::dltensor found;
  if (calls.table != nullptr && calls.table->tensor_of != nullptr) {
    if (calls.table->tensor_of(tensor.ptr(), &found) != 0) nb::raise_python_error();
    return on_memory_of(found, tensor, planes);
  }
  const nb::object capsule = calls.capsule_of(tensor);
  const auto* const given =
      static_cast<nb::dlpack::dltensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (given == nullptr) nb::raise_python_error();
  return on_memory_of(*given, tensor, planes);
}

/// The part of a library's tensor that a tensor of PyTorch keeps.
template <class T, int N>
struct Handed {
  Tensor<T, N> kept;
  Shape shape, strides;
  ManagedTensor managed;
};

template <class T, int N>
nb::object to_torch(const Tensor<T, N>& x, bool planes) {
  auto handed = std::make_unique<Handed<T, N>>(Handed<T, N>{x, x.shape(), x.strides(), {}});
  if (planes) {
    handed->shape.insert(handed->shape.begin(), N);
    handed->strides.insert(handed->strides.begin(), N > 1 ? x.plane_stride() : x.numel());
  }
  nb::dlpack::dltensor& shown = handed->managed.tensor;
  shown.data = handed->kept.data();
  shown.device = {cpu_device, 0};
  shown.ndim = std::int32_t(handed->shape.size());
  shown.dtype = component_type<T>();
  shown.shape = handed->shape.data();
  shown.strides = handed->strides.data();
  const DlpackTable* const table = TorchTensors::get().table;
  if (table == nullptr || table->object_of == nullptr) {
    const std::vector<std::size_t> shape(handed->shape.begin(), handed->shape.end());
    const Shape strides = handed->strides;
    void* const data = shown.data;
    const nb::capsule owner(handed.release(),
                            [](void* p) noexcept { delete static_cast<Handed<T, N>*>(p); });
    return nb::cast(nb::ndarray<nb::pytorch>(data, shape.size(), shape.data(), owner,
                                             strides.data(), component_type<T>()));
  }
  handed->managed.context = handed.get();
  handed->managed.release = [](ManagedTensor* self) {
    delete static_cast<Handed<T, N>*>(self->context);
  };
  void* object = nullptr;
  if (table->object_of(&handed->managed, &object) != 0) nb::raise_python_error();
  handed.release();
  return nb::steal(static_cast<PyObject*>(object));
}

nb::object any_to_torch(const AnyTensor& x, bool planes) {
  return std::visit(
      [&]<class T, int N>(const Tensor<T, N>& tensor) -> nb::object {
        if (N > 1 && !planes)
          throw nb::type_error("to_torch: PyTorch has no numbers of several components");
        return to_torch(tensor, planes);
      },
      x.tensor);
}

}  // namespace

void bind_torch_tensors(nb::module_& m) {
  m.def("from_torch", &from_torch, "tensor"_a, "planes"_a = false,
        "The library's tensor on the memory of PyTorch's of the CPU, which it keeps. planes: the "
        "first dimension has the components of numbers.");
  m.def("to_torch", &any_to_torch, "tensor"_a, "planes"_a = false,
        "PyTorch's tensor on the memory of the library's, which it keeps: of one component, or "
        "with a first dimension that has the components.");
}

}  // namespace mct::python
