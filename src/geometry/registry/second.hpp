// Second derivatives of one operation at one point, from its formula on numbers that are traced
// twice: the pass backward of the first trace is noted in the second one.
//
// Error: of f64x4, in which everything is computed, the last limb and more may be lost where a
// formula divides by short vectors; from there on (equal points, zero vectors, the origin) the
// derivatives are taken at points nearby, with an error of some 2^-75 of their natural size.
// Domain: as the operation, except its corners. Source: reverse accumulation of reverse
// accumulation, step by step (traced.hpp).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mctensor/geometry/tensors/operation.hpp"
#include "mctensor/geometry/traced.hpp"

namespace mct::geometry_detail {

using Wide = f64x4;
using Once = geometry::detail::Traced<Wide>;
using Twice = geometry::detail::Traced<Once>;

/// The result of an operation on points of n coordinates, from its numbers in a row: the radii,
/// then the operands.
using SecondFormula = std::vector<Twice> (*)(int n, std::span<const Twice> numbers);

/// The operations of a model. The unit of a point is the distance, in coordinates, within which the
/// geometry is flat; 0 for an invalid point.
struct SecondTable {
  SecondFormula operation[int(geometry::TensorOperation::count)];
  SecondFormula convert[int(geometry::Model::count)];  // to
  double (*unit)(double radius, const double* x, int n);
};
/// The table of a model for results that are rounded to V, of one component.
template <geometry::Model model, class V>
const SecondTable& second_table();

/// How far to step in a coordinate of an operand, for a direction that no formula has for one of
/// its own.
double step_of(std::size_t operand, std::size_t coordinate);

/// All numbers of one point. `inputs`: the radii, the operands and the gradient of the result.
struct SecondPoint {
  std::vector<Wide> inputs;
  std::vector<Wide> cotangents;  ///< of the derivatives by radii and operands
  bool at_corner = false;        ///< the first derivatives are 0 by definition
};

/// An operation whose second derivatives are asked for.
struct SecondOperation {
  std::string name;
  std::string kinds;  ///< of the operands: p or n
  SecondFormula formula;
  double (*unit)(double radius, const double* x, int n);
  int n;
  int radii;
  bool gives_number;
  double digits;  ///< that are wanted: the relative error

  /// The derivatives of the sum of cotangents times first derivatives by all inputs. Throws
  /// DomainError, which names the point by its number, where they do not exist.
  std::vector<Wide> at(const SecondPoint& point, std::int64_t number) const;

 private:
  struct Group {
    std::size_t begin, end;
    double unit;
  };
  /// The derivatives, and the largest number of the result; NaN if one is.
  struct Result {
    std::vector<Wide> derivatives;
    double size;
  };
  double unit_at_origin(double radius) const;
  std::vector<Group> groups_of(const SecondPoint& point) const;
  Result evaluated(const SecondPoint& point, const std::vector<Group>& groups, double shift,
                   bool beside_size) const;
};

}  // namespace mct::geometry_detail
