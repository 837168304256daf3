// The library's exceptions as Python's. A bad argument is a ValueError, a bad file an OSError.
#include <cstring>
#include <new>

#include "any_tensor.hpp"
#include "mctensor/error.hpp"
#include "mctensor/linalg/singular_error.hpp"

namespace mct::python {

namespace {

/// Raises an exception in Python. A message may quote a file or its name, with any bytes.
void set_error(void* type, const char* message) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(message, Py_ssize_t(std::strlen(message)), "backslashreplace");
  if (text == nullptr) return;  // Python has raised another exception
  PyErr_SetObject(static_cast<PyObject*>(type), text);
  Py_DECREF(text);
}

/// From now on the exception T becomes `type` in Python. The latest translation is tried first.
template <class T>
void translate(PyObject* type) {
  nb::register_exception_translator(
      [](const std::exception_ptr& p, void* payload) {
        try {
          std::rethrow_exception(p);
        } catch (const T& error) {
          set_error(payload, error.what());
        }
      },
      type);
}

/// A new class of exceptions with the name by which the module is imported. Under another name the
/// module would be imported once more.
nb::object new_class(nb::module_& m, const char* name, const nb::object& bases, const char* doc) {
  const auto full = nb::cast<std::string>(m.attr("__name__")) + "." + name;
  nb::object type = nb::steal(PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr));
  if (!type.is_valid()) nb::raise_python_error();
  m.attr(name) = type;
  return type;
}

/// The class for the exception T.
template <class T>
nb::object bind_error(nb::module_& m, const char* name, nb::handle base, const char* doc) {
  nb::object type = new_class(m, name, nb::borrow(base), doc);
  translate<T>(type.ptr());
  return type;
}

}  // namespace

void bind_errors(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const std::bad_alloc&) {  // its text names C++
      set_error(PyExc_MemoryError, "there is not enough memory");
    }
  });
  bind_error<Error>(m, "Error", PyExc_RuntimeError,
                    "What the library reports and none of the others says.");
  const nb::object domain_error =
      bind_error<DomainError>(m, "DomainError", PyExc_ValueError,
                              "A value, or a text that stands for one, lies outside a function's "
                              "domain.");
  // programs written for NumPy catch its LinAlgError
  const nb::object of_numpy = nb::module_::import_("numpy.linalg").attr("LinAlgError");
  const nb::object linalg_error =
      new_class(m, "LinAlgError", nb::make_tuple(domain_error, of_numpy),
                "A matrix has no inverse, or no decomposition of this kind.");
  bind_error<SingularError>(m, "SingularError", linalg_error,
                            "A matrix has no inverse, or none that can be told from rounding "
                            "errors.");
  bind_error<ShapeError>(m, "ShapeError", PyExc_ValueError,
                         "Shapes of operands do not fit together.");
  bind_error<IoError>(m, "IoError", PyExc_OSError,
                      "A file could not be read or written, or its content is malformed.");
  bind_error<DeviceError>(m, "DeviceError", PyExc_RuntimeError,
                          "A device is missing or reported an error.");
  translate<MemoryError>(PyExc_MemoryError);
}

}  // namespace mct::python
