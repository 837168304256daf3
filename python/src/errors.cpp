// The library's exceptions as Python's: a bad argument is a ValueError, a file an OSError.
#include "any_tensor.hpp"
#include "mctensor/error.hpp"
#include "mctensor/linalg/singular_error.hpp"

namespace mct::python {

void bind_errors(nb::module_& m) {
  // the last one that is registered is tried first
  nb::exception<Error>(m, "Error", PyExc_RuntimeError).doc() =
      "What the library reports and none of the others says.";
  const nb::exception<DomainError> domain_error(m, "DomainError", PyExc_ValueError);
  domain_error.doc() = "A value, or a text that stands for one, lies outside a function's domain.";
  // programs written for NumPy catch its LinAlgError
  const nb::object of_numpy = nb::module_::import_("numpy.linalg").attr("LinAlgError");
  // by the name that the module is imported by: another one would be imported once more
  const auto name = nb::cast<std::string>(m.attr("__name__")) + ".LinAlgError";
  const nb::object linalg_error = nb::steal(PyErr_NewExceptionWithDoc(
      name.c_str(), "A matrix has no inverse, or no decomposition of this kind.",
      nb::make_tuple(domain_error, of_numpy).ptr(), nullptr));
  m.attr("LinAlgError") = linalg_error;
  nb::exception<SingularError>(m, "SingularError", linalg_error).doc() =
      "A matrix has no inverse, or none that can be told from rounding errors.";
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
