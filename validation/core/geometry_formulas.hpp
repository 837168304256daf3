// The suite's calls of single points: of types that the registry has not, and of products.
#pragma once

#include "validation/core/geometry_check.hpp"

namespace mct::validation {

/// A GeometryCall of the model's methods.
template <template <class> class M, class V>
std::vector<BigVector> call_formula(GeometryOperation operation, const char* model,
                                    const Big& number, const std::vector<BigPlace>& places);

/// A product of the ball and the half-space, of their radii and the second one's weight; points
/// and vectors beside each other.
using ProductCall = BigVector (*)(GeometryOperation operation, const Big& first, const Big& second,
                                  double weight, const BigPlace& place);
template <class V>
BigVector call_product(GeometryOperation operation, const Big& first, const Big& second,
                       double weight, const BigPlace& place);
/// dist, logmap or ptransp: the distance by its own bound, vectors by those of the parts.
std::unique_ptr<Task> manifold_product_task(GeometryOperation operation, const std::string& type,
                                            const PointType& numbers, ProductCall call);

}  // namespace mct::validation
