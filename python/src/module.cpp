// The module mctensor._core, which the Python files of the package call.
#include "any_tensor.hpp"
#include "mctensor/tensor/isa.hpp"
#include "mctensor/tensor/threads.hpp"
#include "mctensor/version.h"

NB_MODULE(_core, m) {
  namespace nb = nanobind;
  using namespace mct::python;
  m.doc() = "The compiled library behind mctensor. Its public face is the package's modules.";
  m.attr("__version__") = MCT_VERSION;
  // NumPy 1.24 keeps the arguments of a ufunc.reduce that raises, which is no reason to warn users
  nb::set_leak_warnings(false);
  bind_errors(m);
  bind_tensor_class(m);
  bind_torch_tensors(m);
  bind_conversions(m);
  bind_create(m);
  bind_elementwise(m);
  bind_reduce(m);
  bind_products(m);
  bind_linalg(m);
  bind_files(m);
  bind_optim(m);
  bind_optim_torch(m);
  bind_optim_device(m);
  bind_geometry(m);
  bind_geometry_optim(m);
  bind_embed(m);
  bind_attention(m);
  bind_distributed(m);
  bind_planes_device(m);
  bind_sums_device(m);
  m.def("set_num_threads", &mct::set_num_threads, "threads"_a,
        "How many threads operations may use.");
  m.def("num_threads", &mct::num_threads, "How many threads operations may use.");
}
