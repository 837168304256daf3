// The radii of tensors: chooses the loop and runs it over blocks.
#include "mctensor/certified/tensors.hpp"

#include "mctensor/error.hpp"
#include "src/certified/radius_table.hpp"
#include "src/tensor/strided.hpp"

namespace mct::tensor_detail {

namespace {

/// The rough number of simple operations per element.
double cost_of(OperationKind kind) { return kind == OperationKind::arithmetic ? 8 : 30; }

}  // namespace

void require_radius_of(const Shape& value, const Shape& radius) {
  if (value == radius) return;
  throw ShapeError("a radius of shape " + to_string(radius) + " for a value of shape " +
                   to_string(value) + "; the shapes must be equal");
}

template <class T>
void run_radius(Unary op, int components, const Tensor<double>& radius, const Tensor<T>& x,
                const Tensor<double>& r, const Tensor<T>& result) {
  const RadiusTable<T>& table = MCT_SELECT_KERNELS(radius_table<T>());
  const RadiusErrors errors = table.unary_errors(op, components);
  const auto kernel = [&](std::size_t n, double* const* out, const T* const* leads,
                          const double* const* radii, const T* const* results) {
    table.unary[int(op)](n, out, leads, radii, results, errors);
  };
  const Shape& shape = radius.shape();
  run_blocks(shape, kernel, cost_of(entry_of(op).kind), target(radius), source(x, shape),
             source(r, shape), source(result, shape));
}

template <class T>
void run_radius(Binary op, int components, const Tensor<double>& radius, const Tensor<T>& x,
                const Tensor<double>& r, const Tensor<T>& y, const Tensor<double>& s,
                const Tensor<T>& result) {
  const RadiusTable<T>& table = MCT_SELECT_KERNELS(radius_table<T>());
  const RadiusErrors errors = table.binary_errors(op, components);
  const auto kernel = [&](std::size_t n, double* const* out, const T* const* leads,
                          const double* const* radii, const T* const* others,
                          const double* const* other_radii, const T* const* results) {
    table.binary[int(op)](n, out, leads, radii, others, other_radii, results, errors);
  };
  const Shape& shape = radius.shape();
  run_blocks(shape, kernel, cost_of(entry_of(op).kind), target(radius), source(x, shape),
             source(r, shape), source(y, shape), source(s, shape), source(result, shape));
}

template <class T>
void run_lowest(const Tensor<double>& out, const Tensor<T>& x, const Tensor<double>& r) {
  const Shape& shape = out.shape();
  run_blocks(shape, MCT_SELECT_KERNELS(radius_table<T>()).lowest, 4, target(out), source(x, shape),
             source(r, shape));
}

#define MCT_INSTANTIATE(T)                                                                 \
  template void run_radius(Unary, int, const Tensor<double>&, const Tensor<T>&,            \
                           const Tensor<double>&, const Tensor<T>&);                       \
  template void run_radius(Binary, int, const Tensor<double>&, const Tensor<T>&,           \
                           const Tensor<double>&, const Tensor<T>&, const Tensor<double>&, \
                           const Tensor<T>&);                                              \
  template void run_lowest(const Tensor<double>&, const Tensor<T>&, const Tensor<double>&);
MCT_INSTANTIATE(double)
MCT_INSTANTIATE(float)

}  // namespace mct::tensor_detail
