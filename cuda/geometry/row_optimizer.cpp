#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/device/run.hpp"
#include "cuda/device/stream_queue.hpp"
#include "cuda/geometry/row_optimizer_launch.hpp"
#include "cuda/geometry/start_sort.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/device_optim.hpp"
#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/optim/row_states.hpp"
#include "mctensor/geometry/optim/row_vectors.hpp"
#include "mctensor/optim/bias_correction.hpp"
#include "src/device/launches.hpp"

namespace mct::cuda {
namespace {

template <class Options>
constexpr bool is_adaptive = std::is_same_v<Options, geometry::RadamOptions>;

/// The first `count` numbers of a device's memory. Waits for the stream.
template <class T>
std::vector<T> values_of(const DeviceMemory& memory, std::int64_t count, const Stream& stream) {
  return StreamQueue(stream).download(static_cast<const T*>(memory.data()), count);
}
/// The name of the space in files.
template <class Space>
std::string name_of_space() {
  return geometry::optim_detail::model_name<Space> +
         (" " + geometry::number_type<double>(geometry_detail::RowsThere<Space>::points));
}
template <class Space, int N>
int dimensions_of(const DeviceTensor<double, N>& points) {
  return int(points.size(1)) - coordinates_beyond<Space>;
}
/// Copies to a tensor of the device that has the same shape.
template <int N>
void write(const DeviceTensor<double, N>& to, const Tensor<double, N>& from) {
  for (int k = 0; k < N; ++k)
    copy(to.data(k), from.data(k), std::size_t(from.numel()) * sizeof(double), to.stream());
}

/// Rows whose tangent vectors have N components, with the members that RowStates needs.
template <int N>
struct HostRows : geometry::optim_detail::RowVectors<HostRows<N>> {
  static constexpr std::size_t parts = 1;
  using VectorTensor = Tensor<double, N>;
  static auto vector_of(std::int64_t n) {
    return geometry::Point<typename VectorTensor::Value>(int(n));
  }
};

/// Zeros in the CPU's memory for the states that an optimizer keeps.
template <int N, class Options>
auto host_states(const Options& options, const Shape& shape) {
  return geometry::optim_detail::RowStates<HostRows<N>>(geometry::optim_detail::kept_by(options),
                                                        shape[0], shape[1]);
}
/// Calls f for each state with the host's tensor and the device's tensor.
template <class States, class Vectors, class F>
void for_each_state(const States& host, const Vectors& vectors, const DeviceTensor<double>& squares,
                    const DeviceTensor<double>& largest, const F& f) {
  using geometry::optim_detail::RowState;
  if (vectors.numel() > 0) f(host.vectors(), vectors);
  if (squares.numel() > 0) f(host.squares(RowState::v), squares);
  if (largest.numel() > 0) f(host.squares(RowState::v_max), largest);
}

}  // namespace

template <class Options, class Space>
RowOptimizer<Options, Space>::RowOptimizer(const Space& space, Points points,
                                           const Options& options)
    : space_(space),
      points_(std::move(points)),
      options_(options),
      log_radius_(std::log(radius())) {
  const std::string name = Options::name;
  options_.check();
  set_lr(options_.lr);
  if (points_.dim() != 2)
    throw ShapeError(name + " on a device: points of shape " + to_string(points_.shape()) +
                     ", expected [rows, n]");
  require_dimension(name, dimensions_of<Space>(points_), Points::components,
                    OptimizedDimensions<Space>());
  const Stream& stream = points_.stream();
  const std::int64_t rows = points_.size(0);
  for (const auto kept : geometry::optim_detail::kept_by(options_))
    if (!is_square(kept)) {
      vectors_ = zeros<double, Vectors::components>(points_.shape(), stream);
    } else {
      (kept == geometry::optim_detail::RowState::v ? squares_ : largest_) =
          zeros<double>({rows}, stream);
    }
  updates_ = DeviceMemory::zeros(std::size_t(rows) * sizeof(std::int64_t), stream);
  stayed_ = DeviceMemory::zeros(std::size_t(rows) * sizeof(std::int64_t), stream);
}

template <class Options, class Space>
void RowOptimizer<Options, Space>::set_lr(double lr) {
  if (!(lr >= 0) || !std::isfinite(lr))
    throw DomainError(std::string(Options::name) + ": lr " + number_text(lr) +
                      " is not a finite number of at least 0");
  options_.lr = lr;
}

template <class Options, class Space>
void RowOptimizer<Options, Space>::correct_up_to([[maybe_unused]] std::int64_t updates) {
  if constexpr (is_adaptive<Options>) {
    if (updates <= corrected_) return;
    // the table doubles each time, until its numbers are 1 and remain 1
    const std::int64_t end = std::max<std::int64_t>({2 * corrected_, 1023, updates});
    std::vector<std::array<double, 2>> table{{0, 0}};  // for no update
    corrected_ = std::numeric_limits<std::int64_t>::max();
    while (table.back() != std::array<double, 2>{1, 1}) {
      const auto t = double(table.size());
      if (t > double(end)) {
        corrected_ = end;
        break;
      }
      table.push_back({mct::optim::bias_correction(options_.beta1, t),
                       mct::optim::bias_correction(options_.beta2, t)});
    }
    last_correction_ = std::int64_t(table.size()) - 1;
    const Stream& stream = points_.stream();
    corrections_ = DeviceMemory::allocate(table.size() * sizeof(table[0]), stream);
    copy(corrections_.data(), table.data(), corrections_.bytes(), stream);
  }
}

template <class Options, class Space>
void RowOptimizer<Options, Space>::step(const DeviceTensor<double>& gradient) {
  const std::string name = Options::name;
  if (gradient.shape() != points_.shape())
    throw ShapeError(name + " on a device: a gradient of shape " + to_string(gradient.shape()) +
                     " for points of shape " + to_string(points_.shape()));
  require_same_device(name, "points and gradient", points_, gradient);
  start(gradient, nullptr);
}

template <class Options, class Space>
void RowOptimizer<Options, Space>::step(const Tensor<std::int64_t>& rows,
                                        const DeviceTensor<double>& gradient) {
  const std::string name = std::string(Options::name) + " on a device";
  const auto index = geometry::optim_detail::checked_rows(name.c_str(), rows, points_.size(0));
  const auto count = std::int64_t(index.size());
  if (gradient.shape() != Shape{count, points_.size(1)})
    throw ShapeError(name + ": gradients of shape " + to_string(gradient.shape()) + " for " +
                     std::to_string(count) + " rows of points of shape " +
                     to_string(points_.shape()));
  require_same_device(Options::name, "points and gradient", points_, gradient);
  const Stream& stream = points_.stream();
  const std::vector<std::int32_t> numbers(index.begin(), index.end());
  const StreamQueue queue(stream);
  const auto there = queue.allocate<std::int32_t>(count);
  copy_async(there.data(), numbers.data(), numbers.size() * sizeof(numbers[0]), stream);
  const auto keys = queue.allocate<RowKey>(count);
  const auto other = queue.allocate<RowKey>(count);
  start(gradient, start_sort(there.data(), count, keys.data(), other.data(), stream));
}

template <class Options, class Space>
void RowOptimizer<Options, Space>::start(const DeviceTensor<double>& gradient, const RowKey* keys) {
  correct_up_to(steps_ + 1);
  ++steps_;
  const bool burning = steps_ <= options_.burn_in.steps;
  const double rate = burning ? options_.lr * options_.burn_in.factor : options_.lr;
  const Stream& stream = points_.stream();
  const Ordered ordered(stream, gradient);
  last_count_ = gradient.size(0);
  const std::size_t bytes = std::size_t(last_count_) * sizeof(std::int32_t);
  if (moved_.bytes() < bytes) moved_ = DeviceMemory::allocate(bytes, stream);
  const DeviceRowStates<Vectors::components> states{
      planes(vectors_),
      squares_.data(),
      largest_.data(),
      static_cast<std::int64_t*>(updates_.data()),
      static_cast<const double(*)[2]>(corrections_.data()),
      last_correction_,
      static_cast<std::int64_t*>(stayed_.data())};
  start_row_optimizer<Options, Space>(
      {space_, dimensions_of<Space>(points_), options_, rate, planes(points_),
       RowGradients{gradient.data(), keys, last_count_, static_cast<std::int32_t*>(moved_.data())},
       states},
      stream);
}

template <class Options, class Space>
geometry::RowStep RowOptimizer<Options, Space>::report() const {
  if (steps_ == 0)
    throw DomainError(std::string(Options::name) + ": report() was called before the first step");
  const auto moved = values_of<std::int32_t>(moved_, last_count_, points_.stream());
  geometry::RowStep outcome;
  outcome.updated = std::count(moved.begin(), moved.end(), 1);
  outcome.nonfinite = std::count(moved.begin(), moved.end(), 0);
  return outcome;
}

template <class Options, class Space>
std::int64_t RowOptimizer<Options, Space>::nonfinite_rows() const {
  const auto stayed = values_of<std::int64_t>(stayed_, points_.size(0), points_.stream());
  return std::accumulate(stayed.begin(), stayed.end(), skipped_);
}

template <class Options, class Space>
void RowOptimizer<Options, Space>::save(const std::filesystem::path& path) const {
  const auto states = host_states<Vectors::components>(options_, points_.shape());
  for_each_state(states, vectors_, squares_, largest_,
                 [](const auto& host, const auto& there) { host.copy_(to_host(there)); });
  geometry::optim_detail::save_rows(
      path, Options::name, name_of_space<Space>(),
      {steps_, nonfinite_rows(),
       values_of<std::int64_t>(updates_, points_.size(0), points_.stream())},
      {log_radius_, {radius()}}, states);
}

template <class Options, class Space>
void RowOptimizer<Options, Space>::load(const std::filesystem::path& path) {
  using namespace geometry::optim_detail;
  const auto own = host_states<Vectors::components>(options_, points_.shape());
  mct::optim::StateReader reader(
      path, description_of_rows(Options::name, name_of_space<Space>(), own.names()));
  const auto counts = reader.counts(std::size_t(points_.size(0)));
  for (const std::int64_t updates : counts.updates)
    if (updates > counts.steps)
      reader.fail("updates", "holds " + std::to_string(updates) + " updates of a row in " +
                                 std::to_string(counts.steps) + " steps");
  const auto states = own.loaded(reader, HostRows<Vectors::components>());
  const RadiiInFile radii = read_radii(reader, 1);
  using Radius = std::remove_cvref_t<decltype(space_.radius())>;
  if (!is_radius<Radius>(radii.radii[0]))
    reader.fail("radii", "is refused: radius " + number_text(radii.radii[0]) +
                             " is not a positive number of " + name_of_space<Space>());
  reader.finish();
  const Stream& stream = points_.stream();
  for_each_state(states, vectors_, squares_, largest_,
                 [](const auto& host, const auto& there) { write(there, host); });
  copy(updates_.data(), counts.updates.data(), updates_.bytes(), stream);
  stayed_ = DeviceMemory::zeros(stayed_.bytes(), stream);
  skipped_ = counts.skipped;
  steps_ = counts.steps;
  space_ = Space(Radius(radii.radii[0]));
  log_radius_ = radii.log_radius;
  last_count_ = 0;
}

#define MCT_INSTANTIATE(...)                                       \
  template class RowOptimizer<geometry::RsgdOptions, __VA_ARGS__>; \
  template class RowOptimizer<geometry::RadamOptions, __VA_ARGS__>;
#define MCT_INSTANTIATE_MODELS(V)            \
  MCT_INSTANTIATE(geometry::PoincareBall<V>) \
  MCT_INSTANTIATE(geometry::HalfSpace<V>)    \
  MCT_INSTANTIATE(geometry::Lorentz<V>)
MCT_INSTANTIATE_MODELS(double)
MCT_INSTANTIATE_MODELS(f64x2)
MCT_INSTANTIATE(geometry::XmcHalfSpace<double, 2>)
MCT_INSTANTIATE(geometry::XmcHalfSpace<double, 3>)
MCT_INSTANTIATE(geometry::McHalfSpace<double, 2>)
MCT_INSTANTIATE(geometry::McHalfSpace<double, 3>)
#undef MCT_INSTANTIATE_MODELS
#undef MCT_INSTANTIATE

}  // namespace mct::cuda
