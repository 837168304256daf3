// The operations of one manifold by their names: on tensors, and on variables with their
// derivatives.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mctensor/geometry/autograd.hpp"
#include "recorded.hpp"

namespace mct::python {

/// An operation of a manifold, its operands as the list says (p: points, n: numbers).
struct ManifoldOperation {
  std::string operands;
  std::function<AnyTensor(const AnyTensor& radius, const std::vector<AnyTensor>& operands)> value;
  using Record =
      std::function<Recorded(const AnyTensor& radius, const std::vector<AnyTensor>& operands,
                             const std::vector<bool>& wanted)>;
  Record record;       ///< of double
  Record record_long;  ///< of f64x2
};
using ManifoldOperations = std::map<std::string, ManifoldOperation>;

/// The radius as a number of the manifold.
template <class M>
M manifold_of(const AnyTensor& radius) {
  using Number = geometry::tensor_of<typename M::Value>;
  return M(typename M::Value(
      operand_of<typename Number::Component, Number::components>("radius", radius).item()));
}

template <class Op, class M, std::size_t... i>
AnyTensor value_of(std::index_sequence<i...>, const AnyTensor& radius,
                   const std::vector<AnyTensor>& operands) {
  using Number = geometry::tensor_of<typename M::Value>;
  using T = typename Number::Component;
  constexpr int N = Number::components;
  return wrap(
      geometry::operate<Op>(manifold_of<M>(radius), operand_of<T, N>(Op::name, operands.at(i))...));
}

template <class Op, class M, std::size_t... i>
Recorded record_of(std::index_sequence<i...>, const AnyTensor& radius,
                   const std::vector<AnyTensor>& operands, const std::vector<bool>& wanted) {
  constexpr int N = geometry::tensor_of<typename M::Value>::components;
  using Var = Variable<double, N, N>;  // gradients of as many components
  const Var k(operand_of<double, N>("radius", radius), wanted.at(0));
  const std::vector<Var> x{
      Var(operand_of<double, N>(Op::name, operands.at(i)), wanted.at(i + 1))...};
  const auto result = geometry::operate<Op>(geometry::Learnable<M, N>(k), x[i]...);
  std::vector<Var> inputs{k};
  inputs.insert(inputs.end(), x.begin(), x.end());
  return recorded(result, inputs);
}

/// Enters an operation, if the model has it.
template <class Op, template <class> class Model>
void enter(ManifoldOperations& table) {
  using M = Model<double>;
  if constexpr (geometry::detail::has_operation<Op, M>()) {
    constexpr std::size_t count = geometry::detail::operand_count<Op>;
    using All = std::make_index_sequence<count>;
    table[Op::name] = {Op::operands,
                       [](const AnyTensor& radius, const std::vector<AnyTensor>& operands) {
                         if (std::holds_alternative<Tensor<double, 2>>(radius.tensor))
                           return value_of<Op, Model<Expansion<double, 2>>>(All(), radius,
                                                                            operands);
                         return value_of<Op, M>(All(), radius, operands);
                       },
                       [](const AnyTensor& radius, const std::vector<AnyTensor>& operands,
                          const std::vector<bool>& wanted) {
                         return record_of<Op, M>(All(), radius, operands, wanted);
                       },
                       {}};
  }
}
/// The same for recording numbers of f64x2: compiled apart, for it takes as long as all the rest.
template <class Op, template <class> class Model>
void enter_long(ManifoldOperations& table) {
  using M = Model<Expansion<double, 2>>;
  if constexpr (geometry::detail::has_operation<Op, M>())
    table.at(Op::name).record_long = [](const AnyTensor& radius,
                                        const std::vector<AnyTensor>& operands,
                                        const std::vector<bool>& wanted) {
      using All = std::make_index_sequence<geometry::detail::operand_count<Op>>;
      return record_of<Op, M>(All(), radius, operands, wanted);
    };
}

/// All operations of a model.
template <template <class> class Model>
ManifoldOperations operations_of() {
  ManifoldOperations table;
#define MCT_ENTER(op, kinds, gives) enter<geometry::operation::op, Model>(table);
  MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_ENTER)
#undef MCT_ENTER
  return table;
}

template <template <class> class Model>
void enter_all_long(ManifoldOperations& table) {
#define MCT_ENTER(op, kinds, gives) enter_long<geometry::operation::op, Model>(table);
  MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_ENTER)
#undef MCT_ENTER
}

/// The operations without record_long, which the others add.
ManifoldOperations ball_operations();
ManifoldOperations half_space_operations();
ManifoldOperations lorentz_operations();
void add_long_ball(ManifoldOperations& table);
void add_long_half_space(ManifoldOperations& table);
void add_long_lorentz(ManifoldOperations& table);

void bind_means(nb::module_& m);
void bind_rounding(nb::module_& m);
void bind_cones(nb::module_& m);
void bind_tilings(nb::module_& m);

}  // namespace mct::python
