// The published algorithms as peers, as printed and corrected.
#include "mctensor/expansion/published_algorithms.hpp"
#include "validation/peers/measure.hpp"

namespace mct::validation {
namespace {

/// Rows of one type. An algorithm takes two operands and returns something with N components.
template <class T, int N>
class Rows {
  using X = Expansion<T, N>;

 public:
  using C = published::Components<T, N>;

  Rows(const PeerEffort& effort, PeerJobs& jobs) : effort_(effort), jobs_(jobs) {}

  /// An published algorithm, on its sequences of components.
  template <class Algorithm>
  void enter(const Function& function, const std::string& peer, Algorithm algorithm) {
    enter_row(function, peer, [algorithm](const X& x, const X& y) {
      return published::expansion(algorithm(published::components(x), published::components(y)));
    });
  }

  /// Ours, on expansions.
  template <class Algorithm>
  void enter_ours(const Function& function, Algorithm algorithm) {
    add_our_job<T, N>(effort_, function, algorithm, jobs_);
  }

 private:
  template <class Algorithm>
  void enter_row(const Function& function, const std::string& peer, Algorithm algorithm) {
    add_row_job<T, N>(effort_, function, peer, on_expansions<T, N>(function, algorithm), jobs_);
  }

  const PeerEffort& effort_;
  PeerJobs& jobs_;
};

/// The algorithms that have two faces. Alg. 11, 7, 14 and 15 return more than N components; as
/// published they are put together by Alg. 26, corrected by Alg. 6.
template <class Policy, class T, int N>
void enter_policy(Rows<T, N> rows) {
  using C = typename Rows<T, N>::C;
  const auto row = [&](const Function& function, const std::string& number, auto algorithm) {
    rows.enter(function,
               "Yu 2024 Alg. " + number + (Policy::corrected ? " corrected" : " as printed"),
               algorithm);
  };
  row(Function::add, "11", [](const C& x, const C& y) { return published::add_mcn<Policy>(x, y); });
  row(Function::add_scalar, "7",
      [](const C& x, const C& y) { return published::grow_exp_n<Policy>(x, y[0]); });
  row(Function::mul_scalar, "14",
      [](const C& x, const C& y) { return published::scaling_n<Policy>(x, y[0]); });
  row(Function::mul, "15", [](const C& x, const C& y) { return published::mul_mcn<Policy>(x, y); });
  row(Function::mul, "28",
      [](const C& x, const C& y) { return published::mult_mcn<Policy>(x, y); });
  row(Function::mul, "29",
      [](const C& x, const C& y) { return published::mult_mcn_slow<Policy>(x, y); });
  row(Function::div, "27", [](const C& x, const C& y) { return published::div_mcn<Policy>(x, y); });
  row(Function::square, "32",
      [](const C& x, const C&) { return published::square_mcn<Policy>(x); });
  row(Function::exp, "31", [](const C& x, const C&) { return published::exp_mcn<Policy>(x); });
}

/// Ours, for the functions that the table of other libraries has not.
template <class T, int N>
void enter_ours(Rows<T, N> rows) {
  using X = Expansion<T, N>;
  rows.enter_ours(Function::add_scalar, [](const X& x, const X& y) { return x + y.limb[0]; });
  rows.enter_ours(Function::mul_scalar, [](const X& x, const X& y) { return x * y.limb[0]; });
  rows.enter_ours(Function::square, [](const X& x, const X&) { return square(x); });
}

template <class T, int N>
void enter_type(const PeerEffort& effort, PeerJobs& jobs) {
  Rows<T, N> rows(effort, jobs);
  enter_ours(rows);
  enter_policy<published::AsPrinted>(rows);
  enter_policy<published::Corrected>(rows);
  if constexpr (N == 2) {
    using C = typename Rows<T, N>::C;
    rows.enter(Function::mul_scalar, "Yu 2024 Alg. 22",
               [](const C& x, const C& y) { return published::scaling(y[0], x); });
    rows.enter(Function::mul, "Yu 2024 Alg. 23",
               [](const C& x, const C& y) { return published::mul(x, y); });
  }
}

}  // namespace

void add_published_jobs(const PeerEffort& effort, PeerJobs& jobs) {
  enter_type<double, 2>(effort, jobs);
  enter_type<double, 3>(effort, jobs);
  enter_type<double, 4>(effort, jobs);
  enter_type<float, 2>(effort, jobs);
}

}  // namespace mct::validation
