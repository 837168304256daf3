// MPFR, QD, __float128, Boost and plain double beside our types.
#include "validation/peers/measure.hpp"
#include "validation/peers/numbers.hpp"
#include "validation/peers/quad.hpp"

namespace mct::validation {
namespace {

/// Our own type behind the peers' interface.
template <class T, int N>
struct Ours {
  using Value = Expansion<T, N>;
};

template <class Value>
Value apply(const Function& function, const Value& a, const Value& b) {
  using std::sqrt;
  if (function.name == "add") return a + b;
  if (function.name == "sub") return a - b;
  if (function.name == "mul") return a * b;
  if (function.name == "div") return a / b;
  return sqrt(a);
}

template <class T, int N, class Number>
void enter(const PeerEffort& effort, const std::string& peer, std::vector<PeerJob>& jobs) {
  for (const Function& function : basic_functions) {
    jobs.push_back({type_name<T, N>() + ' ' + function.name, [=] {
                      Real wide;
                      const auto compute = [&](const Expansion<T, N>& a, const Expansion<T, N>& b,
                                               Real& x, Real& y, Real& result) {
                        if constexpr (std::is_same_v<Number, Ours<T, N>>) {
                          x.set_exact(a);
                          y.set_exact(b);
                          result.set_exact(apply(function, a, b));
                        } else {
                          wide.set_exact(a);
                          const auto u = Number::from(wide);
                          wide.set_exact(b);
                          const auto v = Number::from(wide);
                          Number::to(u, x);
                          Number::to(v, y);
                          Number::to(apply(function, u, v), result);
                        }
                      };
                      const Spread spread{-3, 3, function.name == "add" || function.name == "sub"};
                      return peer_row<T, N>(function.name, peer,
                                            measure_peer<T, N>(effort, spread, function, compute));
                    }});
  }
}

}  // namespace

void add_number_jobs(const PeerEffort& effort, std::vector<PeerJob>& jobs) {
  const std::string ours = "MCTensor C++";
  enter<double, 2, Ours<double, 2>>(effort, ours, jobs);
  enter<double, 2, MpfrFloat<106>>(effort, "MPFR 106", jobs);
#if MCT_WITH_QD
  enter<double, 2, QdDouble2>(effort, "QD dd_real", jobs);
#endif
#if MCT_HAVE_QUAD_PEER
  enter<double, 2, QuadFloat>(effort, "__float128", jobs);
#endif
  enter<double, 2, BoostFloat<106>>(effort, "Boost cpp_bin_float 106", jobs);
  enter<double, 3, Ours<double, 3>>(effort, ours, jobs);
  enter<double, 3, MpfrFloat<159>>(effort, "MPFR 159", jobs);
  enter<double, 3, BoostFloat<159>>(effort, "Boost cpp_bin_float 159", jobs);
  enter<double, 4, Ours<double, 4>>(effort, ours, jobs);
  enter<double, 4, MpfrFloat<212>>(effort, "MPFR 212", jobs);
#if MCT_WITH_QD
  enter<double, 4, QdDouble4>(effort, "QD qd_real", jobs);
#endif
  enter<double, 4, BoostFloat<212>>(effort, "Boost cpp_bin_float 212", jobs);
  enter<float, 2, Ours<float, 2>>(effort, ours, jobs);
  enter<float, 2, MpfrFloat<48>>(effort, "MPFR 48", jobs);
  enter<float, 2, PlainDouble>(effort, "double", jobs);
  enter<float, 3, Ours<float, 3>>(effort, ours, jobs);
  enter<float, 3, MpfrFloat<72>>(effort, "MPFR 72", jobs);
  enter<float, 4, Ours<float, 4>>(effort, ours, jobs);
  enter<float, 4, MpfrFloat<96>>(effort, "MPFR 96", jobs);
}

}  // namespace mct::validation
