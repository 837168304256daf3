// The formulas of the models, recorded with their derivatives.
#pragma once

#include <vector>

#include "src/geometry/programs/program.hpp"

namespace mct::geometry_detail {

/// What is wanted of second derivatives (Program::second), as one number.
constexpr unsigned second_bits(unsigned wanted, unsigned given) { return wanted | given << 8; }
constexpr bool is_of_second(unsigned bits) { return bits >> 8 != 0; }

/// Notes the derivatives by what is wanted (Program::derivatives), or the value for 0, or second
/// derivatives (second_bits), in the current recording; digits: Program::value.
/// Throws NoProgram where the model has no such operation, or one that is no program.
using Results = std::vector<Program::Result>;
Results record(TensorModel model, TensorOperation operation, int n, unsigned wanted, int digits);

Results record_ball(TensorOperation operation, int n, unsigned wanted, int digits);
Results record_half_space(TensorOperation operation, int n, unsigned wanted, int digits);
Results record_lorentz(TensorOperation operation, int n, unsigned wanted, int digits);

}  // namespace mct::geometry_detail
