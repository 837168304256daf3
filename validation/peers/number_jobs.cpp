// Other number types beside ours: MPFR, QD, __float128, Boost and plain double.
#include "validation/peers/measure.hpp"
#include "validation/peers/numbers.hpp"

namespace mct::validation {
namespace {

/// Calls row(function, f) for the functions that all numbers have.
template <class Row>
void for_each_compared(const Row& row) {
  row(Function::add, [](const auto& x, const auto& y) { return x + y; });
  row(Function::sub, [](const auto& x, const auto& y) { return x - y; });
  row(Function::mul, [](const auto& x, const auto& y) { return x * y; });
  row(Function::div, [](const auto& x, const auto& y) { return x / y; });
  row(Function::sqrt, [](const auto& x, const auto&) { return peer_detail::root(x); });
}

/// These of peer P beside Expansion<T, N>.
template <class T, int N, PeerNumber P>
void enter(const PeerEffort& effort, const std::string& peer, PeerJobs& jobs) {
  for_each_compared([&](const Function& function, auto f) {
    add_peer_job<T, N, P>(effort, function, peer, f, jobs);
  });
}

/// Ours, and MPFR with the bits of N components.
template <class T, int N>
void enter_basic(const PeerEffort& effort, PeerJobs& jobs) {
  constexpr int bits = N * FloatTraits<T>::p;
  for_each_compared(
      [&](const Function& function, auto f) { add_our_job<T, N>(effort, function, f, jobs); });
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
