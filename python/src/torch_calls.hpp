// Queries tensors of PyTorch: through its C interface for exchange, which versions from 2.10 on
// have, or through Python, which works in all versions.
#pragma once

#include <cstdint>
#include <span>

#include "any_tensor.hpp"
#include "dlpack_table.hpp"

namespace mct::python {

/// How a tensor lies in memory. All of it is queried at once.
struct TensorPlace {
  static constexpr int cpu = -1, elsewhere = -2;

  void* data = nullptr;
  nb::dlpack::dtype type;
  int device = elsewhere;  ///< cpu, or the number of a CUDA device
  bool in_a_row = false;   ///< row-major, without gaps or overlaps
  std::int64_t count = 0;
  std::span<const std::int64_t>
      shape;               ///< from the C interface; valid as long as the tensor exists
  nb::object torch_shape;  ///< from Python
  nb::object part;         ///< for a DTensor: the tensor of this process
};

/// The functions for these queries, looked up once.
class TorchCalls {
 public:
  static const TorchCalls& get() {
    static const TorchCalls* const calls = new TorchCalls;  // lives as long as the process
    return *calls;
  }

  /// Throws Python's exceptions.
  nb::object grad(nb::handle tensor) const { return attribute(tensor, grad_); }

  /// Finds where a tensor lies; for a DTensor, the part of this process. Returns false for tensors
  /// without strided memory: sparse ones, other wrappers, and objects that are not tensors.
  /// `before`, on `device`: its last address, which saves a query.
  bool find(nb::handle tensor, TensorPlace& place, const void* before = nullptr,
            int device = TensorPlace::cpu) const {
    const auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(tensor.ptr()));
    if (type != class_.ptr() && type != parameter_.ptr()) {
      place.part = nb::getattr(tensor, "to_local", nb::none());
      if (!place.part.is_none()) {
        place.part = place.part();
        tensor = place.part;
      }
    }
    return exchange_ != nullptr ? find_by_exchange(tensor, place)
                                : find_by_questions(tensor, place, before, device);
  }
  /// Whether the numbers of a tensor that was found there are those in memory with the other sign,
  /// as for conj().imag. DLPack does not show this.
  bool is_negated(nb::handle tensor, const TensorPlace& place) const {
    const bool is_part = place.part.is_valid() && !place.part.is_none();
    return ask(is_part ? nb::handle(place.part) : tensor, is_neg_).ptr() == Py_True;
  }
  static bool same_shape(const TensorPlace& a, const TensorPlace& b) {
    if (a.torch_shape.is_valid()) return a.torch_shape.equal(b.torch_shape);
    if (a.shape.size() != b.shape.size()) return false;
    for (std::size_t k = 0; k < a.shape.size(); ++k)
      if (a.shape[k] != b.shape[k]) return false;
    return true;
  }

 private:
  static constexpr std::int32_t cpu_device = 1, cuda_device = 2;

  TorchCalls() {
    if (const DlpackTable* const table = DlpackTable::of(class_)) exchange_ = table->tensor_of;
  }

  bool find_by_exchange(nb::handle tensor, TensorPlace& place) const {
    nb::dlpack::dltensor found;
    const bool is_tensor =
        PyObject_TypeCheck(tensor.ptr(), reinterpret_cast<PyTypeObject*>(class_.ptr())) != 0;
    if (!is_tensor || exchange_(tensor.ptr(), &found) != 0) {
      PyErr_Clear();
      return false;
    }
    place.data = static_cast<char*>(found.data) + found.byte_offset;
    place.type = found.dtype;
    if (found.device.device_type == cpu_device) place.device = TensorPlace::cpu;
    if (found.device.device_type == cuda_device) place.device = found.device.device_id;
    place.shape = {found.shape, std::size_t(found.ndim)};
    place.in_a_row = true;
    std::int64_t step = 1;
    for (std::size_t k = place.shape.size(); k-- > 0; step *= found.shape[k])
      if (found.shape[k] != 1 && found.strides[k] != step) place.in_a_row = false;
    place.count = step;
    if (step == 0) place.in_a_row = true;
    return true;
  }

  bool find_by_questions(nb::handle tensor, TensorPlace& place, const void* before,
                         int device) const {
    try {
      place.data = PyLong_AsVoidPtr(ask(tensor, data_ptr_).ptr());
      place.type = type_of(attribute(tensor, dtype_));
      place.device = place.data != nullptr && place.data == before ? device : device_of(tensor);
      place.in_a_row = ask(tensor, is_contiguous_).ptr() == Py_True;
      place.torch_shape = attribute(tensor, shape_);
      place.count = 1;
      for (Py_ssize_t k = 0; k < NB_TUPLE_GET_SIZE(place.torch_shape.ptr()); ++k)
        place.count *= PyLong_AsLongLong(NB_TUPLE_GET_ITEM(place.torch_shape.ptr(), k));
    } catch (nb::python_error&) {
      return false;
    }
    return true;
  }

  int device_of(nb::handle tensor) const {
    if (attribute(tensor, is_cpu_).ptr() == Py_True) return TensorPlace::cpu;
    if (attribute(tensor, is_cuda_).ptr() != Py_True) return TensorPlace::elsewhere;
    return nb::cast<int>(nb::handle(tensor).attr("device").attr("index"));
  }

  /// DLPack's code of a type of parameters or states.
  nb::dlpack::dtype type_of(nb::handle type) const {
    for (const auto& [name, code, bits] : types_)
      if (type.is(name)) return {code, bits, 1};
    return {};
  }

  struct TypeName {
    nb::object name;
    std::uint8_t code;
    std::uint8_t bits;
  };
  TypeName named(const char* name, nb::dlpack::dtype_code code, std::uint8_t bits) const {
    return {torch_.attr(name), std::uint8_t(code), bits};
  }

  static nb::object name(const char* text) { return nb::steal(PyUnicode_InternFromString(text)); }
  static nb::object attribute(nb::handle tensor, const nb::object& name) {
    PyObject* const found = PyObject_GetAttr(tensor.ptr(), name.ptr());
    if (found == nullptr) nb::raise_python_error();
    return nb::steal(found);
  }
  static nb::object ask(nb::handle tensor, const nb::object& method) {
    PyObject* const self = tensor.ptr();
    PyObject* const answer = PyObject_Vectorcall(method.ptr(), &self, 1, nullptr);
    if (answer == nullptr) nb::raise_python_error();
    return nb::steal(answer);
  }

  nb::object torch_ = nb::module_::import_("torch");
  nb::object class_ = torch_.attr("Tensor");
  nb::object parameter_ = torch_.attr("nn").attr("Parameter");
  nb::object data_ptr_ = class_.attr("data_ptr");
  nb::object is_contiguous_ = class_.attr("is_contiguous");
  nb::object is_neg_ = class_.attr("is_neg");
  nb::object grad_ = name("grad");
  nb::object dtype_ = name("dtype");
  nb::object shape_ = name("shape");
  nb::object is_cpu_ = name("is_cpu");
  nb::object is_cuda_ = name("is_cuda");
  TypeName types_[6] = {named("bfloat16", nb::dlpack::dtype_code::Bfloat, 16),
                        named("float16", nb::dlpack::dtype_code::Float, 16),
                        named("float32", nb::dlpack::dtype_code::Float, 32),
                        named("uint8", nb::dlpack::dtype_code::UInt, 8),
                        named("int16", nb::dlpack::dtype_code::Int, 16),
                        named("int32", nb::dlpack::dtype_code::Int, 32)};
  int (*exchange_)(void*, nb::dlpack::dltensor*) = nullptr;
};

}  // namespace mct::python
