// Elementary functions of other libraries beside ours.
#include "mctensor/math/all.hpp"

#include "validation/core/oracle_math.hpp"
#include "validation/peers/measure.hpp"
#include "validation/peers/numbers.hpp"

namespace mct::validation {
namespace {

/// A function, where its arguments lie, and its exact value.
struct MathFunction {
  const char* name;
  UnaryOracle oracle;
  InputPlan plan;
};

/// The errors of compute(x, PeerCase&) in u^N |exact|.
template <class T, int N, class Compute>
ErrorStatistics measure_function(const PeerEffort& effort, const MathFunction& function,
                                 Compute compute) {
  PeerInputs<T, N> inputs(effort.seed, function.name, function.plan);
  constexpr mpfr_prec_t bits = N * FloatTraits<T>::p;
  PeerCase c;
  Real exact(4 * bits), difference(64);
  ErrorStatistics errors;
  // functions take their time, and so does the oracle
  for (int i = 0; i < effort.cases / 20; ++i) {
    const auto x = inputs.next().first;
    compute(x, c);
    function.oracle(exact.get(), c.x.get());
    if (!mpfr_number_p(exact.get())) continue;
    if (!mpfr_number_p(c.result.get())) {
      errors.add(INFINITY);
      continue;
    }
    mpfr_sub(difference.get(), c.result.get(), exact.get(), MPFR_RNDA);
    errors.add(scaled_ratio(magnitude_of(difference.get()), magnitude_of(exact.get()), bits));
  }
  return errors;
}

/// The rows of one function of one type.
template <class T, int N>
class FunctionRows {
  using X = Expansion<T, N>;

 public:
  FunctionRows(const PeerEffort& effort, const MathFunction& function, PeerJobs& jobs)
      : effort_(effort), function_(function), jobs_(jobs) {}

  template <class F>
  void enter_ours(const F& f) {
    enter("MCTensor C++", [f](const X& x, PeerCase& c) {
      c.x.set_exact(x);
      c.result.set_exact(f(x));
    });
  }

  /// f of a peer's number type.
  template <PeerNumber P, class F>
  void enter_peer(const std::string& peer, const F& f) {
    enter(peer, [f, exact = Real()](const X& x, PeerCase& c) mutable {
      exact.set_exact(x);
      const typename P::Value value = P::from(exact);
      P::to(value, c.x);
      P::to(f(value), c.result);
    });
  }

 private:
  template <class Compute>
  void enter(const std::string& peer, Compute compute) {
    const auto measure = [effort = effort_, function = function_, peer, compute] {
      const ErrorStatistics errors = measure_function<T, N>(effort, function, compute);
      PeerResult row = peer_row<T, N>(Function::exp, peer, errors);
      row.operation = function.name;
      return row;
    };
    jobs_.push_back({type_name<T, N>() + ' ' + function_.name, measure});
  }

  PeerEffort effort_;
  MathFunction function_;
  PeerJobs& jobs_;
};

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
  static Value square_root(const Value& v) { return QuadFloat::square_root(v); }
};
#endif

/// The implementations of one function that all call by the same name.
template <class F>
void enter_function(const PeerEffort& effort, const MathFunction& function, const F& f,
                    PeerJobs& jobs) {
  FunctionRows<double, 2> two(effort, function, jobs);
  FunctionRows<double, 3> three(effort, function, jobs);
  FunctionRows<double, 4> four(effort, function, jobs);
  two.enter_ours(f);
#if MCT_WITH_QD
  two.enter_peer<QdDouble2>("QD dd_real", f);
#endif
#if MCT_HAVE_QUAD_PEER
  two.enter_peer<QuadFunctions>("__float128", f);
#endif
  two.enter_peer<BoostFloat<106>>("Boost cpp_bin_float 106", f);
  three.enter_ours(f);
  three.enter_peer<BoostFloat<159>>("Boost cpp_bin_float 159", f);
  four.enter_ours(f);
#if MCT_WITH_QD
  four.enter_peer<QdDouble4>("QD qd_real", f);
#endif
  four.enter_peer<BoostFloat<212>>("Boost cpp_bin_float 212", f);
  FunctionRows<float, 2>(effort, function, jobs).enter_ours(f);
}

}  // namespace

void add_function_jobs(const PeerEffort& effort, PeerJobs& jobs) {
  const auto plan = [](int low, int high, bool positive = false) {
    InputPlan p;
    p.low = low;
    p.high = high;
    p.gap_high = 0;
    p.positive = positive;
    return p;
  };
#define MCT_ENTER(name, plan) \
  enter_function(             \
      effort, {#name, oracle::name, plan}, [](const auto& x) { return name(x); }, jobs)
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
