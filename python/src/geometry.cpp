// Manifolds by their names.
#include <nanobind/stl/optional.h>

#include <utility>

#include "geometry_model.hpp"

namespace mct::python {

namespace {

const std::map<std::string, ManifoldOperations>& manifolds() {
  static const std::map<std::string, ManifoldOperations> all = [] {
    std::map<std::string, ManifoldOperations> tables = {{"PoincareBall", ball_operations()},
                                                        {"HalfSpace", half_space_operations()},
                                                        {"Lorentz", lorentz_operations()}};
    add_long_ball(tables.at("PoincareBall"));
    add_long_half_space(tables.at("HalfSpace"));
    add_long_lorentz(tables.at("Lorentz"));
    return tables;
  }();
  return all;
}

const ManifoldOperation& operation_of(const std::string& model, const std::string& name,
                                      std::size_t operands) {
  const auto found = manifolds().find(model);
  if (found == manifolds().end()) throw DomainError("no manifold is called " + model);
  const auto operation = found->second.find(name);
  if (operation == found->second.end()) throw DomainError(model + " has no " + name);
  if (operation->second.operands.size() != operands)
    throw nb::type_error((name + " takes " + std::to_string(operation->second.operands.size()) +
                          " operands, " + std::to_string(operands) + " are given")
                             .c_str());
  return operation->second;
}

AnyTensor value(const std::string& model, const std::string& name, const AnyTensor& radius,
                const std::vector<AnyTensor>& operands) {
  return operation_of(model, name, operands.size()).value(radius, operands);
}

Recorded record(const std::string& model, const std::string& name, const AnyTensor& radius,
                const std::vector<AnyTensor>& operands, const std::vector<bool>& wanted) {
  if (wanted.size() != operands.size() + 1)
    throw DomainError("wanted: one flag for the radius and one for each operand");
  const ManifoldOperation& operation = operation_of(model, name, operands.size());
  const bool is_long = std::holds_alternative<Tensor<double, 2>>(radius.tensor);
  return (is_long ? operation.record_long : operation.record)(radius, operands, wanted);
}

nb::dict names() {
  nb::dict result;
  for (const auto& [model, operations] : manifolds()) {
    nb::dict table;
    for (const auto& [name, operation] : operations) table[name.c_str()] = operation.operands;
    result[model.c_str()] = table;
  }
  return result;
}

}  // namespace

void bind_geometry(nb::module_& m) {
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<Recorded>(m, "Recorded", "An operation with its derivatives.")
      .def_ro("value", &Recorded::value, "The result.")
      .def(
          "backward", [](const Recorded& r, const AnyTensor& grad) { return r.backward(grad); },
          nb::arg("grad"), free,
          "The gradients of radius and operands for that of the result; None where not wanted.");
  m.def("manifold_operations", &names, "manifold -> operation -> kinds of its operands.");
  m.def("manifold_value", &value, nb::arg("manifold"), nb::arg("name"), nb::arg("radius"),
        nb::arg("operands"), free, "An operation of a manifold.");
  m.def("manifold_record", &record, nb::arg("manifold"), nb::arg("name"), nb::arg("radius"),
        nb::arg("operands"), nb::arg("wanted"), free, "The same, recorded.");
  bind_means(m);
  bind_rounding(m);
  bind_cones(m);
  bind_tilings(m);
}

}  // namespace mct::python
