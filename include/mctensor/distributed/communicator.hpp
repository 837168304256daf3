// Processes that work on one thing, and what they tell each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace mct::distributed {

/// Values for each rank, or from each: those of rank 0 first, then those of rank 1, and so on.
template <class T>
struct Parts {
  std::vector<T> values;
  std::vector<std::size_t> counts;  ///< [ranks]
};

/// Processes numbered from 0 to size() - 1, their ranks. What all ranks must call is marked as
/// collective: each waits there for the others. One thread of a process may call at a time, the one
/// that made the communicator.
class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Ends all processes, this one with the code, for an error that the others do not know of: they
  /// would wait for ever.
  [[noreturn]] virtual void abort(int code) = 0;

  /// Collective. Sends the parts of `from` to their ranks; what the ranks have sent to this one.
  /// Throws DomainError, on this rank alone, for more than 2^31 - 1 values.
  template <class T>
  Parts<T> all_to_all(const Parts<T>& from) {
    static_assert(std::is_trivially_copyable_v<T>);
    Parts<T> to{{}, exchange_counts(from.counts)};
    to.values.resize(std::accumulate(to.counts.begin(), to.counts.end(), std::size_t(0)));
    exchange({from.values.data(), from.counts}, {to.values.data(), to.counts}, sizeof(T));
    return to;
  }
  /// Collective. What every rank has in `own`. Throws DomainError as all_to_all.
  template <class T>
  Parts<T> all_gather(std::span<const T> own) {
    static_assert(std::is_trivially_copyable_v<T>);
    Parts<T> to{{}, exchange_counts(std::vector<std::size_t>(std::size_t(size()), own.size()))};
    to.values.resize(std::accumulate(to.counts.begin(), to.counts.end(), std::size_t(0)));
    gather(own.data(), own.size(), {to.values.data(), to.counts}, sizeof(T));
    return to;
  }

 protected:
  struct Sent {
    const void* values;
    std::span<const std::size_t> counts;
  };
  struct Received {
    void* values;
    std::span<const std::size_t> counts;
  };

 private:
  virtual std::vector<std::size_t> exchange_counts(const std::vector<std::size_t>& counts) = 0;
  /// Counts of values, each of so many bytes.
  virtual void exchange(const Sent& from, const Received& to, std::size_t bytes) = 0;
  virtual void gather(const void* own, std::size_t count, const Received& to,
                      std::size_t bytes) = 0;
};

}  // namespace mct::distributed
