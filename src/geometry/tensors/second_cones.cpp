// Second derivatives of cones: their formulas on numbers that are traced twice.
#include <map>
#include <tuple>

#include "mctensor/autograd/node.hpp"
#include "mctensor/geometry/cones/cones.hpp"
#include "mctensor/geometry/cones/second.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "src/geometry/registry/second_formula.hpp"
#include "src/geometry/tensors/second.hpp"

namespace mct::geometry_detail {

using geometry::AntumbralCones;
using geometry::PenumbralCones;
using geometry::UmbralCones;
using Ball = geometry::PoincareBall<Wide>;
using Half = geometry::HalfSpace<Wide>;

#define MCT_ANY_CONES(M)                         \
  template <>                                    \
  inline UmbralCones<M> any_space() {            \
    return {M(Wide(1.0)), Wide(1.0)};            \
  }                                              \
  template <>                                    \
  inline PenumbralCones<M> any_space() {         \
    return {M(Wide(1.0)), Wide(1.0)};            \
  }                                              \
  template <>                                    \
  inline AntumbralCones<M> any_space() {         \
    return {M(Wide(1.0)), Wide(1.0), Wide(0.5)}; \
  }
MCT_ANY_CONES(Ball)
MCT_ANY_CONES(Half)
#undef MCT_ANY_CONES

}  // namespace mct::geometry_detail

namespace mct::geometry {

namespace {

using geometry_detail::SecondFormula;
using geometry_detail::SecondOperation;

struct ConeEntry {
  std::string_view kinds;
  OperationResult result;
  SecondFormula formula;
  double (*unit)(double radius, const double* x, int n);
  int radii;
};
using ConeEntries = std::map<std::tuple<std::string, std::string, std::string>, ConeEntry>;

template <class Cones, template <class> class M>
void enter_all(ConeEntries& entries, const char* cones, const char* manifold) {
  const auto enter = [&]<class Op>(Op) {
    ConeEntry entry{Op::operands, Op::result, nullptr, &geometry_detail::unit_of<M>, Cones::radii};
    geometry_detail::enter<Op, Cones, double>(entry.formula);
    if (entry.formula != nullptr) entries[{cones, manifold, Op::name}] = entry;
  };
#define MCT_ENTER(op, kinds, gives) enter(operation::op());
  MCT_FOR_EACH_CONE_OPERATION(MCT_ENTER)
#undef MCT_ENTER
  enter(operation::projx());
}

const ConeEntries& all_entries() {
  using namespace geometry_detail;
  static const ConeEntries all = [] {
    ConeEntries entries;
    enter_all<UmbralCones<Ball>, PoincareBall>(entries, "UmbralCones", "PoincareBall");
    enter_all<UmbralCones<Half>, HalfSpace>(entries, "UmbralCones", "HalfSpace");
    enter_all<PenumbralCones<Ball>, PoincareBall>(entries, "PenumbralCones", "PoincareBall");
    enter_all<PenumbralCones<Half>, HalfSpace>(entries, "PenumbralCones", "HalfSpace");
    enter_all<AntumbralCones<Ball>, PoincareBall>(entries, "AntumbralCones", "PoincareBall");
    enter_all<AntumbralCones<Half>, HalfSpace>(entries, "AntumbralCones", "HalfSpace");
    return entries;
  }();
  return all;
}

}  // namespace

std::vector<Tensor<double>> cone_second_derivatives(
    const NamedCones& of, const Tensor<double>& radii, const std::vector<Tensor<double>>& operands,
    const Tensor<double>& grad, const std::vector<std::optional<Tensor<double>>>& cotangents,
    const std::vector<bool>& wanted) {
  const auto found = all_entries().find({of.cones, of.manifold, of.operation});
  const char* const name = of.operation.c_str();
  if (found == all_entries().end())
    throw DomainError(of.cones + " in " + of.manifold + " have no operation '" + of.operation +
                      "'");
  const ConeEntry& entry = found->second;
  if (operands.size() != entry.kinds.size())
    throw ShapeError(of.operation + ": " + std::to_string(operands.size()) +
                     " operands, expected " + std::to_string(entry.kinds.size()));
  if (radii.numel() != entry.radii)
    throw ShapeError(of.operation + ": " + std::to_string(radii.numel()) + " radii, expected " +
                     std::to_string(entry.radii));
  std::vector<Shape> points, all;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_point = entry.kinds[i] == 'p';
    if (is_point) points.push_back(operands[i].shape());
    all.push_back(is_point ? tensor_detail::leading_shape(name, operands[i].shape())
                           : operands[i].shape());
  }
  tensor_detail::require_same_coordinates(name, points);
  tensor_detail::require_least_coordinates(name, points[0], 1);
  const Shape leading = tensor_detail::broadcast_leading(name, all);
  const bool gives_number = entry.result == OperationResult::number;
  Shape result(leading);
  if (!gives_number) result.push_back(points[0].back());
  if (grad.shape() != result)
    throw ShapeError(of.operation + ": a gradient of shape " + to_string(grad.shape()) +
                     " for a result of shape " + to_string(result));
  const SecondOperation operation{of.operation,          std::string(entry.kinds),
                                  entry.formula,         entry.unit,
                                  int(points[0].back()), entry.radii,
                                  gives_number,          0x1p-48};
  auto derivatives = tensor_detail::second_on_tensors<double, 1>(
      operation, radii, operands, leading, grad, std::nullopt, cotangents, wanted,
      [] { return tensor_detail::PointByPoint(); });
  if (wanted[0]) derivatives[0] = derivatives[0].reshape(radii.shape());
  for (std::size_t i = 1; i <= operands.size(); ++i)
    if (wanted[i])
      derivatives[i] = autograd_detail::sum_to(derivatives[i], operands[i - 1].shape());
  return derivatives;
}

}  // namespace mct::geometry
