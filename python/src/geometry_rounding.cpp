// Points in a type that is narrower than double.
#include "geometry.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/cones/operations.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/registry.hpp"
#include "mctensor/geometry/round_points.hpp"
#include "recorded.hpp"

namespace mct::python {

namespace {

AnyTensor round_points(const std::string& manifold, double radius, const AnyTensor& points,
                       const std::string& dtype) {
  const auto& x = operand_of<double, 1>("round_points", points);
  const auto rounded = [&](const auto& m) -> AnyTensor {
    if (dtype == dtype_name<float, 1>()) return wrap(geometry::round_points<float>(m, x));
    if (dtype == dtype_name<half, 1>()) return wrap(geometry::round_points<half>(m, x));
    if (dtype == dtype_name<bfloat16, 1>()) return wrap(geometry::round_points<bfloat16>(m, x));
    throw nb::type_error(("points are rounded to f32x1, f16x1 or bf16x1, not to " + dtype).c_str());
  };
#define MCT_TRY(model, Class, name) \
  if (manifold == #Class) return rounded(geometry::Class<double>(radius));
  MCT_FOR_EACH_MODEL(MCT_TRY)
#undef MCT_TRY
  throw DomainError("there is no manifold '" + manifold + "'");
}

/// The results of operations of manifolds and cones: operation -> "number", "vector" or "point".
nb::dict operation_results() {
  constexpr const char* words[] = {"number", "vector", "point"};
  nb::dict results;
  for (const auto& entry : geometry::registered_operations())
    results[entry.operation.c_str()] = words[int(entry.result)];
#define MCT_ENTER(op, kinds, gives) results[#op] = words[int(geometry::OperationResult::gives)];
  MCT_FOR_EACH_CONE_OPERATION(MCT_ENTER)
#undef MCT_ENTER
  return results;
}

}  // namespace

void bind_rounding(nb::module_& m) {
  m.def("operation_results", &operation_results,
        "operation -> what it gives: 'number', 'vector' or 'point'.");
  m.def("round_points", &round_points, "manifold"_a, "radius"_a, "points"_a, "dtype"_a,
        nb::call_guard<nb::gil_scoped_release>(),
        "Points of double in a narrower type, as points of the manifold.");
}

}  // namespace mct::python
