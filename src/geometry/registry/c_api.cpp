// The C functions of geometry.
#include <string>
#include <vector>

#include "mctensor/c_api.h"
#include "mctensor/geometry/registry.hpp"
#include "src/optim/c_call.hpp"

namespace mct::geometry::c_interface {
namespace {

using optim_detail::given, optim_detail::guarded, optim_detail::require_array;

/// A view of the caller's memory.
template <class T, int N>
Tensor<T, N> view_of(const mct_array& array, const std::string& name) {
  if (array.dimensions < 0)
    throw ShapeError(name + ": the number of dimensions is " + std::to_string(array.dimensions) +
                     ", expected at least 0");
  if (array.dimensions > 0) given(array.shape, (name + ": shape").c_str());
  const auto dimensions = std::size_t(array.dimensions);
  const Shape shape(array.shape, array.shape + dimensions);
  for (const std::int64_t size : shape)
    if (size < 0) throw ShapeError(name + ": of shape " + to_string(shape));
  Shape strides;
  if (array.strides != nullptr) strides.assign(array.strides, array.strides + dimensions);
  auto* const data = static_cast<T*>(array.data);
  if (numel(shape) > 0) given(data, (name + ": data").c_str());
  return Tensor<T, N>::from_memory(data, shape, strides, array.component_stride);
}
/// Of the type that the others have. Throws DomainError.
template <class T, int N>
Tensor<T, N> view_alike(const mct_array& array, const mct_array& like, const std::string& name) {
  if (array.type != like.type || array.components != like.components)
    throw DomainError(name + ": type " + std::to_string(array.type) + " of " +
                      std::to_string(array.components) + " components; the radius has type " +
                      std::to_string(like.type) + " of " + std::to_string(like.components));
  return view_of<T, N>(array, name);
}
void require_shape(const Shape& found, const Shape& wanted, const std::string& name) {
  if (found != wanted)
    throw ShapeError(name + ": shape " + to_string(found) + ", expected " + to_string(wanted));
}

template <class T>
constexpr int type_of = std::is_same_v<T, double>  ? int(MCT_FLOAT64)
                        : std::is_same_v<T, float> ? int(MCT_FLOAT32)
                        : std::is_same_v<T, half>  ? int(MCT_FLOAT16)
                                                   : int(MCT_BFLOAT16);

/// work.operator()<T, N>(operation, radius, operands) for the type of the radius.
template <class Work>
void with_operation(const char* model, const char* operation, const mct_array* radius,
                    const mct_array* operands, int count, const Work& work) {
  const mct_array& k = given(radius, "radius");
  require_array(operands, count, "operands");
  const std::string by = &given(operation, "operation"), of = &given(model, "model");
  const auto run = [&]<class T, int N>() {
    const Registered& found = registered(by, of, number_type<T>(N));
    const auto number = view_of<T, N>(k, "radius");
    if (number.dim() != 0)
      throw ShapeError("radius: shape " + to_string(number.shape()) +
                       ", expected a single number, without dimensions");
    std::vector<Tensor<T, N>> points;
    points.reserve(std::size_t(count));
    for (int i = 0; i < count; ++i)
      points.push_back(view_alike<T, N>(operands[i], k, "operand " + std::to_string(i)));
    work.template operator()<T, N>(found, number.item(), points);
  };
#define MCT_TRY(T, N) \
  if (k.type == type_of<T> && k.components == N) return run.template operator()<T, N>();
  MCT_FOR_EACH_POINT_TENSOR(MCT_TRY)
#undef MCT_TRY
  throw DomainError("radius: type " + std::to_string(k.type) + " of " +
                    std::to_string(k.components) +
                    " components; geometry is compiled for MCT_FLOAT64 of 1 to 3 and for the "
                    "other types of 1 and 2");
}

}  // namespace
}  // namespace mct::geometry::c_interface

int mct_geometry_count(int64_t* count) {
  using namespace mct::geometry::c_interface;
  return guarded(
      [&] { given(count, "count") = std::int64_t(mct::geometry::registered_operations().size()); });
}

int mct_geometry_at(int64_t index, mct_geometry_operation* operation) {
  using namespace mct::geometry::c_interface;
  return guarded([&] {
    mct_geometry_operation& to = given(operation, "operation");
    const auto& all = mct::geometry::registered_operations();
    if (index < 0 || index >= std::int64_t(all.size()))
      throw mct::DomainError("index " + std::to_string(index) + " is not from 0 to " +
                             std::to_string(all.size() - 1));
    const mct::geometry::Registered& entry = all[std::size_t(index)];
    to = {entry.model.c_str(),  entry.operation.c_str(), entry.type.c_str(),
          entry.device.c_str(), entry.operands.c_str(),  int(entry.result)};
  });
}

int mct_geometry_value(const char* model, const char* operation, const mct_array* radius,
                       const mct_array* operands, int count, const mct_array* result) {
  using namespace mct::geometry::c_interface;
  return guarded([&] {
    with_operation(model, operation, radius, operands, count,
                   [&]<class T, int N>(const mct::geometry::Registered& found, const auto& k,
                                       const std::vector<mct::Tensor<T, N>>& points) {
                     const auto to = view_alike<T, N>(given(result, "result"), *radius, "result");
                     const auto value = found.value<T, N>(k, points);
                     require_shape(to.shape(), value.shape(), "result");
                     to.copy_(value);
                   });
  });
}

int mct_geometry_gradients(const char* model, const char* operation, const mct_array* radius,
                           const mct_array* operands, int count, const mct_array* grad,
                           const mct_array* const* gradients) {
  using namespace mct::geometry::c_interface;
  return guarded([&] {
    with_operation(model, operation, radius, operands, count,
                   [&]<class T, int N>(const mct::geometry::Registered& found, const auto& k,
                                       const std::vector<mct::Tensor<T, N>>& points) {
                     given(gradients, "gradients");
                     std::vector<bool> wanted;
                     std::vector<mct::Tensor<T, N>> to(points.size() + 1);
                     for (std::size_t i = 0; i < to.size(); ++i) {
                       wanted.push_back(gradients[i] != nullptr);
                       if (!wanted[i]) continue;
                       const std::string name = "gradient " + std::to_string(i);
                       to[i] = view_alike<T, N>(*gradients[i], *radius, name);
                       require_shape(to[i].shape(), i == 0 ? mct::Shape{} : points[i - 1].shape(),
                                     name);
                     }
                     const auto seed = view_alike<T, N>(given(grad, "grad"), *radius, "grad");
                     const auto all = found.derivatives<T, N, N>(k, points, seed, wanted);
                     for (std::size_t i = 0; i < to.size(); ++i)
                       if (wanted[i]) to[i].copy_(all[i]);
                   });
  });
}
