// Tensors in .npy files. A leading dimension holds the components.
#include <nanobind/stl/filesystem.h>

#include "any_tensor.hpp"
#include "mctensor/tensor/npy.hpp"

namespace mct::python {

void bind_files(nb::module_& m) {
  m.def(
      "save_npy",
      [](const std::filesystem::path& path, const AnyTensor& x) {
        std::visit([&](const auto& a) { save_npy(path, a); }, x.tensor);
      },
      "path"_a, "x"_a, Release());
  m.def(
      "load_npy",
      [](const std::filesystem::path& path, const std::string& dtype) {
        return with_dtype(dtype, [&]<class T, int N>() { return wrap(load_npy<T, N>(path)); });
      },
      "path"_a, "dtype"_a, Release());
}

}  // namespace mct::python
