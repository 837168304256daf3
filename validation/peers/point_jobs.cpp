// Error against the number of components: figures 3.6 and B.14 of Yu 2024.
#include "mctensor/expansion/published_algorithms.hpp"
#include "validation/peers/measure.hpp"
#include "validation/peers/mpfr_peer.hpp"

namespace mct::validation {
namespace {

/// As in the figures, both operands are positive, and it is the magnitude of x that varies while
/// that of y stays within a few binades of 1.
struct Magnitudes {
  const char* name;
  InputPlan plan;
};
const Magnitudes magnitudes[] = {
    {"same", {.low = -4, .high = 4, .gap_low = 0, .gap_high = 1, .positive = true}},
    {"different", {.low = -4, .high = 4, .gap_low = 10, .gap_high = 30, .positive = true}},
};

/// The operation's name in the figures, and the function that it is.
struct FigureOperation {
  const char* name;
  const Function& function;
};
const FigureOperation addition = {"add", Function::add};
const FigureOperation scaling = {"scale", Function::mul_scalar};
const FigureOperation multiplication = {"multiply", Function::mul};

/// The points of one implementation for one pair of magnitudes.
template <class T, int N>
class Points {
 public:
  using X = Expansion<T, N>;

  Points(const PeerEffort& effort, const Magnitudes& chosen, std::string implementation,
         PointJobs& jobs)
      : effort_(effort), chosen_(chosen), implementation_(std::move(implementation)), jobs_(jobs) {}

  /// algorithm(x, y) of expansions; a scalar is the leading limb of y.
  template <class Algorithm>
  void enter(const FigureOperation& operation, Algorithm algorithm) {
    enter_computed(operation, on_expansions<T, N>(operation.function, algorithm));
  }

  /// The operation of a peer's number type.
  template <PeerNumber P, class F>
  void enter_peer(const FigureOperation& operation, F f) {
    enter_computed(operation, on_numbers<T, N, P>(operation.function, f));
  }

 private:
  template <class Compute>
  void enter_computed(const FigureOperation& operation, Compute compute) {
    ComponentPoint point;
    point.operation = operation.name;
    point.magnitudes = chosen_.name;
    point.implementation = implementation_;
    point.precision = FloatTraits<T>::p;
    point.components = N;
    const auto measure = [=, function = operation.function, effort = effort_,
                          plan = chosen_.plan]() mutable {
      const ErrorStatistics errors = measure_errors<T, N>(effort, function, plan, compute);
      // no error at all is -infinity, which the figure shows as an arrow at its lower edge
      point.mean_relative_log2 = relative_log2<T, N>(errors.mean());
      point.worst_relative_log2 = relative_log2<T, N>(errors.max_error);
      return point;
    };
    jobs_.push_back({type_name<T, N>() + ' ' + operation.function.name, measure});
  }

  PeerEffort effort_;
  Magnitudes chosen_;
  std::string implementation_;
  PointJobs& jobs_;
};

template <class T, int N>
void enter_ours(Points<T, N> points) {
  using X = Expansion<T, N>;
  points.enter(addition, [](const X& x, const X& y) { return x + y; });
  points.enter(scaling, [](const X& x, const X& y) { return x * y.limb[0]; });
  points.enter(multiplication, [](const X& x, const X& y) { return x * y; });
}

/// Add-MCN, ScalingN and Mult-MCN, which the figures show.
template <class Policy, class T, int N>
void enter_published(Points<T, N> points) {
  using X = Expansion<T, N>;
  points.enter(addition, [](const X& x, const X& y) {
    return published::expansion(
        published::add_mcn<Policy>(published::components(x), published::components(y)));
  });
  points.enter(scaling, [](const X& x, const X& y) {
    return published::expansion(published::scaling_n<Policy>(published::components(x), y.limb[0]));
  });
  points.enter(multiplication, [](const X& x, const X& y) {
    return published::expansion(
        published::mult_mcn<Policy>(published::components(x), published::components(y)));
  });
}

/// MPFR with as many bits as N components have: the ideal.
template <class T, int N>
void enter_mpfr(Points<T, N> points) {
  using Ideal = MpfrFloat<N * FloatTraits<T>::p>;
  points.template enter_peer<Ideal>(addition, [](auto& x, auto& y) { return x + y; });
  for (const FigureOperation& operation : {scaling, multiplication})
    points.template enter_peer<Ideal>(operation, [](auto& x, auto& y) { return x * y; });
}

template <class T, int N>
void enter_length(const PeerEffort& effort, PointJobs& jobs) {
  for (const Magnitudes& chosen : magnitudes) {
    enter_ours(Points<T, N>(effort, chosen, "MCTensor C++", jobs));
    enter_mpfr(Points<T, N>(effort, chosen, "MPFR", jobs));
    enter_published<published::Corrected>(Points<T, N>(effort, chosen, "Yu 2024 corrected", jobs));
    enter_published<published::AsPrinted>(Points<T, N>(effort, chosen, "Yu 2024 as printed", jobs));
  }
}

template <class T>
void enter_component(const PeerEffort& effort, PointJobs& jobs) {
  enter_length<T, 1>(effort, jobs);
  enter_length<T, 2>(effort, jobs);
  enter_length<T, 3>(effort, jobs);
  enter_length<T, 4>(effort, jobs);
}

}  // namespace

void add_point_jobs(const PeerEffort& effort, PointJobs& jobs) {
  enter_component<double>(effort, jobs);
  enter_component<float>(effort, jobs);
}

}  // namespace mct::validation
