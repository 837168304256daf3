// Exact sums against MPFR: random and hard terms, any order, any partition.
#include "mctensor/distributed/exact_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "mctensor/error.hpp"
#include "tests/distributed/exact_reference.hpp"
#include "tests/message_of.hpp"

namespace mct::distributed {
namespace {

using testing::bits_of;
using testing::exact_limbs;
using testing::HardNumbers;

/// terms[t][k][i]: limb k of term t of element i.
template <class T>
using Terms = std::vector<std::vector<std::vector<T>>>;

template <class T>
Terms<T> hard_terms(std::size_t terms, std::size_t limbs, std::size_t count, std::uint64_t seed) {
  Terms<T> all(terms, std::vector<std::vector<T>>(limbs, std::vector<T>(count)));
  for (std::size_t i = 0; i < count; ++i) {
    HardNumbers<T> numbers(seed * 1000003 + i);
    const bool zeros = i % 37 == 5;
    const bool alike = i % 3 == 1;  // what the levels hold
    for (auto& term : all)
      for (std::size_t k = 0; k < limbs; ++k) {
        T& x = term[k][i];
        if (zeros)
          x = k == 0 && i % 2 == 1 ? -T(0.0) : T(0.0);
        else
          x = alike ? T(std::ldexp(double(numbers.next_alike()), -int(k) * FloatTraits<T>::p))
                    : numbers.next(i % 5 == 0);
      }
  }
  return all;
}

template <class T>
void add(ExactSums<T>& sums, const std::vector<std::vector<T>>& term) {
  std::vector<const T*> limbs;
  for (const auto& limb : term) limbs.push_back(limb.data());
  sums.add(std::span<const T* const>(limbs), sums.size());
}

template <class T>
std::vector<std::vector<T>> rounded(const ExactSums<T>& sums, std::size_t limbs) {
  std::vector<std::vector<T>> result(limbs, std::vector<T>(std::size_t(sums.size())));
  std::vector<T*> to;
  for (auto& limb : result) to.push_back(limb.data());
  sums.round_to(std::span<T* const>(to));
  return result;
}

template <class T>
void expect_exact(const std::vector<std::vector<T>>& result, const Terms<T>& terms) {
  for (std::size_t i = 0; i < result[0].size(); ++i) {
    std::vector<T> of_element;
    for (const auto& term : terms)
      for (std::size_t k = 0; k < term.size(); ++k)
        if (k == 0 || term[k][i] != 0) of_element.push_back(term[k][i]);
    const auto expected = exact_limbs(of_element, result.size());
    for (std::size_t k = 0; k < result.size(); ++k)
      ASSERT_EQ(bits_of(result[k][i]), bits_of(expected[k]))
          << "element " << i << ", limb " << k << ": " << double(result[k][i]) << ", not "
          << double(expected[k]);
  }
}

template <class T>
void check(std::size_t terms, int components, std::size_t limbs) {
  constexpr std::size_t count = 700;
  SCOPED_TRACE(::testing::Message() << sizeof(T) << " bytes, " << terms << " terms of "
                                    << components << ", " << limbs << " limbs");
  const auto all = hard_terms<T>(terms, std::size_t(components), count, terms);
  ExactSums<T> together(count, components);
  for (const auto& term : all) add(together, term);
  const auto result = rounded(together, limbs);
  expect_exact(result, all);

  // backwards, in three parts that are sent to one of them
  std::vector<ExactSums<T>> parts(3, ExactSums<T>(count, components));
  for (std::size_t t = terms; t-- > 0;) add(parts[t % 3], all[t]);
  parts[1].add(parts[2]);
  parts[1].add(parts[0]);
  const auto again = rounded(parts[1], limbs);
  for (std::size_t k = 0; k < limbs; ++k)
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(bits_of(again[k][i]), bits_of(result[k][i])) << i;
}

template <class T>
class ExactSumsOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, bfloat16, half>;
TYPED_TEST_SUITE(ExactSumsOf, Types);

TYPED_TEST(ExactSumsOf, EqualMpfrInAnyOrder) {
  for (const std::size_t terms : {1, 2, 3, 9}) check<TypeParam>(terms, 1, 1);
  check<TypeParam>(5, 2, 2);
  check<TypeParam>(4, 3, 3);
  check<TypeParam>(3, 1, 2);
}

TYPED_TEST(ExactSumsOf, NoTermsArePositiveZeros) {
  const ExactSums<TypeParam> none(3);
  std::vector<TypeParam> values(3, TypeParam(7));
  none.round_to(std::span<TypeParam>(values));
  for (const TypeParam x : values) EXPECT_EQ(bits_of(x), 0u);
  EXPECT_TRUE(none.message({0, 3}).levels.empty());
  ExactSums<TypeParam> negative(3);
  const std::vector<TypeParam> zeros(3, -TypeParam(0.0));
  negative.add(zeros);
  negative.add(none);
  negative.round_to(std::span<TypeParam>(values));
  for (const TypeParam x : values) EXPECT_EQ(bits_of(x), bits_of(-TypeParam(0.0)));
}

/// Half of a unit in the last place more or less, by what a term far below says.
TYPED_TEST(ExactSumsOf, TiesAreDecidedByTheSmallestTerm) {
  using T = TypeParam;
  const T tie(std::ldexp(1.0, -FloatTraits<T>::p));
  const T next(1 + 2 * double(tie));
  const T tiny = FloatTraits<T>::eta;
  const std::vector<std::vector<T>> terms = {
      {T(1), T(1), T(1), next}, {tie, tie, tie, tie}, {T(0.0), tiny, -tiny, -tiny}};
  ExactSums<T> sums(4);
  for (const auto& term : terms) sums.add(term);
  std::vector<T> result(4);
  sums.round_to(std::span<T>(result));
  EXPECT_EQ(result, (std::vector<T>{T(1), next, T(1), next}));
}

TYPED_TEST(ExactSumsOf, PartialSumsDoNotOverflow) {
  using T = TypeParam;
  ExactSums<T> sums(1);
  const auto add_one = [&](T x) { sums.add(std::span<const T>(&x, 1)); };
  for (int i = 0; i < 100; ++i) add_one(FloatTraits<T>::max);
  for (int i = 0; i < 99; ++i) add_one(-FloatTraits<T>::max);
  T result;
  sums.round_to(std::span<T>(&result, 1));
  EXPECT_EQ(result, FloatTraits<T>::max);
  add_one(FloatTraits<T>::max);
  sums.round_to(std::span<T>(&result, 1));
  EXPECT_EQ(result, FloatTraits<T>::infinity);
}

/// Terms that nothing holds are added up now and then: memory does not grow with their number.
TEST(ExactSums, ManyLostTermsAreShortened) {
  ExactSums<float> sums(2);
  for (int i = 0; i < 30000; ++i) {
    const float x[2] = {i % 2 == 0 ? 0x1p100f : -0x1p100f, 1};
    sums.add(x);
    const float small[2] = {0x1p-100f, 0x1p-120f};
    sums.add(small);
  }
  EXPECT_LT(sums.lost_terms(), 10000);
  float result[2];
  sums.round_to(std::span<float>(result));
  EXPECT_EQ(result[0], 30000 * 0x1p-100f);
  EXPECT_EQ(result[1], 30000.0f);
}

TEST(ExactSums, MessagesOfSpansAreThoseOfTheWhole) {
  const auto all = hard_terms<float>(6, 1, 300, 4);
  ExactSums<float> whole(300), again(300);
  for (const auto& term : all) add(whole, term);
  for (const Span& span : shards_of(300, 3)) {
    const auto message = whole.message(span);
    again.add_message(message.levels, message.terms, span);
  }
  const auto expected = rounded(whole, 1);
  const auto result = rounded(again, 1);
  for (std::size_t i = 0; i < 300; ++i) EXPECT_EQ(bits_of(expected[0][i]), bits_of(result[0][i]));
}

TEST(ExactSums, RefuseWhatDoesNotFit) {
  using testing::message_of;
  ExactSums<double> sums(4);
  const std::vector<double> x(3);
  EXPECT_NE(message_of<ShapeError>([&] { sums.add(x, 2); }).find("elements 2 to 4 of 4"),
            std::string::npos);
  EXPECT_THROW(sums.add(ExactSums<double>(4, 2)), ShapeError);
  EXPECT_THROW(ExactSums<double>(-1), DomainError);
  EXPECT_THROW(ExactSums<double>(1, 5), DomainError);
  std::vector<double> result(3);
  EXPECT_THROW(sums.round_to(std::span<double>(result)), ShapeError);
}

TEST(Shards, AreCutAtUnits) {
  EXPECT_EQ(shards_of(1000, 3), (std::vector<Span>{{0, 256}, {256, 640}, {640, 1000}}));
  EXPECT_EQ(shards_of(100, 3), (std::vector<Span>{{0, 0}, {0, 0}, {0, 100}}));
  EXPECT_EQ(shard_of(0, 1, 2), (Span{0, 0}));
  const std::int64_t huge = std::int64_t(1) << 62;
  EXPECT_EQ(shard_of(huge, 3, 4), (Span{huge / 4 * 3, huge}));
  EXPECT_THROW(shard_of(5, 2, 2), DomainError);
  EXPECT_THROW(shard_of(-1, 0, 2), DomainError);
}

}  // namespace
}  // namespace mct::distributed
