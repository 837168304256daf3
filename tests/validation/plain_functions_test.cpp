// Functions of plain tensors beside MPFR: correctly rounded in float, half and bfloat16, 0.51 ulp
// in double, the same bits from every instruction set with fma and from one number alone.
//
// All numbers of 16 bits and a sample of the floats; all floats with MCT_EXHAUSTIVE (./run test
// --exhaustive), where MPFR decides about those that the C library's double leaves open.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "mctensor/math/all.hpp"
#include "mctensor/tensor/all.hpp"
#include "validation/core/oracle_math.hpp"
#include "validation/core/real.hpp"
#include "validation/core/task.hpp"

namespace {

using mct::bfloat16;
using mct::FloatTraits;
using mct::half;
using mct::Tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A function in all its forms.
struct Function {
  std::string name;
  mct::validation::UnaryOracle truth;
  double (*library)(double);  ///< some ulps of a double
  std::function<Tensor<double, 1>(const Tensor<double, 1>&)> of_doubles;
  std::function<Tensor<float, 1>(const Tensor<float, 1>&)> of_floats;
  std::function<Tensor<half, 1>(const Tensor<half, 1>&)> of_halfs;
  std::function<Tensor<bfloat16, 1>(const Tensor<bfloat16, 1>&)> of_bfloat16s;
  double (*one_double)(double);
  float (*one_float)(float);

  template <class T>
  Tensor<T, 1> of(const Tensor<T, 1>& x) const {
    if constexpr (std::is_same_v<T, double>) return of_doubles(x);
    if constexpr (std::is_same_v<T, float>) return of_floats(x);
    if constexpr (std::is_same_v<T, half>) return of_halfs(x);
    if constexpr (std::is_same_v<T, bfloat16>) return of_bfloat16s(x);
  }
};

double library_sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double library_softplus(double x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }
double library_rsqrt(double x) { return 1 / std::sqrt(x); }
double library_gelu(double x) {
  const double tail = std::erfc(-x * 0.70710678118654752440);
  return tail == 0 ? -0.0 : 0.5 * x * tail;
}
double library_exp2m1(double x) { return std::expm1(x * M_LN2); }
double library_log2p1(double x) { return std::log1p(x) / M_LN2; }
double library_logit(double x) {
  return x < 0.25 ? std::log(x / (1 - x)) : std::log1p((2 * x - 1) / (1 - x));
}
double library_sinpi(double x) {
  const double turn = std::remainder(x, 2.0);
  const double rest = std::fabs(turn) > 0.5 ? std::copysign(1.0, turn) - turn : turn;
  return rest == 0 ? std::copysign(0.0, x) : std::sin(M_PI * rest);
}
double library_cospi(double x) {
  const double rest = 0.5 - std::fabs(std::remainder(x, 2.0));
  return rest == 0 ? 0.0 : std::sin(M_PI * rest);
}

#define MCT_FUNCTION(name, library)                                                      \
  Function {                                                                             \
#name, mct::validation::oracle::name, [](double x) { return double(library(x)); },     \
        [](const auto& x) { return mct::name(x); }, [](const auto& x) { return mct::name(x); }, \
        [](const auto& x) { return mct::name(x); }, [](const auto& x) { return mct::name(x); }, \
        [](double x) { return mct::name(mct::Expansion<double, 1>(x)).limb[0]; },          \
        [](float x) { return mct::name(mct::Expansion<float, 1>(x)).limb[0]; } \
  }

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      MCT_FUNCTION(exp, std::exp),
      MCT_FUNCTION(exp2, std::exp2),
      MCT_FUNCTION(expm1, std::expm1),
      MCT_FUNCTION(exp2m1, library_exp2m1),
      MCT_FUNCTION(log, std::log),
      MCT_FUNCTION(log2, std::log2),
      MCT_FUNCTION(log1p, std::log1p),
      MCT_FUNCTION(log2p1, library_log2p1),
      MCT_FUNCTION(logit, library_logit),
      MCT_FUNCTION(sinpi, library_sinpi),
      MCT_FUNCTION(cospi, library_cospi),
      MCT_FUNCTION(sin, std::sin),
      MCT_FUNCTION(cos, std::cos),
      MCT_FUNCTION(tan, std::tan),
      MCT_FUNCTION(asin, std::asin),
      MCT_FUNCTION(acos, std::acos),
      MCT_FUNCTION(atan, std::atan),
      MCT_FUNCTION(sinh, std::sinh),
      MCT_FUNCTION(cosh, std::cosh),
      MCT_FUNCTION(tanh, std::tanh),
      MCT_FUNCTION(asinh, std::asinh),
      MCT_FUNCTION(acosh, std::acosh),
      MCT_FUNCTION(atanh, std::atanh),
      MCT_FUNCTION(erf, std::erf),
      MCT_FUNCTION(erfc, std::erfc),
      MCT_FUNCTION(sigmoid, library_sigmoid),
      MCT_FUNCTION(softplus, library_softplus),
      MCT_FUNCTION(gelu, library_gelu),
      MCT_FUNCTION(cbrt, std::cbrt),
      MCT_FUNCTION(rsqrt, library_rsqrt),
  };
  return all;
}
#undef MCT_FUNCTION

/// The value of a function to 200 bits.
class Truth {
 public:
  mpfr_srcptr of(const Function& f, double x) {
    mpfr_set_prec(x_.get(), 53);
    mpfr_set_d(x_.get(), x, MPFR_RNDN);
    mpfr_set_prec(value_.get(), 200);
    f.truth(value_.get(), x_.get());
    return value_.get();
  }
  mpfr_srcptr of_power(double x, double y) {
    mpfr_set_prec(x_.get(), 53);
    mpfr_set_d(x_.get(), x, MPFR_RNDN);
    mpfr_set_prec(y_.get(), 53);
    mpfr_set_d(y_.get(), y, MPFR_RNDN);
    mpfr_set_prec(value_.get(), 200);
    mpfr_pow(value_.get(), x_.get(), y_.get(), MPFR_RNDN);
    return value_.get();
  }
  template <class T>
  double rounded(const Function& f, double x) {
    return rounded<T>(of(f, x));
  }
  /// The same, but the C library's double, which may be some ulps off, decides where it leaves one
  /// number of T. Its NaN decides, too, because MPFR would take minutes for all floats outside of a
  /// domain.
  template <class T>
  double rounded_quickly(const Function& f, double x) {
    const double guess = f.library(x);
    const T low(guess * (1 - 0x1p-38)), high(guess * (1 + 0x1p-38));
    if (low == high || std::isnan(guess)) return double(T(guess));
    ++asked;
    return rounded<T>(f, x);
  }
  std::uint64_t asked = 0;  ///< how often that was
  /// Rounded to T once.
  template <class T>
  double rounded(mpfr_srcptr exact) {
    if (mpfr_regular_p(exact) == 0) return mpfr_get_d(exact, MPFR_RNDN);
    // a subnormal number of T has so many bits less
    const long missing =
        std::max(0L, FloatTraits<T>::emin + FloatTraits<T>::p - long(mpfr_get_exp(exact)));
    const long bits = FloatTraits<T>::p - missing;
    if (bits < 1) {
      // half of the smallest number is a tie, and goes to the even zero
      const double least = std::ldexp(1.0, FloatTraits<T>::emin);
      const bool up = bits == 0 && mpfr_cmpabs_ui(scaled(exact), 1) > 0;
      return std::copysign(up ? least : 0.0, mpfr_signbit(exact) != 0 ? -1.0 : 1.0);
    }
    mpfr_set_prec(short_.get(), bits);
    mpfr_set(short_.get(), exact, MPFR_RNDN);
    const double result = mpfr_get_d(short_.get(), MPFR_RNDN);
    return std::fabs(result) > double(FloatTraits<T>::max) ? std::copysign(infinity, result)
                                                           : result;
  }

 private:
  /// |exact| over half of the smallest number, for the comparison with 1.
  mpfr_srcptr scaled(mpfr_srcptr exact) {
    mpfr_set_prec(short_.get(), 200);
    mpfr_set(short_.get(), exact, MPFR_RNDN);
    mpfr_set_exp(short_.get(), 1);  // in [1, 2): above 1 unless it is a power of two
    return short_.get();
  }
  mct::validation::Real x_, y_, value_, short_;
};

template <class T>
Tensor<T, 1> tensor_of(const std::vector<T>& values) {
  auto x = Tensor<T, 1>::uninitialized({std::int64_t(values.size())});
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

class PlainFunctions : public testing::TestWithParam<Function> {};

/// Every result is the truth rounded once.
template <class T>
void expect_rounded(const Function& f, const std::vector<T>& values) {
  Truth truth;
  const auto y = f.of(tensor_of(values));
  int wrong = 0;
  for (std::size_t i = 0; i < values.size() && wrong < 5; ++i) {
    const double expected = truth.rounded_quickly<T>(f, double(values[i]));
    const double got = double(y.data()[i]);
    if (same(got, expected) || (got == 0 && expected == 0 && f.name == "acos")) continue;
    ++wrong;
    ADD_FAILURE() << f.name << "(" << std::hexfloat << double(values[i]) << ") = " << got
                  << ", correctly rounded " << expected;
  }
}

template <class T>
std::vector<T> all_short() {
  std::vector<T> values;
  for (std::uint32_t bits = 0; bits < 65536; ++bits)
    values.push_back(T::from_bits(std::uint16_t(bits)));
  return values;
}

TEST_P(PlainFunctions, AllHalfsAreCorrectlyRounded) {
  expect_rounded(GetParam(), all_short<half>());
}
TEST_P(PlainFunctions, AllBfloat16sAreCorrectlyRounded) {
  expect_rounded(GetParam(), all_short<bfloat16>());
}
TEST_P(PlainFunctions, ASampleOfFloatsIsCorrectlyRounded) {
  std::vector<float> values;
  for (std::uint64_t bits = 0; bits < (1ull << 32); bits += 104729)
    values.push_back(std::bit_cast<float>(std::uint32_t(bits)));
  for (int k = -20; k < 20; ++k)
    for (const float m : {1.0F, 1.5F, 0.69314718F, 3.14159265F})
      for (const float x : {m * std::ldexp(1.0F, k), m * float(k)})
        for (const float sign : {1.0F, -1.0F})
          for (const float y : {x, std::nextafter(x, 0.0F), std::nextafter(x, 9e9F)})
            values.push_back(sign * y);
  expect_rounded(GetParam(), values);
}

/// Of every size and sign, and next to numbers where branches meet.
std::vector<double> doubles() {
  std::mt19937_64 random(11);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::vector<double> x = {0.0, -0.0, infinity, -infinity, std::nan("")};
  for (int i = 0; i < 3000; ++i) {
    x.push_back(uniform(-1, 2));
    x.push_back(uniform(0.95, 1.05));
    x.push_back(std::exp2(uniform(-1074, 1023.9)));
    x.push_back(-std::exp2(uniform(-1074, 1023.9)));
    x.push_back(uniform(-0.03, 0.03));
    x.push_back(uniform(-40, 40));
    x.push_back(uniform(-750, 720));
  }
  for (int k = -60; k < 60; ++k)
    for (const double m :
         {1.0, std::sqrt(2.0), std::log(2.0), std::log(2.0) / 32, 1 / 32.0, M_PI / 32})
      for (const double size : {m * std::ldexp(1.0, k), m * k, m * (k + 0.5)})
        for (const double y :
             {size, std::nextafter(size, infinity), std::nextafter(size, -infinity)}) {
          x.push_back(y);
          x.push_back(-y);
        }
  return x;
}

/// |got - exact| in units in the last place of the exact number.
double ulps_between(mpfr_srcptr exact, double got) {
  static mct::validation::Real difference(64);
  const long exponent = std::max(long(mpfr_get_exp(exact)), -1021L);
  mpfr_sub_d(difference.get(), exact, got, MPFR_RNDA);
  mpfr_mul_2si(difference.get(), difference.get(), 53 - exponent, MPFR_RNDA);
  return std::fabs(mpfr_get_d(difference.get(), MPFR_RNDA));
}

/// Powers that are midpoints between two numbers of T, or numbers of T, exactly.
template <class T>
void expect_exact_powers_rounded() {
  std::vector<T> x;
  std::vector<T> y;
  const auto add = [&](double base, double exponent) {
    const bool fits = double(T(base)) == base && double(T(exponent)) == exponent;
    if (!fits) return;
    x.push_back(T(base));
    y.push_back(T(exponent));
  };
  for (int m = 2; m < 5000; ++m)
    for (const double scale : {1.0, 0x1p-8, 0x1p4}) {
      const double a = m * scale;
      for (const double k : {2.0, 3.0, 4.0, 5.0, -1.0}) add(a, k);
      for (const double k : {0.5, 1.5, 2.5}) add(a * a, k);
      for (const double k : {0.25, 0.75, 1.25}) add(a * a * a * a, k);
    }
  const auto result = pow(tensor_of(x), tensor_of(y));
  Truth truth;
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(double(result.data()[i]),
              truth.rounded<T>(truth.of_power(double(x[i]), double(y[i]))))
        << double(x[i]) << " ^ " << double(y[i]);
}
TEST(PlainPowers, ExactMidpointsAreRoundedToEven) {
  expect_exact_powers_rounded<float>();
  expect_exact_powers_rounded<half>();
  expect_exact_powers_rounded<bfloat16>();
}

TEST(PlainPowers, OfNumbersNearOneAndLargeExponentsAreWithin051Ulp) {
  std::mt19937_64 random(5);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 40000; ++i) {
    x.push_back(i % 3 == 0 ? uniform(1.03, 1.034) : i % 3 == 1 ? uniform(0.9, 1.1) : uniform(0, 9));
    y.push_back(uniform(-1000, 1000) / std::log2(x.back()));
  }
  Truth truth;
  const auto result = pow(tensor_of(x), tensor_of(y));
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(ulps_between(truth.of_power(x[i], y[i]), result.data()[i]), 0.51)
        << std::hexfloat << x[i] << " ^ " << y[i];
}

/// The results of every instruction set of this machine.
template <class T>
std::vector<Tensor<T, 1>> of_every_isa(const Function& f, const std::vector<T>& x) {
  std::vector<Tensor<T, 1>> results;
  const mct::Isa active = mct::active_isa();
  for (const mct::Isa isa : mct::available_isas()) {
    mct::set_active_isa(isa);
    results.push_back(f.of(tensor_of(x)));
  }
  mct::set_active_isa(active);
  return results;
}

TEST_P(PlainFunctions, DoublesAreWithin051Ulp) {
  const Function& f = GetParam();
  Truth truth;
  const auto x = doubles();
  const auto results = of_every_isa(f, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    mpfr_srcptr exact = truth.of(f, x[i]);
    const double nearest = mpfr_get_d(exact, MPFR_RNDN);
    const bool special = mpfr_regular_p(exact) == 0 || std::isinf(nearest) || nearest == 0;
    for (const auto& y : results) {
      const double got = y.data()[i];
      if (special) {
        ASSERT_TRUE(got == nearest || (std::isnan(got) && std::isnan(nearest)))
            << f.name << " of " << std::hexfloat << x[i] << " is " << got;
      } else {
        ASSERT_TRUE(std::isfinite(got)) << f.name << " of " << std::hexfloat << x[i];
        ASSERT_LE(ulps_between(exact, got), std::fabs(got) < 0x1p-1022 ? 0.76 : 0.51)
            << f.name << " of " << std::hexfloat << x[i] << " is " << got;
      }
    }
  }
}

TEST_P(PlainFunctions, InstructionSetsWithFmaAndSingleNumbersGiveTheSameBits) {
  const Function& f = GetParam();
  const bool is_root = f.name == "rsqrt";  // of one number it is arithmetic: a root and a quotient
  const auto x = doubles();
  std::vector<float> floats;
  for (const double at : x) floats.push_back(float(at));
  for (const auto& y : of_every_isa(f, floats))  // rounded correctly, so with fma or without
    for (std::size_t i = 0; i < x.size() && !is_root; ++i)
      ASSERT_TRUE(same(double(y.data()[i]), double(f.one_float(floats[i]))))
          << f.name << " of the float " << std::hexfloat << floats[i];
  auto results = of_every_isa(f, x);
  if (mct::available_isas().front() == mct::Isa::baseline && results.size() > 1)
    results.erase(results.begin());
  for (const auto& y : results)
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(same(y.data()[i], results[0].data()[i])) << f.name << " of " << x[i];
#if MCT_HAS_FMA
      if (!is_root) {
        ASSERT_TRUE(same(y.data()[i], f.one_double(x[i]))) << f.name << " of " << x[i];
      }
#endif
    }
}

TEST_P(PlainFunctions, EveryInstructionSetRoundsShortFormatsAlike) {
  const auto results = of_every_isa(GetParam(), all_short<half>());
  const auto others = of_every_isa(GetParam(), all_short<bfloat16>());
  for (std::size_t k = 1; k < results.size(); ++k)
    for (std::size_t i = 0; i < 65536; ++i) {
      ASSERT_TRUE(same(double(results[k].data()[i]), double(results[0].data()[i]))) << i;
      ASSERT_TRUE(same(double(others[k].data()[i]), double(others[0].data()[i]))) << i;
    }
}

TEST_P(PlainFunctions, ResultsDoNotDependOnNeighboursOrLength) {
  const Function& f = GetParam();
  const auto x = doubles();
  const auto whole = f.of(tensor_of(x));
  const std::vector<float> floats(x.begin(), x.end());
  const auto whole_floats = f.of(tensor_of(floats));
  for (std::size_t from = 0; from + 13 <= x.size(); from += 1009) {
    const auto at = long(from);
    const std::vector<double> part(x.begin() + at, x.begin() + at + 13);
    const std::vector<float> few(floats.begin() + at, floats.begin() + at + 13);
    const auto y = f.of(tensor_of(part));
    const auto z = f.of(tensor_of(few));
    for (std::size_t i = 0; i < part.size(); ++i) {
      EXPECT_TRUE(same(y.data()[i], whole.data()[from + i])) << f.name << " of " << part[i];
      EXPECT_TRUE(same(double(z.data()[i]), double(whole_floats.data()[from + i])))
          << f.name << " of the float " << few[i];
    }
  }
}

TEST_P(PlainFunctions, ExhaustiveFloats) {
  if (std::getenv("MCT_EXHAUSTIVE") == nullptr)
    GTEST_SKIP() << "all 2^32 floats: ./run test --exhaustive";
  const Function& f = GetParam();
  constexpr std::uint64_t block = 1 << 20;
  Truth truth;
  std::vector<float> values(block);
  int wrong = 0;
  for (std::uint64_t first = 0; first < (1ull << 32) && wrong < 5; first += block) {
    for (std::uint64_t i = 0; i < block; ++i)
      values[i] = std::bit_cast<float>(std::uint32_t(first + i));
    const auto y = f.of(tensor_of(values));
    for (std::uint64_t i = 0; i < block && wrong < 5; ++i) {
      const double expected = truth.rounded_quickly<float>(f, double(values[i]));
      if (double(y.data()[i]) == expected || (std::isnan(expected) && std::isnan(y.data()[i])))
        continue;
      ++wrong;
      ADD_FAILURE() << f.name << "(" << std::hexfloat << values[i] << ") = " << y.data()[i]
                    << ", correctly rounded " << expected;
    }
  }
  std::printf("%s: MPFR decided about %llu floats\n", f.name.c_str(),
              (unsigned long long)truth.asked);
}

TEST(PlainFunctionList, HasWhatTensorsHaveAndSoHasTheSuite) {
  mct::validation::TaskList tasks;
  mct::validation::add_plain_tasks(tasks);
  mct::validation::add_math_double_tasks(tasks);
  std::set<std::string> in_suite;
  for (const auto& task : tasks) {
    const auto facts = task->describe();
    in_suite.insert(facts.operation + ' ' + facts.type);
  }
  const auto expect_in_suite = [&](const std::string& name) {
    for (const char* type : {"f64x1", "f32x1", "f16x1", "bf16x1", "f64x2", "f64x3", "f64x4"})
      EXPECT_TRUE(in_suite.count(name + ' ' + type) > 0) << name << ' ' << type;
  };
  for (const mct::OperationEntry& entry : mct::unary_entries) {
    if (entry.kind == mct::OperationKind::arithmetic) continue;
    expect_in_suite(entry.name);
    EXPECT_TRUE(std::any_of(functions().begin(), functions().end(), [&](const Function& f) {
      return f.name == entry.name;
    })) << entry.name;
  }
  for (const mct::OperationEntry& entry : mct::binary_entries)
    if (entry.kind != mct::OperationKind::arithmetic) expect_in_suite(entry.name);
}

INSTANTIATE_TEST_SUITE_P(All, PlainFunctions, testing::ValuesIn(functions()),
                         [](const auto& at) { return at.param.name; });

}  // namespace
