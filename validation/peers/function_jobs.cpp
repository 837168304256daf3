// Elementary functions of other libraries beside ours.
#include "mctensor/math/all.hpp"

#include "validation/core/oracle_math.hpp"
#include "validation/peers/measure.hpp"
#include "validation/peers/numbers.hpp"

namespace mct::validation {
namespace {

#if MCT_HAVE_QUAD_PEER
/// libquadmath by the names that the others have.
struct QuadFunctions : QuadFloat {
#define MCT_QUAD(name) \
  friend Value name(const Value& x) { return QuadFloat::Value{name##q(x.quad)}; }
  struct Value : QuadFloat::Value {
    Value(QuadFloat::Value v) : QuadFloat::Value(v) {}  // NOLINT(google-explicit-constructor)
    // clang-format off
    MCT_QUAD(exp) MCT_QUAD(log) MCT_QUAD(log10) MCT_QUAD(sin) MCT_QUAD(cos)
    MCT_QUAD(tan) MCT_QUAD(asin) MCT_QUAD(acos) MCT_QUAD(atan) MCT_QUAD(sinh)
    MCT_QUAD(cosh) MCT_QUAD(tanh) MCT_QUAD(asinh) MCT_QUAD(acosh) MCT_QUAD(atanh)
    // clang-format on
  };
#undef MCT_QUAD
  static Value from(const Real& exact) { return QuadFloat::from(exact); }
};
#endif

/// The implementations of one function that all call by the same name.
template <class F>
void enter_function(const PeerEffort& effort, const Function& function, const F& f,
                    PeerJobs& jobs) {
  add_our_job<double, 2>(effort, function, f, jobs);
#if MCT_WITH_QD
  add_peer_job<double, 2, QdDouble2>(effort, function, "QD dd_real", f, jobs);
#endif
#if MCT_HAVE_QUAD_PEER
  add_peer_job<double, 2, QuadFunctions>(effort, function, "__float128", f, jobs);
#endif
  add_peer_job<double, 2, BoostFloat<106>>(effort, function, "Boost cpp_bin_float 106", f, jobs);
  add_our_job<double, 3>(effort, function, f, jobs);
  add_peer_job<double, 3, BoostFloat<159>>(effort, function, "Boost cpp_bin_float 159", f, jobs);
  add_our_job<double, 4>(effort, function, f, jobs);
#if MCT_WITH_QD
  add_peer_job<double, 4, QdDouble4>(effort, function, "QD qd_real", f, jobs);
#endif
  add_peer_job<double, 4, BoostFloat<212>>(effort, function, "Boost cpp_bin_float 212", f, jobs);
  add_our_job<float, 2>(effort, function, f, jobs);
}

}  // namespace

void add_function_jobs(const PeerEffort& effort, PeerJobs& jobs) {
  // functions take their time, and so does the oracle
  const PeerEffort less{effort.seed, effort.cases / 20};
  const auto plan = [](int low, int high, bool positive = false) {
    return InputPlan{.low = low, .high = high, .gap_high = 0, .positive = positive};
  };
#define MCT_ENTER(name, plan)                     \
  enter_function(                                 \
      less, {#name, oracle::name, nullptr, plan}, \
      [](const auto& x, const auto&) { return name(x); }, jobs)
  MCT_ENTER(exp, plan(-8, 5));
  MCT_ENTER(log, plan(-8, 8, true));
  MCT_ENTER(log10, plan(-8, 8, true));
  MCT_ENTER(sin, plan(-8, 5));
  MCT_ENTER(cos, plan(-8, 5));
  MCT_ENTER(tan, plan(-8, 5));
  MCT_ENTER(asin, plan(-8, -1));
  MCT_ENTER(acos, plan(-8, -1));
  MCT_ENTER(atan, plan(-8, 8));
  MCT_ENTER(sinh, plan(-8, 5));
  MCT_ENTER(cosh, plan(-8, 5));
  MCT_ENTER(tanh, plan(-8, 4));
  MCT_ENTER(asinh, plan(-8, 8));
  MCT_ENTER(acosh, plan(0, 8, true));
  MCT_ENTER(atanh, plan(-8, -1));
#undef MCT_ENTER
}

}  // namespace mct::validation
