// The seed's algorithms as peers: as published and corrected.
#include "mctensor/expansion/seed_algorithms.hpp"
#include "validation/peers/measure.hpp"

namespace mct::validation {
namespace {

const Function exponential = {
    "exp", 1, [](mpfr_ptr r, const Real& x, const Real&) { mpfr_exp(r, x.get(), MPFR_RNDN); }};
const Function squaring = {
    "square", 1, [](mpfr_ptr r, const Real& x, const Real&) { mpfr_sqr(r, x.get(), MPFR_RNDN); }};

const Function& named(const std::string& name) {
  for (const Function& function : basic_functions)
    if (function.name == name) return function;
  return name == "exp" ? exponential : squaring;
}

/// One algorithm of N components: (x, y) -> components.
template <class T, int N, class Algorithm>
void enter(const PeerEffort& effort, const std::string& function, const std::string& peer,
           Algorithm algorithm, std::vector<PeerJob>& jobs) {
  jobs.push_back({type_name<T, N>() + ' ' + function, [=] {
                    Real part;
                    const auto compute = [&](const Expansion<T, N>& a, const Expansion<T, N>& b,
                                             Real& x, Real& y, Real& result) {
                      // exponents of exp stay small; the other operations take the inputs as they
                      // are
                      const auto scaled = function == "exp" ? ldexp(a, -8) : a;
                      x.set_exact(scaled);
                      y.set_exact(b);
                      const auto r = algorithm(seed::components(scaled), seed::components(b));
                      // its components may overlap or stand out of order: add them exactly
                      T terms[N];
                      for (int i = 0; i < N; ++i) terms[i] = r[i];
                      result.set_exact(terms, 1);
                      mpfr_prec_round(result.get(), 64 * N + 512, MPFR_RNDN);
                      for (int i = 1; i < N; ++i)
                        mpfr_add_d(result.get(), result.get(), double(terms[i]), MPFR_RNDN);
                    };
                    return peer_row<T, N>(function, peer,
                                          measure_peer<T, N>(effort, {-3, 3, function == "add"},
                                                             named(function), compute));
                  }});
}

template <class Policy, class T, int N>
void enter_policy(const PeerEffort& effort, const std::string& face, std::vector<PeerJob>& jobs) {
  using C = seed::Components<T, N>;
  const auto row = [&](const std::string& function, const std::string& number, auto algorithm) {
    enter<T, N>(effort, function, "seed Alg. " + number + ' ' + face, algorithm, jobs);
  };
  row("add", "11", [](const C& x, const C& y) { return seed::add_mcn<Policy>(x, y); });
  row("mul", "15", [](const C& x, const C& y) { return seed::mul_mcn<Policy>(x, y); });
  row("div", "27", [](const C& x, const C& y) { return seed::div_mcn<Policy>(x, y); });
  row("mul", "28", [](const C& x, const C& y) { return seed::mult_mcn<Policy>(x, y); });
  row("mul", "29", [](const C& x, const C& y) { return seed::mult_mcn_slow<Policy>(x, y); });
  row("exp", "31", [](const C& x, const C&) { return seed::exp_mcn<Policy>(x); });
  row("square", "32", [](const C& x, const C&) { return seed::square_mcn<Policy>(x); });
}

template <class T, int N>
void enter_both(const PeerEffort& effort, std::vector<PeerJob>& jobs) {
  enter_policy<seed::Published, T, N>(effort, "as published", jobs);
  enter_policy<seed::Corrected, T, N>(effort, "corrected", jobs);
}

}  // namespace

void add_seed_jobs(const PeerEffort& effort, std::vector<PeerJob>& jobs) {
  enter_both<double, 2>(effort, jobs);
  enter_both<double, 3>(effort, jobs);
  enter_both<double, 4>(effort, jobs);
  enter_both<float, 2>(effort, jobs);
  using C = seed::Components<double, 2>;
  enter<double, 2>(
      effort, "mul", "seed Alg. 23", [](const C& x, const C& y) { return seed::mul(x, y); }, jobs);
}

}  // namespace mct::validation
