// Systems of cones, by their names.
#include <map>

#include <nanobind/stl/optional.h>

#include "geometry.hpp"
#include "mctensor/geometry/cones/autograd.hpp"
#include "mctensor/geometry/cones/second.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "recorded.hpp"

namespace mct::python {

namespace {

using namespace geometry;

/// Cones whose radii are the numbers of a tensor: the radius of the manifold, then the radii of the
/// light and of the balls.
template <class C>
C cones_of(const AnyTensor& radii) {
  const auto values = operand_of<double, 1>("radii", radii).flatten().values();
  std::array<double, C::radii> k;
  if (values.size() != k.size())
    throw ShapeError("these cones have " + std::to_string(k.size()) + " radii, " +
                     std::to_string(values.size()) + " are given");
  std::copy(values.begin(), values.end(), k.begin());
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    using M = std::remove_cvref_t<decltype(std::declval<C>().manifold())>;
    return C(M(k[0]), k[i + 1]...);
  }
  (std::make_index_sequence<C::radii - 1>());
}

template <class Op, class C, std::size_t... i>
Recorded<double> cone_record(std::index_sequence<i...>, const AnyTensor& radii,
                             const std::vector<AnyTensor>& operands,
                             const std::vector<bool>& wanted) {
  using Var = Variable<double>;
  std::vector<Var> all{Var(operand_of<double, 1>("radii", radii), wanted.at(0))};
  (all.emplace_back(operand_of<double, 1>(Op::name, operands.at(i)), wanted.at(i + 1)), ...);
  const Learnable<C> cones(cones_of<C>(radii), all[0]);
  return {operate<Op>(cones, all[i + 1]...), all};
}

/// An operation of cones. `operands` has a letter for each operand.
struct ConeOperation {
  std::string operands;
  Recorded<double> (*record)(const AnyTensor& radii, const std::vector<AnyTensor>& operands,
                             const std::vector<bool>& wanted);
};
using ConeOperations = std::map<std::string, ConeOperation>;

template <class Op, class C>
void enter_cone(ConeOperations& table) {
  if constexpr (geometry::detail::has_operation<Op, C>()) {
    table[Op::name] = {Op::operands,
                       [](const AnyTensor& radii, const std::vector<AnyTensor>& operands,
                          const std::vector<bool>& wanted) {
                         using All = std::make_index_sequence<geometry::detail::operand_count<Op>>;
                         return cone_record<Op, C>(All(), radii, operands, wanted);
                       }};
  }
}

/// One system of cones in one manifold.
struct System {
  ConeOperations operations;
  Tensor<bool> (*contains)(const AnyTensor& radii, const Tensor<double>& u,
                           const Tensor<double>& v);
};

template <class C>
System system_of() {
  System system;
#define MCT_ENTER(op, kinds, gives) enter_cone<operation::op, C>(system.operations);
  MCT_FOR_EACH_CONE_OPERATION(MCT_ENTER)
#undef MCT_ENTER
  enter_cone<operation::projx, C>(system.operations);
  system.contains = [](const AnyTensor& radii, const Tensor<double>& u, const Tensor<double>& v) {
    return geometry::contains(cones_of<C>(radii), u, v);
  };
  return system;
}

const std::map<std::pair<std::string, std::string>, System>& systems() {
  using Ball = PoincareBall<double>;
  using Half = HalfSpace<double>;
  static const std::map<std::pair<std::string, std::string>, System> all = {
      {{"UmbralCones", "PoincareBall"}, system_of<UmbralCones<Ball>>()},
      {{"UmbralCones", "HalfSpace"}, system_of<UmbralCones<Half>>()},
      {{"PenumbralCones", "PoincareBall"}, system_of<PenumbralCones<Ball>>()},
      {{"PenumbralCones", "HalfSpace"}, system_of<PenumbralCones<Half>>()},
      {{"AntumbralCones", "PoincareBall"}, system_of<AntumbralCones<Ball>>()},
      {{"AntumbralCones", "HalfSpace"}, system_of<AntumbralCones<Half>>()}};
  return all;
}

const System& system_named(const std::string& cones, const std::string& manifold) {
  const auto found = systems().find({cones, manifold});
  if (found == systems().end()) throw DomainError(cones + " do not exist in " + manifold);
  return found->second;
}
const ConeOperation& operation_of(const std::string& cones, const std::string& manifold,
                                  const std::string& name, const std::vector<AnyTensor>& operands) {
  const System& system = system_named(cones, manifold);
  const auto found = system.operations.find(name);
  if (found == system.operations.end()) throw DomainError(cones + " have no " + name);
  if (found->second.operands.size() != operands.size())
    throw_count(name, found->second.operands, operands);
  return found->second;
}

Arrays cone_second(const std::string& cones, const std::string& manifold, const std::string& name,
                   const AnyTensor& radii, const std::vector<AnyTensor>& operands,
                   const AnyTensor& grad, const Arrays& cotangents,
                   const std::vector<bool>& wanted) {
  const auto number = [&](const AnyTensor& x) -> const Tensor<double>& {
    return operand_of<double, 1>(name.c_str(), x);
  };
  std::vector<Tensor<double>> points;
  for (const AnyTensor& x : operands) points.push_back(number(x));
  std::vector<std::optional<Tensor<double>>> directions(cotangents.size());
  for (std::size_t i = 0; i < cotangents.size(); ++i)
    if (cotangents[i]) directions[i] = number(*cotangents[i]);
  const auto derivatives = cone_second_derivatives({cones, manifold, name}, number(radii), points,
                                                   number(grad), directions, wanted);
  Arrays arrays(derivatives.size());
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (wanted[i]) arrays[i] = wrap(derivatives[i]);
  return arrays;
}

nb::dict cone_operations() {
  nb::dict result;
  for (const auto& [key, system] : systems()) {
    nb::dict table;
    for (const auto& [name, operation] : system.operations)
      table[name.c_str()] = operation.operands;
    result[key.first.c_str()] = table;
  }
  return result;
}

}  // namespace

void bind_cones(nb::module_& m) {
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  m.def("cone_operations", &cone_operations, "cones -> operation -> kinds of its operands.");
  m.def(
      "cone_value",
      [](const std::string& cones, const std::string& manifold, const std::string& name,
         const AnyTensor& radii, const std::vector<AnyTensor>& operands) {
        const std::vector<bool> none(operands.size() + 1, false);
        return operation_of(cones, manifold, name, operands).record(radii, operands, none).value();
      },
      "cones"_a, "manifold"_a, "name"_a, "radii"_a, "operands"_a, free, "An operation of cones.");
  m.def(
      "cone_derivatives",
      [](const std::string& cones, const std::string& manifold, const std::string& name,
         const AnyTensor& radii, const std::vector<AnyTensor>& operands, const AnyTensor& grad,
         const std::vector<bool>& wanted) {
        return operation_of(cones, manifold, name, operands)
            .record(radii, operands, wanted)
            .gradients(grad);
      },
      "cones"_a, "manifold"_a, "name"_a, "radii"_a, "operands"_a, "grad"_a, "wanted"_a, free,
      "Its derivatives by radii and operands for that of the result; None where not wanted.");
  m.def("cone_second", &cone_second, "cones"_a, "manifold"_a, "name"_a, "radii"_a, "operands"_a,
        "grad"_a, "cotangents"_a, "wanted"_a, free,
        "The derivatives of those, for cotangents of them, by radii, operands and grad.");
  m.def(
      "cone_contains",
      [](const std::string& cones, const std::string& manifold, const AnyTensor& radii,
         const AnyTensor& u, const AnyTensor& v) {
        Tensor<bool> flags;
        {
          const nb::gil_scoped_release released;
          flags = system_named(cones, manifold)
                      .contains(radii, operand_of<double, 1>("contains", u),
                                operand_of<double, 1>("contains", v));
        }
        return to_numpy(flags);
      },
      "cones"_a, "manifold"_a, "radii"_a, "u"_a, "v"_a, "Whether v lies in the cone of u.");
}

}  // namespace mct::python
