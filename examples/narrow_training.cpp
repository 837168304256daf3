// A network whose weights, activations, gradients and states are bfloat16 learns the sine; what
// training holds is what the strategy says, 10 bytes for each parameter.
#include <cstdio>
#include <mctensor/mctensor.hpp>

using Value = mct::Variable<mct::bfloat16>;
using Adam = mct::optim::McAdamW<mct::bfloat16, mct::bfloat16>;

/// The mean squared error after some steps. With `release` parameters are updated in the backward
/// pass, and the gradients of one layer exist at a time.
static double train(int steps, bool release) {
  mct::nn::Sequential<mct::bfloat16> model;
  model.emplace<mct::nn::Linear>(1, 128, 1);  // inputs, outputs, seed
  model.emplace<mct::nn::Tanh>();
  model.emplace<mct::nn::Linear>(128, 128, 2);
  model.emplace<mct::nn::Tanh>();
  model.emplace<mct::nn::Linear>(128, 1, 3);

  mct::optim::AdamWOptions options;
  options.lr = 2e-3;
  options.weight_decay = 0;
  Adam adam(model.parameters(), mct::optim::Strategy::split16_stochastic, options);
  adam.set_gradient_release(release);

  const auto points = mct::rand<double>({64, 1}, 4) * 6.0 - 3.0;
  const Value x(mct::convert<mct::bfloat16, 1>(points));
  const auto target = mct::convert<float, 1>(mct::sin(points));
  double error = 0;
  for (int i = 0; i <= steps; ++i) {
    const auto output = mct::convert<float, 1>(model(x));  // the loss in float
    const auto loss = mct::nn::mse_loss(output, target);
    error = double(loss.item());
    if (i == steps) break;
    loss.backward();
    adam.step();
    adam.zero_grad();
  }
  const auto bytes = adam.bytes();
  const auto each = [&](std::int64_t b) { return double(b) / double(adam.parameters()); };
  std::printf(
      "%lld parameters%s: bytes of each: weights %.2f, gradients %.2f, states %.2f, peak "
      "%.2f; error %.5f\n",
      static_cast<long long>(adam.parameters()), release ? ", gradients released" : "",
      each(bytes.weights), each(bytes.gradients), each(bytes.states), each(bytes.total()), error);
  return each(bytes.total()) < (release ? 10 : 10.1) ? error : 1;
}

int main() {
  const double untrained = train(0, false);
  const double trained = train(400, false);
  return trained < 0.05 * untrained && train(400, true) == trained ? 0 : 1;
}
