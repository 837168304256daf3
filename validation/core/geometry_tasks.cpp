// The suite's geometric operations: batches of points through the registry, and what that does not
// compile by the formulas of single points.
#include <memory>
#include <vector>

#include "mctensor/geometry/registry.hpp"
#include "validation/core/geometry_check.hpp"
#include "validation/core/geometry_formulas.hpp"

namespace mct::validation {
namespace {

using enum GeometryOperation;

/// A GeometryCall of the registry.
template <class T, int N>
std::vector<BigVector> call_registry(GeometryOperation operation, const char* model,
                                     const Big& number, const std::vector<BigPlace>& places) {
  using Numbers = Tensor<T, N>;
  using V = std::conditional_t<N == 1, T, Expansion<T, N>>;
  const auto& found =
      geometry::registered(geometry_operation_name(operation), model, geometry::number_type<T>(N));
  const auto count = std::int64_t(places.size());
  std::vector<Numbers> operands;
  for (std::int64_t p = 0; p < count; ++p) {
    const std::vector<BigVector> in = operands_of(operation, places[std::size_t(p)]);
    for (std::size_t k = 0; k < in.size(); ++k) {
      const auto n = std::int64_t(in[k].size());
      if (p == 0) operands.emplace_back(found.operands[k] == 'n' ? Shape{count} : Shape{count, n});
      const Numbers rows = operands[k].reshape({count, n});
      for (std::int64_t i = 0; i < n; ++i) rows.set({p, i}, from_big<V>(in[k][std::size_t(i)]));
    }
  }
  const Numbers value = found.template value<T, N>(from_big<V>(number), operands);
  const Numbers rows = value.reshape({count, -1});
  std::vector<BigVector> results(places.size());
  for (std::int64_t p = 0; p < count; ++p)
    for (std::int64_t i = 0; i < rows.size(1); ++i)
      results[std::size_t(p)].push_back(Big(rows.at({p, i})));
  return results;
}

/// By formulas or, where the registry has the model on so many components, from there.
template <template <class> class M, class V, geometry::Model model>
constexpr GeometryCall call_of() {
  if constexpr (limbs<V> <= 3 && limbs<V> <= geometry::most_components(model)) {
    return &call_registry<Limb<V>, limbs<V>>;
  } else if constexpr (limbs<V> >= 3) {
    return &call_formula<M, V>;
  } else {
    return nullptr;
  }
}

/// Every model has a distance, the maps, transport and geodesics; others in the list's order.
std::vector<GeometryOperation> operations_of(geometry::Model model) {
  std::vector<GeometryOperation> all{dist, expmap, logmap, ptransp, geodesic};
  const std::vector<GeometryOperation> others[] = {
      /* ball */ {retr, mobius_add, dist_gradient, to_half_space, to_lorentz},
      /* half_space */ {retr, dist_gradient, to_lorentz},
      /* lorentz */ {retr, proju, dist_gradient, to_half_space},
      /* klein */ {retr, to_half_space, to_lorentz},
      /* hemisphere */ {to_half_space, to_lorentz},
      /* sphere */ {},
      /* euclidean */ {dist_gradient},
      /* stereographic */ {dist_gradient}};
  all.insert(all.end(), others[int(model)].begin(), others[int(model)].end());
  return all;
}

template <class V>
void add_type(TaskList& list, const std::string& type) {
  using geometry::Model;
#define MCT_ADD(model, Class, name)                                                               \
  for (const GeometryOperation operation : operations_of(Model::model))                           \
    list.push_back(std::make_unique<GeometryTask>(operation, GeometryModel{#model, #Class}, type, \
                                                  geometry_space(Model::model, point_type<V>),    \
                                                  call_of<geometry::Class, V, Model::model>()));
  MCT_FOR_EACH_MODEL(MCT_ADD)
#undef MCT_ADD
  for (const auto operation : {dist, logmap, ptransp})
    list.push_back(manifold_product_task(operation, type, point_type<V>, &call_product<V>));
}

/// Points of so many coordinates that their programs take them as they lie in memory; of the
/// dimension 14 no register is full at the end.
void add_long_points(TaskList& list) {
  using geometry::Model;
  constexpr std::pair<Model, GeometryModel> models[] = {
      {Model::ball, {"ball_14", "PoincareBall"}},
      {Model::half_space, {"half_space_14", "HalfSpace"}},
      {Model::lorentz, {"lorentz_14", "Lorentz"}}};
  for (const auto& [model, names] : models)
    for (const GeometryOperation operation : operations_of(model))
      // expmap of Lorentz has its kernel here, too. Its reference is out of reach where vectors are
      // as long as points at 1e132: the steps of condition() are too large, while smaller ones are
      // lost in the rounding errors of the half-space's oracle
      if (operation != to_half_space && operation != to_lorentz &&
          (operation != expmap || model != Model::lorentz))
        list.push_back(std::make_unique<GeometryTask>(operation, names, "f64x1",
                                                      geometry_space(model, point_type<double>, 14),
                                                      &call_registry<double, 1>));
}

}  // namespace

void add_geometry_tasks(TaskList& list) {
  add_type<double>(list, "f64x1");
  add_long_points(list);
  add_type<f64x2>(list, "f64x2");
  add_type<f64x3>(list, "f64x3");
  add_type<f64x4>(list, "f64x4");
  add_type<float>(list, "f32x1");
  add_type<f32x2>(list, "f32x2");
  add_type<bf16x2>(list, "bf16x2");
}

}  // namespace mct::validation
