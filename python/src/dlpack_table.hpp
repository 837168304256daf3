// The beginning of DLPack's table of functions in its first major version. PyTorch's tensor class
// offers it from 2.10 on.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

namespace mct::python {

/// A tensor together with the function that frees it.
struct ManagedTensor {
  std::uint32_t major = 1, minor = 0;
  void* context = nullptr;
  void (*release)(ManagedTensor* self) = nullptr;
  std::uint64_t flags = 0;
  nanobind::dlpack::dltensor tensor;
};

/// Functions return 0, or set a Python error.
struct DlpackTable {
  std::uint32_t major, minor;
  void* previous;
  void* other_functions[2];
  int (*object_of)(ManagedTensor* tensor, void** object);
  int (*tensor_of)(void* object, nanobind::dlpack::dltensor* tensor);

  /// The table of a class, or null.
  static const DlpackTable* of(nanobind::handle type) {
    namespace nb = nanobind;
    const nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
    if (capsule.is_none()) return nullptr;
    const auto* const table =
        static_cast<const DlpackTable*>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
    if (table == nullptr) PyErr_Clear();
    return table != nullptr && table->major == 1 ? table : nullptr;
  }
};

}  // namespace mct::python
