#include "mctensor/nn/init.hpp"

#include "mctensor/tensor/philox.hpp"

namespace mct::nn {

std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t part) {
  const auto words = philox4x32({std::uint32_t(part), std::uint32_t(part >> 32), 0, 0x73656564},
                                {std::uint32_t(seed), std::uint32_t(seed >> 32)});
  return std::uint64_t(words[0]) << 32 | words[1];
}

namespace init {

Fans fans(const Shape& shape) {
  if (shape.size() < 2)
    throw ShapeError("a weight of shape " + to_string(shape) + " has no inputs and outputs");
  double rest = 1;
  for (std::size_t d = 2; d < shape.size(); ++d) rest *= double(shape[d]);
  return {double(shape[1]) * rest, double(shape[0]) * rest};
}

double gain(Nonlinearity nonlinearity, double negative_slope) {
  switch (nonlinearity) {
    case Nonlinearity::tanh:
      return 5.0 / 3;
    case Nonlinearity::relu:
      return std::sqrt(2.0);
    case Nonlinearity::leaky_relu:
      return std::sqrt(2 / (1 + negative_slope * negative_slope));
    default:
      return 1;
  }
}

}  // namespace init

}  // namespace mct::nn
