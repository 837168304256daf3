// The losses of cones and their derivatives by the energies.
#include "src/embed/cone_loss.hpp"

#include <algorithm>
#include <cmath>

namespace mct::embed {
namespace {

double shadow(const ConeTrainingOptions& options, std::span<const double> energies,
              std::span<double> slopes) {
  // -p, then -q: log of the summands
  slopes[0] = -std::max(energies[0], -options.gamma_2);
  double top = slopes[0];
  for (std::size_t i = 1; i < energies.size(); ++i) {
    slopes[i] = std::max(options.gamma_1 - energies[i], 0.0);
    top = std::max(top, slopes[i]);
  }
  const double own = slopes[0] - top;
  double sum = 0;
  for (double& x : slopes) {
    x = std::exp(x - top);
    sum += x;
  }
  slopes[0] = energies[0] > -options.gamma_2 ? 1 - slopes[0] / sum : 0;
  for (std::size_t i = 1; i < energies.size(); ++i)
    slopes[i] = energies[i] < options.gamma_1 ? -slopes[i] / sum : 0;
  return std::log(sum) - own;
}

double max_margin(const ConeTrainingOptions& options, std::span<const double> energies,
                  std::span<double> slopes) {
  double loss = std::max(energies[0], 0.0);
  slopes[0] = energies[0] > 0 ? 1 : 0;
  for (std::size_t i = 1; i < energies.size(); ++i) {
    loss += std::max(options.gamma_1 - energies[i], 0.0);
    slopes[i] = energies[i] < options.gamma_1 ? -1 : 0;
  }
  return loss;
}

}  // namespace

double cone_loss(const ConeTrainingOptions& options, std::span<const double> energies,
                 std::span<double> slopes) {
  return options.loss == ConeLoss::shadow ? shadow(options, energies, slopes)
                                          : max_margin(options, energies, slopes);
}

}  // namespace mct::embed
