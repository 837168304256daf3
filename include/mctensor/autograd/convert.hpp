// Variables of another component type or number of components: mixed precision.
//
// Domain: every value, NaN and infinities included. Source: tensor/convert.hpp.
#pragma once

#include "mctensor/autograd/record.hpp"
#include "mctensor/tensor/convert.hpp"

namespace mct {

/// The same values as expansions of K components of U, rounded as convert rounds tensors. The
/// gradient is passed on, rounded to T.
template <class U, int K, class T, int N, int M>
Variable<U, K, M> convert(const Variable<T, N, M>& x) {
  return autograd_detail::record(
      convert<U, K>(x.value()),
      [](const auto& to, const auto& g) {
        // the input's gradient has another type than the gradient of this node
        using Input = autograd_detail::GradNode<T, M>;
        if (to.needs(0)) static_cast<Input&>(*to.inputs[0]).accumulate(convert<T, M>(g));
      },
      x);
}

}  // namespace mct
