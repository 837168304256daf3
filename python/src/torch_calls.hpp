// What tensors of PyTorch are asked for, through Python's interface: the same in all its versions.
#pragma once

#include <cstdint>
#include <string>

#include "any_tensor.hpp"

namespace mct::python {

/// The questions, found once.
class TorchCalls {
 public:
  static const TorchCalls& get() {
    static const TorchCalls* const calls = new TorchCalls;  // lives as long as the process
    return *calls;
  }

  /// All throw what Python raises.
  nb::object grad(nb::handle tensor) const { return attribute(tensor, grad_); }
  nb::object dtype(nb::handle tensor) const { return attribute(tensor, dtype_); }
  std::uintptr_t address(nb::handle tensor) const {
    return reinterpret_cast<std::uintptr_t>(PyLong_AsVoidPtr(ask(tensor, data_ptr_).ptr()));
  }
  std::int64_t count(nb::handle tensor) const {
    return PyLong_AsLongLong(ask(tensor, numel_).ptr());
  }
  bool is_contiguous(nb::handle tensor) const {
    return ask(tensor, is_contiguous_).ptr() == Py_True;
  }

 private:
  TorchCalls() = default;
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

  nb::object class_ = nb::module_::import_("torch").attr("Tensor");
  nb::object data_ptr_ = class_.attr("data_ptr");
  nb::object numel_ = class_.attr("numel");
  nb::object is_contiguous_ = class_.attr("is_contiguous");
  nb::object grad_ = name("grad");
  nb::object dtype_ = name("dtype");
};

}  // namespace mct::python
