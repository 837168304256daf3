// A network of two hyperbolic layers, in float: by the formulas as they are usually written its
// loss becomes NaN as soon as a hidden point reaches the boundary of the ball; ours goes on.
#include <cmath>
#include <cstdio>
#include <mctensor/mctensor.hpp>

namespace {

using Vectors = mct::Variable<float>;
using Ball = mct::geometry::PoincareBall<float>;
namespace nn = mct::nn;
Vectors length(const Vectors& x) { return sqrt(sum(square(x), {-1}, true)); }

/// expmap0, logmap0 and the logits of Shimizu et al., as textbooks have them.
Vectors plain_expmap0(const Vectors& v) { return tanh(length(v)) * v / length(v); }
Vectors plain_logmap0(const Vectors& x) { return atanh(length(x)) * x / length(x); }
Vectors plain_logits(const Vectors& x, const Vectors& z, const Vectors& r) {
  const Vectors lambda = 2.0f / (1.0f - sum(square(x), {-1}, true)), size = length(z);
  const Vectors along = matmul(x * lambda, (z / size).t());
  return asinh(along * cosh(r) - (lambda - 1.0f) * sinh(r)) * size.squeeze(-1);
}

}  // namespace

int main() {
  const Ball ball(1);
  const auto inputs = mct::randn<float>({200, 2}, 1);
  auto labels = mct::Tensor<std::int64_t>({200});  // by the quadrant, as siblings in a tree
  for (std::int64_t i = 0; i < 200; ++i)
    labels.data()[i] = (inputs.at({i, 0}) > 0 ? 1 : 0) + (inputs.at({i, 1}) > 0 ? 2 : 0);

  float losses[2];  // plain, ours
  for (const bool plain : {true, false}) {
    nn::HyperbolicLinear<Ball> linear(ball, 2, 8, 1, false);
    nn::HyperbolicMLR<Ball> classify(ball, 8, 4, 2);
    auto parameters = linear.parameters();
    for (const auto& each : classify.parameters()) parameters.push_back(each);
    float& loss = losses[plain ? 0 : 1];
    int step = 0;
    for (; step < 1000; ++step) {
      const Vectors hidden = matmul(Vectors(inputs), linear.weight().t());
      const Vectors logits = plain
                                 ? plain_logits(plain_expmap0(plain_logmap0(plain_expmap0(hidden))),
                                                classify.weight(), classify.bias())
                                 : classify(linear(nn::from_tangent0(ball, Vectors(inputs))));
      const auto result = nn::cross_entropy(logits, labels);
      if (std::isnan(loss = result.item())) break;
      result.backward();
      for (const auto& each : parameters) {
        mct::sub_(each.value(), each.grad() * 0.1f);
        each.zero_grad();
      }
    }
    std::printf("%s: loss %g after %d steps\n", plain ? "plain formulas" : "our layers", loss,
                step);
  }
  return std::isnan(losses[0]) && losses[1] < 0.1f ? 0 : 1;
}
