// The measurements beside other implementations: do they find what is known of those?
#include "validation/peers/peers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "mctensor/error.hpp"
#include "validation/peers/boost_peer.hpp"
#include "validation/peers/double_peer.hpp"
#include "validation/peers/measure.hpp"
#include "validation/peers/mpfr_peer.hpp"

namespace mct::validation {
namespace {

Results measured(const std::string& filter, int threads = 1, std::uint64_t seed = 7) {
  Options options;
  options.filter = filter;
  options.threads = threads;
  options.seed = seed;
  Results results;
  measure_peers(options, true, results);
  return results;
}

/// Everything, measured once for all tests.
const Results& all_results() {
  static const Results results = measured("", 2);
  return results;
}

std::vector<PeerResult> rows_of(const std::string& peer) {
  std::vector<PeerResult> rows;
  for (const PeerResult& row : all_results().peers)
    if (row.peer == peer) rows.push_back(row);
  return rows;
}

const PeerResult* row_of(const std::string& peer, const std::string& type,
                         const std::string& operation) {
  for (const PeerResult& row : all_results().peers)
    if (row.peer == peer && row.type == type && row.operation == operation) return &row;
  return nullptr;
}

std::string name_of(const PeerResult& row) {
  return row.type + ' ' + row.operation + ' ' + row.peer;
}

/// Checks the five functions of a peer beside one type: low <= log2 of the worst error <= high.
void expect_worst_log2(const std::string& peer, const std::string& type, double low, double high) {
  for (const char* operation : {"add", "sub", "mul", "div", "sqrt"}) {
    const PeerResult* row = row_of(peer, type, operation);
    ASSERT_NE(row, nullptr) << peer << ' ' << type << ' ' << operation;
    EXPECT_GE(row->worst_relative_log2, low) << name_of(*row);
    EXPECT_LE(row->worst_relative_log2, high) << name_of(*row);
  }
}

bool was_measured(const std::string& peer) { return !rows_of(peer).empty(); }

TEST(Peers, MpfrRoundsToNearest) {
  const std::map<std::string, int> bits = {{"f64x2", 106}, {"f64x3", 159}, {"f64x4", 212},
                                           {"f32x2", 48},  {"f32x3", 72},  {"f32x4", 96}};
  for (const auto& [type, b] : bits)
    expect_worst_log2("MPFR " + std::to_string(b), type, -b - 0.2, -b);
}

TEST(Peers, BoostRoundsToNearest) {
  const std::map<std::string, int> bits = {{"f64x2", 106}, {"f64x3", 159}, {"f64x4", 212}};
  for (const auto& [type, b] : bits)
    expect_worst_log2("Boost cpp_bin_float " + std::to_string(b), type, -b - 0.2, -b);
}

TEST(Peers, DoubleBesideTwoFloats) { expect_worst_log2("double", "f32x2", -53.2, -53); }

TEST(Peers, Float128HasItsBits) {
  if (!was_measured("__float128")) GTEST_SKIP() << "built without libquadmath";
  expect_worst_log2("__float128", "f64x2", -113.6, -112);  // sqrtq: below one last place
  EXPECT_LE(row_of("__float128", "f64x2", "div")->worst_relative_log2, -113);
}

TEST(Peers, QdStaysWithinAFewLastPlaces) {
  if (!was_measured("QD dd_real")) GTEST_SKIP() << "built without QD";
  expect_worst_log2("QD dd_real accurate", "f64x2", -107, -106 + 4);
  expect_worst_log2("QD qd_real accurate", "f64x4", -217, -212 + 4);
  // Joldes, Muller, Popescu 2017: AccurateDWPlusDW, at most 3 u^2
  EXPECT_LE(row_of("QD dd_real accurate", "f64x2", "add")->errors.max_error, 3.0001);
  // what the operators do depends on how QD was built; products and quotients never cancel
  EXPECT_LE(row_of("QD dd_real", "f64x2", "mul")->errors.max_error, 16);
  EXPECT_LE(row_of("QD dd_real", "f64x2", "div")->errors.max_error, 32);
  EXPECT_TRUE(std::isfinite(row_of("QD dd_real", "f64x2", "add")->errors.max_error));
}

double stated_bound(const PeerResult& row) {
  const ErrorBounds bounds[] = {
      {}, error_bounds<1>, error_bounds<2>, error_bounds<3>, error_bounds<4>};
  const ErrorBounds& b = bounds[row.components];
  const std::map<std::string, double> table = {
      {"add", b.add}, {"sub", b.add},   {"add_scalar", b.add_scalar}, {"mul", b.mul},
      {"div", b.div}, {"sqrt", b.sqrt}, {"mul_scalar", b.mul_scalar}, {"square", b.mul}};
  const auto found = table.find(row.operation);
  return found == table.end() ? 1.5 : found->second;  // every elementary function
}

TEST(Peers, OursStandInTheSameTableWithinTheirBounds) {
  const auto rows = rows_of("MCTensor C++");
  EXPECT_EQ(rows.size(), 6u * 5u + 4u * 3u + 4u * 15u);
  for (const PeerResult& row : rows) {
    EXPECT_GT(row.errors.max_error, 0) << name_of(row);
    EXPECT_LE(row.errors.max_error, stated_bound(row)) << name_of(row);
  }
  for (const PeerResult& row : all_results().peers) {
    EXPECT_NE(row_of("MCTensor C++", row.type, row.operation), nullptr) << name_of(row);
  }
}

TEST(Peers, SeedMultipliesAndDividesToOneComponentAsPublished) {
  for (const char* type : {"f64x2", "f64x3", "f64x4"}) {
    for (const char* name : {"27", "28", "29"}) {
      const char* operation = std::string(name) == "27" ? "div" : "mul";
      const PeerResult* row =
          row_of("Yu 2024 Alg. " + std::string(name) + " as printed", type, operation);
      ASSERT_NE(row, nullptr) << name << ' ' << type;
      EXPECT_GT(row->worst_relative_log2, -53.5) << name_of(*row);
      EXPECT_LT(row->worst_relative_log2, -50) << name_of(*row);
    }
  }
}

TEST(Peers, SeedCorrectedReachesTwoAndThreeComponents) {
  const std::map<std::string, double> bits = {{"f64x2", 106}, {"f64x3", 159}, {"f32x2", 48}};
  for (const auto& [type, b] : bits) {
    const PeerResult* row = row_of("Yu 2024 Alg. 27 corrected", type, "div");
    ASSERT_NE(row, nullptr) << type;
    EXPECT_LT(row->worst_relative_log2, -b + 3) << name_of(*row);
    EXPECT_GT(row->worst_relative_log2, -b - 2) << name_of(*row);
  }
}

TEST(Peers, SeedExponentialHasOneComponent) {
  for (const char* face : {"as printed", "corrected"}) {
    for (const char* type : {"f64x2", "f64x3", "f64x4"}) {
      const PeerResult* row = row_of(std::string("Yu 2024 Alg. 31 ") + face, type, "exp");
      ASSERT_NE(row, nullptr) << face << ' ' << type;
      EXPECT_GT(row->worst_relative_log2, -53.5) << name_of(*row);
      EXPECT_LT(row->worst_relative_log2, -51) << name_of(*row);
    }
  }
}

TEST(Peers, TwoComponentFmaAlgorithmsKeepTheirBounds) {
  for (const char* type : {"f64x2", "f32x2"}) {
    const PeerResult* scaling = row_of("Yu 2024 Alg. 22", type, "mul_scalar");
    const PeerResult* product = row_of("Yu 2024 Alg. 23", type, "mul");
    ASSERT_TRUE(scaling != nullptr && product != nullptr) << type;
    // DWTimesFP3 and DWTimesDW1 of Joldes, Muller, Popescu 2017 (bound of Muller, Rideau 2022)
    EXPECT_LE(scaling->errors.max_error, 2) << type;
    EXPECT_LE(product->errors.max_error, 5) << type;
  }
}

TEST(Peers, NumberOfThreadsChangesNothing) {
  const Results one = measured("f64x2 (add|div)$", 1);
  const Results two = measured("f64x2 (add|div)$", 2);
  ASSERT_FALSE(one.peers.empty());
  ASSERT_FALSE(one.components.empty());
  ASSERT_EQ(one.peers.size(), two.peers.size());
  for (std::size_t i = 0; i < one.peers.size(); ++i) {
    EXPECT_EQ(name_of(one.peers[i]), name_of(two.peers[i]));
    EXPECT_EQ(one.peers[i].errors.cases, two.peers[i].errors.cases);
    EXPECT_EQ(one.peers[i].errors.max_error, two.peers[i].errors.max_error);
    EXPECT_EQ(one.peers[i].errors.sum_error, two.peers[i].errors.sum_error);
  }
  ASSERT_EQ(one.components.size(), two.components.size());
  for (std::size_t i = 0; i < one.components.size(); ++i) {
    EXPECT_EQ(one.components[i].implementation, two.components[i].implementation);
    EXPECT_EQ(one.components[i].mean_relative_log2, two.components[i].mean_relative_log2);
  }
}

TEST(Peers, SeedOfTheRandomCasesChangesThem) {
  const Results first = measured("f32x3 mul$", 1, 1);
  const Results second = measured("f32x3 mul$", 1, 2);
  ASSERT_EQ(first.peers.size(), 2u);
  EXPECT_NE(first.peers[0].errors.sum_error, second.peers[0].errors.sum_error);
}

TEST(Peers, FilterLeavesOnlyWhatMatches) {
  const Results results = measured("F32X2 (mul|sqrt)$");  // any case, as in the suite
  ASSERT_FALSE(results.peers.empty());
  std::set<std::string> operations;
  for (const PeerResult& row : results.peers) {
    EXPECT_EQ(row.type, "f32x2");
    operations.insert(row.operation);
  }
  EXPECT_EQ(operations, (std::set<std::string>{"mul", "sqrt"}));
  ASSERT_FALSE(results.components.empty());
  for (const ComponentPoint& point : results.components) {
    EXPECT_EQ(point.precision, 24);
    EXPECT_EQ(point.components, 2);
    EXPECT_EQ(point.operation, "multiply");
  }
  EXPECT_TRUE(measured("f64x2 floor").peers.empty());
  EXPECT_THROW(measured("f64x2 (add"), DomainError);
}

TEST(Peers, ResultsAreAppended) {
  Options options;
  options.filter = "f32x3 sqrt";
  options.threads = 1;
  Results results;
  results.peers.push_back({});
  measure_peers(options, true, results);
  EXPECT_EQ(results.peers.size(), 3u);
  EXPECT_EQ(results.peers[1].errors.cases, 10'000u);
}

TEST(Components, EveryFigureHasOneToFourComponents) {
  std::map<std::tuple<std::string, std::string, std::string, int>, std::set<int>> lengths;
  for (const ComponentPoint& point : all_results().components)
    lengths[{point.operation, point.magnitudes, point.implementation, point.precision}].insert(
        point.components);
  EXPECT_EQ(lengths.size(), 3u * 2u * 4u * 2u);
  for (const auto& entry : lengths) EXPECT_EQ(entry.second, (std::set<int>{1, 2, 3, 4}));
  EXPECT_EQ(all_results().components.size(), 4u * lengths.size());
}

TEST(Components, OursGainAComponentEachTime) {
  for (const ComponentPoint& point : all_results().components) {
    EXPECT_LE(point.mean_relative_log2, point.worst_relative_log2);
    if (point.implementation != "MCTensor C++") continue;
    const int bits = point.components * point.precision;
    EXPECT_LE(point.worst_relative_log2, -bits + 4) << point.operation;
    EXPECT_GE(point.worst_relative_log2, -bits - 5) << point.operation;
  }
}

TEST(Components, PublishedMultiplicationStaysAtOneComponent) {
  for (const ComponentPoint& point : all_results().components) {
    if (point.implementation != "Yu 2024 as printed" || point.operation != "multiply") continue;
    EXPECT_GT(point.worst_relative_log2, -point.precision - 1) << point.components;
  }
}

/// x + y with a relative error of 5 u^2.
TEST(Measure, FindsAPlantedError) {
  const PeerEffort effort{1, 1000};
  const auto planted = [](const f64x2& a, const f64x2& b, PeerCase& c) {
    c.x.set_exact(a);
    c.y.set_exact(b);
    mpfr_set_prec(c.result.get(), 1000);
    Function::add.exact(c.x, c.y, c.result.get());
    Real factor(200);
    mpfr_set_d(factor.get(), std::ldexp(5, -106), MPFR_RNDN);
    mpfr_add_ui(factor.get(), factor.get(), 1, MPFR_RNDN);
    mpfr_mul(c.result.get(), c.result.get(), factor.get(), MPFR_RNDN);
  };
  const ErrorStatistics errors =
      measure_errors<double, 2>(effort, Function::add, Function::add.plan, planted);
  EXPECT_EQ(errors.cases, 1000u);
  EXPECT_NEAR(errors.max_error, 5, 1e-9);
  EXPECT_NEAR((peer_row<double, 2>(Function::add, "planted", errors)).worst_relative_log2,
              std::log2(5.0) - 106, 1e-9);
}

TEST(Measure, NoNumberIsAnInfiniteError) {
  const auto broken = [](const f64x2& a, const f64x2& b, PeerCase& c) {
    c.x.set_exact(a);
    c.y.set_exact(b);
    mpfr_set_nan(c.result.get());
  };
  const auto nonzero = [](const f64x2& a, const f64x2&, PeerCase& c) {
    c.x.set_exact(a);
    c.y.set_exact(-a);
    mpfr_set_d(c.result.get(), 1e-300, MPFR_RNDN);
  };
  const InputPlan plan = Function::add.plan;
  EXPECT_TRUE(
      std::isinf(measure_errors<double, 2>({1, 10}, Function::add, plan, broken).max_error));
  EXPECT_TRUE(
      std::isinf(measure_errors<double, 2>({1, 10}, Function::add, plan, nonzero).max_error));
}

template <class P>
class PeerNumbers : public testing::Test {};

struct Names {
  template <class P>
  static std::string GetName(int) {
    if (std::is_same_v<P, PlainDouble>) return "double";
    return std::is_same_v<P, MpfrFloat<72>> ? "mpfr72" : "boost159";
  }
};
using HeldNumbers = testing::Types<PlainDouble, MpfrFloat<72>, BoostFloat<159>>;
TYPED_TEST_SUITE(PeerNumbers, HeldNumbers, Names);

template <class P>
constexpr int bits_held = 53;
template <int Bits>
constexpr int bits_held<MpfrFloat<Bits>> = Bits;
template <unsigned Bits>
constexpr int bits_held<BoostFloat<Bits>> = Bits;

/// A peer holds the number rounded to nearest in its format, and gives it back exactly.
TYPED_TEST(PeerNumbers, HoldAndGiveBack) {
  PeerInputs<double, 4> inputs(3, "add", Function::add.plan);
  Real exact, held, rounded(bits_held<TypeParam>);
  for (int i = 0; i < 1000; ++i) {
    exact.set_exact(inputs.next().first);
    mpfr_set(rounded.get(), exact.get(), MPFR_RNDN);
    TypeParam::to(TypeParam::from(exact), held);
    ASSERT_TRUE(mpfr_equal_p(held.get(), rounded.get())) << i;
  }
}

/// Half of the sums cancel, down to the last bits.
TEST(Inputs, HalfOfTheSumsCancel) {
  PeerInputs<double, 2> inputs(3, "add", Function::add.plan);
  int near = 0;
  double least = 1;
  for (int i = 0; i < 2000; ++i) {
    const auto [x, y] = inputs.next();
    EXPECT_TRUE(is_normalized(x) && is_normalized(y));
    const double ratio = std::fabs(double((abs(x) - abs(y)) / x));
    if (ratio < 0x1p-16) ++near;
    if (ratio > 0) least = std::min(least, ratio);
  }
  EXPECT_GT(near, 600);
  EXPECT_LT(least, 0x1p-96);
}

}  // namespace
}  // namespace mct::validation
