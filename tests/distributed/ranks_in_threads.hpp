// Ranks that are threads of one process, so that what ranks do together is tested without mpirun.
#pragma once

#include <barrier>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "mctensor/distributed/communicator.hpp"

namespace mct::testing {

class RankInThread final : public distributed::Communicator {
 public:
  /// What all of them see.
  struct Board {
    explicit Board(int ranks) : barrier(ranks), parts(std::size_t(ranks)) {}
    std::barrier<> barrier;
    std::vector<Sent> parts;
  };

  RankInThread(Board& board, int rank) : board_(board), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return int(board_.parts.size()); }
  [[noreturn]] void abort(int code) override { std::exit(code); }

 private:
  std::vector<std::size_t> exchange_counts(const std::vector<std::size_t>& counts) override {
    std::vector<std::size_t> received(counts.size());
    show({nullptr, counts},
         [&](std::size_t r, const Sent& part) { received[r] = part.counts[std::size_t(rank_)]; });
    return received;
  }
  void exchange(const Sent& from, const Received& to, std::size_t bytes) override {
    auto* const all = static_cast<char*>(to.values);
    show(from, [&](std::size_t r, const Sent& part) {
      const auto before = begin_of(part.counts, part.begins, std::size_t(rank_));
      char* at = all + begin_of(to.counts, to.begins, r) * bytes;
      copy(at, static_cast<const char*>(part.values) + before * bytes, to.counts[r] * bytes);
    });
  }
  void gather(const void* own, std::size_t count, const Received& to, std::size_t bytes) override {
    auto* at = static_cast<char*>(to.values);
    show({own, {&count, 1}},
         [&](std::size_t r, const Sent& part) { copy(at, part.values, to.counts[r] * bytes); });
  }

  void send_to_all(int root, void* values, std::size_t count, std::size_t bytes) override {
    show({values, {&count, 1}}, [&](std::size_t r, const Sent& part) {
      if (int(r) == root && rank_ != root && count > 0)
        std::memcpy(values, part.values, count * bytes);
    });
  }

  static std::size_t begin_of(std::span<const std::size_t> counts,
                              std::span<const std::size_t> begins, std::size_t rank) {
    if (!begins.empty()) return begins[rank];
    return std::accumulate(counts.begin(), counts.begin() + std::ptrdiff_t(rank), std::size_t(0));
  }
  static void copy(char*& to, const void* from, std::size_t bytes) {
    if (bytes > 0 && to != from) std::memcpy(to, from, bytes);
    to += bytes;
  }
  /// Shows the others a part until each has looked at all of them.
  template <class F>
  void show(const Sent& part, const F& look) {
    board_.parts[std::size_t(rank_)] = part;
    board_.barrier.arrive_and_wait();
    for (std::size_t r = 0; r < board_.parts.size(); ++r) look(r, board_.parts[r]);
    board_.barrier.arrive_and_wait();
  }

  Board& board_;
  int rank_;
};

/// Calls f as each of so many ranks; what rank 0 throws, if it does: all or none may throw.
inline void on_ranks(int ranks,
                     const std::function<void(std::shared_ptr<distributed::Communicator>)>& f) {
  RankInThread::Board board(ranks);
  std::vector<std::exception_ptr> thrown(std::size_t(ranks), nullptr);
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank)
      threads.emplace_back([&, rank] {
        try {
          f(std::make_shared<RankInThread>(board, rank));
        } catch (...) {
          thrown[std::size_t(rank)] = std::current_exception();
        }
      });
  }
  if (thrown[0]) std::rethrow_exception(thrown[0]);
}

}  // namespace mct::testing
