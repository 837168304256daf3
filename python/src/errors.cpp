// The library's exceptions as Python's: a bad argument is a ValueError, a file an OSError.
#include "any_tensor.hpp"
#include "mctensor/error.hpp"

namespace mct::python {

void bind_errors(nb::module_& m) {
  // the last one that is registered is tried first
  nb::exception<Error>(m, "Error", PyExc_RuntimeError).doc() =
      "What the library reports and none of the others says.";
  nb::exception<DomainError>(m, "DomainError", PyExc_ValueError).doc() =
      "A value, or a text that stands for one, lies outside a function's domain.";
  nb::exception<ShapeError>(m, "ShapeError", PyExc_ValueError).doc() =
      "Shapes of operands do not fit together.";
  nb::exception<IoError>(m, "IoError", PyExc_OSError).doc() =
      "A file could not be read or written, or its content is malformed.";
  nb::exception<DeviceError>(m, "DeviceError", PyExc_RuntimeError).doc() =
      "A device is missing or reported an error.";
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const mct::MemoryError& error) {
      PyErr_SetString(PyExc_MemoryError, error.what());
    }
  });
}

}  // namespace mct::python
