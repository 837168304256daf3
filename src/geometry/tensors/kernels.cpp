// Manifold operations on tensors: blocks of points in lanes go to the kernel, to the program or, if
// there is neither, to the formula.
#include <array>
#include <string>
#include <vector>

#include "mctensor/tensor/reduce.hpp"
#include "src/geometry/registry/rows.hpp"
#include "src/geometry/tensors/by_points.hpp"

namespace mct::geometry::tensor_detail {

namespace {

/// The operation of two points that an operation is from the origin; else `count`.
TensorOperation from_origin(TensorOperation operation) {
  switch (operation) {
    case TensorOperation::dist0:
      return TensorOperation::dist;
    case TensorOperation::expmap0:
      return TensorOperation::expmap;
    case TensorOperation::logmap0:
      return TensorOperation::logmap;
    default:
      return TensorOperation::count;
  }
}

/// Whether a kernel is taken although there is a program: of few coordinates it has the bits that a
/// GPU finds; the others are those whose programs do not see every point that needs a rare way.
bool keeps_kernel(const CompiledOperation& of, int n) {
  return n < Program::least_by_points || of.operation == TensorOperation::dist_gradient ||
         (of.model == Model::lorentz && of.operation == TensorOperation::expmap);
}

/// gradients[i] = the derivatives of dist by operand i, from its kernel, times the seed.
template <int N>
void dist_vjp(ManifoldKernel gradient, int n, std::size_t count, const double* radius,
              const double* const* in, const double* seed, double* const* gradients) {
  using W = work_t<typename Tensor<double, N>::Value>;
  for (const int i : {0, 1}) {
    double* const rows = gradients[i + 1];
    if (rows == nullptr) continue;
    const double* const pair[] = {in[i], in[1 - i], in[i]};
    gradient(n, count, radius, pair, rows);
    for (std::size_t p = 0; p < count; ++p) {
      const W weight = geometry_detail::number_in<W>(seed + p);
      for (int c = 0; c < n; ++c) {
        double* const at = rows + std::size_t(c) * N * block + p;
        geometry_detail::put(at, W(geometry_detail::number_in<W>(at) * weight));
      }
    }
  }
}

/// f(p, its operands, its results) for the points of a block that a program has left.
template <class F>
void for_each_left(std::uint64_t left, const std::array<const double*, 3>& in,
                   const std::array<double*, 4>& out, const F& f) {
  for (std::size_t p = 0; p < block; ++p) {
    if ((left >> p & 1) == 0) continue;
    auto from = in;
    auto to = out;
    for (auto& rows : from) rows += p;
    for (auto& rows : to)
      if (rows != nullptr) rows += p;
    f(p, from, to);
  }
}

}  // namespace

template <class T, int N>
Tensor<T, N> run(const CompiledOperation& of, const Value<T, N>& radius,
                 const std::vector<Tensor<T, N>>& operands) {
  const Call<T, N> call(of, radius, operands);
  const bool converts = of.operation == TensorOperation::count;
  ManifoldKernel kernel = converts ? call.lanes.convert[int(of.model)][int(of.to)]
                                   : call.lanes.operation[int(of.model)][int(of.operation)];
  // an operation from the origin has the origin for its first operand
  const TensorOperation pair = from_origin(of.operation);
  const Program* const program =
      converts || (kernel != nullptr && keeps_kernel(of, call.n))
          ? nullptr
          : Program::value(of.model, of.operation, N, call.n, FloatTraits<T>::p);
  const bool has_origin = kernel == nullptr && program == nullptr &&
                          pair != TensorOperation::count &&
                          call.lanes.operation[int(of.model)][int(pair)] != nullptr;
  if (has_origin) kernel = call.lanes.operation[int(of.model)][int(pair)];
  if (kernel == nullptr)
    kernel =
        converts ? call.formulas.convert[int(of.to)] : call.formulas.operation[int(of.operation)];
  if (kernel == nullptr) call.throw_none();
  const int coordinates = call.coordinates_out();
  auto out = Tensor<T, N>::uninitialized(call.shape_of(coordinates, call.gives_number()));
  const bool is_point = described(of.operation).result == OperationResult::point;
  const Model target = !is_point ? Model::count : converts ? of.to : of.model;
  const Rounding<Value<T, N>> rounded{target, radius};
  if constexpr (N == 1) {
    if (program != nullptr && program->is_by_points()) {
      run_by_points<T>(call, *program, kernel, nullptr, nullptr, {{{out, coordinates, rounded}}});
      return out;
    }
  }
  // of operands and of a result; where an origin is one of them there are three at least
  const std::size_t sets = std::max<std::size_t>(call.readers.size() + 1, 3);
  call.for_each_block(100, sets, [&](std::int64_t first, std::size_t count, LaneRows& rows) {
    std::array<const double*, 3> in;
    call.gather_operands(first, count, rows, in);
    if (has_origin) {
      double* const origin = rows[2];
      call.formulas.origin(call.n, call.limbs, origin);
      for (std::size_t i = 0; i < std::size_t(call.n) * N; ++i)
        std::fill_n(origin + i * block + 1, block - 1, origin[i * block]);
      in = {origin, in[0], in[0]};
    }
    double* const result = rows[call.readers.size()];
    if (program != nullptr) {
      const std::array<double*, 4> to{result};
      const std::uint64_t left =
          program->run(count, call.limbs, {in.data()}, to.data(), scratch_of_thread(*program));
      for_each_left(left, in, to, [&](std::size_t, const auto& from, const auto& one) {
        kernel(call.n, 1, call.limbs, from.data(), one[0]);
      });
    } else {
      kernel(call.n, count, call.limbs, in.data(), result);
    }
    scatter(call.lanes, out, coordinates, first, count, N, result, rounded);
  });
  return out;
}

template <class T, int N, int G>
std::vector<Tensor<T, G>> run_vjp(const CompiledOperation& of, const Value<T, N>& radius,
                                  const std::vector<Tensor<T, N>>& operands,
                                  const Tensor<T, G>& grad, const std::vector<bool>& wanted) {
  const Call<T, N> call(of, radius, operands);
  if (wanted.size() != operands.size() + 1)
    throw ShapeError(
        std::string(call.name) + ": " + std::to_string(wanted.size()) +
        " flags of wanted derivatives, expected one for the radius and one for each of " +
        std::to_string(operands.size()) + " operands");
  call.require_gradient(grad.shape());
  const bool converts = of.operation == TensorOperation::count;
  const geometry_detail::ManifoldVjp vjp =
      converts ? call.formulas.convert_vjp[int(of.to)] : call.formulas.vjp[int(of.operation)];
  if (vjp == nullptr) call.throw_none();
  const Program* const program =
      converts ? nullptr : Program::derivatives(of.model, of.operation, N, call.n, bits_of(wanted));
  ManifoldKernel gradient = nullptr;
  if (program == nullptr && of.operation == TensorOperation::dist && !wanted[0])
    gradient = call.lanes.operation[int(of.model)][int(TensorOperation::dist_gradient)];
  std::vector<int> coordinates{1};
  for (const char kind : call.kinds) coordinates.push_back(kind == 'p' ? call.n : 1);
  std::vector<Tensor<T, G>> gradients(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i])
      gradients[i] = Tensor<T, G>::uninitialized(
          call.shape_of(coordinates[i], i > 0 && call.kinds[i - 1] == 'n'));
  const PointReader<T, G> seeds(call.gives_number() ? grad.unsqueeze(-1) : grad, call.leading);
  if constexpr (N == 1) {
    if (program != nullptr && program->is_by_points()) {
      std::vector<std::optional<PointResult<T>>> results(wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i)
        if (wanted[i]) results[i] = {gradients[i], coordinates[i], {}};
      run_by_points<T>(call, *program, nullptr, vjp, &seeds, results);
      if (wanted[0]) gradients[0] = sum(gradients[0].reshape({-1, 1}), {0});
      return gradients;
    }
  }
  // of operands, seeds, and derivatives by the radius and the operands
  call.for_each_block(
      1000, 2 * operands.size() + 2, [&](std::int64_t first, std::size_t count, LaneRows& rows) {
        std::array<const double*, 3> in;
        call.gather_operands(first, count, rows, in);
        const std::size_t k = operands.size();
        double* const seed = rows[k];
        gather_evenly(call.lanes, seeds, first, count, N, seed);
        std::array<double*, 4> to{};
        for (std::size_t i = 0; i <= k; ++i)
          if (wanted[i]) to[i] = rows[k + 1 + i];
        if (program != nullptr) {
          const std::uint64_t left = program->run(count, call.limbs, {in.data(), seed}, to.data(),
                                                  scratch_of_thread(*program));
          for_each_left(left, in, to, [&](std::size_t p, const auto& from, const auto& one) {
            vjp(call.n, 1, call.limbs, from.data(), seed + p, one.data());
          });
        } else if (gradient != nullptr) {
          dist_vjp<N>(gradient, call.n, count, call.limbs, in.data(), seed, to.data());
        } else {
          vjp(call.n, count, call.limbs, in.data(), seed, to.data());
        }
        for (std::size_t i = 0; i <= k; ++i)
          if (wanted[i])
            scatter(call.lanes, gradients[i], coordinates[i], first, count, N, to[i],
                    Rounding<Value<T, G>>());
      });
  // each point has its own radius, or one radius gets the sum
  if (wanted[0]) gradients[0] = sum(gradients[0].reshape({-1, 1}), {0});
  return gradients;
}

#define MCT_INSTANTIATE(T, N)                                             \
  template Tensor<T, N> run(const CompiledOperation&, const Value<T, N>&, \
                            const std::vector<Tensor<T, N>>&);
#define MCT_INSTANTIATE_GRADIENTS(T, N, G)                                                 \
  template std::vector<Tensor<T, G>> run_vjp(const CompiledOperation&, const Value<T, N>&, \
                                             const std::vector<Tensor<T, N>>&,             \
                                             const Tensor<T, G>&, const std::vector<bool>&);
MCT_FOR_EACH_POINT_TENSOR(MCT_INSTANTIATE)
MCT_FOR_EACH_POINT_GRADIENT(MCT_INSTANTIATE_GRADIENTS)
#undef MCT_INSTANTIATE
#undef MCT_INSTANTIATE_GRADIENTS

}  // namespace mct::geometry::tensor_detail
