#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/device/run.hpp"
#include "cuda/geometry/row_optimizer_launch.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/device_optim.hpp"
#include "mctensor/optim/bias_correction.hpp"
#include "src/device/launches.hpp"

namespace mct::cuda {
namespace {

template <class Options>
constexpr bool is_adaptive = std::is_same_v<Options, geometry::RadamOptions>;
template <class Options>
constexpr const char* name_of = is_adaptive<Options> ? "Radam" : "Rsgd";

template <int N>
DeviceTensor<double, N> zeros_of(const Shape& shape, const Stream& stream) {
  return to_device(Tensor<double, N>(shape), stream);
}
template <class T>
DeviceMemory zeros_of(std::int64_t count, const Stream& stream) {
  const std::vector<T> zeros(static_cast<std::size_t>(count));
  DeviceMemory memory = DeviceMemory::allocate(zeros.size() * sizeof(T), stream);
  copy(memory.data(), zeros.data(), memory.bytes(), stream);
  return memory;
}

}  // namespace

template <class Options, RowKind kind, int N>
RowOptimizer<Options, kind, N>::RowOptimizer(geometry::TensorModel model, const Radius& radius,
                                             DeviceTensor<double, N> points, const Options& options)
    : model_(model), radius_(radius), points_(std::move(points)), options_(options) {
  const std::string name = name_of<Options>;
  options_.check();
  set_lr(options_.lr);
  if (points_.dim() != 2)
    throw ShapeError(name + " on a device: points of shape " + to_string(points_.shape()) +
                     ", expected [rows, n]");
  require_dimension(name, int(points_.size(1)) - int(model == geometry::TensorModel::lorentz), N,
                    OptimizedDimensions<kind, N>());
  const Stream& stream = points_.stream();
  const std::int64_t rows = points_.size(0);
  bool keeps_vectors = true;
  if constexpr (is_adaptive<Options>) {
    squares_ = zeros_of<1>({rows}, stream);
    if (options_.amsgrad) largest_ = zeros_of<1>({rows}, stream);
  } else {
    keeps_vectors = options_.momentum > 0;
  }
  if (keeps_vectors) vectors_ = zeros_of<Vectors::components>(points_.shape(), stream);
  updates_ = zeros_of<std::int64_t>(rows, stream);
  moved_ = zeros_of<std::int32_t>(rows, stream);
}

template <class Options, RowKind kind, int N>
void RowOptimizer<Options, kind, N>::set_lr(double lr) {
  if (!(lr >= 0) || !std::isfinite(lr))
    throw DomainError(std::string(name_of<Options>) + ": lr " + std::to_string(lr) +
                      " is no learning rate");
  options_.lr = lr;
}

template <class Options, RowKind kind, int N>
void RowOptimizer<Options, kind, N>::correct_up_to([[maybe_unused]] std::int64_t updates) {
  if constexpr (is_adaptive<Options>) {
    if (updates <= corrected_) return;
    // twice as many each time
    corrected_ = std::max<std::int64_t>(2 * corrected_, 1023);
    std::vector<std::array<double, 2>> table{{1, 1}};
    for (std::int64_t t = 1; t <= corrected_; ++t)
      table.push_back({mct::optim::bias_correction(options_.beta1, double(t)),
                       mct::optim::bias_correction(options_.beta2, double(t))});
    const Stream& stream = points_.stream();
    corrections_ = DeviceMemory::allocate(table.size() * sizeof(table[0]), stream);
    copy(corrections_.data(), table.data(), corrections_.bytes(), stream);
  }
}

template <class Options, RowKind kind, int N>
void RowOptimizer<Options, kind, N>::step(const DeviceTensor<double>& gradient) {
  const std::string name = name_of<Options>;
  if (gradient.shape() != points_.shape())
    throw ShapeError(name + " on a device: a gradient of shape " + to_string(gradient.shape()) +
                     " for points of shape " + to_string(points_.shape()));
  require_same_device(name, "points and gradient", points_, gradient);
  correct_up_to(steps_ + 1);
  ++steps_;
  const bool burning = steps_ <= options_.burn_in.steps;
  const double rate = burning ? options_.lr * options_.burn_in.factor : options_.lr;
  const Stream& stream = points_.stream();
  const Ordered ordered(stream, gradient);
  const RowStates<Vectors::components> states{planes(vectors_),
                                              squares_.data(),
                                              largest_.data(),
                                              static_cast<std::int64_t*>(updates_.data()),
                                              static_cast<const double(*)[2]>(corrections_.data()),
                                              static_cast<std::int32_t*>(moved_.data())};
  const int more = int(model_ == geometry::TensorModel::lorentz);
  start_row_optimizer<Options, kind, N>(
      {model_, int(points_.size(1)) - more, radius_, options_, rate, planes(points_),
       gradient.data(), states, points_.size(0)},
      stream);
}

template <class Options, RowKind kind, int N>
geometry::RowStep RowOptimizer<Options, kind, N>::report() const {
  if (steps_ == 0)
    throw DomainError(std::string(name_of<Options>) + ": there was no step to report");
  std::vector<std::int32_t> moved(static_cast<std::size_t>(points_.size(0)));
  copy(moved.data(), moved_.data(), moved_.bytes(), points_.stream());
  geometry::RowStep outcome;
  outcome.updated = std::count(moved.begin(), moved.end(), 1);
  outcome.nonfinite = points_.size(0) - outcome.updated;
  return outcome;
}

#define MCT_INSTANTIATE(kind, N)                                        \
  template class RowOptimizer<geometry::RsgdOptions, RowKind::kind, N>; \
  template class RowOptimizer<geometry::RadamOptions, RowKind::kind, N>;
MCT_INSTANTIATE(manifold, 1)
MCT_INSTANTIATE(manifold, 2)
MCT_INSTANTIATE(half_space, 2)
MCT_INSTANTIATE(half_space, 3)
#undef MCT_INSTANTIATE

}  // namespace mct::cuda
