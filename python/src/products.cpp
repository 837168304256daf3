// Products of vectors and matrices.
#include "mctensor/linalg/products.hpp"

#include "any_tensor.hpp"

namespace mct::python {

namespace {

AnyTensor product(const AnyTensor& x, const AnyTensor& y, bool normwise) {
  const auto accuracy = normwise ? MatmulAccuracy::normwise : MatmulAccuracy::componentwise;
  return visit_operands("matmul", x, y, [accuracy](const auto& a, const auto& b) {
    return wrap(matmul(a, b, accuracy));
  });
}

}  // namespace

void bind_products(nb::module_& m) {
  m.def("matmul", &product, "x"_a, "y"_a, "normwise"_a = false, Release());
}

}  // namespace mct::python
