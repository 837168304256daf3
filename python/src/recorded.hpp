// Operations on variables: a value, and gradients for a gradient of the value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "any_tensor.hpp"
#include "mctensor/autograd/variable.hpp"

namespace mct::python {

/// One array for each operand; none if it is not wanted or zero.
using Arrays = std::vector<std::optional<AnyTensor>>;
/// An operand that must be of one type. Throws TypeError.
template <class T, int N>
const Tensor<T, N>& operand_of(const char* name, const AnyTensor& operand) {
  if (const auto* found = std::get_if<Tensor<T, N>>(&operand.tensor)) return *found;
  throw nb::type_error((std::string(name) + ": an operand of " + dtype_name(operand) +
                        "; all must be of " + dtype_name<T, N>())
                           .c_str());
}

/// A result and the leaves from which it was computed.
template <class T>
struct Recorded {
  Variable<T> result;
  std::vector<Variable<T>> leaves;

  AnyTensor value() const { return wrap(result.value()); }
  /// The gradients of the leaves for a gradient of the result.
  Arrays gradients(const AnyTensor& grad) const {
    if (result.requires_grad()) result.backward(operand_of<T, 1>("grad", grad));
    Arrays gradients(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (leaves[i].requires_grad() && leaves[i].has_grad()) gradients[i] = wrap(leaves[i].grad());
    return gradients;
  }
};

}  // namespace mct::python
