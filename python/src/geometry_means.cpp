// Means of points: Fréchet means and weighted midpoints.
#include <nanobind/stl/optional.h>

#include "geometry.hpp"
#include "geometry_named.hpp"
#include "mctensor/geometry/means/autograd_means.hpp"
#include "mctensor/geometry/means/second.hpp"
#include "mctensor/geometry/means/tensor_means.hpp"
#include "recorded.hpp"

namespace mct::python {

namespace {

double number_of(const AnyTensor& radius) { return operand_of<double, 1>("radius", radius).item(); }

/// "frechet_mean" or "weighted_midpoint" of a manifold, for tensors or variables.
template <class M, class X>
X mean_of(const std::string& kind, const M& m, const X& x, const X& weights, std::int64_t dim) {
  if (kind == "frechet_mean") return geometry::frechet_mean(m, x, weights, dim);
  if (kind == "weighted_midpoint") return geometry::weighted_midpoint(m, x, weights, dim);
  throw DomainError("there is no mean '" + kind + "'");
}

AnyTensor value(const std::string& manifold, const std::string& kind, const AnyTensor& radius,
                const AnyTensor& points, const AnyTensor& weights, std::int64_t dim) {
  const char* const name = kind.c_str();
  const auto& x = operand_of<double, 1>(name, points);
  const auto& w = operand_of<double, 1>(name, weights);
  return with_manifold(manifold, number_of(radius),
                       [&](const auto& m) { return wrap(mean_of(kind, m, x, w, dim)); });
}

/// The operands are points and weights.
Recorded<double> record(const std::string& manifold, const std::string& kind,
                        const AnyTensor& radius, const std::vector<AnyTensor>& operands,
                        const std::vector<bool>& wanted, std::int64_t dim) {
  if (operands.size() != 2 || wanted.size() != 3)
    throw DomainError(kind +
                      ": expected points and weights, and a flag for each and for the radius");
  std::vector<Variable<double>> all{
      Variable<double>(operand_of<double, 1>("radius", radius), wanted[0])};
  for (std::size_t i = 0; i < 2; ++i)
    all.emplace_back(operand_of<double, 1>(kind.c_str(), operands[i]), wanted[i + 1]);
  return with_manifold(manifold, number_of(radius), [&]<class M>(const M& m) -> Recorded<double> {
    const geometry::Learnable<M> learned(m, all[0]);
    return {mean_of(kind, learned, all[1], all[2], dim), all};
  });
}

Arrays second(const std::string& manifold, const std::string& kind, const AnyTensor& radius,
              const std::vector<AnyTensor>& operands, const AnyTensor& grad,
              const Arrays& cotangents, const std::vector<bool>& wanted, std::int64_t dim) {
  if (operands.size() != 2) throw DomainError(kind + ": expected points and weights");
  const auto number = [&](const AnyTensor& x) { return operand_of<double, 1>(kind.c_str(), x); };
  std::vector<std::optional<Tensor<double>>> directions(cotangents.size());
  for (std::size_t i = 0; i < cotangents.size(); ++i)
    if (cotangents[i]) directions[i] = number(*cotangents[i]);
  const auto derivatives =
      geometry::mean_second_derivatives({manifold, kind}, number(radius), number(operands[0]),
                                        number(operands[1]), dim, number(grad), directions, wanted);
  Arrays arrays(derivatives.size());
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (wanted[i]) arrays[i] = wrap(derivatives[i]);
  return arrays;
}

}  // namespace

void bind_means(nb::module_& m) {
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  m.def("mean_value", &value, "manifold"_a, "kind"_a, "radius"_a, "points"_a, "weights"_a, "dim"_a,
        free, "frechet_mean or weighted_midpoint of points along a dimension.");
  m.def(
      "mean_derivatives",
      [](const std::string& manifold, const std::string& kind, const AnyTensor& radius,
         const std::vector<AnyTensor>& operands, const AnyTensor& grad,
         const std::vector<bool>& wanted, std::int64_t dim) {
        return record(manifold, kind, radius, operands, wanted, dim).gradients(grad);
      },
      "manifold"_a, "kind"_a, "radius"_a, "operands"_a, "grad"_a, "wanted"_a, "dim"_a, free,
      "Its derivatives by radius, points and weights for that of the result.");
  m.def("mean_second", &second, "manifold"_a, "kind"_a, "radius"_a, "operands"_a, "grad"_a,
        "cotangents"_a, "wanted"_a, "dim"_a, free,
        "The derivatives of those, for cotangents of them, by radius, operands and grad.");
}

}  // namespace mct::python
