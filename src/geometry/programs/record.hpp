// The formulas of the models, recorded with their derivatives.
#pragma once

#include <vector>

#include "src/geometry/programs/program.hpp"

namespace mct::geometry_detail {

/// The wanted second derivatives (Program::second), as one number.
constexpr unsigned second_bits(unsigned wanted, unsigned given) { return wanted | given << 8; }
constexpr bool is_of_second(unsigned bits) { return bits >> 8 != 0; }

/// Where the parts of a point of n coordinates lie: all rows but those of numbers in one part.
struct Parts {
  int count, vector_part, n;

  bool is_vector(int part) const { return part == vector_part; }
  int row(int part) const { return part <= vector_part ? part : n - count + part; }
  int rows(int part) const { return is_vector(part) ? n - count + 1 : 1; }
};
/// Those of a model's points. `splits_last`: of the others' conversions to the half-space and back,
/// whose last axis is another than the horizontal ones.
Parts parts_of(Model model, int n, bool splits_last = false);

/// Notes the wanted derivatives (Program::derivatives), or the value for 0, or second derivatives
/// (second_bits), in the current recording; digits: Program::value. Throws NoProgram if the model
/// has no such operation, or if the operation cannot be a program.
using Results = std::vector<Program::Result>;
Results record(const ProgramOf& of, int n, unsigned wanted, int digits);

using RecordModel = Results(TensorOperation operation, int n, unsigned wanted, int digits);
RecordModel record_ball, record_half_space, record_lorentz, record_klein, record_hemisphere,
    record_euclidean, record_sphere, record_stereographic;
Results record_cones(const ProgramOf& of, int n, unsigned wanted, int digits);
Results record_conversion(Model from, Model to, int n, unsigned wanted);

}  // namespace mct::geometry_detail
