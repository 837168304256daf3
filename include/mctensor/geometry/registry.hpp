// The registry finds operations of manifolds and their derivatives by name. They are compiled for
// the usual models and number types.
//
//   const Registered& dist = registered("dist", "PoincareBall", "f64x2");
//   const Tensor<double, 2> d = dist.value(radius, {x, y});
//
// The first argument is the radius. For Stereographic it is the curvature, of any sign. In
// Euclidean space results do not depend on it. A tensor of shape (..., n) holds a point or vector
// for every index of the leading dimensions, which broadcast. A tensor of numbers has the leading
// dimensions only. Tensors may have any strides and may be views of the caller's memory
// (Tensor::from_memory). Large tensors use num_threads() threads. Results do not depend on the
// number of threads. To compute with other number types, use the models' headers.
//
// Error and domain: values as the operation (docs/geometry.md), derivatives as autograd.hpp.
// Source: the formulas of the models' headers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mctensor/geometry/tensors/operation.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// The types that operations are compiled for. Types of three components are compiled only for
/// models with SIMD kernels (most_components).
#define MCT_FOR_EACH_POINT_TENSOR(macro)                                             \
  macro(double, 1) macro(double, 2) macro(double, 3) macro(float, 1) macro(float, 2) \
      macro(half, 1) macro(half, 2) macro(bfloat16, 1) macro(bfloat16, 2)

/// The same types with gradients of one component, or of as many as the points.
#define MCT_FOR_EACH_POINT_GRADIENT(macro)                                            \
  macro(double, 1, 1) macro(double, 2, 1) macro(double, 2, 2) macro(double, 3, 1)     \
      macro(double, 3, 3) macro(float, 1, 1) macro(float, 2, 1) macro(float, 2, 2)    \
          macro(half, 1, 1) macro(half, 2, 1) macro(half, 2, 2) macro(bfloat16, 1, 1) \
              macro(bfloat16, 2, 1) macro(bfloat16, 2, 2)

constexpr int most_components(Model model) { return model <= Model::lorentz ? 3 : 2; }

/// The name of a number type, such as "f64x2": the component type, its bits, and the number of
/// components.
template <class T>
std::string number_type(int components) {
  return (std::is_same_v<T, bfloat16> ? "bf" : "f") + std::to_string(8 * sizeof(T)) + "x" +
         std::to_string(components);
}

namespace tensor_detail {

#define MCT_IS_COMPILED(C, n) || (std::is_same_v<T, C> && N == n)
template <class T, int N>
inline constexpr bool is_compiled = false MCT_FOR_EACH_POINT_TENSOR(MCT_IS_COMPILED);
#undef MCT_IS_COMPILED

template <class T, int N>
using Value = typename Tensor<T, N>::Value;

/// An operation of a model, or the conversion of its points to another model.
struct CompiledOperation {
  Model model = Model::count;
  TensorOperation operation = TensorOperation::count;  ///< count: a conversion
  Model to = Model::count;
};

/// The operation on operands whose leading dimensions broadcast.
template <class T, int N>
Tensor<T, N> run(const CompiledOperation& operation, const Value<T, N>& radius,
                 const std::vector<Tensor<T, N>>& operands);
/// The wanted derivatives of the operation, times `grad`, the gradient of the result: by the
/// radius, of shape (1), and by every operand, not yet summed over broadcast dimensions.
template <class T, int N, int G>
std::vector<Tensor<T, G>> run_vjp(const CompiledOperation& operation, const Value<T, N>& radius,
                                  const std::vector<Tensor<T, N>>& operands,
                                  const Tensor<T, G>& grad, const std::vector<bool>& wanted);
/// The derivatives of the sum of `cotangents` times the results of run_vjp: by the radius, by every
/// operand and by `grad`. They are not yet summed over broadcast dimensions.
template <class T, int N>
std::vector<Tensor<T, N>> run_second(const CompiledOperation& operation, const Value<T, N>& radius,
                                     const std::vector<Tensor<T, N>>& operands,
                                     const Tensor<T, N>& grad,
                                     const std::vector<std::optional<Tensor<T, N>>>& cotangents,
                                     const std::vector<bool>& wanted);

}  // namespace tensor_detail

/// An operation as it is compiled for a model and a number type.
class Registered {
 public:
  std::string operation;   ///< "dist", of conversions "to_half_space"
  std::string model;       ///< "PoincareBall" or another class of the list
  std::string type;        ///< number_type
  std::string device;      ///< "cpu"
  std::string operands;    ///< a letter for each: p for a point or vector, n for a number
  OperationResult result;  ///< a number, a vector or a point of the manifold
  tensor_detail::CompiledOperation compiled;

  /// The value of the operation in the manifold of this radius. Throws ShapeError for operands
  /// whose shapes do not fit. Throws DomainError for tensors of another type, a radius that is not
  /// positive and finite, and a curvature that is not finite.
  template <class T, int N>
  Tensor<T, N> value(const tensor_detail::Value<T, N>& radius,
                     const std::vector<Tensor<T, N>>& points) const {
    require(number_type<T>(N), sum_of(radius));
    return tensor_detail::run<T, N>(compiled, radius, points);
  }
  /// The derivatives by the radius (a number) and by every operand (of its shape), times `grad`,
  /// the gradient of the value. `wanted` has a flag for each. Derivatives that are not wanted are
  /// empty (shape (0)).
  template <class T, int N, int G>
  std::vector<Tensor<T, G>> derivatives(const tensor_detail::Value<T, N>& radius,
                                        const std::vector<Tensor<T, N>>& points,
                                        const Tensor<T, G>& grad,
                                        const std::vector<bool>& wanted) const {
    require(number_type<T>(N), sum_of(radius));
    return summed<T, N, G>(
        points, tensor_detail::run_vjp<T, N, G>(compiled, radius, points, grad, wanted), wanted);
  }
  /// Second derivatives: the derivatives of the sum of `cotangents` times derivatives(radius,
  /// points, grad), by the radius, by every operand and by `grad`, in their shapes. A cotangent has
  /// the shape of its operand; a missing one is zero. Throws DomainError where second derivatives
  /// do not exist: for a distance or length of 0 (dist, dist0, norm), unless `grad` or all
  /// cotangents are zero there. Error: for one component 2^-28 of the largest derivative by the
  /// same operand, mostly a few u; for more components the error of the type, or some 2^-75 where
  /// vectors are nearly zero. Source: src/geometry/registry/second.hpp.
  template <class T, int N>
  std::vector<Tensor<T, N>> second_derivatives(
      const tensor_detail::Value<T, N>& radius, const std::vector<Tensor<T, N>>& points,
      const Tensor<T, N>& grad, const std::vector<std::optional<Tensor<T, N>>>& cotangents,
      const std::vector<bool>& wanted) const {
    require(number_type<T>(N), sum_of(radius));
    return summed<T, N, N>(
        points, tensor_detail::run_second<T, N>(compiled, radius, points, grad, cotangents, wanted),
        wanted);
  }

 private:
  template <class V>
  static double sum_of(const V& x) {
    if constexpr (is_expansion_v<V>) {
      double sum = 0;
      for (const auto& limb : x.limb) sum += double(limb);
      return sum;
    } else {
      return double(x);
    }
  }
  void require(const std::string& given, double radius) const;
  template <class T, int N, int G>
  static std::vector<Tensor<T, G>> summed(const std::vector<Tensor<T, N>>& points,
                                          std::vector<Tensor<T, G>> gradients,
                                          const std::vector<bool>& wanted);
};

/// All compiled operations, ordered by model, type and operation.
const std::vector<Registered>& registered_operations();
/// One compiled operation. Throws DomainError, which lists the existing ones, if there is none.
const Registered& registered(const std::string& operation, const std::string& model,
                             const std::string& type, const std::string& device = "cpu");

}  // namespace mct::geometry
