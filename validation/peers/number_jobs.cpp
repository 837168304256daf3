// Other number types beside ours: MPFR, QD, __float128, Boost and plain double.
#include "validation/peers/measure.hpp"
#include "validation/peers/numbers.hpp"

namespace mct::validation {
namespace {

constexpr Function compared[] = {Function::add, Function::sub, Function::mul, Function::div,
                                 Function::sqrt};

/// The five functions of peer P beside Expansion<T, N>.
template <class T, int N, PeerNumber P>
void enter(const PeerEffort& effort, const std::string& peer, PeerJobs& jobs) {
  for (const Function function : compared) {
    add_row_job<T, N>(effort, function, peer, on_numbers<T, N, P>(function), jobs);
  }
}

/// The same five functions by our own type.
template <class T, int N>
void enter_ours(const PeerEffort& effort, PeerJobs& jobs) {
  using X = Expansion<T, N>;
  const auto row = [&](Function function, auto algorithm) {
    add_row_job<T, N>(effort, function, "MCTensor C++", on_expansions<T, N>(function, algorithm),
                      jobs);
  };
  row(Function::add, [](const X& x, const X& y) { return x + y; });
  row(Function::sub, [](const X& x, const X& y) { return x - y; });
  row(Function::mul, [](const X& x, const X& y) { return x * y; });
  row(Function::div, [](const X& x, const X& y) { return x / y; });
  row(Function::sqrt, [](const X& x, const X&) { return sqrt(x); });
}

/// Ours, and MPFR with the bits of N components.
template <class T, int N>
void enter_basic(const PeerEffort& effort, PeerJobs& jobs) {
  constexpr int bits = N * FloatTraits<T>::p;
  enter_ours<T, N>(effort, jobs);
  enter<T, N, MpfrFloat<bits>>(effort, "MPFR " + std::to_string(bits), jobs);
}

template <int N>
void enter_boost(const PeerEffort& effort, PeerJobs& jobs) {
  constexpr int bits = N * FloatTraits<double>::p;
  enter<double, N, BoostFloat<bits>>(effort, "Boost cpp_bin_float " + std::to_string(bits), jobs);
}

#if MCT_WITH_QD
template <class Q, int N>
void enter_qd(const PeerEffort& effort, const std::string& name, PeerJobs& jobs) {
  enter<double, N, QdPeer<Q, N>>(effort, name, jobs);
  enter<double, N, QdAccuratePeer<Q, N>>(effort, name + " accurate", jobs);
}
#endif

}  // namespace

void add_number_jobs(const PeerEffort& effort, PeerJobs& jobs) {
  enter_basic<double, 2>(effort, jobs);
#if MCT_WITH_QD
  enter_qd<dd_real, 2>(effort, "QD dd_real", jobs);
#endif
#if MCT_HAVE_QUAD_PEER
  enter<double, 2, QuadFloat>(effort, "__float128", jobs);
#endif
  enter_boost<2>(effort, jobs);

  enter_basic<double, 3>(effort, jobs);
  enter_boost<3>(effort, jobs);

  enter_basic<double, 4>(effort, jobs);
#if MCT_WITH_QD
  enter_qd<qd_real, 4>(effort, "QD qd_real", jobs);
#endif
  enter_boost<4>(effort, jobs);

  enter_basic<float, 2>(effort, jobs);
  enter<float, 2, PlainDouble>(effort, "double", jobs);
  enter_basic<float, 3>(effort, jobs);
  enter_basic<float, 4>(effort, jobs);
}

}  // namespace mct::validation
