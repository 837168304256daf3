// The losses of cones and their derivatives by the energies.
#pragma once

#include <span>

#include "mctensor/embed/cone_training.hpp"

namespace mct::embed {

/// The loss of one edge: energies[0] of the pair itself, the rest of others. Writes its derivatives
/// by them; see geometry::shadow_loss and max_margin_loss.
double cone_loss(const ConeTrainingOptions& options, std::span<const double> energies,
                 std::span<double> slopes);

}  // namespace mct::embed
