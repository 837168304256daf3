// Positions by columns beside queries and keys (HyPE): attention with a bias that is never stored,
// its amplitude learned, its columns in bfloat16 for hardware that multiplies nothing else.
#include <cmath>
#include <cstdio>
#include <mctensor/mctensor.hpp>

namespace {

/// The largest difference of the bias that columns in N bfloat16 give, in distances of neighbours.
template <int N>
double error_in_tokens(const mct::Tensor<double>& at, const mct::Tensor<double>& mu) {
  const auto one = mct::Tensor<double>::scalar(1);
  const auto [query, key] = mct::attention::hype_features(at, mu, one, 1);
  const auto left = mct::attention::left_columns(mct::convert<mct::bfloat16, N>(query));
  const auto right = mct::attention::right_columns(mct::convert<mct::bfloat16, N>(key));
  // what matrix units do: products of bfloat16, sums in float
  const auto bias = mct::matmul(mct::convert<float, 1>(left), mct::convert<float, 1>(right).t());
  const auto error = mct::convert<double, 1>(bias) - mct::attention::hype_bias(at, at, mu, one);
  return mct::max(mct::abs(error) / mu).item();
}

}  // namespace

int main() {
  constexpr std::int64_t length = 1000;
  const auto at = mct::arange(mct::f64x1(0), mct::f64x1(double(length)), mct::f64x1(1));
  const auto mu = mct::Tensor<double>::scalar(1.0 / (length + 1));
  const double errors[] = {error_in_tokens<1>(at, mu), error_in_tokens<2>(at, mu),
                           error_in_tokens<3>(at, mu)};
  std::printf("error of the bias at %d tokens: bf16 %.3g, bf16x2 %.3g, bf16x3 %.3g tokens\n",
              int(length), errors[0], errors[1], errors[2]);

  // a head that should attend to the last 20 tokens learns how steep its bias must be
  const auto places = at.narrow(0, 0, 100);
  const auto zero = mct::Variable<double>(mct::zeros<double>({100, 8}));
  const auto values = mct::Variable<double>(places.unsqueeze(1));
  const auto hidden = mct::nn::causal_mask(100, 100);
  mct::Variable<double> tau(mct::Tensor<double>::scalar(1), true);
  double behind = 0;
  for (int step = 0; step < 400; ++step) {
    const auto seen =
        mct::attention::hype_attention(zero, zero, values, places, places, mu, tau, hidden);
    const auto last = seen.select(0, 99).squeeze();  // the mean position that the last token sees
    behind = 99 - last.item();
    mct::square(last - 79.0).backward();
    mct::sub_(tau.value(), tau.grad() * 0.1);
    tau.zero_grad();
  }
  std::printf("learned tau = %.3g: the last token looks %.3f tokens back\n", tau.value().item(),
              behind);
  return errors[1] < 0.01 * errors[0] && std::fabs(behind - 20) < 0.01 ? 0 : 1;
}
