// Second derivatives of the registry's operations.
#include "src/geometry/tensors/second.hpp"

#include "src/geometry/tensors/call.hpp"

namespace mct::geometry::tensor_detail {

namespace {

using geometry_detail::SecondTable;

template <class V>
const SecondTable& second_of(TensorModel model) {
  using geometry_detail::second_table;
  switch (model) {
    case TensorModel::ball:
      return second_table<TensorModel::ball, V>();
    case TensorModel::half_space:
      return second_table<TensorModel::half_space, V>();
    default:
      return second_table<TensorModel::lorentz, V>();
  }
}

/// Whether a distance or length has a corner where it is 0.
bool has_corner(TensorOperation operation) {
  return operation == TensorOperation::dist || operation == TensorOperation::dist0 ||
         operation == TensorOperation::norm;
}

}  // namespace

template <class T, int N>
std::vector<Tensor<T, N>> run_second(const CompiledOperation& of, const Value<T, N>& radius,
                                     const std::vector<Tensor<T, N>>& operands,
                                     const Tensor<T, N>& grad, const Cotangents<T, N>& cotangents,
                                     const std::vector<bool>& wanted) {
  const Call<T, N> call(of, radius, operands);
  call.require_gradient(grad.shape());
  // of more components the edge that projx leaves is beyond that of results
  using Edge = std::conditional_t<N == 1, T, std::conditional_t<sizeof(T) == 2, float, double>>;
  const SecondTable& table = second_of<Edge>(of.model);
  const auto formula = of.operation == TensorOperation::count ? table.convert[int(of.to)]
                                                              : table.operation[int(of.operation)];
  if (formula == nullptr) call.throw_none();
  std::optional<Tensor<T, N>> corners;
  if (has_corner(of.operation)) corners = run<T, N>(of, radius, operands);
  return second_on_tensors<T, N>({call.name, std::string(call.kinds), formula, table.unit, call.n,
                                  1, call.gives_number(), N == 1 ? 0x1p-48 : 0x1p-85},
                                 Tensor<T, N>::scalar(radius), operands, call.leading, grad,
                                 corners, cotangents, wanted);
}

#define MCT_INSTANTIATE(T, N)                                                         \
  template std::vector<Tensor<T, N>> run_second(                                      \
      const CompiledOperation&, const Value<T, N>&, const std::vector<Tensor<T, N>>&, \
      const Tensor<T, N>&, const Cotangents<T, N>&, const std::vector<bool>&);
MCT_FOR_EACH_POINT_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::geometry::tensor_detail
