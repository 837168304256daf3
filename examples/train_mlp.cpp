// A small network that learns the sine in bfloat16, with weights of one and of two components. Late
// steps are too small for the first kind; the second keeps them.
#include <cstdio>
#include <mctensor/mctensor.hpp>

namespace {

/// The mean squared error, in double, after some steps of gradient descent.
template <class T, int N>
double train(int steps) {
  mct::nn::Sequential<T, N> model;
  model.template emplace<mct::nn::Linear>(1, 16, 1);  // inputs, outputs, seed
  model.template emplace<mct::nn::Tanh>();
  model.template emplace<mct::nn::Linear>(16, 1, 2);

  const auto points = mct::rand<double>({64, 1}, 3) * 6.0 - 3.0;
  const auto x = mct::Variable<T>(mct::convert<T, 1>(points));
  const auto target = mct::convert<T, 1>(mct::sin(points));
  for (int i = 0; i < steps; ++i) {
    mct::nn::mse_loss(model(x), target).backward();
    for (const auto& p : model.parameters()) {
      mct::sub_(p.value(), p.grad() * 0.05);
      p.zero_grad();
    }
  }
  const mct::NoGradGuard guard;
  const auto output = mct::convert<double, 1>(model(x).value());
  return mct::mean(mct::square(output - mct::sin(points))).item();
}

}  // namespace

int main() {
  const double untrained = train<double, 1>(0);
  const double one = train<mct::bfloat16, 1>(2000);
  const double two = train<mct::bfloat16, 2>(2000);
  const double reference = train<double, 1>(2000);
  std::printf("mean squared error: untrained %.4f, bf16x1 %.4f, bf16x2 %.4f, double %.4f\n",
              untrained, one, two, reference);

  // gradients in two doubles agree with differences to more than 20 digits
  using V = mct::Variable<double, 2, 2>;
  const auto report = mct::gradcheck([](const V& a) { return mct::tanh(a * a) / 3; },
                                     std::make_tuple(V(mct::randn<double, 2>({5}, 1), true)));
  std::printf("%s\n", report.message().c_str());
  return two < 0.5 * one && one < untrained && report.worst_error < 1e-20 ? 0 : 1;
}
