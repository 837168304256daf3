// Manifold operations on tensors: check shapes, bring blocks of points into lanes, call the kernel.
#include "mctensor/geometry/tensors.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "mctensor/error.hpp"
#include "src/geometry/kernels/registry.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::geometry_detail {
namespace {

/// The kernels of the instruction set in use.
template <int N>
const ManifoldTable& active_table() {
  return MCT_SELECT_KERNELS(manifold_table<N>());
}

}  // namespace
}  // namespace mct::geometry_detail

namespace mct::geometry::tensor_detail {

namespace {

using geometry_detail::block;
using geometry_detail::ManifoldKernel;
using geometry_detail::ManifoldTable;

/// Lanes of the widest register: rows are filled up to a multiple of it.
constexpr std::size_t widest = 8;
static_assert(block % widest == 0);

/// The leading dimensions of a tensor of points.
template <class T, int N>
Shape leading_shape(const Tensor<T, N>& x, const char* what) {
  if (x.dim() == 0 || x.size(-1) == 0)
    throw ShapeError(std::string(what) + ": the last dimension holds coordinates, the shape is " +
                     to_string(x.shape()));
  return Shape(x.shape().begin(), x.shape().end() - 1);
}

const char* name_of(TensorOperation operation) {
  constexpr const char* names[] = {"dist",    "expmap",      "logmap",
                                   "ptransp", "egrad2rgrad", "mobius_add"};
  return names[int(operation)];
}

/// Points of a tensor by their number in row-major order of the broadcast leading dimensions.
template <class T, int N>
class Points {
 public:
  Points(const Tensor<T, N>& x, const Shape& leading) : sizes_(leading) {
    Shape full(leading);
    full.push_back(x.size(-1));
    view_ = x.expand(full);
    coordinates_ = int(x.size(-1));
  }
  int coordinates() const { return coordinates_; }

  Value<T, N> get(std::int64_t point, int i) const {
    const T* at = view_.data() + offset(point) + i * view_.strides().back();
    if constexpr (N == 1) {
      return *at;
    } else {
      Expansion<T, N> value;
      for (int k = 0; k < N; ++k) value.limb[k] = at[k * view_.plane_stride()];
      return value;
    }
  }

  /// Points first ... first + count - 1 as rows of lanes, the lanes behind them filled with the
  /// last.
  void gather(std::int64_t first, std::size_t count, double* rows) const {
    const std::size_t filled = (count + widest - 1) / widest * widest;
    for (std::size_t lane = 0; lane < filled; ++lane) {
      const std::int64_t point = first + std::int64_t(std::min(lane, count - 1));
      for (int i = 0; i < coordinates_; ++i) {
        const auto value = detail::to_work(get(point, i));
        double* at = rows + std::size_t(i * N) * block + lane;
        if constexpr (N == 1) {
          *at = value;
        } else {
          for (int k = 0; k < N; ++k) at[std::size_t(k) * block] = value.limb[k];
        }
      }
    }
  }

 private:
  std::int64_t offset(std::int64_t point) const {
    std::int64_t sum = 0;
    for (std::size_t d = sizes_.size(); d-- > 0;) {
      sum += point % sizes_[d] * view_.strides()[d];
      point /= sizes_[d];
    }
    return sum;
  }

  Shape sizes_;
  Tensor<T, N> view_;
  int coordinates_;
};

/// Writes rows of lanes to points of a contiguous tensor.
template <class T, int N>
void scatter(const Tensor<T, N>& out, int coordinates, std::int64_t first, std::size_t count,
             const double* rows) {
  for (std::size_t lane = 0; lane < count; ++lane) {
    for (int i = 0; i < coordinates; ++i) {
      const double* at = rows + std::size_t(i * N) * block + lane;
      const std::int64_t index = (first + std::int64_t(lane)) * coordinates + i;
      if constexpr (N == 1) {
        out.data()[index] = detail::from_work<T>(*at);
      } else {
        Expansion<double, N> sum;
        for (int k = 0; k < N; ++k) sum.limb[k] = at[std::size_t(k) * block];
        const auto value = detail::from_work<Expansion<T, N>>(sum);
        for (int k = 0; k < N; ++k) out.data(k)[index] = value.limb[k];
      }
    }
  }
}

/// out = kernel of the operands, block by block.
template <class T, int N>
void run_kernel(ManifoldKernel kernel, const Value<T, N>& radius,
                const std::vector<Points<T, N>>& operands, const Tensor<T, N>& out,
                int coordinates_out) {
  double limbs[N];
  const auto k = detail::to_work(radius);
  if constexpr (N == 1) {
    limbs[0] = k;
  } else {
    for (int i = 0; i < N; ++i) limbs[i] = k.limb[i];
  }
  const int n = operands[0].coordinates();
  const std::int64_t points = out.numel() / coordinates_out;
  const std::int64_t blocks = (points + std::int64_t(block) - 1) / std::int64_t(block);
  const int threads = mct::tensor_detail::threads_for(double(points) * n * 100 * N * N);
  mct::tensor_detail::parallel_ranges(blocks, threads, [&](std::int64_t begin, std::int64_t end) {
    const std::size_t rows = std::size_t(std::max(n, coordinates_out) * N) * block;
    std::array<std::vector<double>, 3> in;
    std::array<const double*, 3> pointers{};
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (i < operands.size()) in[i].resize(rows);
      pointers[i] = i < operands.size() ? in[i].data() : in[0].data();
    }
    std::vector<double> result(rows);
    for (std::int64_t b = begin; b < end; ++b) {
      const std::int64_t first = b * std::int64_t(block);
      const auto count = std::size_t(std::min(std::int64_t(block), points - first));
      for (std::size_t i = 0; i < operands.size(); ++i)
        operands[i].gather(first, count, in[i].data());
      kernel(n, count, limbs, pointers.data(), result.data());
      scatter(out, coordinates_out, first, count, result.data());
    }
  });
}

/// Calls f with the manifold of a model.
template <class V, class F>
auto with_manifold(TensorModel model, const V& radius, const F& f) {
  if (model == TensorModel::ball) return f(PoincareBall<V>(radius));
  if (model == TensorModel::half_space) return f(HalfSpace<V>(radius));
  return f(Lorentz<V>(radius));
}

void require_coordinates(TensorModel model, std::int64_t n, const char* what) {
  if (model == TensorModel::lorentz && n < 2)
    throw ShapeError(std::string(what) +
                     ": a point of the hyperboloid has 2 coordinates or more, "
                     "not " +
                     std::to_string(n));
}

}  // namespace

template <class T, int N>
Tensor<T, N> run(TensorModel model, TensorOperation operation, const Value<T, N>& radius,
                 const Tensor<T, N>& x, const Tensor<T, N>& y, const Tensor<T, N>* u) {
  const char* name = name_of(operation);
  Shape shape = broadcast_shapes(leading_shape(x, name), leading_shape(y, name));
  if (u != nullptr) shape = broadcast_shapes(shape, leading_shape(*u, name));
  const std::int64_t n = x.size(-1);
  if (y.size(-1) != n || (u != nullptr && u->size(-1) != n))
    throw ShapeError(std::string(name) + ": points of shapes " + to_string(x.shape()) + ", " +
                     to_string(y.shape()) + (u != nullptr ? ", " + to_string(u->shape()) : "") +
                     " differ in their number of coordinates");
  require_coordinates(model, n, name);
  std::vector<Points<T, N>> operands{{x, shape}, {y, shape}};
  if (u != nullptr) operands.push_back({*u, shape});
  const bool scalar = operation == TensorOperation::dist;
  if (!scalar) shape.push_back(n);
  auto out = Tensor<T, N>::uninitialized(shape);
  const ManifoldTable& table = geometry_detail::active_table<N>();
  run_kernel(table.operation[int(model)][int(operation)], radius, operands, out,
             scalar ? 1 : int(n));
  return out;
}

template <class T, int N>
Tensor<T, N> run_convert(TensorModel from, TensorModel to, const Value<T, N>& radius,
                         const Tensor<T, N>& x) {
  Shape shape = leading_shape(x, "convert");
  const std::int64_t n = x.size(-1);
  require_coordinates(from, n, "convert");
  if (from == to) return from == TensorModel::lorentz ? run_projx(from, radius, x) : x.clone();
  const std::int64_t result =
      n + (to == TensorModel::lorentz ? 1 : 0) - (from == TensorModel::lorentz ? 1 : 0);
  const std::vector<Points<T, N>> operands{{x, shape}};
  shape.push_back(result);
  auto out = Tensor<T, N>::uninitialized(shape);
  const ManifoldTable& table = geometry_detail::active_table<N>();
  run_kernel(table.convert[int(from)][int(to)], radius, operands, out, int(result));
  return out;
}

template <class T, int N>
Tensor<T, N> run_projx(TensorModel model, const Value<T, N>& radius, const Tensor<T, N>& x) {
  using V = Value<T, N>;
  const Shape shape = leading_shape(x, "projx");
  require_coordinates(model, x.size(-1), "projx");
  const Points<T, N> points(x, shape);
  const int n = points.coordinates();
  auto out = Tensor<T, N>::uninitialized(x.shape());
  with_manifold(model, radius, [&](const auto& manifold) {
    for (std::int64_t p = 0; p < numel(shape); ++p) {
      const auto z =
          manifold.projx(detail::generate<Point<V>>(n, [&](int i) { return points.get(p, i); }));
      for (int i = 0; i < n; ++i) {
        if constexpr (N == 1) {
          out.data()[p * n + i] = z[i];
        } else {
          for (int k = 0; k < N; ++k) out.data(k)[p * n + i] = z[i].limb[k];
        }
      }
    }
  });
  return out;
}

template <class T, int N>
Tensor<T, N> origin_like(TensorModel model, const Value<T, N>& radius, const Tensor<T, N>& x) {
  leading_shape(x, "origin");
  const int n = int(x.size(-1));
  std::vector<Value<T, N>> values;
  with_manifold(model, radius, [&](const auto& manifold) {
    const auto origin = manifold.origin(n);
    for (int i = 0; i < n; ++i) values.push_back(origin[i]);
  });
  return Tensor<T, N>::from_values(values);
}

#define MCT_INSTANTIATE(T, N)                                                                      \
  template Tensor<T, N> run(TensorModel, TensorOperation, const Value<T, N>&, const Tensor<T, N>&, \
                            const Tensor<T, N>&, const Tensor<T, N>*);                             \
  template Tensor<T, N> run_convert(TensorModel, TensorModel, const Value<T, N>&,                  \
                                    const Tensor<T, N>&);                                          \
  template Tensor<T, N> run_projx(TensorModel, const Value<T, N>&, const Tensor<T, N>&);           \
  template Tensor<T, N> origin_like(TensorModel, const Value<T, N>&, const Tensor<T, N>&);
MCT_FOR_EACH_POINT_TENSOR(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::geometry::tensor_detail
