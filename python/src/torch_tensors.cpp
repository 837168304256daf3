// Tensors of PyTorch as the library's on the same memory, and back: what its operators call.
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

/// PyTorch's class of tensors and its functions of DLPack, found once.
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

AnyTensor on_memory_of(const nb::dlpack::dltensor& x, nb::handle owner) {
  if (x.device.device_type != cpu_device)
    throw nb::value_error("a tensor that is not on the CPU; those of the CPU are taken");
  const Shape shape(x.shape, x.shape + x.ndim);
  const Shape strides =
      x.strides != nullptr ? Shape(x.strides, x.strides + x.ndim) : contiguous_strides(shape);
  char* const data = static_cast<char*>(x.data) + x.byte_offset;
  const auto as = [&]<class T>(T) {
    return wrap(Tensor<T, 1>::from_memory(reinterpret_cast<T*>(data), shape, strides, 0,
                                          releaser(nb::borrow(owner))));
  };
  if (x.dtype == component_type<double>()) return as(double());
  if (x.dtype == component_type<float>()) return as(float());
  if (x.dtype == component_type<half>()) return as(half());
  if (x.dtype == component_type<bfloat16>()) return as(bfloat16());
  throw nb::type_error("a tensor of another type than float64, float32, float16 and bfloat16");
}

AnyTensor from_torch(nb::handle tensor) {
  const TorchTensors& calls = TorchTensors::get();
  if (!PyObject_TypeCheck(tensor.ptr(), reinterpret_cast<PyTypeObject*>(calls.type.ptr())))
    throw nb::type_error("a tensor of PyTorch is wanted");
  nb::dlpack::dltensor found;
  if (calls.table != nullptr && calls.table->tensor_of != nullptr) {
    if (calls.table->tensor_of(tensor.ptr(), &found) != 0) nb::raise_python_error();
    return on_memory_of(found, tensor);
  }
  const nb::object capsule = calls.capsule_of(tensor);
  const auto* const given =
      static_cast<nb::dlpack::dltensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (given == nullptr) nb::raise_python_error();
  return on_memory_of(*given, tensor);
}

/// What a tensor of PyTorch keeps of the library's.
template <class T>
struct Handed {
  Tensor<T, 1> kept;
  Shape shape, strides;
  ManagedTensor managed;
};

template <class T>
nb::object to_torch(const Tensor<T, 1>& x) {
  auto handed = std::make_unique<Handed<T>>(Handed<T>{x, x.shape(), x.strides(), {}});
  nb::dlpack::dltensor& shown = handed->managed.tensor;
  shown.data = handed->kept.data();
  shown.device = {cpu_device, 0};
  shown.ndim = std::int32_t(handed->shape.size());
  shown.dtype = component_type<T>();
  shown.shape = handed->shape.data();
  shown.strides = handed->strides.data();
  const DlpackTable* const table = TorchTensors::get().table;
  if (table == nullptr || table->object_of == nullptr) {
    const std::vector<std::size_t> shape(x.shape().begin(), x.shape().end());
    void* const data = shown.data;
    const nb::capsule owner(handed.release(),
                            [](void* p) noexcept { delete static_cast<Handed<T>*>(p); });
    return nb::cast(nb::ndarray<nb::pytorch>(data, shape.size(), shape.data(), owner,
                                             x.strides().data(), component_type<T>()));
  }
  handed->managed.context = handed.get();
  handed->managed.release = [](ManagedTensor* self) {
    delete static_cast<Handed<T>*>(self->context);
  };
  void* object = nullptr;
  if (table->object_of(&handed->managed, &object) != 0) nb::raise_python_error();
  handed.release();
  return nb::steal(static_cast<PyObject*>(object));
}

nb::object any_to_torch(const AnyTensor& x) {
  return std::visit(
      []<class T, int N>(const Tensor<T, N>& tensor) -> nb::object {
        if constexpr (N == 1) {
          return to_torch(tensor);
        } else {
          throw nb::type_error("to_torch: PyTorch has no numbers of several components");
        }
      },
      x.tensor);
}

}  // namespace

void bind_torch_tensors(nb::module_& m) {
  m.def("from_torch", &from_torch, "tensor"_a,
        "The library's tensor on the memory of PyTorch's of the CPU, which it keeps.");
  m.def("to_torch", &any_to_torch, "tensor"_a,
        "PyTorch's tensor on the memory of the library's, of one component, which it keeps.");
}

}  // namespace mct::python
