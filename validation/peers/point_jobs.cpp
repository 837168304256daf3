// Error against the number of components: the seed's figures 3.6 and B.14.
#include <algorithm>

#include "mctensor/expansion/seed_algorithms.hpp"
#include "validation/peers/measure.hpp"

namespace mct::validation {
namespace {

/// add: x + y, scale: x times one component, multiply: x y.
template <class T, int N, class Algorithm>
void enter(const PeerEffort& effort, const std::string& operation, const std::string& magnitudes,
           const std::string& implementation, Algorithm algorithm, std::vector<PointJob>& jobs) {
  const std::string function = operation == "add" ? "add" : "mul";
  jobs.push_back({type_name<T, N>() + ' ' + function, [=] {
                    const auto compute = [&](const Expansion<T, N>& a, const Expansion<T, N>& b,
                                             Real& x, Real& y, Real& result) {
                      x.set_exact(a);
                      const Expansion<T, N> second =
                          operation == "scale" ? Expansion<T, N>(b.limb[0]) : b;
                      y.set_exact(second);
                      const Expansion<T, N> r = algorithm(a, second);
                      mpfr_set_prec(result.get(), 64 * N + 512);
                      mpfr_set_zero(result.get(), 1);
                      for (int i = 0; i < N; ++i)
                        mpfr_add_d(result.get(), result.get(), double(r.limb[i]), MPFR_RNDN);
                    };
                    const Function& f = basic_functions[function == "add" ? 0 : 2];
                    const Spread spread = magnitudes == "same" ? Spread{0, 0} : Spread{-30, -10};
                    const ErrorStatistics errors = measure_peer<T, N>(effort, spread, f, compute);
                    ComponentPoint point;
                    point.operation = operation;
                    point.magnitudes = magnitudes;
                    point.implementation = implementation;
                    point.precision = FloatTraits<T>::p;
                    point.components = N;
                    // no error at all is shown as a quarter of the last of N p bits
                    constexpr int bits = N * FloatTraits<T>::p;
                    point.mean_relative_log2 = std::max(std::log2(errors.mean()), -2.0) - bits;
                    point.worst_relative_log2 = std::max(std::log2(errors.max_error), -2.0) - bits;
                    return point;
                  }});
}

template <class T, int N, class Policy>
void enter_seed(const PeerEffort& effort, const std::string& magnitudes, const std::string& name,
                std::vector<PointJob>& jobs) {
  using X = Expansion<T, N>;
  enter<T, N>(
      effort, "add", magnitudes, name,
      [](const X& x, const X& y) {
        return seed::expansion(seed::add_mcn<Policy>(seed::components(x), seed::components(y)));
      },
      jobs);
  enter<T, N>(
      effort, "scale", magnitudes, name,
      [](const X& x, const X& y) {
        return seed::expansion(seed::scaling_n<Policy>(seed::components(x), y.limb[0]));
      },
      jobs);
  enter<T, N>(
      effort, "multiply", magnitudes, name,
      [](const X& x, const X& y) {
        return seed::expansion(seed::mult_mcn<Policy>(seed::components(x), seed::components(y)));
      },
      jobs);
}

template <class T, int N>
void enter_length(const PeerEffort& effort, std::vector<PointJob>& jobs) {
  using X = Expansion<T, N>;
  for (const std::string magnitudes : {"same", "different"}) {
    const std::string ours = "MCTensor C++";
    enter<T, N>(
        effort, "add", magnitudes, ours, [](const X& x, const X& y) { return x + y; }, jobs);
    enter<T, N>(
        effort, "scale", magnitudes, ours, [](const X& x, const X& y) { return x * y.limb[0]; },
        jobs);
    enter<T, N>(
        effort, "multiply", magnitudes, ours, [](const X& x, const X& y) { return x * y; }, jobs);
    enter_seed<T, N, seed::Corrected>(effort, magnitudes, "seed corrected", jobs);
    enter_seed<T, N, seed::Published>(effort, magnitudes, "seed as published", jobs);
  }
}

template <class T>
void enter_component(const PeerEffort& effort, std::vector<PointJob>& jobs) {
  enter_length<T, 1>(effort, jobs);
  enter_length<T, 2>(effort, jobs);
  enter_length<T, 3>(effort, jobs);
  enter_length<T, 4>(effort, jobs);
}

}  // namespace

void add_point_jobs(const PeerEffort& effort, std::vector<PointJob>& jobs) {
  enter_component<double>(effort, jobs);
  enter_component<float>(effort, jobs);
}

}  // namespace mct::validation
