// Processes that work together, and the messages between them.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "mctensor/distributed/shards.hpp"
#include "mctensor/error.hpp"

namespace mct::distributed {

/// Values for each rank or from each rank: first those of rank 0, then those of rank 1, and so on.
template <class T>
struct Parts {
  std::vector<T> values;
  std::vector<std::size_t> counts;  ///< [ranks]
};

/// Processes with numbers from 0 to size() - 1, their ranks. All ranks must call a function that is
/// marked as collective; each rank waits there for the others. Only the thread that made the
/// communicator may use it.
class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Ends all processes, this one with the exit code. Call this function for errors that only this
  /// rank has, because the other ranks would wait for ever.
  [[noreturn]] virtual void abort(int code) = 0;

  /// Collective. Sends each part of `from` to its rank, and returns the parts that the ranks sent
  /// to this rank. Throws DomainError, on this rank only, for more than 2^31 - 1 values, and unless
  /// `from` has a part for each rank.
  template <class T>
  Parts<T> all_to_all(const Parts<T>& from) {
    static_assert(std::is_trivially_copyable_v<T>);
    Parts<T> to{{}, exchange_counts(from.counts)};
    to.values.resize(std::accumulate(to.counts.begin(), to.counts.end(), std::size_t(0)));
    exchange({from.values.data(), from.counts}, {to.values.data(), to.counts}, sizeof(T));
    return to;
  }
  /// Collective. Returns the values of `own` of all ranks. Throws DomainError as all_to_all.
  template <class T>
  Parts<T> all_gather(std::span<const T> own) {
    static_assert(std::is_trivially_copyable_v<T>);
    Parts<T> to{{}, exchange_counts(std::vector<std::size_t>(std::size_t(size()), own.size()))};
    to.values.resize(std::accumulate(to.counts.begin(), to.counts.end(), std::size_t(0)));
    gather(own.data(), own.size(), {to.values.data(), to.counts}, sizeof(T));
    return to;
  }

  /// Collective. Sends the elements spans_from[r] of `from` to rank r, and receives the elements
  /// spans_to[r] of `to` from rank r. Lengths are not sent: spans_to[r] must be as long as the span
  /// that rank r sends to this rank. A span may be empty. Throws DomainError unless there is a span
  /// for each rank, and as all_to_all.
  template <class T>
  void exchange_spans(const T* from, std::span<const Span> spans_from, T* to,
                      std::span<const Span> spans_to) {
    static_assert(std::is_trivially_copyable_v<T>);
    const Places sent = places_of(spans_from);
    const Places received = places_of(spans_to);
    exchange({from, sent.counts, sent.begins}, {to, received.counts, received.begins}, sizeof(T));
  }
  /// Collective. Copies the `own` of all ranks to `to`, in the order of ranks; rank r has counts[r]
  /// values. `own` may lie at its place in `to`. Throws DomainError, on this rank only, unless
  /// there is a count for each rank and their sum is the size of `to`.
  template <class T>
  void all_gather(std::span<const T> own, std::span<T> to, std::span<const std::size_t> counts) {
    static_assert(std::is_trivially_copyable_v<T>);
    check_counts(counts, to.size());
    gather(own.data(), own.size(), {to.data(), counts}, sizeof(T));
  }
  /// Collective. Copies the values of one rank, the root, to all. All ranks pass the same number of
  /// values. Throws DomainError for a root that is not a rank.
  template <class T>
  void broadcast(std::span<T> values, int root) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (root < 0 || root >= size())
      throw DomainError("broadcast: there is no rank " + std::to_string(root) + " among " +
                        std::to_string(size()));
    send_to_all(root, values.data(), values.size(), sizeof(T));
  }

 protected:
  /// counts[r] values go to rank r or come from rank r. They start at begins[r]; without begins the
  /// parts follow each other.
  struct Sent {
    const void* values;
    std::span<const std::size_t> counts;
    std::span<const std::size_t> begins = {};
  };
  struct Received {
    void* values;
    std::span<const std::size_t> counts;
    std::span<const std::size_t> begins = {};
  };

 private:
  virtual std::vector<std::size_t> exchange_counts(const std::vector<std::size_t>& counts) = 0;
  /// `counts` count values; each value has `bytes` bytes.
  virtual void exchange(const Sent& from, const Received& to, std::size_t bytes) = 0;
  virtual void gather(const void* own, std::size_t count, const Received& to,
                      std::size_t bytes) = 0;
  virtual void send_to_all(int root, void* values, std::size_t count, std::size_t bytes) = 0;

  struct Places {
    std::vector<std::size_t> counts, begins;
  };
  Places places_of(std::span<const Span> spans) const {
    if (spans.size() != std::size_t(size()))
      throw DomainError("Communicator: " + std::to_string(spans.size()) + " spans for " +
                        std::to_string(size()) + " ranks, expected one for each rank");
    Places places;
    for (const Span& span : spans) {
      places.counts.push_back(std::size_t(span.size()));
      places.begins.push_back(std::size_t(span.begin));
    }
    return places;
  }
  void check_counts(std::span<const std::size_t> counts, std::size_t values) const {
    const std::size_t sum = std::accumulate(counts.begin(), counts.end(), std::size_t(0));
    if (counts.size() != std::size_t(size()) || sum != values)
      throw DomainError("Communicator: " + std::to_string(counts.size()) + " parts with " +
                        std::to_string(sum) + " values in all, expected " + std::to_string(size()) +
                        " with " + std::to_string(values));
  }
};

}  // namespace mct::distributed
