// The operations of manifolds in the library's registry, by their names.
#include "geometry.hpp"

#include <nanobind/stl/optional.h>

#include "mctensor/geometry/registry.hpp"
#include "recorded.hpp"

namespace mct::python {

namespace {

/// Calls f(operation, radius, operands) for numbers of the radius' type. Throws TypeError.
template <class Result, class F>
Result with_operation(const std::string& manifold, const std::string& name, const AnyTensor& radius,
                      const std::vector<AnyTensor>& operands, const F& f) {
  const auto& found = geometry::registered(name, manifold, dtype_name(radius));
  if (found.operands.size() != operands.size()) throw_count(name, found.operands, operands);
  return std::visit(
      [&]<class T, int N>(const Tensor<T, N>& k) -> Result {
        if constexpr (geometry::tensor_detail::is_compiled<T, N>) {
          std::vector<Tensor<T, N>> points;
          for (const AnyTensor& x : operands) points.push_back(operand_of<T, N>(name.c_str(), x));
          return f(found, k, points);
        } else {
          throw nb::type_error(
              ("radius: numbers of " + dtype_name<T, N>() + " are not supported").c_str());
        }
      },
      radius.tensor);
}

AnyTensor value(const std::string& manifold, const std::string& name, const AnyTensor& radius,
                const std::vector<AnyTensor>& operands) {
  return with_operation<AnyTensor>(manifold, name, radius, operands,
                                   []<class T, int N>(const auto& operation, const Tensor<T, N>& k,
                                                      const std::vector<Tensor<T, N>>& points) {
                                     return wrap(operation.template value<T, N>(k.item(), points));
                                   });
}

void require_flags(const std::vector<bool>& wanted, std::size_t count, const char* what) {
  if (wanted.size() != count)
    throw DomainError(std::string("wanted must have one flag for ") + what);
}
/// The wanted derivatives. The derivative by the radius has the shape of the radius.
template <class T, int N>
Arrays arrays_of(const std::vector<Tensor<T, N>>& derivatives, const Tensor<T, N>& radius,
                 const std::vector<bool>& wanted) {
  Arrays arrays(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i])
      arrays[i] = wrap(i == 0 ? derivatives[i].reshape(radius.shape()) : derivatives[i]);
  return arrays;
}

Arrays derivatives(const std::string& manifold, const std::string& name, const AnyTensor& radius,
                   const std::vector<AnyTensor>& operands, const AnyTensor& grad,
                   const std::vector<bool>& wanted) {
  require_flags(wanted, operands.size() + 1, "the radius and one for each operand");
  return with_operation<Arrays>(manifold, name, radius, operands,
                                [&]<class T, int N>(const auto& operation, const Tensor<T, N>& k,
                                                    const std::vector<Tensor<T, N>>& points) {
                                  return arrays_of<T, N>(
                                      operation.template derivatives<T, N, N>(
                                          k.item(), points, operand_of<T, N>("grad", grad), wanted),
                                      k, wanted);
                                });
}

Arrays second(const std::string& manifold, const std::string& name, const AnyTensor& radius,
              const std::vector<AnyTensor>& operands, const AnyTensor& grad,
              const Arrays& cotangents, const std::vector<bool>& wanted) {
  require_flags(wanted, operands.size() + 2, "the radius, one for each operand and one for grad");
  return with_operation<Arrays>(
      manifold, name, radius, operands,
      [&]<class T, int N>(const auto& operation, const Tensor<T, N>& k,
                          const std::vector<Tensor<T, N>>& points) {
        std::vector<std::optional<Tensor<T, N>>> directions(cotangents.size());
        for (std::size_t i = 0; i < cotangents.size(); ++i)
          if (cotangents[i]) directions[i] = operand_of<T, N>("cotangents", *cotangents[i]);
        return arrays_of<T, N>(
            operation.template second_derivatives<T, N>(
                k.item(), points, operand_of<T, N>("grad", grad), directions, wanted),
            k, wanted);
      });
}

nb::dict names() {
  nb::dict result;
  for (const auto& entry : geometry::registered_operations()) {
    const char* const model = entry.model.c_str();
    if (!result.contains(model)) result[model] = nb::dict();
    nb::cast<nb::dict>(result[model])[entry.operation.c_str()] = entry.operands;
  }
  return result;
}
nb::dict conversions() {
  nb::dict result;
#define MCT_ENTER(model, Class, name) result["to_" #name] = #Class;
  MCT_FOR_EACH_MODEL(MCT_ENTER)
#undef MCT_ENTER
  return result;
}

}  // namespace

void throw_count(const std::string& name, const std::string& kinds,
                 const std::vector<AnyTensor>& operands) {
  throw nb::type_error((name + " takes " + std::to_string(kinds.size()) + " operands, " +
                        std::to_string(operands.size()) + " are given")
                           .c_str());
}

void bind_geometry(nb::module_& m) {
  const auto free = nb::call_guard<nb::gil_scoped_release>();
  m.attr("conversions") = conversions();
  m.def("manifold_operations", &names, "manifold -> operation -> kinds of its operands.");
  m.def("manifold_value", &value, "manifold"_a, "name"_a, "radius"_a, "operands"_a, free,
        "An operation of a manifold.");
  m.def("manifold_derivatives", &derivatives, "manifold"_a, "name"_a, "radius"_a, "operands"_a,
        "grad"_a, "wanted"_a, free,
        "Its derivatives by radius and operands for that of the result; None where not wanted.");
  m.def("manifold_second", &second, "manifold"_a, "name"_a, "radius"_a, "operands"_a, "grad"_a,
        "cotangents"_a, "wanted"_a, free,
        "The derivatives of those, for cotangents of them, by radius, operands and grad.");
  bind_means(m);
  bind_rounding(m);
  bind_geometry_device(m);
  bind_cones(m);
  bind_tilings(m);
}

}  // namespace mct::python
