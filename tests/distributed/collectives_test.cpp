// What ranks do together: the same bits for any number of them, in any order.
#include "mctensor/distributed/collectives.hpp"

#include <gtest/gtest.h>

#include "mctensor/distributed/agreement.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/all.hpp"
#include "mctensor/tensor/create.hpp"
#include "tests/distributed/exact_reference.hpp"
#include "tests/distributed/ranks_in_threads.hpp"
#include "tests/message_of.hpp"

namespace mct::distributed {
namespace {

using testing::bits_of;
using testing::exact_limbs;
using testing::HardNumbers;
using testing::message_of;
using testing::on_ranks;
using Ranks = std::shared_ptr<Communicator>;

constexpr std::int64_t count = 1000;

/// The contributions of so many ranks.
template <class T, int N>
std::vector<Tensor<T, N>> contributions(int ranks, std::uint64_t seed,
                                        std::int64_t elements = count) {
  std::vector<Tensor<T, N>> all;
  for (int r = 0; r < ranks; ++r) {
    Tensor<T, N> x({10, elements / 10});
    for (std::int64_t i = 0; i < elements; ++i) {
      HardNumbers<T> numbers(seed * 7919 + std::uint64_t(r * elements + i));
      for (int k = 0; k < N; ++k) x.data(k)[i] = numbers.next(i % 7 == 0);
    }
    all.push_back(x);
  }
  return all;
}

template <class T, int N>
void expect_sums(const Tensor<T, N>& result, const std::vector<Tensor<T, N>>& terms) {
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    std::vector<T> of_element;
    for (const auto& term : terms)
      for (int k = 0; k < N; ++k)
        if (k == 0 || term.data(k)[i] != 0) of_element.push_back(term.data(k)[i]);
    const auto expected = exact_limbs(of_element, std::size_t(N));
    for (int k = 0; k < N; ++k)
      ASSERT_EQ(bits_of(result.data(k)[i]), bits_of(expected[std::size_t(k)])) << i << " " << k;
  }
}

template <class T, int N>
void check_all_reduce(int ranks, std::int64_t elements = count) {
  const auto terms = contributions<T, N>(ranks, 5, elements);
  on_ranks(ranks, [&](const Ranks& communicator) {
    const auto own = terms[std::size_t(communicator->rank())].clone();
    all_reduce(*communicator, own);
    expect_sums(own, terms);
  });
}

TEST(AllReduce, EqualsMpfrOnEveryRank) {
  for (const int ranks : {1, 2, 3, 5}) {
    check_all_reduce<float, 1>(ranks);
    check_all_reduce<double, 1>(ranks);
    check_all_reduce<bfloat16, 1>(ranks);
    check_all_reduce<half, 1>(ranks);
    check_all_reduce<float, 2>(ranks);
    check_all_reduce<bfloat16, 2>(ranks);
    check_all_reduce<double, 2>(ranks);
    check_all_reduce<double, 3>(ranks);
  }
}

/// Above as many numbers as every rank adds up alone, each rank adds up its share.
TEST(AllReduce, OfMoreElementsThanAreSentToAll) {
  check_all_reduce<float, 1>(2, 8190);
  check_all_reduce<float, 1>(2, 8200);
  check_all_reduce<half, 1>(3, 6000);
  check_all_reduce<bfloat16, 2>(3, 3000);
  check_all_reduce<double, 3>(5, 1200);
}

/// The same terms, in the hands of other numbers of ranks and in another order.
template <class T, int N>
void check_partitions() {
  const int terms = 8;
  const auto all = contributions<T, N>(terms, 11);
  std::vector<Tensor<T, N>> results;
  for (const int ranks : {1, 2, 4, 8, 3}) {
    Tensor<T, N> result({10, count / 10});
    on_ranks(ranks, [&](const Ranks& communicator) {
      ExactSums<T> own(count, N);
      for (int t = terms - 1; t >= 0; --t)
        if (t % ranks == (communicator->rank() + 1) % ranks) own.add(all[std::size_t(t)]);
      Tensor<T, N> sums({10, count / 10});
      std::vector<T*> limbs;
      for (int k = 0; k < N; ++k) limbs.push_back(sums.data(k));
      all_reduce(*communicator, own, std::span<T* const>(limbs));
      if (communicator->rank() == ranks - 1) result.copy_(sums);
    });
    expect_sums(result, all);
  }
}

TEST(AllReduce, OfSeveralTermsDoesNotDependOnRanks) {
  check_partitions<float, 1>();
  check_partitions<bfloat16, 1>();
  check_partitions<bfloat16, 2>();
  check_partitions<double, 2>();
  check_partitions<half, 1>();
}

/// More than a rank exchanges at once, and not whole units.
TEST(AllReduce, LongArrays) {
  const std::int64_t long_count = 3 * (1 << 17) + 77;
  for (const int ranks : {2, 3}) {
    on_ranks(ranks, [&](const Ranks& communicator) {
      const int rank = communicator->rank();
      std::vector<float> x(static_cast<std::size_t>(long_count));
      for (std::int64_t i = 0; i < long_count; ++i)
        x[std::size_t(i)] = float(i % 1000 + 1) * float(rank + 1);
      auto scattered = x;
      all_reduce(*communicator, std::span<float>(x));
      const float factor = float(ranks * (ranks + 1) / 2);
      for (std::int64_t i = 0; i < long_count; ++i)
        ASSERT_EQ(x[std::size_t(i)], float(i % 1000 + 1) * factor) << i;
      const Span own = shard_of(long_count, rank, ranks);
      std::vector<float> part(static_cast<std::size_t>(own.size()));
      const float* from = scattered.data();
      float* to = part.data();
      reduce_scatter(*communicator, std::span<const float* const>(&from, 1), long_count,
                     std::span<float* const>(&to, 1));
      for (std::int64_t i = 0; i < own.size(); ++i)
        ASSERT_EQ(part[std::size_t(i)], x[std::size_t(own.begin + i)]);
      ExactSums<float> sums(long_count);
      sums.add(scattered);
      std::fill(part.begin(), part.end(), 0.0F);
      reduce_scatter(*communicator, sums, std::span<float>(part));
      for (std::int64_t i = 0; i < own.size(); ++i)
        ASSERT_EQ(part[std::size_t(i)], x[std::size_t(own.begin + i)]);
    });
  }
}

TEST(AllReduce, OfAViewWritesTheView) {
  on_ranks(2, [](const Ranks& communicator) {
    const Tensor<double, 2> x({3, 4});
    x.fill_(Expansion<double, 2>(1.0 + communicator->rank()));
    all_reduce(*communicator, x.t());
    for (const auto& value : x.values()) EXPECT_EQ(value, (Expansion<double, 2>(3.0)));
    all_reduce(*communicator, x.narrow(1, 1, 2));
    EXPECT_EQ(x.at({0, 0}), (Expansion<double, 2>(3.0)));
    EXPECT_EQ(x.at({2, 2}), (Expansion<double, 2>(6.0)));
  });
}

TEST(Broadcast, GivesAllTheRootsBits) {
  const auto values = contributions<float, 3>(3, 2);
  on_ranks(3, [&](const Ranks& communicator) {
    const auto own = values[std::size_t(communicator->rank())].clone();
    broadcast(*communicator, own, 2);
    for (int k = 0; k < 3; ++k)
      for (std::int64_t i = 0; i < count; ++i)
        ASSERT_EQ(bits_of(own.data(k)[i]), bits_of(values[2].data(k)[i]));
    EXPECT_THROW(communicator->broadcast(std::span<int>(), 3), DomainError);
  });
}

TEST(AllGather, PutsTensorsOneAfterTheOther) {
  on_ranks(3, [](const Ranks& communicator) {
    const std::int64_t rank = communicator->rank();
    const auto own = full<double, 2>({rank, 2}, Expansion<double, 2>(double(rank)));
    const auto all = all_gather(*communicator, own);
    EXPECT_EQ(all.shape(), (Shape{3, 2}));
    EXPECT_EQ(all.at({0, 1}), (Expansion<double, 2>(1.0)));
    EXPECT_EQ(all.at({2, 0}), (Expansion<double, 2>(2.0)));
  });
}

TEST(Collectives, RefuseWhatDiffersBetweenRanks) {
  on_ranks(3, [](const Ranks& communicator) {
    const int rank = communicator->rank();
    std::vector<float> x(rank == 2 ? 5 : 4);
    EXPECT_NE(message_of<ShapeError>([&] {
                all_reduce(*communicator, std::span<float>(x));
              }).find("rank 2 has 5 elements of 1 components"),
              std::string::npos);
    const Tensor<double> tensor({2, rank == 1 ? 3 : 4});
    EXPECT_NE(message_of<ShapeError>([&] { all_gather(*communicator, tensor); }).find("rank 1 has"),
              std::string::npos);
    const std::vector<Span> spans(2);
    EXPECT_THROW(communicator->exchange_spans<float>(x.data(), spans, x.data(), spans),
                 DomainError);
  });
}

TEST(Agreement, NamesWhatDiffersAndWhere) {
  on_ranks(3, [](const Ranks& communicator) {
    Settings settings = library_settings();
    require_agreement(*communicator, settings);
    settings["lr"] = communicator->rank() == 2 ? "0.1" : "0.2";
    if (communicator->rank() != 1) settings["seed"] = "7";
    EXPECT_EQ(message_of<DomainError>([&] { require_agreement(*communicator, settings); }),
              "the processes differ: seed is missing on rank 1 and 7 on rank 0; lr is 0.1 on rank "
              "2 and 0.2 on rank 0");
  });
}

}  // namespace
}  // namespace mct::distributed
