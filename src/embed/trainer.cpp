// Training: options, epochs.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/distributed/agreement.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/error.hpp"
#include "src/embed/kernels/train_table.hpp"
#include "src/embed/neighbour_loss.hpp"
#include "src/embed/point_table.hpp"
#include "src/embed/trainer_state.hpp"
#include "src/graph/draws.hpp"

namespace mct::embed {
namespace {

/// Refuses options of one training.
struct OptionCheck {
  const char* what;
  void operator()(const char* name, double value, bool good) const {
    if (!good)
      throw DomainError(what + (": " + std::string(name)) + " " + number_text(value) +
                        " makes no sense");
  }
};

template <class T, PointStorage M>
embed_detail::TrainKernels<T> kernels_in(const EmbeddingSpace& space) {
  using namespace embed_detail;
  return MCT_SELECT_KERNELS(train_kernels<M, T>(space.components, space.dimensions));
}

template <class T>
embed_detail::TrainKernels<T> kernels_of(const EmbeddingSpace& space) {
  using enum PointStorage;
  const auto choose = [&] {
    switch (trained_as(space.storage)) {
      case xmc_half_space:
        return kernels_in<T, xmc_half_space>(space);
      case mc_half_space:
        return kernels_in<T, mc_half_space>(space);
      case ball:
        return kernels_in<T, ball>(space);
      case lorentz:
        return kernels_in<T, lorentz>(space);
      case h_tiling:
        return kernels_in<T, h_tiling>(space);
      default:
        return kernels_in<T, l_tiling>(space);
    }
  };
  const embed_detail::TrainKernels<T> kernels = choose();
  if (kernels.gradients != nullptr) return kernels;
  throw DomainError("training: not in the space " + space.text() +
                    (std::is_same_v<T, float>
                         ? " in float32; in it there are ball, lorentz, half-space, l-tiling "
                           "and h-tiling with one component, and xmc-half-space with one or two"
                         : ""));
}

embed_detail::AnyKernels kernels_of(const TrainOptions& options) {
  if (options.dtype == Dtype::float32) return kernels_of<float>(options.space);
  return kernels_of<double>(options.space);
}

std::shared_ptr<const Graph> checked(std::shared_ptr<const Graph> graph,
                                     const TrainOptions& options) {
  options.check();
  if (!graph) throw DomainError("training: no graph given, but a null pointer");
  if (graph->edge_count() == 0) throw DomainError("training: a graph without edges");
  return graph;
}

}  // namespace

void TrainOptions::check(const char* what) const {
  const OptionCheck check_option{what};
  space.check();
  // first: others are chosen by it
  check_option("batch", double(batch), batch >= 1 && batch <= 1 << 20);
  check_option("lr", lr, lr >= 0 && std::isfinite(lr));
  check_option("lr_peak", lr_peak, lr_peak >= 1 && std::isfinite(lr_peak));
  check_option("beta1", beta1, beta1 >= 0 && beta1 < 1);
  check_option("beta2", beta2, beta2 >= 0 && beta2 < 1);
  check_option("eps", eps, eps >= 0 && std::isfinite(eps));
  check_option("negatives", negatives, negatives >= 1 && negatives <= 1 << 12);
  check_option("sharpness", sharpness, sharpness > 0 && std::isfinite(sharpness));
  check_option("epochs", double(epochs), epochs >= 0 && epochs < UINT32_MAX);
  check_option("burn_in", double(burn_in), burn_in >= 0);
  check_option("burn_in_factor", burn_in_factor,
               burn_in_factor >= 0 && std::isfinite(burn_in_factor));
  check_option("cool_down", double(cool_down), cool_down >= 0);
  check_option("init", init, init >= 0 && init <= 0.25);
  check_option("longest_step", longest_step, longest_step > 0);
  check_option("radius_lr", radius_lr, radius_lr >= 0 && std::isfinite(radius_lr));
}

Trainer::State::State(std::shared_ptr<const Graph> with, const TrainOptions& chosen,
                      std::shared_ptr<distributed::Communicator> together_with,
                      std::unique_ptr<TrainingLoss> own_loss)
    : graph(checked(std::move(with), chosen)),
      options(chosen),
      ranks(std::move(together_with)),
      kernels(kernels_of(chosen)),
      loss(own_loss ? std::move(own_loss)
                    : std::make_unique<NeighbourLoss>(*graph, chosen, kernels)),
      points(initial_points(chosen, std::int64_t(graph->node_count()))),
      moments({chosen.optimizer == Optimizer::radam ? points.size(0) : 0,
               std::int64_t(tangents_of(chosen.space) + embed_detail::Moments::more)}),
      log_radius(std::log(chosen.space.radius)) {
  if (loss->settles())
    for (std::int64_t row = 0; row < points.size(0); ++row)
      loss->settle(points.data() + row * points.size(1));
  if (!ranks) return;
  distributed::Settings settings = description();
  settings.emplace("epochs", std::to_string(options.epochs));
  settings.emplace("dtype", name_of(options.dtype));
  distributed::require_agreement(*ranks, settings);
  exchange = std::make_unique<RowExchange>(*ranks, points.size(0), tangents_of(chosen.space));
}

std::int64_t Trainer::State::batches_in_epoch() const {
  return (std::int64_t(graph->edge_count()) + options.batch - 1) / options.batch;
}

std::int64_t Trainer::State::edges_of(std::int64_t number) const {
  return std::min(options.batch, std::int64_t(graph->edge_count()) - number * options.batch);
}

double Trainer::State::rate() const {
  if (burning()) return options.lr * options.burn_in_factor;
  const std::int64_t last = options.epochs - 1;
  const std::int64_t highest = std::max(last - options.cool_down, options.burn_in);
  double risen = 1;  // a part of the way from lr to the highest rate
  if (epoch < highest) {
    risen = double(epoch - options.burn_in) / double(highest - options.burn_in);
  } else if (options.cool_down > 0) {
    risen = std::min(double(last - epoch) / double(options.cool_down), 1.0);
  }
  return options.lr * (1 + (options.lr_peak - 1) * risen);
}

template <class T>
embed_detail::Steps<T> Trainer::State::steps_at(double radius) const {
  embed_detail::Steps<T> steps{};
  steps.rate = -rate() / (radius * radius);
  steps.longest = options.longest_step;
  if (options.optimizer == Optimizer::radam) {
    steps.rate = -rate() / radius;
    steps.moments = {moments.data(), options.beta1, options.beta2, options.eps * radius};
  }
  return steps;
}
template embed_detail::Steps<float> Trainer::State::steps_at(double radius) const;
template embed_detail::Steps<double> Trainer::State::steps_at(double radius) const;

void Trainer::State::follow_slope(double slope) {
  if (options.radius_lr > 0 && std::isfinite(slope))
    log_radius -= options.radius_lr * std::exp(log_radius) * options.sharpness * slope;
}

void Trainer::State::run(std::int64_t batches) {
  if (order.empty()) order = edge_order(graph->edge_count(), options.seed, epoch);
  if (!runner || !runner->is_current())
    std::visit(
        [&]<class T>(const embed_detail::TrainKernels<T>&) {
          runner = std::make_unique<BatchLoop<T>>(*this);
        },
        kernels);
  runner->run(batches);
  if (is_log_radius(log_radius)) return;
  throw DomainError("training: the radius became " + number_text(std::exp(log_radius)) +
                    " in epoch " + std::to_string(epoch + 1) + ": the rate " +
                    number_text(options.radius_lr) +
                    " of its logarithm is too large (TrainOptions::radius_lr, --learn-radius)");
}

void Trainer::State::end_epoch() {
  const auto examples = std::int64_t(graph->edge_count()) * loss->examples_of_edge();
  report = {loss_sum / double(examples), examples, stayed};
  ++epoch;
  loss->end_epoch(epoch, epoch == options.epochs, points, std::exp(log_radius));
  batch = 0;
  loss_sum = 0;
  stayed = 0;
  order.clear();
}

Trainer::State::~State() = default;

Trainer::Trainer(std::shared_ptr<const Graph> graph, const TrainOptions& options,
                 std::shared_ptr<distributed::Communicator> ranks)
    : state_(std::make_unique<State>(std::move(graph), options, std::move(ranks))) {}
Trainer::Trainer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;
Trainer::~Trainer() = default;

const TrainOptions& Trainer::options() const { return state_->options; }
const Graph& Trainer::graph() const { return *state_->graph; }
std::int64_t Trainer::epochs() const { return state_->epoch; }
std::int64_t Trainer::batches() const { return state_->batch; }
std::int64_t Trainer::batches_in_epoch() const { return state_->batches_in_epoch(); }
bool Trainer::done() const { return state_->epoch >= state_->options.epochs; }
double Trainer::radius() const {
  // as it was given, until it is learned
  return state_->options.radius_lr > 0 ? std::exp(state_->log_radius)
                                       : state_->options.space.radius;
}
const EpochReport& Trainer::last_epoch() const { return state_->report; }

bool Trainer::advance(std::int64_t batches) {
  if (done()) return false;
  const std::int64_t left = batches_in_epoch() - state_->batch;
  state_->run(std::clamp<std::int64_t>(batches, 0, left));
  if (state_->batch < batches_in_epoch()) return false;
  state_->end_epoch();
  return true;
}

void Trainer::collect() {
  if (!state_->exchange) return;
  state_->exchange->collect(state_->points);
  state_->exchange->collect(state_->moments);
}

Embedding Trainer::embedding() const {
  if (state_->runner) state_->runner->fetch();
  EmbeddingSpace space = state_->options.space;
  space.radius = radius();
  return {state_->graph->names(), space,
          coordinates_of(space, state_->points, state_->options.dtype)};
}

}  // namespace mct::embed
