// Variables of optimizers, which are theta or show it.
#pragma once

#include <cstring>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/optim/weights.hpp"

namespace mct::optim_detail {

template <class P>
std::vector<Shape> shapes_of(const std::vector<Variable<P>>& variables) {
  std::vector<Shape> shapes;
  shapes.reserve(variables.size());
  for (const auto& variable : variables) shapes.push_back(variable.shape());
  return shapes;
}

/// Writes theta to the value of a variable. theta is widened if the value has floats and theta has
/// not.
template <class P>
void show_theta(optim::Strategy strategy, optim::Format format, const void* theta,
                const Tensor<P>& value) {
  const auto shown = value.is_contiguous() ? value : Tensor<P>::uninitialized(value.shape());
  if (layout_of(strategy).theta == sizeof(P)) {
    std::memcpy(shown.data(), theta, std::size_t(value.numel()) * sizeof(P));
  } else if constexpr (std::is_same_v<P, float>) {
    optim::widen_to_floats(format, theta, shown.data(), value.numel());
  }
  if (!value.is_contiguous()) value.copy_(shown);
}

}  // namespace mct::optim_detail
