// Names of spaces in the files of Riemannian optimizers, and the test of a radius.
#pragma once

#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/registry.hpp"
#include "mctensor/geometry/storage/halfspace/representations.hpp"

namespace mct::geometry::optim_detail {

template <class M>
inline constexpr const char* model_name = nullptr;
#define MCT_NAME_CLASS(model, Class, name) \
  template <class V>                       \
  inline constexpr const char* model_name<Class<V>> = #Class;
MCT_FOR_EACH_MODEL(MCT_NAME_CLASS)
#undef MCT_NAME_CLASS
template <class T, int M>
inline constexpr const char* model_name<HalfSpaceRepresentation<T, M, PlainHeight<T>>> =
    "XmcHalfSpace";
template <class T, int M>
inline constexpr const char* model_name<HalfSpaceRepresentation<T, M, LongHeight<T, M>>> =
    "McHalfSpace";
template <class T, int M>
inline constexpr const char* model_name<HalfSpaceRepresentation<T, M, LogHeight<T>>> =
    "LogHalfSpace";

/// The name of a manifold in files: the name of the model, or the parts of a product with columns
/// and weights.
template <class M>
std::string name_of(const M&) {
  return model_name<M>;
}
template <class... Ms>
std::string name_of(const Product<Ms...>& product) {
  std::string all = "product";
  int i = 0;
  const auto add = [&](const std::string& name) {
    all += (i == 0 ? " of " : ", ") + name + " columns " + std::to_string(product.coordinates(i)) +
           " weight " + number_text(product.weight(i), 17);
    ++i;
  };
  (add(model_name<Ms>), ...);
  return all;
}

/// True if a manifold may have the radius, rounded to V.
template <class V>
bool is_radius(double radius) {
  return geometry::is_radius(double(V(radius)));
}

}  // namespace mct::geometry::optim_detail
